package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
}

// Card is everything known of one model on one hardware.
type Card struct {
	Slug     string // "codellama-7b-instruct-hf-on-a100-80gb"
	Model    settings.Model
	Hardware settings.Hardware
	// Runs are ordered by engine version, the newest first, then by date; withdrawn runs last.
	Runs []*Run
}

// Title is the card's name: "CodeLlama 7B Instruct on A100 80GB".
func (c *Card) Title() string { return c.Model.Name + " on " + c.Hardware.Name }

// Newest returns the newest run of the newest engine version.
func (c *Card) Newest() *Run { return c.Runs[0] }

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
	slices.SortStableFunc(ix.Runs, newestFirst)
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
				if d := CompareVersions(b.Engine.Version, a.Engine.Version); d != 0 {
					return d
				}
			}
			return newestFirst(a, b)
		})
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
			return cmp.Or(CompareVersions(b.Engine.Version, a.Engine.Version), newestFirst(a, b))
		})
	}
	slices.SortFunc(ix.Engines, func(a, b *Engine) int { return cmp.Compare(a.Slug, b.Slug) })
	return ix
}

func newRun(cr *catalog.Run, n *settings.Names) *Run {
	count, _ := strconv.Atoi(cr.Attr("count"))
	r := &Run{Run: cr, Engine: n.Engine(cr.Attr("engine"), cr.Attr("engine_version"))}
	written := cr.Attr("model")
	if written == "" {
		written = cr.Identity.Model
	}
	r.Model = n.Model(written)
	r.Hardware = n.Hardware(cr.Attr("hardware"), count)
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
	return r
}

// newestFirst orders runs by date, runs without one last, equal ones by id.
func newestFirst(a, b *Run) int {
	if (a.Started == "") != (b.Started == "") {
		if a.Started == "" {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Started, a.Started), cmp.Compare(a.ID, b.ID))
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
			slices.SortStableFunc(rs, func(a, b *Run) int { return newestFirst(b, a) })
			if !slices.ContainsFunc(out, func(o []*Run) bool { return slices.Equal(o, rs) }) {
				out = append(out, rs)
			}
		}
	}
	return out
}

// CompareVersions orders versions of an engine: numbers as numbers, "0.9" before "0.10",
// "0.6.1" before "0.6.1.post2", release candidates before their release, no version first.
func CompareVersions(a, b string) int {
	as, bs := versionParts(a), versionParts(b)
	for i := 0; i < len(as) || i < len(bs); i++ {
		var x, y versionPart
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if d := cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.n, y.n), cmp.Compare(x.s, y.s)); d != 0 {
			return d
		}
	}
	return 0
}

// versionPart ranks: pre-release words -1, the end of the version 0, other words 1, numbers 2.
type versionPart struct {
	rank, n int
	s       string
}

func versionParts(v string) []versionPart {
	v = strings.ToLower(strings.TrimPrefix(v, "v"))
	if i := strings.IndexByte(v, '+'); i >= 0 { // build metadata orders nothing
		v = v[:i]
	}
	var ps []versionPart
	for i := 0; i < len(v); {
		j := i
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			for j < len(v) && v[j] >= '0' && v[j] <= '9' {
				j++
			}
			n, _ := strconv.Atoi(v[i:min(j, i+9)])
			ps = append(ps, versionPart{rank: 2, n: n})
		case c >= 'a' && c <= 'z':
			for j < len(v) && v[j] >= 'a' && v[j] <= 'z' {
				j++
			}
			rank := 1
			switch v[i:j] {
			case "rc", "a", "alpha", "b", "beta", "dev", "pre":
				rank = -1
			}
			ps = append(ps, versionPart{rank: rank, s: v[i:j]})
		default:
			j++
		}
		i = j
	}
	return ps
}
