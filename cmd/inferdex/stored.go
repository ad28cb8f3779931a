package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

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

// sound is stored for an ingest, which may make runs anew whose files are damaged: they are left out, and of damaged raw
// records nothing is taken. What is damaged is for [damage.tell].
func (a *app) sound() (*catalog.Catalog, *damage, error) {
	a.progress.begin("reading " + catalogDir)
	c, problems, err := a.openOutlined(a.runFiles())
	if err != nil {
		return nil, nil, failed(inCatalog(err))
	}
	d := &damage{stored: c, raw: map[string]bool{}}
	for _, e := range problems {
		f := flaw{text: inCatalog(e).Error()}
		var p *catalog.Problem
		if errors.As(e, &p) {
			f.file = p.File
		}
		d.flaws = append(d.flaws, f)
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
	return c, d, nil
}

// damage is what an ingest found damaged in its catalog.
type damage struct {
	flaws  []flaw
	stored *catalog.Catalog
	raw    map[string]bool // ids of runs whose raw records are damaged or missing
}

// flaw is what is wrong with a file of a run or an input, or with the raw records of a run, and what to do.
type flaw struct{ file, run, text string }

// mended reports whether an update has written anew what is damaged.
func (f *flaw) mended(u *catalog.Update) bool {
	return slices.ContainsFunc(u.Runs, func(r *catalog.Run) bool { return r.Path() == f.file || r.ID == f.run }) ||
		slices.ContainsFunc(u.Inputs, func(in *catalog.Input) bool { return in.File() == f.file })
}

// of takes down that the raw records of a run are missing, or what is wrong with them; see normalize.Options.Damaged.
func (d *damage) of(run string, err error) {
	d.raw[run] = true
	if err != nil {
		d.flaws = append(d.flaws, flaw{run: run, text: asStored(err).Error()})
	}
}

// tell says what is damaged and what to do, or that an update has written it anew; nil where there was none.
func (d *damage) tell(a *app, u *catalog.Update) {
	var texts []string
	for _, f := range d.flaws {
		if end := strings.LastIndex(f.text, ": "); end > 0 && u != nil && f.mended(u) { // what to do stands last
			f.text = f.text[:end] + ": it is made anew of its sources"
		}
		texts = append(texts, f.text)
	}
	for _, text := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		a.say("%s", text)
	}
}

// lost says which run would lose points, since not all of its sources are read again.
func (d *damage) lost(r *catalog.Run) error {
	if slices.ContainsFunc(d.flaws, func(f flaw) bool { return f.file == r.Path() }) {
		records, _ := d.stored.Raw(r.ID) // of those that are damaged too nothing is left to lose
		for _, was := range records {
			if !slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return s.ID() == was.Source || s.Path == was.File }) {
				return fmt.Errorf("%s/%s: is damaged, and was made of %q too, which is not among these inputs: nothing is "+
					"written; ingest all of its sources, or remove the file and %s", catalogDir, r.Path(), was.File,
					path.Base(r.RawPath()))
			}
		}
	}
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
	left := slices.DeleteFunc(slices.Clone(d.flaws), func(f flaw) bool { return f.file == "" || f.mended(u) })
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("%s/%s: is as it was: none of these inputs is what it was made of; restore it or remove it "+
		"(%s in all)", catalogDir, left[0].file, metric.Plural(len(left), "such file"))
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

// asStored is an error of normalize, where it is of a file of the catalog under the name by which the user knows it.
func asStored(err error) error {
	if p, ok := err.(*catalog.Problem); ok {
		return inCatalog(p)
	}
	return err
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
