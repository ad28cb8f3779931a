package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/site/page"
)

// speedsOf is a run of llama-bench: prefill of 512 tokens, then its doubles, and decode of 128 tokens at depths of 0,
// 4 096 and so on, each as fast as it is given.
func speedsOf(id, backend string, prefill, decode []float64) *catalog.Run {
	r := &catalog.Run{ID: id, Identity: record.Identity{Tool: "llama-bench", Session: id, Model: "o/Dense-10B"},
		Attributes: map[string]catalog.Attribute{"model": {Value: "o/Dense-10B"}, "hardware": {Value: "1x big"},
			"engine": {Value: "llama.cpp"}, "engine_version": {Value: "9"}, "series": {Value: "llama.cpp-" + id},
			"labels.backend": {Value: backend}}}
	add := func(name string, m metric.ID, in, out, mean float64) {
		std := mean / 100
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Name: name, Nominal: record.Lengths{Input: &in, Output: &out}},
			Load:     record.Load{MaxConcurrency: figuretest.Whole(1)},
			Metrics:  map[metric.ID]catalog.Stat{m: {Mean: &mean, Std: &std, N: 5, Unit: metric.TokensPerSecond}}})
	}
	for i, v := range prefill {
		add(fmt.Sprintf("pp%d", 512<<i), metric.PPSpeed, float64(int(512)<<i), 0, v)
	}
	for i, v := range decode {
		name := "tg128"
		if i > 0 {
			name += fmt.Sprintf(" @ d%d", 4096*i)
		}
		add(name, metric.TGSpeed, 0, 128, v)
	}
	return r
}

// configured is the page of the card of some runs, and what all pages state.
func configured(t *testing.T, runs ...*catalog.Run) *page.ReportView {
	t.Helper()
	c, names := &catalog.Catalog{Runs: runs}, figuretest.Names(t)
	for _, f := range refute.New(c).Check(said(t, c, names)) {
		t.Errorf("%s: %q: %s", f.Kind, f.Text, f.Why)
	}
	for p, err := range pagesOf(figure.NewIndex(c, names), c, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := p.Params.(page.ReportView); ok && strings.Contains(p.Path, "cards/") {
			return &v
		}
	}
	t.Fatal("no card")
	return nil
}

// figuresOf are the ids of the drawings of a section, with their captions.
func figuresOf(v *page.ReportView, id string) (out []string) {
	i := slices.IndexFunc(v.Sections, func(s page.Section) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	for _, b := range v.Sections[i].Blocks {
		figures := b.Pair
		if b.Figure != nil {
			figures = append(figures, *b.Figure)
		}
		for _, f := range figures {
			out = append(out, f.ID+": "+f.Finding.Text())
		}
	}
	return out
}

// A card draws prefill by the length of the prompt and decode by depth, a line a configuration, from three tests on; the
// captions are of the configuration that stands first. 375 of 500 tok/s are 75 %, 20 of 50 are 40 %.
func TestConfigurationCharts(t *testing.T) {
	v := configured(t, speedsOf("radv", "Vulkan", []float64{500, 450, 375}, []float64{50, 40, 20}),
		speedsOf("hip", "ROCm", []float64{400, 350, 300}, []float64{40, 30, 25}))
	if got, want := figuresOf(v, "lengths"), []string{
		"prefill-by-length: radv: prefill 2\u202f048 runs at 375 tok/s, 75\u202f% of the 500 tok/s of prefill 512"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := figuresOf(v, "depth"), []string{
		"decode-by-depth: radv: decode 128 at depth 8\u202f192 runs at 20.00 tok/s, 40\u202f% of the 50.0 tok/s of decode 128"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	v = configured(t, speedsOf("radv", "Vulkan", []float64{500, 450}, []float64{50, 40}),
		speedsOf("hip", "ROCm", []float64{400, 350}, []float64{40, 30}))
	if got := append(figuresOf(v, "lengths"), figuresOf(v, "depth")...); len(got) > 0 {
		t.Errorf("two tests are drawn: %q", got)
	}
}

// Of six configurations, each backend has a drawing of its own.
func TestConfigurationChartsByBackend(t *testing.T) {
	var runs []*catalog.Run
	for i, name := range []string{"amdvlk", "radv", "hip", "rocwmma", "nightly", "stable"} {
		v := 100 * float64(i+1)
		runs = append(runs, speedsOf(name, []string{"Vulkan", "ROCm"}[i/2%2], []float64{9 * v, 8 * v, 7 * v}, []float64{v, v, v}))
	}
	g := New(figure.NewIndex(&catalog.Catalog{Runs: runs}, figuretest.Names(t)), &catalog.Catalog{Runs: runs}, Options{})
	all := g.Index.Cards[0].Configurations()
	if len(all) != 1 || len(all[0].Ranked) != 6 {
		t.Fatalf("%d tables", len(all))
	}
	var curves []speedCurve
	for _, c := range all[0].Ranked {
		curves = append(curves, speedCurve{run: c.Run})
	}
	groups, titles := byBackend(curves)
	if !slices.Equal(titles, []string{"Vulkan", "ROCm"}) || len(groups[0]) != 4 || len(groups[1]) != 2 {
		t.Errorf("%v, %d drawings", titles, len(groups))
	}
	if groups, _ = byBackend(curves[:mostLines]); groups != nil {
		t.Error("few lines are parted")
	}
}

// The words that all names begin with are left out, unless that leaves nothing or a part of a date.
func TestConfigurationName(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"llama.cpp-hip", "llama.cpp-hip, -fa 1"}, []string{"hip", "hip, -fa 1"}},
		{[]string{"llama.cpp-hip, -fa 0", "llama.cpp-hip, -fa 1"}, []string{"-fa 0", "-fa 1"}},
		{[]string{"2025-08-07, hip", "2025-08-09, hip"}, []string{"2025-08-07, hip", "2025-08-09, hip"}},
		{[]string{"one", "two"}, []string{"one", "two"}},
		{[]string{"alone-run"}, []string{"alone-run"}},
	} {
		var runs []*figure.Run
		for _, n := range c.names {
			runs = append(runs, &figure.Run{Series: n})
		}
		for i, r := range runs {
			if got := configurationName(r, runs); got != c.want[i] {
				t.Errorf("%q is called %q, want %q", c.names[i], got, c.want[i])
			}
		}
	}
}

// A sweep of lengths is shown by the tests that such tools are quoted by, 512 tokens in and 128 out: the home page, the
// model and the pair were about decode of one token.
func TestQuotedTestStandsFirst(t *testing.T) {
	sweep := func(id string, speed float64) *catalog.Run {
		r := speedsOf(id, "b", []float64{speed * 10}, []float64{speed})
		for _, n := range []float64{1, 16, 4096} {
			zero, v := 0.0, speed+1/n
			for name, w := range map[string]record.Lengths{"pp": {Input: &n, Output: &zero}, "tg": {Input: &zero, Output: &n}} {
				m := map[string]metric.ID{"pp": metric.PPSpeed, "tg": metric.TGSpeed}[name]
				r.Points = append(r.Points, catalog.Point{Workload: record.Workload{Name: name + fmt.Sprint(n), Nominal: w},
					Load:    record.Load{MaxConcurrency: figuretest.Whole(1)},
					Metrics: map[metric.ID]catalog.Stat{m: {Mean: &v, Unit: metric.TokensPerSecond}}})
			}
		}
		return r
	}
	c := &catalog.Catalog{Runs: []*catalog.Run{sweep("one", 20), sweep("two", 30)}}
	ix := figure.NewIndex(c, figuretest.Names(t))
	var titles []string
	for _, k := range scoreClasses(ix)[:2] {
		titles = append(titles, k.title)
	}
	slices.Sort(titles)
	if want := []string{"decode 128", "prefill 512"}; !slices.Equal(titles, want) {
		t.Errorf("the first scorecards are of %q, want %q", titles, want)
	}
	p, _ := pageAt(t, ix, c, "models/dense-10b")
	v := p.Params.(page.ReportView)
	if lede := fmt.Sprint(v.Lede); !strings.Contains(lede, "decode 128") && !strings.Contains(lede, "prefill 512") {
		t.Errorf("the page of the model is about %s", lede)
	}
	if at, _, ok := (&pairs{ix: ix}).all()[0].verdict(); !ok || at.Of.Title != "decode 128" {
		t.Errorf("the pair is judged by %+v", at)
	}
}
