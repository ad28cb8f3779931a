package data

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// What the page of comparisons loads to compare runs that a reader chooses: a list of all runs, one
// file a run, one file a version of an engine. Each is a script that calls one function, which a
// browser loads from a folder too. assets/ts/compare.ts chooses and places what is written here.

const (
	pathRunList  = view.PathCompare + "/runs.js"
	pathShards   = view.PathCompare + "/runs/"
	pathVersions = view.PathCompare + "/versions/"
)

// The bounds of one shard, so that no run becomes a file that a browser should not load. What is
// left out is said on the page; the page of the run has everything.
const (
	shardWorkloads  = 60
	shardLoads      = 80
	shardParameters = 600
	shardFigures    = 24
	shardText       = 300       // characters of a parameter's value
	shardBytes      = 500 << 10 // of workloads
	listBytes       = 900 << 10
)

// runList is the list of runs to choose from, in short rows: names are places in lists. With it are
// the words that all runs share.
type runList struct {
	Quantities []quantity `json:"quantities"` // in their order
	// Judged are the keys of those that tell which load is shown first.
	Judged   []string                         `json:"judged"`
	Facts    [][2]string                      `json:"facts"` // rows of the table of runs: label, what else stands there
	Axes     map[string]axis                  `json:"axes"`
	Sure     []string                         `json:"sure"`   // see compare.SureOf
	Says     map[string]string                `json:"says"`   // see compare.Sentences
	States   [][2]string                      `json:"states"` // of parameters: text where there is no value, second line
	Kinds    map[compare.ParameterKind]string `json:"kinds"`  // of parameters, in words
	System   [][2]string                      `json:"system"` // parts of the system in their order: key, in words
	Fields   []string                         `json:"fields"` // fields of a workload class in words
	Ladder   chart.Ladder                     `json:"ladder"`
	Models   [][2]string                      `json:"models"`   // name, further words
	Hardware [][2]string                      `json:"hardware"` // name, further words
	Engines  []string                         `json:"engines"`
	Classes  []string                         `json:"classes"` // digests of workload classes
	// Runs are id, model, hardware, engine, series, day, classes, 1 if withdrawn.
	Runs [][]any `json:"runs"`
	// More is how many runs are left out of a list that would be too large to load.
	More int `json:"more"`
}

// quantity is a statistic of a metric. Of the quantities of one family, the one is compared that
// most runs have, the first of several.
type quantity struct {
	Key    string           `json:"key"` // of compare.MemberWorkload.Rows
	Family string           `json:"family"`
	Label  string           `json:"label"`
	Stat   string           `json:"stat"` // "" where there is one value
	Name   string           `json:"name"` // both
	Long   string           `json:"long"`
	Better metric.Direction `json:"better"`
	stat   string
	metric metric.ID
}

// axis is the horizontal axis of a chart by load.
type axis struct {
	Title   string `json:"title"`
	Unit    string `json:"unit"`
	Pow2    bool   `json:"pow2"`
	Caption string `json:"caption"`
}

// mostChosen is how many runs a reader compares at most; assets/ts/compare.ts has it too.
const mostChosen = 6

// upperFirst begins a definition with a capital.
func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// judged are the quantities whose best load is shown first, the first that a run has.
var judged = []string{
	quantityKey(metric.OutputThroughput, metric.Value), quantityKey(metric.TotalThroughput, metric.Value),
	quantityKey(metric.RequestThroughput, metric.Value),
}

func quantityKey(m metric.ID, stat string) string { return string(m) + "." + stat }

// families are the statistics of which one stands for a metric, and for its slow end.
var families = [][]string{
	{metric.Value, metric.Median, metric.Mean, metric.Max}, {metric.P99, metric.P95, metric.P90},
}

// quantities are all that members are compared by.
var quantities = func() (qs []quantity) {
	for _, info := range metric.Shown(metric.Shard) {
		for _, family := range families {
			for _, stat := range family {
				has := func(column []string) bool { return column[0] == stat }
				if !slices.ContainsFunc(info.Columns(metric.Shard), has) {
					continue
				}
				q := quantity{Key: quantityKey(info.ID, stat), Family: quantityKey(info.ID, family[0]),
					Label: info.Label, Stat: stat, Name: info.Label + ", " + stat,
					Long: upperFirst(info.Long) + ", " + stat, Better: info.Better, stat: stat, metric: info.ID}
				if stat == metric.Value {
					q.Stat, q.Name, q.Long = "", info.Label, upperFirst(info.Long)
				}
				qs = append(qs, q)
			}
		}
	}
	return qs
}()

// versionShard is what is known of the launch arguments of a version of an engine.
type versionShard struct {
	Name string `json:"name"`
	compare.VersionSide
}

func digest(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:5])
}

// shardFiles are all files that the page of comparisons loads. A run whose model or hardware no
// source names is not offered: nobody knows what it would be compared with.
func (g *Set) shardFiles(yield func(page.File) bool) bool {
	runs := g.Index.Identified
	if len(runs) == 0 {
		return true
	}
	s := members{Set: g, versions: g.versions(), units: unitsOf(runs)}
	units := digest(fmt.Sprint(s.units)) // maps are printed in the order of their keys
	if !yield(page.File{Path: pathRunList, Write: g.writeRunList}) {
		return false
	}
	call := func(path, function, of string, v func() any) bool {
		return yield(page.File{Path: path, Of: of,
			Write: func(w io.Writer) error { return writeCall(w, function, v()) }})
	}
	for _, v := range s.versions.list {
		if !call(pathVersions+v.Name+".js", "version", "", func() any { return v }) {
			return false
		}
	}
	for _, r := range runs {
		of := g.OfRun(r)
		if of != "" {
			of += " " + units + " " + s.versions.of[versionOf(r)]
		}
		if !call(pathShards+catalog.Slug(r.ID)+".js", "run", of, func() any { return s.member(r) }) {
			return false
		}
	}
	return true
}

// writeCall writes a script that calls one function of the page with v. JSON as Go writes it is
// fit for a script: <, >, & and the two line ends that only JavaScript knows are escaped.
func writeCall(w io.Writer, function string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	b.WriteString("inferdex." + function + "(")
	b.Write(data)
	b.WriteString(");\n")
	return b.Flush()
}

// versionFiles are the versions of engines with the names of their files.
type versionFiles struct {
	list []versionShard
	of   map[string]string // by engine slug and version
}

// versionOf is the version of an engine that a run was measured with.
func versionOf(r *figure.Run) string { return r.Engine.Slug + " " + r.Engine.Version }

func (g *Set) versions() versionFiles {
	f := versionFiles{of: map[string]string{}}
	taken := map[string]bool{}
	for _, v := range g.Arguments.Versions() {
		name := catalog.Slug(v.Engine.Slug + "-" + v.Engine.Version)
		for taken[name] {
			name += "-" + digest(v.Engine.Slug+" "+v.Engine.Version)
		}
		taken[name] = true
		f.of[v.Engine.Slug+" "+v.Engine.Version] = name
		v.Defaults = shortened(v.Defaults)
		f.list = append(f.list, versionShard{name, v})
	}
	return f
}

// shortened are parameters without long texts. That two long values are different ones, though they
// are cut alike, is not lost.
func shortened(cells []compare.SideCell) []compare.SideCell {
	out := slices.Clone(cells)
	for i := range out {
		if c := &out[i]; len(c.Effective) > 2*shardText {
			c.Key, c.TextKey = digest(c.Key), digest(c.TextKey)
			c.Effective = page.Clip(c.Effective, shardText)
		}
	}
	return out
}

// units are the units in which the numbers of a quantity are shown, whatever runs are chosen.
type units map[string]metric.Scale

// unitsOf chooses the units by all numbers of a quantity under one workload, and of figures of whole
// runs by those of one kind.
func unitsOf(runs []*figure.Run) units {
	values, base := map[string][]*float64{}, map[string]string{}
	for _, r := range runs {
		for _, s := range r.Scenarios {
			for _, q := range quantities {
				key := s.Class + q.Key
				for _, p := range s.Points {
					if v, ok := figure.Get(p, q.metric, q.stat); ok {
						values[key] = append(values[key], &v)
					}
				}
				info, _ := metric.Lookup(q.metric)
				base[key] = info.Unit
			}
		}
		for _, f := range view.Believed(r, view.WholeFigures(r)) {
			key := figureKey(r, f)
			values[key], base[key] = append(values[key], f.Value), f.Unit
		}
	}
	out := units{}
	for key, vs := range values {
		out[key] = metric.ScaleFor(base[key], vs)
	}
	return out
}

// figureKey is equal for figures of whole runs that may be held against each other.
func figureKey(r *figure.Run, f catalog.Figure) string {
	return digest(strings.Join([]string{toolKey(r), string(f.Metric), f.Unit, f.Of}, "\x00"))
}

// toolKey is equal for tools whose words mean the same.
func toolKey(r *figure.Run) string { return r.Tool.Name }

// members makes what runs bring to a comparison.
type members struct {
	*Set
	versions versionFiles
	units    units
}

func (g members) member(r *figure.Run) compare.Member {
	e, _ := view.EngineText(r.Engine)
	own, started := page.Clip(view.OwnName(r), 120), strings.Replace(r.Started, "T", " ", 1)
	id := catalog.Slug(r.ID)
	day := clip(started, 10)
	m := compare.Member{
		ID: id, Title: r.Card.Title(), Note: note(e, own, clip(started, 16), id), Tool: toolKey(r),
		Words: []string{r.Model.Name, r.Hardware.Name, cmp.Or(e, "engine not recorded"), own, day,
			clip(strings.TrimPrefix(started, day+" "), 5), "run " + id},
		Version:  g.versions.of[versionOf(r)],
		Recorded: len(r.Parameters) > 0, Parameters: g.parameters(r),
	}
	m.Facts = g.facts(r, e, own, started)
	if r.Withdrawn != "" {
		m.Says = append(m.Says, [2]string{"Withdrawn",
			"{a} is withdrawn and must not be quoted: " + metric.FullStop(r.Withdrawn)})
	}
	for _, f := range r.Errors() {
		m.Says = append(m.Says, [2]string{"Not to be believed",
			"{a}: " + metric.FullStop(page.Clip(f.Message, shardText))})
	}
	for _, x := range compare.Meanings(r.Identity.Tool) {
		m.Meanings = append(m.Meanings, [2]string{x.Sentence(""), x.Sentence(toolText(r)) + "."})
	}
	whole := view.Believed(r, view.WholeFigures(r))
	for _, f := range whole[:min(shardFigures, len(whole))] {
		m.Figures = append(m.Figures, g.figure(r, f))
	}
	var more int
	if m.Workloads, more = g.workloads(r); more > 0 {
		m.Says = append(m.Says, [2]string{"Left out",
			metric.Plural(more, "more workload") + " of {a}: its page has all of its points."})
	}
	return m
}

// note joins what is known.
func note(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// clip is the beginning of a text.
func clip(s string, n int) string { return s[:min(n, len(s))] }

// toolText is the tool of a run with its version.
func toolText(r *figure.Run) string {
	return strings.TrimSpace(r.Tool.Name + " " + r.Attr("tool_version"))
}

// factRows are the rows of the table of runs, with what stands where a run has no such fact.
var factRows = [][2]string{{"Card"}, {"Run"}, {"Engine", "not recorded"}, {"Measured with", "not recorded"},
	{"Started", "not recorded"}, {"Points, requests"}, {"To know", "nothing"}}

// facts are the cells of a run by factRows.
func (g members) facts(r *figure.Run, engine, own, started string) []*compare.MemberFact {
	fact := func(s string) *compare.MemberFact {
		if s == "" {
			return nil
		}
		return &compare.MemberFact{Text: s}
	}
	points := &compare.MemberFact{Text: metric.Count(int64(len(r.Points)))}
	if done, sent := view.Requests(r); sent > 0 {
		points.Text += ", " + metric.Count(sent)
		if sent > done {
			points.Sub, points.Warn = metric.Count(sent-done)+" not completed", true
		}
	}
	var notes []string
	for _, n := range []struct {
		is   bool
		text string
	}{
		{r.Hardware.CountAssumed, "count of accelerators not recorded"},
		{r.Hardware.Accelerator.FormFactorUnknown, "form factor not recorded"},
		{engine != "" && r.Engine.Version == "", "engine version not recorded"},
	} {
		if n.is {
			notes = append(notes, n.text)
		}
	}
	know := fact(page.Enumerate(notes))
	if know != nil {
		know.Warn = true
	}
	return []*compare.MemberFact{
		{Text: r.Card.Title(), Href: page.Place("").To(page.PathCard(r.Card.Slug), "")},
		{Text: r.ID, Href: page.Place("").To(view.PathRun(r.ID), ""), Code: true, Sub: own},
		fact(engine), fact(toolText(r)), fact(started), points, know,
	}
}

func (g members) figure(r *figure.Run, f catalog.Figure) compare.MemberFigure {
	info, _ := metric.Lookup(f.Metric)
	key := figureKey(r, f)
	scale := g.units[key]
	of := page.Clip(view.FigureOfText(f.Of), 120)
	x := compare.MemberFigure{Key: key, Label: info.Label, Better: info.Better,
		Sub: strings.TrimPrefix(of+", "+scale.Unit, ", ")}
	if f.Value != nil {
		x.Cell = compare.NewMemberCell(figure.Summarize([]float64{*f.Value}), scale)
	} else {
		x.Cell = compare.MemberCell{Value: math.NaN(), Text: page.Clip(strings.TrimSpace(f.Published), 120)}
	}
	return x
}

// parameters are what a run records of its parameters, within bounds.
func (g members) parameters(r *figure.Run) []compare.SideCell {
	ps := g.Arguments.Side(r)
	long := func(c compare.SideCell) bool { return c.Kind != compare.KindSystem && len(c.Name) > shardText }
	return shortened(slices.DeleteFunc(ps[:min(len(ps), shardParameters)], long))
}

// workloads are those of a run within bounds; more is how many are left out.
func (g members) workloads(r *figure.Run) (out []compare.MemberWorkload, more int) {
	room := shardBytes
	seen := map[string]int{}
	for i, s := range r.Scenarios {
		w := g.workload(r, s)
		if seen[w.Key]++; seen[w.Key] > 1 { // the second of one class stands for the second of another run
			w.Key += fmt.Sprint(".", seen[w.Key])
		}
		if data, err := json.Marshal(w); err == nil {
			room -= len(data)
		}
		if i == shardWorkloads || room < 0 && i > 0 {
			return out, len(r.Scenarios) - i
		}
		out = append(out, w)
	}
	return out, 0
}

func (g members) workload(r *figure.Run, s *figure.Scenario) compare.MemberWorkload {
	w := compare.MemberWorkload{Title: s.Title, Key: digest(s.Class), Fields: compare.ClassValues(r, s), Axis: s.Axis,
		Main: view.Preferred(s), Assumed: page.Enumerate(s.NotRecorded), Rows: map[string][]any{}}
	in, out := s.ActualLengths()
	w.In, w.Out = length(in), length(out)
	loads := s.Loads()
	loads = loads[:min(len(loads), shardLoads)]
	for i, l := range loads {
		at := s.AllAt(l)
		_, _, short := view.Incomplete(at)
		w.Loads = append(w.Loads, compare.MemberLoad{Load: figure.LoadKey(at[0]), Phrase: figure.LoadPhrase(at[0]),
			Anchor: view.PointID(s, at[0]), Short: short, Full: full(at)})
		for _, q := range quantities {
			sum := figure.SummarizePoints(at, q.metric, q.stat)
			if sum.N == 0 {
				continue
			}
			w.Sure = max(w.Sure, compare.Sure(sum))
			scale := g.units[s.Class+q.Key]
			if w.Rows[q.Key] == nil {
				w.Rows[q.Key] = make([]any, 1+len(loads))
				w.Rows[q.Key][0] = scale.Unit
			}
			w.Rows[q.Key][1+i] = compare.NewMemberCell(sum, scale, quartiles(at, q)...)
		}
		if user, basis := speeds(r, at[0]); user != nil {
			if w.User == nil {
				w.User = make([]*[3]*compare.MemberCell, len(loads))
			}
			w.User[i], w.Basis = user, basis
		}
	}
	spare(w.Rows)
	return w
}

// length is an actual length of requests in tokens.
func length(v float64) *compare.MemberCell {
	if v <= 0 {
		return nil
	}
	return &compare.MemberCell{Value: v, Text: metric.Format(v)}
}

// full reports whether points used at least 95 % of the KV cache.
func full(at []*catalog.Point) bool {
	for _, stat := range []string{metric.Value, metric.Max} {
		if s := figure.SummarizePoints(at, metric.KVCacheUsage, stat); s.N > 0 {
			return s.Median >= 0.95
		}
	}
	return false
}

// quartiles are those behind a median.
func quartiles(at []*catalog.Point, q quantity) []float64 {
	if q.stat != metric.Median {
		return nil
	}
	lo, hi := figure.SummarizePoints(at, q.metric, metric.P25), figure.SummarizePoints(at, q.metric, metric.P75)
	if lo.N == 0 || hi.N == 0 {
		return nil
	}
	return []float64{lo.Median, hi.Median}
}

// speeds are what one user gets at a load, and what all get together and of each accelerator.
func speeds(r *figure.Run, p *catalog.Point) (*[3]*compare.MemberCell, string) {
	x, basis, ok1 := figure.SpeedPerUser(p)
	y, ok2 := figure.Throughput(p)
	if !ok1 || !ok2 || math.IsInf(figure.LoadOf(p), 0) {
		return nil, ""
	}
	cell := func(v float64) *compare.MemberCell { return &compare.MemberCell{Value: v, Text: metric.Format(v)} }
	out := [3]*compare.MemberCell{cell(x), cell(y)}
	if each, ok := r.PerAccelerator(p); ok {
		out[2] = cell(each)
	}
	return &out, basis
}

// spare leaves out statistics that nobody looks at, because a better one of the family is there at
// every load.
func spare(rows map[string][]any) {
	for i, better := range quantities {
		if rows[better.Key] == nil || better.stat == metric.Value {
			continue
		}
		for _, worse := range quantities[i+1:] {
			if worse.Family == better.Family && covers(rows[better.Key], rows[worse.Key]) {
				delete(rows, worse.Key)
			}
		}
	}
}

// covers reports whether a has a cell wherever b has one.
func covers(a, b []any) bool {
	for i := range b {
		if b[i] != nil && a[i] == nil {
			return false
		}
	}
	return true
}

// writeRunList writes the list of runs, the newest first.
func (g *Set) writeRunList(w io.Writer) error {
	list := runList{
		Quantities: quantities, Judged: judged, Facts: factRows, Axes: map[string]axis{}, Sure: compare.SureOf(),
		Says: compare.Sentences, States: view.ParameterStates(), Kinds: view.ParameterKinds(), Fields: []string{},
		Ladder: chart.NewLadder(mostChosen), Models: [][2]string{}, Hardware: [][2]string{}, Engines: []string{},
		Classes: []string{}, Runs: [][]any{},
	}
	for _, a := range []string{record.AxisConcurrency, record.AxisRate, record.AxisBatch, ""} {
		var x axis
		x.Title, x.Unit, x.Pow2, x.Caption = view.LoadAxis(a)
		list.Axes[a] = x
	}
	for _, k := range compare.SystemRows() {
		list.System = append(list.System, [2]string{k, view.AttributeLabel(k)})
	}
	models, hardware, engines, classes := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	at := func(m map[string]int, key string, add func()) int {
		i, ok := m[key]
		if !ok {
			i = len(m)
			m[key] = i
			add()
		}
		return i
	}
	for _, r := range g.Index.Identified {
		model := at(models, r.Model.Slug, func() {
			words := append([]string{r.Model.ID, r.Model.Quantization, r.Model.Precision}, r.Model.Aliases...)
			list.Models = append(list.Models, [2]string{r.Model.Name, furtherWords(r.Model.Name, words...)})
		})
		hw := at(hardware, r.Hardware.Slug, func() {
			list.Hardware = append(list.Hardware, [2]string{r.Hardware.Name, acceleratorWords(r.Hardware.Accelerator)})
		})
		e, _ := view.EngineText(r.Engine)
		engine := at(engines, e, func() { list.Engines = append(list.Engines, e) })
		own := []int{}
		for _, s := range r.Scenarios[:min(len(r.Scenarios), shardWorkloads)] {
			if len(list.Fields) == 0 {
				for _, f := range figure.ClassFields(r.Run, s) {
					list.Fields = append(list.Fields, f.Name)
				}
			}
			d := digest(s.Class)
			if c := at(classes, d, func() { list.Classes = append(list.Classes, d) }); !slices.Contains(own, c) {
				own = append(own, c)
			}
		}
		row := []any{catalog.Slug(r.ID), model, hw, engine, page.Clip(view.OwnName(r), 120), page.Day(r.Started), own}
		if r.Withdrawn != "" {
			row = append(row, 1)
		}
		list.Runs = append(list.Runs, row)
	}
	return writeCall(w, "runs", list.bounded())
}

// bounded is the list without what makes it too large to load: first the classes of runs, which
// only sort what is offered, then the oldest runs.
func (l runList) bounded() runList {
	large := func() bool {
		data, err := json.Marshal(l)
		return err == nil && len(data) > listBytes
	}
	if large() {
		l.Classes = []string{}
		for i := range l.Runs {
			l.Runs[i][6] = []int{}
		}
	}
	for large() && len(l.Runs) > 0 {
		n := cmp.Or(len(l.Runs)/8, 1)
		l.Runs, l.More = l.Runs[:len(l.Runs)-n], l.More+n
	}
	return l
}
