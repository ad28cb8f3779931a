package chart

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// document writes the svg element around what was drawn.
func (d *sheet) document(w io.Writer, p *svgPen) error {
	var b bytes.Buffer
	b.Grow(p.b.Len() + 512)
	b.WriteString("<svg")
	if d.o.SelfContained {
		b.WriteString(` xmlns="http://www.w3.org/2000/svg"`)
	}
	b.WriteString(` class="ch`)
	if c := d.o.Size.Class; c != "" && !d.o.SelfContained {
		b.WriteByte(' ')
		escape(&b, c)
	}
	ws, hs, pad := strconv.Itoa((d.w+2*d.pad)/px), strconv.Itoa((d.h+2*d.pad)/px), strconv.Itoa(-d.pad/px)
	b.WriteString(`" viewBox="` + pad + " " + pad + " " + ws + " " + hs + `" width="` + ws + `" height="` + hs + `" role="img"`)
	id := ident(d.o.ID)
	desc := d.describe()
	if id != "" {
		b.WriteString(` aria-labelledby="` + id + "-t")
		if desc != "" {
			b.WriteString(" " + id + "-d")
		}
		b.WriteByte('"')
	}
	b.WriteString("><title")
	if id != "" {
		b.WriteString(` id="` + id + `-t"`)
	}
	b.WriteByte('>')
	escape(&b, clean(d.c.Title))
	b.WriteString("</title>")
	if desc != "" {
		b.WriteString("<desc")
		if id != "" {
			b.WriteString(` id="` + id + `-d"`)
		}
		b.WriteByte('>')
		escape(&b, desc)
		b.WriteString("</desc>")
	}
	if d.o.SelfContained {
		b.WriteString("<style>" + embedded(p.used) + "</style>")
		b.WriteString(`<path class="pg" d="M` + pad + " " + pad + "h" + ws + "v" + hs + "h-" + ws + `z"/>`)
	}
	b.Write(p.b.Bytes())
	b.WriteString("</svg>")
	_, err := w.Write(b.Bytes())
	return err
}

// ident makes an id of any text: what HTML and CSS take without quoting.
func ident(s string) string {
	ok := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	return strings.Map(func(r rune) rune {
		if ok(r) {
			return r
		}
		return '-'
	}, s)
}
