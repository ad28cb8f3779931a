package record

import (
	"math"
	"strconv"
)

// The axes of a load.
const (
	AxisConcurrency = "concurrency"
	AxisRate        = "rate"
	AxisBatch       = "batch"
	AxisNone        = ""
)

// Axis is the load's place on a chart: concurrency when MaxConcurrency is set, else rate, else
// batch, which comes before a rate without limit: how many requests were sent at once is the load then. ok is false where
// no load is recorded. The value may be +Inf on the rate axis.
func (l Load) Axis() (axis string, value float64, ok bool) {
	switch {
	case l.MaxConcurrency != nil:
		return AxisConcurrency, float64(*l.MaxConcurrency), true
	case l.Rate != nil && (l.Batch == nil || !math.IsInf(float64(*l.Rate), 1)):
		return AxisRate, float64(*l.Rate), true
	case l.Batch != nil:
		return AxisBatch, float64(*l.Batch), true
	}
	return AxisNone, 0, false
}

// key is a text that is equal where all members written into it are: "-" stands for nil.
type key []byte

func (k key) text(s string) key {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return append(strconv.AppendQuote(k, s), ' ')
		}
	}
	return append(append(append(k, '"'), s...), '"', ' ')
}

func (k key) number(v *float64) key {
	if v == nil {
		return append(k, "- "...)
	}
	return append(strconv.AppendFloat(k, *v, 'g', -1, 64), ' ')
}

func (k key) whole(v *int64) key {
	if v == nil {
		return append(k, "- "...)
	}
	return append(strconv.AppendInt(k, *v, 10), ' ')
}

func (k key) truth(v *bool) key {
	if v == nil {
		return append(k, "- "...)
	}
	return append(strconv.AppendBool(k, *v), ' ')
}

// Key names the workload apart from the lengths really served and the warm-up: points of equal
// workload key, load key and repetition are one point.
func (w Workload) Key() string { return string(w.AppendKey(nil)) }

// AppendKey appends what [Workload.Key] returns.
func (w *Workload) AppendKey(to []byte) []byte {
	k := key(to).text(w.Name).text(w.Dataset).number(w.Nominal.Input).number(w.Nominal.Output)
	k = k.text(w.Distribution).text(w.LengthSemantics).whole(w.NumPrompts).truth(w.PrefixCache).truth(w.IgnoreEOS)
	return k.truth(w.Streaming).text(w.TokenCounting)
}

// Key names the load.
func (l Load) Key() string { return string(l.AppendKey(nil)) }

// AppendKey appends what [Load.Key] returns.
func (l *Load) AppendKey(to []byte) []byte {
	return key(to).number((*float64)(l.Rate)).whole(l.MaxConcurrency).whole(l.Batch).number(l.Burstiness)
}
