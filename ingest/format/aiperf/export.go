package aiperf

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// own are members that only AIPerf writes.
var own = []string{
	"aiperf_version", "schema_version", "was_cancelled", "error_summary",
	"run_info", "min_request_timestamp", "inter_chunk_latency",
}

// texts are what was asked and answered.
var texts = []string{"prompt", "prompts_text", "text", "content", "messages"}

// export reads one JSON export.
func (r *reader) export(v reading.Value) {
	o := reading.NewObject(r.file, v, r.emit)
	if !o.Is("the export of a measurement") {
		return
	}
	if v.Get("request_latency").Kind() != reading.KindObject &&
		v.Get("request_throughput").Kind() != reading.KindObject {
		o.Bad("", "no export of AIPerf or GenAI-Perf: it lacks \"request_latency\" and \"request_throughput\"")
		return
	}
	res := &record.Result{Base: record.Base{At: o.Pos(), Key: r.key, Identity: record.Identity{Tool: genaiPerf}}}
	for _, k := range own {
		if v.Get(k).Exists() {
			res.Identity.Tool = aiperf
		}
	}
	config := o.Value("input_config")
	info := o.Value("run_info")
	facts := reading.Facts{}

	res.Identity.Model = model(config)
	facts.Add(record.FactModel, res.Identity.Model, o.At("input_config"))
	// A sweep that the tool ran itself has a name; a measurement's own id would tell its points apart.
	res.Identity.Session = info.Get("sweep_id").Scalar()
	o.Fact(&facts, record.FactToolVersion, "aiperf_version")
	facts.Add(record.FactClientCommand, info.Get("cli_command").Scalar(), o.At("run_info"))
	facts.Add(record.FactClientCommand, config.Get("cli_command").Scalar(), o.At("input_config")) // before 0.10
	facts.Add(record.FactTokenizer, tokenizer(config), o.At("input_config"))

	m := measure(o)
	res.Values, res.Completed, res.Failed = m.values, m.completed, m.failed
	reading.Submitted(res)
	res.Workload.Actual = m.actual
	res.Date = o.Text("start_time")
	if res.Date == "" && m.started > 0 {
		res.Date = date(m.started)
	}
	o.Use("start_time", "end_time", "schema_version", "benchmark_id")
	setLoad(res, config, r.file)
	describe(&res.Workload, config)
	if res.Workload.Streaming == nil {
		for _, x := range m.values {
			if x.Quantity == metric.TTFT || x.Quantity == metric.ITL {
				on := true
				res.Workload.Streaming = &on
			}
		}
	}
	r.errors(o, res)
	system := r.telemetry(o, res)

	if o.Text("was_cancelled") == "true" {
		r.emit(&record.Note{
			Base: res.BesideAt(o.At("was_cancelled")), Code: "cancelled", Severity: record.Warning,
			Text: "the measurement was cancelled before its end",
		})
	}
	res.Facts = facts
	o.Rest(res)
	res.Raw = v.Compact(reading.Elide{Longer: 256, Texts: texts})
	r.emit(res)
	if system != nil {
		r.emit(system)
	}
	r.client(o, config, res)
}

// model is the model as written; several are joined.
func model(config reading.Value) string {
	var names []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			names = append(names, s)
		}
	}
	for _, v := range []reading.Value{
		config.Get("endpoint").Get("model_names"), config.Get("model_names"), config.Get("model"), config.Get("models"),
	} {
		if v.Kind() == reading.KindObject {
			v = v.Get("items")
		}
		if s, ok := v.Str(); ok {
			add(s)
		}
		v.Items(func(_ int, e reading.Value) bool {
			if e.Kind() == reading.KindObject {
				e = e.Get("name")
			}
			add(e.Scalar())
			return len(names) < 20
		})
		if len(names) > 0 {
			break
		}
	}
	if len(names) == 0 {
		add(config.Get("formatted_model_name").Scalar())
	}
	return strings.Join(names, ", ")
}

func tokenizer(config reading.Value) string {
	t := config.Get("tokenizer")
	if s, ok := t.Str(); ok {
		return s
	}
	return t.Get("name").Scalar()
}

// positive returns the first of values that is a number above 0. Null and -1 are "not set".
func positive(values ...reading.Value) (float64, bool) {
	for _, v := range values {
		f, ok := v.Finite()
		if s, is := v.Str(); is {
			n, err := strconv.ParseFloat(s, 64)
			f, ok = n, err == nil
		}
		if ok && f > 0 && f < 1e15 {
			return f, true
		}
	}
	return 0, false
}

// phase is the measured phase: the one that is not left out of the results.
func phase(config reading.Value) (p reading.Value) {
	config.Get("phases").Items(func(_ int, e reading.Value) bool {
		out, _ := e.Get("exclude_from_results").Truth()
		if out || e.Get("kind").Scalar() == "warmup" || e.Get("name").Scalar() == "warmup" {
			return true
		}
		p = e
		return e.Get("name").Scalar() != "profiling"
	})
	return p
}

// setLoad reads the load of all shapes that the configuration has had, and of the folder's name
// where it has none.
func setLoad(res *record.Result, config reading.Value, file string) {
	gen, p, analyzer := config.Get("loadgen"), phase(config), config.Get("perf_analyzer")
	stimulus := analyzer.Get("stimulus")
	res.Load.MaxConcurrency = whole(p.Get("concurrency"), gen.Get("concurrency"), stimulus.Get("concurrency"),
		config.Get("concurrency"))
	if f, ok := positive(p.Get("rate"), gen.Get("request_rate"), stimulus.Get("request_rate"),
		config.Get("request_rate")); ok {
		rate := record.Float(f)
		res.Load.Rate = &rate
		mode := gen.Get("request_rate_mode").Scalar() + p.Get("type").Scalar() + gen.Get("arrival_pattern").Scalar()
		if strings.Contains(strings.ToLower(mode), "poisson") {
			one := 1.0
			res.Load.Burstiness = &one
		}
	}
	if p.Get("type").Scalar() == "fixed_schedule" || config.Get("input").Get("fixed_schedule").Scalar() == "true" {
		res.Workload.Name = "arrivals of a trace"
	}
	if res.Load == (record.Load{}) && res.Workload.Name == "" {
		res.Load = loadOf(file)
	}
	res.Workload.NumPrompts = whole(p.Get("requests"), gen.Get("request_count"), analyzer.Get("measurement").Get("num"),
		config.Get("request_count"))
	res.Workload.Warmup = whole(gen.Get("warmup_request_count"), analyzer.Get("warmup_request_count"),
		config.Get("warmup_request_count"))
}

// whole is as [positive] for a count: nil where the first number above 0 is no whole one.
func whole(values ...reading.Value) *int64 {
	f, ok := positive(values...)
	n := int64(f)
	if !ok || f != float64(n) {
		return nil
	}
	return &n
}

// describe reads what was asked for, apart from how hard.
func describe(w *record.Workload, config reading.Value) {
	endpoint, input := config.Get("endpoint"), config.Get("input")
	for _, v := range []reading.Value{endpoint.Get("streaming"), config.Get("streaming")} {
		if on, ok := v.Truth(); ok {
			w.Streaming = &on
			break
		}
	}
	if on, ok := endpoint.Get("use_server_token_count").Truth(); ok && on {
		w.TokenCounting = "server usage"
	}
	w.IgnoreEOS = ignoreEOS(input.Get("extra_inputs_parsed"), config.Get("extra_inputs"), input.Get("extra"),
		endpoint.Get("extra"),
		endpoint.Get("extra_inputs"))
	var set reading.Value
	config.Get("datasets").Items(func(_ int, e reading.Value) bool { set = e; return false })
	if w.Dataset = dataset(config, set); w.Dataset == "" {
		synthetic(w, config, set)
	}
}

// ignoreEOS finds the setting in what is sent beside the prompt: an object, or a list of pairs or of
// texts. Nil where it stands in none.
func ignoreEOS(extras ...reading.Value) *bool {
	for _, v := range extras {
		on, ok := v.Get("ignore_eos").Truth()
		v.Items(func(_ int, pair reading.Value) bool {
			var key string
			pair.Items(func(i int, e reading.Value) bool {
				switch {
				case i == 0:
					key = e.Scalar()
				case key == "ignore_eos":
					on, ok = e.Scalar() == "true", true
				}
				return i < 1
			})
			if s, is := pair.Str(); is && strings.HasPrefix(s, "ignore_eos:") {
				on, ok = strings.EqualFold(strings.TrimPrefix(s, "ignore_eos:"), "true"), true
			}
			return true
		})
		if ok {
			return &on
		}
	}
	return nil
}

// dataset is the name of the data set; empty for prompts that the tool made.
func dataset(config, set reading.Value) string {
	input := config.Get("input")
	for _, v := range []reading.Value{
		input.Get("public_dataset"), input.Get("file"), config.Get("input_dataset"),
		set.Get("dataset"), set.Get("path"),
	} {
		if s := strings.TrimSpace(v.Scalar()); s != "" {
			return path.Base(s)
		}
	}
	if kind := set.Get("type").Scalar(); set.Exists() && kind != "synthetic" {
		return cmp.Or(set.Get("name").Scalar(), kind)
	}
	return ""
}

// synthetic reads the lengths of prompts that the tool made.
func synthetic(w *record.Workload, config, set reading.Value) {
	input, prompts := config.Get("input"), set.Get("prompts")
	prompt := input.Get("prompt")
	in := length(prompts.Get("isl"), prompt.Get("input_tokens"), input.Get("synthetic_tokens"),
		input.Get("prompt_tokens"))
	out := length(prompts.Get("osl"), prompt.Get("output_tokens"), input.Get("output_tokens"),
		config.Get("output").Get("tokens"))
	if in.mean == 0 {
		in.mean, _ = positive(config.Get("synthetic_input_tokens_mean"))
		in.deviation, _ = positive(config.Get("synthetic_input_tokens_stddev"))
	}
	if out.mean == 0 {
		out.mean, _ = positive(config.Get("output_tokens_mean"))
		out.deviation, _ = positive(config.Get("output_tokens_stddev"))
	}
	if in.mean == 0 && out.mean == 0 {
		return
	}
	w.Dataset, w.LengthSemantics, w.Distribution = "synthetic", "tool nominal", "fixed"
	if in.mean > 0 {
		w.Nominal.Input = &in.mean
	}
	if out.mean > 0 {
		w.Nominal.Output = &out.mean
	}
	if in.deviation > 0 || out.deviation > 0 {
		w.Distribution = fmt.Sprintf("normal, deviation %.6g in and %.6g out", in.deviation, out.deviation)
	}
}

// lengths are a mean and a deviation, 0 where they are not known.
type lengths struct{ mean, deviation float64 }

// length reads a number of tokens: a number, {value} or {mean, stddev}.
func length(values ...reading.Value) (l lengths) {
	for _, v := range values {
		if n, ok := positive(v, v.Get("mean"), v.Get("value")); ok {
			l.mean = n
			l.deviation, _ = positive(v.Get("stddev"))
			return l
		}
	}
	return l
}

// maxErrors is how many different errors of a measurement are kept.
const maxErrors = 20

// errors reads the summary of failed requests.
func (r *reader) errors(o *reading.Object, res *record.Result) {
	counts := map[string]int64{}
	o.Value("error_summary").Items(func(_ int, e reading.Value) bool {
		n, ok := e.Get("count").Int()
		if s := errorText(e.Get("error_details")); ok && n > 0 && s != "" {
			counts[s] += n
		}
		return len(counts) < maxErrors
	})
	res.Errors = reading.Errors(counts)
}

// errorText is class and last line of an error.
func errorText(e reading.Value) string {
	s := reading.LastLine(e.Get("message").Scalar())
	for _, k := range []string{"type", "code"} {
		if t := e.Get(k).Scalar(); t != "" && !strings.Contains(s, t) {
			s = strings.TrimSuffix(t+": "+s, ": ")
		}
	}
	return reading.Clip(s)
}

// telemetry reads the GPUs that were watched, which may be more than served. Their power is the sum
// of their means.
func (r *reader) telemetry(o *reading.Object, res *record.Result) *record.System {
	s := &record.System{Base: res.BesideAt(o.At("telemetry_data"))}
	watts, counted := 0.0, 0
	names := map[string]bool{}
	o.Value("telemetry_data").Get("endpoints").Fields(func(_ string, e reading.Value) bool {
		e.Get("gpus").Fields(func(_ string, g reading.Value) bool {
			name := g.Get("gpu_name").Scalar()
			if name == "" || len(s.Devices) >= 1024 {
				return true
			}
			names[name] = true
			d := record.Device{Name: name}
			total := g.Get("metrics").Get("gpu_memory_total")
			if mib, ok := positive(total.Get("avg")); ok && strings.EqualFold(total.Get("unit").Scalar(), "GB") {
				mib = metric.Round(mib * 1e9 / (1 << 20))
				d.MemoryMiB = &mib
			}
			limit := g.Get("metrics").Get("power_management_limit")
			if w, ok := positive(limit.Get("avg")); ok && limit.Get("unit").Scalar() == "W" {
				d.PowerLimit = &w
			}
			power := g.Get("metrics").Get("gpu_power_usage")
			if w, ok := positive(power.Get("avg")); ok && power.Get("unit").Scalar() == "W" {
				watts += w
				counted++
			}
			s.Devices = append(s.Devices, d)
			return true
		})
		return true
	})
	if len(s.Devices) == 0 {
		return nil
	}
	if counted == len(s.Devices) {
		res.Values = append(res.Values, record.Value{
			Quantity: metric.Power, Stat: metric.Value, Number: metric.Round(watts), Unit: "W",
			Key: "telemetry_data.endpoints",
		})
	}
	if len(names) == 1 {
		s.Facts = []record.Fact{{Key: record.FactHardware, Value: s.Devices[0].Name, At: o.At("telemetry_data")}}
	}
	return s
}

// client emits how the requests were sent, as far as it is the same for all loads of a sweep.
func (r *reader) client(o *reading.Object, config reading.Value, res *record.Result) {
	p := &record.Params{Base: res.BesideAt(o.At("input_config")), Of: "client"}
	for _, part := range []string{"endpoint", "tokenizer"} {
		v := config.Get(part)
		v.Fields(func(k string, f reading.Value) bool {
			if k != "" && f.Kind() != reading.KindNull {
				line, col := f.Place()
				at := record.Pos{File: r.file, Line: line, Col: col}
				p.Params = append(p.Params, record.Param{Name: part + "." + k,
					Value: f.Compact(reading.Elide{Longer: 256}), At: at})
			}
			return true
		})
	}
	if len(p.Params) > 0 {
		r.emit(p)
	}
}
