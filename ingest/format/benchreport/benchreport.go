// Package benchreport reads the reports of a script that runs a fixed list of scenarios with
// `vllm bench serve` and lets the measured model comment on them: the Markdown report, its JSON
// sidecar, and the list of results that the script saves on demand.
//
// The script reads the client's console text, so numbers have two decimals, and a number that it
// did not find is 0: here 0 always means missing. Of the report only tables, the key metrics of
// each scenario, the start-up command and the header are data; prose is the model's and is not
// read, not even where it states numbers.
//
// tg_speed is 1000 / mean TPOT in ms. pp_speed is 1000 x input length / TTFT in ms, and which TTFT
// changed: the mean in older reports, the median in newer ones. A note of each file says which.
package benchreport

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// tool is the family of the tool in record.Identity.
const tool = "bench-and-report"

// Format reads the report in all three shapes.
var Format = &reading.Format{
	Name: "bench-and-report",
	Doc: reading.Doc{
		Title:    "Benchmark report with scenarios",
		Tool:     "benchmark_and_report.py",
		Command:  "benchmark_and_report.py --model ... [--save-results]",
		Versions: "2025-12 to 2026-04",
		Files:    "benchmark_<model>_<time>.md, json_data/benchmark_<model>_<time>.json, benchmark_results_<time>.json",
		Reads: "The scenarios with their load, throughput, TTFT, TPOT, prefill and decode speed, the system " +
			"configuration and the server's start-up command. Prose is not read.",
		Unknown: "What requests failed of; in the Markdown report also durations, token counts and inter-token " +
			"latencies; in a bare list the model, the hardware and the date.",
	},
	Match:   match,
	Damaged: damaged,
	MaxSize: 8 << 20,
	Read:    read,
}

func match(h *reading.Head) bool {
	switch h.Kind {
	case '{':
		return h.Has("model", "results") && h.HasNested("results.ttft_mean_ms", "results.tg_speed",
			"results.concurrency")
	case '[':
		return h.Has("name", "input_len", "output_len", "concurrency", "num_prompts", "ttft_mean_ms", "tg_speed")
	case 't':
		return bytes.Contains(h.Data, []byte("Benchmark Report Generated:")) &&
			bytes.Contains(h.Data, []byte("<!--")) ||
			bytes.Contains(h.Data, []byte("# LLM Inference Benchmark Report")) &&
				bytes.Contains(h.Data, []byte("Interactive sweet spot:"))
	}
	return false
}

// damaged says of a text that begins as a report without the comment at the top does that the section it is known by is
// missing.
func damaged(h *reading.Head) *record.SyntaxError {
	text := strings.TrimSpace(string(h.Data))
	if !strings.HasPrefix(text, "# LLM Inference Benchmark Report") || !strings.Contains(text, "\n**Model:**") ||
		!strings.Contains(text, "\n**Startup Command:**") {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + strings.Count(strings.TrimRight(string(h.Data), "\r\n"), "\n")},
		"a report of benchmark_and_report.py without its concurrency scaling, \"**Interactive sweet spot:**\": it was cut short "+
			"or changed, and nothing of it is read: bring the whole report")
}

func read(src *reading.Source, emit func(record.Record)) error {
	if src.Head.Kind == 't' {
		readReport(src, emit)
	} else {
		readJSON(src, emit)
	}
	return nil
}

// session is the session of a run. A list without date and model is a session of its own.
func session(id record.Identity, file string) string {
	if id.Session == "" {
		return record.SessionKey(tool, id.Model, file)
	}
	return record.SessionKey(tool, id.Session, id.Model)
}

// describe sets what the script's scenario of that name means.
func describe(r *record.Result, name string) {
	w := &r.Workload
	w.Name = name
	w.Dataset = "random"
	w.LengthSemantics = "tool nominal"
	w.Distribution = "fixed"
	if strings.Contains(name, "Mixed") {
		w.Distribution = "uniform +-50%"
	}
	decode := strings.Contains(name, "Decode")
	w.IgnoreEOS = &decode
	yes := true
	w.Streaming = &yes
	r.Load.Rate = reading.AtOnce() // --request-rate inf: the concurrency alone limits
}

// hardwareFacts finds versions in the free text that describes the hardware.
func hardwareFacts(text string, at record.Pos) []record.Fact {
	if text == "" {
		return nil
	}
	facts := []record.Fact{{Key: record.FactHardware, Value: text, At: at}}
	if m := vllmVersion.FindStringSubmatch(text); m != nil {
		facts = append(facts, record.Fact{Key: record.FactEngine, Value: m[1], At: at},
			record.Fact{Key: record.FactEngineVersion, Value: strings.TrimRight(m[2], "."), At: at})
	}
	if m := rocmVersion.FindStringSubmatch(text); m != nil {
		facts = append(facts, record.Fact{Key: record.FactROCm, Value: m[1], At: at})
	}
	return facts
}

var (
	vllmVersion = regexp.MustCompile(`(?i)\b(vllm) v?([0-9][0-9A-Za-z.+]*)`)
	rocmVersion = regexp.MustCompile(`(?i)\brocm v?([0-9]+(?:\.[0-9]+)*)`)
)

// prefill counts which TTFT the prefill speeds of a file were computed from.
type prefill struct{ mean, median int }

// add compares a speed in tok/s with both definitions; times are in ms and 0 where unknown.
func (p *prefill) add(speed, input, mean, median float64) {
	near := func(ttft float64) bool {
		return ttft > 0 && math.Abs(speed-1000*input/ttft) <= 1e-3*speed
	}
	switch m, d := near(mean), near(median); {
	case m && !d:
		p.mean++
	case d && !m:
		p.median++
	}
}

// note says which definition the file follows; nil where its numbers do not say.
func (p *prefill) note(base record.Base) record.Record {
	n := &record.Note{Base: base, Code: "prefill-speed-definition", Severity: record.Remark}
	switch {
	case p.mean > 0 && p.median > 0:
		n.Severity = record.Warning
		n.Text = fmt.Sprintf("prefill speed was computed from the mean TTFT in %s and from the median in %d: they "+
			"do not compare", metric.Plural(p.mean, "scenario"), p.median)
	case p.mean > 0:
		n.Text = "prefill speed is input length / mean TTFT of a request; newer reports of this tool take the " +
			"median, so the two do not compare"
	case p.median > 0:
		n.Text = "prefill speed is input length / median TTFT of a request; older reports of this tool take the " +
			"mean, so the two do not compare"
	default:
		return nil
	}
	return n
}
