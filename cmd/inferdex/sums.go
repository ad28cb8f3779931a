package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/inferdex/inferdex/site/publish"
)

// sums are the digests of files, kept in .inferdex so that a file that did not change is not opened to know it. That it
// did not is said by the system alone: see [publish.Told]. A file is remembered only where it had rested when it was read.
// Where the system tells nothing, all is read.
type sums struct {
	app   *app
	file  string
	known map[string]sumOf // as they were kept
	found map[string]sumOf // of the files that were asked for
	fresh bool             // found has what known has not
	// now is the time of a file that was made before the first one was read, by the clock of the disk; 0 is not known.
	now   int64
	asked bool
}

// sumOf is the digest of a file and how the system told that file.
type sumOf struct {
	Told string `json:"told"`
	Sum  string `json:"sum"`
}

// Which sums are kept: of what a listing is made of, of all files of the catalog, of which a site is made, and of the
// program that made it.
const (
	listedSums  = "sums.json"
	builtSums   = "built.json"
	programSums = "program.json"
)

// sums are those that are kept in a file of that name; none where they are damaged.
func (a *app) sums(name string) *sums {
	s := &sums{app: a, file: a.path(filepath.Join(stateDir, "lists", name)), known: map[string]sumOf{}, found: map[string]sumOf{}}
	kept, err := readFile(s.file)
	if err != nil {
		return s
	}
	head, text, _ := bytes.Cut(kept, []byte("\n"))
	if string(head) != listingHead("sums", text) || json.Unmarshal(text, &s.known) != nil {
		s.known = map[string]sumOf{}
	}
	return s
}

// of is the digest of a file of a folder.
func (s *sums) of(name string, e fs.DirEntry, read func() ([]byte, error)) (string, error) {
	info, err := e.Info()
	if err != nil {
		return "", err
	}
	return s.ofFile(name, info, func() (string, error) {
		data, err := read()
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:]), nil
	})
}

// ofFile is the digest of a file that sum reads where it is not known.
func (s *sums) ofFile(name string, info fs.FileInfo, sum func() (string, error)) (string, error) {
	told := publish.ToldOf(info)
	if k := s.known[name]; k.Told != "" && k.Told == told.String() {
		s.found[name] = k
		return k.Sum, nil
	}
	if !s.asked {
		s.now, s.asked = s.clockOfDisk(), true
	}
	text, err := sum()
	if err != nil {
		return "", err
	}
	k := sumOf{told.String(), text}
	if told.Rested(s.now) {
		s.found[name], s.fresh = k, true
	}
	return k.Sum, nil
}

// keep keeps the digests of the files that were asked for, where they are not those that were kept.
func (s *sums) keep() {
	if !s.fresh && len(s.found) == len(s.known) {
		return
	}
	if text, err := json.Marshal(s.found); err == nil {
		s.app.keep(s.file, append([]byte(listingHead("sums", text)+"\n"), text...))
	}
}

// clockOfDisk is when a file that is made now was changed, as the system notes it; 0 where none can be made.
func (s *sums) clockOfDisk() int64 {
	f, err := s.app.createList(s.file)
	if err != nil {
		return 0
	}
	defer os.Remove(f.Name())
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return publish.ToldOf(info).Changed
}
