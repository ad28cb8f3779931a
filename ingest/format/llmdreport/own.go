package llmdreport

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// exported is what inferdex writes beside what a report has a place for.
type exported record.Exported[record.Distribution]

// ours reads what inferdex itself added.
func (p *report) ours(config *reading.Object, experiment *string) {
	var x exported
	raw := config.Value("inferdex").Compact(reading.Elide{})
	if err := json.Unmarshal(raw, &x); err != nil {
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
	if x.Workload != (record.Workload{}) {
		res.Workload = x.Workload
	}
	if x.Load != (record.Load{}) && (x.Load.Rate == nil || *x.Load.Rate >= 0) {
		res.Load = x.Load
	}
	res.Repetition = max(0, x.Repetition)
	for _, k := range slices.Sorted(maps.Keys(x.Facts)) {
		if k != "" && x.Facts[k] != "" {
			p.facts = slices.DeleteFunc(p.facts, func(f record.Fact) bool { return f.Key == k })
			p.facts.Add(k, x.Facts[k], config.At("inferdex"))
		}
	}
	x.measured(res)
}

// measured adds what was measured to a result, and takes out what the report derives from other numbers.
func (x *exported) measured(res *record.Result) {
	if c := x.Counts; c != nil {
		res.Submitted, res.Completed, res.NoOutput = c.Submitted, c.Completed, c.NoOutput
		res.Failed, res.TimedOut = c.Failed, c.TimedOut
	}
	for _, f := range metric.Reported(metric.ReportRequests) {
		if slices.Contains(x.Derived, f.Report.Key) {
			res.Values = slices.DeleteFunc(res.Values, func(v record.Value) bool { return v.Quantity == f.ID })
		}
	}
	for _, e := range x.Errors {
		if e.Text != "" && e.Count > 0 {
			res.Errors = append(res.Errors, e)
		}
	}
	for _, q := range slices.Sorted(maps.Keys(x.Distributions)) {
		d := x.Distributions[q]
		if d.Quantity = q; q != "" && d.Unit != "" && len(d.Quantiles) > 0 && d.N > 0 {
			res.Distributions = append(res.Distributions, d)
		}
	}
	for _, q := range slices.Sorted(maps.Keys(x.Metrics)) {
		if s := x.Metrics[q]; q != "" && s.Unit != "" {
			add(res, q, s)
		}
	}
}

// add adds the statistics of a metric that the report has no place for.
func add(res *record.Result, q metric.ID, s record.Stat) {
	s.Percentiles = slices.DeleteFunc(s.Percentiles, func(p record.Percentile) bool { return p.P <= 0 || p.P >= 100 })
	for _, x := range s.All() {
		if x.Name == metric.Value && (q == metric.InputTokens || q == metric.OutputTokens) {
			x.Name = metric.Total
		}
		res.Values = append(res.Values, record.Value{
			Quantity: q, Stat: x.Name, Number: x.Value, Unit: s.Unit,
			Key: "inferdex.metrics." + string(q) + "." + x.Name,
		})
	}
	if s.N <= 0 {
		return
	}
	for i := range res.Values {
		if res.Values[i].Quantity == q {
			res.Values[i].N = s.N
		}
	}
}
