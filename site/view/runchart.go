package view

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// NamedChart is a chart of a page with its name there, that of its file.
type NamedChart struct {
	Name  string
	Chart *chart.Chart
}

// Charts gives the charts of a run or a card of a catalog, named as in [ChartOf], as they follow on its page.
func Charts(ix *figure.Index, c *catalog.Catalog, o Options) func(id string) ([]NamedChart, error) {
	g := charting(ix, c, o)
	return func(id string) ([]NamedChart, error) {
		_, all, err := g.chartsOf(id)
		return all, err
	}
}

// charting is a site of which charts are asked: a run that is alone on its card has them on its own page too.
func charting(ix *figure.Index, c *catalog.Catalog, o Options) *Site {
	o.SelfContained = true
	return New(ix, c, o)
}

func (g *Site) chartsOf(id string) (*figure.Run, []NamedChart, error) {
	r, d, err := g.named(id)
	if err != nil {
		return nil, nil, err
	}
	var all []NamedChart
	for _, s := range d.svgs {
		for i, c := range s.drawn() {
			all = append(all, NamedChart{s.names[i], c})
		}
	}
	return r, all, nil
}

// ChartOf returns a chart of the page of a run or a card. id is a run's id or the beginning of
// one, or a card's slug. name is the name of one of the page's chart files without extension
// ("throughput"), or a metric that was measured at several loads ("ttft"); empty is the page's
// first chart. names are the page's chart files, also where there is an error.
func ChartOf(ix *figure.Index, c *catalog.Catalog, o Options, id, name string) (drawn *chart.Chart, names []string,
	err error) {
	r, all, err := charting(ix, c, o).chartsOf(id)
	if err != nil {
		return nil, nil, err
	}
	name = strings.TrimSuffix(name, ".svg")
	for _, n := range all {
		names = append(names, n.Name)
		if drawn == nil && (n.Name == name || name == "") {
			drawn = n.Chart
		}
	}
	if drawn != nil {
		return drawn, names, nil
	}
	m := metric.ID(strings.ReplaceAll(name, "-", "_"))
	if _, known := metric.Lookup(m); known {
		if drawn = loadChart(r, m, 9); drawn != nil {
			return drawn, names, nil
		}
		return nil, names, fmt.Errorf("%s of %q was not measured at several loads", m, id)
	}
	switch {
	case len(names) == 0:
		return nil, nil, fmt.Errorf("%q has no chart: it was not measured at several loads", id)
	default:
		return nil, names, fmt.Errorf("%q has no chart and no metric %q; it has %s", id, name, page.Enumerate(names))
	}
}
