package trtllmbench

import (
	"bytes"
	"encoding/json"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	block = regexp.MustCompile(`(?m)^= (?:PERFORMANCE OVERVIEW|PYTORCH BACKEND|WORLD \+ RUNTIME INFORMATION)[ \t\r]*$`)
	// What is printed long before the report.
	early = regexp.MustCompile(`(?m)^.{0,200}Preparing to run (?:throughput|latency) benchmark`)
	title = regexp.MustCompile(`^= ([A-Z][A-Z +()a-z]*?)\s*$`)
	rule  = regexp.MustCompile(`^={20,}\s*$`)
)

// section is one of the blocks of a printed report.
type section struct {
	title string
	line  int
	rows  []row
	rest  []row // lines that are no label with a value
}

type row struct {
	label, value string
	line         int
}

func (s *section) empty() bool { return len(s.rows)+len(s.rest) == 0 }

// mostBlocks is how many blocks are read of a log, of which a report has less than ten.
const mostBlocks = reading.MaxRows

// sections finds the blocks of a log. Rest is the line from which on there are more than mostBlocks, torn the one of a
// block that the log ends inside of; they are 0 where there is none.
func sections(data []byte) (blocks []section, rest, torn int) {
	n := 0
	ruled := false // the line before was a rule
	begun := false // there is a block, and it has not ended
	for l := range bytes.Lines(data) {
		n++
		line := strings.ToValidUTF8(strings.TrimRight(string(l[:min(len(l), 16<<10)]), "\r\n"), "\ufffd")
		if rule.MatchString(line) || strings.HasSuffix(strings.TrimRight(line, " "), "==========") {
			// A rule that follows rows ends the block, unless a title follows it.
			ruled, begun = true, begun && blocks[len(blocks)-1].empty()
			continue
		}
		if m := title.FindStringSubmatch(line); m != nil && (ruled || block.MatchString(line)) { // or as grep -A leaves it
			if len(blocks) == mostBlocks {
				return blocks, n, 0
			}
			blocks = append(blocks, section{title: strings.TrimSpace(m[1]), line: n})
			begun, ruled = true, false
			continue
		}
		ruled = false
		text := strings.TrimSpace(line)
		if !begun || text == "" {
			continue
		}
		if reading.Torn(l) {
			return blocks, 0, n // of its number a part may be missing
		}
		b := &blocks[len(blocks)-1]
		if len(b.rows)+len(b.rest) > 200 {
			begun = false // a report has less: this is the log again
			continue
		}
		if label, value, ok := strings.Cut(text, ":"); ok {
			b.rows = append(b.rows, row{strings.TrimSpace(label), strings.TrimSpace(value), n})
		} else {
			b.rest = append(b.rest, row{"", text, n})
		}
	}
	return blocks, 0, 0
}

// text finds the blocks of a log and puts them together to reports.
func (r *reader) text(data []byte) {
	blocks, rest, torn := sections(data)
	if torn > 0 {
		r.bad(torn, "the log ends inside of this line: it is left out")
	}
	if rest > 0 {
		defer r.bad(rest, "the log has more than %d blocks of reports: the rest is not read: split it", mostBlocks)
	}
	if len(blocks) == 0 {
		r.Add(&record.Ignored{Base: record.Base{At: record.Pos{File: r.file, Line: 1}},
			Reason: "log of trtllm-bench that shows no result"})
		return
	}
	var group []section
	flush := func() {
		if len(group) > 0 {
			r.printed(group)
		}
		group = nil
	}
	for _, b := range blocks {
		first := b.title == "PYTORCH BACKEND" || b.title == "ENGINE DETAILS"
		for _, g := range group {
			first = first || g.title == b.title
		}
		if first {
			flush()
		}
		group = append(group, b)
	}
	flush()
}

// printed reads the blocks of one report.
func (r *reader) printed(blocks []section) {
	p := &printed{r: r, report: r.newReport(record.Pos{File: r.file, Line: blocks[0].line})}
	res := p.res
	raw := map[string]map[string]string{}
	for _, b := range blocks {
		kept := map[string]string{}
		raw[b.title] = kept
		for _, w := range b.rest {
			if m := machine.FindStringSubmatch(w.value); m != nil && strings.HasPrefix(b.title, "MACHINE") {
				p.facts.Add(record.FactHardware, known(m[1]), p.at(w))
				p.facts.Add(record.FactGPUMemory, m[2]+" GiB", p.at(w)) // it says GB and means GiB
				kept["machine"] = w.value
			}
		}
		for _, w := range b.rows {
			if len(w.label) > 80 || len(w.value) > 1000 {
				continue // the log between the blocks
			}
			if l := strings.ToLower(w.label); l != "model path" && l != "engine directory" {
				kept[w.label] = w.value
			}
			p.row(b, w)
		}
	}
	if !p.measured {
		r.bad(blocks[0].line, "a report of trtllm-bench without a result: the log was cut short, or the run failed")
		return
	}
	res.Workload.Actual = p.lengths
	res.Raw, _ = json.Marshal(raw) // maps of texts always encode
	r.finish(p.report)
}

// printed is a report that is read from a log.
type printed struct {
	*report
	r        *reader
	lengths  record.Lengths // served
	measured bool           // it has a result
}

func (p *printed) at(w row) record.Pos { return record.Pos{File: p.r.file, Line: w.line} }

// row reads a label and its value.
func (p *printed) row(b section, w row) {
	label, unit := strings.ToLower(w.label), ""
	if key := reading.Second(serverLabels, label); key != "" {
		p.server(key, w.value, typed(w.value), p.at(w))
		if key == "model" && b.title == "PYTORCH BACKEND" {
			p.server("backend", "Pytorch", []byte(`"Pytorch"`), record.Pos{File: p.r.file, Line: b.line})
		}
		return
	}
	if m := breakdown.FindStringSubmatch(w.label); m != nil {
		p.measured = true
		if stat := statistic(m[2]); stat == "" {
			p.unmapped(w.label)
		} else if n, ok := p.number(w); ok {
			for i := range distributions {
				if of := &distributions[i]; of.printed == m[1] {
					p.value(of.is, stat, of.unit, w.label, n)
				}
			}
		}
		return
	}
	if m := withUnit.FindStringSubmatch(label); m != nil {
		label, unit = m[1], m[2]
	}
	if b.title == "THROUGHPUT OVERVIEW" { // of version 0.16, whose total is that of output tokens
		label = strings.TrimPrefix(label, "total ")
	}
	at := slices.IndexFunc(labels, func(l labelled) bool { return l.label == label })
	if at < 0 {
		p.other(label, w)
		return
	}
	of := labels[at]
	p.measured = p.measured || label != "number of concurrent requests"
	if u := reading.Second(units, unit); u == "" {
		p.r.bad(w.line, "the unit %q of %q is not known: the value is left out", reading.Clip(unit), label)
	} else if n, ok := p.number(w); ok {
		p.value(of.is, of.stat, u, w.label, n)
	}
}

// other reads what is neither of the server nor a metric.
func (p *printed) other(label string, w row) {
	switch label {
	case "number of requests":
		n, ok := finite(w.value)
		if !ok || n != math.Trunc(n) || n < 0 || n > 1<<53 {
			p.bad(w, "a count")
			return
		}
		c := int64(n)
		p.res.Completed, p.res.Submitted = &c, &c
	case "average input length", "average output length":
		switch n, ok := finite(w.value); {
		case !ok:
			p.bad(w, "a number")
		case n > 0 && label == "average input length":
			p.lengths.Input = &n
		case n > 0:
			p.lengths.Output = &n
		}
	case "dataset path":
		if !none(w.value) {
			p.res.Workload.Dataset = path.Base(strings.ReplaceAll(w.value, `\`, "/"))
		}
	case "model path", "engine directory", "issue rate", "per gpu output throughput", "number of sequences":
		// Paths of one machine, and what means nothing or follows from the rest.
	default:
		p.unmapped(w.label)
	}
}

// unmapped names a label that is not read, once.
func (p *printed) unmapped(label string) {
	if !slices.Contains(p.res.Unmapped, label) {
		p.res.Unmapped = append(p.res.Unmapped, label)
	}
}

func (p *printed) bad(w row, expected string) {
	p.r.bad(w.line, "%q is %q, %s was expected: the value is left out", w.label, reading.Clip(w.value), expected)
}

// number is the number of a row; ok is false where it has none, which is an error unless the tool says so.
func (p *printed) number(w row) (n float64, ok bool) {
	if n, ok = finite(w.value); !ok && !none(w.value) {
		p.bad(w, "a number")
	}
	return n, ok
}

func finite(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// typed is a printed value as JSON: a number where it is one.
func typed(s string) []byte {
	if _, ok := finite(s); ok {
		if b, err := json.Marshal(json.Number(s)); err == nil {
			return b
		}
	}
	return reading.Quote(s)
}

// serverLabels are the labels that describe the server, by the keys of the JSON report.
var serverLabels = [][2]string{
	{"model", "model"}, {"tensorrt llm version", "version"}, {"tensorrt-llm version", "version"},
	{"dtype", "dtype"}, {"kv cache dtype", "kv_cache_dtype"},
	{"quantization", "quantization"}, {"max input length", "max_input_length"},
	{"max sequence length", "max_sequence_length"},
	{"tp size", "tp_size"}, {"pp size", "pp_size"}, {"ep size", "ep_size"},
	{"max runtime batch size", "max_batch_size"}, {"max runtime tokens", "max_num_tokens"},
	{"scheduling policy", "scheduling_policy"}, {"kv memory percentage", "kv_cache_percentage"},
}

// labelled is a label and what its number is.
type labelled struct {
	label string
	is    metric.ID
	stat  string
}

// labels are the results that are one number. Their units stand in brackets behind them, and
// "[TTFT]", "[w/ ctx]" or "[1/TPOT]" in some versions; both are cut off. "Token Throughput" and
// "inter-token latency" are what version 0.16 calls the output throughput and the TPOT.
var labels = []labelled{
	{"request throughput", metric.RequestThroughput, metric.Value},
	{"token throughput", metric.OutputThroughput, metric.Value},
	{"total output throughput", metric.OutputThroughput, metric.Value},
	{"total token throughput", metric.TotalThroughput, metric.Value},
	{"generation token throughput", metric.TGSpeed, metric.Mean},
	{"total latency", metric.Duration, metric.Value},
	{"average request latency", metric.E2ELatency, metric.Mean},
	{"per user output throughput", metric.SpeedPerRequest, metric.Mean},
	{"per user output speed", metric.TGSpeed, metric.Mean},
	{"average time-to-first-token", metric.TTFT, metric.Mean},
	{"average time-per-output-token", metric.TPOT, metric.Mean},
	{"average inter-token latency", metric.TPOT, metric.Mean},
	{"number of concurrent requests", metric.AchievedConcurrency, metric.Value},
}

var (
	// "Total Latency (ms)" is the label and its unit.
	withUnit = regexp.MustCompile(`^(.*?)\s*(?:\[[^\]]*\])?\s*\(([^()]*)\)$`)
	// "[TTFT] P99" is a statistic of one of these.
	breakdown = regexp.MustCompile(`^\[(Latency|TTFT|TPOT|GTPS|DAR|AL)\] ([A-Z0-9]+)$`)
	// "NVIDIA H100 80GB HBM3, memory 79.11 GB, 2.62 GHz".
	machine = regexp.MustCompile(`^(.+?), memory ([0-9.]+) GB, `)
)

// units are the words in the brackets.
var units = [][2]string{
	{"req/sec", "req/s"}, {"tokens/sec", "tok/s"}, {"tokens/sec/user", "tok/s"}, {"tps/user", "tok/s"},
	{"ms", "ms"}, {"seconds", "s"}, {"s", "s"}, {"sec", "s"}, {"", "requests"},
}
