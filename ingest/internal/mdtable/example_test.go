package mdtable_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/mdtable"
)

// A table in a Markdown text, with the line of each row.
func ExampleParse() {
	for _, b := range mdtable.Parse(
		[]byte("# Results\n\n| GPU | tok/s |\n| --- | ---: |\n| *MI100* | 41.2 |\n")).Blocks {
		if t, ok := b.(*mdtable.Table); ok {
			for _, row := range t.Rows {
				fmt.Println(row[0].Line, row[0].Text, row[t.Column("tok/s")].Text)
			}
		}
	}
	// Output:
	// 5 MI100 41.2
}
