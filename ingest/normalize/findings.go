package normalize

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
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
	CodeIncomplete    = "incomplete"            // fewer requests completed than submitted
	CodeAllFailed     = "all-failed"            // no request completed
	CodeFewPrompts    = "load-above-prompts"    // the load asked for was never reached
	CodeLatencies     = "latencies-disagree"    // TTFT, TPOT and end-to-end latency do not fit
	CodeUnit          = "unit-suspected"        // they differ as seconds and milliseconds do
	CodeFiguresOnly   = "no-points"             // a run that only a published page tells of
	CodeIdentity      = "identity-collision"    // two runs have one identity
	CodeSameAs        = "same-as-unknown"       // same_as names no run
	CodeID            = "id-unusable"           // the id of a sidecar cannot be used
	CodeImplausible   = catalog.CodeImplausible // statistics that cannot be
)

// findings gathers what must be known of one run.
type findings struct {
	all []catalog.Finding
	// Contradictions between two files and repeated loads are told together: a page that is one
	// release behind its raw files differs in every number.
	pairs    map[[2]string]*gathered
	pairKeys [][2]string
	repeats  map[record.Severity]*gathered
}

type gathered struct {
	at       *entry
	messages []string
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

func (f *findings) contradiction(a, b *candidate, message string) {
	k := [2]string{a.record.path, b.record.path}
	if f.pairs == nil {
		f.pairs = map[[2]string]*gathered{}
	}
	if f.pairs[k] == nil {
		f.pairs[k] = &gathered{at: b.record}
		f.pairKeys = append(f.pairKeys, k)
	}
	f.pairs[k].messages = append(f.pairs[k].messages, message)
}

func (f *findings) repeated(severity record.Severity, c *candidate, message string) {
	if f.repeats == nil {
		f.repeats = map[record.Severity]*gathered{}
	}
	if f.repeats[severity] == nil {
		f.repeats[severity] = &gathered{at: c.record}
	}
	f.repeats[severity].messages = append(f.repeats[severity].messages, message)
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
}

// some joins the first few messages and counts the rest.
func some(messages []string) string {
	if len(messages) <= fewest+1 {
		return strings.Join(messages, "; ")
	}
	return strings.Join(messages[:fewest], "; ") + fmt.Sprintf("; and %d more", len(messages)-fewest)
}

// The limits of [catalog.Point.Consistency]. Means that belong to each other stay within the first
// two, tokens served; lengths asked for may be half of those served. A number in the wrong unit
// is wrong by a thousand.
const (
	leastConsistent, mostConsistent = 0.9, 1.1
	leastAsked, mostAsked           = 0.5, 2
	leastUnit, mostUnit             = 0.02, 50
)

// The limits of [catalog.Point.Occupancy], which is known less well: clients count the time in a
// queue of their own in or not, and pause between the turns of a conversation. A request cannot
// last longer than the run; more requests than the load allows cannot be under way; and where the
// client sends the next request as soon as one ends, one is under way at all times.
const (
	mostOfRun       = 2     // latency / duration
	mostOfPlaces    = 50    // requests under way / places
	leastOfPlaces   = 0.005 // the same, of a client that keeps all places busy
	leastConcurrent = 1     // requests under way, of such a client
)

// wrongUnit says in words why the latencies of a point cannot be in the unit they are taken for,
// seen against the time of the run. It is empty where they can.
func wrongUnit(p *catalog.Point) string {
	busy, latency, ok := p.Occupancy()
	if !ok {
		return ""
	}
	if p.Duration != nil && latency > mostOfRun**p.Duration {
		return fmt.Sprintf("a request takes %s s, the whole run %s s: %s", digits(latency), digits(*p.Duration), describe(p))
	}
	c := p.Load.MaxConcurrency
	if c == nil || *c <= 0 {
		return ""
	}
	places := float64(*c)
	if p.Completed != nil {
		places = math.Min(places, float64(*p.Completed))
	}
	// A client that waits for requests that never come back keeps its places busy all the same.
	all := (p.Failed == nil || *p.Failed == 0) && (p.TimedOut == nil || *p.TimedOut == 0) &&
		(p.Completed == nil || p.Submitted == nil || *p.Completed >= *p.Submitted) &&
		(p.Completed == nil || p.Workload.NumPrompts == nil || *p.Completed >= *p.Workload.NumPrompts)
	closed := p.Load.Rate == nil || math.IsInf(float64(*p.Load.Rate), 1)
	if busy > mostOfPlaces*places || all && closed && busy < leastOfPlaces*places && busy < leastConcurrent {
		return fmt.Sprintf("so many requests a second that take %s s each keep %s places busy, not %d: %s", digits(latency), digits(busy), *c, describe(p))
	}
	return ""
}

// digits is a number with two digits, or without decimals where it is large.
func digits(f float64) string {
	if f > 10 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 2, 64)
}

// judge looks at the points of a run.
func judge(points []catalog.Point, paths map[string]string, f *findings) {
	type list struct {
		code     string
		severity record.Severity
		head     string
		first    *catalog.Point
		messages []string
	}
	lists := []*list{
		{code: CodeAllFailed, severity: record.Error, head: "no request completed"},
		{code: CodeIncomplete, severity: record.Warning},
		{code: CodeFewPrompts, severity: record.Warning, head: "the load was never reached"},
		{code: CodeImplausible, severity: record.Error, head: "statistics that cannot be"},
		{code: CodeUnit, severity: record.Error, head: "the times do not fit together, a unit is probably wrong"},
		{code: CodeLatencies, severity: record.Remark, head: "the times do not fit together"},
	}
	say := func(code string, p *catalog.Point, format string, args ...any) {
		for _, l := range lists {
			if l.code == code {
				if l.first == nil {
					l.first = p
				}
				l.messages = append(l.messages, fmt.Sprintf(format, args...))
			}
		}
	}
	for i := range points {
		p := &points[i]
		done, asked := p.Completed, p.Submitted
		if asked == nil && p.Workload.NumPrompts != nil {
			asked = p.Workload.NumPrompts
		}
		switch {
		case done != nil && *done == 0 && (asked == nil || *asked > 0):
			if asked != nil {
				say(CodeAllFailed, p, "%s: 0 of %d", describe(p), *asked)
			} else {
				say(CodeAllFailed, p, "%s", describe(p))
			}
		case done != nil && asked != nil && *done < *asked:
			say(CodeIncomplete, p, "%d of %d requests completed %s", *done, *asked, describe(p))
		}
		if c, n := p.Load.MaxConcurrency, p.Workload.NumPrompts; c != nil && n != nil && *n > 0 && *c > *n {
			say(CodeFewPrompts, p, "%s was asked for and only %d prompts were sent, so that at most %d ran at once", describe(p), *n, *n)
		}
		for _, m := range sortedMetrics(p) {
			if why := p.Metrics[m].Implausible(); len(why) > 0 {
				say(CodeImplausible, p, "%s: %s: %s", describe(p), m, strings.Join(why, ", "))
			}
		}
		r, served, ok := p.Consistency()
		formula := "TTFT + (n - 1) x TPOT"
		if !ok {
			r, served, ok = p.NormalizedConsistency()
			formula = "n x NTPOT"
		}
		unit := ok && (r < leastUnit || r > mostUnit)
		if ok {
			text := fmt.Sprintf("%s, of n output tokens, is %s of the end-to-end latency: %s", formula, digits(r), describe(p))
			switch {
			case unit:
				say(CodeUnit, p, "%s", text)
			case served && (r < leastConsistent || r > mostConsistent):
				say(CodeLatencies, p, "%s", text)
			case !served && (r < leastAsked || r > mostAsked):
				say(CodeLatencies, p, "%s, with the output length that was asked for", text)
			}
		}
		if text := wrongUnit(p); text != "" && !unit {
			say(CodeUnit, p, "%s", text)
		}
	}
	for _, l := range lists {
		if l.first == nil {
			continue
		}
		message := some(l.messages)
		if l.head != "" {
			message = l.head + ": " + message
		}
		f.at(l.code, l.severity, paths[l.first.At.Source], l.first.At.Line, "%s", message)
	}
}

func sortedMetrics(p *catalog.Point) []metric.ID {
	out := make([]metric.ID, 0, len(p.Metrics))
	for m := range p.Metrics {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

var severities = map[record.Severity]int{record.Error: 0, record.Warning: 1, record.Remark: 2}

// sorted is the list as it is stored: the worst first, each said once, accepted ones marked.
func (f *findings) sorted(accepted map[string]bool) []catalog.Finding {
	for i := range f.all {
		f.all[i].Accepted = accepted[f.all[i].Code]
	}
	slices.SortStableFunc(f.all, func(a, b catalog.Finding) int {
		return cmp.Or(cmp.Compare(severities[a.Severity], severities[b.Severity]), cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(f.all)
}
