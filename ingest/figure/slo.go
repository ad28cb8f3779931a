package figure

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Limit is the most that a statistic of a latency may be. The zero Limit limits nothing.
type Limit struct {
	// Stat is the statistic: "p99", "p95", "median", "mean".
	Stat string
	// Max is in seconds; 0 is no limit.
	Max float64
}

// Limits are what a service promises.
type Limits struct {
	TTFT, TPOT Limit
	// ErrorRate is the highest share of requests that may fail; nil is no limit.
	ErrorRate catalog.Number
}

// limited are the latencies that limits are of.
var limited = metric.Shown(metric.Limits)

// Of is the limit of a latency, one that [metric.Limits] has; the zero Limit limits nothing.
func (l Limits) Of(m metric.ID) Limit {
	switch m {
	case metric.TTFT:
		return l.TTFT
	case metric.TPOT:
		return l.TPOT
	}
	return Limit{}
}

// Words writes limits for readers: "TTFT p99 ≤ 2 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %".
func (l Limits) Words() string { return HeldWords(l.Held()) }

// Verdict says whether a point keeps limits.
type Verdict int

// The verdicts. NotMeasured is the zero value: what was not measured did not pass.
const (
	NotMeasured Verdict = iota
	Fails
	Passes
)

// SLORow is one result of a card in a ranking by limits.
type SLORow struct {
	Card *Card
	// Run is the one that speaks for the card, Scenario its workload; nil where the class was
	// not measured.
	Run      *Run
	Scenario *Scenario
	Verdict  Verdict
	// Outside says that the card was measured in another division of a benchmark than the one that is ranked alone.
	Outside bool
	// Held are the limits as the scenario was held against them; nil where the class was not measured.
	Held []Held
	// Why says, where nothing passes, what is not measured, or where every load is known to fail,
	// what is broken at the smallest.
	Why string
	// Point is the one with the highest output throughput of the loads that keep the limits, of equal ones the one
	// with the smallest load, and the one with the highest load where no throughput is known; of repetitions all keep
	// them. Beyond the peak more load yields less, so the highest load is not what a ranking is of.
	Point *catalog.Point
	Load  float64 // +Inf for all requests at once
	// UpTo is the highest load that keeps the limits: Load, or one that yields no more.
	UpTo float64
	// Highest says that Load is the highest load measured: a higher one may yield more.
	Highest bool
	// Throughput is the output throughput there in tok/s, PerAccelerator the same for one
	// accelerator; nil where not known.
	Throughput, PerAccelerator catalog.Number
	// Costs are those at the point, the cheapest of each currency first.
	Costs []Cost
}

// Nearest reports whether the row was held against the nearest statistic where that of a limit is not recorded.
func (row *SLORow) Nearest() bool {
	return slices.ContainsFunc(row.Held, func(h Held) bool { return h.For != Statistic{} })
}

// last orders those of which something holds behind those of which it does not.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// RankSLO ranks the cards of a model by the highest output throughput per accelerator of the loads whose percentiles and
// error rate keep the limits, so that weaker limits never yield less. Of each card's results under the newest versions
// ([Current]) that measured the class the best speaks for it, so that its throughput is never below that of another
// result on the same page. Rows that pass come first: those that record what the limits are of, those held against the
// nearest, those of which it is not known what an accelerator yields. Then come those that fail, then what cannot be judged,
// each in the order of card slugs where nothing else decides. Only loads that were measured are looked at: nothing is
// interpolated.
func (ix *Index) RankSLO(m *Model, class string, l Limits) []SLORow {
	spoken := map[*Card]bool{}
	return slices.DeleteFunc(ix.HoldSLO(m, class, l), func(row SLORow) bool {
		was := spoken[row.Card]
		spoken[row.Card] = true
		return was
	})
}

// HoldSLO is as [Index.RankSLO], with a row for each result that can speak for a card: none of another division of a
// benchmark than the one that is ranked ([RankedDivision]) can, and none whose numbers are all forbidden.
func (ix *Index) HoldSLO(m *Model, class string, l Limits) []SLORow {
	var rows []SLORow
	var all []*Run
	measured := make([][]*Run, len(m.Cards))
	forbidden := make([]bool, len(m.Cards))
	for i, c := range m.Cards {
		measured[i] = slices.DeleteFunc(Active(c.Runs), func(r *Run) bool {
			has := r.Scenario(class) != nil
			forbidden[i] = forbidden[i] || has && r.Forbidden != ""
			return !has || r.Forbidden != ""
		})
		all = append(all, measured[i]...)
	}
	division := RankedDivision(all)
	for i, c := range m.Cards {
		runs := Current(slices.DeleteFunc(slices.Clone(measured[i]), func(r *Run) bool { return r.Outside(division) }))
		switch {
		case len(runs) > 0:
		case len(measured[i]) > 0:
			rows = append(rows, SLORow{Card: c, Outside: true, Why: "no result is of the " + division + " division, the only one that is judged"})
		case forbidden[i]:
			rows = append(rows, SLORow{Card: c, Why: "its result is not to be believed"})
		default:
			rows = append(rows, SLORow{Card: c, Why: "this workload was not measured on it"})
		}
		for _, r := range runs {
			row := SLORow{Card: c, Run: r, Scenario: r.Scenario(class)}
			row.hold(ix, l)
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b SLORow) int {
		return cmp.Or(cmp.Compare(b.Verdict, a.Verdict),
			last(a.PerAccelerator == nil, b.PerAccelerator == nil), last(a.Nearest(), b.Nearest()),
			cmp.Compare(value(b.PerAccelerator), value(a.PerAccelerator)),
			cmp.Compare(value(b.Throughput), value(a.Throughput)), cmp.Compare(b.Load, a.Load),
			cmp.Compare(a.Card.Slug, b.Card.Slug))
	})
	return rows
}

func value(n catalog.Number) float64 {
	if n == nil {
		return -1
	}
	return *n
}

// hold finds the load of the row's scenario that yields most of those that keep the limits.
func (row *SLORow) hold(ix *Index, l Limits) {
	row.Why, row.Held = "", l.Nearest(row.Scenario)
	loads := row.Scenario.Loads()
	var broken, unclear *reason
	most := math.Inf(-1)
	for _, load := range loads {
		worst, why := row.verdict(load)
		switch {
		case worst == Passes:
			row.Verdict, row.UpTo = Passes, load
			p := row.Scenario.At(load)
			v, known := Throughput(p)
			if known && v > most || !known && math.IsInf(most, -1) {
				row.Point, row.Load, row.Highest = p, load, load == loads[len(loads)-1]
				if known {
					most = v
				}
			}
		case worst == NotMeasured && unclear == nil:
			unclear = why
		case worst == Fails && broken == nil:
			broken = why
		}
	}
	if row.Point == nil {
		// A load that might keep the limits, had all been recorded, is no load that fails.
		row.Verdict, row.Why = Fails, broken.String()
		if unclear != nil {
			row.Verdict, row.Why = NotMeasured, unclear.String()
		}
		return
	}
	if v, ok := Throughput(row.Point); ok {
		row.Throughput = &v
	}
	if v, ok := row.Run.PerAccelerator(row.Point); ok {
		row.PerAccelerator = &v
	}
	row.Costs = ix.Costs(row.Run, row.Point)
}

// verdict holds what was measured at a load against the limits; why is as [check] has it.
func (row *SLORow) verdict(load float64) (worst Verdict, why *reason) {
	worst = Passes
	for _, p := range row.Scenario.AllAt(load) {
		if v, w := check(row.Held, p); worse(v, worst) {
			worst, why = v, w
		}
	}
	return worst, why
}

// worse says that a measurement decides over others of the same load: one repetition that fails is a load that fails; one
// without the statistic says nothing.
func worse(v, than Verdict) bool {
	return v == Fails && than != Fails || v == NotMeasured && than == Passes
}

// LoadHeld is what became of limits at one load.
type LoadHeld struct {
	Load    float64
	Verdict Verdict
	// Each are the verdicts of the limits one by one, parallel to the Held of the row.
	Each []Verdict
	// Why says what is broken first, or what is not recorded; "" where all are kept.
	Why string
}

// Loads are the loads of the row's scenario from the smallest to the highest, each held against the limits; nil where the
// class was not measured.
func (row *SLORow) Loads() (out []LoadHeld) {
	if row.Scenario == nil {
		return nil
	}
	for _, load := range row.Scenario.Loads() {
		verdict, why := row.verdict(load)
		l := LoadHeld{Load: load, Verdict: verdict, Why: why.String()}
		for _, h := range row.Held {
			worst := Passes
			for _, p := range row.Scenario.AllAt(load) {
				if v := h.verdict(p); worse(v, worst) {
					worst = v
				}
			}
			l.Each = append(l.Each, worst)
		}
		out = append(out, l)
	}
	return out
}

// SLOPreset is a use with limits that many would set for it.
type SLOPreset struct {
	ID, Name string
	// Why says in a sentence where the limits come from.
	Why    string
	Limits Limits
	// MinInput to MaxOutput bound the lengths in tokens of the workloads that stand for the use; 0
	// is no bound.
	MinInput, MaxInput, MinOutput, MaxOutput float64
}

// SLOPresets are the uses with a page of their own.
var SLOPresets = []SLOPreset{
	{ID: "chat", Name: "Chat", Why: "An answer begins within two seconds and is written faster than people read: " +
		"20 tokens a second.",
		Limits:   Limits{TTFT: Limit{metric.P99, 2}, TPOT: Limit{metric.P99, 0.05}, ErrorRate: share(0.01)},
		MinInput: 128, MaxInput: 8192, MinOutput: 64, MaxOutput: 4096},
	{ID: "code-completion", Name: "Code completion",
		Why: "A suggestion of a line must be there before the next key is pressed: it begins within half a second " +
			"and comes at 50 tokens a second.",
		Limits:   Limits{TTFT: Limit{metric.P99, 0.5}, TPOT: Limit{metric.P99, 0.02}, ErrorRate: share(0.01)},
		MinInput: 512, MaxInput: 16384, MinOutput: 1, MaxOutput: 512},
	{ID: "batch", Name: "Batch", Why: "Nobody waits for the single answer: only throughput and failures count.",
		Limits: Limits{ErrorRate: share(0.01)}},
}

func share(v float64) catalog.Number { return &v }

// Fits reports whether a workload's lengths are those of the use. A length that is not recorded
// fits no bound.
func (p SLOPreset) Fits(s *Scenario) bool {
	in, out, _ := s.Lengths()
	within := func(v, lo, hi float64) bool { return (lo == 0 && hi == 0) || v > 0 && v >= lo && (hi == 0 || v <= hi) }
	return within(in, p.MinInput, p.MaxInput) && within(out, p.MinOutput, p.MaxOutput)
}

// ClassFor is the class of a model that stands for a use: of those that fit the one that most
// cards measured; ok is false where none fits.
func (m *Model) ClassFor(p SLOPreset) (ClassUse, bool) {
	for _, u := range m.Classes() {
		if p.Fits(u.Scenario) {
			return u, true
		}
	}
	return ClassUse{}, false
}
