package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

// stored opens the catalog as it lies on disk; one that does not exist is empty.
func (a *app) stored() (*catalog.Catalog, error) {
	a.progress.begin("reading " + catalogDir)
	open := a.decoded.Open
	if a.outlining {
		open = a.openWhole
	}
	c, err := open(a.runFiles())
	if err != nil {
		return nil, failed(inCatalog(err))
	}
	nameRaw(c)
	return c, nil
}

// sound is stored for an ingest, which may make runs anew whose files are damaged: they are left out, and
// said, and of damaged raw records nothing is taken.
func (a *app) sound() (*catalog.Catalog, *damage, error) {
	a.progress.begin("reading " + catalogDir)
	c, problems, err := a.openOutlined(a.runFiles())
	if err != nil {
		return nil, nil, failed(inCatalog(err))
	}
	d := &damage{stored: c, raw: map[string]bool{}}
	for _, e := range problems {
		a.say("%s", inCatalog(e))
		var p *catalog.Problem
		if errors.As(e, &p) {
			d.files = append(d.files, p.File)
		}
	}
	nameRaw(c)
	if whole := c.Whole; whole != nil {
		c.Whole = func(r *catalog.Run) (*catalog.Run, error) {
			r, err := whole(r)
			if err != nil {
				err = inCatalog(err)
			}
			return r, err
		}
	}
	raw := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := raw(id)
		var pe *fs.PathError
		if len(records) > 0 || errors.As(err, &pe) {
			return records, err
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if err != nil {
			d.said = append(d.said, err.Error())
		}
		d.raw[id] = true
		return nil, nil
	}
	return c, d, nil
}

// damage is what an ingest found damaged in its catalog.
type damage struct {
	files  []string // of runs and inputs
	stored *catalog.Catalog
	mu     sync.Mutex      // of what follows, while records are read
	raw    map[string]bool // ids of runs whose raw records are damaged or missing
	said   []string        // what is wrong with them
}

// tell says what is wrong with raw records that were asked for.
func (d *damage) tell(a *app) {
	for _, text := range slices.Sorted(slices.Values(d.said)) {
		a.say("%s", text)
	}
}

// lost says which run would lose points, since not all of its sources are read again.
func (d *damage) lost(r *catalog.Run) error {
	if !d.raw[r.ID] {
		return nil
	}
	was := d.stored.Runs[slices.IndexFunc(d.stored.Runs, func(s *catalog.Run) bool { return s.ID == r.ID })]
	if d.stored.Whole != nil {
		var err error
		if was, err = d.stored.Whole(was); err != nil {
			return err
		}
	}
	if n := len(was.Points); len(r.Points) < n {
		return fmt.Errorf("%s/%s: its raw records are damaged or missing, and these inputs have %d of its %d "+
			"points: nothing is written; ingest all of its sources", catalogDir, r.Path(), len(r.Points), n)
	}
	return nil
}

// left says which damaged files an update has not written anew.
func (d *damage) left(u *catalog.Update) error {
	left := slices.Clone(d.files)
	for _, r := range u.Runs {
		left = slices.DeleteFunc(left, func(name string) bool { return name == r.Path() })
	}
	for _, in := range u.Inputs {
		left = slices.DeleteFunc(left, func(name string) bool { return name == in.File() })
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("%s/%s: is as it was: none of these inputs is what it was made of; restore it or remove it "+
		"(%s in all)", catalogDir, left[0], metric.Plural(len(left), "such file"))
}

// nameRaw gives the errors of raw records the names by which the user knows their files.
func nameRaw(c *catalog.Catalog) {
	raw := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := raw(id)
		if err != nil {
			err = inCatalog(err)
		}
		return records, err
	}
}

// inCatalog gives the files of a catalog in an error the names by which the user knows them.
func inCatalog(err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for i, e := range all {
		var pe *fs.PathError
		_, several := e.(interface{ Unwrap() []error })
		switch {
		case several && e != err:
			all[i] = inCatalog(e)
		case errors.As(e, &pe):
			all[i] = fmt.Errorf("%s: %w", path.Join(catalogDir, pe.Path), pe.Err)
		default:
			all[i] = fmt.Errorf("%s/%w", catalogDir, e)
		}
	}
	return errors.Join(all...)
}
