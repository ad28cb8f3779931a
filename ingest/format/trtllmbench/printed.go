package trtllmbench

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// printed reads the blocks of one report.
func (r *reader) printed(blocks []section) {
	at := func(line int) record.Pos { return record.Pos{File: r.file, Line: line} }
	p := r.newReport(at(blocks[0].line))
	res := p.res
	raw := map[string]map[string]string{}
	measured := false
	var lengths record.Lengths
	for _, b := range blocks {
		kept := map[string]string{}
		raw[b.title] = kept
		for _, w := range b.rest {
			if m := machine.FindStringSubmatch(w.value); m != nil && strings.HasPrefix(b.title, "MACHINE") {
				p.facts.Add(record.FactHardware, known(m[1]), at(w.line))
				p.facts.Add(record.FactGPUMemory, m[2]+" GiB", at(w.line)) // it says GB and means GiB
				kept["machine"] = w.value
			}
		}
		for _, w := range b.rows {
			if len(w.label) > 80 || len(w.value) > 1000 {
				continue // the log between the blocks
			}
			lower := strings.ToLower(w.label)
			kept[w.label] = w.value
			if key, ok := servers[lower]; ok {
				p.server(key, w.value, typed(w.value), at(w.line))
				if key == "model" && b.title == "PYTORCH BACKEND" {
					p.server("backend", "Pytorch", []byte(`"Pytorch"`), at(b.line))
				}
				continue
			}
			label, unit := lower, ""
			if m := withUnit.FindStringSubmatch(lower); m != nil {
				label, unit = m[1], m[2]
			}
			number, err := strconv.ParseFloat(w.value, 64)
			isNumber := err == nil && !math.IsNaN(number) && !math.IsInf(number, 0)
			bad := func(expected string) {
				r.bad(w.line, 0, fmt.Sprintf("%q is %q, %s was expected: the value is left out", w.label, clean.Clip(w.value), expected))
			}
			if m := breakdown.FindStringSubmatch(w.label); m != nil {
				stat, of := statistic(m[2]), breakdowns[m[1]]
				switch {
				case stat == "":
					res.Unmapped = append(res.Unmapped, w.label)
				case isNumber:
					p.value(of.is, stat, of.unit, w.label, number)
				case !none(w.value):
					bad("a number")
				}
				measured = true
				continue
			}
			if of, ok := labels[label]; ok {
				u, knows := units[unit]
				switch {
				case !knows:
					r.bad(w.line, 0, fmt.Sprintf("the unit %q of %q is not known: the value is left out", clean.Clip(unit), label))
				case isNumber:
					p.value(of.is, of.stat, u, w.label, number)
				case !none(w.value):
					bad("a number")
				}
				measured = measured || label != "number of concurrent requests"
				continue
			}
			switch label {
			case "number of requests":
				if !isNumber || number != math.Trunc(number) || number < 0 || number > 1<<53 {
					bad("a count")
					continue
				}
				n := int64(number)
				res.Completed, res.Submitted = &n, &n
			case "average input length", "average output length":
				switch {
				case !isNumber:
					bad("a number")
				case number > 0 && label == "average input length":
					lengths.Input = &number
				case number > 0:
					lengths.Output = &number
				}
			case "dataset path":
				if !none(w.value) {
					res.Workload.Dataset = path.Base(strings.ReplaceAll(w.value, `\`, "/"))
				}
			case "model path", "engine directory", "issue rate", "per gpu output throughput", "number of sequences":
				// Paths of one machine, and what means nothing or follows from the rest.
			default:
				res.Unmapped = append(res.Unmapped, w.label)
			}
		}
	}
	if !measured {
		r.bad(blocks[0].line, 0, "a report of trtllm-bench without a result: the log was cut short, or the run failed")
		return
	}
	res.Workload.Actual = lengths
	for _, v := range res.Values {
		if v.Quantity == metric.TTFT {
			yes := true // a first token is seen on a stream only
			res.Workload.Streaming = &yes
		}
	}
	seen := map[string]bool{}
	unmapped := res.Unmapped
	res.Unmapped = nil
	for _, k := range unmapped {
		if !seen[k] {
			seen[k] = true
			res.Unmapped = append(res.Unmapped, k)
		}
	}
	for _, kept := range raw {
		for k := range kept {
			if l := strings.ToLower(k); l == "model path" || l == "engine directory" {
				delete(kept, k)
			}
		}
	}
	res.Raw, _ = json.Marshal(raw) // maps of texts always encode
	r.finish(p)
}

// typed is a printed value as JSON: a number where it is one.
func typed(s string) []byte {
	if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		if b, err := json.Marshal(json.Number(s)); err == nil {
			return b
		}
	}
	b, _ := json.Marshal(s) // a text always encodes
	return b
}
