package hugo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
)

// testInput is a small site: the layouts of testdata, the render hooks and partials of this
// package, three generated pages, two hand-written ones, a note and a note without a page.
func testInput(t testing.TB) Input {
	t.Helper()
	return Input{
		Title:   "Test",
		BaseURL: "https://example.org/bench",
		Layouts: []fs.FS{os.DirFS("testdata/layouts"), ownLayouts(t)},
		Assets:  []fs.FS{os.DirFS("testdata/assets")},
		Content: []fs.FS{os.DirFS("testdata/content")},
		Pages: pages(
			&page.Page{Kind: "home", Title: "Start",
				Params: map[string]any{"cards": []map[string]any{{"path": "cards/a-on-b", "name": "A & <B>"}}}},
			card("cards/a-on-b"),
			&page.Page{Path: "404.html", Kind: "404", Title: "Not here"},
		),
		Files: func(yield func(page.File, error) bool) {
			yield(page.File{Path: "robots.txt",
				Write: func(w io.Writer) error { _, err := io.WriteString(w, "User-agent: *\n"); return err }}, nil)
		},
	}
}

// ownLayouts are the layouts that belong to this package, without those of the real site.
func ownLayouts(t testing.TB) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range []string{
		"_partials/fragment.html", "_partials/asset.html", "_partials/digested.html",
		"_markup/render-link.html", "_markup/render-image.html", "_markup/render-table.html",
	} {
		data, err := os.ReadFile("../../layouts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// file is a file system of one file.
func file(name, data string) fstest.MapFS {
	return fstest.MapFS{name: &fstest.MapFile{Data: []byte(data)}}
}

// words are a claim about a page.
type words string

func (w words) Text() string { return string(w) }
func (words) Refutable()     {}

func card(path string) *page.Page {
	return &page.Page{
		Path: path, Kind: "card", Title: "Card <" + path + ">", Description: page.Say(words("All about \"it\".")),
		Params: map[string]any{"peak": "1 234", "load": "c=8", "count": 123456789, "ratio": 0.0000012,
			"chart": "chart"},
		Fragments: map[string]page.Fragment{"chart": text("<svg>" + path + "</svg>")},
	}
}

func text(s string) page.Fragment {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func pages(list ...*page.Page) iter.Seq2[*page.Page, error] {
	return func(yield func(*page.Page, error) bool) {
		for _, p := range list {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// build returns the files of a site by name.
func build(t testing.TB, in Input) (map[string]string, *Report, error) {
	t.Helper()
	files := map[string]string{}
	report, err := Build(t.Context(), in, func(name string, data []byte) error {
		files[name] = string(data)
		return nil
	})
	return files, report, err
}

// archive shows a built site and its report as one text.
func archive(prose string, files map[string]string, r *Report) []byte {
	a := &txtar.Archive{Comment: []byte(prose + "\n")}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(files[name] + "\n")})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages, %d other files, %d bytes\n", r.Pages, r.Files, r.Bytes)
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	a.Files = append(a.Files, txtar.File{Name: "report", Data: []byte(b.String())})
	return txtar.Format(a)
}

func TestBuild(t *testing.T) {
	files, report, err := build(t, testInput(t))
	if err != nil {
		t.Fatal(err)
	}
	got := archive("A small site below a base path, with hand-written pages, a note and a note without a page.",
		files, report)
	goldentest.File(t, "testdata/build.txtar", got)
}

// Without a base URL nothing absolute is written, and 404.html has no way to the rest.
func TestBuildWithoutBaseURL(t *testing.T) {
	in := testInput(t)
	in.BaseURL = ""
	files, _, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if strings.Contains(data, "canonical") || strings.Contains(data, `href="/`) ||
			strings.Contains(data, `src="/`) {
			t.Errorf("%s: has an absolute address:\n%s", name, data)
		}
	}
	if !strings.Contains(files["cards/a-on-b/index.html"], `href="../../css/site.`) {
		t.Error("the card does not link to its style sheet")
	}
}

func TestBaseURL(t *testing.T) {
	for _, bad := range []string{"example.org", "ftp://example.org", "https://", "https://example.org/?x",
		"https://example.org/#x", "https://exa mple.org"} {
		in := testInput(t)
		in.BaseURL = bad
		if _, _, err := build(t, in); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	for _, escaped := range []string{"https://example.org/bü", "https://example.org/b%20x/", "https://example.org/b x/c"} {
		in := testInput(t)
		in.BaseURL = escaped
		files, _, err := build(t, in)
		if err != nil || !strings.Contains(files["cards/a-on-b/index.html"], `href="../../css/site.`) {
			t.Errorf("%q: the card does not link to its style sheet, %v", escaped, err)
		}
	}
}

// Hugo lowers capitals, drops colons and takes what follows a dot for an ending. Pages are written
// where Page.Path says all the same.
func TestEveryPageIsWrittenAtItsPath(t *testing.T) {
	var list []*page.Page
	var want []string
	for _, p := range []string{
		"models", "models/qwen2.5-7b", "models/llama-3.1", "models/Qwen2.5:7b", "models/QWEN2.5:7b",
		"cards/a b", "cards/ä",
		"cards/x.html.y", "index", "runs/0123", "runs/_x", "a/b/c/d", "a", "tags/x", "categories", "page/2", "p000001",
		"x/..y", "404.html", "x'y", "50%",
	} {
		list = append(list, card(p))
		if strings.HasSuffix(p, ".html") {
			want = append(want, p)
		} else {
			want = append(want, p+"/index.html")
		}
	}
	in := testInput(t)
	in.Pages, in.Content, in.Files = pages(list...), nil, nil
	files, report, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, data := range files {
		if strings.HasPrefix(name, "css/") || strings.HasPrefix(name, "js/") {
			continue
		}
		got = append(got, name)
		p := strings.TrimSuffix(name, "/index.html")
		if !strings.Contains(data, "<svg>"+p+"</svg>") {
			t.Errorf("%s: holds another page's fragment:\n%s", name, data)
		}
		if root := strings.Repeat("../", strings.Count(name, "/")); name != "404.html" &&
			!strings.Contains(data, `<a href="`+root+`index.html">home</a>`) {
			t.Errorf("%s: does not link to the home page:\n%s", name, data)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if report.Pages != len(want) {
		t.Errorf("report counts %d pages of %d", report.Pages, len(want))
	}
}

// Some names of layouts mean something to Hugo. A kind may have any of them.
func TestKindsWithNamesOfHugo(t *testing.T) {
	m := fstest.MapFS{}
	var list []*page.Page
	for _, kind := range append([]string{"run", "x-y", "data"}, kindsOfHugo...) {
		m[kind+".html"] = &fstest.MapFile{Data: []byte("layout " + kind)}
		list = append(list, &page.Page{Path: "kinds/" + kind, Kind: kind, Title: kind})
	}
	for _, home := range []string{"home", "run"} {
		files, _, err := build(t, Input{Title: "x", Layouts: []fs.FS{m},
			Pages: pages(append(list, &page.Page{Kind: home, Title: "start"})...)})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if got, want := files[p.Path+"/index.html"], "layout "+p.Kind; got != want {
				t.Errorf("kind %s: rendered by %q", p.Kind, got)
			}
		}
		if got, want := files["index.html"], "layout "+home; got != want {
			t.Errorf("home page of kind %s: rendered by %q", home, got)
		}
	}
}

// A kind without a layout of its own is rendered by the fallback, until a catalog brings one.
func TestLayoutOfAKindWinsOverTheFallback(t *testing.T) {
	built := file("report.html", "a report of {{ .Params.kind }}")
	run, card := &page.Page{Path: "runs/r", Kind: "run", Title: "r"}, &page.Page{Path: "cards/c",
		Kind: "card", Title: "c"}
	for _, test := range []struct {
		layouts   []fs.FS
		run, card string
	}{
		{[]fs.FS{built}, "a report of run", "a report of card"},
		{[]fs.FS{file("card.html", "my {{ .Params.kind }}"), built}, "a report of run", "my card"},
		{[]fs.FS{built, file("card.html", "my {{ .Params.kind }}")}, "a report of run", "my card"},
		{[]fs.FS{file("report.html", "my report"), built}, "my report", "my report"},
	} {
		files, _, err := build(t, Input{Title: "x", Layouts: test.layouts, Pages: pages(run, card)})
		if err != nil {
			t.Fatal(err)
		}
		if got := files["runs/r/index.html"]; got != test.run {
			t.Errorf("the run is %q, want %q", got, test.run)
		}
		if got := files["cards/c/index.html"]; got != test.card {
			t.Errorf("the card is %q, want %q", got, test.card)
		}
	}
}

func TestNoHomePage(t *testing.T) {
	in := testInput(t)
	in.Pages, in.Content, in.Files = pages(card("cards/a")), nil, nil
	files, _, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := files["index.html"]; ok {
		t.Error("there is a home page that nobody asked for")
	}
}

func TestEarlierLayersWin(t *testing.T) {
	in := testInput(t)
	in.Layouts = append([]fs.FS{file("card.html",
		"my own card{{ partial \"fragment.html\" (dict \"page\" . \"name\" \"chart\") }}")}, in.Layouts...)
	in.Assets = append([]fs.FS{nil, file("css/site.css", "p { color: red; }")}, in.Assets...)
	in.Content = append([]fs.FS{os.DirFS("testdata/no-such-folder"),
		file("about/index.md", "---\ntitle: My own about\n---\n"),
		file("about/methodology.md", "---\ntitle: Gone\ndraft: true\n---\n")}, in.Content...)
	files, _, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	if got := files["cards/a-on-b/index.html"]; got != "my own card<svg>cards/a-on-b</svg>" {
		t.Errorf("card:\n%s", got)
	}
	if got := files["about/index.html"]; !strings.Contains(got, "My own about") {
		t.Errorf("about:\n%s", got)
	}
	if _, ok := files["about/methodology/index.html"]; ok {
		t.Error("a draft was published")
	}
	found := false
	for name, data := range files {
		found = found || strings.HasPrefix(name, "css/") && data == "p{color:red}"
	}
	if !found {
		t.Error("the style sheet is not that of the first layer")
	}
}

func TestNotes(t *testing.T) {
	for _, test := range []struct{ file, page string }{
		{"cards/a.md", "cards/a"},
		{"cards/a/index.md", "cards/a"},
		{"notes/cards/a.md", "cards/a"},
		{"notes/a.md", "cards/a"},
		{"notes/r1.md", "runs/r1"},
		{"_index.md", ""},
	} {
		in := testInput(t)
		in.Content = []fs.FS{file(test.file, "+++\nauthor = \"me\"\n+++\nWords of a person.")}
		in.Pages = pages(&page.Page{Kind: "home", Title: "Start"}, card("cards/a"), card("runs/r1"))
		in.Layouts = append([]fs.FS{file("baseof.html", `{{ .Params.note.author }}:{{ block "main" . }}{{ end }}`)},
			in.Layouts...)
		files, report, err := build(t, in)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range files {
			if got, want := strings.Contains(data, "Words of a person.") &&
				strings.Contains(data, "me:"), name == fileName(test.page); got != want {
				t.Errorf("%s: note on %s: %v", test.file, name, got)
			}
		}
		if len(report.Findings) > 0 {
			t.Errorf("%s: %v", test.file, report.Findings)
		}
	}
}

// Names of other scripts are pages of their own, told apart by a digest; names that lose nothing are as they are written.
func TestPathsOfTexts(t *testing.T) {
	want := map[string]string{"模型.md": "x-zghb", "Ü.md": "x-mb2h", "news/一.md": "news/x-kgtv", "news/二.md": "news/x-bbfu",
		"über-uns.md": "ber-uns-ri4y", "öber-uns.md": "ber-uns-newr", "Method & Words.MD": "method-words", "a_b-1.5.md": "a_b-1.5",
		"What’s new – 2.md": "what-s-new-2", "+.md": "x-ummm"}
	content := fstest.MapFS{}
	for name := range want {
		content[name] = &fstest.MapFile{Data: []byte("---\ntitle: x\n---\n" + name)}
	}
	in := testInput(t)
	in.Content = []fs.FS{content}
	files, report, err := build(t, in)
	if err != nil || len(report.Findings) > 0 {
		t.Fatal(report, err)
	}
	for name, path := range want {
		if got := documentPath(name); got != path || files[path+"/index.html"] == "" {
			t.Errorf("%s is %q, want %q", name, got, path)
		}
	}
}

// What editors leave beside texts and layouts is no part of a site; a text is one in capitals too.
func TestLeftovers(t *testing.T) {
	site := func(names ...string) map[string]string {
		content := fstest.MapFS{}
		for _, name := range names {
			content[name] = &fstest.MapFile{Data: []byte("---\ntitle: x\n---\n")}
		}
		in := testInput(t)
		in.Content = []fs.FS{content}
		in.Layouts = append([]fs.FS{file("card.html~", "{{ if }}")}, in.Layouts...)
		files, _, err := build(t, in)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	got := site("Team.MD", "team.md~", "#team.md#", ".#team.md", "team.tmp", ".git/team.md")
	if d := cmp.Diff(site("team.md"), got); d != "" {
		t.Error(d)
	}
}

// lastSite is a site in memory, and the next one.
type lastSite struct{ files, next map[string]string }

func (s lastSite) Last(name string) ([]byte, bool) {
	data, ok := s.files[name]
	return []byte(data), ok
}

func (s lastSite) Is(name string, _ int64, sum [32]byte) bool {
	data, ok := s.Last(name)
	return ok && incremental.Sum(data) == sum
}

func (s lastSite) Keep(name string) error {
	s.next[name] = s.files[name]
	return nil
}

// A link to a folder above a text leads to the page of that folder as soon as there is one, in an incremental build too.
func TestLinkToANewPageAbove(t *testing.T) {
	const front = "---\ntitle: x\n---\n"
	content := file("a/b/c/x.md", front+"[up](..) [here](.) [far](../..)")
	content["a/b/c/d.md"] = &fstest.MapFile{Data: []byte(front)}
	var memory []byte
	var files map[string]string
	for _, added := range []string{"", "a/b/index.md", "a/b/c/index.md", "a/_index.md", "z.md"} {
		if added != "" {
			content[added] = &fstest.MapFile{Data: []byte(front)}
		}
		in := testInput(t)
		in.Content = []fs.FS{content}
		want, _, err := build(t, in)
		if err != nil {
			t.Fatal(err)
		}
		site := lastSite{files, map[string]string{}}
		in.Since = incremental.New(site, memory, incremental.Digest{1})
		report, err := Build(t.Context(), in, func(name string, data []byte) error {
			site.next[name] = string(data)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, site.next); d != "" {
			t.Errorf("after %q the site is not that of a full build: %s", added, d)
		}
		if added == "z.md" && report.Rendered != 1 {
			t.Errorf("%d pages are rendered after one that no text leads to", report.Rendered)
		}
		memory, files = in.Since.Memory(), site.next
	}
}

// A note that is a draft is on no page, and its page is as it would be without it.
func TestDraftNote(t *testing.T) {
	site := func(content fs.FS) map[string]string {
		in := testInput(t)
		in.Content = []fs.FS{content}
		in.Pages = pages(&page.Page{Kind: "home", Title: "Start"}, card("cards/a"))
		files, report, err := build(t, in)
		if err != nil || len(report.Findings) > 0 {
			t.Fatal(report, err)
		}
		return files
	}
	draft := site(file("cards/a.md", "+++\ndraft = true\n+++\nWords of a person. [b](nowhere.md)"))
	if d := cmp.Diff(site(fstest.MapFS{}), draft); d != "" {
		t.Errorf("-without the note +with its draft:\n%s", d)
	}
	if shown := site(file("cards/a.md", "+++\ndraft = false\n+++\nWords of a person.")); maps.Equal(draft, shown) {
		t.Error("a note that is no draft is not shown")
	}
}

// Markdown is not trusted: neither HTML nor addresses that run scripts pass.
func TestMarkdownIsSafe(t *testing.T) {
	in := testInput(t)
	in.Content = []fs.FS{file("cards/a.md",
		"[a](javascript:alert(1)) <script>alert(2)</script> ![x](javascript:alert(3)) "+
			"[q](\"onclick=alert(4))\n\n<div onclick=\"alert(5)\">\n\n| a |\n|:-:|\n| <b>b</b> |\n")}
	in.Pages = pages(card("cards/a"))
	files, report, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	got := files["cards/a/index.html"]
	for _, bad := range []string{"javascript:", "<script>alert", "onclick=\"", "<div onclick", "<b>", "style="} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in\n%s", bad, got)
		}
	}
	if len(report.Findings) != 1 || report.Findings[0].File != "content/cards/a.md" {
		t.Errorf("findings: %v", report.Findings)
	}
}

func TestForeignTextIsText(t *testing.T) {
	const evil = `<script>alert(1)</script>"'{{ .Site }}{{< x >}}<inferdex-fragment data-name="chart"></inferdex-fragment>`
	p := card("cards/a")
	p.Title, p.Description = evil, page.Say(words(evil))
	p.Params = map[string]any{"peak": evil, "load": evil, "count": evil, "ratio": evil, "chart": "chart"}
	in := testInput(t)
	in.Title, in.Content, in.Pages = evil, nil, pages(p)
	files, _, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	got := files["cards/a/index.html"]
	if strings.Contains(got, "<script>alert") || strings.Count(got, "<svg>") != 1 {
		t.Errorf("got\n%s", got)
	}
}

// withLayout returns a change of the layout of cards.
func withLayout(text string) func(*Input) {
	return func(in *Input) {
		in.Layouts = append([]fs.FS{fstest.MapFS{
			"card.html":          &fstest.MapFile{Data: []byte(text)},
			"_partials/own.html": &fstest.MapFile{Data: []byte("\n\n  {{ .Nothing }}")},
		}}, in.Layouts...)
	}
}

// withContent returns a change to one hand-written file.
func withContent(name, text string) func(*Input) {
	return func(in *Input) { in.Content = []fs.FS{file(name, text)} }
}

// withPage returns a change to one generated page.
func withPage(change func(*page.Page)) func(*Input) {
	return func(in *Input) {
		p := card("cards/a")
		change(p)
		in.Pages = pages(p)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Input)
		want   string // The beginning of the message.
	}{
		{"template does not parse", withLayout("\n  {{ if }}"), "layouts/card.html:2:1: missing value for if"},
		{"unknown field", withLayout("x\n      {{ .Nothing }}"),
			"layouts/card.html:2:9: <.Nothing>: can't evaluate field Nothing"},
		{"in a block", withLayout(`{{ define "main" }}{{ .Nothing }}{{ end }}`),
			"layouts/card.html:1:22: <.Nothing>: can't evaluate field Nothing"},
		{"in a partial", withLayout(`{{ partial "own.html" . }}`),
			`layouts/_partials/own.html:3:5: <.Nothing>: can't evaluate field Nothing in type *hugolib.pageState (layouts/card.html:1:3, page "cards/a-on-b")`},
		{"no such partial", withLayout(`{{ partial "none.html" . }}`),
			`layouts/card.html:1:3: <partial "none.html" .>: error calling partial: partial "none.html" not found`},
		{"said by a layout", withLayout(`{{ errorf "the value %d is odd" 3 }}`), "the value 3 is odd"},
		{"no such template", withLayout(`x{{ template "zz" . }}`), `layouts/card.html:1:13: no such template "zz"`},
		{"no such template in a partial", func(in *Input) {
			in.Layouts = append([]fs.FS{file("_partials/fragment.html", `x {{ template "zz" . }}`)}, in.Layouts...)
		}, `layouts/_partials/fragment.html:1:14: no such template "zz"`},
		{"no such template around a layout", func(in *Input) {
			in.Layouts = append([]fs.FS{file("card.html", "{{ define \"main\" }}\n{{ end }}"),
				file("baseof.html", "{{ block \"main\" . }}{{ end }}\n{{ template \"zz\" . }}")}, in.Layouts...)
		}, `layouts/baseof.html:2:12: no such template "zz"`},
		{"no such asset", withLayout(`{{ partial "asset.html" (dict "page" . "name" "css/none.css") }}`),
			"assets/css/none.css: there is no such file"},
		{"network", withLayout(`{{ resources.GetRemote "http://127.0.0.1:1/x" }}`),
			`layouts/card.html:1:12: <resources.GetRemote>: error calling GetRemote: access denied`},
		{"environment", withLayout(`{{ getenv "HOME" }}`),
			`layouts/card.html:1:3: <getenv "HOME">: error calling getenv: access denied: "HOME" is not whitelisted in policy "security.funcs.getenv" (page "cards/a-on-b")`},
		{"nothing printed", withLayout(``), `layouts/card.html: prints nothing for page "cards/a-on-b" (1 such pages)`},
		{"script with a mistake", func(in *Input) {
			in.Assets = append([]fs.FS{file("js/site.ts", "let x: = 3;")},
				in.Assets...)
		}, `assets/js/site.ts:1:7: Unexpected "=" (layouts/_partials/digested.html:3:88`},

		{"unclosed shortcode", withContent("cards/a-on-b.md", "+++\nx = 1\n+++\n\nText\nand {{% x"),
			"content/cards/a-on-b.md:6:10: unclosed shortcode action"},
		{"unknown shortcode", withContent("about.md", "---\ntitle: x\n---\n{{< nothing >}}"),
			`content/about.md:4:1: failed to extract shortcode: template for shortcode "nothing" not found`},
		{"shortcode of the home page", withContent("_index.md", "\n{{< nothing >}}"),
			`content/_index.md:2:1: failed to extract shortcode: template for shortcode "nothing" not found`},
		{"reference to no page", withContent("about.md", "---\ntitle: x\n---\n\n{{< ref \"none\" >}}"),
			`content/about.md:5:1: REF_NOT_FOUND: Ref "none": page not found`},
		{"shortcode without what it needs", withContent("notes/a-on-b.md", "x\n{{< youtube >}}"),
			`content/notes/a-on-b.md:2:1: The "youtube" shortcode requires an id argument.`},
		{"base of a layout", func(in *Input) {
			in.Layouts = append([]fs.FS{file("card.html", "{{ define \"main\" }}\n{{ if }}"),
				file("baseof.html", "{{ block \"main\" . }}{{ end }}")}, in.Layouts...)
		}, "layouts/card.html:2: missing value for if"},
		{"around a layout", func(in *Input) {
			in.Layouts = append([]fs.FS{file("card.html", "{{ define \"main\" }}\n{{ end }}"),
				file("baseof.html", "{{ block \"main\" . }}{{ end }}\n{{ none }}")}, in.Layouts...)
		}, `layouts/baseof.html:2: function "none" not defined`},
		{"script put together of several", withJoined("ts", "dom", "var x = 1 // no line end", "custom", "\nvar y = ;"),
			`assets/ts/custom.ts:2:9: Unexpected ";"`},
		{"script that is declared twice", withJoined("ts", "dom", "const x = 1", "custom", "\n\nconst x = 2"),
			`assets/ts/custom.ts:3:7: The symbol "x" has already been declared`},
		{"script that is not closed", withJoined("ts", "custom", "\nfunction f() {", "site", "var x = 1"),
			`assets/ts/custom.ts:3:1: Unexpected end of file`},
		{"script that imports", withJoined("ts", "dom", "", "custom", "import x from \"./y\"; x()"),
			`assets/ts/custom.ts:1:15: "./y" cannot be imported`},
		{"front matter", withContent("about.md", "---\ntitle: [\n---\n"),
			"content/about.md:2:8: front matter: sequence end"},
		{"front matter below a blank line", withContent("about.md", "\n---\ntitle: x\nb: [\n---\n"),
			"content/about.md:4:4: front matter: sequence end"},
		{"front matter in TOML", withContent("about.md", "+++\ntitle = \"x\"\nb = x\n+++\n"),
			"content/about.md:3:5: front matter: unexpected character"},
		{"front matter in JSON", withContent("about.md", "{\"title\": \"x\",\n \"b\": x}\nWords."),
			"content/about.md:2:7: front matter: invalid character"},
		{"front matter without an end", withContent("about.md", "---\ntitle: x\n"),
			"content/about.md:1:1: front matter: has no end"},
		{"no title", withContent("about.md", "Words."), "content/about.md:1:1: has no title"},
		{"layout of content", withContent("about.md", "---\ntitle: x\nlayout: none\n---\n"),
			"content/about.md:3:1: there is no layouts/none.html for it"},

		{"no layout", withPage(func(p *page.Page) { p.Kind = "none" }),
			`page "cards/a": there is no layouts/none.html for it`},
		{"fragment not there", withPage(func(p *page.Page) { p.Fragments = nil }),
			`layouts/card.html: asks for the fragment "chart", which the page does not have (page "cards/a")`},
		{"fragment not used", withPage(func(p *page.Page) { p.Fragments["b"], p.Fragments["a"] = text(""), text("") }),
			`layouts/card.html: has no place for the fragment "a" (page "cards/a")`},
		{"fragment fails",
			withPage(func(p *page.Page) {
				p.Fragments["chart"] = func(io.Writer) error { return errors.New("no ink") }
			}),
			`page "cards/a": fragment "chart": no ink`},
		{"fragment panics",
			withPage(func(p *page.Page) { p.Fragments["chart"] = func(io.Writer) error { panic("no ink") } }),
			`page "cards/a": fragment "chart": stopped unexpectedly: no ink`},
		{"params", withPage(func(p *page.Page) { p.Params = func() {} }), `page "cards/a": json: unsupported type`},
		{"path", withPage(func(p *page.Page) { p.Path = "../a" }),
			`page "../a": the path cannot be part of an address`},
		{"path with a query", withPage(func(p *page.Page) { p.Path = "a?b" }),
			`page "a?b": the path cannot be part of an address`},
		{"two of one path", func(in *Input) { in.Pages = pages(card("cards/a"), card("cards/a")) },
			`page "cards/a": there are two pages at "cards/a"`},
		{"pages fail", func(in *Input) {
			in.Pages = func(yield func(*page.Page, error) bool) { yield(nil, errors.New("the catalog is gone")) }
		}, "the catalog is gone"},
		{"pages panic", func(in *Input) {
			in.Pages = func(yield func(*page.Page,
				error) bool) {
				panic("the catalog is gone")
			}
		}, "hugo stopped unexpectedly: the catalog is gone"},
		{"two files", func(in *Input) {
			in.Files = func(yield func(page.File, error) bool) {
				yield(page.File{Path: "index.html", Write: text("")}, nil)
			}
		}, `file "index.html": there are two of them`},
		{"a file below a file", func(in *Input) {
			in.Files = func(yield func(page.File, error) bool) {
				_ = yield(page.File{Path: "x/y", Write: text("")}, nil) && yield(page.File{Path: "x", Write: text("")}, nil)
			}
		}, `file "x`},
		{"a file that the site has", withContent("robots.txt", "x"), `content/robots.txt: becomes "robots.txt", which a ` +
			`site cannot have beside "robots.txt" of its own; give the file another name`},
		{"a file of the name of a page", func(in *Input) {
			in.Content = []fs.FS{file("foo", "x"), file("foo.md", "---\ntitle: x\n---\n")}
		}, `content/foo: becomes "foo", which a site cannot have beside "foo/index.html" of content/foo.md; give`},
		{"a file of the name of a folder", withContent("cards", "x"),
			`content/cards: becomes "cards", which a site cannot have beside "cards/a-on-b/index.html" of its own; give`},
		{"a page of the name of a file", withContent("robots.txt.md", "---\ntitle: x\n---\n"),
			`content/robots.txt.md: becomes "robots.txt/index.html", which a site cannot have beside "robots.txt" of its own`},
		{"a file below a page", withContent("404.html/x", "x"),
			`content/404.html/x: becomes "404.html/x", which a site cannot have beside "404.html" of its own; give`},
		{"file outside", func(in *Input) {
			in.Files = func(yield func(page.File, error) bool) { yield(page.File{Path: "../x", Write: text("")}, nil) }
		}, `file "../x": the name is no path below the site's root`},
		{"file fails", func(in *Input) {
			in.Files = func(yield func(page.File, error) bool) {
				yield(page.File{Path: "x", Write: func(io.Writer) error { return errors.New("no ink") }}, nil)
			}
		}, `x: no ink`},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := testInput(t)
			test.change(&in)
			report, err := Build(t.Context(), in, func(string, []byte) error { return nil })
			if err == nil {
				t.Fatalf("no error; %+v", report)
			}
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			if strings.Contains(err.Error(), workDir+"/") || pageKey.MatchString(err.Error()) {
				t.Errorf("names what exists only for Hugo: %s", err)
			}
		})
	}
}

// withJoined makes the script or style sheet of all pages of two files.
func withJoined(kind, first, one, second, two string) func(*Input) {
	return func(in *Input) {
		in.Assets = []fs.FS{file(kind+"/"+first+"."+kind, one), file(kind+"/"+second+"."+kind, two)}
		layout := fmt.Sprintf(
			`{{ site.Params.inferdex.Join %q (slice %q %q "none") }}{{ if eq .Params.kind "card" }}{{ partial "fragment.html" (dict "page" . "name" "chart") }}{{ end }}`, kind, first, second)
		in.Layouts = append([]fs.FS{file("baseof.html", layout)}, in.Layouts...)
	}
}

// A style sheet with a mistake is none that stops a browser: it is told.
func TestMistakesInStyleSheets(t *testing.T) {
	in := testInput(t)
	withJoined("css", "base", "a { color: red }", "custom",
		"\nb { color: }}\n@import \"x.css\";\nc { background: url(x.png) }\nd {")(&in)
	in.Content = []fs.FS{file("x.md", "---\ntitle: x\npage: 3\n---\n")}
	_, report, err := build(t, in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.String())
	}
	want := []string{
		`assets/css/custom.css:2:13: Unexpected "}"`,
		`assets/css/custom.css:6:1: Expected "}" to go with "{"`,
		`content/x.md:3:1: front matter: "page" is ignored: layouts take it from elsewhere; call it something else`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// What Hugo warns of is told with its place, though Hugo shows all its settings before it.
func TestWarnings(t *testing.T) {
	in := testInput(t)
	withContent("about.md", "---\ntitle: x\n---\n\n{{< x user=\"a\" id=\"1\" >}}\n{{< comment >}}{{< /comment >}}")(&in)
	_, report, err := build(t, in)
	if err != nil || len(report.Findings) != 2 {
		t.Fatal(report, err)
	}
	for i, want := range []string{`content/about.md:5:1: The "x" shortcode asks the network, and a build does not; write a link.`,
		`content/about.md:6:1: The "comment" shortcode was deprecated`} {
		if got := report.Findings[i].String(); !strings.HasPrefix(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What Hugo passes over without a word is told with its place, and what is right is not.
func TestVainInput(t *testing.T) {
	front := func(s string) string { return "---\ntitle: x\n" + s + "\n---\n" }
	main := func(s string) string { return "{{ define \"main\" }}\n" + s + "{{ end }}" }
	for _, c := range []struct{ file, text, want string }{
		{"content/x.md", front("date: yesterday"),
			`content/x.md:3:1: front matter: date is "yesterday", which is no date: write one such as 2026-05-30`},
		{"content/notes/a-on-b.md", front("date: yesterday"),
			`content/notes/a-on-b.md:3:1: front matter: date is "yesterday", which is no date: write one such as 2026-05-30`},
		{"content/x.md", front("date: 2026-05-30"), ""},
		{"content/x.md", "+++\ntitle = 'x'\ndate = 2026-05-30\nweight = 3\n+++\n", ""},
		{"content/x.md", front("Weight: heavy"),
			`content/x.md:3:1: front matter: Weight is "heavy", which is no whole number: write one such as 10`},
		{"content/x.md", front("in_menu: \"no\""),
			`content/x.md:3:1: front matter: in_menu is "no", which is neither true nor false: write one of them, without quotes`},
		{"content/x.md", front("description: [a]"),
			`content/x.md:3:1: front matter: description is "[a]", which is no text: put it in quotes`},
		{"content/x.md", front("slug: y"),
			`content/x.md:3:1: front matter: slug has no effect: the address is that of the file; rename it`},
		{"content/x.md", front("") + "a\n[b](y.md) `[c](z.md)`", `content/x.md:6:5: leads to "y.md", which is not on the site`},
		{"content/x.md", front("") + "![b](y.png)", `content/x.md:5:6: leads to "y.png", which is not on the site`},
		{"content/x.md", front("") + "[b](/cards/a-on-b/) [c](../robots.txt) [d](#e) [f](x.md) [g](https://example.org/y.md)", ""},
		{"content/x.md", front("wieght: 3"), `content/x.md:3:1: front matter: wieght has no effect: did you mean weight?`},
		{"content/notes/a-on-b.md", front("drfat: true"),
			`content/notes/a-on-b.md:3:1: front matter: drfat has no effect: did you mean draft?`},
		{"content/x.md", front("author: me\nbanner: x"), ""},
		{"layouts/page.html", main("{{ range site.Params.inferdex }}{{ .Params.nosuch }}{{ end }}{{ range $i, $p := slice }}" +
			"{{ .Params.nosuch }}{{ else }}{{ with .File }}{{ .Params.nosuch }}{{ end }}{{ end }}"), ""},
		{"layouts/page.html", main("{{ range slice 1 }}{{ $.Params.nosuch }}{{ end }}"), `layouts/page.html:2:24: asks for the ` +
			`parameter "nosuch", which no page has: nothing is shown; ask for it with {{ with }} where it may be missing`},
		{"layouts/page.html", main("{{ .Params.nosuch.x }}"), `layouts/page.html:2:11: asks for the parameter "nosuch", which ` +
			`no page has: nothing is shown; ask for it with {{ with }} where it may be missing`},
		{"layouts/page.html", main("{{ with .Params.nosuch }}{{ . }}{{ end }}{{ .Params.nosuch }}"), ""},
		{"layouts/page.html", main("{{ .Params.path }}{{ .Params.page.heading }}"), ""},
		{"layouts/page.html", main("{{ resources.Get \"y.css\" }}"),
			`layouts/page.html:2:18: asks for assets/y.css, which is not there`},
		{"layouts/page.html", main("") + `{{ define "mian" }}x{{ end }}`,
			`layouts/page.html:2:10: defines "mian", which no layout asks for: nothing of it is shown`},
		{"layouts/cards.html", "x", `layouts/cards.html: nothing asks for a layout of this name: no page is made with it`},
		{"layouts/_partials/fotter.html", "x",
			`layouts/_partials/fotter.html: nothing asks for a layout of this name: no page is made with it`},
		{"layouts/partials/foot.html", "x",
			`layouts/partials/foot.html: has no effect: layouts/_partials/foot.html is taken instead; move it there`},
		{"layouts/_partials/foot.html", "x", ""},
		{"layouts/_partials/parts/fotter.html", "x",
			`layouts/_partials/parts/fotter.html: nothing asks for a layout of this name: no page is made with it`},
		{"layouts/_partials/shapes/round.html", "x", ""},
		{"assets/css/cutsom.css", "a{}", `assets/css/cutsom.css: no layout asks for it: a style sheet of your own is ` +
			`assets/css/custom.css, a script assets/ts/custom.ts`},
	} {
		in := testInput(t)
		in.Kinds = []string{"home", "card", "404"}
		in.Layouts = []fs.FS{fstest.MapFS{}, ownLayouts(t)}
		for _, name := range []string{"baseof.html", "home.html", "card.html", "404.html", "page.html"} {
			text := `{{ .Title }}`
			if name == "baseof.html" {
				text = `{{ block "main" . }}{{ end }}`
			}
			in.Layouts[1].(fstest.MapFS)[name] = &fstest.MapFile{Data: []byte(text)}
		}
		in.Layouts[1].(fstest.MapFS)["_partials/foot.html"] = &fstest.MapFile{Data: []byte(`built in`)}
		in.Layouts[1].(fstest.MapFS)["404.html"] = &fstest.MapFile{
			Data: []byte(`{{ .Title }}{{ partial "foot.html" . }}{{ with .Params.shape }}{{ partial (printf "shapes/%s.html" .) $ }}{{ end }}`)}
		in.Nearest = func(word string, known []string) string {
			return map[string]string{"wieght": "weight", "drfat": "draft"}[word]
		}
		in.Pages = pages(&page.Page{Kind: "home", Title: "Start"}, &page.Page{Path: "cards/a-on-b", Kind: "card", Title: "A"})
		in.Assets = []fs.FS{fstest.MapFS{}, fstest.MapFS{}}
		in.Content = []fs.FS{fstest.MapFS{}}
		folder, name, _ := strings.Cut(c.file, "/")
		own := map[string]fs.FS{"layouts": in.Layouts[0], "assets": in.Assets[0], "content": in.Content[0]}[folder]
		own.(fstest.MapFS)[name] = &fstest.MapFile{Data: []byte(c.text)}
		_, report, err := build(t, in)
		if err != nil {
			t.Errorf("%s, %q: %v", c.file, c.text, err)
			continue
		}
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.String())
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s, %q:\ngot  %q\nwant %q", c.file, c.text, got, c.want)
		}
	}
}

// Hugo may wait for itself when more than ten pages fail. Here the mistake shows on some pages only,
// so that rehearsing does not find it.
func TestManyPagesFail(t *testing.T) {
	in := testInput(t)
	in.Content = nil
	in.Layouts = append([]fs.FS{file("card.html", `{{ if gt .Params.page.n 100 }}{{ .Nothing }}{{ end }}x`)},
		in.Layouts...)
	in.Pages = func(yield func(*page.Page, error) bool) {
		for i := range 300 {
			if !yield(&page.Page{Path: fmt.Sprint("cards/", i), Kind: "card", Title: "x",
				Params: map[string]any{"n": i}}, nil) {
				return
			}
		}
	}
	_, _, err := build(t, in)
	if want := `layouts/card.html:1:33: <.Nothing>: can't evaluate field Nothing`; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// After an error of write nothing more is written.
func TestWriteFails(t *testing.T) {
	calls := 0
	want := errors.New("the disk is full")
	_, err := Build(t.Context(), testInput(t), func(string, []byte) error {
		calls++
		return want
	})
	if !errors.Is(err, want) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := testInput(t)
	in.Pages = func(yield func(*page.Page, error) bool) {
		for i := range 50 {
			if !yield(card(fmt.Sprint("cards/", i)), nil) {
				return
			}
		}
	}
	calls := 0
	_, err := Build(ctx, in, func(string, []byte) error {
		calls++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	if _, err := Build(ctx, in, func(string, []byte) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: error %v", err)
	}
}

func TestSameBytesWithOneAndEightWorkers(t *testing.T) {
	in := testInput(t)
	in.Pages = func(yield func(*page.Page, error) bool) {
		for i := range 40 {
			if !yield(card(fmt.Sprint("cards/", i)), nil) {
				return
			}
		}
	}
	in.Content = append(in.Content, file("about/html.md", "---\ntitle: x\n---\n<i>x</i>"))
	var first []byte
	for _, n := range []int{1, 8, 8} {
		before := runtime.GOMAXPROCS(n)
		files, report, err := build(t, in)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		got := archive("", files, report)
		if first == nil {
			first = got
		} else if d := cmp.Diff(string(first), string(got)); d != "" {
			t.Errorf("%d workers: %s", n, d)
		}
	}
}

// manyPages are n pages with a hundred parameters and a fragment of size bytes each.
func manyPages(n, size int) iter.Seq2[*page.Page, error] {
	chunk := strings.Repeat("<path d=\"M0 0\"/>", 1000)
	return func(yield func(*page.Page, error) bool) {
		for i := range n {
			p := card(fmt.Sprint("cards/", i))
			values := map[string]string{}
			for k := range 100 {
				values[fmt.Sprint("v", k)] = fmt.Sprint("value ", k, " of ", i)
			}
			p.Params = map[string]any{"chart": "chart", "values": values}
			p.Fragments["chart"] = func(w io.Writer) error {
				for rest := size; rest > 0; rest -= len(chunk) {
					if _, err := io.WriteString(w, chunk[:min(rest, len(chunk))]); err != nil {
						return err
					}
				}
				return nil
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// Fragments are never held for all pages: 2,000 pages with 150 kB each make 300 MB of site, and what
// is alive while they are written stays far below that.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds 2,000 pages")
	}
	const n, size = 2000, 150_000
	in := testInput(t)
	in.Content, in.Pages = nil, manyPages(n, size)
	var highest uint64
	files := 0
	report, err := Build(t.Context(), in, func(string, []byte) error {
		if files++; files%400 == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			highest = max(highest, m.HeapAlloc)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Pages != n || report.Bytes < n*size {
		t.Fatalf("built %d pages of %d bytes", report.Pages, report.Bytes)
	}
	t.Logf("%d MB written, at most %d MB alive", report.Bytes>>20, highest>>20)
	if highest > 150<<20 {
		t.Errorf("%d MB are alive while %d MB are written", highest>>20, report.Bytes>>20)
	}
}

func TestDocuments(t *testing.T) {
	got, err := Documents([]fs.FS{file("about/gone.md", "---\ntitle: x\ndraft: true\n---\n"),
		os.DirFS("testdata/content")})
	if err != nil {
		t.Fatal(err)
	}
	want := []Document{{Path: "about", Title: "About", Description: "What this is."},
		{Path: "about/methodology", Title: "Methodology"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// BenchmarkBuild renders 500 pages with 150 kB of fragments each.
func BenchmarkBuild(b *testing.B) {
	const n = 500
	for b.Loop() {
		in := testInput(b)
		in.Content, in.Pages = nil, manyPages(n, 150_000)
		report, err := Build(b.Context(), in, func(string, []byte) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(report.Bytes)
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

func TestPlain(t *testing.T) {
	type inner struct {
		Text  string   `json:"text"`
		Parts []string `json:"parts,omitempty"`
	}
	data, err := json.Marshal(struct {
		Big    int64   `json:"big"`
		Small  float64 `json:"small"`
		Large  float64 `json:"large"`
		Whole  float64 `json:"whole"`
		Yes    bool    `json:"yes"`
		Inner  []inner `json:"inner"`
		Absent *inner  `json:"absent"`
	}{1234567890123, 1.23e-9, 1.5e300, 3, true, []inner{{Text: "<a>", Parts: []string{"x"}}}, nil})
	if err != nil {
		t.Fatal(err)
	}
	got, err := plain(data)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"big": int64(1234567890123), "small": "0.00000000123", "large": "15" + strings.Repeat("0", 299),
		"whole": int64(3), "yes": true,
		"inner": []any{map[string]any{"text": "<a>", "parts": []any{"x"}}}, "absent": nil,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestLink(t *testing.T) {
	f := &Feed{base: "https://example.org/bench/", out: &sink{jobs: map[string]*job{}, keys: map[string]*job{}}}
	for _, p := range []string{"", "models/qwen2.5-7b", "about/methodology", "404.html"} {
		if err := f.out.expect(&job{path: p, key: p}); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ root, dir, destination, want string }{
		{"../", "about", "methodology.md", "../about/methodology/index.html"},
		{"../", "about", "methodology.md#ttft", "../about/methodology/index.html#ttft"},
		{"../", "about", "./methodology.md", "../about/methodology/index.html"},
		{"../../", "about", "../about/_index.md", "../../about/index.html"},
		{"../../", "about", "../../../x.md", "../../x/index.html"},
		{"", "", "about/Method and Words.md", "about/method-and-words/index.html"},
		{"", "", "about/Methods.MD", "about/methods/index.html"},
		{"", "", "über-uns.md", "ber-uns-ri4y/index.html"},
		{"", "", "%C3%9Cber-uns.md", "ber-uns-ri4y/index.html"},
		{"../", "about", "/", "../index.html"},
		{"../", "about", "/models/", "../models/index.html"},
		{"../", "about", "/models/qwen2.5-7b", "../models/qwen2.5-7b/index.html"},
		{"../", "about", "/models/qwen2.5-7b/?x=1#y", "../models/qwen2.5-7b/index.html?x=1#y"},
		{"../", "about", "/models/index.html", "../models/index.html"},
		{"../", "about", "/404.html", "../404.html"},
		{"../", "about", "/data/all.csv", "../data/all.csv"},
		{"../", "about", "sketch.svg", "../about/sketch.svg"},
		{"../", "about", "a%20b.svg", "../about/a%20b.svg"},
		{"/bench/", "", "/", "/bench/index.html"},
		{"../", "about", "#words", "#words"},
		{"../", "about", "?q=1", "?q=1"},
		{"../", "about", "https://example.org/x.md", "https://example.org/x.md"},
		{"../", "about", "//example.org/x", "//example.org/x"},
		{"../", "about", "mailto:a@example.org", "mailto:a@example.org"},
		{"../", "about", "x:y", "x:y"},
		{"../", "about", "%zz", "%zz"},
	} {
		if got := f.Link(test.root, test.dir, test.destination); got != test.want {
			t.Errorf("Link(%q, %q, %q) = %q, want %q", test.root, test.dir, test.destination, got, test.want)
		}
	}
}

// A page that is known by its head is made once, when it is rendered, one of each kind once more to try its layout;
// what is made of what all pages say comes behind them. The site is that of pages that were made before.
func TestEachPageIsMadeOnce(t *testing.T) {
	const cards = 12
	var made atomic.Int32
	site := func(unmade bool) map[string]string {
		in := testInput(t)
		list := slices.Collect(func(yield func(*page.Page) bool) {
			for p := range in.Pages {
				if p.Kind != "card" && !yield(p) {
					return
				}
			}
		})
		last := card("cards/all")
		last.Late, last.Fragments["chart"] = true, func(w io.Writer) error {
			if n := made.Load(); unmade && n < cards {
				t.Errorf("written when %d of %d pages are made", n, cards)
			}
			return text("all")(w)
		}
		list = append(list, last)
		for i := range cards {
			p := card(fmt.Sprintf("cards/c%d", i))
			if unmade {
				of := p
				p = &page.Page{Path: of.Path, Kind: of.Kind, Of: of.Path,
					Head: func() (string, page.Said) { return of.Title, of.Description },
					Make: func() (*page.Page, error) { made.Add(1); return of, nil }}
			}
			list = append(list, p)
		}
		in.Pages = pages(list...)
		files, _, err := build(t, in)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	want := site(false)
	if diff := cmp.Diff(want, site(true)); diff != "" {
		t.Error(diff)
	}
	if n := made.Load(); n != cards && n != cards+1 {
		t.Errorf("%d pages were made %d times", cards, n)
	}
}

// A sentence is what its pieces say, in whatever list a layout makes of them, and links to nothing but pages.
func TestSentence(t *testing.T) {
	for want, parts := range map[template.HTML]any{
		"":                                     nil,
		`a &lt;b&gt;<a href=x.html#y>c</a>`:    []any{map[string]any{"text": "a <b>"}, map[string]any{"text": "c", "href": "x.html#y"}},
		`<code>d</code><span title=e>1</span>`: []map[string]any{{"text": "d", "code": true}, {"text": 1, "title": "e"}},
		"f":                                    []any{map[string]string{"text": "f", "href": "javascript:alert(1)"}},
	} {
		if got, err := (&Feed{}).Sentence(parts); err != nil || got != want {
			t.Errorf("%v is %q, %v; want %q", parts, got, err, want)
		}
	}
	for _, wrong := range []any{"text", []any{"text"}, []any{nil}, 1} {
		if got, err := (&Feed{}).Sentence(wrong); err == nil {
			t.Errorf("%v is a sentence: %q", wrong, got)
		}
	}
}
