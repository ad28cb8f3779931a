package reading

import (
	"bytes"
	"regexp"
)

// container is what docker compose and "kubectl logs --prefix" write in front of what a container printed.
const container = `(?:\[pod/[^\]\n]{1,300}\] |[A-Za-z0-9][\w.\-]{0,100}-[0-9]{1,4} +\| ?)`

var (
	// stamped is what a log of a CI job or of a container has in front of each line: a time, with "gh run view --log" behind
	// job and step, or the container.
	stamped = regexp.MustCompile(`^(?:(?:[^\t\n]{1,200}\t[^\t\n]{1,200}\t)?` + container + `?(?:\x{feff})?` +
		`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})(?:[ \r\n]|$)|` +
		container + `)`)
	coloured = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// quote is what Markdown has in front of each line that it quotes.
var quote = []byte("> ")

// Logged reports whether a text is the log of a CI job or of a container: its first lines begin as one has them, or colours
// are written into it. So does a Markdown text that quotes what was printed.
func Logged(head []byte) bool {
	if bytes.Contains(head, []byte("\x1b[")) && coloured.Match(head) || bytes.HasPrefix(head, quote) ||
		bytes.Contains(head, []byte("\n> ")) && head[0] != '<' { // behind the name of a tag it ends that
		return true
	}
	lines := 0
	for line := range bytes.Lines(head) {
		if !stamped.Match(line) {
			return false
		}
		if lines++; lines == 2 {
			break
		}
	}
	return lines > 0
}

// Unlogged is what was printed to such a log: its lines without what the log or a quotation has in front of them, and
// without colours.
func Unlogged(text []byte) []byte {
	if bytes.Contains(text, []byte("\x1b[")) {
		text = coloured.ReplaceAll(text, nil)
	}
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		if at := stamped.FindIndex(line); at != nil {
			if end := line[at[1]-1]; end == '\r' || end == '\n' {
				at[1]--
			}
			line = line[at[1]:]
		}
		for bytes.HasPrefix(line, quote) { // quotations of quotations
			line = line[len(quote):]
		}
		out = append(out, line...)
	}
	return out
}
