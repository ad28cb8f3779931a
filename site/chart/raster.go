package chart

import (
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/golang/freetype/truetype"
	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// rasterPen draws on a canvas, looking colours and widths up by class.
type rasterPen struct {
	r      *canvas
	theme  *theme
	zoom   float64 // pixels of the image for one tenth
	pad    int     // in tenths, added to every place
	dx, dy int     // where the drawing begins in the image, in pixels
	slot   int
}

// canvas is an image, go-chart's renderer that draws on it, and letters of go-chart's font. The renderer outlines a line of
// text anew each time, which is half the work of a picture: a face keeps each letter that it has drawn.
type canvas struct {
	gochart.Renderer
	img  *image.RGBA
	font *truetype.Font
	faces
}

// faces are those of go-chart's font, by their size in pixels. They serve one canvas at a time.
type faces map[float64]font.Face

// idle are the faces that serve none: as many as there were canvases at once.
var idle struct {
	sync.Mutex
	faces []faces
}

func takeFaces() faces {
	idle.Lock()
	defer idle.Unlock()
	n := len(idle.faces)
	if n == 0 {
		return faces{}
	}
	f := idle.faces[n-1]
	idle.faces = idle.faces[:n-1]
	return f
}

func (f faces) leave() {
	idle.Lock()
	defer idle.Unlock()
	idle.faces = append(idle.faces, f)
}

// newCanvas makes an empty image of w by h pixels.
func newCanvas(w, h int) (*canvas, error) {
	r, err := gochart.PNG(w, h)
	if err != nil {
		return nil, err
	}
	letters, err := gochart.GetDefaultFont()
	if err != nil {
		return nil, err
	}
	var drawn collector
	if err := r.Save(&drawn); err != nil {
		return nil, err
	}
	return &canvas{Renderer: r, img: drawn.img, font: letters, faces: takeFaces()}, nil
}

// collector takes the image of go-chart's renderer, which it is about to draw on.
type collector struct{ img *image.RGBA }

func (c *collector) Write(b []byte) (int, error) { return len(b), nil }
func (c *collector) SetRGBA(i *image.RGBA)       { c.img = i }

// larger is by how much text is larger than its size says: as large as go-chart's renderer writes it, which pictures are
// laid out for, and a tenth wider than readers' fonts.
const larger = 9.0 / 8

func (c *canvas) face(size float64) font.Face {
	f := c.faces[size]
	if f == nil {
		f = truetype.NewFace(c.font, &truetype.Options{Size: size * larger, GlyphCacheEntries: 128})
		c.faces[size] = f
	}
	return f
}

// has reports whether the font can draw a character.
func (c *canvas) has(r rune) bool { return c.font.Index(r) != 0 }

// textWidth is the width of a line of text in pixels.
func (c *canvas) textWidth(s string, size float64) int {
	return font.MeasureString(c.face(size), s).Ceil()
}

// text writes a line of text with its baseline at y.
func (c *canvas) text(s string, x, y int, size float64, ink color.Color) {
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(ink), Face: c.face(size), Dot: fixed.P(x, y)}
	d.DrawString(s)
}

// encode writes an image made of what was drawn as PNG. Nothing is drawn afterwards.
func (c *canvas) encode(w io.Writer, img image.Image) error {
	c.faces.leave()
	c.faces = nil
	return (&png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: pngBuffers}).Encode(w, img)
}

// pngBuffers are what one image was encoded with and the next is.
var pngBuffers = &bufferPool{}

type bufferPool struct{ sync.Pool }

func (p *bufferPool) Get() *png.EncoderBuffer  { b, _ := p.Pool.Get().(*png.EncoderBuffer); return b }
func (p *bufferPool) Put(b *png.EncoderBuffer) { p.Pool.Put(b) }

func (p *rasterPen) place(v int) int          { return int(math.Round(float64(v+p.pad) * p.zoom)) }
func (p *rasterPen) at(x, y int) (int, int)   { return p.place(x) + p.dx, p.place(y) + p.dy }
func (p *rasterPen) move(x, y int)            { p.r.MoveTo(p.at(x, y)) }
func (p *rasterPen) to(x, y int)              { p.r.LineTo(p.at(x, y)) }
func (p *rasterPen) shut()                    { p.r.Close() }
func (p *rasterPen) begin(slot int, _ string) { p.slot = slot }
func (p *rasterPen) end()                     { p.slot = 0 }
func (p *rasterPen) label(string)             {}
func (p *rasterPen) named(string)             {}

func (p *rasterPen) circle(class string, radius, x, y int) {
	x, y = p.at(x, y)
	p.r.Circle(float64(radius)*p.zoom, x, y)
	p.paint(class)
}

func (p *rasterPen) paint(class string) {
	l, fill, stroke := paintOf(look{fill: "none"}, class, p.slot, p.theme)
	p.r.SetFillColor(fill)
	p.r.SetStrokeColor(stroke)
	p.r.SetStrokeWidth(l.width * p.zoom * px)
	var dash []float64
	for _, d := range l.dash {
		dash = append(dash, d*p.zoom*px)
	}
	p.r.SetStrokeDashArray(dash)
	switch {
	case fill.A > 0 && stroke.A > 0:
		p.r.FillStroke()
	case stroke.A > 0:
		p.r.Stroke()
	default:
		p.r.Fill() // also clears a path that leaves no trace
	}
}

// spelled is for go-chart's font, which lacks an arrow and narrow spaces.
var spelled = strings.NewReplacer("→", "to", "\u202f", "\u00a0", "\u2068", "", "\u2069", "")

func (p *rasterPen) text(class, s string, x, y int) {
	l, fill, _ := paintOf(plain, class, 0, p.theme)
	if s == "" || fill.A == 0 {
		return
	}
	w := textWidth(s, int(l.size*px), l.bold)
	switch l.anchor {
	case "end":
		x -= w
	case "middle":
		x -= w / 2
	}
	x, y = p.at(x, y)
	p.r.text(spelled.Replace(s), x, y, l.size*p.zoom*px*0.97, fill)
}

// paintOf resolves the classes of an element to one look with colours; l is what it looks like without any.
func paintOf(l look, classes string, slot int, t *theme) (_ look, fill, stroke drawing.Color) {
	l.stroke, l.opacity = "none", 1
	dashed := false
	for class := range strings.FieldsSeq(classes) {
		for i := range looks {
			if looks[i].class != class {
				continue
			}
			m := &looks[i]
			l.over(m)
			dashed = dashed || m.dash != nil || m.solid
			if class == "ln" && !dashed && slot > 0 && slot <= maxSeries {
				l.dash = dashes[slot]
			}
		}
	}
	return l, rgba(t.color(l.fill, slot), l.opacity), rgba(t.color(l.stroke, slot), l.opacity)
}

// over lays a look over what the classes before it say.
func (l *look) over(m *look) {
	if m.fill != "" {
		l.fill = m.fill
	}
	if m.stroke != "" {
		l.stroke = m.stroke
	}
	if m.width > 0 {
		l.width = m.width
	}
	if m.dash != nil || m.solid {
		l.dash = m.dash
	}
	if m.opacity > 0 {
		l.opacity = m.opacity
	}
	if m.size > 0 {
		l.size = m.size
	}
	if m.anchor != "" {
		l.anchor = m.anchor
	}
	l.bold = (l.bold || m.bold) && !m.normal
}

func rgba(hex string, opacity float64) drawing.Color {
	if len(hex) != 7 {
		return drawing.Color{}
	}
	c := drawing.ColorFromHex(hex[1:])
	c.A = uint8(opacity*255 + .5)
	return c
}

// encode writes the image as PNG with the fewest colours that hold it.
func (p *rasterPen) encode(w io.Writer) error {
	if few := paletted(p.r.img); few != nil {
		return p.r.encode(w, few)
	}
	return p.r.encode(w, p.r.img)
}

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
