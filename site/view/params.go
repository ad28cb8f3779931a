package view

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// argumentGroup is a part of the list of launch arguments.
type argumentGroup int

// The groups, in the order of the page.
const (
	groupDiffering argumentGroup = iota
	groupRecorded                // the default of the version is not known
	groupNull
	groupDefault
	groupForeign // redacted, unknown to the version, or of the wrapper or the benchmark
	groupAbsent
	argumentGroups int = iota
)

// groupWords are the groups as a count is followed by them.
var groupWords = [argumentGroups]string{
	groupDiffering: "differing", groupRecorded: "with unknown default", groupNull: "null", groupDefault: "default",
	groupForeign: "redacted or not the engine's own",
}

// groupOf is the group of an argument.
func groupOf(a compare.Argument) argumentGroup {
	switch {
	case a.State == catalog.StateRedacted || a.State == catalog.StateUnknownToVersion || a.Owner != "":
		return groupForeign
	case a.State == catalog.StateDiffering:
		return groupDiffering
	case a.State == catalog.StateNull:
		return groupNull
	case a.State == catalog.StateDefault:
		return groupDefault
	case a.State == catalog.StateAbsent:
		return groupAbsent
	}
	return groupRecorded
}

// arguments are the launch arguments of a run by group.
func (g *Site) arguments(r *figure.Run) (out [argumentGroups][]compare.Argument) {
	for _, a := range g.Arguments.Of(r) {
		out[groupOf(a)] = append(out[groupOf(a)], a)
	}
	return out
}

// valueText is a value that is shown by itself: of an empty text the quotes.
func valueText(v json.RawMessage) string { return cmp.Or(catalog.Plain(v), `""`) }

// parameters lists the launch arguments: those whose effective value differs from the version's
// default stand open, all of them with their state in one table that opens on demand. On a card
// only the first are shown, with a link to the rest.
func (d *draft) parameters(r *figure.Run, all bool) {
	if len(r.Parameters) == 0 && len(r.Client) == 0 && len(r.Env) == 0 {
		return
	}
	gs := d.g.arguments(r)
	e, versioned := EngineText(r.Engine)
	compared := len(gs[groupDiffering])+len(gs[groupDefault]) > 0
	var blocks []page.Block
	if len(r.Parameters) > 0 {
		blocks = append(blocks, page.Paragraph(parametersIntro(gs, e, versioned)))
	}
	if as := gs[groupDiffering]; len(as) > 0 {
		blocks = append(blocks, d.named("params-differ", func() *page.Grid {
			t := d.argumentTable(r, "Arguments that differ from the default of "+e, as)
			t.Each(func(_ int, a compare.Argument, row *page.Row) { row.ID = "arg-" + catalog.Slug(a.Name) })
			t.Col("Default of "+e, defaultCell)
			return d.sourced(t, r, as)
		}))
	}
	whole := func() *page.Grid {
		as := slices.Concat(gs[:groupAbsent]...)
		t := d.argumentTable(r, "All launch arguments", as)
		t.Each(func(_ int, a compare.Argument, row *page.Row) {
			row.Same = slices.Contains([]argumentGroup{groupDefault, groupNull}, groupOf(a))
		})
		if compared {
			t.Col("Default of "+e, defaultCell)
		}
		t.Text("State", "", stateText)
		return d.sourced(t, r, as)
	}
	// A short list of arguments without known defaults needs no folding.
	open := !compared && len(r.Parameters) > 0 && len(r.Parameters) <= 12
	switch {
	case open:
		blocks = append(blocks, d.named("params-all", whole))
	case len(r.Parameters) > 0 && all:
		blocks = append(blocks, page.Block{Details: d.fold("params-all", parametersSummary(r, gs), whole)})
	}
	switch {
	case all:
		if len(r.Parameters) > 0 {
			blocks = append(blocks, d.absent(gs[groupAbsent], e)...)
		}
		blocks = append(blocks, d.settings(r, "params-client", "setting", " of the measuring client", r.Client)...)
		blocks = append(blocks, d.settings(r, "params-env", "environment variable", "", r.Env)...)
	case !open:
		link := page.Part{Text: "All parameters", Href: d.Place.To(PathRun(r.ID), "parameters")}
		blocks = append(blocks, page.Block{Text: []page.Part{link}})
	}
	d.section("parameters", "Parameters", blocks...)
}

// absent are the defaults of arguments that a run does not record, one a line: they are the same for all runs of a
// version, and as rows of a table they were a quarter of a page.
func (d *draft) absent(list []compare.Argument, e string) []page.Block {
	if len(list) == 0 {
		return nil
	}
	return []page.Block{{Details: &page.Details{ID: "t-params-absent",
		Summary: metric.Plural(len(list), "argument") + " not recorded, with the defaults of " + e,
		Fragment: d.fragment("params-absent", func(m *page.Markup) {
			m.Elem("p", "mut", "Where the default is null, the engine chooses the value.")
			m.Raw("<pre class=raw tabindex=0>")
			for _, a := range list {
				m.Records(a.Name + " = " + page.Clip(valueText(a.Default), 120))
				m.Raw("\n")
			}
			m.Raw("</pre>")
		})}}}
}

// settings are recorded values of which no default is known, in a table that opens on demand.
func (d *draft) settings(r *figure.Run, id, one, more string, from map[string]catalog.Parameter) []page.Block {
	if len(from) == 0 {
		return nil
	}
	var list []compare.Argument
	for _, k := range slices.Sorted(maps.Keys(from)) {
		list = append(list, compare.Argument{Name: k, Value: from[k], State: from[k].Beside(nil)})
	}
	return []page.Block{{Details: d.fold(id, metric.Plural(len(from), one)+more, func() *page.Grid {
		return d.sourced(d.argumentTable(r, page.Upper(metric.Noun(0, one))+more, list), r, list)
	})}}
}

// parametersIntro says what is known of the defaults of the recorded arguments.
func parametersIntro(gs [argumentGroups][]compare.Argument, e string, versioned bool) string {
	s := "The version of the engine is not recorded, so no argument is said to differ from a default."
	switch {
	case len(gs[groupDiffering]) > 0:
		s = "The recorded arguments that are known to differ from the default of " + e + " stand first."
	case len(gs[groupDefault]) > 0:
		s = "The recorded arguments beside the defaults of " + e + "."
	case versioned:
		s = "The defaults of " + e + " are not known here, so no argument is said to differ."
	}
	if len(gs[groupNull]) > 0 {
		s += " A recorded null is in effect the default; without one the engine chose the value."
	}
	return s
}

// parametersSummary counts the states of all arguments.
func parametersSummary(r *figure.Run, gs [argumentGroups][]compare.Argument) string {
	var ws []string
	for g, words := range groupWords {
		if n := len(gs[g]); n > 0 && words != "" {
			ws = append(ws, itoa(n)+" "+words)
		}
	}
	return "All " + metric.Plural(len(r.Parameters), "argument") + ": " + strings.Join(ws, ", ")
}

// filterFrom is how many rows a table of arguments has at most without a filter.
const filterFrom = 10

// argumentTable lists arguments with their recorded values.
func (d *draft) argumentTable(r *figure.Run, caption string, list []compare.Argument) *page.Table[compare.Argument] {
	t := page.NewTable(caption, "compact fit", list)
	t.Filter = len(list) > filterFrom
	t.Col("Argument", func(a compare.Argument) page.Cell { return page.Cell{Text: a.Name, Code: true, Head: true} })
	t.Col("Recorded", recordedCell)
	return t
}

// sourced ends a table of arguments with where each was recorded, which is said above it where it is one place.
func (d *draft) sourced(t *page.Table[compare.Argument], r *figure.Run, list []compare.Argument) *page.Grid {
	if at := list[0].Value.At; at.Source != "" && len(list) > 1 &&
		!slices.ContainsFunc(list, func(a compare.Argument) bool { return a.Value.At != at }) {
		c := d.sourceCell(r, at)
		t.Intro = page.Text("All were read from ")
		t.Intro = append(t.Intro, page.Part{Text: c.Text, Href: c.Href, Title: c.Exact}).Text(".")
		return t.Done()
	}
	t.Col("Source", func(a compare.Argument) page.Cell { return d.sourceCell(r, a.Value.At) })
	return t.Done()
}

// defaultCell is a default beside a recorded value; null means that the engine decides.
func defaultCell(a compare.Argument) page.Cell {
	switch {
	case a.Default == nil:
		return page.Missing("not known")
	case string(a.Default) == "null":
		return page.Cell{Text: "chosen by the engine", Class: "mut"}
	}
	return page.Cell{Text: page.Clip(valueText(a.Default), 120), Code: true, Class: "mut wrap-any"}
}

// stateText says in a few words what the recorded value means.
func stateText(a compare.Argument) string {
	switch {
	case a.Owner != "":
		return "of " + a.Owner
	case a.State == catalog.StateNull && a.Default != nil && string(a.Default) != "null":
		return "null: in effect " + page.Clip(valueText(a.Default), 40)
	}
	return map[catalog.ParameterState]string{
		catalog.StateAbsent: "not recorded", catalog.StateRedacted: "redacted",
		catalog.StateNull:             "null: the engine chose",
		catalog.StateUnknownToVersion: "not an argument of this version", catalog.StateDiffering: "differs",
		catalog.StateDefault: "default", catalog.StateValue: "default not known",
	}[a.State]
}

// recordedCell is the value of an argument as recorded.
func recordedCell(a compare.Argument) page.Cell {
	switch {
	case a.State == catalog.StateAbsent:
		return page.Missing("")
	case a.Value.Redacted:
		return page.Cell{Text: "redacted", Class: "na"}
	case a.Value.Text && valueText(a.Value.Value) == "None":
		return page.Cell{Text: "null", Exact: "written as None on the published page", Code: true}
	}
	return page.Cell{Text: page.Clip(valueText(a.Value.Value), 600), Code: true, Class: "wrap-any"}
}

// issueAddress is a prefilled issue about a run on this page, or about the place of it that anchor names, where
// the repository is set and is a web address; "" otherwise.
func (d *draft) issueAddress(r *figure.Run, anchor string) string {
	base := page.WebAddress(d.g.Config.Repository)
	if base == "" || r.Elsewhere() != "" {
		return "" // of a run of another catalog this repository knows nothing
	}
	place := string(d.Place) + "/"
	if anchor != "" {
		place += "#" + anchor
	}
	// The form of .github/ISSUE_TEMPLATE takes its fields by their ids; a repository without it takes the body.
	q := url.Values{"template": {"wrong-number.yml"}, "run": {r.ID}, "card": {r.Card.Slug}, "place": {place},
		"title": {"wrong number in run " + r.ID},
		"body": {"Run: " + r.ID + "\nCard: " + r.Card.Slug + "\nPlace: " + place +
			"\nWhat it says, and what it should say: \n"}}
	return strings.TrimSuffix(base, "/") + "/issues/new?" + q.Encode()
}
