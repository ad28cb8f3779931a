package normalize

import (
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/record"
)

// started is the canonical form of a date text: "2025-04-24T22:55:17", with a zone only where
// one is recorded, and no more digits than are recorded. "" where the text is no date, and where it is
// one of a year in which nothing was measured.
func started(text string) string {
	if y, ok := plainDate(text); ok {
		if !record.PossibleYear(y) {
			return ""
		}
		return text[:4] + "-" + text[4:6] + "-" + text[6:8] + "T" + text[9:11] + ":" + text[11:13] + ":" + text[13:]
	}
	t, layout, ok := record.ParseDate(text)
	if !ok || !record.PossibleYear(t.Year()) {
		return ""
	}
	return t.Format(layout)
}

// year is that of a date text; ok is false where the text is no date.
func year(text string) (y int, ok bool) {
	if y, ok := plainDate(text); ok {
		return y, ok
	}
	t, _, ok := record.ParseDate(text)
	return t.Year(), ok
}

// plainDate is the year of a date such as "20250326-134350", which most tools write: a file has one a record. Ok is false
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

// moment is a date text as a point in time; zoned says that it names its zone. ok is false for a text that
// does not say the second.
func moment(text string) (t time.Time, zoned, ok bool) {
	t, layout, _ := record.ParseDate(text)
	return t, strings.Contains(layout, "Z") || layout != "" &&
		strings.HasSuffix(strings.TrimSpace(text), "Z"), strings.Contains(layout, ":05")
}

// zones is how far apart two clocks of one moment are at most: one of two shows UTC, and no other is more than
// fourteen hours off it. Dates that say the second and are further apart are of two starts.
const zones = 15 * time.Hour

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
	if (!xz || !yz) && d < zones {
		const zone = 30 * time.Minute
		d = (d + zone/2) % zone
		d = (d - zone/2).Abs()
	}
	return d < time.Second
}

// unreadable reports whether a text is there that is no date: it is of one start with the same text alone.
func unreadable(text string) bool { return text != "" && started(text) == "" }

// dated reports whether a date text says the second.
func dated(text string) bool {
	_, _, ok := moment(text)
	return ok
}
