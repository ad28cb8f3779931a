package compare

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// ReplicationLimit is the largest [Replication.Gap] that counts as reproduced.
const ReplicationLimit = 0.05

// Replication is how a run of other people stands to a run: same model, hardware, engine version, workload, and no
// launch argument or part of the system known to differ.
type Replication struct {
	Run *figure.Run
	// Match is the workload and Load the load of all they share at which the output throughput of the two lies
	// farthest apart, Difference what it is there: A is of the run that is replicated.
	Match
	Load       float64
	Difference Difference
	// Gap is how much less the smaller of the two is, as a share of the larger: from 0 to 1.
	Gap float64
}

// Reproduced reports whether the two are nowhere farther apart than [ReplicationLimit].
func (r Replication) Reproduced() bool { return r.Gap <= ReplicationLimit }

// Authors are who made the files of a run, as SOURCE.toml above them says: sorted keys, in which neither case nor
// punctuation counts. Nobody is an author who is not named: "unknown" names nobody.
func Authors(r *figure.Run) []string {
	found := map[string]bool{}
	for _, s := range r.Sources {
		for _, name := range betweenAuthors.Split(s.Author, -1) {
			key := strings.Map(func(c rune) rune {
				if unicode.IsLetter(c) || unicode.IsDigit(c) {
					return unicode.ToLower(c)
				}
				return -1
			}, name)
			if key != "" && !settings.Placeholder(name) && !nobody.MatchString(name) {
				found[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// betweenAuthors parts several in one text. A comma inside of a name parts too much: then two of equal given names
// count as one, which claims less.
var betweenAuthors = regexp.MustCompile(`(?i)[,;&+/\n]|\b(?:and|et al)\b`)

// nobody is what stands in the place of a name.
var nobody = regexp.MustCompile(`(?i)redacted|anonym|^\W*(?:various|several|others?|the authors?|me|us|inc|ltd|llc|gmbh)\W*$`)

// Replications are the runs of other people that replicate a run, those farthest from it first. Of each author the
// newest run counts, so nobody counts twice, and an author of the run itself not at all. A run without an author
// replicates nothing; nor does one with the same numbers to the last digit, which is a copy. Nil known knows what
// the runs state and no defaults.
func Replications(r *figure.Run, known *Arguments) []Replication {
	names := authors{}
	taken := names.of(r)
	if len(taken) == 0 || !r.Listed() || r.Card == nil || r.Withdrawn != "" || r.Engine.Version == "" {
		return nil
	}
	var out []Replication
	// Those of its own authors go before the others are sorted: on a card that is measured every night they are all.
	others := slices.DeleteFunc(sameVersion(r), func(o *figure.Run) bool { return names.unlike(o, taken) == nil })
	slices.SortFunc(others, figure.NewestFirst)
	for _, o := range others {
		by := names.unlike(o, taken)
		if by == nil {
			continue
		}
		p, ok := replication(r, o, known)
		if !ok || copied(r, o) || known.isCopy(o) {
			continue
		}
		taken, out = append(taken, by...), append(out, p)
	}
	slices.SortFunc(out, func(a, b Replication) int {
		return cmp.Or(cmp.Compare(b.Gap, a.Gap), cmp.Compare(a.Run.ID, b.Run.ID))
	})
	return out
}

// authors are those of runs by what their sources say of them: of a card that is measured every night all say the same.
type authors map[string][]string

func (a authors) of(r *figure.Run) []string {
	said := ""
	for i, s := range r.Sources {
		if i == 0 || s.Author != r.Sources[i-1].Author {
			said += s.Author + "\n"
		}
	}
	found, known := a[said]
	if !known {
		found = Authors(r)
		a[said] = found
	}
	return found
}

// unlike are the authors of a run where there are any and none is among some others, else nil.
func (a authors) unlike(r *figure.Run, others []string) []string {
	by := a.of(r)
	if len(by) == 0 || slices.ContainsFunc(by, func(a string) bool { return slices.Contains(others, a) }) {
		return nil
	}
	return by
}

// sameVersion are the other runs of the card that have the version of the engine that a run has. They stand beside it.
func sameVersion(r *figure.Run) []*figure.Run {
	same := func(o *figure.Run) bool {
		return o.Withdrawn == "" && o.Engine.Slug == r.Engine.Slug && o.Engine.Version != "" &&
			settings.CompareVersions(o.Engine.Version, r.Engine.Version) == 0
	}
	runs := r.Card.Runs
	i := slices.Index(runs, r)
	if i < 0 {
		return nil
	}
	from, to := i, i+1
	for from > 0 && same(runs[from-1]) {
		from--
	}
	for to < len(runs) && same(runs[to]) {
		to++
	}
	return slices.Concat(runs[from:i], runs[i+1:to])
}

// isCopy reports whether a run has the numbers of an older run of its card: it is asked for each run beside it.
func (a *Arguments) isCopy(o *figure.Run) bool {
	if a != nil {
		if is, known := a.copies.Load(o); known {
			return is.(bool)
		}
	}
	is := slices.ContainsFunc(o.Card.Runs, func(q *figure.Run) bool {
		return q != o && figure.NewestFirst(q, o) > 0 && copied(q, o)
	})
	if a != nil {
		a.copies.Store(o, is)
	}
	return is
}

// copied reports whether two runs have the same numbers to the last digit wherever they meet: nobody measures that.
func copied(a, b *figure.Run) (same bool) {
	for _, e := range Equals(a, b) {
		for _, load := range SharedLoads(e[0], e[1]) {
			for i, p := range e[0].MeasuredAt(load) {
				q := e[1].MeasuredAt(load)
				if i >= len(q) || !reflect.DeepEqual(p.Metrics, q[i].Metrics) {
					return false
				}
				same = true
			}
		}
	}
	return same
}

// replication holds two runs of one card and version against each other; ok is false where they share no load with
// output throughput, or something else is known to differ.
func replication(r, o *figure.Run, known *Arguments) (p Replication, ok bool) {
	for _, m := range Matches(r, o) {
		for _, load := range SharedLoads(m.A, m.B) {
			sample := func(s *figure.Scenario) []float64 {
				return figure.Samples(s.AllAt(load), metric.OutputThroughput, "central")
			}
			d, has := Differ(metric.OutputThroughput, "central", sample(m.A), sample(m.B))
			if !has || d.A.Median <= 0 || d.B.Median <= 0 {
				continue
			}
			gap := metric.Round12(1 - math.Min(d.A.Median, d.B.Median)/math.Max(d.A.Median, d.B.Median))
			if !ok || gap > p.Gap {
				p, ok = Replication{Run: o, Match: m, Load: load, Difference: d, Gap: gap}, true
			}
		}
	}
	if !ok {
		return p, false
	}
	if known == nil {
		known = NewArguments(nil, []*figure.Run{r, o})
	}
	if slices.ContainsFunc(known.Besides(r, o), tellsApart) {
		return p, false
	}
	if caution := unknownArguments(known.Diff(r, o), r, o); caution != "" {
		p.Cautions, p.Amber = slices.Insert(slices.Clone(p.Cautions), 0, caution), true
	}
	return p, true
}

// tellsApart reports whether a row of what differs makes another thing of what is measured. Other people have
// another machine: its driver, kernel and host are not what is replicated.
func tellsApart(row ParameterRow) bool {
	return row.Kind != KindSystem ||
		slices.Contains([]string{"wrapper", "precision", "tokenizer", "topology", "gpu_memory", "power_limit"}, row.Name)
}

// unknownArguments says in a clause that the launch arguments are not known to be the same; empty where they are.
func unknownArguments(d ParameterDiff, r, o *figure.Run) string {
	unclear := func(row ParameterRow) bool { return row.Kind == KindArgument || row.Kind == KindWrapper }
	switch {
	case len(r.Parameters) == 0 && len(o.Parameters) == 0:
		return "the launch arguments are recorded on neither side"
	case slices.ContainsFunc(d.Unclear, unclear):
		return "not every launch argument is known on both sides"
	}
	return ""
}
