//go:build e2e

package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestMeasures holds the measures against pages that are wrong: one that finds nothing there
// would find nothing anywhere.
func TestMeasures(t *testing.T) {
	const head = `<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width"><title>x</title><style>body{margin:0}</style>`
	for _, c := range []struct{ name, ask, body, want string }{
		{"wide page", "sideways()", `<p style="width:3000px">x`, "px wide in 390 px"},
		{"wide region that scrolls", "sideways()", `<div style="overflow:auto"><p style="width:3000px">x</div>`, ""},
		{"overlapping texts", "charts()",
			`<svg width="200" height="50"><text x="5" y="20">one</text><text x="10" y="22">two</text></svg>`, "overlap"},
		{"texts apart", "charts()",
			`<svg width="200" height="50"><text x="5" y="20">one</text><text x="80" y="20">two</text></svg>`, ""},
		{"text outside", "charts()", `<svg width="200" height="50"><text x="190" y="20">outside</text></svg>`,
			"leaves its chart"},
		{"shift", "shift()",
			`<div id="a"></div><p id="b">moved<script>requestAnimationFrame(()=>requestAnimationFrame(()=>{a.style.height="300px"}))</script>`, "shifted"},
		{"focus under a header", "focus(9)",
			`<div style="position:fixed;inset:0;background:#fff"></div><a href="#">x</a>`, "hidden"},
		{"focus without a mark", "focus(9)", `<style>a:focus{outline:none}</style><a href="#">x</a>`, "not shown"},
		{"focus that is seen", "focus(9)", `<a href="#">a link</a>`, ""},
		{"folded on paper", "paper()", `<main><details><summary>a</summary><p>b</details></main>`, "not printed"},
		{"cut on paper", "paper()", `<main><div style="overflow:auto"><p style="width:3000px">x</div></main>`,
			"cut on paper"},
		{"list on paper", "paper()", `<main><table style="display:block"><tr><td>x</table></main>`, "a list on paper"},
		{"large text in a cell on paper", "paper()",
			`<main><table><tr><td style="font-size:8px">x <small style="font-size:9px">y</small></table></main>`,
			"larger than its cell"},
		{"table on paper", "paper()", `<main><table><tr><td>x <small>y</small></table></main>`, ""},
		{"script said something", "", `<script>console.warn("w")</script>`, "console.warning"},
		{"exception", "", `<script>throw 1</script>`, "exception"},
		{"other host", "", `<img src="http://elsewhere.example/x.png" alt="">`, "leaves the site"},
		{"forbidden by the policy", "",
			`<meta http-equiv="Content-Security-Policy" content="style-src 'none'"><p style="color:red">x`,
			"console: error"},
		{"missing file", "", `<img src="missing.png" alt="">`, "404"},
		{"axe", "axe", `<img src="data:," width="9" height="9">`, "axe image-alt"},
		{"small targets", "axe",
			`<main><h1>x</h1><button style="width:9px;height:9px;padding:0" aria-label="a"></button><button style="width:9px;height:9px;padding:0" aria-label="b"></button></main>`, "axe target-size"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.ask == "axe" {
				needModules(t)
			}
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, ".png") {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte(head + c.body))
			}))
			defer s.Close()
			b := newTab(t)
			b.before(t, observer)
			b.open(t, &catalog{base: s.URL + "/"}, sitePage{path: "index.html"}, view{width: 390, script: true})
			b.key(t, "\t")
			var got []string
			switch c.ask {
			case "":
				got = b.taken()
			case "axe":
				got = b.axe(t, axeRules)
			case "shift()":
				evaluate[int](t, b,
					`new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))))`)
				got = b.ask(t, c.ask)
			default:
				got = b.ask(t, c.ask)
			}
			all := strings.Join(got, "\n")
			if c.want == "" && all != "" || c.want != "" && !strings.Contains(all, c.want) {
				t.Errorf("got %q, want it to say %q", all, c.want)
			}
		})
	}
}
