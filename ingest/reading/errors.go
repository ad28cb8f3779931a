package reading

import (
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Facts collects metadata: of each key the first statement stays.
type Facts []record.Fact

// Add states a fact; an empty value states nothing.
func (fs *Facts) Add(key, value string, at record.Pos) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	for _, f := range *fs {
		if f.Key == key {
			return
		}
	}
	*fs = append(*fs, record.Fact{Key: key, Value: value, At: at})
}

// LastLine returns the last line of an error text that says something: of a Python traceback the
// class and the message.
func LastLine(s string) string {
	lines := strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" {
			return Clip(l)
		}
	}
	return ""
}

// maxErrors is how many different errors of a measurement are kept.
const maxErrors = 20

// Count counts an error by the last line of its text; an empty one is none. Of more than 20 different
// errors the first 20 are counted.
func Count(counts map[string]int64, text string) {
	if s := LastLine(text); s != "" && (len(counts) < maxErrors || counts[s] > 0) {
		counts[s]++
	}
}

// Errors lists how often each error occurred, by its text: the most frequent first. The rarest of
// more than 20 are counted as "other errors".
func Errors(counts map[string]int64) []record.ErrorCount {
	var out []record.ErrorCount
	for s, n := range counts {
		out = append(out, record.ErrorCount{Text: s, Count: n})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return a.Count > b.Count || a.Count == b.Count && a.Text < b.Text
	})
	if len(out) > maxErrors {
		var rest int64
		for _, e := range out[maxErrors:] {
			rest += e.Count
		}
		out = append(out[:maxErrors], record.ErrorCount{Text: "other errors", Count: rest})
	}
	return out
}

// Clip cuts a text to 200 bytes.
func Clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
