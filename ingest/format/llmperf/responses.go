package llmperf

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// responses gathers the requests of one file.
type responses struct {
	at                record.Pos
	completed, failed int64
	empty             int64                // completed without an output token
	samples           map[string][]float64 // by llmperf's names
	errors            map[string]int64     // by code and last line of the message
	unmapped          []string
	first             []byte // the first request as read
}

// inputTokens and outputTokens are the names of the lengths of a request.
const inputTokens, outputTokens = "number_input_tokens", "number_output_tokens"

// empty is how many requests completed without an output token.
const empty = "without output"

// add reads one request. Nothing of a request that failed is a measurement: llmperf writes zeros
// or what it had so far.
func (s *responses) add(o *reading.Object, v reading.Value) {
	if s.first == nil {
		s.first = v.Compact(reading.Elide{Longer: 64})
	}
	code, message := o.Value("error_code"), o.Text("error_msg")
	o.Use("number_total_tokens") // the sum of the other two
	failed := code.Exists() && code.Kind() != reading.KindNull
	if failed {
		s.failed++
		text := "error code " + reading.Clip(code.Scalar())
		if l := reading.LastLine(message); l != "" {
			text += ": " + l
		}
		if _, known := s.errors[text]; !known && len(s.errors) >= 20 {
			text = "other errors"
		}
		s.errors[text]++
	} else {
		s.completed++
		if n, ok := o.Value(outputTokens).Finite(); ok && n == 0 {
			s.empty++
		}
	}
	sample := func(key string) {
		if n, ok := o.Number(key); ok && !failed && n > 0 {
			s.samples[key] = append(s.samples[key], n)
		}
	}
	sample(inputTokens)
	sample(outputTokens)
	for _, m := range measures {
		sample(m.Key)
	}
	for _, k := range o.Unmapped() {
		if len(s.unmapped) < 100 && !slices.Contains(s.unmapped, k) {
			s.unmapped = append(s.unmapped, k)
		}
	}
}

// emit gives the statistics as one *Samples: [finish] makes a point of it where no summary stands
// beside it. Its Nums are named "ttft_s median", its N "ttft_s n".
func (s *responses) emit(r *reader) {
	out := &record.Samples{
		Base:  record.Base{At: s.at, Key: record.SessionKey(tool, r.session), Identity: record.Identity{Tool: tool}},
		Name:  "responses",
		Nums:  map[string]float64{"completed": float64(s.completed), "failed": float64(s.failed)},
		Texts: map[string]string{},
		Kept:  record.Kept{Raw: s.raw()},
	}
	if s.empty > 0 {
		out.Nums[empty] = float64(s.empty)
	}
	if r.model != "" {
		out.Texts["model"] = r.model
	}
	if len(s.unmapped) > 0 {
		out.Texts["unmapped"] = strings.Join(s.unmapped, "\n")
	}
	if r.input != nil && r.output != nil {
		out.Nums["input"], out.Nums["output"] = *r.input, *r.output
	}
	var errors []string
	for text, n := range s.errors {
		errors = append(errors, strconv.FormatInt(n, 10)+" "+text)
	}
	if slices.Sort(errors); len(errors) > 0 {
		out.Texts["errors"] = strings.Join(errors, "\n")
	}
	for key, samples := range s.samples {
		out.Nums[key+" n"] = float64(len(samples))
		for stat, v := range statistics(samples) {
			if stat == metric.Mean || key != inputTokens && key != outputTokens {
				out.Nums[key+" "+stat] = v
			}
		}
	}
	r.emit(out)
}

// raw is what stays of the file: its first request stands for all, which have the same keys.
func (s *responses) raw() json.RawMessage {
	b := append([]byte(`{"requests":`), strconv.FormatInt(s.completed+s.failed, 10)...)
	b = append(b, `,"first":`...)
	return append(append(b, s.first...), '}')
}

// statistics of samples. The deviation is that of a sample (n-1), as pandas has it for the summary.
func statistics(samples []float64) map[string]float64 {
	n := float64(len(samples))
	mean, squares := 0.0, 0.0
	for _, x := range samples {
		mean += x / n // an overflow of the sum is no statistic
	}
	for _, x := range samples {
		squares += (x - mean) * (x - mean)
	}
	out := map[string]float64{metric.Mean: mean}
	if n > 1 {
		out[metric.Std] = math.Sqrt(squares / (n - 1))
	}
	var all quantile.Samples
	for _, x := range samples {
		all.Add(x)
	}
	for _, q := range percentiles {
		out[q.stat] = all.Percentile(q.p)
	}
	for k, v := range out {
		if out[k] = metric.Round(v); math.IsInf(v, 0) || math.IsNaN(v) {
			delete(out, k)
		}
	}
	return out
}

// percentiles are those that are computed.
var percentiles = []struct {
	stat string
	p    float64
}{
	{metric.Min, 0}, {metric.P25, 25}, {metric.Median, 50}, {metric.P75, 75}, {metric.P90, 90}, {metric.P95, 95},
	{metric.P99, 99}, {metric.Max, 100},
}

// order is that of the statistics of a computed value.
var order = []string{metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max, "p25", "p75", "p90", "p95", "p99"}

// finish makes a point of responses without a summary, and says of those with one what is wrong with both.
func finish(group []record.Record, emit func(record.Record)) {
	summaries := map[string]*record.Result{} // by the stem of the path
	for _, r := range group {
		if res, ok := r.(*record.Result); ok {
			summaries[stem(r.Pos().File)] = res
		}
	}
	for _, r := range group {
		s, ok := r.(*record.Samples)
		if !ok || s.Name != "responses" {
			continue
		}
		of := summaries[stem(s.At.File)]
		if of == nil {
			emit(point(s))
		} else if res := beside(s, of); len(res.Doubts) > 0 {
			emit(res)
		}
	}
}

// beside is what responses say of their summary: nothing but doubts, since it has all statistics.
func beside(s *record.Samples, of *record.Result) *record.Result {
	res := &record.Result{Base: s.Beside(), Workload: of.Workload, Load: of.Load, Repetition: of.Repetition}
	res.Identity, res.Date = of.Identity, of.Date
	doubt(res, s)
	computed := valuesOf(s)
	for _, m := range measures {
		if why, _ := quantile.Unlike(of.Values, computed, m.Quantity); why != "" {
			res.Doubt(record.DoubtStatistics, record.Remark, why)
		}
	}
	return res
}

// doubt says of the requests which completed without an output token.
func doubt(res *record.Result, s *record.Samples) {
	if n := int64(s.Nums[empty]); n > 0 {
		quantile.NoOutput(res, n, s.Count("completed"))
	}
}

// valuesOf are the statistics of responses.
func valuesOf(s *record.Samples) (out []record.Value) {
	for _, m := range measures {
		for _, stat := range order {
			if n, ok := s.Nums[m.Key+" "+stat]; ok {
				out = append(out, record.Value{
					Quantity: m.Quantity, Stat: stat, Number: n, Unit: m.Unit, N: int64(s.Nums[m.Key+" n"]),
				})
			}
		}
	}
	return out
}

func point(s *record.Samples) *record.Result {
	res := &record.Result{Base: s.Beside()}
	res.Identity = record.Identity{Tool: tool, Model: s.Texts["model"]}
	if m := res.Identity.Model; m != "" {
		res.Facts = []record.Fact{{Key: record.FactModel, Value: m}}
	}
	length := func(key string) *float64 {
		if n, ok := s.Nums[key]; ok && n > 0 {
			return &n
		}
		return nil
	}
	res.Completed, res.Failed = s.Count("completed"), s.Count("failed")
	reading.Submitted(res)
	w := &res.Workload
	w.Nominal = record.Lengths{Input: length("input"), Output: length("output")}
	w.Actual = record.Lengths{Input: length(inputTokens + " mean"), Output: length(outputTokens + " mean")}
	w.LengthSemantics, w.TokenCounting = "client tokenizer", "client tokenizer"
	res.Values = valuesOf(s)
	doubt(res, s)
	for _, line := range strings.Split(s.Texts["errors"], "\n") {
		number, text, _ := strings.Cut(line, " ")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && text != "" {
			res.Errors = append(res.Errors, record.ErrorCount{Text: text, Count: n})
		}
	}
	if u := s.Texts["unmapped"]; u != "" {
		res.Unmapped = strings.Split(u, "\n")
	}
	res.Raw = s.Raw
	return res
}
