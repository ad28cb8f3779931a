package mlperf

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// round are keys of every row of a round's table of results, as MLCommons publishes it.
var round = []string{"Submitter", "UsedModel", "Scenario", "Performance_Result", "Performance_Units"}

var (
	language = regexp.MustCompile(`(?i)llama|mixtral|mistral|deepseek|gpt|qwen|gemma|phi-`)
	// score is one number of the text of an accuracy: "ROUGE1: 44.45  exact_match: 90.1". Lengths of
	// answers stand there too and are none.
	score  = regexp.MustCompile(`([A-Za-z][\w@-]*): ([0-9]+(?:\.[0-9]+)?)`)
	length = regexp.MustCompile(`(?i)^(?:TOKENS_PER_SAMPLE|GEN_LEN|GEN_NUM)$`)
)

// results reads a round's table: a list of rows, of which those of language models are results.
func results(src *reading.Source, emit func(record.Record)) {
	others, first := 0, record.Pos{}
	reading.Values(src, true, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		if v.Kind() != reading.KindObject {
			o.Bad("", "%v where a row of the table of results should stand", v.Kind())
			return
		}
		if !language.MatchString(o.Text("Model")) &&
			!strings.HasPrefix(strings.ToLower(o.Text("Performance_Units")), "tokens") {
			if others++; others == 1 {
				first = o.Pos()
			}
			return
		}
		row(o, v, emit)
	}, emit)
	if others > 0 {
		emit(&record.Ignored{Base: record.Base{At: first},
			Reason: metric.Plural(others, "result of a model that is no language model", "results of models that are no language models") +
				" (images, speech, recommendation, graphs)"})
	}
}

// row reads the result of a language model.
func row(o *reading.Object, v reading.Value, emit func(record.Record)) {
	model, platform, scenario := o.Text("UsedModel"), o.Text("Platform"), o.Text("Scenario")
	if model == "" {
		o.Bad("UsedModel", "the row names no model: it is left out")
		return
	}
	// Platform and model are one run, its scenarios are workloads.
	where := strings.Join([]string{o.Text("version"), o.Text("Category"), o.Text("Submitter"), platform}, "/")
	res := &record.Result{Base: record.Base{At: o.Pos(), Key: record.SessionKey(tool, where, model),
		Identity: record.Identity{Tool: tool, Session: where, Model: model}}}
	res.Workload.Name = scenario
	switch scenario {
	case "Offline":
		f := record.Float(math.Inf(1))
		res.Load.Rate = &f
	case "SingleStream":
		one := int64(1)
		res.Load.MaxConcurrency = &one
	}
	res.Facts = rowFacts(o)
	if n, ok := o.Number("Performance_Result"); ok && n > 0 {
		unit := o.Text("Performance_Units")
		add := func(q metric.ID, stat, unit string) {
			res.Values = append(res.Values,
				record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: "Performance_Result"})
		}
		switch strings.ToLower(unit) {
		case "tokens/s":
			add(metric.OutputThroughput, metric.Value, "tok/s")
		case "queries/s", "samples/s":
			add(metric.RequestThroughput, metric.Value, "req/s")
		case "latency (ms)": // of SingleStream it is the 90th percentile
			add(metric.E2ELatency, "p90", "ms")
		default:
			o.Bad("Performance_Units", "%q is no unit of a result that is known: the value is left out",
				reading.Clip(unit))
		}
	}
	beside := figures(o, res)
	for _, k := range []string{"ID", "Location", "Details", "Code", "Unique ID (e.g. for Audit)", "ColorKey",
		"inferred", "has_power",
		"host_processors_per_node", "host_processor_core_count", "p#", "Suite"} {
		o.Use(k)
	}
	o.Rest(res)
	res.Raw = v.Compact(reading.Elide{Longer: 64})
	if len(res.Values) == 0 {
		o.Bad("Performance_Result", "the row has no result: it is left out")
		return
	}
	emit(res)
	for _, f := range beside {
		emit(f)
	}
	if n := o.Count("errors"); n != nil && *n > 0 {
		emit(&record.Note{Base: res.Beside(), Code: "mlperf-errors", Severity: record.Warning,
			Text: fmt.Sprintf("MLPerf counts %s of the scenario %q", metric.Plural(*n, "error"), scenario)})
	}
	if c := o.Count("compliance"); c != nil && *c == 0 {
		emit(&record.Note{Base: res.Beside(), Code: "mlperf-compliance", Severity: record.Warning,
			Text: fmt.Sprintf("MLPerf's tests of compliance were not passed in the scenario %q", scenario)})
	}
}

// whole is a count without the ".0" that a table with empty cells gives it.
func whole(n string) string { return strings.TrimSuffix(n, ".0") }

// rowFacts are what a row says of the system.
func rowFacts(o *reading.Object) reading.Facts {
	fs := reading.Facts{}
	fs.Add(record.FactModel, o.Text("UsedModel"), o.At("UsedModel"))
	accelerator, n := o.Text("Accelerator"), whole(o.Text("a#"))
	processor := o.Text("Processor")
	if count, err := strconv.Atoi(n); err == nil && count > 0 && accelerator != "" {
		fs.Add(record.FactHardware, accelerator, o.At("Accelerator"))
		// The table counts the accelerators of a node.
		nodes, err := strconv.Atoi(cmp.Or(whole(o.Text("Nodes")), "1"))
		if err == nil && nodes > 0 {
			fs.Add(record.FactCount, strconv.Itoa(count*nodes), o.At("a#"))
		} else {
			o.Bad("Nodes", "%q is no number of nodes: how many accelerators served is not known",
				reading.Clip(o.Text("Nodes")))
		}
	} else {
		fs.Add(record.FactHardware, processor, o.At("Processor"))
	}
	fs.Add(record.FactCPU, processor, o.At("Processor"))
	fs.Add(record.FactOS, o.Text("operating_system"), o.At("operating_system"))
	if p := o.Text("weight_data_types"); p != "UNSET" {
		fs.Add(record.FactPrecision, p, o.At("weight_data_types"))
	}
	frameworks(&fs, o.Text("Software"), o.At("Software"))
	for _, l := range [][2]string{{"system", "System"}, {"submitter", "Submitter"}, {"division", "Category"},
		{"availability", "Availability"},
		{"round", "version"}, {"software", "Software"}} {
		fs.Add("labels."+l[0], o.Text(l[1]), o.At(l[1]))
	}
	fs.Add("labels.nodes", whole(o.Text("Nodes")), o.At("Nodes"))
	fs.Add(record.FactNotes, o.Text("Notes"), o.At("Notes"))
	return fs
}

// figures are accuracies and power: they belong to the run and are no speeds. The power is that of
// the whole system, and not of its accelerators as the metric of a point is.
func figures(o *reading.Object, res *record.Result) (out []record.Record) {
	of := res.Workload.Name
	add := func(key string, q metric.ID, of string, n float64, unit, basis string) *record.Figure {
		base := res.Beside()
		base.At = o.At(key)
		f := &record.Figure{Base: base, Quantity: q, Of: of, Value: &n, Unit: unit, Basis: basis}
		out = append(out, f)
		return f
	}
	for _, m := range score.FindAllStringSubmatch(o.Text("Accuracy"), -1) {
		n, err := strconv.ParseFloat(m[2], 64)
		if err != nil || length.MatchString(m[1]) || n > 100 {
			continue
		}
		f := add("Accuracy", metric.Accuracy, m[1]+", "+of, n, "%", "as MLPerf publishes it")
		f.Score = &record.Score{Task: of, Metric: m[1]}
	}
	if n, ok := o.Number("Power_Result"); ok && n > 0 && strings.EqualFold(o.Text("Power_Units"), "watts") {
		add("Power_Result", metric.Power, "whole system, "+of, n, "W", "as MLPerf publishes it: of the whole system")
	}
	return out
}
