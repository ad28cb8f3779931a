package view

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// visible is the text of a page that a reader sees: of its strip of headlines and of its tables.
func visible(t *testing.T, p *page.Page) (strip, tables string) {
	t.Helper()
	for _, s := range p.Params.(page.ReportView).Stats {
		strip += s.Name + ": " + s.Value + " " + s.Unit + "\n"
	}
	var b bytes.Buffer
	for name, f := range p.Fragments {
		if strings.HasPrefix(name, "raw") || strings.HasPrefix(name, "chart") {
			continue
		}
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
	}
	return strip, html.UnescapeString(words(b.String()))
}

// TestSamplesShowTheirResults reads the samples of every format and makes the pages of their runs. What a run has
// measured and can be believed has headlines, and they stand in the strip of the page with their units, and
// in the list of runs. Of each metric that says how good something is, a number stands in a table.
func TestSamplesShowTheirResults(t *testing.T) {
	dir := t.TempDir()
	for _, c := range goldentest.Cases(t, "../../ingest/format/*/testdata/*.txtar") {
		of := filepath.Base(filepath.Dir(filepath.Dir(c.Path)))
		for _, f := range c.Files {
			if name, ok := strings.CutPrefix(f.Name, "in/"); ok && !strings.Contains(name, ".quoted") {
				goldentest.Write(t, filepath.Join(dir, of, c.Name, filepath.FromSlash(name)), f.Data)
			}
		}
	}
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	reading, err := ingest.Read(t.Context(), []ingest.Input{{Name: "samples", FS: os.DirFS(dir)}},
		ingest.Options{Formats: format.All(), Sidecar: settings.IsSidecar})
	if err != nil {
		t.Fatal(err)
	}
	done, err := normalize.Catalog(reading, nil,
		normalize.Options{Config: &settings.Config{}, Formats: format.All(), Names: names,
			Inputs: []string{"samples"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &catalog.Catalog{Runs: done.Runs}
	ix := figure.NewIndex(c, names)
	g := New(ix, c, Options{Config: &settings.Config{}})
	shown := map[string]bool{}
	for _, r := range ix.Runs {
		measured := map[metric.ID]bool{}
		for _, s := range r.Scenarios {
			for _, p := range s.Points {
				for m := range p.Metrics {
					if info, _ := metric.Lookup(m); info.Better != metric.Neutral && !info.Describes {
						measured[m] = true
					}
				}
			}
		}
		scored := len(WholeFigures(r)) > 0 || r.OnlyScores()
		if len(measured) == 0 && !scored {
			continue
		}
		d, err := g.runPage(r)
		if err != nil {
			t.Fatal(err)
		}
		strip, tables := visible(t, d.page)
		at := r.Sources[0].Path
		shown[strings.Split(at, "/")[1]] = true
		hs := r.Headlines()
		if len(hs) == 0 && r.Forbidden == "" {
			t.Errorf("%s: run %s measured %v and has no headline", at, r.ID, measured)
		}
		for i, h := range hs {
			v, unit := h.Text()
			if i < 4 && v != "" && !strings.Contains(strip, v+" "+unit) {
				t.Errorf("%s: run %s: the page does not show %q %s %s", at, r.ID, h.Label, v, unit)
			}
		}
		for m := range measured {
			if info, _ := metric.Lookup(m); !strings.Contains(tables, info.Label) &&
				!strings.Contains(strip, info.Label) &&
				!(m == metric.KVCacheUsage && strings.Contains(tables, "KV max")) {
				t.Errorf("%s: run %s: no table of the page has %q", at, r.ID, info.Label)
			}
		}
	}
	if len(shown) < 20 {
		t.Errorf("%d formats have samples with results: %v", len(shown), slices.Sorted(func(yield func(string) bool) {
			for f := range shown {
				if !yield(f) {
					return
				}
			}
		}))
	}
}
