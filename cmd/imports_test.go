// Package cmd_test holds the table of who may import whom, and what else README.md and ARCHITECTURE.md
// say of the code.
package cmd_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/inferdex/inferdex"

// mayImport lists, for each package, the packages of ours it may import. A pattern ends in "/*".
// A package that is not in the table fails: a new package is a decision somebody made. The first
// row that matches counts.
var mayImport = []struct {
	pkg     string
	imports []string
}{
	{"", nil},
	{"ingest/metric", nil},
	{"ingest/record", []string{"ingest/metric"}},
	{"ingest/catalog", []string{"ingest/record", "ingest/metric"}},
	{"ingest/reading", []string{"ingest/record", "ingest/metric"}},
	{"ingest/internal/mdtable", nil},
	{"ingest/internal/yamlval", []string{"ingest/reading"}},
	{"ingest/internal/cmdline", nil},
	{"ingest/internal/order", nil},
	{"ingest/internal/llamacpp", nil},
	{"ingest/internal/quantile", []string{"ingest/record", "ingest/metric", "ingest/reading"}},
	{"ingest/internal/servingjson", []string{"ingest/record", "ingest/metric", "ingest/reading", "ingest/internal/*"}},
	{"ingest/internal/sessions", []string{"ingest/record"}},
	{"ingest/internal/printed", []string{"ingest/record", "ingest/metric", "ingest/reading", "ingest/internal/sessions"}},
	{"ingest", []string{"ingest/record", "ingest/reading", "ingest/internal/order", "ingest/internal/cmdline"}},
	{"ingest/format", []string{"ingest/reading", "ingest/record", "ingest/settings", "ingest/format/*"}},
	{"ingest/format/*", []string{"ingest/record", "ingest/metric", "ingest/reading", "ingest/internal/*"}},
	{"ingest/settings", []string{"ingest/record"}},
	{"ingest/redact", []string{"ingest/record", "ingest/reading"}},
	{"ingest/federation", []string{"ingest/record", "ingest/catalog"}},
	{"ingest/fetch", []string{"ingest/record", "ingest/settings", "ingest/federation"}},
	{"ingest/normalize", []string{"ingest", "ingest/reading", "ingest/redact", "ingest/catalog", "ingest/record",
		"ingest/metric", "ingest/settings", "ingest/internal/sessions", "ingest/internal/order"}},
	{"ingest/figure", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/settings",
		"ingest/internal/order"}},
	{"ingest/trial", []string{"ingest", "ingest/reading", "ingest/redact", "ingest/catalog", "ingest/record",
		"ingest/metric", "ingest/settings", "ingest/normalize", "ingest/figure", "ingest/compare", "ingest/bundle"}},
	{"ingest/bundle", []string{"ingest/catalog", "ingest/figure", "ingest/normalize", "ingest/redact", "ingest/settings"}},
	{"ingest/compare", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/settings",
		"ingest/figure"}},
	{"ingest/change", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/figure"}},
	{"ingest/claim", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/settings", "ingest/figure",
		"ingest/compare"}},
	{"ingest/figuretest", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/settings",
		"ingest/refute"}},
	{"ingest/export/parquet", []string{"ingest/record", "ingest/catalog", "ingest/figure", "ingest/export"}},
	{"ingest/export", []string{"ingest/record", "ingest/metric", "ingest/catalog", "ingest/settings", "ingest/figure"}},
	{"ingest/ingesttest", []string{"goldentest", "ingest", "ingest/reading", "ingest/record", "ingest/metric"}},
	{"ingest/ingesttest/generate", []string{"ingest/ingesttest"}},
	{"ingest/ingesttest/newformat", nil},
	{"goldentest", nil},
	{"cmd/reader", []string{"ingest", "ingest/format", "ingest/settings", "ingest/trial"}},
	{"cmd/reader/build", nil},
	{"site/chart", []string{"ingest/metric"}},
	{"site/page", []string{"ingest/metric"}},
	{"ingest/refute", []string{"ingest/catalog", "ingest/record", "ingest/metric"}},
	// shares nothing with the makers of claims
	{"site/view", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/figure", "ingest/compare",
		"ingest/claim", "ingest/settings", "site/chart", "site/page"}},
	{"site/data", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/figure", "ingest/compare", "ingest/export",
		"ingest/claim", "ingest/settings", "site/chart", "site/page", "site/view"}},
	{"site", []string{"ingest/catalog", "ingest/figure", "site/page", "site/view", "site/data"}},
	{"site/hugo", []string{"ingest/record", "site/page", "site/incremental", "site/leftover"}},
	{"site/sitetest", []string{"ingest/catalog", "ingest/record", "ingest/metric", "ingest/figure", "ingest/settings",
		"site/page"}},
	{"site/e2e", nil}, // tests only, which run the program as it is
	{"site/incremental", []string{"site/page"}},
	{"site/leftover", nil},
	{"site/look", nil},
	{"site/reader", nil},
	{"site/publish", nil},
	{"site/check", nil},
	{"site/selfcontained", nil},
	{"site/serve", []string{"site/leftover"}},
	{"cmd/inferdex", []string{"", "ingest", "ingest/reading", "ingest/catalog", "ingest/record", "ingest/metric",
		"ingest/format", "ingest/settings", "ingest/normalize", "ingest/redact", "ingest/figure", "ingest/change", "ingest/compare",
		"ingest/claim", "ingest/refute", "ingest/export", "ingest/export/parquet", "ingest/fetch",
		"ingest/federation", "ingest/bundle", "site", "site/*"}},
}

// owner names the one package that may import an outside module.
var owner = map[string][]string{
	"github.com/gohugoio/hugo":               {"site/hugo"},
	"github.com/spf13/afero":                 {"site/hugo"},
	"github.com/evanw/esbuild":               {"site/hugo"},
	"github.com/bep/logg":                    {"site/hugo"},
	"github.com/wcharczuk/go-chart":          {"site/chart"},
	"github.com/golang/freetype":             {"site/chart"},
	"golang.org/x/image":                     {"site/chart"},
	"github.com/BurntSushi/toml":             {"ingest/settings"},
	"github.com/yuin/goldmark":               {"ingest/internal/mdtable", "site/hugo"},
	"go.yaml.in/yaml":                        {"ingest/internal/yamlval", "ingest/export", "site/sitetest"},
	"github.com/parquet-go/parquet-go":       {"ingest/export/parquet"},
	"github.com/klauspost/compress":          {"ingest", "ingest/catalog", "ingest/federation", "site/data", "site/check", "cmd/inferdex"},
	"github.com/spf13/cobra":                 {"cmd/inferdex"},
	"github.com/modelcontextprotocol/go-sdk": {"cmd/inferdex"},
	"github.com/chromedp/chromedp":           {"site/e2e"},
	"github.com/chromedp/cdproto":            {"site/e2e"},
	"golang.org/x/net":                       {"site/check", "site/selfcontained", "site/sitetest"},
	"golang.org/x/perf":                      {}, // tests alone
	"github.com/aclements/go-moremath":       {"ingest/internal/quantile", "ingest/figure", "ingest/compare"},
	"golang.org/x/term":                      {"cmd/inferdex"},
	"golang.org/x/tools":                     {"goldentest", "ingest/ingesttest"},
	"github.com/google/go-github":            {"ingest/fetch"},
	"github.com/hashicorp/go-retryablehttp":  {"ingest/fetch"},
	"golang.org/x/sync":                      {"ingest", "site/check", "site/hugo", "site/incremental"},
	"github.com/google/go-cmp":               {"goldentest", "ingest/ingesttest"},
	"github.com/santhosh-tekuri/jsonschema":  {"goldentest"},
}

func match(pattern, pkg string) bool {
	if p, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(pkg, p+"/")
	}
	return pattern == pkg
}

// goList is what go list says of all packages.
func goList(t *testing.T, flags ...string) string {
	t.Helper()
	return goListOf(t, nil, append(flags, "./...")...)
}

// goListOf is what go list says, with more variables of the environment.
func goListOf(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		var e *exec.ExitError
		if errors.As(err, &e) {
			t.Fatalf("go list: %s", e.Stderr)
		}
		t.Fatal(err)
	}
	return string(out)
}

func TestImports(t *testing.T) {
	out := goList(t, "-json=ImportPath,Imports,Standard") +
		goListOf(t, []string{"GOOS=js", "GOARCH=wasm"}, "-json=ImportPath,Imports,Standard", "./cmd/reader")
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == module+"/cmd" { // this test
			continue
		}
		seen++
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		row := slices.IndexFunc(mayImport, func(r struct {
			pkg     string
			imports []string
		}) bool {
			return match(r.pkg, name)
		})
		if row < 0 {
			t.Errorf("package %q is not in the import table: add a row to it, and run 'make docs'", name)
			continue
		}
		for _, imp := range p.Imports {
			if in, ok := strings.CutPrefix(imp, module); ok {
				in = strings.TrimPrefix(in, "/")
				if !slices.ContainsFunc(mayImport[row].imports, func(pat string) bool { return match(pat, in) }) {
					t.Errorf("%q may not import %q", name, in)
				}
				continue
			}
			if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
				if imp == "os" && strings.HasPrefix(name, "ingest/format/") {
					t.Errorf("%q may not import \"os\": formats get bytes", name)
				}
				continue // standard library
			}
			mod := moduleOf(imp)
			if !slices.Contains(owner[mod], name) {
				t.Errorf("%q may not import %q: %v owns %q", name, imp, owner[mod], mod)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("go list gave %d packages: the test looks at the wrong place", seen)
	}
}

// A browser loads the reader whole: it has no part that builds a site, asks the network or parses commands.
func TestReaderIsSmall(t *testing.T) {
	deps := strings.Fields(goListOf(t, []string{"GOOS=js", "GOARCH=wasm"}, "-deps", "./cmd/reader"))
	if !slices.Contains(deps, module+"/ingest/format") {
		t.Fatalf("the reader reads no format: %q", deps)
	}
	for _, dep := range deps {
		for _, no := range []string{"net/http", "text/template", "os/exec", module + "/site", module + "/ingest/fetch",
			"github.com/gohugoio/", "github.com/spf13/", "github.com/parquet-go/", "github.com/google/go-github"} {
			if strings.HasPrefix(dep, no) {
				t.Errorf("the reader has %s, which a browser need not load", dep)
			}
		}
	}
}

// TestArchitecture holds what ARCHITECTURE.md lists against what is there: each package stands in its
// tree, each place of the tree exists, and the modules of its table are those that go.mod asks for.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n## The tree\n")
	_, rest, _ = strings.Cut(rest, "```\n")
	drawn, _, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no section \"The tree\" with a block of code")
	}
	tree := map[string]bool{}
	var dirs []string // what the line stands in, by its indentation of two blanks
	for line := range strings.Lines(drawn) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if depth > len(dirs) {
			continue // more words on the place above
		}
		dirs = append(dirs[:depth], strings.TrimSuffix(name, "/"))
		place := path.Join(dirs...)
		if _, err := os.Stat("../" + place); err != nil {
			t.Errorf("the tree of ARCHITECTURE.md has %q, which is not there", place)
		}
		tree[place] = true
	}
	list := exec.Command("go", "list", "-tags", "e2e", "./...")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		name := strings.TrimPrefix(strings.TrimSpace(pkg), module+"/")
		if name == module || name == "cmd" ||
			path.Dir(name) == "ingest/format" { // the root, this test, one line for all
			continue
		}
		if !tree[name] {
			t.Errorf("the tree of ARCHITECTURE.md lacks the package %q", name)
		}
	}

	_, rest, _ = strings.Cut(string(text), "\n## Direct dependencies\n")
	table, _, _ := strings.Cut(rest, "\n## ")
	var earned []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		for i, name := range strings.Split(cells[1], "`") {
			if i%2 == 1 {
				earned = append(earned, name)
			}
		}
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for line := range strings.Lines(string(mod)) {
		if words := strings.Fields(line); strings.HasPrefix(line, "\t") && len(words) == 2 {
			asked = append(asked, words[0])
		} else if len(words) == 2 && words[0] == "tool" {
			asked = append(asked, words[1])
		}
	}
	if len(asked) < 10 {
		t.Fatalf("%d requirements in go.mod: the test looks for another form", len(asked))
	}
	names := func(name, mod string) bool {
		mod = strings.TrimPrefix(mod, "github.com/")
		return mod == name || strings.HasPrefix(mod, name+"/")
	}
	for _, m := range asked {
		if !slices.ContainsFunc(earned, func(name string) bool { return names(name, m) }) {
			t.Errorf("ARCHITECTURE.md does not say what the module %q is for", m)
		}
	}
	for _, name := range earned {
		if !slices.ContainsFunc(asked, func(m string) bool { return names(name, m) }) {
			t.Errorf("ARCHITECTURE.md lists the module %q, which go.mod does not ask for", name)
		}
	}
}

// moduleOf returns the module an import path belongs to, without a major version.
func moduleOf(imp string) string {
	for m := imp; m != "."; m = path.Dir(m) {
		if _, ok := owner[m]; ok {
			return m
		}
	}
	return imp
}
