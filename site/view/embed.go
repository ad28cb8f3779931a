package view

import (
	"net/url"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// embed is what one pastes elsewhere to show a card: a frame, and its badges and its first chart as Markdown.
// It needs the site's address, and there is none without it.
func (d *draft) embed(c *figure.Card) {
	code := d.framed(c)
	base := d.g.Base()
	if base == "" || d.g.Beside.Badges == nil {
		return
	}
	badges := d.g.Beside.Badges(c)
	if len(badges) == 0 {
		return
	}
	at := base + page.PathCard(c.Slug) + "/"
	var lines []string
	for _, b := range badges {
		lines = append(lines, markdownPicture(b.Title, base+b.Path+".svg", at))
	}
	for _, s := range d.svgs {
		if len(s.names) == 1 {
			lines = append(lines, markdownPicture(c.Title(), base+s.path, at))
			break
		}
	}
	endpoint := "https://img.shields.io/endpoint?url=" + url.QueryEscape(base+badges[0].Path+".json")
	name := d.fragment("embed", func(m *page.Markup) {
		m.Elem("p", "", "HTML that shows the card in a frame, in the theme of the page around it; #dark or #light "+
			"behind its address forces one:")
		m.Raw(`<pre tabindex="0">`, page.Escape(code), "</pre>")
		m.Elem("p", "",
			"Markdown that shows a figure of this card, and follows it when a newer run is published; each "+
				"links here.")
		m.Raw(`<pre tabindex="0">`)
		for i, l := range lines {
			if i > 0 {
				m.Raw("\n")
			}
			m.Raw(page.Escape(l))
		}
		m.Raw("</pre>")
		m.Elem("p", "", "Beside each badge lies the same as JSON, for badges drawn by shields.io:")
		m.Raw(`<pre tabindex="0">`, page.Escape(markdownPicture(badges[0].Title, endpoint, at)), "</pre>")
	})
	d.section("embed", "Embed", page.Block{Details: &page.Details{Summary: "A frame, " + metric.Plural(len(badges), "badge") +
		" and charts to embed", Fragment: name}})
}

// markdownPicture is a picture that links to a page. The text is foreign, the addresses are ours.
func markdownPicture(alt, picture, page string) string {
	alt = strings.NewReplacer("\\", `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`, "_",
		`\_`).Replace(BadgeText(alt, 200))
	return "[![" + alt + "](" + picture + ")](" + page + ")"
}

// BadgeText is foreign text on one line, without what steers the direction of text, of at most
// most characters.
func BadgeText(s string, most int) string {
	return page.Clip(strings.Join(strings.Fields(PrintableXML(s)), " "), most)
}

// PrintableXML replaces what XML does not allow and drops controls of direction.
func PrintableXML(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			return -1
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
