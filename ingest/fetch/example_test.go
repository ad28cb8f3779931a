package fetch_test

import (
	"context"
	"fmt"
	"os"

	"github.com/inferdex/inferdex/ingest/fetch"
)

// What cannot be asked for is said before anything is asked.
func ExampleGitHub() {
	dir, err := os.OpenRoot(os.TempDir())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dir.Close()
	for _, err := range fetch.GitHub(context.Background(), dir,
		fetch.Query{Owner: "acme", Repo: "bench", Names: []string{"["}}, fetch.Options{}) {
		fmt.Println(err)
	}
	// Output:
	// pattern "[" of names: syntax error in pattern
}
