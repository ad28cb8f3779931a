// Package guidellm reads the reports of guidellm: JSON, YAML and CSV, and what it printed until 0.3. A report is a sweep:
// one benchmark an element, each a point.
//
// The report has had four layouts. Up to 0.3 ("layout 0" here) a benchmark holds all there is to
// know, with its strategy in "args". From 0.4 on the strategy is in "config", and the report has
// "args"; from 0.5 on also "metadata" with version 1; from 0.7 on version 2, and "config" in place
// of "args". Statistics are of requests by how they ended; those of successful ones are read.
//
// What the tool calls inter-token latency is (last - first token) / (n - 1) of a request: TPOT
// here. What it calls time per output token has the first token in it from 0.4 on, and is NTPOT
// here; before, it was (last - first token) / n, which has no name here and is left in the raw
// record. Throughputs are means of a rate over time; other statistics of them are artefacts of
// how it is sampled and are not read.
package guidellm

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "guidellm"

// Format reads reports of guidellm.
var Format = &reading.Format{
	Name: "guidellm",
	Doc: reading.Doc{
		Title:    "guidellm reports",
		Tool:     "guidellm",
		Command:  "guidellm benchmark [run] --outputs json,yaml,csv; until 0.3 with | tee F too",
		Versions: "0.1 to 0.8",
		Files:    "benchmarks.json, benchmarks.yaml, benchmarks.csv, *.log, *.md",
		Reads: "Each benchmark of a sweep with its strategy as load, achieved concurrency and rate, counts, " +
			"throughputs and the statistics of TTFT, TPOT, NTPOT (from 0.4 on) and end-to-end latency of successful " +
			"requests; where the requests are in it, their distributions; model, lengths of synthetic data, date " +
			"and the client's arguments.",
		Unknown: "The engine, its version and the GPU stand in no such file, unless a label says so; requests cut " +
			"off at the end of a benchmark count as neither completed nor failed; a table from 0.4 on has no rates " +
			"of a sweep, and its rows may be shifted where benchmarks differ in how requests ended; of what is printed " +
			"only the tables until 0.3 are read, whose rates have two decimals.",
	},
	Marks:   []string{"Benchmarks Stats:"},
	Match:   match,
	Damaged: damaged,
	Clients: []string{"guidellm benchmark"},
	Read:    read,
}

func match(h *reading.Head) bool {
	switch h.Kind {
	case '{', '[':
		if !h.Nested["benchmarks.type_"] {
			return false
		}
		for _, k := range []string{"args", "config", "scheduler", "metrics", "run_id"} {
			if h.Nested["benchmarks."+k] {
				return true
			}
		}
		return false
	case 't':
		return tableKind(h.Data) != notTable || matchYAML(h.Data) || statsGroups.Match(h.Data)
	}
	return false
}

var (
	listLine     = regexp.MustCompile(`(?m)^benchmarks:[ \t]*\r?$`)
	metadataLine = regexp.MustCompile(`(?m)^metadata:`)
)

func matchYAML(head []byte) bool {
	// Reports of other tools may quote guidellm's arguments, version and all.
	if !listLine.Match(head) && !(metadataLine.Match(head) && bytes.Contains(head, []byte("guidellm_version:"))) {
		return false
	}
	for _, mark := range []string{"type_: generative_benchmark", "guidellm_version:", "requests_per_second:"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), emit: emit}
	if src.Head.Kind != 't' {
		reading.Values(src, true, r.report, emit)
		return nil
	}
	if tableKind(src.Head.Data) != notTable {
		r.table(src.Data)
		return nil
	}
	if !matchYAML(src.Head.Data) {
		r.printed(src.Data)
		return nil
	}
	yamlval.Report(src.Data, r.report, func(e yamlval.Error) {
		emit(record.Errorf(record.Pos{File: r.file, Line: e.Line, Col: e.Col}, "%s", e.Text))
	})
	return nil
}

// reader is the state of reading one file.
type reader struct {
	file  string
	emit  func(record.Record)
	told  map[string]bool // sessions whose client was described
	count int             // of reports
}

// report is what a report says of all of its benchmarks.
type report struct {
	old    bool // layout 0
	number int  // in its file, from 1
	model  string
	data   []reading.Value
	facts  reading.Facts
	params []record.Param
	at     record.Pos

	// Of a row of a table: its place, its number, it as read, and the rate or the number of
	// requests at once that its strategy has.
	place *record.Pos
	row   int
	raw   []byte
	rate  reading.Value
}

// report reads one document.
func (r *reader) report(v reading.Value) {
	r.count++
	o := reading.NewObject(r.file, v, r.emit)
	list := o.Value("benchmarks")
	if list.Kind() != reading.KindArray {
		o.Bad("benchmarks", "no report of guidellm: its list of benchmarks is missing")
		return
	}
	top := &report{number: r.count, at: o.Pos(), old: !o.Has("metadata") && !o.Has("args") && !o.Has("config")}
	if !top.old {
		top.head(o)
	}
	o.Elements("benchmarks", "a benchmark", func(b *reading.Object) { r.benchmark(b, top) })
	if list.Len() == 0 {
		r.emit(&record.Ignored{Base: record.Base{At: o.At("benchmarks")}, Reason: "a report without benchmarks"})
	}
}

// head reads what a report from 0.4 on says of all of its benchmarks.
func (top *report) head(o *reading.Object) {
	args := o.Sub("args")
	spec := o.Sub("config").Sub("spec")
	o.Sub("metadata").Fact(&top.facts, record.FactToolVersion, "guidellm_version")
	top.model = args.Text("model")
	if b := spec.Value("backend"); top.model == "" && b.Kind() == reading.KindObject {
		top.model = b.Get("model").Scalar()
	}
	top.addData(args.Value("data"))
	top.addData(spec.Value("data"))
	args.Fact(&top.facts, record.FactTokenizer, "processor")
	if t := spec.Value("tokenizer"); t.Kind() == reading.KindObject {
		top.facts.Add(record.FactTokenizer, t.Get("model").Scalar(), spec.At("tokenizer"))
	}
	labels := o.Sub("config").Sub("metadata").Sub("labels")
	labels.Each(func(k string, v reading.Value) {
		if s := v.Scalar(); s != "" && k != "" {
			top.facts.Add(label(k), s, labels.At(k))
		}
	})
	top.clientParams(o)
}

// addData adds what describes the prompts: a text, an object or a list of them.
func (top *report) addData(d reading.Value) {
	if d.Kind() == reading.KindString || d.Kind() == reading.KindObject {
		top.data = append(top.data, d)
	}
	d.Items(func(_ int, v reading.Value) bool { top.data = append(top.data, v); return true })
}

// label is the fact that a label of version 2 states: people put the hardware there.
func label(key string) string {
	switch k := strings.ToLower(key); k {
	case "hardware", "gpu", "accelerator":
		return record.FactHardware
	case record.FactEngine, record.FactPrecision, record.FactCount, record.FactImage, record.FactDriver:
		return k
	case "engine_version", "vllm_version":
		return record.FactEngineVersion
	}
	return "labels." + key
}

// clientParams lists what the report says of the client: its arguments and where it ran.
func (top *report) clientParams(o *reading.Object) {
	add := func(prefix string, o *reading.Object, but ...string) {
		o.Each(func(k string, v reading.Value) {
			if k != "" && v.Kind() != reading.KindNull && !slices.Contains(but, k) {
				value := v.Compact(reading.Elide{Longer: 256})
				top.params = append(top.params, record.Param{Name: prefix + k, Value: value, At: o.At(k)})
			}
		})
	}
	add("", o.Sub("args"))
	config := o.Sub("config")
	add("", config.Sub("spec"))
	add("", config, "spec", "benchmarks")
	add("metadata.", o.Sub("metadata"))
	add("", o, "args", "config", "metadata", "benchmarks")
}

// successful is the way of ending whose statistics are read.
const successful = "successful"

// times are the metrics that are read with all of their statistics. From 0.4 on the mean of what
// is measured by token weighs requests by their tokens.
var times = []reading.Meaning{
	{Key: "request_latency", Unit: "s", Quantity: metric.E2ELatency},
	{Key: "time_to_first_token_ms", Unit: "ms", Quantity: metric.TTFT},
	{Key: "time_to_first_output_token_ms", Unit: "ms", Quantity: metric.TTFO},
	{Key: "inter_token_latency_ms", Unit: "ms", Quantity: metric.TPOT},
	{Key: "time_per_output_token_ms", Unit: "ms", Quantity: metric.NTPOT},
}

// rates are the metrics whose mean alone is read.
var rates = []reading.Meaning{
	{Key: "requests_per_second", Unit: "req/s", Quantity: metric.RequestThroughput},
	{Key: "request_concurrency", Unit: "requests", Quantity: metric.AchievedConcurrency},
	{Key: "prompt_tokens_per_second", Unit: "tok/s", Quantity: metric.InputThroughput},
	{Key: "output_tokens_per_second", Unit: "tok/s", Quantity: metric.OutputThroughput},
	{Key: "tokens_per_second", Unit: "tok/s", Quantity: metric.TotalThroughput},
}

// percentiles by their keys.
var percentiles = [][2]string{
	{"p001", "p0.1"}, {"p01", "p1"}, {"p05", "p5"}, {"p10", "p10"}, {"p25", "p25"}, {"p50", "p50"},
	{"p75", "p75"}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"}, {"p999", "p99.9"},
}

// texts are what is no measurement but what was asked and answered.
var texts = []string{
	"prompt", "output", "request_args", "text", "content", "body", "messages",
}

// benchmark is one that is being read.
type benchmark struct {
	*reading.Object
	top   *report
	old   bool // layout 0
	res   *record.Result
	facts reading.Facts
	data  []reading.Value // what describes the prompts

	strategy, profile *reading.Object
}

// benchmark reads a benchmark of a report.
func (r *reader) benchmark(o *reading.Object, top *report) {
	b := &benchmark{Object: o, top: top, old: top.old && !o.Has("config") && !o.Has("scheduler"), data: top.data}
	b.res = &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool, Model: top.model}}}
	res := b.res
	if b.old {
		b.oldHead()
	} else {
		b.head()
	}
	res.Identity.Session = cmp.Or(res.Identity.Session, b.Text("run_id"))
	container := cmp.Or(res.Identity.Session, r.file+" "+strconv.Itoa(top.number))
	res.Key = record.SessionKey(tool, container, res.Identity.Model)
	if kind := b.Text("type_"); kind != "" && kind != "generative_benchmark" {
		at := b.At("type_")
		if top.place != nil {
			at = *top.place
		}
		r.emit(&record.Note{
			Base: res.BesideAt(at), Code: "unknown-benchmark", Severity: record.Warning,
			Text: fmt.Sprintf("a benchmark of type %q is left out: only \"generative_benchmark\" is read",
				reading.Clip(kind)),
		})
		return
	}
	if !b.Has("metrics") {
		b.Bad("", "a benchmark without \"metrics\": it is left out")
		return
	}
	b.facts.Add(record.FactModel, res.Identity.Model, top.at)
	for _, f := range top.facts {
		b.facts.Add(f.Key, f.Value, f.At)
	}
	res.Facts = b.facts
	setLoad(res, b.strategy, b.profile)
	if top.place != nil && !b.old {
		top.setRate(res, b.strategy.Text("type_"))
	}
	describe(&res.Workload, b.data)
	b.measures()
	r.end(b)
}

// oldHead reads what a benchmark of layout 0 says of itself.
func (b *benchmark) oldHead() {
	res, args := b.res, b.Sub("args")
	b.strategy, b.profile = args.Sub("strategy"), args.Sub("profile")
	res.Identity.Session = b.Text("run_id")
	worker, loader := b.Sub("worker"), b.Sub("request_loader")
	b.model(worker.Text("backend_model"), worker.At("backend_model"))
	loader.Fact(&b.facts, record.FactTokenizer, "processor")
	if d := loader.Value("data"); d.Kind() == reading.KindString || d.Kind() == reading.KindObject {
		b.data = append(slices.Clip(b.data), d)
	}
	res.Workload.NumPrompts = args.Count("max_number")
	args.Use("strategy_index")
}

// head reads what a benchmark from 0.4 on says of itself.
func (b *benchmark) head() {
	res, config := b.res, b.Sub("config")
	b.strategy, b.profile = config.Sub("strategy"), config.Sub("profile")
	if !config.Has("strategy") { // 0.4 before its release
		b.strategy = b.Sub("scheduler").Sub("strategy")
	}
	res.Identity.Session = config.Text("run_id")
	backend := config.Value("backend")
	b.model(backend.Get("model").Scalar(), config.At("backend"))
	if on, ok := backend.Get("stream").Truth(); ok {
		res.Workload.Streaming = &on
	}
	if kind := backend.Get("kind").Scalar(); strings.HasPrefix(kind, "vllm") {
		b.facts.Add(record.FactEngine, "vllm", config.At("backend")) // it ran inside the client
	}
	config.Use("id_", "run_index")
	config.Value("constraints").Fields(func(k string, c reading.Value) bool {
		n, ok := c.Get("args").Get("count").Int()
		if !ok {
			n, ok = c.Get("max_num").Int()
		}
		if ok && n > 0 && (strings.Contains(k, "max_requests") || strings.Contains(k, "max_number")) {
			res.Workload.NumPrompts = &n
		}
		return true
	})
}

// model is the one that a benchmark names itself, if it does.
func (b *benchmark) model(name string, at record.Pos) {
	if name != "" {
		b.res.Identity.Model = name
		b.facts.Add(record.FactModel, name, at)
	}
}

// measures reads everything that was measured.
func (b *benchmark) measures() {
	res := b.res
	res.Date = date(b.Object)
	if d, ok := b.Number("duration"); ok && d > 0 {
		b.Measure(&res.Values, metric.Duration, metric.Value, "s", "duration")
	}
	b.Use("end_time", "id_", "type_")
	metrics := b.Sub("metrics")
	totals := metrics.Sub("request_totals")
	if b.Has("request_totals") {
		totals = b.Sub("request_totals")
	}
	res.Completed, res.Failed = totals.Count(successful), totals.Count("errored")
	reading.Submitted(res)
	totals.Use("incomplete", "total")
	b.statistics(metrics)
	b.requests()
}

// end emits a benchmark, and the parameters of the client once a session.
func (r *reader) end(b *benchmark) {
	res, top := b.res, b.top
	b.Rest(res)
	res.Raw = raw(b.Self())
	if top.place != nil {
		res.At, res.Raw = *top.place, top.raw
		for i := range res.Facts {
			res.Facts[i].At = *top.place
		}
	}
	r.emit(res)
	if note := differs(res); note != nil {
		r.emit(note)
	}
	r.client(res, top)
}

// client emits the parameters of the client, once a session.
func (r *reader) client(res *record.Result, top *report) {
	if len(top.params) == 0 || r.told[res.Key] {
		return
	}
	if r.told == nil {
		r.told = map[string]bool{}
	}
	r.told[res.Key] = true
	r.emit(&record.Params{Base: res.BesideAt(top.at), Of: "client", Params: top.params})
}

// date is when the measurement began, in UTC: the file has seconds since 1970.
func date(b *reading.Object) string {
	s, ok := b.Number("start_time")
	if !ok || s < 1e9 || s > 7e9 {
		return ""
	}
	return time.Unix(int64(s), 0).UTC().Format(time.RFC3339)
}

// setLoad turns a strategy into a load. The largest number of requests at once counts where somebody
// asked for one: the strategy always has one, from the tool's settings.
func setLoad(res *record.Result, strategy, profile *reading.Object) {
	kind := strategy.Text("type_")
	profile.Use("type_", "kind", "rate", "streams", "strategy_type", "strategy_types",
		"completed_strategies", "measured_rates",
		"measured_concurrencies", "rate_type", "sweep_size")
	strategy.Use("max_concurrency", "worker_count", "start_time", "initial_burst", "random_seed")
	limit := func(o *reading.Object, key string) {
		if o.Value(key).Kind() != reading.KindNumber {
			return
		}
		if n := o.Positive(key); n != nil {
			res.Load.MaxConcurrency = n
		}
	}
	switch kind {
	case "synchronous":
		one := int64(1)
		res.Load.MaxConcurrency = &one
	case "concurrent":
		if limit(strategy, "streams"); res.Load.MaxConcurrency == nil {
			limit(strategy, "max_concurrency")
		}
	case "throughput":
		res.Load.Rate = reading.AtOnce()
		limit(profile, "max_concurrency")
	case "constant", "poisson", "async", "asynchronous":
		if strategy.Has("rate") {
			res.Load.Rate = strategy.Rate("rate")
		}
		limit(profile, "max_concurrency")
		if kind == "poisson" {
			one := 1.0
			res.Load.Burstiness = &one
		}
	case "replay":
		res.Workload.Name = "arrivals of a trace"
	case "":
	default:
		res.Workload.Name = "strategy " + strconv.Quote(reading.Clip(kind))
	}
}

// setRate gives the row of a table the load that its own strategy does not state. Where it is not
// known either, the row's number tells the points of a sweep apart.
func (top *report) setRate(res *record.Result, kind string) {
	n, ok := top.rate.Finite()
	ok = ok && n > 0
	switch kind {
	case "concurrent":
		if ok && n == math.Trunc(n) && n < 1<<53 {
			c := int64(n)
			res.Load.MaxConcurrency = &c
			return
		}
	case "constant", "poisson", "async", "asynchronous":
		if ok {
			rate := record.Float(n)
			res.Load.Rate = &rate
			return
		}
	default:
		return
	}
	res.Workload.Name = fmt.Sprintf("%s, benchmark %d of the sweep", kind, top.row+1)
}

// describe reads what the data are: the lengths of synthetic ones, or the name of a data set.
func describe(w *record.Workload, data []reading.Value) {
	var names []string
	for _, d := range data {
		if s, ok := d.Str(); ok {
			d = spec(s)
			if d.Kind() != reading.KindObject {
				if s = strings.TrimSpace(s); s != "" && !strings.ContainsAny(s, "{}[]") {
					names = append(names, path.Base(s))
				}
				continue
			}
		}
		kind := d.Get("kind").Scalar()
		if kind == "" {
			kind = d.Get("type_").Scalar()
		}
		in, ok := tokens(d.Get("prompt_tokens"))
		if !ok && !strings.HasPrefix(kind, "synthetic") {
			for _, k := range []string{"path", "name", "source", "dataset"} {
				if s := d.Get(k).Scalar(); s != "" {
					names = append(names, path.Base(s))
					break
				}
			}
			continue
		}
		names = append(names, "synthetic")
		if len(data) > 1 {
			continue // lengths of a mixture
		}
		w.Nominal.Input = in
		w.Nominal.Output, _ = tokens(d.Get("output_tokens"))
		w.LengthSemantics = "tool nominal"
		w.Distribution = distribution(d)
		if n, ok := d.Get("turns").Int(); ok && n > 1 {
			w.Name = strconv.FormatInt(n, 10) + " turns"
		}
	}
	w.Dataset = strings.Join(names, ", ")
}

// spec reads the text that describes synthetic data: an object or "prompt_tokens=256,output_tokens=128".
func spec(s string) reading.Value {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") {
		for _, t := range []string{s, strings.ReplaceAll(s, "'", `"`)} {
			if v, err := reading.Parse([]byte(t)); err == nil {
				return v
			}
		}
		return reading.Value{}
	}
	if !strings.Contains(s, "prompt_tokens=") && !strings.Contains(s, "output_tokens=") {
		return reading.Value{}
	}
	var members []string
	for _, part := range strings.Split(s, ",") {
		k, v, ok := strings.Cut(part, "=")
		if k, v = strings.TrimSpace(k), strings.TrimSpace(v); !ok {
			continue
		}
		if _, err := strconv.ParseFloat(v, 64); err != nil || strings.ContainsAny(v, "xXnNiI_") {
			v = strconv.Quote(v)
		}
		members = append(members, strconv.Quote(k)+":"+v)
	}
	v, err := reading.Parse([]byte("{" + strings.Join(members, ",") + "}"))
	if err != nil {
		return reading.Value{}
	}
	return v
}

func tokens(v reading.Value) (*float64, bool) {
	n, ok := v.Int()
	if !ok || n <= 0 {
		return nil, false
	}
	f := float64(n)
	return &f, true
}

// distribution says in words how lengths of synthetic data vary.
func distribution(d reading.Value) string {
	var parts []string
	for _, side := range []struct{ key, word string }{{"prompt_tokens", "input"}, {"output_tokens", "output"}} {
		var of []string
		if s, ok := d.Get(side.key + "_stdev").Finite(); ok && s > 0 {
			of = append(of, "deviation "+strconv.FormatFloat(s, 'g', 6, 64))
		}
		lo, ok1 := d.Get(side.key + "_min").Int()
		hi, ok2 := d.Get(side.key + "_max").Int()
		switch {
		case ok1 && ok2:
			of = append(of, fmt.Sprintf("%d to %d", lo, hi))
		case ok1:
			of = append(of, fmt.Sprintf("at least %d", lo))
		case ok2:
			of = append(of, fmt.Sprintf("at most %d", hi))
		}
		if len(of) > 0 {
			parts = append(parts, side.word+" "+strings.Join(of, ", "))
		}
	}
	if len(parts) == 0 {
		return "fixed"
	}
	return "normal: " + strings.Join(parts, "; ")
}

// statistics reads the metrics of successful requests. Where none was, they are zeros.
func (b *benchmark) statistics(metrics *reading.Object) {
	res := b.res
	none := res.Completed != nil && *res.Completed == 0
	var values []record.Value
	for _, m := range times {
		if b.old && m.Quantity == metric.NTPOT {
			continue // another quantity
		}
		if s := block(metrics, m.Key, none); s != nil {
			values = append(values, timesOf(s, m, res.Completed)...)
		}
	}
	for _, m := range rates {
		s := block(metrics, m.Key, none)
		if s == nil {
			continue
		}
		s.Use("median", "std_dev", "min", "max", "percentiles", "count")
		if x, ok := s.Number("mean"); ok {
			values = append(values, record.Value{Quantity: m.Quantity, Stat: metric.Value, Number: x, Unit: m.Unit,
				Key: key(m.Key, "mean")})
		}
	}
	for _, m := range []struct {
		key      string
		quantity metric.ID
		mean     **float64
	}{
		{"prompt_token_count", metric.InputTokens, &res.Workload.Actual.Input},
		{"output_token_count", metric.OutputTokens, &res.Workload.Actual.Output},
	} {
		s := block(metrics, m.key, none)
		if s == nil {
			continue
		}
		s.Use("median", "std_dev", "min", "max", "percentiles")
		if x, ok := s.Number("mean"); ok && x > 0 {
			x = metric.Round(x)
			*m.mean = &x
		}
		if x, ok := s.Number("total_sum"); ok && x > 0 {
			values = append(values, record.Value{
				Quantity: m.quantity, Stat: metric.Total, Number: x, Unit: "tokens", Key: key(m.key, "total_sum"),
			})
		}
	}
	res.Values = append(res.Values, reading.Measured(values, !none)...)
	if res.Workload.Streaming == nil {
		for _, v := range res.Values {
			if v.Quantity == metric.TPOT || v.Quantity == metric.TTFT { // only a stream has them
				on := true
				res.Workload.Streaming = &on
				break
			}
		}
	}
}

// key names a statistic of successful requests as all layouts have it.
func key(of, statistic string) string { return "metrics." + of + "." + statistic }

// block is what a metric is of successful requests, nil where nothing was measured. None says that no
// request was successful.
func block(metrics *reading.Object, key string, none bool) *reading.Object {
	if !metrics.Has(key) {
		return nil
	}
	m := metrics.Sub(key)
	m.Use("errored", "incomplete", "total")
	s := m.Sub(successful)
	s.Use("mode", "variance", "total_sum", "pdf", "cumulative_distribution_function")
	if n := s.Count("count"); none || n != nil && *n == 0 {
		s.Use("mean", "median", "std_dev", "min", "max", "percentiles")
		return nil
	}
	return s
}

// timesOf reads all statistics of a time.
func timesOf(s *reading.Object, m reading.Meaning, completed *int64) (values []record.Value) {
	var n int64
	if c := s.Count("count"); c != nil && completed != nil && *c <= *completed {
		n = *c
	}
	add := func(o *reading.Object, member, stat, name string) {
		if x, ok := o.Number(member); ok {
			values = append(values, record.Value{Quantity: m.Quantity, Stat: stat, Number: x, Unit: m.Unit,
				Key: key(m.Key, name), N: n})
		}
	}
	for _, k := range []string{"mean", "median", "std_dev", "min", "max"} {
		add(s, k, reading.Statistic(k), k)
	}
	ps := s.Sub("percentiles")
	ps.Each(func(k string, _ reading.Value) {
		p := reading.Second(percentiles, k)
		if p == "p50" {
			ps.Use(k)
			if p = metric.Median; s.Has("median") {
				return
			}
		}
		if p != "" {
			add(ps, k, p, "percentiles."+k)
		}
	})
	return values
}

// requests reads the requests themselves, where the report has them, and errors. The list may hold
// requests of the warm-up, which the statistics leave out: where it is longer than the count, those
// outside of the measured time are left out here too.
func (b *benchmark) requests() {
	res, all := b.res, b.Value("requests")
	samples := make([]quantile.Samples, len(times))
	empty := int64(0)
	outside := b.outside(all.Get(successful))
	all.Get(successful).Items(func(_ int, e reading.Value) bool {
		if e.Kind() != reading.KindObject || outside(e) {
			return true
		}
		if n, ok := e.Get("output_tokens").Finite(); ok && n == 0 {
			empty++
		}
		e.Fields(func(k string, x reading.Value) bool {
			i := slices.IndexFunc(times, func(m reading.Meaning) bool { return m.Key == k })
			if f, ok := x.Finite(); i >= 0 && ok && f > 0 {
				samples[i].Add(f)
			}
			return true
		})
		return true
	})
	if empty > 0 {
		quantile.NoOutput(res, empty, res.Completed)
	}
	for i, m := range times {
		if b.old && m.Quantity == metric.NTPOT {
			continue
		}
		stated := slices.ContainsFunc(res.Values, func(v record.Value) bool { return v.Quantity == m.Quantity })
		samples[i].Into(res, m.Quantity, m.Unit, !stated)
	}

	counts := map[string]int64{}
	all.Get("errored").Items(func(_ int, e reading.Value) bool {
		reading.Count(counts, cmp.Or(e.Get("error").Scalar(), e.Get("info").Get("error").Scalar()))
		return true
	})
	res.Errors = reading.Errors(counts)
}

// outside returns a function that reports whether a request is not of the measured time: none is where the list has no
// more than were counted.
func (b *benchmark) outside(list reading.Value) func(reading.Value) bool {
	done := b.res.Completed
	if done == nil || list.Kind() != reading.KindArray || int64(list.Len()) <= *done {
		return func(reading.Value) bool { return false }
	}
	start, _ := b.Number("start_time")
	end, ok := b.Number("end_time")
	return func(e reading.Value) bool {
		from, ok1 := first(e, "request_start_time", "start_time")
		to, ok2 := first(e, "request_end_time", "end_time")
		return ok && (ok1 && from < start || ok2 && to > end)
	}
}

func first(e reading.Value, keys ...string) (float64, bool) {
	for _, k := range keys {
		if f, ok := e.Get(k).Finite(); ok {
			return f, true
		}
	}
	return 0, false
}

// differs says where the total throughput is none: releases up to 0.2 take the mean of a rate that
// jumps where a prompt begins.
func differs(res *record.Result) *record.Note {
	var total, requests float64
	for _, v := range res.Values {
		switch v.Quantity {
		case metric.TotalThroughput:
			total = v.Number
		case metric.RequestThroughput:
			requests = v.Number
		}
	}
	in, out := res.Workload.Actual.Input, res.Workload.Actual.Output
	if total <= 0 || requests <= 0 || in == nil || out == nil {
		return nil
	}
	want := requests * (*in + *out)
	if total > 0.8*want && total < 1.25*want {
		return nil
	}
	return &record.Note{
		Base: res.Beside(), Code: "throughput-differs", Severity: record.Warning,
		Text: fmt.Sprintf("the total throughput is stated as %.4g tok/s, and %.4g requests a second with %.4g tokens "+
			"each are %.4g tok/s",
			total, requests, *in+*out, want),
	}
}

// raw is the benchmark as read without its requests, which hold prompts and answers.
func raw(v reading.Value) []byte {
	var out reading.Builder
	v.Fields(func(k string, f reading.Value) bool {
		if k != "requests" || f.Kind() != reading.KindObject {
			out.Add(k, f.Compact(reading.Elide{Longer: 64, Texts: texts}))
			return true
		}
		var requests reading.Builder
		f.Fields(func(status string, list reading.Value) bool {
			if list.Kind() == reading.KindArray {
				requests.Add(status, fmt.Appendf(nil, `{"elided":"array","length":%d}`, list.Len()))
			} else {
				requests.Add(status, list.Compact(reading.Elide{Longer: 1, Texts: texts}))
			}
			return true
		})
		out.Add(k, requests.JSON())
		return true
	})
	return out.JSON()
}
