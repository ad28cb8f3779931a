package site

import (
	"bytes"
	"strings"
	"testing"
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
	c := cell{text: hostile, sub: hostile, exact: hostile, href: hostile, note: hostile, flag: hostile, id: hostile, was: hostile}
	code := c
	code.code, code.head = true, true
	tb := &table{caption: hostile, columns: []column{{title: hostile, unit: hostile}, {title: hostile, hidden: true, num: true}},
		groups: []group{{title: hostile, span: 2}}, rows: []row{{id: hostile, cells: []cell{c, code}}}}
	got := render(t, tb.fragment())
	for _, bad := range []string{"<script", "<img", `="alert`, "\x00", "\xff", `onerror="`} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in the markup:\n%s", bad, got)
		}
	}
	if n := strings.Count(got, "&lt;script&gt;alert(1)&lt;/script&gt;"); n < 15 {
		t.Errorf("the text itself stands in the markup %d times, want each of its places", n)
	}
}

func TestMissingCellHasWords(t *testing.T) {
	tb := &table{caption: "c", columns: []column{{title: "a"}}, rows: []row{{cells: []cell{missing("")}}, {cells: []cell{missing("does not fit")}}}}
	got := render(t, tb.fragment())
	for _, want := range []string{`<span class="vh">not recorded</span>`, `<td class="na">does not fit</td>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestWebAddress(t *testing.T) {
	for s, want := range map[string]string{
		"https://example.org/a?b=c": "https://example.org/a?b=c",
		" http://example.org ":      "http://example.org",
		"javascript:alert(1)":       "",
		"data:text/html,x":          "",
		"//example.org":             "",
		"file:///etc/passwd":        "",
		"example.org":               "",
		"":                          "",
	} {
		if got := webAddress(s); got != want {
			t.Errorf("webAddress(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct{ from, to, anchor, want string }{
		{"", "models/x", "", "models/x/index.html"},
		{"", "", "", "index.html"},
		{"models/x", "", "scorecard", "../../index.html#scorecard"},
		{"models/x", "models/x", "ranked", "#ranked"},
		{"models/x", "models", "", "../../models/index.html"},
		{"runs/a/records-1", "runs/a", "raw", "../../../runs/a/index.html#raw"},
	} {
		if got := place(c.from).page(c.to, c.anchor); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestHeat(t *testing.T) {
	h := newHeat([]float64{139, 199, 271, 276, 303, 597, 655, 657, 916, 1440}, false)
	if len(h.limits) != 4 {
		t.Fatalf("limits %v, want four", h.limits)
	}
	if got := h.class(139) + h.class(1440); got != "h1h5" {
		t.Errorf("worst and best are %s, want h1h5", got)
	}
	lower := newHeat([]float64{139, 199, 303, 597, 1440}, true)
	if got := lower.class(139) + lower.class(1440); got != "h5h1" {
		t.Errorf("where lower is better: %s, want h5h1", got)
	}
	if steps := h.legend(shortNumber); len(steps) != 5 || steps[0].Class != "h1" || !strings.HasPrefix(steps[0].Text, "< ") || !strings.HasPrefix(steps[4].Text, "≥ ") {
		t.Errorf("legend %v", steps)
	}
	// Two values, equal ones, zeros and negatives make no scale and no panic.
	for _, vs := range [][]float64{nil, {1}, {1, 2}, {5, 5, 5}, {0, 1, 2}, {-1, 1, 2}} {
		if h := newHeat(vs, false); len(h.limits) != 0 || h.class(1) != "h2" || h.legend(shortNumber) != nil {
			t.Errorf("%v gave limits %v", vs, h.limits)
		}
	}
}

func TestPublishedNumber(t *testing.T) {
	for s, want := range map[string]float64{"~8500 t/s ": 8500, "~36 t/s for each request": 36, "~150k tokens": 150000, "~0k tokens": 0, "NA": 0, "": 0} {
		got, ok := publishedNumber(s)
		if ok != (want > 0) || ok && got != want {
			t.Errorf("publishedNumber(%q) = %v, %v, want %v", s, got, ok, want)
		}
	}
	for s, want := range map[string]string{"~8500 t/s ": "~8\u202f500", "~150k tokens": "~150k", "NA": "NA"} {
		if got := publishedShort(s); got != want {
			t.Errorf("publishedShort(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	for s, want := range map[string]string{"a/b-c.d:1": "a/b-c.d:1", "": "''", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'", `{"image": 2}`: `'{"image": 2}'`} {
		if got := shellQuote(s); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestPythonText(t *testing.T) {
	for s, want := range map[string]string{"null": "None", "true": "True", "false": "False", `["*"]`: "['*']", `[]`: "[]", `"auto"`: "auto", "0.9": "0.9"} {
		if got := pythonText([]byte(s)); got != want {
			t.Errorf("pythonText(%s) = %s, want %s", s, got, want)
		}
	}
}
