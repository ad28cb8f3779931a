package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// sheet is one chart at one size, laid out.
type sheet struct {
	frame
	c     *Chart
	o     Options
	kind  Kind
	plots []*plot
	rows  []keyRow
}

var errNoPanel = errors.New("chart has no panel")

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
	d := &sheet{c: c, o: o, kind: kindOf(c.Kind)}
	d.w, d.h = o.Size.W*px, o.Size.H*px
	if o.SelfContained {
		d.pad = 14 * px
		d.w -= 2 * d.pad
		d.h -= 2 * d.pad
	}
	d.panels, d.axis, d.hollow, d.keyless = len(c.Panels), &c.X, c.Hollow, o.Keyless
	d.traits = d.kind.traits()
	d.layout()
	return d, nil
}

// layout decides all places.
func (d *sheet) layout() {
	d.gather()
	kx := d.span.scale(d.axis.Scale, d.traits.linearX)
	if d.named || kx == Date && (d.span.n == 0 || d.span.lo < earliest || d.span.hi > latest) {
		kx = Linear
	}
	d.decideKey()
	left := 0
	for i, pl := range d.plots {
		d.scaleY(pl, i)
		for j := range pl.y.ticks {
			t := &pl.y.ticks[j]
			t.label, _ = cut(t.label, 12*px, false, d.w/3)
			left = max(left, textWidth(t.label, 12*px, false))
		}
		d.remarks = append(d.remarks, pl.collect(kx, d.kind)...)
	}
	left = max((left+7*px+px-1)/px*px, 26*px)
	d.place(kx, left)
	for _, pl := range d.plots {
		pl.locate()
		if !pl.wantsNames() || d.kind.name(pl) {
			continue
		}
		// The names do not fit: begin again with a key.
		d.keyed = true
		d.layoutKey()
		d.place(kx, left)
		for _, q := range d.plots {
			q.labels = nil
			q.locate()
		}
		break
	}
}

// callApart gives every track the name that its marks say: names that differ stay different where they are cut.
func (d *sheet) callApart() {
	var names []string
	for _, pl := range d.plots {
		for _, t := range pl.tracks {
			if !slices.Contains(names, t.name) {
				names = append(names, t.name)
			}
		}
	}
	said := cutApart(names, 12*px, false, seriesRoom)
	for _, pl := range d.plots {
		for _, t := range pl.tracks {
			t.said = isolated(said[slices.Index(names, t.name)])
		}
	}
}

// gather makes the plots and finds what X spans.
func (d *sheet) gather() {
	c := d.c
	more := 0
	for i := range c.Panels {
		p := &c.Panels[i]
		pl := &plot{frame: &d.frame, p: p, first: i == 0, last: i == len(c.Panels)-1}
		for j := range p.shown() {
			s := &p.Series[j]
			t := &track{s: s, name: clean(s.Name), slot: s.slot(j)}
			pl.tracks = append(pl.tracks, t)
			for _, pt := range s.Points {
				if d.traits.ticked && usable(pt.Y) && usable(pt.X) {
					d.values = append(d.values, pt.X)
				}
			}
		}
		more += len(p.Series) - len(pl.tracks)
		d.plots = append(d.plots, pl)
	}
	d.callApart()
	d.values = distinct(d.values)
	d.span = extentX(c.Panels)
	d.span.inf = d.span.inf || d.span.n > 0 && d.bandAtInf()
	if d.traits.endNames && len(c.X.Names) > 0 {
		d.named = true
		d.values = nil
		d.span = extent{hi: float64(len(c.X.Names) - 1), n: len(c.X.Names), nonpos: 1, inf: d.span.inf}
	}
	if c.shared.x != nil && !d.traits.infIsGroup {
		d.span.union(*c.shared.x)
	}
	d.infWidth = d.widthOfInf()
	d.nameWidth = max(nameWidth(c.Panels), c.shared.nameWidth)
	if more > 0 {
		d.remarks = append(d.remarks, fmt.Sprintf("%d more series not drawn", more))
	}
}

// bandAtInf says whether a band tints the category inf.
func (d *sheet) bandAtInf() bool {
	for _, pl := range d.plots {
		for _, b := range pl.p.Bands {
			if math.IsInf(b.X, 1) {
				return true
			}
		}
	}
	return false
}

// widthOfInf is the width of the category inf.
func (d *sheet) widthOfInf() int {
	if !d.span.inf {
		return 0
	}
	w := 40 * px
	n := 0
	for _, pl := range d.plots {
		n = max(n, len(pl.tracks))
		for _, b := range pl.p.Bands {
			if !math.IsInf(b.X, 1) {
				continue
			}
			for _, word := range words(clean(b.Label)) {
				w = max(w, textWidth(word, annotationSize, false)+10*px)
			}
		}
	}
	return min(max(w, n*9*px+8*px), d.w/5)
}

// scaleY makes the Y scale for the height that a plot is going to have, or nearly so.
func (d *sheet) scaleY(pl *plot, i int) {
	e := extentY(pl.p)
	if i < len(d.c.shared.y) {
		e = d.c.shared.y[i]
	}
	for _, r := range pl.p.Refs {
		if usable(r.Y1) && r.Y1 == r.Y2 && e.n > 0 && e.lo >= 0 && r.Y1 > e.hi && r.Y1 <= e.hi*1.6 {
			e.add(r.Y1) // a limit just above the data belongs into the picture
		}
	}
	a := &pl.p.Y
	height := (d.h-50*px-len(d.rows)*keyHeight-d.heading())*pl.p.parts()/partsOf(d.c.Panels) - 34*px
	pl.y = d.kind.scaleY(*a, e, height)
	times := labelTicks(pl.y, a.Format)
	pl.title = a.heading(times, pl.y.kind == Log && (a.Title != "" || a.Unit != ""))
}

// decideKey decides between names at lines and a key.
func (d *sheet) decideKey() {
	any, most := false, 0
	for _, pl := range d.plots {
		n := 0
		for _, t := range pl.tracks {
			if t.s.labelled() {
				n++
			}
		}
		any = any || n > 0
		most = max(most, n)
	}
	// A panel's one series is named by the panel's own title.
	d.single = most < 2
	if w := d.nameWidth; !d.single && !d.keyless && any {
		d.keyed = d.traits.keyed || w > d.w*27/100 ||
			d.traits.endNames && d.span.inf && d.w-w-d.infWidth < 330*px
	}
	if k, ok := d.c.suspectKey(); ok && !d.keyed && !d.keyless {
		d.rows = keyRows([]KeyItem{k}, d.w)
	}
	if d.keyed {
		d.layoutKey()
	} else if k, ok := d.c.hollowKey(); ok && d.o.Titled && !d.keyless {
		d.remarks = append(d.remarks, "Hollow marks: "+clean(k.Name))
	}
}

func (d *sheet) layoutKey() { d.rows = keyRows(KeyOf(d.c), d.w) }

// place makes the X scale for the width at hand and gives each panel its box.
func (d *sheet) place(kx Scale, left int) {
	right := 16 * px
	if room := d.endRoom(); room > 0 && !d.span.inf { // before inf, names stand in the plot
		right = room + 12*px
	}
	s := d.kind.scaleX(&d.frame, kx, d.w-left-right)
	times := d.labelX(s, kx)
	d.xtitle = d.axis.heading(times, kx == Log)
	d.spread(s, left)
	for _, pl := range d.plots {
		x := *s
		pl.x = &x
	}
	d.boxes(left, right)
}

// labelX writes the labels of the X axis and says what its title must add.
func (d *sheet) labelX(s *scale, kx Scale) (times string) {
	switch {
	case s.categories && d.axis.Names != nil:
		for i := range s.ticks {
			s.ticks[i].label = clean(d.axis.Names[i])
		}
	case s.categories && d.axis.Format == nil:
		for i := range s.ticks {
			s.ticks[i].label = place(s.ticks[i].v)
		}
	case kx == Date && d.axis.Format == nil && !s.categories:
		labelDates(s.ticks)
	default:
		times = labelTicks(s, d.axis.Format)
	}
	if s.infWidth > 0 {
		s.ticks = append(s.ticks, tick{v: inf, label: "inf"})
	}
	return times
}

// spread cuts and thins the labels of the X axis so that they neither overlap nor leave the canvas.
func (d *sheet) spread(s *scale, left int) {
	n := len(s.ticks)
	if n > 0 && math.IsInf(s.ticks[n-1].v, 1) {
		n--
	}
	limit := d.w / 3
	if s.categories && n > 0 {
		// Where some have to go anyway, those that stay are whole: of many versions cut ones would all be "0.1…".
		if limit = (s.domain-s.after)/n - 6*px; limit < 34*px {
			limit = 80 * px
		}
	}
	for i := range s.ticks {
		s.ticks[i].label, _ = cut(s.ticks[i].label, 12*px, false, limit)
	}
	for every := 1; every <= n+1; every++ {
		if kept := d.spaced(s, left, n, every); kept != nil {
			s.ticks = kept
			return
		}
		if every == 1 && n == len(s.ticks) && uneven(s) {
			s.ticks = d.fitting(s, left)
			return
		}
	}
}

// uneven reports whether ticks stand at values whose distances differ much: every second one of them would leave
// wide parts of the axis without a label.
func uneven(s *scale) bool {
	least, most := math.MaxInt, 0
	for i := 1; i < len(s.ticks); i++ {
		gap := s.place(s.ticks[i].v) - s.place(s.ticks[i-1].v)
		least, most = min(least, gap), max(most, gap)
	}
	return !s.categories && most > 3*least
}

// fitting gives the ticks, from the left, whose labels overlap neither the one before nor the last, which stays.
func (d *sheet) fitting(s *scale, left int) []tick {
	ends := func(t tick) (lo, hi int) {
		x, w := left+s.place(t.v), textWidth(t.label, 12*px, false)
		dx, _ := d.inside(area{x - w/2, 0, x + w/2, 0})
		return x + dx - w/2, x + dx + w/2
	}
	last := s.ticks[len(s.ticks)-1]
	limit, _ := ends(last)
	kept, end := []tick{}, math.MinInt/2
	for _, t := range s.ticks[:len(s.ticks)-1] {
		if lo, hi := ends(t); lo >= end+7*px && hi+7*px <= limit {
			kept, end = append(kept, t), hi
		}
	}
	return append(kept, last)
}

// spaced gives the ticks left when of the first n only every so many are labelled, nil where labels
// still overlap.
func (d *sheet) spaced(s *scale, left, n, every int) []tick {
	kept := []tick{}
	end := math.MinInt / 2
	for i, t := range s.ticks {
		if i < n && (every > n || i%every != 0) {
			continue
		}
		x, w := left+s.place(t.v), textWidth(t.label, 12*px, i == n)
		dx, _ := d.inside(area{x - w/2, 0, x + w/2, 0})
		if x+dx-w/2 < end+7*px {
			return nil
		}
		end = x + dx + w/2
		kept = append(kept, t)
	}
	return kept
}

// boxes places the panels.
func (d *sheet) boxes(left, right int) {
	const gap = 10 * px // between a panel and the title of the next
	top := len(d.rows)*keyHeight + d.heading()
	if len(d.rows) > 0 {
		top += 4 * px
	}
	bottom := 26*px + len(d.remarks)*15*px
	if d.xtitle != "" {
		bottom += 22 * px
	}
	n, done := partsOf(d.c.Panels), 0
	fixed := top + bottom + (len(d.plots)-1)*gap
	for _, pl := range d.plots {
		fixed += pl.titleRoom()
	}
	// A chart that a long key, remarks or many panels leave no room is made higher.
	room := max(d.h-fixed, 48*px*n)
	d.h = max(d.h, (fixed+room+px-1)/px*px)
	y := top
	for i, pl := range d.plots {
		if i > 0 {
			y += gap
		}
		pl.titleY = y + 14*px
		y += pl.titleRoom()
		pl.left, pl.right, pl.top = left, d.w-right, y
		after := done + pl.p.parts()
		y += round(after*room, n) - round(done*room, n)
		done = after
		pl.bottom = y
		pl.x.domain, pl.y.domain = pl.right-pl.left, pl.bottom-pl.top
		pl.y.thin(14 * px)
	}
}

// heading is the height of the visible title.
func (d *sheet) heading() int {
	if d.o.Titled {
		return 26 * px
	}
	return 0
}

func (pl *plot) titleRoom() int {
	if pl.title == "" {
		return 10 * px
	}
	return 28 * px
}
