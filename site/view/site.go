package view

import (
	"cmp"
	"strings"

	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// Site is what the pages of a catalog are made of.
type Site struct {
	Index     *figure.Index
	Arguments *compare.Arguments
	next      func() []figure.Next // computed once
	Catalog   *catalog.Catalog
	Options   Options
	Config    settings.Config
	// subjects are what pages are about, by their paths.
	subjects map[string]subject
	// rawCache keeps raw records between the fragments of one run.
	rawCache rawCache
	// rawSets says how large they are, by run.
	rawSets sync.Map
	// places are where the points of runs stand, by run.
	places sync.Map
	// Beside is set before the first page is made.
	Beside Beside
	scores *scorecards
	uses   *uses
	pairs  *pairs
	// origin says what pages are made of.
	origin func() *origins
	// names are how many models, accelerators and engines have a name.
	names map[string]int
}

// New prepares what pages share: the scorecards, what each page is about.
func New(ix *figure.Index, c *catalog.Catalog, o Options) *Site {
	g := &Site{Index: ix, Arguments: compare.NewArguments(ix.Names, ix.Runs), next: sync.OnceValue(ix.Next), Catalog: c, Options: o,
		subjects: subjects(ix),
		scores:   newScorecards(ix), uses: newUses(ix), pairs: &pairs{ix: ix}, names: map[string]int{}}
	for _, m := range ix.Models {
		g.names[m.Name]++
	}
	for _, h := range ix.Hardware {
		g.names[h.Accelerator.Name]++
	}
	for _, e := range ix.Engines {
		g.names[e.Name]++
	}
	if o.Config != nil {
		g.Config = *o.Config
	}
	g.origin = sync.OnceValue(func() *origins { return newOrigins(g) })
	return g
}

// titled is the title of a page about something of a kind: its name, with the kind where something else or a page of
// every site is called the same.
func (g *Site) titled(name, kind string) string {
	if g.names[name] > 1 || slices.Contains([]string{"Models", "Hardware", "Engines", "Runs", "Compare", "Rankings",
		"Data", "Methodology", "Formats", "Try a file", "Not recorded", "Page not found", g.Title()}, name) {
		return name + " (" + kind + ")"
	}
	return name
}

// Title is the name of the site.
func (g *Site) Title() string { return cmp.Or(g.Config.Title, "inferdex") }

// Base is the address of the home page with a slash at its end, "" where it is not known.
func (g *Site) Base() string {
	b := page.WebAddress(g.Config.BaseURL)
	if b != "" && !strings.HasSuffix(b, "/") {
		b += "/"
	}
	return b
}

// HasPreviews says whether the site has link previews.
func (g *Site) HasPreviews() bool { return g.Base() != "" && !g.Options.NoPreviews }

// UsedPresets are the uses that a workload of the catalog stands for.
func (g *Site) UsedPresets() []figure.SLOPreset { return g.uses.presets() }

// Options are what a site is made with beside its catalog.
type Options struct {
	// Config is the catalog's inferdex.toml; nil is a configuration with nothing set.
	Config *settings.Config
	// Formats are what the formats page lists.
	Formats []FormatDoc
	// Origins are digests of what pages are made of.
	Origins
	// Written are the paths of the hand-written pages, for the sitemap.
	Written []string
	// Published had pages once, sorted by card and run: what is not there any more has a page that says so.
	Published []Published
	// Snapshots are the tags of what was frozen, sorted.
	Snapshots []string
	// NoPreviews leaves out the pictures of link previews.
	NoPreviews bool
	// PNG writes each chart's file as PNG too.
	PNG bool
	// Slice says of a path whether the page or file there is made, where it is made of a part of the catalog; what is made
	// of the whole is left out. Nil: all is made.
	Slice func(path string) bool
	// Reader is what a browser reads files with; nil where the program has none.
	Reader *Reader
	// SelfContained makes a page for a file of its own: what stands beside it on a site stands on it. See
	// [Site.Report].
	SelfContained bool
}

// Published is a run or a card that had a page once.
type Published struct {
	// Run is the id of a run, Card the name of a card: one of them is set.
	Run, Card string
	// Of is the model as the run's records name it; "" where that is not known.
	Of string
	// Tags are the snapshots that have it, sorted.
	Tags []string
	// Reason says why a run was removed; "" where nobody said it.
	Reason string
}

// FormatDoc is what is said of one kind of file that can be read. It mirrors reading.Doc: this
// package does not know the formats.
type FormatDoc struct {
	Name, Title, Tool, Command, Versions, Files, Reads, Unknown string
}

// Beside is what pages say of the files beside them, which package data makes.
type Beside struct {
	// Downloads are the files of the whole catalog.
	Downloads []Download
	// Dataset writes the data block that describes the data set to search engines; nil for none.
	Dataset page.Fragment
	// Badges are those of a card; nil for none.
	Badges func(*figure.Card) []Badge
	// Stated is told the sentences of numbers that a page states, when it is made for the first time, by several at
	// once; nil asks for none.
	Stated func(path string, said []claim.Sentence)
}

// Download is a file of the data page, with what it is in words.
type Download struct {
	page.File
	What string
	// Known is its size, false where that is not known before it is made; nil is never.
	Known func() (int64, bool)
}

// Badge is a small picture of one figure of a card.
type Badge struct {
	// Path is the file without its extension, of which there are .svg and .json.
	Path string
	// Title is the whole of what the badge says, with the load.
	Title string
}

// subject is the one model, accelerator, engine or card that a page is about.
type subject struct {
	runs func() []*figure.Run
	// feed names the feed of the page, picture what its link preview shows; "" where it has none.
	feed, picture string
	// shown is the path of the page whose link preview it shows; "" is its own.
	shown string
}

// mostCardPreviews is how many cards have pictures of their own. Where there are more, each shows that of its model: those
// of ten thousand would be more than 200 MB of the 1 GB that GitHub Pages takes, and as much work as all pages.
const mostCardPreviews = 2000

// subjects are those of all pages that have one, by the path of the page.
func subjects(ix *figure.Index) map[string]subject {
	of := map[string]subject{}
	for _, m := range ix.Models {
		of[page.PathModel(m.Slug)] = subject{runs: m.Runs, feed: m.Name, picture: m.Name}
	}
	for _, h := range ix.Hardware {
		of[page.PathAccelerator(h.Slug)] = subject{runs: h.Runs, feed: h.Accelerator.Name}
	}
	for _, e := range ix.Engines {
		of[pathEngine(e.Slug)] = subject{runs: func() []*figure.Run { return e.Runs }}
	}
	for _, c := range ix.Cards {
		s := subject{runs: func() []*figure.Run { return c.Runs }, picture: c.Title()}
		if len(ix.Cards) > mostCardPreviews {
			s.picture, s.shown = c.Model.Name, page.PathModel(c.Model.Slug)
		}
		of[page.PathCard(c.Slug)] = s
	}
	return of
}

// maxRawCached bounds how many runs' raw records are kept at once. Several pages of one run ask
// for them, one after the other and from several goroutines; unpacking is what costs.
const maxRawCached = 8

// rawCache keeps the raw records of the runs asked for last.
type rawCache struct {
	mu      sync.Mutex
	entries []*rawEntry // the one asked for last comes last
}

type rawEntry struct {
	id      string
	once    sync.Once
	records []catalog.RawRecord
	err     error
}

func (c *rawCache) get(id string, read func() ([]catalog.RawRecord, error)) ([]catalog.RawRecord, error) {
	c.mu.Lock()
	i := slices.IndexFunc(c.entries, func(e *rawEntry) bool { return e.id == id })
	e := &rawEntry{id: id}
	if i >= 0 {
		e = c.entries[i]
		c.entries = slices.Delete(c.entries, i, i+1)
	} else if len(c.entries) == maxRawCached {
		c.entries = slices.Delete(c.entries, 0, 1)
	}
	c.entries = append(c.entries, e)
	c.mu.Unlock()
	e.once.Do(func() { e.records, e.err = read() })
	return e.records, e.err
}
