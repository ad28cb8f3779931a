package site

import (
	"bytes"
	"io"
	"math"
	"net/url"
	"path"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// Badges are small SVG files to put into the README of an engine or a model: a headline figure of
// a card. Beside each lies the same as JSON for the endpoint of shields.io.

// badge is one badge of a card. A card has at most one for each headline figure.
type badge struct {
	// name is the metric in the path: "peak-output-throughput".
	name           string
	label, message string
	// title is the whole of what is said, with the load.
	title string
	faint bool // there is no figure to be quoted
}

// badgeWords tell figures of equal units apart.
var badgeWords = map[string]string{
	"prompt-ingestion-speed":       "prompt",
	"generation-speed-10-parallel": "a request",
	"kv-cache-tokens":              "in KV cache",
	"ttft":                         "TTFT",
	"user":                         "a user",
}

// badges are those of a card's newest run.
func (g *generator) badges(c *figure.Card) []badge {
	r := c.Newest()
	if r.Withdrawn != "" {
		return []badge{{name: "status", label: c.Title(), message: "withdrawn", title: c.Title() + ": withdrawn", faint: true}}
	}
	var list []badge
	for _, s := range g.headlineStats(r) {
		name := strings.TrimPrefix(s.ID, "h-")
		message := s.Value
		for _, w := range []string{s.Unit, badgeWords[name]} {
			if w != "" {
				message += " " + w
			}
		}
		list = append(list, badge{name: name, label: c.Title(), message: message, title: c.Title() + ": " + strings.TrimSpace(s.Value+" "+s.Unit) + ", " + s.Name})
	}
	return list
}

// pathBadge is the file of a badge without its extension.
func pathBadge(card string, b badge) string { return path.Join("badges", card, b.name) }

// The colours of a badge: white text has a contrast of at least 4.5 on both.
const (
	badgeDark  = "#3b424d"
	badgeColor = "#1c449b"
	badgeFaint = "#626c77"
)

func (b badge) color() string {
	if b.faint {
		return badgeFaint
	}
	return badgeColor
}

// writeSVG draws the badge: label and message side by side, 20 pixels high.
func (b badge) writeSVG(w io.Writer) error {
	const size, pad = 11, 7
	label, message := badgeText(b.label, 60), badgeText(b.message, 40)
	lw := int(math.Ceil(chart.TextWidth(label, size))) + 2*pad
	mw := int(math.Ceil(chart.TextWidth(message, size))) + 2*pad
	var s bytes.Buffer
	out := func(parts ...string) {
		for _, p := range parts {
			s.WriteString(p)
		}
	}
	full := itoa(lw + mw)
	title := page.Escape(strings.Join(strings.Fields(printableXML(b.title)), " "))
	out(`<svg xmlns="http://www.w3.org/2000/svg" width="`, full, `" height="20" viewBox="0 0 `, full, ` 20" role="img" aria-label="`, title, `"><title>`, title, `</title>`)
	out(`<clipPath id="r"><rect width="`, full, `" height="20" rx="3"/></clipPath><g clip-path="url(#r)">`)
	out(`<rect width="`, itoa(lw), `" height="20" fill="`, badgeDark, `"/><rect x="`, itoa(lw), `" width="`, itoa(mw), `" height="20" fill="`, b.color(), `"/></g>`)
	out(`<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Arial,sans-serif" font-size="11">`)
	for _, t := range []struct {
		s     string
		x, wd int
	}{{label, lw / 2, lw - 2*pad}, {message, lw + mw/2, mw - 2*pad}} {
		// The length is fixed, so that any font fits.
		out(`<text x="`, itoa(t.x), `" y="14" textLength="`, itoa(t.wd), `" lengthAdjust="spacingAndGlyphs">`, page.Escape(t.s), `</text>`)
	}
	out("</g></svg>\n")
	_, err := w.Write(s.Bytes())
	return err
}

// badgeText is foreign text on one line, without what steers the direction of text, of at most
// most characters.
func badgeText(s string, most int) string {
	return page.Clip(strings.Join(strings.Fields(printableXML(s)), " "), most)
}

// printableXML replaces what XML does not allow and drops controls of direction.
func printableXML(s string) string {
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

// writeEndpoint writes the badge as shields.io reads it.
func (b badge) writeEndpoint(w io.Writer) error {
	color := "informational"
	if b.faint {
		color = "lightgrey"
	}
	return writeJSON(w, struct {
		SchemaVersion int    `json:"schemaVersion"`
		Label         string `json:"label"`
		Message       string `json:"message"`
		Color         string `json:"color"`
	}{1, badgeText(b.label, 60), badgeText(b.message, 40), color})
}

// badgeFiles are the badges of all cards.
func (g *generator) badgeFiles(yield func(page.File) bool) bool {
	for _, c := range g.ix.Cards {
		for _, b := range g.badges(c) {
			if !yield(page.File{Path: pathBadge(c.Slug, b) + ".svg", Write: b.writeSVG}) || !yield(page.File{Path: pathBadge(c.Slug, b) + ".json", Write: b.writeEndpoint}) {
				return false
			}
		}
	}
	return true
}

// embed is what one pastes elsewhere to show a card: its badges and its first chart as Markdown.
// It needs the site's address, and there is none without it.
func (d *draft) embed(c *figure.Card) {
	base := d.g.base()
	badges := d.g.badges(c)
	if base == "" || len(badges) == 0 {
		return
	}
	at := base + page.PathCard(c.Slug) + "/"
	var lines []string
	for _, b := range badges {
		lines = append(lines, markdownPicture(b.title, base+pathBadge(c.Slug, b)+".svg", at))
	}
	for _, s := range d.svgs {
		if len(s.paths) == 1 {
			lines = append(lines, markdownPicture(c.Title(), base+s.paths[0], at))
			break
		}
	}
	endpoint := "https://img.shields.io/endpoint?url=" + url.QueryEscape(base+pathBadge(c.Slug, badges[0])+".json")
	name := d.fragment("embed", func(m *page.Markup) {
		m.Elem("p", "", "Markdown that shows a figure of this card, and follows it when a newer run is published; each links here.")
		m.Raw(`<pre tabindex="0">`)
		for i, l := range lines {
			if i > 0 {
				m.Raw("\n")
			}
			m.Raw(page.Escape(l))
		}
		m.Raw("</pre>")
		m.Elem("p", "", "Beside each badge lies the same as JSON, for badges drawn by shields.io:")
		m.Raw(`<pre tabindex="0">`, page.Escape(markdownPicture(badges[0].title, endpoint, at)), "</pre>")
	})
	d.section("embed", "Embed", page.Block{Details: &page.Details{Summary: page.Plural(len(badges), "badge", "badges") + " and charts to embed", Fragment: name}})
}

// markdownPicture is a picture that links to a page. The text is foreign, the addresses are ours.
func markdownPicture(alt, picture, page string) string {
	alt = strings.NewReplacer("\\", `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`).Replace(badgeText(alt, 200))
	return "[![" + alt + "](" + picture + ")](" + page + ")"
}
