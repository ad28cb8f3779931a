package chart

import (
	"math"
	"time"
)

// What a Date axis takes, in seconds since 1970: the years 1 to 9999.
const (
	earliest = -62135596800
	latest   = 253402300799
)

func date(v float64) time.Time { return time.Unix(int64(math.Floor(v)), 0).UTC() }

// dateText writes a date for readers: the day, with the time where there is one.
func dateText(v float64) string {
	t := date(v)
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04")
}

// A dateStep is a distance of ticks: so many years, or months, or seconds.
type dateStep struct {
	years, months int
	seconds       int64
}

const day = 24 * 3600

var dateSteps = []dateStep{
	{seconds: 60}, {seconds: 300}, {seconds: 900}, {seconds: 1800},
	{seconds: 3600}, {seconds: 3 * 3600}, {seconds: 6 * 3600}, {seconds: 12 * 3600},
	{seconds: day}, {seconds: 2 * day}, {seconds: 7 * day},
	{months: 1}, {months: 2}, {months: 3}, {months: 6},
	{years: 1}, {years: 2}, {years: 5}, {years: 10}, {years: 20}, {years: 50},
	{years: 100}, {years: 200}, {years: 500}, {years: 1000}, {years: 5000},
}

// ticks gives the dates of a step from lo to hi, nil where they are more than n.
func (s dateStep) ticks(lo, hi float64, n int) []tick {
	var out []tick
	put := func(t time.Time) bool {
		v := float64(t.Unix())
		if v >= lo {
			out = append(out, tick{v: v})
		}
		return len(out) <= n
	}
	first, last := date(lo), date(hi)
	switch {
	case s.seconds > 0:
		if (hi-lo)/float64(s.seconds) > float64(n)+1 {
			return nil
		}
		const monday = 4 * day // 1970-01-05
		at := int64(math.Ceil((lo-monday)/float64(s.seconds)))*s.seconds + monday
		for ; float64(at) <= hi; at += s.seconds {
			if !put(time.Unix(at, 0)) {
				return nil
			}
		}
	default:
		y, m := first.Year(), 1
		if s.years > 0 {
			y -= y % s.years
		}
		for y <= last.Year() {
			t := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
			if t.After(last) {
				break
			}
			if y > 0 && !put(t) {
				return nil
			}
			if m += s.months; m > 12 || s.years > 0 {
				y, m = y+max(1, s.years), 1
			}
		}
	}
	return out
}

// dateAxis makes the scale of an axis of dates with at most room ticks.
func dateAxis(a *Axis, e extent, domain, room int) *scale {
	s := &scale{kind: Linear, domain: domain, min: e.lo, max: e.hi}
	if a.Max != nil && *a.Max >= earliest && *a.Max <= latest {
		s.max = *a.Max
	}
	if !(s.max > s.min) {
		// One date: the day before and the day after, with the date itself as tick.
		s.ticks = []tick{{v: s.min}}
		s.min, s.max = s.min-day, s.min+day
		return s
	}
	for _, step := range dateSteps {
		if s.ticks = step.ticks(s.min, s.max, min(room, 9)); s.ticks != nil {
			break
		}
	}
	if len(s.ticks) < 2 { // what is measured lies between two round dates
		s.ticks = []tick{{v: s.min}, {v: s.max}}
	}
	return s
}

// labelDates writes years, months or days; the month says its year where that is new, so does the
// day.
func labelDates(ticks []tick) {
	years, months, days := true, true, true
	for _, k := range ticks {
		t := date(k.v)
		midnight := t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0
		days = days && midnight
		months = months && midnight && t.Day() == 1
		years = years && midnight && t.YearDay() == 1
	}
	last := time.Time{}
	for i := range ticks {
		t := date(ticks[i].v)
		format := "15:04"
		switch {
		case years && len(ticks) > 1:
			format = "2006"
		case months && len(ticks) > 1 && (i == 0 || t.Year() != last.Year()):
			format = "Jan 2006"
		case months && len(ticks) > 1:
			format = "Jan"
		case i == 0 || t.Year() != last.Year():
			format = "2 Jan 2006"
		case t.YearDay() != last.YearDay() || days:
			format = "2 Jan"
		}
		ticks[i].label = t.Format(format)
		last = t
	}
}
