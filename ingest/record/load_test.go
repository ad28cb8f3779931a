package record

import (
	"math"
	"testing"
)

// Where a batch was sent at once, its size is the load: throughput of batches of 4 and of 256 stood at one load, "inf".
func TestAxisOfABatch(t *testing.T) {
	batch, inf, two := int64(256), Float(math.Inf(1)), Float(2)
	for _, c := range []struct {
		load  Load
		axis  string
		value float64
	}{
		{Load{Rate: &inf}, AxisRate, math.Inf(1)},
		{Load{Batch: &batch}, AxisBatch, 256},
		{Load{Rate: &inf, Batch: &batch}, AxisBatch, 256},
		{Load{Rate: &two, Batch: &batch}, AxisRate, 2},
		{Load{Rate: &inf, Batch: &batch, MaxConcurrency: &batch}, AxisConcurrency, 256},
	} {
		if axis, v, ok := c.load.Axis(); !ok || axis != c.axis || v != c.value {
			t.Errorf("%+v lies at %v of %q, want %v of %q", c.load, v, axis, c.value, c.axis)
		}
	}
}
