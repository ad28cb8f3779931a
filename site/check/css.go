package check

import (
	"bytes"
	"strings"
)

// readCSS judges what a style sheet loads. first is the line that it begins on.
func (s *site) readCSS(f *file, first int, data []byte) {
	wellEncoded(f, data)
	line := func(i int) int { return first + bytes.Count(data[:i], []byte{'\n'}) }
	for i := 0; i < len(data); {
		rest := data[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return
			}
			i += n + 4
		case rest[0] == '"' || rest[0] == '\'':
			i += quoted(rest)
		case rest[0] == '@' && len(rest) >= 7 && bytes.EqualFold(rest[:7], []byte("@import")):
			f.add(line(i), "css-import", "a style sheet imports another, which is loaded late; make them one")
			i += 7
		case rest[0]|0x20 == 'u' && len(rest) >= 4 && bytes.EqualFold(rest[:4], []byte("url(")):
			n := bytes.IndexByte(rest, ')')
			if q := bytes.TrimSpace(rest[4:]); len(q) > 0 && (q[0] == '"' || q[0] == '\'') {
				from := len(rest) - len(q)
				if m := bytes.IndexByte(rest[from+quoted(q):], ')'); m >= 0 {
					n = from + quoted(q) + m
				}
			}
			if n < 0 {
				return
			}
			if address := strings.Trim(string(rest[4:n]), " \t\r\n\"'"); !strings.HasPrefix(address, "#") {
				s.link(f, line(i), address, shows)
			}
			i += n + 1
		default:
			i++
		}
	}
}

// quoted returns the length of the CSS string that b begins with.
func quoted(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case b[0]:
			return i + 1
		}
	}
	return len(b)
}
