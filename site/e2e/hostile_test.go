//go:build e2e

package e2e

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// counter counts what a text that became a script would do.
const counter = `window.__ran = 0; for (const f of ["alert", "confirm", "prompt", "open"]) window[f] = () => { window.__ran++ };`

// planted lists what a text made of the page: elements and attributes that no layout of ours has.
const planted = `[window.__ran ? "scripts ran: " + window.__ran : "",
	...[...document.querySelectorAll("*")].flatMap(e => [...e.attributes].filter(a =>
		/^on/i.test(a.name) || /^(href|src|action|formaction|xlink:href)$/i.test(a.name) && /^\s*(javascript|vbscript|data:text)/i.test(a.value))
		.map(a => "attribute " + a.name + " of " + e.localName + ": " + a.value.slice(0, 60))),
	...[...document.querySelectorAll("script:not([src])")].filter(e => !/json/.test(e.type)).map(e => "script: " + e.textContent.slice(0, 60)),
	...[...document.querySelectorAll("img[src=x], iframe, object, embed, form[action], base, marquee")].map(e => "element " + e.localName),
	...(document.querySelectorAll("body, html > head").length > 2 ? ["two bodies"] : []),
].filter(Boolean)`

// TestHostile shows every page and picture of a catalog whose names want to be markup, with the
// content security policy off: no text may depend on it.
func TestHostile(t *testing.T) {
	t.Run("the counter counts", func(t *testing.T) {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write(
				[]byte(
					`<!DOCTYPE html><title>x</title><script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">a</a>`))
		}))
		defer s.Close()
		b := newTab(t)
		b.before(t, counter)
		b.open(t, &catalog{base: s.URL + "/"}, sitePage{path: "index.html"}, view{width: 1440, script: true})
		got := strings.Join(evaluate[[]string](t, b, planted), "\n")
		for _, want := range []string{"scripts ran", "attribute onerror", "attribute href", "script: alert",
			"element img"} {
			if !strings.Contains(got, want) {
				t.Errorf("got %q, want it to say %q", got, want)
			}
		}
	})
	c := hostile
	c.need(t)
	for _, p := range c.pages {
		t.Run(strings.TrimSuffix(p.path, "/index.html"), func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.before(t, counter)
			for _, free := range []bool{true, false} {
				call(t, b, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: free})
				v := view{width: 1440, script: true, file: !free && p.kind != "notfound"}
				b.open(t, c, p, v)
				b.ask(t, "open()")
				faults := evaluate[[]string](t, b, planted)
				faults = append(faults, b.ask(t, "sideways()")...)
				faults = append(faults, b.ask(t, "charts()")...)
				v.width = 320
				b.set(t, v)
				faults = append(faults, b.ask(t, "sideways()")...)
				faults = append(faults, b.ask(t, "charts()")...)
				for _, f := range append(faults, b.taken()...) {
					t.Errorf("%s: %s", v, f)
				}
			}
		})
	}
	t.Run("pictures", func(t *testing.T) {
		b := newTab(t)
		b.before(t, counter)
		seen := 0
		err := fs.WalkDir(os.DirFS(c.dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || path.Ext(p) != ".svg" || seen >= 40 {
				return err
			}
			seen++
			b.open(t, c, sitePage{path: p}, view{width: 1440, script: true})
			for _, f := range append(evaluate[[]string](t, b, planted), b.taken()...) {
				t.Errorf("%s: %s", p, f)
			}
			return nil
		})
		if err != nil || seen == 0 {
			t.Fatalf("%d pictures, %v", seen, err)
		}
	})
}
