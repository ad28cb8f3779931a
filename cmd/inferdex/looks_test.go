package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// TestLooks builds a catalog with a logo, an accent, a menu, a footer and pages of its own, changes a copy of a layout,
// and has that copy lag behind the program.
func TestLooks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data/raw/a.jsonl": `{"date": "20250101-120000", "backend": "vllm", "model_id": "org/tiny-1b", "num_prompts": 10, ` +
			`"request_rate": 1.0, "duration": 10.0, "completed": 10, "total_input_tokens": 1000, ` +
			`"total_output_tokens": 200, "request_throughput": 1.0, "output_throughput": 20.0, "total_token_throughput": 120.0, "mean_ttft_ms": 50.0, ` +
			`"median_ttft_ms": 40.0, "p99_ttft_ms": 90.0}`,
		"inferdex.toml": "[site]\nlogo = \"assets/mark.svg\"\naccent = \"#0a7f3f\"\naccent_dark = \"#5fd38d\"\n" +
			"footer = \"Run by <b>us</b>\"\n[[site.menu]]\ntext = \"Wiki <x>\"\nurl = \"https://wiki.example/?a=1&b=2\"\n" +
			"[[site.menu]]\ntext = \"All\"\nurl = \"runs/?q=a&s=b#list\"\n[[site.menu]]\ntext = \"Lost\"\nurl = \"lost.example\"\n",
		"assets/mark.svg":       `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>`,
		"content/team.md":       "---\ntitle: Our <team>\nweight: 2\n---\nText\n",
		"content/first.md":      "---\ntitle: First\nweight: 1\n---\nText\n",
		"content/hidden.md":     "---\ntitle: Hidden\nin_menu: false\n---\nText\n",
		"content/deep/below.md": "---\ntitle: Below\n---\nText\n",
		"content/about/more.md": "---\ntitle: More\n---\nText\n",
	} {
		goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	do := func(want int, args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &said, append([]string{"-C", dir}, args...)); code != want {
			t.Fatalf("inferdex %s: exit status %d\n%s", strings.Join(args, " "), code, said.String())
		}
		return out.String() + said.String()
	}
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	do(0, "ingest")
	said := do(0, "build")
	if !strings.Contains(said, `inferdex.toml:14: leads to "lost.example", which is not on the site;`) || strings.Count(said, "leads to") != 1 {
		t.Errorf("want the one entry of the menu that leads to nothing:\n%s", said)
	}
	page := read("public/team/index.html")
	menu := regexp.MustCompile(`(?s)<nav class=main.*?</nav>`).FindString(page)
	_, own, _ := strings.Cut(menu, "About</a>")
	const want = `<li><a href="../first/index.html">First</a>` +
		`<li><a href="../team/index.html" aria-current="true">Our &lt;team&gt;</a>` +
		`<li><a href="https://wiki.example/?a=1&amp;b=2" rel="external">Wiki &lt;x&gt;</a>` +
		`<li><a href="../runs/index.html?q=a&amp;s=b#list">All</a>` +
		`<li><a href="../lost.example">Lost</a></ul></nav>`
	if !strings.Contains(page, `<meta name=description content="Text">`) {
		t.Error("a page that states no description is described by how it begins")
	}
	if own != want {
		t.Errorf("the menu is\n%s\nwant\n%s", own, want)
	}
	logo := regexp.MustCompile(`<img class=logo src="\.\./(mark\.[0-9a-f]+\.svg)" alt=""`).FindStringSubmatch(page)
	if logo == nil || read("public/"+logo[1]) != read("assets/mark.svg") {
		t.Errorf("no logo in %s", page[:min(len(page), 3000)])
	}
	if !strings.Contains(page, "<p>Run by &lt;b&gt;us&lt;/b&gt;</p>") {
		t.Error("the footer is not there, or not escaped")
	}
	sheets, err := filepath.Glob(filepath.Join(dir, "public", "css", "*.css"))
	if err != nil || len(sheets) != 1 {
		t.Fatal(sheets, err)
	}
	css, err := os.ReadFile(sheets[0])
	if err != nil || !bytes.Contains(css, []byte("--link:#0a7f3f")) || !bytes.Contains(css, []byte("--link:#5fd38d")) {
		t.Error("the accent is not in the style sheet", err)
	}

	do(0, "eject", "layouts/run.html", "layouts/runs.html", "assets/css/chart.css", "assets/ts/copy.ts")
	before := do(0, "build")
	if strings.Contains(before, "lags") {
		t.Errorf("copies of the original lag:\n%s", before)
	}
	if strings.Contains(read("public/runs/index.html"), "inferdex eject") || strings.Contains(page, "inferdex eject") {
		t.Error("the first line of a copy stands on pages")
	}
	list := filepath.Join(dir, "layouts", "runs.html")
	text := read("layouts/runs.html")
	changed := regexp.MustCompile(`[0-9a-f]{12}`).ReplaceAllString(text, "0123456789ab")
	if changed == text {
		t.Fatalf("the copy does not say what it was made of:\n%s", text)
	}
	goldentest.Write(t, list, []byte(strings.Replace(changed, "{{ define \"main\" -}}", "{{ define \"main\" -}}<p>ours</p>", 1)))
	after := do(0, "build")
	if !strings.Contains(after, "layouts/runs.html:1: lags behind the program: the built-in layouts/_partials/report.html") ||
		strings.Count(after, "lags") != 1 {
		t.Errorf("want one copy that lags:\n%s", after)
	}
	if shown := do(0, "eject", "--stdout", "layouts/runs.html"); shown != text {
		t.Errorf("the original is\n%s\nwant\n%s", shown, text)
	}
}
