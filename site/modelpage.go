package site

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// modelsPage lists all models.
func (g *generator) modelsPage() *draft {
	d := g.draft(page.PathModels, "models", "models", "Models", "Every model of the catalog with the hardware it was measured on.")
	d.view.Lede = page.Text(page.Plural(len(g.ix.Models), "model", "models") + ", each with the hardware it was measured on. Sizes come from the model's configuration, or from its name where that is all there is.")
	if len(g.ix.Models) == 0 {
		d.section("models", "Models", page.Paragraph("The catalog holds no run yet."))
		return d.done()
	}
	d.section("all", "All models", d.table("models", func() *page.Grid {
		t := &page.Grid{Caption: "Models", Columns: []page.Column{{Title: "Model"}, {Title: "Parameters", Unit: "10⁹", Num: true}, {Title: "Precision"}, {Title: "Hardware"}, {Title: "Runs", Num: true}, {Title: "Points", Num: true}, {Title: "Newest"}}}
		models := slices.Clone(g.ix.Models)
		slices.SortStableFunc(models, func(a, b *figure.Model) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		for _, m := range models {
			name := page.Cell{Text: m.Name, Href: d.Place.To(page.PathModel(m.Slug), ""), Head: true}
			if m.ID != m.Name {
				name.Sub = m.ID
			}
			size := page.Missing("not known")
			if m.ParamsB != nil {
				size = page.Cell{Text: metric.Format(*m.ParamsB), Exact: metric.Exact(*m.ParamsB)}
				if slices.Contains(m.Parsed, "params_b") {
					size.Sub = "from the name"
				}
			}
			prec := page.Cell{Text: precisionText(m.Model)}
			if prec.Text == "" {
				prec = page.Missing("not known")
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{name, size, prec, hardwareList(m.Cards), {Text: metric.Count(int64(len(m.Runs())))}, {Text: metric.Count(points(m.Runs()))}, newestCell(m.Runs())}})
		}
		return t
	}))
	return d.done()
}

// precisionText is the precision of the weights and how they were quantised: "int4, AWQ". One
// word for both is said once.
func precisionText(m settings.Model) string {
	switch {
	case m.Quantization == "" || strings.EqualFold(m.Precision, m.Quantization):
		return m.Precision
	case m.Precision == "":
		return m.Quantization
	}
	return m.Precision + ", " + m.Quantization
}

// hardwareList names the hardware of some cards.
func hardwareList(cards []*figure.Card) page.Cell {
	var ws []string
	for i, c := range cards {
		if i == 6 {
			ws = append(ws, itoa(len(cards)-i)+" more")
			break
		}
		ws = append(ws, c.Hardware.Name)
	}
	return page.Cell{Text: page.Enumerate(ws)}
}

func points(runs []*figure.Run) int64 {
	n := 0
	for _, r := range runs {
		n += len(r.Points)
	}
	return int64(n)
}

func newestCell(runs []*figure.Run) page.Cell {
	newest := ""
	for _, r := range runs {
		newest = max(newest, page.Day(r.Started))
	}
	if newest == "" {
		return page.Missing("not recorded")
	}
	return page.Cell{Text: newest, Class: "nw"}
}

// entry is a card under one engine version: a row of a ranking, a line of an overlaid chart.
type entry struct {
	card *figure.Card
	run  *figure.Run
	name string // tells it from the others: hardware or model, with the version where needed
}

// entries are the newest active run of each engine version and series of some cards. name says
// what differs between the cards.
func entries(cards []*figure.Card, name func(*figure.Card) string) []entry {
	var out []entry
	class := sharedClass(cards)
	for _, c := range cards {
		var mine []entry
		seen := map[string]bool{}
		// Where each workload is a run of its own, the run of the workload that most cards share
		// stands for its engine version.
		runs := active(c.Runs)
		slices.SortStableFunc(runs, func(a, b *figure.Run) int {
			x, y := a.Scenario(class) != nil, b.Scenario(class) != nil
			switch {
			case x == y:
				return 0
			case x:
				return -1
			}
			return 1
		})
		for _, r := range runs {
			e, _ := engineText(r.Engine)
			key := e + "|" + r.Identity.Tool
			if r.Named {
				key += "|" + r.Series
			}
			if !seen[key] {
				seen[key] = true
				mine = append(mine, entry{card: c, run: r})
			}
		}
		for i := range mine {
			mine[i].name = name(c)
			if len(mine) > 1 {
				mine[i].name += ", " + seriesName(mine[i].run, runsOf(mine))
			}
		}
		out = append(out, mine...)
	}
	return out
}

func runsOf(es []entry) []*figure.Run {
	var out []*figure.Run
	for _, e := range es {
		out = append(out, e.run)
	}
	return out
}

// sharedClass is the class of workload that most of some cards were measured under, of equals the
// one that cards are compared by, else the one with most points.
func sharedClass(cards []*figure.Card) string {
	type count struct {
		class         string
		cards, points int
		preferred     bool
	}
	by := map[string]*count{}
	var order []*count
	for _, c := range cards {
		seen := map[string]bool{}
		for _, r := range active(c.Runs) {
			for _, s := range r.Scenarios {
				n := by[s.Class]
				if n == nil {
					n = &count{class: s.Class, preferred: preferred(s)}
					by[s.Class] = n
					order = append(order, n)
				}
				if !seen[s.Class] {
					seen[s.Class] = true
					n.cards++
				}
				n.points += len(s.Points)
			}
		}
	}
	var best *count
	for _, n := range order {
		if best == nil || n.cards > best.cards || n.cards == best.cards && (n.preferred && !best.preferred || n.preferred == best.preferred && n.points > best.points) {
			best = n
		}
	}
	if best == nil {
		return ""
	}
	return best.class
}

// commonClass is the class of workload that most entries have, of equals the one with most
// points; "" where no entry has a point.
func commonClass(es []entry) (class string, s *figure.Scenario, n int) {
	type count struct {
		entries, points int
		s               *figure.Scenario
	}
	by := map[string]*count{}
	var order []string
	for _, e := range es {
		for _, sc := range e.run.Scenarios {
			c := by[sc.Class]
			if c == nil {
				c = &count{s: sc}
				by[sc.Class] = c
				order = append(order, sc.Class)
			}
			c.entries++
			c.points += len(sc.Points)
		}
	}
	for _, k := range order {
		c := by[k]
		best := by[class]
		better := best == nil || c.entries > best.entries || c.entries == best.entries && (preferred(c.s) && !preferred(best.s) || preferred(c.s) == preferred(best.s) && c.points > best.points)
		if better {
			class = k
		}
	}
	if c := by[class]; c != nil {
		return class, c.s, c.entries
	}
	return "", nil, 0
}

// preferred is the workload that cards are compared by where several are shared: 1024 in, 128
// out, a chat-like length that every suite has.
func preferred(s *figure.Scenario) bool { return suiteClass(s) }

// modelPage is one model across hardware and engine versions.
func (g *generator) modelPage(m *figure.Model) *draft {
	d := g.draft(page.PathModel(m.Slug), "model", "models", m.Name, m.Name+" measured on "+page.Plural(len(m.Cards), "hardware configuration", "hardware configurations")+".")
	d.view.Heading = m.Name + " across hardware"
	if len(m.Cards) == 1 {
		d.view.Heading = m.Name
	}
	d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")}, {Text: m.Name}}
	es := entries(m.Cards, func(c *figure.Card) string { return c.Hardware.Name })
	class, sc, n := commonClass(es)
	var hw []string
	for _, c := range m.Cards {
		hw = append(hw, c.Hardware.Name)
	}
	lede := "Measured on " + page.Enumerate(hw[:min(8, len(hw))]) + "."
	if sc != nil && len(es) > 1 {
		lede += " " + itoa(n) + " of " + itoa(len(es)) + " results share the workload " + sc.Title + "."
	}
	d.view.Lede = page.Text(lede)
	d.modelFacts(m, es)
	d.take(m, es, class, sc)
	d.ranking(es, class, sc, "Hardware", m.Name)
	f, frontier := figure.NewFrontier(m, class)
	slots := d.overlays(es, m.Name, !frontier)
	if frontier {
		d.frontiers(m, &f, slots)
		d.before("frontier", "workloads")
	}
	d.limits(m)
	d.related(m)
	d.pairs("Compare", func(c *figure.Card) bool { return c.Model.Slug == m.Slug })
	d.section("runs", "Cards and runs", d.cardsAndRuns(m.Runs()))
	return d.done()
}

func (d *draft) modelFacts(m *figure.Model, es []entry) {
	add := func(name, v string, parsed ...string) {
		if v == "" {
			return
		}
		f := page.Fact{Name: name, Parts: page.Text(v)}
		for _, p := range parsed {
			if slices.Contains(m.Parsed, p) {
				f.Flag = &page.Link{Text: "from the name"}
				break
			}
		}
		d.view.Facts = append(d.view.Facts, f)
	}
	add("Model", m.ID)
	size := ""
	if m.ParamsB != nil {
		size = metric.Format(*m.ParamsB) + metric.ThinSpace + "B"
		if m.ActiveParamsB != nil && *m.ActiveParamsB < *m.ParamsB {
			size += ", " + metric.Format(*m.ActiveParamsB) + metric.ThinSpace + "B active"
		}
	}
	add("Parameters", size, "params_b", "active_params_b")
	add("Precision", precisionText(m.Model), "precision", "quantization")
	if per, ok := figure.KVBytesPerToken(m.Model, 2); ok {
		a := strings.ToUpper(m.Attention)
		if m.Layers != nil {
			a += ", " + itoa(*m.Layers) + " layers"
		}
		add("Attention", strings.TrimPrefix(a+", "+metric.Format(per/1024)+" KiB of KV cache a token in 16 bits", ", "))
	}
	var engines []string
	for _, e := range es {
		if t, _ := engineText(e.run.Engine); t != "" && !slices.Contains(engines, t) {
			engines = append(engines, t)
		}
	}
	add("Engines", page.Enumerate(engines[:min(5, len(engines))]))
	n := page.Plural(int(points(m.Runs())), "point", "points")
	if points(m.Runs()) == 0 {
		n = "headline figures only"
	}
	add("Runs and points", page.Plural(len(m.Runs()), "run", "runs")+", "+n)
}

// rankValue is what an entry is ranked by: a measured peak, else published figures.
type rankValue struct {
	peak             float64
	p                *catalog.Point
	hasPeak          bool
	speed, ttft      *float64
	speedText        string
	ingestion, kv    figure.Headline
	hasIngest, hasKV bool
}

func rankOf(e entry, class string, load float64) rankValue {
	var v rankValue
	if s := e.run.Scenario(class); s != nil && class != "" {
		v.p, v.peak, v.hasPeak = s.Peak(metric.OutputThroughput)
		if p := s.At(load); p != nil {
			if x, _, ok := figure.SpeedPerUser(p); ok {
				v.speed = &x
			}
			if x, _, ok := figure.Central(p, metric.TTFT); ok {
				v.ttft = &x
			}
		}
	}
	for _, h := range e.run.SuiteHeadlines() {
		switch h.Name {
		case "prompt_ingestion_speed":
			v.ingestion, v.hasIngest = h, true
		case "kv_cache_tokens":
			v.kv, v.hasKV = h, true
		case "generation_speed_10_parallel":
			if v.speed == nil {
				v.speed, v.speedText = h.Value, strings.TrimSpace(h.Published)
				if h.Value != nil {
					v.speedText = ""
				}
			}
		}
	}
	return v
}

func headlineValue(h figure.Headline) float64 {
	if h.Value != nil {
		return *h.Value
	}
	v, _ := publishedNumber(h.Published)
	return v
}

func headlineRankCell(h figure.Headline, has bool) page.Cell {
	switch {
	case !has:
		return page.Missing("")
	case h.Value != nil:
		c := page.Cell{Text: metric.Format(*h.Value), Exact: metric.Exact(*h.Value)}
		if h.FromPage {
			c.Sub = "published " + publishedShort(h.Published)
		}
		return c
	}
	return page.Cell{Text: publishedShort(h.Published), Exact: "published " + strings.TrimSpace(h.Published), Sub: "published"}
}

// ranking is the ranked table of some entries under one workload. what heads the column of names.
func (d *draft) ranking(es []entry, class string, sc *figure.Scenario, what, of string) {
	if len(es) == 0 {
		return
	}
	load := 0.0
	if sc != nil {
		k := &scoreClass{key: class, axis: sc.Axis, runs: map[*figure.Card]*figure.Run{}}
		for _, e := range es {
			if e.run.Scenario(class) != nil {
				k.runs[e.card] = e.run
			}
		}
		load = k.commonLoad()
	}
	values := make(map[*figure.Run]rankValue, len(es))
	anyPeak, anySpeed, anyTTFT, anyIngest, anyKV := false, false, false, false, false
	for _, e := range es {
		v := rankOf(e, class, load)
		values[e.run] = v
		anyPeak = anyPeak || v.hasPeak
		anySpeed = anySpeed || v.speed != nil || v.speedText != ""
		anyTTFT = anyTTFT || v.ttft != nil
		anyIngest = anyIngest || v.hasIngest
		anyKV = anyKV || v.hasKV
	}
	if !anyPeak && !anySpeed && !anyIngest && !anyKV {
		return
	}
	es = slices.Clone(es)
	speedOf := func(v rankValue) float64 {
		if v.speed != nil {
			return *v.speed
		}
		x, _ := publishedNumber(v.speedText)
		return x
	}
	slices.SortStableFunc(es, func(a, b entry) int {
		x, y := values[a.run], values[b.run]
		px, py := x.peak, y.peak
		if !x.hasPeak {
			px = -1
		}
		if !y.hasPeak {
			py = -1
		}
		return cmp.Or(cmp.Compare(py, px), cmp.Compare(speedOf(y), speedOf(x)), cmp.Compare(headlineValue(y.ingestion), headlineValue(x.ingestion)), cmp.Compare(a.name, b.name))
	})
	intro, title := "", "Ranked"
	switch {
	case anyPeak:
		intro = "By peak output throughput with " + sc.Title + "."
	case anySpeed:
		intro = "By speed per request at 10 parallel requests, 1" + metric.ThinSpace + "024 in and 128 out."
	default:
		intro = "By prompt ingestion speed."
	}
	intro += " One run each: no interval, so differences of a few per cent carry no claim."
	const mostRanked = 300 // a longer table is slow on a phone
	if n := len(es) - mostRanked; n > 0 {
		es = es[:mostRanked]
		intro += " The first " + itoa(mostRanked) + "; " + metric.Count(int64(n)) + " more are in the downloads."
	}
	if len(es) == 1 {
		title, intro = "At a glance", strings.TrimSuffix(strings.TrimPrefix(intro, "By "), " One run each: no interval, so differences of a few per cent carry no claim.")
		intro = strings.ToUpper(intro[:1]) + intro[1:]
	}
	d.section("ranked", title, page.Paragraph(intro), d.table("ranked", func() *page.Grid {
		t := &page.Grid{Caption: of + ", ranked", Class: "rank tight"}
		if len(es) > 1 {
			t.Columns = append(t.Columns, page.Column{Title: "Rank", Hidden: true, Num: true})
		}
		t.Columns = append(t.Columns, page.Column{Title: what})
		if anyPeak {
			t.Columns = append(t.Columns, page.Column{Title: "Peak output", Unit: "tok/s", Num: true})
			if len(es) > 1 {
				t.Columns = append(t.Columns, page.Column{Title: "Relative to best"})
			}
			t.Columns = append(t.Columns, page.Column{Title: "At", Unit: map[string]string{record.AxisConcurrency: "parallel", record.AxisRate: "req/s"}[sc.Axis], Num: true})
			t.Columns = append(t.Columns, page.Column{Title: "Per accelerator", Unit: "tok/s", Num: true})
		}
		at := ""
		if load > 0 {
			at = ", at " + rowLoad(load)
		} else if !anyPeak {
			at = ", at 10"
		}
		if anySpeed {
			t.Columns = append(t.Columns, page.Column{Title: "Speed per request", Unit: "tok/s" + at, Num: true})
		}
		bySpeed := anySpeed && !anyPeak && len(es) > 1
		if bySpeed {
			t.Columns = append(t.Columns, page.Column{Title: "Relative to best"})
		}
		tscale := metric.Scale{Unit: metric.Seconds}
		if anyTTFT {
			var vs []*float64
			for _, e := range es {
				vs = append(vs, values[e.run].ttft)
			}
			tscale = metric.ScaleFor(metric.Seconds, vs)
			t.Columns = append(t.Columns, page.Column{Title: "TTFT", Unit: tscale.Unit + at, Num: true})
		}
		if anyIngest {
			t.Columns = append(t.Columns, page.Column{Title: "Prompt ingestion", Unit: "tok/s", Num: true})
		}
		if anyKV {
			t.Columns = append(t.Columns, page.Column{Title: "KV cache", Unit: "tokens", Num: true})
		}
		best, bestSpeed := 0.0, 0.0
		for _, v := range values {
			best, bestSpeed = max(best, v.peak), max(bestSpeed, speedOf(v))
		}
		for i, e := range es {
			v := values[e.run]
			rw := page.Row{}
			if len(es) > 1 {
				rw.Cells = append(rw.Cells, page.Cell{Text: itoa(i + 1), Class: "mut"})
			}
			eng, versioned := engineText(e.run.Engine)
			name := page.Cell{Text: e.name, Href: d.Place.To(page.PathCard(e.card.Slug), ""), Head: true, Sub: eng}
			if !versioned && eng != "" {
				name.Sub = eng + ", version not recorded"
			}
			if strings.Contains(e.name, e.run.Engine.Version) && versioned {
				name.Sub = toolText(e.run)
			}
			rw.Cells = append(rw.Cells, name)
			if anyPeak {
				if !v.hasPeak {
					word := "other workload"
					if len(e.run.Points) == 0 {
						word = "figures only"
					}
					rw.Cells = append(rw.Cells, page.Missing(word))
					if len(es) > 1 {
						rw.Cells = append(rw.Cells, page.Cell{})
					}
					rw.Cells = append(rw.Cells, page.Cell{}, page.Missing(""))
				} else {
					c := page.Cell{Text: metric.Format(v.peak), Exact: metric.Exact(v.peak), Href: d.pointHref(e.run, e.run.Scenario(class), v.p)}
					if v.peak == best && len(es) > 1 {
						c.Class = "best"
					}
					if ratio, done, sent, ok := figure.Success(v.p); ok && ratio < 1 {
						c.Sub, c.SubWarn = metric.Count(done)+" of "+metric.Count(sent), true
					}
					rw.Cells = append(rw.Cells, c)
					if len(es) > 1 {
						rw.Cells = append(rw.Cells, shareCell(i%9+1, v.peak/best))
					}
					load := page.Cell{Text: figure.LoadText(v.p), Exact: infTitle(figure.LoadOf(v.p))}
					if e.run.Scenario(class).StillRising(metric.OutputThroughput) {
						load.Sub = "still rising"
					}
					rw.Cells = append(rw.Cells, load)
					if x, ok := e.run.PerAccelerator(v.p); ok {
						rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(x), Exact: metric.Exact(x)})
					} else {
						rw.Cells = append(rw.Cells, page.Missing("count not recorded"))
					}
				}
			}
			if anySpeed {
				switch {
				case v.speed != nil:
					rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(*v.speed), Exact: metric.Exact(*v.speed)})
				case v.speedText != "":
					rw.Cells = append(rw.Cells, page.Cell{Text: publishedShort(v.speedText), Exact: "published " + v.speedText, Sub: "published"})
				default:
					rw.Cells = append(rw.Cells, page.Missing(""))
				}
			}
			if bySpeed {
				if x := speedOf(v); x > 0 {
					rw.Cells = append(rw.Cells, shareCell(i%9+1, x/bestSpeed))
				} else {
					rw.Cells = append(rw.Cells, page.Cell{})
				}
			}
			if anyTTFT {
				if v.ttft != nil {
					rw.Cells = append(rw.Cells, page.Cell{Text: tscale.Format(*v.ttft), Exact: tscale.Exact(*v.ttft)})
				} else {
					rw.Cells = append(rw.Cells, page.Missing(""))
				}
			}
			if anyIngest {
				rw.Cells = append(rw.Cells, headlineRankCell(v.ingestion, v.hasIngest))
			}
			if anyKV {
				rw.Cells = append(rw.Cells, headlineRankCell(v.kv, v.hasKV))
			}
			t.Rows = append(t.Rows, rw)
		}
		return t
	}))
}

// shareCell is a bar with the share of the best as a percentage.
func shareCell(slot int, share float64) page.Cell {
	return page.Cell{Before: func(w io.Writer) error { return chart.HBar(w, slot, share) }, Text: " " + itoa(int(math.Round(share*100))) + metric.ThinSpace + "%", Class: "nw"}
}

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
		return hollowText(&chart.Chart{Kind: chart.Lines, Title: "Output throughput against load, " + of, Desc: describe(pn.Series, "tok/s"), X: loadAxis(sc.Axis), Panels: []chart.Panel{pn}})
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
			return &chart.Chart{Kind: chart.Frontier, Title: yTitle + " against speed per user, " + of, Desc: describe(pn.Series, "tok/s"), X: chart.Axis{Title: "speed per user", Unit: "tok/s"}, Panels: []chart.Panel{pn}}
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
			c := hollowText(&chart.Chart{Kind: chart.Lines, Title: "Output throughput, " + s.Title + ", " + of, Desc: describe(pn.Series, "tok/s"), X: loadAxis(s.Axis), Panels: []chart.Panel{pn}})
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

func numberCell(v float64, ok bool, scale metric.Scale) page.Cell {
	if !ok {
		return page.Missing("")
	}
	return page.Cell{Text: scale.Format(v), Exact: scale.Exact(v)}
}

// related are the quantisations and fine-tunes of a model, and the model it comes from.
func (d *draft) related(m *figure.Model) {
	var list [][]page.Part
	base := m.Base
	if base == "" {
		base = m.ID
	}
	for _, o := range d.g.ix.Models {
		if o == m || o.Base != base && o.ID != base {
			continue
		}
		word := "same base"
		switch {
		case o.ID == m.Base:
			word = "the model this one was made from"
		case o.Base == m.ID:
			word = "made from this one"
		}
		list = append(list, []page.Part{{Text: o.Name, Href: d.Place.To(page.PathModel(o.Slug), "")}, {Text: ", " + word + facts(o.Model)}})
	}
	if len(list) > 0 {
		d.section("related", "Related models", page.Block{List: list})
	}
}

func facts(m settings.Model) string {
	if t := modelFacts(m); t != "" {
		return " (" + t + ")"
	}
	return ""
}

// cardsAndRuns lists runs of several cards.
func (d *draft) cardsAndRuns(runs []*figure.Run) page.Block {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b *figure.Run) int { return cmp.Compare(b.Started, a.Started) })
	const most = 200
	more := len(runs) - most
	runs = runs[:min(most, len(runs))]
	name := "runs-list"
	b := d.table(name, func() *page.Grid { return d.runsTable("Runs", runs) })
	if more > 0 {
		d.section("older", "Older runs", page.Paragraph(itoa(more)+" older runs are in the downloads."))
	}
	return b
}
