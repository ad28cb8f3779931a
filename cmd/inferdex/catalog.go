package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Where things lie in a catalog's directory.
const (
	configFile = "inferdex.toml"
	rawDir     = "data/raw"
	catalogDir = "data/catalog"
	notesDir   = "data/notes"
	dataDir    = "data"
	outputDir  = "public"
	stateDir   = ".inferdex" // what commands keep for themselves
)

// config reads inferdex.toml; a catalog without one has none of its settings set. A mistake in
// it ends the command: half a configuration gives a site nobody asked for.
func (a *app) config() (*settings.Config, error) {
	data, err := os.ReadFile(a.path(configFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(err)
	}
	c, diags := settings.LoadConfig(data, configFile)
	if len(diags) > 0 {
		a.diagnose(diags)
		return nil, &exit{exitUsage, fmt.Errorf("%s: %d to mend", configFile, len(diags))}
	}
	return c, nil
}

// names reads the names of models, accelerators and engines: the program's own, and over them
// the catalog's. A mistake in a file costs the entry it stands in.
func (a *app) names() *settings.Names {
	own, err := fs.Sub(inferdex.Files, dataDir)
	if err != nil {
		panic(err) // the files are part of the program
	}
	n, diags := settings.LoadNames(own, os.DirFS(a.path(dataDir)))
	a.diagnose(diags)
	return n
}

func (a *app) diagnose(diags []settings.Diagnostic) {
	for _, d := range diags {
		a.diagnostic(d.File, d.Line, d.Col, d.Message)
	}
}

// diagnostic says "file:line:col: message" or the same as an object.
func (a *app) diagnostic(file string, line, col int, message string) {
	file = redact.File(file)
	if a.json {
		o := map[string]any{"kind": "diagnostic", "file": file, "message": message}
		if line > 0 {
			o["line"] = line
		}
		if col > 0 {
			o["col"] = col
		}
		a.object(a.stderr, o)
		return
	}
	switch {
	case line > 0 && col > 0:
		a.say("%s:%d:%d: %s", file, line, col, message)
	case line > 0:
		a.say("%s:%d: %s", file, line, message)
	case file != "":
		a.say("%s: %s", file, message)
	default:
		a.say("%s", message)
	}
}

// stored opens the catalog as it lies on disk; one that does not exist is empty.
func (a *app) stored() (*catalog.Catalog, error) {
	c, err := catalog.Open(os.DirFS(a.path(catalogDir)))
	if err != nil {
		return nil, failed(inCatalog(err))
	}
	raw := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := raw(id)
		if err != nil {
			err = inCatalog(err)
		}
		return records, err
	}
	return c, nil
}

// inCatalog gives the files of a catalog in an error the names by which the user knows them.
func inCatalog(err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for i, e := range all {
		var pe *fs.PathError
		switch {
		case errors.As(e, &pe):
			all[i] = fmt.Errorf("%s: %w", path.Join(catalogDir, pe.Path), pe.Err)
		default:
			all[i] = fmt.Errorf("%s/%w", catalogDir, e)
		}
	}
	return errors.Join(all...)
}

// load opens the catalog and resolves its names.
func (a *app) load() (*figure.Index, *catalog.Catalog, error) {
	c, err := a.stored()
	if err != nil {
		return nil, nil, err
	}
	if len(c.Runs) == 0 {
		return nil, nil, failed(fmt.Errorf("%s holds no runs: run 'inferdex ingest' first", a.path(catalogDir)))
	}
	return figure.NewIndex(c, a.names()), c, nil
}
