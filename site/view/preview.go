package view

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// Link previews: one picture for home, each model and, up to [mostCardPreviews], each card, which chat programs and search
// engines show beside a link. They are asked for by their absolute address, so a site without a
// base URL has none.

// The size of a preview in pixels, as the services that show them ask for, and its margin.
const (
	previewWidth  = 1200
	previewHeight = 630
	previewMargin = 64
)

// Previews are the pictures. Each stands alone and takes much longer than a page: who writes them writes several at a
// time.
func (g *Site) Previews() iter.Seq[page.File] {
	return func(yield func(page.File) bool) {
		if !g.HasPreviews() || len(g.Index.Runs) == 0 {
			return
		}
		add := func(path, of string, draw func(p *chart.Picture) error) bool {
			return yield(page.File{Path: pathPreview(path), Of: of, Write: func(w io.Writer) error {
				p, err := chart.NewPicture(previewWidth, previewHeight)
				if err == nil {
					err = draw(p)
				}
				if err == nil {
					err = p.PNG(w)
				}
				return err
			}})
		}
		if !add(page.PathHome, "", g.drawHome) {
			return
		}
		for _, m := range g.Index.Models {
			draw := func(p *chart.Picture) error { return g.drawModel(p, m) }
			if !add(page.PathModel(m.Slug), "", draw) {
				return
			}
		}
		if len(g.Index.Cards) > mostCardPreviews {
			return
		}
		for _, c := range g.Index.Cards {
			of := g.OfCard(c)
			if len(curves(c.Head(), metric.OutputThroughput)) == 0 {
				of = "" // it shows the best of its model, whose choice is one of the whole catalog
			}
			draw := func(p *chart.Picture) error { return g.drawCard(p, c, c.Title()) }
			if !add(page.PathCard(c.Slug), of, draw) {
				return
			}
		}
	}
}

var (
	previewInk  = chart.Ink{Token: "ink"}
	previewSoft = chart.Ink{Token: "ink2"}
	previewRule = chart.Ink{Token: "grid"}
	previewBar  = chart.Ink{Token: "s", Slot: 1}
)

// previewFrame draws what all pictures have: the site's mark and name, a title of one or two
// lines, a line below it, and the notice. It returns where the content begins.
func (g *Site) previewFrame(p *chart.Picture, title, below string) (top int) {
	x, wide := previewMargin, previewWidth-2*previewMargin
	// The three bars of the favicon.
	for i, h := range []int{14, 25, 34} {
		p.Box(x+13*i, 82-h, 9, h, previewBar)
	}
	p.Text(g.Title(), x+52, 80, 28, previewSoft, chart.AlignStart, 400)
	if g.Config.Notice != "" {
		p.Text(g.Config.Notice, previewWidth-x, 80, 20, previewSoft, chart.AlignEnd, 600)
	}
	title = strings.ReplaceAll(title, "× ", "×\u00a0")
	size, lines := 56.0, p.Lines(title, 56, wide, 2)
	if len(lines) > 1 {
		size, lines = 46, p.Lines(title, 46, wide, 2)
	}
	y := 100
	for _, l := range lines {
		y += int(size * 1.2)
		p.Text(l, x, y, size, previewInk, chart.AlignStart, wide)
	}
	if below != "" {
		y += 46
		p.Text(below, x, y, 26, previewSoft, chart.AlignStart, wide)
	}
	y += 26
	p.Box(x, y, wide, 2, previewRule)
	return y + 2
}

// drawCard is a card: its headline figures with their loads beside its throughput by load.
func (g *Site) drawCard(p *chart.Picture, c *figure.Card, title string) error {
	r := c.Head()
	var about []string
	if e, _ := EngineText(r.Engine); e != "" {
		about = append(about, e)
	}
	if t := r.Tool.Name; t != "" && t != "unknown" {
		about = append(about, "measured by "+t)
	}
	if day := page.Day(r.Started); day != "" {
		about = append(about, day)
	}
	if r.Withdrawn != "" {
		about = []string{"withdrawn: " + r.Withdrawn}
	}
	top := g.previewFrame(p, title, strings.Join(about, ", "))
	stats := g.Headlines(r)
	drawn := loadChart(r, metric.OutputThroughput, 4)
	wide := previewWidth - 2*previewMargin
	if drawn != nil {
		wide = 400
		const x, density = previewMargin + 440, 2
		h := previewHeight - top - 44
		if err := p.Chart(drawn, x, top+20, chart.Size{W: (previewWidth - previewMargin - x) / density,
			H: max(h/density, 100)}, density); err != nil {
			return err
		}
	}
	if len(stats) == 0 {
		p.Text("No headline figure is recorded.", previewMargin, top+70, 28, previewSoft, chart.AlignStart, wide)
		return nil
	}
	// Figures stand one below the other beside a chart, else side by side.
	columns, rows := 1, min(3, len(stats))
	if drawn == nil {
		columns, rows = rows, 1
	}
	stats = stats[:min(len(stats), rows*columns)]
	step := min((previewHeight-top-30)/rows, 170)
	value, name := 52.0, 21.0
	if step < 125 {
		value, name = 38, 19
	}
	for i, s := range stats {
		x, y := previewMargin+i%columns*(wide/columns), top+20+i/columns*step+int(value)
		room := wide/columns - 20
		w := p.Text(s.Value, x, y, value, previewInk, chart.AlignStart, room)
		p.Text(s.Unit, x+w+10, y, 24, previewSoft, chart.AlignStart, max(room-w-10, 40))
		// What it is stands above under which load.
		what, load, _ := strings.Cut(s.Name, ", ")
		for _, l := range []string{what, load} {
			y += int(name * 1.35)
			p.Text(l, x, y, name, previewSoft, chart.AlignStart, room)
		}
	}
	if bars, what := g.modelBars(c.Model.Slug); drawn == nil && len(bars) > 1 {
		y := top + 20 + step
		p.Box(previewMargin, y-14, wide, 2, previewRule)
		drawBars(p, what, bars, y, c)
	}
	return nil
}

// loadChart draws a metric of a run by load, at most so many workloads as lines: those that reach
// the highest values. It is nil where no workload has two loads.
func loadChart(r *figure.Run, m metric.ID, most int) *chart.Chart {
	info, _ := metric.Lookup(m)
	list := curves(r, m)
	if len(list) == 0 {
		return nil
	}
	axis := list[0].Axis
	list = slices.DeleteFunc(list, func(s *figure.Scenario) bool { return s.Axis != axis })
	top := func(s *figure.Scenario) float64 { _, v, _ := s.Peak(m); return v }
	slices.SortStableFunc(list, func(a, b *figure.Scenario) int { return cmp.Compare(top(b), top(a)) })
	list = list[:min(most, len(list))]
	scale := scaleOf(m, list)
	pn := chart.Panel{Y: chart.Axis{Title: info.Label, Unit: scale.Unit}}
	for i, s := range list {
		pn.Series = append(pn.Series, chart.Series{Name: s.Title, Slot: i%9 + 1, NoLabel: len(list) == 1,
			Points: curve(s, m, "", scale)})
	}
	title := info.Label + " by load, " + r.Card.Title()
	if len(list) == 1 {
		title += ", " + list[0].Title
	}
	return linesByLoad(title, axis, pn)
}

// drawModel is a model: its hardware ranked by the workload that most of its cards share. A model
// with one card looks like its card.
func (g *Site) drawModel(p *chart.Picture, m *figure.Model) error {
	if len(m.Cards) == 1 {
		return g.drawCard(p, m.Cards[0], m.Cards[0].Title())
	}
	below := metric.Plural(len(m.Cards), "hardware configuration") + ", " + metric.Plural(len(m.Runs()), "run")
	top := g.previewFrame(p, m.Name, below)
	bars, what := g.modelBars(m.Slug)
	if len(bars) == 0 {
		p.Text("No two of its cards share a figure.", previewMargin, top+70, 28, previewSoft, chart.AlignStart, 0)
		return nil
	}
	drawBars(p, what, bars, top+18, nil)
	return nil
}

// previewBarOf is one card of a model in a ranking.
type previewBarOf struct {
	card  *figure.Card
	value string
	v     float64
}

// modelBars ranks the cards of a model by the workload and the metric that most of them have; of
// equals the first.
func (g *Site) modelBars(slug string) (best []previewBarOf, what string) {
	i := slices.IndexFunc(g.Index.Models, func(m *figure.Model) bool { return m.Slug == slug })
	if i < 0 {
		return nil, ""
	}
	for _, s := range g.scores.class {
		for _, sm := range scoreMetrics()[:2] {
			var bars []previewBarOf
			cells, each := s.cells(sm, g.Index.Models[i].Cards...)
			for _, c := range g.Index.Models[i].Cards {
				if v, text, ok := cells[c].number(); ok {
					bars = append(bars, previewBarOf{c, text, v})
				}
			}
			if len(bars) > len(best) {
				best, what = bars, sm.named(each)+", "+sm.shownUnit()+", "+s.title
			}
		}
	}
	slices.SortStableFunc(best, func(a, b previewBarOf) int { return cmp.Compare(b.v, a.v) })
	return best, what
}

// drawBars draws a ranking from y down. Where self is given, the bars of other cards are faint.
func drawBars(p *chart.Picture, what string, bars []previewBarOf, y int, self *figure.Card) {
	y += 26
	p.Text(what, previewMargin, y, 24, previewSoft, chart.AlignStart, previewWidth-2*previewMargin)
	y += 20
	const x, long = previewMargin + 330, 600
	most := min(5, max(1, (previewHeight-44-y)/36))
	left := len(bars) - most
	top := max(bars[0].v, 1e-300)
	bars = bars[:min(most, len(bars))]
	step := min((previewHeight-44-y)/len(bars), 72)
	for _, b := range bars {
		base, ink := y+step/2+9, previewBar
		if self != nil && b.card != self {
			ink.Opacity = .35
		}
		p.Text(b.card.Hardware.Name, previewMargin, base, 26, previewInk, chart.AlignStart, 310)
		w := max(3, int(max(b.v, 0)/top*long))
		p.Box(x, y+step/2-step/4, w, step/2, ink)
		p.Text(b.value, x+w+14, base, 26, previewInk, chart.AlignStart, 0)
		y += step
	}
	if left > 0 {
		p.Text(itoa(left)+" more", previewMargin, y+24, 21, previewSoft, chart.AlignStart, 0)
	}
}

// drawHome is the site: the counts and the best corner of the scorecard.
func (g *Site) drawHome(p *chart.Picture) error {
	title := "LLM inference by model and hardware"
	n := 0
	for _, r := range g.Index.Identified {
		n += len(r.Points)
	}
	below := metric.Plural(len(g.Index.Models), "model") + ", " + metric.Plural(len(g.scores.cols),
		"hardware configuration") + ", " + metric.Plural(len(g.Index.Identified), "run")
	if n > 0 {
		below += ", " + metric.Plural(n, "measured point")
	}
	top := g.previewFrame(p, title, below)
	if len(g.scores.class) > 0 {
		if c := g.previewCorner(6, 6); len(c.rows) > 0 && len(c.columns) > 0 {
			g.drawCorner(p, c, top+38)
		}
	}
	return nil
}

// scoreCorner is the part of a scorecard that has most results: rows, columns and the cells of both.
type scoreCorner struct {
	metric  scoreMetric
	each    bool // cells are of one accelerator
	cells   map[*figure.Card]scoreCell
	rows    []scoreRow
	columns []int
	values  []float64 // of all cells, for their colours
}

// previewCorner are the models and the hardware with most cells of the metric that most cards have
// under the first workload, in the order of the scorecard.
func (g *Site) previewCorner(mostRows, mostColumns int) scoreCorner {
	s := g.scores.class[0]
	out := scoreCorner{metric: scoreMetrics()[0]}
	for _, m := range scoreMetrics() {
		if found, each := s.cells(m); len(found) > len(out.cells) {
			out.cells, out.each, out.metric = found, each, m
		}
	}
	perColumn, perRow := make([]int, len(g.scores.cols)), map[string]int{}
	rows := slices.Clone(g.scores.rows)
	for _, r := range rows {
		for i, c := range r.cards {
			if cell, ok := out.cells[c]; c != nil && ok {
				perColumn[i]++
				perRow[r.model.Slug]++
				if v, _, ok := cell.number(); ok {
					out.values = append(out.values, v)
				}
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r scoreRow) bool { return perRow[r.model.Slug] == 0 })
	out.rows = mostOf(rows, mostRows, func(r scoreRow) int { return perRow[r.model.Slug] })
	// A column none of whose cells is in these rows says nothing.
	for i := range perColumn {
		if slices.ContainsFunc(out.rows, func(r scoreRow) bool { _, ok := out.cells[r.cards[i]]; return ok }) {
			out.columns = append(out.columns, i)
		}
	}
	out.columns = mostOf(out.columns, mostColumns, func(i int) int { return perColumn[i] })
	return out
}

// drawCorner draws a part of a scorecard below y.
func (g *Site) drawCorner(p *chart.Picture, corner scoreCorner, y int) {
	p.Text(corner.metric.named(corner.each)+", "+corner.metric.shownUnit()+", "+g.scores.class[0].title,
		previewMargin, y, 22,
		previewSoft, chart.AlignStart, 0)
	const x = previewMargin + 340
	wide := min((previewWidth-previewMargin-x)/len(corner.columns), 180)
	y += 34
	for j, i := range corner.columns {
		p.Text(g.scores.cols[i].Name, x+j*wide+wide/2, y, 20, previewSoft, chart.AlignMiddle, wide-10)
	}
	y += 12
	step := min((previewHeight-40-y)/len(corner.rows), 62)
	info, _ := metric.Lookup(corner.metric.metric)
	h := newHeat(corner.values, info.Better == metric.Lower)
	shade := map[string]float64{"h1": .12, "h2": .28, "h3": .5, "h4": .75, "h5": 1}
	for _, r := range corner.rows {
		p.Text(r.model.Name, previewMargin, y+step/2+8, 23, previewInk, chart.AlignStart, 325)
		for j, i := range corner.columns {
			v, s, ok := corner.cells[r.cards[i]].number()
			if r.cards[i] == nil || !ok {
				p.Text("·", x+j*wide+wide/2, y+step/2+8, 22, previewSoft, chart.AlignMiddle, 0)
				continue
			}
			k := previewBar
			k.Opacity = shade[h.class(v)]
			p.Box(x+j*wide+2, y+2, wide-4, step-4, k)
			ink := previewInk
			if k.Opacity > .5 {
				ink = chart.Ink{Token: "bg"}
			}
			p.Text(s, x+j*wide+wide/2, y+step/2+8, 22, ink, chart.AlignMiddle, wide-10)
		}
		y += step
	}
}

// mostOf keeps the n members with the highest count, in their order.
func mostOf[T any](list []T, n int, count func(T) int) []T {
	if len(list) <= n {
		return list
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count(list[b]), count(list[a])) })
	order = order[:n]
	slices.Sort(order)
	out := make([]T, 0, n)
	for _, i := range order {
		out = append(out, list[i])
	}
	return out
}
