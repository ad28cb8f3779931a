package main

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// around is the index of the catalog for whoever asks for the run or the card of a name: those runs are whole. The others
// may have nothing but their heads ([catalog.Run.Head]), by which runs are told apart, so that a comparison opens the
// files of what it compares and none of the rest, while nothing changed. It is nil where the catalog has no runs.
func (a *app) around(name string) (*figure.Index, error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	if len(conf.Catalogs) == 0 {
		if c := a.headed(name); c != nil {
			return a.index(c)
		}
	}
	m, err := a.united(conf)
	if err != nil || len(m.Runs) == 0 {
		return nil, err
	}
	return a.index(m.Catalog)
}

// index is that of a catalog, by the names of this one.
func (a *app) index(c *catalog.Catalog) (*figure.Index, error) {
	names, err := a.names()
	if err != nil {
		return nil, err
	}
	return figure.NewIndex(c, names), nil
}

// headed is the catalog with the heads of its runs, and whole what a name means. Nil: it has to be read.
func (a *app) headed(name string) *catalog.Catalog {
	if _, err := os.Stat(a.path(stateDir)); err != nil {
		return nil
	}
	text, err := a.remembered("heads.json", func() ([]byte, bool, error) {
		all, err := a.stored()
		if err != nil {
			return nil, false, err
		}
		var heads []*catalog.Run
		for _, r := range all.Runs {
			heads = append(heads, r.Head())
		}
		text, err := json.Marshal(heads)
		return text, true, err
	})
	c := &catalog.Catalog{}
	if err != nil || json.Unmarshal(text, &c.Runs) != nil || len(c.Runs) == 0 {
		return nil
	}
	names, _ := settings.LoadNames(ownData(), a.inside(dataDir)) // what is wrong in them is said by around
	card, r, err := figure.NewIndex(c, names).Find(name)
	if err != nil {
		return c
	}
	asked := map[string]bool{r.ID: true}
	if card != nil {
		for _, r := range card.Runs {
			asked[r.ID] = true
		}
	}
	for i, head := range c.Runs {
		if !asked[head.ID] {
			continue
		}
		whole, err := catalog.ReadRun(a.runFiles(), head.Path())
		if err != nil || !sameHead(whole, head) {
			return nil // it was written meanwhile
		}
		c.Runs[i] = whole
	}
	return c
}

// sameHead reports whether a run has that head.
func sameHead(whole, head *catalog.Run) bool {
	x, err := json.Marshal(whole.Head())
	y, err2 := json.Marshal(head)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
