package view

import (
	"slices"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// ranked is the cards of a model in the order of what they serve within the limits of a use.
type ranked struct {
	model *figure.Model
	// title names the workload; "" where the model was measured under none that fits the use.
	title string
	// besideTitle ends the title where other workloads have the same: how loads are meant, the tool.
	besideTitle string
	rows        []figure.SLORow
	// passes, fails and untried count the rows by their verdicts.
	passes, fails, untried int
	// strips is what the strips of all rows share, once one was made.
	strips struct {
		sync.Once
		loads []float64
		lanes []int
	}
}

// workload names that of the best row: runs of one class may differ by a few tokens, and each is called by its own.
func (r *ranked) workload() string { return r.rows[0].Scenario.Title + r.besideTitle }

// asBest reports whether a row was held against the same statistics as the best one.
func (r *ranked) asBest(row figure.SLORow) bool {
	return figure.HeldWords(row.Held) == figure.HeldWords(r.rows[0].Held)
}

// leading are the rows that keep the limits as the best one does: of the same statistics.
func (r *ranked) leading() []figure.SLORow {
	return slices.DeleteFunc(slices.Clone(r.rows[:r.passes]),
		func(row figure.SLORow) bool { return !r.asBest(row) })
}

// entry is a row with its rank, 0 for one that does not keep the limits or of which it is not known what an accelerator
// yields: these stand behind the others.
func (r *ranked) entry(i int) sloEntry {
	e := sloEntry{of: r, row: r.rows[i]}
	if e.row.PerAccelerator != nil {
		e.rank = i + 1
	}
	return e
}

// entries are the first rows with a verdict, at most so many.
func (r *ranked) entries(v figure.Verdict, most int) (list []sloEntry) {
	for i, row := range r.rows {
		if row.Verdict == v && len(list) < most {
			list = append(list, r.entry(i))
		}
	}
	return list
}

// sloEntry is a row of a ranking of one or several models.
type sloEntry struct {
	of   *ranked
	row  figure.SLORow
	rank int
}

// limited is the first number of a row at a load that a limit is set on; where it is known of some repetitions
// alone, the throughput there.
func limited(row figure.SLORow, load float64) claim.Operand {
	for _, h := range row.Held {
		if o := claim.Statistic(row.Run, row.Scenario, load, h.Metric, h.Stat); h.Metric != metric.SuccessRate &&
			o.Value != 0 {
			return o
		}
	}
	p := row.Scenario.At(load)
	if o, ok := figure.Success(p); ok {
		return claim.Operand{Run: row.Run, Scenario: row.Scenario, Point: p, Metric: metric.SuccessRate,
			Stat:  metric.Value,
			Value: o.Ratio()}
	}
	return claim.Central(row.Run, row.Scenario, load, metric.OutputThroughput)
}

// uses are the rankings of a catalog, by the id of a use and the slug of a model: several pages ask
// for each.
type uses struct {
	ix     *figure.Index
	ranked sync.Map // of func() *ranked
}

func newUses(ix *figure.Index) *uses { return &uses{ix: ix} }

// ranking ranks the cards of a model for a use, once.
func (u *uses) ranking(p figure.SLOPreset, m *figure.Model) *ranked {
	f, _ := u.ranked.LoadOrStore([2]string{p.ID, m.Slug}, sync.OnceValue(func() *ranked { return u.rank(p, m) }))
	return f.(func() *ranked)()
}

func (u *uses) rank(p figure.SLOPreset, m *figure.Model) *ranked {
	r := &ranked{model: m}
	if c, ok := m.ClassFor(p); ok {
		r.title, r.rows = ClassNames(m)[c.Class], u.ix.RankSLO(m, c.Class, p.Limits)
		r.besideTitle = strings.TrimPrefix(r.title, c.Scenario.Title)
	}
	for _, row := range r.rows {
		switch row.Verdict {
		case figure.Passes:
			r.passes++
		case figure.Fails:
			r.fails++
		default:
			r.untried++
		}
	}
	return r
}

// ClassNames names the workload classes of a model: by their titles, and where two have the same,
// also by the kind of load and the measuring tool.
func ClassNames(m *figure.Model) map[string]string {
	names, tools := map[string]string{}, map[string]string{}
	for _, r := range m.Runs() {
		for _, s := range r.Scenarios {
			if tools[s.Class] == "" {
				tools[s.Class] = r.Tool.Name
			}
		}
	}
	classes := m.Classes()
	for _, add := range []func(figure.ClassUse) string{
		func(u figure.ClassUse) string { return u.Scenario.Title },
		func(u figure.ClassUse) string { return ", by " + kindOf(u.Scenario.Axis).noun },
		func(u figure.ClassUse) string { return ", " + tools[u.Class] },
	} {
		n := map[string]int{}
		for _, u := range classes {
			n[names[u.Class]]++
		}
		for _, u := range classes {
			if n[names[u.Class]] > 1 || names[u.Class] == "" {
				names[u.Class] += add(u)
			}
		}
	}
	return names
}

// of are the rankings of all models that have a workload that fits a use.
func (u *uses) of(p figure.SLOPreset) []*ranked {
	var out []*ranked
	for _, m := range u.ix.Models {
		if r := u.ranking(p, m); len(r.rows) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// presets are the uses that a workload of the catalog stands for.
func (u *uses) presets() []figure.SLOPreset {
	return slices.DeleteFunc(slices.Clone(figure.SLOPresets),
		func(p figure.SLOPreset) bool { return len(u.of(p)) == 0 })
}
