package figure

// Formula is a derived quantity as the methodology page explains it.
type Formula struct {
	ID   string // anchor: "saturation-knee"
	Name string
	// Text is the formula; Note what one has to know to read it.
	Text, Note string
}

// Formulas are all derived quantities, in the order of the methodology page. The tests that
// hold them are in this package and, for the figures of happy_vllm suites, in the format's.
var Formulas = []Formula{
	{"speed-per-user", "Speed per user", "1 / median TPOT",
		"How fast one reader sees text appear once it has begun. Where only the mean is recorded, the cell says " +
			"so. Tools that record no TPOT give the median speed of a request instead, which has the time to first " +
			"token in it and is labelled."},
	{"tpot-from-speed", "TPOT of a happy_vllm suite", "percentile q of TPOT = 1 / percentile 100 − q of the speed " +
		"after the first token: p99 = 1 / p1, median = 1 / median",
		"A mean has no such reciprocal and is left out. The files count all n output tokens over the time behind the " +
			"first one, other tools n − 1: their TPOT of the same request is n / (n − 1) times as much, 0.8 % more at " +
			"128 tokens and 6.7 % at 16."},
	{"throughput-per-accelerator", "Throughput per accelerator", "output throughput / accelerators that served",
		"Accelerators that served are tensor parallel × pipeline parallel × data parallel × replicas where " +
			"recorded. No figure is given where their number is assumed."},
	{"output-throughput", "Output throughput", "output tokens / wall time",
		"The definition of every serving benchmark; it is what models are compared by across hardware."},
	{"total-generation-speed", "Total generation speed",
		"generated tokens / (wall − lost), lost = wall − sum of request times of the one-request file of the same " +
			"scenario",
		"The quantity happy_vllm cards publish. Without a one-request file there is no value; tokens / wall is " +
			"shown instead, labelled as output throughput."},
	{"prompt-ingestion-speed", "Prompt ingestion speed",
		"1 / slope of a least-squares line of TTFT over prompt length",
		"Fitted twice: after the first fit, points that lie 5 % or more of their measured TTFT away from the line " +
			"are left out. Published cards round down to a multiple of 250."},
	{"generation-speed", "Speed per request at 10 parallel",
		"median over requests of output tokens / request time at 10 parallel requests, 1 024 tokens in, 128 out",
		"Time to first token is part of the request time. Published cards call it a mean and cut the decimals."},
	{"kv-cache-capacity", "KV-cache capacity",
		"median over the KV-cache files of ⌊mean tokens a request × running requests / share of the cache in use⌋ " +
			"at the fullest moment",
		"Published cards round down to a multiple of 25 000; “~0k” there means fewer than 25 000."},
	{"prefill-decode", "Prefill and decode speed", "PP = input tokens / mean TTFT, TG = 1 / mean TPOT",
		"What one request sees. They describe the hardware only at a concurrency of 1; above it, TTFT holds time " +
			"in the queue."},
	{"turn", "Time of a turn", "input tokens / prefill speed + output tokens / decode speed",
		"By which configurations of a tool that runs one sequence are ranked, of the means of its two tests. It is " +
			"computed and not measured: tokenizing and sampling are not in it, and decode does not slow down by the " +
			"prompt that was read. Its range is that of both speeds with their standard deviation, or of all " +
			"measurements of a test where there are several. Two ranges that touch are not told apart; that is a " +
			"mark and no statistical test."},
	{"prefill-share", "Prefill-bound, decode-bound",
		"TTFT / E2E latency of one request at a time; above 1/2 prefill-bound, below 1/5 decode-bound",
		"Where no E2E latency is recorded it is TTFT + TPOT × (output tokens − 1). At more than one request at a " +
			"time TTFT holds time in the queue, and nothing is said."},
	{"peak", "Peak", "the highest output throughput of all loads of a workload",
		"At the largest load that was measured the maximum may lie beyond, and that is said. Where fewer prompts " +
			"were sent than the concurrency asks for, no more than those ran at once, and that is said too. Peak " +
			"and knee of a happy_vllm suite are of total generation speed where that is known."},
	{"replication", "Reproduced, not reproduced",
		"1 − smaller / larger output throughput of two runs, at the load of all they share at which that is most; up to " +
			"5 % is reproduced",
		"Both runs have the same model, hardware, engine version and workload, no launch argument is known to differ, and " +
			"their sources name different authors in SOURCE.toml. Each author counts once, with the newest run; a run " +
			"without an author replicates nothing, and one with the same numbers is a copy."},
	{"relative-to-best", "Relative to best", "value / highest value of the column, in whole per cent", ""},
	{"sweet-spot", "Interactive sweet spot",
		"the load with the highest output throughput / concurrency among those whose TTFT p99 and TPOT p99 are " +
			"within twice their minima",
		"All loads are candidates where none keeps both limits. Ties go to the lower concurrency."},
	{"saturation-knee", "Saturation knee",
		"the smallest load whose output throughput is at least 95 % of the maximum of the same workload", ""},
	{"scaling-efficiency", "Scaling efficiency",
		"throughput(c) × c₀ / (c × throughput(c₀)), c₀ the smallest load measured", ""},
	{"kept-up-to", "Kept up to a load", "the highest load whose median request gets at least 20 tok/s, time to " +
		"first token included; the highest load at which KV-cache use is below 95 %",
		"“≥” stands before the largest load that was measured: it still keeps the limit."},
	{"longest-context", "Longest context served", "the largest sum of mean input and mean output tokens of a workload",
		"Of tokens that were counted, not of lengths that were asked for."},
	{"tail-ratio", "Tail ratio", "p99 / median",
		"Above 2, one request in a hundred waits more than twice as long as the typical one. Sentences name the " +
			"smallest load where that is so."},
	{"success-rate", "Success rate", "(completed − without output) / submitted",
		"Of the share of failed requests, which limits are of, it is the rest. A request that completed without an output " +
			"token is no success; where the records do not say how many there are, none is taken away. Below 100 % it " +
			"stands beside every figure it touches."},
	{"faster-by", "Faster by", "(baseline − best) / baseline for times, (best − baseline) / baseline for rates",
		"The baseline is the series a sidecar marks, else the first. Where it is itself the best, there is no value."},
	{"difference", "Difference", "b − a; ratio b / a; change (b − a) / a, of the medians of the measurements of " +
		"each side at equal load",
		"Only scenarios of one workload class are compared, each load with the same load. A drop to zero is −100 %."},
	{"certainty", "Certainty", "the order-statistics interval at 95 % of the median of each side's measurements, " +
		"else of the requests of its one measurement; distinguishable where the two do not overlap",
		"It assumes nothing of how measurements are distributed, and does not exist below six of them: with fewer " +
			"on a side the smallest and the largest are shown, and nothing is claimed. Repetitions are grouped, " +
			"never averaged away. Where there are too few, a median over requests has the interval of its " +
			"requests, made when their values are read or else the narrowest recorded percentiles that hold it: " +
			"this is sure of the two measurements, not of what others would give, and is said so."},
	{"request-interval", "Interval of a median over requests",
		"the order-statistics interval at 95 %: from the i-th to the j-th smallest of n values, so that a fair " +
			"coin shows at least i and fewer than j heads in n throws with a probability of at least 95 %",
		"It holds the median of what was sampled, whatever the distribution, and does not exist below six values. " +
			"Above 30 values the normal curve stands for the coin. Gaps between chunks of one request hang " +
			"together: their median has none. It speaks of one measurement, not of what another would give."},
	{"change-limit", "Limits of inferdex compare",
		"exceeded where the change of the medians is outside the limit and the two medians are distinguishable",
		"With fewer than six measurements on a side nothing is claimed, but of a median over requests whose " +
			"intervals are known, and of one more case: a rate of zero is no noise. A quantity that the first side " +
			"has and the second lacks is missing, which is not kept."},
	{"weights", "Weights", "parameters × bits of the precision / 8",
		"Of a quantised checkpoint it is a lower bound: scales, and layers that stay in 16 bits, are not in it. " +
			"“Does not fit” means that the weights alone exceed memory × accelerators."},
	{"kv-bytes", "KV bytes a token", "2 × layers × KV heads × head size × bytes a value",
		"A value takes one byte in an fp8 cache, else two. Only from a known model configuration, and not where a " +
			"model keeps its cache in another form (MLA)."},
	{"memory-needed", "Memory needed", "(weights + KV-cache tokens × KV bytes a token) / accelerators / " +
		"gpu_memory_utilization",
		"A measured capacity that the claimed memory cannot hold is a finding of severity error."},
	{"workload-class", "Workload class", "measuring tool, what its lengths mean, dataset, input and output length, " +
		"distribution, kind of load, prefix cache, ignore-eos, streaming, token counting, name of the scenario",
		"Equal classes share an axis; others do not, and the fields that differ are named. What is not recorded on " +
			"both sides is only assumed to be equal, and said. Where the actual lengths of equal classes are more " +
			"than 5 % apart, the comparison stands with a caution."},
	{"parameter-diff", "Parameter differences", "effective values that are known and unequal",
		"A launch argument has a value, is null, is absent, is unknown to the engine's version, or is redacted. " +
			"Null, and what a command line leaves out, counts as the version's default where data/names lists it; " +
			"else it is not known and never differs. An argument that no run of a version records, though one of " +
			"them records all its arguments, is unknown to that version."},
	{"pairs", "Pairs", "at most 30 a model: 12 of two hardware configurations, 8 of two engine versions or series " +
		"on one card, 5 of two quantisations of one base and 5 of two models within a factor of two in size on one " +
		"hardware",
		"What one kind leaves over the others use. A site has at most 3 000 pairs: with more than 100 models each " +
			"has its part of them, of all kinds in the same proportion, and at least 4. Only runs that share a " +
			"workload and a load of it make a pair; equal numbers of accelerators and more shared loads come first."},
	{"frontier", "Frontier", "the points of one hardware, engine version and precision that no other of them " +
		"equals or beats in both speed per user and throughput per accelerator",
		"Between two of its points throughput at a given speed is read off a straight line, and marked; beyond the " +
			"first and the last there is no value."},
	{"slo-capacity", "Capacity within limits",
		"of the measured loads whose percentiles of TTFT and TPOT and whose share of failed requests keep the " +
			"limits the one with the highest output throughput",
		"Every repetition of the load has to keep them. A request that completed without an output token counts as failed. A " +
			"higher load may keep them too and yield less. Where the statistic that a limit is of is not recorded, the " +
			"nearest of p99, p95, p90, p75, median and mean is held against it; where no TPOT is, ITL, then E2E " +
			"latency / output tokens, then 1 / speed per request, of the opposite percentile, which has TTFT in it. " +
			"Such results are labelled and stand behind the others. Nothing near, no count of failures, another " +
			"workload, or another division of a benchmark than the closed one where that is measured: not judged, which is neither kept nor broken. Nothing is interpolated. Results whose " +
			"intervals overlap that of the best are said to be not told apart from it, and those within 5 % of it where " +
			"one of the two was measured fewer than six times."},
	{"cost-per-million-tokens", "Cost per million output tokens",
		"10⁶ × accelerators × price an hour / (3 600 × output tok/s)",
		"Tokens per unit of the currency are 3 600 × output tok/s / (accelerators × price an hour). Each figure " +
			"names its price with provider and date; without a price there is no figure."},
	{"tokens-per-joule", "Tokens per joule", "output tok/s / power of all accelerators",
		"Power is the measured one where it is recorded, else the board power times the number of accelerators, " +
			"labelled as such."},
	{"mbu", "Model bandwidth utilization (MBU)",
		"(bytes of active weights + bytes of KV cache read a step) / (TPOT × accelerators × memory bandwidth)",
		"A step reads requests in flight × (input + output / 2) × KV bytes a token. A mixture of experts reads " +
			"between the weights of one token and those of as many tokens as there are requests, so the figure is " +
			"a range; so it is where the form factor is not recorded. Above 100 % one of the assumptions is wrong, " +
			"and that is said."},
	{"mfu", "Model FLOPs utilization (MFU)",
		"2 × active parameters × total tok/s / (accelerators × dense peak of the type that is computed in)",
		"Attention itself is left out. Where total throughput is not recorded it is output throughput × (input + " +
			"output) / output tokens."},
	{"kv-capacity-estimate", "Estimated KV-cache capacity",
		"⌊(memory × accelerators × gpu_memory_utilization − weights) / KV bytes a token⌋",
		"An upper bound: activations and buffers are left out. A measured capacity that is above it even with GiB " +
			"for GB is a warning."},
	{"change", "Change over time", "the 95 % order-statistics intervals of the medians of two neighbouring runs do " +
		"not overlap; of eight runs or more, the change points of E-divisive with Student's t-test at p < 0.001",
		"A level has at least four runs: of fewer nothing is said. What is said of levels takes the medians of the runs " +
			"alone, so that one run far off is no change. " +
			"Where a side has fewer than six measurements a step of more than 5 % has a hollow mark, which is no " +
			"claim. A line joins the runs of one model on one hardware with one engine under one name of a series, " +
			"in the order of the engine's versions where all have one, else of dates; what is not recorded joins " +
			"nothing. Intervals over the requests of a single run mark no change: they do not say how far runs lie " +
			"apart."},
}
