package record

import (
	"regexp"
	"strconv"
	"strings"
)

// maxSlug bounds a [PathName] in bytes; file systems allow 255 in a name.
const maxSlug = 96

// Slug is the form of a text in addresses: lower case, every run of characters outside a-z, 0-9 and "."
// becomes "-", none of "-" and "." at either end. It may be empty.
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
	return strings.Trim(b.String(), "-.")
}

// DistinctSlug is a slug with the first 4 characters of the digest of the text it stands for: it keeps apart
// texts whose slugs are equal, and is never a [ReservedSlug].
func DistinctSlug(slug, text string) string {
	d := Digest([]byte(text))[:4]
	if device.MatchString(slug) {
		slug = "x-" + slug
	}
	if slug = strings.TrimRight(slug, "-."); slug == "" {
		return d
	}
	return slug + "-" + d
}

// PathName names a file, a directory or a page after a text. It is never empty, longer than 101 bytes or a
// name that a system or a site keeps for itself: where the slug is, the digest of the text tells.
func PathName(s string) string {
	out := Slug(s)
	switch {
	case out == "":
		return DistinctSlug("x", s)
	case len(out) > maxSlug:
		return DistinctSlug(out[:maxSlug], s)
	case ReservedSlug(out):
		return DistinctSlug(out, out)
	}
	return out
}

// device is what Windows takes for a device, in every directory and with every extension.
var device = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// ReservedSlug reports whether a slug can name no directory everywhere: a device of Windows ("con", "nul.txt",
// "com1"), or what servers and generators of sites take for a page ("index.html").
func ReservedSlug(slug string) bool {
	return device.MatchString(slug) || strings.HasSuffix(slug, ".html") || strings.HasSuffix(slug, ".htm")
}

// FreeName is name where it is not taken yet, else the first of name-2, name-3 and so on that is not. It is
// taken then.
func FreeName(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	taken[free] = true
	return free
}
