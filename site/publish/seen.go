package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
)

// seenFile is a file of a site whose content was read.
type seenFile struct {
	told Told
	sum  [sha256.Size]byte
	// shown is the time that the file shows, in nanoseconds, where it was asked for. It is not remembered.
	shown int64
}

// seen are the files of a site whose content is known without reading it, by their names, as long as the system tells of
// them what it told. Where what is remembered is damaged or lost, all files are read.
type seen struct {
	last map[string]seenFile // as it is remembered
	// rights are those of a new file, zero where that is not known: no other file of the next site's place counts.
	rights fs.FileMode

	mu    sync.Mutex
	found map[string]seenFile
	spare map[string]bool // found in the place of the next site
}

// is says whether a file of that name has that content; from is where it lies.
func (s *seen) is(name string, size int64, sum [sha256.Size]byte, from string) bool {
	info, err := os.Lstat(from)
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false
	}
	now := seenFile{ToldOf(info), sum, info.ModTime().UnixNano()}
	k, known := s.known(name, size, sum)
	if known && now.told == k.told || contentIs(from, sum) {
		s.find(name, now)
		return true
	}
	return false
}

// begun says whether the next site began with that very file at to. Then the one of the last site need not be asked for.
func (s *seen) begun(name string, size int64, sum [sha256.Size]byte, to string) bool {
	k, known := s.known(name, size, sum)
	if !known {
		return false
	}
	info, err := os.Lstat(to)
	if err != nil || ToldOf(info) != k.told || s.rights != 0 && info.Mode().Perm() != s.rights {
		return false
	}
	s.find(name, k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spare == nil {
		s.spare = map[string]bool{}
	}
	s.spare[name] = true
	return true
}

// sound says whether begun said yes.
func (s *seen) sound(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spare[name]
}

func (s *seen) known(name string, size int64, sum [sha256.Size]byte) (seenFile, bool) {
	k, ok := s.last[name]
	return k, ok && k.told.Size == size && k.sum == sum
}

func (s *seen) find(name string, k seenFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		s.found = make(map[string]seenFile, len(s.last))
	}
	s.found[name] = k
}

// linked notes that a file is linked to another place now: the system calls that a change of it. One that was edited
// meanwhile is not known any more.
func (s *seen) linked(name, to string) {
	info, err := os.Lstat(to)
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.found[name]
	if !ok {
		return
	}
	delete(s.found, name)
	if err != nil {
		return
	}
	now := ToldOf(info)
	k.told.Changed = now.Changed
	if now == k.told && k.shown == info.ModTime().UnixNano() {
		s.found[name] = k
	}
}

// rested are those that were found, are of a site's files, and had rested at that time.
func (s *seen) rested(now int64, of map[string]bool) map[string]seenFile {
	all := make(map[string]seenFile, len(s.found))
	for name, k := range s.found {
		if of[name] && k.told.Rested(now) {
			all[name] = k
		}
	}
	return all
}

// seenHead begins what is remembered, with the digest of all that follows: files one after the other, each its digest,
// what was told of it, the length of its name, and its name.
const seenHead = "files seen by inferdex 1\n"

func encodeSeen(files map[string]seenFile) []byte {
	b := make([]byte, len(seenHead)+sha256.Size, len(seenHead)+sha256.Size+128*len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		b = append(b, f.sum[:]...)
		for _, n := range []uint64{f.told.Dev, f.told.Ino, uint64(f.told.Size), uint64(f.told.Changed), uint64(len(name))} {
			b = binary.AppendUvarint(b, n)
		}
		b = append(b, name...)
	}
	sum := sha256.Sum256(b[len(seenHead)+sha256.Size:])
	copy(b[copy(b, seenHead):], sum[:])
	return b
}

// decodeSeen is nil where data are none or damaged.
func decodeSeen(data []byte) map[string]seenFile {
	sum, ok := bytes.CutPrefix(data, []byte(seenHead))
	if !ok || len(sum) < sha256.Size {
		return nil
	}
	rest := sum[sha256.Size:]
	if sha256.Sum256(rest) != [sha256.Size]byte(sum) {
		return nil
	}
	files := make(map[string]seenFile, len(rest)/96)
	for len(rest) > 0 {
		var f seenFile
		rest = rest[copy(f.sum[:], rest):]
		var n [5]uint64
		for i := range n {
			size := 0
			n[i], size = binary.Uvarint(rest)
			rest = rest[size:]
		}
		f.told = Told{n[0], n[1], int64(n[2]), int64(n[3])}
		files[string(rest[:n[4]])], rest = f, rest[n[4]:]
	}
	return files
}

// reader is what a file is read with for its digest. Many are read, and none is held.
type reader struct {
	sum  hash.Hash
	part [64 << 10]byte
}

var readers = sync.Pool{New: func() any { return &reader{sum: sha256.New()} }}

// contentIs says whether the content of a file has that SHA-256.
func contentIs(from string, sum [sha256.Size]byte) bool {
	f, err := os.Open(from)
	if err != nil {
		return false
	}
	defer f.Close()
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.sum.Reset()
	for {
		n, err := f.Read(r.part[:])
		r.sum.Write(r.part[:n])
		if err == io.EOF {
			return [sha256.Size]byte(r.sum.Sum(r.part[:0])) == sum
		}
		if err != nil {
			return false
		}
	}
}
