package check

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each case is a site and, as "want", what is wrong with it.
func TestSite(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			want := &txtar.File{}
			for i, f := range a.Files {
				if f.Name == "want" {
					want = &a.Files[i]
					continue
				}
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			var first string
			for _, workers := range []int{1, 8} {
				r, err := Site(t.Context(), fsys, Options{BaseURL: "https://example.org/bench/", Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				got := listing(r)
				if workers == 1 {
					first = got
				} else if got != first {
					t.Errorf("with %d workers: %s", workers, cmp.Diff(first, got))
				}
			}
			if *update {
				want.Data = []byte(first)
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(want.Data), first); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func listing(r *Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	fmt.Fprintf(&b, "%d files, %d pages, %d errors\n", r.Files, r.Pages, r.Errors())
	return b.String()
}

// pageOf is a good page around body.
func pageOf(title, head, body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`<!doctype html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="` + Policy + `"><title>` + title + `</title>` + head + `</head><body><h1>` + title + `</h1>` + body + `</body></html>`)}
}

// noise is text that does not compress well.
func noise(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678901"[r.IntN(64)]
	}
	return string(b)
}

func TestBudgets(t *testing.T) {
	const css, js = `<link rel="stylesheet" href="../../site.css">`, `<script src="../../site.js"></script>`
	for _, test := range []struct {
		name string
		fsys fstest.MapFS
		want string
	}{
		{"card near", fstest.MapFS{"cards/a/index.html": pageOf("A", "", noise(75_000))}, "cards/a/index.html: warning: HTML without raw records, gzipped: 5"},
		{"card above", fstest.MapFS{"cards/a/index.html": pageOf("A", "", noise(90_000))}, "cards/a/index.html: error: HTML without raw records, gzipped: 6"},
		{"card with raw records", fstest.MapFS{"cards/a/index.html": pageOf("A", "", `<pre class="raw"><span>`+noise(90_000)+`</span></pre>`)}, ""},
		{"other page", fstest.MapFS{"runs/a/index.html": pageOf("A", "", noise(90_000))}, ""},
		{"styles", fstest.MapFS{"runs/a/index.html": pageOf("A", css, ""), "site.css": {Data: []byte(noise(20_000))}}, "runs/a/index.html: error: its style sheets, gzipped: 1"},
		{"scripts", fstest.MapFS{"runs/a/index.html": pageOf("A", js, ""), "site.js": {Data: []byte(noise(20_000))}}, "runs/a/index.html: error: its scripts, gzipped: 1"},
		{"scripts of compare", fstest.MapFS{"compare/a/index.html": pageOf("A", js, ""), "site.js": {Data: []byte(noise(20_000))}}, ""},
		{"elements", fstest.MapFS{"runs/a/index.html": pageOf("A", "", strings.Repeat("<b>x</b>", 15_000))}, "runs/a/index.html: error: 15006 elements, above the budget of 15000"},
		{"elements near", fstest.MapFS{"runs/a/index.html": pageOf("A", "", strings.Repeat("<b>x</b>", 14_000))}, "runs/a/index.html: warning: 14006 elements, near the budget of 15000"},
		{"large page", fstest.MapFS{"runs/a/index.html": pageOf("A", "", strings.Repeat("x", 1_000_000))}, "runs/a/index.html: error: the page: 1000.3 kB, above the budget of 1000.0 kB"},
		{"large picture", fstest.MapFS{"runs/a/index.html": pageOf("A", "", `<img alt="" src="p.png"><img alt="" src="p.png">`), "runs/a/p.png": {Data: make([]byte, 1_000_001)}}, "runs/a/index.html: error: loads runs/a/p.png: 1000.0 kB, above the budget of 1000.0 kB"},
		{"large download", fstest.MapFS{"runs/a/index.html": pageOf("A", "", `<a href="p.gz">p</a>`), "runs/a/p.gz": {Data: make([]byte, 5_000_000)}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.fsys["index.html"] = pageOf("Start", "", "")
			r, err := Site(t.Context(), test.fsys, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimSuffix(listing(r), fmt.Sprintf("%d files, %d pages, %d errors\n", r.Files, r.Pages, r.Errors()))
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) || strings.Count(got, "\n") > 1 {
				t.Errorf("got\n%swant %s", got, test.want)
			}
		})
	}
}

func TestSiteBudget(t *testing.T) {
	b := DefaultBudgets
	b.Site = 1000
	for size, want := range map[int]string{500: "", 700: "warning: the site: ", 2000: "error: the site: "} {
		r, err := Site(t.Context(), fstest.MapFS{"index.html": pageOf("Start", "", ""), "x.bin": {Data: make([]byte, size)}}, Options{Budgets: b})
		if err != nil {
			t.Fatal(err)
		}
		got := listing(r)
		if (want == "") != (len(r.Findings) == 0) || !strings.HasPrefix(got, want) {
			t.Errorf("%d bytes: %s", size, got)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Site(ctx, fstest.MapFS{"index.html": pageOf("Start", "", "")}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestEmptySite(t *testing.T) {
	r, err := Site(t.Context(), fstest.MapFS{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := listing(r), "error: there is no index.html\n0 files, 0 pages, 1 errors\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Anything may stand in a page; nothing makes the check stop.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`<html lang="en"><title>x</title><p id="a" style="x"><a href="#a">x</a><pre class=raw>`))
	f.Add([]byte("</svg></pre></title><svg><title><h1 id='"))
	f.Add([]byte("<meta http-equiv=refresh content='0; url=%zz'>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Site(t.Context(), fstest.MapFS{"index.html": {Data: data}, "a.svg": {Data: data}, "a.css": {Data: data}}, Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
