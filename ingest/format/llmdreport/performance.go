package llmdreport

import (
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// performance reads the performance of all requests: their numbers, lengths and latencies.
func (p *report) performance(o *reading.Object, prefix string) {
	q := o.Sub("requests")
	p.counts(q)
	p.metrics(q, metric.ReportRequests, prefix+"requests.")
	p.latency(o.Sub("latency"), prefix+"latency.")
}

// metrics reads the metrics of a part of the report.
func (p *report) metrics(o *reading.Object, part metric.ReportPart, prefix string) {
	for _, f := range metric.Reported(part) {
		p.res.Values = append(p.res.Values, statistics(o, f, prefix)...)
	}
}

// stats are the names of statistics by their keys in a report.
var stats = func() map[string]string {
	m := map[string]string{"P25": metric.P25} // of one converter
	for _, s := range metric.ReportStats() {
		m[s.Key] = s.Stat
	}
	return m
}()

// unitOf is the unit that a report states of a metric: "count" does not say what is counted.
func unitOf(f metric.Info, stated string) string {
	if stated == "count" && f.Report.Unit == stated {
		return f.Unit
	}
	return stated
}

// statistics reads the Statistics object of a metric. Of a throughput the mean is the value.
func statistics(o *reading.Object, f metric.Info, prefix string) []record.Value {
	key := f.Report.Key
	if !o.Has(key) {
		o.Use(key)
		return nil
	}
	s := o.Sub(key)
	unit := unitOf(f, s.Text("units"))
	if unit == "" && s.Pos() != o.Pos() {
		o.Bad(key, "%q has no \"units\": it is left out", prefix+key)
		s.Each(func(k string, _ reading.Value) { s.Use(k) })
		return nil
	}
	var out []record.Value
	s.Each(func(k string, _ reading.Value) {
		stat := stats[k]
		if stat == "" {
			return
		}
		if stat == metric.Mean && f.Report.Part == metric.ReportThroughput {
			stat = metric.Value
		}
		if n, ok := s.Number(k); ok {
			out = append(out, record.Value{Quantity: f.ID, Stat: stat, Number: n, Unit: unit,
				Key: prefix + key + "." + k})
		}
	})
	return out
}

// counts reads the numbers of requests.
func (p *report) counts(q *reading.Object) {
	res := p.res
	res.Submitted = q.Count("total")
	res.Failed = q.Count("failures")
	incomplete := q.Count("incomplete")
	if res.Submitted == nil || res.Failed == nil && incomplete == nil {
		return
	}
	n := *res.Submitted
	for _, x := range []*int64{res.Failed, incomplete} {
		if x != nil {
			n -= *x
		}
	}
	if n < 0 {
		q.Bad("total", "\"total\" is less than \"failures\" and \"incomplete\" together: "+
			"the number of completed requests is not known")
		res.Failed = nil
		return
	}
	res.Completed = &n
}

// latency reads the latencies.
func (p *report) latency(o *reading.Object, prefix string) {
	by := map[metric.ID][]record.Value{}
	fields := metric.Reported(metric.ReportLatency)
	for _, f := range fields {
		by[f.ID] = statistics(o, f, prefix)
	}
	if !p.own { // inferdex has told them apart already
		p.rename(by)
	}
	for _, f := range fields {
		p.res.Values = append(p.res.Values, by[f.ID]...)
	}
}

// rename calls latencies what they are where the tool that measured has other words for them.
func (p *report) rename(by map[metric.ID][]record.Value) {
	become := func(from, to metric.ID) {
		for _, v := range by[from] {
			v.Quantity = to
			by[to] = append(by[to], v)
		}
		delete(by, from)
	}
	switch strings.ToLower(p.tool) {
	case "aiperf", "genai-perf":
		if len(by[metric.TPOT]) == 0 {
			become(metric.ITL, metric.TPOT)
		}
	case "guidellm":
		// e2e / n, or a TPOT of an old release that divides by n: of that nothing can be made.
		if len(by[metric.NTPOT]) == 0 && p.normalized(by) {
			become(metric.TPOT, metric.NTPOT)
		}
		if len(by[metric.ITL]) > 0 {
			delete(by, metric.TPOT)
			become(metric.ITL, metric.TPOT)
		}
	}
}

// normalized reports whether what is called TPOT is the end-to-end latency / output tokens.
func (p *report) normalized(by map[metric.ID][]record.Value) bool {
	e2e, per := reading.Mean(by[metric.E2ELatency], metric.E2ELatency), reading.Mean(by[metric.TPOT], metric.TPOT)
	n := reading.Mean(p.res.Values, metric.OutputTokens)
	if e2e == nil || per == nil || n == nil || *e2e <= 0 {
		return false
	}
	x := *per * *n / *e2e
	near := func(x float64) bool { return math.Abs(x-1) < 0.1 }
	return near(x) || near(x/1000) // the units may differ by a thousand
}

// observed reads what was seen of the engines: the highest use of the KV cache of all, and of a
// single engine the most requests that ran and waited.
func (p *report) observed(engines map[string]bool) {
	results := p.Sub("results")
	if !results.Has("observability") {
		return
	}
	var own []*reading.Object
	for _, c := range results.Sub("observability").List("components") {
		if engines[c.Text("component_label")] && c.Has("aggregate") {
			own = append(own, c.Sub("aggregate"))
		}
	}
	for _, f := range metric.Reported(metric.ReportObserved) {
		if len(own) == 1 || f.Unit == metric.Fraction {
			p.highest(own, f)
		}
	}
}

// highest reads the highest maximum of a metric among the engines.
func (p *report) highest(engines []*reading.Object, f metric.Info) {
	key, best, in := f.Report.Key, -1.0, ""
	for _, a := range engines {
		if !a.Has(key) {
			continue
		}
		s := a.Sub(key)
		n, ok := s.Number("max")
		unit := unitOf(f, s.Text("units"))
		if ok && unit != "" && n > best && (in == "" || in == unit) {
			best, in = n, unit
		}
	}
	if in != "" {
		p.value(f.ID, best, in, "results.observability.components[].aggregate."+key+".max")
	}
}
