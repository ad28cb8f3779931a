package view

import (
	"maps"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/sitetest"
)

// TestHeadlinesAgree: over the demonstration, the headline of each card is the cell of its scorecard.
func TestHeadlinesAgree(t *testing.T) {
	c, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	names, diags := settings.LoadNames(os.DirFS("../../data"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	ix := figure.NewIndex(c, names)
	checked := headlinesAgree(t, ix)
	for _, name := range []string{figure.PeakThroughput, figure.SuiteSpeed, "prompt_ingestion_speed", "kv_cache_tokens"} {
		if checked[name] == 0 {
			t.Errorf("no card of the demonstration is headed by %s", name)
		}
	}
}

// TestBestSpeaks: of a version measured in two series, the short one gives more than the long one, and the version before
// more than both. Card, scorecard, model page, pairs and the sentence about other hardware are all of the short one.
func TestBestSpeaks(t *testing.T) {
	on := func(id, hardware, version, series string, tput ...float64) *catalog.Run {
		r := timed(id, "serve", version, "2025-01-01", series, tput...)
		for i := range r.Points {
			r.Points[i].Load.MaxConcurrency, r.Points[i].Repetition = sitetest.Ptr(int64(8<<i)), 0
		}
		r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
		return r
	}
	ix, _ := timedIndex(t, on("long", "X1", "1.1", "default", 100, 110, 120, 125, 124), on("short", "X1", "1.1", "tuned", 300, 310, 290),
		on("before", "X1", "1.0", "default", 900), on("other", "Y2", "1.1", "default", 50, 60, 70))
	headlinesAgree(t, ix)
	g := New(ix, nil, Options{})
	m := ix.Models[0]
	x1, other := m.Cards[0], m.Cards[1].Runs[0]
	if x1.Head().ID != "short" {
		t.Errorf("the card is headed by %s", x1.Head().ID)
	}
	if best := g.bestPoints(m.Cards); best[0].run.ID != "short" {
		t.Errorf("lists show %s", best[0].run.ID)
	}
	ps := maps.Collect(compare.Pairs(ix))[m]
	if len(ps) == 0 || ps[0].Kind != compare.PairHardware || ps[0].A.Run.ID != "short" {
		t.Errorf("the pair of cards is of other runs: %+v", ps)
	}
	var said []string
	for _, s := range claim.Sentences(other, nil) {
		said = append(said, s.Text())
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "290 tok/s against 70.0") {
		t.Errorf("other hardware is said to give something else:\n%s", all)
	}
}

// TestOneWorkloadTwoLoads: of lengths that were measured by rate in more points and by parallel requests with a higher
// peak, card, list and model page of the only card show the same.
func TestOneWorkloadTwoLoads(t *testing.T) {
	rated := timed("rated", "serve", "1.0", "2025-01-01", "sweep", 100, 200, 400)
	for i := range rated.Points {
		rated.Points[i].Repetition, rated.Points[i].Load = 0, record.Load{Rate: sitetest.Ptr(record.Float(i + 1))}
	}
	ix, _ := timedIndex(t, rated, timed("parallel", "serve", "1.0", "2025-01-01", "peak", 450))
	g := New(ix, nil, Options{})
	m := ix.Models[0]
	if id := m.Cards[0].Head().ID; id != "parallel" {
		t.Fatalf("the card is headed by %s", id)
	}
	if best := g.bestPoints(m.Cards); len(best) != 1 || best[0].run.ID != "parallel" {
		t.Errorf("lists show %+v", best)
	}
	class, _, _ := commonClass(entries(m.Cards, func(c *figure.Card) string { return c.Hardware.Name }))
	if m.Cards[0].Head().Scenario(class) == nil {
		t.Errorf("the page of the model ranks by %q, and its headline is of another workload", class)
	}
}

// TestBestOfClass: workloads that differ in the number of requests alone are one class, of which a scorecard shows the
// highest.
func TestBestOfClass(t *testing.T) {
	r := timed("several", "serve", "1.0", "2025-01-01", "", 100, 400, 200)
	for i := range r.Points {
		r.Points[i].Repetition, r.Points[i].Load = 0, record.Load{Rate: sitetest.Ptr(record.Float(math.Inf(1)))}
		r.Points[i].Submitted, r.Points[i].Completed = sitetest.Ptr(int64(10<<i)), sitetest.Ptr(int64(10<<i))
	}
	ix, _ := timedIndex(t, r)
	if n := len(ix.Cards[0].Runs[0].Scenarios); n != 3 {
		t.Fatalf("%d workloads", n)
	}
	if checked := headlinesAgree(t, ix); checked[figure.PeakThroughput] != 1 {
		t.Errorf("%v", checked)
	}
}

// headlinesAgree holds the headline of each card against the cell of its scorecard, to the last digit and from the same
// run: peak output throughput in the workload that it names, and the figures of suites. It counts them by name.
func headlinesAgree(t *testing.T, ix *figure.Index) (checked map[string]int) {
	t.Helper()
	s := newScorecards(ix)
	whole := map[string]*scoreClass{}
	for _, v := range s.whole {
		whole[string(v.metric.metric)] = v.class
	}
	checked = map[string]int{}
	for _, card := range ix.Cards {
		head := card.Head()
		for _, h := range head.Headlines() {
			class, m := s.classOf(h.Scenario), scoreStates[metric.OutputThroughput]
			switch {
			case h.Name == figure.PeakThroughput:
			case whole[h.Name] != nil:
				class, m = whole[h.Name], scoreStates[metric.ID(h.Name)]
			case h.Name == figure.SuiteSpeed:
				class, m = s.byClass[suiteFiguresKey(ix)], scoreStates[metric.SpeedPerRequest]
			default:
				continue
			}
			if class.runs[card] != head {
				t.Errorf("%s: %s is headed by run %s, its scorecard shows run %s", card.Slug, h.Name, head.ID,
					class.runs[card].ID)
				continue
			}
			cell, ok := m.value(class, head)
			if !ok || cell.published != h.Published || (cell.value == nil) != (h.Value == nil) ||
				h.Value != nil && *cell.value != *h.Value {
				t.Errorf("%s: %s is %v %q, in its scorecard %v %q", card.Slug, h.Name, h.Value, h.Published, cell.value,
					cell.published)
			}
			checked[h.Name]++
		}
	}
	return checked
}
