package site

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var b bytes.Buffer
	if err := writeJSON(&b, catalogSchema()); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("catalog.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("catalog.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCatalogFollowsItsSchema validates the demonstration catalog and the catalog of tests, as
// they are downloaded.
func TestCatalogFollowsItsSchema(t *testing.T) {
	s := compiledSchema(t)
	demo, err := catalog.Open(os.DirFS("../data/catalog"))
	if err != nil || len(demo.Runs) == 0 {
		t.Fatalf("the demonstration catalog: %v", err)
	}
	_, hand, _ := testCatalog(t)
	for _, c := range []*catalog.Catalog{demo, hand} {
		g := newGenerator(figure.NewIndex(c, demoNames(t)), c, Options{})
		var b bytes.Buffer
		if err := g.writeCatalog(&b); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Error(err)
		}
	}
}

func demoNames(t *testing.T) *settings.Names {
	names, diags := settings.LoadNames(os.DirFS("../data"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return names
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
		`{"inferdex":1,"runs":[` + run + `,"points":[{"at":{"source":"s"},"load":{"rate":"inf"}}]}]}`:                                                true,
		`{"inferdex":1,"runs":[` + run + `,"points":[{"at":{"source":"s"},"load":{"rate":"fast"}}]}]}`:                                               false,
		`{"inferdex":1,"runs":[` + run + `,"points":[{"at":{"source":"s"},"metrics":{"ttft":{"unit":"s","percentiles":[[99,1]]}}}]}]}`:               true,
		`{"inferdex":1,"runs":[` + run + `,"points":[{"at":{"source":"s"},"metrics":{"ttft":{"unit":"s","percentiles":[[99]]}}}]}]}`:                 false,
		`{"inferdex":1,"runs":[` + run + `,"points":[{"at":{"source":"s"},"metrics":{"no_such_metric":{"unit":"s","value":1}}}]}]}`:                  false,
		`{"inferdex":1,"runs":[` + run + `,"findings":[{"code":"c","severity":"fatal","message":"m"}]}]}`:                                            false,
		`{"inferdex":1,"runs":[` + run + `,"parameters":{"dtype":{"value":null},"n":{"value":[1,"a"],"at":{"source":"s","line":"three"}}}}]}`:        false,
		`{"inferdex":1,"runs":[` + run + `,"parameters":{"dtype":{"value":null},"n":{"value":[1,"a"],"at":{"source":"s","line":3}}}}]}`:              true,
		`{"inferdex":1,"runs":[` + run + `,"started":5}]}`:                                                                                           false,
		`{"inferdex":1,"runs":[` + run + `,"profiles":[{"name":"n","kind":"time","x_label":"t","x_unit":"s","x":[1],"lines":[],"fit_slope":"x"}]}]}`: false,
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

func unpacked(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// TestDataPackage holds the description of the files against the files.
func TestDataPackage(t *testing.T) {
	files := filesOf(t, nil)
	var p struct {
		Name      string
		Resources []struct {
			Name, Path, Format, Compression string
			Schema                          *struct{ Fields []struct{ Name, Type string } }
		}
		Sources []struct{ Title, Path string }
	}
	if err := json.Unmarshal(files["data/datapackage.json"], &p); err != nil {
		t.Fatal(err)
	}
	if p.Name != "test" {
		t.Errorf("the name is %q", p.Name)
	}
	seen := map[string]bool{"data/datapackage.json": true}
	names := map[string]bool{}
	for _, r := range p.Resources {
		file := path.Join("data", r.Path)
		seen[file] = true
		if files[file] == nil || names[r.Name] || strings.Trim(r.Name, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" || r.Format == "" || (r.Compression == "gz") != strings.HasSuffix(r.Path, ".gz") {
			t.Errorf("resource %+v", r)
		}
		names[r.Name] = true
		if r.Format != "csv" {
			continue
		}
		rows, err := csv.NewReader(bytes.NewReader(unpacked(t, file, files[file]))).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var want []string
		for _, f := range r.Schema.Fields {
			want = append(want, f.Name)
		}
		if d := cmp.Diff(want, rows[0]); d != "" {
			t.Errorf("%s: columns -described +written\n%s", file, d)
		}
	}
	for file := range files {
		if strings.HasPrefix(file, "data/") && !seen[file] {
			t.Errorf("%s is not in the package", file)
		}
	}
	for _, s := range p.Sources {
		if s.Path != "" && !strings.HasPrefix(s.Path, "https://") {
			t.Errorf("source %+v", s)
		}
	}
}

// TestDataset reads the data blocks of home and of the data page, whose texts are hostile.
func TestDataset(t *testing.T) {
	ix, c, o := testCatalog(t)
	o.Config = &settings.Config{Title: hostile + "</script>", Description: hostile, BaseURL: "https://example.org/b/"}
	files := filesOf(t, nil)
	n := 0
	for p, err := range Pages(ix, c, o) {
		if err != nil {
			t.Fatal(err)
		}
		f := p.Fragments["dataset"]
		if f == nil {
			continue
		}
		n++
		block := render(t, f)
		text, ok := strings.CutPrefix(block, `<script type="application/ld+json">`)
		text, closed := strings.CutSuffix(text, "</script>")
		if !ok || !closed || strings.Contains(text, "<") {
			t.Fatalf("page %q: %s", p.Path, block)
		}
		var d struct {
			Type         string `json:"@type"`
			Name         string
			Description  string
			Distribution []struct{ ContentURL string }
		}
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if d.Type != "Dataset" || !strings.Contains(d.Name, "<script>alert(1)</script>") || len(d.Description) < 50 || len(d.Distribution) < 3 {
			t.Errorf("page %q: %+v", p.Path, d)
		}
		for _, x := range d.Distribution {
			if files[strings.TrimPrefix(x.ContentURL, "https://example.org/b/")] == nil {
				t.Errorf("page %q: %s is not there", p.Path, x.ContentURL)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d pages describe the data, want home and data", n)
	}
}
