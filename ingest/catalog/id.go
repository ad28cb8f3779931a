package catalog

import (
	"github.com/inferdex/inferdex/ingest/record"
)

// SplitID parts an id with the "-" and four characters that tell two runs of one identity
// apart. For other ids suffix is empty.
func SplitID(id string) (base, suffix string) {
	if len(id) == record.IDLength+5 && id[record.IDLength] == '-' && isDigits(id[:record.IDLength]) &&
		isDigits(id[record.IDLength+1:]) {
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

// Slug names a directory or page after a text: see [record.PathName].
func Slug(s string) string { return record.PathName(s) }
