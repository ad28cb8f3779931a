package compare

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// ParameterKind says what a row of a [ParameterDiff] is about.
type ParameterKind string

// The kinds, in the order in which they are shown.
const (
	KindSystem      ParameterKind = "system"      // model, hardware, engine version, image, driver
	KindArgument    ParameterKind = "argument"    // launch arguments of the engine
	KindWrapper     ParameterKind = "wrapper"     // launch arguments of what stands around the engine
	KindEnvironment ParameterKind = "environment" // environment variables of the server
	KindClient      ParameterKind = "client"      // settings of the measurement
)

// ParameterCell is one run's side of a row.
type ParameterCell struct {
	State catalog.ParameterState
	// Recorded is the value as recorded, JSON or, where Text is set, the text of a page; nil
	// where nothing is recorded.
	Recorded json.RawMessage
	Text     bool
	// Effective is the value the engine ran with, as readers read it; meaningful where Known is
	// set. "null" says that the engine chose by itself.
	Effective string
	Known     bool
	// Default says that Effective is the version's default and no recorded value.
	Default bool
	// At is where it was recorded; File and Line for what is no launch parameter.
	At   catalog.Place
	File string
	Line int

	effective json.RawMessage
	key       string // equal for equal effective values
}

// String is the effective value with what has to be known of it.
func (c ParameterCell) String() string {
	switch {
	case c.Known && c.Default:
		return c.Effective + " (default)"
	case c.Known:
		return c.Effective
	case c.State == catalog.StateUnknownToVersion:
		return "unknown to this version"
	case c.State == catalog.StateRedacted:
		return "redacted"
	}
	return "not recorded"
}

// know sets the effective value.
func (c *ParameterCell) know(value json.RawMessage) {
	c.Known, c.effective, c.Effective = true, value, catalog.Plain(value)
}

// ParameterRow is one parameter of all compared runs.
type ParameterRow struct {
	Kind ParameterKind
	// Name is canonical: "tensor_parallel_size".
	Name string
	// Owner is whose parameter it is where that is not the engine: "happy_vllm".
	Owner string
	// Cells are parallel to the runs.
	Cells []ParameterCell
}

// ParameterDiff is what launch parameters, environment and system of runs have different.
type ParameterDiff struct {
	Runs []*figure.Run
	// Differs are the rows of which two effective values are known and unequal.
	Differs []ParameterRow
	// OneVersion are launch arguments that some of the runs' engine versions know and others do
	// not, whose known values do not differ.
	OneVersion []ParameterRow
	// Unclear are rows of which fewer than two effective values are known: recorded on one side
	// alone, redacted, or left at a default that nobody listed. They never count as different.
	Unclear []ParameterRow
	// Same are the others.
	Same []ParameterRow
}

// Of returns the rows of a kind.
func Of(rows []ParameterRow, kind ParameterKind) []ParameterRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r ParameterRow) bool { return r.Kind != kind })
}

// systemKeys are the attributes that describe what a run ran on and with.
var systemKeys = []string{"engine_commit", "image", "wrapper", "precision", "tokenizer", "driver", "cuda", "rocm",
	"gpu_memory", "power_limit",
	"topology", "cpu", "ram", "os", "kernel", "tool_version"}

// argumentAliases are the short and the second spellings of launch arguments: an engine, the spelling, the name.
var argumentAliases = [...][3]string{
	{"vllm", "tp", "tensor_parallel_size"}, {"vllm", "pp", "pipeline_parallel_size"}, {"vllm", "dp", "data_parallel_size"},
	{"vllm", "q", "quantization"}, {"vllm", "cc", "compilation_config"}, {"vllm", "o", "compilation_config"},
	{"vllm", "ac", "additional_config"}, {"vllm", "r", "data_parallel_rank"}, {"vllm", "ep", "enable_expert_parallel"},
	{"sglang", "tp", "tp_size"}, {"sglang", "tensor_parallel_size", "tp_size"}, {"sglang", "pp", "pp_size"},
	{"sglang", "pipeline_parallel_size", "pp_size"}, {"sglang", "dp", "dp_size"}, {"sglang", "data_parallel_size", "dp_size"},
	{"sglang", "ep", "ep_size"}, {"sglang", "expert_parallel_size", "ep_size"},
}

// canonicalArgument is the one name of a launch argument: lower case with underscores, without
// leading dashes, aliases resolved. negated says that the name began with "no_" and means the
// opposite of the canonical one.
func canonicalArgument(n *settings.Names, e settings.Engine, name string) (canonical string, negated bool) {
	c := strings.ReplaceAll(strings.ToLower(strings.TrimLeft(name, "-")), "-", "_")
	for i := range argumentAliases {
		if a := &argumentAliases[i]; a[1] == c && a[0] == e.ID {
			return a[2], false
		}
	}
	positive, ok := strings.CutPrefix(c, "no_")
	if !ok {
		return c, false
	}
	known := n.Arguments(e.ID, e.Version)
	if !slices.Contains(known, c) && (slices.Contains(known, positive) || strings.HasPrefix(positive, "enable_")) {
		return positive, true
	}
	return c, false
}

// versionKnowledge says what the runs of a catalog teach of the arguments of an engine's version.
type versionKnowledge struct {
	// dumped says that one of the runs records all arguments, those left at null too.
	dumped bool
	names  map[string]bool
}

// Arguments knows the launch arguments of engines: by data/names, and by what the runs of a catalog
// teach of the versions they were measured with.
type Arguments struct {
	names *settings.Names
	runs  []*figure.Run
	// learnt is what the runs teach, gathered when it is first asked for.
	learnt func() map[string]versionKnowledge
	// copies are runs by whether they are copies of older ones, each found out once.
	copies sync.Map
}

// NewArguments learns from runs.
func NewArguments(n *settings.Names, runs []*figure.Run) *Arguments {
	a := &Arguments{names: n, runs: runs}
	a.learnt = sync.OnceValue(a.learn)
	return a
}

// learn gathers, for each engine and version, the arguments its runs record.
func (a *Arguments) learn() map[string]versionKnowledge {
	out := map[string]versionKnowledge{}
	for _, r := range a.runs {
		if r.Engine.Version == "" {
			continue
		}
		key := r.Engine.Slug + " " + r.Engine.Version
		k := out[key]
		if k.names == nil {
			k.names = map[string]bool{}
		}
		for name, p := range r.Parameters {
			c, _ := canonicalArgument(a.names, r.Engine, name)
			k.names[c] = true
			k.dumped = k.dumped || p.Null()
		}
		out[key] = k
	}
	return out
}

// Known is what the runs teach of the version that a run was measured with: the names of its arguments in their order,
// and whether one of the runs records all of them.
func (a *Arguments) Known(r *figure.Run) (names []string, dumped bool) {
	k := a.learnt()[r.Engine.Slug+" "+r.Engine.Version]
	return slices.Sorted(maps.Keys(k.names)), k.dumped
}

// Diff compares the launch parameters, environment and system of two or more runs by
// their effective values: an argument that is null, or that a command line left out, has the
// version's default where data/names lists it, and is else not known, which never differs.
func (a *Arguments) Diff(runs ...*figure.Run) ParameterDiff {
	d := ParameterDiff{Runs: runs}
	learnt := a.learnt()
	put := func(row ParameterRow) {
		known, unknownToVersion, keys := 0, 0, map[string]bool{}
		for _, c := range row.Cells {
			if c.Known {
				known++
				keys[c.key] = true
			}
			if c.State == catalog.StateUnknownToVersion {
				unknownToVersion++
			}
		}
		switch {
		case len(keys) > 1:
			d.Differs = append(d.Differs, row)
		case unknownToVersion > 0 && unknownToVersion < len(row.Cells):
			d.OneVersion = append(d.OneVersion, row)
		case known < len(row.Cells):
			d.Unclear = append(d.Unclear, row)
		default:
			d.Same = append(d.Same, row)
		}
	}
	for _, row := range a.systemRows(runs) {
		put(row)
	}
	parameters := make([]map[string]catalog.Parameter, len(runs))
	clients := make([]map[string]catalog.Parameter, len(runs))
	environments := make([]map[string]catalog.Parameter, len(runs))
	for i, r := range runs {
		parameters[i], environments[i], clients[i] = a.canonicalParameters(r), r.Env, r.Client
	}
	for _, name := range unionOf(parameters) {
		row := ParameterRow{Kind: ownedKind(a.names.Owner(name)), Name: name, Owner: a.names.Owner(name)}
		for i, r := range runs {
			row.Cells = append(row.Cells, a.argumentCell(r, parameters[i], name, row.Kind == KindArgument,
				learnt[r.Engine.Slug+" "+r.Engine.Version]))
		}
		put(withKeys(row))
	}
	for _, set := range []struct {
		kind ParameterKind
		of   []map[string]catalog.Parameter
	}{{KindEnvironment, environments}, {KindClient, clients}} {
		for _, name := range unionOf(set.of) {
			row := ParameterRow{Kind: set.kind, Name: name}
			for i := range runs {
				row.Cells = append(row.Cells, recordedCell(set.of[i], name))
			}
			put(withKeys(row))
		}
	}
	return d
}

// Argument is a launch argument of one run beside the default of its engine's version.
type Argument struct {
	// Name is as recorded.
	Name  string
	Value catalog.Parameter
	State catalog.ParameterState
	// Owner is whose argument it is where that is not the engine: "happy_vllm".
	Owner string
	// Default is the version's; nil where it is not known.
	Default json.RawMessage
}

// Of are the launch arguments that a run records, by name, and behind them those that its engine's
// version is known to have and that nothing records: what was in effect is their default unless
// something unrecorded changed it.
func (a *Arguments) Of(r *figure.Run) []Argument {
	var out []Argument
	_, owned := a.names.Wrapper(r.Attr("wrapper"))
	owned = owned || r.Tool.Wrapper != ""
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		p := Argument{Name: name, Value: r.Parameters[name]}
		value, known := a.names.Default(r.Engine.Name, r.Engine.Version, name)
		if known == settings.DefaultKnown {
			p.Default = value
		}
		p.State = p.Value.Beside(p.Default)
		if p.State == catalog.StateRedacted || p.State == catalog.StateNull {
			out = append(out, p)
			continue
		}
		if owned { // a dump holds the wrapper's settings and the benchmark's beside the engine's
			p.Owner = a.names.Owner(name)
		}
		if p.Owner == "" && known == settings.ParamUnknownToVersion {
			p.State = catalog.StateUnknownToVersion
		}
		out = append(out, p)
	}
	for _, name := range a.names.Arguments(r.Engine.Name, r.Engine.Version) {
		if _, recorded := r.Parameters[name]; !recorded {
			value, _ := a.names.Default(r.Engine.Name, r.Engine.Version, name)
			out = append(out, Argument{Name: name, Default: value})
		}
	}
	return out
}

// ownedKind is what a recorded launch argument is by its owner; "" is the engine itself.
func ownedKind(owner string) ParameterKind {
	switch owner {
	case "":
		return KindArgument
	case "benchmark":
		return KindClient
	}
	return KindWrapper
}

// canonicalParameters are the launch arguments of a run by their canonical names.
func (a *Arguments) canonicalParameters(r *figure.Run) map[string]catalog.Parameter {
	out := map[string]catalog.Parameter{}
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		c, negated := canonicalArgument(a.names, r.Engine, name)
		p := r.Parameters[name]
		if negated {
			p.Value = negation(p.Value)
		}
		if _, taken := out[c]; !taken || c == name {
			out[c] = p
		}
	}
	return out
}

// systemRows are the rows of what is no parameter. What one side does not record is not known.
func (a *Arguments) systemRows(runs []*figure.Run) []ParameterRow {
	row := func(name string, get func(*figure.Run) (string, catalog.Attribute)) ParameterRow {
		out := ParameterRow{Kind: KindSystem, Name: name}
		for _, r := range runs {
			v, at := get(r)
			c := ParameterCell{File: at.File, Line: at.Line}
			if v != "" {
				c.State, c.Known, c.Effective, c.key = catalog.StateValue, true, v, v
			}
			out.Cells = append(out.Cells, c)
		}
		return out
	}
	rows := []ParameterRow{
		row("model", func(r *figure.Run) (string, catalog.Attribute) { return r.Model.Name, r.Attributes["model"] }),
		row("hardware", func(r *figure.Run) (string, catalog.Attribute) {
			if r.Hardware.Accelerator.Slug == settings.NotRecorded {
				return "", catalog.Attribute{}
			}
			return r.Hardware.Name, r.Attributes["hardware"]
		}),
		row("engine", func(r *figure.Run) (string, catalog.Attribute) { return r.Engine.Name, r.Attributes["engine"] }),
		row("engine_version", func(r *figure.Run) (string, catalog.Attribute) {
			return r.Engine.Version, r.Attributes["engine_version"]
		}),
	}
	for _, k := range systemKeys {
		of := row(k, func(r *figure.Run) (string, catalog.Attribute) { return r.Attr(k), r.Attributes[k] })
		if k == "precision" {
			for i := range of.Cells { // shown as recorded, compared by what it means
				if c := &of.Cells[i]; c.Known {
					c.key = a.names.Quantization(c.Effective).ID
				}
			}
		}
		rows = append(rows, of)
	}
	// What nobody records is no row.
	return slices.DeleteFunc(rows, func(r ParameterRow) bool {
		return !slices.ContainsFunc(r.Cells, func(c ParameterCell) bool { return c.Known })
	})
}

// argumentCell is a launch argument of a run by the five states.
func (a *Arguments) argumentCell(r *figure.Run, ps map[string]catalog.Parameter, name string, engines bool,
	learnt versionKnowledge) ParameterCell {
	c := recordedCell(ps, name)
	if c.State == catalog.StateValue || c.State == catalog.StateRedacted {
		return c
	}
	if !engines {
		if c.State == catalog.StateNull {
			c.know(json.RawMessage("null"))
		}
		return c
	}
	value, state := a.names.Default(r.Engine.ID, r.Engine.Version, name)
	switch {
	case state == settings.DefaultKnown && (c.State == catalog.StateNull || len(ps) > 0):
		c.Default = true
		c.know(value)
	case state == settings.ParamUnknownToVersion && c.State == catalog.StateAbsent && len(ps) > 0:
		c.State = catalog.StateUnknownToVersion
	case c.State == catalog.StateAbsent && state == settings.DefaultUnknown && learnt.dumped && !learnt.names[name]:
		c.State = catalog.StateUnknownToVersion
	}
	return c
}

// recordedCell is what a record says of a name, without defaults.
func recordedCell(ps map[string]catalog.Parameter, name string) ParameterCell {
	p, ok := ps[name]
	if !ok {
		return ParameterCell{State: catalog.StateAbsent}
	}
	c := ParameterCell{Recorded: p.Value, Text: p.Text, At: p.At}
	switch {
	case p.Redacted:
		c.State = catalog.StateRedacted
	case p.Null():
		c.State = catalog.StateNull
	default:
		c.State = catalog.StateValue
		c.know(p.Value)
	}
	return c
}

// withKeys gives the cells of a row keys that are equal for equal effective values.
func withKeys(row ParameterRow) ParameterRow {
	text := slices.ContainsFunc(row.Cells, func(c ParameterCell) bool { return c.Text })
	for i := range row.Cells {
		if c := &row.Cells[i]; c.Known {
			c.key = catalog.Parameter{Value: c.effective, Text: c.Text && !c.Default}.Key(text)
		}
	}
	return row
}

func negation(v json.RawMessage) json.RawMessage {
	switch string(bytes.TrimSpace(v)) {
	case "true":
		return json.RawMessage("false")
	case "false":
		return json.RawMessage("true")
	}
	return v
}

func unionOf(ms []map[string]catalog.Parameter) []string {
	all := map[string]bool{}
	for _, m := range ms {
		for n := range m {
			all[n] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
