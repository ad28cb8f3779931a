package data

import (
	"io"
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Limits of the reader's own: a form on the page of rankings, and for each model a file of what
// assets/ts/limits.ts needs to rank its hardware anew. The script decides as figure.RankSLO does;
// site/e2e holds the two against each other.

// pathLimits is the file of a model's measurements for the script.
func pathLimits(model string) string { return page.PathModel(model) + "/limits.js" }

// limitsData is what the script asks for of a model. Times are in seconds; null is missing.
type limitsData struct {
	Model string `json:"model"` // slug
	Name  string `json:"name"`
	// Uses are the places in Workloads of the workloads that stand for the uses.
	Uses      map[string]int   `json:"uses"`
	Workloads []limitsWorkload `json:"workloads"`
	// Prices are the cheapest stated of an accelerator, by its slug; of those in several currencies that of the first.
	Prices map[string]limitsPrice `json:"prices"`
}

type limitsWorkload struct {
	Name string      `json:"name"`
	Rows []limitsRow `json:"rows"`
	// Untried is the hardware that has no measurement to judge, each with the reason.
	Untried []string `json:"untried"`
}

// limitsRow is a result that can speak for a card under the workload: see [figure.Index.HoldSLO].
type limitsRow struct {
	Card        string `json:"card"` // slug
	Name        string `json:"name"` // of the hardware
	Engine      string `json:"engine"`
	Accelerator string `json:"acc"` // slug
	Short       string `json:"short"`
	Count       int    `json:"count"` // 0 where it is not recorded
	// Instead names, at each place of a point, the statistic that stands there for one that no load records; "" where
	// none does.
	Instead []string     `json:"instead"`
	Loads   []limitsLoad `json:"loads"`
}

// limitsLoad is one load, in ascending order; Load is "inf" for all requests at once.
type limitsLoad struct {
	Load     any            `json:"load"`
	Name     string         `json:"name"`
	Href     string         `json:"href"`
	Output   catalog.Number `json:"out"`             // tok/s
	PerJoule catalog.Number `json:"tpj"`             // output tokens
	Basis    string         `json:"basis,omitempty"` // where the watts of PerJoule come from
	// Points are the repetitions, the one that Output is of first: requests completed, how many of them without output,
	// and sent, then the statistics of each metric that metric.Limits has, or what stands for them, in seconds.
	Points [][]catalog.Number `json:"points"`
}

type limitsPrice struct {
	PerHour  float64 `json:"hour"`
	Currency string  `json:"currency"`
	Note     string  `json:"note"` // what a cost at the price is noted with
	Address  string  `json:"address"`
}

// limitsFiles are the files of all models that have a measurement.
func (g *Set) limitsFiles() []page.File {
	var out []page.File
	for _, m := range g.Index.Models {
		if len(m.Classes()) > 0 {
			out = append(out, page.File{Path: pathLimits(m.Slug), Of: g.OfModel(m),
				Write: func(w io.Writer) error { return writePackedCall(w, "limits", g.limitsOf(m)) }})
		}
	}
	return out
}

func (g *Set) limitsOf(m *figure.Model) limitsData {
	d := limitsData{Model: m.Slug, Name: m.Name, Uses: map[string]int{}, Prices: map[string]limitsPrice{}}
	names := view.ClassNames(m)
	classes := m.Classes()
	for _, p := range figure.SLOPresets {
		if u, ok := m.ClassFor(p); ok {
			for i, c := range classes {
				if c.Class == u.Class {
					d.Uses[p.ID] = i
				}
			}
		}
	}
	for _, u := range classes {
		w := limitsWorkload{Name: names[u.Class], Untried: []string{}}
		// Without limits everything that was measured passes: this is the order of cards and their runs. Which run speaks
		// for its card depends on the limits, so the script gets all that can.
		for _, row := range g.Index.HoldSLO(m, u.Class, figure.Limits{}) {
			if row.Run == nil {
				w.Untried = append(w.Untried, row.Card.Hardware.Name+": not judged, "+row.Why+".")
				continue
			}
			w.Rows = append(w.Rows, g.limitsRowOf(row))
			acc := row.Run.Hardware.Accelerator
			if ps := g.Index.Names.Prices(acc.ID); acc.ID != "" && len(ps) > 0 {
				d.Prices[acc.Slug] = limitsPrice{ps[0].PerHour, ps[0].Currency, view.PriceNote(ps[0], len(ps)-1),
					page.WebAddress(ps[0].Address)}
			}
		}
		d.Workloads = append(d.Workloads, w)
	}
	return d
}

func (g *Set) limitsRowOf(row figure.SLORow) limitsRow {
	h := row.Run.Hardware
	r := limitsRow{Card: row.Card.Slug, Name: row.Card.Hardware.Name, Accelerator: h.Accelerator.Slug,
		Short: h.Accelerator.Name, Count: h.Count}
	r.Engine, _ = view.EngineText(row.Run.Engine)
	if h.CountAssumed {
		r.Count = 0
	}
	times := heldTimes(row.Scenario)
	r.Instead = []string{"", "", ""}
	for _, t := range times {
		r.Instead = append(r.Instead, t.instead)
	}
	at := page.Place(page.PathRankings)
	for _, l := range row.Scenario.Loads() {
		first := row.Scenario.At(l)
		load := limitsLoad{Load: l, Name: view.LoadName(row.Scenario.Axis, l),
			Href: at.To(g.PathPoint(row.Run, row.Scenario, first))}
		if math.IsInf(l, 1) {
			load.Load = "inf"
		}
		if v, ok := figure.Throughput(first); ok {
			load.Output = &v
		}
		if e, ok := row.Run.TokensPerJoule(first); ok {
			load.PerJoule, load.Basis = &e.TokensPerJoule, view.BasisText(e.Basis)
		}
		load.Points = append(load.Points, limitsPoint(first, times))
		for _, p := range row.Scenario.AllAt(l) {
			if p != first {
				load.Points = append(load.Points, limitsPoint(p, times))
			}
		}
		r.Loads = append(r.Loads, load)
	}
	return r
}

// heldTime is what a limit of a statistic is held against: a statistic of a metric, and its words where it is another.
type heldTime struct {
	from          metric.ID
	stat, instead string
}

// heldTimes are those of a scenario for each statistic that limits are of.
func heldTimes(s *figure.Scenario) (ts []heldTime) {
	for _, info := range metric.Shown(metric.Limits) {
		for _, stats := range info.Columns(metric.Limits) {
			t := heldTime{from: info.ID, stat: stats[0]}
			of := figure.Limits{TTFT: figure.Limit{Stat: t.stat, Max: 1}}
			if info.ID == metric.TPOT {
				of.TTFT, of.TPOT = of.TPOT, of.TTFT
			}
			h := of.Nearest(s)[0]
			if t.from, t.stat = h.Metric, h.Stat; figure.IsRate(t.from) {
				t.stat = figure.Opposite(t.stat)
			}
			switch {
			case t.from != info.ID:
				t.instead = t.stat + " of " + figure.TimeLabel(t.from)
			case t.stat != stats[0]:
				t.instead = t.stat
			}
			ts = append(ts, t)
		}
	}
	return ts
}

func limitsPoint(p *catalog.Point, times []heldTime) []catalog.Number {
	out := []catalog.Number{nil, nil, nil}
	if o, ok := figure.Success(p); ok {
		done, none, sent := float64(o.Completed), float64(o.NoOutput), float64(o.Submitted)
		out = []catalog.Number{&done, &none, &sent}
	}
	for _, t := range times {
		if v, ok := figure.TimeOf(p, t.from, t.stat); ok {
			out = append(out, &v)
		} else {
			out = append(out, nil)
		}
	}
	return out
}
