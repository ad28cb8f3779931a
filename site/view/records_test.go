package view

import (
	"compress/gzip"
	"encoding/base64"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// The raw records of a run can be read on the page of its model and of its card, not only on its own.
func TestRecordsOfModelsAndCards(t *testing.T) {
	ix, c, o := testCatalog(t)
	want := map[string]string{}
	for _, r := range ix.Runs {
		records, err := c.Raw(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) > 0 {
			want[page.PathModel(r.Model.Slug)] = r.ID
			want[page.PathCard(r.Card.Slug)] = r.ID
		}
	}
	seen, packed := 0, 0
	for p, err := range pagesOf(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if id, wanted := want[p.Path]; wanted {
			seen++
			f := p.Fragments["raw"]
			if f == nil {
				t.Errorf("%s has no records", p.Path)
				continue
			}
			s := sitetest.Spelt(t, f)
			if !strings.Contains(s, "data-lines=") && !strings.Contains(s, "data-src=") {
				t.Errorf("%s shows no records, such as those of %s:\n%.500s", p.Path, id, s)
			}
			packed += heldRecords(t, c, s)
		}
	}
	if seen == 0 || seen != len(want) || packed == 0 {
		t.Errorf("%d of %d pages of models and cards were seen, %d runs with records in the page", seen, len(want), packed)
	}
}

var (
	heldText = regexp.MustCompile(`data-packed="([^"]*)"`)
	heldRun  = regexp.MustCompile(`runs/([a-z0-9]+)/records\.jsonl\.gz">[^<]*</a>[^<]*</p><p class="records" data-lines="(\d+)-(\d+)"`)
)

// heldRecords holds the records that a page has packed against the catalog, and counts the runs that they are of.
func heldRecords(t *testing.T, c *catalog.Catalog, html string) int {
	t.Helper()
	m := heldText.FindStringSubmatch(html)
	if m == nil || m[1] == "" {
		return 0
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines, at := strings.SplitAfter(string(text), "\n"), 0
	runs := heldRun.FindAllStringSubmatch(html, -1)
	if len(runs) != strings.Count(html, "data-lines=") {
		t.Errorf("%d of %d places of records name their run:\n%.2000s", len(runs), strings.Count(html, "data-lines="), html)
	}
	for _, run := range runs {
		records, err := c.Raw(run[1])
		if err != nil {
			t.Fatal(err)
		}
		records = slices.DeleteFunc(records, func(r catalog.RawRecord) bool { return len(r.Raw) == 0 || string(r.Raw) == "null" })
		from, _ := strconv.Atoi(run[2])
		to, _ := strconv.Atoi(run[3])
		if from != at || to > len(lines) || to-from != len(records) {
			t.Fatalf("%s: %d records are the lines %d to %d of %d", run[1], len(records), from, to, len(lines))
		}
		at = to
		for i, r := range records {
			if string(r.Raw)+"\n" != lines[from+i] {
				t.Errorf("%s: record %d is %q, not %q", run[1], i, lines[from+i], r.Raw)
			}
		}
	}
	return len(runs)
}
