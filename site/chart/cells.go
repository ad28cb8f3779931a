package chart

import (
	"bytes"
	"io"
	"math"
	"strconv"
)

// cellSVG writes a little drawing in the colour of a slot that says nothing the text beside it
// does not. width and height are CSS pixels.
func cellSVG(w io.Writer, class string, width, height, slot int, draw func(p *svgPen)) error {
	return cellDrawing(w, class, "", width, height, slot, draw)
}

// cellDrawing writes a little drawing as cellSVG does. Where it says more than the text beside it, label says the same in
// words. Nothing in it has the colour of a series where the slot is Neutral.
func cellDrawing(w io.Writer, class, label string, width, height, slot int, draw func(p *svgPen)) error {
	var p svgPen
	if slot != Neutral {
		p.begin(slotOr(slot, 1), "")
	}
	draw(&p)
	if slot != Neutral {
		p.end()
	}
	var b bytes.Buffer
	across, down := strconv.Itoa(width), strconv.Itoa(height)
	b.WriteString("<svg")
	bare(&b, "class", class)
	b.WriteString(` viewBox="0 0 ` + across + " " + down + `" width=` + across + " height=" + down)
	if label == "" {
		b.WriteString(" aria-hidden=true")
	} else {
		b.WriteString(" role=img")
		attribute(&b, "aria-label", label)
	}
	b.WriteByte('>')
	b.Write(p.content())
	b.WriteString("</svg>")
	_, err := w.Write(b.Bytes())
	return err
}

// writeSwatch writes the look of a key item as an svg of 30x12, or 12x12 for a box.
func writeSwatch(w io.Writer, k KeyItem) error {
	return cellSVG(w, "sw", k.width()/px, 12, slotOr(k.Slot, 1), func(p *svgPen) { swatch(p, &k, 0, 6*px) })
}

// Mark writes a slot's marker alone, 12x12, to stand before a name in a table.
func Mark(w io.Writer, slot int) error {
	slot = slotOr(slot, 1)
	return cellSVG(w, "mkr", 12, 12, slot, func(p *svgPen) {
		class := "mk"
		if slot == strokeMarker {
			class = "mk x"
		}
		marker(p, class, slot, 6*px, 6*px, 40)
	})
}

// Neutral is the slot of a bar that stands for no series: one grey, whatever its row.
const Neutral = 0

// HBar writes a bar of 90x8 filled to share, 0 to 1, for a table cell whose number stands beside
// it.
func HBar(w io.Writer, slot int, share float64) error {
	if !(share > 0) {
		share = 0
	}
	n := int(math.Round(math.Min(share, 1) * 90 * px))
	fill := "fillb"
	if slot == Neutral {
		fill = "bn"
	}
	return cellSVG(w, "bar", 90, 8, slot, func(p *svgPen) {
		rect(p, "bg", 0, 0, 90*px, 8*px)
		if n > 0 {
			rect(p, fill, 0, 0, n, 8*px)
		}
	})
}

// The ratio bar's axis: from 1/limit to limit, logarithmic, between these places.
const (
	ratioWidth = 176
	ratioLeft  = 14 * px
	ratioRight = 162 * px
)

func ratioPlace(ratio, limit float64) int {
	limit = ratioLimit(limit)
	if !(ratio > 0) {
		return ratioLeft
	}
	t := (math.Log(math.Min(math.Max(ratio, 1/limit), limit)) + math.Log(limit)) / (2 * math.Log(limit))
	return ratioLeft + int(math.Round(t*(ratioRight-ratioLeft)))
}

func ratioLimit(limit float64) float64 {
	if !(limit > 1.01) || limit > 1e6 {
		return 2
	}
	return limit
}

// RatioBar writes a bar of 176x14 from 1 to ratio on a logarithmic axis from 1/limit to limit. low
// and high are the ends of an interval, drawn as a whisker where low < high. A ratio that is not
// positive draws no bar.
func RatioBar(w io.Writer, slot int, ratio, low, high, limit float64) error {
	return cellSVG(w, "bar", ratioWidth, 14, slotOr(slot, 1), func(p *svgPen) {
		for _, x := range [2]int{ratioLeft, ratioRight} {
			bar(p, x, 0, 14*px, 0)
		}
		p.paint("gr")
		one, x := ratioPlace(1, limit), ratioPlace(ratio, limit)
		if ratio > 0 && x != one {
			rect(p, "fillb", min(one, x), 3*px, max(one, x), 11*px)
		}
		line(p, "bl", one, 0, one, 14*px)
		if low < high && low > 0 {
			a, b := ratioPlace(low, limit), ratioPlace(high, limit)
			p.move(a, 7*px)
			p.to(b, 7*px)
			bar(p, a, 4*px, 10*px, 0)
			bar(p, b, 4*px, 10*px, 0)
			p.paint("wh")
		}
	})
}

// RatioAxis writes the head of a column of RatioBars: the ticks 1/limit, 1 and limit.
func RatioAxis(w io.Writer, limit float64) error {
	l := ratioLimit(limit)
	return cellSVG(w, "bar", ratioWidth, 16, Neutral, func(p *svgPen) {
		for _, t := range []float64{1 / l, 1, l} {
			s := exactTick(math.Round(t*100)/100) + "×"
			half := textWidth(s, 110, true) / 2 // the head of a column is bold
			p.text("rt m", s, max(half, min(ratioPlace(t, l), ratioWidth*px-half)), 12*px)
		}
	})
}
