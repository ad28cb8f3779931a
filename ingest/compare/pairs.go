package compare

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// MostPairs is how many pairs of a model there are at most, mostOfAll how many of all models: with
// more than 100 models each has its part of them, at least leastPairs.
const (
	MostPairs  = 30
	mostOfAll  = 3000
	leastPairs = 4
)

// pairsOfEach is how many pairs a model has at most in this catalog.
func pairsOfEach(ix *figure.Index) int {
	return min(MostPairs, max(leastPairs, mostOfAll/max(1, len(ix.Models))))
}

// PairKind is the question that a pair answers.
type PairKind string

// The kinds, in the order in which pairs are chosen, with how many of each a model has before
// what is left over is given to the kinds in this order.
const (
	PairHardware     PairKind = "hardware"     // one model on two hardware configurations
	PairVersion      PairKind = "version"      // two engine versions or series on one card
	PairQuantization PairKind = "quantization" // two checkpoints of one base on one hardware
	PairModel        PairKind = "model"        // two models of like size on one hardware
)

var pairQuota = []struct {
	kind PairKind
	n    int
}{{PairHardware, 12}, {PairVersion, 8}, {PairQuantization, 5}, {PairModel, 5}}

// Side is one side of a pair: a run that speaks for its card or for itself.
type Side struct {
	Card *figure.Card
	Run  *figure.Run
	// Slug is the card's, with the series behind it in pairs of one card.
	Slug string
	// Title is the card's, or for pairs of one card the series of the run.
	Title string
}

// Pair is two runs that a reader would ask to see side by side. A's slug sorts before B's.
type Pair struct {
	Kind PairKind
	A, B Side
	// Slug is "a-vs-b", Inverse "b-vs-a": its address redirects.
	Slug, Inverse string
	loads         int // how many they share
}

// sharedLoads is how many loads two runs share, over all workloads.
func sharedLoads(a, b *figure.Run) (n int) {
	for _, e := range Equals(a, b) {
		n += len(SharedLoads(e[0], e[1]))
	}
	return n
}

// Pairs are, for each model, the pairs that a reader of it would ask for, at most [MostPairs] and fewer where
// a catalog has more than a hundred models:
//
//   - the model on two hardware configurations: those of one number of accelerators first;
//   - on one card, each engine version or series with the one before it, then the newest with
//     the oldest;
//   - on one hardware, two checkpoints of which one is made from the other, or both from one;
//   - on one hardware, another model of at most twice or at least half the parameters.
//
// All of them share a workload with at least one load; more shared loads come first, then the
// order of slugs. For a pair of cards those runs speak that share the newest engine version, the best of it; where
// no version is shared, the newest of each that share a workload. A pair of two models belongs to
// the one whose slug sorts first. The pairs are in the order in which they were chosen.
func Pairs(ix *figure.Index) iter.Seq2[*figure.Model, []Pair] {
	return func(yield func(*figure.Model, []Pair) bool) {
		said := speakers{}
		for _, m := range ix.Models {
			if !yield(m, pairsOf(ix, m, said)) {
				return
			}
		}
	}
}

// pairsOf are the pairs of a model.
func pairsOf(ix *figure.Index, m *figure.Model, said speakers) []Pair {
	var chosen, rest []Pair
	most := pairsOfEach(ix)
	for _, q := range pairQuota {
		ps := candidates(ix, m, q.kind, said, most)
		n := min(max(1, q.n*most/MostPairs), len(ps))
		chosen, rest = append(chosen, ps[:n]...), append(rest, ps[n:]...)
	}
	chosen = append(chosen, rest[:min(len(rest), most-len(chosen))]...)
	return chosen
}

// A shortlist are the best pairs of a kind so far, the best first: no more than can be chosen, because two large models
// have thousands.
type shortlist struct {
	most int
	list []rankedPair
}

// rankedPair is a pair with what counts more than the loads it shares: the lowest is the best.
type rankedPair struct {
	Pair
	rank int
}

func (a rankedPair) compare(b rankedPair) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.loads, a.loads), cmp.Compare(a.Slug, b.Slug))
}

// hopeless reports of two cards, before their pair is made, that it is not among the best: it shares no more loads than
// either has, and its address begins with the one that sorts first.
func (l *shortlist) hopeless(a, b *figure.Card, said speakers, rank int) bool {
	if len(l.list) < l.most {
		return false
	}
	begin := min(a.Slug, b.Slug)
	least := rankedPair{Pair{Slug: begin[:min(len(begin), longestPair/2)], loads: min(said.of(a).loads, said.of(b).loads)}, rank}
	return least.compare(l.list[l.most-1]) > 0
}

// add adds a pair where it is among the best, and no other has its address.
func (l *shortlist) add(p Pair, ok bool, rank int) {
	r := rankedPair{p, rank}
	if !ok || slices.ContainsFunc(l.list, func(o rankedPair) bool { return o.Slug == p.Slug }) {
		return
	}
	at, _ := slices.BinarySearchFunc(l.list, r, rankedPair.compare)
	if at < l.most {
		l.list = slices.Insert(l.list, at, r)
		l.list = l.list[:min(len(l.list), l.most)]
	}
}

// candidates are the best pairs of a kind, at most so many, the best first.
func candidates(ix *figure.Index, m *figure.Model, kind PairKind, said speakers, most int) []Pair {
	best := shortlist{most: most}
	addCards := func(a, b *figure.Card, rank int) {
		if !best.hopeless(a, b, said, rank) {
			p, ok := pairOfCards(kind, a, b, said)
			best.add(p, ok, rank)
		}
	}
	switch kind {
	case PairHardware:
		for i, a := range m.Cards {
			for _, b := range m.Cards[i+1:] {
				rank := 0
				if a.Hardware.Count != b.Hardware.Count {
					rank = 1
				}
				addCards(a, b, rank)
			}
		}
	case PairVersion:
		for _, c := range m.Cards {
			runs := seriesOf(c)
			for i := 0; i+1 < len(runs); i++ {
				p, ok := pairOfRuns(c, runs[i], runs[i+1])
				best.add(p, ok, i)
			}
			if n := len(runs); n > 2 {
				p, ok := pairOfRuns(c, runs[0], runs[n-1])
				best.add(p, ok, 1)
			}
		}
	case PairQuantization, PairModel:
		for _, o := range ix.Models {
			if m.Slug >= o.Slug {
				continue
			}
			if family := sameFamily(m.Model, o.Model); family != (kind == PairQuantization) ||
				!family && !likeSize(m.Model, o.Model) {
				continue
			}
			for _, a := range m.Cards {
				for _, b := range o.Cards {
					if a.Hardware.Slug == b.Hardware.Slug {
						addCards(a, b, 0)
					}
				}
			}
		}
	}
	out := make([]Pair, 0, len(best.list))
	for _, r := range best.list {
		out = append(out, r.Pair)
	}
	return out
}

// sameFamily reports whether one model was made from the other, or both from one.
func sameFamily(a, b settings.Model) bool {
	return a.Base != "" && (a.Base == b.ID || a.Base == b.Base) || b.Base != "" && b.Base == a.ID
}

// likeSize reports whether two models differ by at most a factor of two in parameters.
func likeSize(a, b settings.Model) bool {
	if a.ParamsB == nil || b.ParamsB == nil {
		return false
	}
	ratio := *a.ParamsB / *b.ParamsB
	return math.Max(ratio, 1/ratio) <= 2
}

// Results are the results of a model that can be held against each other: of each card one for each engine version and
// named series. The newest of all cards come first, then those before them, so that the first few are the ones most
// asked for.
func Results(m *figure.Model) (out []Side) {
	for i, more := 0, true; more; i++ {
		more = false
		for _, c := range m.Cards {
			if runs := seriesOf(c); i < len(runs) {
				out, more = append(out, Side{Card: c, Run: runs[i], Slug: c.Slug, Title: c.Title()}), true
			}
		}
	}
	return out
}

// Between is the pair of two results of a model, whether or not [Pairs] chose it; ok is false where they share no load
// of a workload.
func Between(a, b Side) (p Pair, ok bool) {
	if a.Card == b.Card {
		return pairOfRuns(a.Card, a.Run, b.Run)
	}
	return pairOf(PairHardware, a, b)
}

// seriesOf are the runs of a card that stand for their engine version or named series: of equal
// engines, versions and names the best ([figure.Head]). The card's order is kept, the newest version first.
func seriesOf(c *figure.Card) []*figure.Run {
	runs := slices.DeleteFunc(figure.Active(c.Runs), func(r *figure.Run) bool { return len(r.Scenarios) == 0 })
	var out []*figure.Run
	for _, alike := range versions(runs, true) {
		out = append(out, figure.Head(alike))
	}
	return out
}

// speakers are the runs that speak for each card. A card is asked once, and stands in many pairs.
type speakers map[*figure.Card]speaking

// speaking are the runs of a card in the order in which they speak for it in a pair: the newest version first, and of
// a version the best ([figure.Head]). Loads is how many the run with the most has, over all workloads.
type speaking struct {
	runs  []*figure.Run
	loads int
}

func (s speakers) of(c *figure.Card) speaking {
	out, ok := s[c]
	if ok {
		return out
	}
	for _, alike := range versions(figure.Active(c.Runs), false) {
		best := figure.Head(alike)
		out.runs = append(append(out.runs, best), slices.DeleteFunc(alike, func(r *figure.Run) bool { return r == best })...)
	}
	for _, r := range out.runs {
		n := 0
		for _, sc := range r.Scenarios {
			n += len(sc.Loads())
		}
		out.loads = max(out.loads, n)
	}
	s[c] = out
	return out
}

// versions are runs by version of their engine, in their order; named series are apart where bySeries is set.
func versions(runs []*figure.Run, bySeries bool) (groups [][]*figure.Run) {
	type key struct{ engine, version, name string }
	at := map[key]int{}
	for _, r := range runs {
		k := key{engine: r.Engine.Slug, version: r.Engine.Version}
		if bySeries && r.Named {
			k.name = r.Series
		}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func pairOfRuns(c *figure.Card, a, b *figure.Run) (Pair, bool) {
	side := func(r, other *figure.Run) Side {
		s := record.Slug(r.Series)
		if s == "" || s == record.Slug(other.Series) {
			s = record.Slug(r.Series + " " + r.ID)
		}
		return Side{Card: c, Run: r, Slug: c.Slug + "-" + s, Title: r.Series}
	}
	return pairOf(PairVersion, side(a, b), side(b, a))
}

// pairOfCards chooses the runs that speak for two cards.
func pairOfCards(kind PairKind, a, b *figure.Card, said speakers) (best Pair, ok bool) {
	side := func(c *figure.Card, r *figure.Run) Side { return Side{Card: c, Run: r, Slug: c.Slug, Title: c.Title()} }
	speakA, speakB := said.of(a).runs, said.of(b).runs
	for _, sameEngine := range []bool{true, false} {
		for _, ra := range speakA {
			for _, rb := range speakB {
				if sameEngine && (ra.Engine.Version == "" || ra.Engine.Slug != rb.Engine.Slug ||
					settings.CompareVersions(ra.Engine.Version, rb.Engine.Version) != 0) {
					continue
				}
				if p, ok := pairOf(kind, side(a, ra), side(b, rb)); ok {
					return p, true
				}
			}
		}
	}
	return Pair{}, false
}

// pairOf is a pair in canonical order; ok is false where the two share no load of a workload.
func pairOf(kind PairKind, a, b Side) (Pair, bool) {
	if a.Slug > b.Slug {
		a, b = b, a
	}
	n := 0
	if a.Slug != b.Slug {
		n = sharedLoads(a.Run, b.Run)
	}
	if n == 0 {
		return Pair{}, false
	}
	return Pair{Kind: kind, A: a, B: b, Slug: pairSlug(a.Slug, b.Slug), Inverse: pairSlug(b.Slug, a.Slug), loads: n}, true
}

// longestPair bounds the address of a pair in bytes: file systems allow 255 in a name.
const longestPair = 200

func pairSlug(a, b string) string {
	slug := a + "-vs-" + b
	if len(slug) > longestPair || record.ReservedSlug(slug) {
		return record.DistinctSlug(slug[:min(len(slug), longestPair)], slug)
	}
	return slug
}
