package figure

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Two runs repeat each other where nothing tells their configurations apart: not the records, and no word of the
// names of their files.
func TestRepeats(t *testing.T) {
	of := func(file, version string, tp int) *Run {
		r := &Run{Run: &catalog.Run{Identity: record.Identity{Tool: "t"},
			Sources:    []catalog.Source{{Path: file}},
			Attributes: map[string]catalog.Attribute{"engine_version": {Value: version}, "date": {Value: file}},
			Parameters: map[string]catalog.Parameter{"tensor_parallel_size": {Value: []byte{byte('0' + tp)}},
				"seed": {Value: []byte{byte('0' + len(file)%10)}}}}}
		r.Engine.Version = version
		return r
	}
	for _, c := range []struct {
		a, b *Run
		want bool
	}{
		{of("2025-01-01/r.json", "1", 1), of("2025-01-02/r.json", "1", 1), true},
		{of("a/r.json", "1", 1), of("b/r.json", "1", 1), true},
		{of("run-1234567/r.json", "1", 1), of("run-7654321/r.json", "1", 1), true},
		{of("a/r.json", "1", 1), of("a/r.json", "2", 1), false},
		{of("a/r.json", "1", 1), of("a/r.json", "1", 2), false},
		{of("baseline/r.json", "1", 1), of("optimized/r.json", "1", 1), false},
		{of("r_tp_1.json", "1", 1), of("r_tp_2.json", "1", 1), false},
		{of("v0/r.json", "1", 1), of("v1/r.json", "1", 1), false},
	} {
		if got := c.a.Repeats(c.b); got != c.want || c.b.Repeats(c.a) != got {
			t.Errorf("%s and %s: %t, want %t both ways", c.a.Sources[0].Path, c.b.Sources[0].Path, got, c.want)
		}
	}
}

// Runs of one card are not held against each other in pairs, and each is read once however often a card is asked: eight
// times as many runs in folders of their own take eight times as much.
func TestAllocationsOfManyConfigurations(t *testing.T) {
	names, _ := settings.LoadNames()
	count := func(n int) float64 {
		c := &catalog.Catalog{}
		for i := range n {
			c.Runs = append(c.Runs, &catalog.Run{ID: fmt.Sprint(i), Identity: record.Identity{Tool: "t", Model: "acme/m"},
				Sources:    []catalog.Source{{Path: fmt.Sprintf("case%d/r.json", i)}},
				Attributes: map[string]catalog.Attribute{"hardware": {Value: "H100"}, "count": {Value: "1"}}})
		}
		card := NewIndex(c, names).Cards[0]
		if got := len(Current(card.Runs)); got != n {
			t.Fatalf("%d of %d configurations stand", got, n)
		}
		return testing.AllocsPerRun(3, func() { card.Head() })
	}
	if few, many := count(50), count(400); many > 10*few {
		t.Errorf("the head of 50 runs takes %.0f allocations, that of 400 runs %.0f", few, many)
	}
}
