package site

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
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
	// Prices are those stated of an accelerator, by its slug: those of one currency together and
	// the cheapest first.
	Prices map[string][]limitsPrice `json:"prices"`
}

type limitsWorkload struct {
	Name string      `json:"name"`
	Axis string      `json:"axis"`
	Rows []limitsRow `json:"rows"`
	// Untried is the hardware that has no such measurement.
	Untried []string `json:"untried"`
}

// limitsRow is the newest run of a card under the workload.
type limitsRow struct {
	Card        string       `json:"card"` // slug
	Name        string       `json:"name"` // of the hardware
	Engine      string       `json:"engine"`
	Accelerator string       `json:"acc"` // slug
	Short       string       `json:"short"`
	Count       int          `json:"count"` // 0 where it is not recorded
	Loads       []limitsLoad `json:"loads"`
}

// limitsLoad is one load, in ascending order; Load is "inf" for all requests at once.
type limitsLoad struct {
	Load     any            `json:"load"`
	Href     string         `json:"href"`
	Output   catalog.Number `json:"out"`  // tok/s
	PerJoule catalog.Number `json:"tpj"`  // output tokens
	Board    bool           `json:"spec"` // PerJoule is that of the boards' specified power
	// Points are the repetitions, the one that Output is of first: requests completed and sent,
	// then the statistics of each metric that metric.Limits has.
	Points [][]catalog.Number `json:"points"`
}

type limitsPrice struct {
	Provider string  `json:"provider"`
	PerHour  float64 `json:"hour"`
	Currency string  `json:"currency"`
	Date     string  `json:"date"`
	Address  string  `json:"address"`
}

// limitsFiles are the files of all models that have a measurement.
func (g *generator) limitsFiles() []page.File {
	var out []page.File
	for _, m := range g.ix.Models {
		if len(m.Classes()) > 0 {
			out = append(out, page.File{Path: pathLimits(m.Slug), Write: func(w io.Writer) error { return g.writeLimits(w, m) }})
		}
	}
	return out
}

// writeLimits writes a script that calls one function: a browser loads scripts from files too.
func (g *generator) writeLimits(w io.Writer, m *figure.Model) error {
	data, err := json.Marshal(g.limitsOf(m))
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	b.WriteString("inferdex.limits(")
	b.Write(data)
	b.WriteString(");\n")
	return b.Flush()
}

func (g *generator) limitsOf(m *figure.Model) limitsData {
	d := limitsData{Model: m.Slug, Name: m.Name, Uses: map[string]int{}, Prices: map[string][]limitsPrice{}}
	names := classNames(m)
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
		w := limitsWorkload{Name: names[u.Class], Axis: u.Scenario.Axis, Untried: []string{}}
		// Without limits everything that was measured passes: this is the order of cards and their runs.
		for _, row := range g.ix.RankSLO(m, u.Class, figure.Limits{}) {
			if row.Run == nil {
				w.Untried = append(w.Untried, row.Card.Hardware.Name)
				continue
			}
			w.Rows = append(w.Rows, limitsRowOf(row))
			acc := row.Run.Hardware.Accelerator
			if _, ok := d.Prices[acc.Slug]; !ok {
				for _, p := range g.ix.Names.Prices(acc.ID) {
					if acc.ID != "" {
						d.Prices[acc.Slug] = append(d.Prices[acc.Slug], limitsPrice{p.Provider, p.PerHour, p.Currency, p.Date, page.WebAddress(p.Address)})
					}
				}
			}
		}
		d.Workloads = append(d.Workloads, w)
	}
	return d
}

func limitsRowOf(row figure.SLORow) limitsRow {
	h := row.Run.Hardware
	r := limitsRow{Card: row.Card.Slug, Name: row.Card.Hardware.Name, Accelerator: h.Accelerator.Slug, Short: h.Accelerator.Name, Count: h.Count}
	r.Engine, _ = engineText(row.Run.Engine)
	if h.CountAssumed {
		r.Count = 0
	}
	at := page.Place(page.PathRankings)
	for _, l := range row.Scenario.Loads() {
		first := row.Scenario.At(l)
		load := limitsLoad{Load: l, Href: at.To(pathRun(row.Run.ID), pointID(row.Scenario, first))}
		if math.IsInf(l, 1) {
			load.Load = "inf"
		}
		if v, ok := figure.Throughput(first); ok {
			load.Output = &v
		}
		if e, ok := row.Run.TokensPerJoule(first); ok {
			load.PerJoule, load.Board = &e.TokensPerJoule, e.Basis == figure.BoardPower
		}
		load.Points = append(load.Points, limitsPoint(first))
		for _, p := range row.Scenario.AllAt(l) {
			if p != first {
				load.Points = append(load.Points, limitsPoint(p))
			}
		}
		r.Loads = append(r.Loads, load)
	}
	return r
}

func limitsPoint(p *catalog.Point) []catalog.Number {
	out := []catalog.Number{nil, nil}
	if _, done, sent, ok := figure.Success(p); ok {
		c, s := float64(done), float64(sent)
		out[0], out[1] = &c, &s
	}
	for _, info := range metric.Shown(metric.Limits) {
		for _, stats := range info.Columns(metric.Limits) {
			if v, ok := figure.Get(p, info.ID, stats[0]); ok {
				out = append(out, &v)
			} else {
				out = append(out, nil)
			}
		}
	}
	return out
}

// ownLimits writes the form. It does nothing without the script, and is not seen then. What it
// says at first are the limits of the first use.
func (g *generator) ownLimits(m *page.Markup) {
	presets := g.usedPresets()
	first := figure.Limits{}
	if len(presets) > 0 {
		first = presets[0].Limits
	}
	m.Raw(`<div class="own" id="own-form" role="group" aria-label="Limits of your own"><div class="fields"><label><span>Model</span><select name="model"><option value="">choose a model</option>`)
	for _, o := range g.ix.Models {
		if len(o.Classes()) > 0 {
			m.Raw("<option")
			m.Attr("value", o.Slug)
			m.Raw(">")
			m.Text(page.Clip(o.Name, 60))
			m.Raw("</option>")
		}
	}
	m.Raw(`</select></label><label><span>Workload</span><select name="workload" disabled><option value="">as the use has it</option></select></label>`)
	latency := func(id metric.ID, l figure.Limit) {
		info, _ := metric.Lookup(id)
		name, label := string(id), info.Label
		m.Raw(`<div class="lim" role="group" aria-label="`, label, `"><span>`, label, ` at most</span><div><select name="`, name, `-stat" aria-label="Statistic of `, label, `">`)
		for _, stats := range info.Columns(metric.Limits) {
			m.Raw(`<option`)
			if stats[0] == l.Stat {
				m.Raw(" selected")
			}
			m.Raw(">", stats[0], "</option>")
		}
		m.Raw(`</select><input name="`, name, `" type="number" min="0" step="any" aria-label="`, label, ` at most, in milliseconds"`)
		m.Attr("value", milliseconds(l))
		m.Raw(`> ms</div></div>`)
	}
	latency(metric.TTFT, first.TTFT)
	latency(metric.TPOT, first.TPOT)
	m.Raw(`<label><span>Failed requests at most</span><div><input name="errors" type="number" min="0" max="100" step="any"`)
	m.Attr("value", percentField(first.ErrorRate))
	m.Raw(`> %</div></label><label><span>Rank by</span><select name="by"><option value="each">throughput per accelerator</option><option value="all">output throughput</option><option value="cost">cost</option><option value="energy">tokens per joule</option></select></label></div>`)
	m.Raw(`<p class="uses">Limits of `)
	for _, p := range presets {
		m.Raw(`<button type="button" class="act" aria-pressed="false"`)
		m.Attr("data-use", p.ID)
		for _, l := range []struct {
			name string
			l    figure.Limit
		}{{"data-ttft", p.Limits.TTFT}, {"data-tpot", p.Limits.TPOT}} {
			if l.l.Max > 0 {
				m.Attr(l.name, l.l.Stat+":"+milliseconds(l.l))
			}
		}
		m.Attr("data-errors", percentField(p.Limits.ErrorRate))
		m.Raw(">")
		m.Text(strings.ToLower(p.Name))
		m.Raw("</button>")
	}
	m.Raw(`</p><div class="fields prices"></div><div class="result"></div></div>`)
}

// milliseconds is a limit as the form has it; "" is no limit.
func milliseconds(l figure.Limit) string {
	if l.Max <= 0 {
		return ""
	}
	return metric.Exact(metric.Round12(l.Max * 1000))
}

func percentField(v catalog.Number) string {
	if v == nil {
		return ""
	}
	return metric.Exact(metric.Round12(*v * 100))
}
