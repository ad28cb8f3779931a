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
	"maps"
	"slices"
	"strings"
	"sync"
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

// FileOf is the file of that content.
func FileOf(name string, data []byte) File { return File{name, int64(len(data)), Sum(data)} }

// unit is a page, or something else that becomes files.
type unit struct {
	made Digest
	// own are its files, used those that it shares with others: style sheets, scripts.
	own, used []File
}

// Site is the last site and the next one, which is being written.
type Site interface {
	// Last is the content of a file of the last site; false where it is not there or no plain file.
	Last(name string) ([]byte, bool)
	// Keep puts a file of the last site into the next one.
	Keep(name string) error
}

// Build is one build of a site, with what is remembered of the one before. Its methods may be called by several at
// once.
type Build struct {
	site   Site
	shared Digest
	last   map[string]unit

	mu sync.Mutex
	// next are the units of this build.
	next map[string]unit
	// sound says of a file that several units use whether it is what it was.
	sound  map[string]bool
	forget bool
}

// New is a build of a site of which memory is remembered, "" for nothing. Shared is the digest of what all units
// are made of: the program, its settings, layouts. Where it is another one, or memory is damaged, nothing is kept.
func New(site Site, memory []byte, shared Digest) *Build {
	return &Build{
		site: site, shared: shared, last: remembered(memory, shared), next: map[string]unit{}, sound: map[string]bool{},
	}
}

// Known says whether anything of the last build can be kept.
func (b *Build) Known() bool { return len(b.last) > 0 }

// Kept are the files of a unit that were kept.
type Kept struct{ Own, Used []File }

// Unchanged says whether a unit of that name was made of the same in the last build, and its files are what they
// were. Then its own files are in the next site; those it uses come by [Build.Finish]. An error is one of writing.
func (b *Build) Unchanged(name string, made Digest) (Kept, bool, error) {
	u, ok := b.last[name]
	if !ok || u.made != made {
		return Kept{}, false, nil
	}
	for _, f := range u.own {
		if !b.is(f) {
			return Kept{}, false, nil
		}
	}
	for _, f := range u.used {
		if !b.isUsed(f) {
			return Kept{}, false, nil
		}
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

// is says whether the last site has the file.
func (b *Build) is(f File) bool {
	data, ok := b.site.Last(f.Name)
	return ok && int64(len(data)) == f.Size && Sum(data) == f.Digest
}

// isUsed is is for a file that many ask for.
func (b *Build) isUsed(f File) bool {
	key := f.Digest.String() + " " + f.Name
	b.mu.Lock()
	defer b.mu.Unlock()
	sound, ok := b.sound[key]
	if !ok {
		sound = b.is(f)
		b.sound[key] = sound
	}
	return sound
}

// Made notes a unit that was made anew, with its files and those of others that it uses.
func (b *Build) Made(name string, made Digest, own, used []File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next[name] = unit{made, own, used}
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
