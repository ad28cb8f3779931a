// Package mlperf reads two files of a submission to MLPerf Inference: mlperf_log_summary.txt, which
// LoadGen writes of each scenario, and systems/*.json, the submitter's description of the system.
//
// Times are in nanoseconds. A sample is a request. "Time to output token" is that after the first
// token: it is read as TPOT.
package mlperf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "mlperf"

// Format reads summaries and descriptions of systems.
var Format = &reading.Format{
	Name: "mlperf",
	Doc: reading.Doc{
		Title:    "summaries of scenarios, descriptions of systems",
		Tool:     "MLPerf Inference (LoadGen)",
		Command:  "LoadGen, as a submission leaves it",
		Versions: "4.0 to 5.1; summaries of older rounds have fewer statistics",
		Files: "results/<system>/<model>/<scenario>/performance/run_1/mlperf_log_summary.txt, " +
			"systems/<system>.json, summary_results.json",
		Reads: "Each scenario with its load, throughput, TTFT, TPOT and latency, and whether MLPerf calls it valid; " +
			"model, system and submitter from the path. Of a system accelerators, memory, processors, engine and " +
			"versions, for the results beside and below the file. Of a round's table the results of language models " +
			"with system, accelerators, scenario, accuracy and power.",
		Unknown: "Lengths, failed requests and the date stand in no summary. A description lies in a folder of its " +
			"own: put it beside the results it describes. Runs that measure accuracy are ignored.",
	},
	Match: func(h *reading.Head) bool {
		switch h.Kind {
		case '{':
			return h.Has("accelerator_model_name", "system_name", "division") || h.Has(round...)
		case '[':
			return h.Has(round...)
		case 't':
			return banner.Match(h.Data)
		}
		return false
	},
	MaxSize: 16 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		if src.Head.Has(round...) {
			results(src, emit)
			return nil
		}
		if src.Head.Kind == '{' {
			system(src, emit)
			return nil
		}
		summaries(src, emit)
		return nil
	},
}

var banner = regexp.MustCompile(`(?m)^MLPerf Results Summary[ \t]*\r?$`)

// mostKeys bounds how many different lines of a summary are read: a real one has some eighty.
const mostKeys = 1000

// entry is a line "key : value".
type entry struct {
	key, value string
	line, col  int // of the value
	used       bool
}

// summary is one summary of a file.
type summary struct {
	file    string
	at      record.Pos
	entries []*entry
	byKey   map[string]*entry
	notes   []string // lines that are none
	last    record.Pos
	whole   bool // its last line was seen
	emit    func(record.Record)
}

var pair = regexp.MustCompile(`^\s*([^:]{1,100}?)\s*:\s*(.*?)\s*$`)

// ends are the beginnings of the line that counts errors, the last of a summary.
var ends = regexp.MustCompile(`^(No|[0-9]+) errors? encountered`)

func summaries(src *reading.Source, emit func(record.Record)) {
	var s *summary
	line := 0
	for text := range bytes.Lines(src.Data) {
		line++
		t := strings.TrimRight(strings.ToValidUTF8(string(text[:min(len(text), 1000)]), "\ufffd"), "\r\n")
		if banner.MatchString(t) {
			if s != nil {
				s.result()
			}
			at := record.Pos{File: src.Path(), Line: line, Col: 1}
			s = &summary{file: src.Path(), at: at, last: at, byKey: map[string]*entry{}, emit: emit}
		}
		if s == nil || strings.Trim(t, "= ") == "" || banner.MatchString(t) {
			continue
		}
		s.last = record.Pos{File: src.Path(), Line: line, Col: 1}
		if !s.whole && reading.Torn(text) && !ends.MatchString(t) {
			break // of its number a part may be missing
		}
		s.add(t, line)
	}
	if s != nil {
		s.result()
	}
}

func (s *summary) add(t string, line int) {
	m := pair.FindStringSubmatchIndex(t)
	if ends.MatchString(t) {
		s.whole = true
	}
	if m == nil || m[4] == m[5] || strings.HasPrefix(t, "WARNING") {
		if len(s.notes) < 100 {
			s.notes = append(s.notes, reading.Clip(strings.TrimSpace(t)))
		}
		return
	}
	key, value := t[m[2]:m[3]], t[m[4]:m[5]]
	if known := s.byKey[key]; known != nil && known.value == value || len(s.entries) >= mostKeys {
		if len(s.entries) == mostKeys && known == nil {
			s.entries = append(s.entries, &entry{key: "more lines", value: "left out", used: true})
			s.bad(record.Pos{File: s.file, Line: line, Col: 1},
				"this summary has more than %d lines: the rest is left out", mostKeys)
		}
		return // the throughput stands in two sections
	}
	e := &entry{key: key, value: reading.Clip(value), line: line, col: m[4] + 1}
	if s.byKey[key] == nil {
		s.byKey[key] = e
	}
	s.entries = append(s.entries, e)
}

func (s *summary) bad(at record.Pos, format string, args ...any) {
	s.emit(&record.SyntaxError{Base: record.Base{At: at}, Text: fmt.Sprintf(format, args...)})
}

func (s *summary) text(key string) string {
	e := s.byKey[key]
	if e == nil {
		return ""
	}
	e.used = true
	return e.value
}

// number is a finite number, ok is false where there is none.
func (s *summary) number(key string) (n float64, ok bool) {
	e := s.byKey[key]
	if e == nil {
		return 0, false
	}
	e.used = true
	n, err := strconv.ParseFloat(e.value, 64)
	if err != nil {
		s.bad(record.Pos{File: s.file, Line: e.line, Col: e.col},
			"%q is %q, a number was expected: the value is left out", e.key, e.value)
		return 0, false
	}
	return n, !math.IsNaN(n) && !math.IsInf(n, 0)
}

var (
	statistic = regexp.MustCompile(
		`(?i)^(min|max|mean|([0-9]+(?:\.[0-9]+)?)(?:th)? percentile) (first token latency|time to output token|latency) \(([a-z]+)\)$`)
	described = [][2]string{{"first token latency", string(metric.TTFT)}, {"time to output token", string(metric.TPOT)},
		{"latency", string(metric.E2ELatency)}}
)

// rates are the throughputs, those of Server and Interactive first.
var rates = []struct {
	key, unit string
	quantity  metric.ID
}{
	{"Completed samples per second", "req/s", metric.RequestThroughput},
	{"Samples per second", "req/s", metric.RequestThroughput},
	{"Completed tokens per second", "tok/s", metric.OutputThroughput},
	{"Tokens per second", "tok/s", metric.OutputThroughput},
	{"QPS w/ loadgen overhead", "req/s", metric.RequestThroughput}, // of SingleStream
	{"TPS w/ loadgen overhead", "tok/s", metric.OutputThroughput},
}

// parameters are settings that are no load; seeds and flags of LoadGen say nothing of a result.
var parameters = []string{"SUT name", "ttft_latency (ns)", "tpot_latency (ns)", "target_latency (ns)",
	"min_duration (ms)", "max_duration (ms)",
	"min_query_count", "max_query_count", "performance_sample_count", "max_async_queries"}

var idle = regexp.MustCompile(`_seed$|^(accuracy_log_|print_timestamps|performance_issue_|.* satisfied$)`)

// result makes the point of a summary.
func (s *summary) result() {
	where := place(s.file)
	res := &record.Result{Base: record.Base{
		At: s.at, Key: record.SessionKey(tool, where.root, where.system, where.model),
		Identity: record.Identity{Tool: tool, Model: where.model},
	}}
	if !s.whole {
		s.bad(s.last, "the summary ends before the line that counts errors: it was cut short")
	}
	if mode := s.text("Mode"); mode == "AccuracyOnly" || mode == "FindPeakPerformance" {
		s.emit(&record.Ignored{Base: record.Base{At: s.at},
			Reason: fmt.Sprintf("a run of MLPerf in the mode %q measures no performance", mode)})
		return
	}
	fs := reading.Facts{}
	fs.Add(record.FactModel, where.model, s.at)
	fs.Add("labels.system", where.system, s.at)
	fs.Add("labels.submitter", where.submitter, s.at)
	fs.Add("labels.division", where.division, s.at)
	res.Facts = fs
	res.Repetition = where.repetition

	w := &res.Workload
	if w.Name = s.text("Scenario"); w.Name == "Server" && where.scenario == "Interactive" {
		w.Name = where.scenario // LoadGen knows no such scenario: it is a server with tighter limits
	}
	s.load(res, w)
	for _, k := range parameters {
		if v := s.text(k); v != "" {
			res.Setup = append(res.Setup, record.KV{Key: k, Value: v})
		}
	}
	s.measured(res)
	verdict := s.text("Result is")
	if len(res.Values) == 0 && verdict == "" && len(s.entries) == 0 {
		if s.whole {
			s.bad(s.at, "an empty summary of MLPerf")
		}
		return
	}
	for _, e := range s.entries {
		if !e.used {
			res.Unmapped = append(res.Unmapped, e.key)
		}
	}
	res.Raw = s.raw()
	s.emit(res)
	if verdict == "INVALID" {
		s.emit(s.invalid(res))
	}
}

// measured reads the throughputs and the statistics of latencies.
func (s *summary) measured(res *record.Result) {
	for _, r := range rates {
		if n, ok := s.number(r.key); ok {
			res.Values = append(res.Values,
				record.Value{Quantity: r.quantity, Stat: metric.Value, Number: n, Unit: r.unit, Key: r.key})
		}
	}
	for _, e := range s.entries {
		if idle.MatchString(e.key) {
			e.used = true
		}
		m := statistic.FindStringSubmatch(e.key)
		if m == nil || s.byKey[e.key] != e {
			continue
		}
		stat := strings.ToLower(m[1])
		if m[2] != "" {
			if stat = reading.Percentile(m[2]); stat == "" {
				continue
			}
		}
		n, ok := s.number(e.key)
		switch unit := m[4]; {
		case unit != "ns" && unit != "us" && unit != "ms" && unit != "s":
			s.bad(record.Pos{File: s.file, Line: e.line, Col: 1},
				"the unit of %q is none of time, \"ns\" was expected: the value is left out", e.key)
		case ok:
			q := metric.ID(reading.Second(described, strings.ToLower(m[3])))
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: e.key})
		}
	}
	res.Values = reading.Measured(res.Values, true)
}

// invalid says that MLPerf calls a result invalid, and why.
func (s *summary) invalid(res *record.Result) *record.Note {
	var why []string
	for _, e := range s.entries {
		if k, ok := strings.CutSuffix(e.key, " satisfied"); ok && strings.EqualFold(e.value, "no") {
			why = append(why, strings.ToLower(k[:1])+k[1:])
		}
	}
	text := fmt.Sprintf("MLPerf calls this result of the scenario %q invalid", res.Workload.Name)
	if len(why) > 0 {
		text += "; not satisfied: " + strings.Join(why, ", ")
	}
	return &record.Note{Base: res.Beside(), Code: "mlperf-invalid", Severity: record.Warning, Text: text}
}

// load reads how hard the server was driven. Where all samples are sent at once, "target_qps" only
// decides how many there are.
func (s *summary) load(res *record.Result, w *record.Workload) {
	rate, okRate := s.number("target_qps")
	samples, okSamples := s.number("samples_per_query")
	whole := okSamples && samples > 0 && samples == math.Trunc(samples) && samples < 1<<53
	one := int64(1)
	switch w.Name {
	case "Server", "Interactive":
		if okRate && rate > 0 {
			f := record.Float(rate)
			res.Load.Rate = &f
		}
	case "Offline":
		f := record.Float(math.Inf(1))
		res.Load.Rate = &f
		if whole {
			n := int64(samples)
			w.NumPrompts = &n
		}
	case "SingleStream":
		res.Load.MaxConcurrency = &one
	case "MultiStream":
		if whole {
			n := int64(samples)
			res.Load.Batch = &n
		}
	}
}

// raw is the summary as JSON: its lines by their keys, and the lines that are none.
func (s *summary) raw() json.RawMessage {
	var raw reading.Builder
	for _, e := range s.entries {
		key := e.key
		if first := s.byKey[key]; first != nil && first != e {
			key += " (line " + strconv.Itoa(e.line) + ")"
		}
		raw.Text(key, e.value)
	}
	if len(s.notes) > 0 {
		notes, _ := json.Marshal(s.notes) // texts always encode
		raw.Add("notes", notes)
	}
	return raw.JSON()
}

// spot is what the path of a summary says.
type spot struct {
	root, division, submitter, system, model, scenario string
	repetition                                         int
}

// place reads the path that MLPerf prescribes:
// division/submitter/results/system/model/scenario/performance/run_1/file. The separators may be
// "__", as where the tree was made flat.
func place(file string) (s spot) {
	folder, name := sessions.Split(file)
	all := strings.Split(strings.ReplaceAll(folder+"/"+name, "__", "/"), "/")
	at := -1
	for i, p := range all {
		if p == "results" {
			at = i
		}
	}
	get := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return all[i]
	}
	if at < 0 || get(at+4) != "performance" {
		s.root = folder
		return s
	}
	s.root = strings.Join(all[:at], "/")
	s.submitter = get(at - 1)
	if d := get(at - 2); d == "closed" || d == "open" || d == "network" {
		s.division = d
	} else {
		s.submitter = ""
	}
	s.system, s.model, s.scenario = get(at+1), get(at+2), get(at+3)
	if n, ok := strings.CutPrefix(get(at+5), "run_"); ok {
		if i, err := strconv.Atoi(n); err == nil && i > 0 && i < 1000 {
			s.repetition = i - 1
		}
	}
	return s
}
