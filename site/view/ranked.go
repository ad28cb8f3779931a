package view

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// rankValue is what an entry is ranked by: a measured peak, else published figures.
type rankValue struct {
	peak             float64
	each             float64 // the peak of one accelerator, 0 where their number is not recorded
	p                *catalog.Point
	hasPeak          bool
	measured         int // how often; a published figure once
	speed, ttft      *float64
	speedText        string
	ingestion, kv    figure.Headline
	hasIngest, hasKV bool
}

func rankOf(e entry, class string, load float64) rankValue {
	v := rankValue{measured: 1}
	if s := e.run.Scenario(class); s != nil && class != "" {
		if v.p, v.peak, v.hasPeak = s.Peak(metric.OutputThroughput); v.hasPeak {
			v.each, _ = e.run.PerAccelerator(v.p)
			v.measured = timesMeasured(s, figure.LoadOf(v.p))
		}
		if p := s.At(load); p != nil {
			if x, _, ok := figure.SpeedPerUser(p); ok {
				v.speed = &x
			}
			if x, _, ok := figure.Central(p, metric.TTFT); ok {
				v.ttft = &x
			}
		}
	}
	for _, h := range e.run.SuiteHeadlines() {
		switch h.Name {
		case "prompt_ingestion_speed":
			v.ingestion, v.hasIngest = h, true
		case "kv_cache_tokens":
			v.kv, v.hasKV = h, true
		case figure.SuiteSpeed:
			if v.speed == nil {
				v.speed, v.speedText = h.Value, strings.TrimSpace(h.Published)
				if h.Value != nil {
					v.speedText = ""
				}
			}
		}
	}
	return v
}

// ranking is the ranked table of some entries under one workload. what heads the column of names.
func (d *draft) ranking(es []entry, class string, sc *figure.Scenario, what, of string) {
	if len(es) == 0 {
		return
	}
	t := rankTable{class: class, what: what, of: of}
	if sc != nil {
		t.axis = sc.Axis
		t.load = loadOfEntries(es, class, sc)
	}
	t.rows, t.byEach = rankEntries(es, class, t.load)
	any := func(f func(rankedEntry) bool) bool { return slices.ContainsFunc(t.rows, f) }
	t.byPeak = any(func(e rankedEntry) bool { return e.hasPeak })
	bySpeed := any(func(e rankedEntry) bool { return e.speed != nil || e.speedText != "" })
	if !t.byPeak && !bySpeed && !any(func(e rankedEntry) bool { return e.hasIngest }) {
		return
	}
	by := "prompt ingestion speed."
	switch {
	case t.byEach:
		by = "peak output throughput per accelerator with " + sc.Title + "."
	case t.byPeak:
		by = "peak output throughput with " + sc.Title + "."
	case bySpeed:
		by = "speed per request at 10 parallel requests, 1" + metric.ThinSpace + "024 in and 128 out."
	}
	var often []int
	for _, e := range t.rows {
		often = append(often, e.measured)
	}
	title, intro := "Ranked", "By "+by+uncertain(often)
	if len(es) == 1 {
		title, intro = "At a glance", page.Upper(by)
	}
	if any(func(e rankedEntry) bool { return e.outside }) {
		intro += " Only results of the " + page.Clip(rankedDivision(es, class), 30) + " division have a rank; those of another stand " +
			"below, since other rules hold there for model and accuracy."
	}
	if any(func(e rankedEntry) bool { return e.past }) {
		intro += " Only results of the newest version of each engine have a rank; others stand below."
	}
	if any(func(e rankedEntry) bool { return e.uncounted(t.byEach) }) {
		intro += " Results of an unrecorded number of accelerators stand below, without a rank."
	}
	if any(func(e rankedEntry) bool { return e.without }) {
		intro += " What has no such figure stands below, without a rank."
	}
	const most = 300 // a longer table is slow on a phone
	if n := len(t.rows) - most; n > 0 {
		t.rows = t.rows[:most]
		intro += " The first " + itoa(most) + "; " + metric.Count(n) + " more are in the downloads."
	}
	d.section("ranked", title, page.Paragraph(intro), d.table("ranked", func() *page.Grid { return d.rankTable(t) }))
}

// loadOfEntries is the load at which the speed and the time to first token of entries are read.
func loadOfEntries(es []entry, class string, sc *figure.Scenario) float64 {
	k := &scoreClass{key: class, axis: sc.Axis, runs: map[*figure.Card]*figure.Run{}}
	for _, e := range es {
		if e.run.Scenario(class) != nil {
			k.runs[e.card] = e.run
		}
	}
	load, _ := k.commonLoad()
	return load
}

// rankedEntry is an entry in its place of a ranking, from 0.
type rankedEntry struct {
	entry
	rankValue
	place int
	past  bool // another result speaks for its card, of a newer version: see [newestOf]
	// outside says that it was entered in another division of a benchmark than what is ranked.
	outside bool
	// without says that it has not what the others are ranked by.
	without bool
}

// uncounted says that an entry has a peak and no place among those of one accelerator: its number is not recorded.
func (e rankedEntry) uncounted(byEach bool) bool { return byEach && e.hasPeak && e.each == 0 }

// unranked says that an entry stands below the others, without a place.
func (e rankedEntry) unranked(byEach bool) bool {
	return e.outside || e.past || e.without || e.uncounted(byEach)
}

// rankedDivision is [figure.RankedDivision] of the results of a class.
func rankedDivision(es []entry, class string) string {
	var runs []*figure.Run
	for _, e := range es {
		if e.run.Scenario(class) != nil {
			runs = append(runs, e.run)
		}
	}
	return figure.RankedDivision(runs)
}

// rankEntries orders entries by their peaks, then by published figures. ByEach says that the peaks are of
// different numbers of accelerators: the order is then that of one accelerator, and those whose number is not
// recorded stand behind; then come those of the past, and last those of another division.
func rankEntries(es []entry, class string, load float64) (rs []rankedEntry, byEach bool) {
	counts := map[int]bool{}
	division := rankedDivision(es, class)
	outside := func(e entry) bool { return e.run.Outside(division) }
	newest := newestOf(slices.DeleteFunc(slices.Clone(es), outside), class)
	for _, e := range es {
		r := rankedEntry{entry: e, rankValue: rankOf(e, class, load), outside: outside(e)}
		r.past = r.hasPeak && !r.outside && !slices.ContainsFunc(newest, func(n entry) bool { return n.run == e.run })
		if r.hasPeak {
			counts[count(e.run)] = true
		}
		rs = append(rs, r)
	}
	byEach = len(counts) > 1
	peak := func(e rankedEntry) float64 {
		if !e.hasPeak {
			return -1
		}
		return e.peakBy(byEach)
	}
	slices.SortStableFunc(rs, func(a, b rankedEntry) int {
		return cmp.Or(compareBool(a.outside, b.outside), compareBool(a.past, b.past), cmp.Compare(peak(b), peak(a)),
			cmp.Compare(b.speedNumber(), a.speedNumber()), cmp.Compare(headlineValue(b.ingestion), headlineValue(a.ingestion)), cmp.Compare(a.name, b.name))
	})
	known := func(e rankedEntry) bool { return e.hasIngest }
	if has := func(e rankedEntry) bool { return e.speedNumber() > 0 }; slices.ContainsFunc(rs, has) {
		known = has
	}
	if has := func(e rankedEntry) bool { return e.hasPeak }; slices.ContainsFunc(rs, has) {
		known = has
	}
	for i := range rs {
		rs[i].place, rs[i].without = i, !known(rs[i])
	}
	return rs, byEach
}

// peakBy is the peak of one accelerator, or of all together.
func (v rankValue) peakBy(each bool) float64 {
	if each {
		return v.each
	}
	return v.peak
}

// speedNumber is the speed that a value is ordered and drawn by, 0 where none is known.
func (v rankValue) speedNumber() float64 {
	if v.speed != nil {
		return *v.speed
	}
	x, _ := publishedNumber(v.speedText)
	return x
}

// rankTable is a ranking before it is written.
type rankTable struct {
	rows     []rankedEntry
	class    string // of the workload
	axis     string
	load     float64 // at which speed and time to first token are read
	what, of string
	byPeak   bool // else by published figures
	byEach   bool // by the peaks of one accelerator
}

func (d *draft) rankTable(rt rankTable) *page.Grid {
	several := len(rt.rows) > 1
	t := page.NewTable(rt.of+", ranked", "rank tight list", rt.rows)
	if several {
		t.Add(page.Column{Title: "Rank", Hidden: true, Num: true, Front: true}, func(e rankedEntry) page.Cell {
			if e.unranked(rt.byEach) {
				return page.Cell{}
			}
			return page.Cell{Text: itoa(e.place + 1), Class: "mut"}
		})
	}
	t.Col(rt.what, d.rankName)
	at := ""
	switch {
	case rt.load > 0:
		at = ", at " + metric.Chosen(rt.load)
	case !rt.byPeak:
		at = ", at 10"
	}
	if rt.byPeak {
		d.peakColumns(t, rt)
	}
	speed := page.Column{Title: "Speed per request", Unit: "tok/s" + at, Num: true, Front: !rt.byPeak}
	t.Add(speed, func(e rankedEntry) page.Cell {
		switch {
		case e.speed != nil:
			return page.Number(*e.speed, metric.Scale{})
		case e.speedText != "":
			return page.Cell{Text: publishedShort(e.speedText), Exact: "published " + e.speedText, Sub: "published"}
		}
		return page.Missing("")
	})
	if several && !rt.byPeak {
		best := 0.0
		for _, e := range rt.rows {
			best = max(best, e.speedNumber())
		}
		t.Col("Relative to best", func(e rankedEntry) page.Cell {
			if x := e.speedNumber(); x > 0 {
				return shareCell(x / best)
			}
			return page.Cell{}
		})
	}
	var ttfts []*float64
	for _, e := range rt.rows {
		ttfts = append(ttfts, e.ttft)
	}
	scale := metric.ScaleFor(metric.Seconds, ttfts)
	t.Num("TTFT", scale.Unit+at, func(e rankedEntry) page.Cell {
		if e.ttft == nil {
			return page.Missing("")
		}
		return page.Number(*e.ttft, scale)
	})
	t.Num("Prompt ingestion", "tok/s",
		func(e rankedEntry) page.Cell { return headlineRankCell(e.ingestion, e.hasIngest) })
	t.Num("KV cache", "tokens", func(e rankedEntry) page.Cell { return headlineRankCell(e.kv, e.hasKV) })
	return t.Done()
}

// rankName is the name of an entry, with its engine or, where the name says that, its tool.
func (d *draft) rankName(e rankedEntry) page.Cell {
	engine, versioned := EngineText(e.run.Engine)
	c := page.Cell{Text: e.name, Href: d.Place.To(page.PathCard(e.card.Slug), ""), Head: true, Sub: engine}
	if !versioned && engine != "" {
		c.Sub = engine + ", version not recorded"
	}
	if versioned && strings.Contains(e.name, e.run.Engine.Version) {
		c.Sub = e.run.Tool.Name
	}
	c.Sub = divided(c.Sub, e.run)
	return c
}

// peakColumns are the peak of each entry, in all and for one accelerator, what the table is ordered by first,
// and where it was reached.
func (d *draft) peakColumns(t *page.Table[rankedEntry], rt rankTable) {
	several, best := len(rt.rows) > 1, 0.0
	for _, e := range rt.rows {
		if !e.past && !e.outside {
			best = max(best, e.peakBy(rt.byEach))
		}
	}
	total := func() {
		t.Add(page.Column{Title: "Peak output", Unit: "tok/s", Num: true, Front: !rt.byEach}, func(e rankedEntry) page.Cell {
			switch {
			case !e.hasPeak && len(e.run.Points) == 0:
				return page.Missing("figures only")
			case !e.hasPeak && e.run.Forbidden != "":
				return page.Missing("not to be believed")
			case !e.hasPeak && e.run.Scenario(rt.class) != nil:
				return page.Missing("not known")
			case !e.hasPeak:
				return page.Missing("other workload")
			}
			c := page.Number(e.peak, metric.Scale{})
			c.Href = d.pointHref(e.run, e.run.Scenario(rt.class), e.p)
			if several && !rt.byEach && !e.past && !e.outside && looksAs(e.peak, best) {
				c.Class = "best"
			}
			incompleteWarning(&c, e.p)
			return c
		})
	}
	one := func() {
		t.Add(page.Column{Title: "Per accelerator", Unit: "tok/s", Num: true, Front: rt.byEach}, func(e rankedEntry) page.Cell {
			if !e.hasPeak {
				return page.Missing("")
			}
			if e.each == 0 {
				return page.Missing("count not recorded")
			}
			c := page.Number(e.each, metric.Scale{})
			if several && rt.byEach && !e.past && !e.outside && looksAs(e.each, best) {
				c.Class = "best"
			}
			return c
		})
	}
	first, last := total, one
	if rt.byEach {
		first, last = one, total
	}
	first()
	if several {
		t.Col("Relative to best", func(e rankedEntry) page.Cell {
			if !e.hasPeak || e.unranked(rt.byEach) {
				return page.Cell{}
			}
			return shareCell(e.peakBy(rt.byEach) / best)
		})
	}
	t.Num("At", kindOf(rt.axis).short, func(e rankedEntry) page.Cell {
		if !e.hasPeak {
			return page.Cell{}
		}
		c := page.Cell{Text: figure.LoadText(e.p), Exact: infTitle(figure.LoadOf(e.p))}
		if e.run.Scenario(rt.class).StillRising(metric.OutputThroughput) {
			c.Sub = "still rising"
		}
		return c
	})
	last()
}

// shareCell is a bar with the share of the best as a percentage.
func shareCell(share float64) page.Cell {
	return page.Cell{Before: func(w io.Writer) error { return chart.HBar(w, chart.Neutral, share) }, Text: " " +
		metric.Decimals(share*100, 0) + metric.ThinSpace + "%", Class: "nw"}
}
