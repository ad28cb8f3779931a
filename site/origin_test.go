package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// partsOf are all pages and files of a catalog that say what they are made of, by that and their paths, each as the
// text that it becomes.
func partsOf(t *testing.T, c *catalog.Catalog, names *settings.Names, o view.Options) map[string]string {
	t.Helper()
	o.Rest, o.Runs = "the rest", map[string]string{}
	for _, r := range c.Runs {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		o.Runs[r.ID] = string(text)
	}
	parts := map[string]string{}
	put := func(of, path, text string) {
		if of != "" {
			parts[of+" "+path] = text
		}
	}
	ix := figure.NewIndex(c, names)
	ix.Freshen(settings.Freshness{MaxAge: 30})
	s := New(ix, c, o)
	write := func(f page.File) string {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		return b.String()
	}
	for p, err := range s.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		of := p.Of
		if of == "" {
			continue
		}
		title, description := p.Head()
		if p, err = p.Make(); err != nil {
			t.Fatal(err)
		}
		if title != p.Title || description.Text() != p.Description.Text() {
			t.Errorf("%s is %q, %q and was to be %q, %q", p.Path, p.Title, p.Description.Text(), title, description.Text())
		}
		params, err := json.Marshal([]any{p.Title, p.Description, p.Kind, p.Params})
		if err != nil {
			t.Fatal(err)
		}
		text := string(params)
		var fragments []string
		for name, f := range p.Fragments {
			fragments = append(fragments, name+sitetest.Written(t, f))
		}
		slices.Sort(fragments)
		if p.Files != nil {
			for f := range p.Files {
				fragments = append(fragments, f.Path+write(f))
			}
		}
		put(of, p.Path, text+fmt.Sprint(fragments))
	}
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Of == "" {
			continue
		}
		list := []page.File{f}
		if f.All != nil {
			if list, err = f.All(); err != nil {
				t.Fatal(err)
			}
		}
		for _, of := range list {
			put(f.Of, of.Path, write(of))
		}
	}
	return parts
}

// Pages and files that say that they are made of the same are the same, whichever run comes or goes.
func TestOrigins(t *testing.T) {
	names := sitetest.Names(t)
	_, hand, config := sitetest.Catalog(t)
	demo, err := catalog.Open(os.DirFS("../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		name string
		*catalog.Catalog
		most int // runs that are taken away, one at a time
	}{{"hand", hand, 10}, {"demonstration", demo, 2}} {
		name, c := of.name, of.Catalog
		o := view.Options{Config: config, NoPreviews: true}
		all := partsOf(t, c, names, o)
		if len(all) < len(c.Runs) {
			t.Fatalf("%s: %d parts of %d runs say what they are made of", name, len(all), len(c.Runs))
		}
		kept, accelerators := 0, 0
		for i := 0; i < len(c.Runs); i += (len(c.Runs)-1)/of.most + 1 {
			r := c.Runs[i]
			without := &catalog.Catalog{Inputs: c.Inputs, Raw: c.Raw}
			without.Runs = slices.Delete(slices.Clone(c.Runs), i, i+1)
			for at, text := range partsOf(t, without, names, o) {
				if before, ok := all[at]; ok {
					kept++
					if strings.Contains(at, " "+page.PathHardware+"/") {
						accelerators++
					}
					if before != text {
						t.Errorf("%s without %s: %s is another one and is said to be made of the same\n%s", name, r.ID, at,
							differ(before, text))
					}
				}
			}
		}
		if kept == 0 || accelerators == 0 {
			t.Errorf("%s: %d parts, of them %d pages of accelerators, are made of the same without a run", name, kept, accelerators)
		}
		t.Logf("%s: %d runs, %d parts kept", name, len(c.Runs), kept)
	}
}

// differ is where two texts begin to differ.
func differ(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-80)
	return a[from:min(len(a), i+80)] + "\n" + b[from:min(len(b), i+80)]
}
