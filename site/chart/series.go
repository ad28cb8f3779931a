package chart

import "math"

// maxSeries is how many series one plot can tell apart.
const maxSeries = 9

// Panel is one plot: a Y axis and what is drawn on it.
type Panel struct {
	Y      Axis
	Series []Series
	Refs   []Ref
	Notes  []Note
	// Bands tint values of X: what was measured there is incomplete, or needs another caution.
	Bands []Band
	// High gives the panel twice the height of others: of what spans decades.
	High bool
}

// parts is how many times the height of a panel that is not High it has.
func (p *Panel) parts() int {
	if p.High {
		return 2
	}
	return 1
}

// partsOf is how many times the height of such a panel all of them have.
func partsOf(panels []Panel) (n int) {
	for i := range panels {
		n += panels[i].parts()
	}
	return n
}

// shown are the series that are drawn.
func (p *Panel) shown() []Series { return p.Series[:min(len(p.Series), maxSeries)] }

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

// labelled says whether the series is named in the drawing.
func (s *Series) labelled() bool { return !s.NoLabel && s.Name != "" }

// slot is the slot of the series that stands at index i of its panel.
func (s *Series) slot(i int) int { return slotOr(s.Slot, min(i, maxSeries-1)+1) }

// slotOr is a slot, or another where it is none.
func slotOr(slot, other int) int {
	if slot < 1 || slot > maxSeries {
		return other
	}
	return slot
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
	// Deviation is Y less and more one standard deviation of repetitions: a bar with caps.
	Deviation
)

// words name an interval in titles.
func (i Interval) words() string {
	return [...]string{"quartiles", "95\u202f% interval", "range", "± standard deviation"}[i]
}

// Point is one value of a series. NaN is missing: the line is interrupted.
type Point struct {
	// X may be +Inf: the category "inf", last and behind a break of the axis, never joined.
	X, Y float64
	// Low and High are the ends of the bar that Series.Interval names, drawn where Low < High.
	Low, High float64
	// Hollow marks a point whose state the chart's Hollow explains.
	Hollow bool
	// Suspect marks a value that cannot be believed: a crossed mark, which no line joins and no axis is made for.
	Suspect bool
	// Strong sets the value on top of a bar in bold: the best of its group.
	Strong bool
	// Text is how Y is written where that is not with three digits: a mean whose standard deviation sets its digits.
	Text string
	// Label is a short text beside the mark, left out where there is no room for it.
	Label string
	// Title is the native tooltip; empty: made of series, X and Y with their units.
	Title string
}

// ranged says whether the point has a bar.
func (p *Point) ranged() bool { return p.Low < p.High && usable(p.Low) && usable(p.High) }

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

func (r *Ref) horizontal() bool {
	return math.IsInf(r.X1, -1) && math.IsInf(r.X2, 1) && r.Y1 == r.Y2
}

func (r *Ref) vertical() bool {
	return math.IsInf(r.Y1, -1) && math.IsInf(r.Y2, 1) && r.X1 == r.X2
}

// Note is a short text at a place in the data; X may be +Inf, the category.
type Note struct {
	X, Y float64
	Text string
}

// Band tints one value of X; +Inf is the category inf. Label says what is the matter with it, Short the same in fewer
// words, written where the label does not fit; the description says what neither has room for.
type Band struct {
	X            float64
	Label, Short string
}
