package figure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// FrontierSpeeds are the speeds per user, in tok/s, at which a frontier's throughput is read off.
var FrontierSpeeds = []float64{10, 20, 30, 50, 100}

// Frontier is speed per user against throughput per accelerator of one model under one workload
// class, over all loads of all hardware.
type Frontier struct {
	Model *Model
	// Class is the workload class, Title its name.
	Class, Title string
	// Groups are in the order of hardware names, then engines, then precision. They are never
	// mixed: each has a frontier of its own.
	Groups []*FrontierGroup
	// Left are the runs of the class that could not be placed, with the reason.
	Left []LeftOut
	// Cautions hold for the whole drawing: what is not recorded of the class, tools that record
	// no TPOT.
	Cautions []string
}

// LeftOut is a run that a figure has to do without.
type LeftOut struct {
	Run    *Run
	Reason string
}

// FrontierGroup is one hardware, engine version and precision.
type FrontierGroup struct {
	Hardware settings.Hardware
	Engine   settings.Engine
	// Precision is the type of weights and, where it is another, of the KV cache: "bf16",
	// "fp8, KV cache fp8"; "" where not known.
	Precision string
	// Label tells the group apart: "H100, vLLM 0.6.4, bf16".
	Label string
	// Newest says that no newer version of the same engine is in the frontier on this hardware
	// with this precision: what a drawing with few series shows.
	Newest bool
	// Points are in ascending order of speed.
	Points []FrontierPoint
	// At is parallel to [FrontierSpeeds].
	At []FrontierReading
}

// FrontierPoint is one load of one run.
type FrontierPoint struct {
	Run      *Run
	Scenario *Scenario
	// Points are the points of the load; several where it was measured repeatedly.
	Points []*catalog.Point
	Load   float64
	// Speed is the median speed per user in tok/s, Basis what it was computed from: see
	// [SpeedPerUser]. Mean says that no median was recorded, so that the mean TPOT stands for it.
	Speed float64
	Basis string
	Mean  bool
	// PerAccelerator is the median output throughput per accelerator in tok/s.
	PerAccelerator float64
	// Dominated says that another point of the group is at least as good in both and better in
	// one; DominatedByAll that some group has such a point.
	Dominated, DominatedByAll bool
}

// FrontierReading is a frontier's throughput at a speed per user.
type FrontierReading struct {
	// PerAccelerator in tok/s; nil where the speed lies outside of what was measured.
	PerAccelerator catalog.Number
	// Interpolated says that it was read off a straight line between the two neighbours.
	Interpolated bool
	// Below and Above are the points of the frontier on either side of the speed, Above the faster
	// one; both are the same where the speed itself was measured. Nil where nothing was measured on
	// that side.
	Below, Above *FrontierPoint
}

// Precision is the type of the run's weights and, where it is another, of its KV cache. Words that
// data/names/quantizations.toml knows have its names: "bfloat16" is bf16.
func (r *Run) Precision() string {
	named := func(w string) string { return r.names.Quantization(w).Name }
	p := r.Model.Precision
	if q := r.Param("quantization"); q != "" && r.Model.Quantization == "" {
		p = named(q)
	}
	if d := r.Param("dtype"); p == "" && d != "auto" {
		p = named(d)
	}
	if a := r.Attr("precision"); a != "" {
		p = named(a)
	}
	if kv := r.Param("kv_cache_dtype"); kv != "" && kv != "auto" && named(kv) != p {
		p = strings.TrimPrefix(p+", KV cache "+named(kv), ", ")
	}
	return p
}

// NewFrontier places all runs of a model that measured a class, withdrawn ones left out. ok is
// false where no point has both figures.
func NewFrontier(m *Model, class string) (f Frontier, ok bool) {
	f = Frontier{Model: m, Class: class}
	groups := map[string]*FrontierGroup{}
	for _, c := range m.Cards {
		runs := slices.DeleteFunc(Active(c.Runs), func(r *Run) bool { return r.Scenario(class) == nil })
		for _, alike := range together(runs) {
			measured := map[float64]bool{}
			for _, r := range alike {
				f.place(r, r.Scenario(class), groups, measured)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		f.Groups = append(f.Groups, groups[k])
	}
	slices.SortStableFunc(f.Groups, func(a, b *FrontierGroup) int {
		return cmp.Or(cmp.Compare(a.Hardware.Accelerator.Name, b.Hardware.Accelerator.Name),
			cmp.Compare(a.Hardware.Count, b.Hardware.Count), cmp.Compare(a.Hardware.Name, b.Hardware.Name), cmp.Compare(a.Engine.Slug, b.Engine.Slug),
			settings.CompareVersions(b.Engine.Version, a.Engine.Version), cmp.Compare(a.Precision, b.Precision))
	})
	for _, g := range f.Groups {
		g.Newest = !slices.ContainsFunc(f.Groups, func(o *FrontierGroup) bool {
			return o.Hardware.Slug == g.Hardware.Slug && o.Engine.Slug == g.Engine.Slug &&
				o.Precision == g.Precision &&
				settings.CompareVersions(o.Engine.Version, g.Engine.Version) > 0
		})
		slices.SortStableFunc(g.Points, func(a, b FrontierPoint) int {
			return cmp.Or(cmp.Compare(a.Speed, b.Speed), cmp.Compare(a.PerAccelerator, b.PerAccelerator))
		})
		for i := range g.Points {
			p := &g.Points[i]
			p.Dominated = slices.ContainsFunc(g.Points, p.dominatedBy)
			p.DominatedByAll = slices.ContainsFunc(f.Groups,
				func(o *FrontierGroup) bool { return slices.ContainsFunc(o.Points, p.dominatedBy) })
		}
		for _, s := range FrontierSpeeds {
			g.At = append(g.At, g.read(s))
		}
	}
	return f, len(f.Groups) > 0
}

// place adds the points of a run to those of its group, but for loads at which a run that it repeats was measured.
func (f *Frontier) place(r *Run, s *Scenario, groups map[string]*FrontierGroup, measured map[float64]bool) {
	if f.Title == "" {
		f.Title = s.Title
		if len(s.NotRecorded) > 0 {
			f.Cautions = append(f.Cautions,
				"not recorded, and so only assumed to be equal: "+strings.Join(s.NotRecorded, ", "))
		}
	}
	if r.Hardware.CountAssumed {
		f.Left = append(f.Left, LeftOut{r, "the number of accelerators is not recorded"})
		return
	}
	key := r.Hardware.Slug + "|" + r.Engine.Slug + "|" + r.Engine.Version + "|" + r.Precision()
	g := groups[key]
	if g == nil {
		g = newFrontierGroup(r)
	}
	placed := false
	for _, l := range s.Loads() {
		p, ok := frontierPoint(r, s, l)
		placed = placed || ok
		if !ok {
			continue
		}
		if measured[l] {
			f.caution("of runs that differ in nothing that is recorded but the time the newest stands")
			continue
		}
		measured[l] = true
		g.Points = append(g.Points, p)
		if strings.Contains(p.Basis, "TTFT") {
			f.caution("the speed of " + r.Identity.Tool + " is the " + p.Basis)
		}
	}
	switch {
	case !placed:
		f.Left = append(f.Left, LeftOut{r, "TPOT and output throughput are both known at no load"})
	case len(g.Points) > 0:
		groups[key] = g
	}
}

func newFrontierGroup(r *Run) *FrontierGroup {
	g := &FrontierGroup{Hardware: r.Hardware, Engine: r.Engine, Precision: r.Precision()}
	label := []string{r.Hardware.Name}
	for _, w := range []string{r.EngineName(), g.Precision} {
		if strings.TrimSpace(w) != "" {
			label = append(label, w)
		}
	}
	g.Label = strings.Join(label, ", ")
	return g
}

// caution adds what holds for the whole drawing, once.
func (f *Frontier) caution(text string) {
	if !slices.Contains(f.Cautions, text) {
		f.Cautions = append(f.Cautions, text)
	}
}

func frontierPoint(r *Run, s *Scenario, load float64) (FrontierPoint, bool) {
	p := FrontierPoint{Run: r, Scenario: s, Load: load}
	var speeds, per []float64
	for _, q := range s.AllAt(load) {
		v, basis, ok := SpeedPerUser(q)
		t, ok2 := r.PerAccelerator(q)
		if !ok || !ok2 || v <= 0 {
			continue
		}
		if p.Basis == "" {
			p.Basis = basis
		}
		if basis != p.Basis {
			continue // medians and means are not put into one number
		}
		p.Points = append(p.Points, q)
		speeds, per = append(speeds, v), append(per, t)
	}
	p.Speed, p.PerAccelerator, p.Mean = median(speeds), median(per), p.Basis == "mean TPOT"
	return p, len(p.Points) > 0
}

func (p *FrontierPoint) dominatedBy(o FrontierPoint) bool {
	return o.Speed >= p.Speed && o.PerAccelerator >= p.PerAccelerator && (o.Speed > p.Speed ||
		o.PerAccelerator > p.PerAccelerator)
}

// read is the throughput of the group's frontier at a speed per user: measured, or on the
// straight line between the two points of the frontier around it, never outside of them.
func (g *FrontierGroup) read(speed float64) FrontierReading {
	var below, above *FrontierPoint
	for i := range g.Points {
		p := &g.Points[i]
		switch {
		case p.Dominated:
		case p.Speed == speed:
			v := p.PerAccelerator
			return FrontierReading{PerAccelerator: &v, Below: p, Above: p}
		case p.Speed < speed:
			below = p
		case above == nil:
			above = p
		}
	}
	if below == nil || above == nil {
		return FrontierReading{Below: below, Above: above}
	}
	v := metric.Round12(below.PerAccelerator +
		(above.PerAccelerator-below.PerAccelerator)*(speed-below.Speed)/(above.Speed-below.Speed))
	return FrontierReading{PerAccelerator: &v, Interpolated: true, Below: below, Above: above}
}

// ClassUse is a workload class of a model with how far it was measured.
type ClassUse struct {
	Class string
	// Scenario is one of the class, for its title and lengths.
	Scenario *Scenario
	// Cards is how many cards measured it, Points how many points they have together.
	Cards, Points int
}

// Classes are the workload classes that the runs of a model measured, withdrawn runs left out:
// those of most cards first, then those of most points, then in the order of their titles.
func (m *Model) Classes() []ClassUse {
	by := map[string]*ClassUse{}
	for _, c := range m.Cards {
		seen := map[string]bool{}
		for _, r := range c.Runs {
			if r.Withdrawn != "" {
				continue
			}
			for _, s := range r.Scenarios {
				u := by[s.Class]
				if u == nil {
					u = &ClassUse{Class: s.Class, Scenario: s}
					by[s.Class] = u
				}
				u.Points += len(s.Points)
				if !seen[s.Class] {
					seen[s.Class] = true
					u.Cards++
				}
			}
		}
	}
	var out []ClassUse
	for _, k := range slices.Sorted(maps.Keys(by)) {
		out = append(out, *by[k])
	}
	slices.SortStableFunc(out, func(a, b ClassUse) int {
		return cmp.Or(cmp.Compare(b.Cards, a.Cards), cmp.Compare(b.Points, a.Points),
			cmp.Compare(a.Scenario.Title, b.Scenario.Title))
	})
	return out
}
