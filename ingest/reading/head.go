package reading

import (
	"bytes"
	"path"
	"strings"
)

// NewHead describes a file that is wholly in memory. Path is the whole path as in Pos.File;
// data may begin with a UTF-8 byte order mark, which Head.Data leaves out.
func NewHead(filePath string, data []byte) *Head {
	data = TrimBOM(data)
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
	return &Source{Head: NewHead(filePath, data), Data: TrimBOM(data)}
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

// kindOf returns what Head.Kind says of the beginning of a file.
func kindOf(head []byte) byte {
	if len(head) == 0 {
		return 0
	}
	if bytes.IndexByte(head, 0) >= 0 || Magic(head) != "" {
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
