package incremental

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Slice is one of several parts of a site that are built apart, on machines of their own. It has the pages, and the
// files that are no pages, which are made of a part of the catalog; those that are made of the whole are made when all
// slices are there. The zero value is no slice.
type Slice struct{ Number, Of int } // Number counts from 1.

// mostSlices bounds Slice.Of: far above it a slice costs what all slices share and nothing else.
const mostSlices = 10_000

// ParseSlice reads "2/8", the second of eight slices.
func ParseSlice(text string) (s Slice, err error) {
	number, of, _ := strings.Cut(text, "/")
	s.Number, err = strconv.Atoi(number)
	if err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if err != nil || s.Number < 1 || s.Number > s.Of || s.Of > mostSlices {
		return Slice{}, fmt.Errorf("%q is no slice: write 2/8 for the second of eight", text)
	}
	return s, nil
}

// String is the slice as ParseSlice reads it.
func (s Slice) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// Has says whether the page or file of that path belongs to the slice: the first eight bytes of the path's digest, as
// a number, modulo how many slices there are. So it depends on nothing but the path, and each has about as many pages
// as any other.
func (s Slice) Has(path string) bool {
	sum := Sum([]byte(path))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.Of) == uint64(s.Number-1)
}

// sliceHeading begins what is known of a slice. Behind it stand its number, the digest of its catalog and what a
// build remembers.
const sliceHeading = "inferdex slice 1"

// Slice is what [Merge] needs to know of this build, which made a slice of the site of a catalog; nil where it made
// something that cannot be taken over.
func (b *Build) Slice(s Slice, catalog Digest) []byte {
	memory := b.Memory()
	if memory == nil {
		return nil
	}
	return append(fmt.Appendf(nil, "%s %s %s\n", sliceHeading, s, catalog), memory...)
}

// Part is a slice that was built.
type Part struct {
	// Name is what errors call it: its folder.
	Name string
	// Known is what Build.Slice said of it.
	Known []byte
	// File is the content of a file of it.
	File func(name string) ([]byte, error)
}

// NextSite is a site that is being written.
type NextSite interface {
	Write(name string, data []byte) error
}

// Merge is a build of the site of a catalog that takes all that parts made from them. Shared is as for [New]. It is
// an error where a slice is missing or there twice, or was made of something else.
func Merge(next NextSite, shared, catalog Digest, parts []Part) (*Build, error) {
	site := merged{next, map[string]Part{}}
	b := New(site, nil, shared)
	b.last = map[string]unit{}
	of, seen := 0, map[int]string{}
	for _, p := range parts {
		s, units, err := p.units(shared, catalog)
		switch {
		case err != nil:
		case of != 0 && s.Of != of:
			err = fmt.Errorf("is slice %s, and others are of %d: merge slices of one build", s, of)
		case seen[s.Number] != "":
			err = fmt.Errorf("is slice %s, which %s is too: remove one of them", s, seen[s.Number])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		of, seen[s.Number] = s.Of, p.Name
		maps.Copy(b.last, units)
		for _, u := range units {
			for _, f := range slices.Concat(u.own, u.used) {
				site.parts[f.Name] = p
			}
		}
	}
	var missing []string
	for n := 1; n <= of; n++ {
		if seen[n] == "" {
			missing = append(missing, Slice{n, of}.String())
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("of %d slices there are %d; build what is missing: %s", of, len(seen),
			strings.Join(missing[:min(len(missing), 10)], ", "))
	}
	return b, nil
}

// units are what the part was built as and of.
func (p Part) units(shared, catalog Digest) (s Slice, units map[string]unit, err error) {
	again := errors.New("what is written of the slice is damaged: build it again")
	head, memory, _ := strings.Cut(string(p.Known), "\n")
	rest, ours := strings.CutPrefix(head, sliceHeading+" ")
	number, of, _ := strings.Cut(rest, " ")
	if s, err = ParseSlice(number); !ours || err != nil {
		return s, nil, again
	}
	if by, _, ok := opened([]byte(memory)); ok && by != shared.String() {
		return s, nil, fmt.Errorf("slice %s was built by another program, or with another base URL, layouts or assets: "+
			"build all slices and the whole with the same", s)
	}
	if of != catalog.String() {
		return s, nil, fmt.Errorf("slice %s is of another catalog, or of another state of it, or was built with other "+
			"flags: build all slices and the whole of the same commit", s)
	}
	if units, _ = remembered([]byte(memory), shared); units == nil {
		return s, nil, again
	}
	return s, units, nil
}

// merged is the site that the parts are, as the last one, and the next.
type merged struct {
	NextSite
	parts map[string]Part // that have the files, by name
}

func (m merged) Last(name string) ([]byte, bool) {
	p, ok := m.parts[name]
	if !ok {
		return nil, false
	}
	data, err := p.File(name)
	return data, err == nil
}

func (m merged) Is(name string, size int64, sum [sha256.Size]byte) bool {
	data, ok := m.Last(name)
	return ok && FileOf(name, data) == File{name, size, sum}
}

func (m merged) Keep(name string) error {
	data, err := m.parts[name].File(name)
	if err != nil {
		return err
	}
	return m.Write(name, data)
}
