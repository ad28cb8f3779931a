package normalize

import (
	"strconv"
	"strings"
)

// round cuts a computed number to 12 significant digits: fused multiply-add alters the last bits
// on some processors.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// decimals is how many digits v has behind the point, of the first 12: a conversion of units
// alters the last ones.
func decimals(v float64) int {
	s := strconv.FormatFloat(round(v), 'f', -1, 64)
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return len(s) - i - 1
	}
	return 0
}

// text writes a number for messages: at most six significant digits, no exponent.
func text(v float64) string {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		r = v
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
