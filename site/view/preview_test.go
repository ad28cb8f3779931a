package view

import (
	"bytes"
	"image/png"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// previewsOf draws all previews of the catalog of tests.
func previewsOf(t *testing.T) map[string][]byte {
	t.Helper()
	ix, c, o := testCatalog(t)
	g := New(ix, c, o)
	out := map[string][]byte{}
	for f := range g.Previews() {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		out[f.Path] = b.Bytes()
	}
	return out
}

func TestPreviews(t *testing.T) {
	ix, _, _ := testCatalog(t)
	first, second := previewsOf(t), previewsOf(t)
	if want := 1 + len(ix.Models) + len(ix.Cards); len(first) != want {
		t.Errorf("%d pictures, want %d: home, each model, each card", len(first), want)
	}
	for path, data := range first {
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if s := img.Bounds().Size(); s.X != previewWidth || s.Y != previewHeight {
			t.Errorf("%s is %v", path, s)
		}
		if len(data) > 60_000 {
			t.Errorf("%s has %d bytes", path, len(data))
		}
		if !bytes.Equal(data, second[path]) {
			t.Errorf("%s has other bytes when it is drawn again", path)
		}
	}
}

// Names that no font has, that run right to left, or that are long, are drawn all the same.
func TestPreviewHostileNames(t *testing.T) {
	names := []string{"", "🤖🚀 model", "نموذج عربي", "\u202eabc", strings.Repeat("long ", 60),
		strings.Repeat("W", 300),
		"a\x00b\xff", "👩\u200d👩\u200d👧 \u200f", "模型"}
	ix, c, o := testCatalog(t)
	o.Config = &settings.Config{Title: names[4], BaseURL: "https://example.org/", Notice: names[2]}
	n := 0
	next := func() string { n++; return names[n%len(names)] }
	for _, m := range ix.Models {
		m.Name = next()
	}
	for _, k := range ix.Cards {
		k.Model.Name, k.Hardware.Name = next(), next()
	}
	for f := range New(ix, c, o).Previews() {
		if err := f.Write(io.Discard); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	// Each name as a title, whatever the catalog of tests has.
	g := New(ix, c, o)
	for _, name := range names {
		p, err := chart.NewPicture(previewWidth, previewHeight)
		if err != nil {
			t.Fatal(err)
		}
		g.previewFrame(p, name, name)
	}
}

func TestPreviewsLeftOut(t *testing.T) {
	ix, c, o := testCatalog(t)
	for _, o := range []Options{{Config: &settings.Config{}}, {Config: o.Config, NoPreviews: true}} {
		for f := range New(ix, c, o).Previews() {
			t.Errorf("%s is there", f.Path)
		}
		for p, err := range pagesOf(ix, c, o) {
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := p.Params.(page.ReportView); ok && v.Preview != nil {
				t.Errorf("%s names a picture that is not there", p.Path)
			}
		}
	}
}

// Where there are very many cards, each shows the picture of its model.
func TestPreviewsOfVeryManyCards(t *testing.T) {
	ix, c, o := testCatalog(t)
	card := ix.Cards[0]
	for _, most := range []int{mostCardPreviews, mostCardPreviews + 1} {
		for len(ix.Cards) < most {
			ix.Cards = append(ix.Cards, card)
		}
		g := New(ix, c, o)
		drawn := map[string]bool{}
		for f := range g.Previews() {
			drawn[f.Path] = true
		}
		got := g.draft(page.PathCard(card.Slug), "card", "", "", claim.Sentence{}).view.Preview
		want := &page.Image{Href: g.Base() + pathPreview(page.PathCard(card.Slug)),
			Alt: card.Title() + ": headline figures. "}
		if most > mostCardPreviews {
			want = &page.Image{Href: g.Base() + pathPreview(page.PathModel(card.Model.Slug)),
				Alt: card.Model.Name + ": headline figures"}
			if len(drawn) != 1+len(ix.Models) {
				t.Errorf("%d pictures, want %d: home and each model", len(drawn), 1+len(ix.Models))
			}
		}
		if *got != *want || !drawn[strings.TrimPrefix(got.Href, g.Base())] {
			t.Errorf("%d cards: one shows %v, want %v, which is drawn", most, got, want)
		}
	}
}

// An index without a run has no previews.
func TestNoPreviewsOfNothing(t *testing.T) {
	g := New(&figure.Index{}, nil, Options{Config: &settings.Config{BaseURL: "https://example.org/"}})
	for f := range g.Previews() {
		t.Errorf("%s is there", f.Path)
	}
}

func BenchmarkPreview(b *testing.B) {
	names, _ := settings.LoadNames(os.DirFS("../data"))
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{sitetest.SuiteRun("a", "m/x-7b", "H100", "0.6.4", 60,
		true)}}, names)
	g := New(ix, nil, Options{Config: &settings.Config{BaseURL: "https://example.org/"}})
	b.ReportAllocs()
	for b.Loop() {
		p, err := chart.NewPicture(previewWidth, previewHeight)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.drawCard(p, ix.Cards[0], ix.Cards[0].Title()); err != nil {
			b.Fatal(err)
		}
		if err := p.PNG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
