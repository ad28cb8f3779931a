package page_test

import (
	"encoding/json"
	"testing"

	"github.com/inferdex/inferdex/site/page"
)

// said is a claim of tests.
type said string

func (s said) Text() string { return string(s) }
func (said) Refutable()     {}

// TestSaidIsTheClaim: what a page says has the text of its claims, to the letter.
func TestSaidIsTheClaim(t *testing.T) {
	one := page.Say(said("It peaks at 7."), page.Text("It peaks at ").Link("7", "#row").Text(".")...)
	both := one.And(page.Say(said("8 → 9 runs."))).And(page.Said{})
	if got, want := both.Text(), "It peaks at 7. 8\u00a0→\u00a09 runs."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b, err := json.Marshal(one)
	if want := `[{"text":"It peaks at "},{"text":"7","href":"#row"},{"text":"."}]`; err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
	if one.Text() != "It peaks at 7." || !(page.Said{}).And(page.Said{}).IsZero() {
		t.Errorf("%q was changed by what stands behind it", one.Text())
	}
	// A name may end as what is glued to a number does.
	if page.Say(said("On x ≤ and y ± → 2."), page.Text("On ").Link("x ≤", "#x").Text(" and ").Link("y ±", "#y").Text(" → 2.")...).IsZero() {
		t.Error("nothing is said of a name that ends with a sign")
	}
	defer func() {
		if recover() == nil {
			t.Error("another text was said as the claim")
		}
	}()
	page.Say(said("It peaks at 7."), page.Text("It peaks at 8.")...)
}
