package ingest

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	// prompt is what a terminal or "set -x" prints before a command.
	prompt = regexp.MustCompile(`^[ \t]*(?:(?:\(\S+\) ?)?(?:\[?\w[\w.-]*@\S[^$#]*[$#]|(?:\S+ )?[$❯]|\++)[ \t]+)?`)
	// launch is what of a command may stand before its program: variables, a program that starts others, a directory.
	launch = regexp.MustCompile(`^(?:\w+=\S*[ \t]+)*(?:(?:env|sudo|nohup|time|exec|stdbuf|uvx|uv|poetry|pipx|python[0-9.]*|` +
		`docker|podman|kubectl|srun|numactl|taskset|timeout|mpirun)[ \t]+(?:.*[ \t])?)?(?:[^\s'"=]*[/.])?$`)
	// called is how the name of a program ends.
	called  = regexp.MustCompile(`^(?:\.py|[=@]\S+)?(?:[ \t\r]|$)`)
	letters = regexp.MustCompile(`^\pL+$`)
	// open are places in a command that its reader is to fill in.
	open = regexp.MustCompile(`\$[\w{(]|<\w|\.\.\.|…`)
)

// subcommands may stand in a command of a client without a dash.
var subcommands = []string{"benchmark", "latency", "perf", "profile", "run", "throughput"}

// longestCommand is how many bytes of a text a command may have.
const longestCommand = 16 << 10

// command is one of a client that a text shows.
type command struct {
	text     string // "" where nobody knows which of several it is
	flags    []cmdline.Flag
	at       record.Pos
	level    int // of the heading above it
	headings int // below it
	rows     int // the last line of its first result or of the rows behind it, 0 before there is one
}

// typed adds to printed results the command of their client where their text shows it above them, whole and on a line of
// its own. In a Markdown text it stands behind a prompt or in a block of code, in the same section or in the one above,
// and of several above a result nobody knows which it is. A command that contradicts a result is of another one.
func typed(src *reading.Source, clients []string, records []record.Record) {
	data, shown := src.Data, false
	for _, c := range clients {
		shown = shown || bytes.Contains(data, []byte(c))
	}
	if !shown {
		return
	}
	var results []record.Record
	for _, r := range records {
		if _, ok := r.(*record.Result); ok && r.Pos().File == src.Path() {
			results = append(results, r)
		}
	}
	order.Stable(results, func(a, b record.Record) int { return a.Pos().Line - b.Pos().Line })
	prose, fenced := markdown.MatchString(src.Path()), false
	last, level := &command{}, 0
	to := 0 // the line in which a command ends
	for n := 1; len(data) > 0; n++ {
		for ; len(results) > 0 && results[0].Pos().Line <= n; results = results[1:] {
			last.give(results[0].(*record.Result))
		}
		if len(results) == 0 {
			return
		}
		line, below, _ := bytes.Cut(data, []byte{'\n'})
		if prose {
			h := len(line) - len(bytes.TrimLeft(line, "#"))
			switch {
			case bytes.HasPrefix(line, []byte("```")):
				fenced = !fenced
			case !fenced && h > 0 && bytes.HasPrefix(line[h:], []byte(" ")):
				last.headings++
				if level = h; level < last.level || last.headings > 1 {
					last = &command{}
				}
			}
		}
		for _, client := range clients {
			if n <= to || !begins(line, client, prose && !fenced) {
				continue
			}
			whole := extent(data)
			to = n + bytes.Count(whole, []byte{'\n'}) - 1
			c := parsed(string(whole), client)
			if c == nil {
				continue
			}
			c.at, c.level = record.Pos{File: src.Path(), Line: n}, level
			if prose && last.rows == 0 && last.at.Line > 0 && last.text != c.text {
				c.text = ""
			}
			last = c
		}
		data = below
	}
}

// begins reports whether a line is the first one of a command of a client. In prose that stands behind a prompt.
func begins(line []byte, client string, prose bool) bool {
	at := bytes.Index(line, []byte(client))
	if at < 0 || len(line) > longestCommand {
		return false
	}
	text := string(line)
	begin := len(prompt.FindString(text))
	return at >= begin && !(prose && strings.TrimSpace(text[:begin]) == "") && launch.MatchString(text[begin:at]) &&
		called.MatchString(text[at+len(client):])
}

// extent are the lines of the command that a text begins with: one goes on below a backslash, or where the next begins with a
// flag.
func extent(text []byte) []byte {
	end := 0
	for end < min(longestCommand, len(text)) {
		l, rest, _ := bytes.Cut(text[end:], []byte{'\n'})
		end = len(text) - len(rest)
		if !bytes.HasSuffix(bytes.TrimSpace(l), []byte{'\\'}) && !bytes.HasPrefix(bytes.TrimSpace(rest[:min(64, len(rest))]), []byte{'-'}) {
			break
		}
	}
	return text[:end]
}

// parsed is the command of a client in its lines; nil where they are a sentence or have places to fill in.
func parsed(text, client string) *command {
	text, _, _ = strings.Cut(text, "`") // the end of a block of code
	begin, at := len(prompt.FindString(text)), strings.Index(text, client)
	if at < 0 {
		return nil
	}
	c, problems := cmdline.Parse(text[at:])
	for _, w := range c.Args {
		if letters.MatchString(w.Text) && !slices.Contains(subcommands, w.Text) && !strings.Contains(client, w.Text) {
			return nil // a sentence
		}
	}
	whole := strings.TrimSpace(text[begin:min(at+c.End, len(text))])
	if len(problems) > 0 || len(c.Flags) == 0 || open.MatchString(whole) {
		return nil
	}
	return &command{text: whole, flags: c.Flags}
}

// give adds the command to its first result and to the rows that follow it closely, unless they contradict one another:
// what is printed further below may be of a command that the text does not show.
func (c *command) give(res *record.Result) {
	const close = 3 // lines
	if c.rows > 0 && res.At.Line > c.rows+close {
		return
	}
	if c.rows = res.At.Line; c.text == "" {
		return
	}
	var said struct{ model, other bool } // it names a model: that of the result, or another one
	for _, f := range c.flags {
		value := strings.Trim(string(f.Value), `"`)
		number, err := strconv.ParseFloat(value, 64)
		is := number
		switch l := &res.Load; f.Key() {
		case "model", "served_model_name":
			if strings.EqualFold(path.Base(value), path.Base(res.Identity.Model)) {
				said.model = true
			}
			said.other = res.Identity.Model != ""
		case "num_prompts", "num_prompt":
			sent := 0.0
			for _, count := range []*int64{res.Completed, res.Failed} {
				if count != nil {
					sent += float64(*count)
				}
			}
			is = max(sent, number) // fewer may have been answered
		case "request_rate":
			if l.Rate != nil {
				is = float64(*l.Rate)
			}
		case "max_concurrency", "concurrency", "num_clients":
			if l.MaxConcurrency != nil {
				is = float64(*l.MaxConcurrency)
			}
		}
		if err == nil && is != number {
			return
		}
	}
	if said.other && !said.model {
		return
	}
	facts := reading.Facts(slices.Clip(res.Facts))
	facts.Add(record.FactClientCommand, c.text, c.at)
	res.Facts = facts
}
