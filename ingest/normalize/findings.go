package normalize

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
)

// Codes of findings that normalize itself makes; notes of formats bring their own. A sidecar
// acknowledges one with accept = ["code"].
const (
	CodeContradiction = "contradiction"         // two records state one point differently
	CodeRepeated      = "repeated-load"         // one load was measured several times
	CodeMetadata      = "metadata-differs"      // two statements of one authority differ
	CodeParameter     = "parameter-differs"     // two records state one parameter differently
	CodeFigure        = "figure-differs"        // two sources state one figure differently
	CodeHardware      = "hardware-differs"      // a record contradicts the folder it lies in
	CodeSources       = "sources-differ"        // one run was found in folders of different hardware
	CodeOverride      = "override"              // a person replaced what a source states
	CodeIncomplete    = catalog.CodeIncomplete  // fewer requests completed than submitted
	CodeSurplus       = "more-completed"        // more requests completed than submitted
	CodeAllFailed     = catalog.CodeAllFailed   // no request completed
	CodeFewPrompts    = "load-above-prompts"    // the load asked for was never reached
	CodeLatencies     = catalog.CodeLatencies   // TTFT, TPOT and end-to-end latency do not quite fit
	CodeTimes         = catalog.CodeTimes       // they cannot be of the same requests
	CodeRates         = catalog.CodeRates       // a rate is not what its count and time give
	CodeContext       = catalog.CodeContext     // requests longer than the server takes
	CodeUnit          = catalog.CodeUnit        // they differ as seconds and milliseconds do
	CodeFiguresOnly   = "no-points"             // a run that only a published page tells of
	CodeIdentity      = "identity-collision"    // two runs have one identity
	CodeSameAs        = "same-as-unknown"       // same_as names no run
	CodeID            = "id-unusable"           // the id of a sidecar cannot be used
	CodeImplausible   = catalog.CodeImplausible // statistics that cannot be
	CodeNegative      = "negative"              // a number that cannot be below zero
	CodeDate          = "date-impossible"       // a year before there were such models, or far ahead
	CodeNoDate        = "date-unreadable"       // what stands for a date is none
	CodePlaceholder   = "placeholder"           // what stands for a model is none
)

// findings gathers what must be known of one run.
type findings struct {
	all []catalog.Finding
	// Contradictions between two files and repeated loads are told together: a page that is one
	// release behind its raw files differs in every number.
	pairs    map[[2]string]*gathered
	pairKeys [][2]string
	repeats  map[record.Severity]*gathered
	doubts   map[record.Doubt]*doubted // of readers, without their texts
}

type gathered struct {
	at       *entry
	messages []string
}

// doubted are the messages of one kind of doubt, each with the point that it is about.
type doubted struct {
	at *entry
	of map[string]*catalog.Point
}

// fewest is how many messages of one kind are told one by one.
const fewest = 3

func (f *findings) add(code string, severity record.Severity, at *entry, format string, args ...any) {
	path, line := "", 0
	if at != nil {
		path, line = at.path, at.key.line
	}
	f.at(code, severity, path, line, format, args...)
}

func (f *findings) at(code string, severity record.Severity, path string, line int, format string, args ...any) {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	f.all = append(f.all, catalog.Finding{Code: code, Severity: severity, Path: path, Line: line, Message: message})
}

func (f *findings) contradiction(a, b *entry, message string) {
	k := [2]string{a.path, b.path}
	if f.pairs == nil {
		f.pairs = map[[2]string]*gathered{}
	}
	if f.pairs[k] == nil {
		f.pairs[k] = &gathered{at: b}
		f.pairKeys = append(f.pairKeys, k)
	}
	f.pairs[k].messages = append(f.pairs[k].messages, message)
}

func (f *findings) repeated(severity record.Severity, at *entry, message string) {
	if f.repeats == nil {
		f.repeats = map[record.Severity]*gathered{}
	}
	if f.repeats[severity] == nil {
		f.repeats[severity] = &gathered{at: at}
	}
	f.repeats[severity].messages = append(f.repeats[severity].messages, message)
}

// doubt gathers what is wrong with the measurement of a point.
func (f *findings) doubt(at *entry, p *catalog.Point, doubts []record.Doubt) {
	for _, d := range doubts {
		message := d.Text + " " + describe(p)
		if d.Text = ""; f.doubts == nil {
			f.doubts = map[record.Doubt]*doubted{}
		}
		g := f.doubts[d]
		if g == nil {
			g = &doubted{at, map[string]*catalog.Point{}}
			f.doubts[d] = g
		}
		g.of[message] = p // of two accounts of one point it is one
	}
}

// impossible are doubts of numbers that a point does not take over, or loses here: what is below zero and cannot be, and a
// date outside of the years of [record.PossibleYear].
func impossible(res *record.Result, p *catalog.Point) (doubts []record.Doubt) {
	for v := range res.Each() {
		if v.Number < 0 && v.Stat != metric.Std {
			info, _ := metric.Lookup(v.Quantity)
			doubts = append(doubts, record.Doubt{Code: CodeNegative, Severity: record.Error,
				Text: fmt.Sprintf("%s of %s is %s %s", v.Stat, info.Label, text(v.Number), v.Unit)})
		}
	}
	for _, n := range []struct {
		what  string
		value **float64
	}{{"the length of inputs", &p.Workload.Actual.Input}, {"the length of outputs", &p.Workload.Actual.Output},
		{"burstiness", &p.Load.Burstiness}} {
		if v := *n.value; v != nil && *v < 0 {
			doubts = append(doubts, record.Doubt{Code: CodeNegative, Severity: record.Error,
				Text: fmt.Sprintf("%s is %s", n.what, text(*v))})
			*n.value = nil
		}
	}
	if y, ok := year(p.Date); !ok && strings.ContainsAny(p.Date, "0123456789") {
		doubts = append(doubts, record.Doubt{Code: CodeNoDate, Severity: record.Warning,
			Text: fmt.Sprintf("%q", reading.Clip(p.Date))})
	} else if ok && !record.PossibleYear(y) {
		doubts = append(doubts, record.Doubt{Code: CodeDate, Severity: record.Error,
			Text: fmt.Sprintf("the year is %d", y)})
	}
	return doubts
}

// heads say what the doubts of a code are about.
var heads = [][2]string{
	{CodeNegative, "what cannot be below zero is left out"},
	{CodeDate, "no measurement of a language model is of that time, the run counts as one without a date"},
	{CodeNoDate, "what stands where a date should cannot be read as one, the run counts as one without a date"},
	{record.DoubtNoOutput, "requests completed without an output token"},
	{record.DoubtNotANumber, "values are not a number and left out"},
	{record.DoubtStatistics, "the values of single requests are not those of the tool's own statistics, " +
		"no percentiles are computed of them"},
}

// tell turns what was gathered into findings.
func (f *findings) tell() {
	for _, k := range f.pairKeys {
		g := f.pairs[k]
		f.add(CodeContradiction, record.Warning, g.at, "%s", some(g.messages)+"; the first is shown")
	}
	f.pairs, f.pairKeys = nil, nil
	for _, severity := range []record.Severity{record.Warning, record.Remark} {
		if g := f.repeats[severity]; g != nil {
			f.add(CodeRepeated, severity, g.at, "%s", some(g.messages)+"; all are kept as repetitions")
		}
	}
	f.repeats = nil
	for d, g := range f.doubts { // sorted sorts them
		messages := slices.Sorted(maps.Keys(g.of))
		order.Stable(messages, func(a, b string) int { return g.of[a].Compare(g.of[b]) })
		message := some(messages)
		if head := reading.Second(heads, d.Code); head != "" {
			message = head + ": " + message
		}
		f.add(d.Code, d.Severity, g.at, "%s", message)
	}
	f.doubts = nil
}

// some joins the first few messages and counts the rest.
func some(messages []string) string {
	if len(messages) <= fewest+1 {
		return strings.Join(messages, "; ")
	}
	return strings.Join(messages[:fewest], "; ") + fmt.Sprintf("; and %d more", len(messages)-fewest)
}

// verdicts are what is found at the points of a run, one finding for each code.
type verdicts []*verdict

type verdict struct {
	code     string
	severity record.Severity
	head     string
	first    *catalog.Point
	messages []string
}

// say adds a message about a point.
func (vs verdicts) say(code string, p *catalog.Point, format string, args ...any) {
	for _, v := range vs {
		if v.code == code {
			if v.first == nil {
				v.first = p
			}
			v.messages = append(v.messages, fmt.Sprintf(format, args...))
		}
	}
}

// judge looks at the points of a run.
func judge(r *catalog.Run, paths map[string]string, f *findings) {
	vs := verdicts{
		{code: CodeAllFailed, severity: record.Error, head: "no request completed"},
		{code: CodeIncomplete, severity: record.Warning},
		{code: CodeSurplus, severity: record.Warning, head: "more requests completed than were sent, one of the counts is wrong"},
		{code: CodeFewPrompts, severity: record.Warning, head: "the load was never reached"},
		{code: CodeImplausible, severity: record.Error, head: "statistics that cannot be"},
		{code: CodeUnit, severity: record.Error, head: "the times do not fit together, a unit is probably wrong"},
		{code: CodeTimes, severity: record.Error, head: "the times cannot be of the same requests"},
		{code: CodeRates, severity: record.Error, head: "a rate, or what it is made of, is wrong"},
		{code: CodeContext, severity: record.Error,
			head: "requests are longer than the server takes, the limit or all numbers of the point are wrong"},
		{code: CodeLatencies, severity: record.Remark, head: "the times do not fit together"},
	}
	for i := range r.Points {
		p := &r.Points[i]
		vs.requests(p)
		var odd []metric.ID
		for m, s := range p.Metrics {
			if len(s.Implausible()) > 0 {
				odd = append(odd, m)
			}
		}
		slices.Sort(odd)
		for _, m := range odd {
			info, _ := metric.Lookup(m)
			vs.say(CodeImplausible, p, "%s: %s: %s", describe(p), info.Label,
				strings.Join(p.Metrics[m].Implausible(), ", "))
		}
		vs.times(p)
		rates := p.RatesMismatch()
		for _, m := range slices.Sorted(maps.Keys(rates)) {
			vs.say(CodeRates, p, "%s: %s", rates[m], describe(p))
		}
		if why := r.ContextMismatch(p); why != "" {
			vs.say(CodeContext, p, "%s: %s", why, describe(p))
		}
	}
	for _, v := range vs {
		if v.first == nil {
			continue
		}
		message := some(v.messages)
		if v.head != "" {
			message = v.head + ": " + message
		}
		f.at(v.code, v.severity, paths[v.first.At.Source], v.first.At.Line, "%s", message)
	}
}

// requests judges how many requests of a point completed, and whether they were enough for its load.
func (vs verdicts) requests(p *catalog.Point) {
	done, asked := p.Completed, p.Submitted
	if asked == nil && p.Workload.NumPrompts != nil {
		asked = p.Workload.NumPrompts
	}
	switch {
	case p.AllFailed():
		if asked != nil {
			vs.say(CodeAllFailed, p, "%s: 0 of %d", describe(p), *asked)
		} else {
			vs.say(CodeAllFailed, p, "%s", describe(p))
		}
	case done != nil && asked != nil && *done > *asked:
		vs.say(CodeSurplus, p, "%d of %d %s", *done, *asked, describe(p))
	case done != nil && asked != nil && *done < *asked:
		vs.say(CodeIncomplete, p, "%d of %d requests completed %s", *done, *asked, describe(p))
	}
	if c, n := p.Load.MaxConcurrency, p.Workload.NumPrompts; c != nil && n != nil && *n > 0 && *c > *n {
		vs.say(CodeFewPrompts, p, "%s was asked for and only %s sent, so that at most %d ran at once",
			describe(p), metric.Plural(*n, "prompt was", "prompts were"), *n)
	}
}

// times judges whether the latencies of a point fit together, and the time of the run.
func (vs verdicts) times(p *catalog.Point) {
	code, why := p.TimesMismatch()
	if code != "" {
		vs.say(code, p, "%s: %s", why, describe(p))
	}
	if why := p.UnitMismatch(); why != "" && code != CodeUnit {
		vs.say(CodeUnit, p, "%s: %s", why, describe(p))
	}
}

var severities = map[record.Severity]int{record.Error: 0, record.Warning: 1, record.Remark: 2}

// sorted is the list as it is stored: the worst first, each said once, accepted ones marked.
func (f *findings) sorted(accepted map[string]bool) []catalog.Finding {
	for i := range f.all {
		f.all[i].Accepted = accepted[f.all[i].Code]
	}
	order.Stable(f.all, func(a, b catalog.Finding) int {
		return cmp.Or(cmp.Compare(severities[a.Severity], severities[b.Severity]), cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(f.all)
}
