package export

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

type results struct {
	RequestPerformance struct {
		Aggregate aggregate `yaml:"aggregate" json:"aggregate"`
	} `yaml:"request_performance" json:"request_performance"`
}

type aggregate struct {
	Requests   object            `yaml:"requests,omitempty" json:"requests,omitempty"`
	Latency    map[string]object `yaml:"latency,omitempty" json:"latency,omitempty"`
	Throughput map[string]object `yaml:"throughput,omitempty" json:"throughput,omitempty"`
}

// object is an object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		b.WriteByte("{,"[min(i, 1)])
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.WriteString(`"` + m.key + `":`) // our keys need no escapes
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o object) MarshalYAML() (any, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, m := range o {
		var value yaml.Node
		if err := value.Encode(m.value); err != nil {
			return nil, err
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: m.key}, &value)
	}
	return n, nil
}

// performance fills in the numbers, and puts into x what finds no place.
func performance(doc *benchmarkReport, p *catalog.Point, x *beyond) {
	left := maps.Clone(p.Metrics)
	take := func(f metric.Info) (of object) {
		if s, ok := left[f.ID]; ok && s.Suspect == "" { // a report has no mark for what cannot be believed
			of, left[f.ID] = split(s, f.Report)
		}
		return of
	}
	all := func(part metric.ReportPart) map[string]object {
		out := map[string]object{}
		for _, f := range metric.Reported(part) {
			if of := take(f); of != nil {
				out[f.Report.Key] = of
			}
		}
		return out
	}
	a := &doc.Results.RequestPerformance.Aggregate
	a.Latency, a.Throughput = all(metric.ReportLatency), all(metric.ReportThroughput)
	if a.Requests = requestsOf(p, x).object(); a.Requests != nil {
		// The mean length served follows from the totals where it is no metric of the point.
		served := map[metric.ID]catalog.Number{
			metric.InputTokens: p.Workload.Actual.Input, metric.OutputTokens: p.Workload.Actual.Output,
		}
		for _, f := range metric.Reported(metric.ReportRequests) {
			of := take(f)
			if n := served[f.ID]; of == nil && n != nil {
				x.Derived = append(x.Derived, f.Report.Key)
				of = object{{"units", f.Report.Unit}, {"mean", number(*n)}}
			}
			if of != nil {
				a.Requests = append(a.Requests, member{f.Report.Key, of})
			}
		}
	}
	for m, s := range left {
		s.OrigUnit, s.Computed = "", ""
		if !reflect.DeepEqual(s, catalog.Stat{Unit: s.Unit}) {
			x.Metrics[m] = s
		}
	}
}

// split divides the statistics of a metric into those that the report has a place for and the rest.
// Without a mean all is rest: the report wants one.
func split(s catalog.Stat, f metric.Report) (of object, rest catalog.Stat) {
	placed := map[string]bool{}
	of = object{{"units", f.Unit}}
	for _, x := range metric.ReportStats() {
		name := x.Stat
		if name == metric.Mean && f.Part == metric.ReportThroughput {
			name = metric.Value
		}
		v, ok := s.Get(name)
		switch {
		case ok:
			placed[name] = true
			of = append(of, member{x.Key, number(v)})
		case x.Stat == metric.Mean:
			return nil, s
		}
	}
	rest = catalog.Stat{Unit: s.Unit, N: s.N}
	for _, x := range s.All() {
		if !placed[x.Name] {
			rest.Set(x.Name, x.Value)
		}
	}
	return of, rest
}

// requests are the numbers of requests as the report counts them; nil is not recorded.
type requests struct {
	Total                int64
	Failures, Incomplete *int64
}

// object is the counts as members of the report; nil where nothing was counted.
func (q *requests) object() object {
	if q == nil {
		return nil
	}
	o := object{{"total", q.Total}}
	if q.Failures != nil {
		o = append(o, member{"failures", *q.Failures})
	}
	if q.Incomplete != nil {
		o = append(o, member{"incomplete", *q.Incomplete})
	}
	return o
}

// requestsOf counts the requests; nil where nothing was counted. The counts as they are go to x
// where a reader of the report would not get them.
func requestsOf(p *catalog.Point, x *beyond) *requests {
	exact := record.Counts{Submitted: p.Submitted, Completed: p.Completed, NoOutput: p.NoOutput, Failed: p.Failed,
		TimedOut: p.TimedOut}
	q := &requests{Failures: p.Failed}
	switch {
	case p.Submitted != nil:
		q.Total = *p.Submitted
	case p.Completed != nil && p.Failed != nil:
		q.Total = *p.Completed + *p.Failed
	case p.Completed != nil:
		q.Total = *p.Completed
	default:
		if exact != (record.Counts{}) {
			x.Counts = &exact
		}
		return nil
	}
	if p.Completed != nil {
		rest := q.Total - *p.Completed
		if p.Failed != nil {
			rest -= *p.Failed
		}
		switch {
		case rest < 0: // the counts contradict each other: the report has the number sent
			q.Failures = nil
		case rest > 0 || p.Failed == nil && p.Submitted != nil:
			q.Incomplete = &rest
		}
	}
	got := read(q)
	if !same(got.Submitted, p.Submitted) || !same(got.Completed, p.Completed) || !same(got.Failed, p.Failed) ||
		p.TimedOut != nil || p.NoOutput != nil {
		x.Counts = &exact
	}
	return q
}

// read is what a reader of the report makes of its counts.
func read(q *requests) record.Counts {
	c := record.Counts{Submitted: &q.Total, Failed: q.Failures}
	if q.Failures != nil || q.Incomplete != nil {
		n := q.Total
		for _, x := range []*int64{q.Failures, q.Incomplete} {
			if x != nil {
				n -= *x
			}
		}
		c.Completed = &n
	}
	return c
}

func same(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
