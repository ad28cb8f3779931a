package ollama

import (
	"strconv"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// answers are the keys of the last object of an answer of Ollama's own API, which counts tokens and nanoseconds.
var answers = []string{"model", "total_duration", "eval_count", "eval_duration"}

// texts are members that hold what was asked and said.
var texts = []string{"response", "message", "thinking", "context", "prompt", "messages", "images", "system", "template"}

// readAPI reads answers of the API. The objects of a stream before the last one count nothing.
func readAPI(src *reading.Source, emit func(record.Record)) {
	count := map[string]int{}
	reading.Values(src, true, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		for _, k := range answers {
			if o.Has(k) {
				continue
			}
			if done := o.Truth("done"); done == nil || *done {
				o.Bad("", "no answer of Ollama: it lacks %q", k)
			}
			return
		}
		model, one := o.Text("model"), int64(1)
		res := &record.Result{Base: record.Base{At: o.Pos(), Identity: record.Identity{Tool: tool, Model: model}}}
		count[model]++
		res.Key, res.Date = record.SessionKey(tool, src.Path(), model), o.Text("created_at")
		res.Load.MaxConcurrency, res.Completed = &one, &one
		res.Workload.Name = "prompt " + strconv.Itoa(count[model])
		res.Workload.Actual = record.Lengths{Input: o.Length("prompt_eval_count"), Output: o.Length("eval_count")}
		if n, ok := o.Measure(&res.Values, metric.Duration, metric.Value, "ns", "total_duration"); ok && n <= 0 {
			res.Values = nil
		}
		speed := func(q metric.ID, tokens *float64, key string) {
			if ns, ok := o.Number(key); ok && ns > 0 && tokens != nil {
				res.Values = append(res.Values, record.Value{Quantity: q, Stat: metric.Value, Unit: "tok/s",
					Number: metric.Round(*tokens / ns * 1e9), N: 1})
			}
		}
		speed(metric.PPSpeed, res.Workload.Actual.Input, "prompt_eval_duration")
		speed(metric.TGSpeed, res.Workload.Actual.Output, "eval_duration")
		facts := reading.Facts{}
		o.Fact(&facts, record.FactModel, "model")
		facts.Add(record.FactEngine, "ollama", o.At("model"))
		res.Facts = facts
		o.Use(texts...)
		o.Use("done", "done_reason", "load_duration")
		o.Rest(res)
		res.Raw = v.Compact(reading.Elide{Longer: 64, Drop: texts})
		emit(res)
	}, emit)
}
