package chart

import (
	"fmt"
	"strconv"
	"strings"
)

func trim(v float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 64), "0")
}

func dashText(d []float64) string {
	out := make([]string, len(d))
	for i, v := range d {
		out[i] = trim(v)
	}
	return strings.Join(out, " ")
}

// declarations are the CSS of a look: its colours, of which paint gives the values, and the rest.
func (l *look) declarations(paint func(token string) string, rest bool) string {
	var b strings.Builder
	put := func(when bool, name, value string) {
		if when && value != "" {
			b.WriteString(name + ":" + value + ";")
		}
	}
	color := func(name, token string) {
		switch {
		case token == "none":
			put(rest, name, token)
		case token != "":
			put(true, name, paint(token))
		}
	}
	color("fill", l.fill)
	color("stroke", l.stroke)
	if l.halo > 0 {
		color("stroke", "bg")
	}
	if !rest {
		return b.String()
	}
	put(l.width > 0 && l.width != 1, "stroke-width", trim(l.width))
	put(l.dash != nil, "stroke-dasharray", dashText(l.dash))
	put(l.solid, "stroke-dasharray", "none")
	put(l.round, "stroke-linejoin", "round")
	put(l.round, "stroke-linecap", "round")
	put(l.opacity > 0, "opacity", trim(l.opacity))
	put(l.size > 0, "font-size", trim(l.size)+"px")
	put(l.bold, "font-weight", "600")
	put(l.normal, "font-weight", "400")
	put(true, "text-anchor", l.anchor)
	put(l.halo > 0, "paint-order", "stroke")
	put(l.halo > 0, "stroke-width", trim(l.halo)+"px")
	put(l.halo > 0, "stroke-linejoin", "round")
	put(l.halo < 0, "stroke", "none")
	return b.String()
}

// scope is the selector of a class. Those that modify a mark need to win over it.
func scope(class string) string {
	switch class {
	case "ln", "mk", "q", "fillb":
		return "." + class
	case "thin", "so":
		return ".ln." + class
	case "no", "ho", "x", "gone":
		return ".mk." + class
	case "grey":
		return ".ch .dots." + class
	case "gr", "bl", "m":
		return ":is(.ch, .bar) ." + class
	case "mi":
		return ".ch .gr.mi"
	case "bg", "bn", "wh", "rt", "ud", "ra":
		return ".bar ." + class
	case "nh":
		return ".ch .an.nh"
	}
	return ".ch ." + class
}

// usage is what a drawing uses of the looks.
type usage struct {
	slots   [maxSeries + 1]bool
	dashed  [maxSeries + 1]bool // slots with lines that are not solid whatever the slot
	slot    int                 // the slot of the group that is open
	classes map[string]bool     // nil: nobody asks
}

// class notes the classes of an element.
func (u *usage) class(list string) {
	if u.classes == nil {
		return
	}
	line, solid := false, false
	for c := range strings.FieldsSeq(list) {
		u.classes[c] = true
		line, solid = line || c == "ln", solid || c == "so"
	}
	if line && !solid {
		u.dashed[u.slot] = true
	}
}

// style is the style sheet of a self-contained drawing: what it uses, and nothing else. Colours are
// written out, those of series once a slot: not every viewer of SVG files knows custom properties, but each knows
// currentColor.
func (u *usage) style() string {
	var b strings.Builder
	b.WriteString(`svg{font:12px system-ui,"Segoe UI",Arial,sans-serif;font-variant-numeric:tabular-nums}`)
	u.rules(&b, func(token string) string {
		if token == "s" {
			return "currentColor"
		}
		return ""
	}, true)
	broken := ""
	if u.classes["so"] {
		broken = ":not(.so)"
	}
	for n := 2; n <= maxSeries; n++ {
		if u.dashed[n] {
			fmt.Fprintf(&b, ".s%d .ln%s{stroke-dasharray:%s}", n, broken, dashText(dashes[n]))
		}
	}
	u.themed(&b, &light)
	b.WriteString("@media (prefers-color-scheme:dark){")
	u.themed(&b, &dark)
	b.WriteString("}")
	return strings.ReplaceAll(b.String(), "#ffffff", "#fff")
}

// rules writes the looks of a drawing of its own: it has no bars, and not every viewer of SVG files
// knows :is. Looks one after the other that are alike are one rule; what all text looks like is not said again.
func (u *usage) rules(b *strings.Builder, paint func(token string) string, rest bool) {
	last := ""
	for _, l := range looks {
		if l.size > 0 && l.fill == plain.fill {
			l.fill = ""
		}
		d := l.declarations(paint, rest)
		if d == "" || l.solid || !u.classes[l.class] {
			continue
		}
		selector := strings.Replace(scope(l.class), ":is(.ch, .bar)", ".ch", 1)
		if strings.Count(selector, ".") < 3 {
			selector = strings.TrimPrefix(selector, ".ch ") // what modifies a look stays stronger
		}
		switch {
		case d == last:
			b.WriteString("," + selector)
			continue
		case last != "":
			b.WriteString("{" + strings.TrimSuffix(last, ";") + "}")
		}
		b.WriteString(selector)
		last = d
	}
	if last != "" {
		b.WriteString("{" + strings.TrimSuffix(last, ";") + "}")
	}
}

// themed writes the colours of a theme for a drawing of its own.
func (u *usage) themed(b *strings.Builder, t *theme) {
	b.WriteString("text{fill:" + t.tokens[plain.fill] + "}")
	u.rules(b, func(token string) string { return t.tokens[token] }, false)
	for n := 1; n <= maxSeries; n++ {
		if u.slots[n] {
			fmt.Fprintf(b, ".s%d{color:%s}", n, t.series[n])
		}
	}
}
