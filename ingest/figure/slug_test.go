package figure

import (
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"
)

// slugsOf are the slugs of the models and the cards of runs, each measured a day after the one before it.
func slugsOf(t *testing.T, models ...string) (slugs []string) {
	t.Helper()
	c := &catalog.Catalog{}
	for i, m := range models {
		r := figuretest.Run(string(rune('a'+i)), m, "1x small", "1.0", figuretest.Point(1, 100, 1, 1, 0.02, 1))
		r.Started = "2025-01-0" + string(rune('1'+i)) + "T00:00:00Z"
		c.Runs = append(c.Runs, r)
	}
	ix := NewIndex(c, figuretest.Names(t))
	for _, r := range ix.Runs {
		slugs = append(slugs, r.Model.Slug)
	}
	slices.Reverse(slugs) // the oldest first
	seen := map[string]bool{}
	for _, card := range ix.Cards {
		if seen[card.Slug] {
			t.Errorf("two cards at %q", card.Slug)
		}
		seen[card.Slug] = true
	}
	return slugs
}

// A model that is added later gets an address of its own and moves none.
func TestModelsOfOneName(t *testing.T) {
	alone := slugsOf(t, "x/New-9B")
	both := slugsOf(t, "x/New-9B", "y/New-9B", "X/new-9b")
	if alone[0] != "new-9b" || both[0] != "new-9b" || both[2] != "new-9b" {
		t.Errorf("x/New-9B is at %q alone and at %q, %q beside another", alone[0], both[0], both[2])
	}
	if both[1] == both[0] {
		t.Errorf("two organisations share %q", both[1])
	}
	if s := slugsOf(t, "New-9B", "x/New-9B"); s[0] != s[1] {
		t.Errorf("a name without organisation is not that of the only one that has it: %q", s)
	}
	if s := slugsOf(t, "New-9B", "x/New-9B", "y/New-9B"); s[0] == s[1] || s[1] == s[2] || s[0] == s[2] {
		t.Errorf("a name without organisation is that of one of two: %q", s)
	}
}

// Spellings that no reader could tell apart are one model, with a digest in its address too.
func TestModelsOfOneSpelling(t *testing.T) {
	s := slugsOf(t, "x/New_9B it", "x/new_9b  it", "X/NEW_9B it", "x/New_9Bit")
	if alone := slugsOf(t, "x/New_9B it"); s[0] != alone[0] || s[1] != s[0] || s[2] != s[0] || s[3] == s[0] {
		t.Errorf("x/New_9B it is at %q alone, and %q", alone, s)
	}
}

// Words in a name of a model do not make its card that of another model.
func TestCardSlug(t *testing.T) {
	if a, b := cardSlug("a-on-b", "c"), cardSlug("a", "b-on-c"); a == b {
		t.Errorf("two cards at %q", a)
	}
}

// A scenario that is called as another with its number has a key of its own, and no anchor is that of a section.
func TestScenarioKeys(t *testing.T) {
	var points []catalog.Point
	for i, w := range []string{"mix", "mix", "mix-2", "findings"} {
		p := figuretest.Point(1, 100, 1, 1, 0.02, 1)
		p.Workload = record.Workload{Name: w}
		if i == 1 {
			p.Workload.Dataset = "other"
		}
		if i == 3 {
			p.Load = record.Load{}
		}
		points = append(points, p)
	}
	ix := NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("a", "m", "1x small", "1.0", points...)}},
		figuretest.Names(t))
	var keys, anchors []string
	for _, s := range ix.Runs[0].Scenarios {
		keys, anchors = append(keys, s.Key), append(anchors, Anchor(s, s.Points[0]))
	}
	slices.Sort(keys)
	if len(keys) != 4 || len(slices.Compact(keys)) != 4 {
		t.Errorf("keys %q", keys)
	}
	if slices.Contains(anchors, "findings") {
		t.Errorf("anchors %q", anchors)
	}
}
