package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/aclements/go-moremath/stats"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// changeAbove is the relative change above which two results with too few measurements for an
// interval are marked as a change.
const changeAbove = 0.05

// ChangeKind says what is known of the step from one run of a history to the next.
type ChangeKind int

// The kinds. NoChange is the zero value.
const (
	NoChange     ChangeKind = iota
	SingleChange            // more than 5 % apart, with fewer than six measurements on a side
	ClearChange             // the 95 % intervals of the medians do not overlap
)

// HistoryPoint is one run of a history.
type HistoryPoint struct {
	Run      *figure.Run
	Scenario *figure.Scenario
	// Points are those at the history's load, Summary what they say of the metric.
	Points  []*catalog.Point
	Summary figure.Summary
	// Change is the step from the point before; Relative is (this − before) / before, nil for
	// the first and where the one before is 0.
	Change   ChangeKind
	Relative catalog.Number
	// Better is 1 where the step is for the better, −1 for the worse, 0 for neither.
	Better int
}

// History is a statistic of a metric under one workload and load over the runs given, in the
// order of time: by engine version where all runs have versions of one engine, equal versions by
// date, else by date. Withdrawn runs, and runs without the figure, are left out. The runs should
// be of one card.
//
// A step is a change where the order-statistics intervals at 95 % of the two medians do not
// overlap. Where a side has fewer than six measurements there are none: then a step of more than
// 5 % has a hollow mark, which is no claim.
func History(runs []*figure.Run, class string, load float64, m metric.ID, stat string) []HistoryPoint {
	var out []HistoryPoint
	for _, r := range runs {
		s := r.Scenario(class)
		if s == nil || r.Withdrawn != "" {
			continue
		}
		ps := s.AllAt(load)
		if sum := figure.Summarize(figure.Samples(ps, m, stat)); sum.N > 0 {
			out = append(out, HistoryPoint{Run: r, Scenario: s, Points: ps, Summary: sum})
		}
	}
	found := make([]*figure.Run, len(out))
	for i, p := range out {
		found[i] = p.Run
	}
	order := inTime(found)
	slices.SortStableFunc(out, func(a, b HistoryPoint) int { return order(a.Run, b.Run) })
	for i := 1; i < len(out); i++ {
		a, b := out[i-1].Summary, &out[i]
		d := out[i-1].To(*b, m, stat)
		b.Relative = d.Change
		switch {
		case d.Certainty == Distinguishable:
			b.Change = ClearChange
		case d.Certainty == NoClaim && a.Median != 0 && d.Settled():
			b.Change = SingleChange
		}
		if b.Change != NoChange {
			b.Better = int(d.Winner)
		}
	}
	return out
}

// A history of fewer runs says nothing of levels, nor does a level of fewer: two runs that lie close together by
// chance would look like one.
const (
	fewestOfHistory = 8
	fewestOfLevel   = 4
)

// LevelChange is a place at which a history changes its level.
type LevelChange struct {
	// At is the first result of the new level, which After results are of; Before are those of the level before it.
	At, Before, After int
	// Relative is (mean after − mean before) / mean before.
	Relative float64
	// Better is 1 where the change is for the better, −1 for the worse, 0 for neither.
	Better int
}

// Levels are the places at which a history changes its level, by its change points: see [ChangePoints]. There is none
// in a history of fewer than eight runs, nor one between levels of fewer than four.
func Levels(line []HistoryPoint, m metric.ID) (changes []LevelChange) {
	if len(line) < fewestOfHistory {
		return nil
	}
	series := make([]float64, len(line))
	for i, p := range line {
		series[i] = p.Summary.Median
	}
	points := slices.Concat([]int{0}, ChangePoints(series), []int{len(series)})
	info, _ := metric.Lookup(m)
	for i := 1; i+1 < len(points); i++ {
		before, after := series[points[i-1]:points[i]], series[points[i]:points[i+1]]
		a, b := stats.Mean(before), stats.Mean(after)
		if min(len(before), len(after)) < fewestOfLevel || a == 0 || a == b {
			continue
		}
		c := LevelChange{At: points[i], Before: len(before), After: len(after), Relative: metric.Round12((b - a) / a)}
		if c.Better = int(info.Better); b < a {
			c.Better = -c.Better
		}
		changes = append(changes, c)
	}
	return changes
}

// To compares a point of a history with the one behind it.
func (p HistoryPoint) To(next HistoryPoint, m metric.ID, stat string) Difference {
	d, _ := Differ(m, stat, figure.Samples(p.Points, m, stat), figure.Samples(next.Points, m, stat))
	return d
}

// inTime is the order of a history: by engine version where all runs have versions of one engine,
// equal versions by date, else by date.
func inTime(runs []*figure.Run) func(a, b *figure.Run) int {
	byVersion := !slices.ContainsFunc(runs, func(r *figure.Run) bool {
		return r.Engine.Version == "" || r.Engine.Slug != runs[0].Engine.Slug
	})
	return func(a, b *figure.Run) int {
		if byVersion {
			if d := settings.CompareVersions(a.Engine.Version, b.Engine.Version); d != 0 {
				return d
			}
		}
		return cmp.Or(cmp.Compare(a.Started, b.Started), cmp.Compare(a.ID, b.ID))
	}
}

// Track is what one line of a history joins: the runs of one card with one engine under one name
// of a series. Runs of two named series are two things that were measured, not one over time.
type Track struct {
	Card *figure.Card
	// Engine has no version.
	Engine settings.Engine
	// Series is the name that a sidecar gave without the engine and its version, which a history is
	// over: "fp8" of "vLLM 0.8.2, fp8". Empty where nothing is left.
	Series string
	// Runs are in the order of time: see [History]. None is withdrawn.
	Runs []*figure.Run
}

// line is the name of a run's line: see [Track].Series.
func line(r *figure.Run) string {
	if !r.Named {
		return ""
	}
	name := r.Series
	if v := r.Engine.Version; v != "" {
		for _, v := range []string{"v" + v, v} {
			name = strings.TrimPrefix(strings.TrimSuffix(name, "-"+v), v+"-")
		}
	}
	words := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" ,;/()", c) })
	words = slices.DeleteFunc(words, func(w string) bool {
		return strings.EqualFold(w, r.Engine.Name) ||
			r.Engine.Version != "" && strings.TrimPrefix(w, "v") == r.Engine.Version
	})
	return strings.Join(words, " ")
}

// Tracks are the lines of a card's history, those with the most runs first. What is not recorded
// joins nothing: runs of an unknown engine are in none, and of unknown hardware or model no two are
// of one card.
func Tracks(c *figure.Card) []Track {
	var ts []Track
	type named struct{ engine, series string }
	numbers := map[named]int{}
	for _, r := range c.Runs {
		if r.Withdrawn != "" || r.Engine.Name == "" {
			continue
		}
		key := named{r.Engine.Slug, line(r)}
		i, known := numbers[key]
		if !known {
			i = len(ts)
			numbers[key] = i
			e := r.Engine
			e.Version = ""
			ts = append(ts, Track{Card: c, Engine: e, Series: key.series})
		}
		ts[i].Runs = append(ts[i].Runs, r)
	}
	for i := range ts {
		ts[i].Runs = ordered(ts[i].Runs)
		slices.SortStableFunc(ts[i].Runs, inTime(ts[i].Runs))
	}
	ts = slices.DeleteFunc(ts, func(t Track) bool { return len(t.Runs) == 0 })
	slices.SortStableFunc(ts, func(a, b Track) int {
		return cmp.Or(cmp.Compare(len(b.Runs), len(a.Runs)), cmp.Compare(a.Engine.Slug, b.Engine.Slug),
			cmp.Compare(a.Series, b.Series))
	})
	return ts
}

// ordered are the runs whose place in time is known: the one run of its version, or one with a date where all
// runs of its version have one. Of several runs of a version without a date, nobody knows which was first.
func ordered(runs []*figure.Run) []*figure.Run {
	all, undated := map[string]int{}, map[string]int{}
	for _, r := range runs {
		all[r.Engine.Version]++
		if r.Started == "" {
			undated[r.Engine.Version]++
		}
	}
	return slices.DeleteFunc(slices.Clone(runs), func(r *figure.Run) bool {
		v := r.Engine.Version
		return undated[v] > 0 && (all[v] > 1 || v == "")
	})
}

// HistoryOf chooses what some histories show: the workload and the load that most runs were
// measured at, counted where at least two of one track were; of equals the workload with the most
// points, then the largest finite load. ok is false where no two runs of a track share a load.
func HistoryOf(tracks []Track) (class string, load float64, ok bool) {
	type use struct{ runs, points int }
	type place struct {
		class string
		load  float64
	}
	at := map[place]use{}
	for _, t := range tracks {
		own := map[place]use{}
		for _, r := range t.Runs {
			seen := map[place]bool{}
			for _, s := range r.Scenarios {
				for _, l := range s.Loads() {
					p := place{s.Class, l}
					u := own[p]
					if !seen[p] {
						u.runs++
					}
					seen[p] = true
					u.points += len(s.Points)
					own[p] = u
				}
			}
		}
		for p, u := range own {
			if u.runs > 1 {
				sum := at[p]
				at[p] = use{sum.runs + u.runs, sum.points + u.points}
			}
		}
	}
	var best place
	var most use
	for p, u := range at {
		d := cmp.Or(cmp.Compare(u.runs, most.runs), cmp.Compare(u.points, most.points),
			compareLoads(p.load, best.load), cmp.Compare(best.class, p.class))
		if most.runs == 0 || d > 0 {
			best, most = p, u
		}
	}
	return best.class, best.load, most.runs > 1
}

// HistoryStat is the statistic of a metric that most of the runs recorded at a load of a workload:
// the value, else of equals the median, the mean. A line of medians and means would show changes
// that are none. It is empty where none has one.
func HistoryStat(runs []*figure.Run, class string, load float64, m metric.ID) string {
	best, most := "", 0
	for _, stat := range []string{metric.Value, metric.Median, metric.Mean} {
		n := 0
		for _, r := range runs {
			if s := r.Scenario(class); s != nil && len(figure.Samples(s.AllAt(load), m, stat)) > 0 {
				n++
			}
		}
		if n > most {
			best, most = stat, n
		}
	}
	return best
}

// compareLoads puts an infinite load below all others: "all at once" says little of a service.
func compareLoads(a, b float64) int {
	if math.IsInf(a, 1) != math.IsInf(b, 1) {
		if math.IsInf(a, 1) {
			return -1
		}
		return 1
	}
	return cmp.Compare(a, b)
}

// madeOf are the parts of a system that change with the engine's version.
var madeOf = []string{"engine_version", "engine_commit", "image", "wrapper"}

// incidental are words in the names of parameters that say nothing of how fast a server is.
var incidental = []string{"seed", "port", "host", "name", "path", "dir", "log"}

// Besides are what differs between two runs beside the engine's version and what comes with it: parts of the
// system, arguments, environment. While there is any, a difference of the results is not the version's alone.
func (a *Arguments) Besides(x, y *figure.Run) (rows []ParameterRow) {
	for _, r := range a.Diff(x, y).Differs {
		defaults := !slices.ContainsFunc(r.Cells, func(c ParameterCell) bool { return !c.Default })
		of := r.Kind == KindArgument || r.Kind == KindEnvironment || r.Kind == KindWrapper
		named := slices.ContainsFunc(incidental,
			func(w string) bool { return strings.Contains(strings.ToLower(r.Name), w) })
		if r.Kind == KindSystem && !slices.Contains(madeOf, r.Name) || of && !defaults && !named {
			rows = append(rows, r)
		}
	}
	return rows
}
