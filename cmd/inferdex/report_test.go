package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/check"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// reportOf is what inferdex report writes to standard output.
func reportOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(context.Background(), strings.NewReader(""), &out, &errs, append([]string{"-C", dir, "report"}, args...))
	if code != 0 || errs.Len() > 0 {
		t.Fatalf("report %q: exit status %d\n%s", args, code, errs.String())
	}
	return out.String()
}

// A file of runs of several tools has all that their pages have, and leads nowhere by itself.
func TestReport(t *testing.T) {
	const dir = "../.."
	c, err := catalog.Open(os.DirFS(filepath.Join(dir, catalogDir)))
	if err != nil {
		t.Fatal(err)
	}
	names, _ := settings.LoadNames(os.DirFS(filepath.Join(dir, dataDir)))
	g := view.New(figure.NewIndex(c, names), c, view.Options{SelfContained: true})
	for i, name := range []string{"mistral-small-24b-instruct-2501-on-mi300x", "jaxpmmiy6jlr", "43v5hfwqyjme",
		"phi-3-vision-128k-instruct-on-a100-80gb"} {
		base := []string{"", "https://bench.example/x/"}[i%2]
		file := reportOf(t, dir, name, "--base-url", base)
		staysWithin(t, file, base)
		p, err := g.Report(name)
		if err != nil {
			t.Fatal(err)
		}
		shown := pageText(file)
		stats := p.Params.(page.ReportView).Stats
		if len(stats) == 0 {
			t.Errorf("%s has no headline figures", name)
		}
		for _, s := range stats {
			if want := pageText(page.Escape(s.Value + " " + s.Unit)); !strings.Contains(shown, want) {
				t.Errorf("%s: the file lacks %q", name, want)
			}
		}
		for _, section := range []string{"What the numbers say", "Summary", "Reproduce", "Provenance", "Raw records"} {
			if !strings.Contains(file, ">"+section+"</a></h2>") {
				t.Errorf("%s: the file has no section %q", name, section)
			}
		}
		if !strings.Contains(file, `<svg class="ch`) {
			t.Errorf("%s: the file has no chart", name)
		}
		plain := html.UnescapeString(file)
		for _, r := range recordsOf(t, g, name) {
			if !strings.Contains(plain, string(r.Raw)) {
				t.Fatalf("%s: the file lacks the record %.200s", name, r.Raw)
			}
		}
	}
}

// recordsOf are the raw records of a run or of all runs of a card.
func recordsOf(t *testing.T, g *view.Site, name string) (all []catalog.RawRecord) {
	t.Helper()
	card, r, err := g.Index.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	runs := []*figure.Run{r}
	if card != nil {
		runs = card.Runs
	}
	for _, r := range runs {
		records, err := g.Raw(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, records...)
	}
	return all
}

// pageText is the text of a page, on one line.
func pageText(file string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(file))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.Write(z.Text())
		}
	}
}

// staysWithin holds a file against what it may ask for: nothing. Links lead to its own places, to the published site
// below base, and to what is published elsewhere.
func staysWithin(t *testing.T, file, base string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(file))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		if tok.Type != html.StartTagToken && tok.Type != html.SelfClosingTagToken {
			continue
		}
		if slices.Contains([]string{"script", "iframe", "object", "embed", "base", "form", "input", "audio", "video"},
			tok.Data) {
			t.Errorf("the file has %s", tok)
		}
		for _, a := range tok.Attr {
			within := strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Val, "data:image/")
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcset", a.Key == "action":
				t.Errorf("the file has %s", tok)
			case a.Key != "src" && a.Key != "href" || within:
			case tok.Data == "a" || tok.Data == "link" && slices.Contains(tok.Attr, html.Attribute{Key: "rel", Val: "canonical"}):
				if !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") {
					t.Errorf("the file has %s", tok)
				}
			default:
				t.Errorf("the file has %s", tok)
			}
		}
	}
	if (base != "") != strings.Contains(file, `href="`+base) && base != "" {
		t.Errorf("nothing leads to %s", base)
	}
	for _, bad := range []string{"@import", "url(h", "url(\"h", "url(/"} {
		if strings.Contains(file, bad) {
			t.Errorf("the file has %q", bad)
		}
	}
	// What a page of a site must keep, and this one is no part of a site.
	other := []string{"csp-policy", "inline-style", "budget-html", "budget-loaded", "near-budget", "absolute-link"}
	site, err := check.Site(fstest.MapFS{"index.html": {Data: []byte(file)}}, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range site.Findings {
		if !slices.Contains(other, f.Code) {
			t.Errorf("%s", f)
		}
	}
}

// What files, settings, notes and style sheets of a catalog say becomes nothing but text and pictures of the file.
func TestReportHostile(t *testing.T) {
	dir := t.TempDir()
	const bad = `</title></style><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>`
	for i := range 3 {
		goldentest.Write(t, filepath.Join(dir, "data", "raw", fmt.Sprintf("%d.json", i)), []byte(fmt.Sprintf(
			`{"date": "20250101-12000%d", "backend": "vllm", "model_id": %q, "num_prompts": 100, "request_rate": %d,
"duration": 10.0, "completed": 100, "total_input_tokens": 102400, "total_output_tokens": 12800,
"request_throughput": 10.0, "output_throughput": 128%d.0, "total_token_throughput": 11520.0, "mean_tpot_ms": 6.0,
"mean_ttft_ms": 50.0, "median_ttft_ms": 48.0, "p99_ttft_ms": 80.0, "note": %q}`, i, "org/"+bad, i+1, i, bad)))
	}
	for name, text := range map[string]string{
		"data/raw/run.toml": "hardware = '''H100 " + bad + "'''\nengine = '''" + bad + "'''\nnotes = '''" + bad + "'''\n",
		"inferdex.toml":     "title = '''" + bad + "'''\nnotice = '''" + bad + "'''\n",
		"assets/css/custom.css": "b { background: url(https://evil.example/x.png) } i { background: url(../x/dot.svg) }\n" +
			"u::before { content: \"</style><script>alert(1)</script>\" }\n",
	} {
		goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", dir, "ingest"}); code != 0 {
		t.Fatalf("ingest: exit status %d\n%s", code, errs.String())
	}
	c, err := catalog.Open(os.DirFS(filepath.Join(dir, catalogDir)))
	if err != nil || len(c.Runs) != 1 {
		t.Fatalf("%d runs, %v", len(c.Runs), err)
	}
	id := c.Runs[0].ID
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	slug := figure.NewIndex(c, names).Runs[0].Card.Slug
	for name, to := range map[string]string{id: "runs/" + id, slug: "cards/" + slug} {
		goldentest.Write(t, filepath.Join(dir, "content", filepath.FromSlash(to)+".md"), []byte("A **note**, "+
			"![the picture](https://evil.example/y.png) "+
			"![dot](dot.svg) <iframe src=\"https://evil.example/\"></iframe>\n"))
		goldentest.Write(t, filepath.Join(dir, "content", filepath.Dir(filepath.FromSlash(to)), "dot.svg"),
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
		for _, base := range []string{"", "https://bench.example/"} {
			file := reportOf(t, dir, name, "--base-url", base)
			staysWithin(t, file, base)
			for _, bad := range []string{"<img src=h", "alert(1)</style", "javascript:"} {
				if strings.Contains(file, bad) {
					t.Errorf("%s: the file has %q", name, bad)
				}
			}
			for _, want := range []string{"<strong>note</strong>", "the picture", `src="data:image/svg+xml;base64,`} {
				if !strings.Contains(file, want) {
					t.Errorf("%s: the file lacks %q", name, want)
				}
			}
		}
	}
}

// A file is there whole or not at all.
func TestReportFile(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "a.html")
	write := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.NewReader(""), &out, &errs,
			append([]string{"-C", "../..", "report"}, args...))
		return code, out.String() + errs.String()
	}
	if code, said := write("jaxpmmiy6jlr", "-o", whole); code != exitDone || said != "" {
		t.Errorf("exit status %d: %s", code, said)
	}
	before, err := os.ReadFile(whole)
	if err != nil || !bytes.HasPrefix(before, []byte("<!DOCTYPE html>")) {
		t.Fatalf("%.60s, %v", before, err)
	}
	if code, _ := write("nobody", "-o", whole); code != exitUsage {
		t.Errorf("an unknown name: exit status %d", code)
	}
	if code, said := write("jaxpmmiy6jlr", "-o", dir); code != exitUsage || !strings.Contains(said, "is a directory") {
		t.Errorf("a directory: exit status %d: %s", code, said)
	}
	link := filepath.Join(dir, "link.html")
	if err := os.Symlink("a.html", link); err != nil {
		t.Fatal(err)
	}
	if code, said := write("43v5hfwqyjme", "-o", link); code != exitDone {
		t.Errorf("a link: exit status %d: %s", code, said)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	stop, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(stop, strings.NewReader(""), &out, &errs,
		[]string{"-C", "../..", "report", "jaxpmmiy6jlr", "-o", filepath.Join(dir, "b.html")}); code != exitInterrupted {
		t.Errorf("interrupted: exit status %d", code)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
}

// A chart goes to standard output or to a file, whose name says whether it is a PNG; it does not go where the next command
// would take it for something else.
func TestChartFile(t *testing.T) {
	dir := t.TempDir()
	draw := func(args ...string) (out, errs bytes.Buffer, code int) {
		code = run(context.Background(), strings.NewReader(""), &out, &errs,
			append([]string{"-C", "../..", "chart", "jaxpmmiy6jlr"}, args...))
		return out, errs, code
	}
	for _, c := range []struct{ file, flags string }{
		{"a.svg", ""}, {"a.png", "--format png"}, {"b.PNG", "--theme dark --format png --metric ttft"}, {"svg.png", "--format svg"},
	} {
		flags := strings.Fields(c.flags)
		want, errs, code := draw(flags...)
		if code != exitDone || want.Len() == 0 {
			t.Fatalf("%s: exit status %d: %s", c.flags, code, errs.String())
		}
		if c.file != "svg.png" { // the name says it
			flags = slices.DeleteFunc(flags, func(s string) bool { return s == "--format" || s == "png" })
		}
		name := filepath.Join(dir, c.file)
		said, errs, code := draw(append(flags, "-o", name)...)
		if got, err := os.ReadFile(name); code != exitDone || said.Len()+errs.Len() > 0 || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: exit status %d, %d bytes, want %d, %v: %s", c.file, code, len(got), want.Len(), err, errs.String())
		}
	}
	for _, flags := range []string{"-o data/raw/x.svg", "-o public/x.svg", "--list -o x.svg", "-o " + dir} {
		if _, errs, code := draw(strings.Fields(flags)...); code != exitUsage {
			t.Errorf("%s: exit status %d: %s", flags, code, errs.String())
		}
	}
}
