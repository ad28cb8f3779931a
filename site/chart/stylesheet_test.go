package chart

import (
	"fmt"
	"strings"
)

// chartCSS is the CSS fragment that inline charts need, assets/css/chart.css. It uses the
// custom properties --bg, --ink, --ink2, --ink3, --rule2, --grid, --warn, --warn-bg and --sans of
// the page, and defines --c1 to --c9 for both themes.
func chartCSS() string {
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
		d := l.declarations(func(t string) string { return "var(--" + t + ")" }, true)
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
