package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// hostile is text that must never be read as markup.
const hostile = `<script>alert(1)</script><img src=x onerror="alert(1)"> ' & "` + "\x00\xff"

func render(t *testing.T, f Fragment) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHostileTextStaysText(t *testing.T) {
	c := Cell{Text: hostile, Sub: hostile, Exact: hostile, Href: hostile, Note: hostile, Flag: hostile, ID: hostile,
		Was: hostile}
	code := c
	code.Code, code.Head = true, true
	tb := &Grid{Caption: hostile, Columns: []Column{{Title: hostile, Unit: hostile},
		{Title: hostile, Hidden: true, Num: true}},
		Groups: []Group{{Title: hostile, Span: 2}}, Rows: []Row{{ID: hostile, Cells: []Cell{c, code}}}}
	got := render(t, FragmentOf(tb.Write))
	for _, bad := range []string{"<script", "<img", `="alert`, "\x00", "\xff", `onerror="`} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the markup:\n%s", bad, got)
		}
	}
	got = strings.ReplaceAll(got, "<wbr>", "") // where a line may end
	if n := strings.Count(got, "&lt;script&gt;alert(1)&lt;/script&gt;"); n < 15 {
		t.Errorf("the text itself stands in the markup %d times, want each of its places", n)
	}
}

// Words that are longer than a narrow column have places where a line may end, between the parts of a version and never
// within a number; shorter ones have none.
func TestLongWordsBreakAtSeparators(t *testing.T) {
	for text, want := range map[string]string{
		"vLLM 0.8.5.post1+gabc1234567": "vLLM 0.8.5<wbr>.post1<wbr>+gabc1234567",
		"llama3_1-405b_finetuned_more": "llama3_<wbr>1-405b_<wbr>finetuned_<wbr>more",
		"0.6.4.post1":                  "0.6.4.post1",
		"1234567890.12345678":          "1234567890.12345678",
		"1234567890.12345678 tok/s":    "1234567890.12345678 tok/s",
	} {
		tb := &Grid{Columns: []Column{{Title: text}}, Rows: []Row{{Cells: []Cell{{Text: text, Sub: text}}}}}
		if got := strings.Count(render(t, FragmentOf(tb.Write)), want+"<"); got != 3 {
			t.Errorf("%q stands as %q %d times, want heading, text and line below", text, want, got)
		}
	}
}

// A piece of a sentence is what it says, whatever it holds, and breaks where cells do.
func TestSentenceHTML(t *testing.T) {
	for _, c := range []struct {
		part Part
		want string
	}{
		{Part{Text: `a <b> & "c"`}, `a &lt;b&gt; &amp; &#34;c&#34;`},
		{Part{Text: "vLLM 0.8.5.post1+gabc.d20250414"}, `vLLM 0.8.5<wbr>.post1<wbr>+gabc<wbr>.d20250414`},
		{Part{Text: "of 2025-04-14"}, `of <span class="nw">2025-04-14</span>`},
		{Part{Text: "2025-04-14", Href: `x.html?a="&b`, Title: "'t"},
			`<a href="x.html?a=&#34;&amp;b" title="&#39;t">2025-04-14</a>`},
		{Part{Text: "from 2025-04-14", Href: "x.html"}, `<a href=x.html>from <span class="nw">2025-04-14</span></a>`},
		{Part{Text: "--a", Code: true}, `<code>--a</code>`},
		{Part{Text: "a", Title: "<t>"}, `<span title="&lt;t&gt;">a</span>`},
	} {
		if got := (Parts{c.part}).HTML(); got != c.want {
			t.Errorf("%+v is %s, want %s", c.part, got, c.want)
		}
	}
}

// A date within a text of a table stays on one line; one alone is a cell that does not wrap anyway.
func TestDateStaysOnOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"2025-04-14, SGLang": `<span class="nw">2025-04-14</span>, SGLang<`,
		"2025-04-14":         ">2025-04-14<",
		"build 12025-04-145": "build 12025-04-145<",
	} {
		tb := &Grid{Columns: []Column{{Title: text}}, Rows: []Row{{Cells: []Cell{{Text: text}}}}}
		if got := render(t, FragmentOf(tb.Write)); strings.Count(got, want) != 2 {
			t.Errorf("%q is not twice %q in %s", text, want, got)
		}
	}
}

// Records keep their quotation marks, and nothing in them is markup all the same.
func TestRecordsStayText(t *testing.T) {
	got := render(t, FragmentOf(func(m *Markup) { m.Records(hostile) }))
	if want := `&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror="alert(1)"&gt; ' &amp; "` + "\uFFFD\uFFFD"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMissingCellHasWords(t *testing.T) {
	tb := &Grid{Caption: "c", Columns: []Column{{Title: "a"}},
		Rows: []Row{{Cells: []Cell{Missing("")}}, {Cells: []Cell{Missing("does not fit")}}}}
	got := render(t, FragmentOf(tb.Write))
	for _, want := range []string{`<span class=vh>not recorded</span>`, `<td class=na>does not fit`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestWebAddress(t *testing.T) {
	goldentest.Table(t, WebAddress, map[string]string{
		"https://example.org/a?b=c": "https://example.org/a?b=c",
		" http://example.org ":      "http://example.org",
		"javascript:alert(1)":       "",
		"data:text/html,x":          "",
		"//example.org":             "",
		"file:///etc/passwd":        "",
		"example.org":               "",
		"":                          "",
	})
}

func TestPlace(t *testing.T) {
	for _, c := range []struct{ from, to, anchor, want string }{
		{"", "models/x", "", "models/x/index.html"},
		{"", "", "", "index.html"},
		{"models/x", "", "scorecard", "../../index.html#scorecard"},
		{"models/x", "models/x", "ranked", "#ranked"},
		{"models/x", "models", "", "../index.html"},
		{"models/x", "models/y", "", "../y/index.html"},
		{"models/x", "hardware/x", "", "../../hardware/x/index.html"},
		{"models/x", "models/x", "", "index.html"},
		{"runs/a/records-1", "runs/a", "raw", "../index.html#raw"},
		{"runs/a", "runs/a/records-1", "", "records-1/index.html"},
		{"runs/a", "runs/ab", "", "../ab/index.html"},
		{"runs/a", "runs/a/b:c", "", "./b:c/index.html"},
	} {
		if got := Place(c.from).To(c.to, c.anchor); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// TestPullRequest is where a pull request is opened, by the address of the repository.
func TestPullRequest(t *testing.T) {
	for repository, want := range map[string]string{
		"https://github.com/o/r":          "https://github.com/o/r/compare",
		"https://github.com/o/r.git":      "https://github.com/o/r/compare",
		"https://gitlab.example.com/o/r/": "https://gitlab.example.com/o/r/-/merge_requests/new",
		"javascript:alert(1)":             "",
		"":                                "",
	} {
		if got := PullRequest(repository); got != want {
			t.Errorf("%q: %q, want %q", repository, got, want)
		}
	}
}
