package reading

import "math"

// most is above any number that can be measured in any unit, and far enough from the end of what a
// float64 holds that no conversion and no sum reaches it. Nanoseconds since 1970 are 1.8e18.
const most = 1e21

// least is below any number but zero that can be measured or comes of rounding, and far enough from the end of what a
// float64 holds that no quotient is infinite. A deviation of equal numbers may be 1e-23.
const least = 1e-100

// Measurable reports whether a number may be measured, in whatever unit: it is neither NaN nor infinite, nor larger or
// closer to zero than anything that is.
func Measurable(n float64) bool {
	return math.Abs(n) <= most && (n == 0 || math.Abs(n) >= least) // no comparison holds of NaN
}
