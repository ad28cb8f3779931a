// Package runmeta reads what scripts write down of a machine and a server beside their results:
// meta.json, system_info.json and the like, one flat object of words. No two scripts use the same
// names; those that mean one thing wherever they stand are known.
package runmeta

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads metadata beside results.
var Format = &reading.Format{
	Name: "run-metadata",
	Doc: reading.Doc{
		Title:    "metadata beside results",
		Tool:     "scripts",
		Command:  "none: written by the scripts around a benchmark",
		Versions: "any",
		Files:    "meta.json, system_info.json",
		Reads: "Hardware, model, versions of engine, driver, CUDA or ROCm, image, system and processor, and the " +
			"arguments of the server; for the runs beside and below the file.",
		Unknown: "Which of several results below it is meant.",
	},
	MaxSize: 1 << 20,
	Match: func(h *reading.Head) bool {
		if h.Kind != '{' {
			return false
		}
		known := 0
		for k := range h.Keys {
			if slices.Contains(results, k) {
				return false
			}
			if reading.Second(facts, k) != "" {
				known++
			}
		}
		return known >= 3
	},
	Read: read,
}

// results are keys of what measures something: such a file has a format of its own, or none.
var results = []string{
	"results", "benchmarks", "metrics", "duration", "completed", "points", "latency", "throughput", "report",
	"performance", "request_rate", "concurrency", "conc", "steps",
}

// facts are the keys whose meaning is known.
var facts = [][2]string{
	{"hardware", record.FactHardware}, {"gpu", record.FactHardware}, {"gpu_name", record.FactHardware},
	{"accelerator", record.FactHardware},
	{"gpu_count", record.FactCount}, {"num_gpus", record.FactCount}, {"n_gpus", record.FactCount},
	{"model", record.FactModel}, {"model_id", record.FactModel}, {"model_name", record.FactModel},
	{"vllm_version", record.FactEngineVersion}, {"vllm_version_reported", record.FactEngineVersion},
	{"sglang_version", record.FactEngineVersion}, {"engine_version", record.FactEngineVersion},
	{"engine", record.FactEngine}, {"image", record.FactImage}, {"docker_image", record.FactImage},
	{"vllm_image", record.FactImage}, {"container_image", record.FactImage},
	{"driver_version", record.FactDriver}, {"nvidia_driver", record.FactDriver}, {"driver", record.FactDriver},
	{"cuda_version", record.FactCUDA}, {"cuda", record.FactCUDA},
	{"rocm_version", record.FactROCm}, {"hip_version", record.FactROCm},
	{"os", record.FactOS}, {"platform", record.FactOS}, {"kernel", record.FactKernel},
	{"cpu", record.FactCPU}, {"cpu_model", record.FactCPU},
	{"ram", record.FactRAM}, {"memory", record.FactRAM}, {"profile", "labels.profile"},
	{"served_name", record.FactServedName}, {"served_model_name", record.FactServedName},
}

// engines are the engines that a key of a version names.
var engines = [][2]string{{"vllm_version", "vllm"}, {"vllm_version_reported", "vllm"}, {"sglang_version", "sglang"}}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.Each(src, false, "the metadata of a run", func(o *reading.Object) {
		fs := reading.Facts{}
		said := map[string]string{}
		o.Each(func(k string, f reading.Value) {
			key := reading.Second(facts, k)
			if key == "" || f.Kind() == reading.KindNull {
				return
			}
			text := strings.TrimSpace(o.Text(k))
			switch {
			case f.Kind() == reading.KindObject || f.Kind() == reading.KindArray:
				o.Bad(k, "%q is %v, a text was expected: it is left out", k, f.Kind())
			case unknown(text):
			case len(text) > 500 || strings.Contains(text, "\n"): // a dump of a tool's output
			case said[key] != "" && said[key] != text:
				// Two names of one thing that differ: the first stays.
			default:
				said[key] = text
				fs.Add(key, text, o.At(k))
				fs.Add(record.FactEngine, reading.Second(engines, k), o.At(k))
			}
		})
		if len(fs) > 0 {
			emit(&record.System{Base: record.Base{At: o.Pos(), Facts: fs}})
		} else {
			o.Bad("", "the metadata of a run says nothing that is known")
		}
		if p := server(o); len(p.Params) > 0 {
			emit(p)
		}
	}, emit)
	return nil
}

// unknown are words for what a script did not find.
func unknown(text string) bool {
	switch strings.ToLower(text) {
	case "", "unknown", "n/a", "none", "null", "not found", "not available":
		return true
	}
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "$") ||
		strings.Contains(strings.ToLower(text), "not available")
}

// server reads the arguments of the server: an object of them, in which a text of flags may stand.
func server(o *reading.Object) *record.Params {
	p := &record.Params{Of: "server"}
	for _, key := range []string{"server_config", "server_args", "vllm_args", "engine_args"} {
		if o.Value(key).Kind() != reading.KindObject {
			continue
		}
		args := o.Sub(key)
		p.At = args.Pos()
		args.Each(func(k string, f reading.Value) {
			args.Use(k)
			text, isText := f.Str()
			switch {
			case isText && strings.HasPrefix(strings.TrimSpace(text), "--"):
				c, _ := cmdline.Parse("vllm " + text)
				flags, _ := c.Last()
				for _, flag := range flags {
					p.Params = append(p.Params, record.Param{Name: flag.Key(), Value: flag.Value, At: args.At(k)})
				}
			case f.Kind() == reading.KindNull || isText && text == "":
			default:
				p.Params = append(p.Params,
					record.Param{Name: k, Value: f.Compact(reading.Elide{Longer: 64}), At: args.At(k)})
			}
		})
	}
	return p
}
