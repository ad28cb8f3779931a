package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// What a page shows of frontiers at most.
const (
	mostFrontiers      = 12  // workload classes of a model
	mostFrontierGroups = 60  // rows of a table of readings
	mostFrontierPoints = 240 // rows of a table of points
	mostLabelled       = 4   // groups of a chart whose points have their loads beside them
)

// frontiers is the section of speed per user against throughput per accelerator: a chart and a
// table for the workload that the page compares by, tables for the others. slots are the colours
// that runs have on the other charts of the page.
func (d *draft) frontiers(m *figure.Model, f *figure.Frontier, slots map[*figure.Run]int) {
	blocks := []page.Block{{Text: page.Text("What serving many users costs each of them, "+page.Glue(f.Title)+": "+
		"every load of every hardware, and a line through the points that no other of the same hardware, engine "+
		"version and precision equals or beats. ").Link("How it is computed", d.formula("frontier")).Text(".")}}
	blocks = append(blocks, page.Block{Figure: d.frontierFigure(m, f, slots)})
	blocks = append(blocks, d.named("frontier-at",
		func() *page.Grid { return readingsTable("Throughput per accelerator at a speed per user, "+f.Title, f) }))
	if says := d.frontierRemarks(f); len(says) > 0 {
		blocks = append(blocks, page.Block{Says: says})
	}
	var others []page.Details
	names := ClassNames(m)
	for _, u := range m.Classes() {
		if u.Class == f.Class || len(others) == mostFrontiers {
			continue
		}
		if o, ok := figure.NewFrontier(m, u.Class); ok {
			name := "frontier-" + catalog.Slug(u.Scenario.Key) + "-" + itoa(len(others)+1)
			others = append(others, *d.details(name, names[u.Class], func() *page.Grid {
				return readingsTable("Throughput per accelerator at a speed per user, "+names[u.Class], &o)
			}))
		}
	}
	if len(others) > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "frontier-others",
			Text: "The same under other workloads"}}, page.Block{Group: others})
	}
	d.section("frontier", "Speed per user against throughput per accelerator", blocks...)
}

// frontierRemarks say what to know before a frontier is quoted.
func (d *draft) frontierRemarks(f *figure.Frontier) []page.Sentence {
	var out []page.Sentence
	for _, c := range f.Cautions {
		out = append(out, page.Sentence{Topic: "Compare with care", Warn: true,
			Parts: page.Text(page.Capital(c) + ".")})
	}
	shown := f.Left[:min(5, len(f.Left))]
	for _, l := range shown {
		run := "run " + l.Run.ID
		s := claim.Plain(run+", "+l.Run.Hardware.Name+": "+l.Reason+".", run, l.Run.Hardware.Name)
		out = append(out, page.Sentence{Topic: "Left out",
			Parts: d.lede(s, map[string]string{run: d.Place.To(PathRun(l.Run.ID), "")}).Parts()})
	}
	if more := f.Left[len(shown):]; len(more) > 0 {
		runs := make([]*figure.Run, len(more))
		for i, l := range more {
			runs[i] = l.Run
		}
		c := claim.NewTally(claim.Chosen, runs...)
		out = append(out, page.Sentence{Topic: "Left out",
			Parts: d.stated(c.Much(claim.RunCount, "run").Say(" more.").Sentence())})
	}
	return out
}

// drawnGroups are the groups of a frontier that one chart can tell apart, with their slots: those
// that have a colour on the page already, then newest versions, then the highest throughput.
func drawnGroups(f *figure.Frontier, slots map[*figure.Run]int) (list []*figure.FrontierGroup,
	slot map[*figure.FrontierGroup]int) {
	const most = 9
	slot = map[*figure.FrontierGroup]int{}
	used := [most + 1]bool{}
	top := map[*figure.FrontierGroup]float64{}
	for _, g := range f.Groups {
		for _, p := range g.Points {
			top[g] = max(top[g], p.PerAccelerator)
			if s := slots[p.Run]; s > 0 && s <= most && slot[g] == 0 && !used[s] {
				slot[g], used[s] = s, true
			}
		}
	}
	list = slices.Clone(f.Groups)
	slices.SortStableFunc(list, func(a, b *figure.FrontierGroup) int {
		return cmp.Or(compareBool(slot[b] > 0, slot[a] > 0), compareBool(b.Newest, a.Newest),
			cmp.Compare(top[b], top[a]))
	})
	list = list[:min(most, len(list))]
	for _, g := range list {
		for s := 1; slot[g] == 0 && s <= most; s++ {
			if !used[s] {
				slot[g], used[s] = s, true
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *figure.FrontierGroup) int { return cmp.Compare(slot[a], slot[b]) })
	return list, slot
}

// groupNames are the names of groups by what tells them apart, and what they have in common in
// words: "MI300X, 0.8.2" where all are vLLM, bf16.
func groupNames(list []*figure.FrontierGroup) (names map[*figure.FrontierGroup]string, common string) {
	one := func(of func(*figure.FrontierGroup) string) string {
		for _, g := range list {
			if of(g) != of(list[0]) {
				return ""
			}
		}
		return of(list[0])
	}
	engine, version := one(func(g *figure.FrontierGroup) string { return g.Engine.Name }), one(
		func(g *figure.FrontierGroup) string { return g.Engine.Version })
	precision := one(func(g *figure.FrontierGroup) string { return g.Precision })
	names = map[*figure.FrontierGroup]string{}
	words := func(ws ...string) string {
		return strings.Join(slices.DeleteFunc(ws, func(w string) bool { return w == "" }), ", ")
	}
	for _, g := range list {
		e, v, p := g.Engine.Name, g.Engine.Version, g.Precision
		if e == engine && version != "" {
			e, v = "", ""
		} else if e == engine && v != "" {
			e = ""
		}
		if p == precision {
			p = ""
		}
		names[g] = words(g.Hardware.Name, strings.TrimSpace(e+" "+v), p)
	}
	if engine != "" && version != "" {
		engine += " " + version
	}
	return names, words(engine, precision)
}

func (d *draft) frontierFigure(m *figure.Model, f *figure.Frontier, slots map[*figure.Run]int) *page.Figure {
	list, slot := drawnGroups(f, slots)
	mean, beaten, basis := false, 0, ""
	for _, g := range list {
		for _, p := range g.Points {
			mean = mean || p.Mean
			if p.Dominated {
				beaten++
			}
			basis = p.Basis
		}
	}
	what := "Up and to the right is better. Speed per user is the " + basis + "."
	if strings.HasSuffix(basis, "TPOT") {
		what = "Up and to the right is better. Speed per user is 1 / " + basis + "."
	}
	if beaten > 0 {
		what += " Grey: beaten by another load of the same group."
	}
	if len(list) <= mostLabelled {
		what += " Numbers are loads."
	}
	names, common := groupNames(list)
	if common != "" {
		what += " All " + common + "."
	}
	if n := len(f.Groups) - len(list); n > 0 {
		what += " The first " + itoa(len(list)) + " groups; " + itoa(n) + " more are in the table."
	}
	axis := list[0].Points[0].Scenario.Axis
	fig := d.figure("frontier-chart", frontierFinding(f), what, func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: "Output throughput per accelerator", Unit: "tok/s"}}
		for _, g := range list {
			s := chart.Series{Name: names[g], Slot: slot[g]}
			for _, p := range g.Points {
				q := chart.Point{X: p.Speed, Y: p.PerAccelerator, Hollow: p.Mean,
					Title: g.Label + ", " + LoadName(axis, p.Load) + ": " + metric.Format(p.PerAccelerator) +
						" tok/s per accelerator at " + metric.Format(p.Speed) + " tok/s per user"}
				if !p.Dominated && len(list) <= mostLabelled {
					q.Label = metric.Chosen(p.Load)
				}
				s.Points = append(s.Points, q)
			}
			pn.Series = append(pn.Series, s)
		}
		c := &chart.Chart{Kind: chart.Frontier, Title: "Output throughput per accelerator against speed per user, " +
			m.Name + ", " + f.Title, X: chart.Axis{Title: "speed per user", Unit: "tok/s"}, Panels: []chart.Panel{pn}}
		if mean {
			c.Hollow = "from the mean TPOT, no median recorded"
		}
		return c
	}, chart.Wide, chart.Narrow)
	fig.Data = d.details("frontier-data", "Data table", func() *page.Grid { return d.frontierTable(f) })
	return fig
}

// frontierFinding compares the two best groups at the speed that most of them can be read at, the
// slower speed of equals. No speed counts below all that another group was measured at, of which one gives more: the best
// that can be read there is not the best.
func frontierFinding(f *figure.Frontier) claim.Sentence {
	at, most := -1, 0
	for i := range figure.FrontierSpeeds {
		n, best, beyond := 0, 0.0, 0.0
		for _, g := range f.Groups {
			switch r := g.At[i]; {
			case r.PerAccelerator != nil:
				n++
				best = max(best, *r.PerAccelerator)
			case r.Above != nil:
				for _, p := range g.Points {
					beyond = max(beyond, p.PerAccelerator)
				}
			}
		}
		if n > most && beyond < best {
			at, most = i, n
		}
	}
	if at < 0 {
		return claim.Plain("Throughput per accelerator against speed per user")
	}
	// Older versions speak only where the newest cannot.
	read := slices.DeleteFunc(slices.Clone(f.Groups),
		func(g *figure.FrontierGroup) bool { return g.At[at].PerAccelerator == nil })
	list := slices.DeleteFunc(slices.Clone(read), func(g *figure.FrontierGroup) bool { return !g.Newest })
	if len(list) == 0 {
		list = read
	}
	names, _ := groupNames(list)
	slices.SortStableFunc(list, func(a, b *figure.FrontierGroup) int {
		return cmp.Compare(*b.At[at].PerAccelerator, *a.At[at].PerAccelerator)
	})
	c := claim.State(claim.KindFrontier).Say("At %s tok/s per user", metric.Exact(figure.FrontierSpeeds[at]))
	for i, g := range list[:min(2, len(list))] {
		v := *g.At[at].PerAccelerator
		read, ok := reading(c, g.At[at], figure.FrontierSpeeds[at])
		if !ok {
			return claim.Plain("Throughput per accelerator against speed per user")
		}
		c.Say(", ").Calls(read, names[g]).Run(read).Say("%s", []string{" gives ", " "}[i]).Cite(read, "%s",
			metric.Format(v))
		if i == 0 {
			c.Say(" tok/s per accelerator")
		}
	}
	return c.Sentence()
}

// reading adds the points that a frontier is read between to a claim, and gives the throughput of one. ok is
// false where a point of the frontier is not what stands for its load: of medians and means it takes one.
func reading(c *claim.Stated, r figure.FrontierReading, speed float64) (first claim.Ref, ok bool) {
	var refs []claim.Ref
	for _, p := range []*figure.FrontierPoint{r.Below, r.Above} {
		y := claim.Statistic(p.Run, p.Scenario, p.Load, metric.OutputThroughput, metric.Value)
		x, _ := speedAt(result{"", p.Run, p.Scenario}, p.Load)
		each := claim.Number{Operand: y, Over: p.Run.Hardware.Count}
		if metric.Round12(each.Is()) != p.PerAccelerator || metric.Round12(x.Is()) != p.Speed {
			return 0, false
		}
		refs = append(refs, c.Of(each), c.Of(x))
	}
	c.ReadAt(claim.Between, speed, *r.PerAccelerator, refs...)
	return refs[0], true
}

// LoadName names a load in a few words: "8 parallel", "2 req/s", "batch 8", "all at once".
func LoadName(axis string, load float64) string {
	if math.IsInf(load, 1) {
		return "all at once"
	}
	switch axis {
	case record.AxisConcurrency:
		return metric.Chosen(load) + " parallel"
	case record.AxisRate:
		return metric.Chosen(load) + metric.ThinSpace + "req/s"
	case record.AxisBatch:
		return "batch " + metric.Chosen(load)
	}
	return metric.Chosen(load)
}

// readingsTable is the throughput of each group at the usual speeds per user. Between measured
// loads it is interpolated, and the cell says between which; outside there is no value.
func readingsTable(caption string, f *figure.Frontier) *page.Grid {
	caption += ". ≈ is interpolated, between the two loads below it; · lies outside of what was measured"
	list := f.Groups
	if len(list) > mostFrontierGroups {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b *figure.FrontierGroup) int { return compareBool(b.Newest, a.Newest) })
		list = list[:mostFrontierGroups]
		caption += ". Newest versions first, " + itoa(mostFrontierGroups) + " of " + itoa(len(f.Groups)) + " groups"
	}
	group := "Output tok/s per accelerator at a speed per user"
	switch f.Groups[0].Points[0].Scenario.Axis {
	case record.AxisConcurrency:
		group += "; below it loads, in parallel requests"
	case record.AxisRate:
		group += "; below it loads, in req/s"
	case record.AxisBatch:
		group += "; below it batch sizes"
	}
	t := page.NewTable(caption, "compact readings", list)
	t.Head("Hardware, engine, precision", func(g *figure.FrontierGroup) (string, string) { return g.Label, "" })
	for i, speed := range figure.FrontierSpeeds {
		best := 0.0
		for _, g := range list {
			if v := g.At[i].PerAccelerator; v != nil {
				best = max(best, *v)
			}
		}
		if best == 0 {
			continue // no group was measured around this speed: the last column says around which
		}
		t.Add(page.Column{Title: metric.Exact(speed) + metric.ThinSpace + "tok/s", Num: true, Keep: true, Group: group},
			func(g *figure.FrontierGroup) page.Cell {
				c := readingCell(speed, g.At[i])
				if v := g.At[i].PerAccelerator; v != nil && looksAs(*v, best) && len(list) > 1 {
					c.Class = "best"
				}
				return c
			})
	}
	t.Num("Measured", "tok/s per user", func(g *figure.FrontierGroup) page.Cell {
		lo, hi := g.Points[0], g.Points[len(g.Points)-1]
		c := page.Cell{Text: metric.Format(lo.Speed), Class: "nw", Sort: metric.Exact(hi.Speed)}
		if hi.Speed != lo.Speed {
			c.Text += "–" + metric.Format(hi.Speed)
		}
		if lo.Mean {
			c.Sub = "mean TPOT"
		}
		return c
	})
	return t.Done()
}

// readingCell is one reading, with the loads it lies between.
func readingCell(speed float64, r figure.FrontierReading) page.Cell {
	if r.PerAccelerator == nil {
		why := "not read: no load measured gave a user " + metric.Exact(speed) + " tok/s"
		if r.Above != nil {
			why = "not read: every load measured gave more than " + metric.Exact(speed) + " tok/s per user"
		}
		return dot(why)
	}
	c := page.Cell{Text: metric.Format(*r.PerAccelerator), Exact: metric.Exact(*r.PerAccelerator),
		Sort: metric.Exact(*r.PerAccelerator)}
	if !r.Interpolated {
		c.Sub = metric.Chosen(r.Below.Load)
		return c
	}
	lo, hi := r.Below.Load, r.Above.Load
	c.Text, c.Sub = "≈"+metric.ThinSpace+c.Text, metric.Chosen(lo)
	if lo != hi { // of one load in two runs
		c.Sub = metric.Chosen(min(lo, hi)) + "–" + metric.Chosen(max(lo, hi))
	}
	return c
}

// frontierTable is every point of a frontier.
func (d *draft) frontierTable(f *figure.Frontier) *page.Grid {
	type row struct {
		group string
		p     figure.FrontierPoint
	}
	var rows []row
	for _, g := range f.Groups {
		for _, p := range g.Points {
			rows = append(rows, row{g.Label, p})
		}
	}
	caption := "Points of the frontier, " + f.Title
	if len(rows) > mostFrontierPoints {
		rows = rows[:mostFrontierPoints]
		caption += ", the first " + itoa(mostFrontierPoints) + "; all are in the downloads"
	}
	t := page.NewTable(caption, "compact readings", rows)
	t.Head("Hardware, engine, precision", func(r row) (string, string) { return r.group, "" })
	t.Num("Load", "", func(r row) page.Cell {
		load := page.Cell{Text: metric.Chosen(r.p.Load), Exact: infTitle(r.p.Load),
			Href: d.pointHref(r.p.Run, r.p.Scenario, r.p.Points[0])}
		if len(r.p.Points) > 1 {
			load.Sub = "median of " + itoa(len(r.p.Points))
		}
		return load
	})
	t.Num("Speed per user", "tok/s", func(r row) page.Cell {
		speed := page.Number(r.p.Speed, metric.Scale{})
		if r.p.Mean {
			speed.Sub = metric.Mean
		}
		return speed
	})
	t.Num("Throughput per accelerator", "tok/s",
		func(r row) page.Cell { return page.Number(r.p.PerAccelerator, metric.Scale{}) })
	t.Col("Beaten by", func(r row) page.Cell {
		switch {
		case r.p.Dominated:
			return page.Cell{Text: "its own group", Class: "mut"}
		case r.p.DominatedByAll:
			return page.Cell{Text: "another group", Class: "mut"}
		}
		return page.Cell{Text: "nothing"}
	})
	return t.Done()
}
