package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// scorecards are all scorecards of a catalog.
type scorecards struct {
	cols  []*hardwareColumn
	rows  []scoreRow
	cards map[[2]string]*figure.Card // by model slug, hardware slug
	// class are the classes of workload with a scorecard, byClass the same by key; whole are the
	// scorecards of whole runs, front the one on the home page, nil in an empty catalog.
	class   []*scoreClass
	byClass map[string]*scoreClass
	whole   []*scoreView
	groups  []*workloadGroup // of class, by name
	front   *scoreView
}

func newScorecards(ix *figure.Index) *scorecards {
	s := &scorecards{cols: hardwareColumns(ix), cards: map[[2]string]*figure.Card{}, byClass: map[string]*scoreClass{}}
	for _, c := range ix.Cards {
		s.cards[[2]string{c.Model.Slug, c.Hardware.Slug}] = c
	}
	s.rows = s.modelRows(ix.Models)
	s.classViews(scoreClasses(ix))
	s.groups = groupWorkloads(s.class)
	s.wholeViews(ix.Cards)
	s.lay()
	return s
}

// hardwareColumn is a column of the scorecard: an accelerator in a number.
type hardwareColumn struct {
	settings.Hardware
	cards int
}

// hardwareColumns orders the hardware of a catalog by vendor, the one with most cards first,
// then by year, memory, name and count.
func hardwareColumns(ix *figure.Index) []*hardwareColumn {
	bySlug := map[string]*hardwareColumn{}
	var list []*hardwareColumn
	vendors := map[string]int{}
	for _, c := range ix.Cards {
		h := bySlug[c.Hardware.Slug]
		if h == nil {
			h = &hardwareColumn{Hardware: c.Hardware}
			bySlug[c.Hardware.Slug] = h
			list = append(list, h)
		}
		h.cards++
		vendors[h.Accelerator.Vendor]++
	}
	number := func(n *float64) float64 {
		if n == nil {
			return math.Inf(1)
		}
		return *n
	}
	year := func(a settings.Accelerator) int {
		if a.Year == nil {
			return 9999
		}
		return *a.Year
	}
	slices.SortFunc(list, func(a, b *hardwareColumn) int {
		x, y := a.Accelerator, b.Accelerator
		unknown := func(v string) int {
			if v == "" {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(unknown(x.Vendor), unknown(y.Vendor)),
			cmp.Compare(vendors[y.Vendor], vendors[x.Vendor]),
			cmp.Compare(x.Vendor, y.Vendor),
			cmp.Compare(year(x), year(y)), cmp.Compare(number(x.MemoryGB), number(y.MemoryGB)),
			cmp.Compare(x.Name, y.Name),
			cmp.Compare(a.Count, b.Count), cmp.Compare(a.Slug, b.Slug))
	})
	return list
}

// modelRows are all models, the smallest first.
func (s *scorecards) modelRows(models []*figure.Model) []scoreRow {
	var rows []scoreRow
	for _, m := range models {
		row := scoreRow{model: m.Model, cards: make([]*figure.Card, len(s.cols))}
		for i, h := range s.cols {
			row.cards[i] = s.cards[[2]string{m.Slug, h.Slug}]
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b scoreRow) int { return byModelSize(a.model, b.model) })
	return rows
}

// classViews makes the views of all classes: the classes without one are left out.
func (s *scorecards) classViews(classes []*scoreClass) {
	for _, k := range classes {
		most := 0
		for _, m := range scoreMetrics() {
			if m.whole {
				continue
			}
			if v := newView(k, m); v != nil {
				k.views = append(k.views, v)
				most = max(most, len(v.cells))
			}
		}
		if len(k.views) == 0 {
			continue
		}
		// The metric shown first is the first with at least half as many cells as any: peak
		// throughput, unless hardly a card of the class has it.
		i := slices.IndexFunc(k.views, func(v *scoreView) bool { return 2*len(v.cells) >= most })
		k.first = k.views[i]
		s.class = append(s.class, k)
		s.byClass[k.key] = k
	}
	// What fills most cells stands first.
	slices.SortStableFunc(s.class, func(a, b *scoreClass) int {
		return cmp.Compare(len(b.first.cells), len(a.first.cells))
	})
}

// wholeViews makes the views of figures that are of whole runs.
func (s *scorecards) wholeViews(cards []*figure.Card) {
	for _, m := range scoreMetrics() {
		if !m.whole {
			continue
		}
		k := &scoreClass{whole: true, slug: m.id, runs: map[*figure.Card]*figure.Run{}, counts: map[*figure.Card]int{}}
		for _, c := range cards {
			runs := slices.DeleteFunc(figure.Active(c.Runs),
				func(r *figure.Run) bool { _, ok := m.value(k, r); return !ok })
			if len(runs) > 0 {
				k.runs[c], k.counts[c] = figure.Head(runs), len(runs)
			}
		}
		if v := newView(k, m); v != nil {
			v.path, k.first = page.PathScorecard(m.id), v
			s.whole = append(s.whole, v)
		}
	}
}

// lay gives the views their addresses, rows and columns. The first view is the home page.
func (s *scorecards) lay() {
	for i, k := range s.class {
		for _, v := range k.views {
			v.path = page.PathScorecard(k.slug)
			if v != k.first {
				v.path += "/" + v.metric.id
			} else if i == 0 {
				v.path = page.PathHome
			}
			v.lay(s.cols, s.rows)
		}
	}
	for i, v := range s.whole {
		if i == 0 && len(s.class) == 0 {
			v.path = page.PathHome
		}
		v.lay(s.cols, s.rows)
	}
	switch {
	case len(s.class) > 0:
		s.front = s.class[0].first
	case len(s.whole) > 0:
		s.front = s.whole[0]
	}
}

// classOf is the class of a scenario among those that have a scorecard, else nil.
func (s *scorecards) classOf(sc *figure.Scenario) *scoreClass {
	if sc == nil {
		return nil
	}
	return s.byClass[sc.Class]
}

// views are the scorecards of all classes and of whole runs.
func (s *scorecards) views() []*scoreView {
	var out []*scoreView
	for _, k := range s.class {
		out = append(out, k.views...)
	}
	return append(out, s.whole...)
}
