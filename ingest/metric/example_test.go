package metric_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// plain writes a narrow no-break space as a blank, which a comment can hold.
func plain(s string) string { return strings.ReplaceAll(s, metric.ThinSpace, " ") }

// A number comes in with its metric and its unit as written, and is kept in the base unit.
func ExampleToBase() {
	fmt.Println(metric.ToBase(metric.TTFT, 1479.5, "ms"))
	fmt.Println(metric.ToBase(metric.EnergyPerToken, 250, "mJ/token"))
	_, err := metric.ToBase(metric.TTFT, 3, "tokens")
	fmt.Println(err)
	// Output:
	// 1.4795 <nil>
	// 0.25 <nil>
	// ttft: unit "tokens" does not convert to s
}

// A page asks the table which metrics it shows, in which order and by which statistics.
func ExampleShown() {
	for _, m := range metric.Shown(metric.Limits) {
		fmt.Println(m.ID, m.Label, m.Columns(metric.Limits))
	}
	// Output:
	// ttft TTFT [[p99] [p95] [p90] [p75] [median] [mean]]
	// tpot TPOT [[p99] [p95] [p90] [p75] [median] [mean]]
}

// A column is shown in one unit, with the digits that tell its numbers apart.
func ExampleScaleFor() {
	a, b := 0.3871, 0.38734
	column := []*float64{&a, nil, &b}
	scale := metric.ScaleFor(metric.Seconds, column)
	fmt.Printf("%s %q\n", scale.Unit, scale.Column(column))
	// Output:
	// ms ["387.1" "" "387.3"]
}

// Measured numbers have three digits, counted ones all of theirs.
func ExampleFormat() {
	fmt.Println(plain(metric.Format(8612.585)), plain(metric.Count(8612)), metric.Exact(8612.585))
	// Output:
	// 8 610 8 612 8612.585
}
