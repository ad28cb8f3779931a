package chart

import (
	"fmt"
	"strconv"
	"strings"
)

func trim(v float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 64), "0")
}

func dashText(d []float64) string {
	out := make([]string, len(d))
	for i, v := range d {
		out[i] = trim(v)
	}
	return strings.Join(out, " ")
}

// declarations are the CSS of a look: its colours, of which paint gives the values, and the rest.
func (l *look) declarations(paint func(token string) string, colors, rest bool) string {
	var b strings.Builder
	put := func(when bool, name, value string) {
		if when && value != "" {
			b.WriteString(name + ":" + value + ";")
		}
	}
	color := func(name, token string) {
		switch {
		case token == "none":
			put(rest, name, token)
		case token != "" && colors:
			put(true, name, paint(token))
		}
	}
	color("fill", l.fill)
	color("stroke", l.stroke)
	if l.halo > 0 {
		color("stroke", "bg")
	}
	if !rest {
		return b.String()
	}
	put(l.width > 0, "stroke-width", trim(l.width))
	put(l.dash != nil, "stroke-dasharray", dashText(l.dash))
	put(l.solid, "stroke-dasharray", "none")
	put(l.round, "stroke-linejoin", "round")
	put(l.round, "stroke-linecap", "round")
	put(l.opacity > 0, "opacity", trim(l.opacity))
	put(l.size > 0, "font-size", trim(l.size)+"px")
	put(l.bold, "font-weight", "600")
	put(l.normal, "font-weight", "400")
	put(true, "text-anchor", l.anchor)
	put(l.halo > 0, "paint-order", "stroke")
	put(l.halo > 0, "stroke-width", trim(l.halo)+"px")
	put(l.halo > 0, "stroke-linejoin", "round")
	put(l.halo < 0, "stroke", "none")
	return b.String()
}

// StyleSheet is the CSS fragment that inline charts need, assets/css/chart.css. It uses the
// custom properties --bg, --ink, --ink2, --ink3, --rule2, --grid, --warn, --warn-bg and --sans of
// the page, and defines --c1 to --c9 for both themes.
func StyleSheet() string {
	var b strings.Builder
	colors := func(of func(slot int) string) string {
		var b strings.Builder
		for n := 1; n <= maxSeries; n++ {
			fmt.Fprintf(&b, "--c%d: %s; ", n, of(n))
		}
		return b.String()
	}
	forced := []string{
		"", "LinkText", "CanvasText", "VisitedText", "GrayText", "CanvasText", "LinkText", "CanvasText", "VisitedText",
		"GrayText",
	}
	b.WriteString("/* Charts. Made of the table in site/chart/style.go: go test ./site/chart -update writes it. */\n" +
		":root { " + colors(func(n int) string { return light.series[n] }) + "}\n" +
		"@media screen and (prefers-color-scheme: dark) { :root { " +
		colors(func(n int) string { return dark.series[n] }) + "} }\n" +
		"@media (forced-colors: active) { :root { --grid: GrayText; --rule2: CanvasText; " +
		colors(func(n int) string { return forced[n] }) + "} .ch text { forced-color-adjust: auto; } }\n" +
		`@container (max-width: 619.9px) { .ch.big { display: none; } }
@container (min-width: 620px) { .ch.small { display: none; } }
@container (max-width: 439.9px) { .ch.mid { display: none; } }
@container (min-width: 440px) { .ch.min { display: none; } }
.ch { display: block; max-width: 100%; height: auto; font-family: var(--sans); font-size: 12px; ` +
		`font-variant-numeric: tabular-nums; overflow: visible; }
.ch text { fill: var(--ink2); }
`)
	apart := strings.NewReplacer(";", "; ", ":", ": ")
	for i := range looks {
		l := &looks[i]
		d := l.declarations(func(t string) string { return "var(--" + t + ")" }, true, true)
		b.WriteString(scope(l.class) + " { " + apart.Replace(d) + "} /* " + l.doc + " */\n")
	}
	for n := 1; n <= maxSeries; n++ {
		fmt.Fprintf(&b, ".s%d { --s: var(--c%d); }\n", n, n)
	}
	var solid []string
	for n := 2; n <= maxSeries; n++ {
		fmt.Fprintf(&b, ".s%d .ln { stroke-dasharray: %s; }\n", n, dashText(dashes[n]))
		solid = append(solid, fmt.Sprintf(".s%d .ln.so", n))
	}
	b.WriteString(strings.Join(solid, ", ") + ` { stroke-dasharray: none; }
.bar, .sw, .mkr { display: inline-block; vertical-align: middle; overflow: visible; }
.mkr { vertical-align: -1px; margin-right: .4rem; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .8125rem; ` +
		`color: var(--ink); margin: 0 0 .5rem; padding: 0; }
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

// embedded is the style sheet of a self-contained drawing that uses the slots. Colours are written
// out: not every viewer of SVG files knows custom properties.
func embedded(used [maxSeries + 1]bool) string {
	var b strings.Builder
	b.WriteString(`.ch{font:12px -apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;` +
		`font-variant-numeric:tabular-nums}`)
	rules(&b, nil, false, true)
	for n := 2; n <= maxSeries; n++ {
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

// rules writes the looks of a drawing of its own: it has no bars, and not every viewer of SVG files
// knows :is.
func rules(b *strings.Builder, paint func(token string) string, colors, rest bool) {
	for i := range looks {
		if d := looks[i].declarations(paint, colors, rest); d != "" {
			selector := strings.Replace(scope(looks[i].class), ":is(.ch, .bar)", ".ch", 1)
			b.WriteString(selector + "{" + strings.TrimSuffix(d, ";") + "}")
		}
	}
}

// themed writes the colours of a theme for a drawing of its own.
func themed(b *strings.Builder, t *theme, used [maxSeries + 1]bool) {
	b.WriteString(".ch text{fill:" + t.tokens["ink2"] + "}")
	rules(b, func(token string) string { return t.tokens[token] }, true, false)
	for n := 1; n <= maxSeries; n++ {
		if used[n] {
			slot := strings.NewReplacer("S", ".s"+strconv.Itoa(n), "C", t.series[n])
			b.WriteString(slot.Replace("S .ln,S .q,S .dots,S .mk.ho,S .mk.x{stroke:C}" +
				"S .mk:not(.ho):not(.x):not(.gone),S .area,S .fillb{fill:C}"))
		}
	}
}
