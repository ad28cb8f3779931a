package chart

import (
	"io"
	"slices"
)

// Kept is what became of a limit at a load.
type Kept uint8

// What a cell of a [Strip] shows, each told from the others without colour.
const (
	NotRun    Kept = iota // a dot: the load was not measured here
	Keeps                 // filled
	Breaks                // crossed
	NotJudged             // dotted: what the limit is of is not recorded
)

// Strip is what became of limits at each load: a column a load, a lane a limit.
type Strip struct {
	Loads []string // what each column is called
	Lanes [][]Kept // parallel to Loads
	// Answer is the column that is outlined, −1 for none, and Over the one whose load is named as well, −1 for none.
	Answer, Over int
	// Label says in words what the strip shows, "" where the words stand beside it.
	Label string
}

// The measures of a strip in CSS pixels.
const (
	stripWidth  = 200 // at most, of all columns
	stripColumn = 12  // at most
	stripLane   = 7
	stripText   = 13
)

// MostStripLoads is how many loads a strip has room for.
const MostStripLoads = stripWidth / 4

// Write writes the strip as a drawing for a table cell: in the colour of the first slot, with its loads below.
func (s Strip) Write(w io.Writer) error {
	n := len(s.Loads)
	if n == 0 || len(s.Lanes) == 0 {
		return nil
	}
	column := min(stripColumn, stripWidth/n) * px
	high := len(s.Lanes) * (stripLane + 1) * px
	named := s.named(column)
	height := high/px + 3
	if s.Loads[0] != "" {
		height += stripText
	}
	return cellDrawing(w, "bar strip", s.Label, n*column/px+4, height, 1, func(p *svgPen) {
		for _, state := range []struct {
			of    Kept
			class string
			draw  func(x0, y0, x1, y1 int)
		}{
			{Keeps, "fillb", func(x0, y0, x1, y1 int) {
				follow(p, []int{x0, y0, x1, y0, x1, y1, x0, y1})
				p.shut()
			}},
			{Breaks, "bl", func(x0, y0, x1, y1 int) {
				follow(p, []int{x0, y0, x1, y0, x1, y1, x0, y1})
				p.shut()
				follow(p, []int{x0, y1, x1, y0})
			}},
			{NotJudged, "ud", func(x0, y0, x1, y1 int) {
				follow(p, []int{x0, y0, x1, y0, x1, y1, x0, y1})
				p.shut()
			}},
			{NotRun, "bn", func(x0, y0, x1, y1 int) {
				x, y := (x0+x1)/2, (y0+y1)/2
				follow(p, []int{x - px, y - px, x + px, y - px, x + px, y + px, x - px, y + px})
				p.shut()
			}},
		} {
			for l, lane := range s.Lanes {
				y := 2*px + l*(stripLane+1)*px
				for i, of := range lane {
					if of == state.of {
						state.draw(2*px+i*column, y, 2*px+(i+1)*column-px, y+stripLane*px)
					}
				}
			}
			p.paint(state.class)
		}
		if s.Answer >= 0 {
			rect(p, "wh", px/2+s.Answer*column, px/2, 2*px+(s.Answer+1)*column+px/2, high+2*px-px/2)
		}
		for _, i := range named {
			class := "rt m"
			if i == s.Answer {
				class = "ra m"
			}
			p.text(class, s.Loads[i], s.place(i, column), high+stripText*px)
		}
	})
}

// place is the middle of the name of a column, moved so that the name is within the strip.
func (s Strip) place(i, column int) int {
	half := textWidth(s.Loads[i], 110, i == s.Answer) / 2
	return max(half, min(2*px+i*column+column/2, 4*px+len(s.Loads)*column-half))
}

// named are the columns whose loads are written: the answer, what is over a limit, the first and the last, each where it
// has room.
func (s Strip) named(column int) (out []int) {
	meets := func(i, o int) bool {
		apart := s.place(i, column) - s.place(o, column)
		return max(apart, -apart) < (textWidth(s.Loads[i], 110, false)+textWidth(s.Loads[o], 110, true))/2+4*px
	}
	for _, i := range []int{s.Answer, s.Over, 0, len(s.Loads) - 1} {
		if i >= 0 && !slices.ContainsFunc(out, func(o int) bool { return meets(i, o) }) {
			out = append(out, i)
		}
	}
	return out
}
