package data

import (
	"bytes"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Badges are small SVG files to put into the README of an engine or a model: a headline figure of a card. Beside each
// lies the same as JSON for the endpoint of shields.io. There are none where the site's address is not known: who shows
// one names it there, and no page of the site leads to it.

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
func (g *Set) badges(c *figure.Card) []badge {
	r := c.Head()
	if r.Withdrawn != "" {
		return []badge{{name: "status", label: c.Title(), message: "withdrawn", title: c.Title() + ": withdrawn",
			faint: true}}
	}
	if r.Forbidden != "" {
		return []badge{{name: "status", label: c.Title(), message: "not to be believed",
			title: c.Title() + ": not to be believed, " + r.Forbidden, faint: true}}
	}
	var list []badge
	for _, s := range g.Headlines(r) {
		name := strings.TrimPrefix(s.ID, "h-")
		message := s.Value
		for _, w := range []string{s.Unit, badgeWords[name]} {
			if w != "" {
				message += " " + w
			}
		}
		list = append(list, badge{name: name, label: c.Title(), message: message,
			title: c.Title() + ": " + strings.TrimSpace(s.Value+" "+s.Unit) + ", " + s.Name})
	}
	return list
}

// pathBadge is the file of a badge without its extension.
func pathBadge(card string, b badge) string { return path.Join(pathBadges, card, b.name) }

const pathBadges = "badges/"

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
	label, message := view.BadgeText(b.label, 60), view.BadgeText(b.message, 40)
	lw := int(math.Ceil(chart.TextWidth(label, size))) + 2*pad
	mw := int(math.Ceil(chart.TextWidth(message, size))) + 2*pad
	var s bytes.Buffer
	out := func(parts ...string) {
		for _, p := range parts {
			s.WriteString(p)
		}
	}
	full := strconv.Itoa(lw + mw)
	title := page.Escape(strings.Join(strings.Fields(view.PrintableXML(b.title)), " "))
	out(`<svg xmlns="http://www.w3.org/2000/svg" width="`, full, `" height="20" viewBox="0 0 `, full,
		` 20" role="img"><title>`, title, `</title>`)
	out(`<rect width="`, full, `" height="20" rx="3" fill="`, badgeDark, `"/><path d="M`, strconv.Itoa(lw), ` 0v20h`,
		strconv.Itoa(mw-3), `a3 3 0 0 0 3-3v-14a3 3 0 0 0-3-3z" fill="`, b.color(), `"/>`)
	out(`<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Arial,sans-serif" font-size="11">`)
	for _, t := range []struct {
		s     string
		x, wd int
	}{{label, lw / 2, lw - 2*pad}, {message, lw + mw/2, mw - 2*pad}} {
		// The length is fixed, so that any font fits.
		out(`<text x="`, strconv.Itoa(t.x), `" y="14" textLength="`, strconv.Itoa(t.wd),
			`" lengthAdjust="spacingAndGlyphs">`, page.Escape(t.s), `</text>`)
	}
	out("</g></svg>\n")
	_, err := w.Write(s.Bytes())
	return err
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
	}{1, view.BadgeText(b.label, 60), view.BadgeText(b.message, 40), color})
}

// badgeFiles are the badges of a card.
func (g *Set) badgeFiles(c *figure.Card) (files []page.File) {
	for _, b := range g.badges(c) {
		at := pathBadge(c.Slug, b)
		files = append(files, page.File{Path: at + ".svg", Write: b.writeSVG},
			page.File{Path: at + ".json", Write: b.writeEndpoint})
	}
	return files
}

// badgesOf are the badges of a card as its page names them.
func (g *Set) badgesOf(c *figure.Card) []view.Badge {
	var out []view.Badge
	for _, b := range g.badges(c) {
		out = append(out, view.Badge{Path: pathBadge(c.Slug, b), Title: b.title})
	}
	return out
}
