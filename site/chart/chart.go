package chart

import (
	"errors"
	"io"
)

// Kind is what sort of drawing a chart is. All kinds share axes, labels, notes and bands.
type Kind int

// The kinds.
const (
	// Lines joins the points of each series in ascending X. The X axis need not start at zero.
	Lines Kind = iota
	// Bars draws one group a value of X, evenly spaced, and one bar a series in it. The Y axis is
	// always linear and holds zero: a bar on a logarithmic axis has no honest length. Ask
	// BarsFit before.
	Bars
	// Scatter draws points that are not joined; both axes start at zero. Up to 120 points
	// carry titles, more are merged on a grid of one pixel.
	Scatter
	// Frontier shows what two wishes cost each other, such as speed per user against throughput
	// per accelerator. Each series is one group (an accelerator, an engine, a precision): a line
	// joins those of its points that no other point of the same group beats on both axes; the
	// others are grey and unjoined. Groups are never mixed. More is better on both axes. Points are
	// named by Point.Label; both axes start at zero.
	Frontier
	// Timeline draws thin lines without marks, filled to the axis, thinned to what the pixels
	// can show; the X axis starts at zero. For few points over dates or versions take Lines
	// with Axis.Scale Date or with Axis.Names.
	Timeline
	// Distribution draws which share of values is at most X: Y is 0 to 100 %. Its series are
	// made by Samples, which marks the median and the high percentiles.
	Distribution
)

// Chart is one drawing: one X axis and, above it, one plot or several aligned plots.
type Chart struct {
	Kind Kind
	// Title and Desc are what a reader hears who does not see the chart: what it is, and the
	// numbers that it shows. Title is required.
	Title, Desc string
	X           Axis
	// Panels stand one below the other on the one X axis. Most charts have one.
	Panels []Panel
	// Hollow says what hollow marks mean ("KV cache at 95 % or more"). It is added to the titles of
	// such points, and to the key.
	Hollow string

	shared *shared // set by ShareX and ShareY
}

// Panel is one plot: a Y axis and what is drawn on it.
type Panel struct {
	Y      Axis
	Series []Series
	Refs   []Ref
	Notes  []Note
	// Bands tint ranges of X: what was measured there is incomplete, or needs another caution.
	Bands []Band
}

// Series is one line, one colour of bars, or one cloud of points.
type Series struct {
	// Name is the label: foreign text of any length; it is escaped, isolated and cut.
	Name   string
	Points []Point
	// Interval says what Low and High of the points are.
	Interval Interval
	// Slot, 1 to 9, fixes colour, dash and marker whatever else is in the chart; 0 takes the
	// series' place in its panel. Give series the same slot on all charts of a page.
	Slot int
	// Marker, 1 to 9, overrides the slot's own; 0 does not.
	Marker int
	// Solid draws the line without the slot's dashes.
	Solid bool
	// NoLine leaves the points unjoined (a 99th percentile over the median's line).
	NoLine bool
	// NoMarks leaves out the marks.
	NoMarks bool
	// NoLabel leaves the series out of end labels and key.
	NoLabel bool

	steps bool // joined by steps: X is reached before Y changes
}

// Interval is what the bar of a point spans.
type Interval int

// The intervals.
const (
	// Quartiles are the 25th and the 75th percentile of what was measured: a thin bar.
	Quartiles Interval = iota
	// Confidence95 is the 95 % confidence interval of Y, as from repeated runs: a bar with caps.
	Confidence95
	// Extremes are the smallest and the largest of repeated runs: a bar with caps.
	Extremes
)

// words name an interval in titles.
func (i Interval) words() string {
	switch i {
	case Confidence95:
		return "95\u202f% interval"
	case Extremes:
		return "range"
	}
	return "quartiles"
}

// Point is one value of a series. NaN is missing: the line is interrupted.
type Point struct {
	// X may be +Inf: the category "inf", last and behind a break of the axis, never joined.
	X, Y float64
	// Low and High are the ends of the bar that Series.Interval names, drawn where Low < High.
	Low, High float64
	// Hollow marks a point whose state the chart's Hollow explains.
	Hollow bool
	// Strong sets the value on top of a bar in bold: the best of its group.
	Strong bool
	// Label is a short text beside the mark, left out where there is no room for it.
	Label string
	// Title is the native tooltip; empty: made of series, X and Y with their units.
	Title string
}

// Scale is how an axis maps values.
type Scale int

// The scales.
const (
	// Auto is Log where all values are positive and span more than 50 times, else Linear. X axes
	// of Frontier, Scatter and Timeline, and Y axes of Bars, are Linear in any case.
	Auto Scale = iota
	Linear
	Log
	// Pow2 is logarithmic with ticks at powers of two: for concurrency and batch size.
	Pow2
	// Date is linear in time, for X: values are seconds since 1970 in UTC, ticks are days, months
	// or years. It does not start at zero.
	Date
)

// Axis is one axis. The zero value is fine: automatic scale, no title.
type Axis struct {
	// Title is what is measured ("Output throughput"); Unit is added behind a comma.
	Title, Unit string
	Scale       Scale
	// Max fixes the upper end; values above are left out, counted, and the count stated.
	Max *float64
	// Free lets a linear axis start elsewhere than at zero.
	Free bool
	// Names are the names of the categories of Bars and of Lines (engine versions), X counting
	// from 0. Nil: X is formatted.
	Names []string
	// Format writes the values of ticks and titles. Nil: three significant digits for values,
	// as many as needed for ticks. Seconds is one for times on a log axis.
	Format func(float64) string
}

// Ref is a reference line between two places. ±Inf is an edge of the plot.
type Ref struct {
	X1, Y1, X2, Y2 float64
	Label          string
	// Fit draws a solid line in ink (a fitted line) rather than a thin dashed one.
	Fit bool
	// Change draws a vertical line with an arrow head: what is measured changed here. Worse sets it
	// in the colour of warnings.
	Change, Worse bool
}

// Note is a short text at a place in the data.
type Note struct {
	// X may be +Inf (the category), or -Inf (the left edge); Y +Inf is the top.
	X, Y float64
	Text string
	// Strong sets it in bold ink.
	Strong bool
}

// Band tints a range of X. From = To = +Inf tints the category inf.
type Band struct {
	From, To float64
	Label    string
}

// Horizontal is a reference line across the plot at y.
func Horizontal(y float64, label string) Ref {
	return Ref{X1: -inf, Y1: y, X2: inf, Y2: y, Label: label}
}

// Vertical is a reference line from bottom to top at x.
func Vertical(x float64, label string) Ref {
	return Ref{X1: x, Y1: -inf, X2: x, Y2: inf, Label: label}
}

// ChangePoint marks the X from which on another level was measured; label says by how much ("−12 %
// since 0.9.2"). On an axis of names the line stands between this category and the one before.
func ChangePoint(x float64, label string, worse bool) Ref {
	r := Vertical(x, label)
	r.Change, r.Worse = true, worse
	return r
}

// Fitted is the line y = slope*x + intercept drawn from x1 to x2.
func Fitted(slope, intercept, x1, x2 float64, label string) Ref {
	return Ref{X1: x1, Y1: slope*x1 + intercept, X2: x2, Y2: slope*x2 + intercept, Label: label, Fit: true}
}

// Size is the size of one drawing, in CSS pixels (it becomes higher where key and panels need more), with the class that shows it in the right
// containers only.
type Size struct {
	W, H int
	// Class is added to the svg element: big and small, mid and min take turns by container
	// query; empty is always shown.
	Class string
}

// The sizes in use. A wide chart is drawn Wide and Narrow, one of a pair Half and HalfNarrow, small
// multiples once at PanelSize. Heights may be changed: chart.Wide.High(420).
var (
	Wide       = Size{800, 380, "big"}
	Narrow     = Size{358, 320, "small"}
	Half       = Size{516, 400, "mid"}
	HalfNarrow = Size{358, 320, "min"}
	PanelSize  = Size{334, 300, ""}
	PanelLow   = Size{334, 186, ""}
	PanelTall  = Size{334, 384, ""}
)

// High is the size with another height.
func (s Size) High(h int) Size { s.H = h; return s }

// Options are how a chart is drawn.
type Options struct {
	// Size; the zero value is Wide.
	Size Size
	// ID is the prefix of every id in the drawing, unique in its page. Empty: no ids.
	ID string
	// SelfContained embeds the style sheet with both themes: for a file of its own. Otherwise the
	// page's style sheet (assets/css/chart.css) is needed.
	SelfContained bool
	// Titled writes the title above the chart, for a file that is seen without its page.
	Titled bool
	// Keyless names the series nowhere: the page has a key of its own (WriteKey). Otherwise they are
	// named at the ends of lines where the names fit, else in a key above the plot.
	Keyless bool
	// Dark draws a PNG in dark colours. SVG follows the reader's theme.
	Dark bool
	// Density is the number of pixels of a PNG for one CSS pixel; 0 counts as 1, at most 4.
	Density float64
}

var errNoPanel = errors.New("chart has no panel")

// Inline writes the chart once for each size, for use in an HTML page. With several sizes the
// ids begin with id-1, id-2 and so on. No size means Wide and Narrow.
func (c *Chart) Inline(w io.Writer, id string, sizes ...Size) error {
	return c.inline(w, id, false, sizes)
}

// InlineKeyless is Inline for small multiples below one common key.
func (c *Chart) InlineKeyless(w io.Writer, id string, sizes ...Size) error {
	return c.inline(w, id, true, sizes)
}

func (c *Chart) inline(w io.Writer, id string, keyless bool, sizes []Size) error {
	if len(sizes) == 0 {
		sizes = []Size{Wide, Narrow}
	}
	for i, s := range sizes {
		sid := id
		if len(sizes) > 1 && id != "" {
			sid = id + "-" + string(rune('1'+i%9))
		}
		if err := c.SVG(w, Options{Size: s, ID: sid, Keyless: keyless}); err != nil {
			return err
		}
	}
	return nil
}
