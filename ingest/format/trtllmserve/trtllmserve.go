// Package trtllmserve reads what TensorRT-LLM's benchmark_serving saves: the record of vLLM's
// client, from which it descends, with some keys of its own. In particular "user_throughput" is the
// mean of output tokens / time of a request; and where the answers were not streamed, a TTFT of -1
// second stands for one that was not measured.
package trtllmserve

import (
	"path"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads serving results of TensorRT-LLM.
var Format = &reading.Format{
	Name: "trtllm-benchmark-serving",
	Doc: reading.Doc{
		Title:    "TensorRT-LLM serving results",
		Tool:     "TensorRT-LLM",
		Command:  "python -m tensorrt_llm.serve.scripts.benchmark_serving --save-result",
		Versions: "0.19 to 1.2",
		Files:    "*.json, JSON lines",
		Reads: "Each record with its load, counts, throughputs, speed per user and the statistics of TTFT, TPOT, ITL " +
			"and end-to-end latency; percentiles are computed where per-request arrays were saved.",
		Unknown: "The GPU, the versions, the parallelism and the lengths asked for stand in no such file, " +
			"unless its name says so.",
	},
	Match: func(h *reading.Head) bool {
		whole := h.Size >= 0 && h.Size <= int64(len(h.Data))
		return (h.Kind == '{' || h.Kind == '[') && servingjson.LikeTensorRT(h.Keys, whole)
	},
	Read: read,
}

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	folder, name := sessions.Split(file)
	var batch sessions.Batch
	rd := &servingjson.Reader{
		File: file, Hint: path.Base(folder) + "/" + name, Tool: "trtllm-benchmark-serving", Emit: batch.Add,
	}
	reading.Values(src, true, func(v reading.Value) { rd.Into(&batch, v) }, batch.Add)
	batch.Emit(servingjson.Sessions(batch.Container(file)), nil, emit)
	return nil
}
