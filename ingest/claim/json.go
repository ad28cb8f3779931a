package claim

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Operands are written by hand: a file of claims has some of each run and of each page, and encoding/json goes over each
// value within a value once more. The bytes are those that it writes.

// MarshalJSON writes the number with its place in the catalog.
func (o Operand) MarshalJSON() ([]byte, error) {
	b, err := o.appendTo(nil)
	if err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// MarshalJSON writes the operand with what is made of it.
func (n Number) MarshalJSON() ([]byte, error) { return n.appendTo(nil) }

// MarshalJSON writes the numbers and how they stand to one another.
func (c *Stated) MarshalJSON() ([]byte, error) {
	b := []byte(`{"of":`)
	if c.Numbers == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, '[')
		for i, n := range c.Numbers {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = n.appendTo(b); err != nil {
				return nil, err
			}
		}
		b = append(b, ']')
	}
	relations, err := json.Marshal(c.Relations)
	if err != nil {
		return nil, err
	}
	return append(append(append(b, `,"relations":`...), relations...), '}'), nil
}

func (n Number) appendTo(b []byte) ([]byte, error) {
	b, err := n.Operand.appendTo(b)
	if err != nil {
		return nil, err
	}
	if n.Over != 0 {
		b = strconv.AppendInt(append(b, `,"over":`...), int64(n.Over), 10)
	}
	if n.Inverse {
		b = append(b, `,"inverse":true`...)
	}
	if b, err = appendNumber(append(b, `,"is":`...), n.Is()); err != nil {
		return nil, err
	}
	if n.Called != "" {
		b = appendText(append(b, `,"called":`...), n.Called)
	}
	return append(b, '}'), nil
}

// appendTo appends the operand as an object that is not closed.
func (o Operand) appendTo(b []byte) ([]byte, error) {
	b, err := placeOf(o).appendTo(b)
	if err != nil {
		return nil, err
	}
	b = appendText(append(b, `,"metric":`...), string(o.Metric))
	b = appendText(append(b, `,"stat":`...), o.Stat)
	return appendNumber(append(b, `,"value":`...), o.Value)
}

// appendTo appends the place as an object that is not closed.
func (p place) appendTo(b []byte) ([]byte, error) {
	b = appendText(append(b, `{"run":`...), p.Run)
	b = appendText(append(b, `,"workload":`...), p.Workload)
	b = append(b, `,"points":`...)
	for i, at := range p.Points {
		if i == 0 {
			b = append(b, '[')
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(at), 10)
	}
	if p.Points == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, ']')
	}
	if p.Axis != "" {
		b = appendText(append(b, `,"axis":`...), p.Axis)
	}
	b = append(b, `,"load":`...)
	switch v := float64(p.Load); {
	case math.IsInf(v, 1):
		return append(b, `"inf"`...), nil
	case math.IsInf(v, -1):
		return append(b, `"-inf"`...), nil
	default:
		return appendNumber(b, v)
	}
}

// appendNumber appends a number as encoding/json writes it.
func appendNumber(b []byte, v float64) ([]byte, error) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil, fmt.Errorf("%v has no JSON form", v)
	}
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, err := json.Marshal(v)
		return append(b, text...), err
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64), nil
}

// appendText appends a text as encoding/json writes it.
func appendText(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			text, _ := json.Marshal(s) // a text has a JSON form
			return append(b, text...)
		} else if c >= utf8.RuneSelf {
			plain = false
		}
	}
	if !plain && (!utf8.ValidString(s) || strings.ContainsAny(s, "\u2028\u2029")) {
		text, _ := json.Marshal(s)
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
