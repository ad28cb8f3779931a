package catalog

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// SplitID parts an id with the "-" and four characters that tell two runs of one identity
// apart. For other ids suffix is empty.
func SplitID(id string) (base, suffix string) {
	if len(id) == record.IDLength+5 && id[record.IDLength] == '-' && isDigits(id[:record.IDLength]) && isDigits(id[record.IDLength+1:]) {
		return id[:record.IDLength], id[record.IDLength+1:]
	}
	return id, ""
}

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// ValidID reports whether an id can name a file and a page: 1 to 64 characters of a-z, 0-9, "-"
// and ".", the first and the last a letter or a digit.
func ValidID(id string) bool {
	if len(id) == 0 || len(id) > 64 || Slug(id) != id {
		return false
	}
	return id[0] != '.' && id[len(id)-1] != '.'
}

// maxSlug bounds a slug in bytes; file systems allow 255 in a name.
const maxSlug = 96

// Slug makes the name of a directory or page of a text: lower case, every run of characters
// outside a-z, 0-9 and "." becomes "-", none of them at either end. A text of which nothing is
// left gives "x-" and the beginning of its digest.
func Slug(s string) string {
	var b strings.Builder
	gap := false
	for _, c := range []byte(strings.ToLower(s)) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteByte(c)
			continue
		}
		gap = true
	}
	out := strings.Trim(b.String(), "-.")
	if len(out) > maxSlug {
		out = strings.TrimRight(out[:maxSlug], "-.") + "-" + record.Digest([]byte(s))[:4]
	}
	if out == "" {
		return "x-" + record.Digest([]byte(s))[:4]
	}
	return out
}
