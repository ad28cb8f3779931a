package quantile

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Arrays reads the arrays with one entry a request that clients of serving benchmarks write on
// demand, and adds to a result what it does not state of them: percentiles of TTFT, TPOT, ITL and
// end-to-end latency, and their distributions. The arrays are those of `vllm bench serve
// --save-detailed` and `sglang.bench_serving --output-details`: "output_lens", "ttfts", "itls" and
// "latencies", in tokens and seconds, with an entry for each request that was submitted. One that
// failed has an error, no output or no first token, and does not count. Where there is no latency,
// it is the time to the first token with all gaps behind it. Newer versions of the former write the latencies without
// the rest: they are read where as many are above 0 as requests completed.
//
// Where requests completed without an output token, the tool's own statistics may be of all that
// completed, with zeros for them. What reproduces them decides which requests count. Such requests,
// and statistics that nothing reproduces, are a doubt of the result.
//
// Get returns an array, Missing if there is none; bad takes what is wrong with "ttfts".
func Arrays(res *record.Result, get func(key string) reading.Value, bad func(text string)) {
	lens, ttfts := get("output_lens"), get("ttfts")
	if lens.Kind() != reading.KindArray || ttfts.Kind() != reading.KindArray {
		var e2e Samples
		if latencies := get("latencies"); latencies.Len() <= mostRequests {
			latencies.Numbers(func(i int, n float64, finite bool) bool {
				if !finite {
					bad(fmt.Sprintf("entry %d of \"latencies\" is no number: no percentiles are computed of them", i+1))
				} else if n > 0 {
					e2e.Add(n)
				}
				return finite
			})
		}
		if res.Completed != nil && e2e.N() == *res.Completed {
			e2e.Into(res, metric.E2ELatency, "s", false)
		}
		return
	}
	for _, array := range []struct {
		name string
		n    int
	}{{"output_lens", lens.Len()}, {"ttfts", ttfts.Len()}} {
		if array.n > mostRequests {
			bad(fmt.Sprintf("%q has %d entries, more than %d: no percentiles are computed", array.name, array.n, mostRequests))
			return
		}
	}
	a := arrays{out: numbers(lens), first: numbers(ttfts)}
	if len(a.out) != len(a.first) {
		bad(fmt.Sprintf("\"ttfts\" has %s and \"output_lens\" %d: no percentiles are computed",
			metric.Plural(len(a.first), "entry", "entries"), len(a.out)))
		return
	}
	a.latency, a.is = make([]float64, len(a.out)), make([]state, len(a.out))
	get("errors").Items(func(i int, e reading.Value) bool {
		if i < len(a.is) && e.Scalar() != "" {
			a.is[i] |= isFailed
		}
		return i < len(a.is)
	})
	get("latencies").Numbers(func(i int, n float64, finite bool) bool {
		if i < len(a.is) && finite && n > 0 {
			a.latency[i] = n
			a.is[i] |= isStated
		}
		return i < len(a.is)
	})
	itls := get("itls")
	gaps := func(f func(request int, gap float64)) {
		itls.Lists(func(i int, gap float64) {
			if i < len(a.out) && gap >= 0 && a.good(i) {
				f(i, gap)
			}
		})
	}
	itl := Samples{again: func(f func(float64)) { gaps(func(_ int, gap float64) { f(gap) }) }}
	gaps(func(i int, gap float64) {
		itl.Add(gap)
		if a.is[i]&isStated == 0 {
			a.latency[i] += gap
			a.is[i] |= hasGaps
		}
	})
	empty := a.empty(res.Completed)
	if empty > 0 {
		NoOutput(res, empty, res.Completed)
	}
	with, all := a.times(false), &times{}
	if empty > 0 {
		all = a.times(true)
	}
	with.ttft.or(&all.ttft, res, metric.TTFT)
	with.tpot.Into(res, metric.TPOT, "s", false)
	itl.Into(res, metric.ITL, "s", false)
	with.e2e.or(&all.e2e, res, metric.E2ELatency)
}

// mostRequests is how many requests a result may have entries of: a day of fifty a second.
const mostRequests = 1 << 22

// arrays are those of one result, parallel to each other.
type arrays struct {
	out, first []float64
	// latency is what is stated, or the sum of the gaps.
	latency []float64
	is      []state
}

// state is what is known of a request beside its numbers.
type state uint8

const (
	isFailed state = 1 << iota
	isStated       // it has a latency
	hasGaps        // and no latency
)

// good reports whether a request has a token.
func (a *arrays) good(i int) bool { return a.out[i] > 0 && a.first[i] > 0 && a.is[i]&isFailed == 0 }

// empty counts the requests that completed without an output token. Where the tool does not say how many
// completed, all did that have no error.
func (a *arrays) empty(completed *int64) int64 {
	var tokens, none int64
	for i, n := range a.out {
		switch {
		case a.is[i]&isFailed != 0:
		case n > 0:
			tokens++
		default:
			none++
		}
	}
	if completed != nil {
		return min(none, max(0, *completed-tokens))
	}
	return none
}

// times are the latencies of requests.
type times struct{ ttft, tpot, e2e Samples }

// times sums up the requests with a token, or all that did not fail, those without a token with the zeros
// that the tool writes for them.
func (a *arrays) times(all bool) *times {
	t := &times{}
	t.ttft.Grow(len(a.out))
	t.e2e.Grow(len(a.out))
	if !all { // else nobody asks for it
		t.tpot.Grow(len(a.out))
	}
	for i := range a.out {
		if !a.good(i) && (!all || a.is[i]&isFailed != 0) {
			continue
		}
		t.ttft.Add(a.first[i])
		var latency float64
		switch {
		case a.is[i]&isStated != 0:
			latency = a.latency[i]
		case a.is[i]&hasGaps != 0 || a.out[i] == 1: // the gaps reach from the first token to the last
			latency = a.first[i] + a.latency[i]
		default:
			continue
		}
		t.e2e.Add(latency)
		if !all && a.out[i] > 1 && latency > a.first[i] {
			t.tpot.Add((latency - a.first[i]) / (a.out[i] - 1))
		}
	}
	return t
}

// or adds to a result the samples that the tool's own statistics of a quantity are of: s, of the requests with
// a token, or, where some completed without one, those of all. Where the tool states nothing of the quantity,
// nobody can say which it would take, and nothing is added.
func (s *Samples) or(all *Samples, res *record.Result, q metric.ID) {
	if all.N() > 0 {
		switch why, known := s.unlike(res.Values, q, "s"); {
		case !known:
			return
		case why != "":
			if why, _ := all.unlike(res.Values, q, "s"); why == "" {
				s = all
			}
		}
	}
	s.Into(res, q, "s", false)
}

// NoOutput counts and doubts the requests of a result that completed without an output token, n of those completed;
// completed may be nil.
func NoOutput(res *record.Result, n int64, completed *int64) {
	res.NoOutput = &n
	text := fmt.Sprintf("%d %s", n, metric.Noun(n, "request"))
	if completed != nil {
		text = fmt.Sprintf("%d of %d", n, *completed)
	}
	res.Doubt(record.DoubtNoOutput, record.Warning, text)
}

// numbers are the elements of an array; what is no finite number is 0, which no caller uses.
func numbers(v reading.Value) []float64 {
	if v.Kind() != reading.KindArray {
		return nil
	}
	s := make([]float64, 0, v.Len())
	v.Numbers(func(_ int, n float64, finite bool) bool {
		if !finite {
			n = 0
		}
		s = append(s, n)
		return true
	})
	return s
}
