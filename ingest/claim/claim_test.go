package claim

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// plainRun is a run of which no name is known.
func plainRun(cr *catalog.Run) *figure.Run {
	return figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{cr}}, &settings.Names{}).Runs[0]
}

// plain is a sentence with ordinary blanks.
func plain(s string) string { return strings.ReplaceAll(s, "\u202f", " ") }

func sentences(r *figure.Run) (all []string) {
	for _, in := range Sentences(r, nil) {
		all = append(all, in.Label+": "+plain(in.Text()))
	}
	return all
}

// wantOfReport are all sentences of the MI100 report. Its tool's own prose stated the mean TTFT of
// 115 ms as a median, called TTFT and TPOT nearly equal, ITL an "input token latency" and a
// concurrency of 1 high.
var wantOfReport = []string{
	"Sweet spot: With Concurrency Scaling, 1 024 → 256, 4 parallel requests serve each user fastest while TTFT p99 " +
		"and TPOT p99 stay within twice their minima: 42.0 tok/s a user.",
	"Peak: Output throughput peaks at 387 tok/s at 32 parallel requests with Concurrency Scaling, 1 024 → 256; " +
		"only 30 prompts were sent, so no more than 30 ran at once.",
	"Knee: With Concurrency Scaling, 1 024 → 256, 16 parallel requests already give 385 tok/s, 99 % of the peak.",
	"Scaling: With Concurrency Scaling, 1 024 → 256, scaling efficiency at 16 parallel requests is 49 % against 2: " +
		"throughput rose 3.94× while the load rose 8×.",
	"Tail: With Concurrency Scaling, 1 024 → 256, at 2 parallel requests, TTFT p99 is 646 ms against a median of " +
		"90.4 ms (7.15×); at larger loads p99 stays within twice the median; it exceeds twice the median in 2 more " +
		"workloads.",
	"Steady: With Decode Stress Test, 128 → 2 048, TPOT is steady from request to request: a median of 17.8 ms, " +
		"p99/median 1.00.",
	"Phase: One request at a time spends 11 % of its time before the first token with Single User Latency, 2 048 → " +
		"512 and 0.12 % with Decode Stress Test, 128 → 2 048: both are decode-bound.",
}

var falseOfReport = []string{"115", "input token", "nearly equal", "high concurrency"}

func TestInsightsOfAReport(t *testing.T) {
	got := sentences(plainRun(figuretest.Report()))
	if strings.Join(got, "\n") != strings.Join(wantOfReport, "\n") {
		t.Errorf("sentences\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wantOfReport, "\n"))
	}
}

// TestInsightsOfTheDemonstration holds the same against the catalog that this repository ships:
// it has one more scenario, with a tail.
func TestInsightsOfTheDemonstration(t *testing.T) {
	c, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	names, diags := settings.LoadNames(os.DirFS("../../data"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	for _, r := range figure.NewIndex(c, names).Runs {
		if strings.Contains(r.Identity.Model, "Devstral") {
			got = append(got, sentences(r)...)
		}
	}
	for _, w := range wantOfReport {
		w = strings.Replace(w, "in 2 more workloads", "in 3 more workloads", 1)
		if !slices.Contains(got, w) {
			t.Errorf("%q is missing in\n%s", w, strings.Join(got, "\n"))
		}
	}
	for _, f := range falseOfReport {
		if strings.Contains(strings.Join(got, "\n"), f) {
			t.Errorf("%q stands in\n%s", f, strings.Join(got, "\n"))
		}
	}
	if len(got) != len(wantOfReport) {
		t.Errorf("%d sentences, want %d", len(got), len(wantOfReport))
	}
}

func TestNoInsightWithoutItsCondition(t *testing.T) {
	r := &catalog.Run{Points: []catalog.Point{{Load: record.Load{MaxConcurrency: figuretest.Whole(1)},
		Metrics: map[metric.ID]catalog.Stat{"ttft": figuretest.Dist(1, 1, 1.1),
			"output_throughput": figuretest.Value(10)}}}}
	if in := Sentences(plainRun(r), nil); len(in) != 0 {
		t.Errorf("one unremarkable point gave %d sentences, first %q", len(in), in[0].Text())
	}
	// Each change takes away the condition of some sentences of the report, and of no others.
	for _, c := range []struct {
		name string
		do   func(p *catalog.Point)
		gone []string
	}{
		{"equal percentiles", func(p *catalog.Point) {
			s := p.Metrics["ttft"]
			p.Metrics["ttft"] = figuretest.Dist(*s.Mean, *s.Median, *s.Median)
		}, []string{"Tail"}},
		{"no TPOT p99", func(p *catalog.Point) {
			s := p.Metrics["tpot"]
			s.Percentiles = nil
			p.Metrics["tpot"] = s
		}, []string{"Sweet spot", "Steady"}},
		{"no throughput", func(p *catalog.Point) { delete(p.Metrics, "output_throughput") },
			[]string{"Sweet spot", "Peak", "Knee", "Scaling"}},
		{"TPOT with a tail", func(p *catalog.Point) {
			s := p.Metrics["tpot"]
			p.Metrics["tpot"] = figuretest.Dist(*s.Mean, *s.Median, 1.03**s.Median)
		}, []string{"Steady"}},
		{"no TTFT", func(p *catalog.Point) { delete(p.Metrics, "ttft") }, []string{"Sweet spot", "Tail", "Phase"}},
	} {
		r := figuretest.Report()
		for i := range r.Points {
			c.do(&r.Points[i])
		}
		have := map[string]bool{}
		for _, in := range Sentences(plainRun(r), nil) {
			have[in.Label] = true
		}
		for _, l := range []string{"Sweet spot", "Peak", "Knee", "Scaling", "Tail", "Steady", "Phase"} {
			if want := !slices.Contains(c.gone, l); have[l] != want {
				t.Errorf("%s: sentence on %q: %v, want %v", c.name, l, have[l], want)
			}
		}
	}
	// With as many prompts as requests at once nothing is said of prompts.
	r = figuretest.Report()
	for i := range r.Points {
		r.Points[i].Workload.NumPrompts = figuretest.Whole(1000)
	}
	if s := strings.Join(sentences(plainRun(r)), "\n"); strings.Contains(s, "prompts") {
		t.Errorf("1000 prompts:\n%s", s)
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		long, short float64
		want        string
	}{
		{0.64593, 0.09037, "646 ms 90.4 ms"},
		{26.66632, 11.14028, "26.7 s 11.1 s"},
		{3.40198, 1.13987, "3.40 s 1.14 s"},
		{0.5, 0.0005, "500 ms 500 µs"},
		{30, 0.02, "30.0 s 20.0 ms"},
		{2, 0.25, "2.00 s 0.250 s"},
		{20.5, 9.996, "20.5 s 10.0 s"},
		{2000, 150, "2 000 s 150 s"},
		{0.0004, 0.0001, "400 µs 100 µs"},
	} {
		a, b := times(c.long, c.short)
		if got := plain(a + " " + b); got != c.want {
			t.Errorf("times(%v, %v) = %q, want %q", c.long, c.short, got, c.want)
		}
	}
}

var writtenNumber = regexp.MustCompile(`[0-9]+(?:\x{202f}[0-9]{3})*(?:\.[0-9]+)?(?:\x{202f}(?:%|ms|µs|s\b))?×?`)

// written reads the numbers of a text in base units, each with half of its last digit.
func written(text string) (values, halves []float64, texts []string) {
	text = strings.NewReplacer("p99", "", "95\u202f% intervals", "").Replace(text)
	for _, w := range writtenNumber.FindAllString(text, -1) {
		factor := 1.0
		digits := strings.TrimSuffix(w, "×")
		for _, u := range []struct {
			text string
			f    float64
		}{{"\u202f%", 0.01}, {"\u202fms", 1e-3}, {"\u202fµs", 1e-6}, {"\u202fs", 1}} {
			if d, ok := strings.CutSuffix(digits, u.text); ok {
				digits, factor = d, u.f
				break
			}
		}
		digits = strings.ReplaceAll(digits, "\u202f", "")
		v, _ := strconv.ParseFloat(digits, 64)
		half := 0.5
		if i := strings.IndexByte(digits, '.'); i >= 0 {
			half *= math.Pow10(-(len(digits) - i - 1))
		} else if n := len(digits) - 3; n > 0 { // three significant digits
			half *= math.Pow10(n)
		}
		values, halves, texts = append(values, v*factor), append(halves, half*factor), append(texts, w)
	}
	return values, halves, texts
}

// raw reads a statistic without this package's accessors.
func raw(p *catalog.Point, m metric.ID, what string) float64 {
	s, ok := p.Metrics[m]
	switch {
	case !ok:
	case what == "value" && s.Value != nil:
		return *s.Value
	case what == "median" && s.Median != nil:
		return *s.Median
	case what == "p99" && len(s.Percentiles) == 1:
		return s.Percentiles[0].Value
	}
	return math.NaN()
}

func rawLoad(p *catalog.Point) float64 {
	if p.Load.MaxConcurrency != nil {
		return float64(*p.Load.MaxConcurrency)
	}
	return float64(*p.Load.Rate)
}

// withoutOutput is how many completed requests of a point have no output.
func withoutOutput(p *catalog.Point) int64 {
	if p.NoOutput == nil {
		return 0
	}
	return *p.NoOutput
}

// loadsIn are the numbers that the phrase of a load has.
func loadsIn(p *catalog.Point) []float64 {
	l := rawLoad(p)
	if math.IsInf(l, 1) || p.Load.MaxConcurrency != nil && l == 1 {
		return nil
	}
	return []float64{l}
}

func middle(vs []float64) float64 {
	slices.Sort(vs)
	if n := len(vs); n%2 == 0 {
		return (vs[n/2-1] + vs[n/2]) / 2
	}
	return vs[len(vs)/2]
}

// throughputs are the output throughputs of a scenario at a load, by hand.
func throughputs(s *figure.Scenario, load float64) (vs []float64) {
	for _, p := range s.Measured {
		if v := raw(p, "output_throughput", "value"); rawLoad(p) == load && !math.IsNaN(v) {
			vs = append(vs, v)
		}
	}
	return vs
}

// expected recomputes, from the points that a sentence cites and their scenarios alone, all
// numbers that it must give, in order. It reports a sentence whose condition does not hold.
func expected(t *testing.T, r *figure.Run, in Sentence, text string) []float64 {
	type place struct {
		Run      *figure.Run
		Scenario *figure.Scenario
		Point    *catalog.Point
	}
	var cited []place
	for _, p := range in.Parts {
		if p.Of != nil {
			cited = append(cited, place{p.Of.Run, p.Of.Scenario, p.Of.Point})
			if !slices.Contains(p.Of.Run.Scenarios, p.Of.Scenario) ||
				!slices.Contains(p.Of.Scenario.Points, p.Of.Point) {
				t.Errorf("%q cites a point of another run or scenario", text)
			}
		}
	}
	if len(cited) == 0 {
		return nil
	}
	p, sc := cited[0].Point, cited[0].Scenario
	tput := func(p *catalog.Point) float64 { return raw(p, "output_throughput", "value") }
	tail := func(p *catalog.Point, m metric.ID) float64 { return raw(p, m, "p99") / raw(p, m, "median") }
	fail := func(why string) { t.Errorf("%s: %q: %s", in.Label, text, why) }
	switch in.Label {
	case "Sweet spot":
		per := tput(p) / rawLoad(p)
		minTTFT, minTPOT := math.Inf(1), math.Inf(1)
		var all []*catalog.Point
		for _, q := range sc.Points {
			a, b := raw(q, "ttft", "p99"), raw(q, "tpot", "p99")
			if !math.IsNaN(a) && !math.IsNaN(b) && !math.IsNaN(tput(q)) {
				all = append(all, q)
				minTTFT, minTPOT = min(minTTFT, a), min(minTPOT, b)
			}
		}
		keeps := func(q *catalog.Point) bool {
			return raw(q, "ttft", "p99") <= 2*minTTFT && raw(q, "tpot", "p99") <= 2*minTPOT
		}
		none := !slices.ContainsFunc(all, keeps)
		if strings.Contains(text, "no load keeps") != none {
			fail("the limits")
		}
		for _, q := range all {
			if (none || keeps(q)) && tput(q)/rawLoad(q) > per*(1+1e-11) {
				fail("another load serves each user faster")
			}
		}
		if !none && !keeps(p) {
			fail("the limits are not kept there")
		}
		return append(loadsIn(p), per)
	case "Peak":
		for _, q := range sc.Points {
			if tput(q) > tput(p) {
				fail("another load has more")
			}
		}
		want := append([]float64{tput(p)}, loadsIn(p)...)
		if n := p.Workload.NumPrompts; n != nil && p.Load.MaxConcurrency != nil && *n < *p.Load.MaxConcurrency {
			return append(want, float64(*n), float64(*n))
		}
		last := sc.Points[len(sc.Points)-1]
		if rising := p == last && !math.IsInf(rawLoad(p), 1); strings.Contains(text, "may lie beyond") != rising {
			fail("whether the maximum may lie beyond")
		}
		return want
	case "Knee":
		peak := 0.0
		for _, q := range sc.Points {
			if v := tput(q); v > peak {
				peak = v
			}
		}
		for _, q := range sc.Points {
			if tput(q) >= 0.95*peak && rawLoad(q) < rawLoad(p) {
				fail("a smaller load reaches 95 %")
			}
		}
		if tput(p) < 0.95*peak {
			fail("below 95 %")
		}
		return append(loadsIn(p), tput(p), tput(p)/peak)
	case "Scaling":
		c0 := cited[1].Point
		for _, q := range sc.Points {
			if rawLoad(q) < rawLoad(c0) && !math.IsNaN(tput(q)) {
				fail("there is a smaller load")
			}
		}
		ratio, loads := tput(p)/tput(c0), rawLoad(p)/rawLoad(c0)
		return append(loadsIn(p), ratio/loads, rawLoad(c0), ratio, loads)
	case "Drop":
		next := p
		p = cited[1].Point
		if in := slices.Index(sc.Points, p); rawLoad(next) <= rawLoad(p) || tput(next) > 0.8*tput(p)*(1+1e-11) ||
			slices.ContainsFunc(sc.Points[in+1:slices.Index(sc.Points, next)],
				func(q *catalog.Point) bool { return !math.IsNaN(tput(q)) }) {
			fail("no step between neighbours that falls by a fifth")
		}
		want := append([]float64{1 - tput(next)/tput(p), rawLoad(p)}, loadsIn(next)...)
		want = append(want, tput(p), tput(next))
		if n := in.Claim.(Drop).Others; n > 0 {
			want = append(want, float64(n))
		}
		return want
	case "Limit of 20 tok/s":
		speed := func(p *catalog.Point) float64 { return raw(p, "speed_per_request", "median") }
		for _, q := range sc.Points {
			if rawLoad(q) > rawLoad(p) && speed(q) >= 20 {
				fail("a larger load keeps it")
			}
		}
		if speed(p) < 20 {
			return append([]float64{20, speed(p)}, loadsIn(p)...)
		}
		return append([]float64{20}, loadsIn(p)...)
	case "Request rate":
		completes := func(q *catalog.Point) float64 { return raw(q, "request_throughput", "value") / rawLoad(q) }
		largest := math.NaN()
		for _, q := range sc.Points {
			c := completes(q)
			if rawLoad(q) <= rawLoad(p) && c < 0.9*(1-1e-11) {
				fail("a smaller rate is not completed")
			}
			if !math.IsNaN(c) && !math.IsInf(rawLoad(q), 1) {
				largest = rawLoad(q)
			}
		}
		if strings.Contains(text, "the largest measured") != (largest == rawLoad(p)) {
			fail("which rate is the largest")
		}
		var want []float64
		for _, c := range cited {
			want = append(want, rawLoad(c.Point), raw(c.Point, "request_throughput", "value"), completes(c.Point))
		}
		if len(cited) > 1 && completes(cited[1].Point) >= 0.9 {
			fail("the next rate is completed too")
		}
		return want
	case "Tail":
		worst, later := p, 0
		for _, q := range sc.Points {
			if rawLoad(q) < rawLoad(p) && tail(q, "ttft") > 2.0000001 {
				fail("a smaller load has a tail")
			}
			if rawLoad(q) > rawLoad(p) && tail(q, "ttft") > 2.0000001 {
				later++
			}
			if tail(q, "ttft") > tail(worst, "ttft")*(1+1e-11) {
				worst = q
			}
		}
		if tail(p, "ttft") <= 1.9999999 {
			fail("the tail is within twice the median")
		}
		if strings.Contains(text, "stays within") && later > 0 {
			fail("a larger load has a tail")
		}
		want := append(loadsIn(p), raw(p, "ttft", "p99"), raw(p, "ttft", "median"), tail(p, "ttft"))
		if worst != p {
			want = append(append(want, loadsIn(worst)...), tail(worst, "ttft"))
		}
		if n := in.Claim.(Tail).Others; n > 0 {
			want = append(want, float64(n))
		}
		return want
	case "Steady":
		if tail(p, "tpot") >= 1.0200001 || rawLoad(p) != 1 ||
			*sc.Workload.Nominal.Output <= 4**sc.Workload.Nominal.Input {
			fail("condition")
		}
		return []float64{raw(p, "tpot", "median"), tail(p, "tpot")}
	case "Phase":
		var want []float64
		for _, c := range cited {
			q := c.Point
			what := "median"
			get := func(m metric.ID) float64 {
				if s, ok := q.Metrics[m]; ok && what == "mean" && s.Mean != nil {
					return *s.Mean
				}
				if what == "mean" {
					return math.NaN()
				}
				return raw(q, m, what)
			}
			if math.IsNaN(get("ttft")) {
				what = "mean"
			}
			whole := get("e2e_latency")
			if math.IsNaN(whole) {
				n := q.Workload.Nominal.Output
				if q.Workload.Actual.Output != nil {
					n = q.Workload.Actual.Output
				}
				whole = get("ttft") + get("tpot")*(*n-1)
			}
			share := get("ttft") / whole
			want = append(want, share)
			if len(cited) == 1 || !strings.Contains(text, "both are") {
				continue
			}
			if strings.Contains(text, "decode-bound") && share >= 0.2000001 ||
				strings.Contains(text, "prefill-bound") && share <= 0.4999999 {
				fail("bound by another thing")
			}
		}
		return want
	case "KV cache":
		peak := cited[1].Point
		for _, q := range sc.Points {
			if v := raw(q, "kv_cache_usage", "value"); rawLoad(q) < rawLoad(p) && v >= 0.95 {
				fail("full at a smaller load")
			}
			if tput(q) > tput(peak) {
				fail("not the peak")
			}
		}
		if raw(p, "kv_cache_usage", "value") < 0.95 || rawLoad(p) >= rawLoad(peak) {
			fail("condition")
		}
		want := append([]float64{raw(p, "kv_cache_usage", "value")}, loadsIn(p)...)
		want = append(append(want, tput(peak)), loadsIn(peak)...)
		others := -1
		for _, s := range r.Scenarios {
			var full, top *catalog.Point
			for _, q := range s.Points {
				if full == nil && raw(q, "kv_cache_usage", "value") >= 0.95 {
					full = q
				}
				if v := tput(q); !math.IsNaN(v) && (top == nil || v > tput(top)) {
					top = q
				}
			}
			if full != nil && top != nil && rawLoad(full) < rawLoad(top) {
				others++
			}
		}
		if others > 0 {
			want = append(want, float64(others))
		}
		return want
	case "Completion":
		var want []float64
		var submitted, completed, empty, failed float64
		for _, s := range r.Scenarios {
			for _, q := range s.Points {
				if q.Submitted != nil {
					submitted, completed = submitted+float64(*q.Submitted), completed+float64(*q.Completed)
					empty += float64(withoutOutput(q))
					if *q.Completed-withoutOutput(q) < *q.Submitted {
						failed++
					}
				}
			}
		}
		if failed > 3 {
			want = []float64{completed, submitted}
			if empty > 0 {
				want = append(want, empty)
			}
			want = append(want, failed)
		} else if int(failed) != len(cited) {
			fail("not all failures are told")
		}
		for _, c := range cited {
			if *c.Point.Completed-withoutOutput(c.Point) >= *c.Point.Submitted {
				fail("all completed")
			}
			want = append(want, float64(*c.Point.Completed), float64(*c.Point.Submitted))
			if n := withoutOutput(c.Point); n > 0 {
				want = append(want, float64(n))
			}
			want = append(want, loadsIn(c.Point)...)
		}
		return want
	case "Load":
		n := *p.Workload.NumPrompts
		if n >= *p.Load.MaxConcurrency {
			fail("enough prompts")
		}
		return []float64{rawLoad(p), float64(n)}
	case "Version", "Hardware":
		mine, other := cited[0], cited[1]
		if in.Label == "Hardware" {
			mine, other = cited[1], cited[0]
		}
		o := other.Run
		if o == nil || o.Withdrawn != "" || o == r || mine.Scenario.Class != other.Scenario.Class ||
			rawLoad(mine.Point) != rawLoad(other.Point) {
			fail("the other run")
		}
		as, bs := throughputs(mine.Scenario, rawLoad(mine.Point)), throughputs(other.Scenario, rawLoad(mine.Point))
		a, b := middle(as), middle(bs)
		var want []float64
		clear, told := false, true
		if len(as) >= 6 && len(bs) >= 6 {
			// With 6 to 8 measurements the interval that holds 95 % is all of them.
			clear = slices.Max(as) < slices.Min(bs) || slices.Max(bs) < slices.Min(as)
			told = clear
			if strings.Contains(text, "not distinguishable") == clear {
				fail("certainty")
			}
		} else if strings.Contains(text, "distinguishable") {
			fail("a claim from fewer than six")
		}
		if in.Label == "Version" {
			if o.Engine.Slug != r.Engine.Slug || o.Card != r.Card || !(o.Engine.Version < r.Engine.Version) {
				fail("no earlier version of the same card")
			}
			want = loadsIn(mine.Point)
			if told && a != b {
				if strings.Contains(text, "higher") != (a > b) {
					fail("direction")
				}
				want = append(want, math.Abs(a-b)/b)
			}
			want = append(want, a, b)
		} else {
			if o.Card == r.Card || o.Model.Slug != r.Model.Slug {
				fail("not the same model on other hardware")
			}
			// The numbers of all other hardware, each of an accelerator where they differ.
			of := in.Claim.(*Stated).Numbers
			others, each := map[*figure.Card]float64{}, 0
			for _, n := range of {
				if n.Run.Card != r.Card && n.Over == of[0].Over || n.Over > 0 {
					others[n.Run.Card] = n.Is()
				}
				each = max(each, n.Over)
			}
			delete(others, r.Card)
			if !strings.Contains(text, "he only") {
				want = append(want, float64(len(others)))
			}
			x, y := a, b
			if each > 0 {
				x, y = a/float64(r.Hardware.Count), b/float64(o.Hardware.Count)
			} else if o.Hardware.Count != r.Hardware.Count {
				fail("other numbers of accelerators")
			}
			for _, v := range others {
				if v > y*(1+1e-9) {
					fail("another one gives more")
				}
			}
			if told && strings.HasPrefix(text, "None") != (y < x) && !strings.Contains(text, "he only") {
				fail("which gives more")
			}
			want = append(append(want, y, x), loadsIn(mine.Point)...)
			switch {
			case !told || x == y:
			case y/x >= 1.995:
				want = append(want, y/x)
			default:
				want = append(want, math.Abs(y-x)/x)
			}
			if each > 0 && r.Hardware.Count*o.Hardware.Count > 1 { // of one accelerator on each side it is the same
				want = append(want, b, a)
			}
		}
		if len(as) > 1 || len(bs) > 1 {
			n, m := float64(len(as)), float64(len(bs))
			if in.Label == "Hardware" { // names the other first
				n, m = m, n
			}
			want = append(want, n, m)
		}
		length := func(s *figure.Scenario) float64 {
			var vs []float64
			for _, q := range s.Measured {
				if v := q.Workload.Actual.Input; v != nil {
					vs = append(vs, *v)
				}
			}
			if len(vs) == 0 {
				return 0
			}
			return middle(vs)
		}
		if x, y := length(mine.Scenario), length(other.Scenario); x > 0 && y > 0 && math.Abs(x-y)/min(x, y) > 0.05 {
			want = append(want, math.Abs(x-y)/min(x, y), x, y)
			if !in.Caution {
				fail("no caution although lengths differ")
			}
		}
		return want
	}
	if in.Label == "Replication" {
		return expectedReplication(t, r, in.Claim.(Replication), text)
	}
	t.Errorf("no check for the sentences on %q: %q", in.Label, text)
	return nil
}

// expectedReplication are the numbers of a sentence on replications, held against all runs of other authors.
func expectedReplication(t *testing.T, r *figure.Run, c Replication, text string) (want []float64) {
	t.Helper()
	near, far, within := 0, 0, 0.0
	for _, p := range c.By {
		o := p.There.Run
		if o.Card != r.Card || o.Engine.Version != r.Engine.Version || o.Sources[0].Author == r.Sources[0].Author {
			t.Errorf("%q counts a run of another thing or of the same author", text)
		}
		a, b := p.Here.Value, p.There.Value
		if gap := math.Abs(a-b) / math.Max(a, b); gap <= 0.05 {
			near, within = near+1, math.Max(within, gap)
		} else {
			far++
		}
	}
	switch {
	case near > 0 && far > 0:
		want = []float64{float64(near), within, float64(far)}
	case near > 0:
		want = []float64{float64(near), within}
	default:
		want = []float64{float64(far)}
	}
	p := c.By[0]
	a, b := p.Here.Value, p.There.Value
	want = append(append(want, loadsIn(p.Here.Point)...), a, b)
	if a != b {
		want = append(want, math.Abs(a-b)/math.Max(a, b))
	}
	if n, m := p.Difference.A.N, p.Difference.B.N; n > 1 || m > 1 {
		want = append(want, float64(n), float64(m))
	}
	return want
}

// withoutNames is a text without the names of workloads, engines and hardware, which may hold digits: the longest
// first, since one may begin with another.
func withoutNames(text string, ix *figure.Index) string {
	var names []string
	for _, r := range ix.Runs {
		names = append(names, r.EngineName(), r.Card.Hardware.Name)
		for _, s := range r.Scenarios {
			names = append(names, s.Title)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, n := range names {
		if !strings.Contains(text, n+"/s") { // a workload of 16 requests is no rate of 16 requests/s
			text = strings.ReplaceAll(text, n, "")
		}
	}
	return text
}

// TestInsightsHold makes catalogs with random numbers and holds each number of each sentence
// against the points it cites, and each sentence's condition against the data; and sees that
// what has no condition has no sentence.
func TestInsightsHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	rnd := rand.New(rand.NewPCG(3, 4))
	seen := map[string]int{}
	for range 600 {
		ix := figure.NewIndex(figuretest.Invented(rnd), names)
		for _, r := range ix.Runs {
			count := map[string]int{}
			for _, in := range Sentences(r, nil) {
				seen[in.Label]++
				count[in.Label]++
				text := in.Text()
				want := expected(t, r, in, text)
				bare := withoutNames(text, ix)
				if in.Label == "Tail" && want == nil {
					continue
				}
				got, halves, texts := written(bare)
				if len(got) != len(want) {
					t.Fatalf("%s: %q has the numbers %q, want %v", in.Label, text, texts, want)
				}
				for i := range got {
					if math.Abs(got[i]-want[i]) > halves[i]*1.000001 {
						t.Errorf("%s: %q: number %d is %s, the data say %v", in.Label, text, i+1, texts[i], want[i])
					}
				}
			}
			tails, failed := 0, false
			for _, s := range r.Scenarios {
				long := false
				for _, p := range s.Points {
					long = long || raw(p, "ttft", "p99")/raw(p, "ttft", "median") > 2
					failed = failed || p.Submitted != nil && *p.Completed-withoutOutput(p) < *p.Submitted
				}
				if long {
					tails++
				}
			}
			if want := min(tails, 1); count["Tail"] != want {
				t.Errorf("%d sentences on tails, want %d", count["Tail"], want)
			}
			if (count["Completion"] == 1) != failed {
				t.Errorf("%d sentences on completion, failures %v", count["Completion"], failed)
			}
			if got, want := PreviousVersion(r), versionBefore(r); got != want {
				t.Errorf("the version before that of %s is that of %v, want %v", r.ID, got, want)
			}
			if (count["Version"] == 1) != (PreviousVersion(r) != nil) || r.Withdrawn != "" &&
				count["Hardware"]+count["Version"] > 0 {
				t.Errorf("%d sentences on versions, %d on hardware, withdrawn %q", count["Version"], count["Hardware"],
					r.Withdrawn)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, l := range []string{"Sweet spot", "Peak", "Knee", "Scaling", "Drop", "Limit of 20 tok/s", "Request rate",
		"Tail", "Steady",
		"Phase", "KV cache", "Completion", "Load", "Version", "Hardware", "Replication"} {
		if seen[l] < 20 {
			t.Errorf("only %d sentences on %q were seen: the generator is too tame", seen[l], l)
		}
	}
}

// onVersions is how many sentences on runs compare versions.
func onVersions(t *testing.T, runs []*catalog.Run) (n int) {
	ix := figure.NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t))
	for _, r := range ix.Runs {
		for _, s := range Sentences(r, compare.NewArguments(figuretest.Names(t), ix.Runs)) {
			if s.Kind == KindVersion {
				n++
			}
		}
	}
	return n
}

// A version is not blamed for what differs beside it. What one side does not record is not known to differ.
func TestVersionAlone(t *testing.T) {
	driver := func(r *catalog.Run, version string) { r.Attributes["driver"] = catalog.Attribute{Value: version} }
	for _, c := range []struct {
		what   string
		change func(old, latest *catalog.Run)
		want   int
	}{
		{"nothing else", func(_, _ *catalog.Run) {}, 1},
		{"an argument", func(old, latest *catalog.Run) {
			old.Parameters, latest.Parameters = figuretest.Params("max_num_seqs",
				"256"), figuretest.Params("max_num_seqs", "512")
		}, 0},
		{"the driver", func(old, latest *catalog.Run) { driver(old, "550.1"); driver(latest, "570.1") }, 0},
		{"a driver that one side records", func(_, latest *catalog.Run) { driver(latest, "570.1") }, 1},
	} {
		var runs []*catalog.Run
		for i, v := range []string{"0.8.1", "0.8.2"} {
			r := figuretest.Run("r"+v, "org/m", "2x big", v, figuretest.Point(8, float64(100+50*i), .1, .2, .01, .02))
			r.Identity.Session = v
			runs = append(runs, r)
		}
		c.change(runs[0], runs[1])
		if n := onVersions(t, runs); n != c.want {
			t.Errorf("%s differs beside the version: %d sentences compare the versions, want %d", c.what, n, c.want)
		}
	}
}

// Where the runs of a card are enough to know how far they lie apart, two of them are not set against each other for
// what all of them say is chance.
func TestVersionInHistory(t *testing.T) {
	noise := []float64{100, 104, 98, 102, 99, 103, 97, 101}
	for _, c := range []struct {
		what         string
		past         []float64
		before, next float64 // the newest result of the earlier version, the one of the later version
		want         int
	}{
		{"more than the run before, as others were", noise, 97, 103, 0},
		{"less than the run before, as others were", noise, 103, 98, 0},
		{"more than runs like these let expect", noise, 101, 150, 1},
		{"less than runs like these let expect", noise, 101, 60, 1},
		{"more than the run before, in a history too short to know", noise[:3], 97, 103, 1},
		{"as much as the level before a fall, to which the run before belongs", append([]float64{150, 151, 149, 150, 152, 148},
			100, 101, 99, 100, 98), 100, 150, 1},
	} {
		var runs []*catalog.Run
		for i, v := range append(append([]float64{}, c.past...), c.before, c.next) {
			version := "0.8.1"
			if i == len(c.past)+1 {
				version = "0.8.2"
			}
			r := figuretest.Run(fmt.Sprint("r", i), "org/m", "2x big", version, figuretest.Point(8, v, .1, .2, .01, .02))
			r.Identity.Session, r.Started = r.ID, fmt.Sprintf("2025-01-%02dT10:00:00", i+1)
			runs = append(runs, r)
		}
		if n := onVersions(t, runs); n != c.want {
			t.Errorf("%s: %d sentences compare the versions, want %d", c.what, n, c.want)
		}
	}
}

// versionBefore is what PreviousVersion says, by a look at every run of the card in whatever order.
func versionBefore(r *figure.Run) (best *figure.Run) {
	if r.Withdrawn != "" || r.Engine.Version == "" {
		return nil
	}
	for _, o := range r.Card.Runs {
		_, ok := meet(r, o)
		if !ok || o.Withdrawn != "" || o.Engine.Slug != r.Engine.Slug || o.Engine.Version == "" ||
			settings.CompareVersions(o.Engine.Version, r.Engine.Version) >= 0 {
			continue
		}
		if best == nil || cmp.Or(settings.CompareVersions(best.Engine.Version, o.Engine.Version), figure.NewestFirst(o, best)) < 0 {
			best = o
		}
	}
	return best
}
