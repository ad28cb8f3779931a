package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
)

// pointRow is a row of the tables of points: a point with its workload.
type pointRow struct {
	s *figure.Scenario
	p *catalog.Point
}

// pointPlaces are the points of a run as its tables have them: workloads of one load, which share a table, then the others.
type pointPlaces struct {
	rows   []pointRow
	single int // so many rows are of workloads of one load
	spans  []span
	at     map[string]int // by the anchor of a point, or of its workload
}

// anchorOf is the anchor of a workload on the page of its first row.
func anchorOf(s *figure.Scenario) string { return "data-" + s.Key }

// placesOf are the points of a run with their places.
func (g *Site) placesOf(r *figure.Run) *pointPlaces {
	if known, ok := g.places.Load(r); ok {
		return known.(*pointPlaces)
	}
	p := &pointPlaces{at: map[string]int{}}
	for _, single := range []bool{true, false} {
		for _, s := range r.Scenarios {
			if (len(s.Points) == 1) != single {
				continue
			}
			for i, q := range s.Rows() {
				if i == 0 && !single {
					p.at[anchorOf(s)] = len(p.rows)
				}
				p.at[PointID(s, q)] = len(p.rows)
				p.rows = append(p.rows, pointRow{s, q})
			}
		}
		if single {
			p.single = len(p.rows)
		}
	}
	most := mostTogether
	if g.Options.SelfContained {
		most = len(p.rows) * 3 // of one file
	}
	p.spans = spans(PathRun(r.ID), PathRun(r.ID)+"/points", len(p.rows), most, func(i int) int {
		if i >= p.single && (i == 0 || p.rows[i-1].s != p.rows[i].s) {
			return 3 // its table has a head
		}
		return 1
	})
	known, _ := g.places.LoadOrStore(r, p)
	return known.(*pointPlaces)
}

// PathPoint is the page that has the row of a point, and its anchor.
func (g *Site) PathPoint(r *figure.Run, s *figure.Scenario, p *catalog.Point) (path, anchor string) {
	anchor = PointID(s, s.Row(p))
	return g.pathPoint(r, anchor), anchor
}

// pathPoint is the page of a run that has the row of an anchor.
func (g *Site) pathPoint(r *figure.Run, anchor string) string {
	if 3*len(r.Points) <= mostTogether { // they stand on one page in any case
		return PathRun(r.ID)
	}
	p := g.placesOf(r)
	row, ok := p.at[anchor]
	if !ok {
		return PathRun(r.ID)
	}
	return pageOf(p.spans, row).path
}

// PlaceOf is where the row of a point stands below the page of its run: its anchor, on a further page with the path of that
// before it: "points/2#p-8".
func (g *Site) PlaceOf(r *figure.Run, s *figure.Scenario, p *catalog.Point) string {
	path, anchor := g.PathPoint(r, s, p)
	if below, ok := strings.CutPrefix(path, PathRun(r.ID)+"/"); ok {
		return below + "#" + anchor
	}
	return anchor
}
