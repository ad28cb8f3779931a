package chart

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	gochart "github.com/wcharczuk/go-chart/v2"

	"github.com/inferdex/inferdex/ingest/metric"
)

// maxSeries is how many series one plot can tell apart.
const maxSeries = 9

// shared is what charts with common axes have in common.
type shared struct {
	x      *extent
	y      []*extent // by panel; nil: the chart's own
	labels int       // width of the widest name, tenths
}

// sheet is one chart at one size.
type sheet struct {
	c       *Chart
	o       Options
	w, h    int // tenths, without pad
	pad     int // room around a drawing that stands alone
	plots   []*plot
	x       extent // of all panels
	xvals   []float64
	keyed   bool // names stand in a key
	key     []KeyItem
	rows    [][]placedKey
	xtitle  string
	remarks []string
	unsaid  []string // labels that found no room: part of the description
	single  bool     // one series in all: needs no name
}

type placedKey struct {
	KeyItem
	x    int
	text string
	full string
}

// plot is one panel laid out.
type plot struct {
	d      *sheet
	p      *Panel
	first  bool
	last   bool
	x, y   *scale
	box    gochart.Box
	title  string
	titleY int
	tracks []*track
	labels []endLabel // decided by layout
	taken  obstacles
	cats   []float64 // Bars: values of X of the groups
	whole  bool      // Bars: all values are whole
	limitX int       // right edge of labels
}

// track is one series cleaned: only what can be drawn.
type track struct {
	s    *Series
	name string // clean, whole
	slot int
	n    string   // place in its panel, from 1
	runs [][]spot // joined pieces
	lone []spot   // at inf, never joined
	gone []spot   // Frontier: beaten by another point of the series
}

// spot is a point and where it lies.
type spot struct {
	p    *Point
	x, y int
}

// SVG writes the chart as one svg element or, self-contained, as a file.
func (c *Chart) SVG(w io.Writer, o Options) error {
	d, err := newSheet(c, o)
	if err != nil {
		return err
	}
	p, err := newSVGPen()
	if err != nil {
		return err
	}
	if err := d.draw(p); err != nil {
		return err
	}
	return d.document(w, p)
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
	return d.png(w, d.draw)
}

// png has the drawing drawn as an image.
func (d *sheet) png(w io.Writer, draw func(pen) error) error {
	density := d.o.Density
	if !(density > 0) {
		density = 1
	}
	t := &light
	if d.o.Dark {
		t = &dark
	}
	p, err := newRasterPen(d, math.Min(density, 4), t)
	if err != nil {
		return err
	}
	rect(p, "pg", -d.pad, -d.pad, d.w+d.pad, d.h+d.pad)
	if err := draw(p); err != nil {
		return err
	}
	return p.encode(w)
}

func newSheet(c *Chart, o Options) (*sheet, error) {
	if len(c.Panels) == 0 {
		return nil, errNoPanel
	}
	if o.Size.W == 0 && o.Size.H == 0 {
		o.Size = Wide
	}
	if o.Size.W < 160 || o.Size.H < 100 || o.Size.W > 8000 || o.Size.H > 8000 {
		return nil, fmt.Errorf("size %d x %d: a chart is 160 x 100 to 8000 x 8000", o.Size.W, o.Size.H)
	}
	d := &sheet{c: c, o: o, w: o.Size.W * px, h: o.Size.H * px}
	if o.SelfContained {
		d.pad = 14 * px
		d.w -= 2 * d.pad
		d.h -= 2 * d.pad
	}
	d.layout()
	return d, nil
}

// draw has go-chart render each panel on the one pen.
func (d *sheet) draw(p pen) error {
	d.drawKey(p)
	for _, pl := range d.plots {
		g := gochart.Chart{
			Width: d.w, Height: d.h, DPI: 72,
			Background: gochart.Style{Padding: gochart.Box{
				Left: pl.box.Left, Top: pl.box.Top, Right: d.w - pl.box.Right, Bottom: d.h - pl.box.Bottom, IsSet: true,
			}},
			XAxis:  gochart.XAxis{Style: gochart.Hidden(), Range: pl.x},
			YAxis:  gochart.YAxis{Style: gochart.Hidden(), Range: pl.y},
			Series: pl.layers(),
		}
		if err := g.Render(func(int, int) (gochart.Renderer, error) { return p, nil }, io.Discard); err != nil {
			return fmt.Errorf("chart %q: %w", d.c.Title, err)
		}
	}
	y := d.h - 4*px
	for i := len(d.remarks) - 1; i >= 0; i-- {
		text(p, "sb", 0, y, d.remarks[i], 115, d.w)
		y -= 15 * px
	}
	return nil
}

// layer is a go-chart series that draws one layer of a plot.
type layer struct {
	name string
	draw func(pen, *plot)
	plot *plot
}

func (l layer) GetName() string             { return l.name }
func (l layer) GetYAxis() gochart.YAxisType { return gochart.YAxisPrimary }
func (l layer) GetStyle() gochart.Style     { return gochart.Style{} }
func (l layer) Validate() error             { return nil }
func (l layer) Render(r gochart.Renderer, _ gochart.Box, _, _ gochart.Range, _ gochart.Style) {
	if p, ok := r.(pen); ok {
		l.draw(p, l.plot)
	}
}

func (pl *plot) layers() []gochart.Series {
	marks := drawLines
	switch pl.d.c.Kind {
	case Bars:
		marks = drawBars
	case Scatter:
		marks = drawScatter
	}
	return []gochart.Series{
		layer{"panel", openPanel, pl},
		layer{"bands", drawBands, pl},
		layer{"axes", drawAxes, pl},
		layer{"references", drawRefs, pl},
		layer{"marks", marks, pl},
		layer{"labels", drawLabels, pl},
		layer{"end", func(p pen, _ *plot) { p.end() }, pl},
	}
}

// layout decides all places.
func (d *sheet) layout() {
	c := d.c
	d.gather()
	kx := d.x.kind(c.X.Scale, c.Kind == Scatter || c.Kind == Frontier || c.Kind == Timeline || c.Kind == Bars)
	switch {
	case d.named(), kx == Date && (d.x.n == 0 || d.x.lo < earliest || d.x.hi > latest):
		kx = Linear
	}
	d.names()
	left := 0
	for i := range d.plots {
		pl := d.plots[i]
		pl.p = &c.Panels[i]
		e := pl.extentY()
		if c.shared != nil && i < len(c.shared.y) && c.shared.y[i] != nil {
			e = *c.shared.y[i]
		}
		ky := e.kind(pl.p.Y.Scale, c.Kind == Bars || c.Kind == Scatter || c.Kind == Frontier)
		if c.Kind == Bars || ky == Date {
			ky = Linear
		}
		if c.Kind == Distribution {
			ky = Linear
			e = extent{hi: 100, n: 2}
		}
		pl.y = d.scaleY(pl, e, ky)
		if c.Kind == Distribution {
			pl.y.min, pl.y.max, pl.y.minor = 0, 100, nil
			pl.y.ticks = []tick{{v: 0}, {v: 25}, {v: 50}, {v: 75}, {v: 100}}
		}
		times := labelTicks(pl.y, pl.p.Y.Format)
		pl.title = axisTitle(&pl.p.Y, times, ky == Log && (pl.p.Y.Title != "" || pl.p.Y.Unit != ""))
		for j := range pl.y.ticks {
			t := &pl.y.ticks[j]
			t.label, _ = cut(t.label, 12*px, false, d.w/3)
			left = max(left, textWidth(t.label, 12*px, false))
		}
		pl.clean(kx)
	}
	left = max((left+7*px+px-1)/px*px, 26*px)

	right := d.rightMargin(kx)
	d.x0scale(kx, left, right)
	d.boxes(left, right)
	for _, pl := range d.plots {
		pl.locate()
		named := true
		switch c.Kind {
		case Lines:
			pl.endLabels()
			named = pl.labels != nil
		case Frontier:
			named = pl.frontierNames()
		}
		if !named && !d.keyed && d.wantsLabels(pl) {
			// The names do not fit at the ends: begin again with a key.
			d.keyed = true
			d.layoutKey()
			right = d.rightMargin(kx)
			d.x0scale(kx, left, right)
			d.boxes(left, right)
			for _, q := range d.plots {
				q.labels = nil
				q.locate()
			}
			break
		}
	}
}

// gather makes the plots and finds what X spans.
func (d *sheet) gather() {
	c := d.c
	more := 0
	for i := range c.Panels {
		p := &c.Panels[i]
		pl := &plot{d: d, p: p, first: i == 0, last: i == len(c.Panels)-1}
		for j := range p.Series {
			if j == maxSeries {
				more += len(p.Series) - maxSeries
				break
			}
			s := &p.Series[j]
			slot := s.Slot
			if slot < 1 || slot > 9 {
				slot = j + 1
			}
			pl.tracks = append(pl.tracks, &track{s: s, name: clean(s.Name), slot: slot, n: strconv.Itoa(j + 1)})
			for k := range s.Points {
				if pt := &s.Points[k]; usable(pt.Y) {
					d.x.add(pt.X)
					if c.Kind == Bars || c.Kind == Lines && c.X.Names == nil {
						if usable(pt.X) {
							d.xvals = append(d.xvals, pt.X)
						}
					}
				}
			}
		}
		for _, b := range p.Bands {
			if math.IsInf(b.From, 1) && d.x.n+b2i(d.x.inf) > 0 {
				d.x.inf = true
			}
		}
		d.plots = append(d.plots, pl)
	}
	d.xvals = distinct(d.xvals)
	if d.named() {
		d.x = extent{hi: float64(len(c.X.Names) - 1), n: len(c.X.Names), nonpos: 1, inf: d.x.inf}
	}
	if c.shared != nil && c.shared.x != nil && c.Kind != Bars {
		d.x.union(*c.shared.x)
	}
	if more > 0 {
		d.remarks = append(d.remarks, fmt.Sprintf("%d more series not drawn", more))
	}
}

// named says whether the X axis of lines is one of categories.
func (d *sheet) named() bool { return d.c.Kind == Lines && len(d.c.X.Names) > 0 }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (pl *plot) extentY() extent { return extentY(pl.p) }

func extentY(p *Panel) extent {
	var e extent
	for j := range p.Series {
		if j == maxSeries {
			break
		}
		for k := range p.Series[j].Points {
			pt := &p.Series[j].Points[k]
			if !usable(pt.Y) || math.IsNaN(pt.X) || math.IsInf(pt.X, -1) {
				continue
			}
			e.add(pt.Y)
			if pt.Low < pt.High && pt.Low > 0 {
				e.add(pt.Low)
				e.add(pt.High)
			}
		}
	}
	return e
}

// scaleY makes the Y scale for the height that the plot is going to have, or nearly so.
func (d *sheet) scaleY(pl *plot, e extent, kind Scale) *scale {
	height := (d.h-50*px-len(d.rows)*19*px-d.heading())/len(d.c.Panels) - 34*px
	a := pl.p.Y
	if d.c.Kind == Bars {
		a.Free = false
	}
	for _, r := range pl.p.Refs {
		if usable(r.Y1) && r.Y1 == r.Y2 && e.n > 0 && e.lo >= 0 && r.Y1 > e.hi && r.Y1 <= e.hi*1.6 {
			e.add(r.Y1) // a limit just above the data belongs into the picture
		}
	}
	s := axisFor(&a, e, kind, height, height/(37*px), true, true)
	if d.c.Kind == Bars && len(s.ticks) > 1 && a.Max == nil && e.hi > 0 {
		if st := s.ticks[1].v - s.ticks[0].v; (s.max-e.hi)/(s.max-s.min)*float64(height) < 15*px {
			s.max += st
			s.ticks = append(s.ticks, tick{v: s.ticks[len(s.ticks)-1].v + st})
			if len(s.ticks) > 8 {
				var half []tick
				for i := 0; i < len(s.ticks); i += 2 {
					half = append(half, s.ticks[i])
				}
				s.ticks = half
			}
		}
	}
	return s
}

func axisTitle(a *Axis, times string, log bool) string {
	t := clean(a.Title)
	u := clean(a.Unit)
	switch {
	case times != "" && u != "":
		u = times + " " + u
	case times != "" && strings.HasSuffix(times, "illion"):
		u = times + "s"
	case times != "":
		u = times
	}
	switch {
	case t == "":
		t = u
	case u != "":
		t += ", " + u
	}
	if log {
		t += " (log scale)"
	}
	return t
}

// clean splits each series into joined pieces and counts what cannot be drawn.
func (pl *plot) clean(kx Scale) {
	d := pl.d
	var nonpos, infinite, above, below int
	most, least := math.Inf(-1), math.Inf(1)
	logx := kx == Log || kx == Pow2
	for _, t := range pl.tracks {
		pts := t.s.Points
		order := make([]int, 0, len(pts))
		for i := range pts {
			order = append(order, i)
		}
		if d.c.Kind == Lines || d.c.Kind == Timeline || d.c.Kind == Distribution {
			slices.SortStableFunc(order, func(a, b int) int {
				switch x, y := pts[a].X, pts[b].X; {
				case x < y:
					return -1
				case x > y:
					return 1
				}
				return 0
			})
		}
		var run []spot
		flush := func() {
			if len(run) > 0 {
				t.runs = append(t.runs, run)
				run = nil
			}
		}
		for _, i := range order {
			p := &pts[i]
			switch {
			case math.IsNaN(p.X) || math.IsNaN(p.Y):
				flush()
				continue
			case math.IsInf(p.X, -1), math.IsInf(p.Y, 0), math.Abs(p.Y) > largest, !math.IsInf(p.X, 0) && math.Abs(p.X) > largest:
				infinite++
				flush()
				continue
			case pl.y.log() && p.Y <= 1/largest, logx && p.X <= 1/largest:
				nonpos++
				flush()
				continue
			case p.Y > pl.y.max && !pl.y.holds(p.Y):
				above++
				most = math.Max(most, p.Y)
				flush()
				continue
			case !pl.y.holds(p.Y):
				below++
				least = math.Min(least, p.Y)
				flush()
				continue
			case d.named() && !math.IsInf(p.X, 1) && (p.X < 0 || p.X > float64(len(d.c.X.Names)-1)):
				above++
				flush()
				continue
			case !math.IsInf(p.X, 1) && d.c.X.Max != nil && p.X > *d.c.X.Max:
				above++
				flush()
				continue
			}
			if math.IsInf(p.X, 1) && d.c.Kind != Bars {
				flush()
				t.lone = append(t.lone, spot{p: p})
				continue
			}
			run = append(run, spot{p: p})
		}
		flush()
		if d.c.Kind == Frontier {
			t.beat()
		}
	}
	say := func(n int, what string) {
		if n > 0 {
			noun := "values"
			if n == 1 {
				noun = "value"
			}
			d.remarks = append(d.remarks, fmt.Sprintf("%s %s not drawn: %s", decimal(float64(n), 0), noun, what))
		}
	}
	say(nonpos, "zero or negative on a log scale")
	say(infinite, "infinite")
	if math.IsInf(most, -1) {
		say(above, "outside the axis")
	} else {
		say(above, "above the axis, the largest "+pl.valueY(most))
	}
	if below > 0 {
		say(below, "below the axis, the smallest "+pl.valueY(least))
	}
}

// names decides between names at the ends of lines and a key.
func (d *sheet) names() {
	n, most := 0, 0
	for _, pl := range d.plots {
		k := 0
		for _, t := range pl.tracks {
			if !t.s.NoLabel && t.name != "" {
				k++
			}
		}
		n += k
		most = max(most, k)
	}
	// A panel's one series is named by the panel's own title.
	d.single = most < 2
	switch {
	case d.o.Keyless || n == 0:
	case d.c.Kind == Distribution && !d.single:
		d.keyed = true // curves of shares all end at one height
	case d.single:
	case d.c.Kind == Bars, d.c.Kind == Scatter, d.c.Kind == Timeline:
		d.keyed = true
	default:
		w := d.labelWidth()
		if w > d.w*27/100 || d.c.Kind == Lines && d.x.inf && d.w-w-d.infWidth() < 330*px {
			d.keyed = true
		}
	}
	if d.keyed {
		d.layoutKey()
	} else if d.o.Titled && !d.o.Keyless && d.hollow() {
		d.remarks = append(d.remarks, "Hollow marks: "+clean(d.c.Hollow))
	}
}

// hollow says whether there are hollow marks whose meaning is known.
func (d *sheet) hollow() bool {
	if d.c.Hollow == "" {
		return false
	}
	for _, pl := range d.plots {
		for _, t := range pl.tracks {
			for i := range t.s.Points {
				if t.s.Points[i].Hollow {
					return true
				}
			}
		}
	}
	return false
}

// wantsLabels says whether the lines of a plot are named at their ends.
func (d *sheet) wantsLabels(pl *plot) bool {
	if d.keyed || d.o.Keyless || d.single {
		return false
	}
	for _, t := range pl.tracks {
		if !t.s.NoLabel && t.name != "" {
			return true
		}
	}
	return false
}

func (d *sheet) labelWidth() int {
	w := 0
	for _, pl := range d.plots {
		for _, t := range pl.tracks {
			if t.s.NoLabel {
				continue
			}
			w = max(w, textWidth(t.name, 125, true))
		}
	}
	if d.c.shared != nil {
		w = max(w, d.c.shared.labels)
	}
	return w
}

// rightMargin is what the ends of lines need; with a category inf behind them, they stand before it.
func (d *sheet) rightMargin(kx Scale) int {
	if d.c.Kind == Lines && !d.keyed && !d.o.Keyless && !d.single && !d.x.inf {
		return min(d.labelWidth(), d.w*27/100) + 12*px
	}
	return 16 * px
}

// infWidth is the width of the category inf.
func (d *sheet) infWidth() int {
	if !d.x.inf {
		return 0
	}
	w := 40 * px
	n := 0
	for _, pl := range d.plots {
		n = max(n, len(pl.tracks))
		for _, b := range pl.p.Bands {
			if math.IsInf(b.From, 1) {
				for _, word := range words(clean(b.Label)) {
					w = max(w, textWidth(word, 115, false)+10*px)
				}
			}
		}
	}
	w = max(w, n*9*px+8*px)
	return min(w, d.w/5)
}

// x0scale makes the X scale for the width at hand.
func (d *sheet) x0scale(kx Scale, left, right int) {
	c := d.c
	domain := d.w - left - right
	var s *scale
	if c.Kind == Bars {
		s = d.groups(domain)
	} else {
		zero := c.Kind == Scatter || c.Kind == Frontier || c.Kind == Timeline || c.Kind == Distribution
		nice := c.Kind == Scatter || c.Kind == Frontier
		room := max(3, domain/(64*px))
		if kx == Pow2 {
			room = max(6, domain/(40*px))
		}
		if kx == Date {
			s = dateAxis(&c.X, d.x, domain, max(2, domain/(84*px)))
		} else {
			s = axisFor(&c.X, d.x, kx, domain, room, zero, nice)
		}
		s.infWidth = d.infWidth()
		switch c.Kind {
		case Lines:
			if kx == Linear && len(d.xvals) > 1 && len(d.xvals) <= 12 {
				// Ticks at the values measured, where they are few: 1, 3, 5, 7 rather than 0, 2, 4.
				s.ticks = s.ticks[:0]
				for _, v := range d.xvals {
					s.ticks = append(s.ticks, tick{v: v})
				}
			} else if (kx == Pow2 || kx == Log) && len(s.ticks) < 3 && len(d.xvals) > 0 {
				s.ticks = s.ticks[:0]
				for _, v := range thinned(d.xvals, 8) {
					if s.holds(v) {
						s.ticks = append(s.ticks, tick{v: v})
					}
				}
			}
			if d.named() {
				s.min, s.max, s.ticks = 0, max(float64(len(c.X.Names)-1), 1), nil
				for i := range c.X.Names {
					s.ticks = append(s.ticks, tick{v: float64(i)})
				}
				if len(c.X.Names) == 1 {
					s.min = -1
				}
			}
			if len(d.xvals) == 1 && d.x.lo == d.x.hi && kx != Date {
				s.ticks = []tick{{v: d.xvals[0]}}
			}
			s.before = 8 * px
			s.after = 8 * px
			if kx == Linear && len(d.xvals) > 1 && len(d.xvals) <= 12 {
				pad := min(50*px, domain/(2*len(d.xvals)))
				s.before = max(s.before, pad)
				if d.keyed || d.single || d.x.inf {
					s.after = max(s.after, pad/2)
				}
			}
			if d.named() {
				s.before = min(50*px, domain/(2*len(c.X.Names)))
				if d.keyed || d.single || d.x.inf {
					s.after = max(s.after, s.before/2)
				}
			}
			if kx == Log {
				s.before, s.after = 4*px, 4*px
			}
		case Timeline:
			s.before, s.after = 0, 0
		}
		if s.infWidth > 0 {
			s.after = s.infWidth + 28*px
			if c.Kind == Lines && !d.keyed && !d.o.Keyless && !d.single {
				s.after += min(d.labelWidth(), d.w*27/100) + 10*px
			}
			if d.x.n == 0 { // nothing but inf
				s.infWidth = domain
				s.after, s.ticks, s.minor = 0, nil, nil
			}
		}
	}
	var times string
	switch {
	case c.Kind == Bars:
	case d.named():
		for i := range s.ticks {
			s.ticks[i].label = clean(c.X.Names[i])
		}
	case kx == Date && c.X.Format == nil:
		labelDates(s.ticks)
	default:
		times = labelTicks(s, c.X.Format)
	}
	if s.infWidth > 0 {
		s.ticks = append(s.ticks, tick{v: inf, label: "inf"})
	}
	d.xtitle = axisTitle(&c.X, times, kx == Log)
	d.spread(s, left)
	for _, pl := range d.plots {
		x := *s
		pl.x = &x
	}
}

// groups is the scale of Bars: groups counted from 0, each with equal room.
func (d *sheet) groups(domain int) *scale {
	c := d.c
	var cats []float64
	cats = append(cats, d.xvals...)
	if c.X.Names != nil {
		cats = cats[:0]
		for i := range c.X.Names {
			cats = append(cats, float64(i))
		}
	}
	n := len(cats)
	s := &scale{kind: Linear, domain: domain, min: -0.5, max: float64(n) - 0.5}
	if d.x.inf {
		gap := 16 * px
		if n == 0 {
			gap = 0
		}
		s.infWidth = (domain - gap) / (n + 1)
		s.after = s.infWidth + gap
		if n == 0 {
			s.max = 0.5
		}
	}
	if n == 0 && !d.x.inf {
		s.max = 0.5
	}
	for i, v := range cats {
		label := ""
		if c.X.Names != nil {
			label = clean(c.X.Names[i])
		} else if c.X.Format != nil {
			label = clean(c.X.Format(v))
		} else {
			label = place(v)
		}
		s.ticks = append(s.ticks, tick{v: float64(i), label: label})
	}
	for _, pl := range d.plots {
		pl.cats = cats
	}
	return s
}

// spread cuts and thins the labels of the X axis so that they neither overlap nor leave the canvas.
func (d *sheet) spread(s *scale, left int) {
	n := 0
	for _, t := range s.ticks {
		if !math.IsInf(t.v, 1) {
			n++
		}
	}
	limit := d.w / 3
	if (d.c.Kind == Bars || d.named()) && n > 0 {
		limit = max((s.domain-s.after)/n-6*px, 34*px)
	}
	for i := range s.ticks {
		s.ticks[i].label, _ = cut(s.ticks[i].label, 12*px, false, limit)
	}
	// keep gives the ticks left when only every n-th is labelled, nil where they still overlap.
	keep := func(every int) []tick {
		kept := []tick{}
		k, end := 0, math.MinInt/2
		for _, t := range s.ticks {
			last := math.IsInf(t.v, 1)
			if !last {
				k++
				if every > n || (k-1)%every != 0 {
					continue
				}
			}
			x, w := left+s.Translate(t.v), textWidth(t.label, 12*px, last)
			dx, _ := d.inside(area{x - w/2, 0, x + w/2, 0})
			if x+dx-w/2 < end+7*px {
				return nil
			}
			end = x + dx + w/2
			kept = append(kept, t)
		}
		return kept
	}
	for every := 1; every <= n+1; every++ {
		if kept := keep(every); kept != nil {
			s.ticks = kept
			return
		}
	}
}

// boxes places the panels.
func (d *sheet) boxes(left, right int) {
	top := len(d.rows) * 19 * px
	if top > 0 {
		top += 4 * px
	}
	top += d.heading()
	bottom := 26 * px
	if d.xtitle != "" {
		bottom += 22 * px
	}
	bottom += len(d.remarks) * 15 * px
	const gap = 22 * px // between a panel and the title of the next
	fixed := top + bottom
	for i, pl := range d.plots {
		fixed += d.titleRoom(pl)
		if i > 0 {
			fixed += gap - 12*px
		}
	}
	// A chart that a long key, remarks or many panels leave no room is made higher.
	room := max(d.h-fixed, 48*px*len(d.plots))
	d.h = max(d.h, (fixed+room+px-1)/px*px)
	y := top
	n := len(d.plots)
	for i, pl := range d.plots {
		if i > 0 {
			y += gap - 12*px
		}
		pl.titleY = y + 14*px
		y += d.titleRoom(pl)
		h0, h1 := round(i*room, n), round((i+1)*room, n)
		pl.box = gochart.Box{Left: left, Right: d.w - right, Top: y, Bottom: y + h1 - h0, IsSet: true}
		pl.x.domain = pl.box.Right - pl.box.Left
		pl.y.domain = h1 - h0
		pl.limitX = d.w
		y = pl.box.Bottom
		pl.taken = obstacles{}
		pl.thinY()
	}
}

// heading is the height of the visible title.
func (d *sheet) heading() int {
	if d.o.Titled {
		return 26 * px
	}
	return 0
}

func (d *sheet) titleRoom(pl *plot) int {
	if pl.title == "" {
		return 10 * px
	}
	return 28 * px
}

// thinY drops labels of a plot that became lower than was thought.
func (pl *plot) thinY() {
	n := len(pl.y.ticks)
	apart := func(every int) bool {
		for i := every; i < n; i += every {
			if pl.y.Translate(pl.y.ticks[i].v)-pl.y.Translate(pl.y.ticks[i-every].v) < 14*px {
				return false
			}
		}
		return true
	}
	every := 1
	for every < n && !apart(every) {
		every++
	}
	if every == 1 {
		return
	}
	var kept []tick
	for i := 0; i < n; i += every {
		kept = append(kept, pl.y.ticks[i])
	}
	pl.y.ticks = kept
	pl.y.minor = nil
}

// X and Y translate data to the canvas.
func (pl *plot) X(v float64) int { return pl.box.Left + pl.x.Translate(v) }
func (pl *plot) Y(v float64) int { return pl.box.Bottom - pl.y.Translate(v) }

// locate finds the place of every spot and remembers lines and marks as obstacles to labels.
func (pl *plot) locate() {
	lone := 0
	for _, t := range pl.tracks {
		if len(t.lone) > 0 {
			lone++
		}
	}
	if pl.title != "" {
		pl.taken.text(textArea("", 0, pl.titleY, textWidth(pl.title, 120, false), 120))
	}
	for _, t := range pl.y.ticks {
		pl.taken.text(textArea("e", pl.box.Left-7*px, pl.Y(t.v)+4*px, textWidth(t.label, 120, false), 120))
	}
	for i := range pl.p.Refs {
		switch r := &pl.p.Refs[i]; {
		case math.IsInf(r.X1, -1) && math.IsInf(r.X2, 1) && r.Y1 == r.Y2 && pl.y.holds(r.Y1):
			y := pl.Y(r.Y1)
			pl.taken.lines = append(pl.taken.lines, [4]int{pl.box.Left, y, pl.box.Right, y})
		case math.IsInf(r.Y1, -1) && math.IsInf(r.Y2, 1) && r.X1 == r.X2 && pl.x.holds(r.X1):
			x := pl.refX(r)
			pl.taken.lines = append(pl.taken.lines, [4]int{x, pl.box.Bottom, x, pl.box.Top})
		}
	}
	// Below stand ticks and the next plot.
	pl.taken.texts = append(pl.taken.texts, area{0, pl.box.Bottom + px, pl.d.w, pl.d.h + pl.d.pad})
	if !pl.first {
		// The plot above ends here.
		pl.taken.texts = append(pl.taken.texts, area{0, 0, pl.d.w, pl.titleY - 13*px})
	}
	k := 0
	gap := 9 * px
	if lone > 1 {
		gap = min(gap, (pl.x.infWidth-8*px)/lone)
	}
	for _, t := range pl.tracks {
		for _, run := range t.runs {
			for i := range run {
				s := &run[i]
				if pl.d.c.Kind == Bars {
					continue
				}
				s.x, s.y = pl.X(s.p.X), pl.Y(s.p.Y)
				if s.p.Low < s.p.High && usable(s.p.Low) && usable(s.p.High) && len(run) <= longRun {
					pl.taken.lines = append(pl.taken.lines, [4]int{s.x, pl.Y(s.p.Low), s.x, pl.Y(s.p.High)})
				}
			}
			pl.taken.line(run)
		}
		for i := range t.gone {
			s := &t.gone[i]
			s.x, s.y = pl.X(s.p.X), pl.Y(s.p.Y)
			if len(t.gone) <= longRun {
				pl.taken.mark(s.x, s.y)
			}
		}
		if len(t.lone) == 0 {
			continue
		}
		for i := range t.lone {
			s := &t.lone[i]
			s.x = pl.X(inf) + (2*k-(lone-1))*gap/2
			s.y = pl.Y(s.p.Y)
			pl.taken.mark(s.x, s.y)
		}
		k++
	}
}

// valueY writes a value of the Y axis with its unit.
func (pl *plot) valueY(v float64) string {
	return withUnit(&pl.p.Y, v, number)
}

func withUnit(a *Axis, v float64, plain func(float64) string) string {
	if a.Format != nil {
		plain = a.Format
	}
	s := clean(plain(v))
	if u := clean(a.Unit); u != "" {
		return s + " " + u
	}
	return s
}

// pointX writes where a point lies and what the words are that its title adds ("parallel
// requests"), which are the same for all points of a chart but for the plural.
func (d *sheet) pointX(p *Point) (value, words string) {
	c := d.c
	if c.X.Names != nil && !math.IsInf(p.X, 1) {
		if i := int(p.X); p.X >= 0 && p.X < float64(len(c.X.Names)) && float64(i) == p.X {
			name, _ := cut(clean(c.X.Names[i]), 12*px, false, 320*px)
			return isolated(name), ""
		}
		return "", ""
	}
	if math.IsInf(p.X, 1) {
		return "inf", clean(c.X.Unit)
	}
	switch {
	case c.X.Format != nil:
		value = clean(c.X.Format(p.X))
	case c.X.Scale == Date && p.X >= earliest && p.X <= latest:
		return dateText(p.X), ""
	case c.Kind == Distribution:
		value = number(p.X)
	default:
		value = place(p.X)
	}
	if c.X.Unit != "" {
		words = clean(c.X.Unit)
		if p.X == 1 {
			words = strings.Replace(words, "requests", "request", 1)
		}
		return value, words
	}
	if c.X.Title != "" && c.X.Format == nil {
		// "38 parallel requests", "1 parallel request": the title without what it says of the scale.
		words, _, _ = strings.Cut(clean(c.X.Title), " (")
		if p.X == 1 {
			words = strings.TrimSuffix(words, "s")
		}
		words, _ = cut(words, 12*px, false, 160*px)
	}
	return value, isolated(words)
}

// interval writes what the bar of a point spans.
func (pl *plot) interval(t *track, p *Point) string {
	if !(p.Low < p.High) {
		return ""
	}
	f := orPlain(pl.p.Y.Format)
	return t.s.Interval.words() + " " + clean(f(p.Low)) + " to " + clean(f(p.High))
}

// pointTitle is the native tooltip of a point.
func (pl *plot) pointTitle(t *track, p *Point) string {
	if p.Title != "" {
		return clean(p.Title)
	}
	var b strings.Builder
	if t.name != "" {
		name, _ := cut(t.name, 12*px, false, 320*px)
		b.WriteString(isolated(name))
		b.WriteString(", ")
	}
	c := pl.d.c
	x, words := pl.d.pointX(p)
	if words != "" {
		x += " " + words
	}
	if c.Kind == Distribution {
		if p.Label != "" {
			b.WriteString(clean(p.Label) + ": " + x)
			return b.String()
		}
		b.WriteString(number(p.Y) + metric.ThinSpace + "% up to " + x)
		return b.String()
	}
	if c.Kind == Frontier && p.Label != "" {
		b.WriteString(clean(p.Label))
		b.WriteString(": ")
	}
	b.WriteString(x)
	if c.Kind == Frontier {
		b.WriteString(", ")
	} else {
		b.WriteString(": ")
	}
	b.WriteString(pl.valueY(p.Y))
	if r := pl.interval(t, p); r != "" {
		b.WriteString(" (" + r + ")")
	}
	if p.Hollow && c.Hollow != "" {
		b.WriteString("; " + clean(c.Hollow))
	}
	return b.String()
}

// say gives the mark that comes next its native title and what scripts make a tooltip of.
func (pl *plot) say(p pen, t *track, pt *Point) {
	x, _ := pl.d.pointX(pt)
	p.data("x", x)
	p.data("y", clean(orPlain(pl.p.Y.Format)(pt.Y)))
	p.data("r", pl.interval(t, pt))
	p.label(pl.pointTitle(t, pt))
}

// openPanel begins the group of a panel, which holds the words that the values in it share.
func openPanel(p pen, pl *plot) {
	_, words := pl.d.pointX(&Point{X: 2})
	p.data("x", words)
	p.data("y", clean(pl.p.Y.Unit))
	p.begin(0, "")
}

// begin opens the group of a series.
func (t *track) begin(p pen, title string) {
	p.data("s", t.n)
	name, _ := cut(t.name, 12*px, false, 320*px)
	p.data("n", isolated(name))
	p.begin(t.slot, title)
}

func orPlain(f func(float64) string) func(float64) string {
	if f == nil {
		return number
	}
	return f
}
