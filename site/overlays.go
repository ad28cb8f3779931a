package site

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// overlays are the charts of entries that share workloads: throughput against load and against
// speed per user for the common one, and small multiples for the others. Without perUser, the
// second chart is left out: the page has a section of it. It returns the colours of the runs.
func (d *draft) overlays(es []entry, of string, perUser bool) (slots map[*figure.Run]int) {
	class, sc, n := commonClass(es)
	if n < 2 || len(sc.Points) == 0 {
		if sc != nil && len(es) > 1 {
			d.section("throughput", "Throughput against load", page.Paragraph("No two results share a workload, so none are drawn on one axis. Each card has its own charts."))
		}
		return nil
	}
	const most = 9
	var list []entry
	for _, e := range es {
		if s := e.run.Scenario(class); s != nil && has(s, metric.OutputThroughput) {
			list = append(list, e)
		}
	}
	// The best first, so that the lines drawn are the ones a reader looks for.
	slices.SortStableFunc(list, func(a, b entry) int {
		_, x, _ := a.run.Scenario(class).Peak(metric.OutputThroughput)
		_, y, _ := b.run.Scenario(class).Peak(metric.OutputThroughput)
		return cmp.Compare(y, x)
	})
	more := len(list) - most
	list = list[:min(most, len(list))]
	if len(list) < 2 {
		return nil
	}
	slots = map[*figure.Run]int{}
	for i, e := range list {
		slots[e.run] = i + 1
	}
	what := "Output tokens over wall time, " + sc.Title + "."
	if more > 0 {
		what += " The best " + itoa(most) + "; " + itoa(more) + " more are in the table."
	}
	sizes, title := []chart.Size{chart.Half, chart.HalfNarrow}, "Throughput against load, and against speed per user"
	if !perUser {
		sizes, title = []chart.Size{chart.Wide, chart.Narrow}, "Throughput against load"
	}
	p0, v0, _ := list[0].run.Scenario(class).Peak(metric.OutputThroughput)
	_, v1, _ := list[1].run.Scenario(class).Peak(metric.OutputThroughput)
	finding := list[0].name + " reaches " + metric.Format(v0) + " tok/s " + figure.LoadPhrase(p0) + ", " + list[1].name + " " + metric.Format(v1)
	a := d.figure("overlay-load", finding, what+" "+loadWords(sc.Axis)+".", func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: "Output throughput", Unit: "tok/s", Scale: chart.Linear}}
		for i, e := range list {
			pn.Series = append(pn.Series, chart.Series{Name: e.name, Slot: i + 1, Points: curve(e.run.Scenario(class), metric.OutputThroughput, "", metric.Scale{})})
		}
		return linesByLoad("Output throughput against load, "+of, sc.Axis, pn)
	}, sizes...)
	perGPU := !slices.ContainsFunc(list, func(e entry) bool { return e.run.Hardware.CountAssumed || e.run.Hardware.Count < 1 })
	frontier := func() []chart.Series {
		var out []chart.Series
		for i, e := range list {
			s := chart.Series{Name: e.name, Slot: i + 1}
			sc := e.run.Scenario(class)
			for j, p := range sc.Points {
				x, _, ok1 := figure.SpeedPerUser(p)
				y, ok2 := figure.Throughput(p)
				if perGPU {
					y, ok2 = e.run.PerAccelerator(p)
				}
				if !ok1 || !ok2 || math.IsInf(figure.LoadOf(p), 0) {
					continue
				}
				q := chart.Point{X: x, Y: y}
				if len(list) <= 3 && (j == 0 || j == len(sc.Points)-1 || j == len(sc.Points)/2) {
					q.Label = figure.LoadText(p)
				}
				s.Points = append(s.Points, q)
			}
			if len(s.Points) > 0 {
				out = append(out, s)
			}
		}
		return out
	}
	yTitle := "Output throughput"
	if perGPU {
		yTitle = "Output throughput per accelerator"
	}
	var block page.Block
	if fs := frontier(); perUser && len(fs) >= 2 {
		_, basis, _ := figure.SpeedPerUser(list[0].run.Scenario(class).Points[0])
		fast := fs[0]
		fastV := 0.0
		for _, s := range fs {
			for _, p := range s.Points {
				if p.X > fastV {
					fast, fastV = s, p.X
				}
			}
		}
		b := d.figure("overlay-interactivity", fast.Name+" gives one user up to "+metric.Format(fastV)+" tok/s", "The same points against speed per user ("+basis+"); up and to the right is better. Numbers are loads.", func() *chart.Chart {
			pn := chart.Panel{Y: chart.Axis{Title: yTitle, Unit: "tok/s"}, Series: frontier()}
			return &chart.Chart{Kind: chart.Frontier, Title: yTitle + " against speed per user, " + of, X: chart.Axis{Title: "speed per user", Unit: "tok/s"}, Panels: []chart.Panel{pn}}
		}, chart.Half, chart.HalfNarrow)
		block = page.Block{Pair: []page.Figure{*a, *b}}
	} else {
		block = page.Block{Figure: a}
	}
	data := page.Block{Details: d.details("overlay-data", "Data table", func() *page.Grid { return overlayTable(list, class) })}
	warn := page.Block{}
	if len(sc.NotRecorded) > 0 {
		warn = page.Block{Text: []page.Part{{Text: "Not recorded by the tool: " + page.Enumerate(sc.NotRecorded) + ". Compare with care."}}}
	}
	if t := lengthWarning(list, class); t != "" {
		warn = page.Block{Says: []page.Sentence{{Topic: "Lengths differ", Warn: true, Parts: page.Text(t)}}}
	}
	d.section("throughput", title, block, data, warn)

	var others []*figure.Scenario
	for _, e := range list {
		for _, s := range e.run.Scenarios {
			n := 0
			for _, f := range list {
				if o := f.run.Scenario(s.Class); o != nil && loads(o) > 1 {
					n++
				}
			}
			if n > 1 && !slices.ContainsFunc(others, func(o *figure.Scenario) bool { return o.Class == s.Class }) {
				others = append(others, s)
			}
		}
	}
	if len(others) < 2 {
		return slots
	}
	others = others[:min(12, len(others))]
	build := func() []panel {
		var ps []panel
		byRow := map[float64][]*chart.Chart{}
		var all []*chart.Chart
		for _, s := range others {
			pn := chart.Panel{Y: chart.Axis{Unit: "tok/s", Scale: chart.Linear}}
			var peaks []string
			for i, e := range list {
				if o := e.run.Scenario(s.Class); o != nil {
					pts := curve(o, metric.OutputThroughput, "", metric.Scale{})
					if len(pts) == 0 {
						continue
					}
					pn.Series = append(pn.Series, chart.Series{Name: e.name, Slot: i + 1, Points: pts})
					_, v, _ := o.Peak(metric.OutputThroughput)
					peaks = append(peaks, metric.Format(v))
				}
			}
			if len(pn.Series) == 0 {
				continue
			}
			c := linesByLoad("Output throughput, "+s.Title+", "+of, s.Axis, pn)
			in, _, _ := s.Lengths()
			byRow[in] = append(byRow[in], c)
			all = append(all, c)
			what := ""
			if len(peaks) <= 4 {
				what = "peak " + strings.Join(peaks, " / ")
			}
			ps = append(ps, panel{id: "w-" + s.Key, title: s.Title, what: what, chart: c})
		}
		if sameAxis(others) {
			chart.ShareX(all...)
		}
		for _, cs := range byRow {
			chart.ShareY(cs...)
		}
		return ps
	}
	d.section("workloads", "All shared workloads", page.Block{Figure: d.panels("workload-panels", sharedFinding(list, others), "Output throughput, tok/s, by load. Workloads of one input length share a vertical scale. Peaks in the order of the key.", chart.PanelLow, true, panelTitles(build()), build)})
	return slots
}

// sharedFinding says which entry has the highest peak under most of the shared workloads.
func sharedFinding(list []entry, shared []*figure.Scenario) string {
	wins := make([]int, len(list))
	n := 0
	for _, s := range shared {
		best, bestV, seen := -1, 0.0, 0
		for i, e := range list {
			if o := e.run.Scenario(s.Class); o != nil {
				if _, v, ok := o.Peak(metric.OutputThroughput); ok {
					seen++
					if best < 0 || v > bestV {
						best, bestV = i, v
					}
				}
			}
		}
		if seen > 1 {
			wins[best]++
			n++
		}
	}
	best := 0
	for i := range wins {
		if wins[i] > wins[best] {
			best = i
		}
	}
	switch {
	case n == 0:
		return "Output throughput under " + page.Plural(len(shared), "workload", "workloads")
	case wins[best] == n:
		return list[best].name + " has the highest peak under all " + page.Plural(n, "workload", "workloads")
	}
	return list[best].name + " has the highest peak under " + itoa(wins[best]) + " of " + page.Plural(n, "workload", "workloads")
}

func sameAxis(list []*figure.Scenario) bool {
	return !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return s.Axis != list[0].Axis })
}

// lengthWarning says where the tokens really served differ by more than 5 % between entries.
func lengthWarning(list []entry, class string) string {
	lo, hi := math.Inf(1), 0.0
	var loName, hiName string
	for _, e := range list {
		if in, _ := e.run.Scenario(class).ActualLengths(); in > 0 {
			if in < lo {
				lo, loName = in, e.name
			}
			if in > hi {
				hi, hiName = in, e.name
			}
		}
	}
	if hi == 0 || hi <= lo*1.05 {
		return ""
	}
	return "Prompts held " + countText(lo) + " tokens on average on " + loName + " and " + countText(hi) + " on " + hiName + ": another tokenizer, or another set of prompts."
}

// overlayTable is the numbers of the overlaid charts: loads by entry.
func overlayTable(list []entry, class string) *page.Grid {
	t := &page.Grid{Caption: "Output throughput by load", Class: "compact"}
	t.Groups = append(t.Groups, page.Group{Span: 1})
	t.Columns = append(t.Columns, page.Column{Title: "Load", Num: true})
	var all []float64
	tt := scaleOf(metric.TTFT, scenariosOf(list, class))
	for _, e := range list {
		t.Groups = append(t.Groups, page.Group{Title: e.name, Span: 3})
		t.Columns = append(t.Columns, page.Column{Title: "Throughput", Unit: "tok/s", Num: true}, page.Column{Title: "Per user", Unit: "tok/s", Num: true}, page.Column{Title: "TTFT", Unit: tt.Unit, Num: true})
		for _, p := range e.run.Scenario(class).Points {
			if l := figure.LoadOf(p); !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	slices.Sort(all)
	for _, l := range all {
		rw := page.Row{Cells: []page.Cell{{Text: rowLoad(l), Head: true}}}
		for _, e := range list {
			p := e.run.Scenario(class).At(l)
			if p == nil {
				rw.Cells = append(rw.Cells, page.Missing(""), page.Missing(""), page.Missing(""))
				continue
			}
			v, ok := figure.Throughput(p)
			rw.Cells = append(rw.Cells, numberCell(v, ok, metric.Scale{}))
			v, _, ok = figure.SpeedPerUser(p)
			rw.Cells = append(rw.Cells, numberCell(v, ok, metric.Scale{}))
			v, _, ok = figure.Central(p, metric.TTFT)
			rw.Cells = append(rw.Cells, numberCell(v, ok, tt))
		}
		t.Rows = append(t.Rows, rw)
	}
	return t
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
