package happyvllm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// The loop over the bytes and the reader of any JSON agree, and the loop knows what it cannot read.
func TestKVSamples(t *testing.T) {
	for _, c := range []struct {
		name, text string
		fast       bool
	}{
		{"none", `[]`, true},
		{"indented", "[\n  {\n    \"num_requests_running\": 12.0,\n    \"num_requests_waiting\": 0.0,\n    " +
			"\"gpu_cache_usage_perc\": 0.0125,\n    \"timestamp\": 1900000000.25\n  },\n  {}\n]", true},
		{"compact",
			`[{"timestamp":1.5e9,"gpu_cache_usage_perc":1e-05,"num_requests_running":-1,"num_requests_waiting":3}]`,
			true},
		{"other keys", `[{"timestamp":1,"swapped":0.0}]`, true},
		{"null", `[{"timestamp":null,"gpu_cache_usage_perc":0.5}]`, false},
		{"not a number", `[{"timestamp":NaN,"gpu_cache_usage_perc":0.5}]`, false},
		{"text", `[{"timestamp":"]}","gpu_cache_usage_perc":0.5}]`, false},
		{"nested", `[{"timestamp":1,"more":{"timestamp":2},"gpu_cache_usage_perc":0.5}]`, false},
		{"escaped key", `[{"timestam\u0070":1}]`, true},
	} {
		v, err := reading.Parse([]byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		slow, each := kvSamplesSlow(&reader{emit: func(record.Record) {}}, v)
		fast, n, ok := kvSamples(v)
		if ok != c.fast {
			t.Errorf("%s: read by the loop: %v, want %v", c.name, ok, c.fast)
		}
		if ok && n != each {
			t.Errorf("%s: %d samples, want %d", c.name, n, each)
		}
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(kvSample{}), cmpopts.EquateNaNs(),
			cmpopts.EquateEmpty()); ok && diff != "" {
			t.Errorf("%s (-slow +fast):\n%s", c.name, diff)
		}
	}
}

func TestFullest(t *testing.T) {
	// Of equal usages the last in the order of the file, whatever its time.
	top, ok := fullest([]kvSample{{time: 1, usage: .5, running: 1}, {time: 9, usage: .75, running: 2},
		{time: 3, usage: .75, running: 3}, {time: 4, usage: .25, running: 4}})
	if !ok || top.running != 3 {
		t.Errorf("got %+v, %v", top, ok)
	}
	if _, ok := fullest([]kvSample{{usage: 0, running: 1}, {usage: math.NaN()}}); ok {
		t.Errorf("a cache that was never used has a fullest sample")
	}
}

func TestTimeLine(t *testing.T) {
	var samples []kvSample
	for i := range 50000 {
		k := (i * 7919) % 50000 // not in the order of time
		samples = append(samples, kvSample{time: 1e9 + float64(k)/100, usage: float64(k%1000) / 2000,
			running: float64(k % 37), waiting: float64(k % 11)})
	}
	samples[777].usage, samples[888].running, samples[999].waiting = .875, 99, 55
	p := timeLine(samples)
	if len(p.X) > mostSamples || len(p.X) < mostSamples/2 {
		t.Errorf("%d samples are kept", len(p.X))
	}
	if p.X[0] != 0 || p.X[len(p.X)-1] != 499.99 || !slices.IsSorted(p.X) {
		t.Errorf("times from %v to %v, in order: %v", p.X[0], p.X[len(p.X)-1], slices.IsSorted(p.X))
	}
	for i, want := range []float64{.875, 99, 55} {
		if got := slices.Max(p.Lines[i].Y); got != want {
			t.Errorf("the highest value of %s is %v, want %v", p.Lines[i].Label, got, want)
		}
	}
	same := []kvSample{{time: 5, usage: .5, running: 1, waiting: 0}}
	for range 300 {
		same = append(same, same[0])
	}
	if p := timeLine(same); p == nil || len(p.X) == 0 || p.X[0] != 0 {
		t.Errorf("samples of one moment give %+v", p)
	}
}

func TestIngestionFit(t *testing.T) {
	var x, y []float64
	for i := range 100 {
		x = append(x, float64(100+40*i))
		y = append(y, .05+x[i]/8192)
	}
	y[60] += .1 // far from the others, which the first fit still passes closely
	l, keptX, _, ok := ingestionFit(x, y)
	if !ok || !near(l.slope, 1./8192) || !near(l.intercept, .05) || len(keptX) != 99 {
		t.Errorf("got %+v of %d points, %v", l, len(keptX), ok)
	}
	for _, x := range [][]float64{nil, {1}, {2, 2, 2}} {
		if _, _, _, ok := ingestionFit(x, make([]float64, len(x))); ok {
			t.Errorf("a line through %v", x)
		}
	}
}

func TestThinScatter(t *testing.T) {
	var x, y []float64
	for i := range 5000 {
		x = append(x, float64((i*3571)%5000))
		y = append(y, float64((i*1237)%4999))
	}
	kept := thinScatter(x, y)
	var kx, ky []float64
	for _, i := range kept {
		kx, ky = append(kx, x[i]), append(ky, y[i])
	}
	if len(kept) > mostPoints || len(kept) < mostPoints*9/10 || !slices.IsSorted(kx) {
		t.Errorf("%d points, in order: %v", len(kept), slices.IsSorted(kx))
	}
	got := []float64{slices.Min(kx), slices.Max(kx), slices.Min(ky), slices.Max(ky)}
	if diff := cmp.Diff([]float64{slices.Min(x), slices.Max(x), slices.Min(y), slices.Max(y)}, got); diff != "" {
		t.Errorf("extremes (-want +got):\n%s", diff)
	}
}

func TestTexts(t *testing.T) {
	for _, c := range [][2]string{
		{ingestionText(8749.9), "~8500 t/s"}, {ingestionText(8750), "~8750 t/s"}, {ingestionText(12), "~0 t/s"},
		{speedText(36.99), "~36 t/s for each request"},
		{tokensText(174999.5), "~150k tokens"}, {tokensText(24999), "~0k tokens"}, {tokensText(250000), "~250k tokens"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

// A suite found twice is one suite: files with the same bytes count once.
func TestFinishCountsFilesOnce(t *testing.T) {
	file := func(path, digest string, estimate float64) record.Record {
		return &record.Samples{
			Base: record.Base{At: record.Pos{File: path, Line: 1, Col: 1}, Key: "s", Digest: digest,
				Identity: record.Identity{Tool: tool, Session: "s", Model: "m"}},
			Name: samplesKV, Nums: map[string]float64{"estimate": estimate},
		}
	}
	var got []string
	finish([]record.Record{file("a/1", "d1", 1e5), file("a/2", "d2", 3e5), file("b/1", "d1", 1e5),
		file("b/2", "d2", 3e5), file("a/3", "d3", 9e5)},
		func(r record.Record) {
			f := r.(*record.Figure)
			got = append(got, fmt.Sprint(f.At.File, " ", f.Quantity, " ", *f.Value, " from ", f.From))
		})
	if diff := cmp.Diff("a/1 kv_cache_tokens 300000 from 3", strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSuiteFolder(t *testing.T) {
	for _, f := range []string{
		"x/raw_results.zip!a.json", "x/raw_results/a.json", "x/a.json",
		"x/report/parameters.json", "x/report/speed_generation/data/a.json",
	} {
		if got := suiteFolder(f); got != "x" {
			t.Errorf("suiteFolder(%q) = %q", f, got)
		}
	}
	if got := suiteFolder("a.json"); got != "" {
		t.Errorf("suiteFolder of a bare name is %q", got)
	}
}
