package page

import (
	"bytes"
	"io"
	"strconv"
)

// Sectioned is a view whose sections are written by [WriteSections], since a layout that goes through each of their
// pieces is slow.
type Sectioned interface {
	// Bodies are the sections by the key that the view has them under, and what the view is without them.
	Bodies() (rest any, bodies map[string][]Section)
}

// Bodies is that of [Sectioned].
func (v ReportView) Bodies() (any, map[string][]Section) {
	bodies := map[string][]Section{"sections": v.Sections}
	v.Sections = nil
	return v, bodies
}

// Bodies is that of [Sectioned].
func (v DropView) Bodies() (any, map[string][]Section) {
	bodies := map[string][]Section{"sections": v.Sections}
	v.Sections = nil
	return v, bodies
}

// Bodies is that of [Sectioned].
func (v HomeView) Bodies() (any, map[string][]Section) {
	bodies := map[string][]Section{"sections": v.Sections, "columns": v.Columns}
	v.Sections, v.Columns = nil, nil
	return v, bodies
}

// WriteSections writes sections with their headings to w. Fill writes a fragment of the page to w.
func WriteSections(w *bytes.Buffer, sections []Section, fill func(name string) error) error {
	return FragmentOf(func(m *Markup) {
		b := body{m, fill}
		for _, s := range sections {
			m.Raw("<section")
			m.Attr("id", s.ID)
			m.Raw("><h2>")
			m.place(s.ID, Broken(s.Title))
			m.Raw("</h2>\n")
			for i := range s.Blocks {
				b.block(&s.Blocks[i])
			}
			m.Raw("</section>\n")
		}
	})(w)
}

// body is where sections are written.
type body struct {
	*Markup
	fill func(name string) error
}

func (m body) fragment(name string) {
	m.Draw(func(io.Writer) error { return m.fill(name) })
}

// place writes a heading, escaped already, as the link to what it heads; as text where that has no id. A style sets the
// sign of such links behind it.
func (m *Markup) place(id, heading string) {
	if id == "" {
		m.Raw(heading)
		return
	}
	m.Raw("<a")
	m.Attr("href", "#"+id)
	m.Raw(">", heading, "</a>")
}

// block writes the one member that a block has.
func (m body) block(b *Block) {
	if b.Text != nil {
		m.Raw("<p")
		if len(b.Text) == 1 && b.Text[0].Href != "" {
			m.Raw(` class=go`)
		}
		m.Raw(">")
		m.Sentence(b.Text)
		m.Raw("</p>\n")
	}
	if h := b.Heading; h != nil {
		m.Raw("<h3")
		m.Attr("id", h.ID)
		m.Raw(">")
		m.place(h.ID, Escape(h.Text))
		m.Raw("</h3>\n")
	}
	m.says(b.Says)
	if b.Figure != nil {
		m.figure(b.Figure)
		m.Raw("\n")
	}
	if b.Pair != nil {
		m.Raw("<div class=pair>")
		for i := range b.Pair {
			m.figure(&b.Pair[i])
		}
		m.Raw("</div>\n")
	}
	if b.Table != "" {
		m.fragment(b.Table)
		m.Raw("\n")
	}
	if b.Details != nil {
		m.details(b.Details)
		m.Raw("\n")
	}
	if b.Group != nil {
		m.Raw("<div class=datas>")
		for i := range b.Group {
			m.details(&b.Group[i])
		}
		m.Raw("</div>\n")
	}
	if b.Code != nil {
		m.Raw("<pre tabindex=0>")
		for i, line := range b.Code {
			if i > 0 {
				m.Raw("\n")
			}
			if line.Comment {
				m.Raw("<span class=c># ", Escape(line.Text), "</span>")
			} else {
				m.Raw(Escape(line.Text))
			}
		}
		m.Raw("</pre>\n")
	}
	if q := b.Quote; q != nil {
		m.Raw("<blockquote><p>", Escape(q.Text), "</p>")
		if q.Author != "" {
			m.Raw("<p class=mut>", Escape(q.Author), "</p>")
		}
		m.Raw("</blockquote>\n")
	}
	if b.List != nil {
		m.Raw("<ul class=list>")
		for _, item := range b.List {
			m.Raw("<li>")
			m.Sentence(item)
		}
		m.Raw("</ul>\n")
	}
}

// says writes statements, those of one topic below it.
func (m body) says(list []Sentence) {
	if len(list) == 0 {
		return
	}
	m.Raw("<dl class=says>")
	last := ""
	for _, s := range list {
		if s.Topic != last {
			m.Raw("<dt")
			if s.Warn {
				m.Raw(` class=w`)
			}
			m.Attr("id", s.ID)
			m.Raw(">", Escape(s.Topic))
		}
		last = s.Topic
		m.Raw("<dd>")
		m.Sentence(s.Parts)
	}
	m.Raw("</dl>\n")
}

// figure writes a chart with its caption, notes, table of numbers and files.
func (m body) figure(f *Figure) {
	m.Raw("<figure class=fig")
	m.Attr("id", f.ID)
	m.Raw("><figcaption><p class=find>")
	m.Sentence(f.Finding.parts)
	m.Raw(" <a class=pin")
	m.Attr("href", "#"+f.ID)
	m.Raw(` aria-label="Link to this chart">#</a>`)
	m.Raw("</p>")
	if f.What != "" {
		m.Raw("<p class=what>", Escape(f.What), "</p>")
	}
	m.Raw("</figcaption>\n")
	if f.Chart != "" {
		m.Raw(`<div class="plot`)
		if len(f.Notes) > 0 {
			m.Raw(" noted")
		}
		m.Raw(`"><div class=art>`)
		m.fragment(f.Chart)
		m.Raw("</div>")
		m.notes(f.Notes)
		m.Raw("</div>")
		if f.Data != nil {
			m.details(f.Data)
		}
	} else {
		if f.Data != nil {
			m.fragment(f.Data.Fragment)
		}
		m.notes(f.Notes)
	}
	m.files(f.Files)
	if len(f.SVGs) > 0 {
		m.Raw("<details class=data><summary>", "Each of the ", strconv.Itoa(len(f.SVGs)), " drawings</summary>")
		m.files(f.SVGs)
		m.Raw("</details>")
	}
	m.Raw("</figure>")
}

func (m body) notes(list [][]Part) {
	if len(list) == 0 {
		return
	}
	m.Raw("<div class=notes>")
	for _, n := range list {
		m.Raw("<p>")
		m.Sentence(n)
		m.Raw("</p>")
	}
	m.Raw("</div>")
}

func (m body) files(list []Link) {
	if len(list) == 0 {
		return
	}
	m.Raw("<p class=tools>")
	for _, l := range list {
		m.Raw("<a")
		m.Attr("href", leading(l.Href))
		m.Attr("title", l.Title)
		m.Raw(">", Escape(l.Text), "</a>")
	}
	m.Raw("</p>")
}

// details writes a fragment that opens on demand.
func (m body) details(d *Details) {
	m.Raw(`<details class=data`)
	m.Attr("id", d.ID)
	m.Raw("><summary>", Escape(d.Summary), "</summary>")
	m.fragment(d.Fragment)
	m.Raw("</details>")
}
