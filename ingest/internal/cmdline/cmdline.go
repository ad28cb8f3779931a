// Package cmdline reads the command line that started a server as people write it into scripts
// and reports: quotes, backslashes at line ends or forgotten ones, NAME=value in front, JSON
// values, "--flag value", "--flag=value" and flags without a value.
//
//	c, problems := cmdline.Parse("HIP_VISIBLE_DEVICES=0 vllm serve org/m --port 8000 --enforce-eager")
//	// c.Program "vllm", c.Sub "serve", c.Args[0].Text "org/m",
//	// c.Flags[0].Key() "port" with value 8000, c.Flags[1].Key() "enforce_eager" with value true
//
// It runs nothing and expands nothing: "$MODEL" stays as written.
package cmdline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Command is one command line. Offsets count bytes of the text that was parsed.
type Command struct {
	// Program is what was started, without its directory: "vllm". Of "python -m x.y" it is the
	// module, "x.y". Empty when the text holds no command.
	Program string
	// Sub is vLLM's command, "serve" or "bench serve"; empty for other programs.
	Sub string
	// Args are the words that belong to no flag: for "vllm serve" the model.
	Args []Word
	// Flags in the order of the text, repeated ones too.
	Flags []Flag
	// Env is what was set in front of the program.
	Env []Flag
	// End is the offset behind the command: a second command, a pipe or prose may follow.
	End int
}

// Word is one word after the shell's rules of quoting.
type Word struct {
	Text string
	Off  int
	// quoted says that a part of it stood in quotes; line, how the line before it ended.
	quoted bool
	gap    gap
}

// Flag is a flag with its value, or a variable of the environment with its value.
type Flag struct {
	// Name as written, without leading dashes.
	Name string
	// Value is JSON: true for a flag without a value, a number, a boolean or a JSON text where
	// the word is one, a list of such for several words, a string for anything else.
	Value json.RawMessage
	Off   int
}

// Key is the name with underscores, as the programs' own configuration files have it:
// "tensor_parallel_size".
func (f Flag) Key() string { return strings.ReplaceAll(f.Name, "-", "_") }

// Problem is a place at which the text is no proper command line. The words around it are kept.
type Problem struct {
	Off  int
	Text string
}

// gap is what lies between a word and the one before it.
type gap byte

const (
	sameLine gap = iota
	newLine      // a line end without a backslash
	blankLine
)

var (
	variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	number   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	option   = regexp.MustCompile(`^(--?[A-Za-z][^=\s]*)(=|$)`)
)

// prefixes stand in front of a program and change nothing that matters here.
var prefixes = []string{"env", "export", "exec", "sudo", "nohup", "time", "$"}

// switches begin the names of flags that take no value.
var switches = []string{"no-", "enable-", "disable-", "skip-", "enforce-", "trust-", "use-"}

// Parse reads the first command in text. A line end without a backslash goes on with the command
// when the next line begins with a flag; otherwise, or at a blank line, the command ends.
func Parse(text string) (*Command, []Problem) {
	s := &splitter{text: text}
	c := s.command()
	return c, s.problems
}

func (s *splitter) command() *Command {
	c := &Command{End: len(s.text)}
	i := 0
	for ; s.has(i); i++ { // what stands in front of the program
		w := s.words[i]
		if variable.MatchString(w.Text) {
			name, value, _ := strings.Cut(w.Text, "=")
			c.Env = append(c.Env, Flag{Name: name, Value: quote(value), Off: w.Off})
			continue
		}
		if !slices.Contains(prefixes, w.Text) {
			break
		}
	}
	if !s.has(i) {
		return c
	}
	c.Program = path.Base(s.words[i].Text)
	i++
	if strings.HasPrefix(c.Program, "python") && s.has(i+1) && s.words[i].Text == "-m" {
		c.Program = s.words[i+1].Text
		i += 2
	}
	if c.Program == "vllm" && s.has(i) && !strings.HasPrefix(s.words[i].Text, "-") {
		c.Sub = s.words[i].Text
		i++
		if c.Sub == "bench" && s.has(i) && !strings.HasPrefix(s.words[i].Text, "-") {
			c.Sub += " " + s.words[i].Text
			i++
		}
	}
	open := -1 // the flag that may still take a value
	list := -1 // the flag whose value is a list that was begun here
	for ; s.has(i); i++ {
		w := s.words[i]
		m := option.FindStringSubmatch(w.Text)
		isFlag := m != nil && !(w.quoted && strings.ContainsAny(w.Text, " \n"))
		begun := len(c.Args)+len(c.Flags) > 0
		if w.gap == blankLine && begun || w.gap == newLine && begun && !isFlag {
			c.End = w.Off
			break
		}
		switch {
		case isFlag:
			f := Flag{Name: strings.TrimLeft(m[1], "-"), Value: json.RawMessage("true"), Off: w.Off}
			open = len(c.Flags)
			if m[2] == "=" {
				f.Value = value(w.Text[len(m[0]):])
				open = -1
			}
			c.Flags = append(c.Flags, f)
		case open < 0:
			c.Args = append(c.Args, w)
		case string(c.Flags[open].Value) == "true" && takes(c.Flags[open].Name, w):
			c.Flags[open].Value = value(w.Text)
			if string(c.Flags[open].Value) == "true" {
				open = -1
			}
		case len(c.Args) == 0: // "--port 8000 MODEL", "--enforce-eager MODEL"
			c.Args = append(c.Args, w)
			open = -1
		case isSwitch(c.Flags[open].Name):
			c.Args = append(c.Args, w)
			open = -1
		default: // "--served-model-name a b"
			f := &c.Flags[open]
			if f.Value[0] != '[' {
				f.Value = append(append(json.RawMessage{'['}, f.Value...), ']')
				list = open
			} else if list != open { // one JSON list as written: its bytes are not ours
				f.Value = slices.Clone(f.Value)
				list = open
			}
			f.Value = append(append(append(f.Value[:len(f.Value)-1], ','), value(w.Text)...), ']')
		}
	}
	if !s.has(i) { // the text ends, or a pipe or another command follows
		c.End = s.i
	}
	return c
}

// gathered are the flags that hold all that is given, each time they stand; so do those of one letter, which are of
// a container's command: "-e A=1 -e B=2".
var gathered = []string{"env", "volume", "mount", "device", "publish", "lora_modules", "middleware"}

// Last are the flags as the program takes them: of those that stand several times the last one. What that replaces is
// a problem.
func (c *Command) Last() (flags []Flag, problems []Problem) {
	last := map[string]int{}
	for i, f := range c.Flags {
		last[f.Key()] = i
	}
	for i, f := range c.Flags {
		k := f.Key()
		switch l := c.Flags[last[k]]; {
		case last[k] == i || slices.Contains(gathered, k) || len(k) == 1:
			flags = append(flags, f)
		case !bytes.Equal(f.Value, l.Value):
			problems = append(problems, Problem{f.Off, fmt.Sprintf("%q stands several times, with different values: "+
				"the last one counts: take the others out", k)})
		}
	}
	return flags, problems
}

func isSwitch(name string) bool {
	for _, s := range switches {
		if strings.HasPrefix(strings.ReplaceAll(name, "_", "-"), s) {
			return true
		}
	}
	return false
}

// takes reports whether w can be the value of a flag that has none yet.
func takes(name string, w Word) bool {
	if !isSwitch(name) {
		return true
	}
	switch strings.ToLower(w.Text) {
	case "true", "false":
		return true
	}
	return false
}

// value gives a word as JSON.
func value(s string) json.RawMessage {
	switch {
	case s == "true" || s == "True":
		return json.RawMessage("true")
	case s == "false" || s == "False":
		return json.RawMessage("false")
	case number.MatchString(s):
		return json.RawMessage(s)
	case strings.HasPrefix(s, "{") || strings.HasPrefix(s, "["):
		var b bytes.Buffer
		if json.Compact(&b, []byte(strings.ToValidUTF8(s, "�"))) == nil {
			return b.Bytes()
		}
	}
	return quote(s)
}

func quote(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// splitter cuts text into words up to the end of the first command: ";", "&", "|" or a comment
// that is followed by nothing. Redirections are left out. It reads no further than it is asked:
// behind the command may follow a hundred thousand more.
type splitter struct {
	text     string
	i        int
	between  gap
	words    []Word
	problems []Problem
	// started says that words hold more than variables and what may stand in front of a program.
	started bool
}

// has reports whether there is a word with that index.
func (s *splitter) has(i int) bool {
	for len(s.words) <= i {
		if !s.next() {
			return false
		}
	}
	return true
}

// next reads one more word.
func (s *splitter) next() bool {
	for s.skip() {
		w := Word{Off: s.i, gap: s.between}
		s.between = sameLine
		s.read(&w)
		if !w.quoted && redirects(w.Text) {
			if strings.HasSuffix(w.Text, ">") {
				s.skipTarget()
			}
			continue
		}
		s.words = append(s.words, w)
		s.started = s.started || !variable.MatchString(w.Text) && !slices.Contains(prefixes, w.Text)
		return true
	}
	return false
}

// skip passes over what stands between words, and reports whether another word follows in this command.
func (s *splitter) skip() bool {
	for text := s.text; s.i < len(text); {
		switch c := text[s.i]; {
		case c == '\n':
			s.between = min(s.between+1, blankLine)
			s.i++
		case c == ' ' || c == '\t' || c == '\r':
			s.i++
		case c == '\\' && continues(text, s.i) > 0:
			s.i += continues(text, s.i)
		case c == '#':
			for s.i < len(text) && text[s.i] != '\n' {
				s.i++
			}
		case c == ';' || c == '|' || c == '&':
			if s.started {
				return false
			}
			s.i++ // "export A=1; vllm serve"
		default:
			return true
		}
	}
	return false
}

// read reads the word that begins here, without its quotation marks.
func (s *splitter) read(w *Word) {
	text, i := s.text, s.i
	var b strings.Builder
word:
	for i < len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\r', '\n', ';', '|':
			break word
		case '&':
			if i > w.Off && text[i-1] == '>' { // 2>&1
				b.WriteByte(c)
				i++
				continue
			}
			break word
		case '\\':
			if n := continues(text, i); n > 0 {
				break word
			}
			if i++; i < len(text) {
				b.WriteByte(text[i])
				i++
			}
		case '\'', '"':
			w.quoted = true
			end, closed := quoted(&b, text, i)
			if !closed {
				s.problems = append(s.problems, Problem{i, "a quotation mark is not closed"})
			}
			i = end
		default:
			b.WriteByte(c)
			i++
		}
	}
	w.Text, s.i = b.String(), i
}

// quoted writes what stands between the quotation mark at i and the next one like it, and returns where the
// text goes on.
func quoted(b *strings.Builder, text string, i int) (end int, closed bool) {
	mark := text[i]
	for end = i + 1; end < len(text) && text[end] != mark; end++ {
		if mark == '"' && text[end] == '\\' && end+1 < len(text) && strings.IndexByte("\"\\$`", text[end+1]) >= 0 {
			end++
		}
		b.WriteByte(text[end])
	}
	return min(end+1, len(text)), end < len(text)
}

// redirects reports whether a word is a redirection: ">log", "2>&1", or ">" with the target behind it.
func redirects(word string) bool {
	before, _, ok := strings.Cut(word, ">")
	return ok && strings.Trim(before, "0123456789&") == ""
}

// skipTarget passes over the word that a redirection writes to.
func (s *splitter) skipTarget() {
	for s.i < len(s.text) && (s.text[s.i] == ' ' || s.text[s.i] == '\t') {
		s.i++
	}
	for s.i < len(s.text) && strings.IndexByte(" \t\r\n;|&", s.text[s.i]) < 0 {
		s.i++
	}
}

// continues returns the length of a backslash with the line end behind it, blanks between them
// forgiven; 0 if there is none. A backslash at the end of the text is one too.
func continues(text string, i int) int {
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case ' ', '\t', '\r':
		case '\n':
			return k + 1 - i
		default:
			return 0
		}
	}
	return len(text) - i
}
