package mlperf

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// members are the parts of a description that are facts of the runs; the rest stays in the raw
// record.
var members = []struct{ key, fact string }{
	{"accelerator_interconnect", record.FactTopology},
	{"host_processor_model_name", record.FactCPU},
	{"host_memory_capacity", record.FactRAM},
	{"operating_system", record.FactOS},
	{"submitter", "labels.submitter"},
	{"division", "labels.division"},
	{"hw_notes", record.FactNotes},
}

// software is a part of the description of a framework: "vLLM 0.9.1", "ROCm 6.4.1".
var software = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9 _-]*?)[ -]v?([0-9][A-Za-z0-9.+~_-]*)$`)

// engines are the inference engines among them, in lower case.
var engines = []string{
	"vllm", "sglang", "tensorrt-llm", "trt-llm", "tensorrt", "llama.cpp", "tgi", "lmdeploy", "openvino",
}

// mostDevices bounds the list of accelerators of one system: thousands serve together, no more.
const mostDevices = 4096

var capacity = regexp.MustCompile(`(?i)^([0-9]+(?:\.[0-9]+)?)\s*(GB|GiB|MB|MiB|TB|TiB)\b`)

// memory reads "192 GB" to MiB; submitters write GB and mean GiB. Nil where it is another text.
func memory(text string) *float64 {
	m := capacity.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil || n <= 0 || n > 1e9 {
		return nil
	}
	switch strings.ToUpper(m[2][:1]) {
	case "G":
		n *= 1 << 10
	case "T":
		n *= 1 << 20
	}
	return &n
}

// system reads a description. Members are texts, some of them numbers; "" and "N/A" are missing.
func system(src *reading.Source, emit func(record.Record)) {
	file := src.Path()
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(file, v, emit)
		if !o.Has("accelerator_model_name") && !o.Has("system_name") {
			o.Bad("",
				"no description of a system for MLPerf: \"accelerator_model_name\" and \"system_name\" are missing")
			return
		}
		s := &record.System{Base: record.Base{At: o.Pos()}}
		fs := reading.Facts{}
		get := func(key string) string {
			switch t := strings.TrimSpace(o.Text(key)); strings.ToLower(t) {
			case "n/a", "na", "none", "-", "tbd":
				return ""
			default:
				return t
			}
		}
		count := func(key string) (n float64, ok bool) {
			t := get(key)
			if t == "" {
				return 0, false
			}
			n, err := strconv.ParseFloat(t, 64)
			if err != nil || n != math.Trunc(n) || n < 0 || n > 1e6 {
				o.Bad(key, "%q is %q, a count was expected: the value is left out", key, reading.Clip(t))
				return 0, false
			}
			return n, true
		}
		name, size := get("accelerator_model_name"), get("accelerator_memory_capacity")
		each, okEach := count("accelerators_per_node")
		nodes, okNodes := count("number_of_nodes")
		if !okNodes {
			nodes = 1
		}
		if n := each * nodes; okEach && n > 0 && name != "" {
			for range int(min(n, mostDevices)) {
				s.Devices = append(s.Devices, record.Device{Name: name, MemoryMiB: memory(size)})
			}
			fs.Add(record.FactCount, strconv.FormatFloat(n, 'f', -1, 64), o.At("accelerators_per_node"))
		}
		fs.Add(record.FactHardware, name, o.At("accelerator_model_name"))
		if name != "" {
			fs.Add(record.FactGPUMemory, size, o.At("accelerator_memory_capacity"))
		}
		at := o.At("framework")
		frameworks(&fs, get("framework"), at)
		// An engine that is not among the known ones stays in the words of the submitter.
		if !stated(fs, record.FactEngine) && get("framework") != "" {
			fs.Add(record.FactNotes, "framework: "+get("framework"), at)
		}
		for _, m := range members {
			fs.Add(m.fact, get(m.key), o.At(m.key))
		}
		s.Facts = fs
		s.Raw = v.Compact(reading.Elide{Longer: 64})
		emit(s)
	}, emit)
}

// stated reports whether a fact was stated.
func stated(fs reading.Facts, key string) bool {
	return slices.ContainsFunc(fs, func(f record.Fact) bool { return f.Key == key })
}

// frameworks states the engine and the versions that a list of software names: "vLLM 0.9.1, ROCm 6.4.1".
func frameworks(fs *reading.Facts, list string, at record.Pos) {
	for _, part := range strings.Split(list, ",") {
		m := software.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			continue
		}
		switch kind := strings.ToLower(m[1]); {
		case slices.Contains(engines, kind):
			if !stated(*fs, record.FactEngine) {
				fs.Add(record.FactEngine, m[1], at)
				fs.Add(record.FactEngineVersion, m[2], at)
			}
		case kind == "cuda":
			fs.Add(record.FactCUDA, m[2], at)
		case kind == "rocm":
			fs.Add(record.FactROCm, m[2], at)
		case strings.HasSuffix(kind, "driver"):
			fs.Add(record.FactDriver, m[2], at)
		}
	}
}
