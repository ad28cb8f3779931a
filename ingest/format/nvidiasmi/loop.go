package nvidiasmi

import (
	"fmt"
	"time"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// tick is how many milliseconds the lines of one look at all GPUs lie apart at most: each has its own time, and a
// loop looks again after a second or more.
const tick = 500

// mostTicks is how many samples are kept: more than a chart can show.
const mostTicks = 500

// sample is what a line says of one GPU at a time, in W, °C and bytes; nil where it says nothing.
type sample struct {
	at     int64 // milliseconds
	values [3]*float64
}

// sampled are the columns that a loop is drawn of: what lines of one look are added up to, or the highest.
var sampled = []struct {
	column, unit, label, shown string
	scale                      float64
	highest                    bool
}{
	{"power.draw", "W", "power", "W", 1, false},
	{"temperature.gpu", "", "temperature", "°C", 1, true},
	{"memory.used", "MiB", "memory in use", metric.Bytes, 1 << 20, false},
}

// sampleOf reads the time and the values of a line. wrong is why it is no sample; a line without a time says
// nothing wrong.
func sampleOf(cell func(...string) string) (s sample, wrong string) {
	if cell("timestamp") == "" {
		return s, ""
	}
	at, err := time.Parse("2006/01/02 15:04:05", cell("timestamp"))
	if err != nil {
		return s, fmt.Sprintf("%q is no time", reading.Clip(cell("timestamp")))
	}
	s.at = at.UnixMilli()
	for i, c := range sampled {
		text := cell(c.column)
		v, ok := number(text, c.unit)
		if !ok {
			return s, fmt.Sprintf("%q is no %s", reading.Clip(text), c.label)
		}
		if v != nil {
			scaled := *v * c.scale
			s.values[i] = &scaled
		}
	}
	return s, ""
}

// loop is the series that a query with -l wrote, the GPUs of each look added up; nil where it looked once.
func loop(src *reading.Source, all []sample) *record.Profile {
	var looks [][]sample
	for _, s := range all {
		if n := len(looks); n > 0 && s.at >= looks[n-1][0].at && s.at-looks[n-1][0].at < tick {
			looks[n-1] = append(looks[n-1], s)
		} else if n == 0 || s.at > looks[n-1][0].at {
			looks = append(looks, []sample{s})
		}
	}
	if len(looks) < 2 {
		return nil
	}
	p := &record.Profile{Base: record.Base{At: record.Pos{File: src.Path(), Line: 1}},
		Curves: record.Curves{Name: "power, temperature and memory", Kind: "time", XLabel: "time", XUnit: "s"}}
	gpus := 0
	for _, look := range looks {
		gpus = max(gpus, len(look))
	}
	step := (len(looks) + mostTicks - 1) / mostTicks
	var kept [][]sample
	for i := 0; i < len(looks); i += step {
		if len(looks[i]) == gpus { // one may have been cut, or hold what is no number
			kept = append(kept, looks[i])
			p.X = append(p.X, float64(looks[i][0].at-looks[0][0].at)/1000)
		}
	}
	for i, c := range sampled {
		line := record.Line{Label: c.label, Unit: c.shown}
		for _, look := range kept {
			sum, known := 0.0, true
			for _, s := range look {
				switch v := s.values[i]; {
				case v == nil:
					known = false
				case c.highest:
					sum = max(sum, *v)
				default:
					sum += *v
				}
			}
			if known {
				line.Y = append(line.Y, metric.Round(sum))
			}
		}
		if len(line.Y) == len(p.X) {
			p.Lines = append(p.Lines, line)
		}
	}
	if len(p.Lines) == 0 || len(p.X) < 2 {
		return nil
	}
	return p
}
