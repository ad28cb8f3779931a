package chart

import "math"

// drawAxes draws grid, axes, ticks, their labels and titles.
func (pl *plot) drawAxes(p pen) {
	pl.drawGrid(p)
	for _, t := range pl.y.ticks {
		p.text("e", t.label, pl.left-7*px, pl.Y(t.v)+4*px)
	}
	if pl.title != "" {
		text(p, "", 0, pl.titleY, pl.title, 120, pl.w)
	}
	pl.drawX(p)
	// Labels stand below the last plot only.
	if pl.last {
		pl.labelX(p)
	}
}

// drawGrid draws a line at each tick of Y, a stronger one at zero.
func (pl *plot) drawGrid(p pen) {
	rows := func(class string, vs []float64) {
		for _, v := range vs {
			p.move(pl.left, pl.Y(v))
			p.to(pl.right, pl.Y(v))
		}
		p.paint(class)
	}
	var grid, zero []float64
	for _, t := range pl.y.ticks {
		switch {
		case pl.Y(t.v) >= pl.bottom: // the axis itself
		case t.v == 0 && !pl.y.log():
			zero = append(zero, t.v)
		default:
			grid = append(grid, t.v)
		}
	}
	rows("gr mi", pl.y.minor)
	rows("gr", grid)
	rows("bl", zero)
}

// drawX draws the X axis with its ticks, broken before inf.
func (pl *plot) drawX(p pen) {
	y := pl.bottom
	p.move(pl.left, y)
	if pl.x.infWidth > 0 && pl.x.infWidth < pl.x.domain {
		cut := pl.right - pl.x.infWidth - pl.x.infBreak
		p.to(cut-4*px, y)
		p.move(cut+4*px, y)
		p.to(pl.right, y)
		for _, x := range [2]int{cut - 4*px, cut + 4*px} {
			p.move(x-3*px, y+5*px)
			p.to(x+3*px, y-5*px)
		}
	} else {
		p.to(pl.right, y)
	}
	if pl.last && pl.x.groups == nil {
		for _, t := range pl.x.ticks {
			p.move(pl.X(t.v), y)
			p.to(pl.X(t.v), y+5*px)
		}
	}
	p.paint("bl")
}

// labelX writes the labels and the title of the X axis.
func (pl *plot) labelX(p pen) {
	for _, t := range pl.x.ticks {
		class, bold := "m", math.IsInf(t.v, 1)
		if bold {
			class = "th m"
		}
		pl.middle(p, class, t.label, pl.X(t.v), pl.bottom+17*px, textWidth(t.label, 120, bold))
	}
	if pl.xtitle != "" {
		short, full := cutTitle(pl.xtitle, 120, false, pl.w)
		p.label(full)
		pl.middle(p, "m", short, (pl.left+pl.right)/2, pl.bottom+36*px, textWidth(short, 120, false))
	}
}

// middle writes a text of width w with its middle at x, moved into the canvas.
func (f *frame) middle(p pen, class, s string, x, y, w int) {
	dx, _ := f.inside(textArea("m", x, y, w, 120))
	p.text(class, s, x+dx, y)
}
