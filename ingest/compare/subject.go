package compare

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/figure"
)

// SubjectKind says what the name of a side is of.
type SubjectKind string

// The kinds.
const (
	OfRun     SubjectKind = "run"
	OfCard    SubjectKind = "card"
	OfCatalog SubjectKind = "catalog"
	OfFiles   SubjectKind = "files"
	OfHistory SubjectKind = "history" // the last runs of cards: see [HistorySide]
)

// Subject is one side of a comparison with the runs it names.
type Subject struct {
	Name string      `json:"name"` // as the user wrote it
	Kind SubjectKind `json:"kind"`
	// Index has all runs of the side's catalog or files, Runs those to compare.
	Index *figure.Index `json:"-"`
	Runs  []Measured    `json:"-"`
	Notes []string      `json:"-"`
	// against has, in a side of historiesOf, the run that each of Runs is compared with.
	against []Measured
	// Unreadable are places of files that could not be read, with the reason.
	Unreadable []string `json:"unreadable,omitempty"`
}

// Measured is one run to compare, with the points of all that repeat it.
type Measured struct {
	*figure.Run
	Of []*figure.Run
	// Past are the runs that limits are held against in place of this one, which is the last of them, in the order
	// of time; nil where limits are held against this one.
	Past []*figure.Run
}

// NewMeasured pools runs that repeat each other.
func NewMeasured(of ...*figure.Run) Measured { return Measured{Run: pool(of), Of: of} }

// MarshalJSON writes which run it is.
func (m Measured) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Runs      []string `json:"runs"`
		Model     string   `json:"model"`
		Hardware  string   `json:"hardware"`
		Engine    string   `json:"engine,omitempty"`
		Series    string   `json:"series"`
		Started   string   `json:"started,omitempty"`
		Withdrawn string   `json:"withdrawn,omitempty"`
		Commit    string   `json:"commit,omitempty"`
		Past      []string `json:"past,omitempty"`
	}{ids(m.Of), m.Model.Name, m.Hardware.Name, m.EngineName(), m.Series, m.Started, m.Withdrawn, m.Commit(),
		ids(m.Past)})
}

func ids(runs []*figure.Run) []string {
	out := []string{}
	for _, r := range runs {
		out = append(out, r.ID)
	}
	return out
}

// Commit is the one that all runs behind the points measured; "" where they do not agree, or one does not say it.
func (m Measured) Commit() string {
	commit := m.Of[0].Commit()
	for _, r := range m.Of {
		if r.Commit() != commit {
			return ""
		}
	}
	return commit
}

// titles are those of runs, each once.
func titles(runs []Measured) (out []string) {
	for _, r := range runs {
		if t := r.title(); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// title is the card's, with the series that somebody gave.
func (m Measured) title() string {
	if m.Named {
		return m.Card.Title() + ", " + m.Series
	}
	return m.Card.Title()
}

// cards are the slugs of the cards of a side, in their order.
func (s *Subject) cards() (slugs []string) {
	for _, r := range s.Runs {
		if !slices.Contains(slugs, r.Card.Slug) {
			slugs = append(slugs, r.Card.Slug)
		}
	}
	return slugs
}

// one reports whether the side was named as one thing: nobody asked for the rest of its catalog.
func (s *Subject) one() bool { return s.Kind == OfRun || s.Kind == OfCard }

// whole reports whether the other side should have every card of this one: what is measured of a change need not
// be all that a catalog holds.
func (s *Subject) whole(other *Subject) bool {
	return !s.one() && !other.one() && (s.Kind == other.Kind || s.Kind == OfFiles)
}

// HistorySide is the side that the last runs of cards are, at most n of each: for each run of other those of its
// own card. See [Past].
func HistorySide(name string, ix *figure.Index, other *Subject, n int) *Subject {
	return historiesOf(name, ix, other, n, func(r Measured) *figure.Card {
		for _, c := range ix.Cards {
			if c.Slug == r.Card.Slug {
				return c
			}
		}
		return nil
	})
}

// HistoryOfCard is the side that the last runs of one card are, whatever card a run of other is on.
func HistoryOfCard(name string, ix *figure.Index, c *figure.Card, other *Subject, n int) *Subject {
	return historiesOf(name, ix, other, n, func(Measured) *figure.Card { return c })
}

// historiesOf has a run for each run of other that has a past with a workload in common: the last of its past.
func historiesOf(name string, ix *figure.Index, other *Subject, n int, card func(Measured) *figure.Card) *Subject {
	s := &Subject{Name: name, Kind: OfHistory, Index: ix}
	for _, r := range other.Runs {
		c := card(r)
		if c == nil {
			continue
		}
		past := Past(c, r.Run, n)
		for len(past) > 0 && len(Matches(past[len(past)-1], r.Run)) == 0 {
			past = past[:len(past)-1]
		}
		if len(past) > 0 {
			m := NewMeasured(past[len(past)-1])
			m.Past = past
			s.Runs, s.against = append(s.Runs, m), append(s.against, r)
		}
	}
	return s
}

// pairUp joins the runs of two sides by model and hardware, whatever they are where each side has
// one card alone, and within a card by the name of their series: what has none or finds none is
// the first of its card. only are what one side alone has.
func pairUp(a, b *Subject) (pairs [][2]Measured, onlyA, onlyB []Measured) {
	if a.Kind == OfHistory {
		for i, r := range a.Runs {
			pairs = append(pairs, [2]Measured{r, a.against[i]})
		}
		for _, r := range b.Runs {
			if !slices.ContainsFunc(a.against, func(o Measured) bool { return o.Run == r.Run }) {
				onlyB = append(onlyB, r)
			}
		}
		return pairs, nil, onlyB
	}
	ofA, ofB := partners(a, b)
	for i, ra := range a.Runs {
		if ofA[i] == 0 {
			onlyA = append(onlyA, ra)
			continue
		}
		pairs = append(pairs, [2]Measured{ra, b.bestFor(ra, b.Runs[ofA[i]-1])})
	}
	for j, rb := range b.Runs {
		if ofB[j] == 0 {
			onlyB = append(onlyB, rb)
		}
	}
	if a.one() {
		onlyB = nil
	}
	if b.one() {
		onlyA = nil
	}
	return pairs, onlyA, onlyB
}

// partners are, for each run of a side, 1 + the index of the run of the other side that it is joined with;
// 0 where there is none.
func partners(a, b *Subject) (ofA, ofB []int) {
	same := func(x, y Measured) bool { return x.Card.Slug == y.Card.Slug }
	if len(a.cards()) == 1 && len(b.cards()) == 1 {
		same = func(x, y Measured) bool { return true }
	}
	ofA, ofB = make([]int, len(a.Runs)), make([]int, len(b.Runs))
	join := func(i, j int) { ofA[i], ofB[j] = j+1, i+1 }
	for i, ra := range a.Runs {
		for j, rb := range b.Runs {
			if ofA[i] == 0 && ofB[j] == 0 && same(ra, rb) && ra.Named && rb.Named && ra.Series == rb.Series {
				join(i, j)
			}
		}
	}
	paired := func(of []int, s *Subject, r Measured) bool {
		for i, o := range of {
			if o > 0 && s.Runs[i].Card.Slug == r.Card.Slug {
				return true
			}
		}
		return false
	}
	for i, ra := range a.Runs {
		j := slices.IndexFunc(b.Runs, func(rb Measured) bool { return same(ra, rb) })
		if j >= 0 && !paired(ofA, a, ra) && !paired(ofB, b, b.Runs[j]) {
			join(i, j)
		}
	}
	return ofA, ofB
}

// bestFor is the run of a catalog that is held against r: the head of the card, or where that measured
// something else an older one that has the workload.
func (s *Subject) bestFor(r, head Measured) Measured {
	if s.Kind != OfCatalog || len(Matches(r.Run, head.Run)) > 0 {
		return head
	}
	for _, o := range head.Card.Runs {
		if o.Withdrawn == "" && len(Matches(r.Run, o)) > 0 {
			return NewMeasured(o)
		}
	}
	return head
}

func firstOf(ss []string, n int) []string {
	if len(ss) <= n {
		return ss
	}
	return append(slices.Clone(ss[:n]), fmt.Sprintf("%d more", len(ss)-n))
}
