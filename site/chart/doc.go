// Package chart draws plain series of numbers as SVG for pages, as self-contained SVG files and as
// PNG images, all in one visual language. It knows no catalog: who calls it says what the
// numbers are.
//
// A [Chart] has one X axis and one or more panels above it, each with a Y axis, series, reference
// lines, notes and tinted bands. Its [Kind] says how series are drawn. [Chart.Inline] writes it into
// a page, once for wide and once for narrow containers; [Chart.SVG] writes one drawing,
// [Chart.PNG] an image. Small multiples are charts of their own with common axes: [ShareX],
// [ShareY], [Chart.InlineKeyless] and one [WriteKey] above them. [Sparkline], [HBar], [RatioBar], [Mark]
// and [Swatch] are for table cells and keys.
//
// What holds of every drawing, whatever the data: it is well-formed; nothing lies outside the canvas;
// labels of ticks do not overlap; text is escaped; values that cannot be drawn (infinite, zero on
// a logarithmic axis, outside fixed ends) are left out, counted, and the count is written below
// the axis; the same chart gives the same bytes. NaN is missing and interrupts a line. A plot tells nine
// series apart, by colour, dash and mark; of more, the first nine are drawn and the remainder
// is stated.
//
// # go-chart
//
// Drawing goes through [github.com/wcharczuk/go-chart/v2]: each panel is a go-chart Chart whose
// ranges and series are ours, rendered on a Renderer of ours that writes SVG with classes, or on
// go-chart's own for PNG. One unit of its whole-numbered coordinates is a tenth of a pixel here. Its
// ticks, axes and vector output are not used: they leave the canvas, and their colours are inline
// styles.
//
// # Classes
//
// An inline drawing has no style of its own; assets/css/chart.css, which [StyleSheet] writes, gives its
// classes their meaning. The svg element has the class ch and that of its [Size]: big and small, or
// mid and min, which take turns by the width of a container (container-type: inline-size) around
// them. Series stand in groups of class s1 to s9, which set the colour; d2 to d9 on a line set
// a dash other than the group's.
//
//	tk     label of a tick
//	ax     title of an axis
//	lb     name of a series
//	sb     second line below a name; remarks
//	hd     heading of a drawing that stands alone
//	ky     name in a key
//	an     annotation, with a halo
//	pt     value or load beside a mark
//	th     emphasis
//	nh     no halo
//	e      text that ends at its place
//	m      text in the middle of its place
//	gr     grid line
//	mi     minor grid line
//	bl     axis line, ticks
//	ld     leader from a line to its name
//	ref    reference line
//	rfill  tinted band
//	fitl   fitted line
//	ln     line of a series
//	thin   thinner
//	so     solid whatever the slot
//	mk     mark
//	no     mark without outline
//	ho     hollow mark
//	x      mark of strokes
//	q      quartile bar
//	area   filled below a line
//	fillb  bar
//	dots   cloud of points
//	off    fainter
//	bg     ground of a bar in a table cell
//	wh     whisker of a bar in a table cell
//	rt     tick of a bar in a table cell
//	pg     ground of a self-contained drawing
package chart
