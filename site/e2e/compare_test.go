//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// listedRun is a run as the page of comparisons offers it.
type listedRun struct {
	id, name string
	classes  []int
}

// listed reads the list of runs of a site.
func (c *catalog) listed(t *testing.T) []listedRun {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, "compare", "runs.js"))
	if err != nil {
		t.Fatal(err)
	}
	s := strings.TrimSuffix(strings.TrimPrefix(string(data), "inferdex.runs("), ");\n")
	var list struct {
		Models [][]string
		Runs   [][]any
	}
	if err := json.Unmarshal([]byte(s), &list); err != nil {
		t.Fatal(err)
	}
	var out []listedRun
	for _, r := range list.Runs {
		l := listedRun{id: r[0].(string), name: list.Models[int(r[1].(float64))][0]}
		for _, c := range r[6].([]any) {
			l.classes = append(l.classes, int(c.(float64)))
		}
		out = append(out, l)
	}
	return out
}

// alike finds n runs that share a class, or that share none with each other.
func alike(runs []listedRun, n int, share bool) []string {
	for _, a := range runs {
		if len(a.classes) == 0 {
			continue
		}
		chosen := []listedRun{a}
		for _, b := range runs {
			fits := b.id != a.id && len(b.classes) > 0
			for _, o := range chosen {
				fits = fits && slices.ContainsFunc(o.classes,
					func(c int) bool { return slices.Contains(b.classes, c) }) == share
			}
			if fits && len(chosen) < n {
				chosen = append(chosen, b)
			}
		}
		if len(chosen) == n {
			var ids []string
			for _, c := range chosen {
				ids = append(ids, c.id)
			}
			return ids
		}
	}
	return nil
}

// compares opens the page of comparisons with a choice of runs and waits until it is shown.
func (b *tab) compares(t *testing.T, c *catalog, v view, ids ...string) {
	t.Helper()
	b.open(t, c, sitePage{path: "compare/index.html#" + strings.Join(ids, ","), kind: "comparisons"}, v)
	b.until(t, `document.querySelector("#parameters")`)
	b.until(t,
		`document.querySelectorAll("#compare-result .art").length === document.querySelectorAll("#compare-result .art > svg").length`)
}

// TestCompare chooses runs with the keyboard, and by the address, from a server and from disk.
func TestCompare(t *testing.T) {
	c := example
	c.need(t)
	runs := c.listed(t)
	three := alike(runs, 3, true)
	apart := alike(runs, 2, false)
	if three == nil || apart == nil {
		t.Fatalf("of %d runs no three share a workload, or no two share none", len(runs))
	}
	const chosen = `[...document.querySelectorAll(".chosen li")].map(l => l.textContent)`
	for _, file := range []bool{false, true} {
		v := view{width: 1440, script: true, file: file}
		run := func(name string, test func(*testing.T, *tab)) { inTab(t, name, file, test) }

		run("keyboard", func(t *testing.T, b *tab) {
			b.open(t, c, c.pageOf(t, "comparisons"), v)
			b.until(t, `document.querySelector("#compare-find")`)
			evaluate[bool](t, b, `(document.querySelector("#compare-find").focus(), true)`)
			options := `[...document.querySelectorAll("#compare-options [role=option]")].map(o => o.textContent)`
			for i, id := range three[:2] {
				b.key(t, id)
				b.until(t,
					`document.querySelector("#compare-find[aria-expanded=true]") && document.querySelectorAll("#compare-options [role=option]").length === 1`)
				if got := evaluate[[]string](t, b, options); !strings.Contains(got[0], id) {
					t.Fatalf("the option for %s is %q", id, got[0])
				}
				b.key(t, kb.ArrowDown)
				if got := evaluate[string](t, b,
					`document.getElementById(document.querySelector("#compare-find").getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") ?? "none"`); got != "true" {
					t.Errorf("the arrow selects %s", got)
				}
				b.key(t, kb.Enter)
				b.until(t, fmt.Sprintf(`document.querySelectorAll(".chosen li").length === %d`, i+1))
				if got := evaluate[string](t, b, `location.hash`); got != "#"+strings.Join(three[:i+1], ",") {
					t.Errorf("the address says %s", got)
				}
				if !evaluate[bool](t, b,
					`document.activeElement.id === "compare-find" && document.activeElement.value === ""`) {
					t.Error("the box is not ready for the next run")
				}
			}
			b.until(t, `document.querySelector("#side table")`)
			// An offer, a walk over a chart, then the second run is taken out again: all with keys.
			evaluate[bool](t, b, `(document.querySelector(".coffers button").focus(), true)`)
			b.key(t, kb.Enter)
			b.until(t, `document.querySelectorAll(".chosen li").length === 3`)
			b.until(t, `document.querySelector("#compare-result svg.ch [tabindex='0']")`)
			b.key(t, kb.Tab)
			evaluate[bool](t, b, `(document.querySelector("#compare-result svg.ch [tabindex='0']").focus(), true)`)
			b.key(t, kb.ArrowRight)
			if !evaluate[bool](t, b, `!!document.querySelector(".tip")?.checkVisibility()`) {
				t.Error("a mark with the focus has no tooltip")
			}
			evaluate[bool](t, b,
				`([...document.querySelectorAll(".chosen li")][1].querySelector("[aria-label^=Remove]").focus(), true)`)
			b.key(t, kb.Enter)
			b.until(t, `document.querySelectorAll(".chosen li").length === 2`)
			if evaluate[bool](t, b, `document.activeElement === document.body`) {
				t.Error("the focus is lost with the run that was removed")
			}
			// Back in the history is back in the choice.
			evaluate[bool](t, b, `(history.back(), true)`)
			b.until(t, `document.querySelectorAll(".chosen li").length === 3`)
		})

		// Rows of a matrix of results that are ticked stand side by side, the first one ticked as the baseline.
		run("ticks", func(t *testing.T, b *tab) {
			b.open(t, c, c.pageOf(t, "comparisons"), v)
			b.until(t, `document.querySelector(".results input")`)
			const button = `document.querySelector(".ticked button")`
			tick := `(i => { const row = document.querySelector(".results").tBodies[0].rows[i]; row.querySelector("input").focus(); return row.id.slice(2); })`
			ids := []string{evaluate[string](t, b, tick+"(2)")}
			b.key(t, " ")
			if !evaluate[bool](t, b, button+".disabled") {
				t.Error("one run can be compared with none")
			}
			ids = append(ids, evaluate[string](t, b, tick+"(0)"))
			b.key(t, " ")
			if got := evaluate[string](t, b, button+".textContent"); got != "Compare 2 runs" {
				t.Errorf("the button says %q", got)
			}
			evaluate[bool](t, b, "("+button+".focus(), true)")
			b.key(t, kb.Enter)
			b.until(t, `document.querySelectorAll(".chosen li").length === 2 && document.querySelector("#parameters")`)
			if got := evaluate[string](t, b, `location.hash`); got != "#"+strings.Join(ids, ",") {
				t.Errorf("the address says %s of %q", got, ids)
			}
		})

		run("address", func(t *testing.T, b *tab) {
			b.compares(t, c, v, three...)
			shown := `document.querySelector("#compare-app").innerText.replace(/\s+/g, " ")`
			first := evaluate[string](t, b, shown)
			if got := evaluate[[]string](t, b, chosen); len(got) != 3 || !strings.Contains(got[0], three[0]) ||
				!strings.Contains(got[0], "baseline") {
				t.Errorf("chosen are %q", got)
			}
			if evaluate[int](t, b, `document.querySelectorAll("#charts svg.ch").length`) == 0 {
				t.Error("runs that share a workload have no chart")
			}
			// Another workload or load goes into the address, and the address gives it back.
			pick := `(s => { if (!s) return ""; s.selectedIndex = (s.selectedIndex + 1) % s.length; s.dispatchEvent(new Event("change")); return s.value; })(document.querySelector("#side select"))`
			if value := evaluate[string](t, b, pick); value != "" {
				b.until(t, `/&[wl]=/.test(location.hash) && document.activeElement?.matches("#side select")`)
				changed := evaluate[string](t, b, shown)
				hash := evaluate[string](t, b, `location.hash`)
				other := newTab(t)
				other.open(t, c, sitePage{path: "compare/index.html" + hash, kind: "comparisons"}, v)
				other.until(t, `document.querySelector("#parameters")`)
				if got := evaluate[string](t, other, shown); got != changed || got == first {
					t.Errorf("%s shows\n%.2000s\nwant\n%.2000s", hash, got, changed)
				}
			} else {
				t.Error("there is neither a workload nor a load to choose")
			}
			if !file && hasModules(t) {
				evaluate[bool](t, b,
					`(document.querySelectorAll("#compare-app details").forEach(d => d.open = true), true)`)
				for _, f := range b.axe(t, axeRules) {
					t.Error("axe: ", f)
				}
			}
			// A link within the page keeps the choice.
			evaluate[bool](t, b, `(document.querySelector(".skip").focus(), true)`)
			b.key(t, kb.Enter)
			b.until(t, `location.hash.includes(",")`)
			for _, width := range []int64{1440, 768, 320} {
				v := v
				v.width = width
				b.set(t, v)
				b.until(t,
					`(d => !d || d.clientWidth === Math.floor(d.clientWidth) && Number(d.dataset.w) === d.clientWidth)(document.querySelector("#compare-result .art"))`)
				for _, f := range append(b.ask(t, "sideways()"), b.ask(t, "charts()")...) {
					t.Errorf("%d px: %s", width, f)
				}
			}
		})

		run("mixed workloads", func(t *testing.T, b *tab) {
			b.compares(t, c, v, apart...)
			if n := evaluate[int](t, b,
				`document.querySelectorAll("#compare-result svg.ch, #side table").length`); n != 0 {
				t.Errorf("%d charts and tables of runs that share no workload", n)
			}
			if got := evaluate[string](t, b, `document.querySelector("#know")?.innerText ?? ""`); !strings.Contains(got,
				"shares no workload") || !strings.Contains(got, "differ in") {
				t.Errorf("the page does not say why: %q", got)
			}
			if got := evaluate[string](t, b,
				`document.querySelector("#not")?.textContent ?? ""`); !strings.Contains(got, "not compared") {
				t.Errorf("the list of what is not compared says %q", got)
			}
		})

		run("unknown", func(t *testing.T, b *tab) {
			b.open(t, c, sitePage{path: "compare/index.html#" + three[0] +
				",nosuchrun,%2e%2e%2f%2e%2e%2fruns,%3Cimg%20src=x%3E", kind: "comparisons"}, v)
			b.until(t, `document.querySelectorAll(".chosen li").length === 4`)
			got := evaluate[[]string](t, b, chosen)
			for i, want := range []string{three[0], "There is no run nosuchrun", "There is no run ../../runs",
				"There is no run <img src=x>"} {
				if !strings.Contains(got[i], want) {
					t.Errorf("place %d says %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

// readPair reads a page of a pair: its runs, the parameters that differ, and the numbers of its table of
// loads with their differences, each under the name of its quantity and load.
const readPair = `(() => {
	const text = e => { const c = e.cloneNode(true); c.querySelectorAll(".vh").forEach(v => v.remove()); return c.textContent.replace(/\u00b7|\s+/g, " ").trim(); };
	const run = [...document.querySelectorAll("#sides-t tr, table.sides tr, section#sides tr")].map(r => [...r.querySelectorAll("a[href*='/runs/']")].map(a => a.textContent)).find(l => l.length === 2);
	const differs = [...document.querySelectorAll("section#parameters table")].slice(0, 1).filter(t => /differ/.test(t.caption.textContent)).flatMap(t => [...t.tBodies[0].rows].map(r => [...r.cells].slice(0, 3).map(text)));
	const numbers = {};
	const table = document.querySelector("section#loads table.loads");
	const groups = [...table.tHead.rows[0].cells].filter(c => c.colSpan === 3).map(text);
	for (const r of table.tBodies[0].rows) {
		const load = r.cells[0].firstChild.textContent.trim();
		groups.forEach((g, i) => {
			const cells = [1, 2, 3].map(k => r.cells[3 * i + k]);
			if (cells[0].matches(".na")) return;
			numbers[g + " at " + load] = cells.map(c => c.firstChild.textContent.trim());
		});
	}
	return JSON.stringify({other: run[0], base: run[1], differs, numbers, title: table.caption.textContent});
})()`

// readChosen reads the same of two chosen runs, the baseline first.
const readChosen = `(() => {
	const text = e => { const c = e.cloneNode(true); c.querySelectorAll(".vh").forEach(v => v.remove()); return c.textContent.replace(/\u00b7|\s+/g, " ").trim(); };
	const differs = [...document.querySelectorAll("section#parameters > .scroll table")].flatMap(t => [...t.tBodies[0].rows].map(r => [r.cells[0], r.cells[2], r.cells[1]].map(text)));
	const numbers = {};
	for (const t of document.querySelectorAll("#charts details table")) {
		const name = t.caption.textContent.replace(/, of .*/, "");
		for (const r of t.tBodies[0].rows) {
			const [head, base, other] = r.cells;
			if (base.matches(".na") || other.matches(".na")) continue;
			numbers[name + " at " + head.firstChild.textContent.trim()] = [other.firstChild.textContent, base.firstChild.textContent, other.querySelector(".sub").textContent.split(",")[0]];
		}
	}
	for (const t of document.querySelectorAll("#side table")) {
		const title = t.caption.textContent;
		const load = title.match(/ at (?:batch )?([\d.]+)[^→]*$/)?.[1] ?? (/one request at a time/.test(title) ? "1" : "inf");
		for (const r of t.tBodies[0].rows) {
			const [head, base, other] = r.cells;
			if (base.matches(".na") || other.matches(".na")) continue;
			numbers[head.firstChild.textContent + ", " + head.querySelector(".sub").textContent + " at " + load] ??= [other.firstChild.textContent, base.firstChild.textContent, other.querySelector(".sub").textContent.split(",")[0]];
		}
	}
	return JSON.stringify({differs, numbers});
})()`

// TestComparePairs holds what the browser makes of two runs to the page of the same pair, which the program
// wrote: the same numbers, the same differences, the same parameters that differ.
func TestComparePairs(t *testing.T) {
	var differing, compared atomic.Int64
	t.Cleanup(func() {
		if differing.Load() == 0 || compared.Load() == 0 {
			t.Errorf("%d parameters that differ and %d numbers: the test says nothing", differing.Load(),
				compared.Load())
		}
	})
	for _, c := range []*catalog{demonstration, example} {
		c.need(t)
		var pairs []sitePage
		for _, p := range c.pages {
			if p.kind == "compare" {
				pairs = append(pairs, p)
			}
		}
		if len(pairs) == 0 {
			t.Fatalf("%s has no page of a pair", c.name)
		}
		slices.SortFunc(pairs, func(a, b sitePage) int { return strings.Compare(a.path, b.path) })
		step := 1
		if !*every {
			step = max(1, len(pairs)/4)
		}
		for i := 0; i < len(pairs); i += step {
			p := pairs[i]
			t.Run(c.name+" "+strings.TrimSuffix(p.path, "/index.html"), func(t *testing.T) {
				t.Parallel()
				b := newTab(t)
				v := view{width: 1440, script: true}
				b.open(t, c, p, v)
				type sides struct {
					Other, Base, Title string
					Differs            [][]string
					Numbers            map[string][]string
				}
				var want, got sides
				if err := json.Unmarshal([]byte(evaluate[string](t, b, readPair)), &want); err != nil {
					t.Fatal(err)
				}
				other := newTab(t)
				other.compares(t, c, v, want.Base, want.Other)
				// The workload that the page of the pair shows first.
				title, _, _ := strings.Cut(want.Title, ", ")
				evaluate[bool](t, other,
					fmt.Sprintf(
						`(s => { if (!s) return true; s.value = [...s.options].find(o => o.textContent.replace(/\u00a0/g, " ").startsWith(%q.replace(/\u00a0/g, " ")))?.value ?? s.value; s.dispatchEvent(new Event("change")); return true; })([...document.querySelectorAll("#side label")].find(l => l.textContent.startsWith("Workload"))?.querySelector("select"))`, title))
				other.until(t,
					`document.querySelector("#parameters") && !document.querySelector("#choose > p.mut").textContent`)
				evaluate[int](t, other,
					`new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))`)
				if err := json.Unmarshal([]byte(evaluate[string](t, other, readChosen)), &got); err != nil {
					t.Fatal(err)
				}
				sort := func(rows [][]string) { slices.SortFunc(rows, slices.Compare) }
				sort(want.Differs)
				sort(got.Differs)
				if d := cmp.Diff(want.Differs, got.Differs); d != "" {
					t.Errorf("parameters that differ, -page +browser:\n%s", d)
				}
				differing.Add(int64(len(want.Differs)))
				same := 0
				for name, w := range want.Numbers {
					g, ok := got.Numbers[name]
					if !ok {
						continue // a load of a workload without charts
					}
					same++
					if d := cmp.Diff(w, g); d != "" {
						t.Errorf("%s, -page +browser:\n%s", name, d)
					}
				}
				compared.Add(int64(same))
				if same < 3 {
					t.Errorf("%d numbers were compared only, of %d on the page and %d in the browser", same,
						len(want.Numbers), len(got.Numbers))
				}
				for _, f := range append(b.taken(), other.taken()...) {
					t.Error(f)
				}
			})
		}
	}
}

// TestCompareHostile chooses runs whose names want to be markup, with the content security policy off.
func TestCompareHostile(t *testing.T) {
	c := hostile
	c.need(t)
	runs := c.listed(t)
	for i := 0; i < len(runs); i += 6 {
		some := runs[i:min(i+6, len(runs))]
		if len(some) < 2 {
			break
		}
		t.Run(some[0].id, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.before(t, counter)
			call(t, b, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
			var ids []string
			for _, r := range some {
				ids = append(ids, r.id)
			}
			b.compares(t, c, view{width: 1440, script: true}, ids...)
			evaluate[bool](t, b,
				`(document.querySelectorAll("#compare-app details").forEach(d => d.open = true), document.querySelector("#compare-find").focus(), true)`)
			b.key(t, "a")
			got := evaluate[string](t, b, `document.querySelector("#compare-app").textContent`)
			if !strings.Contains(got, some[0].name) {
				t.Errorf("the page does not have the name %q", some[0].name)
			}
			faults := evaluate[[]string](t, b, planted)
			faults = append(faults, b.ask(t, "sideways()")...)
			for _, f := range append(faults, b.taken()...) {
				t.Error(f)
			}
		})
	}
}
