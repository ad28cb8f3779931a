package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// inputsOfFormats writes the inputs of all formats' own cases into a directory each.
func inputsOfFormats(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range samplesOfFormats(t) {
		for name, data := range s.inputs() {
			goldentest.Write(t, filepath.Join(dir, s.format, s.Name, filepath.FromSlash(name)), data)
		}
	}
	return dir
}

// sample is a case of the tests of a format.
type sample struct {
	*goldentest.Case
	format string
}

// samplesOfFormats are the cases of all formats.
func samplesOfFormats(t *testing.T) (all []sample) {
	t.Helper()
	for _, c := range goldentest.Cases(t, "../../ingest/format/*/testdata/*.txtar") {
		all = append(all, sample{c, filepath.Base(filepath.Dir(filepath.Dir(c.Path)))})
	}
	return all
}

// inputs are the input files of a case by name, without those that are written as Go strings.
func (s sample) inputs() map[string][]byte {
	out := map[string][]byte{}
	for _, f := range s.Files {
		if name, ok := strings.CutPrefix(f.Name, "in/"); ok && !strings.Contains(name, ".quoted") {
			out[name] = f.Data
		}
	}
	return out
}

// exportAll writes reports of all runs of a catalog that can be reported and returns how many.
func exportAll(t *testing.T, dir string, ix *figure.Index, output string, flags ...string) (reports int) {
	t.Helper()
	args := append([]string{"-C", dir, "export", "benchmark-report", "--output", output}, flags...)
	for _, r := range ix.Runs {
		if len(r.Points) > 0 && r.Withdrawn == "" {
			args = append(args, r.ID)
			reports += len(r.Points)
		}
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &out, &errs, args); code != 0 {
		t.Fatalf("export: exit status %d\n%s", code, errs.String())
	}
	return reports
}

// plainPoint is what a report has to bring back of a point: all but where it stood and in which unit
// its source wrote it.
func plainPoint(p catalog.Point) catalog.Point {
	p.At, p.Repetition = catalog.Place{}, 0
	metrics := map[metric.ID]catalog.Stat{}
	for m, s := range p.Metrics {
		s.OrigUnit, s.Computed = "", ""
		metrics[m] = s
	}
	p.Metrics = metrics
	return p
}

func pointsByKey(r *figure.Run) map[string]catalog.Point {
	out := map[string]catalog.Point{}
	for _, p := range r.Points {
		out[fmt.Sprintf("%s|%s|%d", p.Workload.Key(), p.Load.Key(), p.Repetition)] = plainPoint(p)
	}
	return out
}

// TestExportRoundTrip writes every run that any format's test data gives as Benchmark Reports, as
// YAML and as JSON, reads them into an empty catalog and compares every point and what is known of
// the server; and reads them into the catalog they came from, where they must
// add no run and no point. (Where nothing was measured no two records can be told to be one.)
func TestExportRoundTrip(t *testing.T) {
	inputs := inputsOfFormats(t)
	for _, flags := range [][]string{nil, {"--json"}} {
		ix, _, dir, _ := ingested(t, inputs)
		reports := filepath.Join(t.TempDir(), "reports")
		n := exportAll(t, dir, ix, reports, flags...)
		if n < 50 {
			t.Fatalf("%d reports: the test reads too little", n)
		}
		back, _, _, said := ingested(t, reports)
		points := 0
		for _, r := range ix.Runs {
			if len(r.Points) == 0 || r.Withdrawn != "" {
				continue
			}
			want := pointsByKey(r)
			points += len(want)
			// Two runs of one identity, which their setups tell apart, have one id and a longer one.
			var b *figure.Run
			for _, x := range back.Runs {
				if x.Identity == r.Identity && (b == nil || b.ID != r.ID || !cmp.Equal(want, pointsByKey(b))) {
					b = x
				}
				if b != nil && cmp.Equal(want, pointsByKey(b)) {
					break
				}
			}
			if b == nil {
				t.Errorf("run %s of %v did not come back\n%s", r.ID, r.Identity, said)
				continue
			}
			if diff := cmp.Diff(want, pointsByKey(b)); diff != "" {
				t.Errorf("run %s of %v (-want +got):\n%s", r.ID, r.Identity, diff)
			}
			for _, key := range []string{"model", "hardware", "engine", "engine_version", "driver", "series",
				"tool_version"} {
				if x, y := r.Attr(key), b.Attr(key); x != y {
					t.Errorf("run %s: %s is %q and came back as %q", r.ID, key, x, y)
				}
			}
			if r.Hardware.Count != b.Hardware.Count || r.Started != b.Started {
				t.Errorf("run %s: %d accelerators, started %q, came back as %d and %q", r.ID, r.Hardware.Count,
					r.Started, b.Hardware.Count, b.Started)
			}
			for name, p := range r.Parameters {
				if q := b.Parameters[name]; !equalJSON(p.Value, q.Value) {
					t.Errorf("run %s: parameter %s is %s and came back as %s", r.ID, name, p.Value, q.Value)
				}
			}
		}
		if points < n {
			t.Errorf("%d of %d points came back", points, n)
		}

		// Beside their sources the reports say nothing new.
		ingestInto(t, dir, reports)
		again, _ := loaded(t, dir)
		for _, r := range again.Runs {
			measured := slices.ContainsFunc(r.Points, func(p catalog.Point) bool { return len(p.Metrics) > 0 })
			if measured && !slices.ContainsFunc(ix.Runs, func(x *figure.Run) bool { return x.ID == r.ID }) {
				t.Errorf("run %s of %v is new beside the run that it is a report of: %v", r.ID, r.Identity, r.Findings)
			}
		}
		for _, r := range ix.Runs {
			if slices.ContainsFunc(r.Points, func(p catalog.Point) bool { return p.Repetition > 0 }) {
				continue // a report states the number, which its source may not
			}
			i := slices.IndexFunc(again.Runs, func(x *figure.Run) bool { return x.ID == r.ID })
			if i < 0 || len(again.Runs[i].Points) != len(r.Points) {
				t.Errorf("run %s of %v has other points once its reports are read too: %s", r.ID, r.Identity,
					cmp.Diff(pointsByKey(r), pointsByKey(again.Runs[max(0, i)])))
			}
		}
	}
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

// An export writes nothing over what it did not write, and nothing through a link: all or nothing of it is written.
func TestExportOverwritesNothing(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	for name, spoil := range map[string]func(dir string) error{
		"a file of somebody else": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "runs.csv"), []byte("mine\n"), 0o666)
		},
		"a file changed by hand": func(dir string) error {
			exportedCSV(t, dir, 0)
			return os.WriteFile(filepath.Join(dir, "runs.csv"), []byte("mine\n"), 0o666)
		},
		"a link to a file": func(dir string) error { return os.Symlink(secret, filepath.Join(dir, "runs.csv")) },
		"a link to nothing": func(dir string) error {
			return os.Symlink(filepath.Join(outside, "none"), filepath.Join(dir, "runs.csv"))
		},
		"a folder of that name": func(dir string) error { return os.Mkdir(filepath.Join(dir, "runs.csv"), 0o777) },
		"a list that is a link": func(dir string) error { return os.Symlink(secret, filepath.Join(dir, exportList)) },
		"a list that is none": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, exportList), []byte("[]"), 0o666)
		},
		"a list that owns a file outside": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, exportList), []byte(`{"exports":{"csv":{"../secret":"x"}}}`), 0o666)
		},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(secret, []byte("secret"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		before := treeOf(t, dir)
		exportedCSV(t, dir, exitIO)
		if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
			t.Errorf("%s: the folder changed (-before +after):\n%s", name, diff)
		}
		if data, _ := os.ReadFile(secret); string(data) != "secret" {
			t.Errorf("%s: the file outside is %q", name, data)
		}
		if _, err := os.Lstat(filepath.Join(outside, "none")); err == nil {
			t.Errorf("%s: a file was made outside", name)
		}
	}
}

func exportedCSV(t *testing.T, dir string, want int) {
	t.Helper()
	var out bytes.Buffer
	if code := run(t.Context(), strings.NewReader(""), &out, &out, []string{"-C", "../..", "export", "csv", "--output",
		dir}); code != want {
		t.Errorf("exit status %d, want %d\n%s", code, want, &out)
	}
}

// treeOf are the files below a folder: their content, or what a link names.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := d.Type().String()
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			text += to
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += string(data)
		}
		tree[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// An export does not lie where the next command would take its files for those of the catalog, the site or a benchmark.
// Files that lie in a catalog nevertheless are all named as the user knows them.
func TestExportKeepsAway(t *testing.T) {
	dir := small(t)
	if err := writeFile(filepath.Join(dir, "file"), nil); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		"data/catalog": "lies in data/catalog", "data/catalog/x": "lies in data/catalog", "data/raw": "lies in data/raw",
		"public": "lies in public", ".inferdex": "lies in .inferdex", "file": `"file" is no folder`,
	} {
		if said, code := typed(dir, "export", "csv", "--output", output); code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("--output %s: exit status %d\n%s", output, code, said)
		}
	}
	if said, code := typed(dir, "export", "csv", "--output", "."); code != 0 {
		t.Error(said)
	}
	for _, name := range []string{"points.csv", "runs.csv"} {
		if err := writeFile(filepath.Join(dir, catalogDir, name), nil); err != nil {
			t.Fatal(err)
		}
	}
	said, code := typed(dir, "list", "runs")
	for _, name := range []string{"points.csv", "runs.csv"} {
		if want := catalogDir + "/" + name + ": unexpected file"; code != exitIO || !strings.Contains(said, want) {
			t.Errorf("exit status %d, want %q\n%s", code, want, said)
		}
	}
}
