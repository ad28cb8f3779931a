package hugo_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"testing/fstest"

	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/page"
)

// A page is rendered by the layout of its kind.
func ExampleBuild() {
	layouts := fstest.MapFS{"card.html": {Data: []byte("<h1>{{ .Title }}</h1> peak {{ .Params.page.peak }} tok/s")}}
	pages := func(yield func(*page.Page, error) bool) {
		yield(&page.Page{Path: "cards/x", Kind: "card", Title: "X & Y", Params: map[string]any{"peak": 1234}}, nil)
	}
	_, err := hugo.Build(context.Background(), hugo.Input{Title: "Bench", Layouts: []fs.FS{layouts}, Pages: pages},
		func(name string, data []byte) error {
			fmt.Printf("%s: %s\n", name, data)
			return nil
		})
	if err != nil {
		log.Fatal(err)
	}
	// Output: cards/x/index.html: <h1>X &amp; Y</h1> peak 1234 tok/s
}
