package view

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/site/page"
)

// ledeOf is what stands below the heading of a page, as plain text, and how many sections follow.
func ledeOf(t *testing.T, c *catalog.Catalog, path string) (lede string, sections int) {
	t.Helper()
	for p, err := range pagesOf(figure.NewIndex(c, figuretest.Names(t)), c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path != path {
			continue
		}
		var v page.ReportView
		switch params := p.Params.(type) {
		case page.ReportView:
			v = params
		case page.HomeView:
			v.Frame, v.Sections = params.Frame, params.Sections
		}
		for _, part := range v.Lede.Parts() {
			lede += part.Text
		}
		return lede, len(v.Sections)
	}
	t.Fatalf("there is no page %q", path)
	return "", 0
}

// A catalog of runs that say no hardware holds runs and an engine all the same: its lists said "0 models, each with", "The
// catalog holds no run yet" and "No run of the catalog records its engine", and its home page led to none of them.
func TestNothingIsListed(t *testing.T) {
	r := figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03))
	delete(r.Attributes, "hardware")
	const lacks = "No run of this catalog says both which model and which hardware was measured. 1 run lacks model or hardware and " +
		"stands beside no other: what is missing."
	for _, path := range []string{"", "models", "hardware", "engines"} {
		for c, want := range map[*catalog.Catalog]string{
			{Runs: []*catalog.Run{r}}: lacks,
			{}:                        "This catalog holds no run yet: read result files with inferdex ingest, then build the site again.",
		} {
			if lede, n := ledeOf(t, c, path); lede != want || (n > 0) != (path == "" && len(c.Runs) > 0) {
				t.Errorf("of %d runs, /%s says %q in %d sections, want %q", len(c.Runs), path, lede, n, want)
			}
		}
	}
}

// One of a thing is not each of several, and an engine whose version nobody recorded has not 0 versions.
func TestListOfOne(t *testing.T) {
	r := figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03))
	delete(r.Attributes, "engine_version")
	c := &catalog.Catalog{Runs: []*catalog.Run{r}}
	for path, want := range map[string]string{
		"models":        "1 model with the hardware that gave it most tokens",
		"hardware":      "1 accelerator with the best result that was measured",
		"engines":       "1 engine with its versions over time",
		"engines/serve": "1 run with serve, which does not record its version.",
	} {
		if lede, _ := ledeOf(t, c, path); !strings.HasPrefix(lede, want) {
			t.Errorf("/%s says %q, want %q", path, lede, want)
		}
	}
}
