package chart

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// ShareX gives all charts one X axis: the union of what they hold. Ends fixed by the axis stay.
func ShareX(charts ...*Chart) {
	u := &extent{}
	for _, c := range charts {
		for i := range c.Panels {
			for j := range c.Panels[i].Series {
				for k := range c.Panels[i].Series[j].Points {
					if pt := &c.Panels[i].Series[j].Points[k]; usable(pt.Y) {
						u.add(pt.X)
					}
				}
			}
		}
	}
	labels := labelsOf(charts)
	for _, c := range charts {
		s := shared{}
		if c.shared != nil {
			s = *c.shared
		}
		s.x, s.labels = u, labels
		c.shared = &s
	}
}

// ShareY gives the panels of equal place in all charts one Y axis: the union of what they hold.
func ShareY(charts ...*Chart) {
	var us []*extent
	for _, c := range charts {
		for i := range c.Panels {
			if i == len(us) {
				us = append(us, &extent{})
			}
			us[i].union(extentY(&c.Panels[i]))
		}
	}
	labels := labelsOf(charts)
	for _, c := range charts {
		s := shared{}
		if c.shared != nil {
			s = *c.shared
		}
		s.y, s.labels = us, labels
		c.shared = &s
	}
}

func labelsOf(charts []*Chart) int {
	w := 0
	for _, c := range charts {
		d := sheet{c: &Chart{Panels: c.Panels}}
		for i := range c.Panels {
			pl := &plot{}
			for j := range c.Panels[i].Series {
				s := &c.Panels[i].Series[j]
				pl.tracks = append(pl.tracks, &track{s: s, name: clean(s.Name)})
			}
			d.plots = append(d.plots, pl)
		}
		w = max(w, d.labelWidth())
	}
	return w
}

// BarsFit says whether bars from zero can show the values: none negative, and the largest at most
// 30 times the smallest that is not zero. Where it is false, draw Lines on a Log axis.
func BarsFit(series []Series) bool {
	var e extent
	for i := range series {
		for _, p := range series[i].Points {
			e.add(p.Y)
		}
	}
	return e.n == 0 || e.lo >= 0 && (e.pos == 0 || e.hi <= 30*e.pos)
}

// KeyItem is one entry of a key: a name and the look it stands for.
type KeyItem struct {
	Name string
	// Slot, Marker and Solid as in Series.
	Slot, Marker int
	Solid        bool
	Box          bool // a filled box (Bars) instead of line and mark
	NoLine       bool // a mark alone
	NoMark       bool // a line alone
	Hollow       bool // a hollow mark
}

// KeyOf lists the series of the charts, each name once, in the order met.
func KeyOf(charts ...*Chart) []KeyItem {
	var out []KeyItem
	seen := map[string]bool{}
	hollow := map[string]bool{}
	for _, c := range charts {
		for i := range c.Panels {
			single := len(c.Panels[i].Series) == 1
			for j := range c.Panels[i].Series {
				s := &c.Panels[i].Series[j]
				if j >= maxSeries {
					break
				}
				if s.Name == "" || s.NoLabel || seen[s.Name] {
					continue
				}
				seen[s.Name] = true
				slot := s.Slot
				if slot < 1 || slot > 9 {
					slot = j + 1
				}
				k := KeyItem{Name: s.Name, Slot: slot, Marker: s.Marker, Solid: s.Solid, NoLine: s.NoLine, NoMark: s.NoMarks}
				switch {
				case c.Kind == Bars:
					k.Box = true
				case c.Kind == Scatter:
					k.NoLine = true
					if c.Panels[i].cloud() {
						k.Marker = 1
					}
				case c.Kind == Timeline:
					k.NoMark = true
					k.Solid = true
				case single:
					k.Solid = true
				}
				out = append(out, k)
			}
		}
	}
	for _, c := range charts {
		if c.Hollow == "" || hollow[c.Hollow] {
			continue
		}
		hollow[c.Hollow] = true
		for i := range c.Panels {
			for j := range c.Panels[i].Series {
				for _, p := range c.Panels[i].Series[j].Points {
					if p.Hollow && hollow[c.Hollow] {
						hollow[c.Hollow] = false
						slot := c.Panels[i].Series[j].Slot
						if slot < 1 || slot > 9 {
							slot = min(j+1, maxSeries)
						}
						out = append(out, KeyItem{Name: c.Hollow, Slot: slot, Marker: c.Panels[i].Series[j].Marker, NoLine: true, Hollow: true})
					}
				}
			}
		}
		hollow[c.Hollow] = true
	}
	return out
}

// WriteKey writes the key as an HTML list of class "key".
func WriteKey(w io.Writer, items []KeyItem) error {
	var b bytes.Buffer
	b.WriteString(`<ul class="key">`)
	for _, k := range items {
		name, _ := cut(clean(k.Name), 12*px, false, 320*px)
		b.WriteString(`<li data-k="`)
		escape(&b, isolated(name))
		b.WriteString(`">`)
		if err := swatchSVG(&b, k); err != nil {
			return err
		}
		b.WriteString("<span>")
		escape(&b, isolated(clean(k.Name)))
		b.WriteString("</span></li>")
	}
	b.WriteString("</ul>")
	_, err := w.Write(b.Bytes())
	return err
}

// smallSVG writes a little drawing that says nothing the text beside it does not; with a title it is
// an image of its own.
func smallSVG(w io.Writer, class string, width, height int, title string, slot int, draw func(p *svgPen)) error {
	p, err := newSVGPen()
	if err != nil {
		return err
	}
	p.begin(slot, "")
	draw(p)
	p.end()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg class="%s" viewBox="0 0 %d %d" width="%d" height="%d" `, class, width, height, width, height)
	if title == "" {
		b.WriteString(`aria-hidden="true">`)
	} else {
		b.WriteString(`role="img"><title>`)
		escape(&b, clean(title))
		b.WriteString("</title>")
	}
	b.Write(p.b.Bytes())
	b.WriteString("</svg>")
	_, err = w.Write(b.Bytes())
	return err
}

// swatchSVG writes the look of a key item as an svg of 30x12, or 12x12 for a box.
func swatchSVG(w io.Writer, k KeyItem) error {
	return smallSVG(w, "sw", swatchWidth(&k)/px, 12, "", keySlot(k), func(p *svgPen) { swatch(p, &k, 0, 6*px) })
}

// Mark writes a slot's marker alone, 12x12, to stand before a name in a table.
func Mark(w io.Writer, slot int) error {
	slot = keySlot(KeyItem{Slot: slot})
	return smallSVG(w, "mkr", 12, 12, "", slot, func(p *svgPen) {
		class := "mk"
		if slot == 6 {
			class = "mk x"
		}
		marker(p, class, slot, 6*px, 6*px, 40)
	})
}

// HBar writes a bar of 90x8 filled to share, 0 to 1, for a table cell whose number stands beside
// it.
func HBar(w io.Writer, slot int, share float64) error {
	if !(share > 0) {
		share = 0
	}
	n := int(math.Round(math.Min(share, 1) * 90 * px))
	return smallSVG(w, "bar", 90, 8, "", keySlot(KeyItem{Slot: slot}), func(p *svgPen) {
		rect(p, "bg", 0, 0, 90*px, 8*px)
		if n > 0 {
			rect(p, "fillb", 0, 0, n, 8*px)
		}
	})
}

// The ratio bar's axis: from 1/limit to limit, logarithmic, between these places.
const (
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
	return smallSVG(w, "bar", 176, 14, "", keySlot(KeyItem{Slot: slot}), func(p *svgPen) {
		p.SetClassName("gr")
		for _, x := range [2]int{ratioLeft, ratioRight} {
			p.MoveTo(x, 0)
			p.LineTo(x, 14*px)
		}
		p.Stroke()
		one := ratioPlace(1, limit)
		if ratio > 0 {
			x := ratioPlace(ratio, limit)
			if x != one {
				rect(p, "fillb", min(one, x), 3*px, max(one, x), 11*px)
			}
		}
		line(p, "bl", one, 0, one, 14*px)
		if low < high && low > 0 {
			a, b := ratioPlace(low, limit), ratioPlace(high, limit)
			p.SetClassName("wh")
			p.MoveTo(a, 7*px)
			p.LineTo(b, 7*px)
			for _, x := range [2]int{a, b} {
				p.MoveTo(x, 4*px)
				p.LineTo(x, 10*px)
			}
			p.Stroke()
		}
	})
}

// RatioAxis writes the head of a column of RatioBars: the ticks 1/limit, 1 and limit.
func RatioAxis(w io.Writer, limit float64) error {
	l := ratioLimit(limit)
	return smallSVG(w, "bar", 176, 16, "", 1, func(p *svgPen) {
		for _, t := range []float64{1 / l, 1, l} {
			s := exactRatio(t) + "×"
			x := ratioPlace(t, l)
			half := textWidth(s, 110, false) / 2
			x = max(half, min(x, 176*px-half))
			p.SetClassName("rt m")
			p.Text(s, x, 12*px)
		}
	})
}

func exactRatio(v float64) string {
	return exactTick(math.Round(v*100) / 100)
}
