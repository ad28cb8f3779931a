package nvidiasmi

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

var (
	banner = regexp.MustCompile(`(?m)^\s*\| NVIDIA-SMI\s+[0-9][0-9.]*\s.*(?:Driver|KMD) Version:\s+([0-9][0-9.]*)` +
		`(?:.*CUDA (?:UMD )?Version:\s+([0-9][0-9.]*))?`)
	// The two lines of a GPU: its number, name and bus address, which a Jetson has not; its state. Windows shows the model
	// of the driver where others show whether it stays loaded.
	gpuRow = regexp.MustCompile(
		`^\s*\|\s+[0-9]+\s+(\S.*?)\s+(?:On|Off|N/A|WDDM|TCC|MCDM)\s+\|\s*(?:[0-9A-Fa-f]{8}:|N/A\s)`)
	migRow   = regexp.MustCompile(`^\s*\|\s+\|\s+\|\s+Enabled\s*\|\s*$`)
	stateRow = regexp.MustCompile(`^\s*\|[^|]*?([0-9]+)?W?\s*/\s*(?:([0-9]+)W|N/A)\s*\|\s*` +
		`(?:([0-9]+)MiB\s*/\s*([0-9]+)MiB|[^|]*?)\s*\|`)
)

// readTable reads the tables that nvidia-smi prints without arguments, one machine each. Serial
// numbers stand in none; what names the bus and the processes is not taken.
func readTable(src *reading.Source, emit func(record.Record)) {
	if bytes.Contains(src.Data, []byte("ROCm System Management Interface")) {
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: src.Path()}},
			Reason: "tables of nvidia-smi and of rocm-smi: which of the machines a result is of stands nowhere"})
		return
	}
	var l *log
	begun, n, awaited := 0, 0, false // awaited: the next line is the state of a GPU
	flush := func() {
		switch {
		case l == nil:
		case len(l.gpus) == 0:
			emit(syntax(src, begun, 0, "a table of nvidia-smi without a GPU: it was cut short"))
		default:
			emit(l.record(src, begun, emit))
		}
		l = nil
	}
	for raw := range bytes.Lines(src.Data) {
		n++
		line := strings.ToValidUTF8(strings.TrimRight(string(raw[:min(len(raw), 4<<10)]), "\r\n"), "\ufffd")
		if m := banner.FindStringSubmatch(line); m != nil {
			flush()
			l, begun = newLog(), n
			l.of["driver_version"], l.of["cuda_version"] = m[1], m[2]
			continue
		}
		switch {
		case l == nil:
		case strings.Contains(line, "| Processes:"):
			flush()
		case awaited:
			awaited = false
			m := stateRow.FindStringSubmatch(line)
			if m == nil {
				emit(syntax(src, n, 0, "no state of a GPU follows its name: its memory and power limit are left out"))
				continue
			}
			for field, v := range map[string]string{
				"power.limit": withUnit(m[2], "W"), "memory.used": withUnit(m[3], "MiB"),
				"memory.total": withUnit(m[4], "MiB"),
			} {
				if v != "" {
					l.last()[field] = v
				}
			}
		case migRow.MatchString(line) && l.last() != nil:
			l.last()["mig"] = "Enabled"
		default:
			if m := gpuRow.FindStringSubmatch(line); m != nil {
				l.gpus = append(l.gpus, gpu{"name": m[1]})
				awaited = true
			}
		}
	}
	flush()
}
