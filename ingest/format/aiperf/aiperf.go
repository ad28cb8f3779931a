// Package aiperf reads what AIPerf and its predecessor GenAI-Perf leave in the folder of a
// measurement: the JSON export, the table beside it, and AIPerf's record of each request. What they print, boxes with
// the statistics of a measurement, is read from logs and notes.
//
// Each measurement has a folder of its own, so that the loads of a sweep lie in folders beside each
// other, named alike but for the load: they are one run. The table repeats the export with two
// decimals and without model and load, and the requests lack those too; both belong to the export
// in their folder, and are a measurement of their own only where there is none.
//
// What the tools call inter-token latency is (last - first token) / (n - 1) of a request: TPOT here.
// Their inter-chunk latency is the gaps themselves: ITL here. Every number has its unit beside it.
package aiperf

import (
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads exports of AIPerf and GenAI-Perf.
var Format = &reading.Format{
	Name: "aiperf",
	Doc: reading.Doc{
		Title:    "AIPerf and GenAI-Perf exports",
		Tool:     "AIPerf, GenAI-Perf",
		Command:  "aiperf profile, genai-perf profile, either with | tee F",
		Versions: "AIPerf 0.2 to 0.10 (no schema to 1.5), GenAI-Perf 2024 and 2025",
		Files: "profile_export_aiperf.json, profile_export_aiperf.csv, profile_export.jsonl, " +
			"profile_export_genai_perf.json, profile_export_genai_perf.csv, *.log, *.md",
		Reads: "Each measurement with its load, achieved concurrency, counts, throughputs, goodput and the " +
			"statistics of TTFT, TPOT, ITL and end-to-end latency; from the records of requests their " +
			"distributions; model, lengths, data set, errors, and the GPUs that telemetry saw. Of a printed box the " +
			"statistics, and model, load and lengths of the command beside it.",
		Unknown: "The engine, its version and how many GPUs served stand in no such file; a table or a record of " +
			"requests alone names no model, and its load only in the name of its folder; GenAI-Perf writes no date.",
	},
	Marks:   []string{"Perf | LLM Metrics"},
	Match:   match,
	Clients: []string{"aiperf profile", "genai-perf"},
	Read:    read,
	Finish:  finish,
}

func match(h *reading.Head) bool {
	switch h.Kind {
	case '{', '[':
		if h.Nested["metadata.benchmark_phase"] && h.Keys["metrics"] {
			return true
		}
		if h.Keys["timeslices"] || !h.Nested["request_latency.unit"] && !h.Nested["request_throughput.unit"] {
			return false
		}
		return h.Nested["request_latency.avg"] || h.Nested["request_throughput.avg"]
	case 't':
		return tableTool(h.Data) != "" || boxHead.Match(h.Data)
	}
	return false
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), emit: emit}
	r.key = session(r.file)
	if src.Head.Kind == 't' {
		if tableTool(src.Data) != "" {
			r.table(src.Data)
		} else {
			r.printed(src.Data)
		}
		return nil
	}
	each, end := r.export, func() {}
	if src.Head.Nested["metadata.benchmark_phase"] {
		q := &requests{reader: r}
		each, end = q.add, q.end
	}
	reading.Values(src, true, each, emit)
	end()
	return nil
}
