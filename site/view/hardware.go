package view

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// hardwarePage lists all accelerators with the best that each of them gave.
func (g *Site) hardwarePage() *draft {
	d := g.draft(page.PathHardware, "hardware", "hardware", "Hardware",
		claim.Plain("Every accelerator of the catalog with its results and the models measured on it."))
	d.view.Lede = d.lede(claim.NewTally(claim.Listed, g.Index.Identified...).
		Much(claim.AcceleratorCount,
			"accelerator").Say("%sthe best result that was measured on it%s", eachWith(len(g.Index.Hardware)), g.scores.under()).Sentence(), nil).
		And(d.topResult())
	if len(g.Index.Hardware) == 0 {
		return d.none()
	}
	rows := bestRows(g, g.Index.Hardware, func(h *figure.Hardware) []*figure.Card { return h.Cards },
		func(h *figure.Hardware) string { return h.Accelerator.Name })
	d.section("all", "All accelerators",
		page.Paragraph(bestIntro(g.scores, rows, "The model differs from row to row. A name that fits "+
			"several variants is a family; where the variants differ its cells give the range.")),
		d.table("hardware", func() *page.Grid { return d.hardwareTable(rows) }))
	return d.done()
}

func (d *draft) hardwareTable(rows []bestRow[*figure.Hardware]) *page.Grid {
	g := d.g
	type row = bestRow[*figure.Hardware]
	t := page.NewTable("Accelerators", "best list", rows)
	t.Col("Accelerator", func(r row) page.Cell {
		a := r.of.Accelerator
		c := page.Cell{Text: a.Name, Href: d.Place.To(page.PathAccelerator(r.of.Slug), ""), Head: true}
		about := []string{a.Vendor}
		if a.FormFactorUnknown {
			about = append(about, "form factor not recorded")
		}
		if n := counts(r.of.Runs()); n != "1" && n != "" { // Not a column: the table would be wider than a desk screen.
			word := "count "
			if strings.Contains(n, " ") {
				word = "counts "
			}
			about = append(about, word+n)
		}
		c.Sub = strings.Join(slices.DeleteFunc(about, func(s string) bool { return s == "" }), ", ")
		return c
	})
	t.Num("Memory", "GB", func(r row) page.Cell { return g.memoryCell(r.of.Accelerator) })
	t.Num("Bandwidth", "GB/s", func(r row) page.Cell { return g.specRange(r.of.Accelerator, bandwidthOf) })
	t.Num("Coverage", "models", func(r row) page.Cell {
		c := page.Count(modelsOf(r.of.Cards))
		c.Note = "of " + metric.Count(len(g.Index.Models))
		return c
	})
	t.Add(page.Column{Title: "Best result", Front: true}, func(r row) page.Cell {
		return page.Cell{Text: r.run.Model.Name, Href: d.cardHref(r.run), Sub: divided(engineShort(r.run.Engine), r.run)}
	})
	bestColumns(d, t, rows)
	t.Count("Runs", func(r row) int { return len(r.of.Runs()) })
	t.Col(newestTitle, func(r row) page.Cell { return newestCell(r.of.Runs()) })
	return t.Done()
}

func (g *Site) memoryCell(a settings.Accelerator) page.Cell {
	if a.MemoryGB == nil {
		if vs := g.variantMemory(a); len(vs) > 0 {
			return page.Cell{Text: strings.Join(vs, " or ")}
		}
	}
	return spec(a.MemoryGB)
}

// spec is a figure of a specification: as it is written, not rounded.
func spec(v *float64) page.Cell {
	if v == nil {
		return page.Missing("not known")
	}
	return page.Cell{Text: specText(*v)}
}

// specText parts the digits before the point.
func specText(v float64) string {
	whole, rest, decimal := strings.Cut(metric.Exact(v), ".")
	if s := page.Thousands(whole); decimal {
		return s + "." + rest
	} else {
		return s
	}
}

func bandwidthOf(a settings.Accelerator) *float64 { return a.BandwidthGBs }
func bf16Of(a settings.Accelerator) *float64      { return a.BF16 }
func powerOf(a settings.Accelerator) *float64     { return a.PowerW }

// specRange is a figure of a specification; of a family whose variants differ, from the lowest to
// the highest of those that are known.
func (g *Site) specRange(a settings.Accelerator, f func(settings.Accelerator) *float64) page.Cell {
	if f(a) != nil || g.Index.Names == nil {
		return spec(f(a))
	}
	lo, hi, n := math.Inf(1), 0.0, 0
	for _, id := range a.Variants {
		if v, ok := g.Index.Names.Accelerator(id); ok && f(v) != nil {
			lo, hi = min(lo, *f(v)), max(hi, *f(v))
			n++
		}
	}
	switch {
	case n == 0 || n < len(a.Variants):
		return page.Missing("not known")
	case lo == hi:
		return page.Cell{Text: specText(lo)}
	}
	return page.Cell{Text: specText(lo) + "–" + specText(hi), Exact: "differs by variant"}
}

// counts names the numbers of accelerators that runs record: "1, 2 and 4"; "" where none does.
func counts(runs []*figure.Run) string {
	var ws []string
	for _, n := range claim.NewTally(claim.Chosen, runs...).CountedIn() {
		ws = append(ws, itoa(n))
	}
	return page.Enumerate(ws)
}

// modelsOf is how many models some cards are of, hardwareOf how many kinds of hardware.
func modelsOf(cards []*figure.Card) int {
	return different(cards, func(c *figure.Card) string { return c.Model.Slug })
}

func hardwareOf(cards []*figure.Card) int {
	return different(cards, func(c *figure.Card) string { return c.Hardware.Slug })
}

// different counts the different keys of some cards.
func different(cards []*figure.Card, key func(*figure.Card) string) int {
	seen := map[string]bool{}
	for _, c := range cards {
		seen[key(c)] = true
	}
	return len(seen)
}

func (g *Site) acceleratorTitle(h *figure.Hardware) string {
	return g.titled(h.Accelerator.Name, "hardware")
}

func acceleratorAbout(h *figure.Hardware) claim.Sentence {
	return claim.Plain("Models measured on "+h.Accelerator.Name+".", h.Accelerator.Name)
}

// acceleratorPage is one accelerator: its specification, and every model measured on it.
func (g *Site) acceleratorPage(h *figure.Hardware) *draft {
	a := h.Accelerator
	d := g.draft(page.PathAccelerator(h.Slug), "accelerator", "hardware", g.acceleratorTitle(h), acceleratorAbout(h))
	d.view.Crumbs = []page.Link{{Text: "Hardware", Href: d.Place.To(page.PathHardware, "")}, {Text: a.Name}}
	lede := claim.NewTally(claim.SameAccelerator, h.Runs()...)
	lede.Much(claim.ModelCount, "model").Say(" measured on ").Name(a.Name)
	if c := counts(h.Runs()); c != "1" && c != "" {
		lede.CountedIn()
		lede.Say(", with %s accelerators", c)
	}
	d.view.Lede = d.lede(lede.Say(".").Sentence(), nil)
	d.distrust(figure.Active(h.Runs())...)
	if !a.Known {
		d.section("specification", "Specification",
			page.Paragraph("This name is in no list of accelerators, so no specification is shown. Add it to "+
				"data/names/accelerators.toml, or add its spelling to the aliases of the one it means."))
	} else {
		note := "From data sheets, dense, without sparsity."
		if a.FormFactorUnknown {
			note = "The sources do not say which form factor they mean. Where the variants differ the first column " +
				"gives the range."
		}
		d.section("specification", "Specification", page.Paragraph(note),
			d.table("specification", func() *page.Grid { return g.specification(a) }))
	}
	es := entries(h.Cards, cardName)
	class, sc, _ := commonClass(es)
	d.ranking(es, class, sc, "Model", "Models on "+a.Name)
	// Lines are models: of each card the result that lists show of it.
	var lines []entry
	for _, c := range h.Cards {
		if r := figure.Best(figure.Active(c.Runs), class); r != nil {
			lines = append(lines, entry{card: c, run: r, name: cardName(c)})
		}
	}
	d.overlays(lines, class, a.Name, true)
	d.limitsOn(h)
	d.pairs("Compare", h.Cards...)
	d.section("runs", "Cards and runs", d.cardsAndRuns(h.Runs()))
	return d.done()
}

// cardName names a card among others of its accelerator.
func cardName(c *figure.Card) string {
	if c.Hardware.Count > 1 {
		return c.Model.Name + ", " + itoa(c.Hardware.Count) + "×"
	}
	return c.Model.Name
}

// specification has a column for each variant of a family.
func (g *Site) specification(a settings.Accelerator) *page.Grid {
	list := []settings.Accelerator{a}
	for _, id := range a.Variants {
		if v, ok := g.Index.Names.Accelerator(id); ok {
			list = append(list, v)
		}
	}
	t := page.NewTransposed("Specification of "+a.Name, "compact fit", page.Column{Title: "Quantity"}, list,
		func(v settings.Accelerator) page.Column { return page.Column{Title: v.Name, Num: true} })
	add := func(label string, f func(settings.Accelerator) page.Cell) { t.Known(page.Cell{Text: label}, f) }
	number := func(label string, f func(settings.Accelerator) *float64) {
		add(label, func(v settings.Accelerator) page.Cell { return g.specRange(v, f) })
	}
	add("Vendor", func(v settings.Accelerator) page.Cell { return page.TextOr(v.Vendor, "not known") })
	number("Memory, GB", func(v settings.Accelerator) *float64 { return v.MemoryGB })
	add("Memory type", func(v settings.Accelerator) page.Cell { return page.TextOr(v.MemoryType, "not known") })
	number("Bandwidth, GB/s", bandwidthOf)
	number("FP16, TFLOP/s", func(v settings.Accelerator) *float64 { return v.FP16 })
	number("BF16, TFLOP/s", bf16Of)
	number("FP8, TFLOP/s", func(v settings.Accelerator) *float64 { return v.FP8 })
	number("FP4, TFLOP/s", func(v settings.Accelerator) *float64 { return v.FP4 })
	number("INT8, TOP/s", func(v settings.Accelerator) *float64 { return v.INT8 })
	number("Board power, W", powerOf)
	add("Year", func(v settings.Accelerator) page.Cell {
		if v.Year == nil {
			return page.Missing("not known")
		}
		return page.Cell{Text: itoa(*v.Year)}
	})
	add("Source", func(v settings.Accelerator) page.Cell {
		if u := page.WebAddress(v.Source); u != "" {
			return page.Cell{Text: "data sheet", Href: u}
		}
		return page.TextOr(v.Source, "not known")
	})
	return &t.Grid
}

// memoryText is the memory of a hardware: "80 GB", "32 GB each", the range over variants where
// the form factor is not recorded, "" where it is not known.
func (g *Site) memoryText(h settings.Hardware) string {
	a := h.Accelerator
	s := ""
	if a.MemoryGB != nil {
		s = metric.Exact(*a.MemoryGB)
	} else if vs := g.variantMemory(a); len(vs) > 0 {
		s = strings.Join(vs, " or ")
	}
	if s == "" {
		return ""
	}
	s += metric.ThinSpace + "GB"
	if h.Count > 1 {
		s += " each"
	}
	return s
}

// variantMemory lists the different memory sizes of the variants of a family, in GB.
func (g *Site) variantMemory(a settings.Accelerator) []string {
	if len(a.Variants) == 0 || g.Index.Names == nil {
		return nil
	}
	var vs []float64
	for _, v := range g.Index.Names.Accelerators() {
		if v.MemoryGB != nil && slices.Contains(a.Variants, v.ID) && !slices.Contains(vs, *v.MemoryGB) {
			vs = append(vs, *v.MemoryGB)
		}
	}
	slices.Sort(vs)
	var out []string
	for _, v := range vs {
		out = append(out, metric.Exact(v))
	}
	return out
}
