package view

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// One or two points with many statistics have a table each, a row a metric, whose heading is the anchor of the point;
// three points share one.
func TestFewPoints(t *testing.T) {
	points := []catalog.Point{figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03), figuretest.Point(2, 190, 0.11, 0.22, 0.021, 0.033),
		figuretest.Point(4, 300, 0.12, 0.24, 0.022, 0.036)}
	for i := range points {
		points[i].Metrics["itl"] = figuretest.Dist(0.02, 0.021, 0.03)
		points[i].Metrics["e2e_latency"] = figuretest.Dist(4, 4.1, 5)
	}
	for n := 1; n <= 3; n++ {
		c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", points[:n]...)}}
		tables, ids := 0, map[string]bool{}
		for p, err := range pagesOf(figure.NewIndex(c, figuretest.Names(t)), c, Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			if p.Path != PathRun("r") {
				continue
			}
			for _, s := range p.Params.(page.ReportView).Sections {
				for _, b := range s.Blocks {
					if b.Heading != nil {
						ids[b.Heading.ID] = true
					}
				}
			}
			for name, f := range p.Fragments {
				if strings.HasPrefix(name, "point-") {
					tables++
					if text := sitetest.Spelt(t, f); !strings.Contains(text, "100") || !strings.Contains(text, "p99") {
						t.Errorf("%s lacks numbers:\n%s", name, text)
					}
				}
			}
		}
		if want := n % 3; tables != want {
			t.Errorf("%d points have %d tables of their own, want %d", n, tables, want)
		}
		if n < 3 && !ids["p-1000-200-c1"] {
			t.Errorf("no heading is the anchor of the first point: %v", ids)
		}
	}
}

// Requests that completed without output are counted wherever it is said how many completed, and where they are too many
// they keep a card from the limits of a use: 378 of 1,000 are 37.8 % errors.
func TestWithoutOutput(t *testing.T) {
	p := figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)
	p.Submitted, p.Completed, p.NoOutput = figuretest.Whole(1000), figuretest.Whole(1000), figuretest.Whole(378)
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", p)}}
	ix := figure.NewIndex(c, figuretest.Names(t))
	_, s := pageAt(t, ix, c, "models/dense-10b")
	all := ""
	for _, id := range slices.Sorted(maps.Keys(s)) {
		all += id + "\n" + s[id]
	}
	for _, want := range []string{
		"1 000 of 1 000 requests completed, 378 without output at 1 parallel, the smallest load",
		"1 000 of 1 000 completed, 378 without output, one request at a time",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the page of the model does not say %q:\n%s", want, all)
		}
	}
	_, s = pageAt(t, ix, c, "cards/dense-10b-on-big")
	if said := strings.Join(slices.Collect(maps.Values(s)), "\n"); !strings.Contains(said, "1 000 of 1 000 completed, 378 of them "+
		"without output, with 1 000 → 200, one request at a time; the latencies there describe the completed requests alone, and may have zeros for "+
		"those without output.") ||
		!strings.Contains(said, "of 1 000, 378 without output") {
		t.Errorf("the page of the card says\n%s", said)
	}
	run, _ := pageAt(t, ix, c, "runs/r")
	flags := ""
	for _, f := range run.Params.(page.ReportView).Facts {
		if f.Flag != nil {
			flags += f.Flag.Text
		}
	}
	if flags != "378 without output" {
		t.Errorf("above the run stands %q", flags)
	}
	stats := run.Params.(page.ReportView).Stats
	if len(stats) < 2 {
		t.Errorf("the run has the headline figures %+v", stats)
	}
	for _, s := range stats {
		if s.Warn != "1\u202f000 of 1\u202f000 completed, 378 without output" {
			t.Errorf("below the headline figure %q stands %q", s.Name, s.Warn)
		}
	}
}

// The sentence on which hardware gives most says where one of them hardly served: 625 tok/s with 378 of 1,000 requests without
// output stood against 1,260 as if they had done the same work. And a cell with a warning keeps what stood in it.
func TestNotAllServed(t *testing.T) {
	p, q := figuretest.Point(1, 1260, 0.1, 0.2, 0.02, 0.03), figuretest.Point(1, 625, 0.1, 0.2, 0.02, 0.03)
	q.Submitted, q.Completed, q.NoOutput = figuretest.Whole(1000), figuretest.Whole(1000), figuretest.Whole(378)
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("a", "o/Dense-10B", "2x big", "1.0", p),
		figuretest.Run("b", "o/Dense-10B", "2x small", "1.0", q)}}
	_, s := pageAt(t, figure.NewIndex(c, figuretest.Names(t)), c, "models/dense-10b")
	want := "Not all served: 2× small: at its peak 1 000 of 1 000 requests completed, 378 without output. The throughput is that of the others."
	if said := strings.ReplaceAll(s["take"], "\u202f", " "); !strings.Contains(strings.ReplaceAll(said, "\u00a0", " "), want) ||
		strings.Contains(said, "2× big: at its peak") {
		t.Errorf("the page of the model says\n%s\nwant %s", s["take"], want)
	}
	if runs := strings.ReplaceAll(s["runs"], "\u202f", " "); !strings.Contains(runs, "on 2×, 625 in all; 1 000 of 1 000, 378 without output") {
		t.Errorf("the list of runs has\n%s", runs)
	}
}

// The longest context that was counted is not the longest that was served where a longer one was asked for and nobody
// counted it: then that is said.
func TestLongestContext(t *testing.T) {
	counted := figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)
	counted.Workload.Actual = record.Lengths{Input: figuretest.Num(1000), Output: figuretest.Num(200)}
	for asked, want := range map[float64]string{500: "about 1 200 tokens",
		25000: "about 1 200 tokens, of those counted; 25 200 were asked for"} {
		other := figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03)
		other.Workload.Actual = record.Lengths{}
		other.Workload.Nominal = record.Lengths{Input: &asked, Output: figuretest.Num(200)}
		c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", counted, other)}}
		card, _ := pageAt(t, figure.NewIndex(c, figuretest.Names(t)), c, "cards/dense-10b-on-big")
		got := ""
		for _, f := range card.Params.(page.ReportView).Facts {
			if f.Name == "Longest context served" {
				got = strings.ReplaceAll(f.Parts[0].Text, "\u202f", " ")
			}
		}
		if got != want {
			t.Errorf("%v asked for: %q, want %q", asked, got, want)
		}
	}
}

// A finding of several runs of a card is one sentence of the home page, also where it stands at other lines of their files;
// its counts are parted as everywhere.
func TestAttentionIsSaidOnce(t *testing.T) {
	c := &catalog.Catalog{}
	for i, message := range []string{"x is 1 in \"a\" line 3 and 0 in \"b\" line 3", "x is 1 in \"a\" line 6 and 0 in \"b\" line 61",
		"y is 1 in \"a\" line 6", "1015 of 2000 requests completed, 2262 tok/s", "1015 of 2000 requests completed, 2262 tok/s"} {
		r := figuretest.Run("r"+itoa(i), "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 100, 0.1, 0.2, 0.02, 0.03))
		r.Findings = []catalog.Finding{{Code: "found", Severity: record.Warning, Message: message}}
		c.Runs = append(c.Runs, r)
	}
	g := New(figure.NewIndex(c, figuretest.Names(t)), c, Options{})
	var got []string
	for _, s := range g.draft("", "home", "", "", claim.Sentence{}).attention()[1].Says {
		got = append(got, strings.ReplaceAll(partsText(s.Parts), "\u202f", " "))
	}
	slices.Sort(got)
	want := []string{"Dense-10B on big, 2 runs: 1 015 of 2 000 requests completed, 2 262 tok/s. Evidence",
		"Dense-10B on big, one of 2 such runs: x is 1 in \"a\" line 3 and 0 in \"b\" line 3. Evidence",
		"Dense-10B on big: y is 1 in \"a\" line 6. Evidence"}
	if !slices.Equal(got, want) {
		t.Errorf("the home page says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The load of points that say none, or all the same, stands once above their table, and in each row where it differs.
func TestOneLoadOfManyWorkloads(t *testing.T) {
	for said, load := range map[string]func(i int) record.Load{
		"In each row: Load not recorded.": func(int) record.Load { return record.Load{} },
		"In each row: Load 8 parallel.":   func(int) record.Load { return record.Load{MaxConcurrency: sitetest.Ptr(int64(8))} },
		"":                                func(i int) record.Load { return record.Load{MaxConcurrency: sitetest.Ptr(int64(8 * i))} },
	} {
		var points []catalog.Point
		for i := 1; i <= mostApart+1; i++ {
			v := float64(100 * i)
			points = append(points, catalog.Point{Workload: record.Workload{Dataset: "random", Nominal: record.Lengths{
				Input: sitetest.Ptr(float64(1000 * i)), Output: sitetest.Ptr(100.0)}}, Load: load(i),
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v, Unit: "tok/s"}}})
		}
		c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "1x big", "1.0", points...)}}
		_, s := pageAt(t, figure.NewIndex(c, figuretest.Names(t)), c, "runs/r")
		if data := s["data"]; said != "" && (strings.Count(data, said) != 1 || strings.Contains(data, "| Load")) ||
			said == "" && (strings.Contains(data, "In each row: Load") || !strings.Contains(data, "| Load")) {
			t.Errorf("want %q once: %s", said, data)
		}
	}
}
