package pipeline

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/inferdex/inferdex/beam/bucket/s3test"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/ingesttest"
	"github.com/inferdex/inferdex/ingest/normalize"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// run runs a job on Prism, inside of this process.
func run(j *Job) (Counts, error) { return runOf(j, "") }

// runOf is run with the settings of a catalog.
func runOf(j *Job, catalog string) (Counts, error) {
	if err := j.Load(catalog); err != nil {
		return Counts{}, err
	}
	p, s := beam.NewPipelineWithRoot()
	Catalog(s, j)
	result, err := ptest.RunWithMetrics(p)
	if err != nil {
		return Counts{}, err
	}
	return Counted(result), nil
}

// written are the files below a folder.
func written(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var data []byte
			data, err = os.ReadFile(filepath.Join(dir, name))
			out[name] = string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// whole are the files that the same inputs give on one machine, as inferdex ingest writes them.
func whole(t testing.TB, j Job) map[string]string {
	t.Helper()
	if err := j.Load(""); err != nil {
		t.Fatal(err)
	}
	in, err := j.open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	read, err := j.reading()
	if err != nil {
		t.Fatal(err)
	}
	reading, err := ingest.Read(context.Background(), in, read)
	if err != nil {
		t.Fatal(err)
	}
	o, err := j.options(reading.Sidecars)
	if err != nil {
		t.Fatal(err)
	}
	out, err := normalize.Catalog(reading, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	if err := out.Update.Write(func(name string, data []byte) error { files[name] = string(data); return nil }, nil); err != nil {
		t.Fatal(err)
	}
	return files
}

// same holds what was written against what one machine gives.
func same(t testing.TB, got, want map[string]string) {
	t.Helper()
	if len(want) == 0 {
		t.Error("nothing is compared")
	}
	for name, data := range want {
		switch x, ok := got[name]; {
		case !ok:
			t.Errorf("%s is missing", name)
		case x != data:
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too much", name)
		}
	}
}

// generated writes an invented store.
func generated(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	err := ingesttest.Generate(1, ingesttest.Small, func(p string, data []byte) error { return write(dir, p, data) })
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(dir, name string, data []byte) error {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// The files of a catalog are those of one machine, byte by byte, with one worker and with eight.
func TestSame(t *testing.T) {
	stores := map[string]string{"demonstration": "../../data/raw", "tests of formats": "../../ingest/format",
		"generated": generated(t)}
	for name, variable := range map[string]string{"corpus": "INFERDEX_CORPUS", "field": "INFERDEX_FIELD"} {
		if dir := os.Getenv(variable); dir != "" {
			stores[name] = dir
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		t.Run(name, func(t *testing.T) {
			want := whole(t, Job{Inputs: []string{stores[name]}})
			for _, workers := range []int{1, 8} {
				out := t.TempDir()
				n, err := run(&Job{Inputs: []string{"file://" + stores[name]}, Output: out, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d workers: %+v", workers, n)
				same(t, written(t, out), want)
			}
		})
	}
}

// unpacked are files with the text of those that are packed: what lies in data/catalog may have been packed by an older
// version of the library, which is not packed again while its text is the same.
func unpacked(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	for name, data := range files {
		if !strings.HasSuffix(name, ".gz") {
			continue
		}
		z, err := gzip.NewReader(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// The tables that inferdex.toml maps are read as "inferdex ingest" reads them: what it wrote of the demonstration, whose
// tables it maps, lies in data/catalog.
func TestTables(t *testing.T) {
	t.Chdir("../..")
	j, out := &Job{Inputs: []string{"data/raw"}}, t.TempDir()
	j.Output = out
	n, err := runOf(j, ".")
	if err != nil {
		t.Fatal(err)
	}
	same(t, unpacked(t, written(t, out)), unpacked(t, written(t, "data/catalog")))
	const mapped = "[[ingest.table]]"
	if !bytes.Contains(j.Config, []byte(mapped)) || n.Runs == 0 {
		t.Errorf("%d runs; inferdex.toml maps tables: %v", n.Runs, bytes.Contains(j.Config, []byte(mapped)))
	}
	wrong := Job{Config: []byte(mapped + "\nfiles = \"*.csv\"\n[ingest.table.columns]\n\"Users\" = \"users\"\n")}
	if err := wrong.Load(""); err == nil || !strings.Contains(err.Error(), `inferdex.toml:4: column "Users"`) {
		t.Errorf("a column without a meaning: %v", err)
	}
}

// Names and notes that cannot be read end a job: without them other runs would be made.
func TestUnreadNames(t *testing.T) {
	for _, name := range []string{"data/names", "data/notes", "data/names/models.toml", "data/notes/x.toml"} {
		dir := t.TempDir()
		at := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(at), 0o777)
		if filepath.Ext(name) == "" {
			err = errors.Join(err, os.WriteFile(at, nil, 0o666)) // a file where the folder should be
		} else {
			err = errors.Join(err, os.Mkdir(at, 0o777))
		}
		if err != nil {
			t.Fatal(err)
		}
		var unread *fs.PathError
		if err := new(Job).Load(dir); !errors.As(err, &unread) || !strings.Contains(err.Error(), filepath.FromSlash(name)) {
			t.Errorf("%s: %v, want that it could not be read", name, err)
		}
	}
	if err := new(Job).Load(t.TempDir()); err != nil {
		t.Errorf("a catalog without names: %v", err)
	}
}

// poisoned is a store with files that no reader likes among good ones.
func poisoned(t *testing.T) string {
	t.Helper()
	dir := generated(t)
	for name, data := range map[string]string{
		"a/cut.json":      `{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,"comp`,
		"a/bad.zip":       "PK\x03\x04 and nothing of a zip behind it",
		"a/deep.json":     strings.Repeat("[", 100_000),
		"a/\xff.json":     "{}",
		"a/zero.json":     "{\"a\": \x00}",
		"a/bench.json.gz": "\x1f\x8b\x08\x00cut",
		"a/run.toml":      "hardware = ",
	} {
		if err := write(dir, name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A poisoned file is told, and costs nothing but itself.
func TestPoisoned(t *testing.T) {
	dir, out := poisoned(t), t.TempDir()
	n, err := run(&Job{Inputs: []string{dir}, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, out)
	same(t, got, whole(t, Job{Inputs: []string{dir}}))
	if n.Rejected == 0 || n.Runs == 0 {
		t.Errorf("%+v: bad places are counted and good runs made", n)
	}
	told := false
	for name, data := range got {
		told = told || strings.HasPrefix(name, "_inputs/") && strings.Contains(data, "cut.json") &&
			strings.Contains(data, `"rejected"`)
	}
	if !told {
		t.Error("no input tells of cut.json")
	}
}

// A step that broke off when it had written a part, and is run again, leaves what one run leaves. Prism ends a job at
// the first bundle that fails, and repeats none: so the whole job is repeated, over what the first one left.
func TestBrokenOff(t *testing.T) {
	dir, out := generated(t), t.TempDir()
	j := Job{Inputs: []string{dir}, Output: out, Breaks: filepath.Join(t.TempDir(), "broken")}
	if _, err := run(&j); err == nil {
		t.Fatal("the job did not break off")
	}
	if len(written(t, out)) == 0 {
		t.Fatal("nothing was written before it broke off")
	}
	if _, err := run(&j); err != nil {
		t.Fatal(err)
	}
	same(t, written(t, out), whole(t, Job{Inputs: []string{dir}}))
}

// A bundle that two workers have at one time, on a disk and in a store that is busy.
func TestTwice(t *testing.T) {
	dir, out := generated(t), t.TempDir()
	want := whole(t, Job{Inputs: []string{dir}})
	if _, err := run(&Job{Inputs: []string{dir}, Output: out, Twice: true}); err != nil {
		t.Fatal(err)
	}
	same(t, written(t, out), want)
	s := &s3test.Server{Busy: 40, Make: func(string) []byte { return nil }}
	s.Start(t)
	if _, err := run(&Job{Inputs: []string{dir}, Output: s.Address("catalog"), Twice: true}); err != nil {
		t.Fatal(err)
	}
	same(t, s.Written("catalog"), want)
}

// A process that is killed in the middle of a job, and a job that goes over what it left.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("INFERDEX_KILLED"); dir != "" {
		_, err := run(&Job{Inputs: []string{filepath.Join(dir, "in")}, Output: filepath.Join(dir, "out"),
			Breaks: filepath.Join(dir, "broken"), BreaksHard: true})
		t.Fatalf("was not killed: %v", err)
	}
	dir := t.TempDir()
	if err := os.Rename(generated(t), filepath.Join(dir, "in")); err != nil {
		t.Fatal(err)
	}
	killed := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	killed.Env = append(os.Environ(), "INFERDEX_KILLED="+dir)
	if said, _ := killed.CombinedOutput(); killed.ProcessState.ExitCode() != 137 {
		t.Fatalf("exit status %d:\n%s", killed.ProcessState.ExitCode(), said)
	}
	j := Job{Inputs: []string{filepath.Join(dir, "in")}, Output: filepath.Join(dir, "out")}
	if _, err := run(&j); err != nil {
		t.Fatal(err)
	}
	same(t, written(t, j.Output), whole(t, Job{Inputs: j.Inputs}))
}

// Inputs and output in an object store that is busy and breaks off bodies.
func TestStore(t *testing.T) {
	dir := generated(t)
	files := written(t, dir)
	s := &s3test.Server{Busy: 40, Cut: 11, Page: 5, Make: func(key string) []byte {
		return []byte(files[strings.TrimPrefix(key, "results/")])
	}}
	for name := range files {
		s.Keys = append(s.Keys, "results/"+name)
	}
	slices.Sort(s.Keys)
	s.Start(t)
	j := Job{Inputs: []string{s.Address("results")}, Output: s.Address("catalog")}
	if _, err := run(&j); err != nil {
		t.Fatal(err)
	}
	same(t, s.Written("catalog"), whole(t, Job{Inputs: j.Inputs}))
}

// An object that is listed and gone is told as unreadable, and the rest is read.
func TestStoreBehind(t *testing.T) {
	files := written(t, generated(t))
	s := &s3test.Server{Make: func(key string) []byte { return []byte(files[strings.TrimPrefix(key, "results/")]) }}
	for name := range files {
		s.Keys = append(s.Keys, "results/"+name)
	}
	slices.Sort(s.Keys)
	s.Gone = s.Keys[:1]
	s.Start(t)
	n, err := run(&Job{Inputs: []string{s.Address("results")}, Output: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if n.Unreadable != 1 || n.Runs == 0 {
		t.Errorf("%+v: one file is unreadable, and there are runs", n)
	}
}
