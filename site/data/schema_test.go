package data

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var b bytes.Buffer
	if err := writeJSON(&b, catalogSchema()); err != nil {
		t.Fatal(err)
	}
	return goldentest.Schema(t, &b, "")
}

// TestCatalogFollowsItsSchema validates the demonstration catalog and the catalog of tests, as
// they are downloaded.
func TestCatalogFollowsItsSchema(t *testing.T) {
	s := compiledSchema(t)
	demo, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil || len(demo.Runs) == 0 {
		t.Fatalf("the demonstration catalog: %v", err)
	}
	_, hand, _ := sitetest.Catalog(t)
	for _, c := range []*catalog.Catalog{demo, hand} {
		g := NewSet(view.New(figure.NewIndex(c, sitetest.Names(t)), c, view.Options{}), Last{})
		var whole bytes.Buffer
		if err := export.WriteCatalog(&whole, g.Index, g.Catalog); err != nil {
			t.Fatal(err)
		}
		b := unpacked(t, g.writeCatalog)
		if b.String() != whole.String() {
			t.Error("the download is not the document that is exported")
		}
		doc, err := jsonschema.UnmarshalJSON(b)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Error(err)
		}
	}
}

// The packed points are those of all runs, those of a model together.
func TestPackedPoints(t *testing.T) {
	_, c, _ := sitetest.Catalog(t)
	g := NewSet(view.New(figure.NewIndex(c, sitetest.Names(t)), c, view.Options{}), Last{})
	var plain bytes.Buffer
	byModel := slices.Clone(g.Index.Runs)
	at := func(r *figure.Run) int {
		if m := g.modelOf(r); m != nil {
			return slices.Index(g.Index.Models, m)
		}
		return len(g.Index.Models)
	}
	slices.SortStableFunc(byModel, func(a, b *figure.Run) int { return at(a) - at(b) })
	if err := export.WritePoints(&plain, byModel); err != nil {
		t.Fatal(err)
	}
	if got := unpacked(t, g.writePoints).String(); got != plain.String() {
		t.Error("points.csv.gz has not the points of all runs")
	}
}

// The tables of which croissant.json has the digests are the files that lie beside it.
func TestDescribedTablesAreTheDownloads(t *testing.T) {
	_, c, _ := sitetest.Catalog(t)
	g := NewSet(view.New(figure.NewIndex(c, sitetest.Names(t)), c, view.Options{}), Last{})
	tables, err := export.Tables(g.Index)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range tables {
		i := slices.IndexFunc(g.Downloads(), func(d view.Download) bool { return d.Path == "data/"+of.Path })
		if i < 0 {
			t.Fatalf("there is no %s", of.Path)
		}
		var b bytes.Buffer
		if err := g.Downloads()[i].Write(&b); err != nil || !bytes.Equal(b.Bytes(), of.Data) {
			t.Errorf("%s is not the table that is described: %v", of.Path, err)
		}
	}
}

// unpacked is what a packed file says.
func unpacked(t *testing.T, write func(io.Writer) error) *bytes.Buffer {
	t.Helper()
	var file, text bytes.Buffer
	if err := write(&file); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&file)
	if err == nil {
		_, err = io.Copy(&text, z)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &text
}

// What the schema must not take.
func TestSchemaRefuses(t *testing.T) {
	s := compiledSchema(t)
	run := `{"inferdex":1,"id":"x","identity":{"tool":"t","session":"s","model":"m"}`
	for doc, ok := range map[string]bool{
		`{"inferdex":1,"runs":[` + run + `}]}`:            true,
		`{"inferdex":2,"runs":[]}`:                        false,
		`{"inferdex":1}`:                                  false,
		`{"inferdex":1,"runs":[{"inferdex":1,"id":"x"}]}`: false,
		`{"inferdex":1,"runs":[` + run + `,"extra":1}]}`:  false,
		`{"inferdex":1,"runs":[` + run +
			`,"points":[{"at":{"source":"s"},"load":{"rate":"inf"}}]}]}`: true,
		`{"inferdex":1,"runs":[` + run +
			`,"points":[{"at":{"source":"s"},"load":{"rate":"fast"}}]}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"points":[{"at":{"source":"s"},"metrics":{"ttft":{"unit":"s","percentiles":[[99,1]]}}}]}]}`: true,
		`{"inferdex":1,"runs":[` + run +
			`,"points":[{"at":{"source":"s"},"metrics":{"ttft":{"unit":"s","percentiles":[[99]]}}}]}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"points":[{"at":{"source":"s"},"metrics":{"no_such_metric":{"unit":"s","value":1}}}]}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"findings":[{"code":"c","severity":"fatal","message":"m"}]}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"parameters":{"dtype":{"value":null},"n":{"value":[1,"a"],"at":{"source":"s","line":"three"}}}}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"parameters":{"dtype":{"value":null},"n":{"value":[1,"a"],"at":{"source":"s","line":3}}}}]}`: true,
		`{"inferdex":1,"runs":[` + run +
			`,"started":5}]}`: false,
		`{"inferdex":1,"runs":[` + run +
			`,"profiles":[{"name":"n","kind":"time","x_label":"t","x_unit":"s","x":[1],"lines":[],"fit_slope":"x"}]}]}`: false,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != ok {
			t.Errorf("%s: %v, want valid %v", doc, err, ok)
		}
	}
}

// Every description is of a type or a property that exists.
func TestDescribedExists(t *testing.T) {
	s := catalogSchema()
	s.Definitions["catalogDocument"] = s
	for key := range described {
		name, property, _ := strings.Cut(key, ".")
		d := s.Definitions[name]
		if d == nil || property != "" && d.Properties[property] == nil {
			t.Errorf("%q describes nothing", key)
		}
	}
	if got := reflect.TypeFor[catalog.Run]().NumField(); got != len(s.Definitions["Run"].Properties) {
		t.Errorf("a run has %d members, the schema %d", got, len(s.Definitions["Run"].Properties))
	}
}
