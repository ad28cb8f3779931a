package inferencexagg

import (
	"sort"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// agentic reads the result of an agentic scenario. Its statistics come from AIPerf: what it calls
// ITL there is the TPOT once more, and is not read as gaps between chunks.
func (m *measurement) agentic() {
	res := m.res
	w := &res.Workload
	w.Name = m.Text("scenario_type")

	data := m.Sub("dataset")
	for _, k := range []string{"hf_dataset_name", "loader", "source_type"} {
		if s := data.Text(k); w.Dataset == "" {
			w.Dataset = s
		}
	}
	m.requests()

	metrics := m.Sub("request_metrics")
	latency := metrics.Sub("latency")
	m.distribution(latency, "ttft", metric.TTFT, "s")
	m.distribution(latency, "tpot", metric.TPOT, "s")
	m.distribution(latency, "e2el", metric.E2ELatency, "s")
	if !latency.Has("tpot") {
		m.distribution(latency, "itl", metric.TPOT, "s")
	}
	latency.Use("itl", "intvty")

	tokens := metrics.Sub("tokens")
	m.distribution(tokens, "input", metric.InputTokens, "tokens")
	m.distribution(tokens, "output_actual", metric.OutputTokens, "tokens")
	w.Actual = record.Lengths{Input: meanOf(tokens, "input"), Output: meanOf(tokens, "output_actual")}

	rates := metrics.Sub("throughput")
	for _, q := range []reading.Meaning{
		{Key: "total", Quantity: metric.TotalThroughput}, {Key: "output", Quantity: metric.OutputThroughput},
		{Key: "input", Quantity: metric.InputThroughput},
	} {
		rates.Sub(q.Key).Measure(&res.Values, q.Quantity, metric.Value, "tok/s", "tokens_per_second")
	}
	rates.Measure(&res.Values, metric.Duration, metric.Value, "s", "duration_seconds")
	// "qps" is of windows of a second; the throughput is of the whole time.
	if d, ok := rates.Number("duration_seconds"); ok && d > 0 && res.Completed != nil {
		m.computed(metric.RequestThroughput, metric.Value, "req/s", float64(*res.Completed)/d)
	}

	server := m.Sub("server_metrics")
	cache := server.Sub("kv_cache")
	// Several servers may add up their capacities, or not.
	if n := cache.Length("gpu_total_tokens"); n != nil && server.Value("sources").Len() == 1 {
		m.kvTokens, m.kvAt = n, cache.At("gpu_total_tokens")
	} else if n != nil {
		m.unmapped = append(m.unmapped, "server_metrics.kv_cache.gpu_total_tokens")
	}
	m.prefixCache(server.Sub("tokens"))
	m.power()
}

// prefixCache computes how much of the prompts came from the prefix cache: of tokens that the server counted while it was
// measured. That the parts make the whole says that they are counted of the same requests; where prefill and decoding are
// apart, the cache that one hands to the other is counted among them. The rates beside them are of whatever an engine has.
func (m *measurement) prefixCache(tokens *reading.Object) {
	parts := tokens.Sub("prompt_by_source")
	all, _ := tokens.Self().Get("prompt_total").Finite()
	own, ok := parts.Self().Get("gpu_cache_hit").Finite()
	other, _ := parts.Self().Get("cpu_or_external_cache_hit").Finite()
	computed, counted := parts.Self().Get("computed").Finite()
	if disagg := m.Truth("disagg"); ok && counted && all > 0 && own+other+computed == all && disagg != nil && !*disagg {
		tokens.Use("prompt_total")
		parts.Use("gpu_cache_hit", "cpu_or_external_cache_hit", "computed")
		m.computed(metric.PrefixCacheHits, metric.Value, metric.Fraction, (own+other)/all)
	}
}

// requests counts the requests without those that warmed the server up. The errors are of these too, and so are their
// kinds.
func (m *measurement) requests() {
	res := m.res
	res.Completed = m.Count("num_requests_successful")
	res.Submitted = m.Count("num_requests_total")
	a := m.Sub("request_accounting")
	res.Failed = a.Count("records_error_dropped")
	if warm := a.Count("records_warmup_dropped"); warm != nil {
		res.Workload.Warmup = warm
		if all := a.Count("records_total"); all != nil && *all >= *warm {
			n := *all - *warm
			res.Submitted = &n
		}
		if dropped := a.Count("records_dropped_total"); dropped != nil && res.Failed != nil && *dropped-*warm < *res.Failed {
			n := max(*dropped-*warm, 0)
			res.Failed = &n
			return
		}
	}
	kinds := a.Sub("error_categories")
	kinds.Each(func(k string, _ reading.Value) {
		if n := kinds.Positive(k); n != nil {
			res.Errors = append(res.Errors, record.ErrorCount{Text: reading.Clip(k), Count: *n})
		}
	})
	sort.SliceStable(res.Errors, func(i, j int) bool { return res.Errors[i].Count > res.Errors[j].Count })
}

// stats are the statistics of an agentic result that are read.
var stats = []string{"mean", "p50", "std", "min", "max", "p75", "p90", "p95", "p99", "p99.9"}

// distribution reads {"mean": 1, "p50": 1, ...}.
func (m *measurement) distribution(o *reading.Object, key string, q metric.ID, unit string) {
	d := o.Sub(key)
	for _, s := range stats {
		d.Measure(&m.res.Values, q, reading.Statistic(s), unit, s)
	}
}

func meanOf(o *reading.Object, key string) *float64 {
	n, ok := o.Value(key).Get("mean").Finite()
	if !ok || n <= 0 {
		return nil
	}
	return &n
}
