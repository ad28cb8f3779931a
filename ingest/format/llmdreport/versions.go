package llmdreport

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// v01 reads a report of version 0.1.
func (p *report) v01() {
	res := p.res
	scenario, metrics := p.Sub("scenario"), p.Sub("metrics")
	if s := scenario.Text("description"); s != "" {
		p.facts.Add(record.FactNotes, s, scenario.At("description"))
	}
	model := scenario.Sub("model")
	name := known(model.Text("name"))
	if q := known(model.Text("quantization")); q != "" {
		p.facts.Add(record.FactPrecision, q, model.At("quantization"))
		p.setup("quantization", q)
	}
	for _, a := range model.List("adapters") {
		p.setup("lora", a.Text("lora"))
	}
	host, platform := scenario.Sub("host"), scenario.Sub("platform")
	roles := []string{}
	host.Value("type").Items(func(_ int, v jsonval.Value) bool { roles = append(roles, v.Scalar()); return true })
	if s, ok := host.Value("type").Str(); ok {
		roles = append(roles, s)
	}
	accelerators, programs := host.List("accelerator"), platform.List("engine")
	var engines []engine
	for i := range max(len(accelerators), len(programs)) {
		e := engine{at: scenario.Pos(), model: name}
		if i < len(roles) {
			e.role = roles[i]
		}
		if i < len(accelerators) {
			a := accelerators[i]
			e.at, e.accelerator = a.Pos(), known(a.Text("model"))
			if n := a.Count("count"); n != nil {
				e.count = *n
			}
			if m, ok := a.Number("memory"); ok && m > 0 {
				p.facts.Add(record.FactGPUMemory, strconv.FormatFloat(m, 'f', -1, 64)+" GB", a.At("memory"))
			}
			if a.Has("parallelism") {
				p.setup("parallelism", string(a.Value("parallelism").Compact(jsonval.Elide{})))
			}
		}
		if i < len(programs) {
			x := programs[i]
			e.tool, e.version, e.args = known(x.Text("name")), known(x.Text("version")), x.Value("args")
		}
		engines = append(engines, e)
	}
	if len(engines) == 0 && name != "" {
		engines = []engine{{at: model.Pos(), model: name}}
	}
	p.stack(engines)

	load := scenario.Sub("load")
	p.tool = known(load.Text("name"))
	res.Workload.Name = known(load.Text("type"))
	if load.Has("args") {
		args := load.Sub("args")
		p.flags("client", "", load.Value("args"))
		first := func(keys ...string) *float64 {
			for _, k := range keys {
				if args.Value(k).Kind() != jsonval.Number {
					continue
				}
				if n, ok := args.Value(k).Float(); ok && n > 0 {
					return &n
				}
			}
			return nil
		}
		// The arguments are those of each tool; a list is a sweep, of which this is one load.
		if n := first("max-concurrency", "max_concurrency", "--max-concurrency", "concurrency"); n != nil && *n == math.Trunc(*n) && *n < 1<<53 {
			c := int64(*n)
			res.Load.MaxConcurrency = &c
		}
		if n := first("request-rate", "request_rate", "--request-rate", "rate", "qps", "qps_values"); n != nil {
			rate := record.Float(*n)
			res.Load.Rate = &rate
		}
		args.Each(func(k string, _ jsonval.Value) { args.Use(k) }) // parameters of the client
	}

	t := metrics.Sub("time")
	if n, ok := t.Number("start"); ok {
		res.Date = epoch(n)
	}
	if n, ok := t.Number("duration"); ok {
		res.Values = append(res.Values, record.Value{Quantity: metric.Duration, Stat: metric.Value, Number: n, Unit: "s", Key: "metrics.time.duration"})
	}
	t.Use("stop")
	q := metrics.Sub("requests")
	p.counts(q)
	p.lengths(q, "metrics.requests.")
	p.latency(metrics.Sub("latency"), "metrics.latency.")
	rates := metrics.Sub("throughput")
	for _, x := range []struct {
		key, unit string
		is        metric.ID
	}{
		{"input_tokens_per_sec", "tok/s", metric.InputThroughput}, {"output_tokens_per_sec", "tok/s", metric.OutputThroughput},
		{"total_tokens_per_sec", "tok/s", metric.TotalThroughput}, {"requests_per_sec", "req/s", metric.RequestThroughput},
	} {
		if n, ok := rates.Number(x.key); ok {
			res.Values = append(res.Values, record.Value{Quantity: x.is, Stat: metric.Value, Number: n, Unit: x.unit, Key: "metrics.throughput." + x.key})
		}
	}
}

func (p *report) lengths(q *object.Object, prefix string) {
	p.res.Values = append(p.res.Values, statistics(q, "input_length", metric.InputTokens, false, "tokens", prefix)...)
	p.res.Values = append(p.res.Values, statistics(q, "output_length", metric.OutputTokens, false, "tokens", prefix)...)
}

// v02 reads a report of version 0.2 or 0.2.1 and returns the name of its experiment.
func (p *report) v02() (experiment string) {
	res := p.res
	run := p.Sub("run")
	experiment = known(run.Text("eid"))
	run.Use("uid", "cid", "pid", "user") // names of this report, of machines and of a person
	if s := run.Text("description"); s != "" {
		p.facts.Add(record.FactNotes, s, run.At("description"))
	}
	t := run.Sub("time")
	if res.Date = t.Text("start"); res.Date == "" {
		res.Date = t.Text("end")
	}
	t.Use("end")
	if s := t.Text("duration"); s != "" {
		if n, ok := seconds(s); ok {
			res.Values = append(res.Values, record.Value{Quantity: metric.Duration, Stat: metric.Value, Number: n, Unit: "s", Key: "run.time.duration"})
		} else {
			t.Bad("duration", "\"run.time.duration\" is %q, a duration such as \"PT30M\" was expected: the value is left out", clean.Clip(s))
		}
	}

	scenario := p.Sub("scenario")
	var engines []engine
	labels := map[string]bool{}
	for _, c := range scenario.List("stack") {
		s := c.Sub("standardized")
		if s.Text("kind") != "inference_engine" {
			p.setup(s.Text("kind"), strings.TrimSpace(known(s.Text("tool"))+" "+known(s.Text("tool_version"))))
			continue
		}
		meta, native := c.Sub("metadata"), c.Sub("native")
		labels[meta.Text("label")] = true
		meta.Use("cfg_id", "schema_version")
		a := s.Sub("accelerator")
		e := engine{at: c.Pos(), tool: known(s.Text("tool")), version: known(s.Text("tool_version")), role: s.Text("role"),
			model: known(s.Sub("model").Text("name")), accelerator: known(a.Text("model")), args: native.Value("args")}
		par := a.Sub("parallelism")
		if n := a.Count("count"); n != nil && *n < 1<<20 {
			e.count = *n
			if r := s.Count("replicas"); r != nil && *r > 0 && *r < 1<<20 {
				e.count *= *r
			}
			// The converters count the accelerators of one worker.
			tp, local, workers := par.Count("tp"), par.Count("dp_local"), par.Count("workers")
			if tp != nil && local != nil && workers != nil && *workers > 1 && *workers < 1<<20 && *tp**local == *n {
				e.count *= *workers
			}
		}
		par.Each(func(k string, v jsonval.Value) { p.setup(k, par.Text(k)) })
		engines = append(engines, e)
		// Environment variables name addresses of machines: normalize redacts them.
		native.Value("envars").Fields(func(k string, v jsonval.Value) bool {
			line, col := v.Place()
			if k != "" {
				p.params["env"] = append(p.params["env"], record.Param{Name: k, Value: v.Compact(jsonval.Elide{Longer: 64}), At: record.Pos{File: p.r.file, Line: line, Col: col}})
			}
			return true
		})
	}
	p.stack(engines)

	load := scenario.Sub("load")
	std, native := load.Sub("standardized"), load.Sub("native")
	p.tool = known(std.Text("tool"))
	p.facts.Add(record.FactToolVersion, known(std.Text("tool_version")), std.At("tool_version"))
	p.own = native.Value("config").Get("inferdex").Kind() == jsonval.Object
	p.load(std, native.Value("args"), native.Value("config"))
	p.flags("client", "", native.Value("args"))

	agg := p.Sub("results").Sub("request_performance").Sub("aggregate")
	const prefix = "results.request_performance.aggregate."
	q := agg.Sub("requests")
	p.counts(q)
	p.lengths(q, prefix+"requests.")
	p.latency(agg.Sub("latency"), prefix+"latency.")
	rates := agg.Sub("throughput")
	for _, x := range []struct {
		key string
		is  metric.ID
	}{
		{"input_token_rate", metric.InputThroughput}, {"output_token_rate", metric.OutputThroughput},
		{"total_token_rate", metric.TotalThroughput}, {"request_rate", metric.RequestThroughput},
	} {
		res.Values = append(res.Values, statistics(rates, x.key, x.is, true, "", prefix+"throughput.")...)
	}
	p.observed(labels)
	if p.own {
		p.ours(native.Sub("config"), &experiment)
	}
	return experiment
}

// load reads what was asked for, and how hard.
func (p *report) load(std *object.Object, args, config jsonval.Value) {
	res := p.res
	w := &res.Workload
	std.Use("parallelism", "stage")
	if c, ok := std.Value("concurrency").Float(); ok && c >= 1 {
		switch {
		case math.IsInf(c, 1): // no limit
		case c == math.Trunc(c) && c < 1<<53:
			n := int64(c)
			res.Load.MaxConcurrency = &n
		default:
			std.Bad("concurrency", "\"concurrency\" is %v, a whole number was expected: the value is left out", c)
		}
	}
	if std.Has("rate_qps") {
		res.Load.Rate = std.Rate("rate_qps")
	} else if c, ok := std.Value("concurrency").Float(); ok && math.IsInf(c, 1) {
		all := record.Float(math.Inf(1)) // neither a rate nor a limit: all at once
		res.Load.Rate = &all
	}
	switch std.Text("source") {
	case "random":
		w.Dataset = "random"
	default:
		for _, s := range []string{args.Get("dataset-name").Scalar(), args.Get("dataset_name").Scalar(), args.Get("--dataset-name").Scalar(), config.Get("data").Get("type").Scalar()} {
			if w.Dataset == "" {
				w.Dataset = base(known(s))
			}
		}
	}
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
		prefix := std.Sub("prefix")
		name := "shared prefix"
		if n, _ := length(prefix, "prefix_len"); n != nil {
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

// length reads a SequenceLength: the length asked for and its distribution in words. What is
// "other" was not asked for: the converters put the mean length served there.
func length(o *object.Object, key string) (value *float64, distribution string) {
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

// observed reads what was seen of the engines: the highest use of the KV cache of all, and of a
// single engine the most requests that ran and waited.
func (p *report) observed(engines map[string]bool) {
	results := p.Sub("results")
	if !results.Has("observability") {
		return
	}
	seen := results.Sub("observability")
	var own []*object.Object
	for _, c := range seen.List("components") {
		if engines[c.Text("component_label")] && c.Has("aggregate") {
			own = append(own, c.Sub("aggregate"))
		}
	}
	highest := func(key string, q metric.ID, count string, all bool) {
		var best *record.Value
		for _, a := range own {
			if !a.Has(key) || !all && len(own) > 1 {
				continue
			}
			s := a.Sub(key)
			n, ok := s.Number("max")
			unit := s.Text("units")
			if unit == "count" {
				unit = count
			}
			if ok && unit != "" && n >= 0 && (best == nil || best.Unit == unit && n > best.Number) {
				best = &record.Value{Quantity: q, Stat: metric.Value, Number: n, Unit: unit, Key: "results.observability.components[].aggregate." + key + ".max"}
			}
		}
		if best != nil {
			p.res.Values = append(p.res.Values, *best)
		}
	}
	highest("kv_cache_usage", metric.KVCacheUsage, "", true)
	highest("running_requests", metric.RequestsRunning, "requests", false)
	highest("waiting_requests", metric.RequestsWaiting, "requests", false)
}

// exported is what inferdex writes beside what a report has a place for.
type exported struct {
	Run      string            `json:"run"`
	Session  string            `json:"session"`
	Model    *string           `json:"model"` // as the records name it, which may be not at all
	Date     string            `json:"date"`
	Workload *record.Workload  `json:"workload"`
	Load     *record.Load      `json:"load"`
	Counts   *exportedCounts   `json:"counts"`
	Rep      int               `json:"repetition"`
	Metrics  map[string]stat   `json:"metrics"`
	Facts    map[string]string `json:"facts"`
	Derived  []string          `json:"derived"`

	Errors        []record.ErrorCount            `json:"errors"`
	Distributions map[string]record.Distribution `json:"distributions"`
}

type exportedCounts struct {
	Submitted *int64 `json:"submitted"`
	Completed *int64 `json:"completed"`
	Failed    *int64 `json:"failed"`
	TimedOut  *int64 `json:"timed_out"`
}

type stat struct {
	Value       *float64     `json:"value"`
	Mean        *float64     `json:"mean"`
	Median      *float64     `json:"median"`
	Std         *float64     `json:"std"`
	Min         *float64     `json:"min"`
	Max         *float64     `json:"max"`
	MedianLow   *float64     `json:"median_low"`
	MedianHigh  *float64     `json:"median_high"`
	Percentiles [][2]float64 `json:"percentiles"`
	N           int64        `json:"n"`
	Unit        string       `json:"unit"`
}

// ours reads what inferdex itself added.
func (p *report) ours(config *object.Object, experiment *string) {
	var x exported
	raw := config.Value("inferdex").Compact(jsonval.Elide{})
	if err := json.Unmarshal(raw, &x); err != nil || !isObject(raw) {
		config.Bad("inferdex", "what inferdex added to this report cannot be read: it is left out")
		p.own = false
		return
	}
	res := p.res
	if x.Session != "" {
		res.Identity.Session = x.Session
		*experiment = x.Session + " " + x.Run
	}
	if x.Model != nil {
		res.Identity.Model = *x.Model
	}
	res.Date = x.Date // that of the point; the report has the run's where the point has none
	if x.Workload != nil {
		res.Workload = *x.Workload
	}
	if x.Load != nil && (x.Load.Rate == nil || *x.Load.Rate >= 0) {
		res.Load = *x.Load
	}
	if c := x.Counts; c != nil {
		res.Submitted, res.Completed, res.Failed, res.TimedOut = c.Submitted, c.Completed, c.Failed, c.TimedOut
	}
	for key, q := range map[string]metric.ID{"input_length": metric.InputTokens, "output_length": metric.OutputTokens} {
		if slices.Contains(x.Derived, key) { // no metric of the point
			res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool { return v.Quantity == q })
		}
	}
	res.Repetition = max(0, x.Rep)
	for _, e := range x.Errors {
		if e.Text != "" && e.Count > 0 {
			res.Errors = append(res.Errors, e)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(x.Facts)) {
		if k == "" || x.Facts[k] == "" {
			continue
		}
		p.facts = slices.DeleteFunc(p.facts, func(f record.Fact) bool { return f.Key == k })
		p.facts.Add(k, x.Facts[k], config.At("inferdex"))
	}
	for _, name := range slices.Sorted(maps.Keys(x.Distributions)) {
		d := x.Distributions[name]
		if d.Quantity = metric.ID(name); name != "" && d.Unit != "" && len(d.Quantiles) > 0 && d.N > 0 {
			res.Distributions = append(res.Distributions, d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.Metrics)) {
		s := x.Metrics[name]
		q := metric.ID(name)
		if name == "" || s.Unit == "" {
			continue
		}
		add := func(stat string, n *float64) {
			if n != nil {
				res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: *n, Unit: s.Unit, Key: "inferdex.metrics." + name + "." + stat})
			}
		}
		total := metric.Value
		if q == metric.InputTokens || q == metric.OutputTokens {
			total = metric.Total
		}
		add(total, s.Value)
		add(metric.Mean, s.Mean)
		add(metric.Median, s.Median)
		add(metric.Std, s.Std)
		add(metric.Min, s.Min)
		add(metric.Max, s.Max)
		add(metric.MedianLow, s.MedianLow)
		add(metric.MedianHigh, s.MedianHigh)
		for _, c := range s.Percentiles {
			if c[0] > 0 && c[0] < 100 {
				add("p"+strconv.FormatFloat(c[0], 'f', -1, 64), &c[1])
			}
		}
		if s.N > 0 {
			for i := range res.Values {
				if res.Values[i].Quantity == q {
					res.Values[i].N = s.N
				}
			}
		}
	}
}
