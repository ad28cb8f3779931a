package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// Equal names are listed once, where the first of them stands, and as many as one likes take no longer than they are.
func TestNames(t *testing.T) {
	var many []string
	for i := range 500_000 { // each held against all before it would take minutes
		many = append(many, fmt.Sprint("GPU ", i))
	}
	for want, names := range map[string][]string{
		"":                                  nil,
		"A":                                 {"A"},
		"2x A, B":                           {"A", "B", "A"},
		"B, 3x A":                           {"B", "A", "A", "A"},
		"2x A, 2x B":                        {"A", "B", "B", "A"},
		strings.Join(many, ", "):            many,
		"2x X, " + strings.Join(many, ", "): append([]string{"X", "X"}, many...),
	} {
		if got := reading.Names(names); got != want {
			t.Errorf("%.60q: %.60q, want %.60q", names[:min(len(names), 5)], got, want)
		}
	}
}
