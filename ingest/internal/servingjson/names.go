package servingjson

import (
	"maps"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

var statistic = regexp.MustCompile(`(?i)^(mean|median|std|min|max|p[0-9]+(?:\.[0-9]+)?)[_ ]` +
	`(ttft|tpot|itl|e2el|e2e[_ ]latency|client_queue_time)(?:_(ms)| \((ms|s)\))$`)

var quantities = map[string]metric.ID{
	"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL,
	"e2el": metric.E2ELatency, "e2e_latency": metric.E2ELatency, "client_queue_time": metric.QueueTime,
}

// Statistic is what a name says that clients of serving benchmarks give to a statistic of a time, as a
// key, "mean_ttft_ms", or printed, "Mean TTFT (ms)": a value with its quantity, statistic and unit, the
// name as its key, and no number. Ok is false for any other name.
func Statistic(name string) (v record.Value, ok bool) {
	m := statistic.FindStringSubmatch(name)
	if m == nil {
		return record.Value{}, false
	}
	for i := range m {
		m[i] = strings.ToLower(m[i])
	}
	q := quantities[strings.ReplaceAll(m[2], " ", "_")]
	return record.Value{Quantity: q, Stat: m[1], Unit: m[3] + m[4], Key: name}, true
}

// Scalars are the results of one number by the keys that clients of serving benchmarks share, and more
// beside them.
func Scalars(more map[string]record.Value) map[string]record.Value {
	all := map[string]record.Value{
		"duration":                {Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
		"total_input_tokens":      {Quantity: metric.InputTokens, Stat: metric.Total, Unit: "tokens"},
		"total_output_tokens":     {Quantity: metric.OutputTokens, Stat: metric.Total, Unit: "tokens"},
		"request_throughput":      {Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
		"request_goodput":         {Quantity: metric.Goodput, Stat: metric.Value, Unit: "req/s"},
		"request_goodput:":        {Quantity: metric.Goodput, Stat: metric.Value, Unit: "req/s"}, // up to 0.9
		"input_throughput":        {Quantity: metric.InputThroughput, Stat: metric.Value, Unit: "tok/s"},
		"output_throughput":       {Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
		"total_token_throughput":  {Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
		"max_output_tokens_per_s": {Quantity: metric.PeakOutputThroughput, Stat: metric.Value, Unit: "tok/s"},
		"max_concurrent_requests": {Quantity: metric.PeakConcurrency, Stat: metric.Value, Unit: "requests"},
	}
	maps.Copy(all, more)
	return all
}

// Measure adds to values the members of a record that are scalars or statistics, in their order.
func Measure(o *object.Object, scalars map[string]record.Value, values *[]record.Value) {
	o.Each(func(k string, _ jsonval.Value) { measure(o, scalars, values, k) })
}

// measure adds a member that is a scalar or a statistic, and reports whether it is one.
func measure(o *object.Object, scalars map[string]record.Value, values *[]record.Value, key string) (ok bool) {
	v, ok := scalars[key]
	if !ok {
		v, ok = Statistic(key)
	}
	if ok {
		o.Measure(values, v.Quantity, v.Stat, v.Unit, key)
	}
	return ok
}

// Labels are keys of records by the labels, in lower case, that the tools print instead.
var Labels = map[string]string{
	"successful requests":                  "completed",
	"failed requests":                      "failed",
	"benchmark duration (s)":               "duration",
	"total input tokens":                   "total_input_tokens",
	"total generated tokens":               "total_output_tokens",
	"request throughput (req/s)":           "request_throughput",
	"request goodput (req/s)":              "request_goodput",
	"input token throughput (tok/s)":       "input_throughput",
	"output token throughput (tok/s)":      "output_throughput",
	"total token throughput (tok/s)":       "total_token_throughput",
	"peak output token throughput (tok/s)": "max_output_tokens_per_s",
	"peak concurrent requests":             "max_concurrent_requests",
	"max request concurrency":              "max_concurrency",
	"maximum request concurrency":          "max_concurrency",
	"request rate configured (rps)":        "request_rate",
	"traffic request rate":                 "request_rate",
}
