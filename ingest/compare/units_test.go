package compare

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/metric"
)

// What units say of a class and a quantity is the same after most of them were said once, and after they were written
// and read; a class that they have never met has none.
func TestUnits(t *testing.T) {
	all := Units{Of: map[string]map[string]string{
		"a": {"ttft.median": "ms", "tpot.median": "ms"},
		"b": {"ttft.median": "s", "tpot.median": "ms"},
		"c": {"ttft.median": "ms"},
		"d": {"": "kB"},
	}}
	data, err := json.Marshal(all.Short())
	if err != nil {
		t.Fatal(err)
	}
	var short Units
	if err := json.Unmarshal(data, &short); err != nil {
		t.Fatal(err)
	}
	want := Units{Usual: map[string]string{"ttft.median": "ms", "tpot.median": "ms"},
		Of: map[string]map[string]string{"a": {}, "b": {"ttft.median": "s"}, "c": {}, "d": {"": "kB"}}}
	if diff := cmp.Diff(want, short); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for class, of := range all.Of {
		for q, unit := range of {
			if got := short.with(nil).name(class, q); got != unit {
				t.Errorf("%s of %s is shown in %q, not in %q", q, class, got, unit)
			}
		}
	}
	if got := short.name("e", "ttft.median"); got != "" {
		t.Errorf("a class that nobody measured has the unit %q", got)
	}
	if s := short.scale("b", "ttft.median", metric.Seconds); s.Unit != "s" || s.Of(2) != 2 {
		t.Errorf("%+v", s)
	}
	if s := short.scale("a", "ttft.median", metric.Seconds); s.Unit != "ms" || s.Of(2) != 2000 {
		t.Errorf("%+v", s)
	}
}
