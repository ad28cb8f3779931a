package view

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// words are the texts of a piece of HTML, one space between them.
func words(html string) string {
	s := strings.NewReplacer("</td>", " | ", "</th>", " | ", "\u202f", " ", "\u00a0", " ").Replace(html)
	return strings.Join(strings.Fields(tags.ReplaceAllString(s, " ")), " ")
}

// pageAt is a page with its sections as text, by their ids.
func pageAt(t *testing.T, ix *figure.Index, c *catalog.Catalog, path string) (p *page.Page,
	sections map[string]string) {
	t.Helper()
	sections = map[string]string{}
	for p, err := range pagesOf(ix, c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path != path {
			continue
		}
		for _, s := range p.Params.(page.ReportView).Sections {
			var b strings.Builder
			parts := func(ps []page.Part) {
				for _, p := range ps {
					b.WriteString(p.Text)
				}
				b.WriteString("\n")
			}
			for _, bl := range s.Blocks {
				parts(bl.Text)
				for _, sa := range bl.Says {
					b.WriteString(sa.Topic + ": ")
					parts(sa.Parts)
				}
				for _, l := range bl.List {
					parts(l)
				}
				if bl.Table != "" {
					for _, row := range strings.Split(sitetest.Spelt(t, p.Fragments[bl.Table]), "<tr") {
						b.WriteString(words("<tr"+row) + "\n")
					}
				}
			}
			sections[s.ID] = strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(b.String())
		}
		return p, sections
	}
	t.Fatalf("there is no page %q", path)
	return p, nil
}

// The page of a model says which hardware to take; what is computed by hand here is what it says.
func TestWhichOneToTake(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, sitetest.LimitedPrices)
	_, s := pageAt(t, ix, c, "models/x-7b")
	// Within the limits of chat: A at 8 has 1200 / 2 = 600, B at 8 300, half of it. 10⁶ × 2 × 3 /
	// (3600 × 1200) = 1.3889 USD; 1200 / 1000 W = 1.2, 300 / 200 W = 1.5 tokens per joule.
	want := `Most throughput: 2× Card A gives 750 tok/s for each of 2 accelerators at 16 parallel requests, Card B 300 on one accelerator; in all 1 500 and 300.
Chat: 2× Card A: 600 tok/s per accelerator at 8 parallel requests within TTFT p99 ≤ 2 s, TPOT p99 ≤ 50 ms, errors ≤ 1 %, 1 024 → 128. Next: Card B with 50 % of it. 1 other keeps them at no load.`
	lines := strings.Split(strings.TrimSpace(s["take"]), "\n")
	if diff := cmp.Diff(strings.Split(want, "\n"), lines[:2]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, w := range []string{
		"Cheapest: 2× Card A: 1.39 USD per 10⁶ output tokens at 8 parallel requests, within the limits of chat, at 3 USD " +
			"" +
			"" +
			"" +
			"" +
			"" +
			"an hour on 2025-01-13, Invented & <Cloud>. No price is stated of Card B.",
		"Least energy: Card B: 1.50 output tokens per joule at 8 parallel requests, within the limits of chat, by the " +
			"boards' specified power, which was not measured.",
	} {
		if !strings.Contains(s["take"], w) {
			t.Errorf("%q is not said:\n%s", w, s["take"])
		}
	}
	// Card C has the medians alone: held against those, it stands behind the others and is not set beside them.
	for _, w := range []string{"errors ≤ 1 % at some load, 1 at none. 1 result keeps TTFT median ≤ 2 s (p99 is not " +
		"recorded), TPOT median ≤ 50 ms (p99 is not recorded), errors ≤ 1 % at some load.",
		"3 | Card C vllm 0.8.2 | 1 parallel highest measured | 80.0 | | 80.0 | 1 16 | 0.100 median | 20.0 median |",
		"2 | Card B vllm 0.8.2 | 1 parallel | 50.0 | 100 % |"} {
		if !strings.Contains(s["within-limits"], w) {
			t.Errorf("%q is not said:\n%s", w, s["within-limits"])
		}
	}
	if w := "Card A: TPOT p99 is 100 ms at 1 parallel, the smallest load."; !strings.Contains(s["within-limits"], w) {
		t.Errorf("%q is not said:\n%s", w, s["within-limits"])
	}
}

// Hardware that was measured and cannot be judged may be better than what is named: it is named too, with what it lacks.
func TestWhatIsNotJudgedIsNamed(t *testing.T) {
	const rest = " Not judged on Card B: failures are not known. Not judged on Card C: TPOT p99 is not known."
	without := func(alone bool) string {
		_, c := sitetest.LimitedIndex(t, "")
		names, _ := sitetest.LimitedIndex(t, "")
		runs := map[string]*catalog.Run{}
		for _, r := range c.Runs {
			runs[r.ID] = r
		}
		for i := range runs["r2"].Points {
			runs["r2"].Points[i].Submitted, runs["r2"].Points[i].Completed = nil, nil
		}
		// One load records p99, so no other statistic stands for it; that load breaks a limit, the other lacks TPOT.
		c.Runs = append(slices.DeleteFunc(c.Runs, func(r *catalog.Run) bool { return r.ID == "r3" || alone && r.ID == "r4" }),
			sitetest.LimitedRun("r3", "Card C", 1, false, [4]float64{1, 900, 0.2, 0.02}, [4]float64{8, 901, 9, 0.02}))
		last := c.Runs[len(c.Runs)-1]
		delete(last.Points[0].Metrics, "tpot")
		ix := figure.NewIndex(c, names.Names)
		_, s := pageAt(t, ix, c, "models/x-7b")
		for line := range strings.Lines(s["take"]) {
			if strings.HasPrefix(line, "Chat: ") {
				return strings.TrimSpace(line)
			}
		}
		t.Fatalf("nothing is said of chat:\n%s", s["take"])
		return ""
	}
	if got, want := without(false), " No other that was judged keeps the limits."+rest; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
	if got, want := without(true), "1 024 → 128."+rest; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
}

// Where it is not known what an accelerator yields, a result that keeps the limits stands without a rank, and says what is
// not recorded.
func TestNoRankWithoutThroughput(t *testing.T) {
	_, c := sitetest.LimitedIndex(t, "")
	names, _ := sitetest.LimitedIndex(t, "")
	for _, r := range c.Runs {
		for i := range r.Points {
			if r.ID == "r1" {
				delete(r.Points[i].Metrics, "output_throughput")
			}
		}
	}
	ix := figure.NewIndex(c, names.Names)
	_, s := pageAt(t, ix, c, "models/x-7b")
	ranked, unranked := 0, 0
	for line := range strings.Lines(s["within-limits"]) {
		if _, _, ok := strings.Cut(line, "throughput not known"); ok {
			unranked++
			if line[0] >= '0' && line[0] <= '9' {
				t.Errorf("it has a rank: %s", line)
			}
		} else if line[0] >= '1' && line[0] <= '9' {
			ranked++
		}
	}
	if ranked == 0 || unranked == 0 {
		t.Errorf("%d ranked, %d not:\n%s", ranked, unranked, s["within-limits"])
	}
}

// A workload whose lengths differ by a few tokens from those of others that it is compared with has its own name.
func TestUseNamesItsOwnWorkload(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, sitetest.LimitedPrices)
	for _, r := range ix.Runs {
		s := r.Scenarios[0]
		if s.Title = "1 024 → 129"; r.Hardware.Accelerator.Name == "Card A" {
			s.Title = "1 023 → 128"
		}
	}
	slices.Reverse(ix.Models[0].Cards) // another one gives the class its name
	_, s := pageAt(t, ix, c, "models/x-7b")
	if w := "errors ≤ 1 %, 1 023 → 128. Next: Card B"; !strings.Contains(s["take"], w) {
		t.Errorf("%q is not said:\n%s", w, s["take"])
	}
}

// So does the best result of all.
func TestTopResultNamesItsOwnWorkload(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, sitetest.LimitedPrices)
	for _, r := range ix.Runs {
		s := r.Scenarios[0]
		if s.Title = "1 024 → 129"; r.Hardware.Accelerator.Name == "Card A" {
			s.Title = "1 023 → 128"
		}
	}
	slices.Reverse(ix.Models[0].Cards)
	slices.Reverse(ix.Cards)
	p, _ := pageAt(t, ix, c, "models")
	said := strings.NewReplacer("\u00a0", " ", "\u2060", "").Replace(p.Params.(page.ReportView).Lede.Text())
	if w := "The highest output with 1 023 → 128 is"; !strings.Contains(said, w) {
		t.Errorf("%q is not said: %s", w, said)
	}
}

// A strip says of each limit at which loads of all hardware it is kept, broken, not judged or not run, and outlines the
// best load.
func TestStrip(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, "")
	p := ix.Models[0].Cards[0].Runs[0].Scenarios[0].Measured[2] // Card A, 16 parallel
	stat := p.Metrics[metric.TPOT]
	stat.Percentiles = nil
	p.Metrics[metric.TPOT] = stat
	html := ""
	for p, err := range pagesOf(ix, c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Path == "rankings/chat" {
			html = sitetest.Spelt(t, p.Fragments["ranked"])
		}
	}
	for _, want := range []string{
		"TTFT p99 kept at 1 and 8, broken at 16; TPOT p99 kept at 1 and 8, not judged at 16",
		"TTFT p99 kept at 1 and 8, not run at 16; TPOT p99 kept at 1 and 8, not run at 16",
		"TTFT median kept at 1, not run at 8 and 16; TPOT median kept at 1, not run at 8 and 16",
	} {
		if !strings.Contains(html, `aria-label="`+want+`"`) {
			t.Errorf("%q is not said:\n%s", want, html)
		}
	}
	if n := strings.Count(html, `<path class="wh"`); n != 3 {
		t.Errorf("%d loads are outlined, not one in each of 3 rows", n)
	}
}

// What is hardly below a limit, keeps limits again or loses output beyond is said of an answer, each only where it is so.
func TestFirmness(t *testing.T) {
	for _, c := range []struct {
		what  string
		loads [][4]float64 // load, output, TTFT p99, TPOT
		want  []string
	}{
		{"firm", [][4]float64{{1, 100, 0.2, 0.01}, {8, 200, 1, 0.02}, {16, 190, 3, 0.02}}, nil},
		{"close", [][4]float64{{1, 100, 0.2, 0.01}, {8, 200, 1.9996, 0.02}, {16, 190, 3, 0.02}},
			[]string{"Close: Card A: TTFT p99 is 1 999.6 ms at 8 parallel requests, 0.02 % below its limit of 2 s, in one " +
				"measurement; another one may be over it. One request at a time it is 90 % below."}},
		{"at the limit", [][4]float64{{1, 100, 2, 0.01}},
			[]string{"Close: Card A: TTFT p99 is 2.00 s one request at a time, 0 % below its limit of 2 s, in one " +
				"measurement; another one may be over it."}},
		{"again", [][4]float64{{1, 100, 0.2, 0.01}, {8, 200, 3, 0.02}, {16, 210, 1, 0.02}},
			[]string{"Not monotonic: Card A breaks the limits at 8 parallel requests and keeps them again at 16 parallel " +
				"requests."}},
		{"not again", [][4]float64{{1, 100, 3, 0.02}, {8, 200, 1, 0.02}},
			[]string{"Not monotonic: Card A breaks the limits one request at a time and keeps them at 8 parallel requests."}},
		{"falls", [][4]float64{{1, 200, 0.2, 0.01}, {8, 150, 1, 0.02}, {16, 100, 1, 0.02}},
			[]string{"Falls: Card A: output falls by 33 %, from 150 tok/s at 8 parallel requests to 100 tok/s at 16 " +
				"parallel requests."}},
	} {
		cat := &catalog.Catalog{Runs: []*catalog.Run{sitetest.LimitedRun("r1", "Card A", 1, false, c.loads...)}}
		ix := figure.NewIndex(cat, sitetest.Names(t))
		m := ix.Models[0]
		row := ix.RankSLO(m, m.Classes()[0].Scenario.Class, figure.SLOPresets[0].Limits)[0]
		var got []string
		firmness(row, func(topic string, s claim.Sentence) {
			got = append(got, topic+": "+strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(s.Text()))
		})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
}

// Each cost names its price with provider and date; without a price no page has a cost.
func TestCostsNameTheirPrice(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, sitetest.LimitedPrices)
	_, s := pageAt(t, ix, c, "rankings/chat")
	// 3600 × 1200 / (2 × 3) = 720,000 tokens for 1 USD.
	want := "x-7b 1 024 → 128 | 1 | 2× Card A vllm 0.8.2 | 8 parallel | 600 | 100 % | 1 200 | 8 1 16 parallel: TTFT p99 is 3.00 s | 1.50 | 25.0 | 1.20 | 1.39 USD " +
		"at 3 USD an hour on 2025-01-13, Invented &amp; &lt;Cloud&gt;; 1 more price on the card | 720 000 for 1 USD |"
	if !strings.Contains(s["ranked"], want) {
		t.Errorf("want %s\nin %s", want, s["ranked"])
	}
	if w := "no price is stated | · no price is stated |"; !strings.Contains(s["ranked"], w) {
		t.Errorf("Card B has no price, and it is not said: %s", s["ranked"])
	}
	ix, c = sitetest.LimitedIndex(t, "")
	for p, err := range pagesOf(ix, c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range p.Fragments {
			if strings.HasPrefix(p.Path, "about/") {
				continue // formulas
			}
			if h := sitetest.Spelt(t, f); strings.Contains(h, ">Cost") || strings.Contains(h, "USD") {
				t.Errorf("page %q, fragment %q has a cost without a price", p.Path, name)
			}
		}
	}
	if _, s := pageAt(t, ix, c, "rankings"); !strings.Contains(s["prices"], "No price of this hardware is stated") {
		t.Errorf("that there is no price is not said: %s", s["prices"])
	}
}

// The readings of the frontier of one card with TPOT medians 10, 25, 40 ms: speeds 100, 40, 25. Nothing was measured
// around 20 tok/s, so there is no such column.
func TestReadings(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, "")
	_, s := pageAt(t, ix, c, "models/x-7b")
	// On 2 cards: 50 at 100 tok/s, 600 at 40, 750 at 25. At 30: 750 − 150 × 5/15 = 700; at 50: 600 −
	// 550 × 10/60 = 508.3.
	want := "2× Card A, vllm 0.8.2 | · not read: every load measured gave more than 10 tok/s per user | " +
		"≈ 700 8–16 | ≈ 508 1–8 | 50.0 1 | 25.0–100 |"
	if !strings.Contains(s["frontier"], want) {
		t.Errorf("want %s\nin %s", want, s["frontier"])
	}
	if w := "no load measured gave a user 100 tok/s"; !strings.Contains(s["frontier"], w) {
		t.Errorf("%q is not said of Card B: %s", w, s["frontier"])
	}
}

// At 50 tok/s a user "small" alone can be read, and every load of "big" gives more of both: the sentence is of 100 tok/s.
// Where what is faster yields less, it is of 50.
func TestFrontierNamesNoBeatenOne(t *testing.T) {
	for _, c := range []struct {
		slowest float64 // output of big where it gives a user 80 tok/s
		want    string
	}{{900, "At 100 tok/s per user, big gives "}, {200, "At 50 tok/s per user, small gives "}} {
		cat := &catalog.Catalog{Runs: []*catalog.Run{
			figuretest.Run("s", "o/Dense-10B", "1x small", "1.0", figuretest.Point(1, 100, 0.1, 0.2, 0.015, 0.02),
				figuretest.Point(8, 300, 0.1, 0.2, 0.025, 0.03)),
			figuretest.Run("b", "o/Dense-10B", "1x big", "1.0", figuretest.Point(1, 120, 0.1, 0.2, 0.008, 0.02),
				figuretest.Point(8, c.slowest, 0.1, 0.2, 0.0125, 0.03))}}
		ix := figure.NewIndex(cat, figuretest.Names(t))
		f, _ := figure.NewFrontier(ix.Models[0], ix.Runs[0].Scenarios[0].Class)
		if got := frontierFinding(&f).Text(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %q, want %q", c.slowest, got, c.want)
		}
	}
}

// A price that stands nowhere to be looked up is marked wherever a cost is made of it, and leads nowhere.
func TestInternalPrices(t *testing.T) {
	const address = "address = \"https://example.com/a\"\n"
	if !strings.Contains(sitetest.LimitedPrices, address) {
		t.Fatal("the prices of the test have no such address")
	}
	ix, c := sitetest.LimitedIndex(t, strings.Replace(sitetest.LimitedPrices, address, "", 1))
	for path, section := range map[string]string{"rankings/chat": "ranked", "models/x-7b": "take"} {
		_, s := pageAt(t, ix, c, path)
		if !strings.Contains(s[section], "(internal price)") || strings.Contains(s[section], "example.com/a") {
			t.Errorf("%s: the price of its costs is not marked as internal: %s", path, s[section])
		}
	}
}

// Results of the open division of a benchmark have no rank among those of the closed one, whatever their peak, and no
// sentence sets them beside these: 500 stands below 300 and 200, and 300 is the best. Where all are open, all are ranked.
func TestDivisionsAreRankedApart(t *testing.T) {
	for _, c := range []struct {
		divisions [3]string
		want      []string
		take      string
		says      bool
		reaches   string
		top       string
	}{
		{[3]string{"Closed", "closed", "open"},
			[]string{"1 | big serve 1.0, Closed division | 300", "2 | small serve 1.0, closed division | 200", "| old serve 1.0, open division | 500"},
			"Most throughput: big gives 300 tok/s, one request at a time, small 200.", true,
			"big reaches 300 tok/s, one request at a time, small 200.", "300"},
		{[3]string{"open", "open", "open"},
			[]string{"1 | old serve 1.0, open division | 500", "2 | big serve 1.0, open division | 300", "3 | small serve 1.0, open division | 200"},
			"Most throughput: old gives 500 tok/s, one request at a time, big 300.", false,
			"old reaches 500 tok/s, one request at a time, big 300.", "500"},
	} {
		cat := &catalog.Catalog{}
		for i, hardware := range []string{"1x big", "1x small", "1x old"} {
			r := figuretest.Run("r"+hardware[3:], "o/Dense-10B", hardware, "1.0",
				figuretest.Point(1, []float64{300, 200, 500}[i], 0.1, 0.2, 0.02, 0.03))
			r.Attributes["labels.division"] = catalog.Attribute{Value: c.divisions[i]}
			cat.Runs = append(cat.Runs, r)
		}
		_, s := pageAt(t, figure.NewIndex(cat, figuretest.Names(t)), cat, "models/dense-10b")
		rows := strings.Split(s["ranked"], "\n")
		for _, want := range c.want {
			if !slices.ContainsFunc(rows, func(row string) bool { return strings.HasPrefix(row, want) }) {
				t.Errorf("%q: no row begins with %q:\n%s", c.divisions, want, s["ranked"])
			}
		}
		if said := strings.Contains(s["ranked"], "Only results of the closed division have a rank; those of another"); said != c.says {
			t.Errorf("%q: that one division is ranked is said: %v", c.divisions, said)
		}
		if !strings.Contains(s["take"], c.take) {
			t.Errorf("%q: %s", c.divisions, s["take"])
		}
		if !strings.Contains(s["throughput"], c.reaches) {
			t.Errorf("%q: %q is not said above the table: %s", c.divisions, c.reaches, s["throughput"])
		}
		models, _ := pageAt(t, figure.NewIndex(cat, figuretest.Names(t)), cat, "models")
		if lede := models.Params.(page.ReportView).Lede.Text(); !strings.Contains(lede, c.top) {
			t.Errorf("%q: above the models stands %q", c.divisions, lede)
		}
	}
}

// What was measured and cannot be is neither another workload nor a result that is not recorded.
func TestForbiddenIsSaid(t *testing.T) {
	point := figuretest.Point(4, 400, 0.1, 0.9, 0.01, 0.02)
	c := &catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("good", "o/Mixed-40B", "1x big", "1.0", point),
		figuretest.Run("bad", "o/Mixed-40B", "1x small", "1.0", point)}}
	_, s := pageAt(t, figure.NewIndex(c, figuretest.Names(t)), c, "models/mixed-40b")
	for section, want := range map[string]string{"ranked": "not to be believed", "frontier": "both known at no load",
		"within-limits": "Not judged on small: its result is not to be believed."} {
		if !strings.Contains(s[section], want) || strings.Contains(s[section], "other workload") {
			t.Errorf("%q: %q is not said:\n%s", section, want, s[section])
		}
	}
}
