package incremental

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// heading begins what is remembered, with the digest of all that follows.
const heading = "inferdex build 2 "

// The lines of memory: what all is made of, and the paths of its pages; then each unit, with what it is made of where
// that is known, its own files and those it uses.
const (
	catalogLine = '!'
	notesLine   = '?'
	pathLine    = '/'
	unitLine    = '='
	ofLine      = ':'
	ownLine     = '+'
	usedLine    = '>'
)

// Memory is what the next build is to remember of this one; nil for nothing.
func (b *Build) Memory() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.forget {
		return nil
	}
	head := len(heading) + len(b.shared.String()) + 1 // the digest of the text behind it is as long as any
	text := append(make([]byte, head, head+b.room()), b.shared.String()...)
	text = append(text, '\n')
	line := func(kind byte, f File) { // as "%c%s %d %q\n", of a hundred thousand files
		text = base64.RawStdEncoding.AppendEncode(append(text, kind), f.Digest[:])
		text = strconv.AppendInt(append(text, ' '), f.Size, 10)
		text = append(strconv.AppendQuote(append(text, ' '), f.Name), '\n')
	}
	if b.complete() {
		line(catalogLine, File{Digest: b.of.catalog})
		line(notesLine, File{Digest: b.of.notes})
		for _, p := range b.of.pages {
			line(pathLine, File{Name: p})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.next)) {
		u := b.next[name]
		line(unitLine, File{Name: name, Digest: u.made})
		if u.of != (Digest{}) {
			line(ofLine, File{Digest: u.of})
		}
		for _, f := range u.own {
			line(ownLine, f)
		}
		for _, f := range u.used {
			line(usedLine, f)
		}
	}
	copy(text, heading+Sum(text[head:]).String()+"\n")
	return text
}

// room is about how many bytes a memory has: at ten thousand cards it has ten million, which are not to be copied again and
// again.
func (b *Build) room() (n int) {
	const line = 64 // but for the name
	for name, u := range b.next {
		n += 2*line + len(name)
		for _, f := range u.own {
			n += line + len(f.Name)
		}
		for _, f := range u.used {
			n += line + len(f.Name)
		}
	}
	for _, p := range b.of.pages {
		n += line + len(p)
	}
	return n
}

// complete says whether all that is made of the catalog is remembered.
func (b *Build) complete() bool {
	for _, p := range b.of.pages {
		if _, ok := b.next[PageUnit+p]; !ok {
			return false
		}
	}
	return b.of.catalog != Digest{}
}

// remembered are the units of a memory and what they were made of; none where it is damaged or of another shared
// digest.
func remembered(memory []byte, shared Digest) (units map[string]unit, of origin) {
	first, rest, ok := opened(memory)
	if !ok || first != shared.String() {
		return nil, of
	}
	units = map[string]unit{}
	name, u := "", unit{}
	for line := range strings.Lines(rest) {
		f, ok := parse(line)
		if !ok {
			return nil, origin{}
		}
		switch line[0] {
		case catalogLine:
			of.catalog = f.Digest
			continue
		case notesLine:
			of.notes = f.Digest
			continue
		case pathLine:
			of.pages = append(of.pages, f.Name)
			continue
		case unitLine:
			name, u = f.Name, unit{made: f.Digest}
		case ofLine:
			u.of = f.Digest
		case ownLine:
			u.own = append(u.own, f)
		case usedLine:
			u.used = append(u.used, f)
		}
		units[name] = u
	}
	return units, of
}

// opened are the shared digest of a memory and its lines; false where it is damaged.
func opened(memory []byte) (shared, lines string, ok bool) {
	head, rest, _ := strings.Cut(string(memory), "\n")
	shared, lines, _ = strings.Cut(rest, "\n")
	return shared, lines, head == heading+Sum([]byte(rest)).String()
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
