// Package collectenv reads the report of PyTorch's and vLLM's collect_env: "Key: value" lines,
// often pasted with an indentation, and the environment's variables at its end.
package collectenv

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &ingest.Format{
	Name: "collect-env",
	Doc: ingest.Doc{
		Title:    "environment report",
		Tool:     "PyTorch, vLLM",
		Command:  "python -m torch.utils.collect_env, vllm collect-env",
		Versions: "PyTorch 1.10 to 2.9",
		Files:    "collect_env.txt",
		Reads:    "GPUs, driver, CUDA or ROCm, operating system, processor, vLLM's version and the variables of the environment; for the runs beside and below the file.",
		Unknown:  "How many of the GPUs a server used, and with which arguments.",
	},
	Match: func(h *ingest.Head) bool {
		return h.Kind == 't' && bytes.Contains(h.Data, []byte("Is debug build:")) && bytes.Contains(h.Data, []byte("PyTorch version:"))
	},
	Marks:   []string{"PyTorch version:"},
	MaxSize: 8 << 20,
	Read: func(src *ingest.Source, emit func(record.Record)) error {
		// A text may hold the reports of several machines: each begins with PyTorch's version.
		lines := strings.Split(string(src.Data), "\n")
		from, begun := 0, false
		for i, line := range lines {
			if !strings.HasPrefix(strings.TrimSpace(line), "PyTorch version:") {
				continue
			}
			if begun {
				read(src.Path(), lines[from:i], from, emit)
				from = i
			}
			begun = true
		}
		read(src.Path(), lines[from:], from, emit)
		return nil
	},
}

var gpuLine = regexp.MustCompile(`^GPU \d+: (.+?)(?: \(UUID: .*\))?$`)

// variable is NAME=value at the report's end.
var variable = regexp.MustCompile(`^[A-Z][A-Z0-9_]*=`)

// keys maps the report's keys to facts.
var keys = map[string]string{
	"Nvidia driver version": record.FactDriver, "OS": record.FactOS, "Model name": record.FactCPU,
	"CUDA used to build PyTorch": record.FactCUDA, "CUDA runtime version": record.FactCUDA,
	"ROCM used to build PyTorch": record.FactROCm, "HIP runtime version": record.FactROCm, "ROCM Version": record.FactROCm,
	"vLLM Version": record.FactEngineVersion,
}

func missing(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "n/a", "could not collect", "none", "no", "neuron sdk not available":
		return true
	}
	return false
}

// read reads one report, which stands behind line before of its file.
func read(file string, lines []string, before int, emit func(record.Record)) {
	pos := func(line int) record.Pos { return record.Pos{File: file, Line: line} }
	s := &record.System{}
	env := &record.Params{Of: "env"}
	counts := map[string]int{}
	var names []string
	raw := map[string]string{}
	seen := map[string]bool{}
	begun, ended := 0, false
	for i, line := range lines {
		line = strings.TrimSpace(strings.TrimSuffix(line, "\r"))
		n := before + i + 1
		if m := gpuLine.FindStringSubmatch(line); m != nil {
			s.Devices = append(s.Devices, record.Device{Name: m[1]})
			if counts[m[1]]++; counts[m[1]] == 1 {
				names = append(names, m[1])
			}
			continue
		}
		if variable.MatchString(line) {
			if env.At.Line == 0 {
				env.At = pos(n)
			}
			name, value, _ := strings.Cut(line, "=")
			v, _ := json.Marshal(value) // a string always encodes
			env.Params = append(env.Params, record.Param{Name: name, Value: v, At: pos(n)})
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if key == "PyTorch version" && begun == 0 {
			begun = n
		}
		if key == "Is XNNPACK available" || key == "Versions of relevant libraries" {
			ended = true
		}
		f, known := keys[key]
		if !known || missing(value) {
			continue
		}
		raw[key] = value
		if seen[f] {
			continue
		}
		seen[f] = true
		if f == record.FactEngineVersion {
			s.Facts = append(s.Facts, record.Fact{Key: record.FactEngine, Value: "vllm", At: pos(n)})
		}
		s.Facts = append(s.Facts, record.Fact{Key: f, Value: value, At: pos(n)})
	}
	s.At = pos(max(begun, before+1))
	if !ended {
		emit(&record.SyntaxError{Base: record.Base{At: s.At}, Text: "the report ends before its list of libraries: it was cut short, and what stands in it is kept"})
	}
	for i, n := range names {
		if counts[n] > 1 {
			names[i] = fmt.Sprintf("%dx %s", counts[n], n)
		}
	}
	if len(names) > 0 {
		s.Facts = append(s.Facts, record.Fact{Key: record.FactHardware, Value: strings.Join(names, ", ")})
	}
	s.Raw, _ = json.Marshal(raw) // a map of strings always encodes
	if len(s.Facts) > 0 {
		emit(s)
	}
	if len(env.Params) > 0 {
		emit(env)
	}
}
