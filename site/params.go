package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// paramGroup says how a recorded launch argument stands to its default.
type paramGroup int

// The groups, in the order of the page.
const (
	paramDiffers    paramGroup = iota // the value differs from the version's default
	paramUnknown                      // the default of that version is not known
	paramNull                         // recorded as null: the engine chose
	paramDefault                      // equal to the default
	paramForeign                      // unknown to that version, or of the wrapper or the benchmark
	paramGroupCount int        = iota
)

type param struct {
	name  string
	value catalog.Parameter
	// deflt is the version's default as text, where it is known.
	deflt string
	owner string
	group paramGroup
}

// paramsOf sorts a run's launch arguments by how they stand to the defaults of its engine.
func (g *generator) paramsOf(r *figure.Run) [paramGroupCount][]param {
	var out [paramGroupCount][]param
	n := g.ix.Names
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		v := r.Parameters[name]
		p := param{name: name, value: v}
		if strings.Contains(r.Attr("wrapper"), "happy_vllm") || r.Identity.Tool == "benchmark_llm_serving" {
			// A dump of happy_vllm holds its own settings and the benchmark's beside vLLM's.
			p.owner = n.Owner(name)
		}
		value, state := n.Default(r.Engine.Name, r.Engine.Version, name)
		if state == settings.DefaultKnown {
			p.deflt = defaultText(value)
		}
		isNull := string(v.Value) == "null" || v.Text && (jsonText(v.Value) == "None" || jsonText(v.Value) == `""`)
		switch {
		case v.Redacted:
			p.group = paramForeign
			p.owner = "redacted"
		case isNull:
			p.group = paramNull
		case p.owner != "":
			p.group = paramForeign
		case state == settings.ParamUnknownToVersion:
			p.group = paramForeign
			p.owner = "not an argument of this version"
		case state == settings.DefaultUnknown:
			p.group = paramUnknown
		case sameValue(v, value):
			p.group = paramDefault
		default:
			p.group = paramDiffers
		}
		out[p.group] = append(out[p.group], p)
	}
	return out
}

// defaultText is a default as it is shown; null means that the engine decides.
func defaultText(v json.RawMessage) string {
	if string(v) == "null" {
		return "chosen by the engine"
	}
	return jsonText(v)
}

// sameValue compares a recorded value with a default. The text of a published page is compared
// with what Python prints for the value.
func sameValue(p catalog.Parameter, deflt json.RawMessage) bool {
	if p.Text {
		return jsonText(p.Value) == pythonText(deflt)
	}
	var a, b any
	if json.Unmarshal(p.Value, &a) != nil || json.Unmarshal(deflt, &b) != nil {
		return bytes.Equal(p.Value, deflt)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// pythonText is what Python's str prints for a JSON value.
func pythonText(v json.RawMessage) string {
	switch s := string(v); s {
	case "null":
		return "None"
	case "true":
		return "True"
	case "false":
		return "False"
	}
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		var ws []string
		for _, e := range list {
			w := pythonText(e)
			if len(e) > 0 && e[0] == '"' {
				w = "'" + w + "'"
			}
			ws = append(ws, w)
		}
		return "[" + strings.Join(ws, ", ") + "]"
	}
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// parameters lists the launch arguments, those that differ from the default first. On a card
// only those are shown, with a link to the rest.
func (d *draft) parameters(r *figure.Run, all bool) {
	if len(r.Parameters) == 0 && len(r.Client) == 0 && len(r.Env) == 0 {
		return
	}
	gs := d.g.paramsOf(r)
	e, versioned := engineText(r.Engine)
	var blocks []Block
	if len(r.Parameters) > 0 {
		intro := plural(len(r.Parameters), "argument is recorded", "arguments are recorded")
		if n := len(gs[paramDiffers]); n > 0 || len(gs[paramDefault]) > 0 {
			intro += ", " + itoa(n) + " known to differ from the default of " + e + "."
		} else if versioned {
			intro += "; the defaults of " + e + " are not known here, so none is said to differ."
		} else {
			intro += "; the version of the engine is not recorded, so none is said to differ from a default."
		}
		if len(gs[paramNull]) > 0 {
			intro += " A recorded null means that the engine chose the value."
		}
		blocks = append(blocks, paragraph(intro))
	}
	if ps := gs[paramDiffers]; len(ps) > 0 {
		blocks = append(blocks, d.table("params-differ", func() *table {
			t := &table{caption: "Arguments that differ from the default", columns: []column{{title: "Argument"}, {title: "Recorded"}, {title: "Default of " + e}, {title: "Source"}}}
			for _, p := range ps {
				t.rows = append(t.rows, row{id: "arg-" + catalog.Slug(p.name), cells: []cell{{text: p.name, code: true, head: true}, paramCell(p), {text: p.deflt, code: true, class: "mut"}, d.sourceCell(r, p.value.At)}})
			}
			return t
		}))
	}
	list := func(name, summary string, ps []param, note string) {
		if len(ps) == 0 {
			return
		}
		blocks = append(blocks, Block{Details: d.details("params-"+name, summary, func() *table {
			t := &table{caption: summary, class: "compact fit", columns: []column{{title: "Argument"}, {title: "Recorded"}}}
			if note != "" {
				t.columns = append(t.columns, column{title: note})
			}
			t.columns = append(t.columns, column{title: "Source"})
			for _, p := range ps {
				rw := row{cells: []cell{{text: p.name, code: true, head: true}, paramCell(p)}}
				if note != "" {
					rw.cells = append(rw.cells, cell{text: p.owner})
				}
				rw.cells = append(rw.cells, d.sourceCell(r, p.value.At))
				t.rows = append(t.rows, rw)
			}
			return t
		})})
	}
	if all {
		list("unknown", plural(len(gs[paramUnknown]), "argument whose default is not known", "arguments whose default is not known"), gs[paramUnknown], "")
		list("null", plural(len(gs[paramNull]), "argument recorded as null", "arguments recorded as null"), gs[paramNull], "")
		list("default", plural(len(gs[paramDefault]), "argument equal to the default", "arguments equal to the default"), gs[paramDefault], "")
		list("foreign", plural(len(gs[paramForeign]), "argument that is redacted or not the engine's own", "arguments that are redacted or not the engine's own"), gs[paramForeign], "Belongs to")
		if known := d.g.ix.Names.Arguments(r.Engine.Name, r.Engine.Version); len(known) > 0 {
			var absent []param
			for _, name := range known {
				if _, ok := r.Parameters[name]; ok {
					continue
				}
				value, _ := d.g.ix.Names.Default(r.Engine.Name, r.Engine.Version, name)
				absent = append(absent, param{name: name, value: catalog.Parameter{Value: json.RawMessage("null")}, deflt: defaultText(value)})
			}
			if len(absent) > 0 {
				summary := plural(len(absent), "argument that "+e+" knows and nothing recorded", "arguments that "+e+" knows and nothing recorded")
				blocks = append(blocks, Block{Details: d.details("params-absent", summary, func() *table {
					t := &table{caption: summary, class: "compact fit", columns: []column{{title: "Argument"}, {title: "Default of " + e}}}
					for _, p := range absent {
						t.rows = append(t.rows, row{cells: []cell{{text: p.name, code: true, head: true}, {text: p.deflt, code: true, class: "mut"}}})
					}
					return t
				})})
			}
		}
		list("client", plural(len(r.Client), "setting of the measuring client", "settings of the measuring client"), plainParams(r.Client), "")
		list("env", plural(len(r.Env), "environment variable", "environment variables"), plainParams(r.Env), "")
	} else {
		blocks = append(blocks, Block{Text: []Part{{Text: "All parameters", Href: d.place.page(pathRun(r.ID), "parameters")}}})
	}
	d.section("parameters", "Parameters", blocks...)
}

func plainParams(m map[string]catalog.Parameter) []param {
	var ps []param
	for _, k := range slices.Sorted(maps.Keys(m)) {
		ps = append(ps, param{name: k, value: m[k]})
	}
	return ps
}

func paramCell(p param) cell {
	if p.value.Redacted {
		return cell{text: "redacted", class: "na"}
	}
	if p.value.Text && jsonText(p.value.Value) == "None" {
		return cell{text: "null", exact: "written as None on the published page", code: true}
	}
	return cell{text: clip(jsonText(p.value.Value), 600), code: true, class: "wrap-any"}
}

// reproduce is the server's and the client's command from what was recorded, and what is
// missing.
func (d *draft) reproduce(r *figure.Run) {
	var lines []CodeLine
	var unknown []string
	model := r.Attr("model")
	if model == "" {
		model = r.Identity.Model
	}
	if r.Model.Known && strings.Contains(r.Model.ID, "/") {
		model = r.Model.ID
	}
	for _, k := range slices.Sorted(maps.Keys(r.Env)) {
		if !r.Env[k].Redacted && !strings.Contains(r.Attr("command"), k+"=") {
			lines = append(lines, CodeLine{Text: k + "=" + shellQuote(jsonText(r.Env[k].Value)) + " \\"})
		}
	}
	switch cmd := r.Attr("command"); {
	case cmd != "":
		lines = append([]CodeLine{{Text: "server: as recorded", Comment: true}}, lines...)
		for _, l := range strings.Split(strings.TrimSpace(cmd), "\n") {
			lines = append(lines, CodeLine{Text: l})
		}
	case len(r.Parameters) > 0 && r.Engine.Name != "":
		gs := d.g.paramsOf(r)
		var args []string
		use := append(slices.Clone(gs[paramDiffers]), gs[paramUnknown]...)
		slices.SortFunc(use, func(a, b param) int { return strings.Compare(a.name, b.name) })
		for _, p := range use {
			if a := argument(p); a != "" {
				args = append(args, a)
			}
		}
		lines = append([]CodeLine{{Text: "server: from the recorded arguments that are not known to be the default", Comment: true}}, lines...)
		lines = append(lines, CodeLine{Text: serveCommand(r, model) + continuation(len(args) > 0)})
		for i, a := range args {
			lines = append(lines, CodeLine{Text: "  " + a + continuation(i < len(args)-1)})
		}
	default:
		unknown = append(unknown, "the server's command and launch arguments")
	}
	switch cmd := r.Attr("client_command"); {
	case cmd != "":
		lines = append(lines, CodeLine{}, CodeLine{Text: "load: as recorded", Comment: true})
		for _, l := range strings.Split(strings.TrimSpace(cmd), "\n") {
			lines = append(lines, CodeLine{Text: l})
		}
	default:
		if c := clientCommand(r, model); c != nil {
			if len(lines) > 0 {
				lines = append(lines, CodeLine{})
			}
			lines = append(lines, c...)
		} else {
			unknown = append(unknown, "the client's command")
		}
	}
	if _, versioned := engineText(r.Engine); !versioned {
		unknown = append(unknown, "the engine's version")
	}
	for _, k := range []struct{ key, words string }{{"image", "the container image"}, {"engine_commit", "the engine's commit"}, {"driver", "the driver"}, {"tool_version", "the version of the measuring tool"}} {
		if r.Attr(k.key) == "" {
			unknown = append(unknown, k.words)
		}
	}
	if r.Hardware.CountAssumed {
		unknown = append(unknown, "the number of accelerators")
	}
	var blocks []Block
	if len(lines) > 0 {
		blocks = append(blocks, Block{Code: lines})
	}
	if len(unknown) > 0 {
		blocks = append(blocks, paragraph("Not recorded: "+enumerate(unknown)+"."))
	}
	d.section("reproduce", "Reproduce", blocks...)
}

func continuation(more bool) string {
	if more {
		return " \\"
	}
	return ""
}

// serveCommand begins the command that starts the engine.
func serveCommand(r *figure.Run, model string) string {
	switch r.Engine.ID {
	case "vllm":
		if strings.HasPrefix(r.Attr("wrapper"), "happy_vllm") {
			return "happy-vllm --model " + shellQuote(model)
		}
		return "vllm serve " + shellQuote(model)
	case "sglang":
		return "python -m sglang.launch_server --model-path " + shellQuote(model)
	}
	return r.Engine.Name + " --model " + shellQuote(model)
}

// argument writes a parameter as a flag: true alone, false as --no-x, lists in words.
func argument(p param) string {
	if p.name == "model" || p.name == "model_name" || p.value.Redacted {
		return ""
	}
	flag := "--" + strings.ReplaceAll(p.name, "_", "-")
	s := jsonText(p.value.Value)
	if p.value.Text {
		switch s {
		case "True":
			return flag
		case "False":
			return "--no-" + strings.ReplaceAll(p.name, "_", "-")
		}
		return flag + " " + shellQuote(s)
	}
	switch string(p.value.Value) {
	case "true":
		return flag
	case "false":
		return "--no-" + strings.ReplaceAll(p.name, "_", "-")
	}
	var list []json.RawMessage
	if json.Unmarshal(p.value.Value, &list) == nil {
		var ws []string
		for _, e := range list {
			ws = append(ws, shellQuote(jsonText(e)))
		}
		return flag + " " + strings.Join(ws, " ")
	}
	return flag + " " + shellQuote(s)
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// clientCommand is the measuring client's command as far as the points say how they were made;
// nil for tools whose command is not known.
func clientCommand(r *figure.Run, model string) []CodeLine {
	switch r.Identity.Tool {
	case suiteTool:
		return []CodeLine{{Text: "load: the whole suite; limits of duration and of queries are not recorded", Comment: true},
			{Text: "bench-suite --model-name " + shellQuote(model)}}
	case "vllm-bench-serve", "bench-and-report":
	default:
		return nil
	}
	if len(r.Scenarios) == 0 {
		return nil
	}
	s := r.Scenarios[0]
	for _, t := range r.Scenarios {
		if len(t.Points) > len(s.Points) {
			s = t
		}
	}
	w := s.Workload
	args := []string{"vllm bench serve --model " + shellQuote(model)}
	if w.Dataset != "" {
		args = append(args, "--dataset-name "+shellQuote(w.Dataset))
	}
	in, out, actual := s.Lengths()
	if in > 0 && out > 0 {
		args = append(args, "--random-input-len "+countPlain(in)+" --random-output-len "+countPlain(out))
	}
	if w.IgnoreEOS != nil && *w.IgnoreEOS {
		args = append(args, "--ignore-eos")
	}
	p := s.Points[0]
	if p.Load.Rate != nil {
		args = append(args, "--request-rate "+rowLoad(float64(*p.Load.Rate)))
	}
	if p.Load.MaxConcurrency != nil {
		args = append(args, "--max-concurrency "+itoa(*p.Load.MaxConcurrency))
	}
	if n := p.Workload.NumPrompts; n != nil {
		args = append(args, "--num-prompts "+itoa(*n))
	}
	note := "load: the first of " + plural(len(r.Points), "point", "points") + ", rebuilt from what its record says"
	if actual {
		note += "; lengths are the mean ones served"
	}
	lines := []CodeLine{{Text: note, Comment: true}}
	for i, a := range args {
		if i > 0 {
			a = "  " + a
		}
		lines = append(lines, CodeLine{Text: a + continuation(i < len(args)-1)})
	}
	return lines
}

func countPlain(v float64) string { return strings.ReplaceAll(countText(v), "\u202f", "") }

// issueAddress is a prefilled issue about a run where the repository is set and is a web
// address; "" otherwise.
func (g *generator) issueAddress(r *figure.Run) string {
	base := webAddress(g.conf.Repository)
	if base == "" {
		return ""
	}
	q := url.Values{"title": {"wrong number in run " + r.ID}, "body": {"Run: " + r.ID + "\nCard: " + r.Card.Slug + "\nValue and anchor: \n"}}
	return strings.TrimSuffix(base, "/") + "/issues/new?" + q.Encode()
}
