package catalog

import (
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
