package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

var inf = math.Inf(1)

// largest is the largest magnitude that is drawn, and one over it the smallest on a log axis: beyond,
// differences overflow.
const largest = 1e300

// usable says whether a value can be drawn on a linear axis.
func usable(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= largest }

// number writes a measured value for readers, in a bounded number of digits.
func number(v float64) string {
	if a := math.Abs(v); a >= 1e15 && !math.IsInf(a, 0) {
		return powerOfTen(v)
	}
	return metric.Format(v)
}

// place writes a value of an X axis: whole numbers, which loads are, with all their digits and no
// more.
func place(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return metric.Decimals(v, 0)
	}
	return number(v)
}

// percent writes a share, 0 to 100.
func percent(v float64) string { return metric.Percent(v / 100) }

var superscripts = strings.NewReplacer(
	"-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
)

// powerOfTen writes values too large or too small for digits, such as 3×10¹⁸.
func powerOfTen(v float64) string {
	e := int(math.Floor(math.Log10(math.Abs(v))))
	m := strconv.FormatFloat(math.Abs(v)/math.Pow(10, float64(e)), 'g', 3, 64)
	s := "10" + superscripts.Replace(strconv.Itoa(e))
	if m != "1" {
		s = m + "×" + s
	}
	if v < 0 {
		s = metric.Minus + s
	}
	return s
}

// exactTick writes a tick's value with the digits it needs.
func exactTick(v float64) string {
	a := math.Abs(v)
	if a != 0 && (a >= 1e13 || a < 1e-9) {
		return powerOfTen(v)
	}
	d := 0
	if s := strconv.FormatFloat(a, 'f', -1, 64); strings.Contains(s, ".") {
		d = min(len(s)-strings.IndexByte(s, '.')-1, 12)
	}
	return metric.Decimals(v, d)
}

// Seconds writes a time with its own unit: 0.1 is "100 ms". For ticks of a log axis whose Unit is
// empty.
func Seconds(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0" + metric.ThinSpace + "s"
	case a < 1e-6*0.9995:
		return place(metric.Round12(v*1e9)) + metric.ThinSpace + "ns"
	case a < 1e-3*0.9995:
		return place(metric.Round12(v*1e6)) + metric.ThinSpace + "µs"
	case a < 0.9995:
		return place(metric.Round12(v*1e3)) + metric.ThinSpace + "ms"
	}
	return place(v) + metric.ThinSpace + "s"
}
