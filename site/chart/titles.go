package chart

import (
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// suspectWords say what a crossed mark is.
const suspectWords = "suspect: see findings"

// nameRoom is what a name takes at most in titles and data attributes, which are not drawn.
const nameRoom = 320 * px

// seriesRoom is the same for the name of a series. Keys have it whole, and scripts find the series by it: so it is cut
// only where it is longer than anything a tool names a run by.
const seriesRoom = 3 * nameRoom

// shortName is a clean name cut to nameRoom.
func shortName(s string) string {
	s, _ = cut(s, 12*px, false, nameRoom)
	return isolated(s)
}

// heading is the title of an axis with its unit, with what labels are divided by, and with the
// word that a scale is logarithmic.
func (a *Axis) heading(times string, log bool) string {
	t, u := clean(a.Title), clean(a.Unit)
	switch {
	case times != "" && u != "":
		u = times + " " + u
	case strings.HasSuffix(times, "illion"):
		u = times + "s"
	case times != "":
		u = times
	}
	switch {
	case t == "":
		t = u
	case u != "":
		t += ", " + u
	}
	if log {
		t += " (log scale)"
	}
	return t
}

// format writes a value without its unit, as digits does unless the axis has a format of its own or shares.
func (a *Axis) format(v float64, digits func(float64) string) string {
	switch {
	case a.Format != nil:
		digits = a.Format
	case a.Unit == "%" && math.Abs(v) < 1:
		return strings.TrimSuffix(percent(v), metric.ThinSpace+"%")
	}
	return clean(digits(v))
}

// value writes a value with its unit.
func (a *Axis) value(v float64, digits func(float64) string) string {
	s := a.format(v, digits)
	if u := clean(a.Unit); u != "" {
		return s + " " + u
	}
	return s
}

// number writes the value of a point.
func (a *Axis) number(p *Point) string {
	if p.Text != "" {
		return clean(p.Text)
	}
	return a.format(p.Y, number)
}

// withUnit writes the value of a point with its unit.
func (a *Axis) withUnit(p *Point) string {
	return strings.TrimSuffix(a.number(p)+" "+clean(a.Unit), " ")
}

// where writes a place on an X axis and what the words are that a sentence adds ("parallel
// requests"), which are the same for all places but for the plural.
func (a *Axis) where(v float64, digits func(float64) string) (value, words string) {
	switch {
	case math.IsInf(v, 1):
		return "inf", clean(a.Unit)
	case a.Names != nil:
		if i := int(v); v >= 0 && v < float64(len(a.Names)) && float64(i) == v {
			return shortName(clean(a.Names[i])), ""
		}
		return "", ""
	case a.Format == nil && a.Scale == Date && v >= earliest && v <= latest:
		return dateText(v), ""
	}
	value = a.format(v, digits)
	if a.Unit != "" {
		words = clean(a.Unit)
		if v == 1 {
			words = strings.Replace(words, "requests", "request", 1)
		}
		return value, words
	}
	if a.Title != "" && a.Format == nil {
		// "38 parallel requests", "1 parallel request": the title without what it says of the scale.
		words, _, _ = strings.Cut(clean(a.Title), " (")
		if v == 1 {
			words = strings.TrimSuffix(words, "s")
		}
		words, _ = cut(words, 12*px, false, 160*px)
	}
	return value, isolated(words)
}

// where is Axis.where of a point.
func (f *frame) where(p *Point) (value, words string) {
	if f.traits.valueX {
		return f.axis.where(p.X, number)
	}
	return f.axis.where(p.X, place)
}

// interval writes what the bar of a point spans.
func (pl *plot) interval(t *track, p *Point) string {
	if !p.ranged() {
		return ""
	}
	if t.s.Interval == Deviation {
		_, std := metric.Deviation(p.Y, (p.High-p.Low)/2)
		return "± " + std
	}
	return t.s.Interval.words() + " " + pl.p.Y.format(p.Low, number) + " to " + pl.p.Y.format(p.High, number)
}

// titleOf is the native tooltip of a point.
func (pl *plot) titleOf(t *track, p *Point) string {
	if p.Title != "" {
		return clean(p.Title)
	}
	x, words := pl.where(p)
	if words != "" {
		x += " " + words
	}
	more := ""
	if r := pl.interval(t, p); r != "" {
		more = " (" + r + ")"
	}
	if p.Hollow && pl.hollow != "" {
		more += "; " + clean(pl.hollow)
	}
	if p.Suspect {
		more += "; " + suspectWords
	}
	said := pl.traits.title(p, x, pl.p.Y.withUnit(p), more)
	if t.name != "" {
		said = t.said + ", " + said
	}
	return said
}

// say gives the mark that comes next its native title, which scripts make a tooltip of.
func (pl *plot) say(p pen, t *track, pt *Point) { p.label(pl.titleOf(t, pt)) }

// begin opens the group of a series.
func (t *track) begin(p pen, title string) {
	p.named(t.said)
	p.begin(t.slot, title)
}
