package llmdreport

import (
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// v01 reads a report of version 0.1.
func (p *report) v01() {
	scenario, metrics := p.Sub("scenario"), p.Sub("metrics")
	if s := scenario.Text("description"); s != "" {
		p.facts.Add(record.FactNotes, s, scenario.At("description"))
	}
	p.stack(p.engines01(scenario))
	p.load01(scenario.Sub("load"))

	t := metrics.Sub("time")
	if n, ok := t.Number("start"); ok {
		p.res.Date = epoch(n)
	}
	if n, ok := t.Number("duration"); ok {
		p.value(metric.Duration, n, "s", "metrics.time.duration")
	}
	t.Use("stop")
	p.performance(metrics, "metrics.")
	rates := metrics.Sub("throughput")
	for _, f := range metric.Reported(metric.ReportThroughput) {
		// "request_rate" was "requests_per_sec", and one number in our base unit.
		key := strings.TrimSuffix(f.Report.Key, "_rate") + "s_per_sec"
		if n, ok := rates.Number(key); ok {
			p.value(f.ID, n, f.Unit, "metrics.throughput."+key)
		}
	}
}

// engines01 reads what served: lists of roles, accelerators and programs, which go together by their order.
func (p *report) engines01(scenario *reading.Object) []engine {
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
	var roles []string
	host.Value("type").Items(func(_ int, v reading.Value) bool { roles = append(roles, v.Scalar()); return true })
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
			p.accelerator01(&e, accelerators[i])
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
	return engines
}

// accelerator01 reads what an engine ran on.
func (p *report) accelerator01(e *engine, a *reading.Object) {
	e.at, e.accelerator = a.Pos(), known(a.Text("model"))
	if n := a.Count("count"); n != nil {
		e.count = *n
	}
	if m, ok := a.Number("memory"); ok && m > 0 {
		p.facts.Add(record.FactGPUMemory, strconv.FormatFloat(m, 'f', -1, 64)+" GB", a.At("memory"))
	}
	if a.Has("parallelism") {
		p.setup("parallelism", string(a.Value("parallelism").Compact(reading.Elide{})))
	}
}

// load01 reads the load from the arguments of the tool that measured. A list is a sweep, of which this is
// one load.
func (p *report) load01(load *reading.Object) {
	p.tool = known(load.Text("name"))
	p.res.Workload.Name = known(load.Text("type"))
	if !load.Has("args") {
		return
	}
	args := load.Sub("args")
	p.flags("client", "", load.Value("args"))
	first := func(keys ...string) (n float64, ok bool) {
		for _, k := range keys {
			if v := args.Value(k); v.Kind() == reading.KindNumber {
				if n, ok := v.Float(); ok && n > 0 {
					return n, true
				}
			}
		}
		return 0, false
	}
	n, ok := first("max-concurrency", "max_concurrency", "--max-concurrency", "concurrency")
	if ok && n == math.Trunc(n) && n < 1<<53 {
		c := int64(n)
		p.res.Load.MaxConcurrency = &c
	}
	if n, ok := first("request-rate", "request_rate", "--request-rate", "rate", "qps", "qps_values"); ok {
		rate := record.Float(n)
		p.res.Load.Rate = &rate
	}
	args.Each(func(k string, _ reading.Value) { args.Use(k) }) // parameters of the client
}
