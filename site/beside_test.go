package site

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/inferdex/inferdex/site/page"
)

// written is all that is written of a page.
func written(p *page.Page) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(p.Params); err != nil {
		return "", err
	}
	var names []string
	for name := range p.Fragments {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		io.WriteString(h, name)
		if err := p.Fragments[name](h); err != nil {
			return "", err
		}
	}
	if p.Files != nil {
		for f := range p.Files {
			io.WriteString(h, f.Path)
			if err := f.Write(h); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// A page that is written while others are made is the one that is made again when all are made.
func TestPagesBesideOthers(t *testing.T) {
	ix, c, o := testCatalog(t)
	var wg sync.WaitGroup
	count := 0
	for p, err := range New(ix, c, o).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Late {
			continue
		}
		count++
		wg.Go(func() {
			first, err := written(p)
			if err != nil {
				t.Errorf("%s: %v", p.Path, err)
				return
			}
			again, err := p.Make()
			if err != nil {
				t.Errorf("%s: %v", p.Path, err)
				return
			}
			if second, err := written(again); err != nil || first != second {
				t.Errorf("%s: made again it is another page (%v)", p.Path, err)
			}
		})
	}
	wg.Wait()
	if count < 20 {
		t.Errorf("%d pages", count)
	}
}
