//go:build e2e

package e2e

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// rankedRows are the rows of a ranking: hardware, load, throughput per accelerator, output, and what the strip of loads
// says, its measures and the first load over a limit.
func rankedRows(table string) string {
	return fmt.Sprintf(`(() => {
		const first = c => [...c.childNodes].find(n => n.textContent.trim()).textContent.trim();
		const t = %s, at = name => [...t.tHead.rows[t.tHead.rows.length - 1].cells].findIndex(c => c.textContent.startsWith(name));
		const columns = ["Hardware", "Best load", "Per accelerator", "Output"].map(at);
		const strip = r => { const c = r.querySelector("td.strips"), s = c.querySelector("svg"); return [s.ariaLabel, s.getAttribute("width"), s.getAttribute("height"), c.querySelector("a")?.textContent].join(" | "); };
		return [...t.tBodies[0].rows].map(r => columns.map(i => first(r.cells[i])).join(" | ") + " | " + strip(r));
	})()`, table)
}

// TestLimits sets limits and prices of a reader's own: what the script ranks with the limits of a use
// is what the program ranked, a price gives the cost that the formula gives, and the address of
// the page keeps it all.
func TestLimits(t *testing.T) {
	c := example
	c.need(t)
	axe := hasModules(t)
	const model = "fenlark-8b-instruct"
	const shown = `document.querySelector(".own .result table")`
	for _, file := range []bool{false, true} {
		v := view{width: 1440, script: true, file: file}
		t.Run(map[bool]string{false: "http", true: "file"}[file], func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			static := map[string][]string{}
			b.open(t, c, sitePage{path: "models/" + model + "/index.html", kind: "model"}, v)
			for _, use := range []string{"chat", "code-completion", "batch"} {
				static[use] = evaluate[[]string](t, b,
					rankedRows(
						fmt.Sprintf(
							`(() => { let e = document.getElementById("within-%s"); while (!e.matches(".scroll")) e = e.nextElementSibling; return e.querySelector("table"); })()`, use)))
				if len(static[use]) < 3 {
					t.Fatalf("%s: the page of the model ranks %q", use, static[use])
				}
			}
			if slices.Equal(static["chat"], static["code-completion"]) {
				t.Fatal("chat and code completion have one ranking: nothing would be tested")
			}

			b.open(t, c, c.pageOf(t, "rankings"), v)
			if n := evaluate[int](t, b, `document.scripts.length`); n != 1 {
				t.Errorf("%d scripts are loaded before the form is used", n)
			}
			// No field is focused: a script sets the model.
			evaluate[bool](t, b,
				fmt.Sprintf(
					`(s => { s.value = %q; s.dispatchEvent(new Event("change")); return true; })(document.querySelector(".own [name=model]"))`, model))
			b.until(t, shown)
			first, _, _ := strings.Cut(static["chat"][0], " | ")
			if says := evaluate[string](t, b, `document.querySelector(".own .find").textContent`); !strings.HasPrefix(says,
				first) || !strings.Contains(says, " serves the most within these limits: ") ||
				!strings.Contains(says, " keep them.") {
				t.Errorf("the answer is %q, the best is %s", says, first)
			}
			for _, use := range []string{"code-completion", "batch", "chat"} {
				evaluate[bool](t, b, fmt.Sprintf(`(document.querySelector(".own [data-use=%s]").click(), true)`, use))
				if got := evaluate[[]string](t, b, rankedRows(shown)); !slices.Equal(got, static[use]) {
					t.Errorf("%s: the script ranks\n%s\nthe page of the model\n%s", use, strings.Join(got, "\n"),
						strings.Join(static[use], "\n"))
				}
				if !evaluate[bool](t, b,
					fmt.Sprintf(`document.querySelector(".own [data-use=%s]").ariaPressed === "true"`, use)) {
					t.Errorf("%s: its button does not say that its limits are set", use)
				}
			}

			// Limits of one's own: TPOT p99 within 12 ms.
			b.fill(t, `.own [name=tpot]`, "12")
			rows := evaluate[[]string](t, b, rankedRows(shown))
			if len(rows) == 0 || slices.Equal(rows, static["chat"]) {
				t.Errorf("12 ms a token leave %q", rows)
			}
			for _, v := range evaluate[[]float64](t, b,
				`(t => [...t.tBodies[0].rows].map(r => Number(r.cells[[...t.tHead.rows[0].cells].findIndex(c => c.textContent.startsWith("TPOT p99"))].title)))(`+shown+`)`) {
				if !(v > 0 && v <= 12) {
					t.Errorf("a TPOT p99 of %v ms keeps 12 ms", v)
				}
			}
			if evaluate[bool](t, b, `!!document.querySelector(".own [aria-pressed=true]")`) {
				t.Error("limits of one's own are called those of a use")
			}
			failing := evaluate[string](t, b, `document.querySelector(".own .result").textContent`)
			if n := strings.Count(failing, "over a limit at every load"); n != 8-len(rows) {
				t.Errorf("%d of %d that fail are said: %q", n, 8-len(rows), failing)
			}
			// Where no record has a statistic the nearest is held against the limit, and named at each value.
			evaluate[bool](t, b,
				`(s => { s.value = "p95"; s.dispatchEvent(new Event("input")); return true; })(document.querySelector(".own [name=tpot-stat]"))`)
			if got := evaluate[[]string](t, b,
				`(t => [...t.tBodies[0].rows].map(r => r.cells[[...t.tHead.rows[0].cells].findIndex(c => c.textContent.startsWith("TPOT p95"))].querySelector(".sub")?.textContent))(`+shown+`)`); len(got) != len(rows) || slices.ContainsFunc(got, func(s string) bool { return s != "p99" }) {
				t.Errorf("a limit on a p95 that was not measured names %q at %d rows", got, len(rows))
			}
			evaluate[bool](t, b, `(document.querySelector(".own [data-use=chat]").click(), true)`)

			// A typed price stands for the stated one: 10⁶ × price / (3600 × tok/s) on one H100.
			cost := `(t => { const h = [...t.tHead.rows[0].cells].map(c => c.textContent), r = [...t.tBodies[0].rows].find(r => r.cells[1].querySelector("a").textContent === "H100 SXM");
				const at = n => r.cells[h.findIndex(c => c.startsWith(n))];
				return [at("Output").title, at("Cost").title, at("Cost").textContent]; })(` + shown + `)`
			before := evaluate[[]any](t, b, cost)
			if s := fmt.Sprint(before[2]); !strings.Contains(s, "2025-01-13, Imaginary Metal") {
				t.Errorf("the stated price is not named: %q", s)
			}
			b.fill(t, `.own [name="price-h100-sxm5"]`, "7.2")
			after := evaluate[[]string](t, b, cost)
			var output, got float64
			fmt.Sscan(after[0], &output)
			fmt.Sscan(after[1], &got)
			if want := 1e6 * 7.2 / (3600 * output); !(math.Abs(got-want) < 1e-9*want) ||
				!strings.Contains(after[2], "7.2") || !strings.Contains(after[2], "your price") {
				t.Errorf("at 7.2 an hour and %v tok/s: %q, want %v", output, after, want)
			}
			evaluate[bool](t, b,
				`(s => { s.value = "cost"; s.dispatchEvent(new Event("change")); return true; })(document.querySelector(".own [name=by]"))`)
			price := func(s string) (v float64, currency string) {
				fmt.Sscan(strings.ReplaceAll(s, "\u202f", " "), &v, &currency)
				return v, currency
			}
			costs := evaluate[[]string](t, b,
				`(t => [...t.tBodies[0].rows].map(r => r.cells[[...t.tHead.rows[0].cells].findIndex(c => c.textContent.startsWith("Cost"))].firstChild.textContent))(`+shown+`)`)
			n := len(costs) - 2
			if !slices.IsSortedFunc(costs[:n], func(a, b string) int {
				x, in := price(a)
				y, _ := price(b)
				if in != "USD" {
					return 1
				}
				return cmp.Compare(x, y)
			}) || !strings.HasSuffix(costs[n], "EUR") || costs[n+1] != "·" {
				t.Errorf("by cost: %q; dollars first, then euros, then what has no price", costs)
			}

			// The address keeps it.
			text := evaluate[string](t, b, shown+`.textContent`)
			at := evaluate[string](t, b, `location.href`)
			if file != strings.HasPrefix(at, "file:") || !strings.Contains(at, "?m="+model+"&w=1024-256&") ||
				!strings.Contains(at, "prices=h100-sxm5:7.2") {
				t.Errorf("the address is %s", at)
			}
			if err := chromedp.Do(b.ctx, chromedp.Navigate("about:blank")); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(b.ctx, chromedp.Navigate(at)); err != nil {
				t.Fatal(err)
			}
			b.until(t, shown)
			if again := evaluate[string](t, b, shown+`.textContent`); again != text {
				t.Errorf("the address gives\n%s\nwant\n%s", again, text)
			}
			if f := b.ask(t, "sideways()"); len(f) > 0 {
				t.Error("with a ranking ", f)
			}
			if axe {
				for _, f := range b.axe(t, axeRules) {
					t.Error("with a ranking ", f)
				}
			}
			for _, f := range b.taken() {
				t.Error(f)
			}
		})
	}
}

// TestLimitsSay holds the answer in words against the table below it: by cost at a price of the reader's own, by energy,
// with a limit that a script sets, and with one that cannot be a limit.
func TestLimitsSay(t *testing.T) {
	c := example
	c.need(t)
	b := newTab(t)
	b.open(t, c, c.pageOf(t, "rankings"), view{width: 390, script: true})
	set := func(name, value string) {
		t.Helper()
		evaluate[bool](t, b, fmt.Sprintf(`(f => { f.value = %q;
			for (const e of ["input", "change"]) f.dispatchEvent(new Event(e, {bubbles: true})); return true; })(
			document.querySelector(".own [name='%s']"))`, value, name))
	}
	says := func() string {
		return evaluate[string](t, b, `document.querySelector(".own .find").textContent`)
	}
	const table = `document.querySelector(".own .result table")`
	column := func(name string) []string {
		return evaluate[[]string](t, b, fmt.Sprintf(`(t => { const at = [...t.tHead.rows[0].cells].findIndex(c => c.textContent.startsWith(%q));
			return [...t.tBodies[0].rows].map(r => r.cells[at].firstElementChild?.matches("a") ? r.cells[at].firstElementChild.textContent : r.cells[at].firstChild.textContent); })(%s)`,
			name, table))
	}
	leads := func(by, words, name string) {
		t.Helper()
		plain := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace
		said, first, value := plain(says()), plain(column("Hardware")[0]), plain(column(name)[0])
		if !strings.HasPrefix(said, first) || !strings.Contains(said, words+value) {
			t.Errorf("by %s the answer is %q, the first row is %s with %q", by, said, first, value)
		}
	}
	set("model", "fenlark-8b-instruct")
	b.until(t, table)
	set("by", "cost")
	set("price-h100-sxm5", "0.01")
	leads("cost", " costs least: ", "Cost")
	if first := column("Hardware")[0]; first != "H100 SXM" {
		t.Errorf("at a cent an hour H100 SXM is not the cheapest, but %s", first)
	}
	set("by", "energy")
	leads("energy", " needs least energy: ", "Tokens per joule")

	set("by", "each")
	before := column("Hardware")
	set("tpot", "")
	without := evaluate[[]string](t, b, rankedRows(table))
	set("tpot", "12")
	within := column("Hardware")
	if len(within) == 0 || len(within) >= len(before) ||
		!strings.HasSuffix(strings.TrimSpace(says()), fmt.Sprintf("%d of 8 keep them.", len(within))) {
		t.Errorf("%d of %d keep 12 ms a token, and the answer is %q", len(within), len(before), says())
	}
	set("tpot", "-5")
	if said := says(); !strings.Contains(said, ` What stands under "TPOT at most, in milliseconds" is not used: it must be `) {
		t.Errorf("of a limit of −5 ms nothing is said: %q", said)
	}
	if evaluate[string](t, b, `document.querySelector(".own [name=tpot]").ariaInvalid`) != "true" {
		t.Error("the field of the limit of −5 ms is not called invalid")
	}
	if got := evaluate[[]string](t, b, rankedRows(table)); !slices.Equal(got, without) {
		t.Errorf("a limit of −5 ms is used:\n%s\nwithout a limit\n%s", strings.Join(got, "\n"), strings.Join(without, "\n"))
	}
	for _, f := range b.taken() {
		t.Error(f)
	}
}

// fill puts a text into a field as somebody who types does.
func (b *tab) fill(t *testing.T, selector, text string) {
	t.Helper()
	evaluate[bool](t, b, fmt.Sprintf(`(e => (e.focus(), e.select(), true))(document.querySelector(%q))`, selector))
	b.key(t, text)
}
