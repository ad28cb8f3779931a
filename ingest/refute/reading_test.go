package refute

import "testing"

// A number is read as the same digits that the writer's rule gives it: to the nearest, halves away from zero.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		v                   float64
		bound, sign, digits string
		want                bool
	}{
		{122.5, "", "", "123", true}, {122.5, "", "", "122", false}, {122.4999, "", "", "122", true},
		{-122.5, "", "−", "123", true}, {-122.5, "", "−", "122", false}, {122.5, "", "−", "123", false},
		{6.165, "", "", "6.17", true}, {6.165, "", "", "6.16", false}, {6.1649, "", "", "6.17", false},
		{6165, "", "", "6\u202f170", true}, {6165, "", "", "6\u202f160", false}, {0.285 * 100, "", "", "29", true},
		{0.285 * 100, "", "", "28", false}, {-0.04, "", "", "0.0", true}, {0.0004, "< ", "", "0.001", true},
		{0.002, "< ", "", "0.001", false},
	} {
		if got := written(c.v, c.bound, c.sign, c.digits); got != c.want {
			t.Errorf("%v as %q: %t, want %t", c.v, c.bound+c.sign+c.digits, got, c.want)
		}
	}
}
