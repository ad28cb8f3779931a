package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// raw writes inputs of a catalog by their names below data/raw.
func raw(t *testing.T, dir string, inputs map[string]string) {
	t.Helper()
	for name, data := range inputs {
		if err := writeFile(filepath.Join(dir, rawDir, filepath.FromSlash(name)), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
}

// Two branches that each add a folder of results and ingest it merge without a conflict, and what comes of it is
// the catalog of both.
func TestBranchesMerge(t *testing.T) {
	for name, base := range map[string]string{
		"a folder is there": "base/a.json", "files are there, no folder": "a.json", "nothing is there": "",
		"the folders of both are there": "two/deep/base.json",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git := repository(t, dir)
			commit := func(message string, inputs map[string]string, args ...string) {
				t.Helper()
				raw(t, dir, inputs)
				ingestInto(t, dir, args...)
				git("add", "data")
				git("commit", "--quiet", "--allow-empty", "--message", message)
			}
			if base == "" {
				git("commit", "--quiet", "--allow-empty", "--message", "nothing")
			} else {
				commit("base", map[string]string{base: served("org/m", "01")})
			}
			git("checkout", "--quiet", "-b", "one")
			commit("one", map[string]string{"one/a.json": served("org/m", "02"),
				"one/run.toml":           "hardware = \"2x H100 SXM\"\n",
				"two/deep/as/one/a.json": served("org/m", "05"), "two/nvidia/b.json": served("org/n", "06")})
			git("checkout", "--quiet", "main")
			git("checkout", "--quiet", "-b", "two")
			commit("two", map[string]string{"two/deep/a.json": served("org/m", "03"),
				"two/b.json":             served("org/n", "04"),
				"two/deep/as/two/a.json": served("org/m", "07"), "two/amd/x/b.json": served("org/n", "08")}, "data/raw")
			git("merge", "--quiet", "--no-edit", "one")
			if said, code := typed(dir, "ingest", "--check"); code != 0 {
				t.Errorf("ingest --check: exit status %d\n%s", code, said)
			}
			sameAnew(t, dir, "merged")
		})
	}
}

// A folder with a copy of a result leaves the run where it lay, with what stands beside it there; a result has moved
// where it lies there no more, or other bytes do.
func TestCopiedResult(t *testing.T) {
	for name, c := range map[string]struct {
		change func(old string) error
		copied bool
		beside map[string]string // copies of other files
	}{
		"copied": {func(string) error { return nil }, true, nil},
		"moved":  {os.Remove, false, nil},
		"replaced": {func(old string) error { return os.WriteFile(old, []byte(served("org/o", "03")), 0o666) }, false,
			nil},
		"copied with what describes it": {func(string) error { return nil }, true, map[string]string{"new/lscpu.txt": lscpu}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			raw(t, dir, map[string]string{"old/a.json": served("org/m", "01"), "old/lscpu.txt": lscpu,
				"old/run.toml": "hardware = \"2x H100 SXM\"\nengine_version = \"0.9.1\"\n"})
			ingestInto(t, dir)
			raw(t, dir, map[string]string{"new/a.json": served("org/m", "01")})
			raw(t, dir, c.beside)
			if err := c.change(filepath.Join(dir, rawDir, "old", "a.json")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				ingestInto(t, dir, "data/raw/new")
				runs := 0
				for name, data := range files(t, dir) {
					if strings.HasSuffix(filepath.Dir(name), "-m") && filepath.Ext(name) == ".json" {
						runs++
						for said, want := range map[string]bool{"H100 SXM": true, "0.9.1": true, "EPYC": true, "data/raw/old/lscpu.txt": true,
							"data/raw/new/a.json": true, "data/raw/old/a.json": c.copied} {
							if strings.Contains(data, said) != want {
								t.Errorf("%q is told: %v, want %v", said, !want, want)
							}
						}
					}
				}
				if runs != 1 {
					t.Errorf("%d runs, want 1", runs)
				}
			}
			if c.copied {
				ingestInto(t, dir)
				sameAnew(t, dir, "copied")
			}
		})
	}
}

// A folder that moved is the same runs at another place, and what its run.toml said goes with its run.toml.
func TestMovedFolder(t *testing.T) {
	for name, kept := range map[string]bool{"with its run.toml": true, "without its run.toml": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			raw(t, dir, map[string]string{"old/a.json": served("org/m", "01"), "old/b.json": served("org/n", "02"),
				"old/run.toml": "hardware = \"2x H100 SXM\"\nengine_version = \"0.9.1\"\n"})
			ingestInto(t, dir)
			before := files(t, dir)
			if err := os.Rename(filepath.Join(dir, rawDir, "old"), filepath.Join(dir, rawDir, "new")); err != nil {
				t.Fatal(err)
			}
			if !kept {
				if err := os.Remove(filepath.Join(dir, rawDir, "new", "run.toml")); err != nil {
					t.Fatal(err)
				}
			}
			ingestInto(t, dir, "--prune")
			after := files(t, dir)
			for name, data := range before {
				if _, there := after[name]; !there && !strings.Contains(name, "_inputs") {
					t.Errorf("%s is gone", name)
				}
				if filepath.Ext(name) == ".json" && !strings.Contains(data, "data/raw/old") {
					t.Errorf("%s did not name the folder", name)
				}
			}
			for name, data := range after {
				if strings.Contains(data, "data/raw/old") {
					t.Errorf("%s names the folder as it was", name)
				}
				if run := strings.HasSuffix(filepath.Dir(name), "-m") && filepath.Ext(name) == ".json"; run &&
					strings.Contains(data, "H100 SXM") != kept ||
					!kept && strings.Contains(data, "0.9.1") {
					t.Errorf("%s: the facts of run.toml are kept: %v, want %v", name, !kept, kept)
				}
			}
			sameAnew(t, dir, "moved")
		})
	}
}

// What a killed ingest left beside the files of a catalog is gone after the next one, in a directory whose name
// reads as a pattern too; what a note says there is read.
func TestKilledIngestIsSwept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a]")
	raw(t, dir, map[string]string{"one/a.json": served("org/m", "01"), "b.json": served("org/n", "02")})
	if err := writeFile(filepath.Join(dir, notesDir, "n.toml"), []byte("wrong = \n")); err != nil {
		t.Fatal(err)
	}
	ingestInto(t, dir)
	whole := files(t, dir)
	folders := map[string]bool{filepath.Join(dir, catalogDir): true}
	for name := range whole {
		folders[filepath.Dir(name)] = true
	}
	if len(folders) != 4 {
		t.Fatalf("%d folders, want the catalog, two models and the inputs", len(folders))
	}
	for folder := range folders {
		for range 2 {
			f, err := createBeside(filepath.Join(folder, "x.json"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("{"); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
	}
	if n := len(files(t, dir)); n != len(whole)+8 {
		t.Fatalf("%d files beside %d", n-len(whole), len(whole))
	}
	said, code := typed(dir, "ingest")
	if code != 0 || !strings.Contains(said, "data/notes/n.toml:1") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	now := files(t, dir)
	for name := range now {
		if now[name] != whole[name] {
			t.Errorf("%s is left", name)
		}
	}
}

// Raw records that are missing are said and come back with an ingest of all sources; one of a part of them does
// not take the rest away.
func TestMissingRawRecords(t *testing.T) {
	dir := small(t)
	whole := files(t, dir)
	for name := range whole {
		if !strings.HasSuffix(name, ".gz") {
			continue
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if said, code := typed(dir, "check", "--catalog-only"); code != exitFindings ||
			!strings.Contains(said, "the raw records are missing: restore") {
			t.Errorf("check: exit status %d\n%s", code, said)
		}
		if said, code := typed(dir, "ingest", "data/raw/r-0.json"); code != exitIO ||
			!strings.Contains(said, "1 of its 2 points: nothing is written") {
			t.Errorf("a part of the sources: exit status %d\n%s", code, said)
		}
		ingestInto(t, dir)
		now := files(t, dir)
		if len(now) != len(whole) {
			t.Errorf("%d files, was %d", len(now), len(whole))
		}
		for name := range whole {
			if now[name] != whole[name] {
				t.Errorf("%s is not as it was", name)
			}
		}
		return
	}
	t.Error("the catalog had no raw records")
}

// A file that was corrected replaces what its older version said: no load is measured twice, and no run is left
// of what is not said any more. Of another model or day it may be another measurement that took over the name of
// the file, such as that of the next night: the older one stays until it is pruned.
func TestCorrectedFile(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		lines          int // of the list before anything is pruned
	}{
		{"a value", `"output_throughput": 20.0`, `"output_throughput": 33.0`, 3},
		{"the load", `"max_concurrency": 8`, `"max_concurrency": 16`, 3},
		{"the day", `"date": "20250101`, `"date": "20250103`, 4},
		{"the model", `"model_id": "org/m"`, `"model_id": "org/n"`, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := small(t)
			text := strings.Replace(served("org/m", "01"), c.old, c.new, 1)
			raw(t, dir, map[string]string{"r-0.json": text})
			ingestInto(t, dir)
			if said, _ := typed(dir, "list", "points"); strings.Count(said, "\n") != c.lines {
				t.Errorf("want %d lines:\n%s", c.lines, said)
			}
			if c.lines == 3 {
				sameAnew(t, dir, "corrected")
			}
			ingestInto(t, dir, "--prune")
			sameAnew(t, dir, "pruned")
		})
	}
}
