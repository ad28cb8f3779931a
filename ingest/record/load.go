package record

import (
	"strconv"
	"strings"
)

// The axes of a load.
const (
	AxisConcurrency = "concurrency"
	AxisRate        = "rate"
	AxisBatch       = "batch"
	AxisNone        = ""
)

// Axis is the load's place on a chart: concurrency when MaxConcurrency is set, else rate, else
// batch. ok is false where no load is recorded. The value may be +Inf on the rate axis.
func (l Load) Axis() (axis string, value float64, ok bool) {
	switch {
	case l.MaxConcurrency != nil:
		return AxisConcurrency, float64(*l.MaxConcurrency), true
	case l.Rate != nil:
		return AxisRate, float64(*l.Rate), true
	case l.Batch != nil:
		return AxisBatch, float64(*l.Batch), true
	}
	return AxisNone, 0, false
}

// Key names the workload apart from the lengths really served and the warm-up: points of equal
// workload key, load key and repetition are one point.
func (w Workload) Key() string {
	var b strings.Builder
	text := func(s string) { b.WriteString(strconv.Quote(s)); b.WriteByte(' ') }
	number := func(n *float64) {
		if n == nil {
			b.WriteString("- ")
			return
		}
		b.WriteString(strconv.FormatFloat(*n, 'g', -1, 64) + " ")
	}
	truth := func(t *bool) {
		if t == nil {
			b.WriteString("- ")
			return
		}
		b.WriteString(strconv.FormatBool(*t) + " ")
	}
	text(w.Name)
	text(w.Dataset)
	number(w.Nominal.Input)
	number(w.Nominal.Output)
	text(w.Distribution)
	text(w.LengthSemantics)
	if w.NumPrompts == nil {
		b.WriteString("- ")
	} else {
		b.WriteString(strconv.FormatInt(*w.NumPrompts, 10) + " ")
	}
	truth(w.PrefixCache)
	truth(w.IgnoreEOS)
	truth(w.Streaming)
	text(w.TokenCounting)
	return b.String()
}

// Key names the load.
func (l Load) Key() string {
	var b strings.Builder
	float := func(p *float64) {
		if p == nil {
			b.WriteString("- ")
			return
		}
		b.WriteString(strconv.FormatFloat(*p, 'g', -1, 64) + " ")
	}
	whole := func(p *int64) {
		if p == nil {
			b.WriteString("- ")
			return
		}
		b.WriteString(strconv.FormatInt(*p, 10) + " ")
	}
	float((*float64)(l.Rate))
	whole(l.MaxConcurrency)
	whole(l.Batch)
	float(l.Burstiness)
	return b.String()
}
