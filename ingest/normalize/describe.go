package normalize

import (
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// statName is "TTFT p99", or the metric alone where it is one number.
func statName(m metric.ID, stat string) string {
	info, _ := metric.Lookup(m)
	if stat == metric.Value {
		return info.Label
	}
	return info.Label + " " + stat
}

// describe names a point for messages: "1024 in, 128 out at concurrency 4".
func describe(p *catalog.Point) string {
	var parts []string
	if p.Workload.Name != "" {
		parts = append(parts, strconv.Quote(p.Workload.Name))
	} else if n := p.Workload.Nominal; n.Input != nil && n.Output != nil {
		parts = append(parts, text(*n.Input)+" in, "+text(*n.Output)+" out")
	}
	if l := loadText(p.Load); l != "" {
		parts = append(parts, "at "+l)
	}
	if p.Repetition > 0 {
		parts = append(parts, "(repetition "+strconv.Itoa(p.Repetition)+")")
	}
	if len(parts) == 0 {
		return "the point"
	}
	return strings.Join(parts, " ")
}

// loadText is "concurrency 4", "rate inf", "concurrency 8, rate 3", "batch 16" or "".
func loadText(l record.Load) string {
	var parts []string
	if l.MaxConcurrency != nil {
		parts = append(parts, "concurrency "+strconv.FormatInt(*l.MaxConcurrency, 10))
	}
	if l.Rate != nil {
		switch r := float64(*l.Rate); {
		case !math.IsInf(r, 1):
			parts = append(parts, "rate "+text(r))
		case l.MaxConcurrency == nil:
			parts = append(parts, "rate inf")
		}
	}
	if l.Batch != nil {
		parts = append(parts, "batch "+strconv.FormatInt(*l.Batch, 10))
	}
	return strings.Join(parts, ", ")
}

// where is the place of a record for messages, with the path quoted as all foreign text.
func where(r *entry) string { return whereAt(r.path, r.key.line) }

func whereAt(path string, line int) string {
	s := strconv.Quote(path)
	if line > 0 {
		s += " line " + strconv.Itoa(line)
	}
	return s
}
