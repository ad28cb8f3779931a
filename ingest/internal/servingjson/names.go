package servingjson

import (
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var quantities = [][2]string{
	{"ttft", string(metric.TTFT)}, {"tpot", string(metric.TPOT)}, {"itl", string(metric.ITL)},
	{"e2el", string(metric.E2ELatency)}, {"e2e_latency", string(metric.E2ELatency)},
	{"e2e latency", string(metric.E2ELatency)}, {"client_queue_time", string(metric.QueueTime)},
	{"client queue time", string(metric.QueueTime)},
}

// Quantity is the time that clients of serving benchmarks call so in lower case, "ttft", "" for any other name.
func Quantity(name string) metric.ID { return metric.ID(reading.Second(quantities, name)) }

// units are what stands behind the name of a time.
var units = [][2]string{{"_ms", "ms"}, {" (ms)", "ms"}, {" (s)", "s"}}

// Statistic is what a name says that clients of serving benchmarks give to a statistic of a time, as a
// key, "mean_ttft_ms", or printed, "Mean TTFT (ms)": a value with its quantity, statistic and unit, the
// name as its key, and no number. Ok is false for any other name.
func Statistic(name string) (v record.Value, ok bool) {
	lower := strings.ToLower(name)
	i := strings.IndexAny(lower, "_ ")
	if i < 0 || !statistic(lower[:i]) {
		return record.Value{}, false
	}
	for _, unit := range units {
		if what, ok := strings.CutSuffix(lower[i+1:], unit[0]); ok {
			q := Quantity(what)
			return record.Value{Quantity: q, Stat: lower[:i], Unit: unit[1], Key: name}, q != ""
		}
	}
	return record.Value{}, false
}

// statistic reports whether a name is that of a statistic that clients of serving benchmarks print.
func statistic(name string) bool {
	switch name {
	case metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max:
		return true
	}
	digits, ok := strings.CutPrefix(name, "p")
	whole, fraction, parted := strings.Cut(digits, ".")
	return ok && number(whole) && (!parted || number(fraction))
}

// number reports whether a text is digits.
func number(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}

// shared are the results of one number by the keys that clients of serving benchmarks share.
var shared = []record.Value{
	{Key: "duration", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "total_input_tokens", Quantity: metric.InputTokens, Stat: metric.Total, Unit: "tokens"},
	{Key: "total_output_tokens", Quantity: metric.OutputTokens, Stat: metric.Total, Unit: "tokens"},
	{Key: "request_throughput", Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	{Key: "request_goodput", Quantity: metric.Goodput, Stat: metric.Value, Unit: "req/s"},
	{Key: "request_goodput:", Quantity: metric.Goodput, Stat: metric.Value, Unit: "req/s"}, // up to 0.9
	{Key: "input_throughput", Quantity: metric.InputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "output_throughput", Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "total_token_throughput", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "max_output_tokens_per_s", Quantity: metric.PeakOutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "max_concurrent_requests", Quantity: metric.PeakConcurrency, Stat: metric.Value, Unit: "requests"},
}

// Scalar is what the number of a key is: one of more, each with its key, or a result that clients of serving benchmarks
// share. Ok is false for any other key.
func Scalar(more []record.Value, key string) (v record.Value, ok bool) {
	if v, ok = Named(more, key); ok {
		return v, true
	}
	return Named(shared, key)
}

// Named is the value of a list that has a key.
func Named(list []record.Value, key string) (v record.Value, ok bool) {
	for i := range list {
		if list[i].Key == key {
			return list[i], true
		}
	}
	return record.Value{}, false
}

// Measure adds to values the members of a record that are scalars, as [Scalar] knows them, or statistics, in their order.
func Measure(o *reading.Object, scalars []record.Value, values *[]record.Value) {
	o.Each(func(k string, _ reading.Value) {
		if v, ok := valueOf(scalars, k); ok {
			o.Measure(values, v.Quantity, v.Stat, v.Unit, k)
		}
	})
}

// valueOf is what the value of a key is, without its number; ok is false for a key that is neither a scalar nor a
// statistic.
func valueOf(scalars []record.Value, key string) (v record.Value, ok bool) {
	if v, ok = Scalar(scalars, key); ok {
		return v, true
	}
	return Statistic(key)
}

// Labels are keys of records by the labels, in lower case, that the tools print instead.
var Labels = [][2]string{
	{"successful requests", "completed"},
	{"failed requests", "failed"},
	{"benchmark duration (s)", "duration"},
	{"total input tokens", "total_input_tokens"},
	{"total generated tokens", "total_output_tokens"},
	{"request throughput (req/s)", "request_throughput"},
	{"request goodput (req/s)", "request_goodput"},
	{"input token throughput (tok/s)", "input_throughput"},
	{"output token throughput (tok/s)", "output_throughput"},
	{"total token throughput (tok/s)", "total_token_throughput"},
	{"peak output token throughput (tok/s)", "max_output_tokens_per_s"},
	{"peak concurrent requests", "max_concurrent_requests"},
	{"max request concurrency", "max_concurrency"},
	{"maximum request concurrency", "max_concurrency"},
	{"request rate configured (rps)", "request_rate"},
	{"traffic request rate", "request_rate"},
}

// Trace is the workload of a client that sends requests at the times of a trace, which is no load.
const Trace = "arrivals of a trace"

// Drawn says how the lengths of random prompts of SGLang's client are distributed, which it draws from [ratio x
// length, length], at least 1; false where the ratio is none.
func Drawn(w *record.Workload, ratio float64) bool {
	switch {
	case !(ratio >= 0 && ratio <= 1):
		return false
	case ratio == 1:
		w.Distribution = "fixed"
	case ratio == 0:
		w.Distribution = "uniform from 1 to nominal"
	default:
		w.Distribution = "uniform from " + strconv.FormatFloat(metric.Round(100*ratio), 'g', -1, 64) + "% to 100% of nominal"
	}
	return true
}
