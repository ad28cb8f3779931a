package claim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// number writes a rate with one more digit than three where that is how people quote it: below
// 1000 with one decimal.
func number(v float64) string {
	if v >= 100 && v < 999.95 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") // as the tables have it
	}
	return metric.Format(v)
}

// numbers writes two rates that stand against each other: with as many decimals as the smaller
// needs for three digits, and more digits where they would look the same and are not.
func numbers(a, b float64) (string, string) {
	if x, y := number(a), number(b); a == b || x != y {
		return x, y
	}
	texts := metric.Column([]*float64{&a, &b})
	return texts[0], texts[1]
}

// times writes two times that stand against each other, the longer first: in one unit, with the
// decimals that the shorter one needs for three digits, "645.9 ms" and "90.4 ms". Where they lie
// too far apart for one unit each has its own.
func times(long, short float64) (string, string) {
	factor, name := 1.0, "s"
	switch {
	case long < 0.001:
		factor, name = 1e6, "µs"
	case long < 1:
		factor, name = 1e3, "ms"
	}
	l, s := long*factor, short*factor
	if s <= 0 || s < 1 && name != "s" || s < 0.1 || l >= 1000 {
		return figure.Seconds(long), figure.Seconds(short)
	}
	// Rounding first decides: 9.996 is "10.0".
	e := strconv.FormatFloat(s, 'e', 2, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	decimals := max(2-exp, 0)
	write := func(v float64) string { return fmt.Sprintf("%.*f\u202f%s", decimals, v, name) }
	return write(l), write(s)
}
