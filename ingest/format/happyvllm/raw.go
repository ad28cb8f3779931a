package happyvllm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Names of the Samples of raw files.
const (
	samplesParameters = "parameters"
	samplesIngestion  = "prompt ingestion"
	samplesKV         = "kv cache"
)

// Keys of "parameters" that stand elsewhere, as load, workload, identity or fact, and those of the client: all others are
// launch arguments of the server.
var (
	elsewhere = []string{
		"model", "prompt_length", "n_workers", "query_profile", "output_length", "suite_id", "happy_vllm_version",
		"vllm_version", "gpu_name",
	}
	ofClient = []string{"step_live_metrics", "max_queries", "request_rate", "backend"}
)

// raw reads one benchmark.
func (r *reader) raw(v reading.Value) {
	var params, general, aggregated, errored, queries, kv reading.Value
	var members []member
	v.Fields(func(key string, m reading.Value) bool {
		members = append(members, member{key, m})
		switch key {
		case "parameters":
			params = m
		case "general_metrics":
			general = m
		case "aggregated_metrics":
			aggregated = m
		case "errored_queries":
			errored = m
		case "individual_query":
			queries = m
		case "kv_cache_profile":
			kv = m
		}
		return true
	})
	id, session := r.identity(params)
	if id.Model == "" {
		r.bad(v, "no \"model\" in \"parameters\": it cannot be told what was measured")
		return
	}
	b := &benchmark{
		reader: r, id: id, session: session, whole: v, members: members,
		params: params, general: general, aggregated: aggregated, errored: errored,
	}

	r.emit(b.parameters())
	if general.Kind() != reading.KindObject {
		r.bad(v, "no \"general_metrics\": nothing was measured")
		return
	}
	b.input, b.output = r.length("prompt_length", params), r.length("output_length", params)
	profile := params.Get("query_profile").Scalar()
	ingestion := queries.Kind() == reading.KindArray && (b.output == nil || *b.output <= 1)
	point := !ingestion && profile != "growing_requests"
	if ingestion {
		b.ingestion(queries)
	}
	samples := 0
	if kv.Kind() == reading.KindArray {
		samples = b.kvCache(kv)
	}
	if point {
		b.point(profile, samples)
	}
	if !point && !ingestion && kv.Kind() != reading.KindArray {
		r.emit(&record.Ignored{
			Base:   record.Base{At: r.pos(v.Off())},
			Reason: "a growing number of requests without a KV-cache profile: no load was held",
		})
	}
}

// benchmark is one raw file in parts.
type benchmark struct {
	*reader
	id                                          record.Identity
	session                                     string
	whole, params, general, aggregated, errored reading.Value
	members                                     []member // of whole, found once: one of them has most of the bytes
	input, output                               *float64 // nominal lengths
}

type member struct {
	key   string
	value reading.Value
}

// length reads a nominal length, which is a text or a number; "0" is the data set of growing
// prompts and no length.
func (r *reader) length(key string, params reading.Value) *float64 {
	v := params.Get(key)
	f, err := strconv.ParseFloat(v.Scalar(), 64)
	if err != nil || !(f > 0) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// stated is the base of a record that stands at v and has the suite's own date.
func (b *benchmark) stated(v reading.Value) record.Base {
	base := b.base(v, b.session, b.id)
	base.Date = b.id.Session
	return base
}

// parameters keeps what Finish finds the common launch arguments from. Raw has the keys that are
// no load, the same bytes in each file of a suite; X has the line of each key.
func (b *benchmark) parameters() *record.Samples {
	s := &record.Samples{Base: b.stated(b.params), Name: samplesParameters}
	s.Facts = b.facts(b.params)
	var drop []string
	b.params.Fields(func(key string, v reading.Value) bool {
		if slices.Contains(elsewhere, key) {
			drop = append(drop, key)
		} else {
			s.X = append(s.X, float64(b.pos(v.Off()).Line))
		}
		return true
	})
	s.Raw = b.params.Compact(reading.Elide{Longer: 64, Drop: drop})
	return s
}

// facts reads what "parameters" say of model, engine and hardware.
func (r *reader) facts(params reading.Value) []record.Fact {
	var facts []record.Fact
	add := func(key, value string, v reading.Value) {
		if value = strings.TrimSpace(value); value != "" {
			facts = append(facts, record.Fact{Key: key, Value: value, At: r.pos(v.Off())})
		}
	}
	v := params.Get("model")
	add(record.FactModel, v.Scalar(), v)
	if v := params.Get("gpu_name"); v.Exists() {
		add(record.FactHardware, v.Scalar(), v)
	}
	if v := params.Get("vllm_version"); v.Exists() {
		add(record.FactEngine, "vllm", v)
		add(record.FactEngineVersion, v.Scalar(), v)
	}
	if v := params.Get("happy_vllm_version"); v.Exists() {
		add(record.FactWrapper, "happy_vllm "+v.Scalar(), v)
	}
	if v := params.Get("tensor_parallel_size"); v.Exists() {
		count := int64(1)
		for _, key := range []string{"tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size"} {
			if n, ok := params.Get(key).Int(); ok && n > 0 && n < 1<<16 {
				count *= n
			}
		}
		add(record.FactCount, strconv.FormatInt(count, 10), v)
	}
	if v := params.Get("suite_id"); v.Exists() {
		add(record.FactDate, v.Scalar(), v)
	}
	return facts
}

// counts are how many requests there were, failed and timed out; valid is how many of them the sums and statistics
// count: time-outs generated something and are in.
func (b *benchmark) counts() (total, errored, timeout, valid *int64) {
	total = b.count(b.general, "total_number_of_queries")
	errored = b.count(b.general, "nb_errored_queries")
	timeout = b.count(b.general, "nb_timeout_queries")
	if total != nil && errored != nil {
		n := *total - *errored
		if timeout != nil {
			n += *timeout
		}
		if n >= 0 {
			valid = &n
		}
	}
	return total, errored, timeout, valid
}

// quantities are the statistics of "aggregated_metrics" that mean the same as elsewhere. What is
// left out (the median gap of a request, waiting times, speeds without them) is in no other tool; the speed after
// the first token is another form of a TPOT.
var quantities = map[string]struct {
	quantity metric.ID
	unit     string
	positive bool // zero is missing
}{
	"time_to_first_token":  {metric.TTFT, "s", true},
	"total_query_time":     {metric.E2ELatency, "s", true},
	"speed_from_beginning": {metric.SpeedPerRequest, "tok/s", true},
	"prompt_length":        {metric.InputTokens, "tokens", true},
	"response_length":      {metric.OutputTokens, "tokens", false},
}

// usedGeneral are the keys of "general_metrics" that a point is made of.
var usedGeneral = []string{
	"max_kv_cache", "max_requests_running", "max_requests_waiting",
	"total_number_of_queries", "nb_timeout_queries", "nb_errored_queries",
	"total_number_of_ingested_tokens", "total_number_of_generated_tokens",
	"actual_total_time", "total_time",
}

// point emits the result of a load that was held.
func (b *benchmark) point(profile string, samples int) {
	res := &record.Result{Base: b.stated(b.whole), Workload: workload(b.input, b.output)}
	if t := b.params.Get("prompt_length").Scalar(); b.input == nil && t != "" && t != "0" {
		res.Workload.Name = t
	}
	workers := b.count(b.params, "n_workers")
	if profile == "request_rate" {
		if rate, ok := b.params.Get("request_rate").Float(); ok && rate > 0 {
			f := record.Float(rate)
			res.Load.Rate = &f
		}
	} else {
		res.Load.MaxConcurrency = workers
	}
	if res.Load == (record.Load{}) {
		b.bad(b.params, "neither \"n_workers\" nor \"request_rate\" is a load: the point has no place on a curve")
	}
	total, errored, timeout, valid := b.counts()
	res.Submitted, res.Failed, res.TimedOut = total, errored, timeout
	if total != nil && errored != nil && *errored <= *total {
		n := *total - *errored
		res.Completed = &n
	}

	n := int64(0)
	if valid != nil {
		n = *valid
	}
	vs := values{}
	b.totals(&vs, &res.Workload.Actual, float64(n))
	b.aggregates(&vs, n)
	b.tokenTimes(&vs, n)
	res.Values = vs
	res.Unmapped = b.unmapped()
	res.Errors = b.errors()
	res.Raw = b.elided(samples)
	b.emit(res)
}

// generals are the numbers of "general_metrics", one a load; those in tokens are totals.
var generals = []reading.Meaning{
	{Key: "total_number_of_ingested_tokens", Quantity: metric.InputTokens, Unit: "tokens"},
	{Key: "total_number_of_generated_tokens", Quantity: metric.OutputTokens, Unit: "tokens"},
	{Key: "max_kv_cache", Quantity: metric.KVCacheUsage, Unit: "fraction"},
	{Key: "max_requests_running", Quantity: metric.RequestsRunning, Unit: "requests"},
	{Key: "max_requests_waiting", Quantity: metric.RequestsWaiting, Unit: "requests"},
}

// totals reads what was measured of all requests together; n valid ones have the mean lengths.
func (b *benchmark) totals(vs *values, actual *record.Lengths, n float64) {
	wall, hasWall := b.float(b.general, "actual_total_time")
	if hasWall = hasWall && wall > 0; hasWall {
		vs.add(record.Value{
			Quantity: metric.Duration, Stat: metric.Value, Number: wall, Unit: "s",
			Key: "general_metrics.actual_total_time",
		})
	}
	for _, g := range generals {
		f, ok := b.float(b.general, g.Key)
		if !ok || f < 0 { // -1: the backend does not tell
			continue
		}
		stat := metric.Value
		if g.Unit == "tokens" {
			stat = metric.Total
		}
		vs.add(record.Value{Quantity: g.Quantity, Stat: stat, Number: f, Unit: g.Unit, Key: "general_metrics." + g.Key})
		if n == 0 || f == 0 {
			continue
		}
		mean := metric.Round(f / n)
		switch g.Quantity {
		case metric.InputTokens:
			actual.Input = &mean
		case metric.OutputTokens:
			actual.Output = &mean
			if hasWall {
				vs.add(record.Value{Quantity: metric.OutputThroughput, Stat: metric.Value,
					Number: metric.Round(f / wall), Unit: "tok/s"})
			}
		}
	}
}

// aggregates reads the statistics over n valid requests.
func (b *benchmark) aggregates(vs *values, n int64) {
	b.aggregated.Fields(func(key string, stats reading.Value) bool {
		q, known := quantities[key]
		if !known {
			return true
		}
		if stats.Kind() != reading.KindObject {
			b.bad(stats, "%s is %s: an object with statistics should stand here", strconv.Quote(key), stats.Kind())
			return true
		}
		stats.Fields(func(stat string, v reading.Value) bool {
			name := statistic(stat)
			if f, ok := b.number(v, key+"."+stat); ok && name != "" && !(q.positive && f == 0) {
				vs.add(record.Value{
					Quantity: q.quantity, Stat: name, Number: f, Unit: q.unit, N: n,
					Key: "aggregated_metrics." + key + "." + stat,
				})
			}
			return true
		})
		return true
	})
}

// afterFirst is the speed of a request once its first token is there: all its output tokens / the time behind
// the first one.
const afterFirst = "speed_from_first_token"

// tokenTimes makes the TPOT of n valid requests of their speeds after the first token: a percentile of times is the
// reciprocal of the opposite percentile of speeds, p99 that of p1. A mean of reciprocals is none of a mean. These
// files divide by all output tokens, other tools by all but the first.
func (b *benchmark) tokenTimes(vs *values, n int64) {
	stats := b.aggregated.Get(afterFirst)
	if stats.Kind() != reading.KindObject {
		return
	}
	stats.Fields(func(stat string, v reading.Value) bool {
		name := opposite(statistic(stat))
		if f, ok := b.number(v, afterFirst+"."+stat); ok && name != "" && f != 0 && !math.IsInf(1/f, 0) {
			vs.add(record.Value{Quantity: metric.TPOT, Stat: name, Number: metric.Round(1 / f), Unit: "s", N: n})
		}
		return true
	})
}

// opposite is the statistic of reciprocals that is the reciprocal of a statistic: "p99" of "p1"; "" for none.
func opposite(stat string) string {
	if stat == metric.Median {
		return stat
	}
	p, ok := strings.CutPrefix(stat, "p")
	f, err := strconv.ParseFloat(p, 64)
	if !ok || err != nil {
		return ""
	}
	return "p" + number(metric.Round(100-f))
}

// values are those of one result; of equal keys in a file the last counts.
type values []record.Value

func (vs *values) add(v record.Value) {
	for i, o := range *vs {
		if o.Quantity == v.Quantity && o.Stat == v.Stat {
			(*vs)[i] = v
			return
		}
	}
	*vs = append(*vs, v)
}

// statistic translates "percentile_25" to "p25"; "" is none that is known.
func statistic(s string) string {
	switch s {
	case "mean":
		return metric.Mean
	case "median":
		return metric.Median
	}
	if p, ok := strings.CutPrefix(s, "percentile_"); ok {
		if f, err := strconv.ParseFloat(p, 64); err == nil && f > 0 && f < 100 {
			return "p" + number(f)
		}
	}
	return ""
}

func (b *benchmark) unmapped() []string {
	var keys []string
	seen := map[string]bool{}
	add := func(k string) {
		if !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	for _, m := range b.members {
		switch m.key {
		case "parameters", "general_metrics", "aggregated_metrics", "errored_queries", "individual_query",
			"kv_cache_profile":
		default:
			add(m.key)
		}
	}
	b.general.Fields(func(k string, _ reading.Value) bool {
		if !slices.Contains(usedGeneral, k) {
			add("general_metrics." + k)
		}
		return true
	})
	b.aggregated.Fields(func(k string, _ reading.Value) bool {
		if _, used := quantities[k]; !used && k != afterFirst {
			add("aggregated_metrics." + k)
		}
		return true
	})
	return keys
}

// errors counts the failed requests by the last line of their error, which of a Python traceback
// is the class and the message.
func (b *benchmark) errors() []record.ErrorCount {
	const longest = 200
	var counts []record.ErrorCount
	index := map[string]int{}
	b.errored.Items(func(_ int, q reading.Value) bool {
		text, _ := q.Get("error").Str()
		text = strings.TrimSpace(text)
		text = strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
		if r := []rune(text); len(r) > longest {
			text = string(r[:longest]) + "..."
		}
		if text == "" {
			text = "no error text"
		}
		i, ok := index[text]
		if !ok {
			i = len(counts)
			index[text] = i
			counts = append(counts, record.ErrorCount{Text: text})
		}
		counts[i].Count++
		return true
	})
	return counts
}

// elided is the file as read, small: the parameters are in a record of their own, and of the
// lists of requests and samples only their length is left. Samples is the length of the KV-cache
// profile, which is too long to be counted once more.
func (b *benchmark) elided(samples int) json.RawMessage {
	var raw reading.Builder
	for _, m := range b.members {
		if m.key == "parameters" {
			continue
		}
		n := -1
		if m.value.Kind() == reading.KindArray {
			switch m.key {
			case "kv_cache_profile":
				n = samples
			case "errored_queries", "individual_query":
				n = m.value.Len()
			}
		}
		if n >= 0 {
			raw.Add(m.key, fmt.Appendf(nil, `{"elided":"array","length":%d}`, n))
		} else {
			raw.Add(m.key, m.value.Compact(reading.Elide{Longer: 64, Texts: private}))
		}
	}
	return raw.JSON()
}

// private are keys with texts of requests and answers.
var private = []string{"prompt", "generated_text", "error"}

// ingestion keeps prompt length and time to first token of each request.
func (b *benchmark) ingestion(queries reading.Value) {
	s := &record.Samples{Base: b.stated(b.whole), Name: samplesIngestion, Kept: record.Kept{Raw: b.elided(0)}}
	s.Nums = map[string]float64{}
	if _, _, _, valid := b.counts(); valid != nil {
		s.Nums["valid"] = float64(*valid)
	}
	queries.Items(func(_ int, q reading.Value) bool {
		var length, ttft float64
		var hasLength, hasTTFT bool
		q.Fields(func(key string, v reading.Value) bool {
			switch key {
			case "prompt_length":
				length, hasLength = b.number(v, key)
			case "time_to_first_token":
				if ttft, hasTTFT = b.number(v, key); ttft < 0 {
					b.bad(v, "%q is below zero: the request is left out", key)
				}
			}
			return true
		})
		if hasLength && hasTTFT && ttft > 0 {
			s.X = append(s.X, length)
			s.Y = append(s.Y, ttft)
		}
		return true
	})
	b.emit(s)
}

// kvCache emits the time line of the cache and what its capacity is estimated from. It returns
// the number of samples.
func (b *benchmark) kvCache(kv reading.Value) int {
	samples, n, ok := kvSamples(kv)
	if !ok {
		samples, n = kvSamplesSlow(b.reader, kv)
	}
	s := &record.Samples{Base: b.stated(b.whole), Name: samplesKV, Nums: map[string]float64{"samples": float64(n)}}
	s.Raw = b.elided(n)
	name := "kv cache"
	if b.input != nil && b.output != nil {
		s.Nums["input_length"], s.Nums["output_length"] = *b.input, *b.output
		name = fmt.Sprintf("kv cache, %s in, %s out", number(*b.input), number(*b.output))
	}
	total, _, _, _ := b.counts()
	in, hasIn := b.float(b.general, "total_number_of_ingested_tokens")
	out, hasOut := b.float(b.general, "total_number_of_generated_tokens")
	if top, ok := fullest(samples); ok && total != nil && *total > 0 && hasIn && hasOut {
		mean := (in + out) / float64(*total)
		s.Nums["usage"], s.Nums["running"], s.Nums["mean_tokens"] = top.usage, top.running, metric.Round(mean)
		if e := math.Trunc(mean * top.running / top.usage); e > 0 && !math.IsInf(e, 0) {
			s.Nums["estimate"] = e
		}
	}
	b.emit(s)
	if p := timeLine(samples); p != nil {
		p.Base, p.Name = s.Beside(), name
		b.emit(p)
	}
	return n
}
