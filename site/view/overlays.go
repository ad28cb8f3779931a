package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// An overlay draws entries that share workloads on one axis: the best first, so that the lines
// drawn are the ones a reader looks for. Of different numbers of accelerators each one is drawn: see
// [perAccelerator].
type overlay struct {
	d     *draft
	of    string // what the entries have in common, for titles
	class string // of the workload that most have
	sc    *figure.Scenario
	list  []entry
	more  int  // entries that are in the table alone
	each  bool // throughput is that of one accelerator
	// uncounted are entries that are left out because the number of their accelerators is not recorded.
	uncounted []entry
}

// mostOverlaid is how many lines one chart holds.
const mostOverlaid = 9

// overlays are the charts of entries that share workloads: throughput against load and against
// speed per user for the class that most of them have, and small multiples for the others. Without perUser, the
// second chart is left out: the page has a section of it. It returns the colours of the runs.
func (d *draft) overlays(es []entry, class, of string, perUser bool) (slots map[*figure.Run]int) {
	var sc *figure.Scenario
	n := 0
	for _, e := range es {
		if s := e.run.Scenario(class); s != nil {
			sc = cmp.Or(sc, s)
			n++
		}
	}
	if n < 2 || len(sc.Points) == 0 {
		if sc != nil && len(es) > 1 {
			d.section("throughput", "Throughput against load", page.Paragraph("No two results share a workload, "+
				"so none are drawn on one axis. Each card has its own charts."))
		}
		return nil
	}
	o := &overlay{d: d, of: of, class: class, sc: sc}
	for _, e := range es {
		if s := e.run.Scenario(class); s != nil && has(s, metric.OutputThroughput) {
			o.list = append(o.list, e)
		}
	}
	var counted bool
	if o.each, counted = perAccelerator(resultsOf(o.list, class)); !counted {
		isUnknown := func(e entry) bool { return count(e.run) == 0 }
		o.uncounted = slices.DeleteFunc(slices.Clone(o.list), func(e entry) bool { return !isUnknown(e) })
		o.list = slices.DeleteFunc(o.list, isUnknown)
		o.each, _ = perAccelerator(resultsOf(o.list, class))
	}
	slices.SortStableFunc(o.list, func(a, b entry) int { return cmp.Compare(o.peak(b), o.peak(a)) })
	o.more = max(0, len(o.list)-mostOverlaid)
	o.list = o.list[:len(o.list)-o.more]
	if len(o.list) < 2 {
		return nil
	}
	slots = map[*figure.Run]int{}
	for i, e := range o.list {
		slots[e.run] = i + 1
	}
	o.throughput(perUser)
	if others := o.shared(); len(others) > 1 {
		o.workloads(others[:min(12, len(others))])
	}
	return slots
}

// peak is the highest throughput of an entry under the common workload.
func (o *overlay) peak(e entry) float64 {
	_, v, _ := e.run.Scenario(o.class).Peak(metric.OutputThroughput)
	return v / o.share(e)
}

// share is what the throughput of an entry is divided by.
func (o *overlay) share(e entry) float64 {
	if o.each {
		return float64(count(e.run))
	}
	return 1
}

// curve is the throughput of an entry under a workload by load.
func (o *overlay) curve(e entry, s *figure.Scenario) []chart.Point {
	points := curve(s, metric.OutputThroughput, "", metric.Scale{})
	for i := range points {
		points[i].Y /= o.share(e)
		points[i].Low /= o.share(e)
		points[i].High /= o.share(e)
	}
	return points
}

// words say what is drawn.
func (o *overlay) words() string {
	said := "Output tokens over wall time"
	if o.each {
		said += " for each accelerator"
	}
	return said
}

// leftOut says which entries are not drawn.
func (o *overlay) leftOut() string {
	said := ""
	if o.more > 0 {
		said = " The best " + itoa(mostOverlaid) + "; " + itoa(o.more) + " more are in the table."
	}
	var names []string
	for _, e := range o.uncounted {
		names = append(names, e.name)
	}
	if len(names) > 0 {
		said += " Not drawn, for the number of accelerators is not recorded: " +
			page.Enumerate(firstNames(names, 6)) + "."
	}
	return said
}

// throughput is the section of the common workload.
func (o *overlay) throughput(perUser bool) {
	title, sizes := "Throughput against load", []chart.Size{chart.Wide, chart.Narrow}
	if perUser {
		title, sizes = "Throughput against load, and against speed per user", []chart.Size{chart.Half, chart.HalfNarrow}
	}
	var block page.Block
	if o.sc.Axis == record.AxisNone || !o.rises() { // a load that nothing tells, or the only one, is none to draw against
		title, perUser = "Throughput", false
		block = page.Block{Text: append(o.d.stated(o.finding()), page.Part{Text: "."})}
	} else {
		block = page.Block{Figure: o.byLoad(sizes)}
	}
	if perUser {
		if b := o.bySpeed(); b != nil {
			block = page.Block{Pair: []page.Figure{*block.Figure, *b}}
		}
	}
	table := func() *page.Grid { return o.d.overlayTable(slices.Concat(o.list, o.uncounted), o.class, o.each) }
	data := page.Block{Details: o.d.details("overlay-data", "Data table", table)}
	warn := page.Block{}
	if len(o.sc.NotRecorded) > 0 {
		said := "Not recorded by the tool: " + page.Enumerate(o.sc.NotRecorded) + ". Compare with care."
		warn = page.Text(said).Block()
	}
	if s, ok := lengthsOf(o.list, o.class); ok {
		warn = page.Block{Says: []page.Sentence{{Topic: "Lengths differ", Warn: true, Parts: o.d.stated(s)}}}
	}
	o.d.section("throughput", title, block, data, warn)
}

// rises says whether some entry was measured at more than one load: else the ranked table holds all that a chart
// against load could show.
func (o *overlay) rises() bool {
	return slices.ContainsFunc(o.list, func(e entry) bool { return len(o.curve(e, e.run.Scenario(o.class))) > 1 })
}

// finding says which entry has the highest peak, of those in the division that is ranked.
func (o *overlay) finding() claim.Sentence {
	division := rankedDivision(o.list, o.class)
	ranked := slices.DeleteFunc(slices.Clone(o.list), func(e entry) bool { return e.run.Outside(division) })
	return topFinding(resultsOf(ranked, o.class), "reaches", "tok/s", metric.OutputThroughput)
}

// byLoad draws throughput against load.
func (o *overlay) byLoad(sizes []chart.Size) *page.Figure {
	what := o.words() + ", " + o.sc.Title + "." + o.leftOut()
	if len(o.incomplete(o.sc)) > 0 {
		what += " Tinted: loads at which not all requests were completed with output."
	}
	return o.d.figure("overlay-load", o.finding(), what+" "+horizontal(o.sc.Axis)+".", func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: throughputTitle(o.each), Unit: "tok/s", Scale: chart.Linear}}
		for i, e := range o.list {
			points := o.curve(e, e.run.Scenario(o.class))
			pn.Series = append(pn.Series, chart.Series{Name: e.name, Slot: i + 1, Points: points})
		}
		pn.Bands = o.incomplete(o.sc)
		return linesByLoad(throughputTitle(o.each)+" against load, "+o.of, o.sc.Axis, pn)
	}, sizes...)
}

// incomplete marks the loads of a workload at which some entry did not complete all requests.
func (o *overlay) incomplete(of *figure.Scenario) (bands []chart.Band) {
	for _, e := range o.list {
		s := e.run.Scenario(of.Class)
		if s == nil {
			continue
		}
		for _, b := range incompleteBands(s) {
			if !slices.ContainsFunc(bands, func(o chart.Band) bool { return o.X == b.X }) {
				bands = append(bands, chart.Band{X: b.X})
			}
		}
	}
	slices.SortFunc(bands, func(a, b chart.Band) int { return cmp.Compare(a.X, b.X) })
	return bands
}

// bySpeed draws the same points against speed per user, per accelerator where all know their count;
// nil where fewer than two entries have both.
func (o *overlay) bySpeed() *page.Figure {
	each := !slices.ContainsFunc(o.list, func(e entry) bool {
		return e.run.Hardware.CountAssumed ||
			e.run.Hardware.Count < 1
	})
	series := func() []chart.Series {
		var out []chart.Series
		for i, e := range o.list {
			points, _ := speedPoints(e.run, e.run.Scenario(o.class), each, len(o.list) <= 3)
			if len(points) > 0 {
				out = append(out, chart.Series{Name: e.name, Slot: i + 1, Points: points})
			}
		}
		return out
	}
	list := series()
	if len(list) < 2 {
		return nil
	}
	_, basis, _ := figure.SpeedPerUser(o.list[0].run.Scenario(o.class).Points[0])
	what := "The same points against speed per user (" + basis + "); up and to the right is better. Numbers are loads."
	return o.d.figure("overlay-interactivity", fastestFinding(resultsOf(o.list, o.class)), what,
		func() *chart.Chart { return speedChart(throughputTitle(each), o.of, series()) }, chart.Half, chart.HalfNarrow)
}

// speedPoints are the loads of a scenario by what one user gets and what all get together, each
// accelerator alone where each is set, with the basis of the speed. Where labelled, the first, the
// middle and the last have their load beside them.
func speedPoints(r *figure.Run, s *figure.Scenario, each, labelled bool) (out []chart.Point, basis string) {
	for i, p := range s.Points {
		x, b, ok1 := figure.SpeedPerUser(p)
		y, ok2 := figure.Throughput(p)
		if each {
			y, ok2 = r.PerAccelerator(p)
		}
		if !ok1 || !ok2 || math.IsInf(figure.LoadOf(p), 0) {
			continue
		}
		basis = b
		q := chart.Point{X: x, Y: y}
		if labelled && (i == 0 || i == len(s.Points)-1 || i == len(s.Points)/2) {
			q.Label = figure.LoadText(p)
		}
		out = append(out, q)
	}
	return out, basis
}

// throughputTitle names throughput, of each accelerator or of all.
func throughputTitle(each bool) string {
	if each {
		return "Output throughput per accelerator"
	}
	return "Output throughput"
}

// speedChart draws throughput against speed per user.
func speedChart(what, of string, series []chart.Series) *chart.Chart {
	return &chart.Chart{
		Kind: chart.Frontier, Title: what + " against speed per user, " + of,
		X:      chart.Axis{Title: "speed per user", Unit: "tok/s"},
		Panels: []chart.Panel{{Y: chart.Axis{Title: what, Unit: "tok/s"}, Series: series}},
	}
}

// shared are the workloads that several entries were measured under at several loads.
func (o *overlay) shared() []*figure.Scenario {
	var out []*figure.Scenario
	for _, e := range o.list {
		for _, s := range e.run.Scenarios {
			n := 0
			for _, f := range o.list {
				if same := f.run.Scenario(s.Class); same != nil && loads(same) > 1 {
					n++
				}
			}
			if n > 1 && !slices.ContainsFunc(out, func(known *figure.Scenario) bool { return known.Class == s.Class }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// workloads is the section of all shared workloads, a small chart each.
func (o *overlay) workloads(shared []*figure.Scenario) {
	peaks := map[*figure.Scenario]string{}
	for _, s := range shared {
		if c, ok := o.peaks(s); ok {
			peaks[s] = o.d.states(c).Text()
		}
	}
	build := func() []panel {
		var ps []panel
		byInput := map[float64][]*chart.Chart{}
		var all []*chart.Chart
		for _, s := range shared {
			p, ok := o.workload(s)
			if !ok {
				continue
			}
			p.what = peaks[s]
			in, _, _ := s.Lengths()
			byInput[in] = append(byInput[in], p.chart)
			all = append(all, p.chart)
			ps = append(ps, p)
		}
		if sameAxis(shared) {
			chart.ShareX(all...)
		}
		for _, cs := range byInput {
			chart.ShareY(cs...)
		}
		return ps
	}
	what := throughputTitle(o.each) + ", tok/s, by load. Workloads of one input length share a vertical scale. " +
		"Peaks in the order of the key. Tinted, if any: loads at which not all requests were completed with output."
	var drawn []result
	for _, e := range o.list {
		drawn = append(drawn, result{name: e.name, run: e.run})
	}
	panels := o.d.panels("workload-panels", sharedFinding(o.list, shared), what, chart.PanelLow, true, panelTitles(build()), build)
	blocks := []page.Block{{Figure: o.d.withData(panels, drawn...)}}
	for _, s := range shared {
		if o.each && s.Class != o.class {
			blocks = append(blocks, o.eachTable(s))
		}
	}
	o.d.section("workloads", "All shared workloads", blocks...)
}

// eachTable is what each accelerator gave under a workload, of entries with several: tables of their runs have the sum of
// all. It is empty where there are none.
func (o *overlay) eachTable(s *figure.Scenario) page.Block {
	several := slices.DeleteFunc(slices.Clone(o.list), func(e entry) bool {
		return e.run.Hardware.Count < 2 || e.run.Scenario(s.Class) == nil
	})
	if len(several) == 0 {
		return page.Block{}
	}
	return page.Block{Details: o.d.details("workload-data-"+s.Key, "Data table, "+s.Title, func() *page.Grid {
		t := o.d.overlayTable(several, s.Class, true)
		t.Caption += ", " + s.Title
		return t
	})}
}

// workload is the small chart of a workload; ok is false where no entry has a value.
func (o *overlay) workload(s *figure.Scenario) (p panel, ok bool) {
	pn := chart.Panel{Y: chart.Axis{Unit: "tok/s", Scale: chart.Linear}}
	for i, e := range o.list {
		same := e.run.Scenario(s.Class)
		if same == nil {
			continue
		}
		if points := o.curve(e, same); len(points) > 0 {
			pn.Series = append(pn.Series, chart.Series{Name: e.name, Slot: i + 1, Points: points})
		}
	}
	pn.Bands = o.incomplete(s)
	p = panel{id: "w-" + s.Key, title: s.Title}
	p.chart = linesByLoad(throughputTitle(o.each)+", "+s.Title+", "+o.of, s.Axis, pn)
	return p, len(pn.Series) > 0
}

// peaks says the peaks of a workload in the order of the key; ok is false where they are none or too many.
func (o *overlay) peaks(s *figure.Scenario) (said claim.Sentence, ok bool) {
	c := claim.State(claim.KindTop)
	between := "peak "
	for _, r := range resultsOf(o.list, s.Class) {
		p, _, ok := r.scenario.Peak(metric.OutputThroughput)
		if !ok {
			continue
		}
		n := claim.Number{Operand: claim.Central(r.run, r.scenario, figure.LoadOf(p), metric.OutputThroughput)}
		if o.each {
			n.Over = r.run.Hardware.Count
		}
		ref := c.Of(n)
		c.Is(claim.Highest, ref).Say("%s", between).Cite(ref, "%s", metric.Format(n.Is()))
		between = " / "
	}
	if n := len(c.Numbers); n == 0 || n > 4 {
		return said, false
	}
	return c.Sentence(), true
}

// sharedFinding says which entry has the highest peak under how many of the shared workloads.
func sharedFinding(list []entry, shared []*figure.Scenario) claim.Sentence {
	info, _ := metric.Lookup(metric.OutputThroughput)
	var places []contest
	for _, s := range shared {
		rs := resultsOf(list, s.Class)
		each, ok := perAccelerator(rs)
		if !ok {
			continue
		}
		var at contest
		at.of, at.ns = peaks(rs, metric.OutputThroughput, each)
		places = append(places, at)
	}
	what := "highest peak"
	if slices.ContainsFunc(places, func(p contest) bool { return len(p.ns) > 1 && p.ns[0].Over > 0 }) {
		what += " per accelerator"
	}
	return winsFinding(places, info, what, "workload", "workloads")
}

func sameAxis(list []*figure.Scenario) bool {
	return !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return s.Axis != list[0].Axis })
}

// lengthsOf says where the tokens really served differ by more than 5 % between entries.
func lengthsOf(list []entry, class string) (claim.Sentence, bool) {
	input := func(e entry) float64 { in, _ := e.run.Scenario(class).ActualLengths(); return in }
	list = slices.DeleteFunc(slices.Clone(list), func(e entry) bool { return input(e) <= 0 })
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(input(a), input(b)) })
	c := &claim.Lengths{}
	for _, e := range list {
		s := e.run.Scenario(class)
		c.Held(input(e), claim.Statistic(e.run, s, s.Loads()[0], metric.OutputThroughput, ""), e.name)
	}
	return c.Sentence()
}

// overlayTable is the numbers of the overlaid charts: loads by entry, of one accelerator first where each is set.
func (d *draft) overlayTable(list []entry, class string, each bool) *page.Grid {
	var all []float64
	for _, e := range list {
		for _, p := range e.run.Scenario(class).Points {
			all = append(all, figure.LoadOf(p))
		}
	}
	slices.Sort(all)
	var runs []*figure.Run
	for _, e := range list {
		runs = append(runs, e.run)
	}
	kept, said := d.fewLoads(list[0].run.Scenario(class).Axis, slices.Compact(all), runs)
	t := page.NewTable("Output throughput by load", "compact", kept)
	t.Intro = said
	t.Num("Load", "", func(l float64) page.Cell { return page.Cell{Text: metric.Chosen(l), Head: true} })
	times := scaleOf(metric.TTFT, scenariosOf(list, class))
	for _, e := range list {
		column := func(title string, scale metric.Scale, f func(p *catalog.Point) (float64, bool)) {
			t.Add(page.Column{Title: title, Unit: scale.Unit, Num: true, Group: e.name}, func(l float64) page.Cell {
				p := e.run.Scenario(class).At(l)
				if p == nil {
					return page.Missing("")
				}
				v, ok := f(p)
				return page.NumberIf(v, ok, scale)
			})
		}
		rate := metric.Scale{Unit: "tok/s"}
		if each {
			column("Per accelerator", rate, e.run.PerAccelerator)
		}
		column("Throughput", rate, figure.Throughput)
		column("Per user", rate, func(p *catalog.Point) (float64, bool) {
			v, _, ok := figure.SpeedPerUser(p)
			return v, ok
		})
		column("TTFT", times, func(p *catalog.Point) (float64, bool) {
			v, _, ok := figure.Central(p, metric.TTFT)
			return v, ok
		})
	}
	return t.Done()
}

func scenariosOf(list []entry, class string) []*figure.Scenario {
	var out []*figure.Scenario
	for _, e := range list {
		if s := e.run.Scenario(class); s != nil {
			out = append(out, s)
		}
	}
	return out
}
