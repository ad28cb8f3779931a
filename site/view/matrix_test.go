package view

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A catalog with more models than one page of the scorecard holds is laid out in parts: each
// model has a row in exactly one, and the first page has the models with most results.
func TestScorecardParts(t *testing.T) {
	c := &catalog.Catalog{}
	const models, machines = 70, 20
	for i := range models {
		for j := range machines {
			if i < 20 && j > 0 {
				continue // models with one result each
			}
			c.Runs = append(c.Runs, &catalog.Run{Version: 1, ID: fmt.Sprintf("r%02dx%02d", i, j), Started: "2025-01-02",
				Identity: record.Identity{Tool: "vllm-bench-serve", Model: fmt.Sprintf("org%d/model-%02d", i%7, i)},
				Attributes: sitetest.Attributes("model", fmt.Sprintf("org%d/model-%02d", i%7, i), "hardware",
					fmt.Sprintf("Card %02d", j), "count", "1", "engine", "vllm"),
				Points: []catalog.Point{{Workload: record.Workload{Dataset: "random",
					Nominal: record.Lengths{Input: sitetest.Ptr(1024.0),
						Output: sitetest.Ptr(128.0)}}, Load: record.Load{MaxConcurrency: sitetest.Ptr(int64(8))},
					Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {
						Value: sitetest.Ptr(float64(100 + i + j)),
						Unit:  "tok/s"}}}}})
		}
	}
	names, _ := settings.LoadNames()
	rowOf := regexp.MustCompile(`<tr id="m-([^"]+)">`)
	first, rows, parts := map[string]int{}, map[string]int{}, 0
	for p, err := range pagesOf(figure.NewIndex(c, names), c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		f := p.Fragments["matrix"]
		if f == nil {
			continue
		}
		into := rows
		if p.Path == "" {
			into = first
		} else {
			parts++
		}
		for _, m := range rowOf.FindAllStringSubmatch(sitetest.Spelt(t, f), -1) {
			into[m[1]]++
		}
	}
	if len(first) != maxFirst/deskColumns {
		t.Errorf("the first page has %d rows", len(first))
	}
	for i := range 20 {
		if first[fmt.Sprintf("model-%02d", i)] > 0 {
			t.Errorf("model-%02d with one result is on the first page", i)
		}
	}
	room := maxCells / machines
	if parts != (models+room-1)/room || len(rows) != models {
		t.Errorf("%d of %d models have a row in %d parts", len(rows), models, parts)
	}
	for m, n := range rows {
		if n != 1 {
			t.Errorf("%s has %d rows", m, n)
		}
	}
}

// TestScorecardHoldsWhatItHas: a scorecard has rows and columns with a value, the best covered first, the numbers of
// one accelerator in one cell, and says how many models stand elsewhere; a run for show stands for nothing.
func TestScorecardHoldsWhatItHas(t *testing.T) {
	on := func(id, model, hardware, count string, in, tput float64, more ...string) *catalog.Run {
		return &catalog.Run{Version: 1, ID: id, Started: "2025-01-02",
			Identity: record.Identity{Tool: "vllm-bench-serve", Model: model},
			Attributes: sitetest.Attributes(append([]string{"model", model, "hardware", hardware, "count", count},
				more...)...),
			Points: []catalog.Point{{Workload: record.Workload{Dataset: "random",
				Nominal: record.Lengths{Input: &in, Output: sitetest.Ptr(128.0)}},
				Load:    record.Load{MaxConcurrency: sitetest.Ptr(int64(8))},
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &tput, Unit: "tok/s"}}}}}
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{
		on("a1", "alpha", "X1", "1", 1024, 100), on("a2", "alpha", "X1", "4", 1024, 360),
		on("a3", "alpha", "Y2", "1", 1024, 300),
		on("b1", "beta", "Y2", "1", 1024, 900), on("b2", "beta", "X1", "1", 32, 50),
		on("c1", "gamma", "Z3", "1", 32, 700),
		on("d1", "alpha", "Y2", "1", 1024, 9000, "demo", "true"),
	}}
	g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{})
	home := g.home()
	matrix := words(sitetest.Spelt(t, home.page.Fragments["matrix"]))
	rows := strings.Split(matrix, "alpha")
	if len(rows) != 2 || !strings.Contains(rows[0], "Model | Y2 | X1 |") || strings.Contains(matrix, "gamma") ||
		strings.Contains(matrix, "Z3") || strings.Contains(matrix, "9 000") {
		t.Errorf("rows and columns without a value, or in another order: %s", matrix)
	}
	for _, want := range []string{"300 tok/s", "100 tok/s", "4× 90.0", "beta | 900 tok/s", "other workload"} {
		if !strings.Contains(matrix, want) {
			t.Errorf("the scorecard lacks %q: %s", want, matrix)
		}
	}
	v := home.page.Params.(page.HomeView)
	for _, p := range []*draft{g.hardwarePage(), g.modelsPage(g.modelsList(), 0)} {
		if said := p.view.Lede.Text(); !strings.Contains(said, "under the most common of its workloads.") {
			t.Errorf("%s says of several workloads %q", p.page.Path, said)
		}
	}
	if said := v.Scorecard.Definition[0].Text; strings.Contains(matrix, "at 8") || !strings.Contains(said, "wall time at 8 parallel requests") {
		t.Errorf("the one load of all cells is said in each, or not above them: %s\n%s", said, matrix)
	}
	if said := page.Parts(v.Scorecard.Left); len(said) == 0 ||
		said[0].Text != "1 model was measured under other workloads: " {
		t.Errorf("of models elsewhere it says %v", said)
	}
	if a := v.Answer.Text(); !strings.Contains(a, "900 tok/s per accelerator: beta on Y2") {
		t.Errorf("the best result is %q", a)
	}
	if find := words(sitetest.Spelt(t, home.page.Fragments["find"])); !strings.Contains(find,
		"gamma | Z3 | 700 | 32 → 128 8 parallel") ||
		!strings.Contains(find, "X1 1× 4× , Y2") {
		t.Errorf("models and their hardware: %s", find)
	}
}

// Loads of four digits have their thousands parted wherever readers see one, as all other numbers have.
func TestLoadsAreParted(t *testing.T) {
	var runs []*catalog.Run
	for _, hardware := range []string{"X1", "Y2"} {
		r := &catalog.Run{Version: 1, ID: "r" + strings.ToLower(hardware), Started: "2025-01-02",
			Identity:   record.Identity{Tool: "vllm-bench-serve", Model: "alpha"},
			Attributes: sitetest.Attributes("model", "alpha", "hardware", hardware, "count", "1", "engine", "vllm", "engine_version", "0.9.0")}
		for i, load := range []int64{1, 4096, 8192} {
			v, tpot, in := float64(100*(i+1)), 0.01*float64(i+1), 1.0
			r.Points = append(r.Points, catalog.Point{Workload: record.Workload{Dataset: "random",
				Nominal: record.Lengths{Input: &in, Output: sitetest.Ptr(128.0)}},
				Load: record.Load{MaxConcurrency: &load},
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v, Unit: "tok/s"},
					metric.TPOT: {Median: &tpot, Unit: "s"}, metric.TTFT: {Median: &tpot, Unit: "s"}}})
		}
		runs = append(runs, r)
	}
	c := &catalog.Catalog{Runs: runs}
	parted := 0
	for p, err := range pagesOf(figure.NewIndex(c, sitetest.Names(t)), c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for id, f := range p.Fragments {
			said := words(sitetest.Spelt(t, f))
			parted += strings.Count(said, "4 096")
			if strings.Contains(said, "4096") || strings.Contains(said, "8192") {
				t.Errorf("%s, %s: %s", p.Path, id, said)
			}
		}
	}
	if parted == 0 {
		t.Error("no page shows the load")
	}
}

// The legend of a scorecard has the signs that its cells have, and no others.
func TestScorecardNotes(t *testing.T) {
	run := func(model, hardware string, count int) *catalog.Run {
		r := sitetest.LimitedRun(model+hardware, hardware, count, false, [4]float64{8, 100, 0.2, 0.01})
		r.Identity.Model, r.Attributes["model"] = model, catalog.Attribute{Value: model}
		return r
	}
	for name, test := range map[string]struct {
		runs []*catalog.Run
		want []string
	}{
		"one pair": {[]*catalog.Run{run("a-7b", "X1", 1)}, nil},
		"all pairs": {[]*catalog.Run{run("a-7b", "X1", 1), run("a-7b", "H200", 1), run("b-7b", "X1", 1),
			run("b-7b", "H200", 1)}, nil},
		"a pair was never run": {[]*catalog.Run{run("a-7b", "X1", 1), run("b-7b", "H200", 1)},
			[]string{"never run", "measured pairs only"}},
		"a model does not fit": {[]*catalog.Run{run("meta-llama/Llama-3.1-405B-Instruct", "B200", 8), run("b-7b", "B200", 1),
			run("b-7b", "H200", 1)},
			[]string{"does not fit", "measured pairs only"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &catalog.Catalog{Runs: test.runs}
			g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{})
			got := ""
			for _, n := range g.home().page.Params.(page.HomeView).Scorecard.Notes {
				got += n.Text + "; "
			}
			for _, sign := range []string{"never run", "does not fit", "measured pairs only"} {
				if slices.Contains(test.want, sign) != strings.Contains(got, sign) {
					t.Errorf("the legend is %q, want %q of its signs", got, test.want)
				}
			}
		})
	}
}
