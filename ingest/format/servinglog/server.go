package servinglog

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// server is what the command above a result says of the server that it started.
type server struct {
	line          int
	engine, model string // no model is known of several commands above one result, nor of one with variables
	// flags are all that have one value, so that results of servers that were started otherwise are no repetitions.
	flags    []record.KV
	measured bool // a result stands below it
	level    int  // of the heading above it
}

var starts = regexp.MustCompile(`\b(?:(?:vllm|sglang) serve|(?:vllm\.entrypoints\.openai\.api|sglang\.launch)_server)\s`)

// longestCommand is how many bytes a command may have.
const longestCommand = 16 << 10

// serve reads a command that starts a server, which begins in the n-th line, the first of a log. It returns the line in
// which the command ends, 0 where there is none.
func (r *reader) serve(log, first []byte, n int) (last int) {
	at := starts.FindIndex(first)
	if at == nil {
		return 0
	}
	text, _, _ := strings.Cut(string(log[at[0]:min(len(log), at[0]+longestCommand)]), "`") // of code in a Markdown text
	c, problems := cmdline.Parse(text)
	flags, _ := c.Last()
	if len(flags) == 0 { // a sentence
		return 0
	}
	s := &server{line: n, level: r.level}
	s.engine, _, _ = strings.Cut(c.Program, ".")
	for _, f := range flags {
		if len(f.Name) == 1 || f.Value[0] == '[' { // of no server: another command follows in the same line
			continue
		}
		s.flags = append(s.flags, record.KV{Key: f.Key(), Value: reading.Clip(strings.Trim(string(f.Value), `"`))})
	}
	s.model = s.flag("model") + s.flag("model_path")
	if s.model == "" && s.engine == "vllm" && len(c.Args) > 0 {
		s.model = c.Args[0].Text
	}
	old := r.server
	if len(problems) > 0 || strings.ContainsAny(s.model, "$<{") ||
		old != nil && !old.measured && (old.model != s.model || !slices.Equal(old.flags, s.flags)) {
		s.model = ""
	}
	r.server = s
	return n + strings.Count(strings.TrimSpace(text[:min(c.End, len(text))]), "\n")
}

// heading ends what a server's command is said of where a line begins another part of a Markdown text.
func (r *reader) heading(line string) {
	if strings.HasPrefix(line, "```") {
		r.fenced = !r.fenced
	}
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if r.fenced || level == 0 || !strings.HasPrefix(line[level:], " ") {
		return
	}
	if r.level = level; r.server != nil && level <= r.server.level {
		r.server = nil
	}
}

// flag is the value of a flag, "" where the command has none.
func (s *server) flag(name string) string {
	for _, f := range s.flags {
		if f.Key == name {
			return f.Value
		}
	}
	return ""
}

// served adds to a result what the command above it says of its server, unless the client asked for another model or
// speaks what that server does not.
func (r *reader) served(res *record.Result, facts *reading.Facts) {
	s := r.server
	if s == nil {
		return
	}
	s.measured = true
	model, backend := res.Identity.Model, r.args["backend"].Value
	if s.model == "" || model != "" && path.Base(model) != path.Base(s.model) && model != s.flag("served_model_name") ||
		backend == "sglang" && s.engine != backend {
		return
	}
	at := record.Pos{File: r.file, Line: s.line}
	if model == "" {
		res.Identity.Model = reading.Clip(s.model)
		facts.Add(record.FactModel, s.model, at)
	}
	facts.Add(record.FactEngine, s.engine, at)
	if n, _, err := reading.Accelerators(s.flag); err == nil && n > 0 {
		facts.Add(record.FactCount, strconv.FormatInt(n, 10), at)
	}
	res.Setup = append(res.Setup, s.flags...)
}
