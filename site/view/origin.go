package view

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// Origins are digests of what pages are made of. The zero value knows none.
type Origins struct {
	// Rest is that of all but the runs and their records: names, settings.
	Rest string
	// Runs are those of the files of each run, by its id.
	Runs map[string]string
}

// origins says of pages what they are made of, without making them. A page about a model, its cards, its runs or a pair
// of them is made of all runs of the model and of the other sides of its pairs: that is more than it shows, and a new
// run costs the pages of one model. Pages about the whole catalog are made to be compared.
type origins struct {
	g *Site
	// shared is what all pages take of the catalog as a whole.
	shared string
	models map[string]*figure.Model
	pairs  map[string][]*comparison // by the slugs of both models
	beside map[*figure.Card]beside
	done   map[*figure.Model]string
	limits map[string][]any // see within
}

// beside are the cards before and after a card among those on the same hardware.
type beside struct{ Before, After []string }

// originOfRun is what other pages of a model say of a run, beside what its files do.
type originOfRun struct {
	ID, Files, Card, Title, Series, Name string
	// Known are the arguments that runs of the same version of its engine have.
	Known  []string
	Dumped bool
}

// digestOf is the digest of a value as JSON, "" where it is none.
func digestOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// newOrigins is nil where nothing is known of what pages are made of.
func newOrigins(g *Site) *origins {
	if g.Options.Rest == "" {
		return nil
	}
	o := &origins{g: g, models: map[string]*figure.Model{}, pairs: map[string][]*comparison{},
		beside: map[*figure.Card]beside{}, done: map[*figure.Model]string{}}
	var models []settings.Model
	var others [][2]string
	for _, m := range g.Index.Models {
		o.models[m.Slug] = m
		models = append(models, m.Model)
	}
	for _, h := range g.Index.Hardware {
		others = append(others, [2]string{h.Slug, h.Accelerator.Name})
	}
	for _, e := range g.Index.Engines {
		others = append(others, [2]string{e.Slug, e.Name})
	}
	o.shared = digestOf([]any{g.Options.Rest, models, others, len(g.Index.Identified) > 1})
	for _, c := range g.pairs.all() {
		a, b := c.base.Card.Model.Slug, c.other.Card.Model.Slug
		o.pairs[a] = append(o.pairs[a], c)
		if b != a {
			o.pairs[b] = append(o.pairs[b], c)
		}
	}
	last := map[string]*figure.Card{}
	for _, c := range g.Index.Cards {
		words := func(c *figure.Card) []string { return []string{c.Slug, c.Model.Name, c.Hardware.Name} }
		if before := last[c.Hardware.Slug]; before != nil {
			o.beside[c] = beside{Before: words(before)}
			o.beside[before] = beside{o.beside[before].Before, words(c)}
		}
		last[c.Hardware.Slug] = c
	}
	return o
}

// run is what pages take of a run; ok is false where its files are not known.
func (o *origins) run(r *figure.Run) (of originOfRun, ok bool) {
	known, dumped := o.g.Arguments.Known(r)
	files, ok := o.g.Options.Runs[r.ID]
	return originOfRun{r.ID, files, r.Card.Slug, r.Card.Title(), r.Series, r.OwnName(), known, dumped}, ok
}

// of is what the pages about a model are made of, "" where that is not known.
func (o *origins) of(m *figure.Model) string {
	if o == nil || m == nil {
		return ""
	}
	if of, ok := o.done[m]; ok {
		return of
	}
	o.done[m] = o.model(m)
	return o.done[m]
}

func (o *origins) model(m *figure.Model) string {
	p := &parts{o: o}
	for _, c := range m.Cards {
		p.card(c)
	}
	for _, r := range o.g.Index.Runs {
		if r.OnlyScores() && r.Model.Slug == m.Slug {
			p.run(r)
		}
	}
	for _, c := range o.pairs[m.Slug] {
		p.pair(c)
	}
	return p.digest()
}

// parts are what something is made of.
type parts struct {
	o       *origins
	list    []any
	unknown bool // the files of a run are
}

func (p *parts) add(what ...any) { p.list = append(p.list, what...) }

func (p *parts) run(r *figure.Run) {
	of, ok := p.o.run(r)
	p.add(of)
	p.unknown = p.unknown || !ok
}

func (p *parts) card(c *figure.Card) {
	stale := "" // counted to the newest run of the catalog
	if c.Stale != nil {
		stale = c.Stale.Text()
	}
	p.add(c.Slug, stale, c.Undated)
	for _, r := range c.Runs {
		p.run(r)
	}
}

func (p *parts) pair(c *comparison) {
	p.add(c.Kind, c.Slug, c.Inverse, c.title, c.paged, c.model.Slug)
	p.run(c.base.Run)
	p.run(c.other.Run)
}

// digest is that of all parts, "" where one of them is not known.
func (p *parts) digest() string {
	if p.unknown {
		return ""
	}
	return digestOf([]any{p.o.shared, p.list})
}

// hardware is what the page of an accelerator is made of: the runs on it, the pairs that it lists, and which of its results
// stand for a use, since that depends on the other cards of their models. What becomes of them there does not.
func (o *origins) hardware(h *figure.Hardware) string {
	p := &parts{o: o}
	for _, c := range h.Cards {
		p.card(c)
	}
	pairs := o.g.pairs.with(h.Cards...)
	p.add(len(pairs))
	for _, c := range pairs[:min(compare.MostPairs, len(pairs))] {
		p.pair(c)
	}
	p.add(o.within()[h.Slug])
	return p.digest()
}

// within are the results that stand for uses, by the slugs of their accelerators.
func (o *origins) within() map[string][]any {
	if o.limits == nil {
		o.limits = map[string][]any{}
		for _, p := range figure.SLOPresets {
			for _, r := range o.g.uses.of(p) {
				for _, row := range r.rows {
					run, class := "", ""
					if row.Run != nil {
						run, class = row.Run.ID, row.Scenario.Class
					}
					on := row.Card.Hardware.Accelerator.Slug
					o.limits[on] = append(o.limits[on], p.ID, row.Card.Slug, run, class)
				}
			}
		}
	}
	return o.limits
}

// ofRun is what the pages of a run are made of: those of its model.
func (o *origins) ofRun(r *figure.Run) string {
	if o == nil || !r.Listed() {
		return ""
	}
	return o.of(o.models[r.Model.Slug])
}

// ofCard is what the page of a card is made of: what its model is made of, and the cards beside it.
func (o *origins) ofCard(c *figure.Card) string {
	of := o.ofRun(c.Runs[0])
	if of == "" {
		return ""
	}
	return digestOf([]any{of, o.beside[c]})
}

// OfRun is the digest of all that the pages of a run, its sentences and its files are made of; "" where it is not known.
func (g *Site) OfRun(r *figure.Run) string { return g.origin().ofRun(r) }

// OfModel is OfRun for a model.
func (g *Site) OfModel(m *figure.Model) string { return g.origin().of(m) }

// OfCard is OfRun for a card. Its page leads to the cards beside it too.
func (g *Site) OfCard(c *figure.Card) string { return g.origin().ofCard(c) }

// ofHardware is OfRun for the page of an accelerator, which no sentence or file of its own goes with.
func (g *Site) ofHardware(h *figure.Hardware) string {
	if o := g.origin(); o != nil {
		return o.hardware(h)
	}
	return ""
}

// ofRuns is the digest of all that a further page of the list of runs is made of, "" where it is not known.
func (g *Site) ofRuns(all []listPart[*figure.Run], i int) string {
	o := g.origin()
	if o == nil {
		return ""
	}
	p := &parts{o: o}
	p.add(all[i-1].path, i+1 < len(all), len(all[i].list)-all[i].begin)
	for _, r := range all[i].rows {
		p.run(r)
	}
	return p.digest()
}

// newest is the day of the newest of some runs, "" where it is not known.
func newest(runs ...*figure.Run) (day string) {
	for _, r := range runs {
		day = max(day, page.Day(r.Started))
	}
	return day
}
