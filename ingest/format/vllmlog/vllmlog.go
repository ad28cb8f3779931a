// Package vllmlog reads what a vLLM server logs of itself when it starts: its version, its arguments and
// the model. The throughputs it logs later are those of whatever was asked of it, no results of a benchmark.
package vllmlog

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads logs of servers.
var Format = &reading.Format{
	Name: "vllm-server-log",
	Doc: reading.Doc{
		Title:    "log of a server",
		Tool:     "vLLM",
		Command:  "vllm serve, python -m vllm.entrypoints.openai.api_server",
		Versions: "0.4 to 0.25",
		Files:    "server.log, *_server.log",
		Reads: "The version, the arguments that are not the default, the model, and tensor × pipeline × data " +
			"parallel; for the runs of that model whose files share the beginning of its name, or lie beside and " +
			"below it.",
		Unknown: "The throughputs a server logs are not those of one load: they are not read.",
	},
	MaxSize: 64 << 20,
	Match: func(h *reading.Head) bool {
		return h.Kind == 't' && (version.Match(h.Data) || engine.Match(h.Data))
	},
	Marks: []string{"vLLM API server version", "LLM engine (v"},
	Read:  read,
}

var (
	version = regexp.MustCompile(`vLLM API server version v?([0-9][\w.+-]*)`)
	engine  = regexp.MustCompile(`Initializing an? (?:V[0-9] )?LLM engine \(v?([0-9][\w.+-]*)\) with config: (.*)`)
	args    = regexp.MustCompile(`(?:non-default args: \{|\bargs: Namespace\()(.*)[})]`)
	named   = regexp.MustCompile(`^'?([A-Za-z_]\w*)'?\s*[:=]\s*(.+)$`)
	// one reads the model and the parts it is divided into out of the line that tells the whole configuration.
	one = regexp.MustCompile(
		`\b(model|tensor_parallel_size|pipeline_parallel_size|data_parallel_size)=('[^']*'|[0-9]+)`)
)

// local are arguments that say where a server listens and not how it serves.
var local = []string{"model_tag", "host", "port", "func", "dispatch_function", "subparser", "config"}

// server is what a log says of one start.
type server struct {
	version, model string
	at             record.Pos
	params         []record.Param
	count          int
}

func read(src *reading.Source, emit func(record.Record)) error {
	var s server
	several := false
	say := func(to *string, value string) {
		several = several || *to != "" && value != "" && *to != value
		if *to == "" {
			*to = value
		}
	}
	n := 0
	for l := range bytes.Lines(src.Data) {
		n++
		line := string(l[:min(len(l), 64<<10)])
		if !strings.Contains(line, "ersion") && !strings.Contains(line, "args: ") &&
			!strings.Contains(line, "LLM engine (v") {
			continue
		}
		at := record.Pos{File: src.Path(), Line: n}
		if m := version.FindStringSubmatch(line); m != nil {
			say(&s.version, m[1])
		}
		switch m := args.FindStringSubmatch(line); {
		case m != nil && s.params == nil:
			s.params = arguments(m[1], at)
		case m == nil && strings.Contains(line, "non-default args: {"):
			emit(record.Errorf(at, "the arguments have no end: the line was cut short, and they are left out"))
		}
		if m := engine.FindStringSubmatch(line); m != nil {
			say(&s.version, m[1])
			model, count := configured(m[2])
			say(&s.model, model)
			several = several || s.count > 0 && count != s.count
			s.count = count
		}
		if s.at.Line == 0 && (s.version != "" || s.params != nil) {
			s.at = at
		}
	}
	switch {
	case several:
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: src.Path(), Line: 1}},
			Reason: "log of several servers: which of them served a result it does not say"})
	case s.version == "":
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: src.Path(), Line: 1}},
			Reason: "log of a server that does not say its version"})
	default:
		emit(s.record())
	}
	return nil
}

// record is what a start says of the runs it served.
func (s *server) record() *record.Params {
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "vllm", s.at)
	facts.Add(record.FactEngineVersion, s.version, s.at)
	facts.Add(record.FactModel, s.model, s.at)
	for _, p := range s.params {
		switch text := strings.Trim(string(p.Value), `"`); p.Name {
		case "model":
			facts.Add(record.FactModel, text, p.At)
		case "served_model_name":
			facts.Add(record.FactServedName, text, p.At)
		}
	}
	params := slices.DeleteFunc(s.params, func(p record.Param) bool { return p.Name == "model" })
	if s.count > 0 {
		facts.Add(record.FactCount, strconv.Itoa(s.count), s.at)
	}
	return &record.Params{Base: record.Base{At: s.at, Facts: facts}, Of: "server", Params: params}
}

// configured reads the model out of an engine's configuration, and how many accelerators it takes, 0 where
// it does not say.
func configured(text string) (model string, count int) {
	seen := map[string]bool{}
	for _, m := range one.FindAllStringSubmatch(text, -1) {
		if seen[m[1]] { // of a draft model
			continue
		}
		seen[m[1]] = true
		if m[1] == "model" {
			model = strings.Trim(m[2], "'")
		} else if n, err := strconv.Atoi(m[2]); err == nil && n > 0 && n < 1<<16 {
			count = max(count, 1) * n
		}
	}
	return model, count
}

// arguments are those of a Python dict or Namespace that are one word, number or truth value; those that
// are objects, and those without a value, are left out.
func arguments(text string, at record.Pos) (out []record.Param) {
	for _, part := range parts(text) {
		m := named.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || slices.Contains(local, m[1]) {
			continue
		}
		value := strings.TrimSpace(m[2])
		var p record.Param
		switch _, err := strconv.ParseFloat(value, 64); {
		case value == "True" || value == "False":
			p.Value = []byte(strings.ToLower(value))
		case err == nil && !strings.ContainsAny(value, "nNxX_"):
			p.Value = reading.Quote(value)
			if v, problem := reading.Parse([]byte(value)); problem == nil && v.Kind() == reading.KindNumber {
				p.Value = []byte(value)
			}
		case len(value) > 1 && (value[0] == '\'' || value[0] == '"') && value[len(value)-1] == value[0]:
			p.Value = reading.Quote(reading.Clip(value[1 : len(value)-1]))
		default:
			continue
		}
		p.Name, p.At = m[1], at
		out = append(out, p)
	}
	return out
}

// parts cuts a text at the commas outside of brackets and quotes.
func parts(text string) (out []string) {
	depth, from := 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		case c == ',' && depth <= 0:
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}
