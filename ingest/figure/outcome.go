package figure

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Outcome is what became of the requests of one or of several points.
type Outcome struct {
	Completed, Submitted int64
	// NoOutput is how many of the completed requests are known to have no output token. They are no success, whatever
	// the tool calls them; where the records do not say how many there are, it is 0 and nothing is taken away.
	NoOutput int64
}

// Success is the outcome of the requests of a point; ok is false where it is not recorded how many were completed, or
// of how many.
func Success(p *catalog.Point) (o Outcome, ok bool) {
	if p.Completed == nil {
		return o, false
	}
	o.Completed = *p.Completed
	if p.NoOutput != nil {
		o.NoOutput = min(*p.NoOutput, o.Completed)
	}
	switch {
	case p.Submitted != nil:
		o.Submitted = *p.Submitted
	case p.Workload.NumPrompts != nil:
		o.Submitted = *p.Workload.NumPrompts
	case p.Failed != nil:
		o.Submitted = o.Completed + *p.Failed
	}
	return o, o.Submitted > 0
}

// Ratio is the success rate: the share of the submitted requests that were completed with output.
func (o Outcome) Ratio() float64 { return float64(o.Completed-o.NoOutput) / float64(o.Submitted) }

// Short reports whether not all requests were completed with output.
func (o Outcome) Short() bool { return o.Completed-o.NoOutput < o.Submitted }

// Add is the outcome of the requests of both.
func (o Outcome) Add(p Outcome) Outcome {
	return Outcome{o.Completed + p.Completed, o.Submitted + p.Submitted, o.NoOutput + p.NoOutput}
}

// Of says of how many requests those completed are, and how many of these have no output: "of 1,000", "of 1,000, 378
// without output".
func (o Outcome) Of() string {
	text := "of " + metric.Count(o.Submitted)
	if o.NoOutput > 0 {
		text += ", " + metric.Count(o.NoOutput) + " without output"
	}
	return text
}

// Words say what became of the requests, which are called what noun says, or nothing: "990 of 1,000 requests
// completed", "1,000 of 1,000 completed, 378 without output".
func (o Outcome) Words(noun string) string {
	if noun != "" {
		noun = " " + noun
	}
	of, without, some := strings.Cut(o.Of(), ", ")
	if some {
		without = ", " + without
	}
	return metric.Count(o.Completed) + " " + of + noun + " completed" + without
}

// Lacks says what is wrong with requests: "10 not completed", "10 not completed, 378 without output"; "" for nothing.
func (o Outcome) Lacks() string {
	var texts []string
	if n := o.Submitted - o.Completed; n > 0 {
		texts = append(texts, metric.Count(n)+" not completed")
	}
	if o.NoOutput > 0 {
		texts = append(texts, metric.Count(o.NoOutput)+" without output")
	}
	return strings.Join(texts, ", ")
}

// Requests is the outcome of the requests of some points, as far as they say it.
func Requests(points []*catalog.Point) (all Outcome) {
	for _, p := range points {
		if o, ok := Success(p); ok {
			all = all.Add(o)
		}
	}
	return all
}

// Incomplete is the worst outcome of some points at which not all requests were completed with output.
func Incomplete(points []*catalog.Point) (worst Outcome, short bool) {
	for _, p := range points {
		if p == nil {
			continue
		}
		if o, ok := Success(p); ok && o.Short() && (!short || o.Ratio() < worst.Ratio()) {
			worst, short = o, true
		}
	}
	return worst, short
}
