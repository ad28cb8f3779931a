package sitetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/check"
	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/view"
)

// demonstration is the site of data/catalog, as the program builds it.
func demonstration(t *testing.T) fstest.MapFS {
	t.Helper()
	names, diags := settings.LoadNames(os.DirFS("../../data"))
	for _, d := range diags {
		t.Fatal(d)
	}
	c, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	ix := figure.NewIndex(c, names)
	sub := func(dir string) []fs.FS { return []fs.FS{os.DirFS("../../" + dir)} }
	out := fstest.MapFS{}
	var module bytes.Buffer
	z := gzip.NewWriter(&module)
	if _, err := z.Write([]byte("\x00asm")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	made := site.New(ix, c, view.Options{Reader: &view.Reader{Module: module.Bytes(), Starter: []byte("// of Go\n"),
		Names: []byte("[{}]")}})
	_, err = hugo.Build(t.Context(),
		hugo.Input{Title: "inferdex", Layouts: sub("layouts"), Assets: sub("assets"), Content: sub("content"),
			Pages: made.Pages(), Files: made.Files(),
		}, func(name string, data []byte) error {
			out[name] = &fstest.MapFile{Data: bytes.Clone(data)}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func gzipped(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestScript builds the demonstration site and looks at what its pages load, and at what they are
// without it.
func TestScript(t *testing.T) {
	out := demonstration(t)

	// One script on every page but the 404 page of a site without an address and redirects, a second one
	// where runs are compared or files are read, and no other; two that are asked for where limits are set and where
	// records are shown, and one that a worker runs. What calls one function with data is no script of a page, and that
	// of Go is not ours.
	scripts := map[string]string{}
	for name, f := range out {
		switch {
		case path.Ext(name) == ".js" && name != "js/search.js" && !strings.HasPrefix(name, "compare/") &&
			path.Base(name) != "limits.js" && !strings.HasPrefix(name, "runs/") && !strings.HasPrefix(name, "check/go."):
			kind, _, _ := strings.Cut(path.Base(name), ".")
			if scripts[kind] != "" {
				t.Errorf("two scripts: %s and %s", scripts[kind], name)
			}
			scripts[kind] = name
		case path.Base(name) == "embed.html": // stands in frames: its test is in package site
		case path.Ext(name) == ".html" && name != "404.html" && !bytes.Contains(f.Data, []byte(`http-equiv="refresh"`)):
			want := 1
			if name == "compare/index.html" || name == "check/index.html" {
				want = 2
			}
			if n := strings.Count(string(f.Data), "<script"); n != want {
				t.Errorf("%s has %d scripts, want %d", name, n, want)
			}
		}
	}
	if len(scripts) != 6 || scripts["check"] == "" || scripts["reader"] == "" || scripts["site"] == "" || scripts["compare"] == "" || scripts["limits"] == "" ||
		scripts["records"] == "" {
		t.Fatalf("the scripts are %q", scripts)
	}
	site := gzipped(t, out[scripts["site"]].Data)
	if site > int(check.DefaultLimits.Script) {
		t.Errorf("the script has %d bytes gzipped, more than its budget", site)
	}
	if n := gzipped(t, out[scripts["limits"]].Data); n > int(check.DefaultLimits.Script) {
		t.Errorf("the script of limits has %d bytes gzipped, more than the budget of a page", n)
	}
	if page := out["rankings/index.html"].Data; !bytes.Contains(page, []byte("../"+scripts["limits"])) {
		t.Errorf("the page of rankings does not say where %s is", scripts["limits"])
	}
	if n := site + gzipped(t, out[scripts["compare"]].Data); n > int(check.DefaultLimits.CompareScript) {
		t.Errorf("the scripts of the page of comparisons have %d bytes gzipped, more than their budget", n)
	}

	// What the policy forbids, what does not work from a file, and what makes markup of text.
	for kind, script := range scripts {
		code := bytes.ReplaceAll(out[script].Data, []byte("http://www.w3.org/2000/svg"), nil) // a name, not an address
		for _, bad := range []string{"fetch(", "XMLHttpRequest", "eval(", "Function(", "innerHTML", "outerHTML",
			"insertAdjacentHTML", "document.write", "import(", `setAttribute("style"`, "https://", "http://"} {
			if kind == "reader" && bad == "fetch(" {
				continue // loads what reads, before a file is opened
			}
			if bytes.Contains(code, []byte(bad)) {
				t.Errorf("%s has %q", script, bad)
			}
		}
	}

	r, err := check.Site(out, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Severity == check.Error {
			t.Errorf("%s:%d: %s: %s", f.File, f.Line, f.Code, f.Message)
		}
	}

}

// Every address of the search index leads to a page, and to a place in it.
func TestSearchIndex(t *testing.T) {
	out := demonstration(t)
	data, _ := strings.CutPrefix(string(out["js/search.js"].Data), "inferdex.search(")
	var ix struct {
		Models, Hardware, Accelerators, Engines, Pages [][]any
	}
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&ix); err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range ix.Models {
		targets = append(targets, "models/"+m[1].(string)+"/index.html")
		for _, h := range m[4].([]any) {
			targets = append(targets,
				"cards/"+m[1].(string)+"-on-"+ix.Hardware[int(h.(float64))][1].(string)+"/index.html")
		}
	}
	for _, a := range ix.Accelerators {
		targets = append(targets, "hardware/"+a[1].(string)+"/index.html")
	}
	for _, e := range ix.Engines {
		targets = append(targets, "engines/"+e[3].(string)+"/index.html")
	}
	for _, p := range ix.Pages {
		targets = append(targets, p[2].(string))
	}
	if len(targets) < 20 {
		t.Errorf("the search index has %d addresses only", len(targets))
	}
	for _, target := range targets {
		name, anchor, _ := strings.Cut(target, "#")
		page := out[name]
		if page == nil {
			t.Errorf("the search index leads to %s, which there is not", target)
		} else if anchor != "" && !bytes.Contains(page.Data, []byte(`id="`+anchor+`"`)) &&
			!bytes.Contains(page.Data, []byte(`id=`+anchor)) {
			t.Errorf("the search index leads to %s, where there is no such place", target)
		}
	}
}

// A page with records that a script unpacks names that script.
func TestLoadedRecordsHaveTheirScript(t *testing.T) {
	kinds := map[string]bool{}
	for name, f := range demonstration(t) {
		if path.Ext(name) != ".html" || !bytes.Contains(f.Data, []byte("<p class=records data-")) {
			continue
		}
		kinds[strings.Split(name, "/")[0]] = true
		if !bytes.Contains(f.Data, []byte("<meta name=records-script ")) {
			t.Errorf("%s: nothing unpacks its records", name)
		}
	}
	if len(kinds) < 3 {
		t.Errorf("records are loaded on pages of %v, want cards, models and runs", kinds)
	}
}

// TestPagesAreCompleteWithoutScript: nothing on a page is hidden until a script shows it, no control waits
// for one, and what stands ready for the script is empty. The search box and the form of limits are there
// and, without a script, not seen: their style says so.
func TestPagesAreCompleteWithoutScript(t *testing.T) {
	css, err := os.ReadFile("../../assets/css/script.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range []string{"search", "own"} {
		if !bytes.Contains(css, []byte(":root:not(.js) ."+class+" { visibility: hidden; }")) {
			t.Errorf("class %q is seen without a script", class)
		}
	}
	for name, f := range demonstration(t) {
		if path.Ext(name) != ".html" {
			continue
		}
		doc, err := html.Parse(bytes.NewReader(f.Data))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			class := ""
			for _, a := range n.Attr {
				switch a.Key {
				case "hidden":
					t.Errorf("%s: <%s> is hidden", name, n.Data)
				case "class":
					class = a.Val
				}
			}
			switch n.Data {
			case "button", "select":
				if !inside(n, "own") {
					t.Errorf("%s: <%s> does nothing without a script", name, n.Data)
				}
			case "textarea", "dialog", "template", "noscript":
				t.Errorf("%s: <%s> does nothing without a script", name, n.Data)
			case "input":
				if !inside(n, "search") && !inside(n, "own") {
					t.Errorf("%s: <input> does nothing without a script", name)
				}
			}
			if slices.Contains(strings.Fields(class), "tbar") && n.FirstChild != nil {
				t.Errorf("%s: the place of a filter is not empty", name)
			}
		}
	}
}

// inside tells whether an element above n has the class.
func inside(n *html.Node, class string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		for _, a := range p.Attr {
			if a.Key == "class" && slices.Contains(strings.Fields(a.Val), class) {
				return true
			}
		}
	}
	return false
}

// The script makes its elements with classes that the style sheet knows.
func TestScriptClassesAreStyled(t *testing.T) {
	var css []byte
	sheets, err := fs.Glob(os.DirFS("../../assets/css"), "*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatalf("no style sheets: %v", err)
	}
	for _, name := range sheets {
		data, err := os.ReadFile("../../assets/css/" + name)
		if err != nil {
			t.Fatal(err)
		}
		css = append(css, data...)
	}
	files, err := fs.Glob(os.DirFS("../../assets/ts"), "*.ts")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	seen := 0
	for _, name := range files {
		code, err := os.ReadFile("../../assets/ts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`class: "([^"]+)"`).FindAllSubmatch(code, -1) {
			for _, class := range strings.Fields(string(m[1])) {
				seen++
				if !regexp.MustCompile(`\.` + class + `\b`).Match(css) {
					t.Errorf("%s: class %q is in no style sheet", name, class)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d classes found: does the pattern still fit?", seen)
	}
}
