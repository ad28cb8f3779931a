package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// The bounds of a [Member], so that no run becomes a file that a browser should not load. What is left out is said; the
// page of the run has everything.
const (
	MostWorkloads  = 60
	mostLoads      = 80
	mostParameters = 600
	mostFigures    = 24
	mostText       = 300       // characters of a parameter's value
	mostBytes      = 500 << 10 // of workloads
	mostName       = 120       // characters of a name
)

// MemberQuantity is a statistic of a metric that members are compared by. Of the quantities of one family, the one is
// compared that most runs have, the first of several.
type MemberQuantity struct {
	Key    string           `json:"key"` // of [MemberWorkload.Rows]
	Family string           `json:"family"`
	Label  string           `json:"label"`
	Stat   string           `json:"stat"` // "" where there is one value
	Name   string           `json:"name"` // both
	Long   string           `json:"long"`
	Better metric.Direction `json:"better"`
	stat   string
	metric metric.ID
}

// MemberJudged are the keys of the quantities whose best load is shown first, the first that a run has.
var MemberJudged = []string{
	quantityKey(metric.OutputThroughput, metric.Value), quantityKey(metric.TotalThroughput, metric.Value),
	quantityKey(metric.RequestThroughput, metric.Value),
}

// MemberFacts are the rows of the table of runs, with what stands where a run has no such fact.
var MemberFacts = [][2]string{{"Card"}, {"Run"}, {"Engine", "not recorded"}, {"Measured with", "not recorded"},
	{"Started", "not recorded"}, {"Points, requests"}, {"To know", "nothing"}, {"Division", "none"}}

func quantityKey(m metric.ID, stat string) string { return string(m) + "." + stat }

// statFamilies are the statistics of which one stands for a metric, and for its slow end.
var statFamilies = [][]string{
	{metric.Value, metric.Median, metric.Mean, metric.Max}, {metric.P99, metric.P95, metric.P90},
}

// MemberQuantities are all that members are compared by, in their order.
var MemberQuantities = func() (qs []MemberQuantity) {
	for _, info := range metric.Shown(metric.Shard) {
		for _, family := range statFamilies {
			for _, stat := range family {
				has := func(column []string) bool { return column[0] == stat }
				if !slices.ContainsFunc(info.Columns(metric.Shard), has) {
					continue
				}
				long := strings.ToUpper(info.Long[:1]) + info.Long[1:]
				q := MemberQuantity{Key: quantityKey(info.ID, stat), Family: quantityKey(info.ID, family[0]),
					Label: info.Label, Stat: stat, Name: info.Label + ", " + stat,
					Long: long + ", " + stat, Better: info.Better, stat: stat, metric: info.ID}
				if stat == metric.Value {
					q.Stat, q.Name, q.Long = "", info.Label, long
				}
				qs = append(qs, q)
			}
		}
	}
	return qs
}()

// MemberVersion is what is known of the launch arguments of a version of an engine, under the name that
// [Member.Version] has.
type MemberVersion struct {
	Name string `json:"name"`
	VersionSide
}

// MemberPages are the pages that members lead to, from the top of the site. The functions must not be nil.
type MemberPages struct {
	Card func(*figure.Card) string
	Run  func(*figure.Run) string
	// Point is where a point stands below the page of its run: its anchor, behind the path of a further page.
	Point func(*figure.Run, *figure.Scenario, *catalog.Point) string
}

// Members makes what runs bring to a comparison.
type Members struct {
	// Versions are those of the engines of all runs.
	Versions []MemberVersion
	// Units are those that numbers are shown in.
	Units     Units
	arguments *Arguments
	pages     *MemberPages
	versionOf map[string]string // by engine slug and version
}

// NewMembers prepares runs. Units are chosen by what they measured where known, those of a catalog, says nothing; the
// zero Units know nothing. Without pages members lead nowhere, as what is in no catalog does.
func NewMembers(a *Arguments, runs []*figure.Run, known Units, pages *MemberPages) *Members {
	m := &Members{Units: known.with(runs), arguments: a, pages: pages, versionOf: map[string]string{}}
	taken := map[string]bool{}
	for _, v := range a.Versions() {
		name := catalog.Slug(v.Engine.Slug + "-" + v.Engine.Version)
		for taken[name] {
			name += "-" + shortDigest(v.Engine.Slug+" "+v.Engine.Version)
		}
		taken[name] = true
		m.versionOf[v.Engine.Slug+" "+v.Engine.Version] = name
		v.Defaults = shortened(v.Defaults)
		m.Versions = append(m.Versions, MemberVersion{name, v})
	}
	return m
}

// VersionOf is the name of the version of an engine that a run was measured with; "" where it is not known.
func (m *Members) VersionOf(r *figure.Run) string {
	return m.versionOf[r.Engine.Slug+" "+r.Engine.Version]
}

// Of is what a run brings to a comparison.
func (m *Members) Of(r *figure.Run) Member {
	e := r.EngineName()
	own, started := metric.Clip(r.OwnName(), mostName), strings.Replace(r.Started, "T", " ", 1)
	id := catalog.Slug(r.ID)
	day := clip(started, 10)
	x := Member{
		ID: id, Title: r.Card.Title(), Note: memberNote(e, own, clip(started, 16), id), Tool: toolKey(r),
		Words: []string{r.Model.Name, r.Hardware.Name, cmp.Or(e, "engine not recorded"), own, day,
			clip(strings.TrimPrefix(started, day+" "), 5), "run " + id},
		Division: metric.Clip(r.Division(), mostName),
		Version:  m.VersionOf(r),
		Recorded: len(r.Parameters) > 0, Parameters: m.parameters(r),
	}
	if !r.Hardware.CountAssumed {
		x.Accelerators = r.Hardware.Count
	}
	x.Facts = m.facts(r, e, own, started)
	if r.Withdrawn != "" {
		x.Says = append(x.Says, [2]string{"Withdrawn",
			"{a} is withdrawn and must not be quoted: " + metric.FullStop(r.Withdrawn)})
	}
	for _, f := range r.Errors() {
		x.Says = append(x.Says, [2]string{"Not to be believed",
			"{a}: " + metric.FullStop(metric.Clip(f.Message, mostText))})
	}
	for _, means := range Meanings(r.Identity.Tool) {
		x.Meanings = append(x.Meanings, [2]string{means.Sentence(""), means.Sentence(toolText(r)) + "."})
	}
	whole := believed(r)
	for _, f := range whole[:min(mostFigures, len(whole))] {
		x.Figures = append(x.Figures, m.figure(r, f))
	}
	var more int
	if x.Workloads, more = m.workloads(r); more > 0 {
		text := metric.Plural(more, "more workload") + " of {a}"
		if m.pages != nil {
			text += ": its page has all of its points"
		}
		x.Says = append(x.Says, [2]string{"Left out", text + "."})
	}
	return x
}

// believed are the figures of a whole run but for those that cannot be believed.
func believed(r *figure.Run) []catalog.Figure {
	return slices.DeleteFunc(r.WholeFigures(), func(f catalog.Figure) bool { return r.Doubt(f) != "" })
}

// ClassKey is equal for workloads that may stand on one axis: see [MemberWorkload.Key].
func ClassKey(s *figure.Scenario) string { return shortDigest(s.Class) }

func shortDigest(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:5])
}

// figureKey is equal for figures of whole runs that may be held against each other.
func figureKey(r *figure.Run, f catalog.Figure) string {
	return shortDigest(strings.Join([]string{toolKey(r), string(f.Metric), f.Unit, f.Of}, "\x00"))
}

// toolKey is equal for tools whose words mean the same.
func toolKey(r *figure.Run) string { return r.Tool.Name }

// toolText is the tool of a run with its version.
func toolText(r *figure.Run) string {
	return strings.TrimSpace(r.Tool.Name + " " + r.Attr("tool_version"))
}

// memberNote joins what is known.
func memberNote(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// clip is the beginning of a text.
func clip(s string, n int) string { return s[:min(n, len(s))] }

// shortened are parameters without long texts. That two long values are different ones, though they
// are cut alike, is not lost.
func shortened(cells []SideCell) []SideCell {
	out := slices.Clone(cells)
	for i := range out {
		if c := &out[i]; len(c.Effective) > 2*mostText {
			c.Key, c.TextKey = shortDigest(c.Key), shortDigest(c.TextKey)
			c.Effective = metric.Clip(c.Effective, mostText)
		}
	}
	return out
}

// facts are the cells of a run by MemberFacts.
func (m *Members) facts(r *figure.Run, engine, own, started string) []*MemberFact {
	fact := func(s string) *MemberFact {
		if s == "" {
			return nil
		}
		return &MemberFact{Text: s}
	}
	points := &MemberFact{Text: metric.Count(int64(len(r.Points)))}
	if o := r.Requests(); o.Submitted > 0 {
		points.Text += ", " + metric.Count(o.Submitted)
		points.Sub = o.Lacks()
		points.Warn = points.Sub != ""
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
	know := fact(metric.Enumerate(notes))
	if know != nil {
		know.Warn = true
	}
	card, run := &MemberFact{Text: r.Card.Title()}, &MemberFact{Text: r.ID, Code: true, Sub: own}
	if m.pages != nil {
		card.Href, run.Href = m.pages.Card(r.Card), m.pages.Run(r)
	}
	return []*MemberFact{card, run, fact(engine), fact(toolText(r)), fact(started), points, know, fact(metric.Clip(r.Division(), mostName))}
}

func (m *Members) figure(r *figure.Run, f catalog.Figure) MemberFigure {
	info, _ := metric.Lookup(f.Metric)
	key := figureKey(r, f)
	scale := m.Units.scale(key, "", f.Unit)
	of := metric.Clip(figure.OfText(f.Of), mostName)
	x := MemberFigure{Key: key, Label: info.Label, Better: info.Better,
		Sub: strings.TrimPrefix(of+", "+scale.Unit, ", ")}
	if f.Value != nil {
		x.Cell = NewMemberCell(figure.Summarize([]float64{*f.Value}), scale)
	} else {
		x.Cell = MemberCell{Value: math.NaN(), Text: metric.Clip(strings.TrimSpace(f.Published), mostName)}
	}
	return x
}

// parameters are what a run records of its parameters, within bounds.
func (m *Members) parameters(r *figure.Run) []SideCell {
	ps := m.arguments.Side(r)
	long := func(c SideCell) bool { return c.Kind != KindSystem && len(c.Name) > mostText }
	return shortened(slices.DeleteFunc(ps[:min(len(ps), mostParameters)], long))
}

// workloads are those of a run within bounds; more is how many are left out.
func (m *Members) workloads(r *figure.Run) (out []MemberWorkload, more int) {
	room := mostBytes
	seen := map[string]int{}
	for i, s := range r.Scenarios {
		w := m.workload(r, s)
		if seen[w.Key]++; seen[w.Key] > 1 { // the second of one class stands for the second of another run
			w.Key += fmt.Sprint(".", seen[w.Key])
		}
		if data, err := json.Marshal(w); err == nil {
			room -= len(data)
		}
		if i == MostWorkloads || room < 0 && i > 0 {
			return out, len(r.Scenarios) - i
		}
		out = append(out, w)
	}
	return out, 0
}

func (m *Members) workload(r *figure.Run, s *figure.Scenario) MemberWorkload {
	w := MemberWorkload{Title: s.Title, Key: ClassKey(s), Fields: ClassValues(r, s), Axis: s.Axis,
		Main: s.Preferred(), Assumed: metric.Enumerate(s.NotRecorded), Rows: map[string][]any{}}
	in, out := s.ActualLengths()
	w.In, w.Out = length(in), length(out)
	loads := s.Loads()
	loads = loads[:min(len(loads), mostLoads)]
	for i, l := range loads {
		at := s.AllAt(l)
		_, short := figure.Incomplete(at)
		load := MemberLoad{Load: figure.LoadKey(at[0]), Phrase: figure.LoadPhrase(at[0]), Short: short, Full: full(at)}
		if m.pages != nil {
			load.Anchor = m.pages.Point(r, s, at[0])
		}
		w.Loads = append(w.Loads, load)
		for _, q := range MemberQuantities {
			sum := figure.SummarizePoints(at, q.metric, q.stat)
			if sum.N == 0 {
				continue
			}
			w.Sure = max(w.Sure, Sure(sum))
			info, _ := metric.Lookup(q.metric)
			scale := m.Units.scale(w.Key, q.Key, info.Unit)
			if w.Rows[q.Key] == nil {
				w.Rows[q.Key] = make([]any, 1+len(loads))
				w.Rows[q.Key][0] = scale.Unit
			}
			w.Rows[q.Key][1+i] = NewMemberCell(sum, scale, quartiles(at, q)...)
		}
		if user, basis := speeds(r, at[0]); user != nil {
			if w.User == nil {
				w.User = make([]*[3]*MemberCell, len(loads))
			}
			w.User[i], w.Basis = user, basis
		}
	}
	spare(w.Rows)
	return w
}

// length is an actual length of requests in tokens.
func length(v float64) *MemberCell {
	if v <= 0 {
		return nil
	}
	return &MemberCell{Value: v, Text: metric.Format(v)}
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
func quartiles(at []*catalog.Point, q MemberQuantity) []float64 {
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
func speeds(r *figure.Run, p *catalog.Point) (*[3]*MemberCell, string) {
	x, basis, ok1 := figure.SpeedPerUser(p)
	y, ok2 := figure.Throughput(p)
	if !ok1 || !ok2 || math.IsInf(figure.LoadOf(p), 0) {
		return nil, ""
	}
	cell := func(v float64) *MemberCell { return &MemberCell{Value: v, Text: metric.Format(v)} }
	out := [3]*MemberCell{cell(x), cell(y)}
	if each, ok := r.PerAccelerator(p); ok {
		out[2] = cell(each)
	}
	return &out, basis
}

// spare leaves out statistics that nobody looks at, because a better one of the family is there at
// every load.
func spare(rows map[string][]any) {
	for i, better := range MemberQuantities {
		if rows[better.Key] == nil || better.stat == metric.Value {
			continue
		}
		for _, worse := range MemberQuantities[i+1:] {
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
