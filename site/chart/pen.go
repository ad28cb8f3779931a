package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	gochart "github.com/wcharczuk/go-chart/v2"
)

// A pen is what plots are drawn with: go-chart's Renderer, whose whole numbers here are tenths of a CSS
// pixel, plus the few things an SVG has that go-chart does not know. Looks come from the class (SetClassName)
// alone; what is drawn without a class, as go-chart draws backgrounds, leaves no trace.
type pen interface {
	gochart.Renderer
	// begin opens a group in the colour of a slot, 0 without one; title may be empty. Data set before
	// belong to the group.
	begin(slot int, title string)
	end()
	// data gives the next group, shape or text an attribute for scripts; an empty value gives none.
	data(name, value string)
	// label gives the next shape or text a native title.
	label(title string)
}

// px is one CSS pixel.
const px = 10

// svgPen writes SVG with classes.
type svgPen struct {
	// Renderer takes the calls that concern fonts, colours and widths, which have no meaning here.
	gochart.Renderer
	b            bytes.Buffer
	class, title string
	attrs        bytes.Buffer // data attributes of what comes next
	path         []byte
	op           byte     // last command in path, for what may be left out
	x, y         int      // current place
	sx, sy       int      // start of the subpath
	used         [10]bool // slots seen
}

func newSVGPen() (*svgPen, error) {
	r, err := gochart.SVG(1, 1)
	if err != nil {
		return nil, err
	}
	return &svgPen{Renderer: r}, nil
}

func (p *svgPen) ResetStyle()             { p.class = "" }
func (p *svgPen) SetClassName(c string)   { p.class = c }
func (p *svgPen) SetDPI(float64)          {}
func (p *svgPen) GetDPI() float64         { return 72 }
func (p *svgPen) Save(io.Writer) error    { return nil } // the document is closed by its owner
func (p *svgPen) ClearTextRotation()      {}
func (p *svgPen) SetTextRotation(float64) {}
func (p *svgPen) label(t string)          { p.title = t }

func (p *svgPen) data(name, value string) {
	if value == "" {
		return
	}
	p.attrs.WriteString(" data-")
	p.attrs.WriteString(name)
	p.attrs.WriteString(`="`)
	escape(&p.attrs, value)
	p.attrs.WriteByte('"')
}

// flush writes the attributes collected.
func (p *svgPen) flush() {
	p.b.Write(p.attrs.Bytes())
	p.attrs.Reset()
}

func (p *svgPen) MeasureText(s string) gochart.Box {
	return gochart.Box{Right: textWidth(s, 12*px, false), Bottom: 12 * px, IsSet: true}
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
func (p *svgPen) arg(n int, first bool) {
	if !first && n >= 0 {
		p.path = append(p.path, ' ')
	}
	p.path = appendTenths(p.path, n)
}

func (p *svgPen) MoveTo(x, y int) {
	if len(p.path) == 0 {
		p.path = append(p.path, 'M')
		p.arg(x, true)
		p.arg(y, false)
	} else {
		p.path = append(p.path, 'm')
		p.arg(x-p.x, true)
		p.arg(y-p.y, false)
	}
	p.op = 0
	p.x, p.y, p.sx, p.sy = x, y, x, y
}

func (p *svgPen) LineTo(x, y int) {
	if len(p.path) == 0 {
		p.MoveTo(x, y)
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

func (p *svgPen) QuadCurveTo(cx, cy, x, y int) {
	p.path = append(p.path, 'q')
	p.op = 0
	p.arg(cx-p.x, true)
	p.arg(cy-p.y, false)
	p.arg(x-p.x, false)
	p.arg(y-p.y, false)
	p.x, p.y = x, y
}

// ArcTo is not used by our drawings; the chord is good enough for what go-chart itself draws.
func (p *svgPen) ArcTo(cx, cy int, rx, ry, start, delta float64) {
	p.LineTo(cx+int(rx*math.Cos(start+delta)), cy+int(ry*math.Sin(start+delta)))
}

func (p *svgPen) Close() {
	p.path = append(p.path, 'z')
	p.op = 0
	p.x, p.y = p.sx, p.sy
}

func (p *svgPen) Stroke()     { p.paint() }
func (p *svgPen) Fill()       { p.paint() }
func (p *svgPen) FillStroke() { p.paint() }

func (p *svgPen) paint() {
	if p.class != "" && len(p.path) > 0 {
		p.b.WriteString(`<path class="`)
		p.b.WriteString(p.class)
		p.b.WriteString(`" d="`)
		p.b.Write(p.path)
		p.b.WriteByte('"')
		p.closeShape("path")
	}
	p.path = p.path[:0]
	p.op = 0
	p.title = ""
	p.attrs.Reset()
}

func (p *svgPen) closeShape(name string) {
	p.flush()
	if p.title == "" {
		p.b.WriteString("/>")
		return
	}
	p.b.WriteString("><title>")
	escape(&p.b, p.title)
	p.b.WriteString("</title></")
	p.b.WriteString(name)
	p.b.WriteByte('>')
	p.title = ""
}

// Circle draws at once: an SVG circle is no part of a path.
func (p *svgPen) Circle(radius float64, x, y int) {
	if p.class == "" {
		return
	}
	b := p.b.AvailableBuffer()
	b = append(b, `<circle class="`...)
	b = append(b, p.class...)
	b = append(b, `" cx="`...)
	b = appendTenths(b, x)
	b = append(b, `" cy="`...)
	b = appendTenths(b, y)
	b = append(b, `" r="`...)
	b = appendTenths(b, int(math.Round(radius)))
	b = append(b, '"')
	p.b.Write(b)
	p.closeShape("circle")
}

func (p *svgPen) Text(s string, x, y int) {
	if s == "" || p.class == "" {
		p.title = ""
		p.attrs.Reset()
		return
	}
	b := p.b.AvailableBuffer()
	b = append(b, `<text class="`...)
	b = append(b, p.class...)
	b = append(b, `" x="`...)
	b = appendTenths(b, x)
	b = append(b, `" y="`...)
	b = appendTenths(b, y)
	b = append(b, '"')
	p.b.Write(b)
	p.flush()
	p.b.WriteByte('>')
	if p.title != "" {
		p.b.WriteString("<title>")
		escape(&p.b, p.title)
		p.b.WriteString("</title>")
		p.title = ""
	}
	escape(&p.b, isolated(s))
	p.b.WriteString("</text>")
}

func (p *svgPen) begin(slot int, title string) {
	p.b.WriteString("<g")
	if slot > 0 {
		p.used[slot] = true
		p.b.WriteString(` class="s`)
		p.b.WriteByte(byte('0' + slot))
		p.b.WriteByte('"')
	}
	p.flush()
	p.b.WriteByte('>')
	if title != "" {
		p.b.WriteString("<title>")
		escape(&p.b, title)
		p.b.WriteString("</title>")
	}
}

func (p *svgPen) end() { p.b.WriteString("</g>") }

// escape writes text for use between tags and in attributes of double quotes.
func escape(b *bytes.Buffer, s string) {
	if !strings.ContainsAny(s, `&<>"`) {
		b.WriteString(s)
		return
	}
	for i := range len(s) {
		switch s[i] {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString("&quot;")
		default:
			b.WriteByte(s[i])
		}
	}
}

// rasterPen draws with go-chart's raster renderer, looking colours and widths up by class.
type rasterPen struct {
	gochart.Renderer
	theme *theme
	zoom  float64 // pixels of the image for one tenth
	pad   int     // in tenths, added to every place
	class string
	slot  int
}

func newRasterPen(d *sheet, density float64, t *theme) (*rasterPen, error) {
	r, err := gochart.PNG(int(math.Round(float64(d.w+2*d.pad)*density/px)), int(math.Round(float64(d.h+2*d.pad)*density/px)))
	if err != nil {
		return nil, err
	}
	font, err := gochart.GetDefaultFont()
	if err != nil {
		return nil, err
	}
	r.SetDPI(72)
	r.SetFont(font)
	return &rasterPen{Renderer: r, theme: t, zoom: density / px, pad: d.pad}, nil
}

func (p *rasterPen) at(v int) int          { return int(math.Round(float64(v+p.pad) * p.zoom)) }
func (p *rasterPen) SetClassName(c string) { p.class = c }
func (p *rasterPen) SetDPI(float64)        {}
func (p *rasterPen) Save(io.Writer) error  { return nil }
func (p *rasterPen) MoveTo(x, y int)       { p.Renderer.MoveTo(p.at(x), p.at(y)) }
func (p *rasterPen) LineTo(x, y int)       { p.Renderer.LineTo(p.at(x), p.at(y)) }
func (p *rasterPen) QuadCurveTo(cx, cy, x, y int) {
	p.Renderer.QuadCurveTo(p.at(cx), p.at(cy), p.at(x), p.at(y))
}
func (p *rasterPen) begin(slot int, _ string) { p.slot = slot }
func (p *rasterPen) end()                     { p.slot = 0 }
func (p *rasterPen) label(string)             {}
func (p *rasterPen) data(string, string)      {}
func (p *rasterPen) Stroke()                  { p.paint() }
func (p *rasterPen) Fill()                    { p.paint() }
func (p *rasterPen) FillStroke()              { p.paint() }
func (p *rasterPen) ArcTo(cx, cy int, rx, ry, start, delta float64) {
	p.LineTo(cx+int(rx*math.Cos(start+delta)), cy+int(ry*math.Sin(start+delta)))
}

func (p *rasterPen) MeasureText(s string) gochart.Box {
	return gochart.Box{Right: textWidth(s, 12*px, false), Bottom: 12 * px, IsSet: true}
}

func (p *rasterPen) Circle(radius float64, x, y int) {
	p.Renderer.Circle(radius*p.zoom, p.at(x), p.at(y))
	p.paint()
}

func (p *rasterPen) paint() {
	l, fill, stroke := paintOf(p.class, p.slot, p.theme)
	r := p.Renderer
	r.SetFillColor(fill)
	r.SetStrokeColor(stroke)
	r.SetStrokeWidth(l.width * p.zoom * px)
	var dash []float64
	for _, d := range l.dash {
		dash = append(dash, d*p.zoom*px)
	}
	r.SetStrokeDashArray(dash)
	switch {
	case fill.A > 0 && stroke.A > 0:
		r.FillStroke()
	case stroke.A > 0:
		r.Stroke()
	default:
		r.Fill() // also clears a path that leaves no trace
	}
}

func (p *rasterPen) Text(s string, x, y int) {
	l, fill, _ := paintOf(p.class, 0, p.theme)
	if s == "" || fill.A == 0 {
		return
	}
	size := int(l.size * px)
	w := textWidth(s, size, l.bold)
	switch l.anchor {
	case "end":
		x -= w
	case "middle":
		x -= w / 2
	}
	p.Renderer.SetFontColor(fill)
	p.Renderer.SetFontSize(l.size * p.zoom * px * 0.97)
	s = strings.NewReplacer("→", "to", "\u202f", "\u00a0", "\u2068", "", "\u2069", "").Replace(s)
	p.Renderer.Text(s, p.at(x), p.at(y))
}

// encode writes the image as PNG with the fewest colours that hold it.
func (p *rasterPen) encode(w io.Writer) error {
	var c collector
	if err := p.Renderer.Save(&c); err != nil {
		return err
	}
	var dst image.Image = c.img
	if pal := paletted(c.img); pal != nil {
		dst = pal
	}
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, dst)
}

// collector takes the image from go-chart before it is encoded.
type collector struct{ img *image.RGBA }

func (c *collector) Write(b []byte) (int, error) { return len(b), nil }
func (c *collector) SetRGBA(i *image.RGBA)       { c.img = i }

// paletted is img with a palette, nil where it has more than 256 colours.
func paletted(img *image.RGBA) image.Image {
	index := map[color.RGBA]uint8{}
	var palette color.Palette
	out := image.NewPaletted(img.Bounds(), nil)
	for i, j := 0, 0; i < len(img.Pix); i, j = i+4, j+1 {
		c := color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3]}
		k, ok := index[c]
		if !ok {
			if len(palette) == 256 {
				return nil
			}
			k = uint8(len(palette))
			palette = append(palette, c)
			index[c] = k
		}
		out.Pix[j] = k
	}
	out.Palette = palette
	return out
}
