package settings

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// DefaultState says what is known of the default of a launch argument.
type DefaultState int

// The states. DefaultUnknown is the zero value: nothing is claimed.
const (
	DefaultUnknown        DefaultState = iota
	DefaultKnown                       // the value is the default; null means that the engine chooses
	ParamUnknownToVersion              // the version has no such argument
)

func (n *Names) readEngines(tables []namesTable) {
	n.engines.read(tables, func(id string) *engine {
		return &engine{Engine: Engine{ID: id, Name: id, Slug: record.Slug(id), Known: true},
			params: map[string][]defaultRow{}}
	}, func(t namesTable, e *engine) {
		e.Name, e.Command = cmp.Or(t.text("name"), e.Name), cmp.Or(t.text("command"), e.Command)
		if vs, ok := t.texts("versions"); ok {
			e.versions = vs
			if !slices.IsSortedFunc(vs, CompareVersions) {
				t.doc.report(t.at("versions"), "versions are not in ascending order")
				sort.SliceStable(vs, func(i, j int) bool { return CompareVersions(vs[i], vs[j]) < 0 })
			}
		}
		if ps := t.sub("parameters"); ps != nil {
			for _, p := range slices.Sorted(maps.Keys(ps.m)) {
				e.params[p] = e.defaults(ps, p)
			}
		}
	}, nil)
}

// defaults reads the rows of one argument. A row without since begins with the first version, a
// row without until ends with the last, a row without value has the default null.
func (e *engine) defaults(ps *table, param string) []defaultRow {
	var rows []defaultRow
	for _, r := range ps.tables(param) {
		row := defaultRow{since: r.text("since"), until: r.text("until"), value: json.RawMessage("null")}
		for _, v := range []string{row.since, row.until} {
			if v != "" && !slices.Contains(e.versions, v) {
				r.doc.report(r.path, "version %q is not in versions", v)
			}
		}
		if v, ok := r.get("value"); ok {
			row.value = asJSON(v, r.doc.places[r.at("value")].raw)
			if row.value == nil {
				r.wrong("value", v, "a string, a number, a boolean or an array of them")
				row.value = json.RawMessage("null")
			}
		}
		r.close()
		rows = append(rows, row)
	}
	return rows
}

// asJSON writes a TOML value as JSON; a number keeps its digits: 4.0 stays 4.0.
func asJSON(v any, raw string) json.RawMessage {
	switch v := v.(type) {
	case float64:
		if json.Valid([]byte(raw)) {
			return json.RawMessage(raw)
		}
	case string, bool, int64:
	case []any:
		for _, e := range v {
			if asJSON(e, "") == nil {
				return nil
			}
		}
	default:
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}

func (n *Names) readWrappers(tables []namesTable) {
	seen := map[string]int{}
	for _, t := range tables {
		id := t.id(seen)
		w := n.wrappers[id]
		w.ID, w.Name, w.Engine = id, cmp.Or(t.text("name"), w.Name, id), cmp.Or(t.text("engine"), w.Engine)
		w.Command = cmp.Or(t.text("command"), w.Command)
		params, _ := t.texts("parameters")
		settings, _ := t.texts("settings")
		t.close()
		if w.ID == "" {
			continue
		}
		n.wrappers[w.ID] = w
		for _, p := range params {
			n.notArguments[p] = w.Name
		}
		for _, p := range settings {
			n.notArguments[p] = "benchmark"
		}
	}
}

// Engine resolves an engine as a source writes it, with its version.
func (n *Names) Engine(name, version string) Engine {
	name, version = clip(strings.TrimSpace(name), longestName), clip(strings.TrimSpace(version), longestName)
	if len(version) > 1 && (version[0] == 'v' || version[0] == 'V') && version[1] >= '0' && version[1] <= '9' {
		version = version[1:]
	}
	if n != nil {
		if i, ok := n.engines.keys[accKey(name)]; ok && name != "" {
			e := n.engines.all[i].Engine
			e.Version = version
			return e
		}
	}
	if name == "" {
		return Engine{Version: version}
	}
	slug := unlistedSlug(name)
	return Engine{ID: slug, Name: name, Slug: slug, Version: version}
}

// Owner says whose parameter a key is that stands among the launch arguments of an engine
// without being one: a wrapper's ("happy_vllm") or a "benchmark" setting. Empty means the
// engine's own, or not known.
func (n *Names) Owner(param string) string {
	if n == nil {
		return ""
	}
	return n.notArguments[param]
}

// Arguments are the launch arguments that a version of an engine is known to have, sorted; nil
// where that is not known.
func (n *Names) Arguments(engineName, version string) []string {
	if n == nil {
		return nil
	}
	i, ok := n.engines.keys[accKey(engineName)]
	if !ok {
		return nil
	}
	var args []string
	for param := range n.engines.all[i].params {
		if _, state := n.Default(engineName, version, param); state == DefaultKnown {
			args = append(args, param)
		}
	}
	slices.Sort(args)
	return args
}

// AllArguments are the launch arguments that any version of an engine is known to have, sorted;
// nil where none is listed.
func (n *Names) AllArguments(engineName string) []string {
	if n == nil {
		return nil
	}
	i, ok := n.engines.keys[accKey(engineName)]
	if !ok {
		return nil
	}
	return slices.Sorted(maps.Keys(n.engines.all[i].params))
}

// Default is the default of a launch argument in a version of an engine, as JSON. Known are the
// versions that data/names lists; between two of them a default is claimed only where both
// agree, and outside of them never. null as default means that the engine chooses.
func (n *Names) Default(engineName, version, param string) (value json.RawMessage, state DefaultState) {
	if n == nil {
		return nil, DefaultUnknown
	}
	i, ok := n.engines.keys[accKey(engineName)]
	if !ok {
		return nil, DefaultUnknown
	}
	e := n.engines.all[i]
	v := n.Engine(engineName, version).Version
	if _, ok := e.params[param]; !ok && n.notArguments[param] != "" {
		return nil, DefaultUnknown // not the engine's to know
	}
	at, exact := slices.BinarySearchFunc(e.versions, v, CompareVersions)
	switch {
	case v == "" || len(e.params) == 0:
		return nil, DefaultUnknown
	case exact:
		return e.at(e.versions[at], param)
	case at == 0 || at == len(e.versions):
		return nil, DefaultUnknown
	}
	before, s1 := e.at(e.versions[at-1], param)
	after, s2 := e.at(e.versions[at], param)
	if s1 != s2 || string(before) != string(after) {
		return nil, DefaultUnknown
	}
	return before, s1
}

// at is the default in a listed version.
func (e *engine) at(version, param string) (json.RawMessage, DefaultState) {
	for _, r := range e.params[param] {
		if (r.since == "" || CompareVersions(r.since, version) <= 0) &&
			(r.until == "" || CompareVersions(version, r.until) <= 0) {
			return slices.Clone(r.value), DefaultKnown
		}
	}
	return nil, ParamUnknownToVersion
}
