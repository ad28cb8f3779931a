package view

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// published matches the number at the beginning of a published rounding.
var published = regexp.MustCompile(`^~?\s*(\d+)(k?)\b`)

// publishedNumber reads the number out of a published rounding, "~8500 t/s" or "~150k tokens",
// for order and colour only: what is shown is the text.
func publishedNumber(s string) (float64, bool) {
	m := published.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if m[2] == "k" {
		v *= 1000
	}
	return v, err == nil && v > 0
}

// publishedShort is a published rounding without its unit, which the column has: "~8 500",
// "~150k".
func publishedShort(s string) string {
	s = strings.TrimSpace(s)
	if m := published.FindStringSubmatch(s); m != nil && m[2] == "" {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return "~" + metric.Count(n)
		}
	}
	if i := strings.IndexByte(s, ' '); i > 0 {
		s = s[:i]
	}
	return s
}

// publishedUnit is the unit of a published text, "t/s", in the words of this site.
func publishedUnit(s, base string) string {
	if _, rest, ok := strings.Cut(strings.TrimSpace(s), " "); ok && strings.HasPrefix(rest, "t/s") {
		return "tok/s"
	}
	return base
}

// itoa is a whole number in digits.
func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// looksAs reports whether readers see two numbers as one: where the best of a column is bold, so is what equals it in
// the digits that are shown.
func looksAs(a, b float64) bool { return metric.Format(a) == metric.Format(b) }
