package nvidiasmi

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/record"
)

// columns are the fields of --query-gpu that tell such a table from any other.
var columns = map[string]bool{
	"memory.total": true, "memory.used": true, "memory.free": true,
	"power.draw": true, "power.limit": true, "driver_version": true,
	"utilization.gpu": true, "utilization.memory": true, "temperature.gpu": true, "clocks.sm": true, "clocks.mem": true,
	"clocks.current.sm": true, "clocks.current.memory": true, "pstate": true,
	"enforced.power.limit": true, "power.max_limit": true,
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

// quantity reads "81920 MiB" or "500.00 W"; a plain number has the unit given.
func quantity(s, unit string) *float64 {
	if missing(s) {
		return nil
	}
	num, u, _ := strings.Cut(strings.TrimSpace(s), " ")
	v, err := strconv.ParseFloat(num, 64)
	if err != nil || u != "" && u != unit || v <= 0 {
		return nil
	}
	return &v
}

func (l *log) record(src *ingest.Source, line int) *record.System {
	s := &record.System{Base: record.Base{At: record.Pos{File: src.Path(), Line: line}}}
	for _, g := range l.gpus {
		if missing(g["name"]) {
			continue
		}
		s.Devices = append(s.Devices, record.Device{
			Name: g["name"], MemoryMiB: quantity(g["memory.total"], "MiB"), MemoryUsedMiB: quantity(g["memory.used"], "MiB"),
			PowerLimit: cmp.Or(quantity(g["power.limit"], "W"), quantity(g["power.max_limit"], "W")),
		})
	}
	facts := clean.Devices(s.Devices)
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

func syntax(src *ingest.Source, line, col int, format string, args ...any) *record.SyntaxError {
	return record.Errorf(record.Pos{File: src.Path(), Line: line, Col: col}, format, args...)
}

// withUnit adds the unit that `nounits` left out.
func withUnit(s, unit string) string {
	if s == "" || strings.Contains(s, " ") {
		return s
	}
	return s + " " + unit
}
