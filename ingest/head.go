package ingest

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// NewHead describes a file that is wholly in memory. Path is the whole path as in Pos.File;
// data may begin with a UTF-8 byte order mark, which Head.Data leaves out.
func NewHead(filePath string, data []byte) *Head {
	data = trimBOM(data)
	h := &Head{
		Name: baseName(filePath),
		Path: filePath,
		Data: data[:min(len(data), HeadSize)],
		Size: int64(len(data)),
	}
	h.Kind = kindOf(h.Data)
	if h.Kind == '{' || h.Kind == '[' {
		h.Keys, h.Nested = jsonval.Keys(h.Data)
	}
	return h
}

// NewSource returns a file that is wholly in memory as formats get it.
func NewSource(filePath string, data []byte) *Source {
	return &Source{Head: NewHead(filePath, data), Data: trimBOM(data)}
}

// baseName is the last element of a path; a member of an archive follows an exclamation mark.
func baseName(p string) string {
	if i := strings.LastIndexByte(p, '!'); i >= 0 && i+1 < len(p) {
		p = p[i+1:]
	}
	return path.Base(p)
}

func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// kindOf returns what Head.Kind says of the beginning of a file.
func kindOf(head []byte) byte {
	if len(head) == 0 {
		return 0
	}
	if bytes.IndexByte(head, 0) >= 0 || magicOf(head) != "" {
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

// magicOf says in words what a file that is no text is, "" when its beginning does not tell.
func magicOf(head []byte) string {
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

// unreadable says in words why no format may be asked about a file, "" when one may. It judges
// the beginning only: a zero byte further on is an error in a file of a known format.
func unreadable(head []byte) string {
	if what := magicOf(head); what != "" {
		return what
	}
	const convert = "text in UTF-16: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"
	switch {
	case len(head) == 0:
		return "empty file"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return convert
	}
	if bytes.IndexByte(head, 0) < 0 {
		if len(bytes.TrimLeft(head, " \t\r\n")) == 0 && len(head) < HeadSize {
			return "nothing but white space"
		}
		return ""
	}
	// English text in UTF-16 without a mark: every other byte is zero.
	var zero [2]int
	sample := head[:min(len(head), 256)]
	for i, c := range sample {
		if c == 0 {
			zero[i&1]++
		}
	}
	if n := len(sample) / 2; n > 1 && (zero[0] == 0 && zero[1] > n*3/4 || zero[1] == 0 && zero[0] > n*3/4) {
		return convert
	}
	return "binary data"
}

// cutShort is the message for an object of JSON that no format claims and that ends in the middle:
// what would tell its format may be missing. It is nil for all else, and for a file of which only
// the beginning is known.
func cutShort(h *Head) *record.SyntaxError {
	if h.Kind != '{' || len(h.Keys) == 0 || len(h.Data) >= HeadSize || h.Size >= 0 && h.Size != int64(len(h.Data)) {
		return nil
	}
	text := jsonval.NewText(h.Data)
	_, err := text.Whole()
	if err == nil || err.Off < len(h.Data) {
		return nil
	}
	e := &record.SyntaxError{Text: unknown(h) + "; " + err.Text}
	e.At.Line, e.At.Col = text.Place(err.Off)
	return e
}

// unknown says in words what a file looks like that no format claims.
func unknown(h *Head) string {
	what := "text"
	switch h.Kind {
	case '{', '[':
		what = "JSON"
		keys := slices.Sorted(maps.Keys(h.Keys))
		if len(keys) == 0 {
			break
		}
		const most = 8
		more := ""
		if len(keys) > most {
			more = fmt.Sprintf(" and %d more", len(keys)-most)
			keys = keys[:most]
		}
		for i, k := range keys {
			if len(k) > 40 {
				k = strings.ToValidUTF8(k[:40], "") + "..."
			}
			keys[i] = fmt.Sprintf("%q", k)
		}
		what = "JSON object with keys "
		if h.Kind == '[' {
			what = "JSON array of objects with keys "
		}
		what += strings.Join(keys, ", ") + more
	default:
		line, _, _ := bytes.Cut(bytes.TrimLeft(h.Data, " \t\r\n"), []byte{'\n'})
		line = bytes.TrimSpace(line[:min(len(line), 60)])
		what = fmt.Sprintf("text that begins %q", strings.ToValidUTF8(string(line), "\ufffd"))
		if measures(h.Data) {
			what += "; a map says what the columns of a table mean: [[ingest.table]] in inferdex.toml"
		}
	}
	return "no known format: " + what
}

// measuring are the words by which the header of a table tells that it is one of measurements.
var measuring = regexp.MustCompile(`(?i)throughput|latency|ttft|tpot|tok(?:en)?s?[/_ ]|tps\b`)

// measures reports whether a text begins with the header of a table of measurements.
func measures(head []byte) bool {
	line, _, ok := bytes.Cut(head, []byte{'\n'})
	if !ok || len(line) > 4<<10 || !measuring.Match(line) {
		return false
	}
	for _, separator := range []string{",", ";", "\t"} {
		if bytes.Count(line, []byte(separator)) >= 2 && !bytes.Contains(line, []byte(separator+" ")) {
			return true
		}
	}
	return false
}
