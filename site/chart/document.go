package chart

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// SVG writes the chart as one svg element or, self-contained, as a file.
func (c *Chart) SVG(w io.Writer, o Options) error {
	_, err := c.svg(w, o, naming{})
	return err
}

// Stack writes charts below one another as one file, so that they share a style. Each has the id that [StackID] gives
// its place: a link to it shows this chart alone, by style, because browsers do not scroll to an element of a drawing.
// Of o, ID and Keyless mean nothing.
func Stack(w io.Writer, charts []*Chart, o Options) error {
	o.SelfContained = true
	p := svgPen{used: usage{classes: map[string]bool{"pg": true}}, quiet: o.Untold}
	width, height, highest, pad := 0, 0, 0, 0
	for i, c := range charts {
		d, err := newSheet(c, o)
		if err != nil {
			return err
		}
		pad = d.pad / px
		fmt.Fprintf(&p.b, `<g id="%s" role="img" transform="translate(%d,%d)">`, StackID(i), pad, height+pad)
		element(&p.b, "title", clean(c.Title))
		if desc := d.describe(); desc != "" {
			element(&p.b, "desc", desc)
		}
		d.draw(&p)
		p.flush()
		p.b.WriteString("</g>")
		h := (d.h + 2*d.pad) / px
		width, height, highest = max(width, (d.w+2*d.pad)/px), height+h, max(highest, h)
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="ch" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" `+
		`preserveAspectRatio="xMinYMin slice"><style>%[3]s:root:has(:target){height:%[4]dpx}:root:has(:target)>g{display:none}`+
		`:root:has(:target)>g:target{display:inline;transform:translate(%[5]dpx,%[5]dpx)}</style>`+
		`<path class="pg" d="M0 0h%[1]dv%[2]dh-%[1]dz"/>%[6]s</svg>`,
		width, height, p.used.style(), highest, pad, p.content())
	return err
}

// StackID is the id of a chart in a file of [Stack]; the first is 0.
func StackID(i int) string { return "n" + strconv.Itoa(i+1) }

// naming is how a chart is named to those who cannot see it.
type naming struct {
	id          string // the prefix of the ids of its title and description; "" for none
	description string
	marks       []string // see svgPen; nil where some have no title
}

// svg writes the chart; first is how another drawing of it in the same page is named. What that one says already is
// not said again: neither in its name, nor of series and marks, which scripts find by their order.
func (c *Chart) svg(w io.Writer, o Options, first naming) (naming, error) {
	d, err := newSheet(c, o)
	if err != nil {
		return naming{}, err
	}
	p := newPen()
	defer pens.Put(p)
	if o.SelfContained {
		p.used.classes, p.quiet = map[string]bool{"pg": true}, o.Untold
	}
	if first.marks == nil {
		d.draw(p)
		own := naming{ident(o.ID), d.describe(), nil}
		if p.unsaid == 0 {
			own.marks = p.marks
		}
		return own, d.document(w, p, own, first)
	}
	p.quiet = true
	d.draw(p)
	if p.unsaid > 0 || !slices.Equal(p.marks, first.marks) { // their titles differ
		if d, err = newSheet(c, o); err != nil {
			return naming{}, err
		}
		p.renew()
		d.draw(p)
	}
	own := naming{ident(o.ID), d.describe(), nil}
	return own, d.document(w, p, own, first)
}

// Inline writes the chart once for each size, for use in an HTML page. With several sizes the
// ids begin with id-1, id-2 and so on. No size means Wide and Narrow.
func (c *Chart) Inline(w io.Writer, id string, sizes ...Size) error {
	return c.inline(w, id, false, sizes)
}

// InlineKeyless is Inline for small multiples below one common key.
func (c *Chart) InlineKeyless(w io.Writer, id string, sizes ...Size) error {
	return c.inline(w, id, true, sizes)
}

func (c *Chart) inline(w io.Writer, id string, keyless bool, sizes []Size) error {
	if len(sizes) == 0 {
		sizes = []Size{Wide, Narrow}
	}
	var first naming
	for i, s := range sizes {
		sid := id
		if len(sizes) > 1 && id != "" {
			sid = id + "-" + string(rune('1'+i%9))
		}
		own, err := c.svg(w, Options{Size: s, ID: sid, Keyless: keyless}, first)
		if err != nil {
			return err
		}
		if i == 0 {
			first = own
		}
	}
	return nil
}

// PNG writes the chart as a PNG image in one theme. It takes some hundred times as long as
// SVG. For a large picture take a higher Density, not a larger Size: 600 x 315 at 2 gives 1200 x 630
// with text that can be read when it is shown small.
func (c *Chart) PNG(w io.Writer, o Options) error {
	o.SelfContained = true
	d, err := newSheet(c, o)
	if err != nil {
		return err
	}
	density := 1.0
	if o.Density > 0 {
		density = math.Min(o.Density, 4)
	}
	pixels := func(tenths int) int { return int(math.Round(float64(tenths+2*d.pad) * density / px)) }
	r, err := newCanvas(pixels(d.w), pixels(d.h))
	if err != nil {
		return err
	}
	p := &rasterPen{r: r, theme: &light, zoom: density / px, pad: d.pad}
	if o.Dark {
		p.theme = &dark
	}
	rect(p, "pg", -d.pad, -d.pad, d.w+d.pad, d.h+d.pad)
	d.draw(p)
	return p.encode(w)
}

// draw draws title, key, panels and remarks.
func (d *sheet) draw(p pen) {
	if d.o.Titled {
		short, full := cutTitle(clean(d.c.Title), 140, true, d.w)
		p.label(full)
		p.text("hd", short, 0, 14*px)
	}
	drawKey(p, d.rows, d.heading())
	for _, pl := range d.plots {
		d.drawPlot(p, pl)
	}
	y := d.h - 4*px
	for _, r := range slices.Backward(d.remarks) {
		text(p, "sb", 0, y, r, annotationSize, d.w)
		y -= 15 * px
	}
}

// drawPlot draws a panel from the ground up: what comes later lies above.
func (d *sheet) drawPlot(p pen, pl *plot) {
	p.begin(0, "")
	pl.drawBands(p)
	pl.drawAxes(p)
	pl.drawRefs(p, false)
	d.kind.draw(p, pl)
	if pl.empty() {
		const s = "no values"
		x, y := (pl.left+pl.right)/2, (pl.top+pl.bottom)/2
		pl.taken.text(textArea("m", x, y, textWidth(s, annotationSize, false), annotationSize))
		p.text("an m", s, x, y)
	}
	pl.drawRefs(p, true)
	pl.drawNames(p)
	pl.drawNotes(p)
	pl.labelRefs(p)
	pl.labelBands(p)
	if pl.x.groups == nil {
		pl.labelPoints(p)
	}
	p.end()
}

// describe is the description with what the drawing left out.
func (d *sheet) describe() string {
	desc := d.kind.describe(&d.c.X, d.c.Panels)
	if n := d.suspects(); n > 0 {
		desc += " " + metric.Plural(n, "value") + " crossed out, " + suspectWords + "."
	}
	if left := slices.Concat(d.remarks, d.unsaid); len(left) > 0 {
		desc += " " + strings.Join(left, ". ") + "."
	}
	return strings.TrimPrefix(desc, " ")
}

// suspects counts the crossed marks.
func (d *sheet) suspects() (n int) {
	for _, pl := range d.plots {
		for _, t := range pl.tracks {
			n += len(t.suspects)
		}
	}
	return n
}

// document writes the svg element around what was drawn. Of what first names, only what differs is written.
func (d *sheet) document(w io.Writer, p *svgPen, own, first naming) error {
	b := &p.whole
	b.WriteString("<svg")
	class := "ch"
	if d.o.SelfContained {
		attribute(b, "xmlns", "http://www.w3.org/2000/svg")
	} else if d.o.Size.Class != "" {
		class += " " + d.o.Size.Class
	}
	attribute(b, "class", class)
	width, height := strconv.Itoa((d.w+2*d.pad)/px), strconv.Itoa((d.h+2*d.pad)/px)
	pad := strconv.Itoa(-d.pad / px)
	attribute(b, "viewBox", pad+" "+pad+" "+width+" "+height)
	if d.o.SelfContained {
		attribute(b, "width", width)
		attribute(b, "height", height)
		attribute(b, "role", "img")
	} else {
		b.WriteString(" width=" + width + " height=" + height + " role=img")
	}
	titled, described := own.id, own.id
	if first.id != "" {
		titled = first.id
		if first.description == own.description {
			described = first.id
		}
	}
	switch {
	case own.id != "" && own.description != "":
		attribute(b, "aria-labelledby", titled+"-t "+described+"-d")
	case own.id != "":
		attribute(b, "aria-labelledby", titled+"-t")
	}
	b.WriteByte('>')
	said := func(name, suffix, text string) {
		b.WriteString("<" + name)
		switch {
		case own.id == "":
		case d.o.SelfContained:
			attribute(b, "id", own.id+suffix)
		default:
			b.WriteString(" id=" + own.id + suffix) // see ident
		}
		b.WriteByte('>')
		escape(b, text)
		b.WriteString("</" + name + ">")
	}
	if titled == own.id {
		said("title", "-t", clean(d.c.Title))
	}
	if own.description != "" && described == own.id {
		said("desc", "-d", own.description)
	}
	if d.o.SelfContained {
		b.WriteString("<style>" + p.used.style() + "</style>")
		b.WriteString(`<path class="pg" d="M` + pad + " " + pad + "h" + width + "v" + height + "h-" + width + `z"/>`)
	}
	b.Write(p.content())
	b.WriteString("</svg>")
	_, err := w.Write(b.Bytes())
	return err
}

// ident makes an id of any text: what HTML and CSS take without quoting.
func ident(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, s)
}
