package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// describe writes the numbers of each series for readers who do not see them: the first, the
// highest and the last.
func (points) describe(x *Axis, panels []Panel) string {
	return describeEach(panels, func(y *Axis, s *Series) string {
		list := byX(s.Points)
		if len(list) == 0 {
			return ""
		}
		first, last := list[0], list[len(list)-1]
		high := slices.MaxFunc(list, func(a, b Point) int { return cmp.Compare(a.Y, b.Y) })
		at := func(p Point, value string) string {
			where, _ := x.where(p.X, place)
			return value + x.preposition() + where
		}
		where, words := x.where(first.X, place)
		begin := strings.TrimSpace(y.withUnit(&first) + x.preposition() + where + " " + words)
		end := at(last, y.number(&last))
		switch {
		case len(list) == 1:
			return begin
		case high.Y == first.Y:
			return "first and highest " + begin + ", last " + end
		case high.Y == last.Y:
			return "first " + begin + ", last and highest " + end
		}
		return "first " + begin + ", highest " + at(high, y.number(&high)) + ", last " + end
	})
}

// describeEach writes a sentence a series, which begins with the name of the panel, where there are
// several, and of the series. A series of which there is nothing to say is left out.
func describeEach(panels []Panel, describe func(y *Axis, s *Series) string) string {
	var out []string
	for i := range panels {
		p := &panels[i]
		for _, s := range p.shown() {
			said := describe(&p.Y, &s)
			if said == "" {
				continue
			}
			name := clean(s.Name)
			if title := clean(p.Y.Title); len(panels) > 1 &&
				!strings.HasPrefix(strings.ToLower(name), strings.ToLower(title)) {
				name = strings.TrimSuffix(title+", "+name, ", ")
			}
			if name != "" {
				said = isolated(name) + ": " + said
			}
			out = append(out, said+".")
		}
	}
	return strings.Join(out, " ")
}

// byX are the points that have a place and a value that is believed, in ascending X.
func byX(list []Point) []Point {
	lost := func(p Point) bool { return p.Suspect || !usable(p.Y) || math.IsNaN(p.X) || math.IsInf(p.X, -1) }
	list = slices.DeleteFunc(slices.Clone(list), lost)
	slices.SortStableFunc(list, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return list
}

// preposition stands before a place on the axis: on a date, at a load.
func (a *Axis) preposition() string {
	if a.Scale == Date {
		return " on "
	}
	return " at "
}
