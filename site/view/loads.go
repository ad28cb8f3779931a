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

// loadKind is what pages call one kind of load.
type loadKind struct {
	axis       chart.Axis
	horizontal string      // how it is drawn, in a caption
	noun       string      // what tables are made by: "request rate"
	plural     string      // in a sentence: "requests a second"
	unit       string      // behind a number, with a space before it
	column     page.Column // of loads in a table
	short      string      // the unit of a column or a remark
}

// loadKinds are all kinds; that of "" stands for loads of which no kind is recorded.
var loadKinds = map[string]loadKind{
	record.AxisConcurrency: {
		chart.Axis{Title: "parallel requests", Scale: chart.Pow2}, "parallel requests, logarithmic",
		"parallel requests", "parallel requests", " parallel requests",
		page.Column{Title: "Parallel", Num: true}, "parallel",
	},
	record.AxisRate: {
		chart.Axis{Title: "request rate", Unit: "requests/s", Scale: chart.Linear, Format: metric.Chosen}, "request rate",
		"request rate", "requests a second", " requests/s",
		page.Column{Title: "Rate", Unit: "req/s", Num: true}, "req/s",
	},
	record.AxisBatch: {
		chart.Axis{Title: "batch size", Scale: chart.Pow2}, "batch size, logarithmic",
		"batch size", "batch size", "", page.Column{Title: "Batch", Num: true}, "batch",
	},
	"": {
		chart.Axis{Title: "load"}, "load", "load", "load", "", page.Column{Title: "Load", Num: true}, "",
	},
}

// LoadAxis says of the axis of charts that are drawn elsewhere what it counts, in which unit, whether
// by powers of two, and what a caption says of it.
func LoadAxis(axis string) (title, unit string, pow2 bool, caption string) {
	k := kindOf(axis)
	return k.axis.Title, k.axis.Unit, k.axis.Scale == chart.Pow2, "Horizontal: " + k.horizontal
}

// kindOf is the kind of load that an axis has.
func kindOf(axis string) loadKind {
	if w, ok := loadKinds[axis]; ok {
		return w
	}
	return loadKinds[""]
}

// horizontal names the horizontal axis in a caption.
func horizontal(axis string) string { return "Horizontal: " + kindOf(axis).horizontal }

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
