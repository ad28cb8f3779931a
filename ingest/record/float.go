package record

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MarshalJSON writes a finite number as such and an infinite one as "inf" or "-inf".
func (f Float) MarshalJSON() ([]byte, error) {
	switch v := float64(f); {
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	case math.IsNaN(v):
		return nil, fmt.Errorf("NaN has no JSON form")
	default:
		return json.Marshal(v)
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Float) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"inf"`:
		*f = Float(math.Inf(1))
		return nil
	case `"-inf"`:
		*f = Float(math.Inf(-1))
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return fmt.Errorf("%q is no number and not \"inf\"", b)
	}
	*f = Float(v)
	return nil
}
