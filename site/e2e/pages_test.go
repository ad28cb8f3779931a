//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestPages looks at the pages of each kind in every way a reader may: both themes, four widths,
// with and without scripts, from a server and from disk.
func TestPages(t *testing.T) {
	for _, c := range []*catalog{demonstration, example, wide} {
		t.Run(c.name, func(t *testing.T) {
			c.need(t)
			for _, p := range c.sample(c.each) {
				t.Run(strings.TrimSuffix(p.path, "/index.html"), func(t *testing.T) {
					t.Parallel()
					lookAt(t, c, p)
				})
			}
		})
	}
}

// observer sums the shifts of the layout that no reader caused.
const observer = `
window.__shift = 0; window.__shifted = [];
new PerformanceObserver(l => { for (const e of l.getEntries()) if (!e.hadRecentInput) {
	window.__shift += e.value;
	for (const s of e.sources) window.__shifted.push(s.node ? (s.node.id || s.node.className || s.node.nodeName) : "?");
}}).observe({type: "layout-shift", buffered: true});`

func lookAt(t *testing.T, c *catalog, p sitePage) {
	b := newTab(t)
	b.before(t, observer)
	said := map[string]bool{}
	report := func(v view, faults []string) {
		for _, f := range faults {
			if !said[f] { // once, though it may be seen in many ways
				said[f] = true
				t.Errorf("%s: %s", v, f)
			}
		}
	}
	axe := hasModules(t)
	for _, load := range []view{
		{width: 390, script: true}, {width: 1440, script: true}, // at both, because a shift depends on the width
		{width: 390}, {width: 1440, script: true, file: true}, {width: 390, file: true},
	} {
		if load.file && p.kind == "notfound" {
			continue // only a server shows it
		}
		v := load
		b.open(t, c, p, v)
		if v.script {
			faults := b.ask(t, "shift()")
			if len(faults) > 0 {
				// What a page does to itself it does each time; rows that a busy machine painted
				// before the rest had come are painted in another way the next time.
				b.open(t, c, p, v)
				faults = b.ask(t, "shift()")
			}
			report(v, faults)
		}
		report(v, b.ask(t, "sideways()"))
		report(v, b.ask(t, "charts()"))
		b.ask(t, "open()")
		for _, width := range []int64{320, 390, 1440, 2560} {
			for _, dark := range []bool{false, true} {
				v.width, v.dark = width, dark
				b.set(t, v)
				report(v, b.ask(t, "sideways()"))
				report(v, b.ask(t, "charts()"))
				// From disk and without scripts it is the same document, and in another theme one of other colours.
				if v.script && !v.file && width == load.width && axe {
					rules := axeRules
					if dark {
						rules = axeColours
					}
					report(v, b.axe(t, rules))
				}
			}
		}
		if v.script && !v.file {
			v.width, v.dark = load.width, load.width == 390
			b.set(t, v)
			b.key(t, "\t") // from here on the browser shows where the focus is
			report(v, b.ask(t, "focus(60)"))
		}
		report(v, b.taken())
	}
	v := view{width: paperWidth, print: true, script: true}
	b.open(t, c, p, v)
	report(v, b.ask(t, "paper()"))
	report(v, b.ask(t, fmt.Sprintf("sideways(%d)", paperShrunk)))
	report(v, b.taken())
}

// A4 within its margins is 718 CSS pixels wide. A browser makes a page smaller that is wider, down
// to two thirds; what is wider still is cut.
const (
	paperWidth  = 718
	paperShrunk = 1080
)
