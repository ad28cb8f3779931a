package view

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
)

// held is how much the catalog holds.
func (g *Site) held() claim.Sentence {
	runs := g.Index.Identified
	switch {
	case len(g.Index.Runs) == 0:
		return claim.Plain("This catalog holds no run yet: read result files with inferdex ingest, then build the " +
			"site again.")
	case len(runs) == 0:
		return claim.Plain("No run of this catalog says both which model and which hardware was measured.")
	}
	c := claim.NewTally(claim.Listed, runs...)
	c.Much(claim.ModelCount, "model").Say(" on ").Much(claim.HardwareCount, "hardware configuration").Say(": ").
		Much(claim.RunCount, "run")
	if Points(runs) > 0 {
		c.Say(", ").Much(claim.PointCount, "measured point")
	}
	c.Say(", each traced to the file it came from.")
	if day := c.NewestDay(); day != "" {
		newest := " Newest result: "
		if slices.ContainsFunc(runs, func(r *figure.Run) bool { return r.Started == "" }) {
			newest = " Newest result with a date: "
		}
		c.Say("%s", newest).Name(day).Say(".")
	}
	return c.Sentence()
}

// none says on a page of what a catalog holds that it holds nothing of it, and closes the page.
func (d *draft) none() *draft {
	d.view.Lede = d.lede(d.g.held(), nil).And(d.unidentified())
	return d.done()
}

// eachWith goes on after a number of things of which each has something: "2 models, each with the hardware".
func eachWith(n int) string {
	if n == 1 {
		return " with "
	}
	return ", each with "
}

// Points is how many points some runs have.
func Points(runs []*figure.Run) int {
	n := 0
	for _, r := range runs {
		n += len(r.Points)
	}
	return n
}
