// Package incremental decides what of a site is made anew. It remembers of a build what each page was made of and
// which files it became, all by their digests; a page that is made of the same again need not be rendered where its
// files still are what they were.
//
// What is remembered is no state that could go wrong: that a page made of this becomes files of that content is true
// whatever happened since. So it need not be as new as the site, and the worst that its loss can do is a full build.
package incremental

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Digest is of some content: SHA-256.
type Digest [sha256.Size]byte

// String is the digest as memory has it.
func (d Digest) String() string { return base64.RawStdEncoding.EncodeToString(d[:]) }

// Sum is the digest of data.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// Parts are what something is made of, by name: the digest of all of them is that of the thing.
type Parts map[string]Digest

// Add adds a part that is no text yet. A value that JSON cannot say is an error.
func (p Parts) Add(name string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		p[name] = Sum(data)
	}
	return err
}

// Digest is that of all parts.
func (p Parts) Digest() Digest {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p)) {
		b.WriteString(p[name].String() + " " + name + "\x00")
	}
	return Sum([]byte(b.String()))
}

// File is a file of a site.
type File struct {
	Name   string // below the site's root
	Size   int64
	Digest Digest
}

// OfFile is what a file that is no page is made of, as units have it: of is [page.File.Of], which is known.
func OfFile(of string) Digest { return Sum([]byte(of)) }

// FileOf is the file of that content.
func FileOf(name string, data []byte) File { return File{name, int64(len(data)), Sum(data)} }

// The names of units begin with what they are: a page that is made of the catalog, with its note where it has one; a
// page that was written by hand; a file that is no page.
const (
	PageUnit = "page "
	TextUnit = "text "
	FileUnit = "file "
)

// origin is what all units but texts are made of together.
type origin struct {
	// catalog is the digest of the catalog, notes that of all notes; zero where it is not known.
	catalog, notes Digest
	// pages are the paths of the pages that are made of them, in their order.
	pages []string
}

// unit is a page, or something else that becomes files.
type unit struct {
	// of is the digest of what it was made of, as its maker says; zero where that is not known. Made is that of its
	// parts, which were made to be compared.
	of, made Digest
	// own are its files, used those that it shares with others: style sheets, scripts.
	own, used []File
}

// Site is the last site and the next one, which is being written.
type Site interface {
	// Last is the content of a file of the last site; false where it is not there or no plain file.
	Last(name string) ([]byte, bool)
	// Is says whether a file of the last site is plain and has that size and that SHA-256.
	Is(name string, size int64, sum [sha256.Size]byte) bool
	// Keep puts a file of the last site into the next one.
	Keep(name string) error
}

// Build is one build of a site, with what is remembered of the one before. Its methods may be called by several at
// once.
type Build struct {
	site   Site
	shared Digest
	last   map[string]unit
	whole  origin       // of the last build
	held   atomic.Int64 // bytes of what Compare made

	mu sync.Mutex
	// of is what this build is made of.
	of origin
	// next are the units of this build.
	next map[string]unit
	// sound says of a file that several units use whether it is what it was.
	sound  map[File]bool
	forget bool
}

// New is a build of a site of which memory is remembered, "" for nothing. Shared is the digest of what all units
// are made of: the program, its settings, layouts. Where it is another one, or memory is damaged, nothing is kept.
func New(site Site, memory []byte, shared Digest) *Build {
	b := &Build{site: site, shared: shared, next: map[string]unit{}, sound: map[File]bool{}}
	b.last, b.whole = remembered(memory, shared)
	return b
}

// Pages are the paths of the pages that the last build made of a catalog, in their order; false where it made them of
// another one, or some of them are not remembered.
func (b *Build) Pages(catalog Digest) ([]string, bool) {
	ok := catalog != Digest{} && b.whole.catalog == catalog
	return b.whole.pages, ok
}

// MadeOf notes what the pages and files of this build are made of, and the pages in their order.
func (b *Build) MadeOf(catalog, notes Digest, pages []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of = origin{catalog, notes, pages}
}

// KeepAll puts all files of the last site but texts into the next one, where they are what they were: the caller
// found the catalog to be that of the last build, and says which digest the notes have.
func (b *Build) KeepAll(notes Digest) (Kept, bool, error) {
	if notes != b.whole.notes {
		return Kept{}, false, nil
	}
	var names []string
	var all Kept
	for name, u := range b.last {
		if !strings.HasPrefix(name, TextUnit) {
			names = append(names, name)
			all.Own = append(all.Own, u.own...)
		}
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, name := range names {
		g.Go(func() error {
			if !b.intact(b.last[name]) {
				return errChanged
			}
			return nil
		})
	}
	if g.Wait() != nil {
		return Kept{}, false, nil
	}
	for _, f := range all.Own {
		g.Go(func() error { return b.site.Keep(f.Name) })
	}
	if err := g.Wait(); err != nil {
		return Kept{}, false, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		b.next[name] = b.last[name]
	}
	return all, true, nil
}

var errChanged = errors.New("a file is not what it was")

// Known says whether anything of the last build can be kept.
func (b *Build) Known() bool { return len(b.last) > 0 }

// Kept are the files of a unit that were kept.
type Kept struct{ Own, Used []File }

// Same is [Build.Unchanged] for a unit that has not been made: of is the digest of all that it would be made of. Zero
// is no such digest.
func (b *Build) Same(name string, of Digest) (Kept, bool, error) {
	if u, ok := b.last[name]; ok && of != (Digest{}) && u.of == of {
		return b.keep(name, u)
	}
	return Kept{}, false, nil
}

// Unchanged says whether a unit of that name has the parts that it had in the last build, and its files are what they
// were. Then its own files are in the next site; those it uses come by [Build.Finish]. Of is what it is made of, as
// for [Build.Same]. An error is one of writing.
func (b *Build) Unchanged(name string, of, made Digest) (Kept, bool, error) {
	u, ok := b.last[name]
	if !ok || u.made != made {
		return Kept{}, false, nil
	}
	u.of = of
	return b.keep(name, u)
}

// keep puts the files of a unit of the last site into the next one, where they are what they were.
func (b *Build) keep(name string, u unit) (Kept, bool, error) {
	if !b.intact(u) {
		return Kept{}, false, nil
	}
	for _, f := range u.own {
		if err := b.site.Keep(f.Name); err != nil {
			return Kept{}, false, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next[name] = u
	return Kept{u.own, u.used}, true, nil
}

// intact says whether the last site has all files of a unit.
func (b *Build) intact(u unit) bool {
	other := func(f File) bool { return !b.is(f) }
	return !slices.ContainsFunc(u.own, other) &&
		!slices.ContainsFunc(u.used, func(f File) bool { return !b.isUsed(f) })
}

// is says whether the last site has the file.
func (b *Build) is(f File) bool { return b.site.Is(f.Name, f.Size, f.Digest) }

// isUsed is is for a file that many ask for.
func (b *Build) isUsed(f File) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	sound, ok := b.sound[f]
	if !ok {
		sound = b.is(f)
		b.sound[f] = sound
	}
	return sound
}

// Made notes a unit that was made anew, of what as for [Build.Same], with its parts, its files and those of others that
// it uses.
func (b *Build) Made(name string, of, made Digest, own, used []File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next[name] = unit{of, made, own, used}
}

// Content is that of a file that is no page, as the last build made it; false where it is another one now, or nothing
// is remembered: a nil Build remembers nothing. Of is the digest of what it is to be made of, as [page.File] has it: that
// of the last build has to be the same. "" takes what was made of anything.
func (b *Build) Content(name, of string) ([]byte, bool) {
	f, ok := b.file(name, of)
	if !ok {
		return nil, false
	}
	data, ok := b.site.Last(name)
	return data, ok && FileOf(name, data) == f
}

// Size is that of what [Build.Content] would be where the file is what it was: it is not looked at.
func (b *Build) Size(name, of string) (int64, bool) {
	f, ok := b.file(name, of)
	return f.Size, ok
}

// file is a file that is no page, as the last build made it of the same.
func (b *Build) file(name, of string) (f File, ok bool) {
	if b == nil {
		return f, false
	}
	u, ok := b.last[FileUnit+name]
	if !ok || len(u.own) != 1 || u.own[0].Name != name || of != "" && u.of != OfFile(of) {
		return f, false
	}
	return u.own[0], true
}

// Forget has the next build make a unit anew: something is to be said of it each time.
func (b *Build) Forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.next, name)
}

// ForgetAll has the next build make everything anew.
func (b *Build) ForgetAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget = true
}

// Finish puts the files that kept units use into the next site, but for those that were written again, and returns
// them.
func (b *Build) Finish(written func(name string) bool) ([]File, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []File
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(b.next)) {
		for _, f := range b.next[name].used {
			if seen[f.Name] || written(f.Name) {
				continue
			}
			seen[f.Name] = true
			if err := b.site.Keep(f.Name); err != nil {
				return nil, err
			}
			list = append(list, f)
		}
	}
	return list, nil
}
