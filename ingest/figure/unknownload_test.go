package figure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Where no load is recorded, measurements of other numbers of requests are no repetitions: none stands for
// another, and each has a title of its own.
func TestUnknownLoadsAreNoRepetitions(t *testing.T) {
	run := figuretest.Run("0123456789ab", "org/m", "2x big", "1.0")
	for i, n := range []int64{300, 600, 600} {
		p := figuretest.Point(1, float64(100*(i+1)), .1, .2, .01, .02)
		p.Load, p.Submitted, p.Completed, p.Repetition = record.Load{}, nil, figuretest.Whole(n), i
		run.Points = append(run.Points, p)
	}
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{run}}, figuretest.Names(t))
	var got []string
	for _, s := range ix.Runs[0].Scenarios {
		for _, p := range s.Points {
			v, _, _ := figure.Central(p, metric.OutputThroughput)
			got = append(got, fmt.Sprintf("%s: %v of %d", strings.ReplaceAll(s.Title, metric.ThinSpace, " "), v,
				len(s.Measured)))
		}
	}
	want := []string{"1 000 → 200, 300 requests: 100 of 1", "1 000 → 200, 600 requests: 250 of 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
