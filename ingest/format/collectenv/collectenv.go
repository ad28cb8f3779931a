// Package collectenv reads the report of PyTorch's and vLLM's collect_env: "Key: value" lines,
// often pasted with an indentation, and the environment's variables at its end.
package collectenv

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &reading.Format{
	Name: "collect-env",
	Doc: reading.Doc{
		Title:    "environment report",
		Tool:     "PyTorch, vLLM",
		Command:  "python -m torch.utils.collect_env, vllm collect-env",
		Versions: "PyTorch 1.10 to 2.13; vLLM's own to 0.25",
		Files:    "collect_env.txt",
		Reads: "GPUs, driver, CUDA or ROCm, operating system, processor, vLLM's version and the variables of the " +
			"environment; for the runs beside and below the file.",
		Unknown: "How many of the GPUs a server used, and with which arguments.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == 't' && debug.Match(h.Data) && begins.Match(h.Data)
	},
	Marks:   []string{"PyTorch version:", "PyTorch version  "},
	MaxSize: 8 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		// A text may hold the reports of several machines: each begins with PyTorch's version, and since vLLM 0.9 with
		// the system before it.
		lines := strings.Split(string(src.Data), "\n")
		from, begun, system := 0, false, -1
		for i, line := range lines {
			switch line = strings.TrimSpace(line); {
			case line == "System Info":
				system = i
				continue
			case !begins.MatchString(line):
				continue
			case begun:
				end := i
				if system > from {
					end = system
				}
				read(src.Path(), lines[from:end], from, emit)
				from = end
			}
			begun = true
		}
		read(src.Path(), lines[from:], from, emit)
		return nil
	},
}

var (
	begins = regexp.MustCompile(`(?m)^\s*PyTorch version *:`)
	debug  = regexp.MustCompile(`(?m)^\s*Is debug build *:`)
	// One GPU may stand in the line of their heading.
	gpuLine = regexp.MustCompile(`^(?:GPU models and configuration *: *)?GPU \d+: (.+?)(?: \(UUID: .*\))?$`)
	// amdGPU is what PyTorch says of AMD's GPUs: the name of one, which may be empty, and how many there are nowhere.
	amdGPU = regexp.MustCompile(`^(.*?)\s*\((gfx[0-9a-f]+)[^()]*\)$`)
)

// variable is NAME=value at the report's end.
var variable = regexp.MustCompile(`^[A-Z][A-Z0-9_]*=`)

// keys maps the report's keys to facts.
var keys = [][2]string{
	{"Nvidia driver version", record.FactDriver}, {"OS", record.FactOS}, {"Model name", record.FactCPU},
	{"CUDA used to build PyTorch", record.FactCUDA}, {"CUDA runtime version", record.FactCUDA},
	{"ROCM used to build PyTorch", record.FactROCm}, {"HIP runtime version", record.FactROCm},
	{"ROCM Version", record.FactROCm}, {"vLLM Version", record.FactEngineVersion},
}

func missing(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "n/a", "could not collect", "none", "no", "no cuda", "neuron sdk not available":
		return true
	}
	return false
}

// report is one that is being read.
type report struct {
	file   string
	system record.System
	facts  reading.Facts
	env    record.Params
	raw    map[string]string
	begun  int  // the line where the report begins
	ended  bool // its end was read
}

// read reads one report, which stands behind line before of its file.
func read(file string, lines []string, before int, emit func(record.Record)) {
	r := &report{file: file, env: record.Params{Of: "env"}, raw: map[string]string{}}
	for i, line := range lines {
		r.line(strings.TrimSpace(strings.TrimSuffix(line, "\r")), record.Pos{File: file, Line: before + i + 1})
	}
	s := &r.system
	s.At = record.Pos{File: file, Line: max(r.begun, before+1)}
	if !r.ended {
		emit(record.Errorf(s.At, "the report ends before its list of libraries: it was cut short, and what "+
			"stands in it is kept"))
	}
	for _, f := range reading.Devices(s.Devices) {
		r.facts.Add(f.Key, f.Value, f.At)
	}
	s.Facts = r.facts
	s.Raw, _ = json.Marshal(r.raw) // a map of strings always encodes
	if len(s.Facts) > 0 {
		emit(s)
	}
	if len(r.env.Params) > 0 {
		r.env.At = r.env.Params[0].At
		emit(&r.env)
	}
}

// line reads one line of a report.
func (r *report) line(line string, at record.Pos) {
	if m := gpuLine.FindStringSubmatch(line); m != nil {
		r.system.Devices = append(r.system.Devices, record.Device{Name: m[1]})
		return
	}
	// A part of the GPU above it that MIG has made.
	if n := len(r.system.Devices); n > 0 && strings.HasPrefix(line, "MIG ") && strings.Contains(line, " Device ") {
		if d := &r.system.Devices[n-1]; !strings.HasSuffix(d.Name, " MIG") { // which of its parts a server had stands nowhere
			d.Name += " MIG"
		}
		return
	}
	if variable.MatchString(line) {
		name, value, _ := strings.Cut(line, "=")
		r.env.Params = append(r.env.Params, record.Param{Name: name, Value: reading.Quote(value), At: at})
		return
	}
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if key == "PyTorch version" && r.begun == 0 {
		r.begun = at.Line
	}
	if key == "Is XNNPACK available" || key == "Versions of relevant libraries" {
		r.ended = true
	}
	if key == "GPU models and configuration" {
		if m := amdGPU.FindStringSubmatch(value); m != nil {
			r.raw[key] = value
			r.facts.Add(record.FactHardware, cmp.Or(m[1], m[2]), at)
		}
	}
	f := reading.Second(keys, key)
	if f == "" || missing(value) {
		return
	}
	r.raw[key] = value
	if f == record.FactEngineVersion {
		value, _, _ = strings.Cut(value, " (git sha: ") // of which a development version has the beginning
		r.facts.Add(record.FactEngine, "vllm", at)
	}
	r.facts.Add(f, value, at)
}
