package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
)

// TestDocs holds the tables of README.md and ARCHITECTURE.md that are made of the code. `make docs`
// writes them.
func TestDocs(t *testing.T) {
	goldentest.Made(t, "../README.md", "formats", "make docs", formatsTable())
	for _, file := range settings.ReferenceFiles() {
		goldentest.Made(t, "../SETTINGS.md", file, "make docs", settingsTable(settings.References()[file]))
	}
	goldentest.Made(t, "../ARCHITECTURE.md", "imports", "make docs", importsTable())
}

// What CONTRIBUTING.md tells of the smallest format is what its package has.
func TestSmallestFormat(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("../ingest/format/trtllmserve/trtllmserve.go")
	if err != nil {
		t.Fatal(err)
	}
	_, told, _ := strings.Cut(string(text), "### The smallest one\n")
	_, quoted, _ := strings.Cut(told, "```go\n")
	if quoted, _, _ = strings.Cut(quoted, "```"); quoted == "" || !strings.Contains(string(code), quoted) {
		t.Errorf("CONTRIBUTING.md quotes what trtllmserve.go does not have:\n%s", quoted)
	}
	if lines := fmt.Sprintf("a `Read` | %d |", bytes.Count(code, []byte("\n"))); !strings.Contains(told, lines) {
		t.Errorf("CONTRIBUTING.md has another number of lines of trtllmserve.go: write %q", lines)
	}
}

var row = goldentest.Row

// plain keeps Markdown from taking a placeholder for an element, or a star for emphasis.
var plain = strings.NewReplacer("<", "\\<", "*", "\\*")

// formatsTable lists what can be read.
func formatsTable() []string {
	lines := []string{row("what", "tool", "versions", "files", "read by"), row("---", "---", "---", "---", "---")}
	for _, f := range format.All() {
		d := f.Doc
		lines = append(lines, row(plain.Replace(d.Title), plain.Replace(d.Tool), plain.Replace(d.Versions),
			plain.Replace(d.Files), "`"+f.Name+"`"))
	}
	return lines
}

// settingsTable lists the keys of a settings file.
func settingsTable(keys []settings.Key) []string {
	lines := []string{row("key", "value", "what"), row("---", "---", "---")}
	var list func(path string, keys []settings.Key)
	list = func(path string, keys []settings.Key) {
		for _, k := range keys {
			name := path + k.Name
			lines = append(lines, row("`"+name+"`", string(k.Type), k.Doc))
			list(name+".", k.Keys)
		}
	}
	list("", keys)
	return lines
}

// why says more of some rows of mayImport.
var why = map[string]string{
	"ingest/format":      "it is a list",
	"ingest/format/*":    "never another format, `catalog` or `os`",
	"ingest/normalize":   "never a format",
	"site/chart":         "it takes plain series",
	"site/page":          "it knows neither catalog nor Hugo",
	"site/view":          "never a parser, never Hugo",
	"site/sitetest":      "a catalog of tests, and tests, which may import anything",
	"site/e2e":           "tests behind the build tag `e2e`: they run the program and look at the pages",
	"site/publish":       "they work on files alone",
	"site/check":         "they work on files alone",
	"site/selfcontained": "they work on files alone",
	"site/serve":         "it works on files alone",
	"cmd/inferdex":       "never a single format",
}

// importsTable lists which package may import which of ours; those that may import the same share
// a row.
func importsTable() []string {
	type rule struct{ packages, imports, why string }
	var rules []rule
	for _, r := range mayImport {
		name := "the root"
		if r.pkg != "" {
			name = "`" + r.pkg + "`"
		}
		imports := "nothing of ours"
		if len(r.imports) > 0 {
			quoted := make([]string, len(r.imports))
			for i, imp := range r.imports {
				if quoted[i] = "`" + imp + "`"; imp == "" {
					quoted[i] = "the root"
				}
			}
			imports = strings.Join(quoted, ", ")
		}
		i := slices.IndexFunc(rules, func(o rule) bool { return o.imports == imports && o.why == why[r.pkg] })
		if i < 0 {
			rules = append(rules, rule{name, imports, why[r.pkg]})
		} else {
			rules[i].packages += ", " + name
		}
	}
	lines := []string{row("package", "may import"), row("---", "---")}
	for _, r := range rules {
		if r.why != "" {
			r.imports += ": " + r.why
		}
		lines = append(lines, row(r.packages, r.imports))
	}
	return lines
}

func TestEveryReasonHasARow(t *testing.T) {
	known := map[string]bool{}
	for _, r := range mayImport {
		known[r.pkg] = true
	}
	for pkg := range why {
		if !known[pkg] {
			t.Errorf("why has a reason for %q, which is not in the import table", pkg)
		}
	}
}
