package chart

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// The look of all charts is the one table below. The page's style sheet, the style embedded in a
// self-contained file and the colours of a PNG are made of it.

// theme holds the colours by their names in the page's style sheet.
type theme struct {
	bg, ink, ink2, ink3, rule2, grid, warn, amber string
	series                                        [10]string // from 1
}

var light = theme{
	bg: "#ffffff", ink: "#16191d", ink2: "#4c5560", ink3: "#626c77", rule2: "#87919c", grid: "#e6eaee", warn: "#fdf4e3", amber: "#8a4b00",
	series: [10]string{"", "#1c449b", "#d9700a", "#148068", "#b0589f", "#5f5208", "#1897df", "#3b424d", "#c8264f", "#4a1a10"},
}

var dark = theme{
	bg: "#121619", ink: "#e6e9ed", ink2: "#aab3bd", ink3: "#939da8", rule2: "#69747f", grid: "#242a30", warn: "#261f12", amber: "#f0b45c",
	series: [10]string{"", "#6aa5fb", "#e88f30", "#5fe0ba", "#cf86b7", "#ecd768", "#aad6f1", "#b6bac0", "#e06a7d", "#91682a"},
}

// color resolves a token; slot is used by "s".
func (t *theme) color(token string, slot int) string {
	switch token {
	case "bg":
		return t.bg
	case "ink":
		return t.ink
	case "ink2":
		return t.ink2
	case "ink3":
		return t.ink3
	case "rule2":
		return t.rule2
	case "grid":
		return t.grid
	case "warn-bg":
		return t.warn
	case "warn":
		return t.amber
	case "s":
		if slot < 1 || slot > 9 {
			return t.ink2
		}
		return t.series[slot]
	}
	return ""
}

// dashes of the nine slots; the first is solid.
var dashes = [10][]float64{2: {7, 3.5}, 3: {2, 3.5}, 4: {10, 3, 2, 3}, 5: {5, 5}, 6: {12, 4}, 7: {3, 2, 3, 5}, 8: {1, 3, 6, 3}, 9: {9, 3, 2, 3, 2, 3}}

// look is what one class means. Empty members are inherited from the classes before it on the same
// element.
type look struct {
	class, doc   string
	fill, stroke string // token or "none"
	width        float64
	dash         []float64
	solid        bool // no dash
	round        bool // round ends and joins
	opacity      float64
	size         float64 // of text
	bold, normal bool
	anchor       string
	halo         float64 // width of the stroke in bg behind text
}

var looks = []look{
	{class: "tk", doc: "label of a tick", fill: "ink2", size: 12},
	{class: "ax", doc: "title of an axis", fill: "ink2", size: 12},
	{class: "lb", doc: "name of a series", fill: "ink", size: 12.5, bold: true},
	{class: "sb", doc: "remarks", fill: "ink2", size: 11.5, normal: true},
	{class: "hd", doc: "heading of a drawing that stands alone", fill: "ink", size: 14, bold: true},
	{class: "ky", doc: "name in a key", fill: "ink", size: 12.5},
	{class: "an", doc: "annotation, with a halo", fill: "ink2", size: 11.5, halo: 3},
	{class: "pt", doc: "value or load beside a mark", fill: "ink2", size: 10.5, halo: 2.5},
	{class: "th", doc: "emphasis", fill: "ink", bold: true},
	{class: "nh", doc: "no halo", halo: -1},
	{class: "e", doc: "text that ends at its place", anchor: "end"},
	{class: "m", doc: "text in the middle of its place", anchor: "middle"},
	{class: "gr", doc: "grid line", fill: "none", stroke: "grid", width: 1},
	{class: "mi", doc: "minor grid line", opacity: .6},
	{class: "bl", doc: "axis line, ticks", fill: "none", stroke: "rule2", width: 1},
	{class: "ld", doc: "leader from a line to its name", fill: "none", stroke: "rule2", width: 1},
	{class: "ref", doc: "reference line", fill: "none", stroke: "rule2", width: 1, dash: []float64{3, 3}},
	{class: "rfill", doc: "tinted band", fill: "warn-bg", stroke: "none"},
	{class: "fitl", doc: "fitted line", fill: "none", stroke: "ink", width: 1.6, round: true},
	{class: "chg", doc: "change point", fill: "none", stroke: "ink2", width: 1.4},
	{class: "chh", doc: "arrow head of a change point", fill: "ink2", stroke: "none"},
	{class: "bad", doc: "change for the worse, text", fill: "warn"},
	{class: "badl", doc: "change for the worse, line", stroke: "warn"},
	{class: "ln", doc: "line of a series", fill: "none", stroke: "s", width: 2, round: true},
	{class: "thin", doc: "thinner", width: 1.4},
	{class: "so", doc: "solid whatever the slot", solid: true},
	{class: "mk", doc: "mark", fill: "s", stroke: "bg", width: .8},
	{class: "no", doc: "mark without outline", stroke: "none"},
	{class: "ho", doc: "hollow mark", fill: "bg", stroke: "s", width: 1.6},
	{class: "x", doc: "mark of strokes", fill: "none", stroke: "s", width: 1.8},
	{class: "gone", doc: "beaten point of a frontier", fill: "rule2", stroke: "none"},
	{class: "q", doc: "bar of an interval", fill: "none", stroke: "s", width: 1.5, opacity: .6},
	{class: "area", doc: "filled below a line", fill: "s", stroke: "none", opacity: .16},
	{class: "fillb", doc: "bar", fill: "s", stroke: "none"},
	{class: "dots", doc: "cloud of points", fill: "none", stroke: "s", width: 2.8, round: true, opacity: .5},
	{class: "grey", doc: "cloud of beaten points", stroke: "rule2"},
	{class: "ivh", doc: "halo of an interval over a bar", fill: "none", stroke: "bg", width: 3},
	{class: "iv", doc: "interval over a bar", fill: "none", stroke: "ink", width: 1.2},
	{class: "bg", doc: "ground of a bar in a table cell", fill: "grid", stroke: "none"},
	{class: "wh", doc: "whisker of a bar in a table cell", fill: "none", stroke: "ink", width: 1.3},
	{class: "rt", doc: "tick of a bar in a table cell", fill: "ink2", size: 11},
	{class: "pg", doc: "ground of a self-contained drawing", fill: "bg", stroke: "none"},
}

func trim(v float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 64), "0")
}

func dashText(d []float64) string {
	var b strings.Builder
	for i, v := range d {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(trim(v))
	}
	return b.String()
}

// declarations are the CSS of a look; paint gives the value of a colour token.
func (l *look) declarations(b *strings.Builder, paint func(string) string, colors, rest bool) {
	put := func(k, v string) {
		b.WriteString(k)
		b.WriteByte(':')
		b.WriteString(v)
		b.WriteByte(';')
	}
	color := func(k, t string) {
		if t == "none" {
			if rest {
				put(k, t)
			}
		} else if t != "" && colors {
			if v := paint(t); v != "" {
				put(k, v)
			}
		}
	}
	color("fill", l.fill)
	color("stroke", l.stroke)
	if l.halo > 0 {
		color("stroke", "bg")
	}
	if !rest {
		return
	}
	if l.width > 0 {
		put("stroke-width", trim(l.width))
	}
	if l.dash != nil {
		put("stroke-dasharray", dashText(l.dash))
	}
	if l.solid {
		put("stroke-dasharray", "none")
	}
	if l.round {
		put("stroke-linejoin", "round")
		put("stroke-linecap", "round")
	}
	if l.opacity > 0 {
		put("opacity", trim(l.opacity))
	}
	if l.size > 0 {
		put("font-size", trim(l.size)+"px")
	}
	if l.bold {
		put("font-weight", "600")
	}
	if l.normal {
		put("font-weight", "400")
	}
	if l.anchor != "" {
		put("text-anchor", l.anchor)
	}
	if l.halo > 0 {
		put("paint-order", "stroke")
		put("stroke-width", trim(l.halo)+"px")
		put("stroke-linejoin", "round")
	}
	if l.halo < 0 {
		put("stroke", "none")
	}
}

// StyleSheet is the CSS fragment that inline charts need, assets/css/chart.css. It uses the
// custom properties --bg, --ink, --ink2, --ink3, --rule2, --grid, --warn, --warn-bg and --sans of the page, and
// defines --c1 to --c9 for both themes.
func StyleSheet() string {
	var b strings.Builder
	b.WriteString("/* Charts. Made of the table in site/chart/style.go: go test ./site/chart -update writes it. */\n")
	colors := func(t *theme) {
		b.WriteString("{ ")
		for n := 1; n <= 9; n++ {
			fmt.Fprintf(&b, "--c%d: %s; ", n, t.series[n])
		}
		b.WriteString("}")
	}
	b.WriteString(":root ")
	colors(&light)
	b.WriteString("\n@media screen and (prefers-color-scheme: dark) { :root ")
	colors(&dark)
	b.WriteString(" }\n@media (forced-colors: active) { :root { --grid: GrayText; --rule2: CanvasText; --c1: LinkText; --c2: CanvasText; --c3: VisitedText; --c4: GrayText; --c5: CanvasText; --c6: LinkText; --c7: CanvasText; --c8: VisitedText; --c9: GrayText; } .ch text { forced-color-adjust: auto; } }\n")
	b.WriteString(`@container (max-width: 619.9px) { .ch.big { display: none; } }
@container (min-width: 620px) { .ch.small { display: none; } }
@container (max-width: 439.9px) { .ch.mid { display: none; } }
@container (min-width: 440px) { .ch.min { display: none; } }
.ch { display: block; max-width: 100%; height: auto; font-family: var(--sans); font-size: 12px; font-variant-numeric: tabular-nums; overflow: visible; }
.ch text { fill: var(--ink2); }
`)
	for i := range looks {
		l := &looks[i]
		b.WriteString(scope(l.class))
		b.WriteString(" { ")
		var d strings.Builder
		l.declarations(&d, func(t string) string { return "var(--" + t + ")" }, true, true)
		s := strings.ReplaceAll(strings.ReplaceAll(d.String(), ";", "; "), ":", ": ")
		b.WriteString(s)
		b.WriteString("} /* " + l.doc + " */\n")
	}
	for n := 1; n <= 9; n++ {
		fmt.Fprintf(&b, ".s%d { --s: var(--c%d); }\n", n, n)
	}
	for n := 2; n <= 9; n++ {
		fmt.Fprintf(&b, ".s%d .ln { stroke-dasharray: %s; }\n", n, dashText(dashes[n]))
	}
	b.WriteString(`.s2 .ln.so, .s3 .ln.so, .s4 .ln.so, .s5 .ln.so, .s6 .ln.so, .s7 .ln.so, .s8 .ln.so, .s9 .ln.so { stroke-dasharray: none; }
.bar, .sw, .mkr { display: inline-block; vertical-align: middle; overflow: visible; }
.mkr { vertical-align: -1px; margin-right: .4rem; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .8125rem; color: var(--ink); margin: 0 0 .5rem; padding: 0; }
.key li { display: flex; align-items: center; gap: .4rem; }
.key .sw { display: block; flex: none; }
`)
	return b.String()
}

// scope is the selector of a class. Those that modify a mark need to win over it.
func scope(class string) string {
	switch class {
	case "ln", "mk", "q", "fillb":
		return "." + class
	case "thin", "so":
		return ".ln." + class
	case "no", "ho", "x", "gone":
		return ".mk." + class
	case "grey":
		return ".ch .dots." + class
	case "gr", "bl", "m":
		return ":is(.ch, .bar) ." + class
	case "mi":
		return ".ch .gr.mi"
	case "bg", "wh", "rt":
		return ".bar ." + class
	case "nh":
		return ".ch .an.nh"
	}
	return ".ch ." + class
}

// alone is scope in a drawing of its own: it has no bars, and not every viewer of SVG files knows :is.
func alone(class string) string { return strings.Replace(scope(class), ":is(.ch, .bar)", ".ch", 1) }

// embedded is the style sheet of a self-contained drawing that uses the slots. Colours are written out: not every
// viewer of SVG files knows custom properties.
func embedded(used [10]bool) string {
	var b strings.Builder
	b.WriteString(`.ch{font:12px -apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}`)
	for i := range looks {
		var d strings.Builder
		looks[i].declarations(&d, nil, false, true)
		if d.Len() > 0 {
			b.WriteString(alone(looks[i].class) + "{" + strings.TrimSuffix(d.String(), ";") + "}")
		}
	}
	for n := 2; n <= 9; n++ {
		if used[n] {
			fmt.Fprintf(&b, ".s%d .ln{stroke-dasharray:%s}.s%d .ln.so{stroke-dasharray:none}", n, dashText(dashes[n]), n)
		}
	}
	themed(&b, &light, used)
	b.WriteString("@media (prefers-color-scheme:dark){")
	themed(&b, &dark, used)
	b.WriteString("}")
	return b.String()
}

func themed(b *strings.Builder, t *theme, used [10]bool) {
	b.WriteString(".ch text{fill:" + t.ink2 + "}")
	for i := range looks {
		l := &looks[i]
		var d strings.Builder
		l.declarations(&d, func(tok string) string {
			if tok == "s" {
				return ""
			}
			return t.color(tok, 0)
		}, true, false)
		if d.Len() > 0 {
			b.WriteString(alone(l.class) + "{" + strings.TrimSuffix(d.String(), ";") + "}")
		}
	}
	for n := 1; n <= 9; n++ {
		if used[n] {
			s := ".s" + strconv.Itoa(n)
			fmt.Fprintf(b, "%s .ln,%s .q,%s .dots,%s .mk.ho,%s .mk.x{stroke:%s}%s .mk:not(.ho):not(.x):not(.gone),%s .area,%s .fillb{fill:%s}", s, s, s, s, s, t.series[n], s, s, s, t.series[n])
		}
	}
}

// paintOf resolves the classes of an element to one look with colours, for a raster.
func paintOf(classes string, slot int, t *theme) (l look, fill, stroke drawing.Color) {
	l.fill, l.stroke, l.opacity = "none", "none", 1
	dashed := false
	for class := range strings.FieldsSeq(classes) {
		for i := range looks {
			m := &looks[i]
			if m.class != class {
				continue
			}
			if m.fill != "" {
				l.fill = m.fill
			}
			if m.stroke != "" {
				l.stroke = m.stroke
			}
			if m.width > 0 {
				l.width = m.width
			}
			if m.dash != nil {
				l.dash, dashed = m.dash, true
			}
			if m.solid {
				l.dash, dashed = nil, true
			}
			if m.opacity > 0 {
				l.opacity = m.opacity
			}
			if m.size > 0 {
				l.size = m.size
			}
			if m.anchor != "" {
				l.anchor = m.anchor
			}
			l.bold = (l.bold || m.bold) && !m.normal
			if class == "ln" && !dashed && slot > 0 && slot <= 9 {
				l.dash = dashes[slot]
			}
		}
	}
	return l, rgba(t.color(l.fill, slot), l.opacity), rgba(t.color(l.stroke, slot), l.opacity)
}

func rgba(hex string, opacity float64) drawing.Color {
	if len(hex) != 7 {
		return drawing.Color{}
	}
	c := drawing.ColorFromHex(hex[1:])
	c.A = uint8(opacity*255 + .5)
	return c
}
