package llmdreport

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// aggregated is the path of the performance of all requests.
const aggregated = "results.request_performance.aggregate."

// v02 reads a report of version 0.2 or 0.2.1 and returns the name of its experiment.
func (p *report) v02() (experiment string) {
	experiment = p.run(p.Sub("run"))
	scenario := p.Sub("scenario")
	var engines []engine
	labels := map[string]bool{}
	for _, c := range scenario.List("stack") {
		s := c.Sub("standardized")
		if s.Text("kind") != "inference_engine" {
			p.setup(s.Text("kind"), strings.TrimSpace(known(s.Text("tool"))+" "+known(s.Text("tool_version"))))
			continue
		}
		engines = append(engines, p.engine(c, s))
		meta := c.Sub("metadata")
		labels[meta.Text("label")] = true
		meta.Use("cfg_id", "schema_version")
	}
	p.stack(engines)

	load := scenario.Sub("load")
	std, native := load.Sub("standardized"), load.Sub("native")
	p.tool = known(std.Text("tool"))
	p.facts.Add(record.FactToolVersion, known(std.Text("tool_version")), std.At("tool_version"))
	p.own = native.Value("config").Get("inferdex").Kind() == reading.KindObject
	p.load(std)
	p.workload(std, native.Value("args"), native.Value("config"))
	p.flags("client", "", native.Value("args"))

	agg := p.Sub("results").Sub("request_performance").Sub("aggregate")
	p.performance(agg, aggregated)
	p.metrics(agg.Sub("throughput"), metric.ReportThroughput, aggregated+"throughput.")
	p.observed(labels)
	if p.own {
		p.ours(native.Sub("config"), &experiment)
	}
	return experiment
}

// run reads when and for how long it was measured, and returns the name of the experiment.
func (p *report) run(run *reading.Object) (experiment string) {
	run.Use("uid", "cid", "pid", "user") // names of this report, of machines and of a person
	if s := run.Text("description"); s != "" {
		p.facts.Add(record.FactNotes, s, run.At("description"))
	}
	t := run.Sub("time")
	p.res.Date = cmp.Or(t.Text("start"), t.Text("end"))
	if s := t.Text("duration"); s != "" {
		if n, ok := seconds(s); ok {
			p.value(metric.Duration, n, "s", "run.time.duration")
		} else {
			t.Bad("duration", "\"run.time.duration\" is %q, a duration such as \"PT30M\" was expected: "+
				"the value is left out", reading.Clip(s))
		}
	}
	return known(run.Text("eid"))
}

// engine reads an engine of the stack, and its environment variables: these may name addresses of machines,
// which normalize redacts.
func (p *report) engine(c, s *reading.Object) engine {
	native, a := c.Sub("native"), s.Sub("accelerator")
	native.Value("envars").Fields(func(k string, v reading.Value) bool {
		if k != "" {
			p.param("env", k, v.Compact(reading.Elide{Longer: 64}), v)
		}
		return true
	})
	par := a.Sub("parallelism")
	par.Each(func(k string, _ reading.Value) { p.setup(k, par.Text(k)) })
	return engine{
		at: c.Pos(), tool: known(s.Text("tool")), version: known(s.Text("tool_version")), role: s.Text("role"),
		model: known(s.Sub("model").Text("name")), accelerator: known(a.Text("model")),
		count: accelerators(s, a, par), args: native.Value("args"),
	}
}

// accelerators is how many accelerators all replicas of an engine have, 0 where it is not known.
func accelerators(s, each, par *reading.Object) int64 {
	n := each.Count("count")
	if n == nil || *n >= 1<<20 {
		return 0
	}
	all := *n
	several := func(n *int64) bool { return n != nil && *n > 1 && *n < 1<<20 }
	if r := s.Count("replicas"); several(r) {
		all *= *r
	}
	// The converters count the accelerators of one worker.
	tp, local, workers := par.Count("tp"), par.Count("dp_local"), par.Count("workers")
	if tp != nil && local != nil && several(workers) && *tp**local == *n {
		all *= *workers
	}
	return all
}

// load reads how hard the server was driven.
func (p *report) load(std *reading.Object) {
	load := &p.res.Load
	std.Use("parallelism", "stage")
	c, ok := std.Value("concurrency").Float()
	unlimited := ok && math.IsInf(c, 1)
	switch {
	case !ok || c < 1 || unlimited:
	case c == math.Trunc(c) && c < 1<<53:
		n := int64(c)
		load.MaxConcurrency = &n
	default:
		std.Bad("concurrency", "\"concurrency\" is %v, a whole number was expected: the value is left out", c)
	}
	if std.Has("rate_qps") {
		load.Rate = std.Rate("rate_qps")
	} else if unlimited {
		all := record.Float(math.Inf(1)) // neither a rate nor a limit: all at once
		load.Rate = &all
	}
}

// workload reads what was asked for.
func (p *report) workload(std *reading.Object, args, config reading.Value) {
	w := &p.res.Workload
	w.Dataset = dataset(std.Text("source"), args, config)
	if b, ok := config.Get("api").Get("streaming").Truth(); ok {
		w.Streaming = &b
	}
	if b, ok := config.Get("server").Get("ignore_eos").Truth(); ok {
		w.IgnoreEOS = &b
	}
	in, inDist := length(std, "input_seq_len")
	out, outDist := length(std, "output_seq_len")
	w.Nominal = record.Lengths{Input: in, Output: out}
	switch {
	case inDist == outDist || outDist == "":
		w.Distribution = inDist
	case inDist == "":
		w.Distribution = "output " + outDist
	default:
		w.Distribution = "input " + inDist + ", output " + outDist
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	var names []string
	if std.Has("prefix") {
		name := "shared prefix"
		if n, _ := length(std.Sub("prefix"), "prefix_len"); n != nil {
			name += " of " + strconv.FormatFloat(*n, 'f', -1, 64) + " tokens"
		}
		names = append(names, name)
	}
	if std.Has("multi_turn") {
		if on := std.Sub("multi_turn").Truth("enabled"); on == nil || *on {
			names = append(names, "multi-turn")
		}
	}
	w.Name = strings.Join(names, ", ")
}

// dataset is the data set that the arguments or the configuration of the tool name.
func dataset(source string, args, config reading.Value) string {
	if source == "random" {
		return source
	}
	for _, v := range []reading.Value{
		args.Get("dataset-name"), args.Get("dataset_name"), args.Get("--dataset-name"), config.Get("data").Get("type"),
	} {
		if s := base(known(v.Scalar())); s != "" {
			return s
		}
	}
	return ""
}

// length reads a SequenceLength: the length asked for and its distribution in words. What is
// "other" was not asked for: the converters put the mean length served there.
func length(o *reading.Object, key string) (value *float64, distribution string) {
	if !o.Has(key) {
		o.Use(key)
		return nil, ""
	}
	s := o.Sub(key)
	n, ok := s.Number("value")
	text := s.Text("distribution")
	if text == "other" || !ok || n <= 0 {
		return nil, ""
	}
	number := func(k string) string { return s.Value(k).Scalar() }
	switch {
	case text == "gaussian" && number("std_dev") != "":
		text = "gaussian, deviation " + number("std_dev")
	case text == "uniform" && number("min") != "" && number("max") != "":
		text = "uniform from " + number("min") + " to " + number("max")
	case text != "fixed" && text != "gaussian" && text != "uniform":
		text = ""
	}
	return &n, text
}
