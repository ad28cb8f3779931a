package pipeline

import (
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Counts are what a job counted. A runner that counts nothing leaves them zero.
type Counts struct {
	Files, Bytes, Records, Unreadable, Rejected, Parts, Runs int64
	// Largest is how many files the largest part has.
	Largest int64
	// Seconds are those that workers spent in each step, all together.
	Seconds map[string]float64
}

// Counted reads the counters of a job that has ended.
func Counted(result beam.PipelineResult) Counts {
	n := Counts{Seconds: map[string]float64{}}
	all := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == Namespace })
	into := map[string]*int64{"files": &n.Files, "bytes": &n.Bytes, "records": &n.Records,
		"unreadable": &n.Unreadable, "rejected": &n.Rejected, "parts": &n.Parts, "runs": &n.Runs}
	for _, c := range all.Counters() {
		if x := into[c.Name()]; x != nil {
			*x += c.Result()
		}
		if step, ok := strings.CutPrefix(c.Name(), "us_"); ok {
			n.Seconds[step] += float64(c.Result()) / 1e6
		}
	}
	for _, d := range all.Distributions() {
		n.Largest = max(n.Largest, d.Result().Max)
	}
	return n
}
