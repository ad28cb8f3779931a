package figure

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Index is a catalog with its names resolved, seen by run, card, model, hardware and engine.
type Index struct {
	// Runs are ordered newest first, runs without a date last; equal dates by id.
	Runs []*Run
	// Identified are the runs of Runs that are listed: those of Cards and all that follows. Those that
	// lack model or hardware stand for themselves alone, see [Index.Unidentified]; those of scores stand
	// beside others, see [Index.Scores].
	Identified []*Run

	Cards    []*Card     // by model name, then hardware name
	Models   []*Model    // by name
	Hardware []*Hardware // by accelerator name
	Engines  []*Engine   // by name
	Names    *settings.Names

	scored map[string][]*Run // those of Runs that have scores only, by model
}

// Named are the runs that an id, a former id or the beginning of an id means: one, or all that begin with it.
func (ix *Index) Named(id string) (found []*Run) {
	for _, r := range ix.Runs {
		if r.ID == id || slices.Contains(r.Formerly, id) {
			return []*Run{r}
		}
		if id != "" && strings.HasPrefix(r.ID, id) {
			found = append(found, r)
		}
	}
	return found
}

// Unnamed says that a name is that of no card and of no run.
type Unnamed struct {
	Name string
	// Nearest is the name of a card or run that may be meant, "" where none is near.
	Nearest string
}

func (e *Unnamed) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("no run and no card is named %q: did you mean %q?", e.Name, e.Nearest)
	}
	return fmt.Sprintf("no run and no card is named %q: 'inferdex list cards' and 'inferdex list runs' show their names",
		e.Name)
}

// Find is the card of that name with the run that heads it, or the one run that an id or the beginning of one means,
// without a card. The error is [Unnamed] where there is neither, and says how many runs begin with the name where
// there are several.
func (ix *Index) Find(name string) (*Card, *Run, error) {
	if i := slices.IndexFunc(ix.Cards, func(c *Card) bool { return c.Slug == name }); i >= 0 {
		return ix.Cards[i], ix.Cards[i].Head(), nil
	}
	found := ix.Named(name)
	switch len(found) {
	case 0:
		return nil, nil, &Unnamed{name, ix.nearest(name)}
	case 1:
		return nil, found[0], nil
	}
	return nil, nil, fmt.Errorf("%d runs begin with %q: write more of the id", len(found), name)
}

// nearest is the name of a card or a run that differs in few letters, else the first card whose name begins so.
func (ix *Index) nearest(name string) string {
	if name == "" {
		return ""
	}
	var names []string
	for _, c := range ix.Cards {
		names = append(names, c.Slug)
	}
	for _, r := range ix.Runs {
		names = append(names, r.ID)
	}
	if near := settings.Nearest(name, names); near != "" {
		return near
	}
	if i := slices.IndexFunc(ix.Cards, func(c *Card) bool { return strings.HasPrefix(c.Slug, name) }); i >= 0 {
		return ix.Cards[i].Slug
	}
	return ""
}

// NewIndex resolves the names of all runs of a catalog and sorts them.
func NewIndex(c *catalog.Catalog, n *settings.Names) *Index {
	ix := &Index{Names: n}
	b := indexing{ix, map[string]*Card{}, map[string]*Model{}, map[string]*Hardware{}, map[string]*Engine{}}
	for _, cr := range c.Runs {
		ix.Runs = append(ix.Runs, newRun(cr, n))
	}
	tellModelsApart(ix.Runs)
	for _, r := range ix.Runs {
		if !r.Listed() {
			r.Card = &Card{Slug: r.cardSlug(), Model: r.Model, Hardware: r.Hardware, Runs: []*Run{r}}
			continue
		}
		ix.Identified = append(ix.Identified, r)
		r.Card = b.card(r)
		r.Card.Runs = append(r.Card.Runs, r)
		if r.Engine.Name != "" {
			e := entry(b.engines, r.Engine.Slug, &ix.Engines,
				func() *Engine { return &Engine{Name: r.Engine.Name, Slug: r.Engine.Slug} })
			e.Runs = append(e.Runs, r)
		}
	}
	ix.sort()
	return ix
}

// indexing is an index that is being made, with its parts by slug.
type indexing struct {
	*Index
	cards    map[string]*Card
	models   map[string]*Model
	hardware map[string]*Hardware
	engines  map[string]*Engine
}

// entry is the part with a slug, which is made and listed where it is new.
func entry[P any](known map[string]P, slug string, list *[]P, make func() P) P {
	e, listed := known[slug]
	if !listed {
		e = make()
		known[slug] = e
		*list = append(*list, e)
	}
	return e
}

// card is the card that a run belongs to.
func (b indexing) card(r *Run) *Card {
	return entry(b.cards, r.cardSlug(), &b.Cards, func() *Card {
		m := entry(b.models, r.Model.Slug, &b.Models, func() *Model { return &Model{Model: r.Model} })
		a := r.Hardware.Accelerator
		h := entry(b.hardware, a.Slug, &b.Hardware,
			func() *Hardware { return &Hardware{Accelerator: a, Slug: a.Slug} })
		c := &Card{Slug: r.cardSlug(), Model: r.Model, Hardware: r.Hardware, of: m, on: h}
		m.Cards, h.Cards = append(m.Cards, c), append(h.Cards, c)
		return c
	})
}

// sort puts all lists into their order, and gives runs of a card labels of their own.
func (ix *Index) sort() {
	slices.SortStableFunc(ix.Runs, NewestFirst)
	slices.SortStableFunc(ix.Identified, NewestFirst)
	byTitle := func(a, b *Card) int {
		return cmp.Or(cmp.Compare(a.Model.Name, b.Model.Name), cmp.Compare(a.Hardware.Name, b.Hardware.Name),
			cmp.Compare(a.Slug, b.Slug))
	}
	slices.SortStableFunc(ix.Cards, byTitle)
	for _, c := range ix.Cards {
		sortCard(c.Runs)
		tellApart(c.Runs)
	}
	unknown := map[string][]*Run{} // runs without a card, by what is known of their model and hardware
	for _, r := range ix.Unidentified() {
		unknown[r.Card.Title()] = append(unknown[r.Card.Title()], r)
	}
	for _, title := range slices.Sorted(maps.Keys(unknown)) {
		tellApart(unknown[title])
	}
	for _, m := range ix.Models {
		slices.SortStableFunc(m.Cards, byTitle)
	}
	for _, h := range ix.Hardware {
		slices.SortStableFunc(h.Cards, byTitle)
	}
	slices.SortStableFunc(ix.Models, func(a, b *Model) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
	})
	slices.SortStableFunc(ix.Hardware, func(a, b *Hardware) int {
		return cmp.Or(cmp.Compare(a.Accelerator.Name, b.Accelerator.Name), cmp.Compare(a.Slug, b.Slug))
	})
	for _, e := range ix.Engines {
		slices.SortStableFunc(e.Runs, func(a, b *Run) int {
			return cmp.Or(settings.CompareVersions(b.Engine.Version, a.Engine.Version), NewestFirst(a, b))
		})
	}
	slices.SortStableFunc(ix.Engines, func(a, b *Engine) int { return cmp.Compare(a.Slug, b.Slug) })
	ix.scored = map[string][]*Run{}
	for _, r := range ix.Runs {
		if r.OnlyScores() {
			ix.scored[r.Model.Slug] = append(ix.scored[r.Model.Slug], r)
		}
	}
}

// sortCard puts the runs of a card in order: those of one engine together, the engine with the newest run first, of each the
// highest version first, of equal versions the newest run, and withdrawn runs last.
func sortCard(runs []*Run) {
	newest := map[string]*Run{} // by engine
	for _, r := range runs {
		if n := newest[r.Engine.Slug]; n == nil || NewestFirst(r, n) < 0 {
			newest[r.Engine.Slug] = r
		}
	}
	slices.SortStableFunc(runs, func(a, b *Run) int {
		switch aw, bw := a.Withdrawn != "", b.Withdrawn != ""; {
		case aw != bw && aw:
			return 1
		case aw != bw:
			return -1
		case a.Engine.Slug != b.Engine.Slug:
			return NewestFirst(newest[a.Engine.Slug], newest[b.Engine.Slug])
		}
		return cmp.Or(settings.CompareVersions(b.Engine.Version, a.Engine.Version), NewestFirst(a, b))
	})
}

// Gathered puts runs that lack model or hardware on cards by what is known of them, none of which
// is listed: for who names the files of the runs and so says that they belong together.
func Gathered(runs []*Run) []*Card {
	var out []*Card
	for _, r := range runs {
		i := slices.IndexFunc(out, func(c *Card) bool { return c.Slug == r.Card.Slug })
		if i < 0 {
			i = len(out)
			out = append(out, &Card{Slug: r.Card.Slug, Model: r.Model, Hardware: r.Hardware})
		}
		out[i].Runs = append(out[i].Runs, r)
	}
	return out
}

// Unidentified are the runs that lack model or hardware, in the order of Runs.
func (ix *Index) Unidentified() []*Run {
	var out []*Run
	for _, r := range ix.Runs {
		if len(r.Unrecorded()) > 0 {
			out = append(out, r)
		}
	}
	return out
}

func newRun(cr *catalog.Run, n *settings.Names) *Run {
	count, _ := strconv.Atoi(cr.Attr("count"))
	r := &Run{Run: cr, Engine: n.Engine(cr.Attr("engine"), cr.Attr("engine_version")),
		Tool: n.Tool(cr.Identity.Tool), names: n, configured: &configured{}}
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
		r.Series = cmp.Or(r.Engine.Name, cr.Identity.Tool)
	}
	b := cr.Attr("baseline")
	r.Baseline = b == "true" || b != "" && b == r.Series
	r.Demo = cr.Attr("demo") == "true"
	r.Findings = append(slices.Clone(cr.Findings), memoryFindings(r)...)
	for i, f := range r.Findings {
		r.Findings[i].Accepted = f.Accepted || slices.Contains(cr.Accept, f.Code)
		if f.Code == catalog.CodeMemory && !r.Findings[i].Accepted {
			r.Forbidden = f.Code
		}
	}
	r.Scenarios = scenarios(cr, r.Forbidden)
	r.doubts = map[metric.ID]string{}
	for i := range cr.Points {
		maps.Copy(r.doubts, cr.Suspects(&cr.Points[i]))
	}
	return r
}
