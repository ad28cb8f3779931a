// Package chart draws plain series of numbers as SVG for pages, as self-contained SVG files and as
// PNG images, all in one visual language. It knows no catalog: who calls it says what the
// numbers are.
//
// A [Chart] has one X axis and one or more panels above it, each with a Y axis, series, reference
// lines, change points, notes and tinted bands. Its [Kind] says how series are drawn. [Chart.Inline]
// writes it into a page, once for wide and once for narrow containers; [Chart.SVG] writes one
// drawing, [Chart.PNG] an image. Small multiples are charts of their own with common axes: [ShareX],
// [ShareY], [Chart.InlineKeyless] and one [WriteKey] above them. [HBar], [RatioBar] and [Mark] are
// for table cells, [Picture] is for link previews.
//
// Which drawing for which question:
//
//	a metric against load        Lines, X Scale Pow2 (concurrency) or Linear (rates); quartiles
//	                             by Point.Low and High
//	two to six runs overlaid     Lines with Series.Slot the number of the run (its hue on all
//	                             charts of the page); where a run has several lines, Marker
//	                             tells them apart
//	several metrics against load one Panel a metric
//	a few loads, few series      Bars, where BarsFit
//	speed per user against       Frontier, one Series an accelerator, engine or precision, all
//	throughput per accelerator   measured points in any order
//	one value a point, many      Scatter, Fitted for its line
//	how a value is distributed   Distribution of Samples
//	something over seconds       Timeline
//	versions of an engine        Lines with X Names; ChangePoint where it got faster or slower;
//	                             Interval Confidence95 for the error
//	dates of runs                Lines with X Scale Date
//
// What holds of every drawing, whatever the data: it is well-formed; nothing lies outside the
// canvas; no two texts overlap (a label without room is left out, and is part of the description);
// text is escaped; values that cannot be drawn (infinite, zero on a logarithmic axis, above a fixed
// end) are left out, counted, and the count is written below the axis; the same chart gives the
// same bytes. NaN is missing and interrupts a line. A plot tells nine series apart, by colour, dash
// and mark; of more, the first nine are drawn and the remainder is stated.
//
// # How a chart becomes a drawing
//
// Files stand in layers, and each knows only those before it: what a caller says (axis.go,
// series.go); scales and ticks (extent.go, scale.go, linear.go, logarithmic.go, date.go, ticks.go, ladder.go);
// looks and pens (style.go, pen.go, svg.go, raster.go); a panel with its places and titles (plot.go,
// titles.go) and what stands in it (axes.go, strokes.go, references.go, annotations.go, labels.go);
// the kinds, each in a file of its own (kind.go is what they have in common); the whole sheet
// (undrawn.go, layout.go, document.go). All coordinates are whole tenths of a CSS pixel.
//
// A new kind is one file with a type that embeds points and overrides what is different, and a line
// in the table above.
//
// go-chart rasters PNG images and measures text. Its ranges and ticks are no axes for readers: it ends at the
// largest value rounded to two digits and cuts the rest into even parts, 0, 350, 700, 1 050 up to 2 100 and 0,
// 16.4, 32.7, 49 up to 98, and its logarithmic range puts all values below 1 at one place. linear.go and
// logarithmic.go are the one place where ticks are chosen; ladder.go hands them to programs that draw elsewhere.
//
// # Hooks for scripts
//
// A drawing is complete without scripts: marks have native titles. Scripts make tooltips, a legend and a walk by
// keyboard of these and of the names of series:
//
//	<svg class="ch">
//	  <g>                                a panel
//	    <g class="s2" data-n="H100">     a series and its name
//	      <circle><title>H100, 8 parallel requests: 612 tok/s (quartiles 590 to 640)</title></circle>
//	    </g>
//	    <text class="lb">H100</text>     the name at the end of the line of a series
//	  </g>
//	</svg>
//
// What follows the last ": " of a title is the value. Marks stand in ascending X, in a Frontier the beaten ones
// first. Series are the same on two drawings or panels where data-n is the same; keys and names of lines say it
// as text. A cloud of more than 120 points and a Timeline have no marks to point at.
//
// # Classes
//
// An inline drawing has no style of its own; assets/css/chart.css, which the tests write, gives
// its classes their meaning and says it. The svg element has the class ch and that of its [Size]:
// big and small, or mid and min, which take turns by the width of a container (container-type:
// inline-size) around them. Series stand in groups of class s1 to s9, which set the colour.
package chart
