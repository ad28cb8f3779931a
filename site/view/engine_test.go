package view

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// timed is a run of one load, measured once for each value of output throughput.
func timed(id, engine, version, day, series string, tput ...float64) *catalog.Run {
	r := &catalog.Run{Version: 1, ID: id, Started: day,
		Identity: record.Identity{Tool: "t", Session: id, Model: "org/steady-7B"},
		Attributes: sitetest.Attributes("model", "org/steady-7B", "hardware", "X1", "engine", engine, "engine_version",
			version)}
	if series != "" {
		r.Attributes["series"] = catalog.Attribute{Value: series, From: catalog.FromSidecar,
			File: "in/run.toml", Line: 1}
	}
	for i, v := range tput {
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Dataset: "random",
				Nominal: record.Lengths{Input: sitetest.Ptr(1000.0), Output: sitetest.Ptr(100.0)}},
			Load: record.Load{MaxConcurrency: sitetest.Ptr(int64(8))}, Submitted: sitetest.Ptr(int64(10)),
			Completed: sitetest.Ptr(int64(10)), Repetition: i,
			Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: sitetest.Ptr(v), Unit: "tok/s"}},
		})
	}
	return r
}

// timedIndex has what changed with an engine beside the runs.
func timedIndex(t *testing.T, runs ...*catalog.Run) (*figure.Index, *catalog.Catalog) {
	t.Helper()
	names, diags := settings.LoadNames(fstest.MapFS{"names/x.toml": {Data: []byte(`
[[engine]]
id = "serve"
[[change]]
engine = "serve"
version = "1.1"
text = "another <scheduler>"
address = "https://example.org/1.1"
[[change]]
engine = "serve"
version = "9.0"
text = "nobody has measured it"
[[change]]
date = 2025-01-15
text = "another driver"
`)}})
	for _, d := range diags {
		t.Fatal(d)
	}
	c := &catalog.Catalog{Runs: runs}
	return figure.NewIndex(c, names), c
}

func TestHistoryAxis(t *testing.T) {
	for _, c := range []struct {
		name  string
		runs  []*catalog.Run
		names []string // of the axis; nil for dates
		no    bool
	}{
		{"versions", []*catalog.Run{timed("b", "serve", "1.10", "2025-01-01", "", 1),
			timed("a", "serve", "1.9", "2025-01-02", "", 1)}, []string{"1.9", "1.10"}, false},
		{"a version measured twice", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01", "", 1),
			timed("b", "serve", "1.0", "2025-01-02", "", 1), timed("c", "serve", "1.1", "2025-01-03", "", 1)},
			[]string{"1.0, 2025-01-01", "1.0, 2025-01-02", "1.1"}, false},
		{"a version measured twice on one day", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01T01:00:00", "", 1),
			timed("b", "serve", "1.0", "2025-01-01T02:00:00", "", 1), timed("c", "serve", "1.1", "2025-01-03", "", 1)},
			[]string{"1.0, 2025-01-01 01:00", "1.0, 2025-01-01 02:00", "1.1"}, false},
		{"a version measured twice in one minute", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01", "", 1),
			timed("b", "serve", "1.0", "2025-01-01", "", 1), timed("c", "serve", "1.1", "2025-01-03", "", 1)},
			[]string{"1.0, 2025-01-01 (1)", "1.0, 2025-01-01 (2)", "1.1"}, false},
		{"versions as names of series", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01", "serve 1.0", 1),
			timed("b", "serve", "1.1", "2025-01-02", "serve 1.1", 1)}, []string{"1.0", "1.1"}, false},
		{"days", []*catalog.Run{timed("a", "serve", "", "2025-01-01", "", 1),
			timed("b", "serve", "", "2025-01-02", "", 1)},
			nil, false},
		{"nights of one version", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01", "", 1),
			timed("b", "serve", "1.0", "2025-01-02", "", 1)}, nil, false},
		{"one day", []*catalog.Run{timed("a", "serve", "", "2025-01-01T01:00:00", "", 1),
			timed("b", "serve", "", "2025-01-01T02:00:00", "", 1)}, nil, true},
		{"no date and no version", []*catalog.Run{timed("a", "serve", "", "", "", 1),
			timed("b", "serve", "", "", "", 1)},
			nil, true},
		{"two series", []*catalog.Run{timed("a", "serve", "1.0", "2025-01-01", "x", 1),
			timed("b", "serve", "1.1", "2025-01-02", "y", 1)}, nil, true},
	} {
		ix, _ := timedIndex(t, c.runs...)
		h, ok := newHistory(compare.Tracks(ix.Cards[0]))
		if ok == c.no {
			t.Errorf("%s: a history: %v", c.name, ok)
		}
		if ok && !slices.Equal(h.axis.Names, c.names) {
			t.Errorf("%s: axis %q, want %q", c.name, h.axis.Names, c.names)
		}
	}
}

// TestHistoryOfACard has a card whose throughput rose for sure, stayed, and fell for sure.
func TestHistoryOfACard(t *testing.T) {
	runs := []*catalog.Run{
		timed("a", "serve", "1.0", "2025-01-01", "", 100, 101, 102, 103, 104, 105),
		timed("b", "serve", "1.1", "2025-02-01", "", 120, 121, 122, 123, 124, 125),
		timed("c", "serve", "1.2", "2025-03-01", "", 80, 81, 82, 83, 84, 85),
		timed("d", "serve", "1.3", "2025-04-01", "", 81, 82, 83, 84, 85, 86),
	}
	for i, r := range runs {
		r.Parameters = map[string]catalog.Parameter{"max_num_seqs": {Value: json.RawMessage([]string{"64", "64", "256", "256"}[i])}}
	}
	ix, c := timedIndex(t, runs...)
	h, ok := newHistory(compare.Tracks(ix.Cards[0]))
	if !ok || len(h.metrics) != 1 {
		t.Fatalf("%v, %+v", ok, h)
	}
	// Medians 122.5, of which three digits are shown, and 82.5: −32.65 %. The intervals of the last two, 80 to 85 and 81 to 86, overlap.
	if got, want := h.finding(h.metrics[0], "", func(a, b *figure.Run) []string { return nil }).
		Text(), "1.2: 82.5\u202ftok/s against 123\u202ftok/s with 1.1, −33\u202f%, and no change since"; got != want {
		t.Errorf("finding %q, want %q", got, want)
	}
	ms := h.marks(ix.Names)
	if len(ms) != 1 || ms[0].at != 0.5 || ms[0].label != "1.1, 2025-01-15" || len(ms[0].changes) != 2 {
		t.Errorf("marks %+v, want one between 1.0 and 1.1 for the version and the day", ms)
	}
	pn := h.panel(h.metrics[0], ms)
	var arrows []string
	for _, r := range pn.Refs {
		if r.Change {
			arrows = append(arrows, r.Label)
			if r.Worse != (r.X1 == 2) {
				t.Errorf("the arrow at %v says worse %v", r.X1, r.Worse)
			}
		}
	}
	// The larger change first: −32.65 %, then 102.5 to 122.5, +19.5 %.
	if want := []string{"−33\u202f%", "+20\u202f%"}; !slices.Equal(arrows, want) {
		t.Errorf("arrows %q, want %q", arrows, want)
	}

	g := New(ix, c, Options{})
	card := g.cardPage(ix.Cards[0])
	if !slices.ContainsFunc(card.sections, func(s page.Section) bool { return s.ID == "history" }) {
		t.Fatal("the card has no history")
	}
	rows := sitetest.Spelt(t, card.page.Fragments["over-time-table"])
	for _, want := range []string{"better", "worse", "not distinguishable", "6 measured"} {
		if !strings.Contains(rows, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if svg := sitetest.Spelt(t, card.page.Fragments["chart-over-time"]); !strings.Contains(svg, "1.1, 2025-01-15") {
		t.Error("the chart lacks what is known to have changed")
	}

	e := g.enginePage(ix.Engines[0])
	var ids []string
	for _, s := range e.sections {
		ids = append(ids, s.ID)
	}
	if want := []string{"over-time", "steps", "versions", "changes", "runs"}; !slices.Equal(ids, want) {
		t.Errorf("sections %q, want %q", ids, want)
	}
	if said := words(sitetest.Spelt(t, e.page.Fragments["step-counts"])); !strings.HasSuffix(said,
		"cards with a history | 1 | "+
			"steps from one result to the next | 3 | steps with a change that the measurements prove | 2 | "+
			"figures for the better | 1 | figures for the worse | 1 |") {
		t.Errorf("the engine's page says %q", said)
	}
	if n := strings.Count(sitetest.Spelt(t, e.page.Fragments["steps"]), "<tr>"); n != 3 {
		t.Errorf("%d rows, want a head and two steps", n)
	}
	if said := sitetest.Spelt(t, e.page.Fragments["steps"]); strings.Count(said, "differing too: max_num_seqs") != 1 {
		t.Errorf("the step to 1.2, with another max_num_seqs, does not say so alone: %s", words(said))
	}
	if vs := versionsOf(ix.Engines[0]); len(vs) != 4 || vs[0].version != "1.3" || vs[3].version != "1.0" {
		t.Errorf("versions %+v", vs)
	}
}

// TestChangesStandAtTheirOwnPlace: what is known to have changed is drawn between the versions it came with, or at its
// own day; beside a run of unknown version, and at the day of another version, it is not drawn.
func TestChangesStandAtTheirOwnPlace(t *testing.T) {
	day := func(s string) float64 {
		at, _ := when(&figure.Run{Run: timed("x", "serve", "", s, "", 1)})
		return at
	}
	run := func(id, version, day string) *catalog.Run { return timed(id, "serve", version, day, "", 1) }
	change := func(version, day string) settings.Change {
		return settings.Change{Engine: "serve", Version: version, Date: day, Text: "x"}
	}
	for _, c := range []struct {
		name   string
		runs   []*catalog.Run
		change settings.Change
		at     []float64
	}{
		{"between two versions", []*catalog.Run{run("a", "1.0", ""), run("b", "1.2", "")}, change("1.1", "2024-01-01"),
			[]float64{0.5}},
		{"with its version", []*catalog.Run{run("a", "1.0", ""), run("b", "1.1", ""), run("c", "1.2", "")},
			change("1.1", ""), []float64{0.5}},
		{"older than all", []*catalog.Run{run("a", "1.1", ""), run("b", "1.2", "")}, change("1.1", ""), nil},
		{"newer than all", []*catalog.Run{run("a", "1.0", ""), run("b", "1.05", "")}, change("9.1", ""), nil},
		{"behind a run of unknown version", []*catalog.Run{run("a", "", "2025-01-01"), run("b", "1.1", "2025-02-01")},
			change("1.1", "2025-01-15"), nil},
		{"at a run of unknown version", []*catalog.Run{run("a", "1.0", "2025-01-01"), run("b", "", "2025-02-01")},
			change("1.1", "2025-01-15"), nil},
		{"a day between two versions", []*catalog.Run{run("a", "1.0", "2025-01-01"), run("b", "1.2", "2025-03-01")},
			change("", "2025-02-01"), []float64{0.5}},
		{"versions measured against the order of days", []*catalog.Run{run("a", "1.0", "2025-03-01"),
			run("b", "1.2", "2025-01-01"), run("c", "1.3", "2025-03-02")}, change("", "2025-02-01"), nil},
		{"a day that nobody knows", []*catalog.Run{run("a", "1.0", ""), run("b", "1.2", "2025-03-01")},
			change("", "2025-02-01"), nil},
		{"a day between two days", []*catalog.Run{run("a", "", "2025-01-01"), run("b", "", "2025-03-01")},
			change("", "2025-02-01"), []float64{day("2025-02-01")}},
	} {
		ix := figure.NewIndex(&catalog.Catalog{Runs: c.runs}, nil)
		h, ok := newHistory(compare.Tracks(ix.Cards[0]))
		if !ok {
			t.Fatalf("%s: no history", c.name)
		}
		var at []float64
		file := "[[change]]\nengine = \"serve\"\ntext = \"x\"\n"
		for key, v := range map[string]string{"version": c.change.Version, "date": c.change.Date} {
			if v != "" {
				file += key + " = \"" + v + "\"\n"
			}
		}
		names, diags := settings.LoadNames(fstest.MapFS{"names/x.toml": {Data: []byte(file)}})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		for _, m := range h.marks(names) {
			at = append(at, m.at)
		}
		if !slices.Equal(at, c.at) {
			t.Errorf("%s: marks at %v, want %v", c.name, at, c.at)
		}
	}
	// Two engines of one card share an axis of days.
	h := &history{axis: chart.Axis{Scale: chart.Date}, place: map[*figure.Run]float64{}}
	a, b := &figure.Run{Run: run("a", "1.0", "2026-03-01")}, &figure.Run{Run: run("b", "1.9", "2026-04-01")}
	a.Engine.Version, b.Engine.Version = "1.0", "1.9"
	h.place[a], h.place[b] = day("2026-03-01"), day("2026-04-01")
	for _, c := range []struct {
		settings.Change
		at float64
		ok bool
	}{
		{change("1.5", "2026-03-10"), day("2026-03-10"), true},
		{change("1.9", "2025-01-01"), day("2026-04-01"), true},
		{change("1.5", "2025-01-01"), 0, false}, // neither its day nor its version is there
		{change("1.5", ""), 0, false},
	} {
		if at, ok := h.placeOf(c.Change, a, b); ok != c.ok || ok && at != c.at {
			t.Errorf("%+v stands at %v: %v", c.Change, at, ok)
		}
	}
}

// TestSingleRunsProveNothing: one measurement each, 20 % apart, is a hollow mark and no arrow.
func TestSingleRunsProveNothing(t *testing.T) {
	ix, c := timedIndex(t, timed("a", "serve", "1.0", "2025-01-01", "", 100),
		timed("b", "serve", "1.2", "2025-01-02", "", 120))
	h, _ := newHistory(compare.Tracks(ix.Cards[0]))
	pn := h.panel(h.metrics[0], nil)
	if len(pn.Refs) != 0 || !pn.Series[0].Points[1].Hollow || pn.Series[0].Points[1].Label != "+20\u202f%" {
		t.Errorf("%+v", pn)
	}
	if got := h.finding(h.metrics[0], "", func(a, b *figure.Run) []string { return nil }).
		Text(); !strings.HasSuffix(got, "+20\u202f%, with too few measurements for a claim") {
		t.Errorf("finding %q", got)
	}
	e := New(ix, c, Options{}).enginePage(ix.Engines[0])
	if said := words(sitetest.Spelt(t, e.page.Fragments["step-counts"])); strings.Contains(said, "prove") ||
		!strings.Contains(said, "steps of more than 5 %, with too few measurements for a claim | 1 |") {
		t.Errorf("the engine's page says %q", said)
	}
}
