// Package launchparams reads how a server was started, where that lies beside its results: a
// dump of launch arguments as JSON (`/v1/launch_arguments`, parameters.json), Buildkite's
// .commands, NAME=value files, and scripts or notes that hold the command line itself.
package launchparams

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads all four shapes.
var Format = &reading.Format{
	Name: "launch-parameters",
	Doc: reading.Doc{
		Title:    "launch parameters of a server",
		Tool:     "vLLM, SGLang, llama.cpp, TensorRT-LLM; Buildkite suites",
		Command:  "GET /v1/launch_arguments, a shell script, NAME=value files",
		Versions: "any",
		Files:    "parameters.json, *.commands, serve.sh, params.env",
		Reads: "Every argument as recorded, the model, the engine and tensor × pipeline × data parallel; for the " +
			"runs beside and below the file.",
		Unknown: "What a variable such as $MODEL stood for, and whether the server was really started so.",
	},
	Match:   func(h *reading.Head) bool { return shape(h) != "" },
	MaxSize: 8 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		r := reader{src: src, emit: emit, text: reading.NewText(src.Data)}
		switch shape(src.Head) {
		case "commands", "arguments":
			r.readJSON()
		case "variables":
			r.readVariables()
		default:
			r.readScript()
		}
		return nil
	},
}

// launch are arguments of inference servers that few other files have as keys.
var launch = []string{"tensor_parallel_size", "gpu_memory_utilization", "max_model_len", "max_num_seqs",
	"kv_cache_dtype", "enable_prefix_caching",
	"tp_size", "mem_fraction_static", "chunked_prefill_size", "served_model_name",
	"pipeline_parallel_size", "enforce_eager"}

// servers are the programs whose command lines are read.
var servers = regexp.MustCompile(`(?m)^[^#\n]*\b(vllm\s+serve|vllm\.entrypoints|sglang\.launch_server|` +
	`llama-server|trtllm-serve|vllm\s+bench\s+serve)\b`)

// prose is a line of a log or a text that only mentions a command.
var prose = regexp.MustCompile("(?i)`(?:vllm|sglang|python|llama-server|trtllm)|^\\s*(?:\\x1b\\[[0-9;]*m|\\([^()]*\\)|\\s)*(?:INFO|WARNING|WARN|ERROR|DEBUG)\\b|" +
	"\\byou (?:should|can|may|must)\\b")

var variable = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

// settings are variables that tell a file of launch settings from any other.
var settings = regexp.MustCompile(`(?mi)^(?:export\s+)?(VLLM_\w+|SGLANG_\w+|TENSOR_PARALLEL_SIZE|TP_SIZE|` +
	`GPU_MEMORY_UTILIZATION|MAX_MODEL_LEN|MAX_NUM_SEQS|CUDA_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|NCCL_\w+|HSA_\w+)=`)

func shape(h *reading.Head) string {
	switch h.Kind {
	case '{':
		if h.Keys["server_command"] || h.Has("gpu_type") && (h.Keys["client_command"] || h.Keys["latency_command"] ||
			h.Keys["throughput_command"]) {
			return "commands"
		}
		// Results carry arguments too: what measures is no dump.
		for _, k := range []string{"suite_id", "duration", "general_metrics", "results", "benchmarks",
			"request_throughput", "total_token_throughput",
			"server_info", "report", "scenario", "input_config", "hw", "n_prompt", "aggregated_metrics"} {
			if h.Keys[k] {
				return ""
			}
		}
		n := 0
		for _, k := range launch {
			if h.Keys[k] {
				n++
			}
		}
		if n >= 2 {
			return "arguments"
		}
	case 't':
		text := string(h.Data)
		if strings.HasPrefix(strings.TrimSpace(text), "<") || strings.Contains(text, "\n# ") &&
			strings.Contains(text, "\n| ") {
			return "" // a page that explains a command
		}
		if begins(text) {
			return "script"
		}
		if settings.MatchString(text) && onlyVariables(text) {
			return "variables"
		}
	}
	return ""
}

// begins reports whether the first line that does something starts a server.
func begins(text string) bool {
	if !servers.MatchString(text) || strings.Contains(text, "= Serving Benchmark Result =") { // a log with results
		return false
	}
	for _, line := range strings.Split(text, "\n") {
		l := strings.TrimSpace(line)
		if l == "" || strings.HasPrefix(l, "#") || strings.HasPrefix(l, "set -") || strings.HasPrefix(l, "cd ") ||
			variable.MatchString(l) && !servers.MatchString(l) || strings.HasPrefix(l, "source ") {
			continue
		}
		return !prose.MatchString(l) && servers.MatchString(strings.TrimPrefix(l, "$ ")) ||
			strings.HasPrefix(l, "docker run") || strings.HasPrefix(l, "podman run")
	}
	return false
}

// onlyVariables reports whether a text holds settings and comments and little else: a line that
// is neither is an error of such a file, many are another kind of file.
func onlyVariables(text string) bool {
	good, other := 0, 0
	for _, l := range strings.Split(text, "\n") {
		switch l = strings.TrimSpace(l); {
		case l == "" || strings.HasPrefix(l, "#"):
		case variable.MatchString(l):
			good++
		default:
			other++
		}
	}
	return good > 0 && other*4 <= good
}

type reader struct {
	src  *reading.Source
	emit func(record.Record)
	text *reading.Text
}

func (r reader) at(off int) record.Pos {
	line, col := r.text.Place(off)
	return record.Pos{File: r.src.Path(), Line: line, Col: col}
}

func (r reader) bad(off int, format string, args ...any) {
	r.emit(record.Errorf(r.at(off), format, args...))
}

func (r reader) readJSON() {
	reading.Each(r.src, false, "an object of arguments", func(o *reading.Object) {
		m := o.Self().Map()
		if m["server_command"].Exists() || m["client_command"].Exists() || m["gpu_type"].Exists() {
			r.commands(o, m)
			return
		}
		p := &record.Params{Base: record.Base{At: o.Pos()}, Of: "server"}
		o.Each(func(key string, e reading.Value) {
			if key == "" {
				r.bad(e.Off(), "an argument without a name is left out")
				return
			}
			p.Params = append(p.Params, record.Param{Name: key, Value: e.Compact(reading.Elide{Longer: 256}),
				At: r.at(e.Off())})
		})
		p.Facts = r.facts(p.Params, "")
		r.emit(p)
	}, r.emit)
}

// commands reads Buildkite's {server_command, client_command, gpu_type}.
func (r reader) commands(o *reading.Object, m map[string]reading.Value) {
	for _, key := range []string{"server_command", "client_command", "latency_command", "throughput_command"} {
		e := m[key]
		if !e.Exists() || e.Kind() == reading.KindNull {
			continue
		}
		s, ok := e.Str()
		if !ok {
			r.bad(e.Off(), "%q is %s where a command should stand", key, e.Kind())
			continue
		}
		cmd, problems := cmdline.Parse(s)
		for _, p := range problems {
			r.bad(e.Off(), "%q: %s", key, p.Text)
		}
		of := "client"
		if key == "server_command" {
			of = "server"
		}
		r.command(cmd, s, of, func(int) record.Pos { return r.at(e.Off()) })
	}
	e := m["gpu_type"]
	if !e.Exists() {
		return
	}
	s, ok := e.Str()
	if !ok {
		r.bad(e.Off(), "\"gpu_type\" is %s where a text should stand", e.Kind())
		return
	}
	if lines := strings.Fields(s); len(lines) > 0 { // one line a GPU of the machine, all alike
		for i := range lines {
			lines[i] = lines[0]
		}
		hardware := record.Fact{Key: record.FactHardware, Value: reading.Names(lines), At: r.at(e.Off())}
		r.emit(&record.Facts{Base: record.Base{At: o.Pos(), Facts: []record.Fact{hardware}}})
	}
}

// command emits what a command line says. place gives the position of an offset in it.
func (r reader) command(c *cmdline.Command, text, of string, place func(off int) record.Pos) {
	if c.Program == "" {
		r.emit(record.Errorf(place(0), "no command that starts a server"))
		return
	}
	p := &record.Params{Base: record.Base{At: place(0)}, Of: of,
		Command: strings.TrimSpace(text[:min(c.End, len(text))])}
	flags, again := c.Last()
	for _, a := range again {
		r.emit(record.Errorf(place(a.Off), "%s", a.Text))
	}
	for _, f := range flags {
		p.Params = append(p.Params, record.Param{Name: f.Key(), Value: f.Value, At: place(f.Off)})
	}
	if of == "server" {
		model := ""
		if len(c.Args) > 0 && strings.Contains(c.Program+" "+c.Sub, "vllm") {
			model = c.Args[0].Text
		}
		p.Facts = r.facts(p.Params, model)
		if e := engineOf(c.Program); e != "" {
			p.Facts = append(p.Facts, record.Fact{Key: record.FactEngine, Value: e})
		}
		p.Facts = append(p.Facts, record.Fact{Key: record.FactCommand, Value: p.Command})
	} else {
		p.Facts = append(p.Facts, record.Fact{Key: record.FactClientCommand, Value: p.Command})
	}
	r.emit(p)
	if len(c.Env) > 0 {
		e := &record.Params{Base: record.Base{At: place(0)}, Of: "env"}
		for _, f := range c.Env {
			e.Params = append(e.Params, record.Param{Name: f.Name, Value: f.Value, At: place(f.Off)})
		}
		r.emit(e)
	}
}

func engineOf(program string) string {
	for _, e := range []string{"vllm", "sglang", "llama", "trtllm"} {
		if strings.Contains(program, e) {
			switch e {
			case "llama":
				return "llama.cpp"
			case "trtllm":
				return "TensorRT-LLM"
			}
			return e
		}
	}
	return ""
}

// facts are what launch arguments say of the run: the model, and how many accelerators served.
func (r reader) facts(params []record.Param, model string) []record.Fact {
	value := func(name string) (string, record.Pos) {
		for _, p := range params {
			if p.Name != name || string(p.Value) == "null" {
				continue
			}
			var s string
			if json.Unmarshal(p.Value, &s) != nil {
				s = string(p.Value)
			}
			return s, p.At
		}
		return "", record.Pos{}
	}
	var fs []record.Fact
	at := record.Pos{}
	if model == "" {
		if model, at = value("model"); model == "" {
			model, at = value("model_path")
		}
	}
	if model != "" && !strings.HasPrefix(model, "$") {
		fs = append(fs, record.Fact{Key: record.FactModel, Value: model, At: at})
	}
	if served, pos := value("served_model_name"); served != "" {
		fs = append(fs, record.Fact{Key: record.FactServedName, Value: served, At: pos})
	}
	count, key, err := reading.Accelerators(func(name string) string { s, _ := value(name); return s })
	_, at = value(key)
	switch {
	case err != nil:
		r.emit(record.Errorf(at, "%v", err))
	case count > 0:
		fs = append(fs, record.Fact{Key: record.FactCount, Value: strconv.FormatInt(count, 10), At: at})
	}
	if v, pos := value("vllm_version"); v != "" {
		fs = append(fs, record.Fact{Key: record.FactEngine, Value: "vllm", At: pos},
			record.Fact{Key: record.FactEngineVersion, Value: v, At: pos})
	}
	return fs
}

func (r reader) readVariables() {
	r.variables(r.src.Data, func(off int, line string) {
		if line != "" && !strings.HasPrefix(line, "#") {
			r.bad(off, "no NAME=value: the line is left out") // unquoted: it may be a line of a key
		}
	})
}

// variables emits those that the lines of a text set; other is called for each other line.
func (r reader) variables(text []byte, other func(off int, line string)) {
	p := &record.Params{Of: "env"}
	off := 0
	for line := range strings.Lines(string(text)) {
		l := strings.TrimSpace(line)
		if m := variable.FindStringSubmatch(l); m == nil {
			other(off, l)
		} else {
			param := record.Param{Name: m[1], Value: reading.Quote(strings.Trim(m[2], `"'`)), At: r.at(off)}
			p.Params = append(p.Params, param)
		}
		off += len(line)
	}
	if len(p.Params) > 0 {
		p.At = p.Params[0].At
		r.emit(p)
	}
}

// A script starts a handful of servers with a few pages of arguments. Beyond that it is another
// kind of file, and reading on would cost more than it is worth.
const (
	maxCommands = 64
	maxCommand  = 64 << 10 // bytes
)

func (r reader) readScript() {
	data := r.src.Data
	starts := servers.FindAllIndex(data, maxCommands+1)
	if len(starts) > maxCommands {
		r.bad(starts[maxCommands][0], "more than %d commands in one file: the rest is left out", maxCommands)
		starts = starts[:maxCommands]
	}
	if len(starts) == 0 {
		r.bad(0, "no command that starts a server")
	}
	end := 0
	for i, loc := range starts {
		start := loc[0]
		line, _, _ := bytes.Cut(data[start:], []byte("\n"))
		if start < end || prose.Match(line) { // inside the command before, or no command
			continue
		}
		// A variable set on lines of its own belongs to the environment of the command.
		if i == 0 {
			r.variables(data[:start], func(int, string) {})
		}
		start += len(data[start:]) - len(bytes.TrimPrefix(data[start:], []byte("$ ")))
		text := string(data[start:min(len(data), start+maxCommand)])
		c, problems := cmdline.Parse(text)
		for _, p := range problems {
			r.bad(start+p.Off, "%s", p.Text)
		}
		of := "server"
		if c.Sub == "bench serve" {
			of = "client"
		}
		r.command(c, text, of, func(o int) record.Pos { return r.at(start + o) })
		end = start + max(c.End, 1)
	}
}
