package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Held is a limit as measurements are held against it: of the statistic that it is of or, where no load records
// that, of the nearest that is recorded.
type Held struct {
	Metric metric.ID
	Stat   string
	// Most is the highest value that keeps the limit, Least the lowest; one of them is nil.
	Most, Least catalog.Number
	// For is what the limit is of and no load records, where another statistic stands for it: a statistic of
	// Metric, or with no Stat a metric of which nothing is recorded. Zero where the limit is of Stat itself.
	For Statistic
}

// Statistic is one statistic of a metric.
type Statistic struct {
	Metric metric.ID
	Stat   string
}

// standIns are what is held against the limit of a metric that is not recorded, the nearest first. ITL has the gaps
// of all requests in one pool. End-to-end latency / n, and its reciprocal, have the time to first token in them: where
// they keep a limit of TPOT, TPOT does.
var standIns = map[metric.ID][]metric.ID{metric.TPOT: {metric.ITL, metric.NTPOT, metric.SpeedPerRequest}}

// Held are the limits as they are set.
func (l Limits) Held() []Held { return l.held(func(limit Held) Held { return limit }) }

// Nearest are the limits as a scenario can be held against them.
func (l Limits) Nearest(s *Scenario) []Held { return l.held(s.nearest) }

func (l Limits) held(as func(Held) Held) (hs []Held) {
	for _, info := range limited {
		if most := l.Of(info.ID); most.Max > 0 {
			hs = append(hs, as(Held{Metric: info.ID, Stat: most.Stat, Most: &most.Max}))
		}
	}
	if l.ErrorRate != nil {
		least := 1 - *l.ErrorRate
		hs = append(hs, Held{Metric: metric.SuccessRate, Stat: metric.Value, Least: &least})
	}
	return hs
}

// nearest is a limit as the scenario can be held against it; as it is set where nothing near is recorded.
func (s *Scenario) nearest(limit Held) Held {
	from, ok := s.Source(limit.Metric)
	if !ok {
		return limit
	}
	for _, stat := range nearestFirst(limit.Stat) {
		if !s.records(from, stat) {
			continue
		}
		h := limit
		h.Metric, h.Stat = from, stat
		switch {
		case from != limit.Metric:
			h.For = Statistic{Metric: limit.Metric}
		case stat != limit.Stat:
			h.For = Statistic{Metric: limit.Metric, Stat: limit.Stat}
		}
		if IsRate(from) {
			least := metric.Round12(1 / *limit.Most)
			h.Stat, h.Most, h.Least = Opposite(stat), nil, &least
		}
		return h
	}
	return limit
}

// Source is the metric that is held against a limit of m: m itself, else the first that stands for it and is
// recorded. ok is false where nothing is.
func (s *Scenario) Source(m metric.ID) (from metric.ID, ok bool) {
	for _, from := range append([]metric.ID{m}, standIns[m]...) {
		if slices.ContainsFunc(limitStats(), func(stat string) bool { return s.records(from, stat) }) {
			return from, true
		}
	}
	return m, false
}

// records reports whether some measurement has what stands for a statistic of a time.
func (s *Scenario) records(from metric.ID, stat string) bool {
	return slices.ContainsFunc(s.Believed, func(p *catalog.Point) bool { _, ok := TimeOf(p, from, stat); return ok })
}

// TimeOf is a statistic of a metric as a time in seconds: of a rate the reciprocal of the opposite one.
func TimeOf(p *catalog.Point, from metric.ID, stat string) (float64, bool) {
	if !IsRate(from) {
		return Get(p, from, stat)
	}
	opposite := Opposite(stat)
	v, ok := Get(p, from, opposite)
	if opposite == "" || !ok || v <= 0 {
		return 0, false
	}
	return metric.Round12(1 / v), true
}

// IsRate says that the reciprocal of a metric is a time.
func IsRate(m metric.ID) bool {
	info, _ := metric.Lookup(m)
	return info.Unit == metric.TokensPerSecond
}

// TimeLabel is what a time is called that is made of a metric: "ITL", "1 / speed per request".
func TimeLabel(from metric.ID) string {
	if IsRate(from) {
		return "1 / " + inSentence(from)
	}
	return inSentence(from)
}

// Opposite is the statistic whose reciprocal is a statistic of the reciprocals: p1 for p99, the median for itself;
// "" for none, such as the mean.
func Opposite(stat string) string {
	var p float64
	if stat == metric.Median {
		return stat
	}
	if n, err := fmt.Sscanf(stat, "p%g", &p); n != 1 || err != nil {
		return ""
	}
	return "p" + metric.Exact(metric.Round12(100-p))
}

// limitStats are the statistics that limits are of, the highest percentile first.
func limitStats() (stats []string) {
	for _, one := range limited[0].Columns(metric.Limits) {
		stats = append(stats, one[0])
	}
	return stats
}

// nearestFirst are the statistics of limits in the order of how near they are to one; of two that are as near the
// harder one first.
func nearestFirst(stat string) []string {
	stats := limitStats()
	at := slices.Index(stats, stat)
	far := func(s string) int { i := slices.Index(stats, s); return max(i-at, at-i) }
	near := slices.Clone(stats)
	slices.SortStableFunc(near, func(a, b string) int { return far(a) - far(b) })
	return near
}

// of is what a point has of what is limited.
func (h Held) of(p *catalog.Point) (float64, bool) {
	if h.Metric == metric.SuccessRate {
		o, ok := Success(p)
		return o.Ratio(), ok
	}
	return Get(p, h.Metric, h.Stat)
}

// verdict holds a point against the limit.
func (h Held) verdict(p *catalog.Point) Verdict {
	v, recorded := h.of(p)
	switch {
	case !recorded:
		return NotMeasured
	case h.Most != nil && v <= *h.Most || h.Least != nil && metric.Round12(v) >= metric.Round12(*h.Least):
		return Passes
	}
	return Fails
}

// why says what of a point breaks the limit, or is not known: what is recorded and cannot be believed is not known either.
func (h Held) why(p *catalog.Point) string {
	v, recorded := h.of(p)
	switch {
	case !recorded && h.Metric == metric.SuccessRate:
		return "failures are not known"
	case !recorded:
		return h.Name() + " is not known"
	case h.Metric == metric.SuccessRate:
		o, _ := Success(p)
		return o.Words("requests")
	case h.Least != nil:
		return fmt.Sprintf("%s is %s tok/s", h.Name(), metric.Format(v))
	}
	return fmt.Sprintf("%s is %s", h.Name(), SecondsBeside(v, *h.Most))
}

// Name is what is limited: "TTFT p99", "speed per request p25".
func (h Held) Name() string { return inSentence(h.Metric) + " " + h.Stat }

// inSentence is a metric's label within a sentence: "TTFT", "speed per request".
func inSentence(m metric.ID) string {
	info, _ := metric.Lookup(m)
	if strings.Contains(info.Label, " ") {
		return strings.ToLower(info.Label[:1]) + info.Label[1:]
	}
	return info.Label
}

// Missing says what of a limit no load has where another statistic stands for it: "p99 is not recorded", "TPOT is not
// known"; "" where the limit is of what is known.
func (h Held) Missing() string {
	switch {
	case h.For == Statistic{}:
		return ""
	case h.For.Stat != "":
		return h.For.Stat + " is not recorded"
	}
	return inSentence(h.For.Metric) + " is not known"
}

// words writes a limit, which is chosen and has no digits that a measurement would have: "TTFT p99 ≤ 2 s", "TPOT
// median ≤ 50 ms (p99 is not recorded)".
func (h Held) words() (w string) {
	switch {
	case h.Metric == metric.SuccessRate:
		return "errors ≤ " + metric.Chosen((1-*h.Least)*100) + "\u202f%"
	case h.Least != nil:
		w = fmt.Sprintf("%s ≥ %s tok/s", h.Name(), metric.Chosen(*h.Least))
	default:
		w = fmt.Sprintf("%s ≤ %s", h.Name(), secondsIn(*h.Most, metric.Chosen))
	}
	if missing := h.Missing(); missing != "" {
		w += " (" + missing + ")"
	}
	return w
}

// HeldWords writes limits for readers: "TTFT p99 ≤ 2 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %".
func HeldWords(hs []Held) string {
	if len(hs) == 0 {
		return "no limits"
	}
	var ws []string
	for _, h := range hs {
		ws = append(ws, h.words())
	}
	return strings.Join(ws, ", ")
}

// check holds a point against limits. One that the point has no statistic for is not measured, unless another
// is broken; why names the first such or the first broken limit. It is nil where all are kept.
func check(hs []Held, p *catalog.Point) (v Verdict, why *reason) {
	v = Passes
	for i, h := range hs {
		switch h.verdict(p) {
		case Fails:
			return Fails, &reason{&hs[i], p}
		case NotMeasured:
			if why == nil {
				v, why = NotMeasured, &reason{&hs[i], p}
			}
		}
	}
	return v, why
}

// reason is why a point does not keep a limit. Most are never read, so it is no text yet.
type reason struct {
	limit *Held
	of    *catalog.Point
}

// String is "" for no reason.
func (r *reason) String() string {
	if r == nil {
		return ""
	}
	return r.limit.why(r.of)
}
