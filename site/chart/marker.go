package chart

import "math"

// strokeMarker is the marker that is made of strokes, the cross: it cannot be filled.
const strokeMarker = 6

// shapes are the corners of the markers that are polygons, around 0, 0, where a circle as large
// has the radius 1000.
var shapes = [maxSeries + 1][]int{
	2: {-890, -890, 890, -890, 890, 890, -890, 890},
	3: {0, -1190, 1150, 900, -1150, 900},
	4: {0, -1270, 1180, 0, 0, 1270, -1180, 0},
	5: {0, 1190, 1150, -900, -1150, -900},
	// A plus, thick enough to be told from the cross.
	7: {-420, -1180, 420, -1180, 420, -420, 1180, -420, 1180, 420, 420, 420,
		420, 1180, -420, 1180, -420, 420, -1180, 420, -1180, -420, -420, -420},
	8: regular(10, 1180, 520), // a star
	9: regular(5, 1120, 1120), // a pentagon
}

// starScale is what the corners of the star, marker 8, are divided by.
const starScale = 900

// regular are n corners at even angles, in turns at the two distances.
func regular(n int, outer, inner float64) []int {
	var out []int
	for i := range n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		a := 2 * math.Pi * float64(i) / float64(n)
		out = append(out, int(math.Round(r*math.Sin(a))), int(math.Round(-r*math.Cos(a))))
	}
	return out
}

// crossed draws the mark of a value that cannot be believed: a hollow box with a cross.
func crossed(p pen, x, y int) {
	const r = 40
	p.move(x-r, y-r)
	p.to(x+r, y-r)
	p.to(x+r, y+r)
	p.to(x-r, y+r)
	p.shut()
	p.move(x-r, y-r)
	p.to(x+r, y+r)
	p.move(x+r, y-r)
	p.to(x-r, y+r)
	p.paint("mk ho")
}

// marker draws a mark around (x, y); r is the radius of a circle as large.
func marker(p pen, class string, m, x, y, r int) {
	switch {
	case m == strokeMarker:
		d := r * 85 / 100
		p.move(x-d, y-d)
		p.to(x+d, y+d)
		p.move(x+d, y-d)
		p.to(x-d, y+d)
		p.paint(class)
	case m < 1 || m > maxSeries || shapes[m] == nil:
		p.circle(class, r, x, y)
	default:
		scale := 1000
		if m == 8 {
			scale = starScale
		}
		xy := make([]int, len(shapes[m]))
		for i := range xy {
			xy[i] = [2]int{x, y}[i%2] + round(shapes[m][i]*r, scale)
		}
		polygon(p, class, xy...)
	}
}
