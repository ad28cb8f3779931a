package publish_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/inferdex/inferdex/site/publish"
)

// A site is written as a draft and seen when it is whole.
func Example() {
	dir, err := os.MkdirTemp("", "publish")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	public := filepath.Join(dir, "public")

	own := func([]string) error { return errors.New("the site of somebody else") } // there is none yet
	draft, err := publish.Begin(public, filepath.Join(dir, ".inferdex"), own)
	if err != nil {
		log.Fatal(err)
	}
	defer draft.Abort() // nothing after Commit
	if err := draft.Write("index.html", []byte("<!DOCTYPE html>")); err != nil {
		log.Fatal(err)
	}
	_, err = os.Stat(public)
	fmt.Println("before Commit, there is no site:", os.IsNotExist(err))

	if err := draft.Commit(); err != nil {
		log.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(public, "index.html"))
	fmt.Println(string(page), err)
	// Output:
	// before Commit, there is no site: true
	// <!DOCTYPE html> <nil>
}
