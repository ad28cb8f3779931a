package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// lengthTolerance is how far the actual lengths of two scenarios of one class may lie apart
// before the comparison carries a caution.
const lengthTolerance = 0.05

// Match is a workload class that two runs share: their scenarios may stand on one axis.
type Match struct {
	A *figure.Scenario `json:"-"`
	B *figure.Scenario `json:"-"`
	// Amber says that one of the cautions is about what was measured and not only about what was
	// not recorded: the chart stands and says so in amber.
	Amber bool `json:"amber"`
	// Cautions are what a reader has to know before believing the comparison, in whole clauses:
	// other divisions of a benchmark, actual lengths more than 5 % apart, parts of the class that neither records.
	Cautions []string `json:"cautions,omitempty"`
}

// Topic says in two words what the first caution is about where the match is amber.
func (m Match) Topic() string {
	lengths, _, _ := strings.Cut(lengthsApart, "{")
	switch first := m.Cautions[0]; {
	case strings.HasPrefix(first, divisionsDiffer):
		return "Divisions differ"
	case strings.HasPrefix(first, lengths):
		return "Lengths differ"
	}
	return "Not recorded"
}

// Mismatch is a scenario of one run that the other run has no equal of, with the nearest.
type Mismatch struct {
	// A is nil where the scenario is B's, B where it is A's, only where the other run has no
	// scenario left at all.
	A *figure.Scenario `json:"-"`
	B *figure.Scenario `json:"-"`
	// Side is the run whose scenario it is, "a" or "b", Workload its title; Nearest is the title of the
	// other one.
	Side     string `json:"side"`
	Workload string `json:"workload"`
	Nearest  string `json:"nearest,omitempty"`
	// Reasons name the fields that differ with both values: `dataset: "random" and "sharegpt"`.
	Reasons []string `json:"differs"`
}

func mismatch(a, b *figure.Scenario, reasons []string) Mismatch {
	m := Mismatch{A: a, B: b, Side: "a", Reasons: reasons}
	switch {
	case a == nil:
		m.Side, m.Workload = "b", b.Title
	case b == nil:
		m.Workload = a.Title
	default:
		m.Workload, m.Nearest = a.Title, b.Title
	}
	return m
}

// unequal are the scenarios of two runs that have no equal in the other one, each beside the nearest and with the
// fields that differ; those that differ least come first.
func unequal(a, b *figure.Run, matches []Match) (ms []Mismatch) {
	matched := map[*figure.Scenario]bool{}
	for _, m := range matches {
		matched[m.A], matched[m.B] = true, true
	}
	nearest := func(s *figure.Scenario, r, or *figure.Run) (best *figure.Scenario, reasons []string) {
		for _, o := range or.Scenarios {
			rs := classDifferences(r, s, or, o)
			if best == nil || len(rs) < len(reasons) {
				best, reasons = o, rs
			}
		}
		return best, reasons
	}
	for _, s := range a.Scenarios {
		if !matched[s] {
			o, reasons := nearest(s, a, b)
			if o == nil {
				reasons = []string{"the other run has no measured points"}
			}
			ms = append(ms, mismatch(s, o, reasons))
		}
	}
	for _, o := range b.Scenarios {
		if !matched[o] && !slices.ContainsFunc(ms, func(m Mismatch) bool { return m.B == o }) {
			reasons := []string{"the other run has no measured points"}
			s, _ := nearest(o, b, a)
			if s != nil {
				reasons = classDifferences(a, s, b, o) // a's value first
			}
			ms = append(ms, mismatch(s, o, reasons))
		}
	}
	slices.SortStableFunc(ms, func(x, y Mismatch) int { return len(x.Reasons) - len(y.Reasons) })
	return ms
}

// Equals are the scenarios of equal class, each of b's once. Where a run has several that differ in the number of
// requests alone, that number is their load: those of another one are not equal.
func Equals(a, b *figure.Run) (pairs [][2]*figure.Scenario) {
	taken := make([]bool, len(b.Scenarios))
	for _, s := range a.Scenarios {
		for i, o := range b.Scenarios {
			if o.Class == s.Class && !taken[i] && figure.SameSize(s, o) {
				taken[i] = true
				pairs = append(pairs, [2]*figure.Scenario{s, o})
				break
			}
		}
	}
	return pairs
}

// matches are the equal scenarios of two runs with their cautions.
func Matches(a, b *figure.Run) (ms []Match) {
	both := append(unidentified(a, b), divided(a, b)...)
	for _, e := range Equals(a, b) {
		m := match(e[0], e[1])
		m.Cautions, m.Amber = append(slices.Clone(both), m.Cautions...), m.Amber || len(both) > 0
		ms = append(ms, m)
	}
	return ms
}

// unidentified are the cautions for runs whose model or hardware no source names: only who names the
// two runs compares them.
func unidentified(a, b *figure.Run) (cautions []string) {
	ua, ub := a.Unrecorded(), b.Unrecorded()
	for _, what := range []string{"model", "hardware"} {
		switch inA, inB := slices.Contains(ua, what), slices.Contains(ub, what); {
		case inA && inB:
			cautions = append(cautions, "the "+what+" is recorded on neither side, and may not be the same")
		case inA:
			cautions = append(cautions, "the "+what+" of A is not recorded, and may not be that of B")
		case inB:
			cautions = append(cautions, "the "+what+" of B is not recorded, and may not be that of A")
		}
	}
	return cautions
}

// What the caution for two divisions of a benchmark begins and ends with.
const (
	divisionsDiffer = "the divisions differ"
	divisionsWhy    = ", and with them what may be changed of model and accuracy"
)

// divided is the caution for results of two divisions of a benchmark.
func divided(a, b *figure.Run) []string {
	x, y := a.Division(), b.Division()
	if x == "" || y == "" || strings.EqualFold(x, y) {
		return nil
	}
	return []string{divisionsDiffer + ", " + strconv.Quote(x) + " and " + strconv.Quote(y) +
		divisionsWhy}
}

// classDifferences names the fields of two classes that differ, a's value first.
func classDifferences(ar *figure.Run, a *figure.Scenario, br *figure.Run, b *figure.Scenario) []string {
	pa, pb := figure.ClassFields(ar.Run, a), figure.ClassFields(br.Run, b)
	var out []string
	for i := range pa {
		if pa[i].Value != pb[i].Value {
			out = append(out, reason(pa[i].Name, pa[i].Value, pb[i].Value))
		}
	}
	return out
}

func reason(name, a, b string) string {
	return name + ": " + reasonValue(a) + " and " + reasonValue(b)
}

// reasonValue is a field's value as reasons show it: `"random"`, "about 1 000", "not recorded".
func reasonValue(v string) string {
	if about, ok := strings.CutPrefix(v, "~"); ok {
		if f, err := strconv.ParseFloat(about, 64); err == nil {
			return "about " + metric.Count(int64(f))
		}
	}
	switch {
	case v == "":
		return "not recorded"
	case v == "true", v == "false", isNumber(v):
		return v
	}
	return strconv.Quote(v)
}

func isNumber(v string) bool {
	_, err := strconv.ParseFloat(v, 64)
	return err == nil
}

// The caution of actual lengths, around the lengths themselves.
const (
	lengthsApart = "the actual {what} lengths are {apart} apart"
	lengthsWhy   = ": another tokenizer, or answers that end by themselves"
)

// match is a Match of two scenarios of one class with its cautions.
func match(a, b *figure.Scenario) Match {
	m := Match{A: a, B: b}
	ain, aout := a.ActualLengths()
	bin, bout := b.ActualLengths()
	for _, l := range []struct {
		name string
		a, b float64
	}{{"input", ain, bin}, {"output", aout, bout}} {
		if l.a <= 0 || l.b <= 0 {
			continue
		}
		if apart := math.Abs(l.a-l.b) / min(l.a, l.b); apart > lengthTolerance {
			m.Amber = true
			m.Cautions = append(m.Cautions,
				fmt.Sprintf("%s (%s and %s tokens)%s", strings.NewReplacer("{what}", l.name, "{apart}",
					figure.PercentText(apart)).Replace(lengthsApart), metric.Format(l.a), metric.Format(l.b),
					lengthsWhy))
		}
	}
	if len(a.NotRecorded) > 0 {
		m.Cautions = append(m.Cautions, "not recorded on either side, and so only assumed to be "+
			"equal: "+strings.Join(a.NotRecorded, ", "))
	}
	return m
}

// Meaning is what a tool measures by a word that other tools use for something else.
type Meaning struct {
	Metric metric.ID
	// Text completes "the tool measures ...".
	Text string
}

// Sentence says it of the tool by its name, without a full stop.
func (m Meaning) Sentence(tool string) string {
	info, _ := metric.Lookup(m.Metric)
	return fmt.Sprintf("%s: %s measures %s", info.Label, tool, m.Text)
}

// What several tools measure by a word.
var (
	firstLeftOut = Meaning{metric.TPOT, "(request time − TTFT) / (output tokens − 1): the first token is left out"}
	calledGaps   = Meaning{metric.TPOT,
		"(last token − first token) / (output tokens − 1), which the tool calls inter-token latency"}
	gapsPooled   = Meaning{metric.ITL, "every gap between streamed pieces, over all requests together"}
	wholeRequest = Meaning{metric.SpeedPerRequest, "output tokens / request time, time to first token included"}
)

// meanings are, for the tools whose words are known to differ, what each word means. The keys
// are the families of tools as records name them.
var meanings = [...]struct {
	tool string
	of   []Meaning
}{
	{"benchmark_llm_serving", []Meaning{
		wholeRequest,
		{metric.TTFT, "the time to the first streamed piece of text"},
	}},
	{"vllm-bench-serve", []Meaning{firstLeftOut, gapsPooled}},
	{"bench-and-report", []Meaning{
		firstLeftOut,
		gapsPooled,
		{metric.PPSpeed, "input tokens / TTFT of one request, from the mean in older reports and from the median " +
			"in newer ones"},
	}},
	{"sglang-bench-serving", []Meaning{firstLeftOut, gapsPooled}},
	{"aiperf", []Meaning{
		calledGaps,
		{metric.ITL, "every gap between streamed pieces, over all requests together, which the tool calls " +
			"inter-chunk latency"},
		wholeRequest,
	}},
	{"genai-perf", []Meaning{calledGaps}},
	{"guidellm", []Meaning{
		calledGaps,
		{metric.NTPOT, "request time / output tokens: the first token is counted in, though the tool calls it time " +
			"per output token"},
	}},
	{"evalscope-perf", []Meaning{firstLeftOut, gapsPooled, wholeRequest}},
	{"llmperf", []Meaning{
		{metric.NTPOT, "sum of all gaps with TTFT / output tokens, though the tool calls it inter-token latency"},
	}},
	{"genai-bench", []Meaning{
		{metric.TPOT, "(request time − TTFT) / (output tokens − 1), in its first releases / output tokens"},
		{metric.PPSpeed, "input tokens / TTFT of one request"},
		{metric.TGSpeed, "1 / TPOT of one request"},
	}},
	{"inference-benchmarker", []Meaning{calledGaps}},
	{"optimum-benchmark", []Meaning{
		{metric.TTFT, "the time of a prefill in the process, no server and no queue in it"},
		{metric.TPOT, "time of the decoding / (output tokens − 1), no server and no queue in it"},
		{metric.ITL, "the time of each step of the decoding of a batch"},
	}},
	{"mlperf", []Meaning{
		{metric.TPOT, "LoadGen's time to output token, the first token left out"},
	}},
	{"inference-perf", []Meaning{
		{metric.TPOT, "(last token − first token) / (output tokens − 1); of releases that counted tokens of a " +
			"stream twice, the same of mean times"},
		{metric.ITL, "every gap between tokens, those of one streamed piece being 0"},
		{metric.NTPOT, "request time / output tokens"},
	}},
	{"trtllm-bench", []Meaning{
		firstLeftOut,
		wholeRequest,
		{metric.TGSpeed, "output tokens after the first / time after the first token, one value a request"},
	}},
	{"llama-bench", []Meaning{
		{metric.TGSpeed, "output tokens / time of an isolated generation, no server and no queue in it"},
		{metric.PPSpeed, "prompt tokens / time of an isolated prompt, no server and no queue in it"},
	}},
}

func meaningsOf(tool string) []Meaning {
	for i := range meanings {
		if meanings[i].tool == tool {
			return meanings[i].of
		}
	}
	return nil
}

// meaningLabels lists, for two tools, the words that at least one of them is known to use in a
// way of its own; nil where both are one tool.
func meaningLabels(a, b string) []string {
	if a == b {
		return nil
	}
	var out []string
	for _, tool := range []string{a, b} {
		other := b
		if tool == b {
			other = a
		}
		for _, m := range meaningsOf(tool) {
			if slices.Contains(meaningsOf(other), m) {
				continue
			}
			out = append(out, m.Sentence(tool))
		}
	}
	return out
}
