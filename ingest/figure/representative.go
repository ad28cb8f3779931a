package figure

import (
	"slices"
	"time"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Head is the run that a card is headed by: see [Head].
func (c *Card) Head() *Run { return Head(c.Runs) }

// Head is the run that stands for some runs of one card, whatever their workloads: of [Current] ones the one with the
// highest peak of output throughput. So it is the [Best] of the workload of its own peak. Where none has one, it is the
// first of the [Configurations] of the fullest, and the fullest where there are none. It is a withdrawn one where there
// is no other.
func Head(runs []*Run) *Run {
	if len(runs) == 1 { // as of most cards
		return runs[0]
	}
	current := Current(runs)
	best, top := highest(current, func(r *Run) (top float64) {
		for _, s := range r.Scenarios {
			top = max(top, peakOutput(s))
		}
		return top
	})
	if top > 0 || !best.Phased() || best.Withdrawn != "" {
		return best
	}
	cs, ok := rank(slices.DeleteFunc(current, func(r *Run) bool {
		return !r.Phased() || r.Demo != best.Demo || r.Engine != best.Engine || r.Identity.Tool != best.Identity.Tool
	}))
	if !ok {
		return best
	}
	return cs.Ranked[0].Run
}

// Current are the runs of the newest version of each engine, in their order; a version that is not recorded is one
// of its own where there is no other. Runs for show are none of them while there is another, and so are withdrawn ones
// and those of which nothing can be believed. Of runs that repeat each other ([Run.Repeats]) one stands: the highest of
// them is no result of its own.
func Current(runs []*Run) (out []*Run) {
	if len(runs) < 2 {
		return slices.Clone(runs)
	}
	for _, worse := range []func(*Run) bool{
		func(r *Run) bool { return r.Withdrawn != "" },
		func(r *Run) bool { return r.Forbidden != "" },
		func(r *Run) bool { return r.Demo },
	} {
		if rest := slices.DeleteFunc(slices.Clone(runs), worse); len(rest) > 0 {
			runs = rest
		}
	}
	newest := map[string]string{}
	for _, r := range runs {
		v, ok := newest[r.Engine.Slug]
		if !ok || settings.CompareVersions(r.Engine.Version, v) > 0 {
			newest[r.Engine.Slug] = r.Engine.Version
		}
	}
	for _, r := range runs {
		if settings.CompareVersions(r.Engine.Version, newest[r.Engine.Slug]) == 0 {
			out = append(out, r)
		}
	}
	return standing(out)
}

// Best is the run that stands for some runs of one card under a class of workload, wherever a page shows what hardware
// gives at its best load: of [Current] ones the one with the highest peak of output throughput, else the one that
// prefills or decodes fastest where the class times that alone, else the fullest. It is nil where no run has the class.
func Best(runs []*Run, class string) *Run {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return r.Scenario(class) == nil })
	if len(runs) == 0 {
		return nil
	}
	current := Current(runs)
	best, top := highest(current, func(r *Run) float64 { return peakOutput(r.Scenario(class)) })
	if top > 0 {
		return best
	}
	best, _ = highest(current, func(r *Run) float64 {
		s, m := r.Scenario(class), metric.TGSpeed
		if s.Phase == Prefill {
			m = metric.PPSpeed
		}
		if s.Phase == "" || r.Mixed() {
			return 0
		}
		_, v, _ := s.Peak(m)
		return v
	})
	return best
}

// Scenario returns the scenario of the class, or nil: of several, which differ in what no class tells apart, such as
// the number of requests, the one with the highest output throughput.
func (r *Run) Scenario(class string) (best *Scenario) {
	for _, s := range r.Scenarios {
		if s.Class == class && (best == nil || peakOutput(s) > peakOutput(best)) {
			best = s
		}
	}
	return best
}

// peakOutput is the highest output throughput of a workload, 0 where none was measured.
func peakOutput(s *Scenario) float64 {
	_, v, _ := s.Peak(metric.OutputThroughput)
	return v
}

// highest is the run with the most of something, and the fullest, with 0, where none has any.
func highest(runs []*Run, of func(*Run) float64) (best *Run, top float64) {
	best = Representative(runs)
	top = of(best)
	for _, r := range runs {
		if v := of(r); v > top {
			best, top = r, v
		}
	}
	return best, top
}

// standing leaves of runs that repeat each other the one that stands for them.
func standing(runs []*Run) []*Run {
	stands := map[*Run]bool{}
	for _, g := range together(runs) {
		stands[g[0]] = true
	}
	return slices.DeleteFunc(runs, func(r *Run) bool { return !stands[r] })
}

// together puts runs that repeat each other together, in the order of the first of each: the one that stands for
// them is put first.
func together(runs []*Run) (groups [][]*Run) {
	place := map[configuration]int{}
	for _, r := range runs {
		i, ok := place[r.configuration()]
		if !ok {
			i = len(groups)
			place[r.configuration()] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	for i, g := range groups {
		first := Representative(g)
		groups[i] = append([]*Run{first}, slices.DeleteFunc(g, func(r *Run) bool { return r == first })...)
	}
	return groups
}

// representativeDays is how long before the newest run of a version a fuller one still stands
// for it.
const representativeDays = 30

// Representative chooses the run that stands for some runs of one card, given in the order of
// Card.Runs: of those of the newest engine version that began at most 30 days before its newest,
// the one with most points, of equals the newest, and of equal series the one with the highest output. So a single point measured again does not
// replace a whole sweep of the same version. A run without a date competes with such runs alone.
// Of runs that time prefill and decode by themselves, one with the two tests that are quoted comes before others.
// Withdrawn runs, those of which nothing can be believed, those for show and those that are [Run.Mixed] stand for nothing while there is another.
func Representative(runs []*Run) *Run {
	best := runs[0]
	for _, good := range []func(*Run) bool{
		func(r *Run) bool { return r.Withdrawn == "" && r.Forbidden == "" && !r.Demo && !r.Mixed() },
		func(r *Run) bool { return r.Withdrawn == "" && r.Forbidden == "" && !r.Demo },
		func(r *Run) bool { return r.Withdrawn == "" && r.Forbidden == "" },
	} {
		if i := slices.IndexFunc(runs, good); i >= 0 {
			best = runs[i]
			break
		}
	}
	newest, dated := day(best.Started)
	for _, r := range runs[1:] {
		if (r.Withdrawn != "") != (best.Withdrawn != "") || (r.Forbidden != "") != (best.Forbidden != "") ||
			r.Demo != best.Demo || r.Mixed() && !best.Mixed() ||
			r.Engine.Slug != best.Engine.Slug ||
			settings.CompareVersions(r.Engine.Version, best.Engine.Version) != 0 {
			continue
		}
		d, ok := day(r.Started)
		if ok != dated || dated && newest.Sub(d) > representativeDays*24*time.Hour {
			continue
		}
		if r.Phased() && best.Phased() && r.quoted() != best.quoted() {
			if r.quoted() {
				best = r
			}
			continue
		}
		if len(r.Points) > len(best.Points) || len(r.Points) == len(best.Points) && r.outdoes(best) {
			best = r
		}
	}
	return best
}

// outdoes says that a run is of another series than one of the same card, and has a higher peak under a workload that
// both have.
func (r *Run) outdoes(o *Run) bool {
	if !r.Named || !o.Named || r.Series == o.Series {
		return false
	}
	for _, s := range r.Scenarios {
		other := o.Scenario(s.Class)
		if other == nil {
			continue
		}
		_, v, ok := s.Peak(metric.OutputThroughput)
		_, w, also := other.Peak(metric.OutputThroughput)
		return ok && also && v > w
	}
	return false
}

// day reads the date at the beginning of a time as runs have it.
func day(started string) (time.Time, bool) {
	t, err := time.Parse("2006-01-02", started[:min(10, len(started))])
	return t, err == nil
}
