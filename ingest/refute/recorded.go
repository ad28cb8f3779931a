package refute

import (
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

type halfClaim struct {
	Spreads []struct {
		Point  int       `json:"point"`
		Metric metric.ID `json:"metric"`
		N      int64     `json:"n"`
		Median float64   `json:"median"`
		P99    *float64  `json:"p99"`
	} `json:"spreads"`
}

func (halfClaim) cites() ([]operand, int) { return nil, 0 }

// below is the value that a share of a distribution, in per cent, does not exceed: on the straight line
// between the two quantiles that are known.
func below(d catalog.Distribution, p float64) float64 {
	qs := d.Quantiles
	i := slices.IndexFunc(qs, func(q catalog.Percentile) bool { return q.P >= p })
	switch {
	case i < 0:
		return qs[len(qs)-1].Value
	case i == 0 || qs[i].P == p:
		return qs[i].Value
	}
	a, b := qs[i-1], qs[i]
	return a.Value + (b.Value-a.Value)*(p-a.P)/(b.P-a.P)
}

func (c halfClaim) holds(_ *Checker, r *catalog.Run, _ []place) error {
	for _, s := range c.Spreads {
		if s.Point < 0 || s.Point >= len(r.Points) {
			return fmt.Errorf("the run has no point %d", s.Point)
		}
		d, ok := r.Points[s.Point].Distributions[s.Metric]
		if !ok || len(d.Quantiles) == 0 || d.N != s.N {
			return fmt.Errorf("point %d has no distribution of %d values of %s", s.Point, s.N, s.Metric)
		}
		if v := below(d, 50); !near(v, s.Median) {
			return fmt.Errorf("half of them are at most %v, not %v", v, s.Median)
		}
		if s.P99 != nil && !near(below(d, 99), *s.P99) {
			return fmt.Errorf("99 in 100 are at most %v, not %v", below(d, 99), *s.P99)
		}
	}
	return nil
}

// profile is a profile of a run by its name, nil for none.
func profile(r *catalog.Run, name string) *catalog.Profile {
	for i := range r.Profiles {
		if r.Profiles[i].Name == name {
			return &r.Profiles[i]
		}
	}
	return nil
}

type fitClaim struct {
	Profile string  `json:"profile"`
	Speed   float64 `json:"speed"`
	Cost    float64 `json:"cost"`
}

func (fitClaim) cites() ([]operand, int) { return nil, 0 }

func (c fitClaim) holds(_ *Checker, r *catalog.Run, _ []place) error {
	p := profile(r, c.Profile)
	if p == nil || p.FitSlope == nil || !near(1 / *p.FitSlope, c.Speed) {
		return fmt.Errorf("%q has no line with %v tokens a second", c.Profile, c.Speed)
	}
	if cost := p.FitIntercept; c.Cost != 0 && (cost == nil || !near(*cost, c.Cost)) || c.Cost < 0 ||
		c.Cost == 0 && cost != nil && *cost > 0 {
		return fmt.Errorf("the cost is not %v s", c.Cost)
	}
	return nil
}

type fullClaim struct {
	Profiles []string `json:"profiles"`
	In       string   `json:"in"`
	Usage    float64  `json:"usage"`
}

func (fullClaim) cites() ([]operand, int) { return nil, 0 }

func (c fullClaim) holds(_ *Checker, r *catalog.Run, _ []place) error {
	if !slices.Contains(c.Profiles, c.In) {
		return fmt.Errorf("%q was not looked at", c.In)
	}
	for _, name := range c.Profiles {
		p := profile(r, name)
		if p == nil {
			return fmt.Errorf("the run has no time line %q", name)
		}
		most, ok := 0.0, false
		for _, l := range p.Lines {
			for _, y := range l.Y {
				if l.Unit == metric.Fraction && (!ok || y > most) {
					most, ok = y, true
				}
			}
		}
		if ok && (most > c.Usage && !near(most, c.Usage) || name == c.In && !near(most, c.Usage)) {
			return fmt.Errorf("%q reaches %v", name, most)
		}
	}
	return nil
}

type capacityClaim struct {
	Base   string  `json:"base"`
	Here   float64 `json:"here"`
	There  float64 `json:"there"`
	Change float64 `json:"change"`
	Called string  `json:"called"` // what the text calls the run
}

func (capacityClaim) cites() ([]operand, int) { return nil, 0 }

// capacity is the first KV-cache capacity that a run states, 0 for none.
func capacity(r *catalog.Run) float64 {
	for _, f := range r.Figures {
		if f.Metric == metric.KVCacheTokens && f.Value != nil {
			return *f.Value
		}
	}
	return 0
}

func (c capacityClaim) holds(k *Checker, r *catalog.Run, _ []place) error {
	base := k.runs[c.Base]
	switch {
	case base == nil || base == r:
		return fmt.Errorf("there is no other run %q", c.Base)
	case !near(capacity(r), c.Here) || !near(capacity(base), c.There) || !near((c.Here-c.There)/c.There, c.Change):
		return fmt.Errorf("the capacities are %v and %v", capacity(r), capacity(base))
	}
	if k.fits(k.name(c.Called), base) > k.fits(k.name(c.Called), r) {
		return fmt.Errorf("%q is no name of run %q", c.Called, r.ID)
	}
	return asMany(accelerators(r), accelerators(base))
}
