// Package vllmserve reads the results of `vllm bench serve` and of its ancestor
// benchmark_serving.py: one object, JSON lines, objects one behind the other, arrays, and the
// directories of `vllm bench sweep serve`.
//
// A sweep's summary.json repeats the records of the run=N.json beside it. Both are read: a record
// has the same session, workload, load and repetition in both, and equal points are one point.
package vllmserve

import (
	"path"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads serving results of vLLM.
var Format = &reading.Format{
	Name: "vllm-bench-serve",
	Doc: reading.Doc{
		Title: "vLLM serving results",
		Tool:  "vLLM",
		Command: "vllm bench serve --save-result [--append-result] [--save-detailed], vllm bench sweep serve; " +
			"before 0.9 benchmark_serving.py",
		Versions: "0.3.1 to 0.25.1",
		Files:    "vllm-infqps-concurrency8-<model>-<date>.json, results.json, run=0.json, summary.json",
		Reads: "Each record with its load, counts, throughputs and the statistics of TTFT, TPOT, ITL and end-to-end " +
			"latency; percentiles are computed where per-request arrays were saved.",
		Unknown: "The GPU, the version of vLLM, the parallelism and the lengths asked for stand in no such file, " +
			"unless --metadata or the file's name says so.",
	},
	Match: match,
	Read:  read,
}

func match(h *reading.Head) bool {
	if h.Kind != '{' && h.Kind != '[' {
		return false
	}
	return servingjson.Like(h.Keys, h.Size >= 0 && h.Size <= int64(len(h.Data)))
}

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	folder, name := sessions.Split(file)
	s := findSweep(file)
	var batch sessions.Batch
	rd := &servingjson.Reader{File: file, Hint: path.Base(folder) + "/" + name, BenchKeys: s.bench, Emit: batch.Add}
	reading.Values(src, true, func(v reading.Value) { rd.Into(&batch, v) }, batch.Add)

	// A file with several records is a container of its own. Files with one record each are
	// joined by their folder, and told apart by what their names say beyond load and date.
	container := batch.Container(file)
	switch {
	case s.experiment != "":
		container = s.experiment
	case sweepFile.MatchString(name) && rd.Numbered == batch.Results && rd.Numbered > 0:
		container = folder
	}
	batch.Emit(servingjson.Sessions(container), nil, emit)
	return nil
}

// sweep is what the path of a sweep's file says.
type sweep struct {
	experiment string          // the folder of the whole experiment, "" outside of sweeps
	bench      map[string]bool // parameters of the client
}

var (
	sweepFile  = regexp.MustCompile(`^(run=[0-9]+|summary)\.json$`)
	assignment = regexp.MustCompile(`(?:^|-)([A-Za-z_][A-Za-z0-9_.]*)=`)
)

// findSweep reads folder names such as "SERVE--max_num_seqs=4-BENCH--max_concurrency=2". What
// stands behind SERVE is the server's: it tells runs apart; what stands behind BENCH and WL is
// the client's and tells points apart.
func findSweep(file string) sweep {
	at := 0
	for _, part := range strings.Split(file, "/") {
		if strings.HasPrefix(part, "SERVE--") || strings.HasPrefix(part, "BENCH--") {
			s := sweep{experiment: strings.TrimSuffix(file[:at], "/"), bench: map[string]bool{}}
			if s.experiment == "" {
				s.experiment = "."
			}
			server, client, _ := strings.Cut(part, "BENCH--")
			for _, m := range assignment.FindAllStringSubmatch(client, -1) {
				s.bench[m[1]] = true
			}
			for _, m := range assignment.FindAllStringSubmatch(strings.TrimPrefix(server, "SERVE--"), -1) {
				delete(s.bench, m[1])
			}
			return s
		}
		at += len(part) + 1
	}
	return sweep{}
}
