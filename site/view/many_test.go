package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// Of a card with years of nightly runs the newest stand in tables and charts, others have a link each, and what is older is
// led to; so are the versions of their engine. A file has the chart of all.
func TestManyRunsOnACard(t *testing.T) {
	_, _, o := testCatalog(t)
	const n = mostListed + mostLinked + 50
	c := &catalog.Catalog{}
	for k := range n {
		r := sitetest.RateRun(fmt.Sprintf("night%07d", k), "", 1+float64(k%7)/10)
		r.Attributes[record.FactEngineVersion] = catalog.Attribute{Value: fmt.Sprintf("0.%d.%d", k/100, k%100)}
		r.Started = fmt.Sprintf("20%02d-%02d-%02dT01:00:00Z", 10+k/336, 1+k/28%12, 1+k%28)
		r.Attributes["model"], r.Attributes["hardware"] = catalog.Attribute{Value: "o/m"}, catalog.Attribute{Value: "H100"}
		c.Runs = append(c.Runs, r)
	}
	many := figure.NewIndex(c, &settings.Names{})
	if len(many.Cards) != 1 || len(many.Cards[0].Runs) != n {
		t.Fatalf("%d cards, want one of %d runs", len(many.Cards), n)
	}
	rowsOf := func(p *page.Page, name string) int {
		return strings.Count(sitetest.Spelt(t, p.Fragments[name]), "</tr>") - 1
	}
	seen := 0
	for p, err := range pagesOf(many, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Kind == "engine" {
			seen++
			if rows := rowsOf(p, "versions"); rows != mostListed {
				t.Errorf("%d versions on the page of the engine, want %d", rows, mostListed)
			}
			if got := strings.Count(sitetest.Spelt(t, p.Fragments["chart-cards-over-time"]), "<title>"); got != mostListed {
				t.Errorf("%d runs in the chart of the engine, want %d", got, mostListed)
			}
		}
		if p.Path != page.PathCard(many.Cards[0].Slug) {
			continue
		}
		seen++
		view := p.Params.(page.ReportView)
		facts := view.Facts
		versions := facts[slices.IndexFunc(facts, func(f page.Fact) bool { return f.Name == "Engine versions" })].Parts
		last := versions[len(versions)-1]
		if len(versions) != 2*13-1 || last.Text != fmt.Sprint(n-12, " others") || last.Href != "#runs" {
			t.Errorf("%d parts, the last %+v, want twelve versions and a link to the others", len(versions), last)
		}
		linked, older := map[string]bool{}, ""
		for _, s := range view.Sections {
			for _, block := range s.Blocks {
				for _, part := range block.Text {
					if s.ID == "older" && part.Href != "" {
						linked[part.Href] = true
						older = part.Href
					}
				}
			}
		}
		if rows := rowsOf(p, "runs"); rows != mostListed || len(linked) != mostLinked+1 || older != "../../runs/index.html" {
			t.Errorf("%d rows and %d links, the last %s, want %d and %d, and the list of all runs", rows, len(linked), older,
				mostListed, mostLinked+1)
		}
		if rows := rowsOf(p, "over-time-table"); rows != mostListed {
			t.Errorf("%d rows in the table of the history, want %d", rows, mostListed)
		}
		whole := 0
		for f := range p.Files {
			if strings.HasSuffix(f.Path, "/over-time-all.svg") {
				var b strings.Builder
				if err := f.Write(&b); err != nil {
					t.Fatal(err)
				}
				whole = strings.Count(b.String(), "<circle")
			}
		}
		if whole == 0 || whole%n != 0 {
			t.Errorf("%d marks in the file of all runs, want %d for each metric", whole, n)
		}
	}
	if seen != 2 {
		t.Errorf("%d pages, want those of the card and of the engine", seen)
	}
}

// The page of a run that measured one load a thousand times lists the first of them and says so; so it does with hundreds
// of findings of one kind.
func TestManyRepetitions(t *testing.T) {
	_, _, o := testCatalog(t)
	r := sitetest.RateRun("again000001", "", 1)
	first := r.Points[0]
	for k := range 1000 {
		p := first
		p.Repetition = k + 1
		r.Points = append(r.Points, p)
	}
	for range mostAlike + 300 {
		r.Findings = append(r.Findings, catalog.Finding{Code: "parameter-differs", Severity: record.Warning, Message: "it differs"})
	}
	r.Attributes["model"], r.Attributes["hardware"] = catalog.Attribute{Value: "o/m"}, catalog.Attribute{Value: "H100"}
	c := &catalog.Catalog{Runs: []*catalog.Run{r}}
	for p, err := range pagesOf(figure.NewIndex(c, &settings.Names{}), c, o) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path != PathRun(r.ID) {
			continue
		}
		sections := p.Params.(page.ReportView).Sections
		found := sections[slices.IndexFunc(sections, func(s page.Section) bool { return s.ID == "findings" })].Blocks
		alike := slices.DeleteFunc(slices.Clone(found[1].Says), func(s page.Sentence) bool { return s.Topic != "Parameter differs" })
		if n := len(alike); n != mostAlike || len(found) != 3 || found[2].Text[0].Text != "300 more findings of these kinds: all are in " {
			t.Errorf("%d findings and %d blocks, want %d and the number of others", n, len(found), mostAlike)
		}
		rows := 0
		for _, f := range p.Fragments {
			rows += strings.Count(sitetest.Spelt(t, f), ` id="p-`)
		}
		if rows != figure.MostRepetitions+3 { // with the median, and the two other loads
			t.Errorf("%d rows, want the first %d of 1001 measurements", rows, figure.MostRepetitions)
		}
		said := false
		for _, s := range sections {
			for _, b := range s.Blocks {
				for _, part := range b.Text {
					said = said || strings.HasSuffix(part.Text, "the first 100 are listed.")
				}
			}
		}
		if !said {
			t.Error("the page does not say that it leaves measurements out")
		}
		return
	}
	t.Error("the run has no page")
}

// Of more models than the page of all comparisons has room for, those with most comparisons are on it.
func TestManyModelsAreCompared(t *testing.T) {
	c := &catalog.Catalog{}
	add := func(i int, name string) {
		r := sitetest.LimitedRun(fmt.Sprintf("r%04d", i), "X1", 1, false, [4]float64{8, float64(100 + i), 0.2, 0.01})
		r.Identity.Model, r.Attributes["model"] = name, catalog.Attribute{Value: name}
		c.Runs = append(c.Runs, r)
	}
	for i := range mostCompared + 20 { // models of one size are compared
		add(i, fmt.Sprintf("m/x%04d-7b", i))
	}
	add(mostCompared+20, "m/lone-70b")
	add(mostCompared+21, "m/other-70b")
	d := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{}).comparePage().done()
	var ids []string
	said := ""
	for _, b := range d.sections[slices.IndexFunc(d.sections, func(s page.Section) bool { return s.ID == "pairs" })].Blocks {
		if b.Details != nil {
			ids = append(ids, b.Details.ID)
		}
		said += Plain(b.Text)
	}
	if len(ids) != mostCompared || !slices.IsSorted(ids) || slices.Contains(ids, "m-lone-70b") {
		t.Errorf("%d models, from %s to %s, want %d without one that has a single comparison", len(ids), ids[0],
			ids[len(ids)-1], mostCompared)
	}
	if want := "other models have theirs."; !strings.HasSuffix(said, want) {
		t.Errorf("the page does not end with %q: %q", want, said)
	}
}

// Of more models than a ranking has rows for, it shows the first, and does not say that these are the best of each.
func TestManyModelsAreRanked(t *testing.T) {
	c := &catalog.Catalog{}
	for i := range mostRankedRows + 20 {
		r := sitetest.LimitedRun(fmt.Sprintf("r%04d", i), "X1", 1, false, [4]float64{1, float64(100 + i), 0.2, 0.01})
		name := fmt.Sprintf("m/x%04d", i)
		r.Identity.Model, r.Attributes["model"] = name, catalog.Attribute{Value: name}
		c.Runs = append(c.Runs, r)
	}
	d := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{}).rankingPage(figure.SLOPresets[0])
	table := sitetest.Spelt(t, d.page.Fragments["ranked"])
	if rows := strings.Count(table, "<tr") - 1; rows != mostRankedRows {
		t.Errorf("%d rows, want %d", rows, mostRankedRows)
	}
	said := ""
	for _, s := range d.sections {
		for _, b := range s.Blocks {
			said += Plain(b.Text)
		}
	}
	if want := "The first 360; 20 more results keep the limits and stand on the pages of their models."; !strings.Contains(said, want) {
		t.Errorf("the page does not say %q: %q", want, said)
	}
}

// Of very many downloads the page of data lists the first, and says which file names the others.
func TestManyDownloads(t *testing.T) {
	c := &catalog.Catalog{Runs: []*catalog.Run{sitetest.LimitedRun("r", "X1", 1, false, [4]float64{8, 100, 0.2, 0.01})}}
	g := New(figure.NewIndex(c, sitetest.Names(t)), c, Options{})
	var made atomic.Int64
	for i := range 600 {
		g.Beside.Downloads = append(g.Beside.Downloads, Download{What: "points", File: page.File{
			Path:  fmt.Sprintf("data/models/m%03d.csv.gz", i),
			Write: func(io.Writer) error { made.Add(1); return nil }}})
	}
	d := g.dataPage()
	table := sitetest.Spelt(t, d.page.Fragments["downloads"])
	if rows := strings.Count(table, "</tr>"); rows != 501 || made.Load() != 500 {
		t.Errorf("%d rows, %d files made to learn their sizes, want a head and 500", rows, made.Load())
	}
	said := ""
	for _, b := range d.sections[0].Blocks {
		said += Plain(b.Text)
	}
	if want := "100 more files are named in datapackage.json."; !strings.HasSuffix(said, want) {
		t.Errorf("the page does not say %q: %s", want, said)
	}
}
