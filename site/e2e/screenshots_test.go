//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// picture takes a picture of the page as it stands, down to a height; 0 is all of it, but for what
// no one would look at in one picture.
func (b *tab) picture(t *testing.T, width, height int64) []byte {
	t.Helper()
	if height == 0 {
		height = min(evaluate[int64](t, b, `Math.ceil(document.documentElement.scrollHeight)`), 6000)
	}
	beyond := true
	return call(t, b, page.CaptureScreenshot,
		page.CaptureScreenshotParams{Format: "png", CaptureBeyondViewport: &beyond,
			Clip: &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}}).Data
}

// TestScreenshots writes, with -screenshots, a picture of the largest page of each kind in both
// themes, on a phone, a tablet, a desk and on paper; with -readme the one that README shows.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("skipped: no -screenshots")
	}
	for _, c := range []*catalog{demonstration, example, corpus, field} {
		t.Run(c.name, func(t *testing.T) {
			c.need(t)
			for _, p := range c.sample(1) {
				name := strings.ReplaceAll(strings.TrimPrefix(p.kind, "page "), "/", "-")
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					b := newTab(t)
					dir := filepath.Join(*screenshots, c.name)
					if err := os.MkdirAll(dir, 0o777); err != nil {
						t.Fatal(err)
					}
					for _, v := range []view{{width: 390}, {width: 390, dark: true}, {width: 768},
						{width: 768, dark: true}, {width: 1440}, {width: 1440, dark: true},
						{width: paperWidth, print: true}} {
						v.script = true
						b.open(t, c, p, v)
						theme := "light"
						if v.dark {
							theme = "dark"
						}
						if v.print {
							theme = "paper"
						}
						if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, theme, v.width)),
							b.picture(t, v.width, 0), 0o666); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		})
	}
	if *readme == "" {
		return
	}
	t.Run("readme", func(t *testing.T) {
		b := newTab(t)
		b.open(t, demonstration, sitePage{path: "index.html", kind: "home"}, view{width: 1200, script: true})
		if err := os.WriteFile(*readme, b.picture(t, 1200, 760), 0o666); err != nil {
			t.Fatal(err)
		}
	})
}
