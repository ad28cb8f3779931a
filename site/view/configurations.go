package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// configurations rank the runs of a card whose tool times prefill and decode by themselves, a table a version.
func (d *draft) configurations(c *figure.Card) {
	all := c.Configurations()
	if len(all) == 0 {
		return
	}
	var lengths, depths []page.Block
	curves := func(to *[]page.Block, id, engine string, bs []page.Block) {
		if len(bs) > 0 && len(all) > 1 {
			*to = append(*to, page.Block{Heading: &page.Heading{ID: id, Text: engine}})
		}
		*to = append(*to, bs...)
	}
	blocks := []page.Block{page.Text("Ranked by the ").Link("time of a turn", d.formula("turn")).Text(", which is " +
		"computed from the two speeds: tokens read ÷ prefill speed + tokens written ÷ decode speed. Bold: the best of a " +
		"column, and all whose ± touches its ±; of turns also those that are less than 2 % longer. What a row gives up is against the best of each column; what is not " +
		"told apart from it is not given up.").Block()}
	for i, cs := range all {
		name := "configurations-" + itoa(i+1)
		engine, _ := EngineText(cs.Ranked[0].Run.Engine)
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: name, Text: page.Capital(engine)}},
			page.Block{Says: d.choices(cs)})
		blocks = append(blocks, d.table(name, func() *page.Grid { return d.configurationTable(engine, cs) }))
		if left := d.unranked(cs); left != nil {
			blocks = append(blocks, page.Block{Text: left})
		}
		runs, key := make([]*figure.Run, len(cs.Ranked)), ""
		for j, x := range cs.Ranked {
			runs[j] = x.Run
		}
		if i > 0 {
			key = "-" + itoa(i+1)
		}
		curves(&lengths, "lengths-"+name, page.Capital(engine), d.lengthFigures(key, runs))
		curves(&depths, "depths-"+name, page.Capital(engine), d.depthFigures(key, runs))
	}
	d.section("take", "Which configuration to take", blocks...)
	d.section("lengths", "Speed by length", lengths...)
	d.section("depth", "Speed against depth", depths...)
}

// wordsInFront are whole words at the beginning of a name, up to a comma or to a hyphen behind a letter: not "2025-" of a date.
var wordsInFront = regexp.MustCompile(`^(?:.*(?:, |[A-Za-z]-))?`)

// configurationName is the name of a run among the configurations of one version, without the words that all their
// names begin with: "vulkan_radv, -fa 1" of "llama.cpp-vulkan_radv, -fa 1" beside "llama.cpp-hip".
func configurationName(r *figure.Run, among []*figure.Run) string {
	own := seriesName(r, among)
	shared := own
	for _, o := range among {
		name := seriesName(o, among)
		for !strings.HasPrefix(name, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	words := wordsInFront.FindString(shared)
	if len(among) < 2 || slices.ContainsFunc(among, func(o *figure.Run) bool { return seriesName(o, among) == words }) {
		return own
	}
	return own[len(words):]
}

// choices are the sentences on the configurations of one version.
func (d *draft) choices(cs figure.Configurations) (says []page.Sentence) {
	runs := cs.Runs()
	for _, s := range claim.Choices(cs, func(r *figure.Run) string { return configurationName(r, runs) }) {
		says = append(says, page.Sentence{Topic: s.Label, Parts: d.stated(s)})
	}
	return says
}

// configurationTable are the configurations of one version, the one with the shortest turn first.
func (d *draft) configurationTable(engine string, cs figure.Configurations) *page.Grid {
	rows, runs, same := cs.Ranked, cs.Runs(), cs.Shortest()
	var columns []speedColumn
	add := func(t figure.Test, what string, of func(figure.Configuration) figure.Speed) {
		columns = append(columns, speedColumn{t, what, of, fastestOf(rows, of)})
	}
	add(cs.Prefill, "prefill", func(c figure.Configuration) figure.Speed { return c.Prefill })
	add(cs.Decode, "decode", func(c figure.Configuration) figure.Speed { return c.Decode })
	if cs.Deep != nil {
		add(*cs.Deep, cs.Deep.Title, func(c figure.Configuration) figure.Speed { return *c.Deep })
	}
	t := page.NewTable("Configurations of "+engine+", the shortest turn first", "dense list", rows)
	t.Add(page.Column{Title: "Rank", Num: true, Hidden: true}, func(c figure.Configuration) page.Cell {
		i := slices.IndexFunc(rows, func(o figure.Configuration) bool { return o.Run == c.Run })
		return page.Count(i + 1)
	})
	t.Col("Configuration", func(c figure.Configuration) page.Cell {
		return page.Cell{Text: configurationName(c.Run, runs), Href: d.Place.To(PathRun(c.Run.ID), ""), Head: true, Soft: true}
	})
	for _, col := range columns {
		unit := "tok/s"
		if slices.ContainsFunc(rows, func(c figure.Configuration) bool { return col.of(c).Spread }) {
			unit += ", mean ± std"
		}
		t.Num(page.Capital(col.test.Title), unit, func(c figure.Configuration) page.Cell { return d.rankedSpeed(c, col) })
	}
	t.Add(page.Column{Title: "Turn", Unit: "s, " + countText(cs.Prefill.Tokens) + " + " + countText(cs.Decode.Tokens) +
		" tokens", Num: true, Note: "Tokens read ÷ prefill speed + tokens written ÷ decode speed"},
		func(c figure.Configuration) page.Cell {
			cell := page.Cell{Text: metric.Format(c.Turn), Exact: metric.Exact(c.Turn)}
			if slices.ContainsFunc(same, func(o figure.Configuration) bool { return o.Run == c.Run }) {
				cell.Class = "best"
			}
			return cell
		})
	t.Add(page.Column{Title: "Gives up", Keep: true}, func(c figure.Configuration) page.Cell {
		var lost []string
		for _, col := range columns {
			if s := col.of(c); s.Apart(col.best) {
				lost = append(lost, figure.PercentText((col.best.Mean-s.Mean)/col.best.Mean)+" of "+col.what)
			}
		}
		if len(lost) == 0 {
			return page.Cell{Text: "nothing"}
		}
		return page.Cell{Text: strings.Join(lost, ", ")}
	})
	return t.Done()
}

// speedColumn is a test of a table of configurations with the fastest speed in it.
type speedColumn struct {
	test figure.Test
	what string
	of   func(figure.Configuration) figure.Speed
	best figure.Speed
}

func fastestOf(rows []figure.Configuration, of func(figure.Configuration) figure.Speed) figure.Speed {
	best := of(rows[0])
	for _, c := range rows[1:] {
		if s := of(c); s.Mean > best.Mean {
			best = s
		}
	}
	return best
}

// rankedSpeed is a speed with its standard deviation; where the test was measured several times, with the least and
// the most of them.
func (d *draft) rankedSpeed(c figure.Configuration, col speedColumn) page.Cell {
	s := col.of(c)
	p := s.Scenario.Points[0]
	cell := d.speedCell(c.Run, pointRow{s.Scenario, p}, col.test.Metric)
	if all := s.Scenario.AllAt(figure.LoadOf(p)); len(all) > 1 {
		cell.Sub = "median of " + itoa(len(all)) + ", " + metric.Format(s.Low) + " to " + metric.Format(s.High)
	}
	if !s.Apart(col.best) {
		cell.Class += " best"
	}
	return cell
}

// unranked names the runs of the same version that have no rank, and why; nil where there are none.
func (d *draft) unranked(cs figure.Configurations) []page.Part {
	var t page.Parts
	list := func(why string, runs []*figure.Run) {
		for i, r := range runs {
			switch {
			case i > 0:
				t = t.Text(", ")
			case len(t) > 0:
				t = t.Text(" " + why)
			default:
				t = t.Text(why)
			}
			t = t.Link(configurationName(r, cs.Runs()), d.Place.To(PathRun(r.ID), ""))
		}
		if len(runs) > 0 {
			t = t.Text(".")
		}
	}
	list("Not ranked, without "+cs.Prefill.Title+" or "+cs.Decode.Title+": ", cs.Left)
	list("Not ranked, because measurements of one test lie more than a quarter apart, as those of several configurations "+
		"do, and nothing recorded tells them apart: ", cs.Mixed)
	return t
}
