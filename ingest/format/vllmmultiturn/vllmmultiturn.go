// Package vllmmultiturn reads what vLLM's benchmark of conversations of several turns prints: below its parameters a
// "Statistics summary", which is a table of pandas,
//
//	num_clients=2
//	Statistics summary:
//	runtime_sec = 200.000
//	            count     mean     std      min      25%      50%      75%      90%      max
//	ttft_ms     100.0    80.00   60.00    45.00    60.00    62.00    64.00    70.00   500.00
//
// A client sends one request at a time. A request holds the whole conversation so far, so its prompt is the longer the
// later its turn. TTFT and TPOT are of tokens: the tool takes off what further tokens of the first chunk took.
package vllmmultiturn

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/printed"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads results of vLLM's benchmark of conversations.
var Format = &reading.Format{
	Name: "vllm-multi-turn",
	Doc: reading.Doc{
		Title:    "Results of vLLM's benchmark of conversations",
		Tool:     "vLLM",
		Command:  "benchmark_serving_multi_turn.py | tee F",
		Versions: "vLLM 0.10.1 to 0.25",
		Files:    "*.log, *.txt, *.md",
		Reads: "Each statistics summary with its clients, duration, requests a second and the statistics of TTFT, TPOT, " +
			"end-to-end latency and lengths; output throughput is computed of them. Where several leave out other parts of one " +
			"measurement as warm-up, the first, which leaves out least.",
		Unknown: "The engine, the GPU and failed requests stand in no summary, the model and the clients in no text that lacks " +
			"the parameters above it.",
	},
	Match: func(h *reading.Head) bool {
		return perRequest(h) || h.Kind != '{' && h.Kind != '[' && h.Kind != 'b' && h.Kind != 0 && begin.Match(h.Data)
	},
	Marks:   []string{summaryOf},
	Clients: []string{"benchmark_serving_multi_turn"},
	Read:    read,
}

const (
	summaryOf = "Statistics summary"
	count     = "count" // the column that is no statistic
)

var (
	begin = regexp.MustCompile(`(?m)^[ \t]*Statistics summary(?: \(assuming [0-9.]+% warmup samples\))?:\s+` +
		`(?:warmup_runtime_sec|runtime_sec|requests_per_sec) = `)
	logged    = regexp.MustCompile(`^([0-9]{2})-([0-9]{2})-([0-9]{4}) ([0-9:]{8}) \[[A-Z]+\] - `)
	summary   = regexp.MustCompile(`^Statistics summary( \(assuming [0-9.]+% warmup samples\))?:$`)
	number    = regexp.MustCompile(`^([a-z_]+) = (\S+)$`)
	parameter = regexp.MustCompile(`^([a-z_]+)=(.*)$`)
	header    = regexp.MustCompile(`^(?:count|mean|std|min|[0-9.]+%|max)(?:\s+(?:count|mean|std|min|[0-9.]+%|max))*$`)
	// The arguments that the tool says when it begins; what it says above its summaries replaces them.
	above = cmdline.NewPrinted(`benchmark_serving_multi_turn\.py`, "model", "num_clients", "request_rate")
)

// rows are those of the table that are of a metric.
var rows = [...]struct {
	name, unit string
	is         metric.ID
}{
	{"ttft_ms", "ms", metric.TTFT},
	{"tpot_ms", "ms", metric.TPOT},
	{"latency_ms", "ms", metric.E2ELatency},
	{"input_num_tokens", "tokens", metric.InputTokens},
	{"output_num_tokens", "tokens", metric.OutputTokens},
}

// perRequest says that a file is what --stats-json-output leaves.
func perRequest(h *reading.Head) bool {
	return h.Kind == '[' && h.Has("ttft_ms", "tpot_ms", "input_num_turns", "start_time_ms")
}

// reader is the state of reading one text.
type reader struct {
	date    string // of the first line that the tool logged of the measurement
	args    cmdline.Arguments
	setup   []record.KV // the parameters that say neither model nor load
	listed  bool        // the parameters are being listed
	several bool        // of what was measured with these parameters there is a summary without other samples
	raw     reading.Builder
	took    float64  // seconds
	stats   []string // of the table's columns, from the second; nil above the table
	printed.Text
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{args: cmdline.Arguments{}, Text: printed.NewText(src)}
	if perRequest(reading.NewHead(r.File, src.Data[:min(len(src.Data), reading.HeadSize)])) {
		emit(&record.Ignored{Base: record.Base{At: r.At(1)},
			Reason: "the requests of vLLM's benchmark of conversations: what it prints has their statistics, with the model and the load"})
		reading.Values(src, true, func(reading.Value) {}, emit) // a damaged one is told
		return nil
	}
	for r.Next() {
		if r.Res != nil && r.Torn && strings.Trim(r.Line, "-") != "" {
			r.Cut()
			break
		}
		r.line(strings.TrimSpace(r.Line))
	}
	r.end()
	if len(r.Records) == 0 {
		emit(&record.Ignored{Base: record.Base{At: r.At(1)},
			Reason: "log of vLLM's benchmark of conversations that shows no result"})
	}
	container := r.Container(r.File)
	r.Emit(func(res *record.Result) string { return sessions.Key("vllm-multi-turn", container, res) }, func(res *record.Result) {
		if p := sessions.Params(res, func(string) bool { return true }); p != nil {
			p.Of = "client"
			emit(p)
		}
	}, emit)
	return nil
}

// line reads the n-th line.
func (r *reader) line(s string) {
	date := ""
	if m := logged.FindStringSubmatch(s); m != nil {
		s, date = s[len(m[0]):], m[3]+"-"+m[2]+"-"+m[1]+"T"+m[4]
	}
	r.date = cmp.Or(r.date, date)
	rule := len(s) >= 20 && strings.Trim(s, "-") == ""
	begins := !rule && above.Read(r.args, s, r.N)
	if begins || s == "Parameters:" {
		r.end()
		r.setup, r.listed, r.several = nil, !begins, false
		if begins {
			r.date = date
		}
		return
	}
	if m := summary.FindStringSubmatch(s); m != nil {
		r.end()
		if m[1] == "" || !r.several {
			r.begin()
		}
		r.several = m[1] != ""
		return
	}
	if r.Res == nil {
		if r.listed = r.listed && !rule; !r.listed {
			return
		}
		if m := parameter.FindStringSubmatch(s); m != nil {
			r.parameter(m[1], m[2])
		}
		return
	}
	if m := number.FindStringSubmatch(s); m != nil {
		r.raw.Text(m[1], reading.Clip(m[2]))
		switch m[1] {
		case "runtime_sec":
			r.Value(metric.Duration, metric.Value, m[2], "s", m[1])
			r.took, _ = strconv.ParseFloat(m[2], 64)
		case "requests_per_sec":
			r.Value(metric.RequestThroughput, metric.Value, m[2], "req/s", m[1])
		}
		return
	}
	switch columns := strings.TrimSpace(strings.TrimSuffix(s, `\`)); {
	case header.MatchString(columns): // a narrow terminal has several, with rows below each
		r.stats = nil
		for _, c := range strings.Fields(columns) {
			p, share := strings.CutSuffix(c, "%")
			switch {
			case share:
				c = reading.Percentile(p)
			case c != count:
				c = reading.Statistic(c)
			}
			r.stats = append(r.stats, c)
		}
	case rule && r.stats != nil, strings.HasPrefix(s, "```"):
		r.end()
	case r.stats != nil:
		r.row(strings.Fields(columns))
	}
}

// parameter notes a parameter as the tool says it.
func (r *reader) parameter(name, value string) {
	switch name {
	case "model", "num_clients":
		r.args.Set(name, value, r.N)
	default:
		if value != "None" {
			r.setup = append(r.setup, record.KV{Key: name, Value: reading.Clip(value)})
		}
	}
}

func (r *reader) begin() {
	r.args.NoNumbers(r.BadAt, "num_clients", "request_rate")
	model := reading.Clip(r.args["model"].Value)
	r.Res = &record.Result{Base: record.Base{At: r.At(r.N), Date: r.date,
		Identity: record.Identity{Tool: "vllm-multi-turn", Model: model}}}
	r.raw, r.stats, r.took = reading.Builder{}, nil, 0
	facts := reading.Facts{}
	facts.Add(record.FactModel, model, r.At(r.args["model"].Line))
	r.Res.Facts, r.Res.Setup = facts, r.setup
	for _, s := range r.setup {
		r.raw.Text(s.Key, s.Value)
	}
	r.Res.Workload.Name = "multi-turn"
	clients, err := strconv.ParseInt(r.args["num_clients"].Value, 10, 64)
	if err != nil || clients <= 0 {
		return
	}
	r.Res.Load.MaxConcurrency = &clients
	if rate, err := strconv.ParseFloat(r.args["request_rate"].Value, 64); err == nil && rate > 0 && !math.IsInf(rate, 0) {
		all := record.Float(rate * float64(clients)) // it is that of a client
		r.Res.Load.Rate = &all
	}
}

// row reads a row of the table.
func (r *reader) row(cells []string) {
	if len(cells) < 2 {
		return
	}
	r.raw.Text(cells[0]+" "+r.stats[0], reading.Clip(strings.Join(cells[1:], " ")))
	for _, o := range rows {
		if cells[0] != o.name {
			continue
		}
		if len(cells)-1 != len(r.stats) {
			r.Bad("%q has %d numbers, and %d were expected: they are left out", o.name, len(cells)-1, len(r.stats))
			return
		}
		for i, stat := range r.stats {
			switch text := cells[i+1]; stat {
			case count:
				if n, ok := r.Number(count, text); ok && n >= 0 && n < 1<<53 && r.Res.Completed == nil {
					all := int64(n)
					r.Res.Completed = &all
				}
			default:
				if text != "NaN" || stat != metric.Std { // the deviation of one request is none
					r.Value(o.is, stat, text, o.unit, o.name)
				}
			}
		}
	}
}

// end adds the result that was read.
func (r *reader) end() {
	res := r.Res
	if r.Res = nil; res == nil {
		return
	}
	if r.stats == nil {
		r.BadAt(res.At.Line, "a statistics summary without its table: the log may have been cut short")
	}
	if len(res.Values) == 0 {
		return
	}
	w := &res.Workload
	w.Actual = record.Lengths{Input: reading.Mean(res.Values, metric.InputTokens), Output: reading.Mean(res.Values, metric.OutputTokens)}
	if res.Completed != nil && w.Actual.Output != nil && r.took > 0 {
		if n := float64(*res.Completed) * *w.Actual.Output / r.took; n > 0 {
			res.Values = append(res.Values, record.Value{Quantity: metric.OutputThroughput, Stat: metric.Value, Number: metric.Round(n), Unit: "tok/s"})
		}
	}
	// Without a stream the tool has the latency for a TTFT, and no TPOT.
	ttft, tpot, latency := reading.Mean(res.Values, metric.TTFT), reading.Mean(res.Values, metric.TPOT), reading.Mean(res.Values, metric.E2ELatency)
	if ttft != nil && (tpot == nil || *tpot == 0) && (latency == nil || *latency <= *ttft) {
		if latency != nil {
			streamed := false
			w.Streaming = &streamed
		}
		res.Values = slices.DeleteFunc(res.Values,
			func(v record.Value) bool { return v.Quantity == metric.TTFT || v.Quantity == metric.TPOT })
	}
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	reading.FirstTokens(res)
	res.Raw = r.raw.JSON()
	r.Add(res)
}
