package incremental

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// heading begins what is remembered, with the digest of all that follows.
const heading = "inferdex build 1 "

// The lines of memory: a unit, then its own files and those it uses.
const (
	unitLine = '='
	ownLine  = '+'
	usedLine = '>'
)

// Memory is what the next build is to remember of this one; nil for nothing.
func (b *Build) Memory() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.forget {
		return nil
	}
	var w bytes.Buffer
	fmt.Fprintln(&w, b.shared)
	line := func(kind rune, f File) {
		fmt.Fprintf(&w, "%c%s %d %s\n", kind, f.Digest, f.Size, strconv.Quote(f.Name))
	}
	for _, name := range slices.Sorted(maps.Keys(b.next)) {
		u := b.next[name]
		line(unitLine, File{Name: name, Digest: u.made})
		for _, f := range u.own {
			line(ownLine, f)
		}
		for _, f := range u.used {
			line(usedLine, f)
		}
	}
	return append([]byte(heading+Sum(w.Bytes()).String()+"\n"), w.Bytes()...)
}

// remembered are the units of a memory; none where it is damaged or of another shared digest.
func remembered(memory []byte, shared Digest) map[string]unit {
	head, rest, _ := strings.Cut(string(memory), "\n")
	if head != heading+Sum([]byte(rest)).String() {
		return nil
	}
	first, rest, _ := strings.Cut(rest, "\n")
	if first != shared.String() {
		return nil
	}
	units := map[string]unit{}
	name, u := "", unit{}
	for line := range strings.Lines(rest) {
		f, ok := parse(line)
		if !ok {
			return nil
		}
		switch line[0] {
		case unitLine:
			name, u = f.Name, unit{made: f.Digest}
		case ownLine:
			u.own = append(u.own, f)
		case usedLine:
			u.used = append(u.used, f)
		}
		units[name] = u
	}
	return units
}

// parse reads a line: all are a digest, a size and a name.
func parse(line string) (f File, ok bool) {
	digest, rest, _ := strings.Cut(strings.TrimSuffix(line[1:], "\n"), " ")
	size, name, _ := strings.Cut(rest, " ")
	sum, err := base64.RawStdEncoding.DecodeString(digest)
	if err != nil || len(sum) != len(f.Digest) {
		return f, false
	}
	copy(f.Digest[:], sum)
	if f.Size, err = strconv.ParseInt(size, 10, 64); err != nil {
		return f, false
	}
	f.Name, err = strconv.Unquote(name)
	return f, err == nil
}
