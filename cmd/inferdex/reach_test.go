//go:build reach && unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

var (
	reachRows  = flag.String("rows", "", "measure the rows whose names this expression matches")
	reachTimes = flag.Int("times", 3, "take the median of so many")
	reachParse = flag.String("parse", "", "read this JSON with encoding/json and end")
	reachSize  = flag.String("generate", "", "write inputs of this size, as JSON, and end")
	reachInto  = flag.String("into", "", "where to write them")
	reachSeed  = flag.Uint64("seed", 1, "which of the inputs of that size to write")
)

// cost is what a process took.
type cost struct {
	cpu, wall time.Duration
	rss       int64 // bytes at its highest
}

// spent runs a process several times, each after before, and returns the median of each cost.
func spent(t *testing.T, before func(), name string, args ...string) cost {
	t.Helper()
	return ended(t, 0, before, name, args...)
}

// ended does the same with a process that has to end with a status.
func ended(t *testing.T, status int, before func(), name string, args ...string) cost {
	t.Helper()
	var all []cost
	for range *reachTimes {
		before()
		cmd := exec.Command(name, args...)
		var said bytes.Buffer
		cmd.Stderr = &said
		start := time.Now()
		if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != status {
			t.Fatalf("%s %q: %v, want exit status %d\n%s", name, args, err, status, said.String())
		}
		use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		c := cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(start), int64(use.Maxrss)}
		if runtime.GOOS != "darwin" {
			c.rss *= 1024
		}
		all = append(all, c)
	}
	median := func(of func(cost) int64) int64 {
		slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(of(a), of(b)) })
		return of(all[len(all)/2])
	}
	return cost{
		time.Duration(median(func(c cost) int64 { return int64(c.cpu) })),
		time.Duration(median(func(c cost) int64 { return int64(c.wall) })), median(func(c cost) int64 { return c.rss }),
	}
}

// TestReach prints what the work of the program costs as a table of Markdown, beside what is installed.
func TestReach(t *testing.T) {
	if *reachSize != "" {
		generateInto(t, *reachSize, *reachInto)
		return
	}
	if *reachParse != "" {
		data, err := os.ReadFile(*reachParse)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	only := regexp.MustCompile(*reachRows)
	wanted := func(name string) bool { return only.MatchString(name) }
	program := filepath.Join(t.TempDir(), "inferdex")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	nothing := func() {}
	// What a try made is moved out of the way of the next. Removed files would be counted in it: for minutes ext4 looks for
	// other room for new ones, which takes as long as all else of an ingest.
	gone := t.TempDir()
	away := func(paths ...string) {
		for _, path := range paths {
			to, err := os.MkdirTemp(gone, "")
			if err == nil {
				err = os.Rename(path, filepath.Join(to, "was"))
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	fmt.Println("| work | CPU s | wall s | peak MB | site MB | files | beside |\n| --- | ---: | ---: | ---: | ---: | " +
		"---: | --- |")
	row := func(work string, c cost, site, beside string) {
		if site == "" {
			site = " | "
		}
		cpu, peak := fmt.Sprintf("%.2f", c.cpu.Seconds()), fmt.Sprintf("%.0f", float64(c.rss)/1e6)
		if c.rss == 0 { // not known
			cpu, peak = "", ""
		}
		fmt.Printf("| %s | %s | %.2f | %s | %s | %s |\n", work, cpu, c.wall.Seconds(), peak, site, beside)
	}
	if wanted("help") {
		row("`--help`", spent(t, nothing, program, "--help"), "", "")
	}

	// One file, with what else reads it.
	for _, f := range []struct {
		name string
		size ingesttest.Size
	}{
		{"summaries, 200 MB of JSONL", ingesttest.Summed},
		{"detailed, vLLM JSON of each request", ingesttest.Size{Models: 1, Machines: 1, Versions: 1, Requests: 90_000}},
	} {
		if !wanted(f.name) {
			continue
		}
		dir := t.TempDir()
		largest, bytes := inputsOf(t, f.size, 1, dir)
		fresh := func() {
			away(filepath.Join(dir, "catalog"))
			_ = os.Mkdir(filepath.Join(dir, "catalog"), 0o777)
		}
		own := spent(t, fresh, program, "-C", filepath.Join(dir, "catalog"), "ingest", largest)
		row(fmt.Sprintf("ingest of %s, %.0f MB", f.name, float64(bytes)/1e6), own, "", beside(t, largest, own))
	}

	// Catalogs of many cards.
	for _, models := range []int{50, 200, 500} {
		cards := models * 20
		name := fmt.Sprintf("%d cards", cards)
		if !wanted(name) {
			continue
		}
		dir := t.TempDir()
		input, _ := inputsOf(t, ingesttest.Size{Models: models, Machines: 20, Wide: true}, 1, filepath.Join(dir, rawDir))
		empty := func() { away(filepath.Join(dir, catalogDir), filepath.Join(dir, outputDir)) }
		in := func(args ...string) []string { return append([]string{"-C", dir}, args...) }
		row(name+", ingest", spent(t, empty, program, in("ingest")...), "", "")
		anew := func() { away(filepath.Join(dir, outputDir)) }
		c := spent(t, anew, program, in("build")...)
		size, files := siteSize(t, filepath.Join(dir, outputDir))
		row(name+", build", c, fmt.Sprintf("%.0f | %d", float64(size)/1e6, files), besideHugo(t, filepath.Join(dir, outputDir), c))
		published := filepath.Join(dir, "published")
		c = spent(t, func() { away(published) }, program, in("build", "--base-url", "https://example.org/", "-o", "published")...)
		size, files = siteSize(t, published)
		row(name+", build of a site with an address", c, fmt.Sprintf("%.0f | %d", float64(size)/1e6, files), "")
		away(published)
		do := func(args ...string) {
			if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
				t.Fatalf("%q: %v\n%s", args, err, out)
			}
		}
		const jobs = 4
		slice := func(n int) []string { return in("build", "--shard", fmt.Sprintf("%d/%d", n, jobs)) }
		row(fmt.Sprintf("%s, build of a slice of %d", name, jobs), spent(t, nothing, program, slice(1)...), "", "")
		for n := 2; n <= jobs; n++ {
			do(slice(n)...)
		}
		row(fmt.Sprintf("%s, build that merges %d slices", name, jobs),
			spent(t, anew, program, in("build", "--merge", slicesDir)...), "", "")
		aside := filepath.Join(dir, "aside")
		move := func(from, to string) {
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		without := func() {
			move(input, aside)
			do(in("ingest", "--prune")...)
			do(in("build")...)
		}
		again := func() { without(); move(aside, input) }
		one, err := filepath.Rel(dir, input)
		if err != nil {
			t.Fatal(err)
		}
		row(name+", one new run, ingest", spent(t, again, program, in("ingest", filepath.ToSlash(one))...), "", "")
		row(name+", one new run, ingest of all", spent(t, again, program, in("ingest")...), "", "")
		row(name+", one new run, build", spent(t, func() { again(); do(in("ingest")...) }, program, in("build")...), "", "")
		row(name+", serve, from a new run to the site with it", reloaded(t, without, func() { move(aside, input) }, program,
			in("serve", "--addr", "127.0.0.1:0")...), "", "")
		row(name+", list cards, after a change", spent(t, func() {
			_ = os.RemoveAll(filepath.Join(dir, stateDir, "lists"))
		}, program, in("list", "cards")...), "", "")
		row(name+", list cards", spent(t, nothing, program, in("list", "cards")...), "", "")
		row(name+", check", spent(t, nothing, program, in("check")...), "", "")
	}
	// One card, measured every night.
	for _, nights := range []int{400, 1600} {
		name := fmt.Sprintf("%d nights of one card", nights)
		if !wanted(name) {
			continue
		}
		dir := t.TempDir()
		inputsOf(t, ingesttest.Size{Nights: nights}, 1, filepath.Join(dir, rawDir))
		for _, of := range [][2]string{{"ingest", catalogDir}, {"build", outputDir}} {
			row(name+", "+of[0], spent(t, func() { away(filepath.Join(dir, of[1])) }, program, "-C", dir, of[0]), "", "")
		}
	}
	if models := 50; wanted("hub") {
		hubRows(t, program, models, row)
	}
	if root := os.Getenv("INFERDEX_CORPUS"); root != "" && wanted("collection") {
		// The published collection has 48 suites. The corpus has some of them, generated ones as large stand for the rest.
		dir, suites := t.TempDir(), t.TempDir()
		inputsOf(t, ingesttest.Size{Models: 6, Machines: 8, Versions: 1, Suites: 36, SuiteBytes: ingesttest.Large.SuiteBytes}, 1, suites)
		real, rest := filepath.Join(root, "happy_vllm"), filepath.Join(suites, rawDir, "suites")
		for _, c := range []struct {
			name  string
			paths []string
		}{{"its suites of the corpus", []string{real}}, {"48 suites", []string{real, rest}}} {
			empty := func() { away(filepath.Join(dir, catalogDir)) }
			row("the collection, "+c.name+", ingest",
				spent(t, empty, program, append([]string{"-C", dir, "ingest"}, c.paths...)...), "", "")
			built := spent(t, func() { away(filepath.Join(dir, outputDir)) }, program, "-C", dir, "build")
			size, files := siteSize(t, filepath.Join(dir, outputDir))
			row("the collection, "+c.name+", build", built, fmt.Sprintf("%.0f | %d", float64(size)/1e6, files), "")
		}
	}
}

// counted is an answer whose bytes are counted.
type counted struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}

// hubRows measures a hub that merges three catalogs of so many models on 20 machines each, which a server on this
// machine publishes: to fetch them, to build, to fetch what one of them withdrew, and to refuse one whose index lies.
func hubRows(t *testing.T, program string, models int, row func(work string, c cost, site, beside string)) {
	const catalogs = 3
	name := fmt.Sprintf("hub of %d catalogs, %d cards each", catalogs, models*20)
	dir, published := t.TempDir(), t.TempDir()
	var requests, bytes atomic.Int64
	files := http.FileServer(http.Dir(published))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		files.ServeHTTP(counted{w, &bytes}, r)
	}))
	defer s.Close()
	write := func(name string, data []byte) {
		if err := writeFile(filepath.Join(published, name), data); err != nil {
			t.Fatal(err)
		}
	}
	in := func(args ...string) []string { return append([]string{"-C", dir}, args...) }
	do := func(args ...string) string {
		out, err := exec.Command(program, in(args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	settings := "title = \"Hub\"\n"
	var index federation.Index // of the last catalog
	for n := range catalogs {
		from, at := t.TempDir(), fmt.Sprintf("%d/data/", n)
		inputsOf(t, ingesttest.Size{Models: models, Machines: 20, Wide: true}, uint64(n+1), filepath.Join(from, rawDir))
		if out, err := exec.Command(program, "-C", from, "ingest").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for f, err := range federation.Publish(os.DirFS(filepath.Join(from, catalogDir)), federation.Index{Title: fmt.Sprint("Catalog ", n)}, nil, nil) {
			if err != nil {
				t.Fatal(err)
			}
			write(at+f.Path, f.Data)
			if f.Path == federation.IndexFile {
				index = federation.Index{}
				if err := json.Unmarshal(f.Data, &index); err != nil {
					t.Fatal(err)
				}
			}
		}
		settings += fmt.Sprintf("\n[[catalog]]\nurl = %q\n", s.URL+"/"+at)
	}
	if err := writeFile(filepath.Join(dir, configFile), []byte(settings)); err != nil {
		t.Fatal(err)
	}
	last := fmt.Sprintf("%d/data/%s", catalogs-1, federation.IndexFile)
	state := func(ix federation.Index) {
		data, err := catalog.Marshal(ix)
		if err != nil {
			t.Fatal(err)
		}
		write(last, data)
	}
	// asked is the row of a command, after before, with what it asked the server for.
	asked := func(work string, status int, before func(), args ...string) {
		c := ended(t, status, func() { before(); requests.Store(0); bytes.Store(0) }, program, in(args...)...)
		row(name+", "+work, c, "", fmt.Sprintf("%d requests, %.1f MB", requests.Load(), float64(bytes.Load())/1e6))
	}
	asked("fetch", 0, func() {
		_ = os.RemoveAll(filepath.Join(dir, stateDir))
		_ = os.Remove(filepath.Join(dir, lockFile))
	}, "fetch")
	asked("fetch again", 0, func() {}, "fetch")
	asked("fetch --update, nothing new", 0, func() {}, "fetch", "--update")
	c := spent(t, func() { _ = os.RemoveAll(filepath.Join(dir, outputDir)) }, program, in("build")...)
	size, n := siteSize(t, filepath.Join(dir, outputDir))
	row(name+", build", c, fmt.Sprintf("%.0f | %d", float64(size)/1e6, n), "")

	run, withdrawn, lying := index.Runs[0].ID, index, index
	withdrawn.Withdrawn = []federation.Withdrawal{{ID: run, Reason: "a fan had failed"}}
	asked("fetch --update, one run withdrawn", 0, func() { state(index); do("fetch", "--update"); state(withdrawn) }, "fetch", "--update")
	c = spent(t, func() {
		state(index)
		do("fetch", "--update")
		do("build")
		state(withdrawn)
		do("fetch", "--update")
	}, program, in("build")...)
	page, err := os.ReadFile(filepath.Join(dir, outputDir, "runs", run, "index.html"))
	if err != nil || !strings.Contains(string(page), "a fan had failed") {
		t.Errorf("the page of the run %s does not say that it was withdrawn: %v", run, err)
	}
	row(name+", build after it", c, "", "")

	lock, err := os.ReadFile(filepath.Join(dir, lockFile))
	if err != nil {
		t.Fatal(err)
	}
	lying.Runs = slices.Clone(index.Runs)
	lying.Runs[0].SHA256 = federation.Sum([]byte("a lie"))
	asked("fetch --update, refused for a lie", exitIO, func() { state(lying) }, "fetch", "--update")
	if again, err := os.ReadFile(filepath.Join(dir, lockFile)); err != nil || string(again) != string(lock) {
		t.Errorf("a lie changes the lock: %v", err)
	}
}

// reloaded is how long a server takes from a change to the site with it, the median of several; the rest of its cost
// is not known apart. Each time begins with what before leaves.
func reloaded(t *testing.T, before, change func(), name string, args ...string) cost {
	t.Helper()
	var all []time.Duration
	for range *reachTimes {
		before()
		cmd := exec.Command(name, args...)
		said, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(said)
		built := func() {
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), outputDir+": ") {
					return
				}
			}
			t.Fatalf("%s %q ended: %v", name, args, lines.Err())
		}
		built()
		start := time.Now()
		change()
		built()
		all = append(all, time.Since(start))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	slices.Sort(all)
	return cost{wall: all[len(all)/2]}
}

// inputsOf has a process of its own write generated inputs below dir, because what this one holds would count as
// memory of those it starts. It returns the largest file and its size.
func inputsOf(t *testing.T, size ingesttest.Size, seed uint64, dir string) (largest string, most int64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(size)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(self, "-test.run=^TestReach$", "-generate", string(text), "-into", dir,
		"-seed", fmt.Sprint(seed)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Results alone: the names of many models are a larger file than a result.
	err = filepath.WalkDir(filepath.Join(dir, rawDir), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Size() > most {
			largest, most = name, info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return largest, most
}

// generateInto writes the inputs of a size given as JSON.
func generateInto(t *testing.T, text, dir string) {
	var size ingesttest.Size
	if err := json.Unmarshal([]byte(text), &size); err != nil {
		t.Fatal(err)
	}
	err := ingesttest.Generate(*reachSeed, size, func(name string, data []byte) error {
		return writeFile(filepath.Join(dir, filepath.FromSlash(name)), data)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// beside is how our CPU time stands to that of what is installed, which only parses the file.
func beside(t *testing.T, file string, own cost) (text string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sonic := sonicParser(t)
	const python = "import json,sys\nd=json.JSONDecoder()\ns=open(sys.argv[1]).read()\ni=0\nwhile i<len(s):\n " +
		"_,i=d.raw_decode(s,i)\n while i<len(s) and s[i].isspace(): i+=1"
	for _, other := range []struct {
		name string
		args []string
	}{
		{"python3", []string{"python3", "-c", python, file}},
		{"jq", []string{"jq", "-c", "empty", file}},
		{"encoding/json", []string{self, "-test.run=^TestReach$", "-parse", file}},
		{"sonic " + sonicVersion, []string{sonic, file}},
	} {
		if _, err := exec.LookPath(other.args[0]); err != nil {
			text += other.name + " is not installed; "
			continue
		}
		text += ratio(own, other.name, spent(t, func() {}, other.args[0], other.args[1:]...))
	}
	return text
}

// ratio is how our CPU time stands to that of another.
func ratio(own cost, name string, other cost) string {
	return fmt.Sprintf("%.2f of %s (%.2f s, %.0f MB); ", own.cpu.Seconds()/other.cpu.Seconds(), name, other.cpu.Seconds(),
		float64(other.rss)/1e6)
}

// sonicVersion is the sonic that is looked for in the module cache, where "go get" in any module has put it.
const sonicVersion = "v1.15.5"

// sonicParser builds a program that reads a file of JSON values with sonic, in a module of its own because the program
// does not depend on it. It returns "" where sonic is not in the module cache.
func sonicParser(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module parse\n\ngo 1.24\n", "main.go": `package main

import (
	"bytes"
	"io"
	"os"

	"github.com/bytedance/sonic"
)

func main() {
	data, err := os.ReadFile(os.Args[1])
	d := sonic.ConfigDefault.NewDecoder(bytes.NewReader(data))
	for err == nil {
		var v any
		err = d.Decode(&v)
	}
	if err != io.EOF {
		panic(err)
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "parse")
	for _, args := range [][]string{{"get", "github.com/bytedance/sonic@" + sonicVersion}, {"build", "-o", program, "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("no sonic: %s", out)
			return ""
		}
	}
	return program
}

// besideHugo is how our CPU time for a site stands to that of Hugo alone, which copies the same pages from content files
// through a layout that adds nothing: INFERDEX_HUGO, what "make foreign" installed, or the one in the path.
func besideHugo(t *testing.T, site string, own cost) string {
	t.Helper()
	hugo := os.Getenv("INFERDEX_HUGO")
	for _, name := range []string{"../../bin/hugo", "hugo"} {
		if found, err := exec.LookPath(name); hugo == "" && err == nil {
			hugo = found
		}
	}
	hugo, err := filepath.Abs(hugo)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(hugo); err != nil || info.IsDir() {
		return "hugo is not installed; "
	}
	dir, pages := t.TempDir(), 0
	put := func(name string, data []byte) error { return writeFile(filepath.Join(dir, name), data) }
	err = filepath.WalkDir(site, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".html" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages++
		return put(fmt.Sprintf("content/p/%d.html", pages), append([]byte(fmt.Sprintf("---\ntitle: Page %d\n---\n", pages)), data...))
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"hugo.toml": "disableKinds = [\"taxonomy\", \"term\", \"RSS\", \"sitemap\"]\n[security]\nallowContent = [\".*\"]\n",
		"layouts/single.html": "{{ .Content }}", "layouts/list.html": "{{ .Title }}", "layouts/home.html": "{{ .Title }}"} {
		if err := put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	anew := func() { _ = os.RemoveAll(filepath.Join(dir, "public")) }
	c := spent(t, anew, hugo, "--source", dir, "--quiet")
	return ratio(own, fmt.Sprintf("hugo with the same %d pages as they are", pages), c)
}

// siteSize is the number of bytes and files below a folder.
func siteSize(t *testing.T, dir string) (bytes int64, files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			bytes, files = bytes+info.Size(), files+1
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes, files
}
