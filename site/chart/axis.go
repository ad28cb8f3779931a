package chart

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
