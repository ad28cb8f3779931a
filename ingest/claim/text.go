package claim

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// times writes two times that stand against each other, the longer first: in one unit, "646 ms" and "90.4 ms".
// Where they lie too far apart for one unit each has its own.
func times(long, short float64) (string, string) {
	factor, name := 1.0, "s"
	switch {
	case long < 0.001:
		factor, name = 1e6, "µs"
	case long < 1:
		factor, name = 1e3, "ms"
	}
	l, s := long*factor, short*factor
	if s <= 0 || s < 1 && name != "s" || s < 0.1 || l >= 1000 {
		return figure.Seconds(long), figure.Seconds(short)
	}
	write := func(v float64) string { return metric.Format(v) + metric.ThinSpace + name }
	return write(l), write(s)
}
