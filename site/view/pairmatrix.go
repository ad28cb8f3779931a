package view

import (
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// everyLoad is the difference of throughput and of TTFT at each load of each shared workload, as
// matrices.
func (d *draft) everyLoad(c *comparison) {
	_, m, ok := c.main()
	if !ok || len(c.runs.Workloads) < 2 {
		return
	}
	var blocks []page.Block
	for _, m := range slices.Compact([]metric.ID{m, metric.TTFT}) {
		var axis string
		var matches []*compare.Workload
		var loads []float64
		n := 0
		for _, x := range c.runs.Workloads {
			var ls []float64
			for _, l := range x.Loads {
				if e, ok := l.Typical(m); ok && e.Change != nil {
					ls = append(ls, float64(l.Load))
				}
			}
			if len(ls) == 0 || axis != "" && x.A.Axis != axis {
				continue
			}
			axis, n = x.A.Axis, n+len(ls)
			matches = append(matches, x)
			for _, l := range ls {
				if !slices.Contains(loads, l) {
					loads = append(loads, l)
				}
			}
		}
		if len(matches) < 2 || len(loads) > 24 || len(matches) > 40 || n < 4 {
			continue
		}
		slices.Sort(loads)
		info, _ := metric.Lookup(m)
		good := "higher is better"
		if info.Better == metric.Lower {
			good = "lower is better"
		}
		name := "each-" + IdOf(m)
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: name + "-h", Text: info.Label}},
			page.Paragraph("Difference in % of "+c.otherName+" against "+c.baseName+"; "+good+", and the colour says "+
				"by how many times. Columns: "+kindOf(axis).plural+"."),
			page.Block{Table: d.fragment(name, func(mk *page.Markup) { writeEach(mk, c, m, info, matches, loads) })})
	}
	if len(blocks) > 0 {
		d.section("each", "Difference at every load", blocks...)
	}
}

// betterLimits divide by how many times something is better; they are the same on all pages.
var betterLimits = []float64{1.1, 1.25, 1.5, 2}

// closeBy is the relative difference below which neither side is coloured as better.
const closeBy = 0.01

// betterClass is the class of a cell: "h1" to "h5" where the side that is held against the base is
// better, "lo" where it is worse, "" where they lie within closeBy of each other.
func betterClass(e compare.Difference) string {
	if e.Change != nil && math.Abs(*e.Change) < closeBy || e.Certainty == compare.NotDistinguishable {
		return ""
	}
	if e.Winner < 0 {
		return "lo"
	}
	if e.Winner == 0 || e.Ratio == nil || *e.Ratio <= 0 {
		return "h1"
	}
	r := math.Max(*e.Ratio, 1 / *e.Ratio)
	i := 0
	for i < len(betterLimits) && r >= betterLimits[i] {
		i++
	}
	return "h" + itoa(i+1)
}

func writeEach(mk *page.Markup, c *comparison, m metric.ID, info metric.Info, matches []*compare.Workload,
	loads []float64) {
	t := page.NewTable("Difference of "+info.Label+" in %, "+c.otherName+" against "+c.baseName, "heat compact",
		matches)
	t.Col("Workload", func(x *compare.Workload) page.Cell {
		return page.Cell{Text: x.A.Title, Head: true, Class: "nw"}
	})
	worse := false
	why := usualReason(m, matches)
	for _, load := range loads {
		t.Add(page.Column{Title: metric.Chosen(load), Num: true, Keep: true}, func(x *compare.Workload) page.Cell {
			of := x.Loads
			i := slices.IndexFunc(of, func(l compare.Row) bool { return float64(l.Load) == load })
			if i < 0 {
				return page.Missing("")
			}
			e, ok := of[i].Typical(m)
			if !ok || e.Change == nil {
				return page.Missing("")
			}
			worse = worse || betterClass(e) == "lo"
			text := strings.TrimSuffix(changeText(e.Change), metric.ThinSpace+"%")
			if e.Certainty == compare.NotDistinguishable {
				text = "≈" + text
			}
			exact := againstText(info, e) + ", " + e.Verdict()
			if own := e.WordsAgainst(); own != why {
				exact += "; " + own
			}
			return page.Cell{Text: text, Class: betterClass(e), Exact: exact}
		})
	}
	t.Done().Write(mk)
	mk.Raw(`<ul class=legend>`)
	writeBetterKey(mk, c.otherName)
	if worse {
		mk.Raw(`<li><span class=ramp><i class=lo>`)
		mk.Text(c.baseName + " better")
		mk.Raw("</i></span>")
	}
	mk.Raw("<li>")
	mk.Text("without colour: less than " + metric.Exact(closeBy*100) + metric.ThinSpace +
		"% apart, or not distinguishable")
	if why != "" {
		mk.Raw("<li>")
		mk.Text("of each cell whose title says nothing else: " + why)
	}
	mk.Raw("</ul>")
}

// usualReason is why nothing or something is claimed of more than half of the cells: said once below them, and not in
// the title of each. "" where there is none.
func usualReason(m metric.ID, matches []*compare.Workload) string {
	of, all := map[string]int{}, 0
	for _, x := range matches {
		for _, l := range x.Loads {
			if e, ok := l.Typical(m); ok && e.Change != nil {
				of[e.WordsAgainst()]++
				all++
			}
		}
	}
	for why, n := range of {
		if 2*n > all {
			return why
		}
	}
	return ""
}

// writeBetterKey is the item of a legend that says which colour stands for how many times better something is.
func writeBetterKey(mk *page.Markup, name string) {
	mk.Raw("<li>")
	mk.Text(name + " better by ")
	mk.Raw(`<span class=ramp>`)
	for i := 0; i <= len(betterLimits); i++ {
		s := ""
		switch i {
		case 0:
			s = "< " + metric.Exact(betterLimits[0]) + "×"
		case len(betterLimits):
			s = "≥ " + metric.Exact(betterLimits[i-1]) + "×"
		default:
			s = metric.Exact(betterLimits[i-1]) + "–" + metric.Exact(betterLimits[i]) + "×"
		}
		mk.Raw(`<i class="h`, itoa(i+1), `">`)
		mk.Text(s)
		mk.Raw("</i>")
	}
	mk.Raw("</span>")
}
