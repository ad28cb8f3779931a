package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Set gives, Get and All give back; percentiles stand in their order, and p50 is the median.
func TestStatByName(t *testing.T) {
	var s Stat
	for i, name := range []string{"p99", "mean", "p50", "p99.9", "total", "p5", "p99", "p0", "median_high"} {
		if !s.Set(name, float64(i)) {
			t.Errorf("%s is no statistic", name)
		}
	}
	for _, name := range []string{"", "p", "99", "p101", "pNaN", "mode"} {
		if _, ok := s.Get(name); ok || s.Set(name, 1) {
			t.Errorf("%q is a statistic", name)
		}
	}
	want := []Statistic{{"value", 4}, {"mean", 1}, {"median", 2}, {"min", 7}, {"median_high", 8}, {"p5", 5}, {"p99", 6},
		{"p99.9", 3}}
	if diff := cmp.Diff(want, s.All()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, x := range want {
		if v, ok := s.Get(x.Name); !ok || v != x.Value {
			t.Errorf("%s is %v, %v, want %v", x.Name, v, ok, x.Value)
		}
	}
	if _, ok := s.Get("p10"); ok {
		t.Error("p10 is there, and nobody set it")
	}
}
