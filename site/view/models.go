package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// modelsPage is a page of the list of all models with the hardware that serves each best.
func (g *Site) modelsPage(all []listPart[modelRow], i int) *draft {
	part := all[i]
	title, heading := "Models", "All models"
	about := claim.Plain("Every model of the catalog with its results by hardware.")
	tally, models := claim.NewTally(claim.Listed, g.Index.Identified...), len(g.Index.Models)
	if i > 0 {
		models = len(part.rows)
		var runs []*figure.Run
		for _, r := range part.rows {
			runs = append(runs, r.of.Runs()...)
		}
		tally = claim.NewTally(claim.Chosen, runs...)
	}
	lede := tally.Much(claim.ModelCount, "model").
		Say("%sthe hardware that gave it most tokens a second per accelerator%s", eachWith(models), g.scores.under()).Sentence()
	if len(all) > 1 {
		heading = "Models " + placesText(part)
	}
	if i > 0 {
		title, about = heading, lede
	}
	d := g.draft(part.path, "models", "models", title, about)
	if d.view.Lede = d.lede(lede, nil); i == 0 {
		d.view.Lede = d.view.Lede.And(d.topResult())
	} else {
		d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")}, {Text: title}}
	}
	if len(part.rows) == 0 {
		return d.none()
	}
	list := d.table("models", func() *page.Grid { return d.modelsTable(title, part) })
	if len(part.list) <= maxOrdered {
		list.Table = d.fragment("models", func(m *page.Markup) { page.WriteOrders(m, d.inOrders(part)) })
	}
	d.section("all", heading,
		page.Paragraph(bestIntro(g.scores, part.rows, "Sizes come from the model's configuration, or from its "+
			"name where that is all there is.")), list,
		turn(d.Place, all, i, "Models before these", "Further models", placesText))
	return d.done()
}

func (g *Site) modelTitle(m *figure.Model) string { return g.titled(m.Name, "model") }

// modelTally says on how much hardware a model was measured.
func modelTally(m *figure.Model) claim.Sentence {
	return claim.NewTally(claim.SameModel, m.Runs()...).Name(m.Name).Say(" measured on ").
		Much(claim.HardwareCount, "hardware configuration").Say(".").Sentence()
}

// modelPage is one model across hardware and engine versions.
func (g *Site) modelPage(m *figure.Model) *draft {
	d := g.draft(page.PathModel(m.Slug), "model", "models", g.modelTitle(m), modelTally(m))
	d.view.Heading = m.Name + " across hardware"
	if len(m.Cards) == 1 {
		d.view.Heading = m.Name
	}
	d.view.Crumbs = []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")}, {Text: m.Name}}
	es := entries(m.Cards, func(c *figure.Card) string { return c.Hardware.Name })
	class, sc, n := commonClass(es)
	var hw []string
	for _, c := range m.Cards {
		hw = append(hw, c.Hardware.Name)
	}
	slices.SortStableFunc(hw, byName)
	names := firstNames(hw, 8)
	d.view.Lede = d.lede(claim.Plain("Measured on "+page.Enumerate(names)+".", names...), nil)
	if sc != nil && n > 1 {
		d.view.Lede = d.view.Lede.And(d.lede(sharing(es, class), nil))
	}
	d.distrust(figure.Active(m.Runs())...)
	d.modelFacts(m, es)
	if len(m.Cards) == 1 {
		d.stats(m.Cards[0].Head())
	}
	d.take(m, es, class, sc)
	d.ranking(es, class, sc, "Hardware", m.Name)
	f, frontier := figure.NewFrontier(m, class)
	slots := d.overlays(es, class, m.Name, !frontier)
	if frontier {
		d.frontiers(m, &f, slots)
		d.before("frontier", "workloads")
	}
	d.limits(m)
	d.accuracyBeside(es, class)
	d.related(m)
	d.pairs("Compare", m.Cards...)
	d.section("runs", "Cards and runs", d.cardsAndRuns(m.Runs()))
	d.rawOfRuns(m.Runs())
	return d.done()
}

// sharing says how many results share a workload.
func sharing(es []entry, class string) claim.Sentence {
	c := claim.NewTally(claim.Chosen, runsOf(es)...)
	title := ""
	for _, r := range resultsOf(es, class) {
		c.Shares(claim.Statistic(r.run, r.scenario, figure.LoadOf(r.scenario.Points[0]), metric.OutputThroughput, ""))
		title = cmp.Or(title, r.scenario.Common())
	}
	return c.Say("%d of ", c.Sharing()).Much(claim.RunCount, "result").Say(" share the workload ").Name(title).Say(".").
		Sentence()
}

func (d *draft) modelFacts(m *figure.Model, es []entry) {
	add := func(name, v string, parsed ...string) {
		if v == "" {
			return
		}
		f := page.Fact{Name: name, Parts: page.Text(v)}
		for _, p := range parsed {
			if slices.Contains(m.Parsed, p) {
				f.Flag = &page.Link{Text: "from the name"}
				break
			}
		}
		d.view.Facts = append(d.view.Facts, f)
	}
	add("Model", m.ID)
	size := ""
	if m.ParamsB != nil {
		size = metric.Format(*m.ParamsB) + metric.ThinSpace + "B"
		if m.ActiveParamsB != nil && *m.ActiveParamsB < *m.ParamsB {
			size += ", " + metric.Format(*m.ActiveParamsB) + metric.ThinSpace + "B active"
		}
	}
	add("Parameters", size, "params_b", "active_params_b")
	add("Precision", precisionText(m.Model), "precision", "quantization")
	if per, ok := figure.KVBytesPerToken(m.Model, 2); ok {
		a := strings.ToUpper(m.Attention)
		if m.Layers != nil {
			a += ", " + itoa(*m.Layers) + " layers"
		}
		add("Attention", strings.TrimPrefix(a+", "+metric.Format(per/1024)+" KiB of KV cache a token in 16 bits", ", "))
	}
	var engines []string
	for _, e := range es {
		if t, _ := EngineText(e.run.Engine); t != "" && !slices.Contains(engines, t) {
			engines = append(engines, t)
		}
	}
	add("Engines", page.Enumerate(firstNames(engines, 5)))
	n := metric.Plural(Points(m.Runs()), "point")
	if Points(m.Runs()) == 0 {
		n = "headline figures only"
	}
	add("Runs and points", metric.Plural(len(m.Runs()), "run")+", "+n)
}

// related are the quantisations and fine-tunes of a model, and the model it comes from.
func (d *draft) related(m *figure.Model) {
	var list [][]page.Part
	base := m.Base
	if base == "" {
		base = m.ID
	}
	for _, o := range d.g.Index.Models {
		if o == m || o.Base != base && o.ID != base {
			continue
		}
		word := "same base"
		switch {
		case o.ID == m.Base:
			word = "the model this one was made from"
		case o.Base == m.ID:
			word = "made from this one"
		}
		list = append(list, page.Linked(o.Name, d.Place.To(page.PathModel(o.Slug), "")).Text(", "+word+facts(o.Model)))
	}
	if len(list) > 0 {
		d.section("related", "Related models", page.Block{List: list})
	}
}

func facts(m settings.Model) string {
	if t := ModelFacts(m); t != "" {
		return " (" + t + ")"
	}
	return ""
}

// cardsAndRuns lists runs of several cards.
func (d *draft) cardsAndRuns(runs []*figure.Run) page.Block {
	runs = slices.Clone(runs)
	slices.SortStableFunc(runs, func(a, b *figure.Run) int { return cmp.Compare(b.Started, a.Started) })
	more := len(runs) - mostListed
	runs = runs[:min(mostListed, len(runs))]
	name := "runs-list"
	b := d.table(name, func() *page.Grid { return d.runsTable("Runs", runs) })
	if more > 0 {
		d.section("older", "Older runs", page.Paragraph("Not listed here: "+metric.Plural(more, "older run")+
			". The downloads have all, and the page of a card leads to its own."))
	}
	return b
}
