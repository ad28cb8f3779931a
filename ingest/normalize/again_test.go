package normalize

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// Of a run whose files are read again as they were, no stored record is decoded, and nothing is packed; it is read whole
// where it is another one now, and else its file is compared. What changed costs the runs that it changed.
func TestUnchangedRunsAreNotDecoded(t *testing.T) {
	const runs = 6
	w := newWorld(t)
	for i := range runs {
		for name, data := range suite("t", fmt.Sprintf("s%d", i), fmt.Sprintf("org/m%d", i), 3) {
			w.files[fmt.Sprintf("d/%d/%s", i, name)] = &fstest.MapFile{Data: []byte(data)}
		}
	}
	w.ingest("d")
	// Each step goes on from the one before it.
	for _, c := range []struct {
		name                          string
		change                        func()
		decoded, whole, files, packed int64
	}{
		{"nothing", func() {}, 0, 0, runs, 0},
		{"a number", func() {
			f := w.files["d/2/r_128_1.rec"]
			w.files["d/2/r_128_1.rec"] = &fstest.MapFile{Data: bytes.Replace(f.Data, []byte(":33.25"), []byte(":34.25"), 1)}
		}, 1, 2, runs - 1, 1},
		{"nothing", func() {}, 0, 0, runs, 0},
		{"what a sidecar says of one", func() {
			w.files["d/3/run.toml"] = &fstest.MapFile{Data: []byte("hardware = \"H100\"\n")}
		}, 0, 1, runs, 1},
		{"raw records", func() {
			for name, f := range w.disk {
				if strings.Contains(name, "m4/") && strings.HasSuffix(name, ".raw.jsonl.gz") {
					w.disk[name] = &fstest.MapFile{Data: f.Data[:len(f.Data)-1]}
				}
			}
		}, 1, 2, runs - 1, 1},
		{"nothing", func() {}, 0, 0, runs, 0},
		{"a run", func() { delete(w.files, "d/5/r_128_1.rec") }, 1, 2, runs - 1, 0},
	} {
		c.change()
		var decoded, whole, files, packed atomic.Int64
		stored, damaged, err := catalog.OpenOutlined(w.disk, sketched{w.t, w.disk})
		if err != nil || len(damaged) > 0 {
			t.Fatal(err, damaged)
		}
		raw, complete, file := stored.Raw, stored.Whole, stored.File
		stored.Raw = func(id string) ([]catalog.RawRecord, error) {
			decoded.Add(1)
			records, err := raw(id)
			if err != nil { // as the command does it
				return nil, nil
			}
			return records, nil
		}
		stored.Whole = func(r *catalog.Run) (*catalog.Run, error) {
			whole.Add(1)
			return complete(r)
		}
		stored.File = func(r *catalog.Run) ([]byte, error) {
			files.Add(1)
			return file(r)
		}
		r := w.read([]string{"d"})
		o := w.options(r, []string{"d"})
		o.Pack = func(to io.Writer) io.WriteCloser {
			packed.Add(1)
			return catalog.Gzip(to)
		}
		out, err := Catalog(r, stored, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Runs) != runs || out.NewRuns != 0 {
			t.Errorf("%s: %d runs, %d new", c.name, len(out.Runs), out.NewRuns)
		}
		got := [...]int64{decoded.Load(), whole.Load(), files.Load(), packed.Load()}
		if want := [...]int64{c.decoded, c.whole, c.files, c.packed}; got != want {
			t.Errorf("%s: records of %d runs are decoded, %d runs are read whole, %d files are compared, and %d are packed: want %v",
				c.name, got[0], got[1], got[2], got[3], want)
		}
		err = out.Update.Write(func(name string, data []byte) error {
			w.disk[name] = &fstest.MapFile{Data: data}
			return nil
		}, func(name string) error { return fmt.Errorf("%s is to be removed", name) })
		if err != nil {
			t.Fatal(err)
		}
	}
}
