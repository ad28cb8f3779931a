// Package nvidiasmi reads what nvidia-smi says of a machine: the table that it prints without
// arguments, wherever it stands in a text, the list of `nvidia-smi -L`, `nvidia-smi -q -x` (XML), the text of
// `nvidia-smi -q`, `nvidia-smi --query-gpu=... --format=csv`, and the captures that nvidia_gpu_exporter collects of
// a GPU, in which the text is one section of many.
//
// Serial numbers, UUIDs and bus addresses are never taken. A table that was sampled over time
// has a line a GPU and a second; each GPU counts once. A GPU that MIG divides is never named as if a server had
// had all of it.
package nvidiasmi

import (
	"bytes"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads all six shapes.
var Format = &reading.Format{
	Name: "nvidia-smi",
	Doc: reading.Doc{
		Title:    "NVIDIA GPU description",
		Tool:     "nvidia-smi",
		Command:  "nvidia-smi, nvidia-smi -L, nvidia-smi -q -x, nvidia-smi -q, nvidia-smi --query-gpu=... --format=csv",
		Versions: "nvsmi_device v10 to v13",
		Files:    "nvidia-smi.xml, nvidia-smi.txt, gpu_metrics.csv, captures of nvidia_gpu_exporter",
		Reads: "Name, memory, memory in use and power limit of each GPU, driver and CUDA version; of a query that " +
			"looks again and again (-l 1) power, temperature and memory in use over time; for the runs beside and " +
			"below the file.",
		Unknown: "How many of the GPUs a server used.",
	},
	Match:   match,
	Marks:   []string{"| NVIDIA-SMI "},
	MaxSize: 16 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		switch shape(src.Head) {
		case "xml":
			readXML(src, emit)
		case "text":
			readText(src, src.Data, 0, nil, emit)
		case "capture":
			readCapture(src, emit)
		case "list":
			readList(src, emit)
		case "table":
			readTable(src, emit)
		default:
			readCSV(src, emit)
		}
		return nil
	},
}

func match(h *reading.Head) bool { return shape(h) != "" }

func shape(h *reading.Head) string {
	if h.Kind != 't' {
		return ""
	}
	text := string(bytes.TrimSpace(h.Data))
	switch {
	case strings.HasPrefix(text, "<") && strings.Contains(text, "<nvidia_smi_log"):
		return "xml"
	case strings.Contains(text[:min(len(text), 400)], "NVSMI LOG") && strings.Contains(text, "Product Name"):
		return "text"
	}
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "####") && strings.Contains(text, "\n# $ nvidia-smi") {
		return "capture"
	}
	if listed.MatchString(strings.TrimRight(line, " \r")) {
		return "list"
	}
	if banner.Match(h.Data) {
		return "table"
	}
	cells := strings.Split(line, ",")
	known := 0
	for _, c := range cells {
		if slices.Contains(columns, column(c)) {
			known++
		}
	}
	if known >= 2 {
		return "csv"
	}
	return ""
}
