package normalize

import (
	"strings"
	"time"
)

// layouts of dates as benchmark tools write them, without a zone and with one.
var layouts = []struct {
	layout string
	to     string // canonical layout: no more than what was recorded
}{
	{"20060102-150405", "2006-01-02T15:04:05"},
	{"20060102_150405", "2006-01-02T15:04:05"},
	{"20060102T150405", "2006-01-02T15:04:05"},
	{"20060102T150405Z0700", "2006-01-02T15:04:05Z07:00"},
	{"2006-01-02, 15:04:05", "2006-01-02T15:04:05"},
	{"2006-01-02 15:04:05", "2006-01-02T15:04:05"},
	{"2006-01-02T15:04:05", "2006-01-02T15:04:05"},
	{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z07:00"},
	{"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07:00"},
	{"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00"},
	{"2006-01-02 15:04:05 Z0700", "2006-01-02T15:04:05Z07:00"},
	{"2006-01-02 15:04:05 UTC", "2006-01-02T15:04:05Z"},
	{"2006-01-02T15:04", "2006-01-02T15:04"},
	{"2006-01-02 15:04", "2006-01-02T15:04"},
	{"2006-01-02-15:04", "2006-01-02T15:04"},
	{"2006-01-02", "2006-01-02"},
	{"2006/01/02", "2006-01-02"},
	{"20060102", "2006-01-02"},
	{"January 2, 2006", "2006-01-02"},
	{"2 January 2006", "2006-01-02"},
	{"2006-01", "2006-01"},
}

// possible reports whether a language model can have been measured in a year: clocks that were never set say
// 1970, and some count from other years.
func possible(year int) bool { return year >= 2015 && year <= 2100 }

// started is the canonical form of a date text: "2025-04-24T22:55:17", with a zone only where
// one is recorded, and no more digits than are recorded. "" where the text is no date, and where it is
// one of a year in which nothing was measured.
func started(text string) string {
	if y, ok := plainDate(text); ok {
		if !possible(y) {
			return ""
		}
		return text[:4] + "-" + text[4:6] + "-" + text[6:8] + "T" + text[9:11] + ":" + text[11:13] + ":" + text[13:]
	}
	t, layout, ok := parseDate(text)
	if !ok || !possible(t.Year()) {
		return ""
	}
	return t.Format(layout)
}

// year is that of a date text; ok is false where the text is no date.
func year(text string) (y int, ok bool) {
	if y, ok := plainDate(text); ok {
		return y, ok
	}
	t, _, ok := parseDate(text)
	return t.Year(), ok
}

// plainDate is the year of a date in the first of layouts, which most tools write: a file has one a record. Ok is false
// for all others, and for the days of a month that not all months have.
func plainDate(text string) (year int, ok bool) {
	if len(text) != len("20060102-150405") || text[8] != '-' {
		return 0, false
	}
	two := func(i, least, most int) int {
		a, b := int(text[i])-'0', int(text[i+1])-'0'
		n := 10*a + b
		if ok = ok && a >= 0 && a <= 9 && b >= 0 && b <= 9 && n >= least && n <= most; !ok {
			return 0
		}
		return n
	}
	ok = true
	year = 100*two(0, 0, 99) + two(2, 0, 99)
	two(4, 1, 12)
	two(6, 1, 28)
	two(9, 0, 23)
	two(11, 0, 59)
	two(13, 0, 59)
	return year, ok
}

// parseDate reads a date text, and says how much of it is recorded.
func parseDate(text string) (t time.Time, layout string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "0123456789") {
		return time.Time{}, "", false
	}
	of := beginning(text)
	for _, l := range layouts {
		if beginning(l.layout) != of {
			continue // an error of Parse takes longer than all else
		}
		// Parse takes fractions of a second behind any seconds; they say nothing about a run.
		if t, err := time.Parse(l.layout, text); err == nil {
			return t, l.to, true
		}
	}
	return time.Time{}, "", false
}

// beginning is what follows the four digits of a year, '0' for a digit; 0 where a text does not begin so.
func beginning(text string) byte {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	if len(text) < 5 || !digit(text[0]) || !digit(text[1]) || !digit(text[2]) || !digit(text[3]) {
		return 0
	}
	if digit(text[4]) {
		return '0'
	}
	return text[4]
}

// moment is a date text as a point in time; zoned says that it names its zone. ok is false for a text that
// does not say the second.
func moment(text string) (t time.Time, zoned, ok bool) {
	t, layout, _ := parseDate(text)
	return t, strings.Contains(layout, "Z") || layout != "" &&
		strings.HasSuffix(strings.TrimSpace(text), "Z"), strings.Contains(layout, ":05")
}

// oneStart reports whether two date texts may be of one start: one is missing or says less, or less than
// a second lies between them. Clocks that name no zone may differ by whole hours.
func oneStart(a, b string) bool {
	if a == b || a == "" || b == "" {
		return true
	}
	x, xz, ok1 := moment(a)
	y, yz, ok2 := moment(b)
	if !ok1 || !ok2 {
		s, t := started(a), started(b)
		return s != "" && t != "" && (strings.HasPrefix(s, t) || strings.HasPrefix(t, s))
	}
	d := x.Sub(y).Abs()
	if (!xz || !yz) && d < 15*time.Hour {
		const zone = 30 * time.Minute
		d = (d + zone/2) % zone
		d = (d - zone/2).Abs()
	}
	return d < time.Second
}

// dated reports whether a date text says the second.
func dated(text string) bool {
	_, _, ok := moment(text)
	return ok
}
