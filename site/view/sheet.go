package view

import (
	"io"
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// sheet is a page in the making: sections, fragments and charts. It knows no catalog.
type sheet struct {
	page.Place
	page     *page.Page
	view     page.ReportView
	svgs     []svgGroup
	files    []page.File // written with the page, beside its charts
	sections []page.Section
	modified string // day of the newest run on the page, "" where it is not known
	whole    bool   // nothing is left to another page or file: there is none
	said     []claim.Sentence
}

// states notes a sentence that the page states, in pieces where some of them are links.
func (d *sheet) states(s claim.Sentence, pieces ...page.Part) page.Said {
	if s.Claim != nil {
		d.said = append(d.said, s)
	}
	return page.Say(s, pieces...)
}

// svgGroup is charts that are also published as a file of their own. They are made together
// because small multiples share their axes.
type svgGroup struct {
	path   string
	names  []string // of each chart
	charts func() []*chart.Chart
}

// drawn are the charts of the group that have a name.
func (s *svgGroup) drawn() []*chart.Chart {
	cs := s.charts()
	return cs[:min(len(cs), len(s.names))]
}

// write writes the file of the charts.
func (s *svgGroup) write(w io.Writer, cs []*chart.Chart) error {
	if len(s.names) == 1 && len(cs) == 1 {
		return cs[0].SVG(w, chart.Options{Size: chart.Wide, SelfContained: true, Untold: true})
	}
	return chart.Stack(w, cs, chart.Options{Size: chart.Wide, Titled: true, Untold: true})
}

func newSheet(path, kind, nav, title string, description claim.Sentence) sheet {
	d := sheet{Place: page.Place(path),
		page: &page.Page{Path: path, Kind: kind, Title: title, Fragments: map[string]page.Fragment{}}}
	d.page.Description = d.states(description)
	d.view.Nav, d.view.Heading = nav, title
	return d
}

// close ends a page of sections: its table of contents is made of them.
func (d *sheet) close() {
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
}

// section adds a section of the blocks that are there; without any it adds none.
func (d *sheet) section(id, title string, blocks ...page.Block) {
	if blocks = d.nonEmpty(blocks); len(blocks) > 0 {
		d.sections = append(d.sections, page.Section{ID: id, Title: page.Glue(title), Blocks: blocks})
	}
}

// hasSection reports whether the page has a section of an id.
func (d *sheet) hasSection(id string) bool {
	return slices.ContainsFunc(d.sections, func(s page.Section) bool { return s.ID == id })
}

// before moves the last section, if it has the id, before another where that is there.
func (d *sheet) before(id, other string) {
	last := len(d.sections) - 1
	i := slices.IndexFunc(d.sections, func(s page.Section) bool { return s.ID == other })
	if i < 0 || d.sections[last].ID != id {
		return
	}
	s := d.sections[last]
	d.sections = slices.Insert(d.sections[:last:last], i, s)
}

func (d *sheet) nonEmpty(blocks []page.Block) []page.Block {
	return slices.DeleteFunc(blocks, func(b page.Block) bool {
		return b.Text == nil && b.Heading == nil && b.Says == nil && (b.Figure == nil || bare(b.Figure)) &&
			b.Pair == nil && b.Table == "" &&
			b.Details == nil && b.Group == nil && b.Code == nil && b.Quote == nil && b.List == nil
	})
}

// bare says that a figure has neither a drawing nor numbers of its own: those stand in the tables of the page.
func bare(f *page.Figure) bool { return f.Chart == "" && f.Data == nil }

// table adds the fragment of a table that is made when the page is written.
func (d *sheet) table(name string, f func() *page.Grid) page.Block {
	return page.Block{Table: d.fragment(name, func(m *page.Markup) { f().Write(m) })}
}

// details is a table that opens on demand.
func (d *sheet) details(name, summary string, f func() *page.Grid) *page.Details {
	return &page.Details{Summary: summary, Fragment: d.fragment(name, func(m *page.Markup) { f().Write(m) })}
}

// named is a table with its caption and an anchor of its own, "t-" and the name.
func (d *sheet) named(name string, f func() *page.Grid) page.Block {
	return d.table(name, func() *page.Grid {
		t := f()
		t.ID, t.Link = "t-"+name, "t-"+name
		return t
	})
}

// fold is a named table that opens on demand; the disclosure has the anchor.
func (d *sheet) fold(name, summary string, f func() *page.Grid) *page.Details {
	de := d.details(name, summary, func() *page.Grid {
		t := f()
		t.Link = "t-" + name
		return t
	})
	de.ID = "t-" + name
	return de
}

func (d *sheet) fragment(name string, f func(m *page.Markup)) string {
	d.page.Fragments[name] = page.FragmentOf(f)
	return name
}

// chart adds the fragment of a chart, in the given sizes.
func (d *sheet) chart(id string, f func() *chart.Chart, sizes ...chart.Size) string {
	return d.fragment("chart-"+id, func(m *page.Markup) {
		cs := []*chart.Chart{f()}
		said := d.thin(cs, chartPoints, len(sizes))
		m.Draw(func(w io.Writer) error { return cs[0].Inline(w, id, sizes...) })
		if said != "" {
			m.Elem("p", "what", said)
		}
	})
}

// A figure of a page is drawn whole up to so many marks, each drawing of it counted, and lines of [mostListed]: a browser
// takes long to draw more, and a reader to load them. One that has more keeps so many points: a page may have a chart for
// each of ten metrics, in two sizes each, but panels once, which are many charts in one size.
const (
	mostMarks   = 1600
	chartPoints = 200
	panelPoints = 1200
)

// thin leaves out points of the charts of a figure that has too many for a page, and says so; else it says nothing.
func (d *sheet) thin(cs []*chart.Chart, points, sizes int) (said string) {
	all, longest, lines := marksOf(cs)
	if d.whole || all*sizes <= mostMarks && longest <= mostListed {
		return ""
	}
	for i, c := range cs {
		cs[i] = c.Thinned(points / lines)
	}
	if drawn, _, _ := marksOf(cs); drawn < all {
		said = "Drawn are " + metric.Count(drawn) + " of " + metric.Count(all) + " points, spread along the axis, with " +
			"the highest and the lowest of each line. The tables of points have all."
	}
	return said
}

// marksOf are how many points some charts have, how many the longest of their lines, and how many lines there are.
func marksOf(cs []*chart.Chart) (points, longest, lines int) {
	for _, c := range cs {
		for _, p := range c.Panels {
			lines += len(p.Series)
			for _, s := range p.Series {
				points, longest = points+len(s.Points), max(longest, len(s.Points))
			}
		}
	}
	return points, longest, lines
}

// svgPath is the file of a chart of the page.
func (d *sheet) svgPath(id string) string { return string(d.Place) + "/" + id + ".svg" }

// figure is a single chart with its caption. Where a drawing would tell no more than the numbers, they stand alone
// below the caption.
func (d *sheet) figure(id string, finding claim.Sentence, what string, f func() *chart.Chart,
	sizes ...chart.Size) *page.Figure {
	fig := &page.Figure{ID: id, Finding: d.states(finding)}
	if !f().Worth() {
		return fig
	}
	fig.What, fig.Chart = page.Glue(what), d.chart(id, f, sizes...)
	fig.Files = []page.Link{d.file(id, "SVG file", f)}
	return fig
}

// file adds the file of a chart, which need not stand on the page, and returns a link to it.
func (d *sheet) file(id, text string, f func() *chart.Chart) page.Link {
	d.svgs = append(d.svgs, svgGroup{d.svgPath(id), []string{id}, func() []*chart.Chart { return []*chart.Chart{f()} }})
	return page.Link{Text: text, Href: d.File(d.svgPath(id))}
}

// panel is one of several small charts that stand side by side in one figure.
type panel struct {
	id, title, what string
	chart           *chart.Chart
}

// panels is a figure of small charts, whose titles are given ahead because they are only drawn
// when the page is written. They share their axes; a common key stands above them
// where there is more than one series.
func (d *sheet) panels(id string, finding claim.Sentence, what string, size chart.Size, key bool, titles []string,
	f func() []panel) *page.Figure {
	fig := &page.Figure{ID: id, Finding: d.states(finding), What: page.Glue(what)}
	fig.Chart = d.fragment("chart-"+id, func(m *page.Markup) {
		ps := f()
		cs := make([]*chart.Chart, len(ps))
		for i, p := range ps {
			cs[i] = p.chart
		}
		if key {
			m.Draw(func(w io.Writer) error { return chart.WriteKey(w, chart.KeyOf(cs...)) })
		}
		said := d.thin(cs, panelPoints, 1)
		m.Raw(`<div class=panels>`)
		for i, p := range ps {
			m.Raw(`<div class=panel`)
			m.Attr("id", p.id)
			m.Raw(">")
			m.Elem("h3", "", p.title)
			if p.what != "" {
				m.Elem("p", "what", p.what)
			}
			if key {
				m.Draw(func(w io.Writer) error { return cs[i].InlineKeyless(w, id+"-"+p.id, size) })
			} else {
				m.Draw(func(w io.Writer) error { return cs[i].Inline(w, id+"-"+p.id, size) })
			}
			m.Raw("</div>")
		}
		m.Raw("</div>")
		if said != "" {
			m.Elem("p", "what", said)
		}
	})
	file := d.File(d.svgPath(id))
	names := []string{id}
	fig.Files = []page.Link{{Text: "SVG file", Href: file}}
	if len(titles) > 1 {
		names = nil
		for i, title := range titles {
			names = append(names, id+"-"+itoa(i+1))
			fig.SVGs = append(fig.SVGs, page.Link{Text: title, Href: file + "#" + chart.StackID(i)})
		}
	}
	d.svgs = append(d.svgs, svgGroup{d.svgPath(id), names, func() []*chart.Chart {
		var cs []*chart.Chart
		for _, p := range f() {
			cs = append(cs, p.chart)
		}
		return cs
	}})
	return fig
}

// pager adds links to the neighbours of a thing among others of its kind; none where it is alone.
func pager[T comparable](d *sheet, of string, among []T, self T, link func(T) *page.Link) {
	i := slices.Index(among, self)
	if i < 0 || len(among) < 2 {
		return
	}
	pg := page.Pager{Of: of}
	if i > 0 {
		pg.Previous = link(among[i-1])
	}
	if i+1 < len(among) {
		pg.Next = link(among[i+1])
	}
	d.view.Pagers = append(d.view.Pagers, pg)
}

// inPairs sets figures side by side, the last of an odd number alone.
func inPairs(figs []page.Figure) (blocks []page.Block) {
	figs = slices.DeleteFunc(figs, func(f page.Figure) bool { return bare(&f) })
	for pair := range slices.Chunk(figs, 2) {
		if len(pair) == 1 {
			blocks = append(blocks, page.Block{Figure: &pair[0]})
		} else {
			blocks = append(blocks, page.Block{Pair: pair})
		}
	}
	return blocks
}

func panelTitles(ps []panel) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.title)
	}
	return out
}
