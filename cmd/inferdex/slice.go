package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/data"
	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/publish"
	"github.com/inferdex/inferdex/site/view"
)

// slicesDir is where slices of a site are built unless another place is named.
const slicesDir = "slices"

// sliceFile is in each slice what is known of it.
const sliceFile = "inferdex-slice/memory"

// claimsFile is in a slice of that number what its pages and runs state.
func claimsFile(number int) string { return fmt.Sprintf("inferdex-slice/claims-%d.jsonl.gz", number) }

// errWhole says that no slices can be built.
var errWhole = errors.New("the site cannot be built in slices: a layout of this catalog asks for other pages than its own; " +
	"build the whole, without --shard")

// buildSlice builds a slice of the site: see view.Options.Slice. What is written by hand, and pages with a note of
// content/, are built with the whole.
func (a *app) buildSlice(ctx context.Context, f buildFlags, s incremental.Slice) error {
	in, o, err := a.toBuild(f)
	if err != nil {
		return err
	}
	memory, err := a.digests(&in, &o)
	if err != nil {
		return failed(err)
	}
	if !memory.on {
		return failed(errWhole)
	}
	o.Slice, in.Content = s.Has, nil
	a.progress.begin("making the pages")
	ix, m, err := a.loadBy(a.names)
	if err != nil {
		return err
	}
	o.Published = withdrawn(o.Published, m)
	out, err := a.draft(f.output, func() []view.Published { return o.Published })
	if err != nil {
		return failed(err)
	}
	defer out.Abort()
	pages := site.New(ix, m.Catalog, o)
	in.Since, in.Pages = memory.build(out, true), pages.Pages()
	in.Files = func(yield func(page.File, error) bool) {
		for f, err := range pages.Files() {
			if !yield(f, err) {
				return
			}
		}
		yield(page.File{Path: claimsFile(s.Number), Write: pages.WriteClaims}, nil)
	}
	report, err := a.render(ctx, in, out, f.output)
	if err != nil {
		return failed(err)
	}
	known := in.Since.Slice(s, in.Catalog)
	if known == nil {
		a.tell(report, true, f.output)
		return failed(errors.New("the site cannot be built in slices: it has files of assets/ that no page names, or a " +
			"warning that is not of one page; see to that, or build the whole, without --shard"))
	}
	if err := out.Write(sliceFile, known); err != nil {
		return failed(err)
	}
	if err := out.Commit(); err != nil {
		return failed(err)
	}
	a.tell(report, true, f.output)
	return nil
}

// merged is the build that takes what it can from the slices in a folder, and what the last build stated: what the
// slices do.
func (a *app) merged(dir string, out *publish.Draft, memory remembering, catalog incremental.Digest) (
	_ *incremental.Build, last func(name, of string) ([]byte, bool), err error) {
	if !memory.on {
		return nil, nil, errWhole
	}
	folders, err := os.ReadDir(a.path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	var parts []incremental.Part
	for _, e := range folders {
		name := filepath.Join(dir, e.Name())
		files := folder(a.path(name))
		known, err := fs.ReadFile(files, sliceFile)
		switch {
		case !e.IsDir():
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("%s: is no slice of a site: it has no %s; remove it, or build it with --shard", name, sliceFile)
		case err != nil:
			return nil, nil, err
		}
		parts = append(parts, incremental.Part{Name: name, Known: known,
			File: func(name string) ([]byte, error) { return fs.ReadFile(files, name) }})
	}
	if len(parts) == 0 {
		return nil, nil, fmt.Errorf("%s: there are no slices: build them with --shard", dir)
	}
	b, err := incremental.Merge(out, memory.shared, catalog, parts)
	return b, func(name, of string) (all []byte, ok bool) {
		if name != data.ClaimsPath {
			return b.Content(name, of)
		}
		for n := range parts {
			said, ok := b.Content(claimsFile(n+1), "")
			if !ok {
				return nil, false
			}
			all = append(all, said...)
		}
		return all, true
	}, err
}
