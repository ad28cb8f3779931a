package record_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/record"
)

// A record has a place, and its kind comes from its type.
func ExampleNew() {
	r := record.New("result")
	r.Header().At = record.Pos{File: "results/a.json", Line: 3, Col: 1}
	fmt.Println(r.Kind(), "at", r.Header().At)
	fmt.Println(record.New("guess") == nil)
	// Output:
	// result at results/a.json:3:1
	// true
}

// A slug names a text in an address; some words cannot be the name of a directory everywhere.
func ExampleSlug() {
	fmt.Println(record.Slug("Llama 3.1 8B"), record.ReservedSlug("con"))
	// Output:
	// llama-3.1-8b true
}
