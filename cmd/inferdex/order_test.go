package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/settings"
)

// library is a catalog in memory that ingests change.
type library struct {
	t     *testing.T
	disk  fstest.MapFS
	names *settings.Names
	raw   map[string][]byte // the files that lie below "in", as far as an ingest may look for them
	// unchanged are paths below "in" that an ingest may leave as they are in the catalog.
	unchanged map[string]bool
}

// ingest reads files below a name, as the command does. Where keep is not negative, it is cut off after
// so many files are in place. Measuring are the files with a record that names its session.
func (l *library) ingest(name string, files map[string][]byte, keep int) (measuring map[string]bool) {
	l.t.Helper()
	tree := fstest.MapFS{name: {Mode: fs.ModeDir}}
	for p, data := range files {
		tree[name+"/"+p] = &fstest.MapFile{Data: data}
	}
	r, err := ingest.Read(context.Background(), []ingest.Input{{Name: name, FS: tree, Root: name}},
		ingest.Options{Formats: format.All(), Sidecar: settings.IsSidecar})
	if err != nil {
		l.t.Fatal(err)
	}
	measuring = map[string]bool{}
	for _, rec := range r.Records {
		if rec.Session() != "" {
			measuring[strings.TrimPrefix(rec.Pos().File, name+"/")] = true
		}
	}
	sidecars := map[string][]byte{}
	for _, s := range r.Sidecars {
		sidecars[s.Path] = s.Data
	}
	o := normalize.Options{Formats: format.All(), Pack: catalog.Gzip, Names: l.names, Inputs: []string{name}}
	if l.raw != nil {
		o.Holds = func(p, digest string) bool {
			data, there := l.raw[strings.TrimPrefix(p, "in/")]
			return there && fmt.Sprintf("%x", sha256.Sum256(data)) == digest
		}
	}
	if l.unchanged != nil {
		o.Unchanged = func(p string) bool {
			file, _, _ := strings.Cut(strings.TrimPrefix(p, "in/"), "!")
			return l.unchanged[file]
		}
	}
	o.Sidecars, _ = settings.LoadSidecars(sidecars)
	c, err := catalog.Open(l.disk)
	if err != nil {
		l.t.Fatal(err)
	}
	out, err := normalize.Catalog(r, c, o)
	if err != nil {
		l.t.Fatal(err)
	}
	stop := fmt.Errorf("interrupted")
	step := func(change func()) error {
		if keep == 0 {
			return stop
		}
		keep--
		change()
		return nil
	}
	err = out.Update.Write(
		func(name string, data []byte) error {
			return step(func() { l.disk[name] = &fstest.MapFile{Data: data} })
		},
		func(name string) error { return step(func() { delete(l.disk, name) }) })
	if err != nil && err != stop {
		l.t.Fatal(err)
	}
	return measuring
}

// text is what the catalog holds, without what became of the inputs where runs is set.
func (l *library) text(runs bool) map[string]string {
	out := map[string]string{}
	for name, f := range l.disk {
		if strings.HasSuffix(name, ".gz") {
			continue // a run has the digest of its records
		}
		if runs && strings.HasPrefix(name, "_inputs/") || strings.Contains(string(f.Data), `"path": "part`) {
			continue
		}
		out[name] = string(f.Data)
	}
	return out
}

// shelves are sets of files that are ingested in random ways, by name: the samples of all formats.
func shelves(t *testing.T) map[string]map[string][]byte {
	out := map[string]map[string][]byte{}
	for _, s := range samplesOfFormats(t) {
		for name, data := range s.inputs() {
			if out[s.format] == nil {
				out[s.format] = map[string][]byte{}
			}
			out[s.format][s.Name+"/"+name] = data
		}
	}
	out["repetitions"] = repetitions()
	out["telemetry"] = telemetry()
	out["machine"] = machine()
	return out
}

// telemetry is a folder in which samples of the machine are called as the results of two runs that they were taken in,
// with other folders beside it.
func telemetry() map[string][]byte {
	samples := []byte("elapsed_s,power_w,temp_c,sm_mhz,gpu_util,mem_used_mb\n" +
		"10,40.4,59,2515,96,1165\n21,43.4,61,2502,96,1164\n")
	return map[string][]byte{
		"paired/01-chat-short.json": []byte(served("org/one-7b", "01")),
		"paired/01-chat-long.json":  []byte(served("org/two-7b", "02")),
		"paired/02-code.json":       []byte(served("org/one-7b", "03")), "paired/01-telemetry.csv": samples,
		"other/chat.json": []byte(served("org/one-7b", "04")), "another/chat.json": []byte(served("org/three-7b", "05")),
	}
}

// machine is what several nights on one machine leave: each folder says the same of it, byte for byte, and one of them
// has it above two others, which lie in a folder each.
func machine() map[string][]byte {
	out := map[string][]byte{}
	for i, dir := range []string{"night1/", "night2/", "night3/chat/", "night3/code/", "night4/"} {
		out[dir+"result.json"] = []byte(served(fmt.Sprintf("org/night-%db", 1+i), fmt.Sprintf("%02d", 1+i)))
		top, _, _ := strings.Cut(dir, "/")
		out[top+"/lscpu.txt"] = []byte(lscpu)
		out[top+"/args.json"] = []byte(`{"model": "org/any", "tensor_parallel_size": 2, "gpu_memory_utilization": 0.9}`)
	}
	out["night5/lscpu.txt"] = out["night1/lscpu.txt"] // describes nothing
	return out
}

// lscpu describes a machine.
const lscpu = "Architecture: x86_64\nCPU(s): 64\nModel name: AMD EPYC 9354\n"

// repetitions are folders of one sweep that only the number of the repetition tells apart, of two servers.
func repetitions() map[string][]byte {
	out := map[string][]byte{}
	for i := range 6 {
		dir := fmt.Sprintf("rep/run%d/", i+1)
		out[dir+"run.toml"] = fmt.Appendf(nil, "hardware = \"2x H100\"\nengine_version = \"0.9.%d\"\n", i/4)
		for _, c := range []int{1, 8} {
			out[fmt.Sprintf("%sc%d.json", dir, c)] = fmt.Appendf(nil, `{"date": "20250101-12%02d%02d", "backend": "vllm", `+
				`"model_id": "org/test-7b", "num_prompts": 100, "request_rate": "inf", "max_concurrency": %d, `+
				`"duration": %d, "completed": 100, "total_input_tokens": 100000, "total_output_tokens": 10000, `+
				`"output_throughput": %d, "median_ttft_ms": %d, "median_tpot_ms": 10}`, i, c, c, 100-i, 100+i*c, 90+i)
		}
	}
	return out
}

// directories names, for each file, the part of the tree that it stays with: its highest directory, and
// those that have a copy of one of its files that measures something. Such bytes that are seen elsewhere only have moved
// there, while each folder of a machine may say the same of it.
func directories(files map[string][]byte, measuring map[string]bool) map[string]string {
	up := map[string]string{}
	root := func(d string) string {
		for up[d] != "" {
			d = up[d]
		}
		return d
	}
	seen := map[string]string{}
	top := func(p string) string { d, _, _ := strings.Cut(p, "/"); return d }
	for _, p := range slices.Sorted(maps.Keys(files)) {
		mine := root(top(p))
		if !measuring[p] {
			continue
		}
		if other, copied := seen[string(files[p])]; copied && root(other) != mine {
			up[mine] = root(other)
		}
		seen[string(files[p])] = root(mine)
	}
	out := map[string]string{}
	for p := range files {
		out[p] = root(top(p))
	}
	return out
}

// realShelves are small folders of real files, by name, which are no part of this repository: of each
// directory of results so many files as [TestAnyWay] has the time for.
func realShelves(t *testing.T) map[string]map[string][]byte {
	const largest, most, mostBytes = 128 << 10, 16, 768 << 10 // bytes of a file, files and bytes of a folder
	out := map[string]map[string][]byte{}
	for _, root := range []string{corpus(t), field(t)} {
		sizes := map[string]int{}
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil || info.Size() > largest {
				return err
			}
			rel, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			// Two levels make a folder; what lies higher describes what is below it.
			dirs := strings.Split(path.Dir(rel), "/")
			shelf := path.Join(path.Base(filepath.ToSlash(root)), path.Join(dirs[:min(2, len(dirs))]...))
			if len(out[shelf]) >= most || sizes[shelf]+int(info.Size()) > mostBytes {
				return nil
			}
			data, err := os.ReadFile(p)
			if out[shelf] == nil {
				out[shelf] = map[string][]byte{}
			}
			out[shelf][strings.TrimPrefix(rel, path.Join(dirs[:min(2, len(dirs))]...)+"/")] = data
			sizes[shelf] += len(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestAnyWay ingests files in random parts, orders and repetitions, from archives before their folder,
// with interruptions, and at last as a whole or part by part: the catalog is that of the whole at once.
func TestAnyWay(t *testing.T) { anyWay(t, shelves(t), 12) }

// TestConformanceAnyWay does the same with real files.
func TestConformanceAnyWay(t *testing.T) { anyWay(t, realShelves(t), 6) }

// Equal descriptions at two places of a run are both of it, whatever part of the run is read again.
func TestEqualDescriptions(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	l := &library{t: t, disk: fstest.MapFS{}, names: names}
	files := map[string][]byte{}
	for p, data := range shelves(t)["happyvllm"] {
		if strings.HasPrefix(p, "suite/") {
			files[p] = data
		}
	}
	places := []string{"suite/raw_results/lscpu.txt", "suite/report/lscpu.txt"}
	for _, p := range places {
		files[p] = []byte(lscpu)
	}
	l.ingest("in", files, -1)
	whole := l.text(true)
	for _, p := range places {
		if !strings.Contains(fmt.Sprint(whole), p) {
			t.Fatalf("%s is of no run", p)
		}
	}
	l.ingest("in", map[string][]byte{"suite/params.txt": files["suite/params.txt"]}, -1)
	if diff := cmp.Diff(whole, l.text(true)); diff != "" {
		t.Errorf("-whole +a part once more:\n%s", diff)
	}
}

// A description that waits for its results goes on waiting where another folder has the same bytes.
func TestWaitingDescription(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	all := machine()
	of := func(paths ...string) map[string][]byte {
		out := map[string][]byte{}
		for _, p := range paths {
			out[p] = all[p]
		}
		return out
	}
	whole, parts := &library{t: t, disk: fstest.MapFS{}, names: names}, &library{t: t, disk: fstest.MapFS{}, names: names}
	whole.ingest("in", of("night1/lscpu.txt", "night1/result.json", "night2/lscpu.txt", "night2/result.json"), -1)
	parts.ingest("in", of("night1/lscpu.txt"), -1)
	parts.ingest("in", of("night2/lscpu.txt", "night2/result.json"), -1)
	parts.ingest("in", of("night1/result.json"), -1)
	if diff := cmp.Diff(whole.text(true), parts.text(true)); diff != "" {
		t.Errorf("-at once +the description first:\n%s", diff)
	}
}

// TestOneFileMore ingests folders without one of their files, and then that file with the others as they are, or alone: the
// catalog is that of the whole at once. Then the file has another name: the catalog is that of an ingest of what lies there.
func TestOneFileMore(t *testing.T) { oneFileMore(t, shelves(t), 100) }

// TestConformanceOneFileMore does the same with real files.
func TestConformanceOneFileMore(t *testing.T) { oneFileMore(t, realShelves(t), 8) }

func oneFileMore(t *testing.T, all map[string]map[string][]byte, most int) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	for _, shelf := range slices.Sorted(maps.Keys(all)) {
		t.Run(strings.ReplaceAll(shelf, " ", "-"), func(t *testing.T) {
			files := all[shelf]
			begin := func() *library { return &library{t: t, disk: fstest.MapFS{}, names: names, raw: files} }
			whole := begin()
			measuring := whole.ingest("in", files, -1)
			held := map[string]int{} // files of the same bytes
			for _, data := range files {
				held[string(data)]++
			}
			beside := map[string][]byte{} // what speaks for other files
			var results []string
			for _, p := range slices.Sorted(maps.Keys(files)) {
				switch {
				case settings.IsSidecar(path.Base(p)):
					beside[p] = files[p]
				case measuring[p] && held[string(files[p])] > 1: // see TestCopiedResult
				default:
					results = append(results, p)
				}
			}
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(results), func(i, j int) {
				results[i], results[j] = results[j], results[i]
			})
			for _, p := range results[:min(len(results), most)] {
				rest, one := maps.Clone(files), maps.Clone(beside)
				delete(rest, p)
				one[p] = files[p]
				l, alone := begin(), begin()
				l.ingest("in", rest, -1)
				alone.disk = maps.Clone(l.disk)
				l.unchanged = map[string]bool{}
				for q := range rest {
					l.unchanged[q] = true
				}
				l.ingest("in", files, -1)
				if diff := cmp.Diff(whole.text(false), l.text(false)); diff != "" {
					t.Errorf("%s (-at once +when the others are unchanged):\n%s", p, diff)
				}
				alone.ingest("in", one, -1)
				if diff := cmp.Diff(whole.text(true), alone.text(true)); diff != "" {
					t.Errorf("%s (-at once +alone):\n%s", p, diff)
				}
				// The file has another name now.
				rest[path.Join(path.Dir(p), "renamed-"+path.Base(p))] = files[p]
				anew := &library{t: t, disk: fstest.MapFS{}, names: names}
				anew.ingest("in", rest, -1)
				l.raw, l.unchanged = rest, nil
				l.ingest("in", rest, -1)
				if diff := cmp.Diff(anew.text(false), l.text(false)); diff != "" {
					t.Errorf("%s, renamed (-anew +after the old name):\n%s", p, diff)
				}
			}
		})
	}
}

func anyWay(t *testing.T, all map[string]map[string][]byte, ways uint64) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	tried := 0
	for _, shelf := range slices.Sorted(maps.Keys(all)) {
		t.Run(strings.ReplaceAll(shelf, " ", "-"), func(t *testing.T) {
			files := all[shelf]
			whole := &library{t: t, disk: fstest.MapFS{}, names: names}
			together := directories(files, whole.ingest("in", files, -1))
			for seed := range ways {
				tried++
				rnd := rand.New(rand.NewPCG(seed, 3))
				l := &library{t: t, disk: fstest.MapFS{}, names: names}
				parts := make([]map[string][]byte, 1+rnd.IntN(4))
				// In the end either the whole is ingested, or each part once more, of whole directories then.
				byPart := len(parts) > 1 && rnd.IntN(2) == 0
				of := map[string]int{}
				for _, p := range slices.Sorted(maps.Keys(files)) {
					key := p
					if byPart {
						key = together[p]
					}
					i, known := of[key]
					if !known {
						i = rnd.IntN(len(parts))
						of[key] = i
					}
					if parts[i] == nil {
						parts[i] = map[string][]byte{}
					}
					parts[i][p] = files[p]
				}
				for range 1 + rnd.IntN(2) {
					for i, part := range parts {
						if rnd.IntN(4) == 0 {
							continue
						}
						name, keep := "in", -1
						if rnd.IntN(3) == 0 {
							name = fmt.Sprintf("part%d.zip!x", i)
						}
						if rnd.IntN(3) == 0 {
							keep = rnd.IntN(6)
						}
						l.ingest(name, part, keep)
					}
				}
				if !byPart {
					l.ingest("in", files, -1)
					if diff := cmp.Diff(whole.text(false), l.text(false)); diff != "" {
						t.Fatalf("seed %d (-at once +in parts, then the whole):\n%s", seed, diff)
					}
					continue
				}
				for _, i := range rnd.Perm(len(parts)) {
					l.ingest("in", parts[i], -1)
				}
				if diff := cmp.Diff(whole.text(true), l.text(true)); diff != "" {
					t.Fatalf("seed %d (-at once +part by part):\n%s", seed, diff)
				}
			}
		})
	}
	t.Logf("%d ways of %d folders", tried, len(all))
}
