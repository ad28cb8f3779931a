package view

import (
	"strings"
	"testing"
)

func TestHeat(t *testing.T) {
	h := newHeat([]float64{139, 199, 271, 276, 303, 597, 655, 657, 916, 1440}, false)
	if len(h.limits) != 4 {
		t.Fatalf("limits %v, want four", h.limits)
	}
	if got := h.class(139) + h.class(1440); got != "h1h5" {
		t.Errorf("worst and best are %s, want h1h5", got)
	}
	lower := newHeat([]float64{139, 199, 303, 597, 1440}, true)
	if got := lower.class(139) + lower.class(1440); got != "h5h1" {
		t.Errorf("where lower is better: %s, want h5h1", got)
	}
	if steps := h.legend(shortNumber); len(steps) != 5 || steps[0].Class != "h1" || !strings.HasPrefix(steps[0].Text,
		"< ") || !strings.HasPrefix(steps[4].Text, "≥ ") {
		t.Errorf("legend %v", steps)
	}
	// Two values, equal ones, zeros and negatives make no scale and no panic.
	for _, vs := range [][]float64{nil, {1}, {1, 2}, {5, 5, 5}, {0, 1, 2}, {-1, 1, 2}} {
		if h := newHeat(vs, false); len(h.limits) != 0 || h.class(1) != "h2" || h.legend(shortNumber) != nil {
			t.Errorf("%v gave limits %v", vs, h.limits)
		}
	}
}
