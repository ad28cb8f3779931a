package data

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// What the page of comparisons loads to compare runs that a reader chooses: a list of all runs, one
// file a run, one file a version of an engine. Each is a script that calls one function, which a
// browser loads from a folder too. assets/ts/compare.ts reads them; what is decided here (classes
// of workloads, effective values, certainty of medians) is only compared there.

const (
	pathRunList  = view.PathCompare + "/runs.js"
	pathShards   = view.PathCompare + "/runs/"
	pathVersions = view.PathCompare + "/versions/"
)

// shardDigits are the significant digits of measured numbers in shards. Readers see three, and the
// row that a number leads to has all.
const shardDigits = 6

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

// runList is the list of runs to choose from, in short rows: names are places in lists.
type runList struct {
	Metrics  [][]any     `json:"metrics"`  // id, label, base unit, 1 higher is better or -1 lower, name in full
	System   [][2]string `json:"system"`   // parts of the system in their order: key, in words
	Fields   []string    `json:"fields"`   // fields of a workload class in words
	Models   [][2]string `json:"models"`   // name, further words
	Hardware [][2]string `json:"hardware"` // name, further words
	Engines  []string    `json:"engines"`
	Classes  []string    `json:"classes"` // digests of workload classes
	Runs     [][]any     `json:"runs"`    // id, model, hardware, engine, series, day, classes, 1 if withdrawn
	// More is how many runs are left out of a list that would be too large to load.
	More int `json:"more"`
}

// runShard is what one run brings to a comparison.
type runShard struct {
	ID       string `json:"id"`
	Card     string `json:"card"` // slug
	Model    string `json:"model"`
	Hardware string `json:"hardware"`
	Engine   string `json:"engine"`
	Series   string `json:"series"`
	Started  string `json:"started"`
	Tool     string `json:"tool"`
	// Notes are what to know of the run before quoting it; Withdrawn why not to quote it at all.
	Notes     []string `json:"notes,omitempty"`
	Withdrawn string   `json:"withdrawn,omitempty"`
	// Each is the number of accelerators that served; 0 where it is not recorded.
	Each       int              `json:"each,omitempty"`
	Points     int              `json:"points"`
	Done       int64            `json:"done,omitempty"`
	Sent       int64            `json:"sent,omitempty"`
	Meanings   [][2]string      `json:"meanings,omitempty"` // metric, what the tool measures by it
	Figures    [][]any          `json:"figures,omitempty"`  // of the whole run: metric, base unit, direction, of what, value or null, published text
	Workloads  []shardWorkload  `json:"workloads,omitempty"`
	More       int              `json:"more,omitempty"`    // workloads left out
	Version    string           `json:"version,omitempty"` // name of the file of its engine's version
	Recorded   bool             `json:"recorded,omitempty"`
	Parameters []shardParameter `json:"parameters,omitempty"`
}

// shardWorkload is one scenario with its loads in ascending order.
type shardWorkload struct {
	Title  string   `json:"title"`
	Class  string   `json:"class"`
	Fields []string `json:"fields"` // values of the class, as runList.Fields names them
	Axis   string   `json:"axis"`
	Main   bool     `json:"main,omitempty"` // cards are compared by it
	In     float64  `json:"in,omitempty"`   // actual lengths
	Out    float64  `json:"out,omitempty"`
	// Assumed are fields that no record states.
	Assumed []string `json:"assumed,omitempty"`
	Loads   []any    `json:"loads"`   // numbers, or "inf"
	Anchors []string `json:"anchors"` // of the rows on the page of the run
	Short   []int    `json:"short"`   // places of loads at which not all requests were completed
	More    int      `json:"more,omitempty"`
	// Metrics are by metric and statistic, each as long as Loads: null, a number, or a median with
	// lowest, highest, number of measurements, what lowest and highest are (noInterval and so
	// on), and the number of requests where the interval is one over requests.
	Metrics map[metric.ID]map[string][]any `json:"metrics"`
	// User is what one user gets in tok/s, as long as Loads, and UserBasis what it is computed from.
	User      []any  `json:"user,omitempty"`
	UserBasis string `json:"basis,omitempty"`
}

// shardParameter is kind, name, owner, state, effective value or null where it is not known, key,
// and key beside the text of a page where it is another. The key is left out where it is the
// effective value. Text is 1 where the value is the text of a page.
type shardParameter struct{ compare.SideCell }

// MarshalJSON writes the parameter as a short row.
func (p shardParameter) MarshalJSON() ([]byte, error) {
	row := []any{p.Kind, p.Name, p.Owner, int(p.State), nil}
	if p.Known {
		effective, key, textKey := p.Effective, p.Key, p.TextKey
		if len(effective) > 2*shardText {
			// A long value is cut; that it is another one than a value cut alike must not be lost.
			key, textKey = digest(key), digest(textKey)
			effective = page.Clip(effective, shardText)
		}
		row[4] = effective
		row = append(row, orNil(key, effective), orNil(textKey, key), 0)
		if p.Text {
			row[7] = 1
		}
		for len(row) > 5 && (row[len(row)-1] == nil || row[len(row)-1] == 0) {
			row = row[:len(row)-1]
		}
	}
	return json.Marshal(row)
}

// orNil is s, or nil where s is what stands for nil.
func orNil(s, standsFor string) any {
	if s == standsFor {
		return nil
	}
	return s
}

// versionShard is what is known of the launch arguments of a version of an engine: see
// compare.VersionSide.
type versionShard struct {
	Name     string           `json:"name"`
	Defaults []shardParameter `json:"defaults"`
	Listed   bool             `json:"listed,omitempty"`
	Unsure   []string         `json:"unsure,omitempty"`
	Dumped   bool             `json:"dumped,omitempty"`
	Recorded []string         `json:"recorded,omitempty"`
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
	versions := g.versions()
	if !yield(page.File{Path: pathRunList, Write: g.writeRunList}) {
		return false
	}
	for _, v := range versions.list {
		if !yield(page.File{Path: pathVersions + v.Name + ".js", Write: func(w io.Writer) error { return writeCall(w, "version", v) }}) {
			return false
		}
	}
	for _, r := range runs {
		if !yield(page.File{Path: pathShards + catalog.Slug(r.ID) + ".js", Write: func(w io.Writer) error { return writeCall(w, "run", g.runShard(r, versions)) }}) {
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
		s := versionShard{Name: name, Defaults: []shardParameter{}, Listed: v.Listed, Unsure: v.Unsure, Dumped: v.Dumped, Recorded: v.Recorded}
		for _, c := range v.Defaults {
			s.Defaults = append(s.Defaults, shardParameter{c})
		}
		f.list = append(f.list, s)
	}
	return f
}

// thin rounds a measured number for a shard.
func thin(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', shardDigits, 64), 64) // never out of range
	return r
}

// The ways in which a median in a shard has an interval.
const (
	noInterval = iota
	ofMeasurements
	ofRequests    // from the values of all requests
	ofPercentiles // from recorded percentiles that hold it
)

// summarized is what measurements of one thing say, as a shard has it.
func summarized(s figure.Summary) any {
	switch {
	case s.N == 0:
		return nil
	case s.Confidence > 0:
		return []any{thin(s.Median), thin(s.Lo), thin(s.Hi), s.N, ofMeasurements}
	case s.Requests > 0:
		kind := ofPercentiles
		if s.Exact {
			kind = ofRequests
		}
		return []any{thin(s.Median), thin(s.RequestLo), thin(s.RequestHi), s.N, kind, s.Requests}
	case s.N == 1:
		return thin(s.Median)
	}
	return []any{thin(s.Median), thin(s.Lo), thin(s.Hi), s.N, noInterval}
}

// hardwareName is "" where the hardware is not recorded: the page has words for that.
func hardwareName(r *figure.Run) string {
	if r.Hardware.Accelerator.Slug == settings.NotRecorded {
		return ""
	}
	return r.Hardware.Name
}

func (g *Set) runShard(r *figure.Run, versions versionFiles) runShard {
	e, versioned := view.EngineText(r.Engine)
	s := runShard{ID: catalog.Slug(r.ID), Card: r.Card.Slug, Model: r.Model.Name, Hardware: hardwareName(r), Engine: e, Series: page.Clip(view.OwnName(r), 120), Started: r.Started,
		Tool: strings.TrimSpace(view.ToolText(r) + " " + r.Attr("tool_version")), Withdrawn: page.FullStop(r.Withdrawn), Points: len(r.Points),
		Version: versions.of[r.Engine.Slug+" "+r.Engine.Version], Recorded: len(r.Parameters) > 0}
	s.Done, s.Sent = view.Requests(r)
	if r.Hardware.CountAssumed {
		s.Notes = append(s.Notes, "count of accelerators not recorded")
	} else {
		s.Each = r.Hardware.Count
	}
	if r.Hardware.Accelerator.FormFactorUnknown {
		s.Notes = append(s.Notes, "form factor not recorded")
	}
	if e != "" && !versioned {
		s.Notes = append(s.Notes, "engine version not recorded")
	}
	for _, m := range compare.Meanings(r.Identity.Tool) {
		info, _ := metric.Lookup(m.Metric)
		s.Meanings = append(s.Meanings, [2]string{info.Label, m.Text})
	}
	for i, f := range view.WholeFigures(r) {
		if i == shardFigures {
			break
		}
		info, _ := metric.Lookup(f.Metric)
		var v any
		if f.Value != nil {
			v = thin(*f.Value)
		}
		s.Figures = append(s.Figures, []any{info.Label, f.Unit, int(info.Better), page.Clip(view.FigureOfText(f.Of), 120), v, page.Clip(strings.TrimSpace(f.Published), 120)})
	}
	room := shardBytes
	for i, sc := range r.Scenarios {
		w := newShardWorkload(r, sc)
		if data, err := json.Marshal(w); err == nil {
			room -= len(data)
		}
		if i == shardWorkloads || room < 0 && i > 0 {
			s.More = len(r.Scenarios) - i
			break
		}
		s.Workloads = append(s.Workloads, w)
	}
	ps := g.Arguments.Side(r)
	for _, c := range ps[:min(len(ps), shardParameters)] {
		if c.Kind == compare.KindSystem || len(c.Name) <= shardText {
			s.Parameters = append(s.Parameters, shardParameter{c})
		}
	}
	return s
}

func newShardWorkload(r *figure.Run, sc *figure.Scenario) shardWorkload {
	w := shardWorkload{Title: sc.Title, Class: digest(sc.Class), Axis: sc.Axis, Main: view.Preferred(sc), Assumed: sc.NotRecorded, Short: []int{}, Metrics: map[metric.ID]map[string][]any{}}
	w.Fields = compare.ClassValues(r, sc)
	w.In, w.Out = sc.ActualLengths()
	loads := sc.Loads()
	if len(loads) > shardLoads {
		w.More = len(loads) - shardLoads
		loads = loads[:shardLoads]
	}
	for i, l := range loads {
		if math.IsInf(l, 1) {
			w.Loads = append(w.Loads, "inf")
		} else {
			w.Loads = append(w.Loads, l)
		}
		at := sc.AllAt(l)
		w.Anchors = append(w.Anchors, view.PointID(sc, at[0]))
		if _, _, short := view.Incomplete(at); short {
			w.Short = append(w.Short, i)
		}
		for _, info := range metric.Shown(metric.Shard) {
			m := info.ID
			for _, stats := range info.Columns(metric.Shard) {
				stat := stats[0]
				v := summarized(figure.SummarizePoints(at, m, stat))
				if v == nil {
					continue
				}
				if w.Metrics[m] == nil {
					w.Metrics[m] = map[string][]any{}
				}
				if w.Metrics[m][stat] == nil {
					w.Metrics[m][stat] = make([]any, len(loads))
				}
				w.Metrics[m][stat][i] = v
			}
		}
		if v, basis, ok := figure.SpeedPerUser(at[0]); ok {
			if w.User == nil {
				w.User = make([]any, len(loads))
			}
			w.User[i], w.UserBasis = thin(v), basis
		}
	}
	for _, stats := range w.Metrics {
		spare(stats, metric.Median, metric.Mean)
		spare(stats, metric.P99, metric.P95, metric.P90)
		spare(stats, metric.P95, metric.P90)
	}
	return w
}

// spare leaves out statistics that nobody looks at, because a better one is there at every load.
func spare(stats map[string][]any, better string, worse ...string) {
	if stats[better] == nil {
		return
	}
	for _, s := range worse {
		needed := false
		for i, v := range stats[s] {
			needed = needed || v != nil && stats[better][i] == nil
		}
		if !needed {
			delete(stats, s)
		}
	}
}

// writeRunList writes the list of runs, the newest first.
func (g *Set) writeRunList(w io.Writer) error {
	list := runList{Fields: []string{}, Metrics: [][]any{}, Models: [][2]string{}, Hardware: [][2]string{}, Engines: []string{}, Classes: []string{}, Runs: [][]any{}}
	for _, info := range metric.Shown(metric.Shard) {
		list.Metrics = append(list.Metrics, []any{info.ID, info.Label, info.Unit, int(info.Better), info.Long})
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
			list.Models = append(list.Models, [2]string{r.Model.Name, furtherWords(r.Model.Name, append([]string{r.Model.ID, r.Model.Quantization, r.Model.Precision}, r.Model.Aliases...)...)})
		})
		hw := at(hardware, r.Hardware.Slug, func() {
			list.Hardware = append(list.Hardware, [2]string{hardwareName(r), acceleratorWords(r.Hardware.Accelerator)})
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
