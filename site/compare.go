package site

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// pathCompare is the list of all pairs, and the place where readers choose runs of their own.
const pathCompare = "compare"

func pathPair(slug string) string { return pathCompare + "/" + slug }

// comparison is a pair as its page shows it: other is held against base, so that a difference is
// other − base.
type comparison struct {
	compare.Pair
	base, other compare.Side
	// baseName and otherName are the short names that tell the two apart.
	baseName, otherName string
	// of is what both have in common: the model, the card, or the hardware; ofPath its page.
	of, ofPath string
	title      string
	// model is the one that the pair is listed with.
	model *figure.Model
	// comp is the pair's comparability with base first.
	comp compare.Comparability
}

// newComparison puts the sides of a pair in the order in which they are read: the marked baseline,
// the older version and the smaller number of one accelerator are what the other is held against.
func newComparison(m *figure.Model, p compare.Pair) *comparison {
	c := &comparison{Pair: p, model: m, base: p.A, other: p.B}
	a, b := p.A.Run, p.B.Run
	swap := b.Baseline && !a.Baseline
	if p.Kind == compare.PairVersion && a.Baseline == b.Baseline {
		// The runs of a card are ordered by version, the newest first.
		swap = slices.Index(p.A.Card.Runs, a) < slices.Index(p.B.Card.Runs, b)
	}
	if ha, hb := a.Hardware, b.Hardware; p.Kind == compare.PairHardware && a.Baseline == b.Baseline && ha.Accelerator.Slug == hb.Accelerator.Slug {
		swap = ha.Count > hb.Count
	}
	if swap {
		c.base, c.other = p.B, p.A
	}
	c.comp = p.Comparability
	if swap {
		c.comp = compare.Comparable(c.base.Run, c.other.Run)
	}
	base, other := c.base, c.other
	switch p.Kind {
	case compare.PairHardware:
		c.baseName, c.otherName = base.Card.Hardware.Name, other.Card.Hardware.Name
		c.of, c.ofPath = base.Card.Model.Name, page.PathModel(base.Card.Model.Slug)
	case compare.PairVersion:
		both := []*figure.Run{base.Run, other.Run}
		c.baseName, c.otherName = seriesName(base.Run, both), seriesName(other.Run, both)
		c.of, c.ofPath = base.Card.Title(), page.PathCard(base.Card.Slug)
	default:
		c.baseName, c.otherName = base.Card.Model.Name, other.Card.Model.Name
		c.of, c.ofPath = base.Card.Hardware.Name, page.PathAccelerator(base.Card.Hardware.Accelerator.Slug)
	}
	if c.baseName == c.otherName {
		c.baseName, c.otherName = c.base.Title+", run "+base.Run.ID, c.other.Title+", run "+other.Run.ID
	}
	c.title = c.of + ": " + c.otherName + " against " + c.baseName
	return c
}

// with is the preposition before a side's name: on a GPU, with a version, of a model.
func (c *comparison) with() string {
	switch c.Kind {
	case compare.PairHardware:
		return "on"
	case compare.PairVersion:
		return "with"
	}
	return "for"
}

// pairKinds are the questions of pairs, in the order of the list.
var pairKinds = []struct {
	kind     compare.PairKind
	question string
}{
	{compare.PairHardware, "Which hardware"},
	{compare.PairVersion, "Which engine version or series"},
	{compare.PairQuantization, "Which quantization"},
	{compare.PairModel, "Which model"},
}

// comparisons are the pairs of all models, by model and question, each address once.
func (g *generator) comparisons() []*comparison {
	if g.compared != nil {
		return g.compared
	}
	g.compared = []*comparison{}
	slugs, titles := map[string]bool{}, map[string]int{}
	for _, m := range g.ix.Models {
		var of []*comparison
		for _, p := range compare.Pairs(g.ix, m) {
			if !slugs[p.Slug] {
				slugs[p.Slug] = true
				of = append(of, newComparison(m, p))
			}
		}
		slices.SortStableFunc(of, func(a, b *comparison) int { return cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)) })
		g.compared = append(g.compared, of...)
	}
	for _, c := range g.compared {
		titles[c.title]++
	}
	for _, c := range g.compared {
		if titles[c.title] > 1 { // the titles of pages are unique
			c.title += " (runs " + c.other.Run.ID + " and " + c.base.Run.ID + ")"
		}
	}
	return g.compared
}

func kindRank(k compare.PairKind) int {
	for i, p := range pairKinds {
		if p.kind == k {
			return i
		}
	}
	return len(pairKinds)
}

// pairsWith are the comparisons that a side of fits.
func (g *generator) pairsWith(fits func(*figure.Card) bool) []*comparison {
	var out []*comparison
	for _, c := range g.comparisons() {
		if fits(c.base.Card) || fits(c.other.Card) {
			out = append(out, c)
		}
	}
	return out
}

// redirects are small pages at the inverse addresses of pairs: who writes "b-vs-a" means "a-vs-b".
// They are files and no pages, so that neither the sitemap nor a search lists them.
func (g *generator) redirects() []page.File {
	taken := map[string]bool{}
	for _, c := range g.comparisons() {
		taken[c.Slug] = true
	}
	var out []page.File
	for _, c := range g.comparisons() {
		if taken[c.Inverse] {
			continue
		}
		taken[c.Inverse] = true
		out = append(out, page.File{Path: pathPair(c.Inverse) + "/index.html", Write: func(w io.Writer) error { return g.writeRedirect(w, c) }})
	}
	return out
}

func (g *generator) writeRedirect(w io.Writer, c *comparison) error {
	to := "../" + c.Slug + "/index.html"
	return page.FragmentOf(func(m *page.Markup) {
		m.Raw(`<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'none'"><meta charset="utf-8">`,
			`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=`, page.Escape(to), `">`)
		if base := g.base(); base != "" {
			m.Raw(`<link rel="canonical" href="`, page.Escape(base+pathPair(c.Slug)+"/"), `">`)
		}
		title := c.of + ": " + c.baseName + " against " + c.otherName + ", moved"
		m.Raw("<title>")
		m.Text(title)
		m.Raw(`</title><meta name="description" content="`, page.Escape("This comparison stands the other way round: "+c.title), `"></head><body><h1>`)
		m.Text(c.title)
		m.Raw("</h1><p>")
		m.Link(to, "The comparison stands at its other address")
		m.Raw("</p></body></html>\n")
	})(w)
}

// measuredLoad is one load of a workload that both sides have.
type measuredLoad struct {
	match compare.Match
	load  float64
	a, b  []*catalog.Point
}

// differ compares the first of some statistics that both sides have.
func (l measuredLoad) differ(m metric.ID, stats ...string) (compare.Difference, bool) {
	for _, stat := range stats {
		if d, ok := compare.DifferPoints(m, stat, l.a, l.b); ok {
			return d, true
		}
	}
	return compare.Difference{}, false
}

// shown are the differences that a place shows, in its order.
func (l measuredLoad) shown(u metric.Use) (out []compare.Difference) {
	for _, info := range metric.Shown(u) {
		for _, stats := range info.Columns(u) {
			if e, ok := l.differ(info.ID, stats...); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

func (l measuredLoad) typical(m metric.ID) (compare.Difference, bool) {
	return l.differ(m, metric.Typical()...)
}

func loadsOf(m compare.Match) []measuredLoad {
	var out []measuredLoad
	for _, l := range compare.SharedLoads(m.A, m.B) {
		out = append(out, measuredLoad{m, l, m.A.AllAt(l), m.B.AllAt(l)})
	}
	return out
}

// every is all loads that both sides have, workload by workload.
func (c *comparison) every() []measuredLoad {
	var out []measuredLoad
	for _, m := range c.comp.Matches {
		out = append(out, loadsOf(m)...)
	}
	return out
}

// main is the workload that a pair is judged by, with the metric: the one that cards are compared
// by, else the one with most shared loads.
func (c *comparison) main() (best compare.Match, m metric.ID, ok bool) {
	for _, info := range metric.Shown(metric.Verdict) {
		m = info.ID
		most := 0
		for _, x := range c.comp.Matches {
			n := 0
			for _, l := range loadsOf(x) {
				if _, has := l.typical(m); has {
					n++
				}
			}
			if n > 0 && preferred(x.A) {
				n += 1 << 20
			}
			if n > most {
				best, most, ok = x, n, true
			}
		}
		if ok {
			return best, m, true
		}
	}
	return best, "", false
}

// verdict is the one difference that a pair is judged by: at the load where the better side
// reaches its best.
func (c *comparison) verdict() (at measuredLoad, d compare.Difference, ok bool) {
	x, m, ok := c.main()
	if !ok {
		return at, d, false
	}
	info, _ := metric.Lookup(m)
	top := math.Inf(-1)
	for _, l := range loadsOf(x) {
		e, has := l.typical(m)
		if !has {
			continue
		}
		v := max(e.A.Median, e.B.Median)
		if info.Better == metric.Lower {
			v = -min(e.A.Median, e.B.Median)
		}
		if v > top {
			at, d, top = l, e, v
		}
	}
	return at, d, true
}

// words are the load with its workload: "at 38 parallel requests with 1 024 → 128".
func (l measuredLoad) words() string {
	s := figure.LoadPhrase(l.a[0])
	if s != "" {
		s += " "
	}
	return s + "with " + page.Glue(l.match.A.Title)
}

// magnitude says how far b is from a: "58 % higher", "2.06 times", "equal".
func magnitude(d compare.Difference, more, less string) string {
	if d.Change == nil {
		if d.Delta == 0 {
			return "equal"
		}
		return "not zero any more"
	}
	switch v := *d.Change; {
	case v == 0:
		return "equal"
	case v >= 1:
		return metric.Format(*d.Ratio) + " times as " + strings.TrimSuffix(more, "er")
	case math.Abs(v) < 0.0005:
		return "equal to a thousandth"
	case v > 0:
		return percentText(v) + " " + more
	default:
		return percentText(-v) + " " + less
	}
}

// percentText writes a share in a sentence: whole from 10 % on, else with one decimal.
func percentText(v float64) string {
	p := v * 100
	if p >= 9.95 {
		return metric.Count(int64(math.Round(p))) + metric.ThinSpace + "%"
	}
	return fmt.Sprintf("%.1f", p) + metric.ThinSpace + "%"
}

// changeText writes a relative difference with its sign: "+58 %", "−4.7 %".
func changeText(v catalog.Number) string {
	switch {
	case v == nil:
		return "from zero"
	case *v > 0:
		return "+" + percentText(*v)
	case *v < 0:
		return metric.Minus + percentText(-*v)
	}
	return "0" + metric.ThinSpace + "%"
}

// comparative are the words for more and less of a metric.
func comparative(info metric.Info) (more, less string) {
	if info.Unit == metric.Seconds {
		return "longer", "shorter"
	}
	return "higher", "lower"
}

// difference writes a difference at a load in words, with its direction and, where it can be told or
// always is set, its certainty. Numbers lead to the rows they were read from.
func (d *draft) difference(c *comparison, l measuredLoad, e compare.Difference, always bool) []page.Part {
	info, _ := metric.Lookup(e.Metric)
	name := page.Capital(info.Label)
	if e.Stat != metric.Value {
		name = e.Stat + " " + labelWithin(info)
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	number := func(r *figure.Run, s *figure.Scenario, p *catalog.Point, v float64) page.Part {
		return page.Part{Text: metricText(info, v), Href: d.pointHref(r, s, p), Title: metric.Exact(v) + " " + info.Unit}
	}
	more, less := comparative(info)
	what := " is " + magnitude(e, more, less)
	if e.Certainty == compare.NotDistinguishable {
		what = " is not distinguishable"
	}
	direction := ""
	if e.Winner != 0 && e.Certainty != compare.NotDistinguishable {
		direction = "worse"
		if e.Winner > 0 {
			direction = "better"
		}
		direction = ", which is " + direction
	}
	var certainty []page.Part
	switch {
	case always:
		certainty = []page.Part{{Text: " (" + e.Words() + ")"}}
	case e.Certainty != compare.NoClaim:
		certainty = []page.Part{{Text: " ("}, {Text: shortCertainty(e), Title: e.Words()}, {Text: ")"}}
	}
	ps := []page.Part{{Text: name + what + " " + c.with() + " " + c.otherName + direction + ": "},
		number(c.other.Run, l.match.B, l.b[0], e.B.Median), {Text: " against "}, number(c.base.Run, l.match.A, l.a[0], e.A.Median),
		{Text: " " + c.with() + " " + c.baseName + " " + l.words()}}
	return append(append(ps, certainty...), page.Part{Text: "."})
}

// labelWithin is the label of a metric within a sentence: "output throughput", "TTFT".
func labelWithin(info metric.Info) string {
	if rs := []rune(info.Label); len(rs) > 1 && unicode.IsUpper(rs[0]) && unicode.IsLower(rs[1]) {
		return strings.ToLower(info.Label[:1]) + info.Label[1:]
	}
	return info.Label
}

// plain is the text of a sentence without its links.
func plain(ps []page.Part) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	return b.String()
}

// comparePage lists all pairs by model and question.
func (g *generator) comparePage() *draft {
	d := g.draft(pathCompare, "comparisons", "compare", "Compare", "Pairs of models, hardware, engine versions and quantizations that share a workload, side by side.")
	all := g.comparisons()
	for _, r := range g.ix.Runs {
		d.modified = max(d.modified, page.Day(r.Started))
	}
	if len(all) == 0 {
		d.view.Lede = page.Text("Two results are compared where they share a workload and a load of it; the catalog holds no such pair yet.")
		d.section("pairs", "Pairs", page.Paragraph("A pair appears here once one model is measured on two kinds of hardware, under two engine versions, or beside another model of like size, with the same tool and the same workload."))
		return d.done()
	}
	d.view.Lede = []page.Part{{Text: page.Plural(len(all), "pair", "pairs") + " of results that share a workload, each on a page of its own: metrics side by side with difference and certainty, charts overlaid, and the parameters that differ. "},
		{Text: "How pairs are chosen", Href: d.Place.To(page.PathMethodology, "pairs")}, {Text: "."}}
	// With very many pairs each model shows its first ones; its own page has them all.
	const most = 900
	byModel := map[*figure.Model][]*comparison{}
	for _, c := range all {
		byModel[c.model] = append(byModel[c.model], c)
	}
	for _, m := range g.ix.Models {
		of := byModel[m]
		if len(of) == 0 {
			continue
		}
		shown, rest := of, 0
		if len(all) > most {
			n := max(1, most/len(g.ix.Models))
			shown = of[:min(n, len(of))]
			rest = len(of) - len(shown)
		}
		blocks := []page.Block{d.pairTable("pairs-"+m.Slug, "Comparisons of "+m.Name, shown)}
		if rest > 0 {
			blocks = append(blocks, page.Block{Text: []page.Part{{Text: page.Plural(rest, "more comparison", "more comparisons") + " of " + m.Name, Href: d.Place.To(page.PathModel(m.Slug), "pairs")}}})
		}
		d.section("m-"+m.Slug, m.Name, blocks...)
	}
	if refused := d.refusals(g.ix.Models, 3, 60); len(refused) > 0 {
		d.section("refused", "Not compared", append([]page.Block{{Text: []page.Part{{Text: "Results of one model that share no workload stand on no common page, because the same words would mean different work. "}, {Text: "When workloads are equal", Href: d.Place.To(page.PathMethodology, "workload-class")}, {Text: "."}}}}, refused...)...)
	}
	return d.done()
}

// refusals list results of one model that are not compared with the reasons: at most some of each
// model, and all of at most so many models as fit.
func (d *draft) refusals(models []*figure.Model, each, all int) []page.Block {
	var list [][]page.Part
	more := 0
	for _, m := range models {
		rs, n := compare.Refusals(m, max(0, min(each, all-len(list))))
		more += n - len(rs)
		for _, r := range rs {
			side := func(s compare.Side) page.Part {
				return page.Part{Text: s.Title + " (" + toolText(s.Run) + ")", Href: d.Place.To(pathRun(s.Run.ID), "")}
			}
			var head []page.Part
			if r.A.Card == r.B.Card {
				head = page.Text(r.A.Card.Title() + ": ")
			}
			list = append(list, append(head, side(r.A), page.Part{Text: " and "}, side(r.B), page.Part{Text: ": " + r.Reason + "." + labels(r.Labels)}))
		}
	}
	if len(list) == 0 {
		return nil
	}
	blocks := []page.Block{{List: list}}
	if more > 0 {
		blocks = append(blocks, page.Paragraph(page.Plural(more, "more pair of results shares", "more pairs of results share")+" no workload."))
	}
	return blocks
}

// labels are sentences on words that two tools use for different things.
func labels(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, ". ") + "."
}

// pairTable lists pairs with what they say in one number. Its rows have the class "pair" and the
// id of the pair, for scripts that filter them.
func (d *draft) pairTable(name, caption string, list []*comparison) page.Block {
	return d.table(name, func() *page.Grid {
		t := &page.Grid{Caption: caption, Class: "pairs", Columns: []page.Column{{Title: "Comparison"}, {Title: "Question"}, {Title: "In short"}, {Title: "Difference", Num: true}, {Title: "Certainty"}, {Title: "Shared", Unit: "workloads, loads", Num: true}}}
		for _, c := range list {
			name := page.Cell{Text: c.otherName + " against " + c.baseName, Href: d.Place.To(pathPair(c.Slug), ""), Head: true}
			if c.Kind == compare.PairHardware {
				name.Sub = c.of
			} else {
				name.Sub = "on " + c.base.Card.Hardware.Name
				if c.Kind == compare.PairVersion {
					name.Sub = c.of
				}
			}
			short, diff, sure := page.Missing("no figure in common"), page.Missing(""), page.Cell{}
			if l, e, ok := c.verdict(); ok {
				info, _ := metric.Lookup(e.Metric)
				short = page.Cell{Text: info.Label + " " + figure.LoadPhrase(l.a[0]), Sub: l.match.A.Title}
				diff = page.Cell{Text: changeText(e.Change), Exact: metricText(info, e.B.Median) + " against " + metricText(info, e.A.Median), Sub: betterWord(e)}
				sure = page.Cell{Text: shortCertainty(e), Class: "mut"}
			}
			n := len(c.every())
			t.Rows = append(t.Rows, page.Row{ID: "pair-" + c.Slug, Class: "pair", Cells: []page.Cell{name, {Text: question(c.Kind)}, short, diff, sure, {Text: itoa(len(c.comp.Matches)) + ", " + metric.Count(int64(n))}}})
		}
		return t
	})
}

// question is what a pair answers, in a cell.
func question(k compare.PairKind) string {
	switch k {
	case compare.PairHardware:
		return "hardware"
	case compare.PairVersion:
		return "version or series"
	case compare.PairQuantization:
		return "quantization"
	}
	return "model"
}

// betterWord says in a word what a difference means for the side that is held against the base.
func betterWord(e compare.Difference) string {
	switch {
	case e.Certainty == compare.NotDistinguishable:
		return "not distinguishable"
	case e.Winner > 0:
		return "better"
	case e.Winner < 0:
		return "worse"
	case e.Delta == 0:
		return "equal"
	}
	return ""
}

// shortCertainty is a certainty in a cell.
func shortCertainty(e compare.Difference) string {
	requests := e.A.Requests > 0 || e.B.Requests > 0
	switch {
	case requests && e.Certainty == compare.Distinguishable:
		return "distinguishable within the runs"
	case requests && e.Certainty == compare.NoClaim:
		return "no claim: percentiles overlap"
	case e.Certainty != compare.NoClaim:
		return e.Certainty.String()
	case e.A.N == 1 && e.B.N == 1:
		return "no claim: measured once each"
	}
	return "no claim: " + itoa(e.A.N) + " and " + itoa(e.B.N) + " measurements"
}

// pairs adds the list of a page's comparisons.
func (d *draft) pairs(title string, fits func(*figure.Card) bool) {
	list := d.g.pairsWith(fits)
	const most = compare.MostPairs
	more := len(list) - most
	if len(list) == 0 {
		return
	}
	list = list[:min(most, len(list))]
	rest := "All comparisons"
	if more > 0 {
		rest = page.Plural(more, "more comparison", "more comparisons")
	}
	d.section("pairs", title, d.pairTable("pairs", title, list), page.Block{Text: []page.Part{{Text: rest, Href: d.Place.To(pathCompare, "")}}})
}
