package data

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Atom feeds (RFC 4287) of the newest runs: of the site, each model and each accelerator. An entry
// carries the numbers, so that a reader need not follow the link. Feeds need absolute addresses
// and are left out where no base URL is set.

// feed is one feed before it is written.
type feed struct {
	page  string // the page it belongs to
	title string
	runs  []*figure.Run // the newest first; those without a date are left out
}

// feeds are all feeds of the site, the site's own first. A model or an accelerator none of whose
// runs has a date has none.
func (g *Set) feeds() []feed {
	if g.Base() == "" {
		return nil
	}
	title := g.Title()
	list := []feed{{page.PathHome, title + ": newest runs", view.Dated(g.Index.Identified)}}
	for _, m := range g.Index.Models {
		if runs := view.Dated(m.Runs()); len(runs) > 0 {
			list = append(list, feed{page.PathModel(m.Slug), title + ": " + m.Name, runs})
		}
	}
	for _, h := range g.Index.Hardware {
		if runs := view.Dated(h.Runs()); len(runs) > 0 {
			list = append(list, feed{page.PathAccelerator(h.Slug), title + ": " + h.Accelerator.Name, runs})
		}
	}
	return list
}

// The elements of Atom that are written.
type (
	atomFeed struct {
		XMLName   xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Language  string   `xml:"xml:lang,attr"`
		ID        string   `xml:"id"`
		Title     string   `xml:"title"`
		Subtitle  string   `xml:"subtitle,omitempty"`
		Updated   string   `xml:"updated"`
		Generator string   `xml:"generator"`
		Icon      string   `xml:"icon"`
		Author    atomName `xml:"author"`
		Links     []atomLink
		Entries   []atomEntry
	}
	atomName struct {
		Name string `xml:"name"`
	}
	atomLink struct {
		XMLName xml.Name `xml:"link"`
		Rel     string   `xml:"rel,attr"`
		Type    string   `xml:"type,attr"`
		Href    string   `xml:"href,attr"`
	}
	atomEntry struct {
		XMLName    xml.Name `xml:"entry"`
		ID         string   `xml:"id"`
		Title      string   `xml:"title"`
		Updated    string   `xml:"updated"`
		Link       atomLink
		Categories []atomCategory
		Content    atomContent `xml:"content"`
	}
	atomCategory struct {
		XMLName xml.Name `xml:"category"`
		Term    string   `xml:"term,attr"`
		Label   string   `xml:"label,attr"`
	}
	// atomContent is HTML as text: escaped once more when the feed is written.
	atomContent struct {
		Type string `xml:"type,attr"`
		HTML string `xml:",chardata"`
	}
)

// writeFeed writes a feed. Ids are the addresses of pages, which stay for ever.
func (g *Set) writeFeed(w io.Writer, f feed) error {
	base := g.Base()
	home := base
	if f.page != "" {
		home += f.page + "/"
	}
	// Without an entry there is no date either: the beginning of time is no clock.
	updated := "1970-01-01T00:00:00Z"
	if len(f.runs) > 0 {
		updated = view.AtomTime(f.runs[0].Started)
	}
	a := atomFeed{
		Language: cmp.Or(g.Config.Language, "en"), ID: home, Title: f.title, Subtitle: g.Config.Notice,
		Updated:   updated,
		Generator: "inferdex", Icon: base + "favicon.svg", Author: atomName{g.Title()},
		Links: []atomLink{{Rel: "self", Type: "application/atom+xml", Href: base + view.PathFeed(f.page)},
			{Rel: "alternate", Type: "text/html", Href: home}},
	}
	for _, r := range f.runs {
		at := base + view.PathRun(r.ID) + "/"
		title := r.Card.Title()
		if r.Withdrawn != "" {
			title = "Withdrawn: " + title
		}
		if own := r.OwnName(); own != "" {
			title += ", " + own
		} else if e, _ := view.EngineText(r.Engine); e != "" {
			title += ", " + e
		}
		e := atomEntry{ID: at, Title: title, Updated: view.AtomTime(r.Started), Link: atomLink{Rel: "alternate",
			Type: "text/html", Href: at},
			Content: atomContent{"html", g.entryHTML(r, at)}}
		for _, c := range []atomCategory{{Term: "model:" + r.Model.Slug, Label: r.Model.Name},
			{Term: "hardware:" + r.Hardware.Slug, Label: r.Hardware.Name}, {Term: "engine:" + r.Engine.Name,
				Label: r.Engine.Name}} {
			if c.Label != "" {
				e.Categories = append(e.Categories, c)
			}
		}
		a.Entries = append(a.Entries, e)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(a); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// entryHTML is what an entry says of a run: its figures with their loads, what they show, what
// warns of them, and where they come from.
func (g *Set) entryHTML(r *figure.Run, at string) string {
	var b strings.Builder
	_ = page.FragmentOf(func(m *page.Markup) { // a builder takes everything
		if r.Withdrawn != "" {
			m.Elem("p", "", "Do not use: "+metric.FullStop(r.Withdrawn))
			return
		}
		var about []string
		if e, _ := view.EngineText(r.Engine); e != "" {
			about = append(about, e)
		}
		about = append(about, r.Tool.Name, metric.Plural(len(r.Points), "point"))
		m.Elem("p", "", strings.Join(about, ", ")+".")
		if stats := g.Headlines(r); len(stats) > 0 {
			m.Raw("<table>")
			for _, s := range stats {
				m.Raw("<tr>")
				m.Elem("th", "", s.Name)
				value := strings.TrimSpace(s.Value + " " + s.Unit)
				if s.Warn != "" {
					value += "; " + s.Warn
				}
				m.Elem("td", "", value)
				m.Raw("</tr>")
			}
			m.Raw("</table>")
		}
		for _, f := range r.Errors() {
			m.Elem("p", "", "Not to be believed: "+metric.FullStop(f.Message))
		}
		insights := claim.Sentences(r, g.Arguments)
		if insights = insights[:min(3, len(insights))]; len(insights) > 0 {
			m.Raw("<ul>")
			for _, in := range insights {
				m.Elem("li", "", in.Text())
			}
			m.Raw("</ul>")
		}
		m.Raw("<p>")
		m.Link(at, "All points and their sources")
		m.Raw("</p>")
	})(&b)
	return b.String()
}
