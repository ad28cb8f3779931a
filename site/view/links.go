package view

import (
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// pointHref is the link to a point's row, on the page of its run where this one has none.
func (d *draft) pointHref(r *figure.Run, s *figure.Scenario, p *catalog.Point) string {
	if d.hasRow(s, p) {
		return "#" + PointID(s, p)
	}
	return d.runHref(r, s, p)
}

// runHref is the link to a point's row on the page of its run.
func (d *draft) runHref(r *figure.Run, s *figure.Scenario, p *catalog.Point) string {
	if s == nil || p == nil {
		return d.Place.To(PathRun(r.ID), "")
	}
	return d.Place.To(d.g.PathPoint(r, s, p))
}

// hasRow says whether the page of a card has a row for a point.
func (d *draft) hasRow(s *figure.Scenario, p *catalog.Point) bool {
	return p != nil && slices.Contains(d.rows[s], figure.LoadOf(p)) && slices.Contains(s.Points, p)
}

// formula is the link to a part of the page of formulas.
func (d *draft) formula(anchor string) string { return d.Place.To(page.PathMethodology, anchor) }

// claimParts turns the pieces of a sentence into links to the rows its numbers were read from.
func (d *draft) claimParts(in claim.Sentence) []page.Part {
	ps := make([]page.Part, 0, len(in.Parts))
	for _, p := range in.Parts {
		part := page.Part{Text: page.Glue(p.Text)}
		if p.Of != nil {
			part.Href = d.pointHref(p.Of.Run, p.Of.Scenario, p.Of.Point)
			if info, _ := metric.Lookup(p.Of.Metric); in.Kind == claim.KindPair && !ofEach(in.Claim) {
				part.Title = metric.Exact(p.Of.Value) + " " + info.Unit
			}
		}
		ps = append(ps, part)
	}
	return ps
}

// ofEach reports a claim of what one accelerator gives: its numbers are parts of those of the catalog.
func ofEach(c claim.Claim) bool {
	s, ok := c.(*claim.Stated)
	return ok && slices.ContainsFunc(s.Numbers, func(n claim.Number) bool { return n.Over > 0 })
}

// stated notes a sentence of the page and gives its pieces with links.
func (d *draft) stated(s claim.Sentence) []page.Part { return d.lede(s, nil).Parts() }

// lede notes a sentence of the page; its numbers are links, and so are the pieces that are names of something.
func (d *draft) lede(s claim.Sentence, of map[string]string) page.Said {
	return d.states(s, withLinks(d.claimParts(s), of)...)
}

// leadsTo is a sentence that ends with a name, which is a link.
func (d *draft) leadsTo(before, name, href string) page.Said {
	return d.states(claim.Plain(before+name+".", before, name), page.Text(before).Link(name, href).Text(".")...)
}

// withLinks makes each piece of a sentence that is a name a link to what has it.
func withLinks(ps []page.Part, of map[string]string) []page.Part {
	for i, p := range ps {
		if p.Href == "" {
			ps[i].Href = of[p.Text]
		}
	}
	return ps
}

// linked makes the words that a sentence ends with, but for its full stop, a link.
func linked(ps []page.Part, words, href string) []page.Part {
	last := &ps[len(ps)-1]
	before, after, ok := strings.Cut(last.Text, words)
	if !ok {
		return ps
	}
	*last = page.Part{Text: before}
	ps = append(ps, page.Part{Text: words, Href: href})
	if after != "" {
		ps = append(ps, page.Part{Text: after})
	}
	return ps
}

// cardHref is the address of the card of a run, "" where the run has no listed one.
func (d *draft) cardHref(r *figure.Run) string {
	if !r.Listed() {
		return ""
	}
	return d.Place.To(page.PathCard(r.Card.Slug), "")
}

// aloneOnCard reports whether the page of a card shows nothing but this run. Then sentences, charts, summaries and raw
// records of at most MaxInline stand there alone, and the page of the run has what the card lacks: points, arguments,
// sources. What it says is made of the run itself, so another run elsewhere leaves it as it is.
func aloneOnCard(r *figure.Run) bool { return r.Listed() && len(r.Card.Runs) == 1 }

// crumbsTo lead to the pages of a run.
func (d *draft) crumbsTo(r *figure.Run) []page.Link {
	if r.OnlyScores() {
		return []page.Link{{Text: "Runs", Href: d.Place.To(page.PathRuns, "")}}
	}
	if len(r.Unrecorded()) > 0 {
		return []page.Link{{Text: "Runs", Href: d.Place.To(page.PathRuns, "")},
			{Text: r.Card.Title(), Href: d.Place.To(pathUnidentified, "")}}
	}
	return []page.Link{{Text: "Models", Href: d.Place.To(page.PathModels, "")},
		{Text: r.Card.Title(), Href: d.cardHref(r)}}
}

// unidentified is the end of a lede: how many runs stand beside no other, with a link to the page
// of what they lack; nothing where all runs have model and hardware.
func (d *draft) unidentified() (said page.Said) {
	lack := d.g.Index.Unidentified()
	if len(lack) == 0 {
		return said
	}
	c := claim.NewTally(claim.Unlisted, lack...)
	c.Much(claim.RunCount, "run lacks model or hardware and stands", "runs lack model or hardware and stand").
		Say(" beside no other: ").Say("what is missing").Say(".")
	return d.lede(c.Sentence(), map[string]string{"what is missing": d.Place.To(pathUnidentified, "")})
}

// ownHref leads to the limits of the reader's own, with the model chosen.
func (d *draft) ownHref(m *figure.Model) string {
	return d.File(page.PathRankings + "/index.html?m=" + m.Slug + "#own")
}

// sourceCell is the file and line a value was read from, linked to the run's list of sources.
func (d *draft) sourceCell(r *figure.Run, at catalog.Place) page.Cell {
	if at.Source == "" {
		return page.Missing("")
	}
	for _, s := range r.Sources {
		if strings.HasPrefix(s.SHA256, at.Source) {
			full := s.Path
			if d.g.manySources(r) {
				full = "" // the page that the link leads to has it
			}
			return page.Cell{Text: page.Clip(placeText(baseName(s.Path), at.Line), 28), Exact: full,
				Href: d.Place.To(d.g.pathSource(r, at.Source), "src-"+s.ID()), Class: "nw"}
		}
	}
	return page.Cell{Text: at.Source, Code: true}
}

// baseName is the last part of a path, archives included.
func baseName(p string) string {
	if i := strings.LastIndexByte(p, '!'); i >= 0 && i < len(p)-1 {
		p = p[i+1:]
	}
	return path.Base(p)
}
