package view

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
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
					Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: sitetest.Ptr(float64(100 + i + j)),
						Unit: "tok/s"}}}}})
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
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Fatal(err)
		}
		into := rows
		if p.Path == "" {
			into = first
		} else {
			parts++
		}
		for _, m := range rowOf.FindAllSubmatch(b.Bytes(), -1) {
			into[string(m[1])]++
		}
	}
	if len(first) != maxCells/machines {
		t.Errorf("the first page has %d rows", len(first))
	}
	for i := range 20 {
		if first[fmt.Sprintf("model-%02d", i)] > 0 {
			t.Errorf("model-%02d with one result is on the first page", i)
		}
	}
	if parts != 2 || len(rows) != models {
		t.Errorf("%d of %d models have a row in %d parts", len(rows), models, parts)
	}
	for m, n := range rows {
		if n != 1 {
			t.Errorf("%s has %d rows", m, n)
		}
	}
}
