package site

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// Options are what a site is made with beside its catalog.
type Options struct {
	// Config is the catalog's inferdex.toml; nil is a configuration with nothing set.
	Config *settings.Config
	// Formats are what the formats page lists.
	Formats []FormatDoc
	// Written are the paths of the hand-written pages, for the sitemap.
	Written []string
	// NoPreviews leaves out the pictures of link previews.
	NoPreviews bool
	// PNG writes each chart's file as PNG too.
	PNG bool
}

// FormatDoc is what is said of one kind of file that can be read. It mirrors ingest.Doc: this
// package does not know the formats.
type FormatDoc struct {
	Name, Title, Tool, Command, Versions, Files, Reads, Unknown string
}

// Pages makes all pages of a catalog, one after the other. An error ends the sequence.
func Pages(ix *figure.Index, c *catalog.Catalog, o Options) iter.Seq2[*page.Page, error] {
	g := newGenerator(ix, c, o)
	return func(yield func(*page.Page, error) bool) {
		for _, d := range g.drafts() {
			ds, err := d()
			if err != nil {
				yield(nil, err)
				return
			}
			for _, d := range ds {
				if !yield(d.page, nil) {
					return
				}
			}
		}
	}
}

// generator holds what several pages are made of.
type generator struct {
	ix   *figure.Index
	args *compare.Arguments
	c    *catalog.Catalog
	o    Options
	conf settings.Config
	cols []*hardwareColumn
	// class are the classes of workload with a scorecard, byClass the same by key; whole are the
	// scorecards of whole runs, front the one on the home page, nil in an empty catalog.
	class   []*scoreClass
	byClass map[string]*scoreClass
	whole   []*scoreView
	front   *scoreView
	cards   map[[2]string]*figure.Card // by model slug, hardware slug
	// subjects are what pages are about, by their paths.
	subjects map[string]subject
	// rawCache keeps raw records between the fragments of one run.
	rawCache rawCache
	compared []*comparison // see comparisons
	// rankings keeps rankings by the id of a preset and the slug of a model.
	rankings map[[2]string]*ranked
}

func newGenerator(ix *figure.Index, c *catalog.Catalog, o Options) *generator {
	g := &generator{ix: ix, args: compare.NewArguments(ix.Names, ix.Runs), c: c, o: o, cards: map[[2]string]*figure.Card{}, subjects: subjects(ix)}
	if o.Config != nil {
		g.conf = *o.Config
	}
	for _, c := range ix.Cards {
		g.cards[[2]string{c.Model.Slug, c.Hardware.Slug}] = c
	}
	g.cols = hardwareColumns(ix)
	g.scoreViews(scoreClasses(ix))
	g.byClass = map[string]*scoreClass{}
	for _, s := range g.class {
		g.byClass[s.key] = s
	}
	return g
}

// drafts lists the functions that make pages, in the order of their paths' importance. Each is
// called when its turn comes, so that not all pages are held at once.
func (g *generator) drafts() []func() ([]*draft, error) {
	one := func(f func() *draft) func() ([]*draft, error) {
		return func() ([]*draft, error) { return []*draft{f()}, nil }
	}
	var fs []func() ([]*draft, error)
	fs = append(fs, one(g.home))
	for _, v := range g.allViews() {
		if v != g.front {
			fs = append(fs, one(func() *draft { return g.scorecardPage(v, nil) }))
		}
		for i := range v.parts {
			fs = append(fs, one(func() *draft { return g.scorecardPage(v, &v.parts[i]) }))
		}
	}
	fs = append(fs, one(g.modelsPage))
	for _, m := range g.ix.Models {
		fs = append(fs, one(func() *draft { return g.modelPage(m) }))
	}
	fs = append(fs, one(g.hardwarePage))
	for _, h := range g.ix.Hardware {
		fs = append(fs, one(func() *draft { return g.acceleratorPage(h) }))
	}
	fs = append(fs, one(g.enginesPage))
	for _, e := range g.ix.Engines {
		fs = append(fs, one(func() *draft { return g.enginePage(e) }))
	}
	for _, c := range g.ix.Cards {
		fs = append(fs, one(func() *draft { return g.cardPage(c) }))
	}
	fs = append(fs, one(g.comparePage))
	for _, c := range g.comparisons() {
		fs = append(fs, one(func() *draft { return g.pairPage(c) }))
	}
	fs = append(fs, one(g.rankingsPage))
	for _, p := range g.usedPresets() {
		fs = append(fs, one(func() *draft { return g.rankingPage(p) }))
	}
	fs = append(fs, one(g.runsPage))
	for _, r := range g.ix.Runs {
		fs = append(fs, func() ([]*draft, error) { return g.runPages(r) })
	}
	fs = append(fs, one(g.dataPage), one(g.methodologyPage), one(g.formatsPage), one(g.notFoundPage))
	return fs
}

// allViews are the scorecards of all classes and of whole runs.
func (g *generator) allViews() []*scoreView {
	var out []*scoreView
	for _, s := range g.class {
		out = append(out, s.views...)
	}
	return append(out, g.whole...)
}

// draft is a page in the making.
type draft struct {
	page.Place
	g        *generator
	page     *page.Page
	view     page.ReportView
	svgs     []svgGroup
	sections []page.Section
	modified string // day of the newest run on the page, "" where it is not known
}

// svgGroup is charts that are also published as files of their own. They are made together
// because small multiples share their axes.
type svgGroup struct {
	paths  []string
	charts func() []*chart.Chart
}

func (g *generator) draft(path, kind, nav, title, description string) *draft {
	d := &draft{Place: page.Place(path), g: g,
		page: &page.Page{Path: path, Kind: kind, Title: title, Description: description, Fragments: map[string]page.Fragment{}}}
	d.view.Nav, d.view.Heading = nav, title
	d.findable()
	return d
}

// done closes a page of sections: its table of contents is made of them.
func (d *draft) done() *draft {
	d.view.Sections = d.sections
	if len(d.sections) > 2 {
		if len(d.view.Stats) > 0 {
			d.view.Toc = append(d.view.Toc, page.Link{Text: "Headline metrics", Href: "#headline"})
		}
		for _, s := range d.sections {
			d.view.Toc = append(d.view.Toc, page.Link{Text: s.Title, Href: "#" + s.ID})
		}
	}
	d.page.Params = d.view
	return d
}

// section adds a section of the blocks that are there; without any it adds none.
func (d *draft) section(id, title string, blocks ...page.Block) {
	if blocks = d.nonEmpty(blocks); len(blocks) > 0 {
		d.sections = append(d.sections, page.Section{ID: id, Title: page.Glue(title), Blocks: blocks})
	}
}

// before moves the last section, if it has the id, before another where that is there.
func (d *draft) before(id, other string) {
	last := len(d.sections) - 1
	i := slices.IndexFunc(d.sections, func(s page.Section) bool { return s.ID == other })
	if i < 0 || d.sections[last].ID != id {
		return
	}
	s := d.sections[last]
	d.sections = slices.Insert(d.sections[:last:last], i, s)
}

func (d *draft) nonEmpty(blocks []page.Block) []page.Block {
	return slices.DeleteFunc(blocks, func(b page.Block) bool {
		return b.Text == nil && b.Heading == nil && b.Says == nil && b.Figure == nil && b.Pair == nil && b.Table == "" &&
			b.Details == nil && b.Group == nil && b.Code == nil && b.Quote == nil && b.List == nil
	})
}

// table adds the fragment of a table that is made when the page is written.
func (d *draft) table(name string, f func() *page.Grid) page.Block {
	return page.Block{Table: d.fragment(name, func(m *page.Markup) { f().Write(m) })}
}

// details is a table that opens on demand.
func (d *draft) details(name, summary string, f func() *page.Grid) *page.Details {
	return &page.Details{Summary: summary, Fragment: d.fragment(name, func(m *page.Markup) { f().Write(m) })}
}

// named is a table with its caption and an anchor of its own, "t-" and the name.
func (d *draft) named(name string, f func() *page.Grid) page.Block {
	return d.table(name, func() *page.Grid {
		t := f()
		t.ID, t.Link = "t-"+name, "t-"+name
		return t
	})
}

// fold is a named table that opens on demand; the disclosure has the anchor.
func (d *draft) fold(name, summary string, f func() *page.Grid) *page.Details {
	de := d.details(name, summary, func() *page.Grid {
		t := f()
		t.Link = "t-" + name
		return t
	})
	de.ID = "t-" + name
	return de
}

func (d *draft) fragment(name string, f func(m *page.Markup)) string {
	d.page.Fragments[name] = page.FragmentOf(f)
	return name
}

// chart adds the fragment of a chart, in the given sizes, and its file.
func (d *draft) chart(id string, f func() *chart.Chart, sizes ...chart.Size) string {
	d.svgs = append(d.svgs, svgGroup{[]string{d.svgPath(id)}, func() []*chart.Chart { return []*chart.Chart{f()} }})
	return d.fragment("chart-"+id, func(m *page.Markup) {
		c := f()
		m.Draw(func(w io.Writer) error { return c.Inline(w, id, sizes...) })
	})
}

// svgPath is the file of a chart of the page.
func (d *draft) svgPath(id string) string { return string(d.Place) + "/" + id + ".svg" }

// figure is a single chart with its caption.
func (d *draft) figure(id, finding, what string, f func() *chart.Chart, sizes ...chart.Size) *page.Figure {
	fig := &page.Figure{ID: id, Finding: page.Glue(finding), What: page.Glue(what)}
	fig.Chart = d.chart(id, f, sizes...)
	fig.Files = []page.Link{{Text: "SVG file", Href: d.File(d.svgPath(id))}}
	return fig
}

// panel is one of several small charts that stand side by side in one figure.
type panel struct {
	id, title, what string
	chart           *chart.Chart
}

// panels is a figure of small charts, whose titles are given ahead because they are only drawn
// when the page is written. They share their axes; a common key stands above them
// where there is more than one series.
func (d *draft) panels(id, finding, what string, size chart.Size, key bool, titles []string, f func() []panel) *page.Figure {
	fig := &page.Figure{ID: id, Finding: page.Glue(finding), What: page.Glue(what)}
	fig.Chart = d.fragment("chart-"+id, func(m *page.Markup) {
		ps := f()
		cs := make([]*chart.Chart, len(ps))
		for i, p := range ps {
			cs[i] = p.chart
		}
		if key {
			m.Draw(func(w io.Writer) error { return chart.WriteKey(w, chart.KeyOf(cs...)) })
		}
		m.Raw(`<div class="panels">`)
		for _, p := range ps {
			m.Raw(`<div class="panel"`)
			m.Attr("id", p.id)
			m.Raw(">")
			m.Elem("h3", "", p.title)
			if p.what != "" {
				m.Elem("p", "what", p.what)
			}
			if key {
				m.Draw(func(w io.Writer) error { return p.chart.InlineKeyless(w, id+"-"+p.id, size) })
			} else {
				m.Draw(func(w io.Writer) error { return p.chart.Inline(w, id+"-"+p.id, size) })
			}
			m.Raw("</div>")
		}
		m.Raw("</div>")
	})
	var paths []string
	for i, title := range titles {
		name := id
		if len(titles) > 1 {
			name += "-" + itoa(i+1)
		}
		paths = append(paths, d.svgPath(name))
		fig.SVGs = append(fig.SVGs, page.Link{Text: title, Href: d.File(d.svgPath(name))})
	}
	if len(titles) == 1 {
		fig.SVGs, fig.Files = nil, []page.Link{{Text: "SVG file", Href: d.File(paths[0])}}
	}
	d.svgs = append(d.svgs, svgGroup{paths, func() []*chart.Chart {
		var cs []*chart.Chart
		for _, p := range f() {
			cs = append(cs, p.chart)
		}
		return cs
	}})
	return fig
}

func panelTitles(ps []panel) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.title)
	}
	return out
}

// pointHref is the link to a point's row on the page of its run.
func (d *draft) pointHref(r *figure.Run, s *figure.Scenario, p *catalog.Point) string {
	if s == nil || p == nil {
		return d.Place.To(pathRun(r.ID), "")
	}
	return d.Place.To(pathRun(r.ID), pointID(s, p))
}

// pointID is the anchor of a point on its run's page. The prefix keeps it apart from sections.
// Two points that nothing tells apart are numbered.
func pointID(s *figure.Scenario, p *catalog.Point) string {
	id, n := figure.Anchor(s, p), 1
	for _, o := range s.Points {
		if o == p {
			break
		}
		if figure.Anchor(s, o) == id {
			n++
		}
	}
	if n > 1 {
		id += "-" + itoa(n)
	}
	return "p-" + id
}

// parts turns the pieces of an insight into links to the rows its numbers were read from.
func (d *draft) insightParts(r *figure.Run, in claim.Insight) []page.Part {
	ps := make([]page.Part, 0, len(in.Parts))
	for _, p := range in.Parts {
		part := page.Part{Text: page.Glue(p.Text)}
		if p.Point != nil {
			of := r
			if p.Run != nil {
				of = p.Run
			}
			part.Href = d.pointHref(of, p.Scenario, p.Point)
		}
		ps = append(ps, part)
	}
	return ps
}

// engineText is an engine with its version, and whether the version is recorded.
func engineText(e settings.Engine) (s string, versioned bool) {
	switch {
	case e.Name == "" && e.Version == "":
		return "", false
	case e.Name == "":
		return e.Version, true
	case e.Version == "":
		return e.Name, false
	}
	return e.Name + " " + e.Version, true
}

// toolText is the measuring tool as readers know it.
func toolText(r *figure.Run) string {
	switch r.Identity.Tool {
	case "benchmark_llm_serving":
		return "happy_vllm suite"
	case "vllm-bench-serve":
		return "vllm bench serve"
	case "bench-and-report":
		return "BenchAndReport"
	}
	return r.Identity.Tool
}

// active are the runs that may be quoted: not withdrawn ones.
func active(runs []*figure.Run) []*figure.Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r *figure.Run) bool { return r.Withdrawn != "" })
}

// byModelSize orders models by their parameters, unknown sizes last, then by name.
func byModelSize(a, b settings.Model) int {
	x, y := 1e9, 1e9
	if a.ParamsB != nil {
		x = *a.ParamsB
	}
	if b.ParamsB != nil {
		y = *b.ParamsB
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
}

// modelFacts is a model's size and precision in a few words: "6.74 B, 16-bit".
func modelFacts(m settings.Model) string {
	var ws []string
	if m.ParamsB != nil {
		s := metric.Format(*m.ParamsB) + metric.ThinSpace + "B"
		if m.ActiveParamsB != nil && *m.ActiveParamsB < *m.ParamsB {
			s += ", " + metric.Format(*m.ActiveParamsB) + metric.ThinSpace + "B active"
		}
		ws = append(ws, s)
	}
	switch {
	case m.Quantization != "":
		ws = append(ws, m.Quantization)
	case m.Precision != "":
		ws = append(ws, m.Precision)
	}
	return strings.Join(ws, ", ")
}

// memoryText is the memory of a hardware: "80 GB", "32 GB each", the range over variants where
// the form factor is not recorded, "" where it is not known.
func (g *generator) memoryText(h settings.Hardware) string {
	a := h.Accelerator
	s := ""
	if a.MemoryGB != nil {
		s = metric.Exact(*a.MemoryGB)
	} else if vs := g.variantMemory(a); len(vs) > 0 {
		s = strings.Join(vs, " or ")
	}
	if s == "" {
		return ""
	}
	s += metric.ThinSpace + "GB"
	if h.Count > 1 {
		s += " each"
	}
	return s
}

// variantMemory lists the different memory sizes of the variants of a family, in GB.
func (g *generator) variantMemory(a settings.Accelerator) []string {
	if len(a.Variants) == 0 || g.ix.Names == nil {
		return nil
	}
	var vs []float64
	for _, v := range g.ix.Names.Accelerators() {
		if v.MemoryGB != nil && slices.Contains(a.Variants, v.ID) && !slices.Contains(vs, *v.MemoryGB) {
			vs = append(vs, *v.MemoryGB)
		}
	}
	slices.Sort(vs)
	var out []string
	for _, v := range vs {
		out = append(out, metric.Exact(v))
	}
	return out
}
