package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Scenario is one workload of a run with all loads it was measured at: what one line of a chart
// shows.
type Scenario struct {
	// Key is unique within the run and fit for an anchor: "1024-128".
	Key string
	// Title names the workload: "1 024 → 128", "Mixed Traffic, 2 048 → 512", "decode 128 at depth 4 096".
	Title string
	// Name is the tool's own name of the scenario without its load, "" for most.
	Name string
	// Class is the workload class: scenarios of equal class may share an axis.
	Class string
	// NotRecorded lists the parts of the class that no record states: compared with a warning.
	NotRecorded []string
	Workload    record.Workload
	// Phase is the part of a request that is timed alone, "" for most.
	Phase Phase
	// Depth is how many tokens stand in the context before the request begins; 0 is none, or not recorded.
	Depth float64
	// Axis is one of the catalog.Axis constants.
	Axis string
	// Points are one for each load, ordered by it, an infinite rate last: the measurement of the load,
	// or of several the point of their medians. All figures of a run are made of them.
	Points []*catalog.Point
	// Measured are all measurements, ordered by load, then by repetition.
	Measured []*catalog.Point
	// Believed are the same without the metrics that cannot be: what Points are made of.
	Believed []*catalog.Point

	run       *catalog.Run
	size      int64  // the number of requests where others of the run differ in it alone, else 0
	forbidden string // the code of the finding that forbids all numbers of the run
	// suspects are the Suspects of all of Measured.
	suspects map[*catalog.Point]map[metric.ID]string
}

// loadSuffix is the load that tools put into a scenario's name: "Concurrency Scaling (c=8)".
var loadSuffix = regexp.MustCompile(`\s*\((?:c|concurrency|rate|qps|n)\s*=\s*[0-9.]+\)\s*$`)

// scenarios sorts the points of a run by workload. Points belong together when all recorded
// parts of their workload but the number of prompts agree. Where no nominal lengths are
// recorded the actual ones stand for them: within 5 % for the input and 20 % for the output,
// which depends on the load where the model may stop by itself. Without a recorded load the number
// of requests tells points apart.
func scenarios(r *catalog.Run, forbidden string) []*Scenario {
	var all []*Scenario
	// Points of one load, none or all at once, and of other numbers of requests do not stand beside each other. So all
	// that a scenario has at a load have one number, and the last of them speaks for them.
	atLoad := map[*Scenario]map[float64]*catalog.Point{}
	takes := func(s *Scenario, p *catalog.Point) bool {
		m, there := atLoad[s][LoadOf(p)]
		return !there || m.SameLoad(p)
	}
	for i := range r.Points {
		p := &r.Points[i]
		axis, _, _ := p.Load.Axis()
		name := loadSuffix.ReplaceAllString(p.Workload.Name, "")
		j := slices.IndexFunc(all, func(s *Scenario) bool {
			return s.Axis == axis && s.Name == name && sameWorkload(s.Workload, p.Workload) && takes(s, p)
		})
		if j < 0 {
			j = len(all)
			all = append(all, &Scenario{Name: name, Workload: p.Workload, Axis: axis, run: r, forbidden: forbidden})
			atLoad[all[j]] = map[float64]*catalog.Point{}
		}
		all[j].Measured = append(all[j].Measured, p)
		atLoad[all[j]][LoadOf(p)] = p
	}
	used := map[string]bool{}
	for _, s := range all {
		s.arrange()
		s.Class, s.NotRecorded = class(r, s)
		s.Title = s.title()
	}
	inOrder(all)
	for _, s := range all {
		if n := s.requests(); n != nil && slices.ContainsFunc(all, s.differsInRequests) {
			s.size = *n
			s.Title += ", " + metric.Plural(*n, "request")
		}
		key := strings.Trim(catalog.Slug(strings.NewReplacer(" → ", "-", "\u202f", "").Replace(s.Title)), "-")
		if key == "" {
			key = "workload"
		}
		s.Key = record.FreeName(key, used)
	}
	return all
}

// title names a workload by its lengths, and by what its name says beside them. It finds phase and depth.
func (s *Scenario) title() string {
	name := s.Name
	if s.locate() {
		name = ""
	}
	in, out, _ := s.Lengths()
	lengths := ""
	if in > 0 || out > 0 {
		lengths = s.phaseTitle(in, out)
	}
	switch {
	case name != "" && lengths != "":
		return name + ", " + lengths
	case lengths != "":
		if s.Workload.Dataset != "" && s.Workload.Dataset != "random" && s.Workload.Nominal == (record.Lengths{}) {
			return s.Workload.Dataset + ", " + lengths
		}
		return lengths
	case s.Name != "":
		return s.Name
	case s.Workload.Dataset != "":
		return s.Workload.Dataset
	}
	return "lengths not recorded"
}

// requests are how many were sent at each point of the scenario; nil where the points differ in it or none says.
func (s *Scenario) requests() *int64 {
	n := s.Measured[0].Requests()
	for _, p := range s.Measured[1:] {
		if m := p.Requests(); n == nil || m == nil || *m != *n {
			return nil
		}
	}
	return n
}

// Common is the title without the number of requests, in which workloads of one class may differ.
func (s *Scenario) Common() string {
	return strings.TrimSuffix(s.Title, ", "+metric.Plural(s.size, "request"))
}

// SameSize reports whether two workloads may have been measured with as many requests: they were not where the title of
// one names their number and the other has another one.
func SameSize(a, b *Scenario) bool {
	if a.size == 0 && b.size == 0 {
		return true
	}
	n, m := a.requests(), b.requests()
	return n == nil || m == nil || *n == *m
}

// differsInRequests reports whether another scenario is the same but for the number of requests.
func (s *Scenario) differsInRequests(o *Scenario) bool {
	return o != s && o.Axis == s.Axis && o.Name == s.Name && sameWorkload(o.Workload, s.Workload)
}

// arrange sorts the measurements and makes the points that stand for them.
func (s *Scenario) arrange() {
	slices.SortStableFunc(s.Measured, func(a, b *catalog.Point) int {
		return cmp.Or(cmp.Compare(LoadOf(a), LoadOf(b)), cmp.Compare(a.Repetition, b.Repetition))
	})
	s.Points, s.Believed = nil, make([]*catalog.Point, len(s.Measured))
	s.suspects = make(map[*catalog.Point]map[metric.ID]string, len(s.Measured))
	for i, p := range s.Measured {
		s.suspects[p] = s.doubted(p)
		s.Believed[i] = s.believed(p)
	}
	for i := 0; i < len(s.Measured); {
		j := i + 1
		for j < len(s.Measured) && LoadOf(s.Measured[j]) == LoadOf(s.Measured[i]) {
			j++
		}
		s.Points = append(s.Points, typical(s.Believed[i:j]))
		i = j
	}
}

// believed is a point without the metrics that cannot be believed: no figure is made of them.
func (s *Scenario) believed(p *catalog.Point) *catalog.Point {
	suspects := s.Suspects(p)
	if len(suspects) == 0 {
		return p
	}
	q := *p
	q.Metrics, q.Distributions = maps.Clone(p.Metrics), maps.Clone(p.Distributions)
	for m := range suspects {
		delete(q.Metrics, m)
		delete(q.Distributions, m)
	}
	return &q
}

// Suspects are the metrics of one of Measured that stand in tables with a mark and in no figure, with the
// code of the finding that says why: see [catalog.Run.Suspects]. What a person has acknowledged is none.
func (s *Scenario) Suspects(p *catalog.Point) map[metric.ID]string {
	if known, ok := s.suspects[p]; ok {
		return known
	}
	return s.doubted(p)
}

// doubted finds the suspects of a point.
func (s *Scenario) doubted(p *catalog.Point) map[metric.ID]string {
	suspects := s.run.Suspects(p)
	if s.forbidden != "" {
		suspects = map[metric.ID]string{}
		for m := range p.Metrics {
			suspects[m] = s.forbidden
		}
	}
	return suspects
}

// Marked are the metrics of one of Measured for programs: what cannot be believed names the finding that says so.
func (s *Scenario) Marked(p *catalog.Point) map[metric.ID]catalog.Stat {
	suspects := s.Suspects(p)
	if len(suspects) == 0 {
		return p.Metrics
	}
	out := maps.Clone(p.Metrics)
	for m, code := range suspects {
		stat := out[m]
		stat.Suspect = code
		out[m] = stat
	}
	return out
}

// With is the scenario with further measurements of the same workload, of another run.
func (s *Scenario) With(more []*catalog.Point) *Scenario {
	c := *s
	c.Measured = slices.Concat(s.Measured, more)
	c.arrange()
	return &c
}

func lengthText(v float64) string {
	if v <= 0 {
		return "?"
	}
	return metric.Count(int64(math.Round(v)))
}

func sameWorkload(a, b record.Workload) bool {
	return a.Dataset == b.Dataset && a.Distribution == b.Distribution && a.LengthSemantics == b.LengthSemantics &&
		a.SameLengths(b) &&
		equal(a.PrefixCache, b.PrefixCache) && equal(a.IgnoreEOS, b.IgnoreEOS) && equal(a.Streaming, b.Streaming) &&
		a.TokenCounting == b.TokenCounting
}

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Lengths are the tokens in and out of a request of the scenario: nominal where recorded, else
// the median of the actual ones, with actual set. 0 is not recorded.
func (s *Scenario) Lengths() (in, out float64, actual bool) {
	one := func(nominal catalog.Number, get func(*catalog.Point) catalog.Number) float64 {
		if nominal != nil {
			return *nominal
		}
		var vs []float64
		for _, p := range s.Measured {
			if v := get(p); v != nil && *v > 0 {
				vs = append(vs, *v)
			}
		}
		if len(vs) == 0 {
			return 0
		}
		actual = true
		return median(vs)
	}
	in = one(s.Workload.Nominal.Input, func(p *catalog.Point) catalog.Number { return p.Workload.Actual.Input })
	out = one(s.Workload.Nominal.Output, func(p *catalog.Point) catalog.Number { return p.Workload.Actual.Output })
	return in, out, actual
}

// Preferred is the workload that cards are compared by where several are shared: 1024 in, 128 out, a chat-like length
// that every suite has, and the one whose speed happy_vllm cards publish.
func (s *Scenario) Preferred() bool {
	in, out, actual := s.Lengths()
	return in == 1024 && out == 128 && !actual
}

// ActualLengths are the medians of the tokens really served a request; 0 is not recorded.
func (s *Scenario) ActualLengths() (in, out float64) {
	var ins, outs []float64
	for _, p := range s.Measured {
		if v := p.Workload.Actual.Input; v != nil {
			ins = append(ins, *v)
		}
		if v := p.Workload.Actual.Output; v != nil {
			outs = append(outs, *v)
		}
	}
	return median(ins), median(outs)
}

// ClassField is one field of a workload class.
type ClassField struct {
	// Name says the field in words: "input length".
	Name string
	// Value is empty where it is not recorded.
	Value string
	// Optional fields have no value for most tools: their absence is no gap in the records.
	Optional bool
}

// ClassFields are the fields of a scenario's workload class, always the same ones in the same order: tool
// family and semantics of lengths, dataset, lengths, distribution, kind of load, prefix cache, ignore-eos,
// streaming, token counting. Two scenarios are of one class where all values are equal.
func ClassFields(r *catalog.Run, s *Scenario) []ClassField {
	w := s.Workload
	truth := func(b *bool) string {
		if b == nil {
			return ""
		}
		return strconv.FormatBool(*b)
	}
	number := func(nominal catalog.Number, actual float64) string {
		if nominal != nil {
			return metric.Exact(*nominal)
		}
		if actual > 0 {
			// Two significant digits: actual lengths vary by a few tokens from run to run.
			return "~" + strconv.FormatFloat(actual, 'g', 2, 64)
		}
		return ""
	}
	in, out := s.ActualLengths()
	kind := s.Axis
	if kind == "" && len(s.Measured) > 0 && s.Measured[0].Requests() != nil {
		// Nothing but the number of requests says how hard the server was driven.
		kind = metric.Plural(*s.Measured[0].Requests(), "request")
	}
	return []ClassField{
		{"measuring tool", r.Identity.Tool, true},
		{"what the lengths mean", w.LengthSemantics, true},
		{"dataset", w.Dataset, false},
		{"input length", number(w.Nominal.Input, in), false},
		{"output length", number(w.Nominal.Output, out), false},
		{"distribution of lengths", w.Distribution, false},
		{"kind of load", kind, true},
		{"prefix cache", truth(w.PrefixCache), false},
		{"ignore-eos", truth(w.IgnoreEOS), false},
		{"streaming", truth(w.Streaming), false},
		{"token counting", w.TokenCounting, true},
		// A named scenario with another aim is another workload even where all else agrees.
		{"name of the scenario", s.Name, true},
	}
}

// class spells the workload class and lists what of it no record states.
func class(r *catalog.Run, s *Scenario) (class string, missing []string) {
	var values []string
	for _, p := range ClassFields(r, s) {
		v := p.Value
		if v == "" && !p.Optional {
			missing = append(missing, p.Name)
			v = "?"
		}
		values = append(values, v)
	}
	return strings.Join(values, "|"), missing
}

// LoadOf is the value of a point on its axis; +Inf for all requests at once, 0 where no load is
// recorded.
func LoadOf(p *catalog.Point) float64 {
	_, v, _ := p.Load.Axis()
	return v
}

// LoadKey is the load for programs: "8", "2.5", "1024", "inf", "" where none is recorded.
func LoadKey(p *catalog.Point) string {
	_, v, ok := p.Load.Axis()
	if !ok {
		return ""
	}
	return metric.Exact(v)
}

// LoadText is the load as readers read it: as [LoadKey] writes it, with thousands parted.
func LoadText(p *catalog.Point) string { return metric.Parted(LoadKey(p)) }

// Anchor is the anchor of a point within the page of its run: "1024-128-c38".
func Anchor(s *Scenario, p *catalog.Point) string {
	a := s.Key
	if axis, _, ok := p.Load.Axis(); ok {
		a += "-" + axis[:1] + LoadKey(p)
	} else if a[0] < '0' || a[0] > '9' {
		a = "at-" + a // a scenario of the name "findings" has not the anchor of that section
	}
	if n, i := s.repetition(p); n > 1 && i >= 0 {
		a += fmt.Sprintf("-n%d", i+1)
	}
	return a
}

// AllAt are the measurements at a load that are believed, a part of Believed: more than one where a run repeats them.
func (s *Scenario) AllAt(load float64) []*catalog.Point { return atLoad(s.Believed, load) }

// MeasuredAt are all measurements at a load, as the catalog has them: a part of Measured.
func (s *Scenario) MeasuredAt(load float64) []*catalog.Point { return atLoad(s.Measured, load) }

// atLoad are those of points, which are ordered by load, that are at one.
func atLoad(all []*catalog.Point, load float64) []*catalog.Point {
	first := sort.Search(len(all), func(i int) bool { return LoadOf(all[i]) >= load })
	end := first
	for end < len(all) && LoadOf(all[end]) == load {
		end++
	}
	if first == end {
		return nil
	}
	return all[first:end:end]
}

// repetition is how many measurements there are at the load of a point, and which of them it is from 0:
// -1 where it stands for all.
func (s *Scenario) repetition(p *catalog.Point) (n, i int) {
	measured, believed := s.MeasuredAt(LoadOf(p)), s.AllAt(LoadOf(p))
	return len(measured), max(slices.Index(measured, p), slices.Index(believed, p))
}

// Loads are the loads of a scenario in ascending order, each once; an infinite rate is last.
func (s *Scenario) Loads() []float64 {
	ls := slices.Grow([]float64(nil), len(s.Measured))
	for _, p := range s.Measured {
		ls = append(ls, LoadOf(p))
	}
	slices.Sort(ls)
	return slices.Compact(ls)
}

// MostRepetitions is how many measurements at one load a table lists: a page of thousands is none that a browser shows.
const MostRepetitions = 100

// Rows are what a table of the scenario lists: each of Points, and below one that is the median of several
// its measurements, of very many the first [MostRepetitions].
func (s *Scenario) Rows() []*catalog.Point {
	var ps []*catalog.Point
	for _, p := range s.Points {
		all := s.MeasuredAt(LoadOf(p))
		if len(all) > 1 {
			ps = append(ps, p)
		}
		ps = append(ps, all[:min(len(all), MostRepetitions)]...)
	}
	return ps
}

// Row is the one of Rows to look for a measurement in: the first of its load where it is not listed.
func (s *Scenario) Row(p *catalog.Point) *catalog.Point {
	if n, i := s.repetition(p); n > MostRepetitions && i >= MostRepetitions {
		return s.MeasuredAt(LoadOf(p))[0]
	}
	return p
}

// RowText is the load of a row of [Scenario.Rows]: "8", "8, median of 6", "8, repetition 2".
func (s *Scenario) RowText(p *catalog.Point) string {
	switch n, i := s.repetition(p); {
	case n < 2:
		return LoadText(p)
	case i < 0:
		return fmt.Sprintf("%s, median of %d", LoadText(p), n)
	default:
		return fmt.Sprintf("%s, repetition %d", LoadText(p), i+1)
	}
}
