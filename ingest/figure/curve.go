package figure

import (
	"math"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Peak is the point of a scenario where a metric is highest, at the smallest such load.
func (s *Scenario) Peak(m metric.ID) (p *catalog.Point, v float64, ok bool) {
	for _, q := range s.Points {
		if w, _, has := Central(q, m); has && (!ok || w > v) {
			p, v, ok = q, w, true
		}
	}
	return p, v, ok
}

// StillRising reports whether the peak of a metric lies at the largest load of several: the
// maximum may then lie beyond what was measured.
func (s *Scenario) StillRising(m metric.ID) bool {
	p, _, ok := s.Peak(m)
	return ok && len(s.Points) > 1 && p == s.Points[len(s.Points)-1] && !math.IsInf(LoadOf(p), 1)
}

// Knee is the saturation knee: the smallest load whose throughput m is at least 95 % of the
// maximum of the scenario. ok is false with fewer than two loads.
func (s *Scenario) Knee(m metric.ID) (p *catalog.Point, ratio float64, ok bool) {
	_, peak, ok := s.Peak(m)
	if !ok || len(s.Points) < 2 || peak <= 0 {
		return nil, 0, false
	}
	for _, q := range s.Points {
		if v, _, has := Central(q, m); has && v >= 0.95*peak {
			return q, metric.Round12(v / peak), true
		}
	}
	return nil, 0, false
}

// Sweet is the interactive sweet spot of a scenario.
type Sweet struct {
	Point *catalog.Point
	// PerUser is output throughput / concurrency in tok/s.
	PerUser float64
	// AllPass says that no load kept the limits, so that all were candidates.
	AllPass bool
	// TTFTLimit and TPOTLimit are twice the smallest p99, in seconds.
	TTFTLimit, TPOTLimit float64
}

// SweetSpot is the interactive sweet spot: among the loads whose TTFT p99 and TPOT p99 are
// within twice their minima (all where none is) the one with the highest output throughput per
// user; ties go to the lower concurrency. It needs two loads by concurrency with both
// percentiles.
func (s *Scenario) SweetSpot() (Sweet, bool) {
	if s.Axis != record.AxisConcurrency {
		return Sweet{}, false
	}
	var cands []*catalog.Point
	minTTFT, minTPOT := math.Inf(1), math.Inf(1)
	for _, p := range s.Points {
		a, ok1 := Get(p, metric.TTFT, metric.P99)
		b, ok2 := Get(p, metric.TPOT, metric.P99)
		_, ok3 := Throughput(p)
		if ok1 && ok2 && ok3 && LoadOf(p) > 0 {
			cands = append(cands, p)
			minTTFT, minTPOT = min(minTTFT, a), min(minTPOT, b)
		}
	}
	if len(cands) < 2 {
		return Sweet{}, false
	}
	best := Sweet{TTFTLimit: 2 * minTTFT, TPOTLimit: 2 * minTPOT}
	for _, all := range []bool{false, true} {
		for _, p := range cands {
			a, _ := Get(p, metric.TTFT, metric.P99)
			b, _ := Get(p, metric.TPOT, metric.P99)
			if !all && (Above(a, best.TTFTLimit) || Above(b, best.TPOTLimit)) {
				continue
			}
			v, _ := Throughput(p)
			if per := metric.Round12(v / LoadOf(p)); best.Point == nil || per > best.PerUser {
				best.Point, best.PerUser, best.AllPass = p, per, all
			}
		}
		if best.Point != nil {
			break
		}
	}
	return best, true
}

// Scaling is the scaling efficiency of a point: throughput(c) * c0 / (c * throughput(c0)), c0
// the smallest load of the scenario. ok is false at c0 itself and for infinite loads.
func (s *Scenario) Scaling(p *catalog.Point) (v float64, c0 *catalog.Point, ok bool) {
	for _, q := range s.Points {
		if t, has := Throughput(q); has && t > 0 && LoadOf(q) > 0 {
			c0 = q
			break
		}
	}
	t, has := Throughput(p)
	if c0 == nil || !has || p == c0 || !Finite(LoadOf(p)) || LoadOf(p) <= LoadOf(c0) {
		return 0, c0, false
	}
	t0, _ := Throughput(c0)
	return metric.Round12(t * LoadOf(c0) / (LoadOf(p) * t0)), c0, true
}

// Largest is the point with the largest load.
func (s *Scenario) Largest() *catalog.Point { return s.Points[len(s.Points)-1] }

// At returns the first point at a load, or nil.
func (s *Scenario) At(load float64) *catalog.Point {
	for _, p := range s.Points {
		if LoadOf(p) == load {
			return p
		}
	}
	return nil
}

// Drop is the largest fall of a metric from one finite load to the next larger one that has it, as a share of the
// value before it, and the two points; 0 where it never falls.
func (s *Scenario) Drop(m metric.ID) (most float64, from, to *catalog.Point) {
	var last *catalog.Point
	before := 0.0
	for _, p := range s.Points {
		v, _, ok := Central(p, m)
		if !ok || math.IsInf(LoadOf(p), 1) {
			continue
		}
		if fall := metric.Round12((before - v) / before); last != nil && before > 0 && fall > most {
			most, from, to = fall, last, p
		}
		last, before = p, v
	}
	return most, from, to
}

// KeepsSpeed is the highest load at which a median request still gets at least limit tok/s,
// TTFT included; 0 where none does, ok false where speed is not recorded. measured says that
// the largest load measured still keeps it, so that the true value may be higher.
func (s *Scenario) KeepsSpeed(limit float64) (load float64, measured, ok bool) {
	for _, p := range s.Points {
		if v, has := Get(p, metric.SpeedPerRequest, metric.Median); has {
			ok = true
			if v >= limit {
				load, measured = LoadOf(p), p == s.Largest()
			}
		}
	}
	return load, measured, ok
}

// KVFull is the smallest load at which the KV cache was at least 95 % full; nil where it never
// was or is not recorded.
func (s *Scenario) KVFull() *catalog.Point {
	for _, p := range s.Points {
		if v, _, ok := Central(p, metric.KVCacheUsage); ok && v >= 0.95 {
			return p
		}
	}
	return nil
}

// FasterBy is how much better best is than baseline: (baseline - best) / baseline for what is
// better low, (best - baseline) / baseline for what is better high.
func FasterBy(baseline, best float64, better metric.Direction) (float64, bool) {
	if baseline == 0 {
		return 0, false
	}
	if better == metric.Higher {
		return metric.Round12((best - baseline) / baseline), true
	}
	return metric.Round12((baseline - best) / baseline), true
}

// Peak is the point of a run with the highest output throughput; nil where none has any.
func (r *Run) Peak() (s *Scenario, p *catalog.Point, v float64) {
	for _, sc := range r.Scenarios {
		if q, w, ok := sc.Peak(metric.OutputThroughput); ok && (p == nil || w > v) {
			s, p, v = sc, q, w
		}
	}
	return s, p, v
}
