package aiperf

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const (
	aiperf    = "aiperf"
	genaiPerf = "genai-perf"
)

// reader is the state of reading one file.
type reader struct {
	file, key string
	emit      func(record.Record)
}

// place names a measurement: the folder of its files and what their names have in common.
func place(file string) (folder, stem string) {
	folder, name := sessions.Split(file)
	stem = strings.TrimSuffix(name, path.Ext(name))
	for _, tail := range []string{"_aiperf", "_genai_perf", "_gen_ai_perf", "_llm_genai_perf"} {
		stem = strings.TrimSuffix(stem, tail)
	}
	return folder, strings.TrimSuffix(stem, "_llm")
}

// session names the session that a file belongs to: measurements whose folders lie beside each
// other and are named alike but for the load.
func session(file string) string {
	folder, stem := place(file)
	above, base := sessions.Split(folder)
	if v := unloaded(base); v != base {
		return record.SessionKey(aiperf, above, v, unloaded(stem))
	}
	return record.SessionKey(aiperf, folder, "", unloaded(stem))
}

// short is a load at the end of a name, written shorter than the tools do.
var short = regexp.MustCompile(`(?i)[-_](?:c|conc|qps|rps|rate)[-_=]?[0-9]+(?:\.[0-9]+)?$`)

// unloaded is a name without the load in it. Other numbers stay: models are named with them.
func unloaded(name string) string {
	if sessions.Variant(name) == "" {
		return "" // nothing but loads
	}
	if v := named.ReplaceAllString(name, "$3"); v != name {
		return strings.Trim(v, "-_")
	}
	return short.ReplaceAllString(name, "")
}

// named is the load in the name of a folder: "...-concurrency8", "...-request_rate2.5".
var named = regexp.MustCompile(`(?i)(?:^|[-_])(concurrency|request[-_]rate)[-_=]?([0-9]+(?:\.[0-9]+)?)($|[-_])`)

// loadOf is the load that the folder of a file names.
func loadOf(file string) (l record.Load) {
	folder, _ := place(file)
	_, base := sessions.Split(folder)
	m := named.FindStringSubmatch(base)
	if m == nil {
		return l
	}
	f, err := strconv.ParseFloat(m[2], 64)
	switch {
	case err != nil || f <= 0:
	case !strings.EqualFold(m[1], "concurrency"):
		rate := record.Float(f)
		l.Rate = &rate
	case f == float64(int64(f)) && f < 1<<30:
		n := int64(f)
		l.MaxConcurrency = &n
	}
	return l
}

// statistic is what a block of statistics is read as.
type statistic struct {
	key      string
	quantity metric.ID
	stat     string // the one statistic that "avg" is; empty where all are read
	unit     string // where the file has none
}

var metrics = []statistic{
	{"request_latency", metric.E2ELatency, "", "ms"},
	{"time_to_first_token", metric.TTFT, "", "ms"},
	{"time_to_first_output_token", metric.TTFO, "", "ms"},
	{"inter_token_latency", metric.TPOT, "", "ms"},
	{"inter_chunk_latency", metric.ITL, "", "ms"},
	{"e2e_output_token_throughput", metric.SpeedPerRequest, "", "tok/s"},
	{"request_throughput", metric.RequestThroughput, metric.Value, "req/s"},
	{"output_token_throughput", metric.OutputThroughput, metric.Value, "tok/s"},
	{"input_token_throughput", metric.InputThroughput, metric.Value, "tok/s"},
	{"total_token_throughput", metric.TotalThroughput, metric.Value, "tok/s"},
	{"goodput", metric.Goodput, metric.Value, "req/s"},
	{"request_goodput", metric.Goodput, metric.Value, "req/s"},
	{"benchmark_duration", metric.Duration, metric.Value, "s"},
	{"total_isl", metric.InputTokens, metric.Total, "tokens"},
	{"total_osl", metric.OutputTokens, metric.Total, "tokens"},
	// Of all tokens; the share of each request, of which AIPerf tells the mean, is another number.
	{"overall_usage_prompt_cache_read_pct", metric.PrefixCacheHits, metric.Value, "%"},
	{"effective_concurrency", metric.AchievedConcurrency, metric.Value, "requests"},
}

// statisticsOf is what the block of a key is read as; known is false for one that is not.
func statisticsOf(key string) (is statistic, known bool) {
	for _, s := range metrics {
		if s.key == key {
			return s, true
		}
	}
	return is, false
}

// titles are the metrics whose rows in a table are called otherwise, and those of GenAI-Perf's
// first releases.
var titles = [][2]string{
	{"total_input_sequence_length", "total_isl"}, {"total_output_sequence_length", "total_osl"},
	{"num_input_token", "input_sequence_length"}, {"num_output_token", "output_sequence_length"},
	{"overall_usage_prompt_cache_read_%", "overall_usage_prompt_cache_read_pct"},
	{"minimum_request_timestamp", "min_request_timestamp"}, {"maximum_response_timestamp", "max_response_timestamp"},
}

// units are the tools' own words for units.
var units = [][2]string{
	{"requests/sec", "req/s"}, {"requests/second", "req/s"},
	{"tokens/sec", "tok/s"}, {"tokens/second", "tok/s"}, {"tokens/sec/user", "tok/s"},
	{"sec", "s"}, {"seconds", "s"}, {"milliseconds", "ms"}, {"microseconds", "us"}, {"nanoseconds", "ns"},
}

func unitOf(word, otherwise string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if u := reading.Second(units, word); u != "" {
		return u
	}
	if word == "" || word == "count" || word == "per sec" { // GenAI-Perf writes the last of requests and of tokens
		return otherwise
	}
	return word
}

// measured is what the blocks of an export or a table say.
type measured struct {
	values            []record.Value
	completed, failed *int64
	actual            record.Lengths
	started           float64 // seconds since 1970, 0 if unknown
}

// measure reads the blocks that are members of o.
func measure(o *reading.Object) (m measured) {
	o.Each(func(key string, v reading.Value) {
		if v.Kind() == reading.KindObject && v.Get("unit").Exists() {
			m.block(key, o)
		}
	})
	m.values = reading.Measured(m.values, m.completed == nil || *m.completed > 0)
	return m
}

// block reads the block that is a member of o.
func (m *measured) block(key string, o *reading.Object) {
	name := cmp.Or(reading.Second(titles, key), key)
	switch name {
	case "request_count", "error_request_count":
		b := o.Sub(key)
		b.Use("unit", "min", "max", "std", "sum", "count")
		n := b.Count("avg")
		if name == "request_count" {
			m.completed = n
		} else {
			m.failed = n
		}
	case "input_sequence_length", "output_sequence_length":
		b := o.Sub(key)
		if n, ok := b.Number("avg"); ok && n > 0 {
			n = metric.Round(n)
			if name == "input_sequence_length" {
				m.actual.Input = &n
			} else {
				m.actual.Output = &n
			}
		}
		b.Each(func(k string, _ reading.Value) { b.Use(k) })
	case "min_request_timestamp", "max_response_timestamp":
		b := o.Sub(key)
		b.Use("unit")
		if n, ok := b.Number("avg"); ok && name == "min_request_timestamp" && n > 1e18 && n < 7e18 {
			m.started = n / 1e9
		}
	default:
		if is, known := statisticsOf(name); known {
			m.statistics(is, o.Sub(key))
		}
	}
}

// statistics reads those of a metric.
func (m *measured) statistics(is statistic, b *reading.Object) {
	unit := unitOf(b.Text("unit"), is.unit)
	b.Use("sum")
	var n int64
	if c := b.Count("count"); c != nil {
		n = *c
	}
	b.Each(func(k string, _ reading.Value) {
		stat := reading.Statistic(k)
		if stat == "" {
			return
		}
		if is.stat != "" { // one number
			b.Use(k)
			if k == "avg" {
				b.Measure(&m.values, is.quantity, is.stat, unit, k)
			}
			return
		}
		if _, ok := b.Measure(&m.values, is.quantity, stat, unit, k); ok {
			m.values[len(m.values)-1].N = n
		}
	})
}

// tableTool is the tool whose table begins so, "" for another text.
func tableTool(head []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	switch line = bytes.TrimSpace(line); {
	case bytes.HasPrefix(line, []byte("Metric,avg,min,max,p99,p95,")):
		return genaiPerf
	case bytes.HasPrefix(line, []byte("Metric,avg,")) && bytes.Contains(line, []byte(",min,max,")): // or "sum" before them
		return aiperf
	}
	return ""
}
