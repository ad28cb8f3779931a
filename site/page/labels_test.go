package page

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// TestLabels holds assets/css/labels.css and the numbers of labels together.
func TestLabels(t *testing.T) {
	goldentest.File(t, "../../assets/css/labels.css", labelsCSS())
	seen := map[string]bool{}
	for _, text := range labels {
		if seen[text] || label(text) == text {
			t.Errorf("%q has no number of its own", text)
		}
		seen[text] = true
	}
	if got := label("of no column"); got != "of no column" {
		t.Errorf("a label that is in no table is written as %q", got)
	}
}
