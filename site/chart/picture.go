package chart

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"unicode"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Picture is a raster image put together of text, boxes and charts, in the light theme: what a
// link preview shows. Places and sizes are whole pixels, the origin is at the top left.
type Picture struct {
	r *canvas
}

// Ink is a colour of the theme.
type Ink struct {
	// Token is "bg", "ink", "ink2", "ink3", "rule2", "grid", "warn-bg", or "s" for the colour of
	// a series, whose Slot, 1 to 9, says which.
	Token string
	Slot  int
	// Opacity from 0 to 1; 0 counts as 1.
	Opacity float64
}

func (k Ink) color() drawing.Color {
	o := k.Opacity
	if !(o > 0) {
		o = 1
	}
	return rgba(light.color(k.Token, k.Slot), math.Min(o, 1))
}

// NewPicture makes a picture of w by h pixels with the ground of the theme.
func NewPicture(w, h int) (*Picture, error) {
	r, err := newCanvas(w, h)
	if err != nil {
		return nil, err
	}
	return &Picture{r}, nil
}

// Box fills a rectangle.
func (p *Picture) Box(x, y, w, h int, k Ink) {
	p.r.SetFillColor(k.color())
	p.r.SetStrokeColor(drawing.Color{})
	p.r.MoveTo(x, y)
	p.r.LineTo(x+w, y)
	p.r.LineTo(x+w, y+h)
	p.r.LineTo(x, y+h)
	p.r.Close()
	p.r.Fill()
}

// Align says where the place of a text lies in it.
type Align int

// The alignments.
const (
	AlignStart Align = iota
	AlignMiddle
	AlignEnd
)

// Text writes one line of foreign text with its baseline at y, size in pixels, cut to max pixels
// with an ellipsis where max is above 0. What the font has no glyph for becomes a replacement
// mark. It returns the width taken.
func (p *Picture) Text(s string, x, y int, size float64, k Ink, a Align, max int) int {
	s = p.drawable(s)
	w := p.r.textWidth(s, size)
	if max > 0 && w > max {
		s, _ = cut(s, wider(size), false, max*px)
		w = p.r.textWidth(s, size)
	}
	switch a {
	case AlignMiddle:
		x -= w / 2
	case AlignEnd:
		x -= w
	}
	p.r.text(s, x, y, size, k.color())
	return w
}

// Lines breaks foreign text at spaces into at most n lines of at most max pixels.
func (p *Picture) Lines(s string, size float64, max, n int) []string {
	return wrap(p.drawable(s), wider(size), max*px, n)
}

// wider is the size that widths are estimated with, in tenths.
func wider(size float64) int { return int(size * px * larger) }

// drawable is s without what takes no room, and with a mark for what the font does not have.
func (p *Picture) drawable(s string) string {
	var b strings.Builder
	lost := false
	for _, r := range clean(s) {
		switch {
		case r == '\u202f', r == '\u2009', r == '\u200a':
			r = '\u00a0'
		case r == '→' && !p.r.has(r):
			b.WriteString("to")
			continue
		case r >= 0x200b && r <= 0x200f, r >= 0x2066 && r <= 0x2069, r >= 0xfe00 && r <= 0xfe0f,
			unicode.Is(unicode.Mn, r):
			continue
		}
		if !p.r.has(r) {
			// One mark for a word of another script, not one for each of its letters.
			if !lost {
				b.WriteRune('▯')
			}
			lost = true
			continue
		}
		lost = false
		b.WriteRune(r)
	}
	return b.String()
}

// Chart draws a chart with its upper left corner at x, y. Its size counts in CSS pixels, of which
// each is density pixels of the picture.
func (p *Picture) Chart(c *Chart, x, y int, size Size, density float64) error {
	d, err := newSheet(c, Options{Size: size})
	if err != nil {
		return err
	}
	d.draw(&rasterPen{r: p.r, theme: &light, zoom: density / px, dx: x, dy: y})
	return nil
}

// PNG writes the picture with a palette of at most 256 colours, so that it stays small. A published site has one for each
// card: the fastest compression takes a third of the time and a thirteenth more bytes.
func (p *Picture) PNG(w io.Writer) error {
	return p.r.encode(w, reduced(p.r.img))
}

// reduced is img on the ground of the theme with a palette: painting the ground first would take
// as long as everything else. Colours that agree in the first four bits of each channel are
// drawn as the first of them; what is met when the palette is full takes the nearest entry.
func reduced(img *image.RGBA) *image.Paletted {
	var index [1 << 12]int16 // 0 is not met, else the entry plus 1
	var palette color.Palette
	ground := rgba(light.tokens["bg"], 1)
	entry := func(r, g, b uint8) uint8 {
		k := &index[int(r>>4)<<8|int(g>>4)<<4|int(b>>4)]
		switch c := (color.RGBA{r, g, b, 255}); {
		case *k > 0:
		case len(palette) < 256:
			palette = append(palette, c)
			*k = int16(len(palette))
		default:
			*k = int16(palette.Index(c)) + 1
		}
		return uint8(*k - 1)
	}
	over := func(v, ground, alpha uint8) uint8 { return v + uint8(int(ground)*int(255-alpha)/255) }
	out := image.NewPaletted(img.Bounds(), nil)
	var above []byte
	for y := range img.Rect.Dy() {
		row, entries := img.Pix[y*img.Stride:][:4*img.Rect.Dx()], out.Pix[y*out.Stride:]
		// Many rows are as the one above, and in the others most pixels as the one before.
		if bytes.Equal(row, above) {
			copy(entries, out.Pix[(y-1)*out.Stride:y*out.Stride])
			continue
		}
		above = row
		var last uint32
		for x := range img.Rect.Dx() {
			at := row[4*x : 4*x+4]
			pixel := binary.LittleEndian.Uint32(at)
			if pixel == last && x > 0 {
				entries[x] = entries[x-1]
				continue
			}
			last = pixel
			entries[x] = entry(over(at[0], ground.R, at[3]), over(at[1], ground.G, at[3]), over(at[2], ground.B, at[3]))
		}
	}
	out.Palette = palette
	return out
}

// TextWidth estimates the width of a line of text in pixels, for drawings that are made elsewhere.
func TextWidth(s string, size float64) float64 {
	return float64(textWidth(s, int(size*px), false)) / px
}
