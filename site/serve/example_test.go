package serve_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"strings"
	"testing/fstest"

	"github.com/inferdex/inferdex/site/serve"
)

// A site is built, and shown until the context ends. Here a program looks at it instead of a person.
func ExampleRun() {
	ctx, cancel := context.WithCancel(context.Background())
	ready, built := make(chan string, 1), make(chan bool)
	go func() {
		defer cancel()
		url := <-ready
		<-built
		answer, err := http.Get(url)
		if err != nil {
			log.Print(err)
			return
		}
		defer answer.Body.Close()
		page, _ := io.ReadAll(answer.Body)
		fmt.Println(answer.Status, strings.Contains(string(page), "hello"))
	}()
	err := serve.Run(ctx, serve.Options{
		Addr:    "127.0.0.1:0",
		Dir:     func() fs.FS { return fstest.MapFS{"index.html": {Data: []byte("<body>hello</body>")}} },
		Rebuild: func(context.Context, func(string)) error { close(built); return nil },
		Ready:   func(url string) { ready <- url },
	})
	fmt.Println(err)
	// Output:
	// 200 OK true
	// <nil>
}
