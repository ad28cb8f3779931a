package hugo

import (
	"strings"
	"testing"
)

// A page whose Markdown would take minutes is told with its place; pages within the bounds, code and large tables of
// names among them, are not.
func TestPagesAreBounded(t *testing.T) {
	table := func(columns, rows int) string {
		return strings.Repeat("a|", columns-1) + "a\n" + strings.Repeat("-|", columns-1) + "-\n" + strings.Repeat("max_num_seqs|b\n", rows)
	}
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("*a_ ", 50_000), "content/p.md:4:1: *, _ and ~ in one paragraph: 100000, and a page may have 10000: make several paragraphs of it, or a block of code"},
		{"a\n\n" + strings.Repeat("*a_\n", 9_000), "content/p.md:6:1: *, _ and ~ in one paragraph: 10002, and a page may have 10000: make several paragraphs of it, or a block of code"},
		{strings.Repeat(">", 20_000) + " a", "content/p.md:4:1: quotes in each other: 20000, and a page may have 100: quote less deep"},
		{"- a\n" + strings.Repeat(" ", 500) + "- b", "content/p.md:5:1: blanks before a line: 500, and a page may have 400: put fewer lists into each other"},
		{table(5_000, 1), "content/p.md:5:1: columns of a table: 5000, and a page may have 500: make several tables of it"},
		{table(400, 600), "content/p.md:505:1: cells of a table: 200400, and a page may have 200000: make several tables of it"},
		{strings.Repeat("words\n", 400_000), "content/p.md: 2400000 bytes of text, and a page may have 2097152: make several pages of it"},
		{"```\n" + strings.Repeat("*a_ ", 50_000) + "\n```\n", ""},
		{"~~~~\n```\n" + strings.Repeat(">", 200) + "\n~~~~\n", ""},
		{strings.Repeat("*a* _b_\n\n", 20_000), ""},
		{table(5, 30_000), ""},
		{strings.Repeat("> ", 90) + "a", ""},
	} {
		_, err := parseDocument("p.md", []byte("---\ntitle: x\n---\n"+c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.40q: %q, want %q", c.text, got, c.want)
		}
	}
}
