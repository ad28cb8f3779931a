package settings

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a key or an element stands, and the text of its value where that is a number,
// a boolean or a date: of "0.10" the decoded number would not remember the zero.
type place struct {
	line, col int
	raw       string
}

// findPlaces returns the place of every key of a TOML text by its path: "a.b", "run[1].file",
// "series[0]". The TOML library tells decoded keys apart but not where they stand.
//
// The text must be valid: the library has parsed it before. Of a text that is not, some places
// are missing.
func findPlaces(text string) map[string]place {
	s := &scanner{text: text, places: map[string]place{}, count: map[string]int{}, line: 1}
	s.document()
	return s.places
}

// scanner walks a TOML text. lineStart is the offset of the current line.
type scanner struct {
	text            string
	off             int
	line, lineStart int
	places          map[string]place
	// count is how many elements an array of tables has so far, by path.
	count map[string]int
}

// join appends a key to a path.
func join(path, key string) string {
	for i := 0; i < len(key); i++ {
		if c := key[i]; c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			key = strconv.Quote(key)
			break
		}
	}
	if key == "" {
		key = `""`
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// element is the path of an element of an array.
func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func (s *scanner) peek() byte {
	if s.off < len(s.text) {
		return s.text[s.off]
	}
	return 0
}

func (s *scanner) more() bool { return s.off < len(s.text) }

// next moves on by one byte and counts lines.
func (s *scanner) next() {
	if s.text[s.off] == '\n' {
		s.line++
		s.lineStart = s.off + 1
	}
	s.off++
}

// skip moves past blanks, and past line ends and comments where lines is set.
func (s *scanner) skip(lines bool) {
	for s.more() {
		switch c := s.peek(); {
		case c == ' ' || c == '\t':
			s.off++
		case lines && (c == '\n' || c == '\r'):
			s.next()
		case lines && c == '#':
			for s.more() && s.peek() != '\n' {
				s.off++
			}
		default:
			return
		}
	}
}

// mark notes the current place for a path. A table that is named twice keeps its first place.
func (s *scanner) mark(path string) {
	if _, ok := s.places[path]; !ok {
		s.places[path] = place{line: s.line, col: s.off - s.lineStart + 1}
	}
}

func (s *scanner) document() {
	path := ""
	for {
		s.skip(true)
		if !s.more() {
			return
		}
		before := s.off
		switch {
		case strings.HasPrefix(s.text[s.off:], "[["):
			path = s.header("[[")
		case s.peek() == '[':
			path = s.header("[")
		default:
			s.pair(path)
		}
		if s.off == before { // no valid TOML: never stand still
			s.next()
		}
	}
}

// header reads "[a.b]" or "[[a.b]]" and returns the path of the table it opens.
func (s *scanner) header(open string) string {
	line, col := s.line, s.off-s.lineStart+1
	s.off += len(open)
	s.skip(false)
	keys := s.keys()
	path := ""
	for i, k := range keys {
		path = join(path, k)
		if open == "[[" && i == len(keys)-1 {
			if _, ok := s.places[path]; !ok {
				s.places[path] = place{line: line, col: col}
			}
			path = element(path, s.count[path])
			s.count[path[:strings.LastIndexByte(path, '[')]]++
		} else if n := s.count[path]; n > 0 {
			path = element(path, n-1) // a table inside the newest element
		}
		if _, ok := s.places[path]; !ok {
			s.places[path] = place{line: line, col: col}
		}
	}
	for s.more() && s.peek() == ']' {
		s.off++
	}
	return path
}

// keys reads a dotted key.
func (s *scanner) keys() []string {
	var keys []string
	for {
		keys = append(keys, s.key())
		s.skip(false)
		if s.peek() != '.' {
			return keys
		}
		s.off++
		s.skip(false)
	}
}

func (s *scanner) key() string {
	if c := s.peek(); c == '"' || c == '\'' {
		return s.quoted()
	}
	start := s.off
	for s.more() && !strings.ContainsRune(" \t\r\n.=]", rune(s.peek())) {
		s.off++
	}
	return s.text[start:s.off]
}

// pair reads "key = value" and notes the place of each part of a dotted key.
func (s *scanner) pair(path string) {
	line, col := s.line, s.off-s.lineStart+1
	for _, k := range s.keys() {
		path = join(path, k)
		if _, ok := s.places[path]; !ok {
			s.places[path] = place{line: line, col: col}
		}
	}
	s.skip(false)
	if s.peek() != '=' {
		return
	}
	s.off++
	s.skip(false)
	s.value(path)
}

// list reads what stands between the bracket here and the one that closes it. An element of which nothing can be
// read ends it.
func (s *scanner) list(closing byte, element func()) {
	s.off++
	for {
		s.skip(true)
		if !s.more() || s.peek() == closing {
			break
		}
		before := s.off
		element()
		s.skip(true)
		if s.peek() == ',' {
			s.off++
		}
		if s.off == before {
			return
		}
	}
	if s.more() {
		s.off++
	}
}

// value reads one value, whose path has its place already.
func (s *scanner) value(path string) {
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		i := 0
		s.list(']', func() {
			s.mark(element(path, i))
			s.value(element(path, i))
			i++
		})
	case '{':
		s.list('}', func() { s.pair(path) })
	default:
		start := s.off
		for s.more() && !strings.ContainsRune(",]}#\r\n", rune(s.peek())) {
			s.off++
		}
		p := s.places[path]
		p.raw = strings.TrimSpace(s.text[start:s.off])
		s.places[path] = p
	}
}

// quoted reads a string of any of the four kinds and returns its text, with escapes as far as a
// key may have them.
func (s *scanner) quoted() string {
	q := s.peek()
	long := strings.Repeat(string(q), 3)
	if strings.HasPrefix(s.text[s.off:], long) {
		s.off += 3
		start := s.off
		for s.more() && !strings.HasPrefix(s.text[s.off:], long) {
			if q == '"' && s.peek() == '\\' && s.off+1 < len(s.text) {
				s.next()
			}
			s.next()
		}
		text := s.text[start:min(s.off, len(s.text))]
		s.off = min(s.off+3, len(s.text))
		for s.more() && s.peek() == q { // up to two quotes may stand before the closing three
			s.off++
		}
		return text
	}
	s.off++
	start, escaped := s.off, false
	for s.more() && s.peek() != q && s.peek() != '\n' {
		if q == '"' && s.peek() == '\\' && s.off+1 < len(s.text) {
			escaped = true
			s.off++
		}
		_, n := utf8.DecodeRuneInString(s.text[s.off:])
		s.off += n
	}
	text := s.text[start:min(s.off, len(s.text))]
	if s.more() && s.peek() == q {
		s.off++
	}
	if escaped {
		if t, err := strconv.Unquote(`"` + text + `"`); err == nil {
			return t
		}
	}
	return text
}
