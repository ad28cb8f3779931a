package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository begins a repository of git in a directory and returns what runs a command in it. Without git the
// test is skipped.
func repository(t *testing.T, dir string) func(args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("skipped, no git")
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"},
			args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet", "--initial-branch", "main")
	return git
}

// A revision of git, a folder and an archive of the same catalog are the same catalog.
func TestDiffSides(t *testing.T) {
	dir := t.TempDir()
	git := repository(t, dir)
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("note.txt", "nothing yet\n")
	git("add", ".")
	git("commit", "--quiet", "--message", "no catalog")
	write("data/raw/a.json", oneResult)
	inDir(t, dir, 0, "ingest")
	if out := inDir(t, dir, 0, "diff"); !strings.Contains(out, "1 run added") {
		t.Errorf("before the first commit of a catalog:\n%s", out)
	}
	git("add", ".")
	git("commit", "--quiet", "--message", "one run")
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	if err := w.AddFS(os.DirFS(filepath.Join(dir, "data/catalog"))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write("artifact.zip", z.String())
	for _, after := range []string{"HEAD", "main", ".", "data/catalog", "artifact.zip"} {
		if out := inDir(t, dir, 0, "diff", "HEAD", after); out != "Nothing differs: 1 run is equal.\n" {
			t.Errorf("HEAD and %s:\n%s", after, out)
		}
	}
	if out := inDir(t, dir, 0, "diff", "HEAD~1", "HEAD"); !strings.Contains(out, "1 run added") {
		t.Errorf("two revisions:\n%s", out)
	}

	// What git says of a revision that it does not give is said: a clone that was cut, and a folder of somebody else.
	git("clone", "--quiet", "--depth", "1", "file://"+filepath.ToSlash(dir), filepath.Join(dir, "cut"))
	if out := inDir(t, filepath.Join(dir, "cut"), 2, "diff", "HEAD~1"); !strings.Contains(out, "git fetch --unshallow") {
		t.Errorf("a revision that a clone was cut before:\n%s", out)
	}
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	if out := inDir(t, dir, 3, "diff", "HEAD"); !strings.Contains(out, "safe.directory") {
		t.Errorf("a repository of somebody else:\n%s", out)
	}
}

// An archive from anywhere is data: what leads out of it, what unpacks to more than a catalog can be, and what is
// no catalog end in a message.
func TestDiffHostileArchive(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, catalogDir), 0o777); err != nil {
		t.Fatal(err)
	}
	archive := func(name string, files ...*zip.FileHeader) string {
		t.Helper()
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, h := range files {
			f, err := w.CreateRaw(h)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write([]byte("{}")); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file := func(name string, size uint64) *zip.FileHeader {
		return &zip.FileHeader{Name: name, UncompressedSize64: size, CompressedSize64: 2}
	}
	for _, c := range []struct{ name, want string }{
		{archive("slip.zip", file("../../data/catalog/m/x.json", 2)), "leads out of the archive"},
		{archive("absolute.zip", file("/etc/x.json", 2)), "leads out of the archive"},
		{archive("bomb.zip", file("m/x.json", 10<<30)), "this is no catalog"},
		{archive("script.zip", file("m/<script>alert(1)</script>.html", 2)), "unexpected file"},
		{archive("run.zip", file("m/x.json", 2)), "m/x.json"},
	} {
		out := inDir(t, dir, exitIO, "diff", ".", c.name)
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %s", c.name, out)
		}
	}
}
