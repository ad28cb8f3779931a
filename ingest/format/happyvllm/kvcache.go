package happyvllm

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// kvSample is one reading of the server's metrics, taken every 10 ms. NaN is not recorded. A sample without the usage
// of the cache says nothing of it.
type kvSample struct {
	time    float64 // s since 1970
	usage   float64 // fraction of the cache, 0 to 1
	running float64 // requests
	waiting float64
}

// kvSamples reads an array of samples. Nearly all bytes of a suite are in such arrays: no value is made of what is
// passed. n is how many there are, those without a usage too. ok is false where something other than flat objects of numbers
// is found; then kvSamplesSlow reads.
func kvSamples(kv reading.Value) (samples []kvSample, n int, ok bool) {
	keys := []string{"timestamp", "gpu_cache_usage_perc", "num_requests_running", "num_requests_waiting"}
	least := 0 // bytes of a sample that names all
	for _, k := range keys {
		least += len(k) + len(`"":0,`)
	}
	samples = make([]kvSample, 0, min(kv.Len(), len(kv.Bytes())/least))
	ok = kv.Columns(keys, func(x []float64) {
		if n++; !math.IsNaN(x[1]) {
			samples = append(samples, kvSample{x[0], x[1], x[2], x[3]})
		}
	})
	return samples, n, ok
}

// kvSamplesSlow reads any array; what is no number is not recorded.
func kvSamplesSlow(r *reader, kv reading.Value) (samples []kvSample, n int) {
	kv.Items(func(_ int, v reading.Value) bool {
		if v.Kind() != reading.KindObject {
			r.bad(v, "%s where a sample of the KV cache should stand", v.Kind())
			return true
		}
		get := func(key string) float64 {
			if f, ok := r.float(v, key); ok {
				return f
			}
			return math.NaN()
		}
		s := kvSample{get("timestamp"), get("gpu_cache_usage_perc"), get("num_requests_running"),
			get("num_requests_waiting")}
		if n++; !math.IsNaN(s.usage) {
			samples = append(samples, s)
		}
		return true
	})
	return samples, n
}

// fullest is the sample with the highest usage, the last of equal ones in the order of the file,
// as a stable sort has it. ok is false where the cache was never used.
func fullest(samples []kvSample) (top kvSample, ok bool) {
	for _, s := range samples {
		if s.usage > 0 && s.running >= 0 && (!ok || s.usage >= top.usage) {
			top, ok = s, true
		}
	}
	return top, ok
}

// mostSamples is how many samples of a time line are kept.
const mostSamples = 200

// timeLine thins the samples, in the order of their times, to what a chart can show: of each of
// equal pieces of the time the samples with the highest usage, the most running and the most
// waiting requests. Nil where there is nothing to show. It changes samples.
func timeLine(samples []kvSample) *record.Profile {
	samples = slices.DeleteFunc(samples, func(s kvSample) bool {
		return math.IsNaN(s.time) || math.IsNaN(s.usage) || math.IsNaN(s.running) || math.IsNaN(s.waiting)
	})
	if len(samples) == 0 {
		return nil
	}
	byTime := func(a, b kvSample) int {
		switch {
		case a.time < b.time:
			return -1
		case a.time > b.time:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(samples, byTime) {
		order.Stable(samples, byTime)
	}
	start := samples[0].time
	p := &record.Profile{Curves: record.Curves{Kind: "time", XLabel: "time since the first sample", XUnit: "s",
		Lines: []record.Line{
			{Label: "KV cache usage", Unit: "fraction"},
			{Label: "requests running", Unit: "requests"}, {Label: "requests waiting", Unit: "requests"},
		}}}
	for _, i := range thinTime(samples) {
		s := samples[i]
		// Milliseconds: the clock of the samples has no better grain.
		p.X = append(p.X, math.Round((s.time-start)*1000)/1000)
		p.Lines[0].Y = append(p.Lines[0].Y, s.usage)
		p.Lines[1].Y = append(p.Lines[1].Y, s.running)
		p.Lines[2].Y = append(p.Lines[2].Y, s.waiting)
	}
	if last := p.X[len(p.X)-1]; math.IsInf(last, 0) {
		return nil
	}
	return p
}

// thinTime returns the indices of the samples to keep, ascending.
func thinTime(samples []kvSample) []int {
	if len(samples) <= mostSamples {
		all := make([]int, len(samples))
		for i := range all {
			all[i] = i
		}
		return all
	}
	const pieces = (mostSamples - 2) / 3
	start, end := samples[0].time, samples[len(samples)-1].time
	keep := []int{0, len(samples) - 1}
	from := 0
	for p := 1; p <= pieces; p++ {
		until := start + (end-start)*float64(p)/pieces
		best := [3]int{-1, -1, -1}
		i := from
		for ; i < len(samples) && (samples[i].time < until || p == pieces); i++ {
			s := samples[i]
			if best[0] < 0 || s.usage > samples[best[0]].usage {
				best[0] = i
			}
			if best[1] < 0 || s.running > samples[best[1]].running {
				best[1] = i
			}
			if best[2] < 0 || s.waiting > samples[best[2]].waiting {
				best[2] = i
			}
		}
		if from = i; best[0] >= 0 {
			keep = append(keep, best[:]...)
		}
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}
