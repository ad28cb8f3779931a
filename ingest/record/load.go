package record

import "strconv"

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
type key []byte

func (k *key) text(s string) { *k = append(strconv.AppendQuote(*k, s), ' ') }

// member writes a member of a key, "-" for nil.
func member[T any](k *key, v *T, write func([]byte, T) []byte) {
	if v == nil {
		*k = append(*k, '-')
	} else {
		*k = write(*k, *v)
	}
	*k = append(*k, ' ')
}

func (k *key) number(v *float64) {
	member(k, v, func(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) })
}

func (k *key) whole(v *int64) {
	member(k, v, func(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) })
}

func (k *key) truth(v *bool) { member(k, v, strconv.AppendBool) }

// Key names the workload apart from the lengths really served and the warm-up: points of equal
// workload key, load key and repetition are one point.
func (w Workload) Key() string { return string(w.AppendKey(nil)) }

// AppendKey appends what [Workload.Key] returns.
func (w *Workload) AppendKey(to []byte) []byte {
	k := key(to)
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
	return k
}

// Key names the load.
func (l Load) Key() string { return string(l.AppendKey(nil)) }

// AppendKey appends what [Load.Key] returns.
func (l *Load) AppendKey(to []byte) []byte {
	k := key(to)
	k.number((*float64)(l.Rate))
	k.whole(l.MaxConcurrency)
	k.whole(l.Batch)
	k.number(l.Burstiness)
	return k
}
