package view

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

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
	// runs is what is said of the two, base first.
	runs compare.PairOfRuns
	// paged says that the pair has a page of its own; any other is shown by the script of the page
	// of comparisons.
	paged bool
	// judged is what verdict found, which many pages ask for.
	judged verdict
}

// verdict is the one difference that a pair is judged by, found once.
type verdict struct {
	once sync.Once
	at   compare.Row
	of   compare.Difference
	ok   bool
}

// Pairs of one model have pages: its first ones on two hardware configurations, and its first ones of two
// versions or series. A catalog of more models has fewer of each, at least leastPaged.
const (
	mostPaged  = 8
	allPaged   = 150
	leastPaged = 2
)

// markPaged marks the pairs of a model that have a page of their own, of so many models.
func markPaged(of []*comparison, models int) {
	left := map[compare.PairKind]int{}
	for _, k := range []compare.PairKind{compare.PairHardware, compare.PairVersion} {
		left[k] = min(mostPaged, max(leastPaged, allPaged/models))
	}
	for _, c := range of {
		c.paged = left[c.Kind] > 0
		left[c.Kind]--
	}
}

// href leads to the comparison: to its page, or to the choice of its two runs.
func (c *comparison) href(at page.Place) string {
	if c.paged {
		return at.To(pathPair(c.Slug), "")
	}
	return at.To(PathCompare, c.chosen())
}

// chosen is the anchor of the page of comparisons that chooses both runs, the base first.
func (c *comparison) chosen() string { return c.base.Run.ID + "," + c.other.Run.ID }

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
	if ha, hb := a.Hardware, b.Hardware; p.Kind == compare.PairHardware && a.Baseline == b.Baseline &&
		ha.Accelerator.Slug == hb.Accelerator.Slug {
		swap = ha.Count > hb.Count
	}
	if swap {
		c.base, c.other = p.B, p.A
	}
	c.runs = compare.NewPair(compare.NewMeasured(c.base.Run), compare.NewMeasured(c.other.Run))
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

// pairs are the comparisons of a catalog, which are made when they are first asked for.
type pairs struct {
	ix     *figure.Index
	list   []*comparison
	sideOf map[*figure.Card][]int // places in list
}

// all are the pairs of all models, by model and question, each address once.
func (p *pairs) all() []*comparison {
	if p.list != nil {
		return p.list
	}
	p.list, p.sideOf = []*comparison{}, map[*figure.Card][]int{}
	slugs, titles := map[string]bool{}, map[string]int{}
	for m, found := range compare.Pairs(p.ix) {
		var of []*comparison
		for _, q := range found {
			if !slugs[q.Slug] {
				slugs[q.Slug] = true
				of = append(of, newComparison(m, q))
			}
		}
		slices.SortStableFunc(of, func(a, b *comparison) int { return cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)) })
		markPaged(of, len(p.ix.Models))
		p.list = append(p.list, of...)
	}
	for i, c := range p.list {
		titles[c.title]++
		p.sideOf[c.base.Card] = append(p.sideOf[c.base.Card], i)
		if c.other.Card != c.base.Card {
			p.sideOf[c.other.Card] = append(p.sideOf[c.other.Card], i)
		}
	}
	for _, c := range p.list {
		if titles[c.title] > 1 { // the titles of pages are unique
			c.title += " (runs " + c.other.Run.ID + " and " + c.base.Run.ID + ")"
		}
	}
	return p.list
}

func kindRank(k compare.PairKind) int {
	for i, p := range pairKinds {
		if p.kind == k {
			return i
		}
	}
	return len(pairKinds)
}

// paged are the comparisons that have a page of their own.
func (p *pairs) paged() []*comparison {
	return slices.DeleteFunc(slices.Clone(p.all()), func(c *comparison) bool { return !c.paged })
}

// with are the comparisons of which one of the cards is a side.
func (p *pairs) with(cards ...*figure.Card) []*comparison {
	all := p.all()
	var places []int
	for _, c := range cards {
		places = append(places, p.sideOf[c]...)
	}
	slices.Sort(places)
	var out []*comparison
	for _, i := range slices.Compact(places) {
		out = append(out, all[i])
	}
	return out
}

// main is the workload that a pair is judged by, with the metric: the one that cards are compared
// by, else the one with most shared loads, of tests of one phase the one that is quoted.
func (c *comparison) main() (best *compare.Workload, m metric.ID, ok bool) {
	for _, info := range metric.Shown(metric.Verdict) {
		m = info.ID
		most := 0
		for _, x := range c.runs.Workloads {
			n := 0
			for _, l := range x.Loads {
				if _, has := l.Typical(m); has {
					n++
				}
			}
			if n > 0 && x.A.Preferred() {
				n += 1 << 20
			}
			if n > most || n > 0 && n == most && x.A.OffQuoted() < best.A.OffQuoted() {
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
func (c *comparison) verdict() (at compare.Row, d compare.Difference, ok bool) {
	v := &c.judged
	v.once.Do(func() { v.at, v.of, v.ok = c.judge() })
	return v.at, v.of, v.ok
}

func (c *comparison) judge() (at compare.Row, d compare.Difference, ok bool) {
	x, m, ok := c.main()
	if !ok {
		return at, d, false
	}
	info, _ := metric.Lookup(m)
	top := math.Inf(-1)
	for _, l := range x.Loads {
		e, has := l.Typical(m)
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

// listed is the difference that lists of pairs show: the verdict, and of each accelerator where it is one of output
// throughput and the sides have other numbers of accelerators. A sum over eight times as many is no difference of speed.
func (c *comparison) listed() (at compare.Row, d compare.Difference, ok bool) {
	at, d, ok = c.verdict()
	if !ok || d.Metric != metric.OutputThroughput {
		return at, d, ok
	}
	if each, has := at.PerAccelerator(); has {
		d = each
	}
	return at, d, true
}

// againstText is the value of the side that is held against the base, and that of the base.
func againstText(info metric.Info, e compare.Difference) string {
	return metricText(info, e.B.Median) + " against " + metricText(info, e.A.Median)
}

// loadWithWorkload is a load with its workload: "at 38 parallel requests with 1 024 → 128".
func loadWithWorkload(l compare.Row) string {
	return strings.TrimPrefix(figure.LoadPhrase(l.A[0])+" with ", " ") + page.Glue(l.Of.A.Title)
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
		return metric.Decimals(p, 0) + metric.ThinSpace + "%"
	}
	return metric.Decimals(p, 1) + metric.ThinSpace + "%"
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

// labelWithin is the label of a metric within a sentence: "output throughput", "TTFT".
func labelWithin(info metric.Info) string {
	if rs := []rune(info.Label); len(rs) > 1 && unicode.IsUpper(rs[0]) && unicode.IsLower(rs[1]) {
		return strings.ToLower(info.Label[:1]) + info.Label[1:]
	}
	return info.Label
}

// Plain is the text of a sentence without its links.
func Plain(ps []page.Part) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	return b.String()
}

// shortCertainty is a certainty in a cell.
func shortCertainty(e compare.Difference) string { return certaintyOf(e, e.A, e.B) }

// measuredOnce is the certainty of two single measurements.
const measuredOnce = "no claim: measured once each"

// certaintyOf is the same behind the names of both sides, in their order.
func certaintyOf(e compare.Difference, first, second figure.Summary) string {
	requests := e.A.Requests > 0 || e.B.Requests > 0
	switch {
	case requests && e.Certainty == compare.Distinguishable:
		return "distinguishable within the runs"
	case requests && e.Certainty == compare.NoClaim:
		return "no claim: percentiles overlap"
	case e.Certainty != compare.NoClaim:
		return e.Certainty.String()
	case e.A.N == 1 && e.B.N == 1:
		return measuredOnce
	}
	return "no claim: " + itoa(first.N) + " and " + itoa(second.N) + " measurements"
}
