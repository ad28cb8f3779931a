package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// Report is the page of a run or a card as one that stands alone, of a site whose Options.SelfContained is set. name is
// the name of a card, or a run's id or the beginning of one.
func (g *Site) Report(name string) (*page.Page, error) {
	_, d, err := g.named(name)
	if err != nil {
		return nil, err
	}
	d.view.SelfContained = true
	d.view.Feed, d.view.Preview = nil, nil
	for i := range d.sections {
		s := &d.sections[i]
		for j := range s.Blocks {
			b := &s.Blocks[j]
			if b.Figure != nil {
				b.Figure.Files, b.Figure.SVGs = nil, nil // the drawing is in the file
			}
			for k := range b.Pair {
				b.Pair[k].Files, b.Pair[k].SVGs = nil, nil
			}
			if g.Base() == "" {
				b.Text = withoutWay(b.Text)
			}
		}
		s.Blocks = d.nonEmpty(s.Blocks)
	}
	d.page.Params = d.view
	return d.page, nil
}

// withoutWay is a paragraph without the link at its end that is a sentence of its own, and says nothing where it leads
// nowhere.
func withoutWay(parts []page.Part) []page.Part {
	n := len(parts) - 1
	if n < 0 || parts[n].Href == "" || strings.HasPrefix(parts[n].Href, "#") || page.WebAddress(parts[n].Href) != "" ||
		n > 0 && !strings.HasSuffix(strings.TrimSpace(parts[n-1].Text), ".") {
		return parts
	}
	if n == 0 {
		return nil
	}
	return parts[:n]
}

// named is the page of a card, with the run that heads it, or of a run.
func (g *Site) named(name string) (*figure.Run, *draft, error) {
	c, r, err := g.Index.Find(name)
	switch {
	case err != nil:
		return nil, nil, err
	case c != nil:
		return r, g.cardPage(c), nil
	}
	d, err := g.runPage(r)
	return r, d, err
}
