// Package lmdeploy reads what LMDeploy's own benchmarks print: since version 0.6 a table below a ruled title,
//
//	============================ Profile Throughput ============================
//	Concurrency                                    256
//	                                              mean       P50       P99
//	Time to First Token (TTFT)                   0.474     0.401     1.302
//
// and before it lines of a label and a number, which begin with "concurrency:", or with "total time:" where prompts of one
// length were measured; and the tables that they write with --csv.
// All times are seconds. What its client of a server prints since then is SGLang's, and read as that.
package lmdeploy

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/printed"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads results of LMDeploy.
var Format = &reading.Format{
	Name: "lmdeploy",
	Doc: reading.Doc{
		Title: "Results of LMDeploy",
		Tool:  "LMDeploy",
		Command: "profile_throughput.py, profile_pipeline_api.py, before 0.6 profile_restful_api.py, profile_generation.py, " +
			"with | tee F or --csv F",
		Versions: "2023 to 2026",
		Files:    "*.log, *.txt, *.md, profile_throughput.csv, profile_generation.csv",
		Reads: "Each result with its concurrency, counts, throughputs and the statistics of TTFT, TPOT, ITL and " +
			"end-to-end latency that it has; of the command above it the model and the parallelism.",
		Unknown: "The date, the version and the GPU stand in no such result, the lengths asked for in the tables of " +
			"profile_generation.py and, for random prompts, of profile_pipeline_api.py, the model in no table.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind != 'b' && h.Kind != 0 && len(h.Keys) == 0 && (begin.Match(h.Data) || tabled(h.Data))
	},
	Damaged: damaged,
	Marks:   []string{"= Profile ", "concurrency: "},
	Clients: []string{"profile_throughput", "profile_pipeline_api", "profile_restful_api", "profile_generation"},
	Read:    read,
}

var (
	begin = regexp.MustCompile(`(?m)^([ \t]*)(?:={5,} Profile [A-Z][A-Za-z ]{2,40} ={5,}|concurrency: [0-9]+(?:\s+elapsed_time: [0-9.]+s|, test_round: [0-9]+))\s*$`)
	title = regexp.MustCompile(`^={5,} Profile [A-Z][A-Za-z ]{2,40} ={5,}\s*$`)
	// "Total requests      1000", and "number of prompt tokens: 248339".
	cells = regexp.MustCompile(`^(\S.{0,60}?)(?: {2,}|: )(\S.*?)\s*$`)
	stats = regexp.MustCompile(`^\s+mean(?:\s+P[0-9.]+)+\s*$`)
	// The only line of a command that is read: its data set, where it has one, and its model.
	command = regexp.MustCompile(`profile_(?:(?:throughput|pipeline_api)\.py\s+[^-\s$<\\]\S*|generation\.py)\s+([^-\s$<\\]\S*)`)
	// A line with two counts.
	pair = regexp.MustCompile(`^(concurrency|input_tokens): ([0-9]+), (?:test_round|output_tokens): ([0-9]+)\s*$`)
	tp   = regexp.MustCompile(`--tp[= ]+([0-9]+)`)
)

// rule is the line behind a result without a table.
const rule = "--------------------------------------------------"

// of is what a label says.
var of = [...]struct {
	label, stat, unit string
	is                metric.ID
}{
	{"Benchmark duration", metric.Value, "s", metric.Duration},
	{"elapsed_time", metric.Value, "s", metric.Duration},
	{"total time", metric.Value, "s", metric.Duration},
	{"Total input tokens", metric.Total, "tokens", metric.InputTokens},
	{"number of prompt tokens", metric.Total, "tokens", metric.InputTokens},
	{"Total generated tokens", metric.Total, "tokens", metric.OutputTokens},
	{"number of completion tokens", metric.Total, "tokens", metric.OutputTokens},
	{"Input throughput (tok/s)", metric.Value, "tok/s", metric.InputThroughput},
	{"Output throughput (tok/s)", metric.Value, "tok/s", metric.OutputThroughput},
	{"token throughput (completion token)", metric.Value, "tok/s", metric.OutputThroughput},
	{"throughput", metric.Value, "tok/s", metric.OutputThroughput},
	{"throughput(output)", metric.Value, "tok/s", metric.OutputThroughput},
	{"throughput(total)", metric.Value, "tok/s", metric.TotalThroughput},
	{"token throughput (prompt + completion token)", metric.Value, "tok/s", metric.TotalThroughput},
	{"Request throughput (req/s)", metric.Value, "req/s", metric.RequestThroughput},
	{"RPS (request per second)", metric.Value, "req/s", metric.RequestThroughput},
	// Of these each cell is a statistic.
	{"End-to-end Latency", "", "s", metric.E2ELatency},
	{"Time to First Token (TTFT)", "", "s", metric.TTFT},
	{"Time per Output Token (TPOT)", "", "s", metric.TPOT},
	{"Inter-token Latency (ITL)", "", "s", metric.ITL},
	{"first token latency(s)(min, max, ave)", "min max mean", "s", metric.TTFT},
	{"first_token latency(min, max, ave)", "min max mean", "s", metric.TTFT},
	{"per-token latency(s) percentile(50, 75, 95, 99)", "median p75 p95 p99", "s", metric.ITL},
	{"token_latency percentiles(50%,75%,95%,99%)(s)", "median p75 p95 p99", "s", metric.ITL},
}

// reader is the state of reading one text.
type reader struct {
	model, tp string
	at        int // the line of the command
	raw       reading.Builder
	stats     []string // of the table's columns
	total     string   // how long the result took that begins
	totalAt   int      // the line of it
	fixed     bool     // the result is of prompts of one length: its throughput comes last
	printed.Text
}

func read(src *reading.Source, emit func(record.Record)) error {
	if tabled(src.Data) {
		readCSV(src, emit)
		return nil
	}
	r := &reader{Text: printed.NewText(src)}
	indent := "" // of what a Markdown text has in a list
	if m := begin.FindSubmatch(src.Data); m != nil {
		indent = string(m[1])
	}
	for r.Next() {
		line := strings.TrimPrefix(r.Line, indent)
		if r.Res != nil && r.Torn && strings.Trim(line, "-=") != "" {
			r.Cut()
			break
		}
		r.line(line)
	}
	r.end()
	if len(r.Records) == 0 {
		emit(&record.Ignored{Base: record.Base{At: r.At(1)}, Reason: "log of LMDeploy that shows no result"})
	}
	container := r.Container(r.File)
	r.Emit(func(res *record.Result) string { return sessions.Key("lmdeploy", container, res) }, nil, emit)
	return nil
}

// line reads the n-th line.
func (r *reader) line(s string) {
	if m := command.FindStringSubmatch(s); m != nil {
		r.model, r.tp, r.at = m[1], "", r.N
	}
	if m := tp.FindStringSubmatch(s); m != nil && r.at > 0 {
		r.tp = m[1]
	}
	m := cells.FindStringSubmatch(s)
	switch {
	case m != nil && m[1] == "total time": // of the result that begins with the next line
		r.end()
		r.total, r.totalAt = m[2], r.N
	case title.MatchString(s), m != nil && m[1] == "concurrency":
		r.end()
		r.begin()
	case r.Res != nil && len(r.stats) > 0 && strings.HasPrefix(s, "====="), r.Res != nil && strings.HasPrefix(s, "```"),
		s == rule:
		r.end()
	case stats.MatchString(s):
		r.stats = nil
		for _, f := range strings.Fields(s) {
			r.stats = append(r.stats, reading.Statistic(strings.ToLower(f)))
		}
	}
	if r.Res == nil || m == nil {
		return
	}
	r.raw.Text(m[1], reading.Clip(m[2]))
	if two := pair.FindStringSubmatch(s); two != nil {
		r.counts(r.count(two[2]), r.count(two[3]), two[1] == "concurrency")
		return
	}
	switch m[1] {
	case "Concurrency", "concurrency":
		r.Res.Load.MaxConcurrency = r.count(m[2])
	case "Total requests":
		r.Res.Submitted = r.count(m[2])
	case "Successful requests":
		r.Res.Completed = r.count(m[2])
	case "number of failed requests":
		r.Res.Failed = r.count(m[2])
	default:
		r.number(m[1], m[2])
	}
}

func (r *reader) begin() {
	r.Res = &record.Result{Base: record.Base{At: r.At(r.N),
		Identity: record.Identity{Tool: "lmdeploy", Model: reading.Clip(r.model)}}}
	r.raw, r.stats, r.fixed = reading.Builder{}, nil, false
	facts := reading.Facts{}
	facts.Add(record.FactEngine, "lmdeploy", r.Res.At)
	facts.Add(record.FactModel, reading.Clip(r.model), r.At(r.at))
	facts.Add(record.FactCount, r.tp, r.At(r.at))
	r.Res.Facts = facts
}

// counts takes from a result with prompts and answers of one length how many requests there were at once and for how many
// rounds, or these lengths. A request that fails ends the tool without a result.
func (r *reader) counts(first, second *int64, load bool) {
	if first == nil || second == nil || *first == 0 || *first > 1<<20 || *second == 0 || *second > 1<<20 {
		return
	}
	if load {
		all := *first * *second
		r.fixed = true
		r.Res.Load.MaxConcurrency, r.Res.Completed = first, &all
		if r.totalAt == r.N-1 {
			r.raw.Text("total time", reading.Clip(r.total))
			r.number("total time", r.total)
		}
		return
	}
	in, out := float64(*first), float64(*second)
	w := &r.Res.Workload
	w.Nominal, w.Distribution, w.LengthSemantics = record.Lengths{Input: &in, Output: &out}, "fixed", "tool nominal"
}

func (r *reader) end() {
	if r.Res == nil || len(r.Res.Values) == 0 { // a line like the first of a result
		r.Res = nil
		return
	}
	if r.fixed && !slices.ContainsFunc(r.Res.Values, func(v record.Value) bool { return v.Quantity == metric.OutputThroughput }) {
		r.Add(record.Errorf(r.Res.At, "a printed result without its throughput: the log may have been cut short"))
	}
	done := r.Res.Completed == nil || *r.Res.Completed > 0
	r.Res.Values = reading.Measured(r.Res.Values, done)
	reading.FirstTokens(r.Res)
	if r.Res.Completed != nil {
		reading.MeanLengths(r.Res)
	}
	r.Res.Raw = r.raw.JSON()
	r.Add(r.Res)
	r.Res = nil
}

func (r *reader) count(s string) *int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		r.Bad("%q is no count: the value is left out", reading.Clip(s))
		return nil
	}
	return &n
}

// number reads the cells of a label that is of a metric.
func (r *reader) number(label, text string) {
	for i := range of {
		o := &of[i]
		if o.label != label {
			continue
		}
		stats := strings.Fields(o.stat)
		if len(stats) == 0 {
			stats = r.stats
		}
		text, _, _ = strings.Cut(text, " token/s")
		text, _, _ = strings.Cut(text, " req/s")
		if out := r.Res.Workload.Nominal.Output; o.is == metric.ITL && out != nil && *out == 1 {
			return // of one token there are no gaps: the tool prints its TTFT
		}
		text = strings.ReplaceAll(text, "np.float64(", "")
		fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" ,[])", c) })
		if len(fields) != len(stats) {
			r.Bad("%q has %d numbers, and %d were expected: they are left out", label, len(fields), len(stats))
			return
		}
		for i, f := range fields {
			n, err := strconv.ParseFloat(strings.TrimSuffix(f, "s"), 64)
			switch {
			case err == nil && !math.IsInf(n, 0) && !math.IsNaN(n):
				r.Res.Values = append(r.Res.Values, record.Value{Quantity: o.is, Stat: stats[i], Number: n, Unit: o.unit, Key: label})
			case r.Res.Completed == nil || *r.Res.Completed > 0: // of no request the tool prints "inf"
				r.Bad("%q is %q, a number was expected: the value is left out", label, reading.Clip(f))
			}
		}
	}
}
