package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// ownLimits writes the form. It does nothing without the script, and is not seen then. What it
// says at first are the limits of the first use.
func (g *Site) ownLimits(m *page.Markup) {
	presets := g.uses.presets()
	first := figure.Limits{}
	if len(presets) > 0 {
		first = presets[0].Limits
	}
	m.Raw(`<div class=own id=own-form role=group aria-label="Limits of your own">`,
		`<div class=fields><label><span>Model</span><select name=model><option value="">choose a model</option>`)
	for _, o := range g.Index.Models {
		if len(o.Classes()) > 0 {
			m.Raw("<option")
			m.Attr("value", o.Slug)
			m.Raw(">")
			m.Text(page.Clip(o.Name, 60))
			m.Raw("</option>")
		}
	}
	m.Raw(`</select></label><label><span>Workload</span><select name=workload disabled>`,
		`<option value="">as the use has it</option></select></label>`)
	for _, info := range metric.Shown(metric.Limits) {
		l := first.Of(info.ID)
		name, label := string(info.ID), info.Label
		m.Raw(`<div class=lim role=group aria-label="`, label, `"><span>`, label,
			` at most</span><div><select name="`,
			name, `-stat" aria-label="Statistic of `, label, `">`)
		for _, stats := range info.Columns(metric.Limits) {
			m.Raw(`<option`)
			if stats[0] == l.Stat {
				m.Raw(" selected")
			}
			m.Raw(">", stats[0], "</option>")
		}
		m.Raw(`</select><input name="`, name, `" type=number min=0 step=any aria-label="`, label,
			` at most, in milliseconds"`)
		m.Attr("value", milliseconds(l))
		m.Raw(`> ms</div></div>`)
	}
	m.Raw(`<label><span>Failed requests at most</span><div>`,
		`<input name=errors type=number min=0 max=100 step=any`)
	m.Attr("value", percentField(first.ErrorRate))
	m.Raw(`> %</div></label><label><span>Rank by</span><select name=by>`,
		`<option value=each>throughput per accelerator</option><option value=all>output throughput</option>`,
		`<option value=cost>cost</option><option value=energy>tokens per joule</option></select></label></div>`)
	m.Raw(`<p class=uses>Limits of `)
	for _, p := range presets {
		m.Raw(`<button type=button class=act aria-pressed=false`)
		m.Attr("data-use", p.ID)
		for _, info := range metric.Shown(metric.Limits) {
			if l := p.Limits.Of(info.ID); l.Max > 0 {
				m.Attr("data-"+string(info.ID), l.Stat+":"+milliseconds(l))
			}
		}
		m.Attr("data-errors", percentField(p.Limits.ErrorRate))
		m.Raw(">")
		m.Text(strings.ToLower(p.Name))
		m.Raw("</button>")
	}
	m.Raw(`</p><div class="fields prices"></div><div class=result></div></div>`)
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
