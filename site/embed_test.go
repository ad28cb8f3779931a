package site

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// mostFramed bounds what a browser loads for a card in a frame, in bytes.
const mostFramed = 30_000

// TestFrames holds the page of each card in a frame: it is small, leads nowhere but to its evidence, and says where its
// numbers are from. oembed.json and the code to paste show that page, and all of it stands only where the site has an address.
func TestFrames(t *testing.T) {
	for _, base := range []string{"", "https://example.org/b/"} {
		ix, c, o := testCatalog(t)
		conf := *o.Config
		conf.BaseURL, conf.Title, conf.Notice = base, sitetest.Hostile, sitetest.Hostile
		o.Config, o.NoPreviews = &conf, true
		files := filesOf(t, func(to *view.Options) { *to = o })
		cards := map[string]page.ReportView{}
		for p, err := range New(ix, c, o).Pages() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == "card" {
				cards[p.Path] = p.Params.(page.ReportView)
			}
		}
		if len(cards) != len(ix.Cards) || len(cards) == 0 {
			t.Fatalf("%d pages of %d cards", len(cards), len(ix.Cards))
		}
		style := files[view.PathEmbedStyle]
		for path, v := range cards {
			if base == "" {
				for _, name := range []string{"/embed.html", "/oembed.json"} {
					if _, there := files[path+name]; there || v.OEmbed != nil {
						t.Errorf("%s%s without the site's address, its link %v", path, name, v.OEmbed)
					}
				}
				continue
			}
			frame := string(files[path+"/embed.html"])
			if n := len(frame) + len(style); n > mostFramed || len(style) == 0 {
				t.Errorf("%s: %d bytes", path, n)
			}
			plainFrame(t, path, frame)
			if !strings.Contains(frame, page.Escape(v.Heading)) {
				t.Errorf("%s: the frame does not say what it is of", path)
			}
			var o view.OEmbed
			data := files[path+"/oembed.json"]
			if v.OEmbed == nil {
				t.Errorf("%s: no link to oembed.json", path)
				continue
			}
			if err := sitetest.Valid("oembed.json", data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if err := json.Unmarshal(data, &o); err != nil {
				t.Fatal(err)
			}
			if v.OEmbed.Href != base+path+"/oembed.json" || o.ProviderURL != base ||
				!strings.Contains(o.HTML, `src="`+base+path+`/embed.html"`) {
				t.Errorf("%s: %v, %+v", path, v.OEmbed, o)
			}
		}
	}
}

// plainFrame holds the elements of a page that stands in a frame.
func plainFrame(t *testing.T, path, frame string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(frame))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		for _, a := range n.Attr {
			switch {
			case a.Key == "href" && n.Data == "a" && a.Val != "index.html",
				a.Key == "href" && n.Data == "link" && a.Val != "../../"+view.PathEmbedStyle,
				a.Key == "src", a.Key == "style", strings.HasPrefix(a.Key, "on"):
				t.Errorf("%s: <%s> has %s=%q", path, n.Data, a.Key, a.Val)
			}
		}
	}
	for _, none := range []string{"nav", "script", "style", "header", "form", "iframe", "img"} {
		if count[none] > 0 {
			t.Errorf("%s: the frame has <%s>", path, none)
		}
	}
	if count["table"] > 1 || count["a"] != 1 || count["h1"] != 1 || count["footer"] != 1 {
		t.Errorf("%s: the frame has %v", path, count)
	}
}
