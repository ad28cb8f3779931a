package aiperf

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// The parts of a measurement that are no export, by their names in record.Samples.
const (
	partTable    = "table"
	partRequests = "requests"
)

// noOutput names in record.Samples how many requests completed without an output token.
const noOutput = "no output"

// spread are the metrics whose distribution over requests is kept, in this order.
var spread = []string{
	"request_latency", "time_to_first_token", "time_to_first_output_token",
	"inter_token_latency", "inter_chunk_latency",
	"e2e_output_token_throughput",
}

// requests sums up the records of requests, one at a time.
type requests struct {
	*reader
	at                record.Pos // of the first record
	n                 int64      // records, of any phase
	completed, failed int64
	empty             int64 // completed without an output token
	input, output     quantile.Samples
	of                map[string]*quantile.Samples
	unit              map[string]string
	first, last       float64 // ns since 1970
	errors            map[string]int64
	unknown           map[string]bool
}

// add reads one record.
func (q *requests) add(v reading.Value) {
	o := reading.NewObject(q.file, v, q.emit)
	if !o.Is("the record of a request") {
		return
	}
	if q.n == 0 {
		q.at = o.Pos()
		q.of, q.unit = map[string]*quantile.Samples{}, map[string]string{}
		q.errors, q.unknown = map[string]int64{}, map[string]bool{}
	}
	q.n++
	meta := v.Get("metadata")
	if phase := meta.Get("benchmark_phase").Scalar(); phase != "profiling" {
		if phase == "" {
			o.Bad("metadata", "a record of a request without \"benchmark_phase\": it is left out")
		}
		return
	}
	o.Each(func(k string, f reading.Value) {
		if k != "metadata" && k != "metrics" && k != "error" && f.Kind() != reading.KindNull {
			q.unmapped(k)
		}
	})
	if from, ok := since1970(meta.Get("request_start_ns")); ok && (q.first == 0 || from < q.first) {
		q.first = from
	}
	if to, ok := since1970(meta.Get("request_end_ns")); ok && to > q.last {
		q.last = to
	}
	if e := v.Get("error"); e.Kind() == reading.KindObject || e.Kind() == reading.KindString {
		q.fail(e)
		return
	}
	if gone, _ := meta.Get("was_cancelled").Truth(); gone {
		return
	}
	q.completed++
	values := v.Get("metrics")
	if values.Kind() != reading.KindObject {
		o.Bad("metrics", "a request without \"metrics\": its times are left out")
		return
	}
	metrics := reading.NewObject(q.file, values, q.emit)
	values.Fields(func(k string, m reading.Value) bool {
		q.measure(k, m, metrics, o)
		return true
	})
}

// unmapped counts a key that is not read.
func (q *requests) unmapped(key string) {
	if len(q.unknown) < maxUnknown {
		q.unknown[key] = true
	}
}

// fail counts a request that failed with an error.
func (q *requests) fail(e reading.Value) {
	q.failed++
	s := errorText(e)
	if t, ok := e.Str(); ok {
		s = reading.LastLine(t)
	}
	if s != "" && (len(q.errors) < maxErrors || q.errors[s] > 0) {
		q.errors[s]++
	}
}

// measure reads one metric of a request; values and o report what is wrong with it and its unit.
func (q *requests) measure(k string, m reading.Value, values, o *reading.Object) {
	x := m.Get("value")
	switch k {
	case "input_sequence_length":
		tokens(k, x, &q.input, values)
		return
	case "output_sequence_length":
		if n, ok := x.Finite(); ok && n == 0 {
			q.empty++
		}
		tokens(k, x, &q.output, values)
		return
	}
	is, known := statisticsOf(k)
	if !known || is.stat != "" {
		q.unmapped("metrics." + k)
		return
	}
	unit := unitOf(m.Get("unit").Scalar(), is.unit)
	if q.of[k] == nil {
		q.of[k], q.unit[k] = &quantile.Samples{}, unit
	}
	if unit != q.unit[k] {
		o.Bad("metrics", "%q is in %q here and in %q above: the value is left out", k, reading.Clip(unit),
			reading.Clip(q.unit[k]))
		return
	}
	switch x.Kind() {
	case reading.KindArray: // one number a gap
		x.Items(func(_ int, e reading.Value) bool { add(q.of[k], e); return true })
	case reading.KindNumber:
		if f, ok := x.Finite(); ok && f > 0 {
			q.of[k].Add(f)
		}
	case reading.KindNull, reading.KindMissing:
	default:
		noNumber(k, x, values)
	}
}

// tokens reads a number of tokens of a request.
func tokens(k string, x reading.Value, into *quantile.Samples, values *reading.Object) {
	switch x.Kind() {
	case reading.KindNumber, reading.KindNull, reading.KindMissing:
		add(into, x)
	default:
		noNumber(k, x, values)
	}
}

// noNumber reports a metric of a request whose value is something else than a number.
func noNumber(k string, x reading.Value, values *reading.Object) {
	what := x.Kind().String()
	if s, ok := x.Str(); ok {
		what = strconv.Quote(reading.Clip(s))
	}
	values.Bad(k, "\"metrics.%s.value\" is %s, a number was expected: the value is left out", k, what)
}

// maxUnknown is how many keys that are not read are counted.
const maxUnknown = 500

func add(s *quantile.Samples, v reading.Value) {
	if f, ok := v.Finite(); ok {
		s.Add(f)
	}
}

// since1970 is a time in ns since 1970.
func since1970(v reading.Value) (float64, bool) {
	f, ok := v.Finite()
	return f, ok && f > 1e17 && f < 9e18
}

// end emits the sum of all records.
func (q *requests) end() {
	if q.n == 0 {
		return
	}
	s := &record.Samples{
		Base: record.Base{At: q.at, Key: q.key, Identity: record.Identity{Tool: aiperf}}, Name: partRequests,
		Nums:   map[string]float64{"completed": float64(q.completed), "failed": float64(q.failed)},
		Errors: reading.Errors(q.errors),
	}
	var res record.Result
	for _, k := range spread {
		if x := q.of[k]; x != nil {
			is, _ := statisticsOf(k)
			x.Into(&res, is.quantity, q.unit[k], true)
		}
	}
	s.Distributions = res.Distributions
	value := func(quantity metric.ID, stat string, n float64, unit string) {
		s.Values = append(s.Values, record.Value{Quantity: quantity, Stat: stat, Number: metric.Round(n), Unit: unit})
	}
	// A sum over some of the requests is not that of all.
	whole := func(of *quantile.Samples) bool { return of.Sum() > 0 && of.N() == int64(q.completed) }
	if d := (q.last - q.first) / 1e9; q.first > 0 && d > 0 && d < 1e8 && q.completed > 0 {
		s.Facts = dated(q.first/1e9, q.at)
		value(metric.Duration, metric.Value, d, "s")
		value(metric.RequestThroughput, metric.Value, float64(q.completed)/d, "req/s")
		if whole(&q.output) {
			value(metric.OutputThroughput, metric.Value, q.output.Sum()/d, "tok/s")
		}
		if whole(&q.input) && whole(&q.output) {
			value(metric.TotalThroughput, metric.Value, (q.input.Sum()+q.output.Sum())/d, "tok/s")
		}
	}
	for _, l := range []struct {
		key      string
		quantity metric.ID
		of       *quantile.Samples
	}{{"isl", metric.InputTokens, &q.input}, {"osl", metric.OutputTokens, &q.output}} {
		if l.of.Sum() > 0 {
			s.Nums[l.key] = metric.Round(l.of.Sum() / float64(l.of.N()))
			if whole(l.of) {
				value(l.quantity, metric.Total, l.of.Sum(), "tokens")
			}
		}
	}
	s.Values = append(s.Values, res.Values...)
	if q.empty > 0 {
		s.Nums[noOutput] = float64(q.empty)
	}
	s.Unmapped = slices.Sorted(maps.Keys(q.unknown))
	q.emit(s)
}

// dated is the fact that something was measured at a time, in seconds since 1970.
func dated(seconds float64, at record.Pos) []record.Fact {
	return []record.Fact{{Key: record.FactDate, Value: date(seconds), At: at}}
}

func date(seconds float64) string { return time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339) }
