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

func (a *app) sumsFile() string { return a.path(filepath.Join(stateDir, "lists", "sums.json")) }

// sums are those that are kept; none where they are damaged.
func (a *app) sums() *sums {
	s := &sums{app: a, known: map[string]sumOf{}, found: map[string]sumOf{}}
	kept, err := os.ReadFile(a.sumsFile())
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
	told := publish.ToldOf(info)
	if k := s.known[name]; k.Told != "" && k.Told == told.String() {
		s.found[name] = k
		return k.Sum, nil
	}
	if !s.asked {
		s.now, s.asked = s.app.clockOfDisk(), true
	}
	data, err := read()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	k := sumOf{told.String(), hex.EncodeToString(sum[:])}
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
		s.app.keep(s.app.sumsFile(), append([]byte(listingHead("sums", text)+"\n"), text...))
	}
}

// clockOfDisk is when a file that is made now was changed, as the system notes it; 0 where none can be made.
func (a *app) clockOfDisk() int64 {
	if _, err := os.Stat(a.path(stateDir)); err != nil {
		return 0
	}
	if err := os.MkdirAll(filepath.Dir(a.sumsFile()), 0o777); err != nil {
		return 0
	}
	f, err := createBeside(a.sumsFile())
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
