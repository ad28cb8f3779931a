package chart

import (
	"math"
	"slices"
	"strings"
)

func line(p pen, class string, xy ...int) {
	p.SetClassName(class)
	for i := 0; i+1 < len(xy); i += 2 {
		if i == 0 {
			p.MoveTo(xy[i], xy[i+1])
		} else {
			p.LineTo(xy[i], xy[i+1])
		}
	}
	p.Stroke()
}

func rect(p pen, class string, x0, y0, x1, y1 int) {
	p.SetClassName(class)
	p.MoveTo(x0, y0)
	p.LineTo(x1, y0)
	p.LineTo(x1, y1)
	p.LineTo(x0, y1)
	p.Close()
	p.Fill()
}

// text writes s cut to room, with the whole of it as title where it was cut.
func text(p pen, class string, x, y int, s string, size, room int) {
	short, full := cutTitle(s, size, false, room)
	p.label(full)
	p.SetClassName(class)
	p.Text(short, x, y)
}

func drawBands(p pen, pl *plot) {
	for _, b := range pl.p.Bands {
		x0, x1, ok := pl.bandEdges(b)
		if ok {
			rect(p, "rfill", x0, pl.box.Top, x1, pl.box.Bottom)
		}
	}
}

func (pl *plot) bandEdges(b Band) (x0, x1 int, ok bool) {
	if math.IsNaN(b.From) || math.IsNaN(b.To) {
		return 0, 0, false
	}
	if math.IsInf(b.From, 1) {
		if pl.x.infWidth == 0 {
			return 0, 0, false
		}
		return pl.box.Right - pl.x.infWidth, pl.box.Right, true
	}
	if pl.d.c.Kind == Bars {
		n := len(pl.cats)
		if n == 0 {
			return 0, 0, false
		}
		lo, hi := n, -1
		for i, v := range pl.cats {
			if v >= b.From && v <= b.To {
				lo, hi = min(lo, i), max(hi, i)
			}
		}
		if hi < 0 {
			return 0, 0, false
		}
		return pl.X(float64(lo) - .5), pl.X(float64(hi) + .5), true
	}
	if b.To < pl.x.min || b.From > pl.x.max {
		return 0, 0, false
	}
	x0, x1 = pl.X(b.From), pl.X(math.Min(b.To, largest))
	if math.IsInf(b.To, 1) && pl.x.infWidth == 0 {
		x1 = pl.box.Right
	}
	if x1-x0 < 6*px { // one value
		x0, x1 = max(pl.box.Left, x0-5*px), min(pl.box.Right, x1+5*px)
	}
	return x0, x1, x1 > x0
}

// drawAxes draws grid, axes, ticks, their labels and titles.
func drawAxes(p pen, pl *plot) {
	b := pl.box
	lines := func(class string, vs []int) {
		if len(vs) == 0 {
			return
		}
		p.SetClassName(class)
		for _, y := range vs {
			p.MoveTo(b.Left, y)
			p.LineTo(b.Right, y)
		}
		p.Stroke()
	}
	var minor, grid []int
	zero := -1
	for _, v := range pl.y.minor {
		minor = append(minor, pl.Y(v))
	}
	for _, t := range pl.y.ticks {
		if y := pl.Y(t.v); t.v == 0 && !pl.y.log() && y < b.Bottom {
			zero = y
		} else if y < b.Bottom {
			grid = append(grid, y)
		}
	}
	lines("gr mi", minor)
	lines("gr", grid)
	if zero >= 0 {
		line(p, "bl", b.Left, zero, b.Right, zero)
	}
	for _, t := range pl.y.ticks {
		p.SetClassName("tk e")
		p.Text(t.label, b.Left-7*px, pl.Y(t.v)+4*px)
	}
	if pl.title != "" {
		text(p, "ax", 0, pl.titleY, pl.title, 120, pl.d.w)
	}

	// The X axis, broken before inf; ticks and labels below the last plot only.
	p.SetClassName("bl")
	y := b.Bottom
	if pl.x.infWidth > 0 && pl.x.infWidth < pl.x.domain {
		cut := b.Right - pl.x.infWidth - 10*px
		if pl.d.c.Kind == Bars {
			cut = b.Right - pl.x.infWidth - 8*px
		}
		p.MoveTo(b.Left, y)
		p.LineTo(cut-4*px, y)
		p.MoveTo(cut+4*px, y)
		p.LineTo(b.Right, y)
		for _, x := range [2]int{cut - 4*px, cut + 4*px} {
			p.MoveTo(x-3*px, y+5*px)
			p.LineTo(x+3*px, y-5*px)
		}
	} else {
		p.MoveTo(b.Left, y)
		p.LineTo(b.Right, y)
	}
	if pl.last {
		for _, t := range pl.x.ticks {
			x := pl.X(t.v)
			if pl.d.c.Kind == Bars {
				continue
			}
			p.MoveTo(x, y)
			p.LineTo(x, y+5*px)
		}
	}
	p.Stroke()
	if !pl.last {
		return
	}
	for _, t := range pl.x.ticks {
		class := "tk m"
		if math.IsInf(t.v, 1) {
			class = "tk th m"
		}
		x, w := pl.X(t.v), textWidth(t.label, 120, class != "tk m")
		dx, _ := pl.d.inside(textArea("m", x, y+17*px, w, 120))
		p.SetClassName(class)
		p.Text(t.label, x+dx, y+17*px)
	}
	if t := pl.d.xtitle; t != "" {
		short, full := cutTitle(t, 120, false, pl.d.w)
		w := textWidth(short, 120, false)
		x := (b.Left + b.Right) / 2
		dx, _ := pl.d.inside(textArea("m", x, y+36*px, w, 120))
		p.label(full)
		p.SetClassName("ax m")
		p.Text(short, x+dx, y+36*px)
	}
}

// drawRefs draws reference lines; what lies outside the axes is clipped.
func drawRefs(p pen, pl *plot) {
	for _, r := range pl.p.Refs {
		if r.Fit {
			continue // over the marks, by drawLabels
		}
		pl.drawRef(p, &r)
	}
}

// edge replaces infinite ends of a reference line by the ends of the axis.
func edge(v float64, s *scale) float64 {
	switch {
	case math.IsInf(v, -1):
		return s.min
	case math.IsInf(v, 1):
		return s.max
	}
	return v
}

// refX is where a vertical line stands. A change between two categories stands between them.
func (pl *plot) refX(r *Ref) int {
	x := r.X1
	if r.Change && pl.d.named() && x >= .5 {
		x -= .5
	}
	return pl.X(x)
}

func (pl *plot) drawRef(p pen, r *Ref) {
	for _, v := range [4]float64{r.X1, r.Y1, r.X2, r.Y2} {
		if math.IsNaN(v) || math.Abs(v) > largest && !math.IsInf(v, 0) {
			return
		}
	}
	class := "ref"
	switch {
	case r.Fit:
		class = "fitl"
	case r.Change && r.Worse:
		class = "chg badl"
	case r.Change:
		class = "chg"
	}
	b := pl.box
	bars := pl.d.c.Kind == Bars
	switch {
	case math.IsInf(r.X1, -1) && math.IsInf(r.X2, 1) && r.Y1 == r.Y2:
		if !pl.y.holds(r.Y1) {
			return
		}
		y := pl.Y(r.Y1)
		line(p, class, b.Left, y, b.Right, y)
		return
	case math.IsInf(r.Y1, -1) && math.IsInf(r.Y2, 1) && r.X1 == r.X2:
		if bars || !pl.x.holds(r.X1) {
			return
		}
		x := pl.refX(r)
		if r.Change {
			p.label(clean(r.Label))
		}
		line(p, class, x, b.Bottom, x, b.Top)
		if r.Change {
			// An arrow head on the axis: the reader sees it where lines hide the line.
			head := "chh"
			if r.Worse {
				head += " bad"
			}
			p.SetClassName(head)
			p.MoveTo(x, b.Bottom-8*px)
			p.LineTo(x+5*px, b.Bottom)
			p.LineTo(x-5*px, b.Bottom)
			p.Close()
			p.Fill()
		}
		return
	case bars:
		return
	}
	// A line in the data's own space: straight on two linear axes, else a curve.
	n := 1
	if pl.x.log() || pl.y.log() {
		n = 32
	}
	x1, x2 := edge(r.X1, pl.x), edge(r.X2, pl.x)
	y1, y2 := edge(r.Y1, pl.y), edge(r.Y2, pl.y)
	t0, t1 := within(x1, x2, pl.x)
	u0, u1 := within(y1, y2, pl.y)
	t0, t1 = math.Max(t0, u0), math.Min(t1, u1)
	if !(t0 < t1) {
		return
	}
	var xy []int
	for i := 0; i <= n; i++ {
		t := t0 + (t1-t0)*float64(i)/float64(n)
		xy = append(xy, pl.X(x1+(x2-x1)*t), pl.Y(y1+(y2-y1)*t))
	}
	line(p, class, xy...)
	for i := 0; i+3 < len(xy); i += 2 {
		pl.taken.lines = append(pl.taken.lines, [4]int{xy[i], xy[i+1], xy[i+2], xy[i+3]})
	}
}

// within gives the part of the way from a to b, 0 to 1, that an axis holds.
func within(a, b float64, s *scale) (t0, t1 float64) {
	if a == b {
		if a < s.min || a > s.max {
			return 1, 0
		}
		return 0, 1
	}
	t0, t1 = (s.min-a)/(b-a), (s.max-a)/(b-a)
	return math.Max(0, math.Min(t0, t1)), math.Min(1, math.Max(t0, t1))
}

// drawLines draws lines, marks and quartile bars.
func drawLines(p pen, pl *plot) {
	c := pl.d.c
	small := pl.d.w <= 440*px && len(c.Panels) > 1 || pl.d.h <= 200*px
	for _, t := range pl.tracks {
		title := ""
		if w := textWidth(t.name, 120, false); w > 320*px {
			title = t.name
		}
		if len(t.runs) == 0 && len(t.lone) == 0 {
			continue
		}
		join := columns
		if t.s.steps {
			join = steps
		}
		t.begin(p, title)
		pl.drawBeaten(p, t)
		timeline := c.Kind == Timeline
		if timeline && !t.s.NoLine && len(pl.tracks) == 1 {
			for _, run := range t.runs {
				if len(run) < 2 {
					continue
				}
				base := pl.box.Bottom
				if !pl.y.log() {
					base = pl.Y(math.Max(pl.y.min, math.Min(0, pl.y.max)))
				}
				p.SetClassName("area")
				p.MoveTo(run[0].x, base)
				for _, s := range join(run) {
					p.LineTo(s.x, s.y)
				}
				p.LineTo(run[len(run)-1].x, base)
				p.Close()
				p.Fill()
			}
		}
		pl.quartiles(p, t)
		if !t.s.NoLine {
			class := "ln"
			switch {
			case t.s.Solid, timeline, len(pl.tracks) == 1:
				class += " so"
			}
			if timeline || small {
				class += " thin"
			}
			drawn := false
			p.SetClassName(class)
			for _, run := range t.runs {
				if len(run) < 2 {
					if timeline {
						p.MoveTo(run[0].x, run[0].y)
						p.LineTo(run[0].x+px, run[0].y)
						drawn = true
					}
					continue
				}
				for i, s := range join(run) {
					if i == 0 {
						p.MoveTo(s.x, s.y)
					} else {
						p.LineTo(s.x, s.y)
					}
				}
				drawn = true
			}
			if drawn {
				p.Stroke()
			}
		}
		if c.Kind == Distribution && t.s.NoMarks {
			for _, run := range t.runs {
				for i := range run {
					if run[i].p.Label != "" {
						pl.mark(p, t, &run[i], 34)
					}
				}
			}
		}
		if !t.s.NoMarks && !timeline {
			r := 34
			if small {
				r = 26
			}
			n := 0
			for _, run := range t.runs {
				n += len(run)
			}
			if n > 40 {
				r = 22
			}
			for _, run := range t.runs {
				for i := range run {
					pl.mark(p, t, &run[i], r)
				}
			}
			for i := range t.lone {
				pl.mark(p, t, &t.lone[i], max(r, 30))
			}
		}
		p.end()
	}
}

// columns keeps of a line with many points in one column of pixels only the first, lowest, highest and
// last.
func columns(run []spot) []spot {
	if len(run) < 400 {
		return run
	}
	var out []spot
	for i := 0; i < len(run); {
		j, lo, hi := i, i, i
		for j < len(run) && run[j].x/px == run[i].x/px {
			if run[j].y < run[lo].y {
				lo = j
			}
			if run[j].y > run[hi].y {
				hi = j
			}
			j++
		}
		keep := []int{i, min(lo, hi), max(lo, hi), j - 1}
		keep = slices.Compact(keep)
		for _, k := range keep {
			out = append(out, run[k])
		}
		i = j
	}
	return out
}

// steps is a line that reaches each X before its Y changes.
func steps(run []spot) []spot {
	out := make([]spot, 0, 2*len(run))
	for i, s := range run {
		if i > 0 {
			s.y = run[i-1].y
			out = append(out, s)
		}
		out = append(out, run[i])
	}
	return out
}

func (pl *plot) quartiles(p pen, t *track) {
	any := false
	p.SetClassName("q")
	bar := func(s *spot) {
		if !(s.p.Low < s.p.High) || !usable(s.p.Low) || !usable(s.p.High) {
			return
		}
		y0, y1 := pl.Y(math.Max(s.p.Low, pl.y.min)), pl.Y(math.Min(s.p.High, pl.y.max))
		if y0 == y1 {
			return
		}
		any = true
		p.MoveTo(s.x, y0)
		p.LineTo(s.x, y1)
		if t.s.Interval != Quartiles {
			for _, y := range [2]int{y0, y1} {
				p.MoveTo(s.x-3*px, y)
				p.LineTo(s.x+3*px, y)
			}
		}
	}
	for _, run := range t.runs {
		for i := range run {
			bar(&run[i])
		}
	}
	for i := range t.lone {
		bar(&t.lone[i])
	}
	if any {
		p.Stroke()
	}
}

func (pl *plot) mark(p pen, t *track, s *spot, r int) {
	m := t.s.Marker
	if m < 1 || m > 9 {
		m = t.slot
	}
	class := "mk"
	switch {
	case m == 6:
		class = "mk x"
	case s.p.Hollow:
		class = "mk ho"
	case r < 30:
		class = "mk no"
	}
	pl.say(p, t, s.p)
	marker(p, class, m, s.x, s.y, r)
	if s.p.Hollow && m == 6 {
		marker(p, "mk ho", 1, s.x, s.y, r*7/10)
	}
}

// star has the points of a five-pointed star and pentagon those of a regular pentagon, of radius 1000.
var (
	star     = polygon(10, 1180, 520)
	pentagon = polygon(5, 1120, 1120)
)

func polygon(n int, outer, inner float64) [][2]int {
	var out [][2]int
	for i := range n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		a := 2 * math.Pi * float64(i) / float64(n)
		out = append(out, [2]int{int(math.Round(r * math.Sin(a))), int(math.Round(-r * math.Cos(a)))})
	}
	return out
}

// marker draws the mark of a slot around (x, y); r is the radius of a circle as large.
func marker(p pen, class string, m, x, y, r int) {
	p.SetClassName(class)
	shape := func(scale int, pts ...[2]int) {
		for i, q := range pts {
			px, py := x+round(q[0]*r, scale), y+round(q[1]*r, scale)
			if i == 0 {
				p.MoveTo(px, py)
			} else {
				p.LineTo(px, py)
			}
		}
		p.Close()
		p.FillStroke()
	}
	switch m {
	case 2:
		shape(1000, [2]int{-890, -890}, [2]int{890, -890}, [2]int{890, 890}, [2]int{-890, 890})
	case 3:
		shape(1000, [2]int{0, -1190}, [2]int{1150, 900}, [2]int{-1150, 900})
	case 4:
		shape(1000, [2]int{0, -1270}, [2]int{1180, 0}, [2]int{0, 1270}, [2]int{-1180, 0})
	case 5:
		shape(1000, [2]int{0, 1190}, [2]int{1150, -900}, [2]int{-1150, -900})
	case 6:
		d := r * 85 / 100
		p.MoveTo(x-d, y-d)
		p.LineTo(x+d, y+d)
		p.MoveTo(x+d, y-d)
		p.LineTo(x-d, y+d)
		p.Stroke()
	case 7: // a plus, thick enough to be told from the cross
		shape(1000, [2]int{-420, -1180}, [2]int{420, -1180}, [2]int{420, -420}, [2]int{1180, -420}, [2]int{1180, 420}, [2]int{420, 420},
			[2]int{420, 1180}, [2]int{-420, 1180}, [2]int{-420, 420}, [2]int{-1180, 420}, [2]int{-1180, -420}, [2]int{-420, -420})
	case 8:
		shape(900, star...)
	case 9:
		shape(1000, pentagon...)
	default:
		p.Circle(float64(r), x, y)
	}
}

// round divides to the nearest.
func round(a, b int) int {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// drawBars draws one group a category and one bar a series in it.
func drawBars(p pen, pl *plot) {
	n := len(pl.tracks)
	if n == 0 {
		return
	}
	slots := len(pl.cats)
	wide := pl.x.infWidth
	if slots > 0 {
		wide = (pl.x.domain - pl.x.after) / slots
	}
	gap := 10
	bw := min((wide*78/100)/n, 44*px)
	if bw < 40 {
		gap = 0
	}
	if bw < 10 {
		bw = 10
	}
	base := pl.Y(0)
	type bar struct {
		t      *track
		p      *Point
		x0, x1 int
		y      int
		// top and bottom of the bar with its interval
		top, bottom int
	}
	var bars []bar
	for i, t := range pl.tracks {
		for _, run := range t.runs {
			for k := range run {
				pt := run[k].p
				var mid int
				if math.IsInf(pt.X, 1) {
					if pl.x.infWidth == 0 {
						continue
					}
					mid = pl.X(inf)
				} else {
					j, ok := slices.BinarySearch(pl.cats, pt.X)
					if !ok {
						continue
					}
					mid = pl.X(float64(j))
				}
				x0 := mid - n*bw/2 + i*bw + gap/2
				x0 = max(x0, pl.box.Left)
				x1 := min(x0+bw-gap, pl.box.Right)
				b := bar{t: t, p: pt, x0: x0, x1: x1, y: pl.Y(pt.Y)}
				b.top, b.bottom = min(b.y, base), max(b.y, base)
				if pt.Low < pt.High && usable(pt.Low) && usable(pt.High) && x1-x0 >= 4*px {
					b.top, b.bottom = min(b.top, pl.Y(pt.High)), max(b.bottom, pl.Y(pt.Low))
				}
				bars = append(bars, b)
			}
		}
	}
	for _, t := range pl.tracks {
		t.begin(p, "")
		for _, b := range bars {
			if b.t != t {
				continue
			}
			y0, y1 := min(b.y, base), max(b.y, base)
			pl.say(p, t, b.p)
			rect(p, "fillb", b.x0, y0, b.x1, y1)
		}
		p.end()
	}
	for _, class := range [2]string{"ivh", "iv"} { // ink on a halo: seen on the bar and above it
		p.SetClassName(class)
		whiskers := false
		for _, b := range bars {
			if !(b.p.Low < b.p.High) || !usable(b.p.Low) || !usable(b.p.High) || b.x1-b.x0 < 4*px {
				continue
			}
			x, w := (b.x0+b.x1)/2, min(3*px, (b.x1-b.x0)/4)
			y0, y1 := pl.Y(b.p.Low), pl.Y(b.p.High)
			p.MoveTo(x, y0)
			p.LineTo(x, y1)
			for _, y := range [2]int{y0, y1} {
				p.MoveTo(x-w, y)
				p.LineTo(x+w, y)
			}
			whiskers = true
		}
		if whiskers {
			p.Stroke()
		}
	}
	for _, b := range bars {
		pl.taken.box(area{b.x0, b.top, b.x1, b.bottom})
	}
	line(p, "bl", pl.box.Left, base, pl.box.Right, base)
	// Values on top: all of them, or where that is too tight only the best of each group.
	labels := make([]string, len(bars))
	areas := make([]area, len(bars))
	fits := func(keep func(*bar) bool) bool {
		var done []area
		any := false
		for i := range bars {
			b := &bars[i]
			if !keep(b) {
				continue
			}
			a := areas[i]
			if a.x0 < pl.box.Left-2*px || a.x1 > pl.d.w {
				return false
			}
			for j := range bars {
				o := &bars[j]
				if o != b && a.meets(area{o.x0, o.top, o.x1, o.bottom}) {
					return false
				}
			}
			for _, o := range done {
				if a.meets(area{o.x0 - 15, o.y0, o.x1 + 15, o.y1}) {
					return false
				}
			}
			done = append(done, a)
			any = true
		}
		return any
	}
	if len(bars) > 120 {
		return
	}
	pl.whole = true
	for i := range bars {
		pl.whole = pl.whole && bars[i].p.Y == math.Trunc(bars[i].p.Y)
	}
	for i := range bars {
		b := &bars[i]
		labels[i] = pl.onBar(b.p.Y)
		y := b.top - 4*px
		if b.p.Y < 0 {
			y = b.bottom + 12*px
		}
		areas[i] = textArea("m", (b.x0+b.x1)/2, y, textWidth(labels[i], 105, b.p.Strong), 105)
	}
	all := func(*bar) bool { return true }
	best := func(b *bar) bool { return b.p.Strong }
	keep := all
	if !fits(all) {
		if !fits(best) {
			return
		}
		keep = best
	}
	for i := range bars {
		b := &bars[i]
		if !keep(b) {
			continue
		}
		class := "pt m"
		if b.p.Strong {
			class = "pt th m"
		}
		y := b.top - 4*px
		if b.p.Y < 0 {
			y = b.bottom + 12*px
		}
		p.SetClassName(class)
		p.Text(labels[i], (b.x0+b.x1)/2, y)
		pl.taken.text(areas[i])
	}
}

// onBar writes the value on top of a bar: whole from 10 on, where that is enough to tell bars of
// this axis apart.
func (pl *plot) onBar(v float64) string {
	if f := pl.p.Y.Format; f != nil {
		return clean(f(v))
	}
	if pl.whole && math.Abs(v) < 1e15 {
		return decimal(v, 0)
	}
	if a := math.Abs(v); pl.y.max < 100 || a >= 1e15 || a < 1 && a > 0 {
		return number(v)
	} else if a < 10 {
		return decimal(v, 1)
	}
	return decimal(v, 0)
}

// maxTitled is the number of points of a Scatter up to which each has a title.
const maxTitled = 120

// cloud says whether a Scatter has too many points for a mark each.
func (p *Panel) cloud() bool {
	n := 0
	for i := range p.Series {
		n += len(p.Series[i].Points)
	}
	return n > maxTitled
}

func drawScatter(p pen, pl *plot) {
	for _, t := range pl.tracks {
		t.begin(p, "")
		if !pl.p.cloud() {
			r := 30
			for _, run := range t.runs {
				for i := range run {
					pl.mark(p, t, &run[i], r)
				}
			}
		} else {
			var all []spot
			for _, run := range t.runs {
				all = append(all, run...)
			}
			drawDots(p, "dots", all)
		}
		for i := range t.lone {
			pl.mark(p, t, &t.lone[i], 30)
		}
		p.end()
	}
}

// drawLabels writes what stands over the marks: fitted lines, names, values, annotations.
func drawLabels(p pen, pl *plot) {
	if pl.empty() {
		const s = "no values"
		x, y := (pl.box.Left+pl.box.Right)/2, (pl.box.Top+pl.box.Bottom)/2
		pl.taken.text(textArea("m", x, y, textWidth(s, 115, false), 115))
		p.SetClassName("an m")
		p.Text(s, x, y)
	}
	for i := range pl.p.Refs {
		if pl.p.Refs[i].Fit {
			pl.drawRef(p, &pl.p.Refs[i])
		}
	}
	for _, l := range pl.labels {
		if l.leader {
			line(p, "ld", l.mx+6*px, l.my, l.x-3*px, l.y-4*px)
		}
		p.label(l.full)
		p.data("s", l.t.n)
		p.SetClassName(withAnchor("lb", l.anchor))
		p.Text(l.text, l.x, l.y)
	}
	pl.drawNotes(p)
	pl.refLabels(p)
	pl.bandLabels(p)
	pl.pointLabels(p)
}

func (pl *plot) empty() bool {
	for _, t := range pl.tracks {
		if len(t.runs)+len(t.lone) > 0 {
			return false
		}
	}
	return true
}

// pointLabels writes the short texts beside marks; the first and last of a series come first, then
// the strong ones.
func (pl *plot) pointLabels(p pen) {
	if pl.d.c.Kind == Bars {
		return
	}
	for _, t := range pl.tracks {
		for _, run := range t.runs {
			n := len(run)
			order := []int{0, n - 1}
			for i := 1; i < n-1; i++ {
				order = append(order, i)
			}
			var named []spot // labels of one line keep apart: a few say as much as all
			for k, i := range order {
				s := &run[i]
				if s.p.Label == "" || k == 1 && n == 1 {
					continue
				}
				if slices.ContainsFunc(named, func(o spot) bool { return abs(o.x-s.x) < 40*px && abs(o.y-s.y) < 40*px }) {
					continue
				}
				txt, _ := cut(pl.label(s), 105, false, 130*px)
				at, ok := pl.put(textWidth(txt, 105, false), 105, s.x, s.y, around)
				if ok {
					p.SetClassName(withAnchor("pt", at.anchor))
					p.Text(txt, s.x+at.dx, s.y+at.dy)
					named = append(named, *s)
				}
			}
		}
	}
}

func (pl *plot) drawNotes(p pen) {
	b := pl.box
	for _, n := range pl.p.Notes {
		if math.IsNaN(n.X) || math.IsNaN(n.Y) || n.Text == "" {
			continue
		}
		var x, y int
		switch {
		case math.IsInf(n.X, -1):
			x = b.Left + 8*px
		case pl.d.c.Kind == Bars && !math.IsInf(n.X, 1):
			j, ok := slices.BinarySearch(pl.cats, n.X)
			if !ok {
				continue
			}
			x = pl.X(float64(j))
		default:
			x = pl.X(n.X)
		}
		switch {
		case math.IsInf(n.Y, 1):
			y = b.Top + 8*px
		case math.IsInf(n.Y, -1):
			y = b.Bottom - 6*px
		default:
			y = pl.Y(n.Y)
		}
		class := "an"
		if n.Strong {
			class = "an th"
		}
		rows := wrap(clean(n.Text), 115, min(190*px, pl.d.w/2), 4)
		w := 0
		for _, r := range rows {
			w = max(w, textWidth(r, 115, n.Strong))
		}
		at, ok := pl.block(x, y, w, len(rows))
		if !ok {
			pl.d.unsaid = append(pl.d.unsaid, clean(n.Text))
			continue
		}
		for i, r := range rows {
			p.SetClassName(withAnchor(class, at.anchor))
			p.Text(r, at.dx, at.dy+i*14*px)
		}
	}
}

// block finds where to put lines of text near (x, y): the baseline of the first and the anchor. ok is
// false where they would lie on other text.
func (pl *plot) block(x, y, w, rows int) (best spotLabel, ok bool) {
	h := (rows - 1) * 14 * px
	least := math.MaxInt
	for k, c := range []spotLabel{
		{0, -9*px - h, "m"}, {9 * px, -6*px - h, ""}, {-9 * px, -6*px - h, "e"}, {10 * px, 4 * px, ""}, {-10 * px, 4 * px, "e"},
		{0, 19 * px, "m"}, {9 * px, 16 * px, ""}, {-9 * px, 16 * px, "e"}, {0, -22*px - h, "m"}, {0, 32 * px, "m"},
	} {
		a := textArea(c.anchor, x+c.dx, y+c.dy, w, 115)
		a.y1 += h
		dx, dy := pl.d.inside(a)
		if a.x0+dx < pl.box.Left && a.x1+dx < pl.limitX {
			dx += min(pl.box.Left-a.x0-dx, pl.limitX-a.x1-dx)
		}
		if top := pl.box.Top - 22*px; a.y0+dy < top {
			dy = top - a.y0
		}
		if a.y1+dy > pl.box.Bottom {
			dy = pl.box.Bottom - a.y1
		}
		dy = max(dy, -a.y0)
		a = area{a.x0 + dx, a.y0 + dy, a.x1 + dx, a.y1 + dy}
		cost := pl.taken.cover(a)*10 + (abs(dx)+abs(dy))/px + k/3
		if cost < least && !pl.taken.blocked(a) {
			least = cost
			best = spotLabel{x + c.dx + dx, y + c.dy + dy, c.anchor}
		}
	}
	if least == math.MaxInt {
		return best, false
	}
	a := textArea(best.anchor, best.dx, best.dy, w, 115)
	a.y1 += h
	pl.taken.text(a)
	return best, true
}

// refLabels names reference lines, beside them where nothing else is.
func (pl *plot) refLabels(p pen) {
	b := pl.box
	for i := range pl.p.Refs {
		r := &pl.p.Refs[i]
		if r.Label == "" {
			continue
		}
		txt, full := cutTitle(clean(r.Label), 115, false, (b.Right-b.Left)*6/10)
		w := textWidth(txt, 115, false)
		class := "an"
		switch {
		case r.Fit:
			class = "an th"
			w = textWidth(txt, 115, true)
		case r.Change && r.Worse:
			class = "an bad"
		}
		var places []spotLabel
		switch {
		case math.IsInf(r.X1, -1) && math.IsInf(r.X2, 1) && r.Y1 == r.Y2:
			if !pl.y.holds(r.Y1) {
				continue
			}
			y := pl.Y(r.Y1)
			right := b.Right - 6*px
			if pl.x.infWidth > 0 {
				right -= pl.x.infWidth + 24*px
			}
			places = []spotLabel{{b.Left + 8*px, y - 5*px, ""}, {right, y - 5*px, "e"}, {(b.Left + b.Right) / 2, y - 5*px, "m"}, {b.Left + 8*px, y + 13*px, ""}, {right, y + 13*px, "e"}}
		case math.IsInf(r.Y1, -1) && math.IsInf(r.Y2, 1) && r.X1 == r.X2:
			if pl.d.c.Kind == Bars || !pl.x.holds(r.X1) {
				continue
			}
			x := pl.refX(r)
			for _, y := range []int{b.Top + 9*px, b.Bottom - 8*px, (b.Top + b.Bottom) / 2} {
				places = append(places, spotLabel{x - 5*px, y, "e"}, spotLabel{x + 5*px, y, ""})
			}
		default:
			if pl.d.c.Kind == Bars || math.IsNaN(r.X1+r.Y1+r.X2+r.Y2) {
				continue
			}
			for _, t := range []float64{.5, .7, .3, .85, .95} {
				fx := edge(r.X1, pl.x)*(1-t) + edge(r.X2, pl.x)*t
				fy := edge(r.Y1, pl.y)*(1-t) + edge(r.Y2, pl.y)*t
				if !pl.x.holds(fx) || !pl.y.holds(fy) {
					continue
				}
				x, y := pl.X(fx), pl.Y(fy)
				places = append(places, spotLabel{x - 8*px, y - 8*px, "e"}, spotLabel{x + 8*px, y + 18*px, ""}, spotLabel{x - 14*px, y - 20*px, "e"})
			}
		}
		if len(places) == 0 {
			continue
		}
		best, least := places[0], math.MaxInt
		for k, c := range places {
			a := textArea(c.anchor, c.dx, c.dy, w, 115)
			dx, dy := pl.d.inside(a)
			if a.x0 < b.Left {
				dx = max(dx, b.Left+4*px-a.x0)
			}
			a = area{a.x0 + dx, a.y0 + dy, a.x1 + dx, a.y1 + dy}
			if cost := pl.taken.cover(a)*10 + (abs(dx)+abs(dy))/px + k; cost < least && a.x0 >= 0 && a.x1 <= pl.d.w && !pl.taken.blocked(a) {
				best, least = spotLabel{c.dx + dx, c.dy + dy, c.anchor}, cost
			}
		}
		if least == math.MaxInt {
			pl.d.unsaid = append(pl.d.unsaid, clean(r.Label))
			continue
		}
		pl.taken.text(textArea(best.anchor, best.dx, best.dy, w, 115))
		p.label(full)
		p.SetClassName(withAnchor(class, best.anchor))
		p.Text(txt, best.dx, best.dy)
	}
}

// bandLabels writes what is the matter with a tinted range, inside it, clear of marks.
func (pl *plot) bandLabels(p pen) {
	for _, bd := range pl.p.Bands {
		x0, x1, ok := pl.bandEdges(bd)
		if !ok || bd.Label == "" {
			continue
		}
		room := max(x1-x0-4*px, 48*px)
		rows := wrap(clean(bd.Label), 115, room, 5)
		w := 0
		for _, r := range rows {
			w = max(w, textWidth(r, 115, false))
		}
		h := (len(rows) - 1) * 14 * px
		x := (x0 + x1) / 2
		dx, _ := pl.d.inside(textArea("m", x, 0, w, 115))
		x += dx
		height := pl.box.Bottom - pl.box.Top
		best, least := 0, math.MaxInt
		for k, share := range []int{45, 30, 60, 75, 15, 5} {
			y := pl.box.Top + height*share/100
			y = max(pl.box.Top+11*px, min(y, pl.box.Bottom-h-5*px))
			a := textArea("m", x, y, w, 115)
			a.y1 += h
			if cost := pl.taken.cover(a)*10 + k; cost < least && a.y0 >= 0 && !pl.taken.blocked(a) {
				best, least = y, cost
			}
		}
		if least == math.MaxInt {
			pl.d.unsaid = append(pl.d.unsaid, clean(bd.Label))
			continue
		}
		a := textArea("m", x, best, w, 115)
		a.y1 += h
		pl.taken.text(a)
		class := "an nh m"
		if least >= 10 {
			class = "an m" // over a line or a bar: with a halo
		}
		for i, r := range rows {
			p.SetClassName(class)
			p.Text(r, x, best+i*14*px)
		}
	}
}

// layoutKey breaks the key into rows.
func (d *sheet) layoutKey() {
	if d.rows != nil {
		return
	}
	d.key = KeyOf(d.c)
	limit := d.w - 40*px
	if len(d.key) > 3 {
		limit = d.w/2 - 50*px
	}
	if len(d.key) > 9 {
		d.key = d.key[:9]
	}
	const gap = 18 * px
	var all []placedKey
	total, widest := -gap, 0
	for _, k := range d.key {
		text, full := cutTitle(clean(k.Name), 125, false, limit)
		w := swatchWidth(&k) + 6*px + textWidth(text, 125, false)
		all = append(all, placedKey{k, w, text, full})
		total += w + gap
		widest = max(widest, w)
	}
	// One row where they fit, else columns.
	columns := len(all)
	if total > d.w {
		columns = max(1, (d.w+gap)/(widest+gap))
		rows := (len(all) + columns - 1) / columns
		columns = (len(all) + rows - 1) / rows
	}
	x := 0
	var row []placedKey
	for i, k := range all {
		w := k.x
		if i%columns == 0 && i > 0 {
			d.rows = append(d.rows, row)
			row, x = nil, 0
		}
		k.x = x
		row = append(row, k)
		if total > d.w {
			w = widest
		}
		x += w + gap
	}
	if row != nil {
		d.rows = append(d.rows, row)
	}
}

func (d *sheet) drawKey(p pen) {
	if d.o.Titled {
		short, full := cutTitle(clean(d.c.Title), 140, true, d.w)
		p.label(full)
		p.SetClassName("hd")
		p.Text(short, 0, 14*px)
	}
	for i, row := range d.rows {
		y := d.heading() + i*19*px + 8*px
		for _, k := range row {
			name, _ := cut(clean(k.Name), 12*px, false, 320*px)
			p.data("k", isolated(name))
			p.begin(keySlot(k.KeyItem), "")
			x := swatch(p, &k.KeyItem, k.x, y)
			p.end()
			p.label(k.full)
			p.SetClassName("ky")
			p.Text(k.text, x+6*px, y+4*px)
		}
	}
}

func keySlot(k KeyItem) int {
	if k.Slot < 1 || k.Slot > 9 {
		return 1
	}
	return k.Slot
}

func swatchWidth(k *KeyItem) int {
	if k.Box || k.NoLine {
		return 12 * px
	}
	return 30 * px
}

// swatch draws the look of a key item with its left end at x, its middle at y, and returns its right
// end.
func swatch(p pen, k *KeyItem, x, y int) int {
	w := swatchWidth(k)
	if k.Box {
		rect(p, "fillb", x, y-6*px, x+w, y+6*px)
		return x + w
	}
	if !k.NoLine {
		class := "ln"
		if k.Solid {
			class = "ln so"
		}
		line(p, class, x+px, y, x+29*px, y)
	}
	m := k.Marker
	if m < 1 || m > 9 {
		m = keySlot(*k)
	}
	class := "mk"
	switch {
	case m == 6:
		class = "mk x"
	case k.Hollow:
		class = "mk ho"
	}
	if !k.NoMark {
		marker(p, class, m, x+w/2, y, 34)
	}
	return x + w
}

// describe adds to the description what the drawing left out.
func (d *sheet) describe() string {
	desc := clean(d.c.Desc)
	more := append(slices.Clone(d.remarks), d.unsaid...)
	if len(more) == 0 {
		return desc
	}
	r := strings.Join(more, ". ") + "."
	if desc == "" {
		return r
	}
	return desc + " " + r
}
