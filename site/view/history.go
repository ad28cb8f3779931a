package view

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// history is the results of one card over versions or dates, at one load of one workload.
type history struct {
	tracks  []compare.Track
	class   string
	load    float64
	metrics []historyMetric
	axis    chart.Axis
	// place is where a run stands on the axis; label is what it is called there.
	place map[*figure.Run]float64
	label map[*figure.Run]string
	// scenario and point are of the newest run: they name workload and load.
	scenario *figure.Scenario
	point    *catalog.Point
}

// historyMetric is one panel of a history; lines are parallel to its tracks.
type historyMetric struct {
	info  metric.Info
	stat  string
	scale metric.Scale
	lines [][]compare.HistoryPoint
}

// recent are the newest runs of some tracks, as many as a page lists, and how many there are in all: of years of nightly
// runs a chart and its table would be more than a browser lays out at once.
func recent(tracks []compare.Track) (newest []compare.Track, all int) {
	var runs []*figure.Run
	for _, t := range tracks {
		runs = append(runs, t.Runs...)
	}
	if all = len(runs); all <= mostListed {
		return tracks, all
	}
	slices.SortFunc(runs, figure.NewestFirst)
	old := map[*figure.Run]bool{}
	for _, r := range runs[mostListed:] {
		old[r] = true
	}
	for _, t := range tracks {
		t.Runs = slices.DeleteFunc(slices.Clone(t.Runs), func(r *figure.Run) bool { return old[r] })
		newest = append(newest, t)
	}
	return newest, all
}

// newHistory is what some tracks of one card have in common over time. ok is false where there is
// nothing to draw: no two runs of a track share a load, or nothing tells when they were.
func newHistory(tracks []compare.Track) (h *history, ok bool) {
	h = &history{place: map[*figure.Run]float64{}, label: map[*figure.Run]string{}}
	if h.class, h.load, ok = compare.HistoryOf(tracks); !ok {
		return nil, false
	}
	for _, t := range tracks {
		t.Runs = slices.DeleteFunc(slices.Clone(t.Runs), func(r *figure.Run) bool {
			s := r.Scenario(h.class)
			return s == nil || len(s.AllAt(h.load)) == 0
		})
		if len(t.Runs) > 1 && len(h.tracks) < 9 {
			h.tracks = append(h.tracks, t)
		}
	}
	if !h.locate() {
		return nil, false
	}
	runs := h.runs()
	newest := runs[len(runs)-1]
	h.scenario = newest.Scenario(h.class)
	h.point = h.scenario.AllAt(h.load)[0]
	for _, info := range metric.Shown(metric.History) {
		m := info.ID
		if m == metric.SpeedPerRequest && slices.ContainsFunc(h.metrics,
			func(o historyMetric) bool { return o.info.ID == metric.TPOT }) {
			continue
		}
		hm := historyMetric{info: info, stat: compare.HistoryStat(runs, h.class, h.load, m)}
		var values []*float64
		drawn := false
		for _, t := range h.tracks {
			line := compare.History(t.Runs, h.class, h.load, m, hm.stat)
			for i := range line {
				values = append(values, &line[i].Summary.Median)
			}
			drawn = drawn || len(line) > 1
			hm.lines = append(hm.lines, line)
		}
		if drawn {
			hm.scale = metric.ScaleFor(hm.info.Unit, values)
			h.metrics = append(h.metrics, hm)
		}
	}
	return h, len(h.metrics) > 0
}

// runs are the runs of all tracks in the order of the axis.
func (h *history) runs() []*figure.Run {
	var rs []*figure.Run
	for _, t := range h.tracks {
		rs = append(rs, t.Runs...)
	}
	slices.SortStableFunc(rs, func(a, b *figure.Run) int { return cmp.Compare(h.place[a], h.place[b]) })
	return rs
}

// locate chooses the axis: versions of the engine where there are at least two, several runs of a
// version side by side; else dates.
func (h *history) locate() bool {
	if len(h.tracks) == 0 {
		return false
	}
	byVersion := true
	versions, days := map[string]bool{}, map[string]bool{}
	dated := true
	for _, t := range h.tracks {
		byVersion = byVersion && t.Engine.Slug == h.tracks[0].Engine.Slug
		for _, r := range t.Runs {
			byVersion = byVersion && r.Engine.Version != ""
			versions[r.Engine.Version] = true
			_, ok := when(r)
			dated = dated && ok
			days[page.Day(r.Started)] = true
		}
	}
	switch {
	case byVersion && len(versions) > 1:
		h.byVersion()
	case dated && len(days) > 1:
		h.axis = chart.Axis{Title: "date of the run", Scale: chart.Date}
		for _, t := range h.tracks {
			days := make([]string, len(t.Runs))
			for i, r := range t.Runs {
				h.place[r], _ = when(r)
				days[i] = page.Day(r.Started)
			}
			for i, day := range apart(days, t.Runs) {
				h.label[t.Runs[i]] = day
			}
			slices.SortStableFunc(t.Runs, func(a, b *figure.Run) int { return cmp.Compare(h.place[a], h.place[b]) })
		}
	default:
		return false
	}
	return true
}

// byVersion gives each version as many places as the track with most runs of it needs.
func (h *history) byVersion() {
	type slot struct {
		version string
		n       int
	}
	slots := map[slot][]*figure.Run{}
	var order []slot
	for _, t := range h.tracks {
		seen := map[string]int{}
		for _, r := range t.Runs {
			k := slot{r.Engine.Version, seen[r.Engine.Version]}
			seen[r.Engine.Version]++
			if slots[k] == nil {
				order = append(order, k)
			}
			slots[k] = append(slots[k], r)
		}
	}
	slices.SortFunc(order, func(a, b slot) int {
		return cmp.Or(settings.CompareVersions(a.version, b.version), cmp.Compare(a.version, b.version),
			cmp.Compare(a.n, b.n))
	})
	h.axis = chart.Axis{Title: h.tracks[0].Engine.Name + " version"}
	first := make([]*figure.Run, len(order))
	for i, k := range order {
		first[i] = slots[k][0]
		name := k.version
		if _, several := slots[slot{k.version, 1}]; several {
			if day := page.Day(first[i].Started); len(slots[k]) == 1 && day != "" {
				name += ", " + day
			} else {
				name += " (" + itoa(k.n+1) + ")"
			}
		}
		h.axis.Names = append(h.axis.Names, name)
	}
	h.axis.Names = apart(h.axis.Names, first)
	for i, k := range order {
		for _, r := range slots[k] {
			h.place[r] = float64(i)
			h.label[r] = h.axis.Names[i]
		}
	}
}

// apart adds the time of day to names of several runs, and a number where they began in one minute.
func apart(names []string, runs []*figure.Run) []string {
	count := func() map[string]int {
		n := map[string]int{}
		for _, name := range names {
			n[name]++
		}
		return n
	}
	on := count()
	for i, r := range runs {
		if on[names[i]] > 1 && len(r.Started) >= 16 {
			names[i] += " " + r.Started[11:16]
		}
	}
	on, nth := count(), map[string]int{}
	for i, name := range names {
		if nth[name]++; on[name] > 1 {
			names[i] += " (" + itoa(nth[name]) + ")"
		}
	}
	return names
}

// when is the beginning of a run in seconds since 1970, to the day where no time is recorded.
func when(r *figure.Run) (float64, bool) {
	t, err := time.Parse("2006-01-02", page.Day(r.Started))
	if err != nil {
		return 0, false
	}
	if len(r.Started) >= 19 {
		if at, err := time.Parse("2006-01-02T15:04:05", r.Started[:19]); err == nil {
			t = at
		}
	}
	return float64(t.Unix()), true
}

// trackName tells the lines of a history apart; empty where there is one.
func (h *history) trackName(i int) string {
	t := h.tracks[i]
	switch {
	case len(h.tracks) == 1:
		return ""
	case t.Series != "" && slices.ContainsFunc(h.tracks,
		func(o compare.Track) bool { return o.Engine.Slug != t.Engine.Slug }):
		return t.Engine.Name + ", " + t.Series
	case t.Series != "":
		return t.Series
	}
	return t.Engine.Name
}

// title is a metric with its statistic: "TTFT, median".
func (m historyMetric) title() string {
	if m.stat == metric.Value {
		return m.info.Label
	}
	return m.info.Label + ", " + m.stat
}

// mark is a change that somebody wrote down, at its place on the axis.
type mark struct {
	at      float64
	label   string
	changes []settings.Change
}

// marks are the changes that lie between the first and the last result of a history. A change is at its own place
// alone: in the order of versions, or at the day that is recorded of it. Where neither is known it has no mark.
func (h *history) marks(n *settings.Names) []mark {
	var ms []mark
	add := func(at float64, c settings.Change) {
		label := c.Version
		if label == "" {
			label = c.Date
		}
		for i := range ms {
			if ms[i].at == at {
				if !slices.Contains(ms[i].changes, c) {
					ms[i].changes = append(ms[i].changes, c)
					ms[i].label += ", " + label
				}
				return
			}
		}
		ms = append(ms, mark{at, label, []settings.Change{c}})
	}
	for _, t := range h.tracks {
		for _, c := range n.Changes(t.Engine.Slug) {
			if i, ok := firstWith(c, t.Runs); ok {
				if at, ok := h.placeOf(c, t.Runs[i-1], t.Runs[i]); ok {
					add(at, c)
				}
			}
		}
	}
	slices.SortStableFunc(ms, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	return ms
}

// firstWith is the first of some runs that has a change, which no run before it has and every one after it. ok is
// false where there is none, and where a run says neither: nobody knows whether it has the change.
func firstWith(c settings.Change, runs []*figure.Run) (i int, ok bool) {
	of := func(r *figure.Run) (has, known bool) {
		if c.Version != "" {
			return settings.CompareVersions(r.Engine.Version, c.Version) >= 0, r.Engine.Version != ""
		}
		return page.Day(r.Started) >= c.Date, r.Started != ""
	}
	for k, r := range runs {
		has, known := of(r)
		switch {
		case !known || i > 0 && !has:
			return 0, false
		case has && k == 0:
			return 0, false
		case has && i == 0:
			i = k
		}
	}
	return i, i > 0
}

// placeOf is where a change between two neighbours stands on the axis: between them where the axis has versions;
// on its own day where it has dates, or on that of the first run of the very version.
func (h *history) placeOf(c settings.Change, before, after *figure.Run) (at float64, ok bool) {
	if h.axis.Names != nil {
		return h.place[after] - 0.5, true
	}
	if day, err := time.Parse(time.DateOnly, c.Date); err == nil {
		if at = float64(day.Unix()); h.place[before] <= at && at <= h.place[after] {
			return at, true
		}
	}
	same := c.Version == "" || settings.CompareVersions(after.Engine.Version, c.Version) == 0
	return h.place[after], same
}

// mostArrows is how many changes of a panel have their size beside them: the largest.
const mostArrows = 6

// arrow marks a place where lines of a panel change.
type arrow struct {
	at, size float64
	label    string
	worse    bool
}

// point adds a change to the arrows of a panel: lines that change at one place share one.
func point(arrows []arrow, at float64, name string, p compare.HistoryPoint) []arrow {
	label, size := changeText(p.Relative), math.Inf(1)
	if p.Relative != nil {
		size = math.Abs(*p.Relative)
	}
	if name != "" {
		label = page.Clip(name, 20) + " " + label
	}
	for i := range arrows {
		if a := &arrows[i]; a.at == at {
			a.label += ", " + label
			a.size, a.worse = max(a.size, size), a.worse || p.Better < 0
			return arrows
		}
	}
	return append(arrows, arrow{at, size, label, p.Better < 0})
}

// singleText explains the hollow marks of a history.
const singleText = "more than 5 % from the one before, too few measurements for a claim"

// panel draws one metric. Changes that the measurements prove are arrows; steps of single runs
// are hollow marks with the step beside them.
func (h *history) panel(m historyMetric, marks []mark) chart.Panel {
	pn := chart.Panel{Y: chart.Axis{Title: m.title(), Unit: m.scale.Unit, Scale: chart.Linear}}
	var arrows []arrow
	for i, line := range m.lines {
		if len(line) == 0 {
			continue
		}
		s := chart.Series{Name: h.trackName(i), Slot: i + 1, NoLabel: len(h.tracks) == 1, Interval: chart.Confidence95}
		if s.Name == "" {
			s.Name = m.info.Label
		}
		for _, p := range line {
			if p.Summary.N > 1 && p.Summary.Confidence == 0 {
				s.Interval = chart.Extremes
			}
		}
		for _, p := range line {
			q := chart.Point{X: h.place[p.Run], Y: m.scale.Of(p.Summary.Median),
				Hollow: p.Change == compare.SingleChange}
			if p.Summary.N > 1 {
				q.Low, q.High = m.scale.Of(p.Summary.Lo), m.scale.Of(p.Summary.Hi)
			}
			if p.Change == compare.SingleChange && p.Relative != nil && len(line) <= 12 && len(h.tracks) <= 2 {
				q.Label = changeText(p.Relative)
			}
			if p.Change == compare.ClearChange {
				arrows = point(arrows, q.X, h.trackName(i), p)
			}
			s.Points = append(s.Points, q)
		}
		pn.Series = append(pn.Series, s)
	}
	for i, line := range m.lines {
		for _, c := range compare.Levels(line, m.info.ID) {
			at := h.place[line[c.At].Run]
			if !slices.ContainsFunc(arrows, func(a arrow) bool { return a.at == at }) {
				arrows = point(arrows, at, h.trackName(i), compare.HistoryPoint{Relative: &c.Relative, Better: c.Better})
			}
		}
	}
	slices.SortStableFunc(arrows, func(a, b arrow) int { return cmp.Compare(b.size, a.size) })
	for i, a := range arrows {
		if i >= mostArrows {
			a.label = ""
		}
		pn.Refs = append(pn.Refs, chart.ChangePoint(a.at, a.label, a.worse))
	}
	for _, k := range marks {
		pn.Refs = append(pn.Refs, chart.Vertical(k.at, k.label))
	}
	return pn
}

// chart is the panels of some metrics on one axis.
func (h *history) chart(title string, metrics []historyMetric, marks []mark) *chart.Chart {
	c := &chart.Chart{Kind: chart.Lines, Title: title, X: h.axis}
	for i, m := range metrics {
		var of []mark
		if i == 0 {
			of = marks
		}
		c.Panels = append(c.Panels, h.panel(m, of))
	}
	if slices.ContainsFunc(metrics, historyMetric.hollow) {
		c.Hollow = singleText
	}
	return c
}

// hollow says whether a panel has steps of too few measurements.
func (m historyMetric) hollow() bool {
	return slices.ContainsFunc(m.lines, func(line []compare.HistoryPoint) bool {
		return slices.ContainsFunc(line, func(p compare.HistoryPoint) bool { return p.Change == compare.SingleChange })
	})
}

// finding is the newest change of the first line in a sentence, or its newest step where nothing
// changed; what else differs between the two runs is named.
func (h *history) finding(m historyMetric, of string, besides func(a, b *figure.Run) []string) claim.Sentence {
	i := slices.IndexFunc(m.lines, func(line []compare.HistoryPoint) bool { return len(line) > 1 })
	if i < 0 {
		return claim.Plain(of+m.title(), of, m.title())
	}
	line := m.lines[i]
	k := len(line) - 1
	for j := k; j > 0; j-- {
		if line[j].Change == compare.ClearChange {
			k = j
			break
		}
	}
	c := claim.State(claim.KindStep)
	refs := make([]claim.Ref, len(line))
	for j := k - 1; j < len(line); j++ {
		p := line[j]
		refs[j] = c.At(claim.Statistic(p.Run, p.Scenario, h.load, m.info.ID, m.stat))
		c.Calls(refs[j], h.label[p.Run])
		if j >= k {
			c.Differs(line[j-1].To(p, m.info.ID, m.stat), refs[j], refs[j-1])
		}
	}
	at, before := line[k], line[k-1]
	c.Name(of)
	if n := h.trackName(i); n != "" {
		c.Name(n).Say(", ")
	}
	with := " with "
	if h.axis.Names == nil {
		with = " on "
	}
	c.Run(refs[k]).Say(": ").Cite(refs[k], "%s", metricText(m.info, at.Summary.Median)).Say(" against ").
		Cite(refs[k-1], "%s", metricText(m.info, before.Summary.Median)).Say("%s", with).Run(refs[k-1]).
		Say(", %s", changeText(at.Relative))
	switch {
	case at.Change == compare.ClearChange && k < len(line)-1:
		c.Say(", and no change since")
	case at.Change == compare.ClearChange:
		c.Say(", distinguishable")
	case at.Summary.Confidence > 0 && before.Summary.Confidence > 0:
		c.Say(", not distinguishable")
	default:
		c.Say(", with too few measurements for a claim")
	}
	if also := besides(before.Run, at.Run); len(also) > 0 {
		c.Called(also...).Say("; differing too: %s", page.Enumerate(also))
	}
	return c.Sentence()
}

// levels say where the level of a metric changed last, where enough runs lie on both sides.
func (h *history) levels(m historyMetric) (said []claim.Sentence) {
	for i, line := range m.lines {
		changes := compare.Levels(line, m.info.ID)
		if len(changes) == 0 {
			continue
		}
		last := changes[len(changes)-1]
		if last.At+last.After < len(line) {
			continue // too few runs lie behind a newer change
		}
		c := claim.State(claim.KindLevel)
		refs := make([]claim.Ref, len(line))
		for k, p := range line {
			refs[k] = c.At(claim.Statistic(p.Run, p.Scenario, h.load, m.info.ID, m.stat))
		}
		c.Calls(refs[last.At], h.label[line[last.At].Run])
		c.ReadAt(claim.Level, float64(last.At), last.Relative, refs...)
		if n := h.trackName(i); n != "" {
			c.Name(n).Say(", ")
		}
		said = append(said, c.Say("%s since ", m.info.Label).Run(refs[last.At]).Say(": %s, the mean of %s against %d before.",
			changeText(&last.Relative), metric.Plural(last.After, "run"), last.Before).Sentence())
	}
	return said
}

// words name workload and load.
func (h *history) words() string {
	s := h.scenario.Title
	if l := figure.LoadPhrase(h.point); l != "" {
		s += ", " + l
	}
	return s
}

// markNotes say what the marks of a chart mean.
func markNotes(marks []mark) [][]page.Part {
	var notes [][]page.Part
	for _, k := range marks {
		for _, c := range k.changes {
			notes = append(notes, changeParts(c))
		}
	}
	return notes
}

// changeParts is what somebody wrote down of a change: "0.8.0: ...", with where one can read of it.
func changeParts(c settings.Change) []page.Part {
	at := c.Version
	if at == "" {
		at = c.Date
	}
	return append(page.Text(at+": "), changeWords(c)...)
}

func changeWords(c settings.Change) []page.Part {
	if u := page.WebAddress(c.Address); u != "" {
		return page.Linked(page.Clip(c.Text, 300), u)
	}
	return page.Text(page.Clip(c.Text, 300))
}

// history adds what a card's results were over versions or dates.
func (d *draft) history(c *figure.Card) {
	tracks, all := recent(compare.Tracks(c))
	h, ok := newHistory(tracks)
	if !ok {
		return
	}
	title := "History, " + c.Title()
	marks := h.marks(d.g.Index.Names)
	what := "With " + h.words() + ", the load that most runs share. Bars are the 95 % interval of the median where a " +
		"run measured six times or more. An arrow marks a change: the intervals of two neighbours do not overlap" +
		", or with eight runs or more the level changes, at least four on each side."
	if slices.ContainsFunc(h.metrics, historyMetric.hollow) {
		what += " Hollow marks: " + singleText + "."
	}
	if len(marks) > 0 {
		what += " Dashed lines: what is known to have changed, listed with the chart."
	}
	if all > mostListed {
		what += " Of " + metric.Count(all) + " runs the newest " + metric.Count(mostListed) + "."
	}
	size := chart.Wide.High(190 + 150*(len(h.metrics)-1) + 40)
	narrow := chart.Narrow.High(190 + 150*(len(h.metrics)-1) + 40)
	f := d.figure("over-time", h.finding(h.metrics[0], "", d.besides), what,
		func() *chart.Chart { return h.chart(title, h.metrics, marks) }, size, narrow)
	f.Notes = markNotes(marks)
	if all > mostListed {
		f.Files = append(f.Files, d.file("over-time-all", "SVG file of the whole history", func() *chart.Chart {
			whole, ok := newHistory(compare.Tracks(c))
			if !ok {
				whole = h // all of them share no load
			}
			return whole.chart(title+", "+whole.words(), whole.metrics, whole.marks(d.g.Index.Names))
		}))
	}
	f.Data = d.details("over-time-table", "Data table", func() *page.Grid { return d.historyTable(h, title) })
	blocks := []page.Block{{Figure: f}}
	for _, m := range h.metrics {
		for _, s := range h.levels(m) {
			blocks = append(blocks, page.Block{Text: d.stated(s)})
		}
	}
	blocks = append(blocks, page.Block{Text: page.Text("How a change is told from noise: ").
		Link("methodology", d.formula("change")).Text(".")})
	if es := enginesOf(h.tracks); len(es) > 0 {
		ps := page.Text("All cards over versions: ")
		for i, e := range es {
			if i > 0 {
				ps = append(ps, page.Part{Text: ", "})
			}
			ps = append(ps, page.Part{Text: e.Name, Href: d.Place.To(pathEngine(e.Slug), "")})
		}
		blocks = append(blocks, page.Block{Text: append(ps, page.Part{Text: "."})})
	}
	d.section("history", "History", blocks...)
}

// enginesOf are the engines of some tracks, each once.
func enginesOf(tracks []compare.Track) []settings.Engine {
	var es []settings.Engine
	for _, t := range tracks {
		if !slices.Contains(es, t.Engine) {
			es = append(es, t.Engine)
		}
	}
	return es
}

// historyTable has a row a run, the newest first: each metric with its step from the one before,
// and what else is known to differ from it.
func (d *draft) historyTable(h *history, caption string) *page.Grid {
	type line struct {
		track int
		run   *figure.Run
		// before is the run before it in its track, nil for the first.
		before *figure.Run
	}
	var lines []line
	for i, tr := range h.tracks {
		for k := len(tr.Runs) - 1; k >= 0; k-- {
			l := line{track: i, run: tr.Runs[k]}
			if k > 0 {
				l.before = tr.Runs[k-1]
			}
			lines = append(lines, l)
		}
	}
	t := page.NewTable(caption, "dense", lines)
	t.Col("Run", func(l line) page.Cell {
		s := l.run.Scenario(h.class)
		return page.Cell{Text: h.label[l.run], Href: d.pointHref(l.run, s, s.AllAt(h.load)[0]), Head: true}
	})
	t.Col("Date", func(l line) page.Cell { return orNotRecorded(page.Day(l.run.Started)) })
	if len(h.tracks) > 1 {
		t.Col("Line", func(l line) page.Cell { return page.Cell{Text: h.trackName(l.track)} })
	}
	for _, m := range h.metrics {
		place := func(l line) int {
			return slices.IndexFunc(m.lines[l.track], func(p compare.HistoryPoint) bool { return p.Run == l.run })
		}
		t.Num(m.title(), m.scale.Unit, func(l line) page.Cell {
			i := place(l)
			if i < 0 {
				return page.Missing("not known")
			}
			s := m.lines[l.track][i].Summary
			c := page.Number(s.Median, m.scale)
			if s.N > 1 {
				c.Sub = m.scale.Format(s.Lo) + " to " + m.scale.Format(s.Hi) + ", " + itoa(s.N) + " measured"
			}
			return c
		})
		t.Num("Change", "", func(l line) page.Cell {
			if i := place(l); i > 0 {
				return stepCell(m.lines[l.track][i], m.lines[l.track][i-1].Summary)
			}
			return page.Cell{}
		})
	}
	t.Col("Changed with it", func(l line) page.Cell {
		if l.before == nil {
			return page.Cell{}
		}
		return page.Cell{Text: d.changedWith(l.before, l.run), Soft: true}
	})
	return t.Done()
}

func orNotRecorded(s string) page.Cell {
	if s == "" {
		return page.Missing("not recorded")
	}
	return page.Cell{Text: s}
}

// noClaim stands with a step that too few measurements stand behind.
const noClaim = "no claim"

// stepCell is the step of a history from the result before, with what may be claimed of it.
func stepCell(p compare.HistoryPoint, before figure.Summary) page.Cell {
	if before.N == 0 {
		return page.Cell{}
	}
	c := page.Cell{Text: changeText(p.Relative)}
	if p.Relative != nil {
		c.Exact = metric.Exact(*p.Relative)
	}
	switch {
	case p.Change == compare.ClearChange && p.Better > 0:
		c.Sub, c.Class = "better", "good"
	case p.Change == compare.ClearChange && p.Better < 0:
		c.Sub, c.SubWarn = "worse", true
	case p.Change == compare.ClearChange:
		c.Sub = "distinguishable"
	case p.Change == compare.SingleChange:
		c.Sub = noClaim
	case p.Summary.Confidence > 0 && before.Confidence > 0:
		c.Sub = "not distinguishable"
	}
	return c
}

// besides names what differs between two runs beside the engine's version.
func (d *draft) besides(a, b *figure.Run) (names []string) {
	for _, r := range d.g.Arguments.Besides(a, b) {
		names = append(names, r.Name)
	}
	return names
}

// changedWith names the parameters whose effective values differ between two runs, beside the
// engine's version.
func (d *draft) changedWith(a, b *figure.Run) string {
	var names []string
	for _, r := range d.g.Arguments.Diff(a, b).Differs {
		if r.Name != "engine_version" {
			names = append(names, r.Name)
		}
	}
	return someNames(names)
}

// someNames are the first names of parameters, and how many more there are.
func someNames(names []string) string {
	const most = 4
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], metric.Plural(more, "other"))
	}
	return strings.Join(names, ", ")
}
