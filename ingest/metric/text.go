package metric

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// Characters that numbers are written with.
const (
	// ThinSpace, U+202F, parts thousands and stands between a number and its unit: narrow, and
	// no line is broken at it.
	ThinSpace = "\u202f"
	// Minus, U+2212, is the sign of negative numbers.
	Minus = "\u2212"
)

// Format writes a measured number for readers: three significant digits, thousands parted by a
// narrow no-break space, never an exponent. Below 0.001 it is "< 0.001". NaN, which is missing,
// is the empty text; infinity is "inf".
//
// Numbers that are not measured (specifications, settings, counts) are written with [Exact] or
// [Count], which add no digits: 80 is "80" there and "80.0" here.
func Format(v float64) string { return format(v, 3) }

// format is Format with a number of significant digits.
func format(v float64, digits int) string {
	if s, is := special(v, Minus); is {
		return s
	}
	switch {
	case v > 0 && v < 0.001:
		return "< 0.001"
	case v < 0 && v > -0.001:
		return "> " + Minus + "0.001"
	}
	// Rounding first decides the number of digits before the point: 999.6 is "1 000".
	mantissa, exp := rounded(v, digits)
	s := shift(mantissa, exp+1)
	if v < 0 {
		s = Minus + s
	}
	return Parted(s)
}

// rounded are so many significant digits of a number, which is not 0, and the exponent of the first of them. This is the
// one place that rounds for readers: the decimal that people would write, so that 6165 ms and 6.165 s round to the
// same digits, and halves away from zero. number.ts has the same rule.
func rounded(v float64, digits int) (mantissa string, exp int) {
	if digits <= 12 {
		v = Round12(v)
	}
	e := strconv.FormatFloat(math.Abs(v), 'e', -1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ = strconv.Atoi(e[i+1:])
	mantissa = strings.Replace(e[:i], ".", "", 1)
	if len(mantissa) <= digits {
		return mantissa + strings.Repeat("0", digits-len(mantissa)), exp
	}
	kept := []byte("0" + mantissa[:digits]) // of which none is kept where digits is 0
	if mantissa[digits] >= '5' {
		j := digits
		for ; kept[j] == '9'; j-- {
			kept[j] = '0'
		}
		kept[j]++
	}
	if kept[0] != '0' {
		return string(kept[:max(digits, 1)]), exp + 1
	}
	return string(kept[1:]), exp
}

// Decimals writes a number with so many digits behind the point, rounded as all numbers for readers are.
func Decimals(v float64, decimals int) string {
	if s, is := special(v, Minus); is && v != 0 {
		return s
	}
	digits := "0"
	if exp := exponent(v); v != 0 && exp+1+decimals >= 0 {
		mantissa, exp := rounded(v, exp+1+decimals)
		digits = shift(mantissa, exp+1)
	}
	whole, behind, _ := strings.Cut(digits, ".")
	if behind = (behind + strings.Repeat("0", decimals))[:decimals]; behind != "" {
		whole += "." + behind
	}
	if v < 0 && strings.Trim(whole, "0.") != "" {
		whole = Minus + whole
	}
	return Parted(whole)
}

// exponent is that of the first digit of a number.
func exponent(v float64) int {
	_, exp := rounded(v, 17)
	return exp
}

// shift puts the decimal point into a row of digits: behind the first n of them, with zeros
// where there are none.
func shift(digits string, n int) string {
	switch {
	case n <= 0:
		return "0." + strings.Repeat("0", -n) + digits
	case n >= len(digits):
		return digits + strings.Repeat("0", n-len(digits))
	}
	return digits[:n] + "." + digits[n:]
}

// Deviation writes a mean and its standard deviation, which sets the decimals of both: two of its digits where they
// are 35 or less, else one. There are no more decimals than two, or than the mean needs for three digits.
func Deviation(mean, std float64) (meanText, stdText string) {
	exponent := func(v float64, digits int) int { // of v once it is rounded to digits
		_, exp := rounded(v, digits)
		return exp
	}
	decimals := max(2, 2-exponent(mean, 3))
	if std > 0 {
		exp, wanted := exponent(std, 2), 0
		if std/math.Pow10(exp) >= 3.55 {
			wanted = -exponent(std, 1)
		} else {
			wanted = 1 - exp
		}
		decimals = min(decimals, max(0, wanted))
	}
	return Decimals(mean, decimals), Decimals(std, decimals)
}

// Parted parts the whole digits of a decimal into groups of three, from 1000 on: what [Exact] writes becomes what
// people read. Other texts, such as "inf", stay as they are.
func Parted(s string) string {
	start := 0
	if strings.HasPrefix(s, Minus) {
		start = len(Minus)
	}
	end := strings.IndexByte(s, '.')
	if end < 0 {
		end = len(s)
	}
	if end-start <= 3 || s[start] < '0' || s[start] > '9' {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:start])
	for i := start; i < end; i++ {
		if i > start && (end-i)%3 == 0 {
			b.WriteString(ThinSpace)
		}
		b.WriteByte(s[i])
	}
	b.WriteString(s[end:])
	return b.String()
}

// Column writes the numbers of one column of a printed table, where no title has the exact ones: three significant
// digits, and more only where different values would otherwise look the same. A nil number is missing and gives the
// empty text. Pages write every number with [Format], so that it looks the same wherever it stands.
func Column(values []*float64) []string { return column(values, Format) }

// column is [Column] with what writes a number that differs from all others.
func column(values []*float64, write func(float64) string) []string {
	texts := make([]string, len(values))
	digits := make([]int, len(values))
	for i, v := range values {
		if v != nil {
			digits[i] = 3
			texts[i] = write(*v)
		}
	}
	// With more digits a number can meet another that stood elsewhere before, so this repeats
	// until nothing changes; 17 digits tell all numbers apart.
	for {
		same := map[string][]int{}
		for i, v := range values {
			if v != nil {
				same[texts[i]] = append(same[texts[i]], i)
			}
		}
		changed := false
		for _, group := range same {
			if !differ(values, group) {
				continue
			}
			for _, i := range group {
				if digits[i] < 17 && math.Abs(*values[i]) >= 0.001 {
					digits[i]++
					texts[i] = format(*values[i], digits[i])
					changed = true
				}
			}
		}
		if !changed {
			return texts
		}
	}
}

// differ reports whether the values of a group are not all equal.
func differ(values []*float64, group []int) bool {
	for _, i := range group[1:] {
		if *values[i] != *values[group[0]] {
			return true
		}
	}
	return false
}

// Rough is a number with two digits, or without decimals where it is large: for sentences about what cannot be.
func Rough(v float64) string {
	if v > 10 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// Exact is the shortest decimal that reads back to the same float64, without exponent and
// without parted thousands: for titles, data tables, CSV and JSON. NaN is the empty text.
func Exact(v float64) string {
	if s, is := special(v, "-"); is {
		return s
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Chosen writes a number that somebody chose, such as a limit or a load: for readers, with all its digits and no more.
func Chosen(v float64) string { return Parted(Exact(Round12(v))) }

// special writes what has no digits to be rounded: NaN, infinity and zero, which has no sign.
func special(v float64, minus string) (text string, is bool) {
	switch {
	case math.IsNaN(v):
		return "", true
	case math.IsInf(v, 1):
		return "inf", true
	case math.IsInf(v, -1):
		return minus + "inf", true
	}
	return "0", v == 0
}

// Round rounds a computed number to 12 significant digits: the last bits differ between processors, because some
// multiply and add in one step.
func Round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Count writes a whole number that was counted: all of its digits, thousands parted.
func Count[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	if n < 0 {
		s = Minus + s[1:]
	}
	return Parted(s)
}

// Plural writes a count with its noun: "1 run", "2 runs". The plural is the noun with an s where many
// does not say it: "1 value is", "2 values are".
func Plural[N int | int64](n N, one string, many ...string) string {
	return Count(n) + " " + Noun(n, one, many...)
}

// Noun is the form of a noun, or of a verb, behind a number: "run" behind 1, "runs" behind 2.
func Noun[N int | int64 | float64](n N, one string, many ...string) string {
	switch {
	case n == 1:
		return one
	case len(many) > 0:
		return many[0]
	}
	return one + "s"
}

// FullStop makes a clause a sentence: it ends with a full stop where it has no end yet.
func FullStop(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// Percent writes a fraction as a percentage: 0.9057 is "90.6 %", 0.0058 is "0.58 %".
func Percent(fraction float64) string {
	if math.IsNaN(fraction) {
		return ""
	}
	return percent(Round12(fraction*100)) + ThinSpace + Percents
}

// percent writes a number of per cent: two decimals below one, where more would be digits that no run repeats.
func percent(p float64) string {
	if size := math.Abs(p); size >= .01 && size < 1 {
		return Decimals(p, 2)
	}
	return Format(p)
}

// Change writes a relative difference with its sign: 0.052 is "+5.20 %", -1 is "−100 %".
func Change(fraction float64) string {
	if fraction > 0 {
		return "+" + Percent(fraction)
	}
	return Percent(fraction)
}

// Ratio writes how many times one number is another: 1.78 is "1.78×".
func Ratio(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return Format(v) + "×"
}

// Round12 rounds a computed number to 12 significant digits. Processors differ in the last bits
// of a sum of products; what is stored, compared or printed must not.
func Round12(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	// Never out of range: the largest float64 rounds down.
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 11, 64), 64)
	return r
}

// Scale is the unit one column is shown in. The zero Scale shows numbers as they are.
type Scale struct {
	// Unit is the name of the unit, for the head of the column.
	Unit string
	// pow is the power of ten that turns the base unit to Unit; over divides where the factor
	// is none (minutes). 0 is 1 for over.
	pow  int
	over float64
}

// Of turns a number from its base unit to the scale's.
func (s Scale) Of(v float64) float64 {
	switch {
	case s.over != 0:
		return Round12(v / s.over)
	case s.pow > 0:
		return Round12(v * math.Pow10(s.pow))
	case s.pow < 0:
		return Round12(v / math.Pow10(-s.pow))
	}
	return v
}

// Column is [Column] of numbers in base units, in the unit of the scale.
func (s Scale) Column(values []*float64) []string {
	scaled := make([]*float64, len(values))
	for i, v := range values {
		if v != nil {
			x := s.Of(*v)
			scaled[i] = &x
		}
	}
	if s.Unit == Percents {
		return column(scaled, percent)
	}
	return Column(scaled)
}

// Format is [Format] of a number in its base unit, in the unit of the scale; of a share as [Percent] writes it.
func (s Scale) Format(v float64) string {
	if s.Unit == Percents {
		return percent(s.Of(v))
	}
	return Format(s.Of(v))
}

// Exact is [Exact] of a number in its base unit, in the unit of the scale: a decimal as short as
// there is one that stands for the stored number. Where the source measured in this very unit,
// that is the number it wrote.
func (s Scale) Exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 || s.pow == 0 && s.over == 0 {
		return Exact(v)
	}
	if s.over != 0 {
		return Exact(s.Of(v))
	}
	// The digits of v with the point moved are always right; the product may be shorter, or
	// the one of several that were read.
	e := strconv.FormatFloat(math.Abs(v), 'e', -1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	moved := shift(strings.Replace(e[:i], ".", "", 1), exp+1+s.pow)
	if v < 0 {
		moved = "-" + moved
	}
	var product, back float64
	if s.pow > 0 {
		product = v * math.Pow10(s.pow)
		back = product / math.Pow10(s.pow)
	} else {
		product = v / math.Pow10(-s.pow)
		back = product * math.Pow10(-s.pow)
	}
	if t := Exact(product); back == v && len(t) <= len(moved) {
		return t
	}
	return moved
}

// Texts writes numbers in a base unit for a sentence: with the unit that they are shown in, and as many digits as
// tell different ones apart.
func Texts(base string, values ...float64) []string {
	ps := make([]*float64, len(values))
	for i := range values {
		ps[i] = &values[i]
	}
	scale := ScaleFor(base, ps)
	texts := scale.Column(ps)
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i] + " " + scale.Unit)
	}
	return texts
}

// scales are the units, besides itself, in which numbers of a base unit are shown.
var scales = []struct {
	base string
	Scale
}{
	{Fraction, Scale{Unit: "%", pow: 2}},
	{Seconds, Scale{Unit: "µs", pow: 6}}, {Seconds, Scale{Unit: "ms", pow: 3}}, {Seconds, Scale{Unit: "min", over: 60}},
	{Bytes, Scale{Unit: "GB", pow: -9}}, {Bytes, Scale{Unit: "MB", pow: -6}}, {Bytes, Scale{Unit: "kB", pow: -3}},
}

// ScaleIn shows numbers of a base unit in another, which is one that [ScaleFor] chooses; in the base unit where it is
// not.
func ScaleIn(base, unit string) Scale {
	for _, s := range scales {
		if s.base == base && s.Unit == unit {
			return s.Scale
		}
	}
	return Scale{Unit: base}
}

// ScaleFor chooses the one unit in which a column of a base unit is shown, from the column's
// median: seconds become ms or µs, or minutes from 10 of them on; fractions become percent; bytes
// become GB, MB or kB. Other units are shown as they are.
func ScaleFor(base string, values []*float64) Scale {
	var sizes []float64
	for _, v := range values {
		if v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) {
			sizes = append(sizes, math.Abs(*v))
		}
	}
	if base == Fraction {
		return ScaleIn(base, "%")
	}
	if len(sizes) == 0 {
		return Scale{Unit: base}
	}
	sort.Float64s(sizes)
	median := sizes[len(sizes)/2]
	switch {
	case base == Seconds && median < 1e-3:
		return ScaleIn(base, "µs")
	case base == Seconds && median < 1:
		return ScaleIn(base, "ms")
	case base == Seconds && median >= 600:
		return ScaleIn(base, "min")
	case base == Bytes && median >= 1e9:
		return ScaleIn(base, "GB")
	case base == Bytes && median >= 1e6:
		return ScaleIn(base, "MB")
	case base == Bytes && median >= 1e3:
		return ScaleIn(base, "kB")
	}
	return Scale{Unit: base}
}

// Clip shortens foreign text in the middle, where both ends tell things apart.
func Clip(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	half := (n - 1) / 2
	return string(rs[:half]) + "…" + string(rs[len(rs)-(n-1-half):])
}

// Enumerate joins words as a sentence does: "a, b and c".
func Enumerate(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// Thousands parts the digits of a whole number that a source wrote without.
func Thousands(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return Count(n)
	}
	return s
}
