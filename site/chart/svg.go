package chart

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// svgPen writes SVG with classes.
type svgPen struct {
	b      bytes.Buffer
	title  string
	series string // what the next group is the series of
	path   []byte
	op     byte // last command in path, for what may be left out
	x, y   int  // current place
	sx, sy int  // start of the subpath
	ox, oy int  // start of the path
	rest   int  // where in path what follows its start begins
	// run are marks of a class that a file has no titles of, which are one path.
	run    []byte
	class  string // that of run
	rx, ry int    // current place in run
	used   usage  // by a self-contained drawing
	// texts are written together: labels of a row or a column share what they have in common.
	texts []label
	// marks are the series and titles of the marks so far, and unsaid counts marks of a series without a title. A quiet
	// drawing leaves both out: the one beside it says them.
	marks  []string
	unsaid int
	open   bool // the group of a series is
	quiet  bool
	whole  bytes.Buffer // the drawing with what stands around it
}

// pens are used again with what they have grown to: a page has several drawings.
var pens = sync.Pool{New: func() any { return new(svgPen) }}

// newPen is a pen of pens that has drawn nothing.
func newPen() *svgPen {
	p := pens.Get().(*svgPen)
	p.renew()
	return p
}

// renew forgets what was drawn, but for marks that another drawing is held against.
func (p *svgPen) renew() {
	p.b.Reset()
	p.whole.Reset()
	*p = svgPen{b: p.b, whole: p.whole, path: p.path[:0], texts: p.texts[:0]}
}

// label is a text that waits for its neighbours.
type label struct {
	class, text, title string
	x, y               int
}

func (p *svgPen) label(t string) { p.title = t }

func (p *svgPen) named(series string) {
	if !p.file() { // no script reads a drawing of its own
		p.series = series
	}
}

// attribute writes an attribute of an element.
func attribute(b *bytes.Buffer, name, value string) {
	b.WriteByte(' ')
	b.WriteString(name)
	b.WriteString(`="`)
	escape(b, value)
	b.WriteByte('"')
}

// bare writes an attribute whose value is words of letters and digits: HTML asks for no quotation marks around one word,
// XML does, and the drawings of a page have thousands.
func bare(b *bytes.Buffer, name, value string) {
	if strings.Contains(value, " ") {
		attribute(b, name, value)
		return
	}
	b.WriteByte(' ')
	b.WriteString(name)
	b.WriteByte('=')
	b.WriteString(value)
}

// words writes an attribute as bare does where the drawing is part of a page.
func (p *svgPen) words(name, value string) {
	if p.file() {
		attribute(&p.b, name, value)
	} else {
		bare(&p.b, name, value)
	}
}

// file says whether the drawing becomes a file of its own, which is XML, and not a part of a page.
func (p *svgPen) file() bool { return p.used.classes != nil }

// element writes an element with nothing but text.
func element(b *bytes.Buffer, name, text string) {
	b.WriteString("<" + name + ">")
	escape(b, text)
	b.WriteString("</" + name + ">")
}

// appendTenths writes n tenths as a number with at most one decimal.
func appendTenths(b []byte, n int) []byte {
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	if n >= 10 || n == 0 {
		b = strconv.AppendInt(b, int64(n/10), 10)
	}
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}

// arg writes a number of a path, with a separator where one is needed.
func (p *svgPen) arg(n int, first bool) { p.path = appendArg(p.path, n, first) }

func appendArg(b []byte, n int, first bool) []byte {
	if !first && n >= 0 {
		b = append(b, ' ')
	}
	return appendTenths(b, n)
}

func (p *svgPen) move(x, y int) {
	dx, dy := x, y
	if len(p.path) == 0 {
		p.path = append(p.path, 'M')
	} else {
		p.path = append(p.path, 'm')
		dx, dy = x-p.x, y-p.y
	}
	first := len(p.path) == 1
	p.arg(dx, true)
	p.arg(dy, false)
	if first {
		p.ox, p.oy, p.rest = x, y, len(p.path)
	}
	p.op = 0
	p.x, p.y, p.sx, p.sy = x, y, x, y
}

func (p *svgPen) to(x, y int) {
	if len(p.path) == 0 {
		p.move(x, y)
		return
	}
	dx, dy := x-p.x, y-p.y
	cmd := byte('l')
	switch {
	case dy == 0:
		cmd = 'h'
	case dx == 0:
		cmd = 'v'
	}
	first := p.op != cmd
	if first {
		p.path = append(p.path, cmd)
		p.op = cmd
	}
	switch cmd {
	case 'h':
		p.arg(dx, first)
	case 'v':
		p.arg(dy, first)
	default:
		p.arg(dx, first)
		p.arg(dy, false)
	}
	p.x, p.y = x, y
}

func (p *svgPen) shut() {
	p.path = append(p.path, 'z')
	p.op = 0
	p.x, p.y = p.sx, p.sy
}

func (p *svgPen) paint(class string) {
	switch {
	case len(p.path) == 0:
	case p.file() && p.quiet && strings.HasPrefix(class, "mk"):
		p.used.class(class)
		p.join(class)
	default:
		p.used.class(class)
		p.flush()
		p.b.WriteString("<path")
		p.words("class", class)
		p.b.WriteString(` d="`)
		p.b.Write(p.path)
		p.b.WriteByte('"')
		p.closeShape("path", class)
	}
	p.path = p.path[:0]
	p.op = 0
	p.title = ""
}

// join adds the path to those of marks of the same class, which follow one another.
func (p *svgPen) join(class string) {
	if class != p.class || len(p.texts) > 0 {
		p.flush()
		p.class = class
	}
	if len(p.run) == 0 {
		p.run = append(p.run, p.path...)
	} else {
		p.run = appendArg(append(p.run, 'm'), p.ox-p.rx, true)
		p.run = append(appendArg(p.run, p.oy-p.ry, false), p.path[p.rest:]...)
	}
	p.rx, p.ry = p.x, p.y
}

func (p *svgPen) closeShape(name, class string) {
	if p.open {
		switch {
		case p.title != "":
			p.marks = append(p.marks, p.title)
		case strings.HasPrefix(class, "mk") || class == "fillb":
			p.unsaid++
		}
	}
	if p.quiet && (p.open || p.file()) {
		p.title = ""
	}
	if p.title == "" {
		if !p.file() && name == "circle" {
			p.b.WriteByte(' ') // what stands before the slash is no part of the last number
		}
		p.b.WriteString("/>")
		return
	}
	p.b.WriteByte('>')
	element(&p.b, "title", p.title)
	p.b.WriteString("</" + name + ">")
	p.title = ""
}

// length writes an attribute in tenths.
func (p *svgPen) length(name string, n int) {
	b := append(p.b.AvailableBuffer(), ' ')
	b = append(append(b, name...), '=')
	if p.file() {
		b = append(appendTenths(append(b, '"'), n), '"')
	} else {
		b = appendTenths(b, n)
	}
	p.b.Write(b)
}

// circle draws at once: an SVG circle is no part of a path.
func (p *svgPen) circle(class string, radius, x, y int) {
	p.used.class(class)
	p.flush()
	p.b.WriteString("<circle")
	p.words("class", class)
	p.length("cx", x)
	p.length("cy", y)
	p.length("r", radius)
	p.closeShape("circle", class)
}

func (p *svgPen) text(class, s string, x, y int) {
	if s != "" {
		p.used.class(class)
		p.texts = append(p.texts, label{class, s, p.title, x, y})
	}
	p.title = ""
}

// flush writes the marks and the texts that wait: three or more texts of one anchor that stand in a row or in a column as
// a group.
func (p *svgPen) flush() {
	if len(p.run) > 0 {
		p.b.WriteString("<path")
		p.words("class", p.class)
		p.b.WriteString(` d="`)
		p.b.Write(p.run)
		p.b.WriteString(`"/>`)
		p.run, p.class = p.run[:0], ""
	}
	for rest := p.texts; len(rest) > 0; {
		first := rest[0]
		row, column := 0, 0
		if first.class == "m" || first.class == "e" {
			row = run(rest, func(l label) bool { return l.class == first.class && l.y == first.y })
			column = run(rest, func(l label) bool { return l.class == first.class && l.x == first.x })
		}
		n := max(row, column)
		if n < 3 {
			p.write(first, true, true, true)
			rest = rest[1:]
			continue
		}
		p.b.WriteString("<g")
		p.words("class", first.class)
		at := append(p.b.AvailableBuffer(), "translate("...)
		if row == n {
			at = appendTenths(append(at, "0,"...), first.y)
		} else {
			at = appendTenths(at, first.x)
		}
		p.words("transform", string(append(at, ')')))
		p.b.WriteByte('>')
		for _, l := range rest[:n] {
			p.write(l, false, row == n, row != n)
		}
		p.b.WriteString("</g>")
		rest = rest[n:]
	}
	p.texts = p.texts[:0]
}

// run is how many labels at the beginning are so.
func run(labels []label, so func(l label) bool) int {
	if n := slices.IndexFunc(labels, func(l label) bool { return !so(l) }); n >= 0 {
		return n
	}
	return len(labels)
}

// write writes a text with what its group does not say.
func (p *svgPen) write(l label, class, x, y bool) {
	p.b.WriteString("<text")
	if class && l.class != "" {
		p.words("class", l.class)
	}
	if x {
		p.length("x", l.x)
	}
	if y {
		p.length("y", l.y)
	}
	p.b.WriteByte('>')
	if l.title != "" {
		element(&p.b, "title", l.title)
	}
	escape(&p.b, isolated(l.text))
	p.b.WriteString("</text>")
}

func (p *svgPen) begin(slot int, title string) {
	p.flush()
	p.b.WriteString("<g")
	if slot > 0 {
		p.used.slots[slot], p.used.slot = true, slot
		p.words("class", "s"+strconv.Itoa(slot))
	}
	if p.open = p.series != ""; p.open {
		p.marks = append(p.marks, p.series)
		if p.quiet {
			p.b.WriteString(" data-n")
		} else {
			attribute(&p.b, "data-n", p.series)
		}
		p.series = ""
	}
	p.b.WriteByte('>')
	if title != "" && (!p.quiet || p.file()) {
		element(&p.b, "title", title)
	}
}

func (p *svgPen) end() {
	p.flush()
	p.open = false
	p.used.slot = 0
	p.b.WriteString("</g>")
}

// content is what was drawn.
func (p *svgPen) content() []byte {
	p.flush()
	return p.b.Bytes()
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escape writes text for use between tags and in attributes of double quotes.
func escape(b *bytes.Buffer, s string) {
	// A buffer takes everything.
	_, _ = entities.WriteString(b, s)
}
