package nvidiasmi

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

func readCSV(src *ingest.Source, emit func(record.Record)) {
	r := csv.NewReader(bytes.NewReader(src.Data))
	r.TrimLeadingSpace = true
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	r.ReuseRecord = true
	var head []string
	l := newLog()
	seen := map[string]bool{}
	var samples []sample
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				emit(syntax(src, pe.StartLine, pe.Column, "not a line of this table: %s", pe.Err))
				continue
			}
			emit(syntax(src, 0, 0, "not a table: %s", err))
			break
		}
		if head == nil {
			for _, c := range row {
				head = append(head, column(c))
			}
			continue
		}
		line, _ := r.FieldPos(0)
		if len(row) != len(head) {
			emit(syntax(src, line, 0, "%d cells where the head has %d: the line is left out", len(row), len(head)))
			continue
		}
		cell := func(names ...string) string {
			for _, n := range names {
				if i := slices.Index(head, n); i >= 0 && !missing(row[i]) {
					return row[i]
				}
			}
			return ""
		}
		g := gpu{}
		for field, v := range map[string]string{
			"name": cell("name", "gpu_name"), "memory.total": withUnit(cell("memory.total"), "MiB"),
			"power.limit":     withUnit(cell("power.limit", "enforced.power.limit"), "W"),
			"power.max_limit": withUnit(cell("power.max_limit"), "W"),
			"mig":             cell("mig.mode.current"), "vbios": cell("vbios_version"),
		} {
			if v != "" {
				g[field] = v
			}
		}
		if l.of["driver_version"] == "" {
			l.of["driver_version"], l.of["timestamp"] = cell("driver_version"), cell("timestamp")
		}
		now, timed := sampleOf(cell)
		if timed {
			samples = append(samples, now)
		}
		key := cell("index", "uuid", "gpu_uuid", "pci.bus_id", "serial")
		if key == "" {
			key = strconv.Itoa(line)
		}
		later := timed && now.at-samples[0].at >= tick // a GPU is one however often a loop looks at it
		if seen[key] || later {
			continue
		}
		seen[key] = true
		if g["name"] != "" {
			l.gpus = append(l.gpus, g)
		}
	}
	series := loop(src, samples)
	if series != nil {
		emit(series)
	}
	if len(l.gpus) == 0 && series != nil {
		return
	}
	if len(l.gpus) == 0 {
		rec := &record.Ignored{Base: record.Base{At: record.Pos{File: src.Path()}},
			Reason: "a table of nvidia-smi without the column \"name\": samples over time say nothing of the hardware"}
		emit(rec)
		return
	}
	emit(l.record(src, 1))
}
