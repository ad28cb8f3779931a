package chart

// A pen is what plots are drawn with, in whole tenths of a CSS pixel. The class of a path or a text
// alone says how it looks.
type pen interface {
	// begin opens a group in the colour of a slot, 0 without one; title may be empty.
	begin(slot int, title string)
	end()
	// named says which series the next group holds, for scripts; an empty name says nothing.
	named(series string)
	// label gives the next path or text a native title.
	label(title string)
	// move, to and shut build a path that paint draws.
	move(x, y int)
	to(x, y int)
	shut()
	paint(class string)
	circle(class string, radius, x, y int)
	// text writes one line with its baseline at y.
	text(class, s string, x, y int)
}

// px is one CSS pixel.
const px = 10

// follow adds a line through places to the path.
func follow(p pen, xy []int) {
	for i := 0; i+1 < len(xy); i += 2 {
		if i == 0 {
			p.move(xy[i], xy[i+1])
		} else {
			p.to(xy[i], xy[i+1])
		}
	}
}

// line draws a line through places.
func line(p pen, class string, xy ...int) {
	follow(p, xy)
	p.paint(class)
}

// polygon draws a closed shape through places.
func polygon(p pen, class string, xy ...int) {
	follow(p, xy)
	p.shut()
	p.paint(class)
}

func rect(p pen, class string, x0, y0, x1, y1 int) {
	polygon(p, class, x0, y0, x1, y0, x1, y1, x0, y1)
}

// bar adds a vertical line with caps of half width w to the path, without caps where w is 0.
func bar(p pen, x, y0, y1, w int) {
	p.move(x, y0)
	p.to(x, y1)
	if w == 0 {
		return
	}
	for _, y := range [2]int{y0, y1} {
		p.move(x-w, y)
		p.to(x+w, y)
	}
}

// text writes s cut to room, with the whole of it as title where it was cut.
func text(p pen, class string, x, y int, s string, size, room int) {
	short, full := cutTitle(s, size, false, room)
	p.label(full)
	p.text(class, short, x, y)
}

// anchored is a class with the place of a text's anchor: "e" for its end, "m" for its middle.
func anchored(class, anchor string) string {
	if anchor == "" {
		return class
	}
	return class + " " + anchor
}
