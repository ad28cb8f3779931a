//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// at says where the focus is: in the skip link, the header, the main part or the footer.
const at = `(() => { const e = document.activeElement;
	for (const w of [".skip", "header", "main", "footer", "nav.toc"]) if (e.closest(w)) return w;
	return e.localName; })()`

// TestKeyboard walks pages as a reader without a pointer does.
func TestKeyboard(t *testing.T) {
	c := demonstration
	c.need(t)
	for _, p := range c.sample(1) {
		if p.kind == "notfound" {
			continue
		}
		t.Run(strings.TrimSuffix(p.path, "/index.html"), func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			v := view{width: 1440, script: true}
			b.open(t, c, p, v)
			b.key(t, kb.Tab)
			if got := evaluate[string](t, b, at); got != ".skip" {
				t.Fatalf("the first Tab reaches %s, want the link that skips to the content", got)
			}
			if !evaluate[bool](t, b,
				`(() => { const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.left >= 0 && r.height >= 24 && r.width >= 24 })()`) {
				t.Error("the skip link has the focus and is not seen")
			}
			// Through the header into the page, without being caught.
			var way []string
			for range 60 {
				b.key(t, kb.Tab)
				w := evaluate[string](t, b, at)
				if len(way) == 0 || way[len(way)-1] != w {
					way = append(way, w)
				}
				if w == "main" || w == "footer" {
					break
				}
			}
			if got := strings.Join(way, " "); !strings.HasPrefix(got, "header") || way[len(way)-1] == "header" {
				t.Errorf("Tab goes through %q, want the header first and then the page", got)
			}
			b.open(t, c, p, v)
			b.key(t, kb.Tab)
			b.key(t, kb.Enter)
			b.key(t, kb.Tab)
			if got := evaluate[string](t, b, at); got != "main" && got != "footer" {
				t.Errorf("after the skip link Tab reaches %s, want the content", got)
			}
			if evaluate[bool](t, b,
				`(() => { const s = [...document.querySelectorAll("summary")].find(s => s.checkVisibility()); if (s) s.focus(); return !!s })()`) {
				for i, key := range []string{kb.Enter, " "} {
					b.key(t, key)
					if open := evaluate[bool](t, b, `document.activeElement.parentElement.open`); open != (i == 0) {
						t.Errorf("after key %q the details are open: %v", key, open)
					}
				}
			}
			for _, f := range b.taken() {
				t.Error(f)
			}
		})
	}
}
