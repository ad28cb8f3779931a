package site

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/data"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// TestDataset reads the data blocks of home and of the data page, whose texts are sitetest.Hostile.
func TestDataset(t *testing.T) {
	ix, c, o := testCatalog(t)
	o.Config = &settings.Config{Title: sitetest.Hostile + "</script>", Description: sitetest.Hostile,
		BaseURL: "https://example.org/b/", License: "MIT", Author: sitetest.Hostile}
	files := filesOf(t, func(to *view.Options) { to.Config = o.Config })
	n := 0
	for p, err := range New(ix, c, o).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		f := p.Fragments["dataset"]
		if f == nil {
			continue
		}
		n++
		block := sitetest.Written(t, f)
		text, ok := strings.CutPrefix(block, `<script type="application/ld+json">`)
		text, closed := strings.CutSuffix(text, "</script>")
		if !ok || !closed || strings.Contains(text, "<") {
			t.Fatalf("page %q: %s", p.Path, block)
		}
		if err := sitetest.Dataset([]byte(text)); err != nil {
			t.Errorf("page %q: %v\n%s", p.Path, err, text)
		}
		var d struct {
			License      string
			Type         string `json:"@type"`
			Name         string
			Description  string
			Distribution []struct{ ContentURL string }
		}
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if d.Type != "Dataset" || !strings.Contains(d.Name, "<script>alert(1)</script>") || len(d.Description) < 50 ||
			len(d.Distribution) < 3 || d.License != "https://spdx.org/licenses/MIT" {
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
		if files[file] == nil || names[r.Name] ||
			strings.Trim(r.Name, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" || r.Format == "" ||
			(r.Compression == "gz") != strings.HasSuffix(r.Path, ".gz") {
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

// What pages about a model state stands in the member of the model, so that a build takes it from the last file of claims
// without unpacking that.
func TestClaimsStandByModel(t *testing.T) {
	ix, c, o := testCatalog(t)
	o.Rest, o.Runs = "the rest", map[string]string{}
	for _, r := range c.Runs {
		o.Runs[r.ID] = r.ID
	}
	var packed bytes.Buffer
	for _, f := range allFiles(t, New(ix, c, o)) {
		if f.Path == data.ClaimsPath {
			if err := f.Write(&packed); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := bufio.NewReader(&packed)
	var z gzip.Reader
	pages := 0
	for {
		if err := z.Reset(r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		text, err := io.ReadAll(&z)
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(text)) {
			var at struct{ Page string }
			if err := json.Unmarshal([]byte(l), &at); err != nil {
				t.Fatal(err)
			}
			model, of := strings.CutPrefix(at.Page, "models/")
			if of && !strings.HasSuffix(string(z.Extra), model) {
				t.Errorf("a sentence of %s stands in the member %q", at.Page, z.Extra)
			}
			if of {
				pages++
			}
		}
	}
	if pages == 0 {
		t.Error("no page of a model states anything")
	}
}
