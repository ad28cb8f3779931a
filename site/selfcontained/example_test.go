package selfcontained_test

import (
	"fmt"
	"log"

	"github.com/inferdex/inferdex/site/selfcontained"
)

// A page with its style sheet, and a link to another page of a site that is published.
func Example() {
	files := map[string][]byte{
		"cards/x/index.html": []byte(`<html><head><link rel="stylesheet" href="../../site.css"></head>` +
			`<body><a href="../../runs/a/index.html">Run a</a></body></html>`),
		"site.css": []byte("b{color:red}"),
	}
	file, err := selfcontained.Page(files, "cards/x/index.html", "https://bench.example/")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(file))
	// Output:
	// <html><head>
	// <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; style-src 'sha256-ypIZpeWh67Lh3q46jpjGW7VCAJpmEqcFe8Dl5B2rXQU='"><style>b{color:red}</style>
	// </head><body><a href="https://bench.example/runs/a/">Run a</a></body></html>
}
