package view

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// paramGroup says how a recorded launch argument stands to its default.
type paramGroup int

// The groups, in the order of the page.
const (
	paramDiffers    paramGroup = iota // the value differs from the version's default
	paramUnknown                      // the default of that version is not known
	paramNull                         // recorded as null: the engine chose
	paramDefault                      // equal to the default
	paramForeign                      // redacted, unknown to that version, or of the wrapper or the benchmark
	paramGroupCount int        = iota
)

type param struct {
	name  string
	value catalog.Parameter
	// deflt is the version's default as text, where it is known.
	deflt string
	owner string
	group paramGroup
	// absent says that nothing recorded the argument.
	absent bool
}

// engineChooses stands for a default of null, notOfVersion for the owner of an argument that the
// version does not have.
const (
	engineChooses = "chosen by the engine"
	notOfVersion  = "not an argument of this version"
)

// paramsOf sorts a run's launch arguments by how they stand to the defaults of its engine.
func (g *Site) paramsOf(r *figure.Run) [paramGroupCount][]param {
	var out [paramGroupCount][]param
	n := g.Index.Names
	_, wrapped := n.Wrapper(r.Attr("wrapper"))
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		v := r.Parameters[name]
		p := param{name: name, value: v}
		if wrapped || r.Tool.Wrapper != "" {
			p.owner = n.Owner(name) // a dump holds the wrapper's settings and the benchmark's beside the engine's
		}
		value, state := n.Default(r.Engine.Name, r.Engine.Version, name)
		if state == settings.DefaultKnown {
			p.deflt = defaultText(value)
		}
		switch {
		case v.Redacted:
			p.group = paramForeign
			p.owner = "redacted"
		case v.Null():
			p.group = paramNull
		case p.owner != "":
			p.group = paramForeign
		case state == settings.ParamUnknownToVersion:
			p.group = paramForeign
			p.owner = notOfVersion
		case state == settings.DefaultUnknown:
			p.group = paramUnknown
		case v.Key(false) == catalog.Parameter{Value: value}.Key(v.Text):
			p.group = paramDefault
		default:
			p.group = paramDiffers
		}
		out[p.group] = append(out[p.group], p)
	}
	return out
}

// valueText is a value that is shown by itself: of an empty text the quotes.
func valueText(v json.RawMessage) string { return cmp.Or(catalog.Plain(v), `""`) }

// defaultText is a default as it is shown; null means that the engine decides.
func defaultText(v json.RawMessage) string {
	if string(v) == "null" {
		return engineChooses
	}
	return valueText(v)
}

// parameters lists the launch arguments: those whose effective value differs from the version's
// default stand open, all of them with their state in one table that opens on demand. On a card
// only the first are shown, with a link to the rest.
func (d *draft) parameters(r *figure.Run, all bool) {
	if len(r.Parameters) == 0 && len(r.Client) == 0 && len(r.Env) == 0 {
		return
	}
	gs := d.g.paramsOf(r)
	e, versioned := EngineText(r.Engine)
	compared := len(gs[paramDiffers])+len(gs[paramDefault]) > 0
	var blocks []page.Block
	if len(r.Parameters) > 0 {
		blocks = append(blocks, page.Paragraph(parametersIntro(r, gs, e, versioned)))
	}
	if ps := gs[paramDiffers]; len(ps) > 0 {
		blocks = append(blocks, d.named("params-differ", func() *page.Grid {
			return d.paramTable(r, "Arguments that differ from the default of "+e, ps, e, true, false)
		}))
	}
	// A short list of arguments without known defaults needs no folding.
	open := !compared && len(r.Parameters) > 0 && len(r.Parameters) <= 12
	list := func() []param {
		var ps []param
		for g := range paramGroupCount {
			ps = append(ps, gs[g]...)
		}
		return append(ps, d.g.absentParams(r)...)
	}
	whole := func() *page.Grid { return d.paramTable(r, "All launch arguments", list(), e, compared, true) }
	switch {
	case open:
		blocks = append(blocks, d.named("params-all", whole))
	case len(r.Parameters) > 0 && all:
		blocks = append(blocks, page.Block{Details: d.fold("params-all", parametersSummary(r, gs, len(d.g.absentParams(r))), whole)})
	}
	if all {
		for _, x := range []struct {
			id, one, many string
			from          map[string]catalog.Parameter
		}{
			{"params-client", "setting of the measuring client", "settings of the measuring client", r.Client},
			{"params-env", "environment variable", "environment variables", r.Env},
		} {
			if len(x.from) > 0 {
				blocks = append(blocks, page.Block{Details: d.fold(x.id, metric.Plural(len(x.from), x.one, x.many), func() *page.Grid {
					return d.paramTable(r, page.Upper(x.many), plainParams(x.from), "", false, false)
				})})
			}
		}
	} else if !open {
		blocks = append(blocks, page.Block{Text: []page.Part{{Text: "All parameters", Href: d.Place.To(PathRun(r.ID), "parameters")}}})
	}
	d.section("parameters", "Parameters", blocks...)
}

// parametersIntro says how many arguments are recorded and what is known of their defaults.
func parametersIntro(r *figure.Run, gs [paramGroupCount][]param, e string, versioned bool) string {
	s := metric.Plural(len(r.Parameters), "argument is recorded", "arguments are recorded")
	switch n := len(gs[paramDiffers]); {
	case n > 0 || len(gs[paramDefault]) > 0:
		s += ", " + itoa(n) + " known to differ from the default of " + e + "."
	case versioned:
		s += "; the defaults of " + e + " are not known here, so none is said to differ."
	default:
		s += "; the version of the engine is not recorded, so none is said to differ from a default."
	}
	if len(gs[paramNull]) > 0 {
		s += " A recorded null is in effect the default; without one the engine chose the value."
	}
	return s
}

// parametersSummary counts the states of all arguments.
func parametersSummary(r *figure.Run, gs [paramGroupCount][]param, absent int) string {
	var ws []string
	for g, words := range paramGroupWords {
		if n := len(gs[g]); n > 0 {
			ws = append(ws, itoa(n)+" "+words)
		}
	}
	if absent > 0 {
		ws = append(ws, itoa(absent)+" more not recorded")
	}
	return "All " + metric.Plural(len(r.Parameters), "argument") + ": " + strings.Join(ws, ", ")
}

// paramGroupWords are the groups as a count is followed by them.
var paramGroupWords = [paramGroupCount]string{
	paramDiffers: "differing", paramUnknown: "with unknown default", paramNull: "null", paramDefault: "default", paramForeign: "redacted or not the engine's own",
}

// absentParams are the arguments that the engine's version is known to have and that nothing
// recorded: what was in effect is the default unless something unrecorded changed it.
func (g *Site) absentParams(r *figure.Run) []param {
	var ps []param
	for _, name := range g.Index.Names.Arguments(r.Engine.Name, r.Engine.Version) {
		if _, ok := r.Parameters[name]; ok {
			continue
		}
		value, _ := g.Index.Names.Default(r.Engine.Name, r.Engine.Version, name)
		ps = append(ps, param{name: name, deflt: defaultText(value), absent: true})
	}
	return ps
}

// filterFrom is how many rows a table of arguments has at most without a filter.
const filterFrom = 10

// paramTable lists arguments with their recorded value; with deflt the default beside it, with
// state what the difference is.
func (d *draft) paramTable(r *figure.Run, caption string, ps []param, e string, deflt, state bool) *page.Grid {
	t := page.NewTable(caption, "compact fit", ps)
	t.Filter = len(ps) > filterFrom
	t.Each(func(_ int, p param, row *page.Row) {
		if !state && deflt {
			row.ID = "arg-" + catalog.Slug(p.name)
		}
		row.Same = state && (p.absent || p.group == paramDefault || p.group == paramNull)
	})
	t.Col("Argument", func(p param) page.Cell { return page.Cell{Text: p.name, Code: true, Head: true} })
	t.Col("Recorded", paramCell)
	if deflt {
		t.Col("Default of "+e, func(p param) page.Cell {
			switch p.deflt {
			case "":
				return page.Missing("not known")
			case engineChooses:
				return page.Cell{Text: p.deflt, Class: "mut"}
			}
			return page.Cell{Text: page.Clip(p.deflt, 120), Code: true, Class: "mut wrap-any"}
		})
	}
	if state {
		t.Col("State", func(p param) page.Cell { return page.Cell{Text: p.state()} })
	}
	t.Col("Source", func(p param) page.Cell { return d.sourceCell(r, p.value.At) })
	return t.Done()
}

// state says in a few words what the recorded value means.
func (p param) state() string {
	switch {
	case p.absent:
		return "not recorded"
	case p.value.Redacted:
		return "redacted"
	case p.group == paramNull && p.deflt != "" && p.deflt != engineChooses:
		return "null: in effect " + page.Clip(p.deflt, 40)
	case p.group == paramNull:
		return "null: the engine chose"
	case p.group == paramForeign && p.owner == notOfVersion:
		return p.owner
	case p.group == paramForeign:
		return "of " + p.owner
	case p.group == paramDiffers:
		return "differs"
	case p.group == paramDefault:
		return "default"
	}
	return "default not known"
}

func plainParams(m map[string]catalog.Parameter) []param {
	var ps []param
	for _, k := range slices.Sorted(maps.Keys(m)) {
		ps = append(ps, param{name: k, value: m[k]})
	}
	return ps
}

func paramCell(p param) page.Cell {
	switch {
	case p.absent:
		return page.Missing("")
	case p.value.Redacted:
		return page.Cell{Text: "redacted", Class: "na"}
	case p.value.Text && valueText(p.value.Value) == "None":
		return page.Cell{Text: "null", Exact: "written as None on the published page", Code: true}
	}
	return page.Cell{Text: page.Clip(valueText(p.value.Value), 600), Code: true, Class: "wrap-any"}
}

// issueAddress is a prefilled issue about a run, or about the place of it that anchor names, where
// the repository is set and is a web address; "" otherwise.
func (g *Site) issueAddress(r *figure.Run, anchor string) string {
	base := page.WebAddress(g.Config.Repository)
	if base == "" {
		return ""
	}
	place := PathRun(r.ID) + "/"
	if anchor != "" {
		place += "#" + anchor
	}
	q := url.Values{"title": {"wrong number in run " + r.ID}, "body": {"Run: " + r.ID + "\nCard: " + r.Card.Slug + "\nPlace: " + place + "\nWhat it says, and what it should say: \n"}}
	return strings.TrimSuffix(base, "/") + "/issues/new?" + q.Encode()
}
