package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
)

// dated is a run with its version and day, and a named series where one is given.
func dated(id, version, day, series string, points ...catalog.Point) *catalog.Run {
	r := figuretest.Run(id, "o/Dense-10B", "1x big", version, points...)
	r.Started = day
	if series != "" {
		r.Attributes["series"] = catalog.Attribute{Value: series}
	}
	return r
}

func TestTracks(t *testing.T) {
	gone := dated("x", "3.0", "2025-01-09", "", figuretest.Point(4, 1, 1, 1, 1, 1))
	gone.Withdrawn = "wrong"
	other := dated("o", "0.1", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1))
	other.Attributes["engine"] = catalog.Attribute{Value: "another"}
	nameless := dated("n", "1.2", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1))
	delete(nameless.Attributes, "engine")
	nowhere := dated("w", "1.2", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1))
	delete(nowhere.Attributes, "hardware")
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		dated("c", "1.10", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1)), // a newer version, measured earlier
		dated("a", "1.2", "2025-01-03", "", figuretest.Point(4, 1, 1, 1, 1, 1)),
		dated("b", "1.2", "2025-01-05", "", figuretest.Point(4, 1, 1, 1, 1, 1)),
		dated("p", "1.2", "2025-01-03", "patched", figuretest.Point(4, 1, 1, 1, 1, 1)),
		dated("q", "1.2", "2025-01-04", "patched", figuretest.Point(4, 1, 1, 1, 1, 1)), gone, other, nameless, nowhere,
	}}, figuretest.Names(t))
	var got []string
	if len(ix.Cards) != 1 {
		t.Fatalf("%d cards, want one: a run of unknown hardware is on none", len(ix.Cards))
	}
	for _, tr := range Tracks(ix.Cards[0]) {
		var ids []string
		for _, r := range tr.Runs {
			ids = append(ids, r.ID)
		}
		got = append(got, fmt.Sprintf("%s/%s%s: %s", tr.Engine.Slug, tr.Series, tr.Engine.Version,
			strings.Join(ids, " ")))
	}
	if want := []string{"serve/: a b c", "serve/patched: p q", "another/: o"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of several runs of a version, one of them without a date, nobody knows which was first: none is in a history. One
// run of its version has its place, with or without a date.
func TestTracksLeaveOutRunsWithoutOrder(t *testing.T) {
	p := figuretest.Point(4, 1, 1, 1, 1, 1)
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		dated("a", "1.1", "", "", p), dated("b", "1.2", "", "", p), dated("c", "1.2", "2025-01-02", "", p),
		dated("d", "1.3", "2025-01-03", "", p), dated("e", "1.3", "2025-01-04", "", p), dated("f", "", "", "", p),
	}}, figuretest.Names(t))
	var got []string
	for _, tr := range Tracks(ix.Cards[0]) {
		for _, r := range tr.Runs {
			got = append(got, r.ID)
		}
	}
	if want := []string{"a", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHistoryOf(t *testing.T) {
	at := func(id, version, series string, loads ...int64) *catalog.Run {
		r := dated(id, version, "2025-01-01", series)
		for _, l := range loads {
			r.Points = append(r.Points, figuretest.Point(l, 1, 1, 1, 1, 1))
		}
		return r
	}
	choose := func(runs ...*catalog.Run) (float64, bool) {
		_, load, ok := HistoryOf(Tracks(figure.NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t)).Cards[0]))
		return load, ok
	}
	if load, ok := choose(at("a", "1.0", "", 1, 2, 4, 8), at("b", "1.1", "", 2, 4),
		at("c", "1.2", "", 2, 16)); !ok || load != 2 {
		t.Errorf("the load that three share: %v, %v", load, ok)
	}
	if load, ok := choose(at("a", "1.0", "", 1, 2, 4, 8), at("b", "1.1", "", 2, 4)); !ok || load != 4 {
		t.Errorf("the largest that two share: %v, %v", load, ok)
	}
	// Three runs with load 8, each of another series: no line joins two of them.
	if _, ok := choose(at("a", "1.0", "x", 8), at("b", "1.0", "y", 8), at("c", "1.0", "z", 8)); ok {
		t.Error("series are taken for a history")
	}
	if load, ok := choose(at("a", "1.0", "x", 1, 8), at("b", "1.0", "y", 8), at("c", "1.1", "x", 1)); !ok || load != 1 {
		t.Errorf("the load that two runs of one series share: %v, %v", load, ok)
	}
}

func TestHistoryStat(t *testing.T) {
	means := figuretest.Point(4, 1, 1, 1, 1, 1)
	means.Metrics["ttft"] = catalog.Stat{Mean: figuretest.Num(1)}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		dated("a", "1.0", "2025-01-01", "", means),
		dated("b", "1.1", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1)),
		dated("c", "1.2", "2025-01-01", "", figuretest.Point(4, 1, 1, 1, 1, 1)),
	}}, figuretest.Names(t))
	class, load, _ := HistoryOf(Tracks(ix.Cards[0]))
	// All three have a mean, two of them a median as well.
	for m, want := range map[metric.ID]string{"output_throughput": "value", "ttft": "mean", "tpot": "median",
		"power": ""} {
		if got := HistoryStat(ix.Cards[0].Runs, class, load, m); got != want {
			t.Errorf("%s: %q, want %q", m, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, c := range [][3]string{
		{"", "1.2", ""},
		{"serve 1.2", "1.2", ""},
		{"Serve v1.2", "1.2", ""},
		{"serve 1.2, fp8", "1.2", "fp8"},
		{"1.2-fp8", "1.2", "fp8"},
		{"fp8-v1.2", "1.2", "fp8"},
		{"v1-patched", "1", "patched"},
		{"v1-patched", "", "v1-patched"},
		{"another 1.20", "1.2", "another 1.20"},
	} {
		ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{dated("a", c[1], "2025-01-01", c[0])}},
			figuretest.Names(t))
		if got := Tracks(ix.Cards[0])[0].Series; got != c[2] {
			t.Errorf("series %q of version %q: line %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
