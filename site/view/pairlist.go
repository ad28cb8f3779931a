package view

import (
	"cmp"
	"slices"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// mostOpenPairs is how many pairs the page of all of them shows at most without a click: more are a page of many screens
// on a phone.
const mostOpenPairs = 24

// mostListedPairs is how many pairs the page of all of them lists: of more it shows the first ones of each model, whose
// own page has them all, and no matrix.
const mostListedPairs = 900

// mostCompared is how many models have their comparisons on the page of all of them: with more it goes over its budget of
// elements.
const mostCompared = 250

// pairList is what the page of all pairs shows of each model.
type pairList struct {
	all      []*comparison
	of       map[*figure.Model][]*comparison // those that no matrix has
	matrices map[*figure.Model]*resultMatrix
	widest   *figure.Model   // whose matrix has most results, nil where none has one
	models   []*figure.Model // that have pairs, at most mostCompared of them
	left     int             // models that have pairs and are not among these
	fold     bool            // each model is one line to open
	same     caveat
}

func newPairList(models []*figure.Model, all []*comparison) *pairList {
	l := &pairList{all: all, of: map[*figure.Model][]*comparison{}, matrices: map[*figure.Model]*resultMatrix{},
		fold: len(all) > mostOpenPairs, same: caveatOf(all)}
	for _, c := range all {
		l.of[c.model] = append(l.of[c.model], c)
	}
	for _, m := range models {
		if len(all) > mostListedPairs {
			break
		}
		x := newResultMatrix(m, l.of[m])
		if x == nil {
			continue
		}
		l.matrices[m] = x
		if l.widest == nil || len(x.runs) > len(l.matrices[l.widest].runs) {
			l.widest = m
		}
	}
	with := slices.DeleteFunc(slices.Clone(models),
		func(m *figure.Model) bool { return len(l.of[m]) == 0 && l.matrices[m] == nil })
	l.models = with
	if l.left = max(0, len(with)-mostCompared); l.left > 0 { // those with most pairs stay, in their order
		by := slices.Clone(with)
		slices.SortStableFunc(by, func(a, b *figure.Model) int { return cmp.Compare(len(l.of[b]), len(l.of[a])) })
		by = by[:mostCompared]
		l.models = slices.DeleteFunc(with, func(m *figure.Model) bool { return !slices.Contains(by, m) })
	}
	for _, m := range l.models {
		l.of[m] = l.matrices[m].without(l.of[m])
	}
	return l
}

// shown are the pairs of a model that the page lists, and how many others it has.
func (l *pairList) shown(m *figure.Model) (list []*comparison, rest int) {
	of := l.of[m]
	if len(l.all) <= mostListedPairs {
		return of, 0
	}
	n := min(max(1, mostListedPairs/len(l.models)), len(of))
	return of[:n], len(of) - n
}

// foldedPairs shows the widest matrix and the largest differences, and all else of a model as one line to open.
func (d *draft) foldedPairs(l *pairList) {
	if l.widest != nil {
		d.section("results", "Every result of a model against every other",
			d.matrixBlocks(l.matrices[l.widest], l.same)...)
	}
	d.section("largest", "Largest differences", page.Paragraph("Of each question at most "+itoa(largestPairs)+
		" pairs: those that lie farthest apart, by the ratio of the two sides."),
		d.table("largest", func() *page.Grid {
			var shown []*comparison
			for _, k := range []compare.PairKind{compare.PairHardware, compare.PairVersion, compare.PairQuantization} {
				of := slices.DeleteFunc(slices.Clone(l.all),
					func(c *comparison) bool { return c.Kind != k || c.distance() == 0 })
				shown = append(shown, largest(of)...)
			}
			t := d.pairTable("The largest differences", shown, l.same)
			for i := range t.Rows { // the rows of the models have the anchors
				t.Rows[i].ID = ""
			}
			return t
		}))
	var folded []page.Block
	for _, m := range l.models {
		folded = append(folded, d.pairsOf(l, m)...)
	}
	if l.left > 0 {
		folded = append(folded, page.Text("The pages of ").Link(metric.Plural(l.left, "other model"),
			d.Place.To(page.PathModels, "")).Text(" have theirs.").Block())
	}
	d.section("pairs", "Pairs by model", folded...)
}

// pairsOf are the matrix and the pairs of a model, and how many more it has. It has no block where all that it has stands
// open already.
func (d *draft) pairsOf(l *pairList, m *figure.Model) (blocks []page.Block) {
	x := l.matrices[m]
	if l.fold && m == l.widest {
		x = nil // it stands open
	}
	shown, rest := l.shown(m)
	if x == nil && len(shown) == 0 {
		return nil
	}
	name, caption := "pairs-"+m.Slug, "Comparisons of "+m.Name
	if l.fold {
		of := metric.Plural(len(shown), "comparison")
		if x != nil {
			of = metric.Plural(len(x.runs), "result") + " against each other"
			if len(shown) > 0 {
				of += ", " + metric.Plural(len(shown), "other comparison")
			}
		}
		blocks = []page.Block{{Details: &page.Details{ID: "m-" + m.Slug, Summary: m.Name + ": " + of,
			Fragment: d.fragment(name, func(mk *page.Markup) {
				if x != nil {
					x.write(mk, d, l.same)
				}
				if len(shown) > 0 {
					d.pairTable(caption, shown, l.same).Write(mk)
				}
			})}}}
	} else {
		if x != nil {
			blocks = d.matrixBlocks(x, l.same)
		}
		if len(shown) > 0 {
			blocks = append(blocks, d.pairBlocks(name, caption, shown, l.same)...)
		}
	}
	if rest > 0 {
		blocks = append(blocks, page.Linked(metric.Plural(rest,
			"more comparison")+" of "+m.Name, d.Place.To(page.PathModel(m.Slug), "pairs")).Block())
	}
	return blocks
}
