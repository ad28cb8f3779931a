// Package metric has the metrics with their base units and directions, the conversion of foreign
// units, and numbers as text.
//
// Inside, every number is in its metric's base unit: seconds, tokens a second, requests a
// second, fractions, watts. What readers see is chosen per column: see [ScaleFor] and [Column].
package metric

import (
	"cmp"
	"slices"
)

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
	Accuracy             ID = "accuracy"           // share of right answers; never a measure of speed
	TaskScore            ID = "task_score"         // score of a task in its own scale: a perplexity

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

// Info is what is known of a metric: one row of the table.
type Info struct {
	ID ID
	// Unit is the base unit the metric is stored in. Shown is the unit of a heading above numbers that
	// are not measured yet or differ much in size; columns of numbers choose theirs with [ScaleFor].
	Unit, Shown string
	Better      Direction
	// Label is what readers call it: "TTFT". Name is the label in full, the same where it is no
	// abbreviation. Long is the definition.
	Label, Name, Long string
	// Latency says that a value of zero or below cannot have been measured and is missing.
	Latency bool
	// PerRequest says that each request has one value, so that a measurement holds as many samples
	// as it has requests. Gaps between tokens are not such: those of one request hang together.
	PerRequest bool
	// Sums says that the metric is a sum over the accelerators: runs on other numbers of them are held
	// against each other by what each accelerator gives.
	Sums bool
	// Describes says that the metric describes the measurement rather than what was measured: two
	// runs are not compared by it.
	Describes bool
	// In is where the metric is shown.
	In In
	// Report is the field of a Benchmark Report that holds the metric.
	Report Report
}

// The base units. Others are converted to them by [ToBase].
const (
	Seconds            = "s"
	TokensPerSecond    = "tok/s"
	RequestsPerSecond  = "req/s"
	Tokens             = "tokens"
	Requests           = "requests"
	Fraction           = "fraction"
	Points             = "points"
	Watts              = "W"
	JoulesPerToken     = "J/tok"
	TokensPerJoule     = "tok/J"
	Bytes              = "B"
	CostPerMillion     = "per 1M tokens"
	TokensPerSecondGPU = "tok/s per accelerator"
)

// Units that numbers are shown in and never stored in.
const (
	Milliseconds = "ms"
	Percents     = "%"
)

// metrics is the table: everything that is known of a metric but how a format reads it. Its order is
// that of lists of all metrics. The first part has what formats read, the last what is derived.
var metrics = completed([]Info{
	{ID: OutputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Output throughput",
		Long: "output tokens a second of wall time",
		In: In{
			Run: at(2), Loads: at(1), Workloads: at(2), Verdict: at(1), Headline: at(8), Pair: at(1),
			PairLoads: at(1), PairChart: at(1), History: at(1), Scorecard: at(1), Shard: at(1),
		},
		Report: Report{ReportThroughput, 2, "output_token_rate", "tokens/s"}},
	{ID: TotalThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Total throughput",
		Long:   "input and output tokens a second of wall time",
		In:     In{Run: at(3), Verdict: at(2), Pair: at(2), PairLoads: at(2), Shard: at(2)},
		Report: Report{ReportThroughput, 3, "total_token_rate", "tokens/s"}},
	{ID: InputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Input throughput",
		Long: "input tokens a second of wall time", In: In{Run: at(4)},
		Report: Report{ReportThroughput, 1, "input_token_rate", "tokens/s"}},
	{ID: PeakOutputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Peak output throughput",
		Long: "most output tokens in one second",
		In:   In{Run: at(7)}},
	{ID: TotalGenerationSpeed, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Total generation speed",
		Long: "output tokens a second of wall time without the time lost by the client",
		In:   In{Run: at(1), Workloads: at(1), Shard: at(3)}},
	{ID: RequestThroughput, Unit: RequestsPerSecond, Better: Higher, Sums: true, Label: "Requests/s",
		Long:   "completed requests a second of wall time",
		In:     In{Run: at(5), Loads: at(2), Verdict: at(4), Pair: at(3), PairLoads: at(10), Shard: at(4)},
		Report: Report{ReportThroughput, 4, "request_rate", "queries/s"}},
	{ID: Goodput, Unit: RequestsPerSecond, Better: Higher, Sums: true, Label: "Goodput",
		Long: "requests a second that kept their latency limits",
		In:   In{Run: at(6), Pair: at(4), Shard: at(5)}},
	{ID: TTFT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TTFT", Name: "Time to first token",
		Long: "time to first token", Latency: true, PerRequest: true,
		In: In{
			Run: at(9, spread...), Loads: at(3), Workloads: at(4), Series: at(1), Spread: at(1), Verdict: at(7),
			Headline: at(1), Pair: at(8, typical, tail), PairLoads: at(4, typical, tail), PairChart: at(4),
			History: at(2), Scorecard: at(3), Limits: at(1), Shard: at(9, shardTails...),
		},
		Report: Report{ReportLatency, 4, "time_to_first_token", "s"}},
	{ID: TTFO, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TTFO",
		Long: "time to first output token after reasoning", Latency: true, PerRequest: true,
		In: In{Run: at(10, spread...)}},
	{ID: TPOT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TPOT", Name: "Time per output token",
		Long: "time per output token after the first, one value a request", Latency: true, PerRequest: true,
		In: In{
			Run: at(11, spread...), Loads: at(4), Workloads: at(5), Series: at(2), Spread: at(2), Verdict: at(6),
			Headline: at(3), Pair: at(9, typical, tail), PairLoads: at(5), PairChart: at(3), History: at(3),
			Limits: at(2), Shard: at(10, shardTails...),
		},
		Report: Report{ReportLatency, 3, "time_per_output_token", "s/token"}},
	{ID: ITL, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "ITL", Name: "Inter-token latency",
		Long: "inter-token latency, pooled over requests",
		In: In{
			Run: at(12, spread...), Loads: at(5), Workloads: at(6), Series: at(3), Spread: at(3),
			Verdict: at(10), Headline: at(4), Pair: at(10, typical, tail), PairLoads: at(6), PairChart: at(5),
			Shard: at(11, shardTails...),
		},
		Report: Report{ReportLatency, 5, "inter_token_latency", "s/token"}},
	{ID: NTPOT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "NTPOT",
		Long: "normalized time per output token: end-to-end latency / output tokens", Latency: true,
		PerRequest: true,
		In:         In{Run: at(14, each(Median, P99)...), Spread: at(4), Shard: at(12, shardTails...)},
		Report:     Report{ReportLatency, 2, "normalized_time_per_output_token", "s/token"}},
	{ID: E2ELatency, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "E2E latency",
		Name: "End-to-end latency", Long: "end-to-end latency of a request", Latency: true, PerRequest: true,
		In: In{
			Run: at(13, spread...), Loads: at(6), Workloads: at(7), Series: at(4), Spread: at(5),
			Verdict: at(8), Headline: at(5), Pair: at(11, typical, tail), PairLoads: at(7), PairChart: at(6),
			Shard: at(13, shardTails...),
		},
		Report: Report{ReportLatency, 1, "request_latency", "s"}},
	{ID: QueueTime, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "Queue time",
		Long: "time a request waited before it was scheduled", PerRequest: true,
		In: In{Run: at(15, each(Median, P99)...), Spread: at(7)}},
	{ID: SpeedPerRequest, Unit: TokensPerSecond, Better: Higher, Label: "Speed per request",
		Long: "output tokens / end-to-end latency of a request, time to first token included", PerRequest: true,
		In: In{
			Run: at(8, each(P25, Median, P75)...), Workloads: at(3), Spread: at(6), Verdict: at(5),
			Headline: at(2), Pair: at(7), PairLoads: at(3), PairChart: at(2), History: at(4), Scorecard: at(2),
			Shard: at(8),
		}},
	{ID: PromptIngestionSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Prompt ingestion speed",
		Long: "prompt tokens a second of one request, from a fit of TTFT against prompt length",
		In:   In{Scorecard: at(4)}},
	{ID: KVCacheUsage, Unit: Fraction, Shown: Percents, Label: "KV-cache use",
		Long: "highest fraction of the KV cache in use",
		In: In{
			Run: at(18, highest), Workloads: at(8), Pair: at(12, []string{Value, Max}),
			Shard: at(14, shardMax...),
		},
		Report: Report{ReportObserved, 1, "kv_cache_usage", "fraction"}},
	{ID: KVCacheTokens, Unit: Tokens, Better: Higher, Label: "KV-cache capacity",
		Long: "tokens the KV cache holds",
		In:   In{Scorecard: at(5)}},
	{ID: AchievedConcurrency, Unit: Requests, Label: "Achieved concurrency",
		Long: "mean number of requests in flight",
		In:   In{Run: at(19)}},
	{ID: PeakConcurrency, Unit: Requests, Label: "Peak concurrency",
		Long: "highest number of requests in flight",
		In:   In{Run: at(20)}},
	{ID: RequestsRunning, Unit: Requests, Label: "Requests running",
		Long:   "highest number of requests the engine ran at once",
		In:     In{Run: at(21, highest)},
		Report: Report{ReportObserved, 2, "running_requests", "count"}},
	{ID: RequestsWaiting, Unit: Requests, Better: Lower, Label: "Requests waiting",
		Long:   "highest number of requests that waited at once",
		In:     In{Run: at(22, highest)},
		Report: Report{ReportObserved, 3, "waiting_requests", "count"}},
	{ID: SpecDecodeAcceptance, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Acceptance",
		Long: "speculative tokens accepted / proposed",
		In:   In{Run: at(23)}},
	{ID: Power, Unit: Watts, Better: Lower, Label: "Power", Long: "electrical power of the accelerators",
		In: In{Run: at(24, each(Value, Mean)...), Pair: at(13), Shard: at(15)}},
	{ID: EnergyPerToken, Unit: JoulesPerToken, Better: Lower, Label: "Energy per token",
		Long: "energy of the accelerators / output tokens",
		In:   In{Run: at(25), Pair: at(14), Shard: at(16)}},
	{ID: PPSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Prefill speed",
		Long: "prompt tokens a second of one request",
		In: In{Run: at(16), Loads: at(7), Verdict: at(9), Headline: at(6), Pair: at(6), PairLoads: at(8),
			Scorecard: at(7),
			Shard:     at(7)}},
	{ID: TGSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Decode speed",
		Long: "output tokens a second of one request after the first token",
		In: In{Run: at(17), Loads: at(8), Verdict: at(3), Headline: at(7), Pair: at(5), PairLoads: at(9),
			Scorecard: at(6),
			Shard:     at(6)}},
	{ID: InputTokens, Unit: Tokens, Label: "Input tokens", Long: "prompt tokens", Describes: true,
		In:     In{Listed: at(0)},
		Report: Report{ReportRequests, 1, "input_length", "count"}},
	{ID: OutputTokens, Unit: Tokens, Label: "Output tokens", Long: "generated tokens", Describes: true,
		In:     In{Listed: at(0)},
		Report: Report{ReportRequests, 2, "output_length", "count"}},
	{ID: Duration, Unit: Seconds, Label: "Duration", Long: "wall time of the measurement", Describes: true,
		In: In{Run: at(26)}},
	{ID: ThresholdSpeed, Unit: Requests, Better: Higher, Label: "Load within speed limit",
		Long: "highest load whose median speed per request keeps the limit", In: In{Listed: at(0)}},
	{ID: ThresholdKVCache, Unit: Requests, Better: Higher, Label: "Load within KV cache",
		Long: "highest load below 95 % of the KV cache", In: In{Listed: at(0)}},
	{ID: Accuracy, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Accuracy",
		Long: "score of the answers to a task, of which the figure says the name", In: In{Listed: at(0)}},

	{ID: TaskScore, Unit: Points, Label: "Score",
		Long: "score of the answers to a task in the task's own scale", In: In{Listed: at(0)}},

	// Derived.
	{ID: SuccessRate, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Success",
		Long: "requests completed with output / submitted requests", In: In{Derived: at(0)}},
	{ID: SpeedPerUser, Unit: TokensPerSecond, Better: Higher, Label: "Speed per user",
		Long: "1 / time per output token: what one user sees", In: In{Derived: at(0)}},
	{ID: ThroughputPerAccelerator, Unit: TokensPerSecondGPU, Better: Higher,
		Label: "Output throughput per accelerator",
		Long:  "output tokens a second of wall time / accelerators that served", In: In{Derived: at(0)}},
	{ID: ScalingEfficiency, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Scaling efficiency",
		Long: "throughput against the smallest load's, times the ratio of the loads", In: In{Derived: at(0)}},
	{ID: PerJoule, Unit: TokensPerJoule, Better: Higher, Label: "Tokens per joule",
		Long: "output tokens / energy of the accelerators", In: In{Derived: at(0)}},
	{ID: Cost, Unit: CostPerMillion, Better: Lower, Label: "Cost per 1M output tokens",
		Long: "price of the accelerators for a million output tokens", In: In{Derived: at(0)}},
	{ID: MBU, Unit: Fraction, Shown: Percents, Better: Higher, Label: "MBU",
		Long: "model bandwidth utilization", In: In{Derived: at(0)}},
	{ID: MFU, Unit: Fraction, Shown: Percents, Better: Higher, Label: "MFU", Long: "model FLOPs utilization",
		In: In{Derived: at(0)}},
})

// completed is the table with what its rows leave out: a metric whose Shown is empty is shown in its
// base unit, one whose Name is empty has its label for a name.
func completed(rows []Info) []Info {
	for i := range rows {
		rows[i].Shown = cmp.Or(rows[i].Shown, rows[i].Unit)
		rows[i].Name = cmp.Or(rows[i].Name, rows[i].Label)
	}
	return rows
}

var byID = func() map[ID]*Info {
	m := make(map[ID]*Info, len(metrics))
	for i := range metrics {
		m[metrics[i].ID] = &metrics[i]
	}
	return m
}()

// Lookup returns what is known of a metric. ok is false for a name that is not in the table;
// Info then has the name as label and no unit.
func Lookup(m ID) (Info, bool) {
	if i := byID[m]; i != nil {
		return *i, true
	}
	return Info{ID: m, Label: string(m), Name: string(m), Long: string(m)}, false
}

// Known is what is known of a metric, nil for a name that is not in the table. Nobody may change it.
func Known(m ID) *Info { return byID[m] }

// All returns every metric in the order of the table.
func All() []Info { return slices.Clone(metrics) }
