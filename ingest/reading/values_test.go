package reading_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// A quote that is not closed costs its row, which is named, and none of those behind it.
func TestAnOpenQuoteCostsItsRow(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,\"2\n3,4\n5,6\n":              "1[a b] 2! 3[3 4] 4[5 6]",
		"a,b\n1,\"2\n3,\"4\"\n5,6":            "1[a b] 2! 3[3 4] 4[5 6]",
		"a,b\n\n1,\"2\n\n3,4\n5,\"6":          "1[a b] 3! 5[3 4] 6!",
		"a,b\n1,\"2\"x\n3,4\n":                "1[a b] 2! 3[3 4]",
		"a,b\n1,2\"x\n3,4\n":                  "1[a b] 2! 3[3 4]",
		"a,b\n\"1\n2\",3\n4,\"5\n6,7\n":       "1[a b] 2[1/2 3] 4! 5[6 7]",
		"a,b\r\n1,\"2\r\n3,4\r\n5,\"6\r\n7,8": "1[a b] 2! 3[3 4] 4! 5[7 8]",
		"\"":                                  "1!",
	} {
		var got []string
		for line, cells := range reading.Samples(reading.CSV([]byte(text)), "f", func(r record.Record) {
			got = append(got, fmt.Sprintf("%d!", r.(*record.SyntaxError).At.Line))
		}) {
			got = append(got, fmt.Sprintf("%d%s", line, strings.ReplaceAll(fmt.Sprint(cells), "\n", "/")))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", text, s, want)
		}
	}
}

// The same of a table whose quotes may be anything: there a quote that is not closed swallows no row either.
func TestAnOpenQuoteOfMany(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,\"2\n3,4\n5,6\n":        "1[a b] 2! 3[3 4] 4[5 6]",
		"a,b\n1,2\"x\n3,4\n":            "1[a b] 2[1 2\"x] 3[3 4]",
		"a,b\n1, \"2\n3,\"4\"\n\n5,\"6": "1[a b] 2! 3[3 4] 5!",
		"a,b\n\"1\"\"x\",2\n3,4":        "1[a b] 2[1\"x 2] 3[3 4]",
		"a,b\r\n\"1,2\r\n\"3,4\r\n5,6":  "1[a b] 2! 3! 4[5 6]",
	} {
		var got []string
		rows := reading.CSV([]byte(text))
		rows.LazyQuotes, rows.TrimLeadingSpace = true, true
		for line, cells := range reading.Samples(rows, "f", func(r record.Record) {
			got = append(got, fmt.Sprintf("%d!", r.(*record.SyntaxError).At.Line))
		}) {
			got = append(got, fmt.Sprintf("%d%s", line, strings.ReplaceAll(fmt.Sprint(cells), "\n", "/")))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", text, s, want)
		}
	}
}

// The cells of a printed row are those between its bars, whichever they are; an empty one counts, an end that is missing is none.
func TestCells(t *testing.T) {
	for line, want := range map[string][]string{
		"| a | 1.5 |":       {"a", "1.5"},
		"  │ a b │ 1,000 │": {"a b", "1,000"},
		"┃ a ┃ avg ┃":       {"a", "avg"},
		"| a |  |":          {"a", ""},
		"a | b":             {"a", "b"},
		"| a | b":           {"a", "b"},
		"":                  {""},
	} {
		if got := reading.Cells(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
