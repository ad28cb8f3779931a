package chart_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/site/chart"
)

// A metric against load. What a reader hears who does not see it is made of the numbers.
func ExampleChart() {
	c := &chart.Chart{
		Kind: chart.Lines, Title: "Output throughput against load",
		X: chart.Axis{Title: "parallel requests", Scale: chart.Pow2},
		Panels: []chart.Panel{{
			Y: chart.Axis{Title: "Output throughput", Unit: "tok/s"},
			Series: []chart.Series{
				{Name: "Card A", Points: []chart.Point{{X: 1, Y: 46}, {X: 4, Y: 170.5}, {X: 16, Y: 512},
					{X: 64, Y: 480}}},
				{Name: "Card B", Points: []chart.Point{{X: 1, Y: 31}, {X: 4, Y: 118}, {X: 16, Y: 260}}},
			},
		}},
	}
	var svg strings.Builder
	if err := c.SVG(&svg, chart.Options{Size: chart.Half}); err != nil {
		fmt.Println(err)
		return
	}
	_, desc, _ := strings.Cut(svg.String(), "<desc>")
	desc, _, _ = strings.Cut(desc, "</desc>")
	fmt.Println(strings.ReplaceAll(desc, ". ", ".\n"))
	// Output:
	// Card A: first 46.0 tok/s at 1 parallel request, highest 512 at 16, last 480 at 64.
	// Card B: first 31.0 tok/s at 1 parallel request, last and highest 260 at 16.
}

// Whether bars can show some values.
func ExampleBarsFit() {
	near := chart.Series{Points: []chart.Point{{X: 1, Y: 41}, {X: 2, Y: 258}}}
	far := chart.Series{Points: []chart.Point{{X: 1, Y: .13}, {X: 2, Y: 61}}}
	fmt.Println(chart.BarsFit([]chart.Series{near}), chart.BarsFit([]chart.Series{near, far}))
	// Output: true false
}
