package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// call takes a script of data apart: the function, and the JSON it is called with.
var call = regexp.MustCompile(`(?s)^inferdex\.([a-z]+)\((.*)\);\n$`)

// shards are the scripts of data of a catalog by path.
func shards(t *testing.T, ix *figure.Index) map[string]string {
	t.Helper()
	out := map[string]string{}
	NewSet(view.New(ix, nil, view.Options{}), Last{}).shardFiles(func(f page.File) bool {
		if out[f.Path] != "" {
			t.Errorf("two files at %s", f.Path)
		}
		out[f.Path] = sitetest.Unpacked(t, sitetest.Written(t, f.Write))
		return true
	})
	return out
}

func readCall[T any](t *testing.T, script, function string) (v T) {
	t.Helper()
	m := call.FindStringSubmatch(script)
	if m == nil || m[1] != function {
		t.Fatalf("no call of %s: %.80q", function, script)
	}
	if err := json.Unmarshal([]byte(m[2]), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestShards: each run and each version of an engine has a script, whose data say what the run
// measured, and nothing in it ends the script that it stands in.
func TestShards(t *testing.T) {
	ix, _, _ := sitetest.Catalog(t)
	for _, r := range ix.Runs {
		if r.ID == "figures2" {
			r.Withdrawn = "measured with a debug build"
		}
		if r.ID == "suite1" {
			r.Attributes["driver"] = catalog.Attribute{Value: "550\u2028" + sitetest.Hostile}
		}
	}
	out := shards(t, ix)
	for name, s := range out {
		if i := strings.IndexAny(s, "<>&\u2028\u2029"); i >= 0 {
			t.Errorf("%s has %q", name, s[i:min(len(s), i+20)])
		}
	}
	for _, r := range ix.Runs {
		if has := out[pathShards+r.ID+".js"] != ""; has == (len(r.Unrecorded()) > 0) {
			t.Errorf("run %s lacks %q; it has a shard: %t", r.ID, r.Unrecorded(), has)
		}
	}
	if len(ix.Unidentified()) == 0 {
		t.Error("every run has a model and hardware: the test says nothing of others")
	}

	type workload struct {
		Key, Title, Basis, Assumed string
		Fields                     []string
		Loads                      []compare.MemberLoad
		Rows                       map[string][]any
		User                       [][]any
		Sure                       int
	}
	type member struct {
		ID, Title, Note, Version string
		Words                    []string
		Facts                    []*compare.MemberFact
		Says                     [][2]string
		Recorded                 bool
		Workloads                []workload
	}
	s := readCall[member](t, out[pathShards+"suite1.js"], "run")
	if s.Words[2] != "vLLM 0.6.4" || s.Version != "vllm-0.6.4" || !s.Recorded || !strings.HasPrefix(s.Facts[5].Text,
		"12, ") || s.Facts[5].Sub == "" {
		t.Errorf("suite1: %+v", s)
	}
	if len(s.Workloads) != 4 {
		t.Fatalf("suite1 has %d workloads, want 4", len(s.Workloads))
	}
	// The first workload is 32 → 16: at 10 requests 60·10/(1+10·32/4000) = 600/1.08 tok/s.
	w := s.Workloads[0]
	if diff := cmp.Diff([]compare.MemberLoad{
		{Load: "1", Phrase: "one request at a time", Anchor: "p-32-16-c1"},
		{Load: "10", Phrase: "at 10 parallel requests", Anchor: "p-32-16-c10"},
		{Load: "38", Phrase: "at 38 parallel requests", Anchor: "p-32-16-c38", Short: true,
			Full: true}, // six of 1000 requests failed
	}, w.Loads); diff != "" {
		t.Errorf("loads: %s", diff)
	}
	if diff := cmp.Diff([]any{555.556, "556"}, w.Rows["output_throughput.value"][2]); diff != "" {
		t.Errorf("output throughput at 10, which is 600/1.08: %s", diff)
	}
	// TTFT has median, mean and p99: the mean stands for nothing that the median does not.
	if w.Rows["ttft.median"] == nil || w.Rows["ttft.p99"] == nil || w.Rows["ttft.mean"] != nil {
		t.Errorf("rows of TTFT: %v", slices.Sorted(maps.Keys(w.Rows)))
	}
	if diff := cmp.Diff([]any{55.5556, "55.6", "quartiles 50.0 to 61.1", 0.0, 0.0, 0.0, 50.0, 61.1111},
		w.Rows["speed_per_request.median"][2]); diff != "" {
		t.Errorf("speed of one request with its quartiles: %s", diff)
	}

	// rate1 has loads up to an infinite rate, and only the mean of TPOT.
	s = readCall[member](t, out[pathShards+"rate1.js"], "run")
	w = s.Workloads[0]
	if got := []string{w.Loads[0].Load, w.Loads[1].Load, w.Loads[2].Load, w.Loads[2].Phrase}; !slices.Equal(got,
		[]string{"1", "3", "inf", "all requests at once"}) {
		t.Errorf("loads of rate1: %q", got)
	}
	if w.Rows["tpot.mean"] == nil || w.Basis != "mean TPOT" {
		t.Errorf("rate1 has no mean TPOT, or speed per user is by %v", w.Basis)
	}
	if s := readCall[member](t, out[pathShards+"figures2.js"], "run"); len(s.Says) != 1 ||
		s.Says[0][1] != "{a} is withdrawn and must not be quoted: measured with a debug build." {
		t.Errorf("figures2 is withdrawn because %v", s.Says)
	}

	list := readCall[runList](t, out[pathRunList], "runs")
	if len(list.Runs) != len(ix.Identified) || len(list.Fields) != len(w.Fields) || list.More != 0 {
		t.Errorf("%d runs in the list, %d fields of classes, %d more", len(list.Runs), len(list.Fields), list.More)
	}
	for _, r := range list.Runs {
		for _, c := range r[6].([]any) {
			if int(c.(float64)) >= len(list.Classes) {
				t.Errorf("run %v names class %v of %d", r[0], c, len(list.Classes))
			}
		}
		if id := r[0].(string); (len(r) == 8) != (id == "figures2") {
			t.Errorf("run %s: %v", id, r)
		}
	}
	for _, r := range ix.Identified {
		s := readCall[member](t, out[pathShards+r.ID+".js"], "run")
		for i, sc := range r.Scenarios {
			if got := s.Workloads[i].Key; got != compare.ClassKey(sc) {
				t.Errorf("%s, %s: key %v", r.ID, sc.Title, got)
			}
		}
		if s.Version != "" && out[pathVersions+s.Version+".js"] == "" {
			t.Errorf("%s names the version %q, of which there is no file", r.ID, s.Version)
		}
	}
}

// A run with very many workloads and loads, and a catalog of very many runs, become no file that a
// browser should not load.
func TestShardsAreBounded(t *testing.T) {
	big := &catalog.Run{ID: "big", Identity: record.Identity{Tool: "t", Model: "m"},
		Attributes: sitetest.Attributes("model", "m", "hardware", "H100", "count",
			"1"), Parameters: map[string]catalog.Parameter{}}
	for w := range 90 {
		for l := range 120 {
			v := 1234.5678901234 * float64(l+1) / float64(w+1)
			d := catalog.Stat{Median: sitetest.Ptr(v), Mean: sitetest.Ptr(v),
				Percentiles: []catalog.Percentile{{P: 25, Value: v}, {P: 75, Value: v}, {P: 90, Value: v},
					{P: 95, Value: v},
					{P: 99, Value: v}}, N: 1000}
			big.Points = append(big.Points, catalog.Point{Workload: record.Workload{Dataset: fmt.Sprintf("d%d", w)},
				Load: record.Load{MaxConcurrency: sitetest.Ptr(int64(l + 1))},
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: sitetest.Ptr(v)}, metric.TTFT: d,
					metric.TPOT: d, metric.ITL: d, metric.E2ELatency: d}})
		}
	}
	for i := range 2000 {
		big.Parameters[fmt.Sprintf("parameter_%d", i)] = catalog.Parameter{Value: json.RawMessage(`"` +
			strings.Repeat("v", 5000) + `"`)}
	}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{big}}, nil)
	data := shards(t, ix)[pathShards+"big.js"]
	s := readCall[struct {
		Says      [][2]string
		Workloads []struct{ Loads []any }
	}](t, data, "run")
	n := len(s.Workloads)
	if n == 0 || n > compare.MostWorkloads || len(s.Workloads[0].Loads) != 80 || !strings.HasPrefix(s.Says[0][1],
		fmt.Sprint(90-n, " more workloads")) {
		t.Errorf("%d workloads, %d loads, says %q", n, len(s.Workloads[0].Loads), s.Says)
	}
	if !strings.Contains(data, `…`) || strings.Contains(data, strings.Repeat("v", 600)) {
		t.Error("long values of parameters are not cut")
	}
	const loaded = 1 << 20 // what a page may load
	if len(data) > loaded {
		t.Errorf("the largest shard has %s bytes", metric.Count(len(data)))
	}

	many := &figure.Index{}
	card := &figure.Card{}
	for i := range 9000 {
		r := &figure.Run{Run: &catalog.Run{ID: fmt.Sprintf("r%011d", i), Started: "2025-01-02T03:04:05",
			Attributes: map[string]catalog.Attribute{}}, Card: card}
		r.Model.Name, r.Model.Slug = fmt.Sprintf("Model %d of some length", i%200), fmt.Sprint("m", i%200)
		r.Hardware.Name, r.Hardware.Slug = fmt.Sprintf("8× Accelerator %d", i%20), fmt.Sprint("h", i%20)
		r.Named, r.Series = true, strings.Repeat("series ", 9)
		for c := range 9 {
			r.Scenarios = append(r.Scenarios, &figure.Scenario{Class: fmt.Sprint("class", i%7, c)})
		}
		many.Runs = append(many.Runs, r)
	}
	for _, n := range []int{4000, 9000} {
		var b strings.Builder
		g := &Set{Site: &view.Site{Index: &figure.Index{Identified: many.Runs[:n]}}}
		if err := g.writeRunList(&b); err != nil {
			t.Fatal(err)
		}
		list := readCall[runList](t, b.String(), "runs")
		if b.Len() > loaded {
			t.Errorf("the list of %d runs has %s bytes", n, metric.Count(b.Len()))
		}
		if len(list.Runs)+list.More != n || len(list.Runs) < min(n, 6000) || list.Runs[0][0] != many.Runs[0].ID {
			t.Errorf("of %d runs %d are listed, %d are more; the first is %v", n, len(list.Runs), list.More,
				list.Runs[0][0])
		}
		if n == 4000 && len(list.Classes) == 0 {
			t.Error("the list of 4000 runs has no classes")
		}
	}
}

// Where no run names its model and its hardware, the page of comparisons has the words it compares files of its readers
// with all the same.
func TestShardsOfNothingIdentified(t *testing.T) {
	p := catalog.Point{Load: record.Load{MaxConcurrency: sitetest.Ptr(int64(1))},
		Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: sitetest.Ptr(1.0)}}}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{{ID: "r", Identity: record.Identity{Tool: "t"},
		Points: []catalog.Point{p}}}}, nil)
	out := shards(t, ix)
	list := readCall[runList](t, out[pathRunList], "runs")
	if len(out) != 1 || len(list.Runs) > 0 || len(list.Says) == 0 || len(list.Fields) == 0 {
		t.Errorf("%d files, the list with %d runs, %d sentences and %d fields", len(out), len(list.Runs), len(list.Says), len(list.Fields))
	}
	files := map[string]bool{}
	NewSet(view.New(ix, nil, view.Options{Reader: &view.Reader{}}), Last{}).shardFiles(func(f page.File) bool {
		files[f.Path] = true
		return true
	})
	if !files[view.PathUnits] {
		t.Errorf("a site with a reader has no %s: %v", view.PathUnits, files)
	}
}
