package normalize

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// What thousands of records say of one key costs as much for each of them, however many say something else.
func TestAttributesOfManyStatements(t *testing.T) {
	cost := func(n int) float64 {
		var claims []claim
		for i := range n {
			claims = append(claims, claim{key: record.FactModel, value: fmt.Sprintf("org/Model %d", i), from: catalog.FromRecord,
				file: "r.json", line: i + 1})
		}
		return testing.AllocsPerRun(1, func() { names{}.attributes(claims, &findings{}) }) / float64(n)
	}
	few, many := cost(200), cost(1600)
	if many > 2*few {
		t.Errorf("a statement more takes %.0f allocations of 200, %.0f of 1600", few, many)
	}
}
