// Package unit has the metrics with their base units and directions, the conversion of foreign
// units, and numbers as text.
//
// Inside, every number is in its metric's base unit: seconds, tokens a second, requests a
// second, fractions, watts. What readers see is chosen per column: see [ScaleFor] and [Column].
package unit

// Metric is the canonical name of a measured quantity.
type Metric string

// Direction says which way a metric is better.
type Direction int

// The directions. Neutral metrics are neither better high nor low.
const (
	Neutral Direction = 0
	Higher  Direction = 1
	Lower   Direction = -1
)

// Info is what is known of a metric.
type Info struct {
	Metric Metric
	// Unit is the base unit the metric is stored in.
	Unit   string
	Better Direction
	// Label is what readers call it: "TTFT". Long is the name in full.
	Label, Long string
	// Latency says that a value of zero or below cannot have been measured and is missing.
	Latency bool
}

// The base units. Others are converted to them by [ToBase].
const (
	Seconds            = "s"
	TokensPerSecond    = "tok/s"
	RequestsPerSecond  = "req/s"
	Tokens             = "tokens"
	Requests           = "requests"
	Fraction           = "fraction"
	Watts              = "W"
	JoulesPerToken     = "J/tok"
	TokensPerJoule     = "tok/J"
	Bytes              = "B"
	CostPerMillion     = "per 1M tokens"
	TokensPerSecondGPU = "tok/s per accelerator"
)

// metrics is the closed list, in the order pages and tables show them. The first part has the
// names of the quantities of package ingest, one for one; the last part is what is derived.
var metrics = []Info{
	{"output_throughput", TokensPerSecond, Higher, "Output throughput", "output tokens a second of wall time", false},
	{"total_throughput", TokensPerSecond, Higher, "Total throughput", "input and output tokens a second of wall time", false},
	{"input_throughput", TokensPerSecond, Higher, "Input throughput", "input tokens a second of wall time", false},
	{"peak_output_throughput", TokensPerSecond, Higher, "Peak output throughput", "most output tokens in one second", false},
	{"total_generation_speed", TokensPerSecond, Higher, "Total generation speed", "output tokens a second of wall time without the time lost by the client", false},
	{"request_throughput", RequestsPerSecond, Higher, "Requests/s", "completed requests a second of wall time", false},
	{"goodput", RequestsPerSecond, Higher, "Goodput", "requests a second that kept their latency limits", false},
	{"ttft", Seconds, Lower, "TTFT", "time to first token", true},
	{"ttfo", Seconds, Lower, "TTFO", "time to first output token after reasoning", true},
	{"tpot", Seconds, Lower, "TPOT", "time per output token after the first, one value a request", true},
	{"itl", Seconds, Lower, "ITL", "inter-token latency, pooled over requests", false},
	{"ntpot", Seconds, Lower, "NTPOT", "normalized time per output token: end-to-end latency / output tokens", true},
	{"e2e_latency", Seconds, Lower, "E2E latency", "end-to-end latency of a request", true},
	{"queue_time", Seconds, Lower, "Queue time", "time a request waited before it was scheduled", false},
	{"speed_per_request", TokensPerSecond, Higher, "Speed per request", "output tokens / end-to-end latency of a request, time to first token included", false},
	{"prompt_ingestion_speed", TokensPerSecond, Higher, "Prompt ingestion speed", "prompt tokens a second of one request, from a fit of TTFT against prompt length", false},
	{"kv_cache_usage", Fraction, Neutral, "KV-cache use", "highest fraction of the KV cache in use", false},
	{"kv_cache_tokens", Tokens, Higher, "KV-cache capacity", "tokens the KV cache holds", false},
	{"achieved_concurrency", Requests, Neutral, "Achieved concurrency", "mean number of requests in flight", false},
	{"peak_concurrency", Requests, Neutral, "Peak concurrency", "highest number of requests in flight", false},
	{"requests_running", Requests, Neutral, "Requests running", "highest number of requests the engine ran at once", false},
	{"requests_waiting", Requests, Lower, "Requests waiting", "highest number of requests that waited at once", false},
	{"spec_decode_acceptance", Fraction, Higher, "Acceptance", "speculative tokens accepted / proposed", false},
	{"power", Watts, Lower, "Power", "electrical power of the accelerators", false},
	{"energy_per_token", JoulesPerToken, Lower, "Energy per token", "energy of the accelerators / output tokens", false},
	{"pp_speed", TokensPerSecond, Higher, "Prefill speed", "prompt tokens a second of one request", false},
	{"tg_speed", TokensPerSecond, Higher, "Decode speed", "output tokens a second of one request after the first token", false},
	{"input_tokens", Tokens, Neutral, "Input tokens", "prompt tokens", false},
	{"output_tokens", Tokens, Neutral, "Output tokens", "generated tokens", false},
	{"duration", Seconds, Neutral, "Duration", "wall time of the measurement", false},
	{"threshold_speed", Requests, Higher, "Load within speed limit", "highest load whose median speed per request keeps the limit", false},
	{"threshold_kv_cache", Requests, Higher, "Load within KV cache", "highest load below 95 % of the KV cache", false},

	{"success_rate", Fraction, Higher, "Success", "completed / submitted requests", false},
	{"speed_per_user", TokensPerSecond, Higher, "Speed per user", "1 / time per output token: what one user sees", false},
	{"throughput_per_accelerator", TokensPerSecondGPU, Higher, "Output throughput per accelerator", "output tokens a second of wall time / accelerators that served", false},
	{"scaling_efficiency", Fraction, Higher, "Scaling efficiency", "throughput against the smallest load's, times the ratio of the loads", false},
	{"tokens_per_joule", TokensPerJoule, Higher, "Tokens per joule", "output tokens / energy of the accelerators", false},
	{"cost_per_million_tokens", CostPerMillion, Lower, "Cost per 1M output tokens", "price of the accelerators for a million output tokens", false},
	{"mbu", Fraction, Higher, "MBU", "model bandwidth utilization", false},
	{"mfu", Fraction, Higher, "MFU", "model FLOPs utilization", false},
}

var byMetric = func() map[Metric]Info {
	m := make(map[Metric]Info, len(metrics))
	for _, i := range metrics {
		m[i.Metric] = i
	}
	return m
}()

// Lookup returns what is known of a metric. ok is false for a name that is not in the list;
// Info then has the name as label and no unit.
func Lookup(m Metric) (Info, bool) {
	if i, ok := byMetric[m]; ok {
		return i, true
	}
	return Info{Metric: m, Label: string(m), Long: string(m)}, false
}

// All returns every metric, in the order in which pages show them.
func All() []Info { return append([]Info(nil), metrics...) }
