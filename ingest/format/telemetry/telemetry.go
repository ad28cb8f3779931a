// Package telemetry reads what a script sampled of the machine while a benchmark ran: power, temperature and
// memory in use over time, as a CSV beside the results.
package telemetry

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads series of samples.
var Format = &reading.Format{
	Name: formatName,
	Doc: reading.Doc{
		Title:    "samples of the machine beside results",
		Tool:     "scripts",
		Command:  "none: written by the scripts around a benchmark",
		Versions: "any",
		Files:    "telemetry.csv, NN-telemetry.csv",
		Reads: "Power, temperature and memory in use over time, for the run whose files share the beginning of their " +
			"name or are the only ones there; mean power and energy per token of a measurement that the samples cover.",
		Unknown: "When the first sample was taken: a measurement is laid at the end of the samples.",
	},
	MaxSize: 16 << 20,
	Match: func(h *reading.Head) bool {
		if h.Kind != 't' {
			return false
		}
		line, _, _ := bytes.Cut(h.Data, []byte("\n"))
		_, ok := columnsOf(strings.Split(strings.TrimSpace(string(line)), ","))
		return ok
	},
	Read:   read,
	Finish: finish,
}

const formatName = "run-telemetry"

// name is that of the profile of a run.
const name = "power, temperature and memory"

// quantity is what a column of samples holds.
type quantity struct {
	label, unit string
	of          *regexp.Regexp
	scale       float64 // to the unit
	cell        string  // the words for its unit that may stand in a cell, in upper or lower case
}

var quantities = []quantity{
	{"power", "W", regexp.MustCompile(`^(?:gpu_|total_|avg_)?power(?:_draw)?(?:_w|_watts?)?$`), 1, "W watt watts"},
	{"temperature", "°C", regexp.MustCompile(`^(?:gpu_)?temp(?:erature)?(?:_c|_celsius|_gpu)?$`), 1, "°C C celsius"},
	{"memory in use", metric.Bytes, regexp.MustCompile(`^(?:gpu_|v)?(?:mem|memory|ram)_?used_(?:mi?b)$`), 1 << 20, "MiB MB"},
	{"memory in use", metric.Bytes, regexp.MustCompile(`^(?:gpu_|v)?(?:mem|memory|ram)_?used_(?:gi?b)$`), 1 << 30, "GiB GB"},
}

var clock = regexp.MustCompile(
	`^(?:elapsed|elapsed_s|elapsed_sec|elapsed_seconds|time_s|seconds|t_s|timestamp|time|epoch|unix_time)$`)

// column is a column of the table: the time, a quantity, or neither.
type column struct {
	clock bool
	of    *quantity
}

// columnsOf are the columns of a header; ok is false where it has no time, or neither power nor temperature.
func columnsOf(head []string) (cs []column, ok bool) {
	times, sampled := 0, 0
	seen := map[string]bool{}
	for _, h := range head {
		c, h := column{}, strings.ToLower(strings.Trim(strings.TrimSpace(h), `"`))
		if clock.MatchString(h) && times == 0 {
			times, c.clock = 1, true
		}
		for i := range quantities {
			if q := &quantities[i]; q.of.MatchString(h) && !seen[q.label] {
				c.of, seen[q.label] = q, true
				if q.unit != metric.Bytes {
					sampled++
				}
			}
		}
		cs = append(cs, c)
	}
	return cs, times > 0 && sampled > 0
}

// most is how many samples are kept: more than a chart can show.
const most = 500

func read(src *reading.Source, emit func(record.Record)) error {
	at := func(line int) record.Pos { return record.Pos{File: src.Path(), Line: line} }
	bad := func(line int, format string, args ...any) {
		emit(&record.SyntaxError{Base: record.Base{At: at(line)}, Text: fmt.Sprintf(format, args...)})
	}
	rows := reading.CSV(src.Data)
	rows.ReuseRecord, rows.TrimLeadingSpace = true, true
	head, err := rows.Read()
	cs, ok := columnsOf(head)
	if err != nil || !ok {
		bad(1, "the header cannot be read: names of columns with commas between them were expected")
		return nil
	}
	p := &record.Profile{Base: record.Base{At: at(1)},
		Curves: record.Curves{Name: name, Kind: "time", XLabel: "time", XUnit: "s"}}
	lineOf := map[*quantity]int{}
	for _, c := range cs {
		if c.of != nil {
			lineOf[c.of] = len(p.Lines)
			p.Lines = append(p.Lines, record.Line{Label: c.of.label, Unit: c.of.unit})
		}
	}
	for line, row := range reading.Samples(rows, src.Path(), emit) {
		if len(row) != len(cs) {
			bad(line, "the row has %s and the header %d: it is left out", metric.Plural(len(row), "cell"), len(cs))
			continue
		}
		x, ys, why := sample(row, cs, lineOf)
		if why == "" && len(p.X) > 0 && x < p.X[len(p.X)-1] {
			why = "its time is before that of the sample above"
		}
		if why != "" {
			bad(line, "a sample is left out: %s", why)
			continue
		}
		p.X = append(p.X, x)
		for i, y := range ys {
			p.Lines[i].Y = append(p.Lines[i].Y, y)
		}
	}
	if len(p.X) < 2 {
		bad(1, "fewer than two samples: nothing can be drawn of them")
		return nil
	}
	first := p.X[0]
	if first > 1e8 { // seconds of a calendar
		for i := range p.X {
			p.X[i] = metric.Round(p.X[i] - first)
		}
	}
	thin(p)
	emit(p)
	return nil
}

// sample reads a row: its time in seconds and its numbers, line by line of the profile.
func sample(row []string, cs []column, lineOf map[*quantity]int) (x float64, ys []float64, why string) {
	ys = make([]float64, len(lineOf))
	for i, c := range cs {
		cell := strings.TrimSpace(row[i])
		switch {
		case c.clock:
			var ok bool
			if x, ok = seconds(cell); !ok {
				return 0, nil, fmt.Sprintf("%q is no time", reading.Clip(cell))
			}
		case c.of != nil:
			digits, unit, _ := strings.Cut(cell, " ") // "43.5 W"
			v, err := strconv.ParseFloat(digits, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e15 || v < 0 &&
				c.of.label != "temperature" {
				return 0, nil, fmt.Sprintf("%q is no %s", reading.Clip(cell), c.of.label)
			}
			own := strings.Fields(c.of.cell)
			if unit = strings.TrimSpace(unit); unit != "" &&
				!slices.ContainsFunc(own, func(u string) bool { return strings.EqualFold(u, unit) }) {
				return 0, nil, fmt.Sprintf("%q is another unit than that of its column, %q: write it in that one",
					reading.Clip(cell), own[0])
			}
			ys[lineOf[c.of]] = v * c.of.scale
		}
	}
	return x, ys, ""
}

// seconds is a time: a number of seconds, or a date with seconds.
func seconds(cell string) (float64, bool) {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return v, v >= 0 && v < 1e12
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006/01/02 15:04:05",
		"15:04:05"} {
		if t, err := time.Parse(layout, cell); err == nil {
			return float64(t.UnixMilli())/1000 + 1e11, true
		}
	}
	return 0, false
}

// thin leaves every nth sample, and the last.
func thin(p *record.Profile) {
	n := len(p.X)
	step := (n + most - 1) / most
	if step < 2 {
		return
	}
	pick := func(all []float64) (out []float64) {
		for i := 0; i < n-1; i += step {
			out = append(out, all[i])
		}
		return append(out, all[n-1])
	}
	p.X = pick(p.X)
	for i := range p.Lines {
		p.Lines[i].Y = pick(p.Lines[i].Y)
	}
}

// covered is how much longer than a measurement its samples may run: the script starts the server's
// first request and stops behind the last one.
const covered = 1.25

// finish gives a run of one measurement the mean power while it ran, and the energy of a token, where
// the samples cover it.
func finish(group []record.Record, emit func(record.Record)) {
	var p *record.Profile
	var best *record.Result
	var wall float64
	for _, r := range group {
		switch r := r.(type) {
		case *record.Profile:
			if r.Name == name && r.Format == formatName {
				p = r
			}
		case *record.Result:
			d := total(r, metric.Duration, metric.Value, metric.Seconds)
			if d <= 0 {
				continue
			}
			if best != nil && math.Abs(d-wall) > 0.01*wall {
				return // several measurements: which samples are of which is not known
			}
			if best == nil || len(r.Values) > len(best.Values) {
				best, wall = r, d
			}
			if total(r, metric.Power, metric.Mean, metric.Watts) > 0 {
				return
			}
		}
	}
	if p == nil || best == nil {
		return
	}
	for _, l := range p.Lines {
		if span := p.X[len(p.X)-1] - p.X[0]; l.Unit != "W" || len(l.Y) != len(p.X) || span < 0.9*wall ||
			span > covered*wall+60 {
			continue
		}
		watts := mean(p.X, l.Y, wall)
		res := &record.Result{Base: best.Beside(), Workload: best.Workload, Load: best.Load,
			Repetition: best.Repetition}
		res.Values = []record.Value{{Quantity: metric.Power, Stat: metric.Mean, Number: metric.Round(watts),
			Unit: metric.Watts, N: int64(len(p.X))}}
		if tokens := total(best, metric.OutputTokens, metric.Total, metric.Tokens); tokens > 0 {
			res.Values = append(res.Values, record.Value{Quantity: metric.EnergyPerToken, Stat: metric.Value,
				Number: metric.Round(watts * wall / tokens), Unit: metric.JoulesPerToken})
		}
		emit(res)
		return
	}
}

// total is a number of a result in a unit, 0 where it has none.
func total(r *record.Result, m metric.ID, stat, unit string) float64 {
	for _, v := range r.Values {
		if v.Quantity == m && (v.Stat == stat || v.Stat == metric.Value) && v.Unit == unit {
			return v.Number
		}
	}
	return 0
}

// mean is the mean of a series over its last seconds.
func mean(x, y []float64, last float64) float64 {
	from := x[len(x)-1] - last
	area, width := 0.0, 0.0
	for i := 1; i < len(x); i++ {
		if x[i] > from && x[i] > x[i-1] {
			d := x[i] - max(x[i-1], from)
			area, width = area+d*(y[i]+y[i-1])/2, width+d
		}
	}
	if width == 0 {
		return y[len(y)-1]
	}
	return area / width
}
