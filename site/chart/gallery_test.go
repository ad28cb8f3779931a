package chart

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"testing"
)

var gallery = flag.String("gallery", "", "write all charts into one HTML page, to be looked at")

// TestGallery writes the page asked for by -gallery, with the style sheet inside it. A reader's theme
// decides its colours; -gallery works in no other test.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("no -gallery")
	}
	var b bytes.Buffer
	b.WriteString(`<!doctype html><meta charset="utf-8"><title>Charts</title><style>
:root { color-scheme: light dark; --sans: -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial,
	sans-serif; ` + page(&light) + ` }
@media (prefers-color-scheme: dark) { :root { ` + page(&dark) + ` } }
body { background: var(--bg); color: var(--ink); font: 15px/1.4 var(--sans); margin: 24px; } h2 { font-size: 15px; margin: 28px 0 8px; } .row { display: flex; flex-wrap: wrap; gap: 28px; align-items: flex-start; }
small { font-weight: 400; color: var(--ink2); } .row .ch { display: block; }
` + chartCSS() + `.row .ch.ch { display: block; outline: 1px dotted color-mix(in srgb, var(--ink) 18%, transparent); }</style>`)
	for _, k := range cases() {
		fmt.Fprintf(&b, `<h2>%s <small>%s</small></h2><div class="row">`, k.name, html.EscapeString(k.says))
		for _, o := range k.drawings() {
			if err := k.chart.SVG(&b, o); err != nil {
				t.Fatal(err)
			}
		}
		b.WriteString("</div>\n")
	}
	for _, k := range hardKinds {
		fmt.Fprintf(&b, `<h2>hard-%s</h2><div class="row">`, k.name)
		for i := range hardData {
			if err := k.make(i).SVG(&b, Options{Size: Narrow}); err != nil {
				t.Fatal(err)
			}
		}
		b.WriteString("</div>\n")
	}
	b.WriteString(`<h2>small</h2><div class="row">`)
	if err := WriteKey(&b, append(KeyOf(many(9)), KeyOf(throughput(), tokens())...)); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 9; n++ {
		for _, err := range []error{Mark(&b, n), HBar(&b, n, float64(n)/9)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, err := range []error{RatioAxis(&b, 2), RatioBar(&b, 1, 1.58, 1.4, 1.8, 2), RatioBar(&b, 2, .7, 0, 0, 2),
		RatioBar(&b, 1, 5, 4, 6, 2)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString("</div>")
	if err := os.WriteFile(*gallery, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func page(t *theme) string {
	s := ""
	for _, k := range []string{"bg", "ink", "ink2", "ink3", "rule2", "grid", "warn-bg", "warn"} {
		s += fmt.Sprintf("--%s: %s; ", k, t.color(k, 0))
	}
	return s
}
