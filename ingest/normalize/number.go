package normalize

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// decimals is how many digits v has behind the point, of the first 12: a conversion of units
// alters the last ones.
func decimals(v float64) int {
	s := strconv.FormatFloat(metric.Round(v), 'f', -1, 64)
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

// significant is how many significant digits a number has.
func significant(v float64) int {
	if v == 0 {
		return 0
	}
	var b [32]byte
	mantissa, _, _ := bytes.Cut(strconv.AppendFloat(b[:0], math.Abs(v), 'e', 11, 64), []byte{'e'})
	n := len(bytes.TrimRight(mantissa, "0"))
	return max(n-1, 1) // without the point
}

// telling is how many digits a number has that counts: of shorter ones many agree by chance.
const telling = 3
