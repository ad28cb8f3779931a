package site

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// suiteTool is the tool whose runs have headline figures of a whole run.
const suiteTool = "benchmark_llm_serving"

// scoreClass is one class of workload with the cards that were measured under it: one scorecard.
type scoreClass struct {
	key     string // of the class, as figure.Scenario.Class has it
	slug    string // in the page's path
	title   string // "1 024 → 128"
	tool    string
	dataset string
	axis    string
	input   float64 // tokens, 0 where not recorded
	output  float64
	runs    map[*figure.Card]*figure.Run // the run that stands for the card
	counts  map[*figure.Card]int         // runs of the card in this class
	// load is where speed and time to first token are read: the load most cards have.
	load float64
	// whole marks the stand-in class of a metric that belongs to a whole run, whatever its
	// workloads: prompt ingestion, KV-cache capacity.
	whole bool
	// views are its scorecards, a metric each; first is the one shown before one is chosen.
	views []*scoreView
	first *scoreView
}

// scenario is the scenario of a run in the class, nil where the run has figures alone.
func (s *scoreClass) scenario(r *figure.Run) *figure.Scenario { return r.Scenario(s.key) }

// scoreClasses sorts the cards of a catalog by class of workload, the class with most cards
// first. A suite of which only headline figures are known belongs to the class that its speed
// per request was measured under, 1024 in and 128 out.
func scoreClasses(ix *figure.Index) []*scoreClass {
	byKey := map[string]*scoreClass{}
	var list []*scoreClass
	get := func(key, title, tool, axis string, input, output float64) *scoreClass {
		s := byKey[key]
		if s == nil {
			s = &scoreClass{key: key, title: title, tool: tool, axis: axis, input: input, output: output, runs: map[*figure.Card]*figure.Run{}, counts: map[*figure.Card]int{}}
			byKey[key] = s
			list = append(list, s)
		}
		return s
	}
	suiteKey := "suite figures"
	for _, r := range ix.Runs {
		if r.Identity.Tool != suiteTool {
			continue
		}
		for _, s := range r.Scenarios {
			if in, out, actual := s.Lengths(); in == 1024 && out == 128 && !actual {
				suiteKey = s.Class
			}
		}
	}
	for _, c := range ix.Cards {
		for _, r := range active(c.Runs) { // the newest engine version first
			for _, s := range r.Scenarios {
				in, out, _ := s.Lengths()
				k := get(s.Class, s.Title, toolText(r), s.Axis, in, out)
				k.dataset = s.Workload.Dataset
				if k.counts[c]++; k.runs[c] == nil {
					k.runs[c] = r
				}
			}
			if r.Identity.Tool == suiteTool && r.Scenario(suiteKey) == nil && len(r.SuiteHeadlines()) > 0 {
				k := get(suiteKey, metric.Count(1024)+" → 128", toolText(r), record.AxisConcurrency, 1024, 128)
				if k.counts[c]++; k.runs[c] == nil {
					k.runs[c] = r
				}
			}
		}
	}
	for _, k := range list {
		for c, r := range k.runs {
			if k.counts[c] > 1 {
				k.runs[c] = k.stands(c, r)
			}
		}
		k.load = k.commonLoad()
	}
	slices.SortStableFunc(list, func(a, b *scoreClass) int {
		return cmp.Or(cmp.Compare(len(b.runs), len(a.runs)), cmp.Compare(b.standard(), a.standard()), cmp.Compare(b.points(), a.points()),
			cmp.Compare(a.input, b.input), cmp.Compare(a.output, b.output), cmp.Compare(a.key, b.key))
	})
	used := map[string]int{} // of addresses; those of metrics of whole runs are taken
	for _, m := range scoreMetrics {
		used[m.id] = 1
	}
	titles := map[string]int{}
	for _, k := range list {
		titles[k.title]++
	}
	for _, k := range list {
		if titles[k.title] > 1 || k.axis == record.AxisRate {
			k.title += ", " + map[string]string{record.AxisRate: "by rate", record.AxisBatch: "by batch"}[k.axis]
			k.title = strings.TrimSuffix(k.title, ", ")
		}
	}
	titles = map[string]int{}
	for _, k := range list {
		titles[k.title]++
	}
	for _, k := range list {
		if titles[k.title] > 1 {
			k.title += ", " + k.tool
		}
	}
	titles = map[string]int{}
	for _, k := range list {
		titles[k.title]++
	}
	for _, k := range list {
		if titles[k.title] > 1 && k.dataset != "" {
			k.title += ", " + page.Clip(k.dataset, 40)
		}
	}
	titles = map[string]int{}
	for _, k := range list {
		if titles[k.title]++; titles[k.title] > 1 {
			k.title += " (" + itoa(titles[k.title]) + ")"
		}
		base := strings.Trim(catalog.Slug(strings.NewReplacer(" → ", "-", metric.ThinSpace, "").Replace(k.title)), "-")
		if base == "" {
			base = "workload"
		}
		k.slug = base
		if used[base]++; used[base] > 1 {
			k.slug = base + "-" + itoa(used[base])
		}
	}
	return list
}

// stands is the run of a card that stands for it in the class: the fullest of the newest.
func (s *scoreClass) stands(c *figure.Card, newest *figure.Run) *figure.Run {
	if s.scenario(newest) == nil {
		return newest // figures alone
	}
	return figure.Representative(slices.DeleteFunc(active(c.Runs), func(r *figure.Run) bool { return s.scenario(r) == nil }))
}

// standard is 1 for the lengths that cards are compared by where several classes have equally
// many: 1024 in, 128 out.
func (s *scoreClass) standard() int {
	if s.input == 1024 && s.output == 128 {
		return 1
	}
	return 0
}

// points counts the points of the class, to order classes with equally many cards.
func (s *scoreClass) points() int {
	n := 0
	for _, r := range s.runs {
		if sc := s.scenario(r); sc != nil {
			n += len(sc.Points)
		}
	}
	return n
}

// commonLoad is the load that most cards were measured at; of equals 10, at which happy_vllm
// cards publish their speed, else the smallest.
func (s *scoreClass) commonLoad() float64 {
	seen := map[float64]int{}
	for _, r := range s.runs {
		if sc := s.scenario(r); sc != nil {
			for _, p := range sc.Points {
				seen[figure.LoadOf(p)]++
			}
		}
	}
	best, n := 0.0, 0
	for l, c := range seen {
		better := c > n || c == n && (l == 10 || best != 10 && l < best)
		if better {
			best, n = l, c
		}
	}
	return best
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

// headlineCell is the suite figure of a name as a cell.
func headlineCell(r *figure.Run, name string) (scoreCell, bool) {
	for _, h := range r.SuiteHeadlines() {
		if h.Name == name {
			return scoreCell{value: h.Value, published: h.Published}, h.Value != nil || h.Published != ""
		}
	}
	return scoreCell{}, false
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

// suiteClass says whether a scenario is the one that happy_vllm cards publish their speed of.
func suiteClass(s *figure.Scenario) bool {
	in, out, actual := s.Lengths()
	return in == 1024 && out == 128 && !actual
}

// loadPhrase is the load that latencies are read at, in words.
func (s *scoreClass) loadPhrase() string {
	switch {
	case math.IsInf(s.load, 1):
		return "with all requests at once"
	case s.axis == record.AxisConcurrency && s.load == 1:
		return "one request at a time"
	case s.axis == record.AxisConcurrency:
		return "at " + metric.Exact(s.load) + " parallel requests"
	case s.axis == record.AxisRate:
		return "at " + metric.Exact(s.load) + " " + map[bool]string{true: "request/s", false: "requests/s"}[s.load == 1]
	case s.axis == record.AxisBatch:
		return "at batch " + metric.Exact(s.load)
	}
	return "at the load measured"
}

// published matches the number at the beginning of a published rounding.
var published = regexp.MustCompile(`^~?\s*(\d+)(k?)\b`)

// publishedNumber reads the number out of a published rounding, "~8500 t/s" or "~150k tokens",
// for order and colour only: what is shown is the text.
func publishedNumber(s string) (float64, bool) {
	m := published.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if m[2] == "k" {
		v *= 1000
	}
	return v, err == nil && v > 0
}

// scoreRow is a model with its cards by column.
type scoreRow struct {
	model settings.Model
	cards []*figure.Card // parallel to the columns; nil where the pair was never run
}

func (g *generator) scoreRows() []scoreRow {
	var rows []scoreRow
	for _, m := range g.ix.Models {
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

func (g *generator) writeMatrixCell(m *page.Markup, d *draft, v *scoreView, model settings.Model, hw settings.Hardware, card *figure.Card) {
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
	if e, versioned := engineText(r.Engine); versioned {
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

// hardwareShort is a hardware in the head of a column: "A100", "4× MI100".
func hardwareShort(h settings.Hardware) string {
	name := h.Accelerator.Short
	if name == "" {
		return h.Name
	}
	if h.Count > 1 {
		return itoa(h.Count) + "× " + name
	}
	return name
}

// publishedShort is a published rounding without its unit, which the column has: "~8 500",
// "~150k".
func publishedShort(s string) string {
	s = strings.TrimSpace(s)
	if m := published.FindStringSubmatch(s); m != nil && m[2] == "" {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return "~" + metric.Count(n)
		}
	}
	if i := strings.IndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return s
}

// otherWorkload says what a card was measured under: its workload with most loads, nil where it
// has no point.
func otherWorkload(c *figure.Card) (best *figure.Scenario, words string) {
	n := 0
	for _, r := range active(c.Runs) {
		n = max(n, len(r.Scenarios))
		for _, s := range r.Scenarios {
			if best == nil || len(s.Points) > len(best.Points) {
				best = s
			}
		}
	}
	if best == nil {
		return nil, "no measured point"
	}
	in, out, _ := best.Lengths()
	t := page.Clip(best.Title, 40)
	if in > 0 && out > 0 {
		t = metric.Count(int64(math.Round(in))) + " → " + metric.Count(int64(math.Round(out)))
	}
	if n > 1 {
		t += " and " + itoa(n-1) + " more"
	} else if len(best.Points) > 1 {
		if best.Axis == record.AxisRate {
			t += ", " + page.Plural(len(best.Points), "rate", "rates")
		} else {
			t += ", " + page.Plural(len(best.Points), "load", "loads")
		}
	}
	return best, page.Glue(t)
}

// classOf is the class of a scenario among those that have a scorecard, else nil.
func (g *generator) classOf(s *figure.Scenario) *scoreClass {
	if s == nil {
		return nil
	}
	return g.byClass[s.Class]
}
