package view

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/check"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// largeRun is a run of so many workloads with as many loads each, requests sent by rate or so many in parallel, from as many
// files as it has points where each has its own.
func largeRun(id, hardware string, workloads, loads int, rate, files bool) *catalog.Run {
	r := sitetest.RateRun(id, "", 1)
	first := r.Points[0]
	r.Points = nil
	for w := range workloads {
		for l := range loads {
			p := first
			p.Workload.Nominal = record.Lengths{Input: sitetest.Ptr(float64(100 + w)), Output: sitetest.Ptr(100.0)}
			p.Load = record.Load{MaxConcurrency: sitetest.Ptr(int64(l + 1))}
			if rate {
				p.Load = record.Load{Rate: sitetest.Ptr(record.Float(float64(l+1) / 4))}
			}
			p.Metrics = map[metric.ID]catalog.Stat{}
			for m, s := range first.Metrics {
				factor := 1 + float64((7*l)%100)/1000 + float64(l)/100
				if s.Value != nil {
					s.Value = sitetest.Ptr(*s.Value * factor)
				}
				if s.Mean != nil {
					s.Mean = sitetest.Ptr(*s.Mean * factor)
				}
				p.Metrics[m] = s
			}
			if files {
				digest := fmt.Sprintf("%012x", len(r.Points)+1)
				p.At = catalog.Place{Source: digest, Line: 1}
				r.Sources = append(r.Sources, catalog.Source{Path: fmt.Sprintf("in/%d.json", len(r.Points)), SHA256: digest + "0000",
					Format: "vllm-bench-serve"})
			}
			r.Points = append(r.Points, p)
		}
	}
	r.Attributes["model"], r.Attributes["hardware"] = catalog.Attribute{Value: "o/m"}, catalog.Attribute{Value: hardware}
	return r
}

// body is what a page has below its head, as a layout writes it.
func body(t *testing.T, p *page.Page) string {
	t.Helper()
	_, bodies := p.Params.(page.Sectioned).Bodies()
	var b bytes.Buffer
	for _, sections := range bodies {
		if err := page.WriteSections(&b, sections, func(name string) error { return p.Fragments[name](&b) }); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// The pages of runs with many loads, workloads or files keep the budgets of inferdex check, each point has one row on the
// pages of its run, and links lead to it.
func TestLargeRuns(t *testing.T) {
	_, _, o := testCatalog(t)
	element, anchor := regexp.MustCompile(`<[a-z]`), regexp.MustCompile(` id="?([^" >]+)`)
	link := regexp.MustCompile(`href="?([^" >]*index\.html)?#(p-[^" >]+|src-[^" >]+|data-[^" >]+)`)
	for _, c := range []struct {
		name  string
		runs  []*catalog.Run
		pages int // with rows of the points of the first run
	}{
		{"one run of many loads", []*catalog.Run{largeRun("loads0000001", "H100", 1, 1000, false, false)}, 4},
		{"one run of many rates", []*catalog.Run{largeRun("rates0000001", "H100", 1, 1000, true, false)}, 4},
		{"many workloads of one load", []*catalog.Run{largeRun("works0000001", "H100", 1000, 1, false, false)}, 4},
		{"many workloads of two loads", []*catalog.Run{largeRun("pairs0000001", "H100", 500, 2, false, false)}, 7},
		{"some workloads of many loads", []*catalog.Run{largeRun("grids0000001", "H100", 10, 100, false, false)}, 4},
		{"a file for each point", []*catalog.Run{largeRun("files0000001", "H100", 1, 1000, false, true)}, 4},
		{"two hardwares", []*catalog.Run{largeRun("first0000001", "H100", 1, 1000, false, false),
			largeRun("other0000001", "A100", 1, 1000, false, false)}, 4},
		{"two runs of a card", []*catalog.Run{largeRun("first0000001", "H100", 1, 1000, true, false),
			largeRun("other0000001", "H100", 1, 1000, true, false)}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			made := &catalog.Catalog{Runs: c.runs}
			ix := figure.NewIndex(made, &settings.Names{})
			html := map[string]string{}
			anchors := map[string]map[string]bool{}
			for p, err := range pagesOf(ix, made, o) {
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := p.Params.(page.ReportView); !ok {
					continue
				}
				text := body(t, p)
				html[p.Path], anchors[p.Path] = text, map[string]bool{}
				for _, m := range anchor.FindAllStringSubmatch(text, -1) {
					anchors[p.Path][m[1]] = true
				}
				if n := int64(len(element.FindAllString(text, -1))); n > check.DefaultLimits.Nodes-1000 {
					t.Errorf("%s: %d elements", p.Path, n)
				}
				if n := int64(len(text)); n > check.DefaultLimits.Loaded-20_000 {
					t.Errorf("%s: %d bytes", p.Path, n)
				}
				var packed bytes.Buffer
				w := gzip.NewWriter(&packed)
				_, _ = w.Write([]byte(text))
				_ = w.Close()
				if n := int64(packed.Len()); p.Kind == "card" && n > check.DefaultLimits.CardHTML-4000 {
					t.Errorf("%s: %d bytes gzipped", p.Path, n)
				}
			}
			r := ix.Runs[0]
			for _, o := range ix.Runs {
				if o.ID == c.runs[0].ID {
					r = o
				}
			}
			rows := map[string]int{}
			pages := 0
			for at, of := range anchors {
				if at != PathRun(r.ID) && !strings.HasPrefix(at, PathRun(r.ID)+"/points/") {
					continue
				}
				pages++
				for _, s := range r.Scenarios {
					for _, p := range s.Rows() {
						if of[PointID(s, p)] {
							rows[PointID(s, p)]++
						}
					}
				}
			}
			for id, n := range rows {
				if n != 1 {
					t.Errorf("%d rows %s, want one", n, id)
				}
			}
			if len(rows) != len(c.runs[0].Points) || pages != c.pages {
				t.Errorf("%d points on %d pages, want %d on %d", len(rows), pages, len(c.runs[0].Points), c.pages)
			}
			for at, text := range html {
				for _, m := range link.FindAllStringSubmatch(text, -1) {
					to := at
					if m[1] != "" {
						to = path.Dir(path.Join(at, m[1]))
					}
					if of, ok := anchors[to]; ok && !of[m[2]] {
						t.Fatalf("%s leads to %s#%s, which is not there", at, to, m[2])
					}
				}
			}
		})
	}
}

// Rows are cut into pages that have all of them in their order, each with as much as fits.
func TestSpans(t *testing.T) {
	heavy := func(i int) int { return 1 + i%3 }
	for _, n := range []int{0, 1, 299, 300, 301, 1000} {
		for name, weight := range map[string]func(int) int{"even": even, "heavy": heavy} {
			row := 0
			for i, s := range spans("a", "b", n, 300, weight) {
				sum := 0
				for ; row < s.end; row++ {
					sum += weight(row)
				}
				want := "a"
				if i > 0 {
					want = "b/" + itoa(i+1)
				}
				if s.path != want || s.begin >= s.end || sum > 300 || row < n && sum+weight(row) <= 300 {
					t.Errorf("%d rows, %s: page %+v has %d", n, name, s, sum)
				}
			}
			if row != n {
				t.Errorf("%d rows, %s: %d on pages", n, name, row)
			}
		}
	}
	all := spans("a", "b", 1000, 300, even)
	for row, want := range map[int]string{0: "a", 299: "a", 300: "b/2", 599: "b/2", 999: "b/4"} {
		if got := pageOf(all, row).path; got != want {
			t.Errorf("row %d is on %s, want %s", row, got, want)
		}
	}
}

// A chart of many loads keeps the highest and the lowest of its line and says how many points it draws; a table by load
// keeps its peak and says where all loads are.
func TestLargeRunSaysWhatItLeavesOut(t *testing.T) {
	_, _, o := testCatalog(t)
	made := &catalog.Catalog{Runs: []*catalog.Run{largeRun("loads0000001", "H100", 1, 1000, false, false)}}
	ix := figure.NewIndex(made, &settings.Names{})
	text := ""
	for p, err := range pagesOf(ix, made, o) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Kind == "card" {
			text = body(t, p)
		}
	}
	for _, want := range []string{"of 1 000 points, spread along the axis, with the highest and the lowest of each line.",
		"of 1 000 loads, spread along the axis. All: ", ">peak<"} {
		if !strings.Contains(strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(text), want) {
			t.Errorf("the page of the card does not say %q", want)
		}
	}
}
