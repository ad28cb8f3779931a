package ingest

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// unreadable says in words why no format may be asked about a file, "" when one may. It judges
// the beginning only: a zero byte further on is an error in a file of a known format.
func unreadable(head []byte) string {
	if what := reading.Magic(head); what != "" {
		return what
	}
	switch {
	case len(head) == 0:
		return "empty file"
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return "text in UTF-32: convert it to UTF-8 (iconv -f UTF-32 -t UTF-8)"
	case reading.UTF16(head) != nil:
		return "text in UTF-16 that is cut short or too large to be read as such: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)"
	}
	if bytes.IndexByte(head, 0) < 0 {
		if len(bytes.TrimLeft(head, " \t\r\n")) == 0 && len(head) < reading.HeadSize {
			return "nothing but white space"
		}
		return ""
	}
	if !reading.Binary(head) {
		return ""
	}
	return "binary data"
}

// cutShort is the message for an object of JSON, or the first one of an array, that no format claims and that ends in the middle:
// what would tell its format may be missing. It is nil for all else, and for a file of which only
// the beginning is known.
func cutShort(h *reading.Head) *record.SyntaxError {
	if h.Kind != '{' && h.Kind != '[' || len(h.Keys) == 0 || len(h.Data) >= reading.HeadSize ||
		h.Size >= 0 && h.Size != int64(len(h.Data)) {
		return nil
	}
	text := reading.NewText(h.Data)
	_, err := text.Whole()
	if err == nil || err.Off < len(h.Data) {
		return nil
	}
	if h.Kind == '[' { // of an array the first object tells the format: it is that which has to be cut
		whole := false
		text.Values(0, len(h.Data), true, func(reading.Value) { whole = true }, func(*reading.SyntaxError) {})
		if whole {
			return nil
		}
	}
	e := &record.SyntaxError{Text: unknown(h) + "; " + err.Text}
	e.At.Line, e.At.Col = text.Place(err.Off)
	return e
}

// parted is the message for a table of a known format with semicolons for its commas, nil for all else. What a spreadsheet saves so
// has decimal commas, and numbers among which it took points for those of thousands or of days.
func parted(h *reading.Head, formats []*reading.Format) *record.SyntaxError {
	line, _, _ := bytes.Cut(h.Data, []byte("\n"))
	if h.Kind != 't' || bytes.Count(line, []byte(";")) < 3 || bytes.Contains(line, []byte(",")) {
		return nil
	}
	commas := reading.NewHead(h.Path, bytes.ReplaceAll(h.Data, []byte(";"), []byte(",")))
	for _, f := range formats {
		if f.Match(commas) {
			e := &record.SyntaxError{Text: "a table of " + f.Name + " with semicolons, as a spreadsheet saves it: " +
				"give the file as the tool wrote it"}
			e.At.Line = 1
			return e
		}
	}
	return nil
}

// unknown says in words what a file looks like that no format claims.
func unknown(h *reading.Head) string {
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
