package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// isOfSlice says whether a file of a slice is one that no site has.
func isOfSlice(name string) bool {
	return strings.HasPrefix(name, "inferdex-slice/") || name == ".inferdex-files.gz"
}

// However many slices a site is built in, merged they are the whole, and no two slices have another file of one name.
// There are notes, a page by hand, and a page of a run that is no more.
func TestSlices(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 3, Machines: 2, Wide: true})
	d.built("-o", "public")
	for _, name := range []string{"a note", "a page", "a withdrawn run"} {
		edits[slices.IndexFunc(edits, func(e struct {
			name string
			do   func(*desk)
		}) bool {
			return e.name == name
		})].do(d)
	}
	d.built("--full", "-o", "whole")
	want := goldentest.Tree(t, filepath.Join(d.dir, "whole"))
	for _, of := range []int{1, 2, 3, 7} {
		dir := fmt.Sprintf("slices-of-%d", of)
		seen := map[string]string{}
		pages := 0
		for n := 1; n <= of; n++ {
			into := fmt.Sprintf("%s/%d", dir, n)
			all, rendered := d.built("--shard", fmt.Sprintf("%d/%d", n, of), "-o", into)
			if all != rendered {
				t.Errorf("slice %d/%d: %d of %d pages are rendered", n, of, rendered, all)
			}
			pages += all
			for name, data := range goldentest.Tree(t, filepath.Join(d.dir, into)) {
				if isOfSlice(name) {
					continue
				}
				if was, ok := seen[name]; ok && was != data {
					t.Errorf("of %d slices two have another %s", of, name)
				}
				if seen[name] = data; want[name] != data && !strings.HasPrefix(name, "cards/") {
					t.Errorf("slice %d/%d: %s is not that of the whole", n, of, name)
				}
			}
		}
		all, rendered := d.built("--merge", dir, "-o", fmt.Sprintf("merged-of-%d", of))
		// The page with a note is rendered again, with it.
		if rendered != all-pages+1 {
			t.Errorf("of %d pages slices have %d, and %d are rendered when they are merged", all, pages, rendered)
		}
		if 3*pages < all {
			t.Errorf("%d slices have %d of %d pages", of, pages, all)
		}
		got := goldentest.Tree(t, filepath.Join(d.dir, fmt.Sprintf("merged-of-%d", of)))
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				t.Errorf("merged of %d: %s is not that of the whole", of, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("merged of %d: %d files, want %d", of, len(got), len(want))
		}
	}
}

// What cannot be merged is said, and the last site stays.
func TestForeignSlices(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 2, Machines: 1, Wide: true})
	d.built()
	want := goldentest.Tree(t, filepath.Join(d.dir, outputDir))
	for _, s := range []string{"1/2", "2/2"} {
		d.built("--shard", s)
	}
	slice := func(name string) string { return filepath.Join(d.dir, slicesDir, filepath.FromSlash(name)) }
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(slice(from), slice(to)); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(reason string, args ...string) {
		t.Helper()
		said, code := typed(d.dir, append([]string{"build", "--merge", slicesDir}, args...)...)
		if code == 0 || !strings.Contains(said, reason) {
			t.Errorf("exit status %d, want %q:\n%s", code, reason, said)
		}
		got := goldentest.Tree(t, filepath.Join(d.dir, outputDir))
		if !maps.Equal(got, want) {
			t.Errorf("%s: the last site is another one", reason)
		}
	}
	move("2-of-2", "../aside")
	refused("of 2 slices there are 1; build what is missing: 2/2")
	if err := os.CopyFS(slice("again"), os.DirFS(slice("1-of-2"))); err != nil {
		t.Fatal(err)
	}
	refused("remove one of them")
	move("again", "../again")
	d.built("--shard", "2/3")
	refused("merge slices of one build")
	move("2-of-3", "../other")
	move("../aside", "2-of-2")
	d.write("slices/stray/index.html", "x")
	refused("is no slice of a site")
	move("stray", "../stray")
	refused("slice 1/2 was built by another program, or with another base URL", "--base-url", "https://example.org/x/")
	refused("is of another catalog, or of another state of it", "--previews=false")
	known, err := os.ReadFile(slice(filepath.Join("2-of-2", sliceFile)))
	if err != nil {
		t.Fatal(err)
	}
	d.write("slices/2-of-2/"+sliceFile, string(known[:len(known)/2]))
	refused("what is written of the slice is damaged")
	d.write("slices/2-of-2/"+sliceFile, string(known))

	// A page that is not what was built is built again.
	edited := ""
	for name := range goldentest.Tree(t, slice("1-of-2")) {
		if strings.HasSuffix(name, "/index.html") {
			edited = name
		}
	}
	d.write("slices/1-of-2/"+edited, "<p>edited</p>")
	d.write("slices/1-of-2/"+claimsFile(1), "no archive")
	all, rendered := d.built("--merge", slicesDir)
	if got := goldentest.Tree(t, filepath.Join(d.dir, outputDir)); !maps.Equal(got, want) {
		t.Error("merged with a page that was edited, the site is not that of a full build")
	}
	if rendered == all {
		t.Error("nothing was taken from the slices")
	}

	d.write(allPages, "{{ len site.RegularPages }}")
	if said, code := typed(d.dir, "build", "--shard", "1/2"); code == 0 || !strings.Contains(said, "asks for other pages") {
		t.Errorf("a slice with a layout of all pages: exit status %d\n%s", code, said)
	}
	for _, text := range []string{"0/2", "3/2", "2", "a/b", "1/2/3", "-1/2", "1/0"} {
		if said, code := typed(d.dir, "build", "--shard", text); code != exitUsage || !strings.Contains(said, "is no slice") {
			t.Errorf("--shard %s: exit status %d\n%s", text, code, said)
		}
	}
}
