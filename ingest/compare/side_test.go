package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// mergeSides compares runs by nothing but their sides and the sides of their versions, as the
// script of the site does: assets/ts/parameters.ts is this function in another language.
func mergeSides(ix *figure.Index, runs []*figure.Run) (rows []string) {
	type key struct {
		kind        ParameterKind
		name, owner string
	}
	versions := map[string]VersionSide{}
	for _, v := range NewArguments(ix.Names, ix.Runs).Versions() {
		versions[v.Engine.Slug+" "+v.Engine.Version] = v
	}
	var order []key
	sides := make([]map[key]SideCell, len(runs))
	recorded := make([]bool, len(runs))
	for i, r := range runs {
		sides[i] = map[key]SideCell{}
		recorded[i] = len(r.Parameters) > 0
		for _, c := range NewArguments(ix.Names, ix.Runs).Side(r) {
			k := key{c.Kind, c.Name, c.Owner}
			sides[i][k] = c
			if !slices.Contains(order, k) {
				order = append(order, k)
			}
		}
	}
	for _, k := range order {
		var cells []SideCell
		text := false
		for i, r := range runs {
			c, ok := sides[i][k]
			v, has := versions[r.Engine.Slug+" "+r.Engine.Version]
			if k.kind == KindArgument && has && (!ok || c.State == catalog.StateNull) {
				at := slices.IndexFunc(v.Defaults, func(d SideCell) bool { return d.Name == k.name })
				unsure := at < 0 && (!v.Listed || slices.Contains(v.Unsure, k.name))
				switch {
				case at >= 0 && (ok || recorded[i]):
					state := c.State
					c = v.Defaults[at]
					c.State = state
				case !ok && at < 0 && !unsure && recorded[i], !ok && unsure && v.Dumped &&
					!slices.Contains(v.Recorded, k.name):
					c.State = catalog.StateUnknownToVersion
				}
			}
			text = text || c.Text
			cells = append(cells, c)
		}
		known, unknown, keys := 0, 0, map[string]bool{}
		for _, c := range cells {
			if c.Known {
				known++
				if text {
					keys[c.TextKey] = true
				} else {
					keys[c.Key] = true
				}
			}
			if c.State == catalog.StateUnknownToVersion {
				unknown++
			}
		}
		is := "same"
		switch {
		case len(keys) > 1:
			is = "differs"
		case unknown > 0 && unknown < len(cells):
			is = "one version"
		case known < len(cells):
			is = "unclear"
		}
		s := fmt.Sprintf("%s %s %s %s:", is, k.kind, k.name, k.owner)
		for _, c := range cells {
			s += fmt.Sprintf(" %d %q %t", c.State, c.Effective, c.Known)
		}
		rows = append(rows, s)
	}
	slices.Sort(rows)
	return rows
}

func diffRows(d ParameterDiff) (rows []string) {
	for _, part := range []struct {
		is   string
		rows []ParameterRow
	}{{"same", d.Same}, {"differs", d.Differs}, {"one version", d.OneVersion}, {"unclear", d.Unclear}} {
		for _, r := range part.rows {
			s := fmt.Sprintf("%s %s %s %s:", part.is, r.Kind, r.Name, r.Owner)
			for _, c := range r.Cells {
				s += fmt.Sprintf(" %d %q %t", c.State, c.Effective, c.Known)
			}
			rows = append(rows, s)
		}
	}
	slices.Sort(rows)
	return rows
}

// TestSides holds what a run brings to a comparison made elsewhere to what DiffParameters says of
// the same runs: all pairs and triples of runs that record arguments in every way there is.
func TestSides(t *testing.T) {
	n := figuretest.Names(t)
	run := func(id, version string, kv ...string) *catalog.Run {
		r := figuretest.Run(id, "o/Dense-10B", "big", version, figuretest.Point(1, 10, 1, 2, 0.1, 0.2))
		r.Attributes["engine"] = catalog.Attribute{Value: "serve"}
		r.Parameters = figuretest.Params(kv...)
		return r
	}
	page := run("page", "2.0")
	page.Parameters = map[string]catalog.Parameter{
		"mode": {Value: json.RawMessage(`"auto"`), Text: true}, "tags": {Value: json.RawMessage(`"['*']"`), Text: true},
		"fresh": {Value: json.RawMessage(`"False"`), Text: true},
		"limit": {Value: json.RawMessage(`"None"`), Text: true},
		"seats": {Value: json.RawMessage(`"8.0"`), Text: true},
	}
	hidden := run("hidden", "2.0", "seats", "8")
	hidden.Parameters["api_key"] = catalog.Parameter{Redacted: true}
	around := run("around", "1.5", "door", "null", "queries", "3", "seats", "null", "mode", `"manual"`)
	around.Env = figuretest.Params("NCCL_DEBUG", `"INFO"`)
	around.Client = figuretest.Params("seed", "0", "queries", "4")
	around.Attributes["driver"] = catalog.Attribute{Value: "550"}
	noEngine := run("no-engine", "")
	delete(noEngine.Attributes, "engine")
	c := &catalog.Catalog{Runs: []*catalog.Run{
		run("old", "1.0", "seats", "null", "mode", `"auto"`, "limit", "5"),
		run("new", "2.0", "seats", "4", "fresh", "true", "own", "1"),
		run("dump", "3.0", "seats", "null", "odd", "null", "mode", `"manual"`), run("bare", "2.0"),
		run("unversioned", "", "seats", "4"),
		page, hidden, around, noEngine, run("dashed", "1.0", "--no-fresh", "true", "--seats", "4"),
	}}
	ix := figure.NewIndex(c, n)
	seen := map[string]int{}
	check := func(runs ...*figure.Run) {
		t.Helper()
		want, got := diffRows(NewArguments(ix.Names, ix.Runs).Diff(runs...)), mergeSides(ix, runs)
		for _, w := range want {
			seen[w[:strings.IndexByte(w, ' ')]]++
		}
		if d := gocmp.Diff(want, got); d != "" {
			var ids []string
			for _, r := range runs {
				ids = append(ids, r.ID)
			}
			t.Errorf("%s: %s", strings.Join(ids, ", "), d)
		}
	}
	for i, a := range ix.Runs {
		for j, b := range ix.Runs {
			if i == j {
				continue
			}
			check(a, b)
			for k, x := range ix.Runs {
				if i < j && j < k {
					check(a, b, x)
				}
			}
		}
	}
	for _, is := range []string{"same", "differs", "one", "unclear"} {
		if seen[is] == 0 {
			t.Errorf("no row is %q: the test says nothing of them", is)
		}
	}
}

// TestClassFields holds that scenarios of one class, and only they, have equal fields.
func TestClassFields(t *testing.T) {
	var all []*figure.Run
	for i, dataset := range []string{"", "random", "not recorded"} {
		for j, input := range []record.Lengths{{}, {Input: figuretest.Num(1024)}} {
			for _, actual := range []float64{0, 1000, 1020, 1900} {
				p := figuretest.Point(1, 10, 1, 2, 0.1, 0.2)
				p.Workload.Dataset, p.Workload.Nominal = dataset, input
				if actual > 0 {
					p.Workload.Actual.Input = figuretest.Num(actual)
				}
				all = append(all,
					resolved(figuretest.Run(fmt.Sprintf("r%d%d-%g", i, j, actual), "o/Dense-10B", "big", "1.0", p),
						&settings.Names{}))
			}
		}
	}
	equal := 0
	for _, a := range all {
		for _, b := range all {
			s, o := a.Scenarios[0], b.Scenarios[0]
			fa, fb := ClassValues(a, s), ClassValues(b, o)
			if (s.Class == o.Class) != slices.Equal(fa, fb) {
				t.Errorf("%s and %s: classes %q and %q, fields %v and %v", a.ID, b.ID, s.Class, o.Class, fa, fb)
			}
			if s.Class == o.Class && cmp.Compare(a.ID, b.ID) < 0 {
				equal++
			}
		}
	}
	if equal == 0 {
		t.Error("no two runs are of one class: the test says nothing")
	}
}

// TestSideSummaries holds that two sides' summaries tell as much as differPoints does of their
// points: both need an interval, and overlapping ones say something only where none is made
// from recorded percentiles.
func TestSideSummaries(t *testing.T) {
	point := func(median float64, n int64, more func(*catalog.Stat)) *catalog.Point {
		s := catalog.Stat{Median: figuretest.Num(median), Mean: figuretest.Num(median), N: n}
		if more != nil {
			more(&s)
		}
		return &catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.TTFT: s, "itl": s}}
	}
	exact := func(lo, hi float64) func(*catalog.Stat) {
		return func(s *catalog.Stat) { s.MedianLow, s.MedianHigh = figuretest.Num(lo), figuretest.Num(hi) }
	}
	percentiles := func(lo, hi float64) func(*catalog.Stat) {
		return func(s *catalog.Stat) { s.Percentiles = []catalog.Percentile{{P: 25, Value: lo}, {P: 75, Value: hi}} }
	}
	repeated := func(vs ...float64) (ps []*catalog.Point) {
		for _, v := range vs {
			ps = append(ps, point(v, 0, nil))
		}
		return ps
	}
	var sides [][]*catalog.Point
	for _, at := range []float64{1, 1.05, 2} {
		sides = append(sides, repeated(at), repeated(at, at+0.1),
			repeated(at, at+0.01, at+0.02, at+0.03, at+0.04, at+0.05, at+0.06),
			[]*catalog.Point{point(at, 100, exact(at-0.1, at+0.1))},
			[]*catalog.Point{point(at, 100, percentiles(at-0.3, at+0.3))},
			[]*catalog.Point{point(at, 100, exact(at-0.1, at+0.1)), point(at, 100, percentiles(at-0.1, at+0.1))})
	}
	seen := map[Certainty]int{}
	for i, a := range sides {
		for j, b := range sides {
			for _, m := range []metric.ID{metric.TTFT, "itl"} {
				for _, stat := range []string{"median", "mean"} {
					want, _ := differPoints(m, stat, a, b)
					x, y := figure.SummarizePoints(a, m, stat), figure.SummarizePoints(b, m, stat)
					d, _ := difference(m, stat, x, y)
					got := d.Certainty
					seen[got]++
					if got != want.Certainty {
						t.Errorf("sides %d and %d, %s %s: %v, want %v", i, j, stat, m, got, want.Certainty)
					}
				}
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("certainties seen: %v", seen)
	}
}

// TestSideCellRows reads the short rows of parameters back, as assets/ts/parameters.ts does.
func TestSideCellRows(t *testing.T) {
	for _, c := range []struct {
		cell SideCell
		want string
	}{
		{SideCell{Kind: "argument", Name: "a", State: catalog.StateNull}, `["argument","a","",2,null]`},
		{SideCell{Kind: "argument", Name: "a", State: catalog.StateValue, Known: true, Effective: "4.0", Key: "4",
			TextKey: "4"},
			`["argument","a","",1,"4.0","4"]`},
		{SideCell{Kind: "wrapper", Name: "a", Owner: "w", State: catalog.StateValue, Known: true,
			Effective: "x", Key: "x",
			TextKey: "x"}, `["wrapper","a","w",1,"x"]`},
		{SideCell{Kind: "argument", Name: "a", State: catalog.StateValue, Known: true, Effective: "true", Key: "true",
			TextKey: "True"}, `["argument","a","",1,"true",null,"True"]`},
		{SideCell{Kind: "argument", Name: "a", State: catalog.StateValue, Known: true, Effective: "x", Key: "x",
			TextKey: "x",
			Text:    true}, `["argument","a","",1,"x",null,null,1]`},
		{SideCell{Kind: "argument", Name: "a", State: catalog.StateValue, Known: true}, `["argument","a","",1,""]`},
	} {
		got, err := json.Marshal(c.cell)
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %s %v, want %s", c.cell, got, err, c.want)
		}
	}
}
