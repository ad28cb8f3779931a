package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
)

// Long names that share what a key would show of them are cut to the traits that tell them apart; short ones stay.
func TestLongNames(t *testing.T) {
	run := func(series string) *figure.Run { return &figure.Run{Series: series} }
	long := []*figure.Run{
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 512"),
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 256"),
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 1024"),
	}
	for i, want := range []string{"max-num-seqs 512", "max-num-seqs 256", "max-num-seqs 1024"} {
		if got := seriesName(long[i], long); got != want {
			t.Errorf("%q is called %q, want %q", long[i].Series, got, want)
		}
	}
	short := []*figure.Run{run("vLLM 0.8.1, fast"), run("vLLM 0.8.1, slow")}
	if got := seriesName(short[0], short); got != "vLLM 0.8.1, fast" {
		t.Errorf("a short name became %q", got)
	}
	of := func(id string) *figure.Run {
		r := run("plain")
		r.Run = &catalog.Run{ID: id}
		return r
	}
	for _, c := range []struct {
		among []*figure.Run
		want  string
	}{
		{[]*figure.Run{of("krfymabcdefg"), of("xyzymabcdefg")}, "plain, krfyma"},
		{[]*figure.Run{of("krfymabcdefg"), of("krfymabxdefg")}, "plain, krfymabc"},
		{[]*figure.Run{of("krfymabcdefg"), of("krfymabcdefg1234")}, "plain, krfymabcdefg"},
		{[]*figure.Run{of("krfymabcdefg1234"), of("krfymabcdefg")}, "plain, krfymabcdefg1"},
		{[]*figure.Run{run("2025-04-14, SGLang"), run("2025-04-14, vLLM")}, "SGLang"},
		{[]*figure.Run{run("2025-04-14, SGLang"), run("2025-04-15, vLLM")}, "2025-04-14, SGLang"},
		{[]*figure.Run{run("2025-04-14, no. 1"), run("2025-04-14, no. 2")}, "2025-04-14, no. 1"},
		{[]*figure.Run{run("2025-04-14, SGLang")}, "2025-04-14, SGLang"},
	} {
		if got := seriesName(c.among[0], c.among); got != c.want {
			t.Errorf("%q is called %q, want %q", c.among[0].Series, got, c.want)
		}
	}
}

// Counts of one accelerator stand together and in their order, not in that of their first digits.
func TestNamesOfHardwareInOrder(t *testing.T) {
	got := []string{"16× H200", "10× H100", "a100", "2× H100", "H100", "8× H200", "x× H100"}
	slices.SortStableFunc(got, byName)
	if want := []string{"a100", "H100", "2× H100", "10× H100", "8× H200", "16× H200", "x× H100"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What only the name of a file or a folder says stands so beside the model and the hardware; one run of a card that has it
// from elsewhere is enough to leave that out.
func TestFactsFromNames(t *testing.T) {
	on := func(id string, from catalog.Authority) *catalog.Run {
		r := timed(id, "serve", "1.0", "2025-01-01", "", 100, 200)
		for _, fact := range []string{record.FactModel, record.FactHardware} {
			a := r.Attributes[fact]
			a.From = from
			r.Attributes[fact] = a
		}
		return r
	}
	facts := func(p *page.Page) (all string) {
		for _, f := range p.Params.(page.ReportView).Facts[:2] {
			for _, part := range f.Parts {
				all += part.Text
			}
			all += "; "
		}
		return all
	}
	for _, c := range []struct {
		runs []*catalog.Run
		path string
		want bool
	}{
		{[]*catalog.Run{on("a", catalog.FromName)}, "runs/a", true},
		{[]*catalog.Run{on("a", catalog.FromRecord)}, "runs/a", false},
		{[]*catalog.Run{on("a", catalog.FromName), on("b", catalog.FromName)}, "cards/", true},
		{[]*catalog.Run{on("a", catalog.FromName), on("b", catalog.FromRecord)}, "cards/", false},
	} {
		cat := &catalog.Catalog{Runs: c.runs}
		ix := figure.NewIndex(cat, sitetest.Names(t))
		if c.path == "cards/" {
			c.path += ix.Cards[0].Slug
		}
		p, _ := pageAt(t, ix, cat, c.path)
		got := facts(p)
		if strings.Contains(got, " (from the name of the file)") != c.want ||
			strings.Contains(got, " (from the name of the folder)") != c.want {
			t.Errorf("%s of %d: %s", c.path, len(c.runs), got)
		}
	}
}

// Closed and open results of one benchmark stand in one table: each says which it is. Within limits the open one has no
// rank, and it is said why.
func TestDivisionsAreNamed(t *testing.T) {
	var runs []*catalog.Run
	for id, division := range map[string]string{"a": "closed", "b": "open", "c": ""} {
		r := timed(id, "serve", "1.0", "2025-01-01", "", 100, 200)
		r.Attributes["hardware"] = catalog.Attribute{Value: "X" + id}
		r.Attributes["count"] = catalog.Attribute{Value: "1"}
		if division != "" {
			r.Attributes["labels.division"] = catalog.Attribute{Value: division}
		}
		runs = append(runs, r)
	}
	cat := &catalog.Catalog{Runs: runs}
	ix := figure.NewIndex(cat, sitetest.Names(t))
	for path, sections := range map[string][]string{
		"models/steady-7b": {"ranked", "within-limits"}, PathRanking("batch"): {"ranked"},
	} {
		_, s := pageAt(t, ix, cat, path)
		for _, section := range sections {
			for name, want := range map[string]string{
				"Xa": "serve 1.0, closed division", "Xb": "serve 1.0, open division", "Xc": "serve 1.0 |",
			} {
				if ranked := name != "Xb" || section == "ranked" && path != PathRanking("batch"); strings.Contains(s[section], name+" "+want) != ranked {
					t.Errorf("%s, %s: it has %q: %t\n%s", path, section, name+" "+want, !ranked, s[section])
				}
			}
		}
	}
	const why = "no result is of the closed division, the only one that is judged."
	for path, section := range map[string]string{"models/steady-7b": "within-limits", PathRanking("batch"): "not-judged"} {
		if _, s := pageAt(t, ix, cat, path); !strings.Contains(s[section], "on Xb: "+why) {
			t.Errorf("%s, %s does not say %q of Xb:\n%s", path, section, why, s[section])
		}
	}
	if _, s := pageAt(t, ix, cat, "hardware/xb"); !strings.Contains(s["within-limits"], "Batch: 1 result is not judged: others of "+
		"the model are of the division that is ranked.") {
		t.Errorf("the page of Xb says %s", s["within-limits"])
	}
	card, _ := pageAt(t, ix, cat, "cards/steady-7b-on-xb")
	if facts := card.Params.(page.ReportView).Facts; !slices.ContainsFunc(facts, func(f page.Fact) bool {
		return f.Name == "Division" && f.Parts[0].Text == "open"
	}) {
		t.Errorf("the card does not name its division: %+v", facts)
	}
	for _, c := range []struct {
		of            *catalog.Catalog
		has, not, say string // not may be empty
	}{
		{cat, "serve 1.0, closed division", "", "without a colour: of another division than the closed one"},
		{&catalog.Catalog{Runs: slices.DeleteFunc(slices.Clone(runs), func(r *catalog.Run) bool { return r.ID == "c" })},
			"serve 1.0", "closed division", "in colour: of the closed division; without: of another, which the cell names"},
	} {
		home := New(figure.NewIndex(c.of, sitetest.Names(t)), c.of, Options{}).home().page
		table := sitetest.Spelt(t, home.Fragments["matrix"])
		cells := words(table)
		for _, want := range []string{c.has, "serve 1.0, open division"} {
			if !strings.Contains(cells, want) {
				t.Errorf("the scorecard does not say %q: %s", want, cells)
			}
		}
		if c.not != "" && strings.Contains(cells, c.not) {
			t.Errorf("each cell of the scorecard says %q, which the legend says: %s", c.not, cells)
		}
		if n := strings.Count(table, `<td class="o"`); n != 1 {
			t.Errorf("%d cells of the scorecard have no colour, want that of Xb alone: %s", n, cells)
		}
		if notes := home.Params.(page.HomeView).Scorecard.Notes; !slices.ContainsFunc(notes, func(n page.LegendNote) bool { return n.Text == c.say }) {
			t.Errorf("the legend does not say %q: %v", c.say, notes)
		}
	}
}
