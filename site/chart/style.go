package chart

// The look of all charts is the tables below. The page's style sheet, the style embedded in a
// self-contained file and the colours of a PNG are made of them.

// theme holds the colours by their names in the page's style sheet, and those of the slots from 1.
type theme struct {
	tokens map[string]string
	series [maxSeries + 1]string
}

var light = theme{
	tokens: map[string]string{
		"bg": "#ffffff", "ink": "#16191d", "ink2": "#4c5560", "ink3": "#626c77", "rule2": "#87919c", "grid": "#e6eaee",
		"warn-bg": "#fdf4e3", "warn": "#8a4b00",
	},
	series: [...]string{
		"", "#1c449b", "#d9700a", "#148068", "#b0589f", "#5f5208", "#1897df", "#3b424d", "#c8264f", "#4a1a10",
	},
}

var dark = theme{
	tokens: map[string]string{
		"bg": "#121619", "ink": "#e6e9ed", "ink2": "#aab3bd", "ink3": "#939da8", "rule2": "#69747f", "grid": "#242a30",
		"warn-bg": "#261f12", "warn": "#f0b45c",
	},
	series: [...]string{
		"", "#6aa5fb", "#e88f30", "#5fe0ba", "#cf86b7", "#ecd768", "#aad6f1", "#b6bac0", "#e06a7d", "#91682a",
	},
}

// color resolves a token; slot is used by "s".
func (t *theme) color(token string, slot int) string {
	switch {
	case token != "s":
		return t.tokens[token]
	case slot < 1 || slot > maxSeries:
		return t.tokens["ink2"]
	}
	return t.series[slot]
}

// dashes of the nine slots; the first is solid.
var dashes = [maxSeries + 1][]float64{
	2: {7, 3.5}, 3: {2, 3.5}, 4: {10, 3, 2, 3}, 5: {5, 5}, 6: {12, 4}, 7: {3, 2, 3, 5}, 8: {1, 3, 6, 3},
	9: {9, 3, 2, 3, 2, 3},
}

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

// plain is the look of text without a class of its own: labels of ticks, titles of axes.
var plain = look{fill: "ink2", size: 12}

var looks = []look{
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
	{class: "bn", doc: "bar of no series", fill: "rule2", stroke: "none"},
	{class: "wh", doc: "whisker of a bar in a table cell", fill: "none", stroke: "ink", width: 1.3},
	{class: "ud", doc: "what is not judged", fill: "none", stroke: "rule2", dash: []float64{1, 2}},
	{class: "rt", doc: "tick of a bar in a table cell", fill: "ink2", size: 11},
	{class: "ra", doc: "load of a strip that is the answer", fill: "ink", size: 11, bold: true},
	{class: "pg", doc: "ground of a self-contained drawing", fill: "bg", stroke: "none"},
}
