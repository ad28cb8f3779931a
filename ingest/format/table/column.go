package table

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Column is what a column of a table means: one of its members is set.
type Column struct {
	value  record.Value // a metric, its statistic and the unit of the cells
	figure bool         // the metric is one of the whole run, not of the row's load; of says which of several
	of     string
	// inverse says that the cells are the reciprocal of the metric: tokens a second where it has seconds a token.
	inverse bool
	fact    string // metadata
	place   *place // session, workload or load
	tokens  bool   // a throughput of tokens that does not say of which
}

// place is the session, or a part of the workload, the load or the counts of a result: one of its functions is set.
type place struct {
	word   string
	length func(*record.Result) **float64
	count  func(*record.Result) **int64
	text   func(*record.Result, string) bool // reports whether a cell can be one
}

// number puts a number there and reports whether it can be one.
func (p *place) number(r *record.Result, n float64) bool {
	switch {
	case n < 0, p.length != nil && n > 1<<40:
		return false
	case p.length != nil:
		*p.length(r) = &n
		return true
	case n > 1<<53 || n != math.Trunc(n):
		return false
	}
	i := int64(n)
	*p.count(r) = &i
	return true
}

// want says what can be there.
func (p *place) want() string {
	switch {
	case p.text != nil:
		return "requests a second or \"inf\" were expected"
	case p.length != nil:
		return "a number of tokens was expected"
	}
	return "a count was expected"
}

// places are the words for what is no metric and no metadata.
var places = [...]place{
	{word: "input_len", length: func(r *record.Result) **float64 { return &r.Workload.Nominal.Input }},
	{word: "output_len", length: func(r *record.Result) **float64 { return &r.Workload.Nominal.Output }},
	{word: "rate", text: func(r *record.Result, s string) bool {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || n <= 0 || math.IsNaN(n) {
			return false
		}
		f := record.Float(n)
		r.Load.Rate = &f
		return true
	}},
	{word: "mean_input_len", length: func(r *record.Result) **float64 { return &r.Workload.Actual.Input }},
	{word: "mean_output_len", length: func(r *record.Result) **float64 { return &r.Workload.Actual.Output }},
	{word: "num_prompts", count: func(r *record.Result) **int64 { return &r.Workload.NumPrompts }},
	{word: "max_concurrency", count: func(r *record.Result) **int64 { return &r.Load.MaxConcurrency }},
	{word: "batch", count: func(r *record.Result) **int64 { return &r.Load.Batch }},
	{word: "submitted", count: func(r *record.Result) **int64 { return &r.Submitted }},
	{word: "completed", count: func(r *record.Result) **int64 { return &r.Completed }},
	{word: "failed", count: func(r *record.Result) **int64 { return &r.Failed }},
	{word: "session", text: func(r *record.Result, s string) bool { r.Identity.Session = s; return true }},
	{word: "scenario", text: func(r *record.Result, s string) bool { r.Workload.Name = s; return true }},
	{word: "dataset", text: func(r *record.Result, s string) bool { r.Workload.Dataset = s; return true }},
}

var inputLen, outputLen, rate = &places[0], &places[1], &places[2]

var percentile = regexp.MustCompile(`^p[0-9]{1,2}(\.[0-9]+)?$`)

// ofRun is the word in front of a metric that is one of the whole run.
const ofRun = "run"

// Parse reads what a map says of a column: a metric with its statistic and its unit ("ttft p99 ms",
// "output_throughput tok/s", "tpot p99 1/(tok/s)" for a speed), one of the whole run ("run kv_cache_tokens tokens",
// "run speed_per_request tok/s of 1024/128 at 10"), a part of the workload or the
// load ("input_len", "max_concurrency"), what the tool calls the run ("session"), or a key of metadata, of which
// facts is the vocabulary beside "labels.x".
func Parse(text string, facts []string) (Column, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return Column{}, fmt.Errorf("the meaning of a column is empty")
	}
	first, rest := words[0], words[1:]
	if first == ofRun && len(rest) > 0 {
		what, of, _ := strings.Cut(strings.Join(rest, " "), " of ")
		c, err := Parse(what, facts)
		if err == nil && (c.value.Quantity == "" || c.value.Stat != metric.Value) {
			err = fmt.Errorf("%q is no number of a whole run: write \"run kv_cache_tokens tokens\"", text)
		}
		c.figure, c.of = true, of
		return c, err
	}
	info, ok := metric.Lookup(metric.ID(first))
	if !ok {
		i := slices.IndexFunc(places[:], func(p place) bool { return p.word == first })
		switch {
		case len(rest) > 0:
		case i >= 0:
			return Column{place: &places[i]}, nil
		case slices.Contains(facts, first) || strings.HasPrefix(first, "labels.") && len(first) > len("labels."):
			return Column{fact: first}, nil
		}
		return Column{}, fmt.Errorf("%q is no metric, part of a workload or load, or key of run.toml: "+
			"write \"output_throughput tok/s\", \"ttft p99 ms\", \"input_len\", \"max_concurrency\", \"session\", "+
			"\"run kv_cache_tokens tokens\" or \"labels.x\"", text)
	}
	if info.In.Of(metric.Derived) != nil {
		return Column{}, fmt.Errorf("%q is computed from other metrics and never read", first)
	}
	v := record.Value{Quantity: info.ID, Stat: metric.Value, Unit: info.Unit}
	if len(rest) > 0 {
		switch {
		case slices.Contains(statistics, rest[0]), percentile.MatchString(rest[0]):
			v.Stat, rest = rest[0], rest[1:]
		case info.Unit == metric.Seconds && info.ID != metric.Duration:
			return Column{}, fmt.Errorf("%q is a distribution: say which statistic the column has, \"%s mean ms\"",
				text, first)
		}
	} else if info.Unit == metric.Seconds && info.ID != metric.Duration {
		return Column{}, fmt.Errorf("%q is a distribution: say which statistic and unit the column has, \"%s mean ms\"",
			text, first)
	}
	if len(rest) > 0 {
		v.Unit = strings.Join(rest, " ")
	}
	inverse := perToken[info.ID] && v.Unit == inverseUnit
	if inverse {
		if v.Stat != metric.Median && !percentile.MatchString(v.Stat) {
			return Column{}, fmt.Errorf("%q: the reciprocal of a %s of speeds is no %s of times: map a median or a percentile, "+
				"or the speed itself, \"speed_per_request %s tok/s\"", text, v.Stat, v.Stat, v.Stat)
		}
		v.Unit = metric.Seconds
	}
	if _, err := metric.ToBase(v.Quantity, 1, v.Unit); err != nil {
		return Column{}, err
	}
	return Column{value: v, inverse: inverse}, nil
}

// inverseUnit is the unit of a column that has tokens a second of one request, for a metric that is seconds a token:
// the first percentile of the speed is the 99th of the time, which is what the map says.
const inverseUnit = "1/(tok/s)"

// perToken are the metrics that are seconds a token.
var perToken = map[metric.ID]bool{metric.TPOT: true, metric.ITL: true, metric.NTPOT: true}

// statistics are those that a column may have, beside percentiles.
var statistics = []string{metric.Value, metric.Total, metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max}

// common are the names that tables share, in lower case and with one underscore for what is no
// letter or digit. A latency without a unit is in seconds in all of them.
var common = func() map[string]Column {
	out := map[string]Column{"tokens_per_second": {tokens: true}, "token_throughput": {tokens: true}}
	for _, c := range [][2]string{
		{"input_len", "input_len isl input_length"}, {"output_len", "output_len out_len osl output_length"},
		{"mean_input_len", "avg_input_len"}, {"mean_output_len", "avg_output_len"},
		{"batch", "batch_size batch bs"}, {"max_concurrency", "max_concurrency concurrency conc"},
		{"rate", "request_rate qps rps"},
		{"num_prompts", "num_requests num_prompts requests"}, {"model", "model model_id model_name"},
		{"hardware", "gpu hardware accelerator gpu_type"}, {"engine", "engine framework"}, {"duration s", "elapsed_time"},
		{"request_throughput req/s", "requests_per_second request_throughput"},
		{"e2e_latency mean s", "avg_latency end_to_end_latency"},
	} {
		column, err := Parse(c[0], []string{record.FactModel, record.FactHardware, record.FactEngine})
		if err != nil {
			panic(err)
		}
		for _, n := range strings.Fields(c[1]) {
			out[n] = column
		}
	}
	return out
}()

var noWord = regexp.MustCompile(`[^a-z0-9]+`)

// known are the columns of a header under common names. They are those of a table of
// measurements where both lengths and something measured are among them; serving records have a
// format of their own.
func known(names []string) (out []header, ok bool) {
	in, outLen, measured := false, false, false
	for _, n := range names {
		c, mapped := common[strings.Trim(noWord.ReplaceAllString(strings.ToLower(strings.TrimSpace(n)), "_"), "_")]
		out = append(out, header{strings.TrimSpace(n), c, mapped})
		in = in || c.place == inputLen && mapped
		outLen = outLen || c.place == outputLen && mapped
		measured = measured || c.tokens ||
			c.value.Quantity == metric.RequestThroughput || c.value.Quantity == metric.E2ELatency
	}
	has := func(name string) bool { return slices.ContainsFunc(out, func(h header) bool { return h.name == name }) }
	serving := has("duration") && has("completed")
	return out, in && outLen && measured && !serving
}
