package reading

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// NewHead describes a file that is wholly in memory. Path is the whole path as in Pos.File;
// data may begin with a UTF-8 byte order mark, which Head.Data leaves out.
func NewHead(filePath string, data []byte) *Head {
	data, _ = Trim(data)
	h := &Head{
		Name: BaseName(filePath),
		Path: filePath,
		Data: data[:min(len(data), HeadSize)],
		Size: int64(len(data)),
	}
	h.Kind = kindOf(h.Data)
	if h.Kind == '{' || h.Kind == '[' {
		h.Keys, h.Nested = Keys(h.Data)
	}
	return h
}

// NewSource returns a file that is wholly in memory as formats get it.
func NewSource(filePath string, data []byte) *Source {
	data, padding := Trim(data)
	return &Source{Head: NewHead(filePath, data), Data: data, Padding: padding}
}

// BaseName is the last element of a path; a member of an archive follows an exclamation mark.
func BaseName(p string) string {
	if i := strings.LastIndexByte(p, '!'); i >= 0 && i+1 < len(p) {
		p = p[i+1:]
	}
	return path.Base(p)
}

// Dir is the directory of a path as in Pos.File, without a separator at its end: the archive of
// a member that lies at its top. "" is the directory of a bare name.
func Dir(path string) string {
	return path[:max(0, strings.LastIndexAny(path, "/!"))]
}

// TrimBOM is a text without the byte order mark of UTF-8 it may begin with.
func TrimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// Trim is a text without the byte order mark it may begin with and without the zero bytes it may end with, and how many
// of these there were: a file has them whose room was taken before it was written, or that a crash cut. What is zero
// bytes alone stays.
func Trim(data []byte) (text []byte, padding int) {
	text = TrimBOM(data)
	if end := len(bytes.TrimRight(text, "\x00")); end > 0 {
		text, padding = text[:end], len(text)-end
	}
	return text, padding
}

// Torn reports whether a text ends inside of its last line: what the line ends with may be a part of a number.
func Torn(text []byte) bool { return len(text) > 0 && text[len(text)-1] != '\n' }

// CutRow takes off a text the row of a Markdown table that it ends inside of, as the missing bar at its end tells, and
// says which line that is, 0 where there is none.
func CutRow(text []byte) (whole []byte, line int) {
	if !Torn(text) {
		return text, 0
	}
	begin := bytes.LastIndexByte(text, '\n') + 1
	above, _, _ := bytes.Cut(text[1+bytes.LastIndex(text[:begin], []byte("\n|")):], []byte{'\n'}) // lines of a log may follow it
	row, bar := bytes.TrimSpace(text[begin:]), []byte("|")
	if !bytes.HasPrefix(row, bar) || bytes.HasSuffix(row, bar) || !bytes.HasSuffix(bytes.TrimSpace(above), bar) {
		return text, 0
	}
	return text[:begin], 1 + bytes.Count(text, []byte{'\n'})
}

// mostHoles is how many runs of zero bytes a text has at most: text in UTF-16 has as many as letters.
const mostHoles = 16

// Binary reports whether the beginning of a file that holds zero bytes is no text. Lines of text with a few holes of
// zero bytes are text: a crash leaves a block of them where lines were to be.
func Binary(head []byte) bool {
	head, _ = Trim(head)
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	holes, lines := 0, false
	for i, c := range head {
		switch {
		case c == 0:
			if i == 0 || head[i-1] != 0 {
				holes++
			}
		case c == '\n':
			lines = true
		case c < ' ' && c != '\t' && c != '\r' && c != '\x1b' && c != '\b':
			return true
		}
	}
	for n := 0; n < utf8.UTFMax && len(head) > 0; n++ { // the last letter may be cut
		if r, size := utf8.DecodeLastRune(head); r != utf8.RuneError || size != 1 {
			break
		}
		head = head[:len(head)-1]
	}
	return holes > mostHoles || !lines || !utf8.Valid(head)
}

// kindOf returns what Head.Kind says of the beginning of a file.
func kindOf(head []byte) byte {
	if len(head) == 0 {
		return 0
	}
	if Binary(head) || Magic(head) != "" {
		return 'b'
	}
	if t := bytes.TrimLeft(head, " \t\r\n"); len(t) > 0 && (t[0] == '{' || t[0] == '[') {
		return t[0]
	}
	return 't'
}

// magics are the beginnings of files that are no text, by what they are in words.
var magics = []struct{ magic, what string }{
	{"\x89PNG\r\n\x1a\n", "picture (PNG)"},
	{"\xff\xd8\xff", "picture (JPEG)"},
	{"GIF87a", "picture (GIF)"},
	{"GIF89a", "picture (GIF)"},
	{"%PDF-", "PDF document"},
	{"\x7fELF", "program"},
	{"PAR1", "Parquet file: export it as JSON or CSV"},
	{"SQLite format 3\x00", "SQLite database"},
	{"\xfd7zXZ\x00", "xz archive: unpack it or pack it as zip, gz or zst"},
	{"BZh", "bzip2 archive: unpack it or pack it as zip, gz or zst"},
	{"7z\xbc\xaf\x27\x1c", "7z archive: unpack it or pack it as zip, gz or zst"},
	{"Rar!\x1a\x07", "RAR archive: unpack it or pack it as zip, gz or zst"},
}

// Magic says in words what a file that is no text is, "" when its beginning does not tell.
func Magic(head []byte) string {
	for _, m := range magics {
		if len(head) >= len(m.magic) && string(head[:len(m.magic)]) == m.magic {
			return m.what
		}
	}
	if len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" {
		return "picture (WebP)"
	}
	return ""
}
