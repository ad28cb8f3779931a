//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe, or a device without an end, where settings or inputs are looked for is refused: nothing waits for it.
func TestIrregularFiles(t *testing.T) {
	dir := small(t)
	for _, c := range []struct {
		name, command string
		said          string
		code          int
	}{
		{"inferdex.toml", "ingest", "inferdex.toml: neither a file nor a directory", exitIO},
		{"inferdex.toml", "build", "inferdex.toml: neither a file nor a directory", exitIO},
		{"run.toml", "ingest", "run.toml: neither a file nor a directory", exitIO},
		{"data/SOURCE.toml", "ingest", "data/SOURCE.toml: neither a file nor a directory", exitIO},
		{"data/notes/n.toml", "ingest", "n.toml: neither a file nor a directory", exitIO},
		{"data/names/n.toml", "ingest", "data/names/n.toml: ", exitIO},
		{"data/raw/run.toml", "ingest", "data/raw/run.toml: ignored: ", exitDone},
		{"data/raw/pipe.json", "ingest", "1 ignored", exitDone},
		{"data/catalog/x/aaaaaaaaaaaa.json", "list runs", "neither a file nor a directory", exitIO},
		{"content/a.md", "build", "content/a.md: ", exitIO},
		{"layouts/card.html", "build", "layouts/card.html: ", exitIO},
		{"assets/css/custom.css", "build", "assets/css/custom.css: ", exitIO},
	} {
		for kind, make := range map[string]func(string) error{
			"pipe":   func(name string) error { return syscall.Mkfifo(name, 0o666) },
			"device": func(name string) error { return os.Symlink("/dev/zero", name) },
		} {
			name := filepath.Join(dir, filepath.FromSlash(c.name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := make(name); err != nil {
				t.Fatal(err)
			}
			said, code := typed(dir, strings.Fields(c.command)...)
			if code != c.code || !strings.Contains(said, c.said) {
				t.Errorf("%s as a %s, %s: exit status %d, want %d\n%s", c.name, kind, c.command, code, c.code, said)
			}
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What is published, or read of names and notes, lies in the catalog: a link out of it is told and not followed, one that
// stays in it is.
func TestLinksOutOfTheCatalog(t *testing.T) {
	dir := small(t)
	outside := t.TempDir()
	for name, data := range map[string]string{
		"secret": "s3cret = 1\n", "folder/secret.md": "---\ntitle: x\n---\ns3cret\n", "folder/n.toml": "s3cret = 1\n",
	} {
		if err := writeFile(filepath.Join(outside, filepath.FromSlash(name)), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeFile(filepath.Join(dir, "own.txt"), []byte("own")); err != nil {
		t.Fatal(err)
	}
	const out = ": a link that leads out of the catalog: put the file itself there"
	secret, folder := filepath.Join(outside, "secret"), filepath.Join(outside, "folder")
	for _, c := range []struct {
		name, to, command, said string
		code                    int
	}{
		{"content/p.txt", secret, "build", "content/p.txt" + out, exitIO},
		{"content/p.md", secret, "build", "content/p.md" + out, exitIO},
		{"content/more", folder, "build", "content/more" + out, exitIO},
		{"content", folder, "build", "content" + out, exitIO},
		{"layouts/card.html", secret, "build", "layouts/card.html" + out, exitIO},
		{"layouts", folder, "build", "layouts" + out, exitIO},
		{"assets/css/custom.css", secret, "build", "assets/css/custom.css" + out, exitIO},
		{"assets", folder, "build", "assets" + out, exitIO},
		{"data/names/n.toml", secret, "list runs", "data/names/n.toml" + out, exitIO},
		{"data/names", folder, "list runs", "data/names" + out, exitIO},
		{"data/notes/n.toml", secret, "ingest", "data/notes/n.toml" + out, exitIO},
		{"data/notes", folder, "ingest", "data/notes" + out, exitIO},
		{"data/snapshots/t", folder, "build", "data/snapshots/t", exitIO},
		{"inferdex.toml", filepath.Join(folder, "n.toml"), "list runs", "inferdex.toml" + out, exitIO},
		{"data/run.toml", filepath.Join(folder, "n.toml"), "ingest data/raw", "data/run.toml" + out, exitIO},
		{"data/catalog/org-m/a.json", secret, "list runs", "data/catalog/org-m/a.json" + out, exitIO},
		{"data/catalog/org-n", folder, "list runs", "data/catalog/org-n: unexpected file in a catalog", exitIO},
		{"content/folder", "../data", "build", "content/folder: a link to a folder: put the folder itself there", exitIO},
		{"content/own.txt", "../own.txt", "build", "public: ", exitDone},
	} {
		name := filepath.Join(dir, filepath.FromSlash(c.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if c.name == "data/snapshots/t" {
			if err := writeFile(filepath.Join(folder, datasetFile), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(c.to, name); err != nil {
			t.Fatal(err)
		}
		said, code := typed(dir, strings.Fields(c.command)...)
		if code != c.code || !strings.Contains(said, c.said) || strings.Contains(said, "s3cret") {
			t.Errorf("%s to %s, %s: exit status %d, want %d\n%s", c.name, c.to, c.command, code, c.code, said)
		}
		if c.code == exitDone && c.command == "build" {
			if data, err := os.ReadFile(filepath.Join(dir, "public/own.txt")); string(data) != "own" {
				t.Errorf("a link in the catalog: %q, %v", data, err)
			}
		}
		for at := name; len(at) > len(dir) && os.Remove(at) == nil; { // and the folders made for it
			at = filepath.Dir(at)
		}
	}
}

// Files have the rights that the user gives new files.
func TestRightsOfFiles(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := small(t)
	if said, code := typed(dir, "snapshot", "v1"); code != exitDone {
		t.Fatal(said)
	}
	names := map[string]bool{filepath.Join(dir, snapshotsDir, "v1", pagesFile): true}
	for name := range files(t, dir) {
		names[name] = true
	}
	for name := range names {
		for at, want := range map[string]os.FileMode{name: 0o640, filepath.Dir(name): 0o750} {
			if info, err := os.Stat(at); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v, want %v", at, info.Mode().Perm(), err, want)
			}
		}
	}
}

// A site is not replaced by one that lacks what cannot be read: names, snapshots. A link to itself cannot, not by root either.
func TestUnreadIsNotLeftOut(t *testing.T) {
	dir := small(t)
	for _, command := range []string{"snapshot v1", "build"} {
		if said, code := typed(dir, strings.Fields(command)...); code != exitDone {
			t.Fatalf("%s: exit status %d\n%s", command, code, said)
		}
	}
	quoted := filepath.Join(dir, "public/as-of/v1/data", datasetFile)
	for _, c := range []struct {
		name     string
		commands []string
	}{
		{"data/snapshots/v1", []string{"build", "build --split organisation", "check", "diff v1", "compare v1", "compare v1 ."}},
		{"data/snapshots", []string{"build", "check", "diff v1", "compare v1"}},
		{"data/names", []string{"build", "build --full", "check", "list cards", "diff v1", "compare v1 .", "ingest", "ingest --check"}},
	} {
		name := filepath.Join(dir, filepath.FromSlash(c.name))
		_ = os.Rename(name, name+".away")
		if err := os.Symlink(filepath.Base(name), name); err != nil {
			t.Fatal(err)
		}
		for _, command := range c.commands {
			said, code := typed(dir, strings.Fields(command)...)
			if code != exitIO || !strings.Contains(said, "inferdex: "+c.name+": ") {
				t.Errorf("%s, %s: exit status %d\n%s", c.name, command, code, said)
			}
			if _, err := os.Stat(quoted); err != nil {
				t.Fatalf("%s, %s: %v", c.name, command, err)
			}
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		_ = os.Rename(name+".away", name)
	}
	if said, code := typed(dir, "build"); code != exitDone || !strings.Contains(said, " 0 rendered anew") {
		t.Errorf("when all can be read again: exit status %d\n%s", code, said)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "check", "--site-only", "--output", "loop"); code != exitIO || strings.Contains(said, "build") {
		t.Errorf("a site that cannot be read: exit status %d\n%s", code, said)
	}
}

// Where one of several files cannot be copied, none is.
func TestEjectAllOrNone(t *testing.T) {
	dir := t.TempDir()
	if err := writeFile(filepath.Join(dir, "assets"), nil); err != nil {
		t.Fatal(err)
	}
	said, code := typed(dir, "eject", "layouts/card.html", "assets/css/base.css")
	if _, err := os.Stat(filepath.Join(dir, "layouts/card.html")); code != exitIO || err == nil || strings.Contains(said, "change it") {
		t.Errorf("exit status %d, %v\n%s", code, err, said)
	}
}

// A link in a site leads nowhere outside of it.
func TestServedLinks(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "public")
	for name, data := range map[string]string{"secret": "s", "public/index.html": "p", "public/a/b": "b"} {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"out": "../secret", "all": dir, "in": "a", "zero": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(site, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"index.html": true, "a/b": true, "in/b": true, "out": false,
		"all/secret": false, "zero": false} {
		f, err := published(site).Open(name)
		if got := err == nil; got != want {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			f.Close()
		}
	}
}

// A command in a directory that was removed says so.
func TestCurrentDirectoryGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Skip("a directory in use cannot be removed here")
	}
	for _, command := range []string{"list runs", "ingest", "build", "init"} {
		var said bytes.Buffer
		code := run(t.Context(), strings.NewReader(""), &said, &said, strings.Fields(command))
		if code != exitIO || !strings.Contains(said.String(), "the current directory is gone") {
			t.Errorf("%s: exit status %d\n%s", command, code, said.String())
		}
	}
}

// What inferdex keeps for itself may have become anything: nothing waits for it, and it is said what to do.
func TestIrregularState(t *testing.T) {
	dir := small(t)
	if said, code := typed(dir, "build"); code != 0 {
		t.Fatal(said)
	}
	for name, c := range map[string]struct{ command, said string }{
		"ingest.lock":           {"ingest", "ingest.lock: is no file; remove it"},
		"publish/public/lock":   {"build", "lock: is no file; remove it"},
		"publish/public/files":  {"build", "files: is no file; remove it"},
		"publish/public/memory": {"build", "public: "}, // it is there to save time
	} {
		name := filepath.Join(dir, stateDir, filepath.FromSlash(name))
		for kind, make := range map[string]func(string) error{
			"pipe":   func(name string) error { return syscall.Mkfifo(name, 0o666) },
			"folder": func(name string) error { return writeFile(filepath.Join(name, "x"), nil) },
		} {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
			if err := make(name); err != nil {
				t.Fatal(err)
			}
			said, code := typed(dir, c.command)
			if !strings.Contains(said, c.said) || (code != exitIO) != strings.HasPrefix(c.said, "public") {
				t.Errorf("%s as a %s, %s: exit status %d\n%s", name, kind, c.command, code, said)
			}
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
			if said, code := typed(dir, c.command); code != 0 {
				t.Errorf("%s removed, %s: exit status %d\n%s", name, c.command, code, said)
			}
		}
	}
}

// A folder that may not be read is named.
func TestClosedFolders(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is closed to root")
	}
	dir := small(t)
	if said, code := typed(dir, "build"); code != 0 {
		t.Fatal(said)
	}
	for _, name := range []string{"layouts", "content", "assets", "public/runs"} {
		name := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
		said, code := typed(dir, "build", "--full")
		if err := os.Chmod(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if code != exitIO || !strings.Contains(said, strings.Split(strings.TrimPrefix(name, dir+"/"), "/")[0]+": ") ||
			!strings.Contains(said, "permission denied") {
			t.Errorf("%s: exit status %d\n%s", name, code, said)
		}
	}
}

// A pipe in the place of a file that a command writes, or that a build wrote, is waited for by nobody.
func TestPipesInTheWay(t *testing.T) {
	dir := small(t)
	if said, code := typed(dir, "build"); code != 0 {
		t.Fatal(said)
	}
	for name := range files(t, dir) {
		if !strings.HasSuffix(name, ".gz") {
			continue
		}
		pipe(t, name)
		if said, code := typed(dir, "ingest"); code != 0 || !strings.Contains(said, filepath.Base(name)+": neither a file nor a directory: it is made anew") {
			t.Errorf("%s: exit status %d\n%s", name, code, said)
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s is not written anew: %v", name, err)
		}
	}
	for _, c := range []struct{ name, command string }{
		{"public/data/claims.jsonl.gz", "check"}, {"public/index.html", "check"}, {"layouts/x.html", "eject"},
		{".inferdex/lists/sums.json", "list runs"}, {"out/.inferdex-export.json", "export csv --output out"},
		{"submission.zip", "submit data/raw"}, {"parts/index.html", "build --split organisation"},
	} {
		name := filepath.Join(dir, filepath.FromSlash(c.name))
		pipe(t, name)
		typed(dir, strings.Fields(c.command)...) // it ends
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// pipe puts a pipe that nobody writes to in the place of a file.
func pipe(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
}

// An input that is a pipe is not said to be in the way: the shell makes one of <(command), and standard input takes the same.
func TestPipesAsInputs(t *testing.T) {
	dir := small(t)
	pipe(t, filepath.Join(dir, "p"))
	for _, command := range []string{"ingest p", "submit p", "compare data/raw p"} {
		said, code := typed(dir, strings.Fields(command)...)
		if code != exitIO || !strings.Contains(said, `"p" is neither a file nor a directory: write what it gives to standard input`) {
			t.Errorf("%s: exit status %d\n%s", command, code, said)
		}
	}
}

// A folder whose disk is not there is not taken for one that has nothing in it.
func TestLinksThatLeadNowhere(t *testing.T) {
	dir := small(t)
	for name, commands := range map[string]string{
		"data/catalog": "ingest,ingest --check,build,list runs,check,export json",
		"data/raw":     "ingest,ingest --prune,submit data/raw,ingest data/raw/r-0.json",
		"data":         "ingest,build,list runs",
	} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Rename(at, at+".away"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere", at); err != nil {
			t.Fatal(err)
		}
		for command := range strings.SplitSeq(commands, ",") {
			said, code := typed(dir, strings.Fields(command)...)
			if code != exitIO || !strings.Contains(said, "a link that leads nowhere: is its disk there?") {
				t.Errorf("%s, %s: exit status %d\n%s", name, command, code, said)
			}
		}
		if err := errors.Join(os.Remove(at), os.Rename(at+".away", at)); err != nil {
			t.Fatal(err)
		}
	}
}

// A pipe in the place of the site is waited for by nobody, and of a link it is said that it is one.
func TestPipeAsSite(t *testing.T) {
	dir := small(t)
	pipe(t, filepath.Join(dir, "public"))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "away"), 0o777), os.Symlink("away", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"build": "public: is not a directory", "build --output link": "link: is a link; remove it",
		"build --output data/raw/r-0.json": "lies in data", "check": "public", "build --merge public": "public",
		"build --split organisation --output public": "public", "export csv --output public": "public",
	} {
		if said, code := typed(dir, strings.Fields(command)...); code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit status %d\n%s", command, code, said)
		}
	}
}
