package view

import (
	"cmp"
	"io"
	"maps"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// kindWords name what a row of the parameter diff is about.
var kindWords = map[compare.ParameterKind]string{
	compare.KindSystem: "system", compare.KindArgument: "launch argument", compare.KindWrapper: "wrapper",
	compare.KindEnvironment: "environment", compare.KindClient: "measurement",
}

// parameterDiff is what both runs were started with: only what differs is open.
func (d *draft) parameterDiff(c *comparison, diff compare.ParameterDiff) {
	if len(diff.Differs)+len(diff.OneVersion)+len(diff.Unclear)+len(diff.Same) == 0 {
		return
	}
	recorded := len(c.base.Run.Parameters) > 0 && len(c.other.Run.Parameters) > 0
	var intro []page.Part
	args := len(compare.Of(diff.Differs, compare.KindArgument))
	switch {
	case !recorded:
		var who []string
		if len(c.other.Run.Parameters) == 0 {
			who = append(who, c.otherName)
		}
		if len(c.base.Run.Parameters) == 0 {
			who = append(who, c.baseName)
		}
		intro = page.Text("No launch arguments are recorded " + c.with() + " " + page.Enumerate(who) +
			", so they cannot be compared.")
	case args == 0:
		intro = page.Text("No launch argument has another effective value.")
	default:
		intro = page.Text("The launch arguments that have another effective value are listed first.")
	}
	intro = append(intro, page.Part{Text: " What is equal is "},
		page.Part{Text: "shown with the two runs", Href: d.Place.To(PathCompare, c.chosen())}, page.Part{Text: ". "},
		page.Part{Text: "What counts as a difference", Href: d.formula("parameter-diff")})
	blocks := []page.Block{{Text: intro}}
	if len(diff.Differs) > 0 {
		blocks = append(blocks, d.table("diff", func() *page.Grid {
			return d.diffTable(c, "Parameters that differ", diff.Differs)
		}))
	} else {
		blocks = append(blocks, page.Paragraph("Nothing that is recorded on both sides differs."))
	}
	if n := len(diff.OneVersion); n > 0 {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: "one-version", Text: metric.Plural(n,
			"argument") + " of one version only"}},
			page.Paragraph("One of the two engine versions has no such argument, so these cannot have been set "+
				"alike, and are not counted as differences."),
			d.table("one-version", func() *page.Grid {
				return d.diffTable(c, "Arguments of one version only", diff.OneVersion)
			}))
	}
	var group []page.Details
	if n := len(diff.Unclear); n > 0 {
		s := metric.Plural(n, "value that cannot be compared", "values that cannot be compared")
		group = append(group, *d.details("unclear", s, func() *page.Grid {
			return d.diffTable(c, s, diff.Unclear)
		}))
	}
	if len(group) > 0 {
		blocks = append(blocks, page.Block{Group: group})
	}
	d.section("parameters", "Parameters", blocks...)
}

func (d *draft) diffTable(c *comparison, caption string, rows []compare.ParameterRow) *page.Grid {
	t := page.NewTable(caption, "pdiff", rows)
	t.Each(func(_ int, r compare.ParameterRow, row *page.Row) {
		row.ID = "par-" + string(r.Kind) + "-" + catalog.Slug(r.Name)
	})
	t.Col("Parameter", func(r compare.ParameterRow) page.Cell {
		name := page.Cell{Text: r.Name, Head: true, Code: r.Kind != compare.KindSystem, Soft: true,
			Sub: kindWords[r.Kind]}
		if r.Owner != "" {
			name.Sub = "of " + r.Owner
		}
		if r.Kind == compare.KindSystem {
			name.Text = AttributeLabel(r.Name)
		}
		return name
	})
	t.Col(c.otherName, func(r compare.ParameterRow) page.Cell { return valueCell(r.Cells[1]) })
	t.Col(c.baseName, func(r compare.ParameterRow) page.Cell { return valueCell(r.Cells[0]) })
	t.Col("Sources", func(r compare.ParameterRow) page.Cell { return page.Cell{Before: d.sourceLinks(c, r)} })
	return t.Done()
}

// valueCell is one side of a parameter by its state.
func valueCell(p compare.ParameterCell) page.Cell {
	switch p.State {
	case catalog.StateRedacted:
		return page.Cell{Text: "redacted", Class: "na"}
	case catalog.StateUnknownToVersion:
		return page.Cell{Text: "not an argument of this version", Class: "na"}
	case catalog.StateAbsent:
		if p.Default {
			return page.Cell{Text: page.Clip(p.Effective, 300), Code: true, Class: "wrap-any",
				Sub: "not set: default of this version"}
		}
		return page.Missing("not recorded")
	case catalog.StateNull:
		if p.Default {
			return page.Cell{Text: page.Clip(p.Effective, 300), Code: true, Class: "wrap-any",
				Sub: "null: default of this version"}
		}
		return page.Cell{Text: "null", Code: true, Sub: "chosen by the engine"}
	}
	if p.Effective == "" {
		return page.Cell{Text: `""`, Code: true, Sub: "empty text"}
	}
	return page.Cell{Text: page.Clip(p.Effective, 600), Code: true, Class: "wrap-any"}
}

// ParameterStates are the texts and second lines of parameters by their state, for tables that are
// made elsewhere: those without a default of the version, then those with one. The text is empty
// where the value stands.
func ParameterStates() (out [][2]string) {
	for _, byDefault := range []bool{false, true} {
		for s := catalog.StateAbsent; s <= catalog.StateRedacted; s++ {
			const value = "value"
			c := valueCell(compare.ParameterCell{State: s, Default: byDefault, Effective: value})
			out = append(out, [2]string{strings.TrimPrefix(c.Text, value), c.Sub})
		}
	}
	return out
}

// ParameterKinds name in words what rows of parameters are about.
func ParameterKinds() map[compare.ParameterKind]string { return maps.Clone(kindWords) }

// sourceLinks lead from a row of the diff to where both sides were recorded.
func (d *draft) sourceLinks(c *comparison, r compare.ParameterRow) func(w io.Writer) error {
	return func(w io.Writer) error {
		return page.FragmentOf(func(m *page.Markup) {
			n := 0
			for i := range r.Cells {
				i = len(r.Cells) - 1 - i // in the order of the columns
				run, p := []*figure.Run{c.base.Run, c.other.Run}[i], r.Cells[i]
				var s page.Cell
				switch {
				case p.At.Source != "":
					s = d.sourceCell(run, p.At)
				case p.File != "":
					s = page.Cell{Text: placeText(baseName(p.File), p.Line), Exact: p.File,
						Href: d.Place.To(PathRun(run.ID), "provenance")}
				}
				if s.Text == "" || s.Href == "" {
					continue
				}
				if n > 0 {
					m.Raw("<br>")
				}
				n++
				m.Raw(`<a class=src`)
				m.Attr("href", s.Href)
				m.Attr("title", []string{c.baseName, c.otherName}[i]+": "+cmp.Or(s.Exact, s.Text))
				m.Raw(">")
				m.Text(page.Clip(s.Text, 28))
				m.Raw("</a>")
			}
			if n == 0 {
				m.Raw(`<span aria-hidden=true>·</span><span class=vh>not recorded</span>`)
			}
		})(w)
	}
}
