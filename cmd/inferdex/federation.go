package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/fetch"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// load opens the catalog, resolves its names and marks what is stale.
func (a *app) load() (*figure.Index, *catalog.Catalog, error) {
	ix, m, err := a.loadBy(a.names)
	if err != nil {
		return nil, nil, err
	}
	return ix, m.Catalog, nil
}

// loadBy is load with names that are read when they are needed, and with what is known of the catalogs that are merged.
func (a *app) loadBy(names func() (*settings.Names, error)) (*figure.Index, *federation.Merged, error) {
	conf, err := a.config()
	if err != nil {
		return nil, nil, err
	}
	m, err := a.united(conf)
	if err != nil {
		return nil, nil, err
	}
	if len(m.Runs) == 0 {
		return nil, nil, failed(fmt.Errorf("%s holds no runs: run 'inferdex ingest' first", a.path(catalogDir)))
	}
	known, err := names()
	if err != nil {
		return nil, nil, err
	}
	ix := figure.NewIndex(m.Catalog, known)
	ix.Freshen(conf.Freshness)
	return ix, m, nil
}

// withdrawn adds to what was published the runs that a merged catalog calls withdrawn and none has, with the reasons.
func withdrawn(list []view.Published, m *federation.Merged) []view.Published {
	byPage := map[string]view.Published{}
	for _, p := range list {
		if p.Card != "" {
			byPage[page.PathCard(p.Card)] = p
		} else {
			byPage[view.PathRun(p.Run)] = p
		}
	}
	for id, why := range m.Withdrawn {
		p := byPage[view.PathRun(id)]
		p.Run, p.Reason = id, why
		byPage[view.PathRun(id)] = p
	}
	list = nil
	for _, key := range slices.Sorted(maps.Keys(byPage)) {
		list = append(list, byPage[key])
	}
	return list
}

// pins are the states that are pinned, by the address of the catalog.
func (a *app) pins() (map[string]settings.Pin, error) {
	data, err := a.readSettings(lockFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(err)
	}
	list, wrong := settings.LoadPins(data, lockFile)
	if len(wrong) > 0 {
		return nil, failed(fmt.Errorf("%s: restore it, or remove it and run 'inferdex fetch'", wrong[0]))
	}
	all := map[string]settings.Pin{}
	for _, p := range list {
		all[p.URL] = p
	}
	return all, nil
}

// pinnedRuns are the ids of the runs that the pinned states of other catalogs have; what is not kept has none.
func (a *app) pinnedRuns() (map[string]bool, error) {
	ids := map[string]bool{}
	pins, err := a.pins()
	for _, pin := range pins {
		for _, id := range fetch.Runs(os.DirFS(a.path(catalogsDir)), pin) {
			ids[id] = true
		}
	}
	return ids, err
}

// united is the catalog as it lies on disk with the pinned states of those that inferdex.toml names. Nothing is asked
// for: a catalog that was never fetched is left out, and said.
func (a *app) united(conf *settings.Config) (*federation.Merged, error) {
	if a.part != nil { // all was read when the parts were made
		return &federation.Merged{Catalog: a.part.catalog}, nil
	}
	own, err := a.stored()
	if err != nil || len(conf.Catalogs) == 0 {
		return &federation.Merged{Catalog: own}, err
	}
	pins, err := a.pins()
	if err != nil {
		return nil, err
	}
	var members []federation.Member
	for _, c := range conf.Catalogs {
		pin, ok := pins[c.URL]
		if !ok {
			a.diagnostic(notMerged, configFile, c.Line, 0, fmt.Sprintf("the catalog %q is not there, and its runs are not: "+
				"run 'inferdex fetch'", c.URL))
			continue
		}
		m, leftOut, err := fetch.Member(os.DirFS(a.path(catalogsDir)), pin)
		if err != nil {
			return nil, failed(fmt.Errorf("%s:%d: what is kept of the catalog %q is missing or damaged (%w): run "+
				"'inferdex fetch'", configFile, c.Line, c.URL, err))
		}
		for _, err := range leftOut {
			a.diagnostic(notMerged, "", 0, 0, fmt.Sprintf("%s: %v: the run is left out", c.URL, err))
		}
		members = append(members, m)
	}
	withdrawn, err := a.withdrawnNotes()
	if err != nil {
		return nil, failed(err)
	}
	m := federation.Merge(own, withdrawn, members)
	for _, p := range m.Problems {
		a.diagnostic(notMerged, "", 0, 0, p)
	}
	return m, nil
}

// withdrawnNotes are the reasons that data/notes give for runs that are withdrawn, by their ids.
func (a *app) withdrawnNotes() (map[string]string, error) {
	files, err := a.notes()
	if err != nil {
		return nil, err
	}
	notes, _ := settings.LoadNotes(files) // mistakes in them are told by ingest
	reasons := map[string]string{}
	for id, n := range notes {
		if n.Withdrawn != "" && catalog.ValidID(id) {
			reasons[id] = redact.Message(n.Withdrawn)
		}
	}
	return reasons, nil
}

// withExchange are the files of a site and those that other catalogs merge: the runs of the own catalog alone, so that
// each run comes from who has it. Digests are those of the catalog's files, as far as they are known; last is the content
// of a file of the last site, as package federation asks for it.
func (a *app) withExchange(conf *settings.Config, digests incremental.Parts, last federation.Last, files iter.Seq2[page.File, error]) iter.Seq2[page.File, error] {
	return func(yield func(page.File, error) bool) {
		for f, err := range files {
			if !yield(f, err) {
				return
			}
		}
		head := federation.Index{Title: conf.Title, License: conf.License}
		withdrawn, err := a.withdrawnNotes()
		if err != nil {
			yield(page.File{}, err)
			return
		}
		head.Withdrawn = federation.Withdrawals(withdrawn)
		own := fs.FS(a.runFiles())
		if a.part != nil {
			own = partFiles{own, a.part}
		}
		published := func(name, of string) ([]byte, bool) { return last(page.PathData+"/"+name, of) }
		known := func(name string) string {
			d, ok := digests[name]
			if !ok {
				return ""
			}
			return hex.EncodeToString(d[:])
		}
		for f, err := range federation.Publish(own, head, known, published) {
			ok := yield(page.File{Path: page.PathData + "/" + f.Path, Of: f.Of, Write: func(w io.Writer) error {
				_, err := w.Write(f.Data)
				return err
			}}, err)
			if !ok || err != nil {
				return
			}
		}
	}
}

// fetchCatalogs brings the catalogs that inferdex.toml names, and pins what they have. A catalog that cannot be had
// keeps the state that is pinned.
func (a *app) fetchCatalogs(ctx context.Context, update bool) error {
	conf, err := a.config()
	if err != nil {
		return err
	}
	if len(conf.Catalogs) == 0 {
		return usage("%s names no [[catalog]]: name one, or a repository as github:OWNER/REPO", configFile)
	}
	unlock, err := a.lock(ctx)
	if err != nil {
		return failed(err)
	}
	defer unlock()
	pins, err := a.pins()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.path(catalogsDir), 0o777); err != nil {
		return failed(err)
	}
	dir, err := os.OpenRoot(a.path(catalogsDir))
	if err != nil {
		return failed(err)
	}
	defer dir.Close()
	var list []settings.Pin
	broken := 0
	for _, c := range conf.Catalogs {
		pin, pinned := pins[c.URL]
		want := pin.SHA256
		if update {
			want = ""
		}
		b, err := fetch.Catalog(ctx, dir, c.URL, want, fetch.Options{
			Progress: func(x *fetch.Artifact, done, _ int64) {
				a.progress.show(0, 0, "%s: %.1f MB", x.Name, float64(done)/1e6)
			},
			Wait: func(d time.Duration, why string) { a.note("waiting %s: %s", d, why) },
		})
		if err != nil {
			broken++
			a.diagnostic(artifactLost, configFile, c.Line, 0, fmt.Sprintf("the catalog %q: %v", c.URL, err))
			if pinned {
				list = append(list, pin)
			}
			continue
		}
		list = append(list, b.Pin)
		a.broughtCatalog(b)
	}
	data, err := settings.WritePins(list)
	if err != nil {
		return failed(err)
	}
	u := beginUpdate(ctx, a.path("."))
	if err := u.End(u.Write(lockFile, data)); err != nil {
		return failed(err)
	}
	if broken > 0 {
		return failed(fmt.Errorf("%s could not be had: what was pinned before stays", metric.Plural(broken, "catalog")))
	}
	if err := fetch.Sweep(dir, list); err != nil {
		return failed(err)
	}
	return nil
}

// broughtCatalog says what became of a catalog.
func (a *app) broughtCatalog(b *fetch.Brought) {
	for _, err := range b.LeftOut {
		a.diagnostic(notMerged, "", 0, 0, fmt.Sprintf("%s: %v: the run is left out", b.URL, err))
	}
	for _, err := range b.Damaged {
		a.diagnostic(notMerged, "", 0, 0, fmt.Sprintf("%s: %v: the run is shown without its raw records", b.URL, err))
	}
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "catalog", "url": b.URL, "sha256": b.SHA256, "runs": b.Runs,
			"bytes": b.Bytes, "kept": b.Kept})
		return
	}
	does := "loaded"
	if b.Kept {
		does = "there already"
	}
	a.note("%s: %s, %.1f MB, %s", b.URL, metric.Plural(int(b.Runs), "run"), float64(b.Bytes)/1e6, does)
}

// catalogOf is the merged catalog for commands that ask for no settings.
func (a *app) catalogOf() (*catalog.Catalog, error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	m, err := a.united(conf)
	if err != nil {
		return nil, err
	}
	return m.Catalog, nil
}
