package jsonval_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
)

// Values follow each other as tools write them; a damaged one has a place, and the next one is read.
func ExampleText_Values() {
	text := []byte("{\"ttft\": NaN}\n{\"ttft\": 0.5\n{\"ttft\": 0.25}\n")
	jsonval.NewText(text).Values(0, len(text), false, func(v jsonval.Value) {
		f, _ := v.Get("ttft").Float()
		fmt.Println("ttft", f)
	}, func(err *jsonval.SyntaxError) {
		fmt.Println(err)
	})
	// Output:
	// ttft NaN
	// unexpected '{' in an object: a comma or '}' should stand here
	// ttft 0.25
}
