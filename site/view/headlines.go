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
	named := map[string]int{}
	for i, h := range r.Headlines() {
		if i == 4 {
			break
		}
		id := "h-" + strings.ReplaceAll(h.Name, "_", "-")
		if named[id]++; named[id] > 1 { // scores of several tasks
			id += "-" + itoa(named[id])
		}
		s := page.Stat{ID: id, Name: page.Glue(page.Capital(h.Label)),
			Unit: h.Unit}
		if h.Score != nil { // the name of a task is written as its file writes it
			s.Name = page.Glue(h.Label)
		}
		if h.Name == figure.PeakThroughput && len(h.Scenario.Points) == 1 { // one load has no peak
			if _, ok := figure.Throughput(h.Point); ok { // and not the busiest second, which some tools record
				info, _ := metric.Lookup(metric.OutputThroughput)
				s.Name = page.Glue(info.Label + ", " + h.Scenario.Title)
			}
		}
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
		s.Warn = incompleteWords(h.Point)
		d.view.Stats = append(d.view.Stats, s)
	}
	d.moreStats(r)
}

// moreStats fill the strip up to four with what the longest series of a run says, for tools that
// have no headline figures of their own: what their consoles print beside the throughput.
func (d *draft) moreStats(r *figure.Run) {
	loads := []string{figure.PeakThroughput, figure.PrefillSpeed, figure.DecodeSpeed}
	hs := r.Headlines()
	if len(hs) == 0 || len(hs) >= 4 || !slices.Contains(loads, hs[0].Name) {
		return
	}
	s := told(r, hs[0].Scenario)
	if hs[0].Name != figure.PeakThroughput && len(s.Points) < 2 && len(r.Scenarios) > 1 {
		return // tests of one phase each say nothing of one another
	}
	first := s.Points[0]
	add := func(id, name string, v float64, value, u string, p *catalog.Point) {
		if len(d.view.Stats) < 4 {
			d.view.Stats = append(d.view.Stats, page.Stat{ID: id, Name: page.Glue(name + ", " + s.Title), Value: value,
				Unit: u, Exact: exactIn(v, metric.Seconds, u),
				Note: page.Linked(figure.LoadPhrase(p), d.pointHref(r, s, p)), Warn: incompleteWords(p)})
		}
	}
	if v, ok := figure.Throughput(first); ok && s.Title != hs[0].Scenario.Title && len(s.Points) == 1 {
		info, _ := metric.Lookup(metric.OutputThroughput)
		add("h-output", info.Label, v, metric.Format(v), "tok/s", first)
	}
	time := func(id string, m metric.ID) bool {
		v, stat, ok := figure.Central(first, m)
		if ok {
			info, _ := metric.Lookup(m)
			t := strings.Split(figure.Seconds(v), metric.ThinSpace)
			add(id, page.Upper(stat)+" "+info.Label, v, strings.Join(t[:len(t)-1], metric.ThinSpace), t[len(t)-1], first)
		}
		return ok
	}
	if p, v, ok := s.Peak(metric.RequestThroughput); ok && s.Axis == record.AxisRate {
		name := "Most requests completed a second"
		if len(s.Points) == 1 {
			name = "Requests completed a second"
		}
		add("h-requests", name, v, metric.Format(v), "req/s", p)
	}
	time("h-ttft", metric.TTFT)
	if v, basis, ok := figure.SpeedPerUser(first); ok {
		if strings.HasSuffix(basis, "TPOT") { // a time, and not a speed that was recorded
			basis = "1 / " + basis
		}
		add("h-user", "Speed per user ("+basis+")", v, metric.Format(v), "tok/s", first)
	}
	time("h-e2e", metric.E2ELatency)
}

// told is the series of a run that its strip tells more of: the longest, of equal ones that of the first headline. Where
// it has no TTFT, as what is measured with all requests at once, it is the first of equal ones that has; the other one of
// two that have none.
func told(r *figure.Run, head *figure.Scenario) *figure.Scenario {
	best := head
	waits := func(s *figure.Scenario) bool { _, _, ok := figure.Central(s.Points[0], metric.TTFT); return ok }
	for _, s := range r.Scenarios {
		switch n, most := len(s.Points), len(best.Points); {
		case n > most, n == most && waits(s) && !waits(best):
			best = s
		case n == most && len(r.Scenarios) == 2 && best == head && s != head && !waits(best):
			best = s
		}
	}
	return best
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
