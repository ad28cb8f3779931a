package catalog

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
)

// idLength is how many characters of the digest an id has: 60 bits, so that two of a million
// runs share an id with a probability of one in two million.
const idLength = 12

// digits are lower-case base32, RFC 4648: an id is the same in a file system that ignores case.
var digits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ID is the first 12 characters of the lower-case base32 of the identity's SHA-256. It depends
// on nothing but the three texts.
func (i Identity) ID() string {
	return Digest([]byte(strconv.Quote(i.Tool) + " " + strconv.Quote(i.Session) + " " + strconv.Quote(i.Model)))[:idLength]
}

// Digest is the SHA-256 of data in lower-case base32, the alphabet of ids.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return digits.EncodeToString(sum[:])
}

// SplitID parts an id with the "-" and four characters that tell two runs of one identity
// apart. For other ids suffix is empty.
func SplitID(id string) (base, suffix string) {
	if len(id) == idLength+5 && id[idLength] == '-' && isDigits(id[:idLength]) && isDigits(id[idLength+1:]) {
		return id[:idLength], id[idLength+1:]
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
		out = strings.TrimRight(out[:maxSlug], "-.") + "-" + Digest([]byte(s))[:4]
	}
	if out == "" {
		return "x-" + Digest([]byte(s))[:4]
	}
	return out
}
