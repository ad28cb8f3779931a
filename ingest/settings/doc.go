// Package settings reads what people write by hand: inferdex.toml, run.toml, SOURCE.toml, the
// notes on runs, and data/names, which says what models, accelerators, engines and quantizations are
// called, what is known of them, what an hour costs and what changed.
//
// A mistake in such a file is a [Diagnostic] with its place and a hint, never the end: what can
// be understood is used. The package is the only one that knows TOML.
package settings

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/record"
)

// Diagnostic is a mistake in a settings file. Line and Col count from 1; 0 is unknown. Col
// counts bytes.
type Diagnostic struct {
	File string
	Line int
	Col  int
	// Message says what is wrong and what to do, in lower case and without a full stop.
	Message string
	// Unread says that the file could not be read at all.
	Unread bool
}

// String is "file:line:col: message" without what is unknown.
func (d Diagnostic) String() string {
	s := d.File
	if d.Line > 0 {
		s += ":" + strconv.Itoa(d.Line)
		if d.Col > 0 {
			s += ":" + strconv.Itoa(d.Col)
		}
	}
	return s + ": " + d.Message
}

// Fact is one statement of metadata.
type Fact struct {
	// Key is one of the keys of run.toml: see [FactKeys].
	Key string
	// Value is the text as written.
	Value string
	// File and Line say where it stands; File is empty for the command line.
	File string
	Line int
}

// factKeys is the vocabulary of run.toml, path rules and --set.
var factKeys = []string{
	"model", "hardware", "count", "engine", "engine_version", "engine_commit", "image", "wrapper",
	"precision", "series", "baseline", "demo", "date", "notes", "gpu_memory", "driver", "cuda", "rocm", "os",
	"kernel", "cpu", "ram", "topology", "power_limit", "tokenizer", "command", "client_command",
	"tool_version",
}

// ofText are the facts that no number, boolean or date can be.
var ofText = []string{"model", "hardware", "engine", "image", "wrapper", "precision", "os", "cpu", "topology",
	"tokenizer", "command", "client_command"}

// labelPrefix begins the keys that a user chooses freely.
const labelPrefix = "labels."

// FactKeys lists the keys of facts. Beside them stands any "labels.x".
func FactKeys() []string { return append([]string(nil), factKeys...) }

// isFactKey reports whether key is in the vocabulary.
func isFactKey(key string) bool {
	if name, ok := strings.CutPrefix(key, labelPrefix); ok {
		return name != ""
	}
	for _, k := range factKeys {
		if k == key {
			return true
		}
	}
	return false
}

// ParseSet reads one --set flag, "key=value".
func ParseSet(kv string) (Fact, error) {
	key, value, ok := strings.Cut(kv, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !ok:
		return Fact{}, fmt.Errorf("--set %q: write key=value", kv)
	case !isFactKey(key):
		return Fact{}, fmt.Errorf("--set %q: %s", kv, unknownKey(key, append(FactKeys(), labelPrefix+"x")))
	case value == "":
		return Fact{}, fmt.Errorf("--set %q: the value is empty: what is not known is not stated", kv)
	}
	if err := checkFact(key, value); err != "" {
		return Fact{}, fmt.Errorf("--set %q: %s", kv, err)
	}
	return Fact{Key: key, Value: value}, nil
}

// amount is a number above zero with its unit, or a text that begins with one.
var amount = regexp.MustCompile(`^[0-9]*\.?[0-9]+ *([A-Za-z]+)?`)

// units are those of facts that are amounts, in lower case, with an example.
var units = map[string]struct {
	any     []string
	example string
}{
	"power_limit": {[]string{"", "w", "watt", "watts", "kw"}, "300 W"},
	"gpu_memory":  {[]string{"", "gb", "gib", "mb", "mib", "g", "m", "tb", "tib"}, "80 GB"},
}

// fourDigits is a number that may name an accelerator, as no count does.
var fourDigits = regexp.MustCompile(`^[1-9][0-9]{3}$`)

// countsNone is a count of none; "0x2330" is the number of a device.
var countsNone = regexp.MustCompile(`^\s*0+\s*(?:[xX]\s+|[×*]\s*)\pL`)

// checkFact says what is wrong with the value of a fact, "" where nothing is.
func checkFact(key, value string) string {
	switch key {
	case "count":
		if n, err := strconv.Atoi(value); err != nil || n < 1 {
			return fmt.Sprintf("count is a whole number of accelerators, at least 1, not %q", value)
		}
	case "demo":
		if value != "true" && value != "false" {
			return fmt.Sprintf("demo says whether a run is for show alone: true or false, not %q", value)
		}
	case "hardware", "model", "engine":
		if _, err := strconv.ParseFloat(value, 64); err == nil && !strings.ContainsFunc(value, unicode.IsLetter) &&
			!(key == "hardware" && fourDigits.MatchString(value)) { // "4090" may be one: see [Names.Hardware]
			return fmt.Sprintf("%s is %q, want a name", key, value)
		}
		if key == "hardware" && countsNone.MatchString(value) {
			return fmt.Sprintf("hardware is %q, which counts none: write the name alone where the count is not known", value)
		}
	case "date":
		if t, _, ok := record.ParseDate(value); !ok || !record.PossibleYear(t.Year()) {
			return fmt.Sprintf("date is %q, want a day such as 2025-03-26, or one with a time: 2025-03-26 13:43", value)
		}
	case "power_limit", "gpu_memory":
		m := amount.FindStringSubmatch(value)
		if m == nil || strings.Trim(m[0][:len(m[0])-len(m[1])], "0. ") == "" ||
			!slices.Contains(units[key].any, strings.ToLower(m[1])) {
			return fmt.Sprintf("%s is %q, want an amount for one accelerator such as %q", key, value, units[key].example)
		}
	}
	return ""
}

// unknownKey is the message for a key that is not known: with the nearest known one where one
// is near, else with all of them.
func unknownKey(key string, known []string) string {
	if near := Nearest(key, known); near != "" {
		return fmt.Sprintf("unknown key %q: did you mean %q?", key, near)
	}
	known = append([]string(nil), known...)
	sort.Strings(known)
	return fmt.Sprintf("unknown key %q: known are %s", key, strings.Join(known, ", "))
}

// Nearest returns the known word that takes the fewest edits to reach, "" where all are far.
func Nearest(word string, known []string) string {
	best, bestDistance := "", max(1, len(word)/3)+1
	for _, k := range known {
		if max(len(word)-len(k), len(k)-len(word)) >= bestDistance {
			continue // each byte more is an edit: a long word costs nothing
		}
		if d := distance(strings.ToLower(word), k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance is the number of single-byte insertions, deletions and changes, and of swaps of two neighbours, between two
// words.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			least := min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				least = min(least, rows[i-2][j-2]+1)
			}
			rows[i][j] = least
		}
	}
	return rows[len(a)][len(b)]
}
