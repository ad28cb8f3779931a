package figure

import (
	"fmt"
	"regexp"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// LoadPhrase is a point's load in words: "at 38 parallel requests", "at 9 requests/s",
// "all requests at once"; "" where none is recorded.
func LoadPhrase(p *catalog.Point) string {
	axis, _, ok := p.Load.Axis()
	t := LoadText(p)
	switch {
	case !ok:
		return ""
	case axis == record.AxisConcurrency && t == "1":
		return "one request at a time"
	case t == "inf":
		return LoadNoun(p)
	case axis == record.AxisBatch:
		return "at batch " + t
	}
	return "at " + LoadNoun(p)
}

// LoadNoun is a load as the subject of a sentence, in the plural: "4 parallel requests".
func LoadNoun(p *catalog.Point) string {
	axis, _, ok := p.Load.Axis()
	t := LoadText(p)
	switch {
	case !ok:
		return "requests"
	case t == "inf":
		return "all requests at once"
	case axis == record.AxisConcurrency && t == "1":
		return "requests one at a time"
	case axis == record.AxisConcurrency:
		return t + " parallel requests"
	case axis == record.AxisRate && t == "1":
		return "1 request/s"
	case axis == record.AxisRate:
		return t + " requests/s"
	}
	return "batches of " + t
}

// Seconds writes a time in the unit people read: "36.2 µs", "646 ms", "26.7 s".
func Seconds(v float64) string { return secondsIn(v, metric.Format) }

// LimitText writes a time that is chosen, without digits that a measurement would have: "2 s".
func LimitText(v float64) string { return secondsIn(v, metric.Chosen) }

// SecondsBeside is Seconds with as many digits as a time needs to differ from a limit: 20.02 ms keep no limit of 20 ms,
// and "20.0 ms" would.
func SecondsBeside(v, limit float64) string {
	if metric.Format(v) != metric.Format(limit) || v == limit {
		return Seconds(v)
	}
	ms, most := v*1000, metric.Round12(limit*1000)
	for decimals := 1; ; decimals++ {
		text := metric.Decimals(ms, decimals)
		if text != metric.Decimals(most, decimals) || decimals == 12 {
			return text + metric.ThinSpace + "ms"
		}
	}
}

// secondsIn is Seconds with digits of its own.
func secondsIn(v float64, digits func(float64) string) string {
	switch {
	case v < 0.001:
		return digits(v*1e6) + "\u202fµs"
	case v < 1:
		return digits(v*1e3) + "\u202fms"
	}
	return digits(v) + "\u202fs"
}

// PercentText writes a share or a difference in a sentence: whole from 10 % on, below with one or two decimals.
func PercentText(v float64) string {
	p := v * 100
	switch {
	case p >= 99.5 && v < 1:
		return "just under 100\u202f%"
	case p >= 1000:
		return metric.Format(p) + "\u202f%"
	case p >= 10:
		return metric.Decimals(p, 0) + "\u202f%"
	case p >= 1:
		return metric.Decimals(p, 1) + "\u202f%"
	case p >= .01:
		return metric.Decimals(p, 2) + "\u202f%"
	}
	return metric.Format(p) + "\u202f%"
}

// EngineName is the run's engine with its version, where that is recorded.
func (r *Run) EngineName() string {
	if r.Engine.Name == "" || r.Engine.Version == "" {
		return r.Engine.Name
	}
	return fmt.Sprintf("%s %s", r.Engine.Name, r.Engine.Version)
}

// OwnName is the series of a run where it says more than its engine's name and version.
func (r *Run) OwnName() string {
	if !r.Named || r.Series == r.EngineName() {
		return ""
	}
	return r.Series
}

// figureOf matches what a figure of a suite is of: "1024/128 at 10".
var figureOf = regexp.MustCompile(`^(\d+)/(\d+)(?: at (\d+))?$`)

// OfText is what a figure of a whole run is of, in words: see catalog.Figure.Of.
func OfText(s string) string {
	m := figureOf.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	t := metric.Thousands(m[1]) + " → " + metric.Thousands(m[2])
	if m[3] != "" {
		t += ", " + m[3] + " parallel"
	}
	return t
}
