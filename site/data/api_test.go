package data

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// TestAPI validates all answers for the catalog of tests against the description that lies beside them.
func TestAPI(t *testing.T) {
	_, hand, _ := sitetest.Catalog(t)
	g := NewSet(view.New(figure.NewIndex(hand, sitetest.Names(t)), hand, view.Options{}), Last{})
	files := g.apiFiles()
	for _, r := range g.Index.Runs {
		files = append(files, g.apiRunFile(r))
	}
	written := func(f page.File) string {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	open := written(files[0])
	var doc struct {
		OpenAPI string
		Paths   map[string]any
	}
	if err := json.Unmarshal([]byte(open), &doc); err != nil || doc.OpenAPI != "3.1.0" || len(doc.Paths) != 2 {
		t.Fatalf("%v: %+v", err, doc)
	}
	seen := map[string]bool{}
	for _, f := range files[1:] {
		if seen[f.Path] {
			t.Errorf("%s is written twice", f.Path)
		}
		seen[f.Path] = true
		name := "Cards"
		if strings.HasPrefix(f.Path, "api/v1/runs/") {
			name = "RunWithNumbers"
		}
		s := goldentest.Schema(t, strings.NewReader(open), "#/components/schemas/"+name)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(written(f)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	if len(files) < 4 {
		t.Errorf("%d files", len(files))
	}
}

func TestSkill(t *testing.T) {
	g := NewSet(view.New(figure.NewIndex(&catalog.Catalog{}, sitetest.Names(t)), nil, view.Options{}), Last{})
	var b bytes.Buffer
	if err := g.writeSkill(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.HasPrefix(s, "---\nname: ") || !strings.Contains(s, "Refuse to answer") ||
		!strings.Contains(s, "`api/v1/cards.json`") {
		t.Errorf("%s", s)
	}
}
