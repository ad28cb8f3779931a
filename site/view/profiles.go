package view

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// profiles are the scatters and time lines of a run: the fit of prompt ingestion and the filling
// of the KV cache.
func (d *draft) profiles(r *figure.Run) {
	var scatter []page.Block
	var times []*catalog.Profile
	for i := range r.Profiles {
		p := &r.Profiles[i]
		switch {
		case len(p.X) == 0 || len(p.Lines) == 0:
		case p.Kind == "scatter":
			scatter = append(scatter, page.Block{Figure: d.profileFigure(r, p)})
		default:
			times = append(times, p)
		}
	}
	d.section("ingestion", "Prompt ingestion", scatter...)
	title := "Over time" // power and temperature, for one
	if slices.ContainsFunc(times, func(p *catalog.Profile) bool {
		return strings.HasPrefix(strings.ToLower(p.Name), "kv")
	}) {
		title = "KV-cache profile"
	}
	d.section("kv", title, page.Block{Figure: d.timelineFigure(r, times)})
}

// profileFigure draws a scatter or a time line of a run.
func (d *draft) profileFigure(r *figure.Run, p *catalog.Profile) *page.Figure {
	id := "profile-" + catalog.Slug(p.Name)
	id = strings.Trim(id, "-")
	finding, what := claim.Plain(page.Capital(p.Name), page.Capital(p.Name)), ""
	n := len(p.X)
	switch {
	case p.Kind == "scatter" && p.FitSlope != nil && *p.FitSlope > 0:
		fit := claim.Fit{Profile: p.Name, Speed: 1 / *p.FitSlope}
		if p.FitIntercept != nil && *p.FitIntercept > 0 {
			fit.Cost = *p.FitIntercept
		}
		finding = fit.Sentence(r)
		what = metric.Plural(n, "request") + " drawn, one at a time; the line is the fit that gives the speed."
	case p.Kind == "time":
		what = "Over the time of the measurement, thinned to what can be seen."
		if full, ok := fullFinding(r, []*catalog.Profile{p}); ok {
			finding = full
		}
	}
	return d.figure(id, finding, what, func() *chart.Chart { return profileChart(r, p) })
}

// profileChart draws a profile: one plot for each unit, never two y axes.
func profileChart(r *figure.Run, p *catalog.Profile) *chart.Chart {
	c := &chart.Chart{Title: p.Name + ", " + r.Card.Title(), X: chart.Axis{Title: p.XLabel, Unit: p.XUnit}}
	c.Kind = chart.Timeline
	if p.Kind == "scatter" {
		c.Kind = chart.Scatter
	}
	// One plot for each unit: never two y axes.
	units := []string{}
	for _, l := range p.Lines {
		if !slices.Contains(units, l.Unit) {
			units = append(units, l.Unit)
		}
	}
	slot := 0
	for _, u := range units {
		var vs []*float64
		for _, l := range p.Lines {
			if l.Unit == u {
				vs = append(vs, pointers(l.Y)...)
			}
		}
		scale := metric.ScaleFor(u, vs)
		pn := chart.Panel{Y: chart.Axis{Unit: scale.Unit}}
		for _, l := range p.Lines {
			if l.Unit != u {
				continue
			}
			slot++
			s := chart.Series{Name: l.Label, Slot: slot}
			for k, y := range l.Y {
				if k < len(p.X) {
					s.Points = append(s.Points, chart.Point{X: p.X[k], Y: scale.Of(y)})
				}
			}
			pn.Series = append(pn.Series, s)
		}
		if len(pn.Series) == 1 {
			pn.Y.Title = pn.Series[0].Name
			pn.Series[0].NoLabel = true
		}
		if p.FitSlope != nil && p.FitIntercept != nil && len(p.X) > 0 {
			lo, hi := slices.Min(p.X), slices.Max(p.X)
			pn.Refs = append(pn.Refs, chart.Fitted(scale.Of(*p.FitSlope), scale.Of(*p.FitIntercept), lo, hi, ""))
		}
		c.Panels = append(c.Panels, pn)
	}
	return c
}

// timelineFigure draws the time lines of a run, small multiples where there are several.
func (d *draft) timelineFigure(r *figure.Run, list []*catalog.Profile) *page.Figure {
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		return d.profileFigure(r, list[0])
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, byLengths)
	const most = 12
	what := "Each plot runs over the time of its measurement, thinned to what can be seen."
	if len(list) > most {
		what += " The first " + itoa(most) + " of " + itoa(len(list)) + "."
		list = list[:most]
	}
	finding, ok := fullFinding(r, list)
	if !ok {
		finding = claim.Plain("The time lines of this run")
	}
	return d.panels("profiles", finding, what, chart.PanelSize, true, profileTitles(list), func() []panel {
		var ps []panel
		var cs []*chart.Chart
		for i, p := range list {
			c := profileChart(r, p)
			cs = append(cs, c)
			ps = append(ps, panel{id: "profile-" + itoa(i+1), title: page.Capital(profileTitle(p.Name)), chart: c})
		}
		chart.ShareY(cs...)
		return ps
	})
}

// fullFinding says how full the KV cache was at most over some time lines; ok is false where none has it.
func fullFinding(r *figure.Run, list []*catalog.Profile) (s claim.Sentence, ok bool) {
	var c claim.Full
	for _, p := range list {
		c.Profiles = append(c.Profiles, p.Name)
		if v, has := highest(p.Lines, metric.Fraction); has && (!ok || v > c.Usage) {
			c.In, c.Usage, c.Title, ok = p.Name, v, profileTitle(p.Name), true
		}
	}
	if !ok {
		return s, false
	}
	return c.Sentence(r), true
}

// profileLengths matches the name of a profile that was measured under one workload: "kv cache,
// 4096 in, 128 out".
var profileLengths = regexp.MustCompile(`^(?:kv cache, )?(\d+) in, (\d+) out$`)

// profileTitle is the name of a profile as workloads are named: "4 096 → 128".
func profileTitle(name string) string {
	m := profileLengths.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	in, _ := strconv.ParseFloat(m[1], 64)
	out, _ := strconv.ParseFloat(m[2], 64)
	return countText(in) + " → " + countText(out)
}

func profileTitles(list []*catalog.Profile) []string {
	var out []string
	for _, p := range list {
		out = append(out, page.Capital(profileTitle(p.Name)))
	}
	return out
}

// byLengths orders profiles by the lengths in their names, as workloads are ordered.
func byLengths(a, b *catalog.Profile) int {
	x, y := profileLengths.FindStringSubmatch(a.Name), profileLengths.FindStringSubmatch(b.Name)
	if x == nil || y == nil {
		return 0
	}
	for i := 1; i < 3; i++ {
		p, _ := strconv.ParseFloat(x[i], 64)
		q, _ := strconv.ParseFloat(y[i], 64)
		if c := cmp.Compare(p, q); c != 0 {
			return c
		}
	}
	return 0
}

// highest is the largest value of the lines of a unit.
func highest(lines []record.Line, u string) (v float64, ok bool) {
	for _, l := range lines {
		if l.Unit != u {
			continue
		}
		for _, y := range l.Y {
			if !ok || y > v {
				v, ok = y, true
			}
		}
	}
	return v, ok
}
