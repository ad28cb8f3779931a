package chart

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Ladder is what a program that draws charts elsewhere, such as the script of the page that compares runs, needs to
// draw the axes and marks of this package without computing them: the first of a list that reaches its values.
type Ladder struct {
	// Linear are the axes from zero that end at a tick, in ascending order, each as a row: where it ends, what its
	// title adds to the unit, and the labels of its ticks, which lie evenly.
	Linear [][]any `json:"linear"`
	// Log are the ends and ticks of logarithmic axes with their labels, three a decade beginning with its first.
	Log [][2]any `json:"log"`
	// LogAbove is how many times the smallest value the largest is where the axis is logarithmic.
	LogAbove float64 `json:"logAbove"`
	// Marks are those of the series by place, as SVG paths that begin at their middle: one of the usual size, one
	// that is small, and its class.
	Marks [][3]string `json:"marks"`
}

// What the axes of a ladder reach: numbers in the units of pages lie well within.
const (
	ladderFrom = 1e-4
	ladderTo   = 1e10
)

// NewLadder makes the ladder with the marks of the first some series.
func NewLadder(marks int) Ladder {
	l := Ladder{LogAbove: logAbove}
	for top := ladderFrom; top <= ladderTo; {
		s := &scale{kind: Linear}
		s.linear(0, top, false, mostIntervals, true)
		row := []any{metric.Round12(s.max), labelTicks(s, nil)}
		for _, t := range s.ticks {
			row = append(row, t.label)
		}
		l.Linear = append(l.Linear, row)
		top = s.max * (1 + 1e-6)
	}
	for e := math.Log10(ladderFrom); e <= math.Log10(ladderTo); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := metric.Round12(m * math.Pow(10, e))
			l.Log = append(l.Log, [2]any{v, exactTick(v)})
		}
	}
	for slot := 1; slot <= marks; slot++ {
		class := "mk"
		if slot == strokeMarker {
			class = "mk x"
		}
		var size [2]string
		for i, r := range []int{markRadius, smallMark} {
			p := &pathPen{}
			marker(p, class, slot, 0, 0, r)
			size[i] = p.d
		}
		l.Marks = append(l.Marks, [3]string{size[0], size[1], class})
	}
	return l
}

// pathPen writes one shape as a path relative to where it begins.
type pathPen struct {
	pen  // what marks do not need
	d    string
	x, y int
}

func (p *pathPen) step(verb string, x, y int) {
	p.d += fmt.Sprintf("%s%g %g", verb, float64(x-p.x)/px, float64(y-p.y)/px)
	p.x, p.y = x, y
}

func (p *pathPen) move(x, y int) { p.step("m", x, y) }
func (p *pathPen) to(x, y int)   { p.step("l", x, y) }
func (p *pathPen) shut()         { p.d += "z" }
func (p *pathPen) paint(string)  {}

func (p *pathPen) circle(_ string, radius, x, y int) {
	r := float64(radius) / px
	p.step("m", x-radius, y)
	p.d += fmt.Sprintf("a%g %g 0 1 0 %g 0a%g %g 0 1 0 %g 0z", r, r, 2*r, r, r, -2*r)
}
