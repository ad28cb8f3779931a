package cmd_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// largestKnot is how many files of a package may depend on one another in a circle.
const largestKnot = 4

// knotted are the packages that still have a larger knot, with the number of its files. The list
// only shrinks.
var knotted = map[string]int{
	"ingest/format/happyvllm": 5,
	"ingest/ingesttest":       5,
	"ingest":                  5,
	"site/check":              9,
	"site/hugo":               9,
}

// TestKnots counts, in each package, the files that cannot be read without one another: a file
// depends on another when it uses a name that the other declares, a method or a field too.
func TestKnots(t *testing.T) {
	packages, exports := listed(t)
	if len(packages) < 10 {
		t.Fatalf("go list gave %d packages: the test looks at the wrong place", len(packages))
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	left := maps.Clone(knotted)
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		uses, err := fileUses(fset, from, p)
		if err != nil {
			t.Fatal(err)
		}
		var largest []string
		for _, k := range knots(uses) {
			if len(k) > len(largest) {
				largest = k
			}
		}
		allowed := max(left[name], largestKnot)
		switch {
		case len(largest) > allowed:
			t.Errorf("%d files of %q depend on one another, %d may:\n%s", len(largest), name, allowed,
				ties(largest, uses))
		case left[name] > 0 && len(largest) < left[name]:
			t.Errorf("the largest knot of %q has %d files now: say so in the list of exceptions, or strike its row",
				name, len(largest))
		}
		delete(left, name)
	}
	for name := range left {
		t.Errorf("the list of exceptions has %q, which is no package", name)
	}
}

// goPackage is a package as go list describes it.
type goPackage struct {
	ImportPath, Name, Dir, Export      string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// listed are our packages, and where the compiled form of each package is that one of them imports.
func listed(t *testing.T) (ours []goPackage, exports map[string]string) {
	out := goList(t, "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles")
	exports = map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			return ours, exports
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			ours = append(ours, p)
		}
	}
}

// fileUses gives for each file of a package the files it depends on, with the names it uses of them.
func fileUses(fset *token.FileSet, from types.Importer, p goPackage) (map[string]map[string][]string, error) {
	var files []*ast.File
	uses := map[string]map[string][]string{}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		uses[name] = map[string][]string{}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: from}).Check(p.ImportPath, fset, files, &info)
	if err != nil {
		return nil, err
	}
	file := func(p token.Pos) string { return filepath.Base(fset.Position(p).Filename) }
	for id, of := range info.Uses {
		if of.Pkg() != pkg || !of.Pos().IsValid() {
			continue
		}
		a, b := file(id.Pos()), file(of.Pos())
		if a != b && !slices.Contains(uses[a][b], of.Name()) {
			uses[a][b] = append(uses[a][b], of.Name())
		}
	}
	return uses, nil
}

// knots are the sets of more than one file in which each can be reached from each.
func knots(uses map[string]map[string][]string) [][]string {
	reach := map[string]map[string]bool{}
	for a := range uses {
		seen := map[string]bool{}
		for next := []string{a}; len(next) > 0; {
			f := next[0]
			next = next[1:]
			for b := range uses[f] {
				if !seen[b] {
					seen[b] = true
					next = append(next, b)
				}
			}
		}
		reach[a] = seen
	}
	var out [][]string
	in := map[string]bool{}
	for _, a := range slices.Sorted(maps.Keys(uses)) {
		if !reach[a][a] || in[a] {
			continue
		}
		var k []string
		for _, b := range slices.Sorted(maps.Keys(reach[a])) {
			if reach[b][a] {
				k = append(k, b)
				in[b] = true
			}
		}
		out = append(out, k)
	}
	return out
}

// ties writes what ties the files of a knot.
func ties(knot []string, uses map[string]map[string][]string) string {
	var out strings.Builder
	for _, a := range knot {
		for _, b := range knot {
			if names := uses[a][b]; len(names) > 0 {
				slices.Sort(names)
				fmt.Fprintf(&out, "  %s uses %s of %s\n", a, strings.Join(names, ", "), b)
			}
		}
	}
	return out.String()
}
