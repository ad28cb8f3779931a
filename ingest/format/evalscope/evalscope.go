// Package evalscope reads what EvalScope's perf leaves in the folder of each measurement: its summary, the percentiles
// of its requests, and the arguments of the client; and the tables of the first two as it prints them. They become one
// point.
//
// Where the answers were not streamed, the tool writes the latency of a request as its TTFT: nothing of a stream is read
// then. Releases that count packages of a stream give the mean time between these as the time per output token, and
// older ones another time: it is not read of them.
package evalscope

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "evalscope-perf"

// Format reads measurements of EvalScope.
var Format = &reading.Format{
	Name: tool,
	Doc: reading.Doc{
		Title:    "EvalScope serving results",
		Tool:     "EvalScope",
		Command:  "evalscope perf, with | tee F too",
		Versions: "0.7 to 1.9",
		Files:    "benchmark_summary.json, benchmark_percentile.json, benchmark_args.json, benchmark.log, *.log, *.md",
		Reads: "Each measurement with its load, counts, throughputs and the statistics of TTFT, TPOT, ITL, end-to-end latency " +
			"and the speed of a request; from the arguments beside it, or from the command above what was printed, the model, " +
			"the data set and the lengths asked for.",
		Unknown: "The GPU, the engine and its version stand in no such file, the model in the arguments alone, the date in the " +
			"name of a folder. What was printed repeats the files: read one of them, unless it is the benchmark.log beside them.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == '{' && (h.Has("Number of concurrency", "Succeed requests") ||
			h.Has("Concurrency", "Success Requests") || h.Has("log_every_n_query", "parallel", "number")) ||
			h.Kind == '[' && (h.Has("Percentiles", "Latency (s)") || h.Has("Percentile", "Latency (s)")) ||
			h.Kind != 'b' && h.Kind != 0 && len(h.Keys) == 0 && shown.Match(h.Data)
	},
	Marks:   []string{"Time taken for tests (s)", "Test Duration (s)"},
	Clients: []string{"evalscope perf"},
	Read:    read,
	Finish:  finish,
}

// The parts of a measurement.
const (
	summary     = "summary"
	percentiles = "percentiles"
	arguments   = "arguments"
)

// noNumbers says which member of a part is NaN, the first one of all rows.
const noNumbers = "not a number"

var (
	// of is the name of a folder that is one of a sweep.
	of = regexp.MustCompile(`(?:parallel|rate)_[0-9.]+_(?:number|run)_[0-9]+$`)
	// dated is a folder that is named by when the measurement began.
	dated = regexp.MustCompile(`(?:.*[/!]|^)([0-9]{8}_[0-9]{6})[/!]`)
)

// part is a part of a measurement, of which nothing is known yet.
func part(name string, at record.Pos) *record.Samples {
	s := &record.Samples{Name: name, Nums: map[string]float64{}, Texts: map[string]string{}}
	s.At, s.Identity.Tool = at, tool
	return s
}

// summarize reads a summary.
func summarize(o *reading.Object, s *record.Samples) {
	numbers(o, s)
	o.Each(func(k string, _ reading.Value) { measured(o, s, k, "") })
}

// percentile reads a row of percentiles and reports whether its name is one of such.
func percentile(o *reading.Object, s *record.Samples, name string) bool {
	stat := strings.TrimSuffix(name, "%")
	if stat != metric.Min && stat != metric.Max {
		stat = reading.Percentile(stat)
	}
	if stat == "" {
		o.Bad("", "a row of %q where one of a percentile from 0 to 100 should stand", reading.Clip(name))
		return false
	}
	o.Each(func(k string, _ reading.Value) { measured(o, s, k, stat) })
	return true
}

func read(src *reading.Source, emit func(record.Record)) error {
	if len(src.Head.Keys) == 0 && src.Head.Kind != '[' && src.Head.Kind != '{' {
		readPrinted(src, emit)
		return nil
	}
	file := src.Path()
	folder, _ := sessions.Split(file)
	if above, name := sessions.Split(folder); of.MatchString(name) {
		folder = above
	}
	var rows *record.Samples // those of percentiles are one part
	var raws [][]byte        // of each of them
	reading.Values(src, true, func(v reading.Value) {
		o := reading.NewObject(file, v, emit)
		s := part("", o.Pos())
		s.Key = record.SessionKey(tool, folder)
		row := o.Text("Percentiles") + o.Text("Percentile")
		switch {
		case o.Has("Succeed requests") || o.Has("Success Requests"):
			s.Name = summary
			summarize(o, s)
		case row != "":
			if rows == nil {
				rows = s
				s.Name = percentiles
			}
			if s = rows; !percentile(o, s, row) {
				return
			}
		case o.Has("log_every_n_query"):
			s.Name = arguments
			numbers(o, s)
			for _, k := range []string{"model", "dataset", openLoop} {
				if t := o.Text(k); t != "" {
					s.Texts[k] = t
				}
			}
			o.Fact((*reading.Facts)(&s.Facts), record.FactModel, "model")
			o.Fact((*reading.Facts)(&s.Facts), record.FactTokenizer, "tokenizer_path")
			o.Use(unused...)
		default:
			o.Bad("", "no file of a measurement of EvalScope: it lacks \"Success Requests\" and \"Percentiles\"")
			return
		}
		var told record.Result
		o.NotNumbers(&told)
		if len(told.Doubts) > 0 && s.Texts[noNumbers] == "" {
			s.Texts[noNumbers] = told.Doubts[0].Text
		}
		for _, k := range o.Unmapped() {
			if !slices.Contains(s.Unmapped, k) {
				s.Unmapped = append(s.Unmapped, k)
			}
		}
		raw := o.Self().Compact(reading.Elide{Longer: 64, Drop: private})
		if s == rows {
			raws = append(raws, raw)
			return
		}
		s.Raw = raw
		emit(s)
	}, emit)
	if len(raws) > 0 {
		rows.Raw = slices.Concat([]byte{'['}, bytes.Join(raws, []byte{','}), []byte{']'})
		emit(rows)
	}
	return nil
}

// private are members that hold secrets, texts of prompts, addresses and paths of a machine; unused are arguments that say
// nothing of what was measured.
var (
	private = []string{
		"api_key", "headers", "wandb_api_key", "swanlab_api_key", "url", "prompt", "query_template", "outputs_dir", "dataset_path",
		"Result DB path",
	}
	unused = append([]string{"log_every_n_query", "model_id", "api", "name", "debug"}, private...)
)

// counts are the numbers of requests of a summary, and what they are here: newer releases have other names for them.
var counts = [][2]string{
	{"Total requests", "submitted"}, {"Succeed requests", "completed"}, {"Failed requests", "failed"},
	{"Total Requests", "submitted"}, {"Success Requests", "completed"}, {"Failed Requests", "failed"},
}

// names are the other numbers of summaries and arguments that are no metrics.
var names = [][2]string{
	{"Number of concurrency", "parallel"}, {"Request rate (req/s)", "rate"},
	{"Concurrency", "parallel"}, {"Request Rate (req/s)", "rate"},
	{"Average input tokens per request", "input"}, {"Average output tokens per request", "output"},
	{"Avg Input Tokens", "input"}, {"Avg Output Tokens", "output"},
	{"parallel", "parallel"}, {"rate", "rate"}, {"number", "prompts"},
	{"min_prompt_length", "least input"}, {"max_prompt_length", "most input"},
	{"min_tokens", "least output"}, {"max_tokens", "most output"},
}

// numbers keeps numbers that are not below 0: -1 stands for what is not limited and what was not measured.
func numbers(o *reading.Object, s *record.Samples) {
	for _, name := range counts {
		if n := o.Count(name[0]); n != nil {
			s.Nums[name[1]] = float64(*n)
		}
	}
	for _, name := range names {
		if n, ok := o.Number(name[0]); ok && n >= 0 {
			s.Nums[name[1]] = n
		}
	}
}

// scalars are the results of a summary whose names are not those of columns of percentiles.
var scalars = []record.Value{
	{Key: "Time taken for tests (s)", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "Test Duration (s)", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "Output token throughput (tok/s)", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Output Throughput (tok/s)", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Throughput(average tokens/s)", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Input token throughput (tok/s)", Quantity: metric.InputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Input Throughput (tok/s)", Quantity: metric.InputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Total token throughput (tok/s)", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Total Throughput (tok/s)", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "Request throughput (req/s)", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "Req Throughput (req/s)", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "Average QPS", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "Average latency (s)", Quantity: metric.E2ELatency, Stat: metric.Mean, Unit: "s"},
	{Key: "Average time to first token (s)", Quantity: metric.TTFT, Stat: metric.Mean, Unit: "s"},
	{Key: "Average time per output token (s)", Quantity: metric.TPOT, Stat: metric.Mean, Unit: "s"},
	{Key: "Average inter-token latency (s)", Quantity: metric.ITL, Stat: metric.Mean, Unit: "s"},
}

// measured adds a member that is a metric to the values of a part: one of a row of percentiles, or of a summary, which has
// means. Nothing was measured where it is below 0.
func measured(o *reading.Object, s *record.Samples, key, stat string) {
	v, ok := record.Value{}, false
	if stat == "" {
		stat = metric.Mean
		v, ok = servingjson.Named(scalars, key)
	}
	switch name := strings.TrimPrefix(key, "Avg "); {
	case ok:
	case strings.HasPrefix(name, "Output ") && strings.HasSuffix(name, "(tok/s)"):
		v, ok = record.Value{Quantity: metric.SpeedPerRequest, Stat: stat, Unit: "tok/s"}, true
	default:
		name = strings.Replace(name, "First Chunk Latency", "TTFT", 1)
		v, ok = servingjson.Statistic(stat + " " + strings.Replace(name, "Latency", "E2E latency", 1))
	}
	if !ok || v.Quantity == metric.TPOT && o.Has("Average package per request") {
		return
	}
	// Of embeddings newer releases write 0 for the throughputs that they have not.
	if n, ok := o.Number(key); ok && n >= 0 && (n > 0 || v.Unit != "tok/s") {
		v.Number, v.Key = n, key
		s.Values = append(s.Values, v)
	}
}

// stem is what the files of one measurement share: their folder, and what stands before the tool's own names.
func stem(s *record.Samples) string {
	folder, name := sessions.Split(s.At.File)
	return folder + "/" + name[:max(0, strings.Index(name, "benchmark_"))]
}

// finish makes a point of the parts of each measurement.
func finish(group []record.Record, emit func(record.Record)) {
	parts := map[string]*record.Samples{} // nil where there are several, and nobody can say which one belongs to the others
	for _, r := range group {
		if s, ok := r.(*record.Samples); ok {
			at := s.Name + stem(s)
			if _, twice := parts[at]; twice {
				s = nil
			}
			parts[at] = s
		}
	}
	for _, r := range group {
		s, ok := r.(*record.Samples)
		if !ok || s.Name == arguments {
			continue
		}
		sums, summed := parts[summary+stem(s)]
		if s.Name == summary {
			sums = s
		} else if summed && sums == nil {
			continue
		}
		emit(point(s, sums, parts[arguments+stem(s)]))
	}
}

// point is what a part says of a measurement, with what its summary and the arguments say of it; both may be nil.
func point(s, sums, args *record.Samples) *record.Result {
	res := &record.Result{Base: s.Beside(), Values: s.Values}
	file := s.At.File
	if m := dated.FindStringSubmatch(file); m != nil {
		res.Date = m[1]
	}
	if sums == nil {
		sums = &record.Samples{}
	}
	if args == nil {
		args = &record.Samples{}
	}
	// number is a number above 0, of the summary rather than of the arguments.
	number := func(name string) *float64 {
		n := sums.Nums[name]
		if n == 0 {
			n = args.Nums[name]
		}
		if n == 0 {
			return nil
		}
		return &n
	}
	count := func(name string) *int64 {
		if n := number(name); n != nil && *n == math.Trunc(*n) {
			whole := int64(*n)
			return &whole
		}
		return nil
	}
	res.Identity.Model, res.Facts = args.Texts["model"], args.Facts
	w := &res.Workload
	w.Dataset, w.NumPrompts = args.Texts["dataset"], count("prompts")
	if t := s.Texts[noNumbers]; t != "" {
		res.Doubt(record.DoubtNotANumber, record.Remark, t)
	}
	w.Actual = record.Lengths{Input: number("input"), Output: number("output")}
	if n := args.Nums; n["least input"] == n["most input"] {
		w.Nominal.Input = number("most input")
	}
	if n := args.Nums; n["least output"] == n["most output"] {
		w.Nominal.Output = number("most output")
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	res.Load.Rate = (*record.Float)(number("rate"))
	_, folder := sessions.Split(reading.Dir(file))
	if !strings.HasPrefix(folder, "rate_") && !strings.EqualFold(args.Texts[openLoop], "true") {
		res.Load.MaxConcurrency = count("parallel")
	}
	done := true
	if s == sums {
		res.Submitted, res.Completed, res.Failed = s.Count("submitted"), s.Count("completed"), s.Count("failed")
		done = s.Nums["completed"] > 0
	}
	res.Values = reading.Measured(res.Values, done)
	reading.FirstTokens(res)
	// Of few tokens the last one is hardly later than the first; times of percentiles have two decimals.
	first, last, n := time(sums, s, metric.TTFT), time(sums, s, metric.E2ELatency), sums.Nums["output"]
	if first > 0 && last > 0 && last-first < 0.006 && (n == 0 || n > 3) {
		w.Streaming = new(bool)
		res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool {
			return v.Quantity == metric.TTFT || v.Quantity == metric.TPOT || v.Quantity == metric.ITL
		})
	}
	return res
}

// time is the mean or median of a time in seconds, 0 where it is not known.
func time(sums, s *record.Samples, q metric.ID) (seconds float64) {
	if len(sums.Values) > 0 {
		s = sums
	}
	for _, v := range s.Values {
		if v.Quantity == q && (v.Stat == metric.Mean || v.Stat == metric.Median) {
			seconds, _, _ = metric.Convert(v.Number, v.Unit)
		}
	}
	return seconds
}
