package view

import (
	"encoding/json"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// PathEmbedStyle is the style sheet of all cards in frames.
const PathEmbedStyle = "embed.css"

// EmbedStyle is that style sheet. A frame follows the theme of the page around it, or is forced to one by #dark or
// #light behind its address.
const EmbedStyle = `:root{color-scheme:light dark;--bg:#fff;--ink:#16191d;--ink2:#4c5560;--ink3:#626c77;--rule:#dbe0e5;--bar:#1c449b;--track:#e6eaee;--link:#0b57a4;--warn:#8a4b00}
@media (prefers-color-scheme:dark){:root{--bg:#121619;--ink:#e6e9ed;--ink2:#aab3bd;--ink3:#939da8;--rule:#2b3239;--bar:#6aa5fb;--track:#242a30;--link:#7db4f5;--warn:#f0b45c}}
:root:has(#light:target){color-scheme:light;--bg:#fff;--ink:#16191d;--ink2:#4c5560;--ink3:#626c77;--rule:#dbe0e5;--bar:#1c449b;--track:#e6eaee;--link:#0b57a4;--warn:#8a4b00}
:root:has(#dark:target){color-scheme:dark;--bg:#121619;--ink:#e6e9ed;--ink2:#aab3bd;--ink3:#939da8;--rule:#2b3239;--bar:#6aa5fb;--track:#242a30;--link:#7db4f5;--warn:#f0b45c}
*{box-sizing:border-box}html{background:var(--bg);color:var(--ink);font:400 15px/1.4 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;padding:12px 14px 8px;border:1px solid var(--rule);border-radius:3px;min-height:100vh;display:flex;flex-direction:column;overflow-wrap:anywhere}
h1{font-size:17px;line-height:22px;font-weight:650;margin:0}p{margin:0;line-height:20px}.w{color:var(--ink2);font-size:13px;margin-bottom:10px}.warn{color:var(--warn)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{text-align:left;font-weight:400;padding:5px 12px 5px 0;line-height:20px;border-top:1px solid var(--rule);vertical-align:top}thead th{font-size:12px;color:var(--ink3);border:0;padding-top:0}
small{display:block;font-size:12px;line-height:16px;color:var(--ink3)}.n{text-align:right;padding-right:0;white-space:nowrap}.n b{font-weight:650}.b{width:60%}
svg{display:block;width:100%;height:10px;margin:5px 0;background:var(--track);fill:var(--bar)}
footer{margin-top:auto;padding-top:8px;font-size:12px;line-height:20px;color:var(--ink3)}a{color:var(--link);text-underline-offset:.18em;display:inline-block;min-height:24px;line-height:24px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}@media (max-width:430px){.b{width:46%}}
`

// embedWidth is the width of a frame in its code. Its height suits a phone too.
const embedWidth = 640

// embedded is a card as another page shows it in a frame: one table, a link to its evidence and a line on its source.
type embedded struct {
	g           *Site
	card        *figure.Card
	finding     string // what the table says
	of          string // the run that is shown
	warn        string // why nothing is, or what to know of it
	label, unit string // of what bars show
	load        string // the head of the first column
	rows        []embedRow
}

// embedRow is a load, or a headline figure.
type embedRow struct {
	name, note, value string
	warn              bool
	share             float64 // of the largest value; negative without a bar
}

// mostEmbedded is how many loads a frame shows.
const mostEmbedded = 6

// embedOf is what the frame of a card shows: output by load at the workload with the highest, else headline figures.
func (d *draft) embedOf(c *figure.Card) *embedded {
	r := c.Head()
	e := &embedded{g: d.g, card: c}
	if c.Stale != nil {
		e.warn = "Stale: " + c.Stale.Text()
	}
	if engine, _ := EngineText(r.Engine); engine != "" {
		e.of = engine
	}
	switch {
	case r.Withdrawn != "":
		e.warn = "Withdrawn: " + metric.FullStop(r.Withdrawn)
		return e
	case r.Forbidden != "":
		for _, f := range r.Errors() {
			if f.Code == r.Forbidden {
				e.warn = "Not to be believed: " + metric.FullStop(f.Message)
			}
		}
		return e
	}
	m := speedMetric(r)
	list := curves(r, m)
	if len(list) == 0 {
		for _, s := range d.view.Stats {
			note := partsText(s.Note)
			if s.Warn != "" {
				note += "; " + s.Warn
			}
			e.rows = append(e.rows, embedRow{name: s.Name, note: note, warn: s.Warn != "", value: s.Value + " " + s.Unit, share: -1})
		}
		return e
	}
	finding, s := throughputFinding(r, list, m)
	e.finding = finding.Text()
	info, _ := metric.Lookup(m)
	e.label, e.unit, e.load = page.Upper(info.Label), "tok/s", page.Upper(kindOf(s.Axis).noun)
	title := s.Title
	if in, out, _ := s.Lengths(); in > 0 && out > 0 {
		title += " (tokens in → out)"
	}
	e.of = page.Glue(title) + map[bool]string{true: ", "}[e.of != ""] + e.of
	peak, top, _ := s.Peak(m)
	for _, p := range someLoads(s.Points, peak, m) {
		v, _, _ := figure.Central(p, m)
		row := embedRow{name: metric.Chosen(figure.LoadOf(p)), value: metric.Format(v)}
		if top > 0 {
			row.share = v / top
		}
		row.note = incompleteWords(p)
		row.warn = row.note != ""
		e.rows = append(e.rows, row)
	}
	return e
}

// someLoads are at most mostEmbedded of the points that have a metric, one a load: the first, the last, the peak and
// some between them.
func someLoads(all []*catalog.Point, peak *catalog.Point, m metric.ID) []*catalog.Point {
	var points []*catalog.Point
	for _, p := range all {
		_, _, ok := figure.Central(p, m)
		if n := len(points); ok && (n == 0 || figure.LoadOf(points[n-1]) != figure.LoadOf(p) || p == peak) {
			points = append(points, p)
		}
	}
	if len(points) <= mostEmbedded {
		return points
	}
	at, last := slices.Index(points, peak), len(points)-1
	shown := make([]int, mostEmbedded)
	for i := range shown {
		shown[i] = i * last / (mostEmbedded - 1)
	}
	if !slices.Contains(shown, at) {
		near := 1
		for i := 2; i < mostEmbedded-1; i++ {
			if max(shown[i]-at, at-shown[i]) < max(shown[near]-at, at-shown[near]) {
				near = i
			}
		}
		shown[near] = at
		slices.Sort(shown)
	}
	out := make([]*catalog.Point, mostEmbedded)
	for i, j := range shown {
		out[i] = points[j]
	}
	return out
}

func partsText(parts []page.Part) (text string) {
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// write writes the page of the frame.
func (e *embedded) write(m *page.Markup) {
	m.Raw(`<!DOCTYPE html>
<html lang=en><head><meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'none'"><meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1"><meta name=color-scheme content="light dark"><meta name=robots content=noindex>
<title>`)
	m.Text(e.card.Title() + ", in a frame")
	m.Raw(`</title><meta`)
	m.Attr("name", "description")
	m.Attr("content", CardDescription(e.card))
	m.Raw(`><link rel=stylesheet href="../../`, PathEmbedStyle, `"></head>
<body><i id=light class=vh></i><i id=dark class=vh></i>
`)
	m.Elem("h1", "", strings.ReplaceAll(e.card.Title(), " GB", "\u00a0GB"))
	for _, p := range []struct{ class, text string }{{"", e.finding}, {"warn", e.warn}, {"w", e.of}} {
		if p.text != "" {
			m.Elem("p", p.class, p.text)
		}
	}
	if len(e.rows) > 0 {
		e.table(m)
	}
	m.Raw(`<footer><a href=index.html target=_top>`)
	m.Text("All results: " + e.g.Title())
	m.Raw("</a> ")
	m.Elem("span", "", CardDescription(e.card))
	if e.g.Config.Notice != "" {
		m.Raw(" ")
		m.Elem("span", "warn", e.g.Config.Notice)
	}
	m.Raw("</footer></body></html>\n")
}

func (e *embedded) table(m *page.Markup) {
	m.Raw(`<table><caption class=vh>`)
	if e.label == "" {
		m.Text("Headline metrics")
		m.Raw("</caption>")
	} else {
		m.Text(e.label + " by load")
		m.Raw(`</caption><thead><tr><th scope=col>`)
		m.Text(e.load)
		m.Raw(`<th scope=col class=b>`)
		m.Text(e.label)
		m.Raw(`<th scope=col class=n>`)
		m.Text(e.unit)
		m.Raw("</thead>")
	}
	m.Raw("<tbody>")
	for _, r := range e.rows {
		m.Raw("<tr\n><th scope=row>")
		m.Text(r.name)
		if r.share >= 0 {
			width := strconv.FormatFloat(r.share*100, 'f', 1, 64)
			m.Raw(`<td class=b><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden=true>`+
				`<rect width="`, width, `" height="10"/></svg>`)
		}
		if r.note != "" {
			m.Elem("small", map[bool]string{true: "warn"}[r.warn], r.note)
		}
		m.Raw(`<td class=n><b>`)
		m.Text(r.value)
		m.Raw("</b>")
	}
	m.Raw("</tbody></table>\n")
}

// height is how high the frame has to be in pixels, so that nothing of it is cut on a phone.
func (e *embedded) height() int {
	lines := func(text string, perLine int) int { return (utf8.RuneCountInString(text) + perLine - 1) / perLine }
	h := 24 + 22*lines(e.card.Title(), 36) + 20*lines(e.finding, 46) + 20*lines(e.warn, 46) + 20*lines(e.of, 54) + 10
	if e.label != "" {
		h += 25
	}
	for _, r := range e.rows {
		h += 31
		switch {
		case r.share >= 0:
			h += 16 * lines(r.note, 24)
		default:
			h += 20*(max(1, lines(r.name, 26))-1) + 16*lines(r.note, 32)
		}
	}
	return h + 32 + 20*lines(CardDescription(e.card), 60) + 20*lines(e.g.Config.Notice, 54)
}

// code is what another page pastes to show the frame. The texts in it are escaped.
func (e *embedded) code() string {
	at := e.g.Base() + page.PathCard(e.card.Slug) + "/embed.html"
	return `<iframe src="` + template.HTMLEscapeString(at) + `" title="` + template.HTMLEscapeString(BadgeText(e.card.Title(), 200)) +
		`" width="` + itoa(embedWidth) + `" height="` + itoa(e.height()) +
		`" loading="lazy" style="border:0;width:100%;max-width:` + itoa(embedWidth) + `px;color-scheme:light dark"></iframe>`
}

// OEmbed is a card as programs ask for it that show links as what they lead to: https://oembed.com, type rich.
type OEmbed struct {
	Type         string `json:"type"`
	Version      string `json:"version"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
}

// framed adds the frame of a card to the files of its page, and what leads to it, where the site has an address. The
// code to paste is "" without one.
func (d *draft) framed(c *figure.Card) (code string) {
	base := d.g.Base()
	if base == "" {
		return ""
	}
	e := d.embedOf(c)
	at := page.PathCard(c.Slug)
	d.files = append(d.files, page.File{Path: at + "/embed.html", Write: page.FragmentOf(e.write)})
	code = e.code()
	d.files = append(d.files, page.File{Path: at + "/oembed.json", Write: func(w io.Writer) error {
		return json.NewEncoder(w).Encode(OEmbed{Type: "rich", Version: "1.0", Title: c.Title(),
			ProviderName: d.g.Title(), ProviderURL: base, HTML: code, Width: embedWidth, Height: e.height()})
	}})
	d.view.OEmbed = &page.Link{Text: c.Title(), Href: base + at + "/oembed.json"}
	return code
}
