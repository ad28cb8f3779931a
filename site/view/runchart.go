package view

import (
	"fmt"
	"path"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// ChartOf returns a chart of the page of a run or a card. id is a run's id or the beginning of
// one, or a card's slug. name is the name of one of the page's chart files without extension
// ("throughput"), or a metric that was measured at several loads ("ttft"); empty is the page's
// first chart. names are the page's chart files, also where there is an error.
func ChartOf(ix *figure.Index, c *catalog.Catalog, o Options, id, name string) (drawn *chart.Chart, names []string,
	err error) {
	o.SelfContained = true // a run that is alone on its card has its charts on the page of the card alone
	r, d, err := New(ix, c, o).named(id)
	if err != nil {
		return nil, nil, err
	}
	name = strings.TrimSuffix(name, ".svg")
	for _, s := range d.svgs {
		for i, p := range s.paths {
			file := strings.TrimSuffix(path.Base(p), ".svg")
			names = append(names, file)
			if drawn == nil && (file == name || name == "") {
				if cs := s.charts(); i < len(cs) {
					drawn = cs[i]
				}
			}
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
