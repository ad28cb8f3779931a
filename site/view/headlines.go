package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// stats are the headline figures of a run, at most four.
func (d *draft) stats(r *figure.Run) {
	for i, h := range r.Headlines() {
		if i == 4 {
			break
		}
		s := page.Stat{ID: "h-" + strings.ReplaceAll(h.Name, "_", "-"), Name: page.Glue(page.Capital(h.Label)),
			Unit: h.Unit}
		var note []string
		if h.Value != nil {
			s.Value, s.Unit = h.Text()
			s.Exact = exactIn(*h.Value, h.Unit, s.Unit)
			if h.Published != "" {
				if h.FromPage {
					note = append(note, "published “"+strings.TrimSpace(h.Published)+"”")
				} else {
					note = append(note, "its card rounds it to “"+strings.TrimSpace(h.Published)+"”")
				}
				note = append(note, "exact "+shortExact(*h.Value))
			}
		} else {
			s.Value, s.Unit = publishedShort(h.Published), publishedUnit(h.Published, h.Unit)
			note = append(note, "as published: “"+strings.TrimSpace(h.Published)+"”; the exact value is not recorded")
		}
		if len(note) > 0 {
			s.Note = page.Text(strings.Join(note, "; "))
		}
		if h.Detail != "" {
			part := page.Part{Text: h.Detail}
			if h.Point != nil {
				part.Href = d.pointHref(r, h.Scenario, h.Point)
			}
			if len(note) > 0 {
				s.Note = append(s.Note, page.Part{Text: "; "})
			}
			s.Note = append(s.Note, part)
		}
		d.view.Stats = append(d.view.Stats, s)
	}
	d.moreStats(r)
}

// moreStats fill the strip up to four with what the longest series of a run says, for tools that
// have no headline figures of their own.
func (d *draft) moreStats(r *figure.Run) {
	loads := []string{figure.PeakThroughput, figure.PrefillSpeed, figure.DecodeSpeed}
	if hs := r.Headlines(); len(hs) == 0 || len(hs) >= 4 || !slices.Contains(loads, hs[0].Name) {
		return
	}
	var s *figure.Scenario
	for _, o := range r.Scenarios {
		if s == nil || len(o.Points) > len(s.Points) {
			s = o
		}
	}
	if len(s.Points) < 2 && len(r.Scenarios) > 1 {
		return
	}
	first := s.Points[0]
	add := func(id, name string, v float64, value, u string, p *catalog.Point) {
		if len(d.view.Stats) < 4 {
			d.view.Stats = append(d.view.Stats, page.Stat{ID: id, Name: page.Glue(name), Value: value, Unit: u,
				Exact: exactIn(v, metric.Seconds, u), Note: page.Linked(figure.LoadPhrase(p), d.pointHref(r, s, p))})
		}
	}
	if p, v, ok := s.Peak(metric.RequestThroughput); ok && s.Axis == record.AxisRate {
		add("h-requests", "Most requests completed a second, "+s.Title, v, metric.Format(v), "req/s", p)
	}
	if v, stat, ok := figure.Central(first, metric.TTFT); ok {
		t := strings.Split(figure.Seconds(v), metric.ThinSpace)
		add("h-ttft", page.Upper(stat)+" TTFT, "+s.Title, v, strings.Join(t[:len(t)-1], metric.ThinSpace),
			t[len(t)-1], first)
	}
	if v, basis, ok := figure.SpeedPerUser(first); ok {
		if strings.HasSuffix(basis, "TPOT") { // a time, and not a speed that was recorded
			basis = "1 / " + basis
		}
		add("h-user", "Speed per user ("+basis+"), "+s.Title, v, metric.Format(v), "tok/s", first)
	}
}

// exactIn writes the whole of a number of a base unit in the unit it is shown in.
func exactIn(v float64, base, shown string) string {
	if scale := metric.ScaleFor(base, []*float64{&v}); scale.Unit == shown {
		return scale.Exact(v)
	}
	return metric.Exact(v)
}

// shortExact writes a number with at most seven significant digits; the whole of it is in the
// title beside.
func shortExact(v float64) string {
	if v == math.Trunc(v) {
		return metric.Exact(v)
	}
	e := metric.Exact(v)
	if i := strings.IndexByte(e, '.'); i > 0 && len(e) > i+4 {
		return e[:i+4]
	}
	return e
}

// Headlines are the headline figures of a run with their loads in the name.
func (g *Site) Headlines(r *figure.Run) []page.Stat {
	if r.Withdrawn != "" {
		return nil
	}
	d := g.draft(PathRun(r.ID), "run", "", "", claim.Sentence{})
	d.stats(r)
	out := d.view.Stats
	for i := range out {
		out[i].Name = strings.ReplaceAll(out[i].Name, "\u00a0", " ")
		// A load is a link to its row.
		if n := len(out[i].Note); n > 0 && out[i].Note[n-1].Href != "" {
			what, workload, named := strings.Cut(out[i].Name, ", ")
			out[i].Name = what + ", " + strings.ReplaceAll(out[i].Note[n-1].Text, "\u00a0", " ")
			if named {
				out[i].Name += ", " + workload
			}
		}
	}
	// What one asks first comes first.
	slices.SortStableFunc(out, func(a, b page.Stat) int { return cmp.Compare(statRank(a), statRank(b)) })
	return out
}

func statRank(s page.Stat) int {
	if s.ID == "h-peak-output-throughput" {
		return 0
	}
	return 1
}

func headlineRankCell(h figure.Headline, has bool) page.Cell {
	switch {
	case !has:
		return page.Missing("")
	case h.Value != nil:
		c := page.Cell{Text: metric.Format(*h.Value), Exact: metric.Exact(*h.Value)}
		if h.FromPage {
			c.Sub = "published " + publishedShort(h.Published)
		}
		return c
	}
	return page.Cell{Text: publishedShort(h.Published), Exact: "published " + strings.TrimSpace(h.Published),
		Sub: "published"}
}

func headlineValue(h figure.Headline) float64 {
	if h.Value != nil {
		return *h.Value
	}
	v, _ := publishedNumber(h.Published)
	return v
}

// suiteWords are the figures of a suite in a list.
var suiteWords = map[string]string{"prompt_ingestion_speed": "prompt ingestion",
	figure.SuiteSpeed: "speed per request, 10 parallel", "kv_cache_tokens": "KV cache"}
