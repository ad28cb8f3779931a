package metric

import (
	"sort"
)

// Report is the field of llm-d's Benchmark Report, version 0.2.1, that holds a metric. The zero value says
// that the report has no field for it.
type Report struct {
	Part ReportPart
	// Rank is the field's position among those of its part, counted from 1.
	Rank int
	// Key is the key of the field. Unit is the report's word for the metric's base unit; who reads a report
	// takes the unit that it states.
	Key, Unit string
}

// ReportPart is the key of a part of a Benchmark Report.
type ReportPart string

// The parts that hold metrics.
const (
	ReportRequests   ReportPart = "requests"
	ReportLatency    ReportPart = "latency"
	ReportThroughput ReportPart = "throughput"    // of each metric one number, which the report calls its mean
	ReportObserved   ReportPart = "observability" // seen of the engines; the report has their maximum
)

// Reported are the metrics of a part of a Benchmark Report in the order of their fields.
func Reported(part ReportPart) []Info {
	var out []Info
	for _, i := range metrics {
		if i.Report.Part == part {
			out = append(out, i)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Report.Rank < out[j].Report.Rank })
	return out
}

// ReportStat is a statistic of a Benchmark Report: its key there, and its name here.
type ReportStat struct{ Key, Stat string }

// ReportStats are the statistics that a field of a Benchmark Report may have, in the order of the report.
func ReportStats() []ReportStat {
	return []ReportStat{
		{"mean", Mean}, {"stddev", Std}, {"min", Min},
		{"p0p1", "p0.1"}, {"p1", "p1"}, {"p5", "p5"}, {"p10", "p10"}, {"p25", P25}, {"p50", Median},
		{"p75", P75}, {"p90", P90}, {"p95", P95}, {"p99", P99}, {"p99p9", "p99.9"}, {"max", Max},
	}
}
