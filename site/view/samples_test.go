package view

import (
	"fmt"
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
	"github.com/inferdex/inferdex/site/sitetest"
)

// visible is what a reader sees of a page: the text of its strip of headlines and of its tables, and these as they are
// marked up.
func visible(t *testing.T, p *page.Page) (strip, tables, markup string) {
	t.Helper()
	for _, s := range p.Params.(page.ReportView).Stats {
		strip += s.Name + ": " + s.Value + " " + s.Unit + "\n"
	}
	var b strings.Builder
	for name, f := range p.Fragments {
		if strings.HasPrefix(name, "raw") || strings.HasPrefix(name, "chart") {
			continue
		}
		b.WriteString(sitetest.Spelt(t, f))
	}
	return strip, html.UnescapeString(words(b.String())), html.UnescapeString(b.String())
}

// towards stands between the tokens in and out of a table's cell.
const towards = "\u00a0→\u00a0"

// sizes are values of a base unit that choose each unit it is shown in.
var sizes = map[string][]float64{metric.Seconds: {1, 0.1, 1e-5, 1000}, metric.Bytes: {1, 1e3, 1e6, 1e9}}

// numberStands reports whether a number of a metric stands in some table, or in the title of a number there.
func numberStands(markup string, info metric.Info, v float64) bool {
	for _, size := range append(slices.Clone(sizes[info.Unit]), v) {
		scale := metric.ScaleFor(info.Unit, []*float64{&size})
		if strings.Contains(markup, `title="`+scale.Exact(v)+`"`) || strings.Contains(markup, ">"+scale.Format(v)+"<") {
			return true
		}
		if text := countText(v); strings.Contains(markup, ">"+text+towards) || strings.Contains(markup, towards+text+"<") {
			return info.ID == metric.InputTokens || info.ID == metric.OutputTokens
		}
	}
	return false
}

// unshown are the metrics of a run of which no statistic of some point stands on its page.
func unshown(r *figure.Run, markup string) map[metric.ID]string {
	out := map[metric.ID]string{}
	for _, p := range r.Points {
		for m, s := range p.Metrics {
			info, _ := metric.Lookup(m)
			var all []float64
			for _, v := range []*float64{s.Value, s.Mean, s.Median, s.Max, s.Min} {
				if v != nil {
					all = append(all, *v)
				}
			}
			for _, q := range s.Percentiles {
				all = append(all, q.Value)
			}
			if !slices.ContainsFunc(all, func(v float64) bool { return numberStands(markup, info, v) }) {
				out[m] = fmt.Sprint(all)
			}
		}
	}
	for _, f := range r.Figures {
		if info, _ := metric.Lookup(f.Metric); f.Value != nil && !numberStands(markup, info, *f.Value) {
			out[f.Metric] = fmt.Sprint(f.Of, " ", *f.Value)
		}
	}
	return out
}

// sampleSite is the site of the samples of every format.
func sampleSite(t *testing.T) *Site {
	t.Helper()
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
	return New(figure.NewIndex(c, names), c, Options{Config: &settings.Config{}})
}

// TestSamplesShowTheirResults reads the samples of every format and makes the pages of their runs. What a run has
// measured and can be believed has headlines, and they stand in the strip of the page with their units, and
// in the list of runs. Of each metric that says how good something is, a number stands in a table.
func TestSamplesShowTheirResults(t *testing.T) {
	g := sampleSite(t)
	shown := map[string]bool{}
	for _, r := range g.Index.Runs {
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
		scored := len(r.WholeFigures()) > 0 || r.OnlyScores()
		if len(measured) == 0 && !scored {
			continue
		}
		d, err := g.runPage(r)
		if err != nil {
			t.Fatal(err)
		}
		strip, tables, markup := visible(t, d.page)
		at := r.Sources[0].Path
		shown[strings.Split(at, "/")[1]] = true
		for line := range strings.Lines(strip) {
			name, _, _ := strings.Cut(line, ": ")
			if strings.Count("\n"+strip, "\n"+name+": ") > 1 {
				t.Errorf("%s: run %s: the strip has %q twice: %s", at, r.ID, name, strip)
			}
		}
		for _, q := range fewPoints(r) {
			for m := range q.p.Metrics {
				v, ok := figure.Get(q.p, m, metric.Mean)
				if info, _ := metric.Lookup(m); ok && info.In.Of(metric.Run) != nil && !numberStands(markup, info, v) {
					t.Errorf("%s: run %s: the mean of %s does not stand in the table of its point", at, r.ID, m)
				}
			}
		}
		if p := r.Points; len(p) == 1 && p[0].Metrics[metric.OutputThroughput].Value != nil {
			if _, _, ok := figure.Central(&p[0], metric.TTFT); ok && !strings.Contains(strip, "TTFT") {
				t.Errorf("%s: run %s: the strip has no TTFT: %s", at, r.ID, strip)
			}
			if strings.Contains(strip, "Peak") || strings.Contains(strip, "Most") {
				t.Errorf("%s: run %s has one point and a peak: %s", at, r.ID, strip)
			}
		}
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
		for _, h := range hs {
			if v, _ := h.Text(); r.OnlyScores() && !strings.Contains(tables, v) {
				t.Errorf("%s: run %s: the score %s has other digits in its table", at, r.ID, v)
			}
		}
		for m, vs := range unshown(r, markup+">"+strings.NewReplacer(": ", ":>", " ", "<").Replace(strip)) {
			t.Errorf("%s: run %s: no number of %s stands on the page: %s", at, r.ID, m, vs)
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

// TestRankedIsAList holds that what is ranked on a page of a model stands in blocks on a phone, the place and the figure
// it is ranked by first.
func TestRankedIsAList(t *testing.T) {
	g := sampleSite(t)
	ranked := 0
	for _, m := range g.Index.Models {
		d := g.modelPage(m)
		f, ok := d.page.Fragments["ranked"]
		if !ok {
			continue
		}
		ranked++
		s := sitetest.Spelt(t, f)
		for row := range strings.SplitSeq(s, "<tr ") {
			if strings.Contains(row, `data-l="Rank">`) && strings.Contains(row, `"n front na"`) &&
				!strings.Contains(row, `data-l="Rank"></td>`) {
				t.Errorf("%s: a row has a rank and no figure: %s", m.Name, row)
			}
		}
		if !strings.Contains(s, "tight list") || strings.Contains(s, ">Relative to best<") &&
			(!strings.Contains(s, `class="n front mut"`) || strings.Count(s, `class="n front`) < 4) {
			t.Errorf("%s: the ranking is no list: %s", m.Name, s)
		}
	}
	if ranked == 0 {
		t.Errorf("no model has a ranking: the test looks at the wrong place")
	}
}
