// Package metric has the metrics with their base units and directions, the conversion of foreign
// units, and numbers as text.
//
// Inside, every number is in its metric's base unit: seconds, tokens a second, requests a
// second, fractions, watts. What readers see is chosen per column: see [ScaleFor] and [Column].
package metric

// ID is the canonical name of a measured quantity: one name of the closed list below. One key means
// different quantities in different tools; only a format knows which.
type ID string

// The metrics. Those of the first part are what formats read.
const (
	OutputThroughput     ID = "output_throughput"      // generated tokens / wall time
	TotalThroughput      ID = "total_throughput"       // (input + output tokens) / wall time
	InputThroughput      ID = "input_throughput"       // input tokens / wall time
	TotalGenerationSpeed ID = "total_generation_speed" // happy_vllm: tokens / (wall - lost)
	RequestThroughput    ID = "request_throughput"     // completed requests / wall time
	Goodput              ID = "goodput"                // requests within their limits / wall time
	TTFT                 ID = "ttft"                   // time to first token
	TTFO                 ID = "ttfo"                   // time to first output token after reasoning
	TPOT                 ID = "tpot"                   // (e2e - ttft) / (n - 1), one value a request
	ITL                  ID = "itl"                    // gaps between chunks, pooled over requests
	NTPOT                ID = "ntpot"                  // e2e / n
	E2ELatency           ID = "e2e_latency"
	QueueTime            ID = "queue_time"
	SpeedPerRequest      ID = "speed_per_request" // output tokens / e2e of a request, TTFT included
	PromptIngestionSpeed ID = "prompt_ingestion_speed"
	KVCacheUsage         ID = "kv_cache_usage"  // highest fraction of the KV cache in use
	KVCacheTokens        ID = "kv_cache_tokens" // capacity
	PeakOutputThroughput ID = "peak_output_throughput"
	AchievedConcurrency  ID = "achieved_concurrency"
	PeakConcurrency      ID = "peak_concurrency"
	RequestsRunning      ID = "requests_running" // highest number running at once
	RequestsWaiting      ID = "requests_waiting" // highest number waiting at once
	SpecDecodeAcceptance ID = "spec_decode_acceptance"
	Power                ID = "power"
	EnergyPerToken       ID = "energy_per_token"
	PPSpeed              ID = "pp_speed"     // prefill speed of one request
	TGSpeed              ID = "tg_speed"     // decode speed of one request
	InputTokens          ID = "input_tokens" // sum over completed requests (Stat total) or one request's length
	OutputTokens         ID = "output_tokens"
	Duration             ID = "duration"           // wall time of the measurement
	ThresholdSpeed       ID = "threshold_speed"    // happy_vllm: highest load whose median speed keeps the limit
	ThresholdKVCache     ID = "threshold_kv_cache" // happy_vllm: highest load below 95 % of the KV cache

	// Derived: package figure computes them, no format reads them.
	SuccessRate              ID = "success_rate"
	SpeedPerUser             ID = "speed_per_user"
	ThroughputPerAccelerator ID = "throughput_per_accelerator"
	ScalingEfficiency        ID = "scaling_efficiency"
	PerJoule                 ID = "tokens_per_joule"
	Cost                     ID = "cost_per_million_tokens"
	MBU                      ID = "mbu"
	MFU                      ID = "mfu"
)

// Statistics of a metric. A percentile is "p" and its number: "p99", "p99.9"; the ones below are those
// that pages show.
const (
	Value  = "value" // the metric is one number, not a distribution
	Total  = "total" // of all requests together
	Mean   = "mean"
	Median = "median"
	Std    = "std"
	Min    = "min"
	Max    = "max"
	P25    = "p25"
	P75    = "p75"
	P90    = "p90"
	P95    = "p95"
	P99    = "p99"
	// The interval of the median over the samples of one measurement.
	MedianLow  = "median_low"
	MedianHigh = "median_high"
)

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
	Metric ID
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
// metrics that formats read; the last part is what is derived.
var metrics = []Info{
	{OutputThroughput, TokensPerSecond, Higher, "Output throughput", "output tokens a second of wall time", false},
	{TotalThroughput, TokensPerSecond, Higher, "Total throughput", "input and output tokens a second of wall time", false},
	{InputThroughput, TokensPerSecond, Higher, "Input throughput", "input tokens a second of wall time", false},
	{PeakOutputThroughput, TokensPerSecond, Higher, "Peak output throughput", "most output tokens in one second", false},
	{TotalGenerationSpeed, TokensPerSecond, Higher, "Total generation speed", "output tokens a second of wall time without the time lost by the client", false},
	{RequestThroughput, RequestsPerSecond, Higher, "Requests/s", "completed requests a second of wall time", false},
	{Goodput, RequestsPerSecond, Higher, "Goodput", "requests a second that kept their latency limits", false},
	{TTFT, Seconds, Lower, "TTFT", "time to first token", true},
	{TTFO, Seconds, Lower, "TTFO", "time to first output token after reasoning", true},
	{TPOT, Seconds, Lower, "TPOT", "time per output token after the first, one value a request", true},
	{ITL, Seconds, Lower, "ITL", "inter-token latency, pooled over requests", false},
	{NTPOT, Seconds, Lower, "NTPOT", "normalized time per output token: end-to-end latency / output tokens", true},
	{E2ELatency, Seconds, Lower, "E2E latency", "end-to-end latency of a request", true},
	{QueueTime, Seconds, Lower, "Queue time", "time a request waited before it was scheduled", false},
	{SpeedPerRequest, TokensPerSecond, Higher, "Speed per request", "output tokens / end-to-end latency of a request, time to first token included", false},
	{PromptIngestionSpeed, TokensPerSecond, Higher, "Prompt ingestion speed", "prompt tokens a second of one request, from a fit of TTFT against prompt length", false},
	{KVCacheUsage, Fraction, Neutral, "KV-cache use", "highest fraction of the KV cache in use", false},
	{KVCacheTokens, Tokens, Higher, "KV-cache capacity", "tokens the KV cache holds", false},
	{AchievedConcurrency, Requests, Neutral, "Achieved concurrency", "mean number of requests in flight", false},
	{PeakConcurrency, Requests, Neutral, "Peak concurrency", "highest number of requests in flight", false},
	{RequestsRunning, Requests, Neutral, "Requests running", "highest number of requests the engine ran at once", false},
	{RequestsWaiting, Requests, Lower, "Requests waiting", "highest number of requests that waited at once", false},
	{SpecDecodeAcceptance, Fraction, Higher, "Acceptance", "speculative tokens accepted / proposed", false},
	{Power, Watts, Lower, "Power", "electrical power of the accelerators", false},
	{EnergyPerToken, JoulesPerToken, Lower, "Energy per token", "energy of the accelerators / output tokens", false},
	{PPSpeed, TokensPerSecond, Higher, "Prefill speed", "prompt tokens a second of one request", false},
	{TGSpeed, TokensPerSecond, Higher, "Decode speed", "output tokens a second of one request after the first token", false},
	{InputTokens, Tokens, Neutral, "Input tokens", "prompt tokens", false},
	{OutputTokens, Tokens, Neutral, "Output tokens", "generated tokens", false},
	{Duration, Seconds, Neutral, "Duration", "wall time of the measurement", false},
	{ThresholdSpeed, Requests, Higher, "Load within speed limit", "highest load whose median speed per request keeps the limit", false},
	{ThresholdKVCache, Requests, Higher, "Load within KV cache", "highest load below 95 % of the KV cache", false},

	{SuccessRate, Fraction, Higher, "Success", "completed / submitted requests", false},
	{SpeedPerUser, TokensPerSecond, Higher, "Speed per user", "1 / time per output token: what one user sees", false},
	{ThroughputPerAccelerator, TokensPerSecondGPU, Higher, "Output throughput per accelerator", "output tokens a second of wall time / accelerators that served", false},
	{ScalingEfficiency, Fraction, Higher, "Scaling efficiency", "throughput against the smallest load's, times the ratio of the loads", false},
	{PerJoule, TokensPerJoule, Higher, "Tokens per joule", "output tokens / energy of the accelerators", false},
	{Cost, CostPerMillion, Lower, "Cost per 1M output tokens", "price of the accelerators for a million output tokens", false},
	{MBU, Fraction, Higher, "MBU", "model bandwidth utilization", false},
	{MFU, Fraction, Higher, "MFU", "model FLOPs utilization", false},
}

var byMetric = func() map[ID]Info {
	m := make(map[ID]Info, len(metrics))
	for _, i := range metrics {
		m[i.Metric] = i
	}
	return m
}()

// Lookup returns what is known of a metric. ok is false for a name that is not in the list;
// Info then has the name as label and no unit.
func Lookup(m ID) (Info, bool) {
	if i, ok := byMetric[m]; ok {
		return i, true
	}
	return Info{Metric: m, Label: string(m), Long: string(m)}, false
}

// All returns every metric, in the order in which pages show them.
func All() []Info { return append([]Info(nil), metrics...) }
