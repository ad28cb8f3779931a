// Package optimumbench reads what optimum-benchmark writes of one benchmark of a model inside one
// process: benchmark.json with configuration and report, or the two in files of their own,
// benchmark_config.json and benchmark_report.json.
//
// Nothing is served: all sequences of a batch go through the model together. TTFT is the time of
// the prefill, TPOT the time of the decoding / (output tokens - 1), ITL the time of each step of
// it, and speeds are those of one sequence of the batch.
package optimumbench

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "optimum-benchmark"

// Format reads benchmarks of optimum-benchmark.
var Format = &reading.Format{
	Name: "optimum-benchmark",
	Doc: reading.Doc{
		Title:    "benchmarks inside one process: configuration and report",
		Tool:     "optimum-benchmark",
		Command:  "optimum-benchmark --config-name X",
		Versions: "0.3 to 0.6",
		Files:    "benchmark.json, benchmark_config.json, benchmark_report.json",
		Reads: "Batch and lengths, prefill as TTFT, decoding as TPOT and ITL, the whole as E2E latency, speeds of " +
			"one sequence and throughput; model, backend, precision, the devices that were used, processor and " +
			"versions.",
		Unknown: "The date stands in no such file; memory, energy and the time of loading stay in the raw record. " +
			"A report without its configuration tells neither model nor lengths.",
	},
	Match:  func(h *reading.Head) bool { return h.Kind == '{' && shape(h.Keys, h.Nested) != "" },
	Read:   read,
	Finish: finish,
}

// stages are the parts of a report.
var stages = []string{
	"prefill", "decode", "per_token", "generate", "forward", "call", "load_model", "load",
	"first_generate", "first_forward", "first_call", "train",
}

// shape is what an object with these keys is, "" if it is none of the tool's.
func shape(top, nested map[string]bool) string {
	if top["config"] && top["report"] {
		if nested["config.backend"] && nested["config.environment"] || nested["config.scenario"] {
			return "benchmark"
		}
		return ""
	}
	if top["backend"] && top["scenario"] && top["environment"] {
		return "config"
	}
	for _, s := range stages {
		if nested[s+".latency"] && nested[s+".memory"] && nested[s+".throughput"] {
			return "report"
		}
	}
	return ""
}

// elide leaves out long lists of single times, of which the report has the statistics.
var elide = reading.Elide{Longer: 64}

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(file, v, emit)
		top, nested := map[string]bool{}, map[string]bool{}
		v.Fields(func(k string, f reading.Value) bool {
			top[k] = true
			f.Fields(func(l string, _ reading.Value) bool {
				nested[k+"."+l] = true
				return true
			})
			return true
		})
		switch s := shape(top, nested); s {
		case "benchmark":
			res := result(o.Sub("config"), o.Sub("report"))
			res.At, res.Key = o.Pos(), session(file, res)
			o.Rest(res)
			res.Raw = v.Compact(elide)
			emit(res)
		case "config", "report":
			// One of the two files: finish puts them together.
			id := record.Identity{Tool: tool, Model: modelOf(o, s)}
			emit(&record.Samples{Base: record.Base{At: o.Pos(), Key: session(file, &record.Result{}), Identity: id},
				Name: s, Kept: record.Kept{Raw: v.Compact(elide)}})
			if s == "report" {
				result(reading.NewObject(file, reading.Value{}, emit), o) // says what is wrong with it
			}
		default:
			o.Bad("", "no benchmark of optimum-benchmark: \"config\" and \"report\" are missing")
		}
	}, emit)
	return nil
}

func modelOf(o *reading.Object, shape string) string {
	if shape != "config" {
		return ""
	}
	return o.Sub("backend").Text("model")
}

// session is that of a file. Files with the tool's own names are a folder's, and folders that
// are named alike but for a load are one run; files with other names are told apart by model and
// setup.
func session(file string, res *record.Result) string {
	folder, name := sessions.Split(file)
	switch strings.TrimSuffix(name, path.Ext(name)) {
	case "benchmark", "benchmark_config", "benchmark_report":
		above, base := sessions.Split(folder)
		return record.SessionKey(tool, above, sessions.Variant(base))
	}
	return record.SessionKey(tool, folder, sessions.Digest(strconv.Quote(res.Identity.Model)+sessions.Setup(res.Setup)))
}

// finish makes points of reports that stand beside their configuration, where benchmark.json,
// which holds both, is not there.
func finish(group []record.Record, emit func(record.Record)) {
	whole := map[string]bool{} // directories that hold a benchmark
	configs := map[string]*record.Samples{}
	for _, r := range group {
		switch r := r.(type) {
		case *record.Result:
			whole[reading.Dir(r.At.File)] = true
		case *record.Samples:
			if dir := reading.Dir(r.At.File); r.Name == "config" && configs[dir] == nil {
				configs[dir] = r
			}
		}
	}
	for _, r := range group {
		s, ok := r.(*record.Samples)
		if !ok || s.Name != "report" || whole[reading.Dir(s.At.File)] {
			continue
		}
		quiet := func(record.Record) {} // read has said what is wrong
		report, bad := reading.Parse(s.Raw)
		if bad != nil {
			continue
		}
		var config reading.Value
		c := configs[reading.Dir(s.At.File)]
		if c != nil {
			config, _ = reading.Parse(c.Raw)
		}
		co, ro := reading.NewObject(s.At.File, config, quiet), reading.NewObject(s.At.File, report, quiet)
		res := result(co, ro)
		res.At, res.Key, res.Digest, res.Format = s.At, s.Key, s.Digest, s.Format
		for i := range res.Facts { // their places are those of the stored text
			res.Facts[i].At = record.Pos{}
			if c != nil {
				res.Facts[i].At = c.At
			}
		}
		ro.Rest(res)
		res.Unmapped = append(co.Unmapped(), res.Unmapped...)
		res.Raw = s.Raw
		emit(res)
	}
}

// result reads the measurement of a configuration and its report; either may be without members.
func result(config, report *reading.Object) *record.Result {
	res := &record.Result{Base: record.Base{Identity: record.Identity{Tool: tool}}}
	backend, scenario := config.Sub("backend"), config.Sub("scenario")
	describe(res, config, backend)

	shapes := scenario.Sub("input_shapes")
	res.Load.Batch = shapes.Count("batch_size")
	w := &res.Workload
	generate := scenario.Sub("generate_kwargs")
	longest, least := generate.Length("max_new_tokens"), generate.Length("min_new_tokens")
	w.Nominal.Input, w.Nominal.Output = shapes.Length("sequence_length"), scenario.Length("new_tokens")
	if w.Nominal.Output == nil {
		w.Nominal.Output = longest
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
		if least == nil || longest == nil || *least == *longest {
			w.Distribution = "fixed"
		}
	}
	w.Warmup = scenario.Count("warmup_runs")
	for _, o := range []struct {
		in   *reading.Object
		name string
	}{
		{backend, ""}, {shapes, ""}, {generate, "generate."},
		{scenario.Sub("forward_kwargs"), "forward."}, {scenario.Sub("call_kwargs"), "call."},
	} {
		o.in.Each(func(k string, f reading.Value) {
			if o.in.Used(k) || k == "_target_" || f.Kind() == reading.KindNull {
				o.in.Use(k)
				return
			}
			s := f.Scalar()
			switch f.Kind() {
			case reading.KindObject, reading.KindArray:
				if f.Len() > 0 {
					s = reading.Clip(string(f.Compact(elide)))
				}
			}
			o.in.Use(k)
			if s != "" {
				res.Setup = append(res.Setup, record.KV{Key: o.name + k, Value: s})
			}
		})
	}
	scenario.Use("name", "_target_", "iterations", "duration", "memory", "latency", "energy")
	for _, k := range []string{"launcher", "print_report", "log_report", "name"} {
		config.Use(k)
	}
	measure(res, report)
	return res
}

// bindings are the backends that start an engine by a package of Python, and the label for the version that the
// file states: the package's, which says nothing of the engine's.
var bindings = map[string]string{"llama_cpp": "llama_cpp_python_version", "py-txi": "py_txi_version",
	"py-tgi": "py_tgi_version", "llm-swarm": "llm_swarm_version"}

// describe reads what was measured and on what.
func describe(res *record.Result, config, backend *reading.Object) {
	fs := reading.Facts{}
	res.Identity.Model = backend.Text("model")
	fs.Add(record.FactModel, res.Identity.Model, backend.At("model"))
	fs.Add(record.FactEngine, backend.Text("name"), backend.At("name"))
	version := record.FactEngineVersion
	if binding, ok := bindings[backend.Text("name")]; ok {
		version = "labels." + binding
	}
	fs.Add(version, backend.Text("version"), backend.At("version"))
	for _, k := range []string{"quantization_scheme", "torch_dtype", "dtype"} {
		if s := backend.Text(k); s != "auto" {
			fs.Add(record.FactPrecision, s, backend.At(k))
		}
	}
	env := config.Sub("environment")
	if s := backend.Text("processor"); s != res.Identity.Model {
		fs.Add(record.FactTokenizer, s, backend.At("processor"))
	}
	fs.Add(record.FactToolVersion, env.Text("optimum_benchmark_version"), env.At("optimum_benchmark_version"))
	fs.Add(record.FactCPU, env.Text("cpu"), env.At("cpu"))
	fs.Add(record.FactOS, env.Text("platform"), env.At("platform"))
	if mb, ok := env.Number("cpu_ram_mb"); ok && mb > 0 && mb < 1e12 {
		fs.Add(record.FactRAM, strconv.FormatFloat(math.Round(mb), 'f', -1, 64)+" MB", env.At("cpu_ram_mb"))
	}
	// The environment lists every device of the machine, device_ids those that were used.
	var all []string
	switch list := env.Value("gpu"); list.Kind() {
	case reading.KindArray:
		list.Items(func(_ int, v reading.Value) bool {
			all = append(all, v.Scalar())
			return true
		})
	default:
		if s := list.Scalar(); s != "" {
			all = []string{s}
		}
	}
	env.Use("gpu_count", "gpu_vram_mb")
	device, ids := backend.Text("device"), backend.Text("device_ids")
	if device != "cpu" && ids != "" {
		used, count := "", 0
		for _, id := range strings.Split(ids, ",") {
			i, err := strconv.Atoi(strings.TrimSpace(id))
			if err != nil || i < 0 || i >= len(all) || used != "" && all[i] != used {
				used = ""
				break
			}
			used = all[i]
			count++
		}
		if used != "" {
			fs.Add(record.FactHardware, used, env.At("gpu"))
			fs.Add(record.FactCount, strconv.Itoa(count), backend.At("device_ids"))
		}
	}
	env.Use("cpu_count", "system", "machine", "processor", "python_version")
	env.Each(func(k string, f reading.Value) {
		if env.Used(k) || !strings.HasSuffix(k, "_version") && !strings.HasSuffix(k, "_commit") {
			return
		}
		env.Use(k)
		if s := f.Scalar(); s != "" {
			fs.Add("labels."+k, s, env.At(k))
		}
	})
	res.Facts = fs
}

// measured is a report that is being read.
type measured struct {
	*reading.Object
	res *record.Result
}

// measure reads the stages of a report.
func measure(res *record.Result, report *reading.Object) {
	m := &measured{report, res}
	batch, in, out := 0.0, number(res.Workload.Nominal.Input), number(res.Workload.Nominal.Output)
	if b := res.Load.Batch; b != nil {
		batch = float64(*b)
	}
	var first, rest float64
	var firsts, rests int64
	if m.Has("prefill") {
		first, firsts = m.latency("prefill", metric.TTFT, 1)
		if n, unit := m.rate("prefill", "samples/s", "tokens/s"); batch > 0 {
			if unit == "samples/s" {
				n *= in
			}
			m.add(metric.PPSpeed, n/batch, "tok/s")
		}
	}
	if m.Has("decode") {
		if out > 1 {
			rest, rests = m.latency("decode", metric.TPOT, out-1)
		} else {
			rest, rests = m.latency("decode", "", 1)
		}
		if n, _ := m.rate("decode", "tokens/s"); batch > 0 {
			m.add(metric.TGSpeed, n/batch, "tok/s")
		}
	}
	if m.Has("per_token") {
		m.latency("per_token", metric.ITL, 1)
	}
	switch {
	case m.Has("generate"):
		m.add(metric.OutputThroughput, m.whole("generate")*out, "tok/s")
	case first > 0 && rest > 0 && firsts == rests && firsts > 0:
		// Each repetition is its prefill and its decoding: the mean of sums is the sum of means.
		res.Values = append(res.Values, record.Value{
			Quantity: metric.E2ELatency, Stat: metric.Mean, Number: metric.Round(first + rest), Unit: "s", N: firsts,
		})
		m.add(metric.OutputThroughput, batch*out/(first+rest), "tok/s")
	case m.Has("forward"):
		m.whole("forward")
	}
	res.Values = reading.Measured(res.Values, true)
}

// number is an optional number, 0 where it is missing.
func number(n *float64) float64 {
	if n == nil {
		return 0
	}
	return *n
}

// add adds a computed number, unless it is 0 or no number.
func (m *measured) add(q metric.ID, n float64, unit string) {
	if n = metric.Round(n); n > 0 && !math.IsInf(n, 0) {
		m.res.Values = append(m.res.Values, record.Value{Quantity: q, Stat: metric.Value, Number: n, Unit: unit})
	}
}

// whole reads a stage that is a request from its beginning to its end, and returns how many there were a second.
func (m *measured) whole(stage string) (rate float64) {
	m.latency(stage, metric.E2ELatency, 1)
	rate, _ = m.rate(stage, "samples/s")
	m.add(metric.RequestThroughput, rate, "req/s")
	return rate
}

// names are the statistics of a latency.
var names = []struct{ key, stat string }{
	{"mean", metric.Mean}, {"p50", metric.Median}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"},
	{"stdev", metric.Std},
}

// latency reads the latency of a stage as a quantity, divided by a number of tokens. It returns the mean in
// seconds, undivided, and of how many repetitions it is; 0 where the tool writes another unit, of which nothing
// is computed. Without a quantity no value is added.
func (m *measured) latency(stage string, q metric.ID, by float64) (mean float64, count int64) {
	in := m.Sub(stage).Sub("latency")
	// The values are what the statistics are of; the last is the deviation in percent.
	in.Use("values", "total", "stdev_")
	unit := in.Text("unit")
	switch unit {
	case "s", "ms", "us", "ns":
	case "":
		if in.Has("mean") {
			in.Bad("", "the latency of %q has no unit: it is left out", stage)
		}
		return 0, 0
	default:
		in.Bad("unit", "the latency of %q is in %q, \"s\" was expected: it is left out", stage, reading.Clip(unit))
		return 0, 0
	}
	if n := in.Count("count"); n != nil {
		count = *n
	}
	if q == "" {
		mean, _ = in.Number("mean")
	}
	for _, n := range names {
		if q == "" {
			in.Use(n.key)
			continue
		}
		x, ok := in.Number(n.key)
		if n.stat == metric.Mean {
			mean = x
		}
		if !ok || n.stat == metric.Std && count == 1 { // the deviation of one value is 0 by definition
			continue
		}
		v := record.Value{
			Quantity: q, Stat: n.stat, Number: x, Unit: unit, Key: "report." + stage + ".latency." + n.key, N: count,
		}
		if by != 1 {
			v.Number, v.Key = metric.Round(x/by), ""
		}
		m.res.Values = append(m.res.Values, v)
	}
	if unit != "s" {
		return 0, 0
	}
	return mean, count
}

// rate is the throughput of a stage and its unit, 0 where it is missing or in none of the units.
func (m *measured) rate(stage string, units ...string) (float64, string) {
	in := m.Sub(stage).Sub("throughput")
	n, ok := in.Number("value")
	unit := in.Text("unit")
	switch {
	case !ok || n <= 0:
		return 0, ""
	case slices.Contains(units, unit):
		return n, unit
	}
	in.Bad("unit", "the throughput of %q is in %q, %q was expected: it is left out", stage, reading.Clip(unit), units[0])
	return 0, ""
}
