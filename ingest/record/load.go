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

// key is a text that is equal where all members written into it are.
type key struct{ strings.Builder }

func (k *key) text(s string) { k.WriteString(strconv.Quote(s) + " ") }

// member writes a member of a key, "-" for nil.
func member[T any](k *key, v *T, text func(T) string) {
	if v == nil {
		k.WriteString("- ")
		return
	}
	k.WriteString(text(*v) + " ")
}

func (k *key) number(v *float64) {
	member(k, v, func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) })
}

func (k *key) whole(v *int64) {
	member(k, v, func(v int64) string { return strconv.FormatInt(v, 10) })
}

func (k *key) truth(v *bool) { member(k, v, strconv.FormatBool) }

// Key names the workload apart from the lengths really served and the warm-up: points of equal
// workload key, load key and repetition are one point.
func (w Workload) Key() string {
	var k key
	k.text(w.Name)
	k.text(w.Dataset)
	k.number(w.Nominal.Input)
	k.number(w.Nominal.Output)
	k.text(w.Distribution)
	k.text(w.LengthSemantics)
	k.whole(w.NumPrompts)
	k.truth(w.PrefixCache)
	k.truth(w.IgnoreEOS)
	k.truth(w.Streaming)
	k.text(w.TokenCounting)
	return k.String()
}

// Key names the load.
func (l Load) Key() string {
	var k key
	k.number((*float64)(l.Rate))
	k.whole(l.MaxConcurrency)
	k.whole(l.Batch)
	k.number(l.Burstiness)
	return k.String()
}
