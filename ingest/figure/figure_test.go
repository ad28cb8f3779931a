package figure

import (
	"fmt"
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

func num(v float64) catalog.Number { return &v }

func whole(v int64) *int64 { return &v }

func stat(value float64) catalog.Stat { return catalog.Stat{Value: num(value), Unit: "tok/s"} }

func dist(mean, median, p99 float64) catalog.Stat {
	return catalog.Stat{Mean: num(mean), Median: num(median), Percentiles: []catalog.Percentile{{P: 99, Value: p99}}, Unit: "s"}
}

// report is a scenario report of ten points: five scenarios and a scaling series whose names
// carry their loads, as its tool names them. Times in seconds.
func report() *catalog.Run {
	r := &catalog.Run{Identity: catalog.Identity{Tool: "bench-and-report", Model: "m"}}
	add := func(name string, in, out float64, c, prompts int64, tput float64, ttft, tpot catalog.Stat) {
		r.Points = append(r.Points, catalog.Point{
			Workload: record.Workload{Name: name, Dataset: "random", Nominal: record.Lengths{Input: num(in), Output: num(out)}, NumPrompts: whole(prompts)},
			Load:     record.Load{MaxConcurrency: whole(c)}, Submitted: whole(prompts), Completed: whole(prompts),
			Metrics: map[metric.ID]catalog.Stat{"output_throughput": stat(tput), "ttft": ttft, "tpot": tpot},
		})
	}
	add("Single User Latency", 2048, 512, 1, 20, 49.26, dist(1.0822, 1.13506, 1.14234), dist(0.01822, 0.01822, 0.01828))
	add("Short Context Throughput", 512, 256, 16, 50, 301.77, dist(1.50674, 1.13987, 3.40198), dist(0.04171, 0.04332, 0.05209))
	add("Long Context (16K)", 16384, 1024, 4, 10, 62.84, dist(12.51839, 11.14028, 26.66632), dist(0.04629, 0.05046, 0.05411))
	add("Decode Stress Test", 128, 2048, 1, 5, 56.28, dist(0.04329, 0.04329, 0.04386), dist(0.01776, 0.01776, 0.01777))
	for _, s := range []struct {
		c          int64
		tput       float64
		ttft, tpot catalog.Stat
	}{
		{2, 97.72, dist(0.21218, 0.09037, 0.64593), dist(0.01971, 0.01953, 0.02083)},
		{4, 167.97, dist(0.11515, 0.13527, 0.14619), dist(0.02213, 0.02228, 0.02261)},
		{8, 255.92, dist(0.15872, 0.17396, 0.18629), dist(0.02883, 0.02887, 0.02942)},
		{16, 384.74, dist(0.23368, 0.24642, 0.30273), dist(0.03819, 0.03822, 0.03876)},
		{32, 387.10, dist(0.36317, 0.37346, 0.37630), dist(0.07635, 0.07632, 0.07697)},
	} {
		add(fmt.Sprintf("Concurrency Scaling (c=%d)", s.c), 1024, 256, s.c, 30, s.tput, s.ttft, s.tpot)
	}
	return r
}

func testRun(t *testing.T, cr *catalog.Run) *Run {
	t.Helper()
	names, diags := settings.LoadNames()
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return newRun(cr, names)
}

func TestScenariosOfAReport(t *testing.T) {
	r := testRun(t, report())
	var got []string
	for _, s := range r.Scenarios {
		got = append(got, fmt.Sprintf("%s: %d", s.Key, len(s.Points)))
	}
	want := []string{"single-user-latency-2048-512: 1", "short-context-throughput-512-256: 1", "long-context-16k-16384-1024: 1",
		"decode-stress-test-128-2048: 1", "concurrency-scaling-1024-256: 5"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSweetSpot follows the rule by hand: the smallest TTFT p99 is 146.19 ms and the smallest
// TPOT p99 20.83 ms, so the limits are 292.38 and 41.66 ms; 2 fails by TTFT, 16 by TTFT (302.73),
// 32 by both, which leaves 4 with 167.97/4 = 41.9925 and 8 with 31.99 tok/s a user.
func TestSweetSpot(t *testing.T) {
	r := testRun(t, report())
	sw, sc, ok := r.SweetSpot()
	if !ok || LoadOf(sw.Point) != 4 || sw.PerUser != 41.9925 || sw.AllPass {
		t.Fatalf("sweet spot %+v, %v", sw, ok)
	}
	if sw.TTFTLimit != 2*0.14619 || sw.TPOTLimit != 2*0.02083 {
		t.Errorf("limits %v and %v", sw.TTFTLimit, sw.TPOTLimit)
	}
	peak, v, ok := sc.Peak("output_throughput")
	if !ok || LoadOf(peak) != 32 || v != 387.10 {
		t.Errorf("peak %v at %v", v, LoadOf(peak))
	}
	if n, above := AboveNumPrompts(peak); !above || n != 30 {
		t.Errorf("30 prompts at concurrency 32: got %d, %v", n, above)
	}
	// 0.95 * 387.10 = 367.745: 16 with 384.74 is the first load that reaches it.
	knee, ratio, ok := sc.Knee("output_throughput")
	if !ok || LoadOf(knee) != 16 || math.Abs(ratio-384.74/387.10) > 1e-12 {
		t.Errorf("knee %v, %v", LoadOf(knee), ratio)
	}
	// 384.74 * 2 / (16 * 97.72) = 0.49214...
	e, c0, ok := sc.Scaling(knee)
	if !ok || LoadOf(c0) != 2 || math.Abs(e-769.48/1563.52) > 1e-12 {
		t.Errorf("scaling efficiency %v against %v", e, LoadOf(c0))
	}
	if _, _, ok := sc.Scaling(c0); ok {
		t.Error("the smallest load has no scaling efficiency")
	}
}

func rates(series string, baseline bool, values ...float64) *Run {
	r := &catalog.Run{Identity: catalog.Identity{Tool: "t"}, Attributes: map[string]catalog.Attribute{"series": {Value: series}}}
	if baseline {
		r.Attributes["baseline"] = catalog.Attribute{Value: "true"}
	}
	for i, v := range values {
		rate := record.Float(i + 1)
		if i == len(values)-1 {
			rate = record.Float(math.Inf(1))
		}
		r.Points = append(r.Points, catalog.Point{Load: record.Load{Rate: &rate},
			Metrics: map[metric.ID]catalog.Stat{"ttft": dist(v, v, v)}})
	}
	names, _ := settings.LoadNames()
	return newRun(r, names)
}

func TestPivot(t *testing.T) {
	a, b := rates("old", true, 2, 1, 8), rates("new", false, 1, 3, 2)
	pv, ok := NewPivot([]*Run{b, a}, a.Scenarios[0].Class, "ttft", "mean")
	if !ok || pv.Base != 1 || len(pv.Rows) != 3 {
		t.Fatalf("%+v", pv)
	}
	if r := pv.Rows[0]; r.Fastest != 0 || r.FasterBy == nil || *r.FasterBy != 0.5 {
		t.Errorf("first row %+v: new halves 2 to 1", r)
	}
	if r := pv.Rows[1]; r.Fastest != 1 || r.FasterBy != nil {
		t.Errorf("second row %+v: the baseline is the best, so there is no difference", r)
	}
	if r := pv.Rows[2]; !math.IsInf(r.Load, 1) || *r.FasterBy != 0.75 {
		t.Errorf("the infinite rate is the last row: %+v", r)
	}
}

func TestFasterBy(t *testing.T) {
	for _, c := range []struct {
		base, best float64
		better     metric.Direction
		want       float64
		ok         bool
	}{
		{200, 100, metric.Lower, 0.5, true},
		{100, 150, metric.Higher, 0.5, true},
		{100, 0, metric.Lower, 1, true},
		{100, 0, metric.Higher, -1, true}, // a drop to zero is -100 %
		{0, 5, metric.Lower, 0, false},
	} {
		if got, ok := FasterBy(c.base, c.best, c.better); got != c.want || ok != c.ok {
			t.Errorf("FasterBy(%v, %v) = %v, %v", c.base, c.best, got, ok)
		}
	}
}

// TestKVBytes: 32 layers, 32 heads of 128 in 16 bit hold 2*32*32*128*2 = 524,288 bytes a token.
func TestKVBytes(t *testing.T) {
	l, h, d := 32, 32, 128
	m := settings.Model{Layers: &l, KVHeads: &h, HeadDim: &d}
	if v, ok := KVBytesPerToken(m, 2); !ok || v != 524288 {
		t.Errorf("%v, %v", v, ok)
	}
	if _, ok := KVBytesPerToken(settings.Model{Layers: &l}, 2); ok {
		t.Error("half a configuration gives no number")
	}
	m.Attention = "mla"
	if _, ok := KVBytesPerToken(m, 2); ok {
		t.Error("latent attention keeps another cache")
	}
}

func TestSuccess(t *testing.T) {
	p := &catalog.Point{Completed: whole(1015), Submitted: whole(2000)}
	if v, _, _, ok := Success(p); !ok || v != 0.5075 {
		t.Errorf("%v, %v", v, ok)
	}
	if _, _, _, ok := Success(&catalog.Point{Completed: whole(5)}); ok {
		t.Error("without the number submitted there is no rate")
	}
}

// TestScale: dividing all throughputs by a constant changes neither knee nor sweet spot nor
// efficiency, and scaling efficiency of a proportional series is 1.
func TestScale(t *testing.T) {
	base := testRun(t, report())
	halved := report()
	for i := range halved.Points {
		s := halved.Points[i].Metrics["output_throughput"]
		halved.Points[i].Metrics["output_throughput"] = stat(*s.Value / 2)
	}
	half := testRun(t, halved)
	a, b := base.Scenarios[4], half.Scenarios[4]
	ka, _, _ := a.Knee("output_throughput")
	kb, _, _ := b.Knee("output_throughput")
	if LoadOf(ka) != LoadOf(kb) {
		t.Errorf("knee moved from %v to %v", LoadOf(ka), LoadOf(kb))
	}
	ea, _, _ := a.Scaling(ka)
	eb, _, _ := b.Scaling(kb)
	if math.Abs(ea-eb) > 1e-11 {
		t.Errorf("efficiency changed from %v to %v", ea, eb)
	}
	linear := &catalog.Run{}
	for c := int64(1); c <= 8; c *= 2 {
		linear.Points = append(linear.Points, catalog.Point{Load: record.Load{MaxConcurrency: whole(c)},
			Metrics: map[metric.ID]catalog.Stat{"output_throughput": stat(7.3 * float64(c))}})
	}
	s := testRun(t, linear).Scenarios[0]
	if e, _, ok := s.Scaling(s.Largest()); !ok || math.Abs(e-1) > 1e-12 {
		t.Errorf("a proportional series scales with %v", e)
	}
	if !s.StillRising("output_throughput") {
		t.Error("its peak is its largest load")
	}
}

func TestGigabytes(t *testing.T) {
	for text, want := range map[string]float64{"80 GB": 80, "80 GiB": 85.89934592, "81920 MiB": 85.89934592, "80000 MB": 80} {
		if v := gigabytes(text); v == nil || math.Abs(*v-want) > 1e-9 {
			t.Errorf("%q is %v", text, v)
		}
	}
	for _, text := range []string{"", "80", "eighty GB", "-80 GB", "80 things"} {
		if v := gigabytes(text); v != nil {
			t.Errorf("%q is %v", text, *v)
		}
	}
}

// TestKeptUpTo: speeds of a request of 30, 21, 20 and 19.9 tok/s at 1, 2, 4 and 8 keep 20 tok/s up to
// 4; a KV cache that is 10, 94.9, 95 and 99 % full was full at 4 first.
func TestKeptUpTo(t *testing.T) {
	cr := &catalog.Run{Identity: catalog.Identity{Tool: "x", Model: "m"}}
	for i, c := range []int64{1, 2, 4, 8} {
		speed, kv := []float64{30, 21, 20, 19.9}[i], []float64{0.1, 0.949, 0.95, 0.99}[i]
		cr.Points = append(cr.Points, catalog.Point{Load: record.Load{MaxConcurrency: whole(c)}, Metrics: map[metric.ID]catalog.Stat{
			"speed_per_request": {Median: num(speed), Unit: "tok/s"}, "kv_cache_usage": {Value: num(kv), Unit: "1"}}})
	}
	s := testRun(t, cr).Scenarios[0]
	if load, measured, ok := s.KeepsSpeed(20); load != 4 || measured || !ok {
		t.Errorf("20 tok/s are kept up to %v, %v, %v", load, measured, ok)
	}
	if load, measured, ok := s.KeepsSpeed(19.5); load != 8 || !measured || !ok {
		t.Errorf("19.5 tok/s are kept up to %v, %v, %v", load, measured, ok)
	}
	if p := s.KVFull(); p == nil || LoadOf(p) != 4 {
		t.Errorf("the KV cache is full at %v", p)
	}
}

// TestFits: 70.55 × 10⁹ parameters of 16 bits are 141.1 GB, which fit 141.1 GB and not 2 × 70.5 GB.
func TestFits(t *testing.T) {
	params := 70.55
	m := settings.Model{ParamsB: &params, Precision: "bf16"}
	for _, c := range []struct {
		gb          float64
		count       int
		fits, known bool
	}{{141.1, 1, true, true}, {70.5, 2, false, true}, {80, 2, true, true}, {80, 0, false, false}} {
		fits, known := Fits(m, settings.Hardware{Count: c.count, Accelerator: settings.Accelerator{MemoryGB: &c.gb}})
		if fits != c.fits || known != c.known {
			t.Errorf("%d × %v GB: %v, %v", c.count, c.gb, fits, known)
		}
	}
	if _, known := Fits(settings.Model{Precision: "bf16"}, settings.Hardware{Count: 1, Accelerator: settings.Accelerator{MemoryGB: &params}}); known {
		t.Error("a model of unknown size fits or does not")
	}
}
