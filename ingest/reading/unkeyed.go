package reading

import "bytes"

// Unkeyed is a text without the lines of private keys: whoever reads by lines would take each for something of its own.
// What is hidden keeps its length, so that all else stands where it stood.
func Unkeyed(text []byte) []byte {
	private, begins, ends := []byte("PRIVATE KEY"), []byte("-----BEGIN "), []byte("-----END ")
	if !bytes.Contains(text, private) {
		return text
	}
	text = bytes.Clone(text)
	const longest = 32 << 10 // more than any key has
	within, closed, at := false, false, 0
	for line := range bytes.Lines(text) {
		at += len(line)
		body := bytes.TrimSpace(line)
		switch {
		case bytes.Contains(body, begins) && bytes.Contains(body, private) && bytes.HasSuffix(body, []byte("-----")):
			within = true
			rest, _, _ := bytes.Cut(text[at:min(len(text), at+longest)], begins)
			closed = bytes.Contains(rest, ends)
		case bytes.Contains(body, ends) || !closed && bytes.ContainsFunc(body, notBase64):
			within = false
		case within:
			copy(body, append([]byte("redacted"), bytes.Repeat([]byte(" "), len(body))...))
		}
	}
	return text
}

func notBase64(c rune) bool {
	return !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=')
}
