package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// typed runs a command in a directory and returns what it says and its exit status.
func typed(dir string, args ...string) (said string, code int) {
	var out bytes.Buffer
	code = run(context.Background(), strings.NewReader(""), &out, &out, append([]string{"-C", dir}, args...))
	return out.String(), code
}

// served is a result of vLLM of one day of a month.
func served(model, day string) string {
	return `{"date": "202501` + day + `-120000", "endpoint_type": "vllm", "backend": "vllm", "model_id": "` + model +
		`", "num_prompts": 10, "request_rate": "inf", "max_concurrency": 8, "duration": 10.0, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 200, "request_throughput": 1.0, "output_throughput": 20.0, "total_token_throughput": 120.0, "mean_ttft_ms": 41.0, "median_ttft_ms": 40.0, "p99_ttft_ms": 90.0, "mean_tpot_ms": 10.0, "median_tpot_ms": 9.5, "p99_tpot_ms": 12.0}`
}

// small writes the inputs of a catalog of one run from two files.
func small(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, day := range map[string]string{"r-0": "01", "r-1": "02"} {
		if err := writeFile(filepath.Join(dir, "data", "raw", name+".json"), []byte(served("org/m", day))); err != nil {
			t.Fatal(err)
		}
	}
	if said, code := typed(dir, "ingest"); code != 0 {
		t.Fatal(said)
	}
	return dir
}

// files are all files of a catalog by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "data", "catalog"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var data []byte
			data, err = os.ReadFile(path)
			all[path] = string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameAnew fails where a catalog is not, byte by byte, the one that an ingest makes of its inputs anew.
func sameAnew(t *testing.T, dir, when string) {
	t.Helper()
	again := t.TempDir()
	if err := os.CopyFS(again, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(again, catalogDir)); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(again, "ingest"); code != 0 {
		t.Fatal(said)
	}
	now, fresh := files(t, dir), files(t, again)
	if len(fresh) != len(now) {
		t.Errorf("%s: %d files, of a new catalog %d", when, len(now), len(fresh))
	}
	for name, data := range fresh {
		if now[filepath.Join(dir, strings.TrimPrefix(name, again))] != data {
			t.Errorf("%s: %s is not that of a new catalog", when, name)
		}
	}
}

// What is damaged in a catalog is made anew of its sources, whichever file it is, and never of a part of them.
func TestDamagedCatalog(t *testing.T) {
	dir := small(t)
	whole := files(t, dir)
	if len(whole) < 3 {
		t.Fatalf("%d files", len(whole))
	}
	for name, data := range whole {
		if err := os.WriteFile(name, []byte(data[:len(data)/2]), 0o666); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(name, "_inputs") {
			part := "1 of its 2 points: nothing is written"
			if strings.HasSuffix(name, ".json") {
				part = `was made of "data/raw/r-1.json" too`
			}
			if said, code := typed(dir, "ingest", "data/raw/r-0.json"); code != exitIO || !strings.Contains(said, part) {
				t.Errorf("%s: a part of the sources: exit status %d\n%s", name, code, said)
			}
		}
		if said, code := typed(dir, "ingest"); code != 0 || strings.Count(said, "damaged") != 1 ||
			!strings.Contains(said, "made anew") || strings.Contains(said, "restore") {
			t.Errorf("%s: exit status %d\n%s", name, code, said)
		}
		if now := files(t, dir); now[name] != data || len(now) != len(whole) {
			t.Errorf("%s is not as it was: %d files, was %d", name, len(now), len(whole))
		}
	}
}

// Raw records that are JSON and no records of ours are damaged too: their sources make them anew, and what is ingested
// of other files is not kept from it.
func TestMisunderstoodRecords(t *testing.T) {
	for was, is := range map[string]string{`"values":[`: `"values":5,"x":[`, `"record":{`: `"record":7,"r":{`,
		`"kind":"result"`: `"kind":"nothing"`, `"col":1`: `"col":"one"`, `"number":`: `"number":"`} {
		dir := small(t)
		whole := files(t, dir)
		for name, data := range whole {
			if !strings.HasSuffix(name, ".gz") {
				continue
			}
			from, err := gzip.NewReader(strings.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(from)
			if err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write(bytes.Replace(text, []byte(was), []byte(is), 1))
			z.Close()
			if err := os.WriteFile(name, packed.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			if said, code := typed(dir, "ingest"); code != 0 || !strings.Contains(said, filepath.Base(name)) ||
				!strings.Contains(said, "damaged") {
				t.Errorf("%s: exit status %d\n%s", is, code, said)
			}
			if now := files(t, dir); now[name] != data || len(now) != len(whole) {
				t.Errorf("%s: %s is not as it was", is, name)
			}
		}
	}
}

// So are records that wait for a run: another ingest says so and goes on, and their own source makes them anew.
func TestMisunderstoodWaiting(t *testing.T) {
	dir := small(t)
	if err := writeFile(filepath.Join(dir, "lone", "a", "b", "c", "nvidia-smi.txt"), []byte("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n")); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "ingest", "lone"); code != 0 {
		t.Fatal(said)
	}
	waiting := 0
	for name, data := range files(t, dir) {
		bad := strings.Replace(data, `"devices": [`, `"devices": 5, "x": [`, 1)
		if bad == data {
			continue
		}
		waiting++
		if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		said, code := typed(dir, "ingest")
		if code != 0 || !strings.Contains(said, filepath.Base(name)+": raw record 1: damaged") {
			t.Errorf("another source: exit status %d\n%s", code, said)
		}
		if files(t, dir)[name] != bad {
			t.Errorf("another source: %s is not as it was", name)
		}
		if said, code := typed(dir, "ingest", "lone"); code != 0 {
			t.Errorf("exit status %d\n%s", code, said)
		}
		if files(t, dir)[name] != data {
			t.Errorf("%s is not made anew", name)
		}
	}
	if waiting == 0 {
		t.Error("nothing waits")
	}
}

// A file that reads well and holds what belongs elsewhere, or nothing, is made anew of its sources too; one in a place
// where nothing is written is said, with what to do, and does not keep the others from being read.
func TestMisplacedInCatalog(t *testing.T) {
	dir := small(t)
	whole := files(t, dir)
	for name, data := range whole {
		if strings.HasSuffix(name, ".gz") {
			continue
		}
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		for what, text := range map[string]string{"of another id": strings.ReplaceAll(data, id, "aaaaaaaaaaaa"),
			"of nothing": `{"inferdex": 1}`, "without a version": "{}"} {
			if text == data {
				continue // an input does not know its file's name
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if said, code := typed(dir, "list", "runs"); code != exitIO || !strings.Contains(said, "ingest") {
				t.Errorf("%s %s: exit status %d\n%s", name, what, code, said)
			}
			if said, code := typed(dir, "ingest"); code != 0 {
				t.Errorf("%s %s: exit status %d\n%s", name, what, code, said)
			}
			if now := files(t, dir); now[name] != data || len(now) != len(whole) {
				t.Errorf("%s %s is not as it was: %d files, was %d", name, what, len(now), len(whole))
			}
		}
		elsewhere := filepath.Join(dir, catalogDir, "elsewhere", filepath.Base(name))
		if err := writeFile(elsewhere, []byte(data)); err != nil {
			t.Fatal(err)
		}
		said, code := typed(dir, "ingest")
		if code != exitIO || !strings.Contains(said, "remove it") || !strings.Contains(said, "1 unchanged") &&
			!strings.Contains(said, "2 unchanged") {
			t.Errorf("%s elsewhere: exit status %d\n%s", name, code, said)
		}
		if err := os.RemoveAll(filepath.Dir(elsewhere)); err != nil {
			t.Fatal(err)
		}
	}
}

// What none of the inputs is the source of stays, and is said.
func TestDamagedCatalogOfOthers(t *testing.T) {
	dir := small(t)
	for name := range files(t, dir) {
		if err := os.WriteFile(name, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "data", "raw")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "data", "raw"), 0o777); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "ingest"); code == 0 || !strings.Contains(said, "damaged") || strings.Contains(said, "anew") {
		t.Errorf("exit status %d\n%s", code, said)
	}
}

// An ingest that ends at any of its renames leaves a catalog that can be read and whose files are
// whole, each the old or the new one, and the next ingest brings it to its end.
func TestIngestStoppedAtEachStep(t *testing.T) {
	defer func() { rename = os.Rename }()
	for n := 1; ; n++ {
		dir := small(t)
		old := files(t, dir)
		alter(t, dir)
		step := 0
		rename = func(from, to string) error {
			if step++; step >= n {
				return errFull
			}
			return os.Rename(from, to)
		}
		_, code := typed(dir, "ingest", "--prune")
		rename = os.Rename
		torn := files(t, dir)
		if said, code := typed(dir, "list", "runs"); code != 0 {
			t.Errorf("step %d: the catalog cannot be read: %s", n, said)
		}
		if said, code := typed(dir, "ingest", "--prune"); code != 0 {
			t.Errorf("step %d: the next ingest: exit status %d\n%s", n, code, said)
		}
		whole := files(t, dir)
		for name, data := range torn {
			if data != old[name] && data != whole[name] {
				t.Errorf("step %d: %s is neither the old file nor the new one", n, name)
			}
		}
		sameAnew(t, dir, fmt.Sprintf("step %d", n))
		if step < n {
			t.Logf("torture: an ingest stopped at each of %d renames", step)
			if code != 0 || n < 5 {
				t.Errorf("exit status %d after %d steps", code, step)
			}
			return
		}
	}
}

// An ingest of which one file refuses to be replaced or removed leaves the catalog as it was, and says which file it is.
func TestIngestRefusedAtEachFile(t *testing.T) {
	defer func() { rename = os.Rename }()
	for n := 1; ; n++ {
		dir := small(t)
		old := files(t, dir)
		alter(t, dir)
		step, refused := 0, ""
		rename = func(from, to string) error {
			if step++; step == n {
				if refused = to; strings.HasPrefix(filepath.Base(to), newPrefix) {
					refused = from
				}
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrPermission}
			}
			return os.Rename(from, to)
		}
		said, code := typed(dir, "ingest", "--prune")
		rename = os.Rename
		if refused == "" {
			if code != 0 || n < 5 {
				t.Errorf("exit status %d after %d steps\n%s", code, step, said)
			}
			return
		}
		if code != exitIO || !strings.Contains(said, refused+": cannot be re") || strings.Contains(said, newPrefix) {
			t.Errorf("step %d, %s: exit status %d\n%s", n, refused, code, said)
		}
		if now := files(t, dir); !maps.Equal(now, old) {
			t.Errorf("step %d, %s: the catalog is another", n, refused)
		}
	}
}

// alter changes one input of small, adds one and takes one away.
func alter(t *testing.T, dir string) {
	t.Helper()
	raw := filepath.Join(dir, "data", "raw")
	data, err := os.ReadFile(filepath.Join(raw, "r-0.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), `"output_throughput": 20.0`, `"output_throughput": 21.0`, 1)
	for name, data := range map[string]string{"r-0.json": text,
		"other/r-2.json": strings.Replace(text, "org/m", "org/other", 1)} {
		if err := writeFile(filepath.Join(raw, name), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(raw, "r-1.json")); err != nil {
		t.Fatal(err)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// A list that cannot be written whole is a failure.
func TestFullStandardOutput(t *testing.T) {
	for _, args := range [][]string{{"formats"}, {"formats", "--json"}, {"--help"}, {"--version"},
		{"completion", "bash"}} {
		var errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), fullDisk{}, &errs, args); code != exitIO ||
			!strings.Contains(errs.String(), errFull.Error()) {
			t.Errorf("%q: exit status %d, %s", args, code, errs.String())
		}
	}
}

// Of a run.toml that cannot be read nobody knows what it says of the files beside it: these are not made anew without it.
func TestUnreadSettings(t *testing.T) {
	dir := small(t)
	name := filepath.Join(dir, rawDir, "run.toml")
	if err := os.WriteFile(name, []byte("hardware = \"H100\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "ingest"); code != 0 {
		t.Fatal(said)
	}
	before := files(t, dir)
	if err := os.WriteFile(name, bytes.Repeat([]byte("# more than is read of such a file\n"), 300_000), 0o666); err != nil {
		t.Fatal(err)
	}
	said, code := typed(dir, "ingest")
	if code != exitIO || !strings.Contains(said, "data/raw/run.toml: larger than") || !strings.Contains(said, "nothing is written") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	if after := files(t, dir); !maps.Equal(before, after) {
		t.Error("the catalog is not as it was")
	}
}

// What the system says of a file is said behind the file's name; what is typed wrongly has the status of that.
func TestMessages(t *testing.T) {
	dir := small(t)
	for name, data := range map[string]string{"public": "", "plain": "", ".inferdex-file/x": ""} {
		if err := writeFile(filepath.Join(dir, name), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command []string
		code    int
		said    string
	}{
		{[]string{"ingest", ""}, exitUsage, "an argument is empty and names nothing"},
		{[]string{"ingest", "r\xe9sults"}, exitUsage, `"r\xe9sults" is not in UTF-8: rename`},
		{[]string{"ingest", "public/x"}, exitIO, "public/x: not a directory"},
		{[]string{"export", "csv", "-o", "plain/x"}, exitIO, "plain/x/.inferdex-export.json: not a directory: name a folder"},
		{[]string{"report", "x", "-o", "data"}, exitUsage, `"data" is a directory: give the name of a file`},
		{[]string{"report", "x", "-o", "new/"}, exitUsage, `"new/" is a directory: give the name of a file`},
		{[]string{"submit", "data/raw", "-o", "new/"}, exitUsage, `"new/" is a directory: give the name of a file`},
		{[]string{"list", "runs", "x"}, exitUsage, `"x" is one too many`},
		{[]string{"diff", "data/raw/r-0.json"}, exitIO, "name a directory, an archive or a revision"},
		{[]string{"build", "--base-url", "javascript:x"}, exitUsage, "write an address such as https://"},
		{[]string{"build", "--base-url", "https://x/?q"}, exitUsage, "write an address such as https://"},
		{[]string{"chart", "x", "-o", "x.pdf"}, exitUsage, "a chart is .svg or .png"},
		{[]string{"fetch", "https://x/data/"}, exitUsage, "write [[catalog]] and"},
		{[]string{"serve", "--addr", "x"}, exitUsage, "write an address and a port"},
		{[]string{"serve", "--addr", "localhost:99999"}, exitUsage, "write an address and a port"},
		{[]string{"check", "--site-only"}, exitIO, "public/data/claims.jsonl.gz: not a directory"},
		{[]string{"ingest", ".inferdex-file"}, exitFindings, "nothing was recognised"},
	} {
		if said, code := typed(dir, c.command...); code != c.code || !strings.Contains(said, c.said) ||
			strings.Contains(said, "mkdir ") || strings.Contains(said, "open ") || strings.Contains(said, "stat ") {
			t.Errorf("%q: exit status %d, want %d with %q\n%s", c.command, code, c.code, c.said, said)
		}
	}
	// What any catalog keeps for itself is not read.
	if err := writeFile(filepath.Join(dir, "other", stateDir, "a.json"), []byte(served("org/x", "09"))); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "ingest", "other"); code != exitFindings || !strings.Contains(said, "0 files") {
		t.Errorf("what a catalog keeps: exit status %d\n%s", code, said)
	}
}

// A directory that does not exist holds no catalog: it is said so.
func TestNoSuchDirectory(t *testing.T) {
	dir := t.TempDir()
	if said, code := typed(filepath.Join(dir, "none"), "list", "runs"); code != exitIO ||
		!strings.Contains(said, "no such file or directory") {
		t.Errorf("exit status %d, %s", code, said)
	}
}

// Standard input without an end is refused.
func TestEndlessStandardInput(t *testing.T) {
	dir := t.TempDir()
	if err := writeFile(filepath.Join(dir, configFile), []byte("[limits]\nmember = \"1MB\"\n")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	endless := io.MultiReader(strings.NewReader("x"), zeros{})
	if code := run(context.Background(), endless, &out, &out, []string{"-C", dir, "ingest", "-"}); code != exitIO ||
		!strings.Contains(out.String(), "standard input has more than") {
		t.Errorf("exit status %d, %s", code, out.String())
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What cannot be written is named as the user knows it, not as it is called while it is written.
func TestUpdateNamesItsFiles(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 300)
	u := beginUpdate(t.Context(), dir)
	err := u.End(u.Write(name, nil))
	if want := filepath.Join(dir, name) + ": "; err == nil || !strings.HasPrefix(err.Error(), want) ||
		strings.Contains(err.Error(), newPrefix) {
		t.Errorf("%v, want %s...", err, want)
	}
	for _, c := range []struct {
		err  syscall.Errno
		said string
	}{
		{syscall.EACCES, "a: nothing can be made in the folder it lies in: "},
		{syscall.EROFS, "a: nothing can be made in the folder it lies in: "},
		{syscall.ENOSPC, "a: "},
	} {
		if said := notMade("a", &fs.PathError{Op: "open", Path: newPrefix + "1-a", Err: c.err}).Error(); said != c.said+c.err.Error() {
			t.Errorf("%v: %s", c.err, said)
		}
	}
}

// What the system says of a file stands behind its name, and with what could not be done.
func TestPlainly(t *testing.T) {
	for op, want := range map[string]string{"open": "", "mkdir": "cannot be made in the folder it lies in: ",
		"unlinkat": "cannot be removed: "} {
		err := fmt.Errorf("%w: mend it", &fs.PathError{Op: op, Path: "a/b", Err: syscall.EACCES})
		if said := plainly(err); said != "a/b: "+want+"permission denied: mend it" {
			t.Errorf("%s: %s", op, said)
		}
		err = errors.Join(errors.New("more"), errors.Unwrap(err))
		if said := plainly(err); said != "more\na/b: "+want+"permission denied: give this user the rights to it" {
			t.Errorf("%s: %s", op, said)
		}
	}
	for refused, want := range map[syscall.Errno]string{
		syscall.ENOTDIR: "a: not a directory: name a folder, or move the file away that stands there",
		syscall.EMFILE:  "a: too many open files: raise the limit of open files, 'ulimit -n'",
		syscall.EFBIG:   "a: file too large: raise the limit of the size of files, 'ulimit -f'",
	} {
		if said := plainly(&fs.PathError{Op: "write", Path: "a", Err: refused}); said != want {
			t.Error(said)
		}
	}
}

// A name that is empty is that of nothing: no command takes another place for it.
func TestEmptyNames(t *testing.T) {
	dir := small(t)
	before := files(t, dir)
	for _, args := range [][]string{{"init", ""}, {"diff", ""}, {"submit", ""}, {"ingest", "data/raw", ""}, {"build", "--merge", ""},
		{"export", "csv", "-o", ""}} {
		if said, code := typed(dir, args...); code != exitUsage || !strings.Contains(said, "names nothing: it may stand for") {
			t.Errorf("%q: exit status %d\n%s", args, code, said)
		}
	}
	if after := files(t, dir); len(after) != len(before) {
		t.Errorf("%d files, there were %d", len(after), len(before))
	}
}
