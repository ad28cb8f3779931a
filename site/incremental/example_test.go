package incremental_test

import (
	"crypto/sha256"
	"fmt"

	"github.com/inferdex/inferdex/site/incremental"
)

// site is a last site of one file.
type site struct{}

func (site) Last(name string) ([]byte, bool) { return []byte("<p>8 cards</p>"), name == "index.html" }
func (s site) Is(name string, size int64, sum [sha256.Size]byte) bool {
	data, ok := s.Last(name)
	return ok && int64(len(data)) == size && sha256.Sum256(data) == sum
}
func (site) Keep(name string) error { fmt.Println("kept:", name); return nil }

// A page that is made of the same as in the last build is kept.
func Example() {
	shared := incremental.Sum([]byte("layouts"))
	home := incremental.Parts{"title": incremental.Sum([]byte("Scorecard"))}

	first := incremental.New(site{}, nil, shared)
	first.Made("home", incremental.Digest{}, home.Digest(),
		[]incremental.File{incremental.FileOf("index.html", []byte("<p>8 cards</p>"))}, nil)

	second := incremental.New(site{}, first.Memory(), shared)
	_, ok, err := second.Unchanged("home", incremental.Digest{}, home.Digest())
	fmt.Println(ok, err)
	// Output:
	// kept: index.html
	// true <nil>
}
