// Package vllmoffline reads what vLLM's benchmarks without a server write with --output-json:
// `vllm bench latency`, `vllm bench throughput`, `vllm bench startup` and `vllm bench
// mm-processor`, each one small object; and what the first two print.
//
// Such a file names neither the model nor the lengths. Where its name does, as the suites of
// continuous integration write it ("latency_tiny_tp1.json", "tiny_throughput_req128_in128_out64.json"),
// it is taken from there.
package vllmoffline

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads results of vLLM's offline benchmarks.
var Format = &reading.Format{
	Name: "vllm-bench-offline",
	Doc: reading.Doc{
		Title: "vLLM latency, throughput and startup results",
		Tool:  "vLLM",
		Command: "vllm bench latency|throughput|startup|mm-processor --output-json F; " +
			"before 0.9 benchmark_latency.py, benchmark_throughput.py",
		Versions: "0.4.3 to 0.25.1",
		Files:    "latency_<model>_tp<n>.json, throughput_<model>_tp<n>.json, *.json, *.log, *.md",
		Reads: "Of latency the time of a batch with its percentiles, of throughput the requests and tokens a second " +
			"and the duration, of startup the time of each start, of the multimodal processor the end-to-end latency; " +
			"what latency and throughput print, with the arguments above it.",
		Unknown: "The model, the date, the GPU, the batch and the lengths stand in no such file, unless its name " +
			"says so; tokens a second are input and output together.",
	},
	MaxSize: 64 << 20,
	Marks:   []string{"Avg latency: ", " requests/s, "},
	Match: func(h *reading.Head) bool {
		if h.Kind == 't' {
			return shown.Match(h.Data)
		}
		return (h.Kind == '{' || h.Kind == '[') && kindOf(h.Keys) != nil
	},
	Clients: []string{"vllm bench latency", "vllm bench throughput", "benchmark_latency", "benchmark_throughput"},
	Read:    read,
}

// kind is one of the tools.
type kind struct {
	tool string
	is   func(keys map[string]bool) bool
	read func(*reader, *reading.Object, *record.Result)
}

var kinds = []*kind{
	{"vllm-bench-latency", func(k map[string]bool) bool {
		return k["avg_latency"] && (k["latencies"] || k["percentiles"]) && !k["model_id"]
	}, (*reader).latency},
	{"vllm-bench-throughput", func(k map[string]bool) bool {
		return k["elapsed_time"] && k["num_requests"] && k["requests_per_second"] && k["tokens_per_second"]
	}, (*reader).throughput},
	{"vllm-bench-mm-processor", func(k map[string]bool) bool {
		return k["mm_processor_stats"] && k["mean_e2el_ms"]
	}, (*reader).processor},
	{"vllm-bench-startup", func(k map[string]bool) bool {
		for key := range k {
			if m := startKey.FindStringSubmatch(key); m != nil && k[m[1]+"_times"] && k[m[1]+"_percentiles"] {
				return true
			}
		}
		return false
	}, (*reader).startup},
}

// startKey is the mean of a kind of start: "avg_cold_startup_time".
var startKey = regexp.MustCompile(`^avg_([a-z0-9_]+)_time$`)

func kindOf(keys map[string]bool) *kind {
	for _, k := range kinds {
		if k.is(keys) {
			return k
		}
	}
	return nil
}

// reader is the state of reading one file.
type reader struct {
	file, name string
	session    string
	emit       func(record.Record)
}

func read(src *reading.Source, emit func(record.Record)) error {
	if src.Head.Kind == 't' {
		readLog(src, emit)
		return nil
	}
	r := &reader{file: src.Path(), emit: emit}
	_, r.name = sessions.Split(r.file)
	r.name = strings.TrimSuffix(r.name, path.Ext(r.name))
	r.session = sessions.Group(r.file)
	reading.Each(src, true, "the result of a benchmark", r.record, emit)
	return nil
}

func (r *reader) record(o *reading.Object) {
	keys := map[string]bool{}
	o.Self().Fields(func(k string, _ reading.Value) bool { keys[k] = true; return true })
	k := kindOf(keys)
	if k == nil {
		o.Bad("", "no result of an offline benchmark of vLLM: its keys are missing")
		return
	}
	res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: k.tool}}}
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "vllm", o.Pos())
	model, tp := named(r.name)
	res.Identity.Model = model
	facts.Add(record.FactModel, model, o.Pos())
	facts.Add(record.FactCount, tp, o.Pos())
	for i := range facts {
		facts[i].Named = facts[i].Key == record.FactModel || facts[i].Key == record.FactCount
	}
	res.Facts = facts
	res.Key = record.SessionKey("vllm", k.tool, r.session)
	if in, out, ok := servingjson.Lengths(r.name); ok {
		res.Workload.Nominal, res.Workload.LengthSemantics = record.Lengths{Input: &in, Output: &out}, "tool nominal"
	}
	k.read(r, o, res)
	done := res.Completed == nil || *res.Completed > 0
	res.Values = reading.Measured(res.Values, done)
	o.Rest(res)
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64})
	if k.tool == "vllm-bench-startup" {
		// There is no load: what was measured is in profiles.
		r.emit(&record.Samples{Base: res.Base, Name: "startup", Kept: record.Kept{Raw: res.Raw}})
		return
	}
	r.emit(res)
}

var (
	suite   = regexp.MustCompile(`^(?:latency|throughput|startup)_(.+?)_tp([1-9][0-9]{0,3})(?:[_.-]|$)`)
	wrapped = regexp.MustCompile(`^(.+?)(?:_tp([1-9][0-9]{0,3}))?_(?:latency|throughput)(?:_|$)`)
	// What a name says of the batch that a latency is of: "np256", "bs8", "batch_8".
	batch = regexp.MustCompile(`(?i)(?:^|[_.-])(?:np|bs|batch)[_=-]?([1-9][0-9]{0,6})(?:[_.-]|$)`)
)

// named returns the model and the tensor parallelism that a name states.
func named(name string) (model, tp string) {
	if m := suite.FindStringSubmatch(name); m != nil {
		return m[1], m[2]
	}
	if m := wrapped.FindStringSubmatch(name); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

// latency reads the time that one batch took, over the repetitions.
func (r *reader) latency(o *reading.Object, res *record.Result) {
	o.Measure(&res.Values, metric.E2ELatency, metric.Mean, "s", "avg_latency")
	if m := batch.FindStringSubmatch(r.name); m != nil {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			res.Load.Batch = &n
		}
	}
	all := positive(o.Numbers("latencies"))
	if o.Value("percentiles").Kind() == reading.KindObject {
		sub := o.Sub("percentiles")
		sub.Each(func(k string, _ reading.Value) {
			if stat := reading.Percentile(k); stat != "" {
				sub.Measure(&res.Values, metric.E2ELatency, stat, "s", k)
			}
		})
	}
	if len(all) > 0 && len(all) == o.Value("latencies").Len() { // the mean beside them is of all
		res.Values = append(res.Values,
			record.Value{Quantity: metric.E2ELatency, Stat: metric.Min, Number: slices.Min(all), Unit: "s"},
			record.Value{Quantity: metric.E2ELatency, Stat: metric.Max, Number: slices.Max(all), Unit: "s"})
		for i := range res.Values {
			res.Values[i].N = int64(len(all))
		}
	}
}

// positive are the numbers above 0 of a list.
func positive(list []float64) []float64 {
	return slices.DeleteFunc(list, func(n float64) bool { return n <= 0 })
}

// throughput reads a run in which the engine got all prompts at once.
func (r *reader) throughput(o *reading.Object, res *record.Result) {
	res.Load.Rate = reading.AtOnce()
	res.Completed = o.Count("num_requests")
	res.Workload.NumPrompts = res.Completed
	// A wrapper in use adds the lengths, the second in this spelling.
	if in := o.Length("input"); in != nil {
		res.Workload.Nominal.Input = in
	}
	for _, k := range []string{"output", "ouput"} {
		if out := o.Length(k); out != nil {
			res.Workload.Nominal.Output = out
		}
	}
	n := res.Workload.Nominal
	if n.Input != nil || n.Output != nil {
		res.Workload.LengthSemantics = "tool nominal"
	}
	o.Measure(&res.Values, metric.Duration, metric.Value, "s", "elapsed_time")
	o.Measure(&res.Values, metric.RequestThroughput, metric.Value, "req/s", "requests_per_second")
	o.Measure(&res.Values, metric.TotalThroughput, metric.Value, "tok/s", "tokens_per_second")
	// Where every request had the lengths asked for, input and output can be told apart.
	wall, _ := o.Number("elapsed_time")
	tokens, ok := o.Number("total_num_tokens")
	if !ok || res.Completed == nil || *res.Completed == 0 || wall <= 0 || n.Input == nil || n.Output == nil {
		return
	}
	requests := float64(*res.Completed)
	if requests*(*n.Input+*n.Output) != tokens {
		return
	}
	res.Workload.Actual = n
	rate := func(q metric.ID, tokens float64) {
		res.Values = append(res.Values,
			record.Value{Quantity: q, Stat: metric.Value, Number: metric.Round(requests * tokens / wall),
				Unit: "tok/s"})
	}
	rate(metric.OutputThroughput, *n.Output)
	rate(metric.InputThroughput, *n.Input)
}

// processor reads the latencies of requests with pictures.
func (r *reader) processor(o *reading.Object, res *record.Result) {
	res.Completed, res.Failed = o.Count("completed"), o.Count("failed")
	for _, s := range []string{metric.Mean, metric.Median, metric.Std} {
		o.Measure(&res.Values, metric.E2ELatency, s, "ms", s+"_e2el_ms")
	}
	o.Value("percentiles_e2el_ms").Items(func(_ int, pair reading.Value) bool {
		var both []float64
		pair.Items(func(_ int, v reading.Value) bool {
			if n, ok := v.Finite(); ok {
				both = append(both, n)
			}
			return true
		})
		var stat string
		if len(both) == 2 && pair.Len() == 2 {
			stat = reading.Percentile(strconv.FormatFloat(both[0], 'g', -1, 64))
		}
		if stat == "" {
			o.Bad("percentiles_e2el_ms", "%s in \"percentiles_e2el_ms\" is no percentile with its time: it is left out",
				reading.Clip(string(pair.Compact(reading.Elide{}))))
			return true
		}
		res.Values = append(res.Values, record.Value{
			Quantity: metric.E2ELatency, Stat: stat, Number: both[1], Unit: "ms", Key: "percentiles_e2el_ms",
		})
		return true
	})
}

// startup emits a profile for each kind of start: its time in seconds, start by start.
func (r *reader) startup(o *reading.Object, res *record.Result) {
	o.Each(func(k string, _ reading.Value) {
		m := startKey.FindStringSubmatch(k)
		if m == nil {
			return
		}
		p := &record.Profile{
			Base: record.Base{At: o.At(k), Key: res.Key, Identity: res.Identity},
			Curves: record.Curves{
				Name: strings.ReplaceAll(m[1], "_", " "), Kind: "scatter", XLabel: "start", XUnit: "count",
				Lines: []record.Line{{Label: "time of a start", Unit: "s"}},
			},
		}
		times := m[1] + "_times"
		o.Value(times).Items(func(i int, v reading.Value) bool {
			if n, ok := v.Finite(); ok && n > 0 {
				p.X = append(p.X, float64(i+1))
				p.Lines[0].Y = append(p.Lines[0].Y, n)
			} else {
				o.Bad(times, "start %d in %q is no time: it is left out", i+1, times)
			}
			return i < 999
		})
		if len(p.X) > 0 {
			r.emit(p)
		}
	})
}
