package data

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// readSearch takes a written index apart as a browser would: one call with one value.
func readSearch(t *testing.T, ix *figure.Index) (data []byte, index searchIndex) {
	t.Helper()
	var b bytes.Buffer
	if err := NewSet(view.New(ix, nil, view.Options{}), Last{}).writeSearch(&b); err != nil {
		t.Fatal(err)
	}
	s, ok := strings.CutPrefix(b.String(), "inferdex.search(")
	s, closed := strings.CutSuffix(s, ");\n")
	if !ok || !closed {
		t.Fatalf("no call of inferdex.search: %.80q", b.String())
	}
	if err := json.Unmarshal([]byte(s), &index); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), index
}

// namesOf are the first and the second cell of rows, "name slug".
func namesOf(rows [][]any) (list []string) {
	for _, r := range rows {
		list = append(list, fmt.Sprint(r[0], " ", r[1]))
	}
	return list
}

func TestSearchIndex(t *testing.T) {
	const separator = "</script>\u2028alert(1)"
	c := &catalog.Catalog{Runs: []*catalog.Run{
		sitetest.SuiteRun("r1", "codellama/CodeLlama-7b-Instruct-hf", "A100 80GB", "0.6.0", 50, false),
		sitetest.SuiteRun("r2", separator, "4x MI100", "0.6.0", 50, false),
	}}
	c.Runs[1].Attributes["count"] = catalog.Attribute{Value: "4", From: catalog.FromRecord, File: "in/run.json"}
	names := sitetest.Names(t)
	ix := figure.NewIndex(c, names)
	data, got := readSearch(t, ix)
	if bytes.Contains(data, []byte("\u2028")) || bytes.Contains(data, []byte("<")) {
		t.Errorf("a name stands in the script as it is written: %q", data)
	}
	if n := len(got.Models); n != 2 {
		t.Fatalf("%d models, want 2", n)
	}
	for _, m := range got.Models {
		for _, h := range m[4].([]any) {
			slug := fmt.Sprint(m[1], "-on-", got.Hardware[int(h.(float64))][1])
			if !slices.ContainsFunc(ix.Cards, func(c *figure.Card) bool { return c.Slug == slug }) {
				t.Errorf("the index leads to the card %q, which there is not", slug)
			}
		}
	}
	i := slices.IndexFunc(got.Models, func(m []any) bool { return m[0] == "CodeLlama 7B Instruct" })
	if i < 0 {
		t.Fatalf("models %q lack CodeLlama 7B Instruct", namesOf(got.Models))
	}
	if words := got.Models[i][2].(string); !strings.Contains(words, "meta-llama/CodeLlama-7b-Instruct-hf") {
		t.Errorf("the alias of data/names is not in the words %q", words)
	}
	for _, want := range []string{"A100 80 GB a100-80gb", "4× MI100 4x-mi100"} {
		if !slices.Contains(namesOf(got.Hardware), want) {
			t.Errorf("hardware %q lacks %q", namesOf(got.Hardware), want)
		}
	}
	if len(got.Engines) != 1 || got.Engines[0][2] != 2.0 {
		t.Errorf("engines %v, want vLLM with two runs", got.Engines)
	}
	if words := fmt.Sprint(got.Engines[0][1]); !strings.Contains(words, "0.6.0") {
		t.Errorf("the version is not in the words %q", words)
	}
	if len(got.Tools) != 1 || got.Tools[0][2] != 2.0 ||
		got.Tools[0][3] != "runs/index.html#filter=happy_vllm+suite" {
		t.Errorf("tools %v, want that of both runs with the list of them", got.Tools)
	}
	if !slices.ContainsFunc(got.Workloads, func(w []any) bool {
		return strings.Contains(fmt.Sprint(w[0]), "1\u202f024 → 128") && w[2] == 2.0 &&
			strings.HasSuffix(fmt.Sprint(w[3]), "#scorecard")
	}) {
		t.Errorf("workloads %v lack 1 024 → 128 with two cells", got.Workloads)
	}
	ids := namesOf(got.Runs)
	if len(ids) != 2 || !slices.ContainsFunc(ids, func(s string) bool { return strings.HasPrefix(s, "r1 ") }) ||
		slices.ContainsFunc(got.Runs, func(r []any) bool { return r[1] == -1.0 || r[2] == -1.0 }) {
		t.Errorf("runs %v, want r1 and r2 with their models and hardware", got.Runs)
	}
}

// A catalog of 200 models on 20 kinds of hardware has 4 000 cards. Its index is loaded by whoever
// searches: it stays far below the megabyte that nothing loaded may exceed.
func TestSearchIndexOfManyCardsIsSmall(t *testing.T) {
	ix := &figure.Index{}
	for m := range 200 {
		model := &figure.Model{Model: settings.Model{Name: fmt.Sprintf("A Model Of Some Length %dB Instruct", m),
			Slug: fmt.Sprintf("a-model-of-some-length-%db-instruct",
				m), ID: fmt.Sprintf("organisation/A-Model-Of-Some-Length-%dB-Instruct", m)}}
		for h := range 20 {
			model.Cards = append(model.Cards, &figure.Card{Model: model.Model,
				Hardware: settings.Hardware{Name: fmt.Sprintf("8× X%d00 80 GB", h),
					Slug:        fmt.Sprintf("8x-x%d00-80gb", h),
					Count:       8,
					Accelerator: settings.Accelerator{Name: fmt.Sprintf("X%d00 80 GB", h), Vendor: "Vendor"}}})
		}
		ix.Models = append(ix.Models, model)
		ix.Cards = append(ix.Cards, model.Cards...)
	}
	data, got := readSearch(t, ix)
	cards := 0
	for _, m := range got.Models {
		cards += len(m[4].([]any))
	}
	if cards != 4000 || len(got.Hardware) != 20 {
		t.Errorf("%d cards on %d kinds of hardware, want 4000 on 20", cards, len(got.Hardware))
	}
	if len(data) > 100_000 {
		t.Errorf("%d bytes for 4000 cards, want at most 100000", len(data))
	}
}

// What a filter and a sort need is said in the markup of a table, and only where it is asked for.
func TestTableFilterMarkup(t *testing.T) {
	rows := func(n int) (rs []page.Row) {
		for range n {
			rs = append(rs, page.Row{Cells: []page.Cell{{Text: "x"}}})
		}
		return rs
	}
	for _, c := range []struct {
		name         string
		table        page.Grid
		filter, same bool
	}{
		{"short", page.Grid{Rows: rows(page.FilterRows)}, false, false},
		{"long", page.Grid{Rows: rows(page.FilterRows + 1)}, true, false},
		{"asked", page.Grid{Rows: rows(1), Filter: true}, true, false},
		{"default", page.Grid{Rows: []page.Row{{Same: true, Cells: []page.Cell{{Text: "x", Sort: "-1.5"}}}},
			Filter: true},
			true, true},
		{"default, short", page.Grid{Rows: []page.Row{{Same: true, Cells: []page.Cell{{Text: "x"}}}}}, false, true},
	} {
		c.table.Columns = []page.Column{{Title: "a"}}
		s := sitetest.Spelt(t, page.FragmentOf(c.table.Write))
		if got := strings.Contains(s, ` data-filter="">`); got != c.filter {
			t.Errorf("%s: data-filter is %t, want %t:\n%s", c.name, got, c.filter, s)
		}
		if got := strings.HasPrefix(s, `<div class="tbar`); got != c.filter {
			t.Errorf("%s: a place for the filter is %t, want %t:\n%s", c.name, got, c.filter, s)
		}
		if got := strings.Contains(s, `<tr data-same="">`); got != c.same {
			t.Errorf("%s: data-same is %t, want %t:\n%s", c.name, got, c.same, s)
		}
	}
	s := sitetest.Spelt(t, page.FragmentOf((&page.Grid{Columns: []page.Column{{Title: "a"}},
		Rows: []page.Row{{Cells: []page.Cell{{Text: "x", Sort: `"1`}}}}}).Write))
	if !strings.Contains(s, `<td data-sort="&#34;1">`) {
		t.Errorf("the key to sort by is missing:\n%s", s)
	}
}
