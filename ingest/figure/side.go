package figure

import (
	"encoding/json"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// What one run brings to a comparison that is made elsewhere, by a program that has only the runs
// a reader chose: the script of the site. [Index.DiffParameters] and [Comparable] give the same
// answers where all runs are at hand.

// ClassField is one field of a workload class.
type ClassField struct {
	Name  string // in words: "input length"
	Value string // as [Mismatch] reasons show it: `"random"`, "about 1 000", "not recorded"
}

// ClassFields are the fields of a scenario's workload class, always the same ones in the same
// order. Two scenarios are of one class where all values are equal; what differs is the reason
// why they do not share an axis.
func ClassFields(r *Run, s *Scenario) []ClassField {
	var out []ClassField
	for _, p := range classParts(r.Run, s) {
		out = append(out, ClassField{p.name, reasonValue(p.value)})
	}
	return out
}

// SideSummary is what the measurements of one side say of a statistic, with all that
// [DifferPoints] judges two sides by.
type SideSummary struct {
	Summary
	// Exact says that the interval over requests was made from the values of all of them. Two such
	// intervals that overlap are not distinguishable; where one is made from recorded percentiles,
	// which is wider, nothing is claimed.
	Exact bool
}

// SummarizePoints summarizes a statistic of points that repeat each other; N is 0 where none has it.
func SummarizePoints(points []*catalog.Point, m metric.ID, stat string) SideSummary {
	s := SideSummary{Summary: Summarize(Samples(points, m, stat))}
	if s.N == 0 || s.Confidence > 0 || stat != metric.Median || !slices.Contains(onePerRequest, m) {
		return s
	}
	if in, ok := requestInterval(points, m); ok {
		s.Requests, s.RequestLo, s.RequestHi, s.Exact = in.n, in.lo, in.hi, in.exact
	}
	return s
}

// Meaning is what a tool measures by a word that other tools use for something else.
type Meaning struct {
	Metric metric.ID
	// Text completes "the tool measures ...".
	Text string
}

// Meanings are the words that a tool, named by its family, is known to use in a way of its own.
// Of two different tools, those that both share need no mention.
func Meanings(tool string) []Meaning {
	var out []Meaning
	for _, m := range meanings[tool] {
		out = append(out, Meaning{m.metric, m.text})
	}
	return out
}

// SystemRows are the names of the rows of kind [KindSystem], in their order.
func SystemRows() []string {
	return append([]string{"model", "hardware", "engine", "engine_version"}, systemKeys...)
}

// SideCell is what one run, or the defaults of one version, says of one parameter.
type SideCell struct {
	Kind  ParameterKind
	Name  string
	Owner string
	State ParameterState
	// Effective and Known as in [ParameterCell]. Text says that it is the text of a page.
	Effective   string
	Known, Text bool
	// Key is equal for equal effective values; TextKey stands for it in a row of which some cell
	// is the text of a page, and does not already hold for such a cell.
	Key, TextKey string
}

// ParameterSide is what a run itself records, in the order of the rows of a [ParameterDiff]:
// system in a fixed order, then arguments, environment and client by name.
func (ix *Index) ParameterSide(r *Run) []SideCell {
	var out []SideCell
	add := func(kind ParameterKind, name, owner string, c ParameterCell) {
		out = append(out, sideCell(kind, name, owner, c))
	}
	for _, row := range ix.systemRows([]*Run{r}) {
		add(row.Kind, row.Name, "", row.Cells[0])
		// A part of the system is compared as it is written.
		last := &out[len(out)-1]
		last.Key, last.TextKey = last.Effective, last.Effective
	}
	parameters := ix.canonicalParameters(r)
	for _, name := range sortedNames(parameters) {
		owner := ix.Names.Owner(name)
		c := recordedCell(parameters, name)
		if c.State == StateNull && owner != "" {
			c.Known, c.Effective = true, "null" // no engine's default stands behind it
		}
		add(ownedKind(owner), name, owner, c)
	}
	for _, name := range sortedNames(r.Env) {
		add(KindEnvironment, name, "", recordedCell(r.Env, name))
	}
	for _, name := range sortedNames(r.Client) {
		add(KindClient, name, "", recordedCell(r.Client, name))
	}
	return out
}

func sideCell(kind ParameterKind, name, owner string, c ParameterCell) SideCell {
	s := SideCell{Kind: kind, Name: name, Owner: owner, State: c.State, Effective: c.Effective, Known: c.Known, Text: c.Text}
	if c.Known {
		of := func(text bool) string {
			row := ParameterRow{Cells: []ParameterCell{c}}
			if text {
				row.Cells = append(row.Cells, ParameterCell{Text: true})
			}
			return withKeys(row).Cells[0].key
		}
		s.Key, s.TextKey = of(false), of(true)
	}
	return s
}

// VersionSide is what is known of the launch arguments of one version of an engine. It decides
// what a run of that version ran with where it records nothing or null.
type VersionSide struct {
	Engine settings.Engine
	// Defaults are the arguments with a listed default.
	Defaults []SideCell
	// Listed says that data/names lists the version, so that an argument that is neither in
	// Defaults nor in Unsure is unknown to it. Otherwise the arguments that are not in Defaults
	// are all unsure.
	Listed bool
	Unsure []string
	// Dumped says that a run of the version records all of its arguments, the ones left at null
	// too; Recorded are the names that its runs record. An unsure argument that is not among
	// them is unknown to the version as well. Empty where no run is a dump.
	Dumped   bool
	Recorded []string
}

// Versions are the versions of engines that the runs were measured with, by engine and version.
// Runs without an engine's name or version have none.
func (ix *Index) Versions() []VersionSide {
	learnt := ix.learnt()
	seen := map[string]VersionSide{}
	for _, r := range ix.Runs {
		key := r.Engine.Slug + " " + r.Engine.Version
		if _, ok := seen[key]; ok || r.Engine.Slug == "" || r.Engine.Version == "" {
			continue
		}
		v := VersionSide{Engine: r.Engine}
		// A name that no engine has tells whether a version is listed.
		_, state := ix.Names.Default(r.Engine.ID, r.Engine.Version, "")
		v.Listed = state == settings.ParamUnknownToVersion
		for _, name := range ix.Names.AllArguments(r.Engine.ID) {
			value, state := ix.Names.Default(r.Engine.ID, r.Engine.Version, name)
			switch {
			case state == settings.DefaultKnown:
				v.Defaults = append(v.Defaults, sideCell(KindArgument, name, "", ParameterCell{Known: true, Default: true, Effective: display(value, false), Recorded: json.RawMessage(nil)}))
			case state == settings.DefaultUnknown && v.Listed:
				v.Unsure = append(v.Unsure, name)
			}
		}
		if k := learnt[key]; k.dumped {
			v.Dumped, v.Recorded = true, sortedNames(k.names)
		}
		seen[key] = v
	}
	var out []VersionSide
	for _, key := range sortedNames(seen) {
		out = append(out, seen[key])
	}
	return slices.Clip(out)
}
