//go:build torture && linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// lasts is how long the program is killed; the other tests of this file take about a minute together.
var (
	lasts = flag.Duration("lasts", 5*time.Minute, "how long the program is killed")
	ends  = flag.Int64("ends", 0, "the second, counted from 1970, when a tenth of -lasts is enough; 0 is never")
)

// until is when something that begins now and goes on for d is over: earlier where -ends comes before it.
func until(d time.Duration) time.Time {
	now := time.Now()
	over := now.Add(d)
	if last := time.Unix(*ends, 0); *ends != 0 && over.After(last) {
		over = last
	}
	if least := now.Add(d / 10); over.Before(least) {
		return least
	}
	return over
}

// A victim is a catalog with the states that a command may leave it in.
type victim struct {
	program, dir string
	last, next   map[string]string // the catalog of some of its inputs and of all of them
	lastSite     map[string]string
	nextSite     map[string]string
	rest         []string // inputs that only next was made of
}

// inferdex runs the program in the catalog and returns what it says and its exit status, -1 where it was killed.
func (v *victim) inferdex(args ...string) (said string, code int) {
	cmd := exec.Command(v.program, append([]string{"-C", v.dir}, args...)...)
	out, err := cmd.CombinedOutput()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		return err.Error(), -2
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (v *victim) must(t *testing.T, args ...string) {
	t.Helper()
	if said, code := v.inferdex(args...); code != 0 {
		t.Fatalf("%q: exit status %d\n%s", args, code, said)
	}
}

// content is what lies below a folder of the catalog; nil where there is none.
func (v *victim) content(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := filepath.Join(v.dir, folder)
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, root)] = string(data)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// put makes a folder of the catalog hold files and nothing else.
func (v *victim) put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(v.dir, folder)); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := writeFile(filepath.Join(v.dir, folder, name), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
}

// newVictim builds the program and a catalog in dir, once of some of its inputs and once of all.
func newVictim(t *testing.T, dir string) *victim {
	t.Helper()
	v := &victim{program: filepath.Join(t.TempDir(), "inferdex"), dir: dir}
	if out, err := exec.Command("go", "build", "-o", v.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, data := range map[string]string{"a.json": served("org/m", "01"), "b.json": served("org/m", "02"),
		"c.json": served("org/n", "03"), "d.json": served("org/o", "04")} {
		if err := writeFile(filepath.Join(dir, rawDir, name), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	v.rest = []string{filepath.Join(dir, rawDir, "b.json"), filepath.Join(dir, rawDir, "d.json")}
	v.must(t, "ingest")
	v.must(t, "build")
	v.next, v.nextSite = v.content(t, catalogDir), v.content(t, outputDir)
	v.put(t, catalogDir, nil)
	v.hide(t, true)
	v.must(t, "ingest")
	v.must(t, "build")
	v.hide(t, false)
	v.last, v.lastSite = v.content(t, catalogDir), v.content(t, outputDir)
	if maps.Equal(v.last, v.next) || maps.Equal(v.lastSite, v.nextSite) {
		t.Fatal("the rest of the inputs changes nothing")
	}
	return v
}

// hide takes the rest of the inputs away or brings them back.
func (v *victim) hide(t *testing.T, away bool) {
	t.Helper()
	for _, name := range v.rest {
		from, to := name, name+".away"
		if !away {
			from, to = to, from
		}
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
}

// sound fails where the catalog has a file that is neither of last nor of next, or cannot be read.
func (v *victim) sound(t *testing.T, when string) {
	t.Helper()
	runs := 0
	for name, data := range v.content(t, catalogDir) {
		if filepath.Ext(name) == ".json" && !strings.HasPrefix(filepath.ToSlash(name), "/_inputs/") &&
			!strings.HasPrefix(filepath.Base(name), newPrefix) {
			runs++
		}
		if !strings.HasPrefix(filepath.Base(name), newPrefix) && data != v.last[name] && data != v.next[name] {
			t.Errorf("%s: %s is neither the old file nor the new one", when, name)
		}
	}
	// The first ingest may be killed before it has written a run.
	if said, code := v.inferdex("list", "runs"); code != 0 && (runs > 0 || !strings.Contains(said, "holds no runs")) {
		t.Errorf("%s: the catalog with %d runs cannot be read: %s", when, runs, said)
	}
}

// whole fails where the site is neither the last nor the next one; it tells whether there is one.
func (v *victim) whole(t *testing.T, when string) bool {
	t.Helper()
	site := v.content(t, outputDir)
	if site != nil && !maps.Equal(site, v.lastSite) && !maps.Equal(site, v.nextSite) {
		t.Errorf("%s: the site is neither the old one nor the new one", when)
	}
	return site != nil
}

// swept fails where not all is as after a command that nothing stopped.
func (v *victim) swept(t *testing.T, when string) {
	t.Helper()
	if !maps.Equal(v.content(t, catalogDir), v.next) {
		t.Errorf("%s: the catalog is not that of an ingest that nothing stopped", when)
	}
	site := v.content(t, outputDir)
	if site != nil && !maps.Equal(site, v.nextSite) && !maps.Equal(site, v.lastSite) {
		t.Errorf("%s: the site is not that of a build that nothing stopped", when)
	}
	for name, text := range v.content(t, stateDir) {
		if file, of := strings.CutPrefix(name, "/publish/"+outputDir+"/spare"); of {
			if site != nil && site[file] != text {
				t.Errorf("%s: what is kept for the next build is no file of the site: %s", when, file)
			}
			continue
		}
		base := filepath.Base(name)
		listing := filepath.Base(filepath.Dir(name)) == "lists" && !strings.HasPrefix(base, newPrefix)
		if !listing && !slices.Contains([]string{"files", "memory", "seen", "lock", "ingest.lock"}, base) {
			t.Errorf("%s: %s%s is left", when, stateDir, name)
		}
	}
}

// kill runs a command and kills it at a moment of its usual time, every second one as soon as first, what its
// last steps begin with, is there. It tells whether the command was still running.
func (v *victim) kill(usual time.Duration, first string, args ...string) bool {
	cmd := exec.Command(v.program, append([]string{"-C", v.dir}, args...)...)
	if cmd.Start() != nil {
		return false
	}
	end := make(chan struct{})
	go func() { _ = cmd.Wait(); close(end) }()
	wait := time.Duration(rand.Int64N(int64(usual)))
	if rand.IntN(2) == 0 {
		wait /= 50
		for found := false; !found; {
			select {
			case <-end:
				return false
			default:
				names, _ := filepath.Glob(filepath.Join(v.dir, first))
				found = len(names) > 0
			}
		}
	}
	select {
	case <-end:
		return false
	case <-time.After(wait):
		_ = cmd.Process.Kill()
		<-end
		return cmd.ProcessState.ExitCode() < 0
	}
}

// TestTortureKills kills ingest, build and both from nothing at random moments.
func TestTortureKills(t *testing.T) {
	v := newVictim(t, t.TempDir())
	var killed, ended, absent int
	usual := map[string]time.Duration{}
	for _, command := range []string{"ingest", "build"} {
		v.put(t, catalogDir, v.last)
		start := time.Now()
		v.must(t, command)
		usual[command] = time.Since(start)
	}
	for over, n := until(*lasts), 0; time.Now().Before(over) && !t.Failed(); n++ {
		when := fmt.Sprintf("after %d kills", killed)
		count := func(running bool) {
			if running {
				killed++
			} else {
				ended++
			}
		}
		v.put(t, catalogDir, v.last)
		if n%4 == 3 {
			v.put(t, catalogDir, nil)
		}
		count(v.kill(usual["ingest"], filepath.Join(catalogDir, "*", newPrefix+"*"), "ingest"))
		if v.content(t, catalogDir) != nil {
			v.sound(t, when)
		}
		v.must(t, "ingest")
		v.swept(t, when)
		count(v.kill(usual["build"], filepath.Join(stateDir, "publish", outputDir, "nextfiles"), "build"))
		if !v.whole(t, when) {
			absent++
		}
		v.must(t, "build")
		if v.swept(t, when); !maps.Equal(v.content(t, outputDir), v.nextSite) {
			t.Errorf("%s: the next build is not that of nothing stopped", when)
		}
		if n%4 == 1 { // the next kill is of a build that replaces another site
			v.put(t, catalogDir, v.last)
			v.must(t, "build")
		}
	}
	t.Logf("torture: %d kills at random moments, %d commands had ended before, %d sites were between two names", killed,
		ended, absent)
	if killed == 0 {
		t.Error("nothing was killed")
	}
}

// TestTortureTogether runs each command several times at once.
func TestTortureTogether(t *testing.T) {
	v := newVictim(t, t.TempDir())
	rounds := 0
	for over := until(*lasts / 5); time.Now().Before(over) && !t.Failed(); rounds++ {
		v.put(t, catalogDir, v.last)
		var all sync.WaitGroup
		for _, command := range []string{"ingest", "ingest", "build", "build", "list runs"} {
			all.Go(func() {
				args := strings.Fields(command)
				said, code := v.inferdex(args...)
				if code != 0 && !strings.Contains(said, "another build is writing this site") {
					t.Errorf("round %d: %s: exit status %d\n%s", rounds, command, code, said)
				}
			})
		}
		all.Wait()
		v.must(t, "build")
		v.swept(t, fmt.Sprintf("round %d", rounds))
		v.whole(t, fmt.Sprintf("round %d", rounds))
	}
	t.Logf("torture: %d rounds of five commands at once", rounds)
}

// TestTortureDisks runs out of room on disks of a few megabytes.
func TestTortureDisks(t *testing.T) {
	dir := t.TempDir()
	mount := func(flags uintptr, kB int) error {
		return syscall.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%dk", kB))
	}
	if err := mount(0, 100_000); err != nil {
		t.Skipf("torture: no small disks: only root can make one here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	v := newVictim(t, dir)
	full, done := 0, 0
	for room := 0; done < 3 && !t.Failed(); room += 10 {
		v.put(t, catalogDir, v.last)
		v.put(t, outputDir, v.lastSite)
		var at syscall.Statfs_t
		if err := syscall.Statfs(dir, &at); err != nil {
			t.Fatal(err)
		}
		used := int((at.Blocks - at.Bfree) * uint64(at.Bsize) / 1024)
		if err := mount(syscall.MS_REMOUNT, used+room); err != nil {
			t.Fatal(err)
		}
		when := fmt.Sprintf("with %d kB", room)
		_, ingested := v.inferdex("ingest")
		v.sound(t, when)
		_, built := v.inferdex("build")
		v.whole(t, when)
		for _, code := range []int{ingested, built} {
			switch code {
			case 0:
			case exitIO:
				full++
			default:
				t.Errorf("%s: exit status %d", when, code)
			}
		}
		if err := mount(syscall.MS_REMOUNT, 100_000); err != nil {
			t.Fatal(err)
		}
		v.must(t, "ingest")
		v.must(t, "build")
		v.swept(t, when)
		if ingested == 0 && built == 0 {
			done++
		}
	}
	t.Logf("torture: %d commands ended on a full disk", full)
	if full < 2 {
		t.Error("no disk was full")
	}
}

// After one new run at 1,000 cards 60 pages are others, and one text is rendered that may link to any page; more after
// one of a model that others are held against because it stands first.
func TestTortureOneNewRun(t *testing.T) {
	pages, rendered := oneNewRun(t, ingesttest.Size{Models: 50, Machines: 20, Wide: true}, "mi325x/dunlin-8b.jsonl")
	if rendered > 60 {
		t.Errorf("%d of %d pages are rendered after one new run", rendered, pages)
	}
	t.Logf("torture: %d of %d pages rendered after one new run", rendered, pages)
}
