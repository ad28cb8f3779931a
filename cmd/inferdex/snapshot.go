package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Where snapshots lie in a catalog's directory, and the files of one.
const (
	snapshotsDir = "data/snapshots"
	datasetFile  = "dataset.zip"
	pagesFile    = "pages.json"
	sumsFile     = "SHA256SUMS"
)

var snapshotTag = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// frozen is what a snapshot knows of pages: the addresses that were published, and what was measured there.
type frozen struct {
	Tag   string       `json:"tag"`
	Cards []frozenCard `json:"cards"`
	Runs  []frozenRun  `json:"runs"`
}

type frozenCard struct {
	Card string `json:"card"`
	Page string `json:"page"`
}

type frozenRun struct {
	Run      string          `json:"run"`
	Page     string          `json:"page"`
	Identity record.Identity `json:"identity"`
}

func (a *app) snapshotCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "snapshot TAG",
		Short: "Freeze the dataset, its checksums and the addresses of its pages",
		Long: `Freeze the catalog as it is into data/snapshots/TAG: dataset.zip with its files but the raw records, SHA256SUMS,
and pages.json with the addresses of cards and runs. 'inferdex build' publishes it at as-of/TAG/data/, and
'inferdex diff TAG' says what became of it since. A TAG that is there is never overwritten.

The same catalog gives the same bytes.

Exit status: 0 done; 2 usage, a TAG that is there among it; 3 something could not be read or written.`,
		Example: `  inferdex snapshot 2026-q3
  inferdex diff 2026-q3`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("snapshot under which tag? give one, such as 2026-q3")
			}
			return atMost(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.snapshot(cmd.Context(), args[0]) },
	}
}

func (a *app) snapshot(ctx context.Context, tag string) error {
	if !snapshotTag.MatchString(tag) || strings.Contains(tag, "..") {
		return usage("%q is no tag: write letters, digits, . - and _, at most 64", tag)
	}
	unlock, err := a.lock(ctx)
	if err != nil {
		return failed(err)
	}
	defer unlock()
	to := a.path(filepath.Join(snapshotsDir, tag))
	if _, err := os.Lstat(to); err == nil {
		return usage("%s/%s is there already, and a snapshot is never overwritten: choose another tag", snapshotsDir, tag)
	}
	ix, c, err := a.load()
	if err != nil {
		return err
	}
	a.progress.begin("freezing " + metric.Plural(len(ix.Runs), "run"))
	f := frozen{Tag: tag, Cards: []frozenCard{}}
	for _, c := range ix.Cards {
		f.Cards = append(f.Cards, frozenCard{c.Slug, page.PathCard(c.Slug) + "/"})
	}
	for _, r := range ix.Runs {
		f.Runs = append(f.Runs, frozenRun{r.ID, view.PathRun(r.ID) + "/", r.Identity})
	}
	slices.SortFunc(f.Runs, func(x, y frozenRun) int { return strings.Compare(x.Run, y.Run) })
	pages, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return failed(err)
	}
	pages = append(pages, '\n')
	dataset, sums, err := freeze(a.runFiles(), c.Runs)
	if err != nil {
		return failed(inCatalog(err))
	}
	sums = append([]string{sum(pages, pagesFile), sum(dataset, datasetFile)}, sums...)
	if ctx.Err() != nil {
		return failed(ctx.Err())
	}
	if err := writeWhole(to, map[string][]byte{datasetFile: dataset, pagesFile: pages,
		sumsFile: []byte(strings.Join(sums, ""))}); err != nil {
		return failed(err)
	}
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "snapshot", "tag": tag, "dir": snapshotsDir + "/" + tag,
			"runs": len(f.Runs), "cards": len(f.Cards)})
		return nil
	}
	fmt.Fprintf(a.stdout, "%s/%s: %s, %s; 'inferdex build' publishes it at as-of/%s/data/\n", snapshotsDir, tag,
		metric.Plural(len(f.Runs), "run"), metric.Plural(len(f.Cards), "card"), tag)
	return nil
}

// sum is a line of SHA256SUMS.
func sum(data []byte, name string) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:]) + "  " + name + "\n"
}

// freeze packs the files of a catalog but its raw records, and runs that other catalogs gave, as they were merged, with
// the line of SHA256SUMS of each. Names are sorted and there are no times, so that the same files give the same bytes.
func freeze(fsys fs.FS, runs []*catalog.Run) (dataset []byte, sums []string, err error) {
	merged := map[string]*catalog.Run{}
	var names []string
	for _, r := range runs {
		if len(r.Origins) > 0 {
			merged[r.Path()] = r
			names = append(names, r.Path())
		}
	}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == "." && len(merged) > 0:
			return fs.SkipAll // a hub need not have runs of its own
		case err != nil || d.IsDir() || path.Ext(name) != ".json" || strings.HasPrefix(path.Base(name), "."):
			return err
		case merged[name] == nil:
			names = append(names, name)
		}
		return nil
	})
	// Folder by folder, as they lie.
	slices.SortFunc(names, func(x, y string) int { return slices.Compare(strings.Split(x, "/"), strings.Split(y, "/")) })
	var b bytes.Buffer
	z := bundle.NewArchive(&b)
	for _, name := range names {
		var data []byte
		var failed error
		if r := merged[name]; r != nil {
			data, failed = catalog.Marshal(r)
		} else {
			data, failed = fs.ReadFile(fsys, name)
		}
		name = catalogDir + "/" + name
		sums = append(sums, sum(data, name))
		err = errors.Join(err, failed, bundle.Add(z, name, data))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), sums, nil
}

// writeWhole makes a folder with its files, whole or not at all: it gets its name when all of them are there.
func writeWhole(dir string, files map[string][]byte) error {
	err := os.MkdirAll(filepath.Dir(dir), 0o777)
	if err != nil {
		return err
	}
	draft := freeName(dir, func(name string) bool {
		err = os.Mkdir(name, 0o777)
		return errors.Is(err, fs.ErrExist)
	})
	if err != nil {
		return notMade(dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err = writeNew(filepath.Join(draft, name), files[name]); err != nil {
			err = nameless(filepath.Join(dir, name), err)
			break
		}
	}
	if err == nil {
		err = os.Rename(draft, dir)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(draft))
	}
	return nil
}

// snapshots are the tags of all snapshots, sorted. It is an error where a folder does not say whether it is one: a site
// without it would lack addresses that were quoted.
func (a *app) snapshots() (tags []string, err error) {
	dir := folder(a.path(snapshotsDir))
	entries, err := fs.ReadDir(dir, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if err != nil || !snapshotTag.MatchString(e.Name()) || e.Type().IsRegular() {
			continue
		}
		var parts []fs.DirEntry
		parts, err = fs.ReadDir(dir, e.Name())
		if slices.ContainsFunc(parts, func(p fs.DirEntry) bool { return p.Name() == datasetFile }) {
			tags = append(tags, e.Name())
		}
	}
	return tags, asFailed(below(snapshotsDir, err))
}

// withSnapshots are the files of a site and those of its snapshots.
func (a *app) withSnapshots(tags []string, files iter.Seq2[page.File, error]) iter.Seq2[page.File, error] {
	return func(yield func(page.File, error) bool) {
		for f, err := range files {
			if !yield(f, err) {
				return
			}
		}
		for _, tag := range tags {
			for _, name := range []string{sumsFile, datasetFile, pagesFile} {
				ok := yield(page.File{Path: view.PathSnapshot(tag) + name, Write: func(w io.Writer) error {
					data, err := a.frozenFile(tag, name)
					if err == nil {
						_, err = w.Write(data)
					}
					return below(snapshotsDir, err)
				}}, nil)
				if !ok {
					return
				}
			}
		}
	}
}

// snapshotsOfSite are the snapshots that the site has: a part of one that is split has none.
func (a *app) snapshotsOfSite() ([]string, error) {
	if a.part != nil {
		return nil, nil
	}
	return a.snapshots()
}

// frozenFile reads a file of a snapshot.
func (a *app) frozenFile(tag, name string) ([]byte, error) {
	f, err := a.inside(snapshotsDir).Open(path.Join(tag, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, snapshotsDir+"/"+tag+"/"+name, maxZipBytes)
}

// frozen reads what a snapshot knows of pages; the error names no file.
func (a *app) frozen(tag string) (f frozen, err error) {
	data, err := a.frozenFile(tag, pagesFile)
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return f, err
}

// published are the runs and cards that snapshots have and the runs that data/notes call withdrawn. A snapshot that
// is damaged is told by check and does not keep a site from being built.
func (a *app) published() (list []view.Published, err error) {
	byPage := map[string]*view.Published{}
	of := func(key string, p view.Published) *view.Published {
		if byPage[key] == nil {
			byPage[key] = &p
		}
		return byPage[key]
	}
	if a.part != nil { // nobody says which part they were of
		return nil, nil
	}
	tags, err := a.snapshots()
	if err != nil {
		return nil, err
	}
	for _, tag := range tags {
		f, err := a.frozen(tag)
		if err != nil {
			continue
		}
		for _, c := range f.Cards {
			if pageName.MatchString(c.Card) {
				p := of(page.PathCard(c.Card), view.Published{Card: c.Card})
				p.Tags = append(p.Tags, tag)
			}
		}
		for _, r := range f.Runs {
			if pageName.MatchString(r.Run) {
				p := of(view.PathRun(r.Run), view.Published{Run: r.Run, Of: r.Identity.Model})
				p.Tags = append(p.Tags, tag)
			}
		}
	}
	files, err := a.notes()
	if err != nil {
		return nil, err
	}
	notes, _ := settings.LoadNotes(files) // mistakes in them are told by ingest
	for id, n := range notes {
		if n.Withdrawn != "" && pageName.MatchString(id) {
			of(view.PathRun(id), view.Published{Run: id}).Reason = redact.Message(n.Withdrawn)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byPage)) {
		list = append(list, *byPage[key])
	}
	return list, nil
}

// pageName is what may be part of the address of a page: a damaged snapshot must not write elsewhere.
var pageName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*$`)

// reused are findings of ids that meant another run in a snapshot.
func (a *app) reused(c *catalog.Catalog) (list []found, err error) {
	now := map[string]*catalog.Run{}
	for _, r := range c.Runs {
		now[r.ID] = r
	}
	tags, err := a.snapshots()
	if err != nil {
		return nil, err
	}
	for _, tag := range tags {
		name := snapshotsDir + "/" + tag + "/" + pagesFile
		f, err := a.frozen(tag)
		if err != nil {
			list = append(list, found{name, 0, record.Error, "snapshot-damaged", "",
				fmt.Sprintf("the snapshot cannot be read: %v: restore it", err)})
			continue
		}
		for _, was := range f.Runs {
			if r := now[was.Run]; r != nil && r.Identity != was.Identity {
				list = append(list, found{cmp.Or(r.Elsewhere(), catalogDir+"/"+r.Path()), 0, record.Error, "id-reused", r.ID,
					fmt.Sprintf("the id means another run in snapshot %q, of %q: give this one an id of its own", tag,
						was.Identity.Model)})
			}
		}
	}
	return list, nil
}
