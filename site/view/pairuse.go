package view

import (
	"cmp"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// pairStats are the answer in four figures: the difference that the pair is judged by, two more at
// the same load, and how many launch arguments differ.
func (d *draft) pairStats(c *comparison, at compare.Row, verdict compare.Difference, ok bool,
	diff compare.ParameterDiff) {
	if !ok {
		return
	}
	add := func(e compare.Difference) {
		info, _ := metric.Lookup(e.Metric)
		name := page.Capital(info.Label)
		if e.Stat != metric.Value {
			name = page.Capital(e.Stat) + " " + labelWithin(info)
		}
		s := page.Stat{ID: "h-" + IdOf(e.Metric), Name: page.Glue(name + placed(at.A[0])),
			Value: strings.TrimSuffix(changeText(e.Change), metric.ThinSpace+"%"),
			Note:  d.stated(c.answer(at, e, shortCertainty(verdict) == measuredOnce))} // the lede says it
		switch {
		case e.Change != nil && *e.Change >= 1:
			s.Value, s.Exact = metric.Format(*e.Ratio)+metric.ThinSpace+"×", metric.Exact(*e.Change*100)+" % more"
		case e.Change != nil:
			s.Unit, s.Exact = "%", metric.Exact(*e.Change*100)+" %"
		}
		d.view.Stats = append(d.view.Stats, s)
	}
	each, first := at.PerAccelerator()
	if first {
		add(each)
	}
	add(verdict)
	for _, e := range at.Shown(metric.Headline) {
		if e.Metric != verdict.Metric && (!first || e.Metric != each.Metric) && len(d.view.Stats) < 3 {
			add(e)
		}
	}
	if words, _ := argumentWords(c, diff); words != "" {
		s := page.Stat{ID: "h-arguments", Name: "Launch arguments with another effective value",
			Value: itoa(len(compare.Of(diff.Differs, compare.KindArgument))),
			Note:  page.Linked("Parameters", "#parameters")}
		if names := argumentNames(diff, false); names != "" {
			s.Note[0].Text = names
		}
		if n := len(diff.OneVersion); n > 0 {
			s.Note = append(s.Note, page.Part{Text: ", " + itoa(n) + " more known to one version only"})
		}
		if !argumentsRecorded(c) {
			s.Value, s.Note[0].Text = "?", "Not recorded on both sides"
		}
		d.view.Stats = append(d.view.Stats, s)
	}
}

func argumentsRecorded(c *comparison) bool {
	return len(c.base.Run.Parameters) > 0 && len(c.other.Run.Parameters) > 0
}

// argumentWords say how the launch arguments of a pair compare, and whether that is to be known
// before quoting the pair; "" where neither side records anything that could be compared.
func argumentWords(c *comparison, diff compare.ParameterDiff) (words string, warn bool) {
	if len(diff.Differs)+len(diff.OneVersion)+len(diff.Unclear)+len(diff.Same) == 0 {
		return "", false
	}
	if !argumentsRecorded(c) {
		return "Launch arguments are not recorded on both sides, so that what else differs is not known", true
	}
	n := len(compare.Of(diff.Differs, compare.KindArgument))
	words = "No launch argument has another effective value"
	if n > 0 {
		words = metric.Plural(n, "launch argument has", "launch arguments have") + " another effective value, " +
			argumentNames(diff, true)
	}
	if one := len(diff.OneVersion); one > 0 {
		words += ", " + itoa(one) + " more are known to one of the two versions only"
	}
	if e := len(compare.Of(diff.Differs, compare.KindEnvironment)); e > 0 {
		words += ", " + metric.Plural(e, "environment variable differs", "environment variables differ")
		n += e
	}
	return words, n > 0
}

// argumentNames are the first launch arguments that differ, with their values where there is room.
func argumentNames(diff compare.ParameterDiff, values bool) string {
	rows := compare.Of(diff.Differs, compare.KindArgument)
	const most = 3
	var names []string
	for _, r := range rows[:min(most, len(rows))] {
		s := r.Name
		if values {
			s += " (" + cmp.Or(page.Clip(r.Cells[1].Effective, 40), "empty") + " against " +
				cmp.Or(page.Clip(r.Cells[0].Effective, 40), "empty") + ")"
		}
		names = append(names, s)
	}
	if more := len(rows) - most; more > 0 {
		names = append(names, itoa(more)+" more")
	}
	return page.Enumerate(names)
}

// useSide is one side of a pair whose use of the hardware is computed.
type useSide struct {
	run  *figure.Run
	name string
	at   func(compare.Row) (*figure.Scenario, *catalog.Point)
}

// use gathers what both sides of a pair used, with what that is computed from.
type use struct {
	sides    []useSide
	assumed  map[useOf]string
	warnings []page.Sentence
	warned   map[useOf]bool
}

// useOf is a quantity of a side.
type useOf struct{ quantity, side string }

func (u *use) assume(quantity, side string, list []string) {
	u.assumed[useOf{quantity, side}] = strings.Join(list, "; ")
}

// warn adds a warning, each side's of a quantity once.
func (u *use) warn(quantity, side, topic, text string) {
	if key := (useOf{quantity, side}); !u.warned[key] {
		u.warned[key] = true
		u.warnings = append(u.warnings, page.Sentence{Topic: topic, Warn: true, Parts: page.Text(text + ".")})
	}
}

// pairUse is how much of bandwidth, compute and memory each side used at the same loads.
func (d *draft) pairUse(c *comparison) {
	at, _, ok := c.verdict()
	if !ok {
		return
	}
	loads := []compare.Row{at}
	if first := at.Of.Loads[0]; first.Load != at.Load {
		loads = []compare.Row{first, at}
	}
	u := &use{assumed: map[useOf]string{}, warned: map[useOf]bool{}, sides: []useSide{
		{c.other.Run, c.otherName, func(l compare.Row) (*figure.Scenario, *catalog.Point) { return l.Of.B, l.B[0] }},
		{c.base.Run, c.baseName, func(l compare.Row) (*figure.Scenario, *catalog.Point) { return l.Of.A, l.A[0] }},
	}}
	t := page.NewTransposed("Use of bandwidth, compute and memory", "compact fit", page.Column{Title: "What"}, u.sides,
		func(s useSide) page.Column { return page.Column{Title: s.name, Num: true} })
	d.utilizationRows(t, u, loads)
	d.cacheRows(t, u)
	if len(t.Rows) == 0 {
		return
	}
	blocks := []page.Block{page.Paragraph("Model bandwidth utilization (MBU) and model FLOPs utilization " +
		"(MFU) under " + at.Of.A.Title + ": shares of what the data sheets promise. A range stands where a factor " +
		"is not one number.")}
	if len(u.warnings) > 0 {
		blocks = append(blocks, page.Block{Says: u.warnings})
	}
	blocks = append(blocks, d.table("use", func() *page.Grid { return &t.Grid }))
	if list := u.assumptions(c); len(list) > 0 {
		blocks = append(blocks, page.Block{List: list})
	}
	d.section("use", "Use of bandwidth, compute and memory", blocks...)
}

// utilizationRows are the shares of bandwidth and compute at some loads, the last of which is the
// one that the pair is judged at.
func (d *draft) utilizationRows(t *page.Transposed[useSide], u *use, loads []compare.Row) {
	for _, q := range []struct {
		name, anchor string
		get          func(*figure.Run, *catalog.Point) (figure.Utilization, bool)
	}{{"MBU", "mbu", d.g.Index.MBU}, {"MFU", "mfu", d.g.Index.MFU}} {
		for i, l := range loads {
			label := page.Cell{Text: q.name, Href: d.formula(q.anchor),
				Sub: figure.LoadPhrase(l.A[0])}
			t.Known(label, func(s useSide) page.Cell {
				in, p := s.at(l)
				share, ok := q.get(s.run, p)
				if !ok {
					return page.Missing("not known: a part of the formula is not recorded")
				}
				if i == len(loads)-1 {
					u.assume(q.name, s.name, share.Assumptions)
				}
				if share.Warning != "" {
					u.warn(q.name, s.name, "Above 100"+metric.ThinSpace+"%",
						s.name+placed(l.A[0])+": "+share.Warning)
				}
				cell := utilizationCell(&share)
				cell.Href = d.pointHref(s.run, in, p)
				return cell
			})
		}
	}
}

// cacheEstimate is the quantity that the assumptions of the estimated KV cache belong to.
const cacheEstimate = "KV-cache estimate"

// cacheRows are the tokens that the KV cache holds, as measured and as estimated.
func (d *draft) cacheRows(t *page.Transposed[useSide], u *use) {
	t.Known(page.Cell{Text: "KV cache measured", Sub: "tokens"}, func(s useSide) page.Cell {
		v, ok := s.run.KVCacheTokens()
		if !ok {
			return page.Missing("not measured")
		}
		cell := page.Number(v, metric.Scale{})
		cell.Href = d.Place.To(PathRun(s.run.ID), "")
		if k, ok := s.run.KVCapacity(); ok && k.Share != nil {
			cell.Sub = percentText(*k.Share) + " of the estimate"
		}
		return cell
	})
	label := page.Cell{Text: "KV cache estimated", Href: d.formula("kv-capacity-estimate"),
		Sub: "tokens at most"}
	t.Known(label, func(s useSide) page.Cell {
		k, ok := s.run.KVCapacity()
		if !ok {
			return page.Missing("not known")
		}
		u.assume(cacheEstimate, s.name, k.Assumptions)
		if k.Warning != "" {
			u.warn(cacheEstimate, s.name, "KV cache", s.name+": "+k.Warning)
		}
		return page.Number(k.Estimated, metric.Scale{})
	})
}

// assumptions are what the quantities rest on, said once where both sides share it.
func (u *use) assumptions(c *comparison) (list [][]page.Part) {
	for _, what := range []string{"MBU", "MFU", cacheEstimate} {
		other, hasOther := u.assumed[useOf{what, c.otherName}]
		base, hasBase := u.assumed[useOf{what, c.baseName}]
		if hasOther && hasBase && other == base {
			list = append(list, page.Text(what+", both sides: "+other+"."))
			continue
		}
		if hasOther {
			list = append(list, page.Text(what+" "+c.with()+" "+c.otherName+": "+other+"."))
		}
		if hasBase {
			list = append(list, page.Text(what+" "+c.with()+" "+c.baseName+": "+base+"."))
		}
	}
	return list
}
