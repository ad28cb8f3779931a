package mdtable

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// print writes a document as text, one line a block or cell.
func print(d *Doc) string {
	var b strings.Builder
	lines := func(ls []Line) {
		for _, l := range ls {
			fmt.Fprintf(&b, "\n  %d:%d %q", l.Line, l.Col, l.Text)
			if l.Raw != l.Text {
				fmt.Fprintf(&b, " raw %q", l.Raw)
			}
		}
	}
	cells := func(cs []Cell) {
		for _, c := range cs {
			fmt.Fprintf(&b, " %d:%d %q", c.Line, c.Col, c.Text)
		}
	}
	if d.Front != nil {
		b.WriteString("front")
		lines(d.Front)
		b.WriteString("\n")
	}
	for _, bl := range d.Blocks {
		fmt.Fprintf(&b, "%d ", bl.At())
		switch bl := bl.(type) {
		case *Heading:
			fmt.Fprintf(&b, "heading %d %q", bl.Level, bl.Text)
		case *Paragraph:
			b.WriteString("paragraph")
			lines(bl.Lines)
		case *Item:
			fmt.Fprintf(&b, "item %d", bl.Depth)
			lines(bl.Lines)
		case *Table:
			b.WriteString("table")
			cells(bl.Header)
			for _, r := range bl.Rows {
				b.WriteString("\n ")
				cells(r)
			}
		case *Code:
			fmt.Fprintf(&b, "code %q %q", bl.Lang, bl.Text)
		case *HTML:
			b.WriteString("html")
			lines(bl.Lines)
		case *Comment:
			b.WriteString("comment")
			lines(bl.Lines)
		case *Rule:
			b.WriteString("rule")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"headings", "Card for X\n==========\n\n## A *b* `c` &amp; d\\_e\n\nTwo\n---\n", `1 heading 1 "Card for X"
4 heading 2 "A b c & d_e"
6 heading 2 "Two"
`},
		{"table", "text\n\n|Metric|Value|\n| :---: | ---: |\n|a \\| b|**~13** t/s |\n| `x|\n", `1 paragraph
  1:1 "text"
3 table 3:2 "Metric" 3:9 "Value"
  5:2 "a | b" 5:9 "~13 t/s"
  6:3 "` + "`" + `x" 6:0 ""
`},
		{"paragraph", "**Model:** [a/b](http://x.example)\nFOO_BAR=1 vllm serve m \\\n--x '{\"a\": 2}'\n", `1 paragraph
  1:1 "Model: a/b" raw "**Model:** [a/b](http://x.example)"
  2:1 "FOO_BAR=1 vllm serve m" raw "FOO_BAR=1 vllm serve m \\"
  3:1 "--x '{\"a\": 2}'"
`},
		{"list", "- one\n  more\n- two\n  - sub\n\n    ```json\n    {}\n    ```\n", `1 item 0
  1:3 "one"
  2:3 "more"
3 item 0
  3:3 "two"
4 item 1
  4:5 "sub"
7 code "json" "{}\n"
`},
		{"html", "<!-- \nModel: x\n-->\n\n<details>\n<b>y</b>\n</details>\n\n---\n\na <b>b</b> ![i](j)\n", `1 comment
  1:1 "" raw "<!-- "
  2:1 "Model: x"
  3:1 "" raw "-->"
5 html
  5:1 "<details>"
  6:1 "<b>y</b>"
  7:1 "</details>"
9 rule
11 paragraph
  11:1 "a b" raw "a <b>b</b> ![i](j)"
`},
		{"front", "---\ntitle: x\n---\n# T\n", `front
  2:1 "title: x"
4 heading 1 "T"
`},
		{"quote and CRLF", "> a\r\n> b\r\n\r\n# c\r\n", `1 paragraph
  1:3 "a"
  2:3 "b"
4 heading 1 "c"
`},
		{"not UTF-8", "# a\xff\n", "1 heading 1 \"a\uFFFD\"\n"},
		{"empty", "", ""},
		{"only a fence", "---", "1 rule\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, print(Parse([]byte(c.in)))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Texts made to hurt: none may panic, and none may take the square of its length.
func TestParseHostile(t *testing.T) {
	for name, s := range map[string]string{
		"brackets":  strings.Repeat("[", 100_000),
		"images":    strings.Repeat("![", 50_000),
		"links":     strings.Repeat("[a](", 30_000),
		"quotes":    strings.Repeat("> ", 50_000) + "x",
		"lists":     strings.Repeat("- ", 50_000) + "x",
		"stars":     strings.Repeat("*a **b ", 20_000),
		"ticks":     strings.Repeat("`a``b", 20_000),
		"tags":      strings.Repeat("<a ", 50_000),
		"comments":  strings.Repeat("<!--", 50_000),
		"pipes":     "|a|b|\n|-|-|\n" + strings.Repeat("|", 100_000),
		"rows":      "|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 50_000),
		"long line": strings.Repeat("x ", 1<<20),
		"deep list": deepList(1500),
		"paragraph": strings.Repeat("a *b* [c\n", 30_000),
		"refs":      strings.Repeat("[a]: b\n", 30_000),
	} {
		t.Run(name, func(t *testing.T) {
			Parse([]byte(s)) // a fault shows as a panic, or as minutes instead of milliseconds
		})
	}
}

func deepList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*i) + "- x\n")
	}
	return b.String()
}

func TestColumn(t *testing.T) {
	d := Parse([]byte("|Metric|Value|\n|-|-|\n|a|1|\n"))
	tab := d.Blocks[0].(*Table)
	if i := tab.Column("amount", "value"); i != 1 {
		t.Errorf("Column = %d, want 1", i)
	}
	if i := tab.Column("none"); i != -1 {
		t.Errorf("Column = %d, want -1", i)
	}
}
