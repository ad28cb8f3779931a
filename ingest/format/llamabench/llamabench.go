// Package llamabench reads the output of llama.cpp's llama-bench in its five forms: a JSON
// array, JSON lines, CSV, SQL and the Markdown table, each alone or inside a log.
//
// Every form becomes rows of named cells, and one function gives them their meaning. The machine
// forms state each setting; the Markdown table states only those that somebody chose, so a run
// read from it has fewer of them: what is not stated is not filled in.
package llamabench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/llamacpp"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// tool is the family of the tool in record.Identity.
const tool = "llama-bench"

// Format reads results of llama-bench.
var Format = &reading.Format{
	Name: "llama-bench",
	Doc: reading.Doc{
		Title:    "llama.cpp benchmark of one sequence",
		Tool:     "llama.cpp",
		Command:  "llama-bench -o json, jsonl, csv, sql or md",
		Versions: "builds of 2023 to 9927",
		Files:    "results.jsonl, llama-bench.csv, bench.log",
		Reads: "Each test with its prefill or decode speed, deviation and number of repetitions, the build, " +
			"processor, accelerators and model; tests whose settings differ are different runs.",
		Unknown: "Latencies and their distribution are not measured; a Markdown table has no date and names its " +
			"accelerator only in the log around it.",
	},
	Match:   func(h *reading.Head) bool { return shape(h) != "" },
	Marks:   []string{" t/s |"},
	Damaged: damaged,
	Clients: []string{"llama-bench"},
	Read:    read,
}

var (
	jsonStart = regexp.MustCompile(`(?m)^[ \t]*(?:\[\s*)?(\{\s*"build_commit"\s*:)`)
	sqlStart  = regexp.MustCompile(`INSERT INTO (?:test|llama_bench) \(\s*build_commit\b`)
	csvHeader = regexp.MustCompile(`(?m)^"?build_commit"?,"?build_number\b.*avg_ts`)
	mdHeader  = regexp.MustCompile(`(?m)^[ \t]*\|[ \t]*model[ \t]+\|.*\|[ \t]*test[ \t]*\|[ \t]*t/s[ \t]*\|`)
)

// headless is a row of the Markdown table behind no head: the size and the parameters of a model, a test and its speed.
var headless = regexp.MustCompile(`(?m)^[ \t]*\|[^|\n]*\|[ \t]*[0-9.]+ [KMGT]iB[ \t]*\|[ \t]*[0-9.]+ [KMBT][ \t]*\|` +
	`[^\n]*\|[ \t]*(?:pp|tg)[0-9]+[^|\n]*\|[ \t]*[0-9.,]+(?: ± [0-9.,]+)?[ \t]*\|[ \t]*\r?$`)

// damaged says of a text with rows of the table that it has no head to read them by.
func damaged(h *reading.Head) *record.SyntaxError {
	if !bytes.Contains(h.Data, []byte("iB")) { // most texts have no sizes: the search takes longer
		return nil
	}
	row := headless.FindIndex(h.Data)
	if row == nil || shape(h) != "" || mdHeader.Match(h.Data) {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + bytes.Count(h.Data[:row[0]], []byte{'\n'})},
		"rows of llama-bench without the head of their table, \"| model | size | params | ... | test | t/s |\": which column is "+
			"which is not known, and none is read: put the head back as the tool printed it")
}

// shape names the form of a file: "json", "json-log", "sql", "csv" or "md", "" for none. A log
// may hold a test in two forms, one from each output of the tool: the one that says more counts.
// A text with code blocks in several forms explains the tool and is no result.
func shape(h *reading.Head) string {
	switch h.Kind {
	case '{', '[':
		if h.Has("build_commit", "n_prompt", "n_gen") && (h.Keys["avg_ts"] || h.Keys["avg_ns"]) {
			return "json"
		}
		for k := range h.Nested { // a script keeps the test beside what it measured itself
			if inner, ok := strings.CutSuffix(k, ".build_commit"); ok &&
				h.HasNested(inner+".n_prompt", inner+".n_gen") {
				return "json"
			}
		}
		if len(h.Keys) > 0 {
			return ""
		}
	case 't':
	default:
		return ""
	}
	var found []string
	if jsonStart.Match(h.Data) && bytes.Contains(h.Data, []byte(`"n_prompt"`)) {
		found = append(found, "json-log")
	}
	if sqlStart.Match(h.Data) {
		found = append(found, "sql")
	}
	if csvHeader.Match(h.Data) {
		found = append(found, "csv")
	}
	if mdHeader.Match(h.Data) {
		found = append(found, "md")
	}
	if len(found) == 0 || len(found) > 1 && bytes.Contains(h.Data, []byte("```")) {
		return ""
	}
	return found[0]
}

// cell is one named value of a row. A cell of JSON has its value, others have their text only.
type cell struct {
	key  string
	text string
	json reading.Value
	at   record.Pos
}

// row is one test as written.
type row struct {
	at    record.Pos
	cells []cell
	raw   json.RawMessage // nil: made of the cells
	// behind is the index of the first cell behind the settings: results and unknown columns.
	behind int
	facts  []record.Fact // what the text around the row states
	on     string        // the accelerators that it names: tests on others are of another run
	setup  []record.KV
	// values and unmapped are what a script that kept the test measured beside it.
	values   []record.Value
	unmapped []string
}

type reader struct {
	sessions.Batch
	src  *reading.Source
	text *reading.Text
	on   map[*record.Result]string // as in row
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{src: src, text: reading.NewText(src.Data), on: map[*record.Result]string{}}
	switch shape(src.Head) {
	case "json":
		r.text.Values(0, len(src.Data), true, r.object, r.syntax)
	case "json-log":
		r.log()
	case "sql":
		r.sql()
	case "csv":
		r.csv()
	case "md":
		r.markdown()
	}
	// A file of several tests is a container of its own; files of one test are joined by their
	// directory.
	container := src.Path()
	if r.Results == 1 && container != "-" {
		container = reading.Dir(container)
	}
	r.Emit(func(res *record.Result) string { return sessions.Key(tool, container+r.on[res], res) }, func(res *record.Result) {
		if p := sessions.Params(res, func(key string) bool { return !slices.Contains(described, key) }); p != nil {
			emit(p)
		}
	}, emit)
	return nil
}

func (r *reader) place(off int) record.Pos {
	line, col := r.text.Place(off)
	return record.Pos{File: r.src.Path(), Line: line, Col: col}
}

func (r *reader) bad(at record.Pos, format string, args ...any) {
	r.Add(record.Errorf(at, format, args...))
}

func (r *reader) syntax(e *reading.SyntaxError) { r.bad(r.place(e.Off), "%s", e.Text) }

// object reads a test written as JSON.
func (r *reader) object(v reading.Value) {
	at := r.place(v.Off())
	if v.Kind() != reading.KindObject {
		r.bad(at, "%v where the object of a test should stand", v.Kind())
		return
	}
	last := v.Map()
	w := row{at: at, raw: v.Compact(reading.Elide{Longer: 64}), behind: -1}
	if !last["build_commit"].Exists() {
		if inner := w.unwrap(v, r.place); inner.Exists() {
			v, last = inner, inner.Map()
		}
	}
	v.Fields(func(k string, f reading.Value) bool {
		if f.Off() == last[k].Off() { // of equal keys the last is valid
			w.cells = append(w.cells, cell{key: k, text: f.Scalar(), json: f, at: r.place(f.Off())})
		}
		return true
	})
	r.add(w)
}

// log reads the objects between the lines of a log. What stands between them is not looked at.
func (r *reader) log() {
	data := r.src.Data
	starts := jsonStart.FindAllSubmatchIndex(data, -1)
	for i, s := range starts {
		to := end(starts, i, 2, len(data))
		done := false
		r.text.Values(s[2], to, false, func(v reading.Value) {
			if !done {
				r.object(v)
			}
			done = true
		}, func(e *reading.SyntaxError) {
			if !done {
				r.syntax(e)
			}
			done = true
		})
	}
}

// end is where the text that begins at the i-th of some matches ends: where the next one begins, by
// its group at that index, or the whole text.
func end(starts [][]int, i, group, whole int) int {
	if i+1 < len(starts) {
		return starts[i+1][group]
	}
	return whole
}

// described are settings that say what was measured, not how: facts have them.
var described = []string{"build_commit", "build_number", "cpu_info", "gpu_info",
	"backends",
	"model_filename", "model_type", "model_size", "model_n_params", "cuda",
	"opencl", "metal",
	"vulkan", "kompute", "sycl", "rpc", "gpu_blas", "blas"}

// workload and results are the keys that are no settings.
var workload = []string{"n_prompt", "n_gen", "n_depth", "test",
	"test_time", "t/s"}

// results gives the quantities of the columns that some builds add. A time of 0 is not measured.
var results = []record.Value{
	{Key: "avg_e2e_ms", Quantity: metric.E2ELatency, Stat: metric.Mean, Unit: "ms"},
	{Key: "avg_itl_ms", Quantity: metric.ITL, Stat: metric.Mean, Unit: "ms"},
	{Key: "avg_ttft_ms", Quantity: metric.TTFT, Stat: metric.Mean, Unit: "ms"},
	{Key: "stddev_e2e_ms", Quantity: metric.E2ELatency, Stat: metric.Std, Unit: "ms"},
	{Key: "stddev_itl_ms", Quantity: metric.ITL, Stat: metric.Std, Unit: "ms"},
	{Key: "stddev_ttft_ms", Quantity: metric.TTFT, Stat: metric.Std, Unit: "ms"},
}

// measured matches the keys of results, known and unknown: they never tell runs apart.
var measured = regexp.MustCompile(`^(avg|stddev|std|min|max|samples|p[0-9]+)_`)

// add gives a row its meaning.
func (r *reader) add(w row) {
	cells := map[string]cell{}
	for _, c := range w.cells {
		if before, there := cells[c.key]; there && before.text != c.text {
			r.bad(w.at, "the column %q stands several times, with different values: the last one is taken", reading.Clip(c.key))
		}
		cells[c.key] = c
	}
	res := &record.Result{Base: record.Base{At: w.at, Date: cells["test_time"].text}}
	prompt, gen, depth, ok := r.lengths(w.at, cells)
	if !ok {
		return
	}
	q := metric.TotalThroughput
	name := fmt.Sprintf("pp%d+tg%d", prompt, gen)
	switch {
	case gen == 0:
		q, name = metric.PPSpeed, fmt.Sprintf("pp%d", prompt)
	case prompt == 0:
		q, name = metric.TGSpeed, fmt.Sprintf("tg%d", gen)
	}
	if depth > 0 {
		name += fmt.Sprintf(" @ d%d", depth)
	}
	in, out, one := float64(prompt), float64(gen), int64(1)
	res.Workload = record.Workload{
		Name: name, Nominal: record.Lengths{Input: &in, Output: &out}, Distribution: "fixed",
		LengthSemantics: "tool nominal",
	}
	res.Load.MaxConcurrency = &one // the tool runs one sequence

	samples := 0
	if c, ok := cells["samples_ts"]; ok {
		if c.json.Kind() != reading.KindArray {
			r.bad(c.at, "\"samples_ts\" is %v, an array was expected: the value is left out", c.json.Kind())
		}
		c.json.Items(func(_ int, v reading.Value) bool {
			if f, ok := v.Finite(); ok && f > 0 {
				samples++
			}
			return true
		})
		// The mean and the deviation are of all of them.
		if n := c.json.Len(); samples > 0 && samples < n {
			r.bad(c.at, "%d of %d in \"samples_ts\" are no speeds: how often the test was repeated is not known", n-samples, n)
			samples = 0
		}
	}
	if samples > 0 {
		n := int64(samples)
		res.Completed = &n
	}
	r.speed(res, q, cells, int64(samples))
	r.settings(res, w)
	r.identify(res, cells)
	for _, f := range w.facts {
		addFact(res, f)
	}
	if w.on != "" {
		r.on[res] = " " + w.on
	}
	res.Setup = append(res.Setup, w.setup...)
	res.Unmapped = append(res.Unmapped, w.unmapped...)
	if res.Raw = w.raw; res.Raw == nil {
		res.Raw = rawOf(w.cells)
	}
	if res.Identity.Model == "" {
		r.bad(w.at, "the test names no model: \"model_filename\" and \"model_type\" are empty")
		return
	}
	if len(res.Values) == 0 {
		r.bad(w.at, "the test %s has no speed: the record is left out", name)
		return
	}
	res.Values = append(res.Values, w.values...)
	r.Add(res)
}

var testName = regexp.MustCompile(`^(?:pp([0-9]{1,9}))?(?:\+?tg([0-9]{1,9}))?(?: ?@ ?d([0-9]{1,9}))?$`)

// lengths reads what a test did: from the three counts, or from its name in a table.
func (r *reader) lengths(at record.Pos, cells map[string]cell) (prompt, gen, depth int64, ok bool) {
	if c, ok := cells["test"]; ok {
		m := testName.FindStringSubmatch(c.text)
		if m == nil || m[1] == "" && m[2] == "" {
			r.bad(c.at, "%q is no test: \"pp512\", \"tg128\" or \"pp512+tg128\" was expected", clip(c.text))
			return 0, 0, 0, false
		}
		var n [3]int64
		for i := range n {
			n[i], _ = strconv.ParseInt(m[i+1], 10, 64) // empty: 0
		}
		prompt, gen, depth = n[0], n[1], n[2]
	} else {
		for _, l := range []struct {
			key string
			to  *int64
		}{{"n_prompt", &prompt}, {"n_gen", &gen}, {"n_depth", &depth}} {
			c, there := cells[l.key]
			if !there && l.key == "n_depth" {
				continue // before April 2025 every test began with an empty context
			}
			if !there {
				r.bad(at, "the test lacks %q: the record is left out", l.key)
				return 0, 0, 0, false
			}
			f, there := r.number(c)
			if !there || f < 0 || f != math.Trunc(f) || f > 1<<40 {
				if there {
					r.bad(c.at, "%q is %v, a count was expected", c.key, f)
				} else {
					r.bad(at, "the test lacks a number for %q: the record is left out", l.key)
				}
				return 0, 0, 0, false
			}
			*l.to = int64(f)
		}
	}
	if prompt == 0 && gen == 0 {
		r.bad(at, "the test has neither prompt nor generated tokens: the record is left out")
		return 0, 0, 0, false
	}
	return prompt, gen, depth, true
}

func (r *reader) speed(res *record.Result, q metric.ID, cells map[string]cell, n int64) {
	put := func(q metric.ID, stat string, f float64, unit, key string) {
		// Of one repetition the tool writes a deviation of 0, which says nothing; two that
		// take the same number of nanoseconds do not occur.
		if f == 0 || stat == metric.Std && n == 1 {
			return
		}
		res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: f, Unit: unit, Key: key, N: n})
	}
	if c, ok := cells["t/s"]; ok {
		mean, deviation, ok := reading.Spread(c.text)
		if !ok {
			r.bad(c.at, "%q is no speed: \"mean ± deviation\" was expected", clip(c.text))
			return
		}
		put(q, metric.Mean, mean, "tok/s", "t/s")
		if deviation != nil {
			put(q, metric.Std, *deviation, "tok/s", "t/s")
		}
		return
	}
	if f, ok := r.number(cells["avg_ts"]); ok && f != 0 {
		put(q, metric.Mean, f, "tok/s", "avg_ts")
		if f, ok := r.number(cells["stddev_ts"]); ok {
			put(q, metric.Std, f, "tok/s", "stddev_ts")
		}
	}
	for _, v := range results {
		if c, ok := cells[v.Key]; ok {
			if f, ok := r.number(c); ok {
				put(v.Quantity, v.Stat, f, v.Unit, v.Key)
			}
		}
	}
}

// settings puts what is neither test nor result into Setup, and what is not used into Unmapped.
func (r *reader) settings(res *record.Result, w row) {
	behind := len(w.cells)
	if w.behind >= 0 {
		behind = w.behind
	} else if i := index(w.cells, "test_time"); i >= 0 && i < index(w.cells, "avg_ts") {
		behind = i // the keys are in the order of the tool
	}
	for i, c := range w.cells {
		known := slices.ContainsFunc(results, func(v record.Value) bool { return v.Key == c.key })
		switch {
		case slices.Contains(workload, c.key) || known || c.key == "avg_ts" || c.key == "stddev_ts" || c.key == "samples_ts":
		case i > behind || measured.MatchString(c.key) || c.json.Kind() == reading.KindObject ||
			c.json.Kind() == reading.KindArray:
			res.Unmapped = append(res.Unmapped, c.key)
		case c.text == "":
		case c.key == "model_filename":
			res.Setup = append(res.Setup, record.KV{Key: c.key, Value: llamacpp.Model(c.text)})
		default:
			res.Setup = append(res.Setup, record.KV{Key: c.key, Value: c.text})
		}
	}
}

func index(cells []cell, key string) int {
	return slices.IndexFunc(cells, func(c cell) bool { return c.key == key })
}

var precision = regexp.MustCompile(`\s((?:IQ|TQ|Q|F|BF|MXFP|NVFP)[0-9]+(?:_[0-9A-Z]+)*(?: - [0-9A-Za-z.]+)?)(?: MoE)?$`)

// identify states model, engine and hardware.
func (r *reader) identify(res *record.Result, cells map[string]cell) {
	fact := func(key, value string, c cell) {
		if value != "" {
			addFact(res, record.Fact{Key: key, Value: value, At: c.at})
		}
	}
	model := cells["model_type"]
	res.Identity = record.Identity{Tool: tool, Model: model.text}
	if c := cells["model_filename"]; c.text != "" {
		model, res.Identity.Model = c, llamacpp.Model(c.text)
	}
	fact(record.FactModel, res.Identity.Model, model)
	addFact(res, record.Fact{Key: record.FactEngine, Value: "llama.cpp"})
	if c := cells["build_number"]; c.text != "0" {
		fact(record.FactEngineVersion, strings.TrimSuffix(c.text, ".0"), c)
	}
	if c := cells["build_commit"]; c.text != "unknown" {
		fact(record.FactEngineCommit, c.text, c)
	}
	if c := cells["model_type"]; c.text != "" {
		if m := precision.FindStringSubmatch(c.text); m != nil {
			fact(record.FactPrecision, m[1], c)
		}
	}
	cpu, gpu, backends, devices := cells["cpu_info"], cells["gpu_info"], cells["backends"], cells["devices"].text
	switch {
	case ownGraphics(gpu.text, cpu.text):
		fact(record.FactHardware, cpu.text, cpu)
	case gpu.text != "" && devices != "none":
		var names []string
		for _, n := range strings.Split(gpu.text, ",") {
			if n = strings.TrimSpace(n); n != "" {
				names = append(names, n)
			}
		}
		for _, f := range hardware(names, backends.text, devices, cells["split_mode"].text) {
			fact(f.Key, f.Value, gpu)
		}
	case !strings.Contains(backends.text, "RPC"):
		fact(record.FactHardware, cpu.text, cpu) // no accelerator: the processor did it
	}
	fact(record.FactCPU, cpu.text, cpu)
	fact("labels.backend", backends.text, backends)
}

// graphics is what a driver calls the graphics of a processor: "AMD Radeon Graphics", "Radeon 8060S
// Graphics (RADV GFX1151)".
var graphics = regexp.MustCompile(`^(?:AMD )?(Radeon(?: [0-9]+[A-Z]*)?) Graphics(?: \(.*\))?$`)

// ownGraphics reports whether an accelerator is a part of the processor, which then names the machine
// better: "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S".
func ownGraphics(gpu, cpu string) bool {
	m := graphics.FindStringSubmatch(gpu)
	return m != nil && (strings.Contains(cpu, "w/ "+m[1]) || strings.Contains(cpu, "with "+m[1]))
}

// hardware names the accelerators of a test, equal ones with their number: all that are listed, or those that
// its devices name, "CUDA0/CUDA1". Without a split one of them does it all.
func hardware(names []string, backends, devices, split string) []record.Fact {
	all := devices == "" || devices == "auto" || split == "none"
	if of := chosen(names, backends, devices); of != nil {
		names, all = of, true
	}
	if len(names) == 0 {
		return nil
	}
	for _, n := range names {
		if n != names[0] {
			return []record.Fact{{Key: record.FactHardware, Value: strings.Join(names, ", ")}}
		}
	}
	if split == "none" {
		names = names[:1]
	}
	facts := []record.Fact{{Key: record.FactHardware, Value: names[0]}}
	if all || len(names) == 1 {
		facts = append(facts, record.Fact{Key: record.FactCount, Value: strconv.Itoa(len(names))})
	}
	return facts
}

// chosen are the accelerators that devices name by their numbers, of the first backend, whose are listed first. It is nil
// where they name others.
func chosen(names []string, backends, devices string) (of []string) {
	backend, _, _ := strings.Cut(backends, ",")
	for _, d := range strings.Split(devices, "/") {
		n, ok := strings.CutPrefix(d, backend)
		i, err := strconv.Atoi(n)
		if !ok || err != nil || i < 0 || i >= len(names) {
			return nil
		}
		of = append(of, names[i])
	}
	return of
}

func addFact(res *record.Result, f record.Fact) {
	for _, o := range res.Facts {
		if o.Key == f.Key {
			return
		}
	}
	res.Facts = append(res.Facts, f)
}

// number reads a cell; what is no number is reported, what is empty or "n/a" is missing.
func (r *reader) number(c cell) (float64, bool) {
	if c.json.Kind() == reading.KindObject || c.json.Kind() == reading.KindArray || c.json.Kind() == reading.KindBool {
		r.bad(c.at, "%q is %v, a number was expected: the value is left out", c.key, c.json.Kind())
		return 0, false
	}
	switch strings.ToLower(c.text) {
	case "", "n/a", "nan", "-nan", "inf", "-inf", "infinity", "-infinity":
		return 0, false
	}
	f, err := strconv.ParseFloat(c.text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		r.bad(c.at, "%q is %q, a number was expected: the value is left out", c.key, clip(c.text))
		return 0, false
	}
	return f, true
}

// rawOf writes the cells of a text as a JSON object of strings, in their order.
func rawOf(cells []cell) json.RawMessage {
	var b reading.Builder
	for _, c := range cells {
		b.Text(c.key, c.text)
	}
	return b.JSON()
}

func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
