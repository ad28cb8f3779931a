package view

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

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
}

// beside are the cards before and after a card among those on the same hardware.
type beside struct{ Before, After []string }

// originOfRun is what other pages of a model say of a run, beside what its files do.
type originOfRun struct {
	ID, Files, Card, Title, Series string
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
	return originOfRun{r.ID, files, r.Card.Slug, r.Card.Title(), r.Series, known, dumped}, ok
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
	var parts []any
	all := true
	add := func(r *figure.Run) {
		of, ok := o.run(r)
		parts, all = append(parts, of), all && ok
	}
	for _, c := range m.Cards {
		stale := "" // counted to the newest run of the catalog
		if c.Stale != nil {
			stale = c.Stale.Text()
		}
		parts = append(parts, c.Slug, o.beside[c], stale, c.Undated)
		for _, r := range c.Runs {
			add(r)
		}
	}
	for _, r := range o.g.Index.Runs {
		if r.OnlyScores() && r.Model.Slug == m.Slug {
			add(r)
		}
	}
	for _, c := range o.pairs[m.Slug] {
		parts = append(parts, c.Kind, c.Slug, c.Inverse, c.title, c.paged, c.model.Slug)
		add(c.base.Run)
		add(c.other.Run)
	}
	if !all {
		return ""
	}
	return digestOf([]any{o.shared, parts})
}

// ofRun is what the pages of a run are made of: those of its model.
func (o *origins) ofRun(r *figure.Run) string {
	if o == nil || !r.Listed() {
		return ""
	}
	return o.of(o.models[r.Model.Slug])
}

// OfRun is the digest of all that the pages of a run, its sentences and its files are made of; "" where it is not known.
func (g *Site) OfRun(r *figure.Run) string { return g.origin().ofRun(r) }

// OfModel is OfRun for a model.
func (g *Site) OfModel(m *figure.Model) string { return g.origin().of(m) }

// OfCard is OfRun for a card.
func (g *Site) OfCard(c *figure.Card) string { return g.OfRun(c.Runs[0]) }

// newest is the day of the newest of some runs, "" where it is not known.
func newest(runs ...*figure.Run) (day string) {
	for _, r := range runs {
		day = max(day, page.Day(r.Started))
	}
	return day
}
