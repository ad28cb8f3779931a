// Package demo reads ... (say what the tool measures, and what of its words means something of its own).
package demo

import (
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// tool is the family of the tool, as records name it.
const tool = "demo"

// Format reads results of demo. TODO: everything below is of an invented tool; put in yours.
var Format = &ingest.Format{
	Name: "demo",
	Doc: ingest.Doc{
		Title:    "demo results",
		Tool:     "demo",
		Command:  "demo --output result.json",
		Versions: "1.0",
		Files:    "*.json, JSON lines",
		Reads:    "Each record with its concurrency, output throughput and mean TTFT.",
		Unknown:  "The engine and the GPU stand in no such file.",
	},
	// Decide by keys that no other tool writes; the name of a file is a hint for values.
	Match: func(h *ingest.Head) bool { return h.Kind == '{' && h.Has("demo_version", "output_throughput") },
	Read:  read,
}

func read(src *ingest.Source, emit func(record.Record)) error {
	object.Values(src, false, func(v jsonval.Value) {
		if r := result(object.New(src.Path(), v, emit), v); r != nil {
			emit(r)
		}
	}, emit)
	return nil
}

// result reads one record, nil where it is none.
func result(o *object.Object, v jsonval.Value) *record.Result {
	if !o.Has("demo_version") {
		o.Bad("", "no record of demo: it lacks \"demo_version\"")
		return nil
	}
	model := o.Text("model")
	facts := clean.Facts{}
	facts.Add(record.FactModel, model, o.At("model"))
	facts.Add(record.FactToolVersion, o.Text("demo_version"), o.At("demo_version"))
	r := &record.Result{Base: record.Base{At: o.Pos(), Facts: facts}}
	r.Identity = record.Identity{Tool: tool, Model: model}
	r.Load.MaxConcurrency = o.Count("concurrency")
	// A number has what it measures, a statistic and the unit as written. Leave out what is missing
	// in disguise.
	for _, k := range []struct {
		key, unit string
		quantity  metric.ID
		stat      string
	}{
		{"output_throughput", "tok/s", metric.OutputThroughput, metric.Value},
		{"mean_ttft_ms", "ms", metric.TTFT, metric.Mean},
	} {
		if n, ok := o.Number(k.key); ok && n > 0 {
			value := record.Value{Quantity: k.quantity, Stat: k.stat, Number: n, Unit: k.unit, Key: k.key}
			r.Values = append(r.Values, value)
		}
	}
	r.Unmapped = o.Unmapped()
	r.Raw = v.Compact(jsonval.Elide{Longer: 64})
	// The records of a session become one run.
	r.Key = sessions.Key(tool, sessions.Group(o.Pos().File), r)
	return r
}
