package chart

import "math"

// Chart is one drawing: one X axis and, above it, one plot or several aligned plots.
type Chart struct {
	// Kind is how series are drawn; nil is Lines.
	Kind Kind
	// Title is what a reader hears who does not see the chart, before the numbers that it shows:
	// the first, highest and last of each series, in a Distribution the percentiles, in a Scatter
	// what points span. It is required.
	Title string
	X     Axis
	// Panels stand one below the other on the one X axis. Most charts have one.
	Panels []Panel
	// Hollow says what hollow marks mean ("KV cache at 95 % or more"). It is added to the titles of
	// such points, and to the key.
	Hollow string

	shared shared
}

// Worth says whether a drawing tells more than its numbers: some panel has more than two points, and their values
// differ. Points beside a line, such as percentiles over its median, do not count.
func (c *Chart) Worth() bool {
	for i := range c.Panels {
		n, differ, first := 0, false, math.NaN()
		for _, s := range c.Panels[i].shown() {
			if s.NoLine && len(c.Panels[i].Series) > 1 {
				continue
			}
			for _, p := range s.Points {
				if math.IsNaN(p.Y) {
					continue
				}
				if n++; math.IsNaN(first) {
					first = p.Y
				}
				differ = differ || p.Y != first || p.ranged()
			}
		}
		if n > 2 && differ {
			return true
		}
	}
	return false
}

// shared is what charts with common axes have in common, set by ShareX and ShareY.
type shared struct {
	x         *extent
	y         []extent // by panel
	nameWidth int      // of the widest name, tenths
}

// ShareX gives all charts one X axis: the union of what they hold. Ends fixed by the axis stay.
func ShareX(charts ...*Chart) {
	u := &extent{}
	for _, c := range charts {
		u.union(extentX(c.Panels))
	}
	width := nameWidthOf(charts)
	for _, c := range charts {
		c.shared.x, c.shared.nameWidth = u, width
	}
}

// ShareY gives the panels of equal place in all charts one Y axis: the union of what they hold.
func ShareY(charts ...*Chart) {
	var us []extent
	for _, c := range charts {
		for i := range c.Panels {
			if i == len(us) {
				us = append(us, extent{})
			}
			us[i].union(extentY(&c.Panels[i]))
		}
	}
	width := nameWidthOf(charts)
	for _, c := range charts {
		c.shared.y, c.shared.nameWidth = us, width
	}
}

func nameWidthOf(charts []*Chart) int {
	w := 0
	for _, c := range charts {
		w = max(w, nameWidth(c.Panels))
	}
	return w
}

// nameWidth is the width of the widest name.
func nameWidth(panels []Panel) int {
	w := 0
	for i := range panels {
		for _, s := range panels[i].shown() {
			if !s.NoLabel {
				w = max(w, textWidth(clean(s.Name), nameSize, true))
			}
		}
	}
	return w
}

// Size is the size of one drawing, in CSS pixels (it becomes higher where key and panels need
// more), with the class that shows it in the right containers only.
type Size struct {
	W, H int
	// Class is added to the svg element: big and small, mid and min take turns by container
	// query; empty is always shown.
	Class string
}

// The sizes in use. A wide chart is drawn Wide and Narrow, one of a pair Half and HalfNarrow, small
// multiples once at PanelSize. Heights may be changed: chart.Wide.High(420).
var (
	Wide       = Size{800, 380, "big"}
	Narrow     = Size{358, 320, "small"}
	Half       = Size{516, 400, "mid"}
	HalfNarrow = Size{358, 320, "min"}
	PanelSize  = Size{334, 300, ""}
	PanelLow   = Size{334, 186, ""}
	PanelTall  = Size{334, 384, ""}
)

// High is the size with another height.
func (s Size) High(h int) Size { s.H = h; return s }

// Options are how a chart is drawn.
type Options struct {
	// Size; the zero value is Wide.
	Size Size
	// ID is the prefix of every id in the drawing, unique in its page. Empty: no ids.
	ID string
	// SelfContained embeds the style sheet with both themes: for a file of its own. Otherwise the
	// page's style sheet (assets/css/chart.css) is needed.
	SelfContained bool
	// Untold leaves out what each mark of a file is: the drawing of the page that links the file says it.
	Untold bool
	// Titled writes the title above the chart, for a file that is seen without its page.
	Titled bool
	// Keyless names the series nowhere: the page has a key of its own (WriteKey). Otherwise they
	// are named at the ends of lines where the names fit, else in a key above the plot.
	Keyless bool
	// Dark draws a PNG in dark colours. SVG follows the reader's theme.
	Dark bool
	// Density is the number of pixels of a PNG for one CSS pixel; 0 counts as 1, at most 4.
	Density float64
}
