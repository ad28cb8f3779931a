package record

import "github.com/inferdex/inferdex/ingest/metric"

// Exported is what a Benchmark Report has no place for, under the key "inferdex" of its load's native
// configuration, so that reading what was written gives the same values. D is the type of distributions that
// the writer or the reader has.
type Exported[D any] struct {
	Run     string `json:"run"`
	Session string `json:"session"`
	// Model is as the records name it, which may be not at all; nil is not written.
	Model      *string            `json:"model,omitempty"`
	Date       string             `json:"date,omitempty"`
	Workload   Workload           `json:"workload,omitzero"`
	Load       Load               `json:"load,omitzero"`
	Repetition int                `json:"repetition,omitempty"`
	Counts     *Counts            `json:"counts,omitempty"`
	Metrics    map[metric.ID]Stat `json:"metrics,omitempty"`
	Facts      map[string]string  `json:"facts,omitempty"`
	// Derived are fields of the report that are no metric of the point but follow from others.
	Derived       []string        `json:"derived,omitempty"`
	Errors        []ErrorCount    `json:"errors,omitempty"`
	Distributions map[metric.ID]D `json:"distributions,omitempty"`
}

// Counts are numbers of requests. Nil is not recorded.
type Counts struct {
	Submitted *int64 `json:"submitted,omitempty"`
	Completed *int64 `json:"completed,omitempty"`
	NoOutput  *int64 `json:"no_output,omitempty"` // of those that completed
	Failed    *int64 `json:"failed,omitempty"`
	TimedOut  *int64 `json:"timed_out,omitempty"`
}
