package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// sums are the digests of files, kept in .inferdex so that a file that did not change is not opened to know it. That it
// did not is said by the system alone: the file is the same one, of the same size, and its change was not noted since. The
// time of that note is the system's own, which no program sets; unlike the time that a file shows it tells an edit that
// leaves size and time. A file is remembered only where it had rested for [rest] when it was read, so that an edit after
// that is noted at another time however coarse the clock of its disk is. Where the system does not tell it, all is read.
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

// rest is how long a file must have been as it is to be remembered: the clock of a disk may go in steps of two seconds.
const rest = 2 * time.Second

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
	told, changed, ok := "", int64(0), false
	if info.Mode().IsRegular() { // a link tells nothing of what it leads to
		told, changed, ok = toldOf(info)
	}
	if k := s.known[name]; ok && k.Told == told {
		s.found[name] = k
		return k.Sum, nil
	}
	if ok && !s.asked {
		s.now, s.asked = s.app.clockOfDisk(), true
	}
	data, err := read()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	k := sumOf{told, hex.EncodeToString(sum[:])}
	if ok && changed+int64(rest) < s.now {
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
	_, now, _ := toldOf(info)
	return now
}
