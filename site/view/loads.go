package view

import (
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// loadAxis is the X axis of charts by load.
func loadAxis(axis string) chart.Axis {
	switch axis {
	case record.AxisConcurrency:
		return chart.Axis{Title: "parallel requests", Scale: chart.Pow2}
	case record.AxisRate:
		return chart.Axis{Title: "request rate", Unit: "requests/s", Scale: chart.Linear}
	case record.AxisBatch:
		return chart.Axis{Title: "batch size", Scale: chart.Pow2}
	}
	return chart.Axis{Title: "load"}
}

// loadWords names the horizontal axis in a caption.
func loadWords(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "Horizontal: parallel requests, logarithmic"
	case record.AxisRate:
		return "Horizontal: request rate"
	case record.AxisBatch:
		return "Horizontal: batch size, logarithmic"
	}
	return "Horizontal: load"
}

func loadNoun(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "parallel requests"
	case record.AxisRate:
		return "request rate"
	case record.AxisBatch:
		return "batch size"
	}
	return "load"
}

func axisUnit(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return " parallel requests"
	case record.AxisRate:
		return " requests/s"
	}
	return ""
}

func rowLoad(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return metric.Exact(v)
}

// loadColumn is the heading of a column of loads.
func loadColumn(axis string) page.Column {
	switch axis {
	case record.AxisRate:
		return page.Column{Title: "Rate", Unit: "req/s", Num: true}
	case record.AxisConcurrency:
		return page.Column{Title: "Parallel", Num: true}
	}
	return page.Column{Title: "Load", Num: true}
}

func infTitle(v float64) string {
	if math.IsInf(v, 1) {
		return "infinite rate: all requests were sent at once"
	}
	return ""
}

// loadShort is a point's load in a table: "38 parallel", "11 req/s", "inf".
func loadShort(p *catalog.Point) string {
	axis, _, ok := p.Load.Axis()
	t := figure.LoadText(p)
	switch {
	case !ok:
		return "load not recorded"
	case t == "inf":
		return "inf"
	case axis == record.AxisConcurrency:
		return t + " parallel"
	case axis == record.AxisRate:
		return t + " req/s"
	}
	return "batch " + t
}

// lengthsTitle names a workload by its lengths alone where they are recorded: lists have no
// room for the names of scenarios.
func lengthsTitle(s *figure.Scenario) string {
	in, out, _ := s.Lengths()
	if in <= 0 || out <= 0 {
		return s.Title
	}
	return countText(in) + " → " + countText(out)
}

func axisNoun(axis string) string {
	switch axis {
	case record.AxisConcurrency:
		return "parallel requests"
	case record.AxisRate:
		return "requests a second"
	case record.AxisBatch:
		return "batch size"
	}
	return "load"
}

func countText(v float64) string {
	if v <= 0 {
		return "unknown"
	}
	return metric.Count(int64(math.Round(v)))
}

func idText(v float64) string { return itoa(int64(math.Round(v))) }

// IdOf is a metric as an anchor: "e2e-latency".
func IdOf(m metric.ID) string { return strings.ReplaceAll(string(m), "_", "-") }

// metricText writes one value of a metric with its unit.
func metricText(info metric.Info, v float64) string {
	if info.Unit == metric.Seconds {
		return figure.Seconds(v)
	}
	return metric.Format(v) + metric.ThinSpace + info.Unit
}

// rowShort is the load of a row of [figure.Scenario.Rows] in words: "8 parallel, median of 6".
func rowShort(s *figure.Scenario, p *catalog.Point) string {
	if _, which, ok := strings.Cut(s.RowText(p), ", "); ok {
		return loadShort(p) + ", " + which
	}
	return loadShort(p)
}
