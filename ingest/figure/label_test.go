package figure_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
)

// Runs of one card and version are told apart by what differs, never by their ids or the time of day.
func TestLabels(t *testing.T) {
	label := func(a, b func(r *catalog.Run)) string {
		ra, rb := at("aaaa", "o/Dense-10B", "1x big", "in/bench.json"), at("bbbb", "o/Dense-10B", "1x big",
			"in/bench.json")
		a(ra)
		b(rb)
		ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{ra, rb}}, nil)
		out := map[string]string{}
		for _, r := range ix.Runs {
			out[r.ID] = strings.TrimPrefix(r.Series, "serve 1.0")
		}
		return out["aaaa"] + " |" + out["bbbb"]
	}
	none := func(*catalog.Run) {}
	file := func(p string) func(*catalog.Run) { return func(r *catalog.Run) { r.Sources[0].Path = p } }
	param := func(v string) func(*catalog.Run) {
		return func(r *catalog.Run) {
			r.Parameters = map[string]catalog.Parameter{"tensor_parallel_size": {Value: json.RawMessage(v)},
				"seed": {Value: json.RawMessage(v)}}
		}
	}
	started := func(day string) func(*catalog.Run) { return func(r *catalog.Run) { r.Started = day } }
	engine := func(name string) func(*catalog.Run) {
		return func(r *catalog.Run) {
			r.Started = "2025-01-02T03:04:05"
			r.Attributes["engine"] = catalog.Attribute{Value: name}
			delete(r.Attributes, "engine_version")
		}
	}
	prompts := func(lengths ...float64) func(*catalog.Run) {
		return func(r *catalog.Run) {
			p := r.Points[0]
			r.Points = nil
			for i := range lengths {
				p.Workload.Nominal.Input = &lengths[i]
				r.Points = append(r.Points, p)
			}
		}
	}
	for _, c := range []struct {
		what string
		a, b func(*catalog.Run)
		want string
	}{
		{"parameters", param("1"), param("2"), ", tensor-parallel-size 1 |, tensor-parallel-size 2"},
		{"names of files", file("in/bench_fa0_x.json"), file("in/bench_fa1_x.json"), ", fa0 |, fa1"},
		{"one name is longer", file("in/bench.json"), file("in/bench-rocwmma.json"), " |, rocwmma"},
		{"nothing but the day", started("2025-01-02T03:04:05"), started("2025-01-03T03:04:05"),
			", 2025-01-02 |, 2025-01-03"},
		{"engines of no known version", engine("serve"), engine("llama-cpp"), "2025-01-02, serve |2025-01-02, llama-cpp"},
		{"nothing but the time of day", started("2025-01-02T03:04:05"), started("2025-01-02T09:04:05"),
			", no. 1 |, no. 2"},
		{"lengths of prompts", prompts(80), prompts(16000, 128000), ", input 80 |, input 16\u202f000–128\u202f000"},
		{"nothing", none, none, ", no. 2 |, no. 1"},
	} {
		if got := label(c.a, c.b); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
