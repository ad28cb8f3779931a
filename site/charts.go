package site

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// loadAxis is the X axis of charts by load.
func loadAxis(axis string) chart.Axis {
	switch axis {
	case record.AxisConcurrency:
		return chart.Axis{Title: "parallel requests", Scale: chart.Pow2}
	case record.AxisRate:
		return chart.Axis{Title: "request rate", Unit: "requests/s", Scale: chart.Linear}
	case record.AxisBatch:
		return chart.Axis{Title: "batch size", Scale: chart.Pow2}
	}
	return chart.Axis{Title: "load"}
}

// curve is one metric of a scenario by load. Quartiles become bars where both are recorded.
// Several points at one load, repetitions, give their median.
func curve(s *figure.Scenario, m metric.ID, stat string, scale metric.Scale) []chart.Point {
	var out []chart.Point
	for _, p := range s.Points {
		var v float64
		var ok bool
		if stat == "" {
			v, _, ok = figure.Central(p, m)
		} else {
			v, ok = figure.Get(p, m, stat)
		}
		if !ok {
			continue
		}
		q := chart.Point{X: figure.LoadOf(p), Y: scale.Of(v)}
		if n := len(out); n > 0 && out[n-1].X == q.X {
			continue // a repetition: its row is in the table
		}
		if stat == "" || stat == metric.Median {
			lo, ok1 := figure.Get(p, m, metric.P25)
			hi, ok2 := figure.Get(p, m, metric.P75)
			if ok1 && ok2 {
				q.Low, q.High = scale.Of(lo), scale.Of(hi)
			}
		}
		if u, _, has := figure.Central(p, metric.KVCacheUsage); has && u >= 0.95 {
			q.Hollow = true
		}
		out = append(out, q)
	}
	return out
}

// hollowText explains hollow marks where a chart has any.
func hollowText(c *chart.Chart) *chart.Chart {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				if q.Hollow {
					c.Hollow = "KV cache at 95 % or more"
					return c
				}
			}
		}
	}
	return c
}

// describe writes the numbers of a chart for readers who do not see it: each series with its
// first, highest and last value.
func describe(series []chart.Series, unitName string) string {
	var b strings.Builder
	for _, s := range series {
		if len(s.Points) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" ")
		}
		lo, hi := s.Points[0], s.Points[0]
		for _, p := range s.Points {
			if p.Y < lo.Y {
				lo = p
			}
			if p.Y > hi.Y {
				hi = p
			}
		}
		if s.Name != "" {
			b.WriteString(s.Name + ": ")
		}
		b.WriteString("from " + metric.Format(lo.Y) + " at " + metric.Format(lo.X) + " to " + metric.Format(hi.Y) + " " + unitName + " at " + metric.Format(hi.X) + ".")
	}
	return b.String()
}

// scaleOf chooses the unit of a metric over all points of some scenarios.
func scaleOf(m metric.ID, scenarios []*figure.Scenario) metric.Scale {
	info, _ := metric.Lookup(m)
	var vs []*float64
	for _, s := range scenarios {
		for _, p := range s.Points {
			if v, _, ok := figure.Central(p, m); ok {
				vs = append(vs, &v)
			}
		}
	}
	return metric.ScaleFor(info.Unit, vs)
}

// has says whether any point of a scenario has a metric.
func has(s *figure.Scenario, m metric.ID) bool {
	return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool {
		_, _, ok := figure.Central(p, m)
		return ok
	})
}

// loads counts the different loads of a scenario.
func loads(s *figure.Scenario) int {
	n := 0
	for i, p := range s.Points {
		if i == 0 || figure.LoadOf(p) != figure.LoadOf(s.Points[i-1]) {
			n++
		}
	}
	return n
}

// curves are the scenarios of a run that have several loads and the metric.
func curves(r *figure.Run, m metric.ID) []*figure.Scenario {
	var out []*figure.Scenario
	for _, s := range r.Scenarios {
		if loads(s) > 1 && has(s, m) {
			out = append(out, s)
		}
	}
	return out
}

// inputGroup is the scenarios of one input length, by output length.
type inputGroup struct {
	input     float64
	scenarios []*figure.Scenario
}

// byInput groups scenarios by input length for panels of lines by output length.
func byInput(list []*figure.Scenario) []inputGroup {
	var gs []inputGroup
	for _, s := range list {
		in, _, _ := s.Lengths()
		i := slices.IndexFunc(gs, func(g inputGroup) bool { return g.input == in })
		if i < 0 {
			i = len(gs)
			gs = append(gs, inputGroup{input: in})
		}
		gs[i].scenarios = append(gs[i].scenarios, s)
	}
	slices.SortFunc(gs, func(a, b inputGroup) int { return cmp.Compare(a.input, b.input) })
	for _, g := range gs {
		slices.SortStableFunc(g.scenarios, func(a, b *figure.Scenario) int {
			_, x, _ := a.Lengths()
			_, y, _ := b.Lengths()
			return cmp.Compare(x, y)
		})
	}
	return gs
}

// speedMetric is the throughput a run is charted by: the published quantity of a suite, else
// output tokens over wall time.
func speedMetric(r *figure.Run) metric.ID {
	if len(curves(r, metric.TotalGenerationSpeed)) > 0 {
		return metric.TotalGenerationSpeed
	}
	return metric.OutputThroughput
}

// throughputFigure draws throughput against load: lines in one chart, or where there are more
// than four one panel an input length.
func (d *draft) throughputFigure(r *figure.Run) *page.Figure {
	m := speedMetric(r)
	list := curves(r, m)
	if len(list) == 0 {
		return nil
	}
	info, _ := metric.Lookup(m)
	what := strings.ToUpper(info.Long[:1]) + info.Long[1:] + ", tok/s"
	best := list[0]
	_, bestV, _ := best.Peak(m)
	for _, s := range list[1:] {
		if _, v, _ := s.Peak(m); v > bestV {
			best, bestV = s, v
		}
	}
	p, _, _ := best.Peak(m)
	finding := "Peak of " + metric.Format(bestV) + " tok/s " + figure.LoadPhrase(p) + " with " + best.Title
	if n, above := figure.AboveNumPrompts(p); above {
		finding += ", with only " + metric.Count(n) + " prompts sent"
	} else if best.StillRising(m) {
		finding += ", still rising at the largest load"
	}
	axis := list[0].Axis
	title := info.Label + " against load, " + r.Card.Title()
	groups := byInput(list)
	if len(list) <= 4 || len(groups) > 6 {
		const most = 9
		shown := list[:min(most, len(list))]
		if len(shown) < len(list) {
			what += ". The first " + itoa(most) + " of " + itoa(len(list)) + " workloads; all are in the tables"
		}
		return d.figure("throughput-by-load", finding, what+". "+loadWords(axis)+".", func() *chart.Chart {
			pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: "tok/s", Scale: chart.Linear}}
			for _, s := range shown {
				pn.Series = append(pn.Series, chart.Series{Name: s.Title, Points: curve(s, m, "", metric.Scale{})})
			}
			if len(shown) == 1 {
				pn.Series[0].NoLabel = true
			}
			if sw, sc, ok := r.SweetSpot(); ok && slices.Contains(shown, sc) {
				if v, _, ok := figure.Central(sw.Point, m); ok {
					pn.Notes = append(pn.Notes, chart.Note{X: figure.LoadOf(sw.Point), Y: v, Text: "sweet spot", Strong: true})
				}
			}
			if len(shown) == 1 {
				pn.Notes = append(pn.Notes, chart.Note{X: figure.LoadOf(p), Y: bestV, Text: "peak " + metric.Format(bestV), Strong: true})
				if n, above := figure.AboveNumPrompts(p); above {
					pn.Bands = append(pn.Bands, chart.Band{From: figure.LoadOf(p), To: figure.LoadOf(p), Label: "only " + metric.Count(n) + " prompts"})
				}
			}
			return hollowText(&chart.Chart{Kind: chart.Lines, Title: title, Desc: describe(pn.Series, "tok/s"), X: loadAxis(axis), Panels: []chart.Panel{pn}})
		})
	}
	return d.panels("throughput-by-load", finding, what+"; one vertical scale. "+loadWords(axis)+". Lines: tokens out.", chart.PanelSize, false, groupTitles(groups), func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for _, g := range groups {
			pn := chart.Panel{Y: chart.Axis{Unit: "tok/s", Scale: chart.Linear}}
			for i, s := range g.scenarios {
				_, out, _ := s.Lengths()
				pn.Series = append(pn.Series, chart.Series{Name: countText(out) + " out", Slot: i%9 + 1, Points: curve(s, m, "", metric.Scale{})})
			}
			c := hollowText(&chart.Chart{Kind: chart.Lines, Title: title + ", " + countText(g.input) + " tokens in", Desc: describe(pn.Series, "tok/s"), X: loadAxis(axis), Panels: []chart.Panel{pn}})
			cs = append(cs, c)
			ps = append(ps, panel{id: "in-" + idText(g.input), title: countText(g.input) + " tokens in", chart: c})
		}
		chart.ShareX(cs...)
		chart.ShareY(cs...)
		return ps
	})
}

func groupTitles(groups []inputGroup) []string {
	var out []string
	for _, g := range groups {
		out = append(out, countText(g.input)+" tokens in")
	}
	return out
}

func scenarioTitles(list []*figure.Scenario) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Title)
	}
	return out
}

func countText(v float64) string {
	if v <= 0 {
		return "unknown"
	}
	return metric.Count(int64(math.Round(v)))
}

func idText(v float64) string { return itoa(int64(math.Round(v))) }

// loadWords names the horizontal axis in a caption.
func loadWords(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "Horizontal: parallel requests, logarithmic"
	case record.AxisRate:
		return "Horizontal: request rate"
	case record.AxisBatch:
		return "Horizontal: batch size, logarithmic"
	}
	return "Horizontal: load"
}

// withData adds the link to the rows of a chart's numbers on the page of its run.
func (d *draft) withData(f *page.Figure, r *figure.Run) *page.Figure {
	f.Files = append([]page.Link{{Text: "Data table", Href: d.Place.To(pathRun(r.ID), "data")}}, f.Files...)
	return f
}

// scenarioFigure draws, for each scenario with several loads, speed, time to first token and
// KV-cache use as aligned plots on one axis.
func (d *draft) scenarioFigure(r *figure.Run) *page.Figure {
	list := curves(r, metric.TTFT)
	if len(list) == 0 {
		return nil
	}
	const most = 12
	all := len(list)
	list = list[:min(most, all)]
	speed, speedLabel := metric.SpeedPerRequest, "Speed per request"
	if !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.SpeedPerRequest) }) {
		speed, speedLabel = metric.TPOT, "TPOT"
		if !slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.TPOT) }) {
			speed = ""
		}
	}
	kv := slices.ContainsFunc(list, func(s *figure.Scenario) bool { return has(s, metric.KVCacheUsage) })
	tscale := scaleOf(metric.TTFT, list)
	wide := wideSpan(list, metric.TTFT)
	if wide {
		tscale = metric.Scale{Unit: metric.Seconds}
	}
	sscale := metric.Scale{Unit: "tok/s"}
	if speed == metric.TPOT {
		sscale = scaleOf(metric.TPOT, list)
	}
	anyP99 := slices.ContainsFunc(list, func(s *figure.Scenario) bool {
		return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool { _, ok := figure.Get(p, metric.TTFT, metric.P99); return ok })
	})
	what := "Medians (means where no median is recorded)"
	if speed == metric.SpeedPerRequest {
		what += " with bars from the 25th to the 75th percentile"
	}
	if anyP99 {
		what += "; crosses are the 99th percentile"
	}
	what += ". " + loadWords(list[0].Axis) + "."
	if len(list) > 1 {
		what += " All share their vertical scales."
	}
	if all > most {
		what += " The first " + itoa(most) + " of " + itoa(all) + " workloads; all are in the tables."
	}
	build := func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for _, s := range list {
			c := &chart.Chart{Kind: chart.Lines, Title: "Speed and latency, " + s.Title + ", " + r.Card.Title(), X: loadAxis(s.Axis)}
			if speed != "" {
				pn := chart.Panel{Y: chart.Axis{Title: speedLabel, Unit: sscale.Unit, Scale: chart.Linear}}
				pn.Series = append(pn.Series, chart.Series{Name: speedLabel, Slot: 1, Points: solid(curve(s, speed, "", sscale))})
				if speed == metric.TPOT {
					pn.Series = append(pn.Series, chart.Series{Name: "TPOT, 99th percentile", Slot: 6, Marker: 6, NoLine: true, Points: solid(curve(s, speed, metric.P99, sscale))})
				} else {
					pn.Refs = append(pn.Refs, chart.Horizontal(20, "20 tok/s"))
				}
				c.Panels = append(c.Panels, dropEmpty(pn))
			}
			pn := chart.Panel{Y: chart.Axis{Title: "TTFT", Unit: tscale.Unit}}
			if wide {
				// On a logarithmic axis of times each tick has its own unit.
				pn.Y = chart.Axis{Title: "TTFT", Scale: chart.Log, Format: chart.Seconds}
			}
			pn.Series = append(pn.Series, chart.Series{Name: "TTFT", Slot: 2, Solid: true, Points: solid(curve(s, metric.TTFT, "", tscale))})
			pn.Series = append(pn.Series, chart.Series{Name: "TTFT, 99th percentile", Slot: 2, Marker: 6, NoLine: true, Points: solid(curve(s, metric.TTFT, metric.P99, tscale))})
			c.Panels = append(c.Panels, dropEmpty(pn))
			if kv {
				top := 100.0
				k := chart.Panel{Y: chart.Axis{Title: "KV-cache use", Unit: "%", Scale: chart.Linear, Max: &top}}
				k.Series = append(k.Series, chart.Series{Name: "KV-cache use", Slot: 3, Solid: true, Points: solid(curve(s, metric.KVCacheUsage, "", metric.ScaleFor(metric.Fraction, nil)))})
				c.Panels = append(c.Panels, dropEmpty(k))
			}
			c.Desc = describe(c.Panels[0].Series[:1], c.Panels[0].Y.Unit)
			in, out := s.ActualLengths()
			sub := page.Plural(loads(s), "load", "loads")
			if in > 0 && out > 0 {
				sub = countText(in) + " tokens in and " + countText(out) + " out on average, " + sub
			}
			cs = append(cs, c)
			ps = append(ps, panel{id: "blk-" + s.Key, title: s.Title, what: sub, chart: c})
		}
		chart.ShareX(cs...)
		chart.ShareY(cs...)
		return ps
	}
	size := chart.PanelTall
	if n := len(list[0].Points); n > 0 && !kv {
		size = size.High(300)
	}
	if len(list) == 1 {
		return d.figure("latency-by-load", d.latencyFinding(list), what, func() *chart.Chart { return build()[0].chart }, chart.Wide.High(480), chart.Narrow.High(440))
	}
	return d.panels("latency-by-load", d.latencyFinding(list), what, size, true, scenarioTitles(list), build)
}

// wideSpan says whether a metric spans so much over some scenarios that charts of them are
// logarithmic: more than 50 times, as chart.Auto has it.
func wideSpan(list []*figure.Scenario, m metric.ID) bool {
	lo, hi := math.Inf(1), 0.0
	for _, s := range list {
		for _, p := range s.Points {
			for _, stat := range []string{metric.Median, metric.Mean, metric.P99} {
				if v, ok := figure.Get(p, m, stat); ok && v > 0 {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
	}
	return hi > lo*50
}

// solid drops hollow marks: in small plots only the throughput shows a full cache.
func solid(ps []chart.Point) []chart.Point {
	for i := range ps {
		ps[i].Hollow = false
	}
	return ps
}

// dropEmpty leaves out series without points.
func dropEmpty(p chart.Panel) chart.Panel {
	if len(p.Series) > 1 {
		p.Series = slices.DeleteFunc(p.Series, func(s chart.Series) bool { return len(s.Points) == 0 })
	}
	return p
}

// latencyFinding compares the scenarios at the load that most of them have; of equally common
// ones 10, else the middle one.
func (d *draft) latencyFinding(list []*figure.Scenario) string {
	if len(list) == 1 {
		s := list[0]
		first, last := s.Points[0], s.Largest()
		a, stat, ok1 := figure.Central(first, metric.TTFT)
		b, _, ok2 := figure.Central(last, metric.TTFT)
		if ok1 && ok2 {
			return strings.ToUpper(stat[:1]) + stat[1:] + " TTFT goes from " + figure.Seconds(a) + " " + figure.LoadPhrase(first) + " to " + figure.Seconds(b) + " " + figure.LoadPhrase(last)
		}
		return "Time to first token and speed by load"
	}
	count := map[float64]int{}
	for _, s := range list {
		for _, p := range s.Points {
			count[figure.LoadOf(p)]++
		}
	}
	load, n := 0.0, 0
	for l, c := range count {
		if c > n || c == n && (l == 10 || load != 10 && l > load) {
			load, n = l, c
		}
	}
	var lo, hi *figure.Scenario
	var loV, hiV float64
	var at *catalog.Point
	for _, s := range list {
		p := s.At(load)
		if p == nil {
			continue
		}
		v, _, ok := figure.Central(p, metric.TTFT)
		if !ok {
			continue
		}
		at = p
		if lo == nil || v < loV {
			lo, loV = s, v
		}
		if hi == nil || v > hiV {
			hi, hiV = s, v
		}
	}
	if lo == nil || lo == hi {
		return "Time to first token and speed by load"
	}
	phrase := figure.LoadPhrase(at)
	return strings.ToUpper(phrase[:1]) + phrase[1:] + " time to first token runs from " + figure.Seconds(loV) + " (" + lo.Title + ") to " + figure.Seconds(hiV) + " (" + hi.Title + ")"
}

// seriesName names a run among those it is compared with. Several may carry one name, such as two
// runs of one day and no recorded version: then the day or the time tells them apart, else the id.
func seriesName(r *figure.Run, among []*figure.Run) string {
	unique := func(name func(*figure.Run) string) bool {
		return !slices.ContainsFunc(among, func(o *figure.Run) bool { return o != r && o.Series == r.Series && name(o) == name(r) })
	}
	if unique(func(o *figure.Run) string { return o.Series }) {
		return r.Series
	}
	day := page.Day(r.Started)
	if r.Series != day && day != "" && unique(func(o *figure.Run) string { return page.Day(o.Started) }) {
		return r.Series + ", " + day
	}
	minute := func(o *figure.Run) string { return strings.Replace(o.Started[:min(16, len(o.Started))], "T", " ", 1) }
	switch at := minute(r); {
	case !unique(minute) || len(at) < 16:
		return r.Series + ", " + r.ID[:min(6, len(r.ID))]
	case r.Series == day:
		return at
	default:
		return r.Series + ", " + at
	}
}

// ownName is the series of a run where it says more than its engine's name and version.
func ownName(r *figure.Run) string {
	if e, _ := engineText(r.Engine); !r.Named || r.Series == e {
		return ""
	}
	return r.Series
}

// pivotFigure draws one statistic of several series by load: grouped bars where a linear axis
// from zero can show them, else lines on a logarithmic one.
func (d *draft) pivotFigure(pv compare.Pivot, statName, key string, sizes ...chart.Size) *page.Figure {
	info, _ := metric.Lookup(pv.Metric)
	var values []*float64
	for _, row := range pv.Rows {
		values = append(values, row.Values...)
	}
	scale := pivotScale(info, values)
	series := make([]chart.Series, len(pv.Series))
	indexed := make([]chart.Series, len(pv.Series))
	var names []string
	for i, r := range pv.Series {
		series[i] = chart.Series{Name: seriesName(r, pv.Series), Slot: i%9 + 1}
		indexed[i] = series[i]
		for j, row := range pv.Rows {
			if v := row.Values[i]; v != nil {
				q := chart.Point{X: row.Load, Y: scale.Of(*v)}
				series[i].Points = append(series[i].Points, q)
				q.X, q.Strong = float64(j), row.Fastest == i
				indexed[i].Points = append(indexed[i].Points, q)
			}
		}
	}
	for _, row := range pv.Rows {
		names = append(names, rowLoad(row.Load))
	}
	bars := chart.BarsFit(indexed) && len(pv.Rows) > 1 && len(pv.Series) > 1 && len(pv.Series) <= 5 && len(pv.Rows) <= 12
	what := statName + " " + info.Label + " by " + loadNoun(pv.Axis)
	if bars {
		what += ", " + scale.Unit + ". Bars start at zero; the best of each group is in bold."
	} else {
		what += ". Points and lines, not bars, where values span too much for an axis from zero."
		if len(pv.Series) == 1 {
			what = statName + " " + info.Label + " by " + loadNoun(pv.Axis) + "."
		}
	}
	what = strings.ToUpper(what[:1]) + what[1:]
	id := idOf(pv.Metric) + "-chart" + key
	fig := d.figure(id, pivotFinding(pv, info, statName), what, func() *chart.Chart {
		c := &chart.Chart{Title: statName + " " + info.Label + " by " + loadNoun(pv.Axis)}
		pn := chart.Panel{Y: chart.Axis{Title: statName + " " + info.Label, Unit: scale.Unit}}
		if bars {
			c.Kind = chart.Bars
			c.X = chart.Axis{Title: loadAxis(pv.Axis).Title, Unit: loadAxis(pv.Axis).Unit, Names: names}
			pn.Series = indexed
		} else {
			c.Kind = chart.Lines
			c.X = loadAxis(pv.Axis)
			pn.Series = series
			if info.Unit == metric.Seconds && !chart.BarsFit(series) {
				// On a logarithmic axis of times each tick has its own unit.
				for i := range pn.Series {
					for j := range pn.Series[i].Points {
						pn.Series[i].Points[j].Y = *pv.Rows[rowAt(pv, pn.Series[i].Points[j].X)].Values[i]
					}
				}
				pn.Y.Unit, pn.Y.Scale, pn.Y.Format = "", chart.Log, chart.Seconds
			}
		}
		for j, row := range pv.Rows {
			if done, sent, short := incomplete(row.Points); short {
				x := row.Load
				if bars {
					x = float64(j)
				}
				pn.Bands = append(pn.Bands, chart.Band{From: x, To: x, Label: metric.Count(done) + " of " + metric.Count(sent) + " completed"})
			}
		}
		c.Panels = []chart.Panel{pn}
		c.Desc = describe(series, scale.Unit)
		return c
	}, sizes...)
	if slices.ContainsFunc(pv.Rows, func(r compare.PivotRow) bool { return math.IsInf(r.Load, 1) }) {
		fig.Notes = append(fig.Notes, page.Text("inf, all prompts at once, is a category of its own: not on the scale of rates, not joined to the lines."))
	}
	if len(pv.Series) > 1 {
		fig.Notes = append(fig.Notes, []page.Part{{Text: "Faster by", Href: d.Place.To(page.PathMethodology, "faster-by")}, {Text: " compares with " + seriesName(pv.Series[pv.Base], pv.Series) + "."}})
	}
	return fig
}

// pivotScale is the unit of a whole pivot: times in ms as soon as the smallest is below a second,
// as published pages have them.
func pivotScale(info metric.Info, values []*float64) metric.Scale {
	if info.Unit == metric.Seconds {
		small := math.Inf(1)
		for _, v := range values {
			if v != nil {
				small = min(small, max(*v, 0.001))
			}
		}
		values = []*float64{&small}
	}
	return metric.ScaleFor(info.Unit, values)
}

// rowAt is the row of a pivot at a load.
func rowAt(pv compare.Pivot, load float64) int {
	return slices.IndexFunc(pv.Rows, func(r compare.PivotRow) bool { return r.Load == load })
}

// idOf is a metric as an anchor: "e2e-latency".
func idOf(m metric.ID) string { return strings.ReplaceAll(string(m), "_", "-") }

func rowLoad(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return metric.Exact(v)
}

func loadNoun(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "parallel requests"
	case record.AxisRate:
		return "request rate"
	case record.AxisBatch:
		return "batch size"
	}
	return "load"
}

// incomplete is the worst completion of some points below 100 %.
func incomplete(points []*catalog.Point) (done, sent int64, short bool) {
	worst := 1.0
	for _, p := range points {
		if p == nil {
			continue
		}
		if ratio, c, n, ok := figure.Success(p); ok && ratio < worst {
			worst, done, sent, short = ratio, c, n, true
		}
	}
	return done, sent, short
}

// pivotFinding says who is best where, or for one series from where to where it goes.
func pivotFinding(pv compare.Pivot, info metric.Info, statName string) string {
	if len(pv.Series) == 1 {
		var first, last *compare.PivotRow
		for i := range pv.Rows {
			if pv.Rows[i].Values[0] != nil && !math.IsInf(pv.Rows[i].Load, 1) {
				if first == nil {
					first = &pv.Rows[i]
				}
				last = &pv.Rows[i]
			}
		}
		if first == nil || first == last {
			return strings.ToUpper(statName[:1]) + statName[1:] + " " + info.Label + " by " + loadNoun(pv.Axis)
		}
		return strings.ToUpper(statName[:1]) + statName[1:] + " " + info.Label + " goes from " + metricText(info, *first.Values[0]) + " at " + rowLoad(first.Load) +
			" to " + metricText(info, *last.Values[0]) + " at " + rowLoad(last.Load) + axisUnit(pv.Axis)
	}
	wins := make([]int, len(pv.Series))
	compared := 0
	for _, row := range pv.Rows {
		if row.Fastest >= 0 {
			wins[row.Fastest]++
			compared++
		}
	}
	best := 0
	for i, w := range wins {
		if w > wins[best] {
			best = i
		}
	}
	word := "lowest"
	if info.Better == metric.Higher {
		word = "highest"
	}
	if compared == 0 {
		return strings.ToUpper(statName[:1]) + statName[1:] + " " + info.Label + " by " + loadNoun(pv.Axis)
	}
	var others []string
	for i, w := range wins {
		if i != best && w > 0 {
			others = append(others, seriesName(pv.Series[i], pv.Series)+" at "+itoa(w))
		}
	}
	s := seriesName(pv.Series[best], pv.Series) + " has the " + word + " " + statName + " " + info.Label + " at " + itoa(wins[best]) + " of " + page.Plural(compared, "load", "loads")
	if len(others) > 0 {
		s += ", " + page.Enumerate(others)
	}
	return s
}

func axisUnit(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return " parallel requests"
	case record.AxisRate:
		return " requests/s"
	}
	return ""
}

// metricText writes one value of a metric with its unit.
func metricText(info metric.Info, v float64) string {
	if info.Unit == metric.Seconds {
		return figure.Seconds(v)
	}
	return metric.Format(v) + metric.ThinSpace + info.Unit
}

// rateFigure draws completed requests a second against the rate that was asked for.
func (d *draft) rateFigure(runs []*figure.Run, class, key string, sizes ...chart.Size) *page.Figure {
	type one struct {
		r *figure.Run
		s *figure.Scenario
	}
	var list []one
	for _, r := range runs {
		if s := r.Scenario(class); s != nil && s.Axis == record.AxisRate && has(s, metric.RequestThroughput) && loads(s) > 1 {
			list = append(list, one{r, s})
		}
	}
	if len(list) == 0 {
		return nil
	}
	var sayings []string
	best, bestV := 0, 0.0
	for i, o := range list {
		if _, v, ok := o.s.Peak(metric.RequestThroughput); ok && v > bestV {
			best, bestV = i, v
		}
	}
	for i, o := range list {
		if i == best {
			continue
		}
		if _, v, ok := o.s.Peak(metric.RequestThroughput); ok {
			sayings = append(sayings, seriesName(o.r, runs)+" "+metric.Format(v))
		}
	}
	finding := "At most " + metric.Format(bestV) + " requests are completed a second"
	if len(list) > 1 {
		finding = seriesName(list[best].r, runs) + " completes at most " + metric.Format(bestV) + " requests/s, " + page.Enumerate(sayings)
	}
	return d.figure("completed-rate"+key, finding, "Completed requests a second against the rate asked for; dashed: every request completed in time.", func() *chart.Chart {
		pn := chart.Panel{Y: chart.Axis{Title: "Completed", Unit: "requests/s", Scale: chart.Linear}}
		top := 0.0
		for i, o := range list {
			pn.Series = append(pn.Series, chart.Series{Name: seriesName(o.r, runs), Slot: i%9 + 1, Points: curve(o.s, metric.RequestThroughput, "", metric.Scale{})})
			for _, p := range o.s.Points {
				if l := figure.LoadOf(p); !math.IsInf(l, 1) {
					top = max(top, l)
				}
			}
		}
		if len(list) == 1 {
			pn.Series[0].NoLabel = true
		}
		pn.Refs = append(pn.Refs, chart.Ref{X1: 0, Y1: 0, X2: top, Y2: top, Label: "all in time"})
		return &chart.Chart{Kind: chart.Lines, Title: "Completed requests a second against the request rate", Desc: describe(pn.Series, "requests/s"), X: loadAxis(record.AxisRate), Panels: []chart.Panel{pn}}
	}, sizes...)
}

// profileFigure draws a scatter or a time line of a run.
func (d *draft) profileFigure(r *figure.Run, p *catalog.Profile) *page.Figure {
	id := "profile-" + catalog.Slug(p.Name)
	id = strings.Trim(id, "-")
	finding, what := page.Capital(p.Name), ""
	n := len(p.X)
	switch {
	case p.Kind == "scatter" && p.FitSlope != nil && *p.FitSlope > 0:
		finding = "One request's prompt is read at " + metric.Format(1 / *p.FitSlope) + " tok/s"
		if p.FitIntercept != nil && *p.FitIntercept > 0 {
			finding += ", after " + figure.Seconds(*p.FitIntercept) + " of fixed cost"
		}
		what = page.Plural(n, "request", "requests") + " drawn, one at a time; the line is the fit that gives the speed."
	case p.Kind == "time":
		what = "Over the time of the measurement, thinned to what can be seen."
		if v, ok := highest(p.Lines, metric.Fraction); ok {
			finding = "The KV cache is at most " + metric.Percent(v) + " full, with " + profileTitle(p.Name)
		}
	}
	return d.figure(id, finding, what, func() *chart.Chart { return profileChart(r, p) })
}

// profileChart draws a profile: one plot for each unit, never two y axes.
func profileChart(r *figure.Run, p *catalog.Profile) *chart.Chart {
	n := len(p.X)
	c := &chart.Chart{Title: p.Name + ", " + r.Card.Title(), X: chart.Axis{Title: p.XLabel, Unit: p.XUnit}}
	c.Kind = chart.Timeline
	if p.Kind == "scatter" {
		c.Kind = chart.Scatter
	}
	// One plot for each unit: never two y axes.
	units := []string{}
	for _, l := range p.Lines {
		if !slices.Contains(units, l.Unit) {
			units = append(units, l.Unit)
		}
	}
	slot := 0
	for _, u := range units {
		var vs []*float64
		for _, l := range p.Lines {
			if l.Unit == u {
				vs = append(vs, pointers(l.Y)...)
			}
		}
		scale := metric.ScaleFor(u, vs)
		pn := chart.Panel{Y: chart.Axis{Unit: scale.Unit}}
		for _, l := range p.Lines {
			if l.Unit != u {
				continue
			}
			slot++
			s := chart.Series{Name: l.Label, Slot: slot}
			for k, y := range l.Y {
				if k < len(p.X) {
					s.Points = append(s.Points, chart.Point{X: p.X[k], Y: scale.Of(y)})
				}
			}
			pn.Series = append(pn.Series, s)
		}
		if len(pn.Series) == 1 {
			pn.Y.Title = pn.Series[0].Name
			pn.Series[0].NoLabel = true
		}
		if p.FitSlope != nil && p.FitIntercept != nil && len(p.X) > 0 {
			lo, hi := slices.Min(p.X), slices.Max(p.X)
			pn.Refs = append(pn.Refs, chart.Fitted(scale.Of(*p.FitSlope), scale.Of(*p.FitIntercept), lo, hi, ""))
		}
		c.Panels = append(c.Panels, pn)
	}
	c.Desc = page.Plural(n, "value", "values") + "."
	return c
}

// timelineFigure draws the time lines of a run, small multiples where there are several.
func (d *draft) timelineFigure(r *figure.Run, list []*catalog.Profile) *page.Figure {
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		return d.profileFigure(r, list[0])
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, byLengths)
	const most = 12
	what := "Each plot runs over the time of its measurement, thinned to what can be seen."
	if len(list) > most {
		what += " The first " + itoa(most) + " of " + itoa(len(list)) + "."
		list = list[:most]
	}
	finding := page.Plural(len(list), "time line", "time lines")
	top, in := 0.0, ""
	for _, p := range list {
		if v, ok := highest(p.Lines, metric.Fraction); ok && v > top {
			top, in = v, p.Name
		}
	}
	if in != "" {
		finding = "The KV cache is at most " + metric.Percent(top) + " full, with " + profileTitle(in)
	}
	return d.panels("profiles", finding, what, chart.PanelSize, true, profileTitles(list), func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for i, p := range list {
			c := profileChart(r, p)
			cs = append(cs, c)
			ps = append(ps, panel{id: "profile-" + itoa(i+1), title: page.Capital(profileTitle(p.Name)), chart: c})
		}
		chart.ShareY(cs...)
		return ps
	})
}

// profileLengths matches the name of a profile that was measured under one workload: "kv cache,
// 4096 in, 128 out".
var profileLengths = regexp.MustCompile(`^(?:kv cache, )?(\d+) in, (\d+) out$`)

// profileTitle is the name of a profile as workloads are named: "4 096 → 128".
func profileTitle(name string) string {
	m := profileLengths.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	in, _ := strconv.ParseFloat(m[1], 64)
	out, _ := strconv.ParseFloat(m[2], 64)
	return countText(in) + " → " + countText(out)
}

func profileTitles(list []*catalog.Profile) []string {
	var out []string
	for _, p := range list {
		out = append(out, page.Capital(profileTitle(p.Name)))
	}
	return out
}

// byLengths orders profiles by the lengths in their names, as workloads are ordered.
func byLengths(a, b *catalog.Profile) int {
	x, y := profileLengths.FindStringSubmatch(a.Name), profileLengths.FindStringSubmatch(b.Name)
	if x == nil || y == nil {
		return 0
	}
	for i := 1; i < 3; i++ {
		p, _ := strconv.ParseFloat(x[i], 64)
		q, _ := strconv.ParseFloat(y[i], 64)
		if c := cmp.Compare(p, q); c != 0 {
			return c
		}
	}
	return 0
}

// highest is the largest value of the lines of a unit.
func highest(lines []record.Line, u string) (v float64, ok bool) {
	for _, l := range lines {
		if l.Unit != u {
			continue
		}
		for _, y := range l.Y {
			if !ok || y > v {
				v, ok = y, true
			}
		}
	}
	return v, ok
}
