package inferdex

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The embed directive leaves out names that it does not like without a word. What the program carries is what
// lies in the repository.
func TestEverythingIsEmbedded(t *testing.T) {
	list := func(fsys fs.FS) []string {
		var names []string
		for _, dir := range []string{"layouts", "assets", "content", "data/names"} {
			err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					names = append(names, name)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(names)
		return names
	}
	on, in := list(os.DirFS(".")), list(Files)
	if d := cmp.Diff(on, in); d != "" {
		t.Errorf("-on disk +embedded:\n%s", d)
	}
	for _, name := range in {
		// Hugo would publish a Go file in content/; and what an editor leaves behind helps nobody.
		base := name[strings.LastIndex(name, "/")+1:]
		if strings.HasSuffix(base, ".go") || strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") ||
			strings.HasSuffix(base, ".orig") {
			t.Errorf("%s: does not belong here", name)
		}
	}
}
