package refute

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/figure"
)

// What the page of a use says once is written here by hand, because this package shares no code with those that make claims:
// a new use is a row in both places.
func TestSaidOnce(t *testing.T) {
	for _, use := range figure.SLOPresets {
		page, want := "rankings/"+use.ID, use.Limits.Words()
		if got := saidOnce[page]; got != want {
			t.Errorf("saidOnce of limitwording.go has %q for %q: write %q, the limits of SLOPresets in ingest/figure/slo.go, "+
				"else no sentence of the page holds", got, page, want)
		}
	}
	if len(saidOnce) > len(figure.SLOPresets) {
		t.Errorf("saidOnce has %d pages, and there are %d uses: take out what is none", len(saidOnce), len(figure.SLOPresets))
	}
}
