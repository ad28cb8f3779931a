package object

import (
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Number returns a finite number. Null, NaN and infinities are missing without a word: tools
// write them where nothing was measured. A number in quotes is one.
func (o *Object) Number(key string) (n float64, ok bool) {
	f := o.Value(key)
	switch f.Kind() {
	case jsonval.Null, jsonval.Missing:
		return 0, false
	case jsonval.Number:
		return f.Finite()
	case jsonval.String:
		s, _ := f.Str()
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n, !math.IsNaN(n) && !math.IsInf(n, 0)
		}
		o.Bad(key, "%q is %q, a number was expected: the value is left out", o.prefix+key, clean.Clip(s))
	default:
		o.Bad(key, "%q is %v, a number was expected: the value is left out", o.prefix+key, f.Kind())
	}
	return 0, false
}

// Count returns a whole number that is not negative, nil if there is none.
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
	return &i
}

// Length returns a positive number of tokens, nil if there is none.
func (o *Object) Length(key string) *float64 {
	n := o.Count(key)
	if n == nil || *n == 0 {
		return nil
	}
	f := float64(*n)
	return &f
}

// Rate returns a rate of requests: a number, the word Infinity or the text "inf"; nil if there is
// none.
func (o *Object) Rate(key string) *record.Float {
	f := o.Value(key)
	var n float64
	switch f.Kind() {
	case jsonval.Number:
		n, _ = f.Float()
	case jsonval.String:
		s, _ := f.Str()
		var err error
		if n, err = strconv.ParseFloat(s, 64); err != nil { // reads "inf" and "Infinity" too
			o.Bad(key, "%q is %q, a number or \"inf\" was expected: the value is left out", o.prefix+key, clean.Clip(s))
			return nil
		}
	default:
		o.Number(key) // says what is wrong
		return nil
	}
	switch {
	case math.IsNaN(n):
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
