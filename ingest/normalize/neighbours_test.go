package normalize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// measuredAt are n points of one load, as several tools print them: a measurement has full numbers, rounded ones, fewer
// of them, and a date or none.
func measuredAt(n int) []*catalog.Point {
	random := rand.New(rand.NewPCG(7, 11))
	var all []*catalog.Point
	for len(all) < n {
		ttft, rate := 5+40*random.Float64(), 100+900*random.Float64()
		if random.IntN(4) == 0 {
			ttft, rate = float64(random.IntN(9)), float64(100*random.IntN(9))
		}
		date := time.Date(2025, 1, 1+random.IntN(3), random.IntN(24), 30*random.IntN(2), random.IntN(2), 0, time.UTC)
		for range 1 + random.IntN(4) {
			round := func(v float64) *float64 {
				scale := math.Pow10(random.IntN(10))
				v = math.Round(v*scale) / scale
				return &v
			}
			p := &catalog.Point{Metrics: map[metric.ID]catalog.Stat{}}
			p.Date = []string{"", date.Format("2006-01-02"), date.Format("2006-01-02T15:04:05"),
				date.Format(time.RFC3339), date.Format("15h")}[random.IntN(5)]
			if random.IntN(3) > 0 {
				p.Metrics[metric.OutputThroughput] = catalog.Stat{Value: round(rate)}
			}
			if random.IntN(3) > 0 {
				p.Metrics[metric.TTFT] = catalog.Stat{Mean: round(ttft)}
			}
			if random.IntN(3) > 0 {
				s := p.Metrics[metric.TTFT]
				s.Set(metric.P99, *round(2 * ttft))
				p.Metrics[metric.TTFT] = s
			}
			all = append(all, p)
		}
	}
	return all
}

// Whatever two points have in common, each is found from the other.
func TestNeighboursMissNone(t *testing.T) {
	all := measuredAt(700)
	of := &neighbours{}
	for i, p := range all {
		of.add(p, i)
	}
	same := 0
	for _, p := range all {
		near := of.near(p)
		if !slices.IsSorted(near) {
			t.Fatal("they are in no order")
		}
		for i, q := range all {
			if commonStats(q, p) == 0 {
				continue
			}
			same++
			if _, found := slices.BinarySearch(near, i); !found {
				t.Fatalf("%+v is not found from %+v, and may be one measurement with it", q, p)
			}
		}
	}
	if same < 2*len(all) || same > len(all)*len(all)/10 {
		t.Fatalf("%d pairs of %d points may be one measurement: the test shows nothing", same, len(all))
	}
}

// A load that was measured again and again is not compared in pairs, whether dates tell the measurements apart or numbers.
func TestNeighboursAreFew(t *testing.T) {
	for name, measured := range map[string]func(i int) *catalog.Point{
		"every night": func(i int) *catalog.Point {
			v := 100.0
			return &catalog.Point{Date: time.Unix(1.7e9+86400*int64(i), 0).UTC().Format(time.RFC3339),
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v}}}
		},
		"at a time that nobody can read": func(i int) *catalog.Point {
			v := 100.0
			return &catalog.Point{Date: fmt.Sprint("night ", i),
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v}}}
		},
		"without a date": func(i int) *catalog.Point {
			v := 100 + 1.37*float64(i)
			return &catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v}}}
		},
		"in one second": func(i int) *catalog.Point {
			rate, mean := float64(100+i%3), 5+float64(i)/7
			return &catalog.Point{Date: "2025-01-01T00:00:00Z", Metrics: map[metric.ID]catalog.Stat{
				metric.OutputThroughput: {Value: &rate}, metric.TTFT: {Mean: &mean}}}
		},
		"by two tools": func(i int) *catalog.Point {
			mean := 5 + float64(i/2)/7
			if i%2 == 0 {
				mean = math.Round(mean*100) / 100
				return &catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.TTFT: {Mean: &mean}}}
			}
			return &catalog.Point{Metrics: map[metric.ID]catalog.Stat{metric.TTFT: {Mean: &mean, Median: &mean}}}
		},
	} {
		compared := func(n int) (sum int) {
			of := &neighbours{}
			for i := range n {
				of.add(measured(i), i)
			}
			for _, p := range of.points {
				sum += len(of.near(p))
			}
			return sum
		}
		if few, many := compared(1000), compared(8000); many > 24*few || few < 1000 { // in pairs it would be 64 times
			t.Errorf("%s: 1000 measurements take %d comparisons and 8000 take %d", name, few, many)
		} else {
			t.Log(fmt.Sprint(name, ": ", few, " and ", many))
		}
	}
}

// The traces of a number are few, whatever it is.
func TestTracesAreFew(t *testing.T) {
	for _, v := range []float64{1.234e-310, 1.23e-305, 1.234e-300, 1.23, 999.97, 1.234e300, math.MaxFloat64} {
		n := 0
		tracesOf(metric.OutputThroughput, v, func(trace) {
			if n++; n > 100 {
				t.Fatalf("%g has more than 100 traces", v)
			}
		})
	}
}
