package compare

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// What one run brings to a comparison that is made elsewhere, by a program that has only the runs
// a reader chose: the script of the site. [Arguments.Diff] and [NewPair] give the same
// answers where all runs are at hand.

// ClassValues are the values of a scenario's workload class as the reasons of a [Mismatch] show them:
// `"random"`, "about 1 000", "not recorded". What differs is the reason why two do not share an axis.
func ClassValues(r *figure.Run, s *figure.Scenario) []string {
	var out []string
	for _, f := range figure.ClassFields(r.Run, s) {
		out = append(out, reasonValue(f.Value))
	}
	return out
}

// Meanings are the words that a tool, named by its family, is known to use in a way of its own.
// Of two different tools, those that both share need no mention.
func Meanings(tool string) []Meaning { return slices.Clone(meaningsOf(tool)) }

// SystemRows are the names of the rows of kind [KindSystem], in their order.
func SystemRows() []string {
	return append([]string{"model", "hardware", "engine", "engine_version"}, systemKeys...)
}

// SideCell is what one run, or the defaults of one version, says of one parameter.
type SideCell struct {
	Kind  ParameterKind
	Name  string
	Owner string
	State catalog.ParameterState
	// Effective and Known as in [ParameterCell]. Text says that it is the text of a page.
	Effective   string
	Known, Text bool
	// Key is equal for equal effective values; TextKey stands for it in a row of which some cell
	// is the text of a page, and does not already hold for such a cell.
	Key, TextKey string
}

// MarshalJSON writes kind, name, owner, state, effective value or null where it is not known, key,
// and key beside the text of a page where it is another, 1 where the value is the text of a page. The
// key is left out where it is the effective value, and so is all at the end that says nothing.
func (s SideCell) MarshalJSON() ([]byte, error) {
	row := []any{s.Kind, s.Name, s.Owner, int(s.State), nil}
	if s.Known {
		row[4] = s.Effective
		row = append(row, unless(s.Key, s.Effective), unless(s.TextKey, s.Key), nil)
		if s.Text {
			row[7] = 1
		}
		for len(row) > 5 && row[len(row)-1] == nil {
			row = row[:len(row)-1]
		}
	}
	return json.Marshal(row)
}

// unless is s, or nil where s is what stands for nil.
func unless(s, standsFor string) any {
	if s == standsFor {
		return nil
	}
	return s
}

// Side is what a run itself records, in the order of the rows of a [ParameterDiff]:
// system in a fixed order, then arguments, environment and client by name.
func (a *Arguments) Side(r *figure.Run) []SideCell {
	var out []SideCell
	add := func(kind ParameterKind, name, owner string, c ParameterCell) {
		out = append(out, sideCell(kind, name, owner, c))
	}
	for _, row := range a.systemRows([]*figure.Run{r}) {
		add(row.Kind, row.Name, "", row.Cells[0])
		// A part of the system is compared as it is written.
		last := &out[len(out)-1]
		last.Key, last.TextKey = last.Effective, last.Effective
	}
	parameters := a.canonicalParameters(r)
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		owner := a.names.Owner(name)
		c := recordedCell(parameters, name)
		if c.State == catalog.StateNull && owner != "" {
			c.know(json.RawMessage("null")) // no engine's default stands behind it
		}
		add(ownedKind(owner), name, owner, c)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Env)) {
		add(KindEnvironment, name, "", recordedCell(r.Env, name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Client)) {
		add(KindClient, name, "", recordedCell(r.Client, name))
	}
	return out
}

func sideCell(kind ParameterKind, name, owner string, c ParameterCell) SideCell {
	s := SideCell{Kind: kind, Name: name, Owner: owner, State: c.State, Effective: c.Effective, Known: c.Known,
		Text: c.Text}
	if c.Known {
		p := catalog.Parameter{Value: c.effective, Text: c.Text}
		s.Key, s.TextKey = p.Key(false), p.Key(true)
	}
	return s
}

// VersionSide is what is known of the launch arguments of one version of an engine. It decides
// what a run of that version ran with where it records nothing or null.
type VersionSide struct {
	Engine settings.Engine `json:"-"`
	// Defaults are the arguments with a listed default.
	Defaults []SideCell `json:"defaults"`
	// Listed says that data/names lists the version, so that an argument that is neither in
	// Defaults nor in Unsure is unknown to it. Otherwise the arguments that are not in Defaults
	// are all unsure.
	Listed bool     `json:"listed,omitempty"`
	Unsure []string `json:"unsure,omitempty"`
	// Dumped says that a run of the version records all of its arguments, the ones left at null
	// too; Recorded are the names that its runs record. An unsure argument that is not among
	// them is unknown to the version as well. Empty where no run is a dump.
	Dumped   bool     `json:"dumped,omitempty"`
	Recorded []string `json:"recorded,omitempty"`
}

// Versions are the versions of engines that the runs were measured with, by engine and version.
// Runs without an engine's name or version have none.
func (a *Arguments) Versions() []VersionSide {
	learnt := a.learnt()
	seen := map[string]VersionSide{}
	for _, r := range a.runs {
		key := r.Engine.Slug + " " + r.Engine.Version
		if _, ok := seen[key]; ok || r.Engine.Slug == "" || r.Engine.Version == "" {
			continue
		}
		v := VersionSide{Engine: r.Engine, Defaults: []SideCell{}}
		// A name that no engine has tells whether a version is listed.
		_, state := a.names.Default(r.Engine.ID, r.Engine.Version, "")
		v.Listed = state == settings.ParamUnknownToVersion
		for _, name := range a.names.AllArguments(r.Engine.ID) {
			value, state := a.names.Default(r.Engine.ID, r.Engine.Version, name)
			switch {
			case state == settings.DefaultKnown:
				c := ParameterCell{Default: true}
				c.know(value)
				v.Defaults = append(v.Defaults, sideCell(KindArgument, name, "", c))
			case state == settings.DefaultUnknown && v.Listed:
				v.Unsure = append(v.Unsure, name)
			}
		}
		if k := learnt[key]; k.dumped {
			v.Dumped, v.Recorded = true, slices.Sorted(maps.Keys(k.names))
		}
		seen[key] = v
	}
	var out []VersionSide
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[key])
	}
	return slices.Clip(out)
}
