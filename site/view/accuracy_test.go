package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestSpeedByScore: three results with a speed and a score are drawn; of two there is a table alone, in which what
// nobody measured is not recorded.
func TestSpeedByScore(t *testing.T) {
	for _, scored := range []int{2, 3} {
		c := &catalog.Catalog{}
		for i, hardware := range []string{"W1", "X2", "Y3", "Z4"} {
			r := timed(hardware, "serve", "1.0", "2025-01-01", "", float64(100*(i+1)))
			r.Attributes["hardware"] = catalog.Attribute{Value: hardware}
			r.Attributes["count"] = catalog.Attribute{Value: "1"}
			if i < scored {
				r.Figures = []catalog.Figure{{Metric: metric.Accuracy, Value: sitetest.Ptr(0.9 + float64(i)/100),
					Unit:  "fraction",
					Score: &record.Score{Task: "gsm8k", Metric: "exact_match"}}}
			}
			c.Runs = append(c.Runs, r)
		}
		g := New(figure.NewIndex(c, nil), c, Options{})
		d := g.modelPage(g.Index.Models[0])
		i := slices.IndexFunc(d.sections, func(s page.Section) bool { return s.ID == "accuracy" })
		if i < 0 {
			t.Fatalf("%d scores: no section", scored)
		}
		if table := words(sitetest.Spelt(t, d.page.Fragments["accuracy"])); strings.Count(table,
			"not recorded") < 4-scored {
			t.Errorf("%d scores: %s", scored, table)
		}
		draw := d.page.Fragments["chart-speed-by-score"]
		if (draw != nil) != (scored == 3) {
			t.Errorf("%d scores: a chart is %v", scored, draw != nil)
		}
		if draw == nil {
			continue
		}
		if svg := sitetest.Spelt(t, draw); !strings.Contains(svg, "gsm8k, exact_match") ||
			strings.Contains(svg, "Z4") {
			t.Errorf("the chart is not of the three: %s", words(svg))
		}
	}
}
