package figure

import (
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// repeated is a run that measured one load as often as there are throughputs.
func repeated(throughputs ...float64) *Run {
	cr := &catalog.Run{ID: "r", Identity: record.Identity{Tool: "t", Session: "s", Model: "m"}}
	for i, v := range throughputs {
		c, n, done := int64(8), 128.0, int64(90+i)
		sent := int64(100)
		cr.Points = append(cr.Points, catalog.Point{
			Repetition: i, Workload: record.Workload{Nominal: record.Lengths{Input: &n, Output: &n}},
			Load:      record.Load{MaxConcurrency: &c},
			Submitted: &sent, Completed: &done, At: catalog.Place{Source: "f", Line: i + 1},
			Metrics: map[metric.ID]catalog.Stat{
				metric.OutputThroughput: {Value: &v, Unit: metric.TokensPerSecond},
				metric.TTFT: {Percentiles: []catalog.Percentile{{P: 99, Value: v / 1000}},
					Unit: metric.Seconds, N: 10},
			},
		})
	}
	names, _ := settings.LoadNames()
	return NewIndex(&catalog.Catalog{Runs: []*catalog.Run{cr}}, names).Runs[0]
}

// Requests without output are counted where there are some, so those of one measurement are those of all: 3 of the 181
// that completed of 200 are none, and 178 / 200 is 0.89.
func TestRepetitionsWithoutOutput(t *testing.T) {
	ps := repeated(100, 110).Scenarios[0].Measured
	none := int64(3)
	ps[1].NoOutput = &none
	if o, ok := Success(typical(ps)); !ok || o != (Outcome{181, 200, 3}) || o.Ratio() != 0.89 {
		t.Errorf("%+v", o)
	}
}

// A table of one load that was measured again and again lists the first measurements, and others are looked for there.
func TestRowsOfManyRepetitions(t *testing.T) {
	for n, rows := range map[int]int{MostRepetitions: MostRepetitions + 1, MostRepetitions + 1: MostRepetitions + 1,
		10 * MostRepetitions: MostRepetitions + 1} {
		s := repeated(make([]float64, n)...).Scenarios[0]
		listed := s.Rows()
		if len(listed) != rows {
			t.Errorf("%d rows of %d measurements, want %d", len(listed), n, rows)
		}
		for _, p := range append(slices.Clone(s.Measured), s.Points...) {
			if !slices.Contains(listed, s.Row(p)) || slices.Contains(listed, p) && s.Row(p) != p {
				t.Fatalf("the row of one of %d measurements is not its own, or none", n)
			}
		}
	}
}

// Six measurements of one load, one of them three times as fast: the median of 100, 105, 110, 115, 120
// and 300 is (110 + 115) / 2, and nothing says 300.
func TestRepetitionsAreOneValue(t *testing.T) {
	r := repeated(100, 300, 110, 120, 115, 105)
	s := r.Scenarios[0]
	if len(s.Points) != 1 || len(s.Measured) != 6 || len(s.Rows()) != 7 {
		t.Fatalf("%d points, %d measurements, %d rows", len(s.Points), len(s.Measured), len(s.Rows()))
	}
	if _, peak, _ := s.Peak(metric.OutputThroughput); peak != 112.5 {
		t.Errorf("peak %v", peak)
	}
	if h := r.Headlines(); len(h) != 1 || *h[0].Value != 112.5 {
		t.Errorf("headlines %+v", h)
	}
	if n := testing.AllocsPerRun(10, func() { s.MeasuredAt(8) }); n > 0 {
		t.Errorf("the measurements at a load take %v allocations: they are a part of those at all loads", n)
	}
	p := s.Points[0]
	if v, ok := Get(p, metric.TTFT, metric.P99); !ok || v != 0.1125 {
		t.Errorf("p99 of TTFT %v", v)
	}
	// 90 + 91 + ... + 95 of 6 x 100.
	if o, ok := Success(p); !ok || o != (Outcome{Completed: 555, Submitted: 600}) || o.Ratio() != 0.925 {
		t.Errorf("%+v completed", o)
	}
	if p.Metrics[metric.TTFT].N != 60 || p.At.Line != 3 {
		t.Errorf("n %d, place %+v: want those of all six and of 110, the lower of the middle two",
			p.Metrics[metric.TTFT].N, p.At)
	}
	var texts, anchors []string
	for _, q := range s.Rows()[:3] {
		texts, anchors = append(texts, s.RowText(q)), append(anchors, Anchor(s, q))
	}
	if want := []string{"8, median of 6", "8, repetition 1", "8, repetition 2"}; !slices.Equal(texts, want) {
		t.Errorf("rows %q, want %q", texts, want)
	}
	if want := []string{"128-128-c8", "128-128-c8-n1", "128-128-c8-n2"}; !slices.Equal(anchors, want) {
		t.Errorf("anchors %q, want %q", anchors, want)
	}
}

// A load measured once stands for itself, and nothing of it is copied.
func TestOneMeasurementIsItself(t *testing.T) {
	r := repeated(100)
	s := r.Scenarios[0]
	if s.Points[0] != s.Measured[0] || s.RowText(s.Points[0]) != "8" || Anchor(s, s.Points[0]) != "128-128-c8" {
		t.Errorf("%+v", s.Points[0])
	}
}
