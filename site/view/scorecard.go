package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

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
		return cmp.Or(cmp.Compare(unknown(x.Vendor), unknown(y.Vendor)), cmp.Compare(vendors[y.Vendor], vendors[x.Vendor]), cmp.Compare(x.Vendor, y.Vendor),
			cmp.Compare(year(x), year(y)), cmp.Compare(number(x.MemoryGB), number(y.MemoryGB)), cmp.Compare(x.Name, y.Name),
			cmp.Compare(a.Count, b.Count), cmp.Compare(a.Slug, b.Slug))
	})
	return list
}

// scoreMetric is one state of the scorecard.
type scoreMetric struct {
	id, label string    // id is also the end of the page's path
	metric    metric.ID // decides unit and direction
	define    func(s *scoreClass) string
	formula   string // anchor on the methodology page
	// whole says that the figure is of a whole run: it has one scorecard, not one a workload.
	whole bool
	// value reads the cell of a run; ok is false where the metric is missing.
	value func(s *scoreClass, r *figure.Run) (scoreCell, bool)
}

// shownUnit is the unit of a heading above cells that differ much in size.
func (m scoreMetric) shownUnit() string {
	info, _ := metric.Lookup(m.metric)
	return info.Shown
}

// scoreCell is what a cell says.
type scoreCell struct {
	value     catalog.Number // nil: only the published text is known
	published string
	at        string // "at 38"
	scenario  *figure.Scenario
	point     *catalog.Point
}

// scoreMetrics are the states in the order of the switch.
var scoreMetrics = []scoreMetric{
	{id: "peak-output", label: "Peak output throughput", metric: metric.OutputThroughput, formula: "output-throughput",
		define: func(s *scoreClass) string {
			return "Output tokens over wall time at the best load measured, all accelerators together. Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if sc == nil {
				return scoreCell{}, false
			}
			p, v, ok := sc.Peak(metric.OutputThroughput)
			if !ok {
				return scoreCell{}, false
			}
			return scoreCell{value: &v, at: "at " + figure.LoadText(p), scenario: sc, point: p}, true
		}},
	{id: "speed-per-request", label: "Speed per request", metric: metric.SpeedPerRequest, formula: "speed-per-user",
		define: func(s *scoreClass) string {
			if s.tool == "happy_vllm suite" {
				return "Median speed of one request, time to first token included, at 10 parallel requests. Higher is better."
			}
			return "1 / median TPOT, what one user sees once text appears, " + s.loadPhrase() + ". Higher is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if r.Identity.Tool == suiteTool {
				if c, ok := headlineCell(r, "generation_speed_10_parallel"); ok && (sc == nil || suiteClass(sc)) {
					if sc != nil {
						c.scenario, c.point = sc, sc.At(10)
					}
					return c, true
				}
			}
			if sc == nil {
				return scoreCell{}, false
			}
			p := sc.At(s.load)
			if p == nil {
				return scoreCell{}, false
			}
			v, _, ok := figure.SpeedPerUser(p)
			return scoreCell{value: &v, scenario: sc, point: p}, ok
		}},
	{id: "ttft", label: "Time to first token", metric: metric.TTFT, formula: "",
		define: func(s *scoreClass) string {
			return "Median time to first token (mean where no median is recorded) " + s.loadPhrase() + ". Lower is better."
		},
		value: func(s *scoreClass, r *figure.Run) (scoreCell, bool) {
			sc := s.scenario(r)
			if sc == nil {
				return scoreCell{}, false
			}
			p := sc.At(s.load)
			if p == nil {
				return scoreCell{}, false
			}
			v, stat, ok := figure.Central(p, metric.TTFT)
			c := scoreCell{value: &v, scenario: sc, point: p}
			if stat == metric.Mean {
				c.at = metric.Mean
			}
			return c, ok
		}},
	{id: "prompt-ingestion", label: "Prompt ingestion", metric: metric.PromptIngestionSpeed, formula: "prompt-ingestion-speed", whole: true,
		define: func(*scoreClass) string {
			return "Prompt tokens a second of one request, from a fit of time to first token over prompt length. Higher is better."
		},
		value: func(_ *scoreClass, r *figure.Run) (scoreCell, bool) { return headlineCell(r, "prompt_ingestion_speed") }},
	{id: "kv-cache", label: "KV-cache capacity", metric: metric.KVCacheTokens, formula: "kv-cache-capacity", whole: true,
		define: func(*scoreClass) string {
			return "Tokens the KV cache holds beside the weights. Higher is better."
		},
		value: func(_ *scoreClass, r *figure.Run) (scoreCell, bool) { return headlineCell(r, "kv_cache_tokens") }},
}

// scoreRow is a model with its cards by column.
type scoreRow struct {
	model settings.Model
	cards []*figure.Card // parallel to the columns; nil where the pair was never run
}

func (g *Site) scoreRows() []scoreRow {
	var rows []scoreRow
	for _, m := range g.Index.Models {
		row := scoreRow{model: m.Model, cards: make([]*figure.Card, len(g.cols))}
		for i, h := range g.cols {
			row.cards[i] = g.cards[[2]string{m.Slug, h.Slug}]
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b scoreRow) int { return byModelSize(a.model, b.model) })
	return rows
}

// shortNumber writes the limit of a class without zeros that say nothing: 8.00 is 8.
func shortNumber(v float64) string {
	if v == math.Trunc(v) {
		return metric.Count(int64(v))
	}
	return metric.Exact(metric.Round12(v))
}

func pointers(vs []float64) []*float64 {
	out := make([]*float64, len(vs))
	for i := range vs {
		out[i] = &vs[i]
	}
	return out
}

func (g *Site) writeMatrixCell(m *page.Markup, d *draft, v *scoreView, model settings.Model, hw settings.Hardware, card *figure.Card) {
	if card == nil {
		if fits, known := figure.Fits(model, hw); known && !fits {
			m.Raw(`<td class="e na">does not fit</td>`)
			return
		}
		m.Raw(`<td class="e na"><span aria-hidden="true">·</span><span class="vh">never run</span></td>`)
		return
	}
	s, h, scale := v.class, v.heat, v.scale
	href := d.Place.To(page.PathCard(card.Slug), "")
	name := page.Clip(hardwareShort(hw), 40)
	r := s.runs[card]
	if r == nil && !s.whole && len(active(card.Runs)) > 0 {
		other, words := otherWorkload(card)
		if k := g.classOf(other); k != nil {
			href = k.first.row(d, model.Slug)
		}
		m.Raw(`<td class="x"><a`)
		m.Attr("data-hw", name)
		m.Attr("href", href)
		m.Raw(">other workload")
		m.Elem("small", "", words)
		m.Raw("</a></td>")
		return
	}
	c, ok := v.cells[card]
	if !ok {
		m.Raw(`<td class="x"><a`)
		m.Attr("data-hw", name)
		m.Attr("href", href)
		if len(active(card.Runs)) == 0 {
			m.Raw(">withdrawn</a></td>")
		} else {
			m.Raw(">not recorded</a></td>")
		}
		return
	}
	var exact, shown, class string
	if c.value != nil {
		exact, shown, class = scale.Exact(*c.value), scale.Format(*c.value), h.class(*c.value)
	} else {
		shown, class, exact = publishedShort(c.published), "h2", "published "+c.published
		if v, ok := publishedNumber(c.published); ok {
			class = h.class(v)
		}
	}
	m.Raw("<td")
	m.Attr("class", class)
	m.Attr("title", exact)
	m.Raw("><a")
	m.Attr("data-hw", name)
	m.Attr("href", href)
	m.Raw(">")
	m.Elem("span", "nw", shown)
	m.Raw("<small>")
	var words []string
	if c.at != "" {
		words = append(words, c.at)
	}
	if e, versioned := EngineText(r.Engine); versioned {
		words = append(words, page.Clip(e, 40))
	} else if r.Named {
		words = append(words, page.Clip(r.Series, 40))
	}
	if n := s.counts[card]; n > 1 {
		words = append(words, itoa(n)+" runs")
	}
	short := false
	if c.point != nil {
		ratio, _, _, ok := figure.Success(c.point)
		short = ok && ratio < 1
	}
	for i, w := range words {
		if i > 0 {
			m.Raw(" ")
		}
		if i < len(words)-1 || short {
			w += ","
		}
		if len(w) <= 18 {
			m.Elem("span", "nw", w)
		} else {
			m.Text(w)
		}
	}
	if c.point != nil {
		if ratio, _, _, ok := figure.Success(c.point); ok && ratio < 1 {
			m.Raw(" <b>")
			m.Text(metric.Percent(ratio))
			m.Raw("</b> completed")
		}
	}
	m.Raw("</small></a></td>")
}
