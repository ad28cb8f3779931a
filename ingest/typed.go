package ingest

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
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
	measured bool
}

// typed adds to printed results the command of their client where their text shows it above them, whole and on a line of
// its own. In a Markdown text it stands behind a prompt or in a block of code, in the same section or in the one above,
// and of several above a result nobody knows which it is. A command that contradicts a result is of another one.
func typed(src *reading.Source, clients []string, records []record.Record) {
	var results []*record.Result
	for _, r := range records {
		if res, ok := r.(*record.Result); ok && res.At.File == src.Path() {
			results = append(results, res)
		}
	}
	if !slices.ContainsFunc(clients, func(c string) bool { return bytes.Contains(src.Data, []byte(c)) }) {
		return
	}
	slices.SortStableFunc(results, func(a, b *record.Result) int { return a.At.Line - b.At.Line })
	prose := markdown.MatchString(src.Path())
	last, level, n, off, fenced := &command{}, 0, 0, 0, false
	to := 0 // the line in which a command ends
	for l := range bytes.Lines(src.Data) {
		n++
		for ; len(results) > 0 && results[0].At.Line <= n; results = results[1:] {
			last.give(results[0])
		}
		if len(results) == 0 {
			return
		}
		text := src.Data[off:]
		off += len(l)
		if prose {
			h := len(l) - len(bytes.TrimLeft(l, "#"))
			switch {
			case bytes.HasPrefix(l, []byte("```")):
				fenced = !fenced
			case !fenced && h > 0 && bytes.HasPrefix(l[h:], []byte(" ")):
				last.headings++
				if level = h; level < last.level || last.headings > 1 {
					last = &command{}
				}
			}
		}
		for _, client := range clients {
			if n <= to || !begins(l, client, prose && !fenced) {
				continue
			}
			whole := extent(text)
			to = n + bytes.Count(whole, []byte{'\n'}) - 1
			c := parsed(string(whole), client)
			if c == nil {
				continue
			}
			c.at, c.level = record.Pos{File: src.Path(), Line: n}, level
			if prose && !last.measured && last.at.Line > 0 && last.text != c.text {
				c.text = ""
			}
			last = c
		}
	}
}

// begins reports whether a line is the first one of a command of a client. In prose that stands behind a prompt.
func begins(line []byte, client string, prose bool) bool {
	at := bytes.Index(line, []byte(client))
	if at < 0 {
		return false
	}
	begin := len(prompt.Find(line))
	return at >= begin && !(prose && len(bytes.TrimSpace(line[:begin])) == 0) && launch.Match(line[begin:at]) &&
		called.Match(line[at+len(client):])
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

// give adds the command to a result, unless they contradict one another.
func (c *command) give(res *record.Result) {
	c.measured = true
	if c.text == "" {
		return
	}
	model, same := res.Identity.Model, false
	names := 0
	for _, f := range c.flags {
		n, err := strconv.ParseFloat(string(f.Value), 64)
		number := err == nil
		switch l := &res.Load; f.Key() {
		case "model", "served_model_name":
			var name string
			_ = json.Unmarshal(f.Value, &name) // "" for a list
			names++
			same = same || strings.EqualFold(path.Base(name), path.Base(model))
		case "num_prompts", "num_prompt":
			sent := 0.0
			for _, count := range []*int64{res.Completed, res.Failed} {
				if count != nil {
					sent += float64(*count)
				}
			}
			if number && sent > n {
				return
			}
		case "request_rate":
			if number && l.Rate != nil && float64(*l.Rate) != n {
				return
			}
		case "max_concurrency", "concurrency":
			if number && l.MaxConcurrency != nil && float64(*l.MaxConcurrency) != n {
				return
			}
		}
	}
	if model != "" && names > 0 && !same {
		return
	}
	facts := reading.Facts(slices.Clip(res.Facts))
	facts.Add(record.FactClientCommand, c.text, c.at)
	res.Facts = facts
}
