package reading

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Number returns a finite number. Null and NaN are missing: tools write them where nothing was measured.
// [Object.NotNumbers] tells of NaN. What is infinite, or not [Measurable], is reported. A number
// in quotes is one.
func (o *Object) Number(key string) (n float64, ok bool) {
	f := o.Value(key)
	switch f.Kind() {
	case KindNull, KindMissing:
		return 0, false
	case KindNumber:
		n, _ = f.Float()
		return n, o.finite(key, n)
	case KindString:
		s, _ := f.Str()
		if n, err := strconv.ParseFloat(s, 64); err == nil || math.IsInf(n, 0) {
			return n, o.finite(key, n)
		}
		o.Bad(key, "%q is %q, a number was expected: the value is left out", o.prefix+key, Clip(s))
	default:
		o.Bad(key, "%q is %v, a number was expected: the value is left out", o.prefix+key, f.Kind())
	}
	return 0, false
}

// finite reports whether a number was measured. It says where it is too large for that, and remembers NaN.
func (o *Object) finite(key string, n float64) bool {
	switch {
	case math.IsInf(n, 0):
		o.Bad(key, "%q is infinite, or beyond what a number can be: the value is left out", o.prefix+key)
		return false
	case math.IsNaN(n):
		if o.nans == nil {
			o.nans = map[string]bool{}
		}
		o.nans[key] = true
		return false
	case !Measurable(n):
		o.Bad(key, "%q is %v: no measurement is that, and the value is left out", o.prefix+key, n)
		return false
	}
	return true
}

// Count returns a whole number that is not negative, nil if there is none. Nobody changes it: equal ones may be one.
func (o *Object) Count(key string) *int64 {
	n, ok := o.Number(key)
	if !ok {
		return nil
	}
	if n != math.Trunc(n) || n < 0 || n > 1<<53 {
		o.Bad(key, "%q is %v, a count was expected: the value is left out", o.prefix+key, n)
		return nil
	}
	i := int64(n)
	known := &o.value.t.counts[i%int64(len(o.value.t.counts))]
	if *known == nil || **known != i {
		own := i
		*known = &own
	}
	return *known
}

// Positive returns a whole number above 0, nil if there is none.
func (o *Object) Positive(key string) *int64 {
	if n := o.Count(key); n != nil && *n > 0 {
		return n
	}
	return nil
}

// Length returns a positive number of tokens, nil if there is none.
func (o *Object) Length(key string) *float64 {
	n := o.Positive(key)
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// Numbers returns the finite numbers of a list that is a member, and says of how many entries there is none.
func (o *Object) Numbers(key string) (numbers []float64) {
	list := o.Value(key)
	list.Items(func(_ int, v Value) bool {
		if n, ok := v.Finite(); ok {
			numbers = append(numbers, n)
		}
		return true
	})
	if n := list.Len() - len(numbers); n > 0 {
		o.Bad(key, "%d of %d in %q are no numbers: they are left out", n, list.Len(), o.prefix+key)
	}
	return numbers
}

// Rate returns a rate of requests: a number, the word Infinity or the text "inf"; nil if there is
// none.
func (o *Object) Rate(key string) *record.Float {
	f := o.Value(key)
	var n float64
	switch f.Kind() {
	case KindNumber:
		n, _ = f.Float()
	case KindString:
		s, _ := f.Str()
		var err error
		if n, err = strconv.ParseFloat(s, 64); err != nil { // reads "inf" and "Infinity" too
			o.Bad(key, "%q is %q, a number or \"inf\" was expected: the value is left out", o.prefix+key, Clip(s))
			return nil
		}
	default:
		o.Number(key) // says what is wrong
		return nil
	}
	switch {
	case math.IsNaN(n):
		o.finite(key, n) // remembers it
		return nil
	case !math.IsInf(n, 1) && !o.finite(key, n):
		return nil
	case n <= 0:
		o.Bad(key, "%q is %v: a rate is above 0: the value is left out", o.prefix+key, n)
		return nil
	}
	r := record.Float(n)
	return &r
}

// Text returns the text of a scalar member, "" for any other.
func (o *Object) Text(key string) string { return o.Value(key).Scalar() }

// Truth returns a boolean, also one that is written as a text or as 1 or 0; nil if there is none.
func (o *Object) Truth(key string) *bool {
	b := false
	switch strings.ToLower(o.Text(key)) {
	case "true", "1":
		b = true
	case "false", "0":
	default:
		return nil
	}
	return &b
}

// Fact states a fact: the text of a member, if it has one and nothing stated the fact before.
func (o *Object) Fact(facts *Facts, fact, key string) { facts.Add(fact, o.Text(key), o.At(key)) }

// Setup lists those of the members that have a text, in the order of keys.
func (o *Object) Setup(keys ...string) (setup []record.KV) {
	for _, k := range keys {
		if s := o.Text(k); s != "" {
			setup = append(setup, record.KV{Key: k, Value: s})
		}
	}
	return setup
}

// Param is a member as a parameter; a list that is longer than that is summed up.
func (o *Object) Param(key string, longer int) record.Param {
	return record.Param{Name: key, Value: o.Value(key).Compact(Elide{Longer: longer}), At: o.At(key)}
}

// Measure adds a member that is a number to values, with its path as key. It returns the number, 0
// and false where there is none.
func (o *Object) Measure(values *[]record.Value, q metric.ID, stat, unit, key string) (n float64, ok bool) {
	if n, ok = o.Number(key); ok {
		*values = append(*values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: o.prefix + key})
	}
	return n, ok
}

// Statistics adds the members whose keys name a statistic of a quantity, in the order of the file.
// Stat returns the statistic of a key, "" for a member that is none; [Statistic] is the usual one.
func (o *Object) Statistics(values *[]record.Value, q metric.ID, unit string, stat func(key string) string) {
	o.Each(func(k string, _ Value) {
		if s := stat(k); s != "" {
			o.Measure(values, q, s, unit, k)
		}
	})
}

var percentile = regexp.MustCompile(`^p[0-9]{1,2}(?:\.[0-9]{1,4})?$`)

// Statistic is the statistic that tools name by a key; "" for a key that names none.
func Statistic(key string) string {
	switch key {
	case metric.Mean, metric.Median, metric.Min, metric.Max, metric.Std:
		return key
	case "avg":
		return metric.Mean
	case "stddev", "std_dev":
		return metric.Std
	case "p50":
		return metric.Median
	}
	if percentile.MatchString(key) {
		return key
	}
	return ""
}

// Second is the second text of the pair whose first is a word, "" where it is in none. A list of pairs lies in the program
// as it is; a map is filled as the program starts.
func Second(pairs [][2]string, word string) string {
	for _, p := range pairs {
		if p[0] == word {
			return p[1]
		}
	}
	return ""
}

// Measured is a member by what its number or its statistics are of.
type Meaning struct {
	Key      string
	Quantity metric.ID
	Unit     string
}
