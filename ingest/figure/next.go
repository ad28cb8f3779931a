package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// NextState says why a cell of model, use and hardware should be measured.
type NextState string

// The states of a cell.
const (
	NextUnmeasured NextState = "not measured" // the workload of the use was not measured there
	NextUnrecorded NextState = "not recorded" // it was, without what the limits are of
	NextBeyond     NextState = "load beyond"  // it kept the limits at its largest load, others were loaded more
	NextStale      NextState = "stale"        // its newest run is older than the catalog allows
)

// Next is a cell whose result could change what is answered for a model and a use.
type Next struct {
	Use   SLOPreset
	Model *Model
	// Hardware is that of the cell, Card the model's on it; nil where there is none.
	Hardware settings.Hardware
	Card     *Card
	State    NextState
	// Answer is the row that answers now; nil where none keeps the limits.
	Answer *SLORow
	// Ahead is at how many of Of other workloads that this hardware and that of the answer both measured, of this and
	// of other models, one accelerator of this hardware has the higher peak of output throughput.
	Ahead, Of int
	// Like is the run that measured the workload, Scenario what of it is to be measured here: with State NextBeyond only
	// larger loads than the cell's.
	Like     *Run
	Scenario *Scenario
}

// NextRule is the order of [Index.Next] in words.
const NextRule = "First what is ahead of today's answer at more than half of the other workloads measured on both, " +
	"then where nothing keeps the limits yet, then answers that are stale, then hardware that shares no workload with " +
	"the answer, and last what is ahead at half or fewer; of equals models on more hardware first. Hardware that cannot " +
	"hold the model is left out."

// tier is the place of a cell in the order of NextRule.
func (n Next) tier() int {
	switch {
	case n.Answer == nil:
		return 1
	case n.Answer.Card == n.Card:
		return 2
	case n.Of == 0:
		return 3
	case 2*n.Ahead > n.Of:
		return 0
	}
	return 4
}

// Lacks says in words what the cell has of the workload: "not measured with 1 024 → 128".
func (n Next) Lacks() string {
	switch n.State {
	case NextUnrecorded:
		return "measured with " + n.Scenario.Title + ", but not what the limits are of"
	case NextBeyond:
		return "within the limits at its largest load with " + n.Scenario.Title
	}
	return string(n.State) + " with " + n.Scenario.Title
}

// Why says in a sentence what makes the cell worth measuring.
func (n Next) Why() string {
	if n.Answer == nil {
		return "No hardware is measured to keep the limits: " + n.Use.Limits.Words() + "."
	}
	name := n.Answer.Card.Hardware.Name
	switch n.tier() {
	case 2:
		return "It is today's answer. " + n.Card.Stale.Text()
	case 3:
		return "No other workload was measured both on it and on " + name + ", today's answer."
	}
	return fmt.Sprintf("At %d of %s measured both on it and on %s, today's answer, one accelerator of it has the higher peak.",
		n.Ahead, metric.Plural(n.Of, "other workload"), name)
}

// Next are the cells whose result could change an answer, in the order of [NextRule]: for each model and use with a
// workload that fits, each hardware of the catalog that may hold the model and that was not measured, or not far enough,
// or too long ago by [Index.Freshen]. Nothing is estimated: what counts is what was measured elsewhere.
func (ix *Index) Next() []Next {
	var hardware []settings.Hardware
	seen := map[string]bool{}
	for _, c := range ix.Cards {
		if !seen[c.Hardware.Slug] {
			seen[c.Hardware.Slug] = true
			hardware = append(hardware, c.Hardware)
		}
	}
	p := peaks{of: map[*Model]map[string]map[string]float64{}, known: map[[2]string][2]int{}, ix: ix}
	for _, m := range ix.Models {
		p.of[m] = m.peaks()
	}
	var out []Next
	for _, m := range ix.Models {
		for _, use := range SLOPresets {
			if class, ok := m.ClassFor(use); ok {
				out = append(out, p.cells(m, use, class, hardware)...)
			}
		}
	}
	share := func(n Next) float64 { return float64(n.Ahead) / math.Max(1, float64(n.Of)) }
	slices.SortStableFunc(out, func(a, b Next) int {
		return cmp.Or(cmp.Compare(a.tier(), b.tier()), cmp.Compare(share(b), share(a)), cmp.Compare(b.Of, a.Of),
			cmp.Compare(len(b.Model.Cards), len(a.Model.Cards)), cmp.Compare(a.Model.Slug, b.Model.Slug), cmp.Compare(a.Hardware.Slug, b.Hardware.Slug))
	})
	return out
}

// cells are those of a model and a use.
func (p *peaks) cells(m *Model, use SLOPreset, class ClassUse, hardware []settings.Hardware) (out []Next) {
	rows := p.ix.RankSLO(m, class.Class, use.Limits)
	on := map[string]*SLORow{}
	var answer, like *SLORow
	for i := range rows {
		row := &rows[i]
		on[row.Card.Hardware.Slug] = row
		if answer == nil && row.Verdict == Passes && row.PerAccelerator != nil {
			answer = row
		}
		if like == nil && row.Run != nil {
			like = row
		}
	}
	if like == nil { // what was measured is not to be believed
		return nil
	}
	if answer != nil {
		like = answer
	}
	for _, h := range hardware {
		if fits, known := Fits(m.Model, h); known && !fits {
			continue
		}
		n := Next{Use: use, Model: m, Hardware: h, Answer: answer, Like: like.Run, Scenario: like.Scenario}
		row := on[h.Slug]
		if row != nil {
			n.Card = row.Card
		}
		switch {
		case row != nil && row.Outside:
			continue
		case row == nil || row.Scenario == nil:
			n.State = NextUnmeasured
		case row.Verdict == NotMeasured:
			n.State = NextUnrecorded
		case row.Card.Stale != nil:
			n.State = NextStale
		case row != answer && row.Verdict == Passes && row.Highest && n.beyond(rows, row.Load):
			n.State = NextBeyond
		default:
			continue
		}
		if answer != nil && row != answer {
			n.Ahead, n.Of = p.elsewhere(m, class.Class, h.Slug, answer.Card.Hardware.Slug)
		}
		out = append(out, n)
	}
	return out
}

// beyond sets what is to be measured to larger loads than one, if another row of the model was measured there.
func (n *Next) beyond(rows []SLORow, load float64) bool {
	for _, row := range rows {
		if row.Scenario == nil || row.Scenario.Axis != n.Scenario.Axis {
			continue
		}
		larger := *row.Scenario
		larger.Points = slices.DeleteFunc(slices.Clone(larger.Points), func(p *catalog.Point) bool { return LoadOf(p) <= load })
		if len(larger.Points) > 0 {
			n.Like, n.Scenario = row.Run, &larger
			return true
		}
	}
	return false
}

// peaks are the highest output throughputs of one accelerator, by model, hardware and class of workload, and how two
// hardwares stand to each other by them.
type peaks struct {
	ix    *Index
	of    map[*Model]map[string]map[string]float64
	known map[[2]string][2]int
}

// peaks are those of a model, each of the newest run that measured the class on a card.
func (m *Model) peaks() map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, c := range m.Cards {
		by := map[string]float64{}
		for _, r := range c.Runs {
			for _, s := range r.Scenarios {
				p, _, ok := s.Peak(metric.OutputThroughput)
				if _, has := by[s.Class]; !ok || has || r.Withdrawn != "" {
					continue
				}
				if v, ok := r.PerAccelerator(p); ok {
					by[s.Class] = v
				}
			}
		}
		out[c.Hardware.Slug] = by
	}
	return out
}

// elsewhere is at how many of the workloads measured on two hardwares the first is ahead, but for one workload of a
// model.
func (p *peaks) elsewhere(m *Model, class, h, answer string) (ahead, of int) {
	all, ok := p.known[[2]string{h, answer}]
	if !ok {
		for _, m := range p.ix.Models {
			for class := range p.of[m][h] {
				all = p.met(all, m, class, h, answer, 1)
			}
		}
		p.known[[2]string{h, answer}] = all
	}
	all = p.met(all, m, class, h, answer, -1)
	return all[0], all[1]
}

// met adds to a count how two hardwares stand to each other with one workload of a model, by times.
func (p *peaks) met(count [2]int, m *Model, class, h, answer string, by int) [2]int {
	a, measured := p.of[m][h][class]
	b, both := p.of[m][answer][class]
	if measured && both {
		count[1] += by
		if a > b {
			count[0] += by
		}
	}
	return count
}

// Named reports whether a word names the model: its id, its name or the end of its page's address.
func (m *Model) Named(word string) bool {
	return strings.EqualFold(word, m.ID) || strings.EqualFold(word, m.Name) || strings.EqualFold(word, m.Slug)
}
