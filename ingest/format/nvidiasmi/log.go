package nvidiasmi

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// columns are the fields of --query-gpu that tell such a table from any other.
var columns = []string{
	"memory.total", "memory.used", "memory.free", "power.draw", "power.limit", "driver_version", "utilization.gpu",
	"utilization.memory", "temperature.gpu", "clocks.sm", "clocks.mem", "clocks.current.sm", "clocks.current.memory",
	"pstate", "enforced.power.limit", "power.max_limit",
}

// column is the field's name without its unit: "power.draw [W]" is "power.draw".
func column(cell string) string {
	name, _, _ := strings.Cut(cell, "[")
	return strings.ToLower(strings.TrimSpace(name))
}

// gpu is what is taken of one GPU, by the names that --query-gpu has for it.
type gpu map[string]string

// log is what one file says of a machine and its GPUs.
type log struct {
	of   map[string]string
	gpus []gpu
}

func newLog() *log {
	return &log{of: map[string]string{"driver_version": "", "cuda_version": "", "timestamp": ""}}
}

// last is the GPU that is being read, nil before the first.
func (l *log) last() gpu {
	if len(l.gpus) == 0 {
		return nil
	}
	return l.gpus[len(l.gpus)-1]
}

// missing are the words nvidia-smi writes where it has no value.
func missing(s string) bool {
	s = strings.Trim(strings.ToLower(strings.TrimSpace(s)), "[]")
	switch s {
	case "", "n/a", "not supported", "unknown error", "insufficient permissions", "not found",
		"requested functionality has been deprecated":
		return true
	}
	return false
}

// largest is above what any column of nvidia-smi holds, in any of its units.
const largest = 1e9

// number reads "81920 MiB" or "500.00 W"; a plain number has the unit given. It is nil where nvidia-smi has no
// value, and ok is false for what is none.
func number(s, unit string) (n *float64, ok bool) {
	if missing(s) {
		return nil, true
	}
	num, u, _ := strings.Cut(strings.TrimSpace(s), " ")
	v, err := strconv.ParseFloat(num, 64)
	if err != nil || u != "" && u != unit || !(v >= 0 && v < largest) {
		return nil, false
	}
	return &v, true
}

// record is what the file says. It emits what stands where a number was expected.
func (l *log) record(src *reading.Source, line int, emit func(record.Record)) *record.System {
	s := &record.System{Base: record.Base{At: record.Pos{File: src.Path(), Line: line}}}
	above0 := func(g gpu, field, unit string) *float64 {
		n, ok := number(g[field], unit)
		if !ok {
			emit(syntax(src, line, 0, "%q is no %s of a GPU: the value is left out", reading.Clip(g[field]), field))
		}
		if n == nil || *n == 0 {
			return nil
		}
		return n
	}
	for _, g := range l.gpus {
		if missing(g["name"]) {
			continue
		}
		name := g["name"]
		if strings.EqualFold(g["mig"], "enabled") {
			name += " MIG" // which of its parts a server had stands nowhere
		}
		s.Devices = append(s.Devices, record.Device{
			Name: name, MemoryMiB: above0(g, "memory.total", "MiB"),
			MemoryUsedMiB: above0(g, "memory.used", "MiB"),
			PowerLimit:    cmp.Or(above0(g, "power.limit", "W"), above0(g, "power.max_limit", "W")),
		})
	}
	facts := reading.Devices(s.Devices)
	for _, f := range [][2]string{{record.FactDriver, "driver_version"}, {record.FactCUDA, "cuda_version"}} {
		if v := l.of[f[1]]; !missing(v) {
			facts.Add(f[0], v, record.Pos{})
		}
	}
	s.Facts = facts
	raw := map[string]any{"gpus": l.gpus}
	for k, v := range l.of {
		raw[k] = v
	}
	s.Raw, _ = json.Marshal(raw) // strings and maps of strings always encode
	return s
}

func syntax(src *reading.Source, line, col int, format string, args ...any) *record.SyntaxError {
	return record.Errorf(record.Pos{File: src.Path(), Line: line, Col: col}, format, args...)
}

// withUnit adds the unit that `nounits` left out.
func withUnit(s, unit string) string {
	if s == "" || strings.Contains(s, " ") {
		return s
	}
	return s + " " + unit
}
