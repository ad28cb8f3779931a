package chart

import "slices"

// frame is what the panels of a drawing have in common.
type frame struct {
	w, h   int // tenths, without pad; h grows where a key, remarks or many panels need room
	pad    int // room around a drawing that stands alone
	panels int
	traits traits
	axis   *Axis
	hollow string
	// span is what X spans in all panels, and values are the values of X that kinds with traits
	// ticked have their ticks at.
	span     extent
	values   []float64
	named    bool // the X axis of lines is one of categories
	infWidth int  // of the category inf, 0 without
	// keyed: names stand in a key; keyless: nowhere; single: no plot has several names.
	keyed, keyless, single bool
	nameWidth              int // of the widest name
	xtitle                 string
	remarks                []string
	unsaid                 []string // labels that found no room: part of the description
}

// traits are what tells kinds of charts apart, as far as it can be said in data.
type traits struct {
	linearX, linearY bool // Auto is linear
	zeroX, niceX     bool // the X axis starts at zero, ends at a tick
	ticked           bool // ticks stand at the values of X where they are few
	sorted           bool // points are drawn in ascending X
	infIsGroup       bool // +Inf is a place like the others
	keyed            bool // several series have a key
	endNames         bool // names stand at the ends of lines, right of the plot
	valueX           bool // X is a measured value, not a load
	xInLabels        bool // labels beside marks have the value of X behind them
	// title is a point in words: where it lies, what its value is, and what else there is to say.
	title func(p *Point, x, y, more string) string
}

// endRoom is what names at the ends of lines take, 0 where there are none.
func (f *frame) endRoom() int {
	if !f.traits.endNames || f.keyed || f.keyless || f.single {
		return 0
	}
	return min(f.nameWidth, f.w*27/100)
}

// small says whether marks and lines are drawn thinner.
func (f *frame) small() bool { return f.w <= 440*px && f.panels > 1 || f.h <= 200*px }

// inside says by how much a must be moved into the canvas.
func (f *frame) inside(a area) (dx, dy int) {
	if a.x1 > f.w {
		dx = f.w - a.x1
	}
	if a.x0+dx < 0 {
		dx = -a.x0
	}
	if a.y1 > f.h {
		dy = f.h - a.y1
	}
	if a.y0+dy < 0 {
		dy = -a.y0
	}
	return dx, dy
}

// plot is one panel laid out.
type plot struct {
	*frame
	p           *Panel
	first, last bool
	x, y        *scale
	// The edges of the plot, in which data lie.
	left, right, top, bottom int
	title                    string
	titleY                   int
	tracks                   []*track
	labels                   []endName // decided by layout
	taken                    obstacles
}

// track is one series cleaned: only what can be drawn.
type track struct {
	s    *Series
	name string // clean, whole
	said string // cut to seriesRoom, apart from the other names of the chart
	slot int
	runs [][]spot // joined pieces
	lone []spot   // at inf, never joined
	gone []spot   // Frontier: beaten by another point of the series
	// suspects cannot be believed and are never joined.
	suspects []spot
}

// spot is a point and where it lies.
type spot struct {
	p    *Point
	x, y int
}

// endName is the name of a series at its line.
type endName struct {
	t          *track
	text, full string
	x, y       int // of the baseline
	anchor     string
	mx, my     int // the mark it names
	leader     bool
}

// X and Y translate data to the canvas.
func (pl *plot) X(v float64) int { return pl.left + pl.x.place(v) }
func (pl *plot) Y(v float64) int { return pl.bottom - pl.y.place(v) }

// spots are all joined points of a series.
func (t *track) spots() []spot { return slices.Concat(t.runs...) }

func (t *track) empty() bool { return len(t.runs)+len(t.lone)+len(t.suspects) == 0 }

// empty says whether nothing is drawn in the plot.
func (pl *plot) empty() bool {
	return !slices.ContainsFunc(pl.tracks, func(t *track) bool { return !t.empty() })
}

// wantsNames says whether the lines of a plot are named beside them.
func (pl *plot) wantsNames() bool {
	return !pl.keyed && !pl.keyless && !pl.single &&
		slices.ContainsFunc(pl.tracks, func(t *track) bool { return t.s.labelled() })
}

// refX is where a vertical line stands. A change between two categories stands between them.
func (pl *plot) refX(r *Ref) int {
	x := r.X1
	if r.Change && pl.named && x >= .5 {
		x -= .5
	}
	return pl.X(x)
}

// locate finds the place of every spot and remembers lines and marks as obstacles to labels.
func (pl *plot) locate() {
	pl.taken = obstacles{}
	pl.reserve()
	for _, t := range pl.tracks {
		for _, run := range t.runs {
			for i := range run {
				s := &run[i]
				s.x, s.y = pl.X(s.p.X), pl.Y(s.p.Y)
			}
			if pl.x.groups == nil { // bars are remembered where they are drawn
				pl.avoid(run)
			}
		}
		for i := range t.gone {
			s := &t.gone[i]
			s.x, s.y = pl.X(s.p.X), pl.Y(s.p.Y)
			if len(t.gone) <= longRun {
				pl.taken.mark(s.x, s.y)
			}
		}
	}
	for _, t := range pl.tracks {
		for i := range t.suspects {
			s := &t.suspects[i]
			s.x, s.y = pl.X(s.p.X), pl.Y(s.p.Y)
			pl.taken.mark(s.x, s.y)
		}
	}
	pl.locateLone()
}

// reserve keeps labels away from what stands around the plot, and from its straight lines.
func (pl *plot) reserve() {
	if pl.title != "" {
		pl.taken.text(textArea("", 0, pl.titleY, textWidth(pl.title, 120, false), 120))
	}
	for _, t := range pl.y.ticks {
		pl.taken.text(textArea("e", pl.left-7*px, pl.Y(t.v)+4*px, textWidth(t.label, 120, false), 120))
	}
	for i := range pl.p.Refs {
		switch r := &pl.p.Refs[i]; {
		case r.horizontal() && pl.y.holds(r.Y1):
			pl.taken.line(pl.left, pl.Y(r.Y1), pl.right, pl.Y(r.Y1))
		case r.vertical() && pl.x.holds(r.X1):
			x := pl.refX(r)
			pl.taken.line(x, pl.bottom, x, pl.top)
		}
	}
	// Below stand ticks and the next plot, above the one before.
	pl.taken.texts = append(pl.taken.texts, area{0, pl.bottom + px, pl.w, pl.h + pl.pad})
	if !pl.first {
		pl.taken.texts = append(pl.taken.texts, area{0, 0, pl.w, pl.titleY - 13*px})
	}
}

// avoid keeps labels away from a line and its marks.
func (pl *plot) avoid(run []spot) {
	every := 1 + len(run)/longRun
	for i := 0; i+every < len(run); i += every {
		pl.taken.line(run[i].x, run[i].y, run[i+every].x, run[i+every].y)
	}
	if len(run) > longRun {
		return
	}
	for _, s := range run {
		pl.taken.mark(s.x, s.y)
		if s.p.ranged() {
			pl.taken.line(s.x, pl.Y(s.p.Low), s.x, pl.Y(s.p.High))
		}
	}
}

// locateLone sets the points at inf of several series side by side.
func (pl *plot) locateLone() {
	var with []*track
	for _, t := range pl.tracks {
		if len(t.lone) > 0 {
			with = append(with, t)
		}
	}
	gap := 9 * px
	if len(with) > 1 {
		gap = min(gap, (pl.x.infWidth-8*px)/len(with))
	}
	for k, t := range with {
		for i := range t.lone {
			s := &t.lone[i]
			s.x, s.y = pl.X(inf)+(2*k-(len(with)-1))*gap/2, pl.Y(s.p.Y)
			pl.taken.mark(s.x, s.y)
		}
	}
}
