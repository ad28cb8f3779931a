// Package change says what became of a catalog between two states of it: which runs came and went, which of their
// values differ, and which run heads a card now.
package change

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Kind is what happened, in one word.
type Kind string

// The kinds, those first that take something away.
const (
	Removed   Kind = "removed"
	Withdrawn Kind = "withdrawn"
	Restored  Kind = "restored" // it was withdrawn and is not any more
	Changed   Kind = "changed"
	Added     Kind = "added"
	Heads     Kind = "heads" // another run heads the card, or the run that heads it has other figures
)

var kinds = []Kind{Removed, Withdrawn, Restored, Changed, Added, Heads}

// Change is one thing that became different. Runs that are equal have none.
type Change struct {
	Kind Kind `json:"kind"`
	// Run is the id of the run, after the change where it still exists; Was is its id before, where that was another.
	Run string `json:"run"`
	Was string `json:"was,omitempty"`
	// Card is the name of the run's card, as in its address, Title what people read.
	Card  string `json:"card"`
	Title string `json:"title"`
	// Series is the label that tells the run apart on its card, Started its date; both may be empty.
	Series  string `json:"series,omitempty"`
	Started string `json:"started,omitempty"`
	// Reason is why a run was withdrawn.
	Reason string `json:"reason,omitempty"`
	// Points counts the measurements of a run before and after.
	Points [2]int `json:"points"`
	// Differs lists what differs, figures of a card or parts of a run. It is empty for a run that was removed.
	Differs []Difference `json:"differs,omitempty"`
}

// Difference is one thing before and after. An empty text means that it was or is not there.
type Difference struct {
	// What names it: a key of run.toml, a metric with its load, the code of a finding.
	What   string `json:"what"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Between lists what is different in after, in the order of [Kind], then of cards and ids. Count is the number of
// runs that are equal.
func Between(before, after *figure.Index) (changes []Change, equal int) {
	old := map[string]*figure.Run{}
	for _, r := range before.Runs {
		old[r.ID] = r
	}
	seen := map[string]bool{}
	for _, r := range after.Runs {
		was := old[r.ID]
		for _, id := range r.Formerly {
			if was == nil {
				was = old[id]
			}
		}
		if was != nil {
			seen[was.ID] = true
		}
		if c, ok := ofRun(was, r); ok {
			changes = append(changes, c)
		} else {
			equal++
		}
	}
	for _, r := range before.Runs {
		if !seen[r.ID] {
			c := about(Removed, r)
			c.Points = [2]int{len(r.Points), 0}
			changes = append(changes, c)
		}
	}
	changes = append(changes, heads(before, after)...)
	slices.SortStableFunc(changes, func(a, b Change) int {
		if d := slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind); d != 0 {
			return d
		}
		if d := strings.Compare(a.Card, b.Card); d != 0 {
			return d
		}
		return strings.Compare(a.Run, b.Run)
	})
	return changes, equal
}

// about names a run in a change.
func about(k Kind, r *figure.Run) Change {
	return Change{Kind: k, Run: r.ID, Card: r.Card.Slug, Title: r.Card.Title(), Series: r.Series, Started: r.Started}
}

// ofRun compares a run with what it was; was is nil for a new one.
func ofRun(was, r *figure.Run) (c Change, differs bool) {
	c = about(Changed, r)
	c.Points[1] = len(r.Points)
	if was == nil {
		c.Kind, c.Reason = Added, r.Withdrawn
		c.Differs = headlines(nil, r)
		return c, true
	}
	a, errA := catalog.Marshal(was.Run)
	b, errB := catalog.Marshal(r.Run)
	if errA == nil && errB == nil && bytes.Equal(a, b) {
		return c, false
	}
	c.Points[0] = len(was.Points)
	switch {
	case was.Withdrawn == "" && r.Withdrawn != "":
		c.Kind = Withdrawn
	case was.Withdrawn != "" && r.Withdrawn == "":
		c.Kind = Restored
	}
	c.Reason = r.Withdrawn
	if was.ID != r.ID {
		c.Was = was.ID
	}
	c.Differs = slices.Concat(headlines(was, r), facts(was, r), points(was, r), findings(was, r), parts(was, r))
	if len(c.Differs) == 0 {
		c.Differs = []Difference{remaining(was, r)}
	}
	return c, true
}

// headlines are the figures a run is known by where they differ. A withdrawn run has none.
func headlines(was, r *figure.Run) []Difference {
	text := func(r *figure.Run) (map[string]string, []string) {
		texts, order := map[string]string{}, []string(nil)
		if r == nil || r.Withdrawn != "" {
			return nil, nil
		}
		for _, h := range r.Headlines() {
			s := h.Published
			if v, unit := h.Text(); v != "" {
				s = v + " " + unit
			}
			if h.Detail != "" {
				s += " " + h.Detail
			}
			texts[h.Label], order = s, append(order, h.Label)
		}
		return texts, order
	}
	before, gone := text(was)
	now, order := text(r)
	for _, label := range gone {
		if _, ok := now[label]; !ok {
			order = append(order, label)
		}
	}
	var ds []Difference
	for _, label := range order {
		ds = differ(ds, label, before[label], now[label])
	}
	return ds
}

// differ adds a difference where there is one.
func differ(ds []Difference, what, before, after string) []Difference {
	if before == after {
		return ds
	}
	return append(ds, Difference{what, before, after})
}

// facts are the metadata and parameters that differ.
func facts(was, r *figure.Run) (ds []Difference) {
	for _, key := range union(was.Attributes, r.Attributes) {
		ds = differ(ds, key, was.Attr(key), r.Attr(key))
	}
	for _, set := range []struct {
		of     string
		before map[string]catalog.Parameter
		after  map[string]catalog.Parameter
	}{{"", was.Parameters, r.Parameters}, {"client: ", was.Client, r.Client}, {"environment: ", was.Env, r.Env}} {
		for _, key := range union(set.before, set.after) {
			ds = differ(ds, set.of+key, parameter(set.before, key), parameter(set.after, key))
		}
	}
	return ds
}

func parameter(set map[string]catalog.Parameter, key string) string {
	p, ok := set[key]
	switch {
	case !ok:
		return ""
	case p.Redacted:
		return "redacted"
	}
	return catalog.Plain(p.Value)
}

// points are the statistics that differ, of points with one workload, load and repetition.
func points(was, r *figure.Run) (ds []Difference) {
	a, b := was.Points, r.Points
	for len(a) > 0 || len(b) > 0 {
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = a[0].Compare(&b[0])
		}
		switch {
		case order < 0:
			ds = append(ds, Difference{"every value, " + place(was, &a[0]), measured(&a[0]), ""})
			a = a[1:]
		case order > 0:
			ds = append(ds, Difference{"every value, " + place(r, &b[0]), "", measured(&b[0])})
			b = b[1:]
		default:
			ds = append(ds, values(place(r, &b[0]), &a[0], &b[0])...)
			a, b = a[1:], b[1:]
		}
	}
	return ds
}

// measured says how much is known of a point.
func measured(p *catalog.Point) string { return metric.Plural(len(p.Metrics), "metric") }

// place says which point is meant.
func place(r *figure.Run, p *catalog.Point) string {
	words := []string{}
	if s := r.ScenarioOf(p); s != nil {
		words = append(words, s.Title)
	}
	if load := figure.LoadPhrase(p); load != "" {
		words = append(words, load)
	}
	if p.Repetition > 0 {
		words = append(words, "repetition "+metric.Count(p.Repetition))
	}
	if len(words) == 0 {
		return "one measurement"
	}
	return strings.Join(words, ", ")
}

// values are the statistics of one point that differ.
func values(where string, p, q *catalog.Point) (ds []Difference) {
	for _, m := range union(p.Metrics, q.Metrics) {
		info, known := metric.Lookup(m)
		if !known {
			info.Label = string(m)
		}
		before, now := map[string]*float64{}, map[string]*float64{}
		for _, s := range p.Metrics[m].All() {
			before[s.Name] = &s.Value
		}
		for _, s := range q.Metrics[m].All() {
			now[s.Name] = &s.Value
		}
		for _, stat := range union(before, now) {
			what := info.Label
			if stat != metric.Value {
				what += " " + stat
			}
			pair := []*float64{before[stat], now[stat]}
			scale := metric.ScaleFor(info.Unit, pair)
			texts := scale.Column(pair)
			for i, v := range pair {
				if v == nil {
					texts[i] = ""
				} else {
					texts[i] += " " + scale.Unit
				}
			}
			if texts[0] == texts[1] && *pair[0] != *pair[1] {
				texts[0], texts[1] = scale.Exact(*pair[0])+" "+scale.Unit, scale.Exact(*pair[1])+" "+scale.Unit
			}
			ds = differ(ds, what+", "+where, texts[0], texts[1])
		}
	}
	count := func(n *int64) string {
		if n == nil {
			return ""
		}
		return metric.Count(*n)
	}
	for _, n := range []struct {
		what          string
		before, after *int64
	}{{"submitted", p.Submitted, q.Submitted}, {"completed", p.Completed, q.Completed},
		{"without output", p.NoOutput, q.NoOutput}, {"failed", p.Failed, q.Failed}, {"timed out", p.TimedOut, q.TimedOut}} {
		ds = differ(ds, n.what+", "+where, count(n.before), count(n.after))
	}
	return append(ds, conditions(where, p, q)...)
}

// findings are those that came and went; an accepted one is another.
func findings(was, r *figure.Run) (ds []Difference) {
	texts := func(r *figure.Run) map[[2]string]bool {
		all := map[[2]string]bool{}
		for _, f := range r.Findings {
			code := "finding " + f.Code
			if f.Accepted {
				code += ", accepted"
			}
			all[[2]string{code, f.Message}] = true
		}
		return all
	}
	before, now := texts(was), texts(r)
	for _, f := range slices.SortedFunc(maps.Keys(before), order) {
		if !now[f] {
			ds = append(ds, Difference{f[0], f[1], ""})
		}
	}
	for _, f := range slices.SortedFunc(maps.Keys(now), order) {
		if !before[f] {
			ds = append(ds, Difference{f[0], "", f[1]})
		}
	}
	return ds
}

func order(a, b [2]string) int { return slices.Compare(a[:], b[:]) }

// heads are the cards that another run heads, or the same with other figures.
func heads(before, after *figure.Index) (cs []Change) {
	old := map[string]*figure.Run{}
	for _, c := range before.Cards {
		old[c.Slug] = c.Head()
	}
	for _, card := range after.Cards {
		r, was := card.Head(), old[card.Slug]
		if was == nil || was.ID == r.ID || slices.Contains(r.Formerly, was.ID) {
			continue
		}
		c := about(Heads, r)
		c.Was, c.Points = was.ID, [2]int{len(was.Points), len(r.Points)}
		c.Differs = headlines(was, r)
		cs = append(cs, c)
	}
	return cs
}

// union are the sorted keys of two maps.
func union[K ~string, V any](a, b map[K]V) []K {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}
