package cmd_test

import (
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Every package that others import says with an example that runs how it is used. A format says it with the
// files of its testdata, and packages that only tests import need no example.
func TestEveryPackageHasAnExample(t *testing.T) {
	ours, _ := listed(t)
	for _, p := range ours {
		name := path.Base(p.ImportPath)
		if p.Name == "main" || len(p.GoFiles) == 0 || strings.HasSuffix(name, "test") || name == "e2e" ||
			strings.HasPrefix(p.ImportPath, module+"/ingest/format/") {
			continue
		}
		runs := 0
		for _, file := range append(p.TestGoFiles, p.XTestGoFiles...) {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range doc.Examples(f) {
				if e.Output != "" || e.EmptyOutput {
					runs++
				}
			}
		}
		if runs == 0 {
			t.Errorf("%s has no example that runs: show its use in example_test.go", p.ImportPath)
		}
	}
}
