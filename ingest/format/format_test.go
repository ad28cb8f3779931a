package format_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// TestConform runs the cases of every format, and finds a package that the list of formats lacks.
// "-run /llamabench" runs those of one package.
func TestConform(t *testing.T) {
	dirs, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { t.Logf("torture: %d damaged files read", ingesttest.Mutated()) })
	var listed []string
	for _, f := range format.All() {
		name := ingesttest.Package(f)
		listed = append(listed, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ingesttest.Conform(t, f, filepath.Join(name, "testdata"))
		})
	}
	for _, d := range dirs {
		if d.IsDir() && d.Name() != "testdata" && !slices.Contains(listed, d.Name()) {
			t.Errorf("ingest/format/%s: the list of formats lacks it", d.Name())
		}
	}
}

var one = flag.String("format", "", "fuzz the format of this package alone")

// FuzzRead reads damaged inputs of all formats, or of the one that -format names.
func FuzzRead(f *testing.F) {
	var formats []*reading.Format
	var dirs []string
	for _, x := range format.All() {
		if name := ingesttest.Package(x); *one == "" || *one == name {
			formats, dirs = append(formats, x), append(dirs, filepath.Join(name, "testdata"))
		}
	}
	if len(formats) == 0 {
		f.Fatalf("-format %s: there is no such package below ingest/format", *one)
	}
	ingesttest.Fuzz(f, formats, dirs...)
}
