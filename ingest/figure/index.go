package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Index is a catalog with its names resolved, seen by run, card, model, hardware and engine.
type Index struct {
	// Runs are ordered newest first, runs without a date last; equal dates by id.
	Runs     []*Run
	Cards    []*Card     // by model name, then hardware name
	Models   []*Model    // by name
	Hardware []*Hardware // by accelerator name
	Engines  []*Engine   // by name
	Names    *settings.Names
}

// Run is a run with its names resolved and its points sorted into scenarios.
type Run struct {
	*catalog.Run
	Model    settings.Model
	Hardware settings.Hardware
	Engine   settings.Engine
	// Series is the label that tells the run apart on a chart: what a sidecar says, else the
	// engine's version, else the date, else the id. Named says that a sidecar gave it.
	Series string
	Named  bool
	// Baseline marks the series that others are compared with.
	Baseline bool
	// Scenarios in the order of their first points.
	Scenarios []*Scenario
	// Findings are those of the catalog and those that need names: what a memory cannot hold.
	Findings []catalog.Finding
	Card     *Card

	names *settings.Names
}

// Card is everything known of one model on one hardware.
type Card struct {
	Slug     string // "codellama-7b-instruct-hf-on-a100-80gb"
	Model    settings.Model
	Hardware settings.Hardware
	// Runs are ordered by engine version, the newest first, then by date; withdrawn runs last.
	Runs []*Run

	of *Model
}

// Title is the card's name: "CodeLlama 7B Instruct on A100 80GB".
func (c *Card) Title() string {
	if c.Hardware.Accelerator.Slug == settings.NotRecorded {
		return c.Model.Name + ", hardware not recorded"
	}
	return c.Model.Name + " on " + c.Hardware.Name
}

// Newest returns the run that a card is headed by: see [Representative]. It is a withdrawn one
// where the card has no other.
func (c *Card) Newest() *Run { return Representative(c.Runs) }

// representativeDays is how long before the newest run of a version a fuller one still stands
// for it.
const representativeDays = 30

// Representative chooses the run that stands for some runs of one card, given in the order of
// Card.Runs: of those of the newest engine version that began at most 30 days before its newest,
// the one with most points, of equals the newest. So a single point measured again does not
// replace a whole sweep of the same version. A run without a date competes with such runs alone.
// Withdrawn runs stand for nothing while there is another.
func Representative(runs []*Run) *Run {
	best := runs[0]
	newest, dated := day(best.Started)
	for _, r := range runs[1:] {
		if (r.Withdrawn != "") != (best.Withdrawn != "") || r.Engine.Slug != best.Engine.Slug || settings.CompareVersions(r.Engine.Version, best.Engine.Version) != 0 {
			continue
		}
		d, ok := day(r.Started)
		if ok != dated || dated && newest.Sub(d) > representativeDays*24*time.Hour {
			continue
		}
		if len(r.Points) > len(best.Points) {
			best = r
		}
	}
	return best
}

// day reads the date at the beginning of a time as runs have it.
func day(started string) (time.Time, bool) {
	t, err := time.Parse("2006-01-02", started[:min(10, len(started))])
	return t, err == nil
}

// Model is one model with its cards.
type Model struct {
	settings.Model
	Cards []*Card
}

// Runs are the runs of all cards of the model.
func (m *Model) Runs() []*Run { return runsOf(m.Cards) }

// Hardware is one accelerator with its cards, whatever their counts.
type Hardware struct {
	Accelerator settings.Accelerator
	Slug        string
	Cards       []*Card
}

// Runs are the runs of all cards of the hardware.
func (h *Hardware) Runs() []*Run { return runsOf(h.Cards) }

// Engine is one engine with its runs by version, the newest first.
type Engine struct {
	Name, Slug string
	Runs       []*Run
}

func runsOf(cards []*Card) []*Run {
	var rs []*Run
	for _, c := range cards {
		rs = append(rs, c.Runs...)
	}
	return rs
}

// NewIndex resolves the names of all runs of a catalog and sorts them.
func NewIndex(c *catalog.Catalog, n *settings.Names) *Index {
	ix := &Index{Names: n}
	cards := map[string]*Card{}
	models := map[string]*Model{}
	hardware := map[string]*Hardware{}
	engines := map[string]*Engine{}
	for _, cr := range c.Runs {
		r := newRun(cr, n)
		ix.Runs = append(ix.Runs, r)
		slug := r.Model.Slug + "-on-" + r.Hardware.Slug
		card := cards[slug]
		if card == nil {
			card = &Card{Slug: slug, Model: r.Model, Hardware: r.Hardware}
			cards[slug] = card
			ix.Cards = append(ix.Cards, card)
			m := models[r.Model.Slug]
			if m == nil {
				m = &Model{Model: r.Model}
				models[r.Model.Slug] = m
				ix.Models = append(ix.Models, m)
			}
			m.Cards = append(m.Cards, card)
			card.of = m
			a := r.Hardware.Accelerator
			h := hardware[a.Slug]
			if h == nil {
				h = &Hardware{Accelerator: a, Slug: a.Slug}
				hardware[a.Slug] = h
				ix.Hardware = append(ix.Hardware, h)
			}
			h.Cards = append(h.Cards, card)
		}
		r.Card = card
		card.Runs = append(card.Runs, r)
		if r.Engine.Name != "" {
			e := engines[r.Engine.Slug]
			if e == nil {
				e = &Engine{Name: r.Engine.Name, Slug: r.Engine.Slug}
				engines[r.Engine.Slug] = e
				ix.Engines = append(ix.Engines, e)
			}
			e.Runs = append(e.Runs, r)
		}
	}
	slices.SortStableFunc(ix.Runs, NewestFirst)
	byTitle := func(a, b *Card) int {
		return cmp.Or(cmp.Compare(a.Model.Name, b.Model.Name), cmp.Compare(a.Hardware.Name, b.Hardware.Name), cmp.Compare(a.Slug, b.Slug))
	}
	slices.SortFunc(ix.Cards, byTitle)
	for _, c := range ix.Cards {
		slices.SortStableFunc(c.Runs, func(a, b *Run) int {
			if aw, bw := a.Withdrawn != "", b.Withdrawn != ""; aw != bw {
				if aw {
					return 1
				}
				return -1
			}
			if a.Engine.Slug == b.Engine.Slug {
				if d := settings.CompareVersions(b.Engine.Version, a.Engine.Version); d != 0 {
					return d
				}
			}
			return NewestFirst(a, b)
		})
	}
	for _, c := range ix.Cards {
		c.tellApart()
	}
	for _, m := range ix.Models {
		slices.SortFunc(m.Cards, byTitle)
	}
	for _, h := range ix.Hardware {
		slices.SortFunc(h.Cards, byTitle)
	}
	slices.SortFunc(ix.Models, func(a, b *Model) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug)) })
	slices.SortFunc(ix.Hardware, func(a, b *Hardware) int {
		return cmp.Or(cmp.Compare(a.Accelerator.Name, b.Accelerator.Name), cmp.Compare(a.Slug, b.Slug))
	})
	for _, e := range ix.Engines {
		slices.SortStableFunc(e.Runs, func(a, b *Run) int {
			return cmp.Or(settings.CompareVersions(b.Engine.Version, a.Engine.Version), NewestFirst(a, b))
		})
	}
	slices.SortFunc(ix.Engines, func(a, b *Engine) int { return cmp.Compare(a.Slug, b.Slug) })
	return ix
}

func newRun(cr *catalog.Run, n *settings.Names) *Run {
	count, _ := strconv.Atoi(cr.Attr("count"))
	r := &Run{Run: cr, Engine: n.Engine(cr.Attr("engine"), cr.Attr("engine_version")), names: n}
	written := cr.Attr("model")
	if written == "" {
		written = cr.Identity.Model
	}
	r.Model = n.Model(written)
	r.Hardware = n.Hardware(cr.Attr("hardware"), count)
	if cr.Attributes["hardware"].From == catalog.FromOverride && cr.Attributes["count"].From != catalog.FromOverride {
		// "4x L40S" in an override replaces the recorded count as well; "L40S" says nothing of it.
		if h := n.Hardware(cr.Attr("hardware"), 0); !h.CountAssumed {
			r.Hardware = h
		}
	}
	switch s := cr.Attr("series"); {
	case s != "":
		r.Series, r.Named = s, true
	case r.Engine.Version != "":
		r.Series = r.Engine.Name + " " + r.Engine.Version
	case cr.Started != "":
		r.Series = cr.Started[:min(10, len(cr.Started))]
	default:
		r.Series = cr.ID
	}
	b := cr.Attr("baseline")
	r.Baseline = b == "true" || b != "" && b == r.Series
	r.Scenarios = scenarios(cr)
	r.Findings = append(slices.Clone(cr.Findings), memoryFindings(r)...)
	for i, f := range r.Findings {
		r.Findings[i].Accepted = f.Accepted || slices.Contains(cr.Accept, f.Code)
	}
	return r
}

// NewestFirst orders runs by date, runs without one last, equal ones by id.
func NewestFirst(a, b *Run) int {
	if (a.Started == "") != (b.Started == "") {
		if a.Started == "" {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Started, a.Started), cmp.Compare(a.ID, b.ID))
}

// tellApart gives runs of a card that would carry one label a longer one: engine and date, then
// the time, then the id. A label that a sidecar gave stays.
func (c *Card) tellApart() {
	longer := []func(*Run) string{
		func(r *Run) string {
			if r.Engine.Version == "" {
				return strings.Replace(r.Started[:min(16, len(r.Started))], "T", " ", 1)
			}
			return strings.TrimSpace(r.Series + ", " + r.Started[:min(10, len(r.Started))])
		},
		func(r *Run) string { return strings.TrimSpace(r.Series + " " + r.ID[:min(4, len(r.ID))]) },
	}
	for _, f := range longer {
		count := map[string]int{}
		for _, r := range c.Runs {
			count[r.Series]++
		}
		for _, r := range c.Runs {
			if count[r.Series] > 1 && !r.Named {
				if s := f(r); s != "" {
					r.Series = s
				}
			}
		}
	}
}

// Compares returns the runs of a card that share a class of workload with other runs of the
// card, class by class: what one chart can hold. Each list is in the order of time.
func (c *Card) Compares() [][]*Run {
	byClass := map[string][]*Run{}
	var order []string
	for _, r := range c.Runs {
		if r.Withdrawn != "" {
			continue
		}
		for _, s := range r.Scenarios {
			rs := byClass[s.Class]
			if len(rs) == 0 {
				order = append(order, s.Class)
			}
			if len(rs) == 0 || rs[len(rs)-1] != r {
				byClass[s.Class] = append(rs, r)
			}
		}
	}
	var out [][]*Run
	for _, class := range order {
		if rs := byClass[class]; len(rs) > 1 {
			rs = slices.Clone(rs)
			slices.SortStableFunc(rs, func(a, b *Run) int { return NewestFirst(b, a) })
			if !slices.ContainsFunc(out, func(o []*Run) bool { return slices.Equal(o, rs) }) {
				out = append(out, rs)
			}
		}
	}
	return out
}

// OfModel are the cards of the card's model, itself among them; none of a card outside of an [Index].
func (c *Card) OfModel() []*Card {
	if c.of == nil {
		return nil
	}
	return c.of.Cards
}
