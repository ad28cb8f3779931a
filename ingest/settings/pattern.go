package settings

import (
	"fmt"
	"regexp"
	"strings"
)

// compile turns a pattern for paths into a regular expression for whole paths: {key} is one or
// more characters of one name, ** any number of names, * any characters of one name, ? one.
func compile(pattern string) (re *regexp.Regexp, keys []string, err error) {
	var b strings.Builder
	b.WriteString("^")
	p := strings.TrimPrefix(strings.ReplaceAll(pattern, "!", "/"), "./")
	for i := 0; i < len(p); {
		rest := p[i:]
		atName := i == 0 || p[i-1] == '/'
		switch {
		case atName && strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 3
		case rest == "/**":
			b.WriteString("(?:/.*)?")
			i += 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i += 2
		case rest[0] == '*':
			b.WriteString("[^/]*")
			i++
		case rest[0] == '?':
			b.WriteString("[^/]")
			i++
		case rest[0] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return nil, nil, fmt.Errorf("a { without }")
			}
			key := strings.TrimSpace(rest[1:end])
			if key == "_" {
				key = ""
			}
			for _, k := range keys {
				if k == key && key != "" {
					return nil, nil, fmt.Errorf("{%s} stands twice", key)
				}
			}
			keys = append(keys, key)
			b.WriteString("([^/]+?)")
			i += end + 1
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			i++
		}
	}
	b.WriteString("$")
	re, err = regexp.Compile(b.String())
	return re, keys, err
}

// asDirs writes an archive's "!" as the boundary of a directory.
func asDirs(p string) string {
	return strings.ReplaceAll(strings.ReplaceAll(p, "\\", "/"), "!", "/")
}
