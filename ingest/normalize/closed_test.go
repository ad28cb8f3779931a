package normalize

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
)

// What was read of a folder that cannot be read now, or of an archive that is not read whole, is not pruned: nobody knows
// whether it is gone. What lies beside it and is gone is pruned.
func TestPruneKeepsWhatIsClosed(t *testing.T) {
	w := newWorld(t)
	for _, dir := range []string{"in", "inside", "out", "z.zip!m"} {
		for name, data := range suite("t", dir, "org/"+dir, 1) {
			w.files[fmt.Sprintf("d/%s/%s", dir, name)] = &fstest.MapFile{Data: []byte(data)}
		}
	}
	w.ingest("d")
	w.opts.Prune = true
	for name, c := range map[string]struct {
		closed ingest.FileStatus
		left   int
	}{
		"a folder":            {ingest.FileStatus{Path: "d/in", Errors: 1, Size: -1}, 1},
		"the folder above it": {ingest.FileStatus{Path: "d", Errors: 1, Size: -1}, 4},
		"an archive":          {ingest.FileStatus{Path: "d/z.zip", Format: "zip", Errors: 1}, 1},
		"another folder":      {ingest.FileStatus{Path: "d/i", Errors: 1, Size: -1}, 0},
		"nothing":             {ingest.FileStatus{Path: "d/in", Ignored: "not a result"}, 0},
	} {
		clear(w.files)
		w.files["d/other"] = &fstest.MapFile{Data: []byte("x")}
		r := w.read([]string{"d"})
		if c.closed.Format != "" {
			r.Archives = append(r.Archives, c.closed)
		} else {
			r.Files = append(r.Files, c.closed)
		}
		out, err := Catalog(r, w.catalog(), w.options(r, []string{"d"}))
		if err != nil {
			t.Fatal(err)
		}
		removed := 0
		for _, name := range out.Update.Remove {
			if strings.HasSuffix(name, ".raw.jsonl.gz") {
				removed++
			}
		}
		if got := 4 - removed; got != c.left {
			t.Errorf("%s is closed: %d of 4 runs are left, want %d (removed %q)", name, got, c.left, out.Update.Remove)
		}
	}
}
