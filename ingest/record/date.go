package record

import (
	"strings"
	"time"
)

// layouts of dates as benchmark tools and people write them, without a zone and with one.
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

// PossibleYear reports whether a language model can have been measured in a year: clocks that were never set say
// 1970, and some count from other years.
func PossibleYear(year int) bool { return year >= 2015 && year <= 2100 }

// ParseDate reads a date text. The layout says how much of it is recorded: it has seconds and a zone only where the
// text has them.
func ParseDate(text string) (t time.Time, layout string, ok bool) {
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
