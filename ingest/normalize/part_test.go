package normalize_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/settings"
)

// A reading that is divided gives the catalog of the whole, byte by byte.
func TestParts(t *testing.T) {
	dirs := map[string]string{"demonstration": "../../data/raw", "tests of formats": "../format"}
	for name, variable := range map[string]string{"corpus": "INFERDEX_CORPUS", "field": "INFERDEX_FIELD"} {
		if dir := os.Getenv(variable); dir != "" {
			dirs[name] = dir
		}
	}
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		t.Run(name, func(t *testing.T) {
			inputs := []ingest.Input{{Name: dirs[name], FS: os.DirFS(dirs[name])}}
			reading, err := ingest.Read(context.Background(), inputs,
				ingest.Options{Formats: format.All(), Sidecar: settings.IsSidecar})
			if err != nil {
				t.Fatal(err)
			}
			o := normalize.Options{Pack: catalog.Gzip, Config: &settings.Config{}, Names: &settings.Names{}, Formats: format.All(),
				Inputs: []string{dirs[name]}}
			sidecars := map[string][]byte{}
			for _, s := range reading.Sidecars {
				sidecars[s.Path] = s.Data
			}
			o.Sidecars, _ = settings.LoadSidecars(sidecars)
			out, err := normalize.Catalog(reading, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			want, got := files(t, &out.Update), divided(t, reading, o)
			for f, data := range want {
				if got[f] != data {
					t.Errorf("%s differs", f)
				}
			}
			for f := range got {
				if _, ok := want[f]; !ok {
					t.Errorf("%s is too much", f)
				}
			}
		})
	}
}

// divided are the files of a catalog that is made in parts, each from what another process would get.
func divided(t *testing.T, reading *ingest.Reading, o normalize.Options) map[string]string {
	t.Helper()
	var marks []*normalize.Mark
	var told []*ingest.Reading
	byPath, byTrace := map[string]*ingest.Reading{}, map[string][]*normalize.Trait{}
	for _, r := range reading.Split() {
		b, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if r, err = ingest.DecodeReading(b); err != nil {
			t.Fatal(err)
		}
		if m := normalize.MarkOf(r, o); m != nil {
			marks, byPath[m.Path] = append(marks, m), r
		}
		told = append(told, normalize.Told(r))
		normalize.Traits(r, func(trace string, of *normalize.Trait) { byTrace[trace] = append(byTrace[trace], of) })
	}
	var ties []normalize.Tie
	o.Crowded = map[string]bool{}
	for trace, of := range byTrace {
		x, crowded := normalize.Alike(slices.Values(of))
		ties, o.Crowded[trace] = append(ties, x...), crowded
	}
	parts := map[string][]*ingest.Reading{}
	for path, part := range normalize.Parts(marks, ties, o) {
		parts[part] = append(parts[part], byPath[path])
	}
	var shares []*normalize.Share
	all, largest := catalog.Update{Raw: map[string][]byte{}}, 0
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		largest = max(largest, len(parts[part]))
		update, share, err := normalize.Part(ingest.Join(parts[part]), o)
		if err != nil {
			t.Fatal(err)
		}
		all.Runs, shares = append(all.Runs, update.Runs...), append(shares, share)
		maps.Copy(all.Raw, update.Raw)
	}
	t.Logf("%d files with records in %d parts, %d in the largest; %d runs", len(marks), len(parts), largest, len(all.Runs))
	all.Inputs = normalize.Inputs(ingest.Join(told), shares, o)
	return files(t, &all)
}

// files are those of an update.
func files(t *testing.T, u *catalog.Update) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := u.Write(func(name string, data []byte) error { out[name] = string(data); return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
