package catalog

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

// What a catalog holds is decoded quickly: encoding/json takes ten times as long, and no other test would tell.
func TestFilesAreDecodedQuickly(t *testing.T) {
	files := os.DirFS("../../data/catalog")
	runs, inputs, records := 0, 0, 0
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(name, inputsDir):
			inputs++
			if !record.Unmarshal(data, &Input{}) {
				t.Errorf("%s is refused", name)
			}
		case strings.HasSuffix(name, rawExt):
			all, err := decodeRaw(name, data, "")
			if err != nil {
				return err
			}
			for _, r := range all {
				records++
				if !record.Unmarshal(r.Record, record.New(r.Kind)) {
					t.Fatalf("%s: a record of kind %s is refused: %s", name, r.Kind, r.Record)
				}
			}
		default:
			runs++
			if !record.Unmarshal(data, &Run{}) {
				t.Errorf("%s is refused", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if runs < 10 || inputs < 1 || records < 100 {
		t.Errorf("%d runs, %d inputs, %d records: too few", runs, inputs, records)
	}
}
