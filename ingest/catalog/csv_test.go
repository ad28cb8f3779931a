package catalog

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
)

// What a spreadsheet would run is shown instead; numbers, also negative and infinite ones, are numbers.
func TestCSVCellsAreNoFormulas(t *testing.T) {
	var b strings.Builder
	c := NewCSV(&b)
	c.Write([]string{`=HYPERLINK("x")`, "+1+1", "-2+3", "@SUM(A1)", "\tx", "-0.5", "+3", "-inf", "a=b", "", "1e5"})
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "\"'=HYPERLINK(\"\"x\"\")\",'+1+1,'-2+3,'@SUM(A1),'\tx,-0.5,+3,-inf,a=b,,1e5\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// What a terminal would run is a replacement character; a tab and the end of a line are text.
func TestCSVCellsAreNoCommands(t *testing.T) {
	var b strings.Builder
	c := NewCSV(&b)
	c.Write([]string{"a\x1b[31m", "b\u009bm\a", "c\td", "e\nf", "é\u2028"})
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "a\uFFFD[31m,b\uFFFDm\uFFFD,c\td,\"e\nf\",é\u2028\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// A row is what encoding/csv writes of its cells, in one part or in several.
func TestCSVRowsAreThoseOfTheLibrary(t *testing.T) {
	cells := []string{"", "a", "a b", " a", "\u00a0a", `\.`, `a\.`, `"`, `a"b"c`, "a,b", "a\rb", "a\r\nb", "\n", ".5", "é", "(x)",
		"tok/s", "a'b", "#", "1.25", "a\tb", "\u2028a", "\ufffd"}
	for i := range cells {
		row := append(cells[i:len(cells):len(cells)], cells[:i]...)
		var want, got bytes.Buffer
		w := csv.NewWriter(&want)
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		c := NewCSV(&got)
		c.Write(row)
		c.WriteCells(c.Cells(Cells("used before"), row[:1]...), c.Cells(nil, row[1:7]...), c.Cells(nil, row[7:]...))
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String()+want.String() {
			t.Errorf("%q, want twice %q", got.String(), want.String())
		}
	}
}
