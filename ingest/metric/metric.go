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
	KVCacheUsage         ID = "kv_cache_usage"    // highest fraction of the KV cache in use
	KVCacheTokens        ID = "kv_cache_tokens"   // capacity
	PrefixCacheHits      ID = "prefix_cache_hits" // tokens of prompts taken from the prefix cache / tokens of prompts
	PeakOutputThroughput ID = "peak_output_throughput"
	AchievedConcurrency  ID = "achieved_concurrency"
	PeakConcurrency      ID = "peak_concurrency"
	RequestsRunning      ID = "requests_running" // highest number running at once
	RequestsWaiting      ID = "requests_waiting" // highest number waiting at once
	SpecDecodeAcceptance ID = "spec_decode_acceptance"
	AcceptanceLength     ID = "acceptance_length" // tokens a step of speculative decoding, the model's own among them
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

// table is everything that is known of a metric but how a format reads it. Its order is that of lists of all metrics.
// The first part has what formats read, the last what is derived. The compiler makes it: nothing is computed here.
var table = []Info{
	{ID: OutputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Output throughput",
		Long: "output tokens a second of wall time",
		In: In{
			at(Run, 2), at(Loads, 1), at(Workloads, 2), at(Verdict, 1), at(Headline, 8), at(Pair, 1),
			at(PairLoads, 1), at(PairChart, 1), at(History, 1), at(Scorecard, 1), at(Shard, 1),
		},
		Report: Report{ReportThroughput, 2, "output_token_rate", "tokens/s"}},
	{ID: TotalThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Total throughput",
		Long:   "input and output tokens a second of wall time",
		In:     In{at(Run, 3), at(Verdict, 2), at(Pair, 2), at(PairLoads, 2), at(Shard, 2)},
		Report: Report{ReportThroughput, 3, "total_token_rate", "tokens/s"}},
	{ID: InputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Input throughput",
		Long: "input tokens a second of wall time", In: In{at(Run, 4)},
		Report: Report{ReportThroughput, 1, "input_token_rate", "tokens/s"}},
	{ID: PeakOutputThroughput, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Peak output throughput",
		Long: "most output tokens in one second",
		In:   In{at(Run, 7)}},
	{ID: TotalGenerationSpeed, Unit: TokensPerSecond, Better: Higher, Sums: true, Label: "Total generation speed",
		Long: "output tokens a second of wall time without the time lost by the client",
		In:   In{at(Run, 1), at(Workloads, 1), at(Shard, 3)}},
	{ID: RequestThroughput, Unit: RequestsPerSecond, Better: Higher, Sums: true, Label: "Requests/s",
		Long:   "completed requests a second of wall time",
		In:     In{at(Run, 5), at(Loads, 2), at(Verdict, 4), at(Pair, 3), at(PairLoads, 10), at(Shard, 4)},
		Report: Report{ReportThroughput, 4, "request_rate", "queries/s"}},
	{ID: Goodput, Unit: RequestsPerSecond, Better: Higher, Sums: true, Label: "Goodput",
		Long: "requests a second that kept their latency limits",
		In:   In{at(Run, 6), at(Pair, 4), at(Shard, 5)}},
	{ID: TTFT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TTFT", Name: "Time to first token",
		Long: "time to first token", Latency: true, PerRequest: true,
		In: In{
			with(Run, 9, spread), at(Loads, 3), at(Workloads, 4), at(Series, 1), at(Spread, 1), at(Verdict, 7),
			at(Headline, 1), with(Pair, 8, typicalTail), with(PairLoads, 4, typicalTail), at(PairChart, 4),
			at(History, 2), at(Scorecard, 3), at(Limits, 1), with(Shard, 9, shardTails),
		},
		Report: Report{ReportLatency, 4, "time_to_first_token", "s"}},
	{ID: TTFO, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TTFO",
		Long: "time to first output token after reasoning", Latency: true, PerRequest: true,
		In: In{with(Run, 10, spread)}},
	{ID: TPOT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "TPOT", Name: "Time per output token",
		Long: "time per output token after the first, one value a request", Latency: true, PerRequest: true,
		In: In{
			with(Run, 11, spread), at(Loads, 4), at(Workloads, 5), at(Series, 2), at(Spread, 2), at(Verdict, 6),
			at(Headline, 3), with(Pair, 9, typicalTail), at(PairLoads, 5), at(PairChart, 3), at(History, 3),
			at(Limits, 2), with(Shard, 10, shardTails),
		},
		Report: Report{ReportLatency, 3, "time_per_output_token", "s/token"}},
	{ID: ITL, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "ITL", Name: "Inter-token latency",
		Long: "inter-token latency, pooled over requests",
		In: In{
			with(Run, 12, spread), at(Loads, 5), at(Workloads, 6), at(Series, 3), at(Spread, 3),
			at(Verdict, 10), at(Headline, 4), with(Pair, 10, typicalTail), at(PairLoads, 6), at(PairChart, 5),
			with(Shard, 11, shardTails),
		},
		Report: Report{ReportLatency, 5, "inter_token_latency", "s/token"}},
	{ID: NTPOT, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "NTPOT",
		Long: "normalized time per output token: end-to-end latency / output tokens", Latency: true,
		PerRequest: true,
		In:         In{with(Run, 14, [][]string{{Median}, {P99}}), at(Spread, 4), with(Shard, 12, shardTails)},
		Report:     Report{ReportLatency, 2, "normalized_time_per_output_token", "s/token"}},
	{ID: E2ELatency, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "E2E latency",
		Name: "End-to-end latency", Long: "end-to-end latency of a request", Latency: true, PerRequest: true,
		In: In{
			with(Run, 13, spread), at(Loads, 6), at(Workloads, 7), at(Series, 4), at(Spread, 5),
			at(Verdict, 8), at(Headline, 5), with(Pair, 11, typicalTail), at(PairLoads, 7), at(PairChart, 6),
			with(Shard, 13, shardTails),
		},
		Report: Report{ReportLatency, 1, "request_latency", "s"}},
	{ID: QueueTime, Unit: Seconds, Shown: Milliseconds, Better: Lower, Label: "Queue time",
		Long: "time a request waited before it was scheduled", PerRequest: true,
		In: In{with(Run, 15, [][]string{{Median}, {P99}}), at(Spread, 7)}},
	{ID: SpeedPerRequest, Unit: TokensPerSecond, Better: Higher, Label: "Speed per request",
		Long: "output tokens / end-to-end latency of a request, time to first token included", PerRequest: true,
		In: In{
			with(Run, 8, [][]string{{P25}, {Median}, {P75}}), at(Workloads, 3), at(Spread, 6), at(Verdict, 5),
			at(Headline, 2), at(Pair, 7), at(PairLoads, 3), at(PairChart, 2), at(History, 4), at(Scorecard, 2),
			at(Shard, 8),
		}},
	{ID: PromptIngestionSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Prompt ingestion speed",
		Long: "prompt tokens a second of one request, from a fit of TTFT against prompt length",
		In:   In{at(Scorecard, 4)}},
	{ID: KVCacheUsage, Unit: Fraction, Shown: Percents, Label: "KV-cache use",
		Long: "highest fraction of the KV cache in use",
		In: In{
			with(Run, 18, highest), at(Workloads, 8), with(Pair, 12, [][]string{{Value, Max}}),
			with(Shard, 14, shardMax),
		},
		Report: Report{ReportObserved, 1, "kv_cache_usage", "fraction"}},
	{ID: KVCacheTokens, Unit: Tokens, Better: Higher, Label: "KV-cache capacity",
		Long: "tokens the KV cache holds",
		In:   In{at(Scorecard, 5)}},
	// Neither way is better: most of it is decided by the prompts and by what was asked before.
	{ID: PrefixCacheHits, Unit: Fraction, Shown: Percents, Label: "Prefix-cache hits",
		Long: "prompt tokens taken from the prefix cache / prompt tokens",
		In:   In{at(Run, 19), at(Pair, 13), at(Shard, 15)}},
	{ID: AchievedConcurrency, Unit: Requests, Label: "Achieved concurrency",
		Long: "mean number of requests in flight",
		In:   In{at(Run, 20)}},
	{ID: PeakConcurrency, Unit: Requests, Label: "Peak concurrency",
		Long: "highest number of requests in flight",
		In:   In{at(Run, 21)}},
	{ID: RequestsRunning, Unit: Requests, Label: "Requests running",
		Long:   "highest number of requests the engine ran at once",
		In:     In{with(Run, 22, highest)},
		Report: Report{ReportObserved, 2, "running_requests", "count"}},
	{ID: RequestsWaiting, Unit: Requests, Better: Lower, Label: "Requests waiting",
		Long:   "highest number of requests that waited at once",
		In:     In{with(Run, 23, highest)},
		Report: Report{ReportObserved, 3, "waiting_requests", "count"}},
	{ID: SpecDecodeAcceptance, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Acceptance",
		Long: "speculative tokens accepted / proposed",
		In:   In{at(Run, 24)}},
	{ID: AcceptanceLength, Unit: Tokens, Better: Higher, Label: "Acceptance length",
		Long: "tokens a step of speculative decoding: those accepted and one of the model's own",
		In:   In{at(Run, 25)}},
	{ID: Power, Unit: Watts, Better: Lower, Label: "Power", Long: "electrical power of the accelerators",
		In: In{with(Run, 26, [][]string{{Value}, {Mean}}), at(Pair, 14), at(Shard, 16)}},
	{ID: EnergyPerToken, Unit: JoulesPerToken, Better: Lower, Label: "Energy per token",
		Long: "energy of the accelerators / output tokens",
		In:   In{at(Run, 27), at(Pair, 15), at(Shard, 17)}},
	{ID: PPSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Prefill speed",
		Long: "prompt tokens a second of one request",
		In: In{at(Run, 16), at(Loads, 7), at(Verdict, 9), at(Headline, 6), at(Pair, 6), at(PairLoads, 8),
			at(Scorecard, 7),
			at(Shard, 7)}},
	{ID: TGSpeed, Unit: TokensPerSecond, Better: Higher, Label: "Decode speed",
		Long: "output tokens a second of one request after the first token",
		In: In{at(Run, 17), at(Loads, 8), at(Verdict, 3), at(Headline, 7), at(Pair, 5), at(PairLoads, 9),
			at(Scorecard, 6),
			at(Shard, 6)}},
	{ID: InputTokens, Unit: Tokens, Label: "Input tokens", Long: "prompt tokens", Describes: true,
		In:     In{at(Listed, 0)},
		Report: Report{ReportRequests, 1, "input_length", "count"}},
	{ID: OutputTokens, Unit: Tokens, Label: "Output tokens", Long: "generated tokens", Describes: true,
		In:     In{at(Listed, 0)},
		Report: Report{ReportRequests, 2, "output_length", "count"}},
	{ID: Duration, Unit: Seconds, Label: "Duration", Long: "wall time of the measurement", Describes: true,
		In: In{at(Run, 28)}},
	{ID: ThresholdSpeed, Unit: Requests, Better: Higher, Label: "Load within speed limit",
		Long: "highest load whose median speed per request keeps the limit", In: In{at(Listed, 0)}},
	{ID: ThresholdKVCache, Unit: Requests, Better: Higher, Label: "Load within KV cache",
		Long: "highest load below 95 % of the KV cache", In: In{at(Listed, 0)}},
	{ID: Accuracy, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Accuracy",
		Long: "score of the answers to a task, of which the figure says the name", In: In{at(Listed, 0)}},

	{ID: TaskScore, Unit: Points, Label: "Score",
		Long: "score of the answers to a task in the task's own scale", In: In{at(Listed, 0)}},

	// Derived.
	{ID: SuccessRate, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Success",
		Long: "requests completed with output / submitted requests", In: In{at(Derived, 0)}},
	{ID: SpeedPerUser, Unit: TokensPerSecond, Better: Higher, Label: "Speed per user",
		Long: "1 / time per output token: what one user sees", In: In{at(Derived, 0)}},
	{ID: ThroughputPerAccelerator, Unit: TokensPerSecondGPU, Better: Higher,
		Label: "Output throughput per accelerator",
		Long:  "output tokens a second of wall time / accelerators that served", In: In{at(Derived, 0)}},
	{ID: ScalingEfficiency, Unit: Fraction, Shown: Percents, Better: Higher, Label: "Scaling efficiency",
		Long: "throughput against the smallest load's, times the ratio of the loads", In: In{at(Derived, 0)}},
	{ID: PerJoule, Unit: TokensPerJoule, Better: Higher, Label: "Tokens per joule",
		Long: "output tokens / energy of the accelerators", In: In{at(Derived, 0)}},
	{ID: Cost, Unit: CostPerMillion, Better: Lower, Label: "Cost per 1M output tokens",
		Long: "price of the accelerators for a million output tokens", In: In{at(Derived, 0)}},
	{ID: MBU, Unit: Fraction, Shown: Percents, Better: Higher, Label: "MBU",
		Long: "model bandwidth utilization", In: In{at(Derived, 0)}},
	{ID: MFU, Unit: Fraction, Shown: Percents, Better: Higher, Label: "MFU", Long: "model FLOPs utilization",
		In: In{at(Derived, 0)}},
}

// metrics is the table with what its rows leave out: a metric whose Shown is empty is shown in its base unit, one whose
// Name is empty has its label for a name.
var metrics = func() []Info {
	for i := range table {
		table[i].Shown = cmp.Or(table[i].Shown, table[i].Unit)
		table[i].Name = cmp.Or(table[i].Name, table[i].Label)
	}
	return table
}()

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
