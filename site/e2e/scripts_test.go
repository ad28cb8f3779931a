//go:build e2e

package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// until waits for an expression to become true, looking once a frame.
func (b *tab) until(t *testing.T, expression string) {
	t.Helper()
	evaluate[bool](t, b,
		fmt.Sprintf(`new Promise(r => { const look = () => (%s) ? r(true) : requestAnimationFrame(look); look(); })`,
			expression))
}

// pageOf returns the largest page of a kind.
func (c *catalog) pageOf(t *testing.T, kind string) sitePage {
	t.Helper()
	for _, p := range c.sample(1) {
		if p.kind == kind {
			return p
		}
	}
	t.Fatalf("%s: no page of kind %q", c.name, kind)
	return sitePage{}
}

// TestScripts uses what scripts add, with the keyboard, from a server and from disk.
func TestScripts(t *testing.T) {
	c := example // its tables are long enough for a filter
	c.need(t)
	for _, file := range []bool{false, true} {
		v := view{width: 1440, script: true, file: file}
		run := func(name, kind string, test func(*testing.T, *tab)) {
			inTab(t, name, file, func(t *testing.T, b *tab) {
				b.before(t,
					`Object.defineProperty(navigator, "clipboard", {value: {writeText: async t => { window.__copied = t; }}})`)
				b.open(t, c, c.pageOf(t, kind), v)
				test(t, b)
			})
		}

		run("search", "home", func(t *testing.T, b *tab) {
			b.key(t, "/")
			if !evaluate[bool](t, b, `document.activeElement.matches("header .search input")`) {
				t.Fatal("the key / does not reach the search box")
			}
			b.key(t, "fenlark")
			b.until(t, `document.querySelector(".search [role=option]")`)
			got := evaluate[[]string](t, b,
				`[...document.querySelectorAll(".search [role=option]")].map(o => o.textContent)`)
			if !strings.Contains(strings.ToLower(got[0]), "fenlark") {
				t.Errorf("the first result for fenlark is %q", got[0])
			}
			// Words that join others keep nothing from being found; workloads and tools have groups of their own.
			for query, group := range map[string]string{"fenlark on": "Cards", "chat": "Workloads", "vllm": "Tools"} {
				if !evaluate[bool](t, b, `(() => {
					const input = document.querySelector("header .search input");
					input.value = `+strconv.Quote(query)+`;
					input.dispatchEvent(new Event("input"));
					return !!document.querySelector('.search [role=group][aria-label="`+group+`"] [role=option]');
				})()`) {
					t.Errorf("%q finds nothing in the group %s", query, group)
				}
			}
			evaluate[bool](t, b, `(() => {
				const input = document.querySelector("header .search input");
				input.value = "fenlark";
				return input.dispatchEvent(new Event("input"));
			})()`)
			b.key(t, kb.Escape)
			if evaluate[bool](t, b, `document.querySelector(".search [role=option]").checkVisibility()`) {
				t.Error("Escape does not close the results")
			}
			b.key(t, kb.ArrowDown)
			b.key(t, kb.ArrowDown)
			want := evaluate[string](t, b, `document.querySelector(".search [aria-selected=true]").href`)
			loaded := chromedp.Events(b.ctx, page.LoadEventFired)
			b.key(t, kb.Enter)
			for _, err := range loaded {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if at := evaluate[string](t, b, `location.href`); at != want {
				t.Errorf("Enter leads to %s, want %s", at, want)
			}
		})

		run("filter and sort", "runs", func(t *testing.T, b *tab) {
			const rows = `[...document.querySelector("main table.d").tBodies[0].rows].filter(r => r.checkVisibility()).map(r => r.textContent.toLowerCase())`
			all := evaluate[[]string](t, b, rows)
			evaluate[bool](t, b, `(document.querySelector("main .tfind").focus(), true)`)
			b.key(t, "mi300x")
			got := evaluate[[]string](t, b, rows)
			if len(got) == 0 || len(got) >= len(all) {
				t.Errorf("the filter leaves %d of %d rows", len(got), len(all))
			}
			for _, r := range got {
				if !strings.Contains(r, "mi300x") {
					t.Errorf("the filter leaves %q", r)
				}
			}
			b.key(t, kb.Escape)
			if got := evaluate[[]string](t, b, rows); len(got) != len(all) {
				t.Errorf("Escape leaves %d of %d rows", len(got), len(all))
			}
			evaluate[bool](t, b, `(document.querySelector("main table.d button.sort").focus(), true)`)
			b.key(t, kb.Enter)
			if !evaluate[bool](t, b, `!!document.querySelector("main table.d th[aria-sort]")`) {
				t.Error("Enter on a column's name sorts nothing")
			}
			if got := evaluate[[]string](t, b, rows); len(got) != len(all) {
				t.Errorf("sorting leaves %d of %d rows", len(got), len(all))
			}
		})

		run("copy", "runs", func(t *testing.T, b *tab) {
			for label, sep := range map[string]string{"CSV": ",", "Markdown": " | "} {
				evaluate[bool](t, b,
					fmt.Sprintf(
						`(window.__copied = "", [...document.querySelectorAll("main .tcopy button")].find(b => b.textContent === %q).focus(), true)`, label))
				b.key(t, kb.Enter)
				b.until(t, `window.__copied`)
				got := evaluate[string](t, b, `window.__copied`)
				want := evaluate[int](t, b, `document.querySelector("main table.d").tBodies[0].rows.length`)
				if n := strings.Count(got, "\n"); n <= want || !strings.Contains(got, sep) {
					t.Errorf("%s: %d lines copied of %d rows: %.100q", label, n, want, got)
				}
			}
		})

		// A selection within a table is copied as what it stands for.
		run("selection", "run", func(t *testing.T, b *tab) {
			got := evaluate[[]string](t, b, `(() => {
				const copied = (from, to) => {
					const r = document.createRange(), s = getSelection();
					r.setStart(from, 0); r.setEnd(to, to.childNodes.length);
					s.removeAllRanges(); s.addRange(r);
					const e = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
					document.dispatchEvent(e);
					return e.clipboardData.getData("text/plain");
				};
				const cell = [...document.querySelectorAll("main table.d tbody td.n")].find(c => /^[0-9.]+$/.test(c.title) && c.title !== c.textContent.trim());
				const rows = [...cell.closest("table").tBodies[0].rows], a = rows[0].cells, b = rows[1].cells;
				const text = document.querySelector("main p");
				return [copied(cell, cell), cell.title, copied(a[0], b[b.length - 1]), String(a.length), copied(text, text)];
			})()`)
			if got[0] != got[1] || got[0] == "" {
				t.Errorf("a cell is copied as %q, its number is %q", got[0], got[1])
			}
			lines := strings.Split(got[2], "\n")
			if len(lines) != 2 || fmt.Sprint(strings.Count(lines[0], "\t")+1) != got[3] {
				t.Errorf("two rows of %s cells are copied as %q", got[3], got[2])
			}
			if got[4] != "" {
				t.Errorf("a selection outside of tables is changed: %q", got[4])
			}
		})

		run("records", "run", func(t *testing.T, b *tab) {
			evaluate[bool](t, b, `(document.querySelector("#records summary").focus(), true)`)
			b.key(t, kb.Enter)
			b.until(t, `document.querySelector("#records pre.raw")`)
			lines := `document.querySelector("#records pre.raw").textContent.split("\n").filter(Boolean)`
			if n := evaluate[int](t, b, lines+`.map(l => JSON.parse(l)).length`); n == 0 {
				t.Error("no records are shown")
			}
			more := `document.querySelector("#records button")`
			for evaluate[bool](t, b, more+`.checkVisibility()`) {
				n := evaluate[int](t, b, lines+`.length`)
				evaluate[bool](t, b, `(`+more+`.focus(), true)`)
				b.key(t, kb.Enter)
				b.until(t, fmt.Sprintf(`%s.length > %d`, lines, n))
			}
			said := evaluate[string](t, b, `document.querySelector("#records summary").textContent.replace(/\D/g, "")`)
			if n := evaluate[int](t, b, lines+`.length`); fmt.Sprint(n) != said {
				t.Errorf("%d records are shown in the end, not %s", n, said)
			}
		})

		run("records of runs", "model", func(t *testing.T, b *tab) {
			evaluate[bool](t, b, `(document.querySelector("#records summary").focus(), true)`)
			b.key(t, kb.Enter)
			got := evaluate[[]string](t, b, `(async () => {
				const all = [...document.querySelectorAll("#records details")].filter((d) => d.querySelector("p.records"));
				return Promise.all(all.slice(0, 3).map(async (d) => {
					d.open = true;
					while (!d.querySelector("pre")) await new Promise(requestAnimationFrame);
					const lines = d.querySelector("pre").textContent.split("\n").filter(Boolean);
					lines.forEach((l) => JSON.parse(l));
					return d.querySelector("summary").textContent.includes(", " + lines.length + " record") ? "" : lines.length +
						" lines of " + d.querySelector("summary").textContent;
				}));
			})()`)
			if len(got) == 0 || strings.Join(got, "") != "" {
				t.Errorf("the records of runs on the page of a model: %q", got)
			}
		})

		run("chart", "card", func(t *testing.T, b *tab) {
			const tip = `(() => { const t = document.querySelector(".tip"); return t && t.checkVisibility() ? t.textContent : ""; })()`
			b.key(t, kb.Tab) // focus shows from here on
			evaluate[bool](t, b, `(document.querySelector("svg.ch [tabindex='0']").focus(), true)`)
			first := evaluate[string](t, b, tip)
			if first == "" {
				t.Fatal("a mark with the focus has no tooltip")
			}
			b.key(t, kb.ArrowRight)
			if next := evaluate[string](t, b, tip); next == "" || next == first {
				t.Errorf("the arrow leads from %q to %q", first, next)
			}
			if f := b.ask(t, "sideways()"); len(f) > 0 {
				t.Error("with a tooltip ", f)
			}
			b.key(t, kb.Escape)
			if left := evaluate[string](t, b, tip); left != "" {
				t.Errorf("Escape leaves the tooltip %q", left)
			}
			// A pointer far above the marks, at the load of the second: all series there, and a line through them.
			at := evaluate[[]string](t, b, `(() => {
				for (const svg of document.querySelectorAll("svg.ch")) {
					const groups = [...svg.querySelectorAll("g[data-n]")].filter((g) => g.querySelectorAll("[role=img], title").length > 1);
					if (groups.length < 2) continue;
					svg.scrollIntoView({ block: "center" });
					svg.dispatchEvent(new PointerEvent("pointerenter"));
					const m = groups[0].querySelectorAll("[aria-label]")[1].getBoundingClientRect();
					svg.dispatchEvent(new PointerEvent("pointermove", { clientX: m.left + m.width / 2, clientY:
						svg.getBoundingClientRect().top - 40, pointerType: "mouse" }));
					return [`+tip+`, ...groups.map((g) => g.dataset.n), String(!!svg.querySelector(".cross"))];
				}
				return [];
			})()`)
			if len(at) < 4 || at[len(at)-1] != "true" {
				t.Fatalf("no line through the marks of a load: %q", at)
			}
			for _, name := range at[1 : len(at)-1] {
				if !strings.Contains(at[0], strings.Trim(name, "\u2066\u2067\u2068\u2069")) {
					t.Errorf("at the pointer's load the tooltip %q lacks %s", at[0], name)
				}
			}
			b.key(t, kb.Escape)
		})
	}
}

// TestAnswer goes the way of somebody who asks which hardware to take for a model for chat, and how sure that is:
// from the home page it is one click to the answer, and one more to the measurements that it is made of.
func TestAnswer(t *testing.T) {
	for _, a := range []struct {
		of    *catalog
		model string // its folder below models/
		take  []string
		sure  string
	}{
		{example, "fenlark-8b-instruct", []string{"B200", "TTFT p99 ≤ 2 s", "Next: "}, "One run each: no interval"},
		{demonstration, "llama-3.1-8b-instruct", []string{"A100 80 GB: 849 tok/s per accelerator at 30 parallel requests",
			"TTFT p99 ≤ 2 s"}, "One run each: no interval"},
		{corpus, "llama-3.1-8b-instruct", []string{"H100: 1 920 tok/s at 20 requests/s", "TTFT p99 ≤ 2 s"},
			"One run each: no interval"},
	} {
		for _, script := range []bool{true, false} {
			with := map[bool]string{true: "with scripts", false: "without"}[script]
			t.Run(a.of.name+" "+with, func(t *testing.T) {
				t.Parallel()
				a.of.need(t)
				answer(t, a.of, view{width: 390, script: script}, a.model, a.take, a.sure)
			})
		}
	}
}

// answer reads what two clicks from the home page say.
func answer(t *testing.T, c *catalog, v view, model string, take []string, sure string) {
	t.Helper()
	b := newTab(t)
	b.open(t, c, c.pageOf(t, "home"), v)
	follow := func(link string) {
		t.Helper()
		loaded := chromedp.Events(b.ctx, page.LoadEventFired)
		evaluate[bool](t, b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, link))
		b.key(t, kb.Enter)
		for _, err := range loaded {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	read := func(id string) string {
		return evaluate[string](t, b, fmt.Sprintf(`document.getElementById(%q).innerText.replace(/[\u00a0\u202f]/g, " ")`, id))
	}
	follow(`#find a[href*="models/` + model + `/"]`)
	said := read("take")
	_, chat, _ := strings.Cut(said, "Chat")
	chat, _, _ = strings.Cut(chat, "Code completion")
	for _, want := range append(take, "tok/s") {
		if !strings.Contains(chat, want) {
			t.Errorf("one click from the home page nothing says %q of chat:\n%s", want, said)
		}
	}
	if ranked := read("ranked"); !strings.Contains(ranked, sure) {
		t.Errorf("nothing says how sure it is:\n%.300s", ranked)
	}
	follow(`#take a[href*="runs/"]`)
	if at := evaluate[string](t, b, `location.href`); !strings.Contains(at, "/runs/") || !strings.Contains(at, "#") {
		t.Errorf("the number of the answer leads to %s", at)
	}
	for _, f := range b.taken() {
		t.Error(f)
	}
}
