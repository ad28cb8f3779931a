package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// enginesPage lists all engines.
func (g *Site) enginesPage() *draft {
	d := g.draft(PathEngines, "engines", "engines", "Engines",
		claim.Plain("Every engine of the catalog with the versions that were measured."))
	d.view.Lede = d.lede(claim.NewTally(claim.Listed, g.Index.Identified...).Much(claim.EngineCount, "engine").
		Say("%sits versions over time: what got faster, what regressed.", eachWith(len(g.Index.Engines))).Sentence(), nil)
	switch {
	case len(g.Index.Identified) == 0:
		return d.none()
	case len(g.Index.Engines) == 0:
		d.view.Lede = d.lede(claim.Plain("No run that is compared here records its engine."), nil)
		return d.done()
	}
	d.section("all", "All engines", d.table("engines", func() *page.Grid {
		t := page.NewTable("Engines", "list", g.Index.Engines)
		t.Head("Engine", func(e *figure.Engine) (string, string) { return e.Name, d.Place.To(pathEngine(e.Slug), "") })
		t.Count("Versions", func(e *figure.Engine) int { return knownVersions(versionsOf(e)) })
		t.Text("Newest version", "not recorded", func(e *figure.Engine) string { return versionsOf(e)[0].version })
		t.Col("Largest step between versions", func(e *figure.Engine) page.Cell {
			s, _, ok := largestStep(e)
			if !ok {
				return page.Cell{}
			}
			c := s.h.tracks[s.track].Card
			return page.Cell{Text: engineShort(s.before.Engine) + " → " +
				strings.TrimPrefix(engineShort(s.after.Engine), e.Name+" "),
				Href: d.Place.To(page.PathCard(c.Slug), "history"), Sub: page.Clip(c.Title(), 80)}
		})
		t.Col("What it did", func(e *figure.Engine) page.Cell {
			s, m, ok := largestStep(e)
			if !ok {
				return page.Cell{}
			}
			c := stepCell(m.after, m.before.Summary)
			c.Text = m.m.info.Label + " " + c.Text
			at := lengthsTitle(s.h.scenario) + ", " + loadShort(s.h.point)
			c.Sub = strings.TrimSuffix(at+"; "+c.Sub, "; ") // another workload may have gone the other way
			return c
		})
		t.Count("Models", func(e *figure.Engine) int { return modelsOf(cardsOf(e.Runs)) })
		t.Count("Hardware", func(e *figure.Engine) int { return hardwareOf(cardsOf(e.Runs)) })
		t.Count("Runs", func(e *figure.Engine) int { return len(e.Runs) })
		t.Col("Newest run", func(e *figure.Engine) page.Cell { return newestCell(e.Runs) })
		return t.Done()
	}))
	unnamed := 0
	for _, r := range g.Index.Identified {
		if r.Engine.Name == "" {
			unnamed++
		}
	}
	if unnamed > 0 {
		d.section("unnamed", "Engine not recorded",
			page.Paragraph("Of "+metric.Plural(unnamed,
				"run")+" no file says which engine served. A run.toml beside the results can."))
	}
	return d.done()
}

// engineVersion is the runs of one version; version is empty for those without.
type engineVersion struct {
	version string
	runs    []*figure.Run
}

// knownVersions is how many versions are recorded.
func knownVersions(vs []engineVersion) (n int) {
	for _, v := range vs {
		if v.version != "" {
			n++
		}
	}
	return n
}

// versionsOf are the versions of an engine, the newest first, runs without one last.
func versionsOf(e *figure.Engine) []engineVersion {
	var vs []engineVersion
	numbers := map[string]int{} // in vs
	for _, r := range e.Runs {
		i, known := numbers[r.Engine.Version]
		if !known {
			i = len(vs)
			numbers[r.Engine.Version], vs = i, append(vs, engineVersion{version: r.Engine.Version})
		}
		vs[i].runs = append(vs[i].runs, r)
	}
	slices.SortStableFunc(vs, func(a, b engineVersion) int {
		if (a.version == "") != (b.version == "") {
			return cmp.Compare(b.version, a.version)
		}
		return cmp.Or(settings.CompareVersions(b.version, a.version), cmp.Compare(b.version, a.version))
	})
	return vs
}

// cardsOf are the cards of some runs, in the order of their titles.
func cardsOf(runs []*figure.Run) []*figure.Card {
	var cs []*figure.Card
	seen := map[*figure.Card]bool{}
	for _, r := range runs {
		if !seen[r.Card] {
			seen[r.Card] = true
			cs = append(cs, r.Card)
		}
	}
	slices.SortFunc(cs, func(a, b *figure.Card) int {
		return cmp.Or(cmp.Compare(a.Title(), b.Title()), cmp.Compare(a.Slug, b.Slug))
	})
	return cs
}

// enginePage is one engine over its versions.
func (g *Site) enginePage(e *figure.Engine) *draft {
	vs, cards := versionsOf(e), cardsOf(e.Runs)
	known := knownVersions(vs)
	tally := func() *claim.Tally { return claim.NewTally(claim.SameEngine, e.Runs...) }
	of := func(c *claim.Tally) *claim.Tally {
		return c.Much(claim.ModelCount, "model").Say(" on ").Much(claim.HardwareCount,
			"hardware configuration").Say(", in ").
			Much(claim.RunCount, "run").Say(".")
	}
	about := tally().Name(e.Name)
	if known > 0 {
		about.Say(" over its versions: ").Much(claim.VersionCount, "version").Say(", ")
	} else {
		about.Say(" of unrecorded version: ")
	}
	d := g.draft(pathEngine(e.Slug), "engine", "engines", g.titled(e.Name, "engine"), of(about).Sentence())
	d.view.Crumbs = []page.Link{{Text: "Engines", Href: d.Place.To(PathEngines, "")}, {Text: e.Name}}
	if known > 0 {
		d.view.Lede = d.lede(of(tally().Much(claim.VersionCount, "version").Say(" of ").Name(e.Name).
			Say(" measured with ")).Sentence(), nil)
	} else {
		d.view.Lede = d.lede(tally().Much(claim.RunCount, "run").Say(" with ").Name(e.Name).
			Say(", %s its version.", metric.Noun(len(e.Runs), "which does not record", "none of which records")).Sentence(), nil)
	}
	d.distrust(figure.Active(e.Runs)...)
	hs := engineHistories(e, cards)
	d.enginePanels(e, hs)
	d.engineSteps(e, hs)
	changes := slices.DeleteFunc(g.Index.Names.Changes(e.Slug), func(c settings.Change) bool { return c.Engine == "" })
	listed := vs[:min(len(vs), mostListed)]
	versions := []page.Block{d.table("versions", func() *page.Grid { return d.versionsTable(e, listed) })}
	if more := len(vs) - mostListed; more > 0 {
		versions = append(versions, page.Text(metric.Plural(more, "older version is", "older versions are")+
			" on the cards, and in ").Link("the points of the catalog", d.File(PathPoints)).Text(".").Block())
	}
	d.section("versions", "Versions", versions...)
	if len(changes) > 0 {
		var list [][]page.Part
		for i := len(changes) - 1; i >= 0; i-- {
			c := changes[i]
			ps := changeParts(c)
			if c.Version != "" && c.Date != "" {
				ps[0].Text = c.Version + ", " + c.Date + ": "
			}
			list = append(list, ps)
		}
		d.section("changes", "What is known to have changed",
			page.Paragraph("Written down by people in data/names/changes.toml. Whether a result changed is said by "+
				"the measurements alone."), page.Block{List: list})
	}
	d.section("runs", "Cards and runs", d.cardsAndRuns(e.Runs))
	return d.done()
}

// engineHistories are the cards of an engine that have a history with it, those with the most
// versions first.
func engineHistories(e *figure.Engine, cards []*figure.Card) []*history {
	var hs []*history
	for _, c := range cards {
		tracks := slices.DeleteFunc(compare.Tracks(c), func(t compare.Track) bool { return t.Engine.Slug != e.Slug })
		if h, ok := newHistory(tracks); ok {
			hs = append(hs, h)
		}
	}
	slices.SortStableFunc(hs, func(a, b *history) int { return cmp.Compare(len(b.runs()), len(a.runs())) })
	return hs
}

// step is the way from one result of a card to the next, with what its metrics say of it.
type step struct {
	h             *history
	track         int
	before, after *figure.Run
	metrics       []stepMetric
}

type stepMetric struct {
	m             historyMetric
	before, after compare.HistoryPoint
}

// kind is the most that one of the metrics says.
func (s step) kind() (k compare.ChangeKind) {
	for _, m := range s.metrics {
		k = max(k, m.after.Change)
	}
	return k
}

// size is the largest change of those that say most.
func (s step) size() (v float64) {
	for _, m := range s.metrics {
		switch {
		case m.after.Change < s.kind():
		case m.after.Relative == nil:
			return math.Inf(1)
		default:
			v = max(v, math.Abs(*m.after.Relative))
		}
	}
	return v
}

// steps are all steps of a history, track by track.
func (h *history) steps() []step {
	var out []step
	type way struct{ before, after *figure.Run }
	for i := range h.tracks {
		numbers := map[way]int{} // in out
		for _, m := range h.metrics {
			line := m.lines[i]
			for k := 1; k < len(line); k++ {
				before, after := line[k-1], line[k]
				w := way{before.Run, after.Run}
				j, known := numbers[w]
				if !known {
					j = len(out)
					numbers[w], out = j, append(out, step{h: h, track: i, before: before.Run, after: after.Run})
				}
				out[j].metrics = append(out[j].metrics, stepMetric{m, before, after})
			}
		}
	}
	return out
}

// largestStep is the step from one version of an engine to another that says most, of equals the largest, by the main
// metric of its card; ok is false where no card has two versions.
func largestStep(e *figure.Engine) (largest step, by stepMetric, ok bool) {
	for _, h := range engineHistories(e, cardsOf(e.Runs)) {
		for _, s := range h.steps() {
			m := s.metrics[0]
			if s.before.Engine.Version == s.after.Engine.Version || m.after.Relative == nil ||
				m.m.info.ID != h.metrics[0].info.ID {
				continue
			}
			if !ok || cmp.Or(cmp.Compare(m.after.Change, by.after.Change),
				cmp.Compare(math.Abs(*m.after.Relative), math.Abs(*by.after.Relative))) > 0 {
				largest, by, ok = s, m, true
			}
		}
	}
	return largest, by, ok
}

// engineSteps says what got faster and what regressed.
func (d *draft) engineSteps(e *figure.Engine, hs []*history) {
	if len(hs) == 0 {
		return
	}
	var marked []step
	all, clear, few, better, worse := 0, 0, 0, 0, 0
	for _, h := range hs {
		for _, s := range h.steps() {
			all++
			if s.kind() == compare.NoChange {
				// A history of two results has no chart: it is a row.
				if len(h.runs()) == 2 {
					marked = append(marked, s)
				}
				continue
			}
			marked = append(marked, s)
			few++
			if s.kind() != compare.ClearChange {
				continue
			}
			clear++
			for _, m := range s.metrics {
				if m.after.Change == compare.ClearChange && m.after.Better > 0 {
					better++
				} else if m.after.Change == compare.ClearChange && m.after.Better < 0 {
					worse++
				}
			}
		}
	}
	link := page.Linked("How a change is told from noise", d.formula("change")).Text(".")
	counts := d.table("step-counts", func() *page.Grid {
		type line struct {
			name string
			n    int
		}
		lines := slices.DeleteFunc([]line{{"cards with a history", len(hs)}, {"steps from one result to the next", all},
			{"steps with a change that the measurements prove", clear}, {"figures for the better", better},
			{"figures for the worse", worse},
			{"steps of more than 5 %, with too few measurements for a claim", few - clear}},
			func(l line) bool { return l.n == 0 })
		t := page.NewTable("Steps of "+e.Name, "compact", lines)
		t.Add(page.Column{Title: "Steps", Hidden: true},
			func(l line) page.Cell { return page.Cell{Text: l.name, Head: true} })
		t.Add(page.Column{Title: "Count", Hidden: true, Num: true}, func(l line) page.Cell { return page.Count(l.n) })
		return t.Done()
	})
	if len(marked) == 0 {
		d.section("steps", "What got faster, what regressed", counts, link.Block())
		return
	}
	slices.SortStableFunc(marked, func(a, b step) int {
		return cmp.Or(cmp.Compare(b.kind(), a.kind()), cmp.Compare(b.size(), a.size()))
	})
	const most = 150
	more := len(marked) - most
	shown := marked[:min(most, len(marked))]
	// What most steps carry is said above them: a step without a word was measured too few times, whatever its size.
	once := false
	for _, s := range shown {
		for _, m := range s.metrics {
			once = once || stepCell(m.after, m.before.Summary).Sub == noClaim
		}
	}
	if once {
		link = append(page.Text("A step without a word was measured too few times for a claim. "), link...)
	}
	blocks := []page.Block{counts, link.Block(), d.table("steps", func() *page.Grid { return d.stepsTable(e, shown) })}
	if more > 0 {
		blocks = append(blocks,
			page.Paragraph(metric.Plural(more, "smaller step is", "smaller steps are")+" on the cards."))
	}
	d.section("steps", "What got faster, what regressed", blocks...)
}

// stepsTable has a row a step and a column a metric.
func (d *draft) stepsTable(e *figure.Engine, steps []step) *page.Grid {
	t := page.NewTable("Changes from one result with "+e.Name+" to the next", "", steps)
	anchors := map[*figure.Card]string{}
	for _, s := range steps {
		c := s.h.tracks[s.track].Card
		if _, known := anchors[c]; known {
			continue
		}
		anchors[c] = ""
		tracks, _ := recent(compare.Tracks(c))
		if _, ok := newHistory(tracks); ok { // with other engines' runs the card may share no load
			anchors[c] = "history"
		}
	}
	t.Col("Model and hardware", func(s step) page.Cell {
		c := s.h.tracks[s.track].Card
		return page.Cell{Text: c.Title(), Href: d.Place.To(page.PathCard(c.Slug), anchors[c]), Head: true,
			Sub: s.h.trackName(s.track)}
	})
	t.Col("From", func(s step) page.Cell { return page.Cell{Text: s.h.label[s.before]} })
	t.Col("To", func(s step) page.Cell {
		c := page.Cell{Text: s.h.label[s.after]}
		if also := d.besides(s.before, s.after); len(also) > 0 {
			c.Sub = "differing too: " + someNames(also)
		}
		return c
	})
	for _, info := range metric.Shown(metric.History) {
		t.Num(info.Label, "", func(s step) page.Cell {
			i := slices.IndexFunc(s.metrics, func(o stepMetric) bool { return o.m.info.ID == info.ID })
			if i < 0 {
				return page.Missing("")
			}
			of := s.metrics[i]
			c := stepCell(of.after, of.before.Summary)
			if c.Sub == noClaim { // said above the table
				c.Sub = ""
			}
			c.Sort = "0"
			if of.after.Relative != nil {
				c.Sort = metric.Exact(*of.after.Relative)
			}
			c.Exact = of.m.title() + " " + metricText(info, of.before.Summary.Median) + " to " + metricText(info,
				of.after.Summary.Median)
			c.Href = d.pointHref(s.after, of.after.Scenario, of.after.Points[0])
			return c
		})
	}
	t.Col("Workload", func(s step) page.Cell {
		return page.Cell{Text: lengthsTitle(s.h.scenario), Sub: loadShort(s.h.point)}
	})
	return t.Done()
}

// mostPanels is how many cards an engine's page draws.
const mostPanels = 24

// enginePanels draws the main metric of each card over the versions.
func (d *draft) enginePanels(e *figure.Engine, hs []*history) {
	if len(hs) == 0 {
		return
	}
	hs = slices.DeleteFunc(slices.Clone(hs), func(h *history) bool { return !h.chart("", h.metrics[:1], nil).Worth() })
	if len(hs) == 0 {
		return
	}
	more := len(hs) - mostPanels
	var shown []*history
	cut := false
	for _, h := range hs[:min(mostPanels, len(hs))] {
		if tracks, all := recent(h.tracks); all > mostListed {
			if newest, ok := newHistory(tracks); ok {
				h, cut = newest, true
			}
		}
		shown = append(shown, h)
	}
	var titles []string
	for _, h := range shown {
		titles = append(titles, h.tracks[0].Card.Title())
	}
	marks := make([][]mark, len(shown))
	var notes [][]page.Part
	seen := map[string]bool{}
	for i, h := range shown {
		marks[i] = h.marks(d.g.Index.Names)
		for _, n := range markNotes(marks[i]) {
			if k := Plain(n); !seen[k] {
				seen[k] = true
				notes = append(notes, n)
			}
		}
	}
	what := "Each card at the load that most of its runs share; vertical scales differ. An arrow marks a change: the " +
		"95 % intervals of two neighbours do not overlap."
	if slices.ContainsFunc(shown, func(h *history) bool { return h.metrics[0].hollow() }) {
		what += " Hollow marks: " + singleText + "."
	}
	if len(notes) > 0 {
		what += " Dashed lines: what is known to have changed, listed with the charts."
	}
	if cut {
		what += " Of each card no more than the newest " + metric.Count(mostListed) + " runs."
	}
	if more > 0 {
		what += " Of " + itoa(len(hs)) + " cards the " + itoa(mostPanels) + " with the most runs."
	}
	f := d.panels("cards-over-time", shown[0].finding(shown[0].metrics[0], titles[0]+": ", d.besides), what,
		chart.PanelSize.High(240), false, titles, func() []panel {
			var ps []panel
			for i, h := range shown {
				m := h.metrics[0]
				c := h.chart(h.tracks[0].Card.Title(), []historyMetric{m}, marks[i])
				// A small chart has no room for more.
				for _, p := range c.Panels {
					for _, s := range p.Series {
						for k := range s.Points {
							s.Points[k].Label = ""
						}
					}
					for k := range p.Refs {
						if p.Refs[k].Change && len(h.tracks) > 1 || !p.Refs[k].Change && len(marks[i]) > 2 {
							p.Refs[k].Label = ""
						}
					}
				}
				ps = append(ps, panel{id: "over-time-" + h.tracks[0].Card.Slug, title: h.tracks[0].Card.Title(),
					what:  h.words(),
					chart: c})
			}
			return ps
		})
	f.Notes = notes
	var tables []page.Link
	for i, h := range shown {
		tables = append(tables, page.Link{Text: "Data table, " + titles[i], Href: d.Place.To(page.PathCard(h.tracks[0].Card.Slug), "history")})
	}
	f.Files = append(tables, f.Files...)
	d.section("over-time", "Cards over versions", page.Block{Figure: f})
}

// versionsTable has a row a version: when it was measured, and with what.
func (d *draft) versionsTable(e *figure.Engine, vs []engineVersion) *page.Grid {
	t := page.NewTable("Versions of "+e.Name, "versions", vs)
	ids := map[string]bool{}
	t.Each(func(_ int, v engineVersion, row *page.Row) {
		if id := "v-" + catalog.Slug(v.version); v.version != "" && !ids[id] {
			row.ID, ids[id] = id, true
		}
	})
	t.Col("Version", func(v engineVersion) page.Cell {
		c := page.TextOr(v.version, "not recorded")
		c.Head = true
		return c
	})
	t.Text("First run", "not recorded", func(v engineVersion) string { first, _ := daysOf(v.runs); return first })
	t.Text("Last run", "not recorded", func(v engineVersion) string { _, last := daysOf(v.runs); return last })
	t.Count("Runs", func(v engineVersion) int { return len(v.runs) })
	t.Col("Models", func(v engineVersion) page.Cell {
		return namesCell(cardsOf(v.runs), func(c *figure.Card) string { return c.Model.Name })
	})
	t.Col("Hardware", func(v engineVersion) page.Cell {
		return namesCell(cardsOf(v.runs), func(c *figure.Card) string { return c.Hardware.Name })
	})
	return t.Done()
}

// namesCell lists names of cards, each once; of more than a few how many more.
func namesCell(cards []*figure.Card, name func(*figure.Card) string) page.Cell {
	var names []string
	for _, c := range cards {
		if n := name(c); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	slices.SortStableFunc(names, byName)
	const most = 4
	if more := len(names) - most; more > 1 {
		return page.Cell{Text: strings.Join(names[:most], ", ") + " and " + itoa(more) + " more",
			Exact: page.Clip(strings.Join(names, ", "), 400)}
	}
	return page.Cell{Text: strings.Join(names, ", ")}
}
