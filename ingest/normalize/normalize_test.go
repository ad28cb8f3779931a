package normalize

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/metric"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// lines is a format for tests: each line of a .rec file is a kind and a record as JSON. Its
// Finish adds up the x of all samples named "part" and gives the sum as a figure, and the total
// generation speed of each result that has an output throughput as twice that.
var lines = &reading.Format{
	Name:  "lines",
	Match: func(h *reading.Head) bool { return path.Ext(h.Name) == ".rec" },
	Read: func(src *reading.Source, emit func(record.Record)) error {
		for i, line := range strings.Split(string(src.Data), "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			at := record.Pos{File: src.Path(), Line: i + 1, Col: 1}
			kind, text, _ := strings.Cut(line, " ")
			rec := record.New(kind)
			d := json.NewDecoder(strings.NewReader(text))
			d.DisallowUnknownFields()
			if rec == nil {
				emit(&record.SyntaxError{Base: record.Base{At: at}, Text: fmt.Sprintf("unknown kind %q", kind)})
			} else if err := d.Decode(rec); err != nil {
				emit(&record.SyntaxError{Base: record.Base{At: at}, Text: err.Error()})
			} else {
				rec.Header().At = at
				emit(rec)
			}
		}
		return nil
	},
	Finish: func(group []record.Record, emit func(record.Record)) {
		var first *record.Samples
		sum, n := 0.0, 0
		for _, r := range group {
			switch r := r.(type) {
			case *record.Samples:
				if r.Name == "part" {
					if first == nil {
						first = r
					}
					n++
					for _, x := range r.X {
						sum += x
					}
				}
			case *record.Result:
				for _, v := range r.Values {
					if v.Quantity == metric.OutputThroughput {
						emit(&record.Result{Base: r.Beside(), Workload: r.Workload, Load: r.Load,
							Repetition: r.Repetition,
							Values: []record.Value{{Quantity: metric.TotalGenerationSpeed, Stat: metric.Value,
								Number: 2 * v.Number, Unit: "tok/s"}}})
					}
				}
			}
		}
		if first != nil {
			emit(&record.Figure{Base: first.Beside(), Quantity: metric.KVCacheTokens, Value: &sum, Unit: "tokens",
				From: n, Published: fmt.Sprintf("~%.0f tokens", sum)})
		}
	},
}

// pages is another format with the same records: a file that publishes what lines reads.
var pages = &reading.Format{
	Name:  "pages",
	Match: func(h *reading.Head) bool { return path.Ext(h.Name) == ".page" },
	Read:  lines.Read,
}

const accelerators = `
[[accelerator]]
id = "h100"
vendor = "NVIDIA"
name = "H100"
[[accelerator]]
id = "a100-80gb"
vendor = "NVIDIA"
name = "A100 80 GB"
aliases = ["A100-80g"]
`

func testNames(t testing.TB) *settings.Names {
	n, diags := settings.LoadNames(fstest.MapFS{"names/accelerators.toml": {Data: []byte(accelerators)}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return n
}

// world is a tree of files and a catalog that ingests change.
type world struct {
	t      testing.TB
	files  fstest.MapFS
	notes  map[string][]byte
	disk   fstest.MapFS
	denied map[string]bool // names of files that may not be read
	opts   Options
	report string
}

func newWorld(t testing.TB) *world {
	return &world{t: t, files: fstest.MapFS{}, notes: map[string][]byte{}, disk: fstest.MapFS{}, denied: map[string]bool{},
		opts: Options{Pack: catalog.Gzip, Formats: []*reading.Format{lines, pages}, Names: testNames(t)}}
}

// denying is files of which some may not be read.
type denying struct {
	fs.FS
	names map[string]bool
}

// Open implements fs.FS.
func (d denying) Open(name string) (fs.File, error) {
	if d.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

func (w *world) read(inputs []string) *ingest.Reading {
	w.t.Helper()
	var in []ingest.Input
	for _, name := range inputs {
		in = append(in, ingest.Input{Name: name, FS: denying{w.files, w.denied}, Root: name})
	}
	r, err := ingest.Read(context.Background(), in,
		ingest.Options{Formats: w.opts.Formats, Sidecar: settings.IsSidecar})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) options(r *ingest.Reading, inputs []string) Options {
	w.t.Helper()
	side := map[string][]byte{}
	for _, s := range r.Sidecars {
		side[s.Path] = s.Data
	}
	o := w.opts
	var diags []settings.Diagnostic
	if o.Sidecars, diags = settings.LoadSidecars(side); len(diags) > 0 {
		w.t.Fatal(diags)
	}
	if len(w.notes) > 0 {
		if o.Notes, diags = settings.LoadNotes(w.notes); len(diags) > 0 {
			w.t.Fatal(diags)
		}
	}
	o.Inputs = inputs
	return o
}

func (w *world) catalog() *catalog.Catalog {
	w.t.Helper()
	c, err := catalog.Open(w.disk)
	if err != nil {
		w.t.Fatal(err)
	}
	if found := catalog.Lint(c); len(found) > 0 {
		w.t.Fatalf("lint: %v", found)
	}
	return c
}

// ingest is what the command does.
func (w *world) ingest(inputs ...string) *Outcome {
	w.t.Helper()
	r := w.read(inputs)
	out, err := Catalog(r, w.catalog(), w.options(r, inputs))
	if err != nil {
		w.t.Fatal(err)
	}
	w.outlined(r, inputs, out)
	var wrote []string
	err = out.Update.Write(func(name string, data []byte) error {
		w.disk[name] = &fstest.MapFile{Data: data}
		wrote = append(wrote, name)
		return nil
	}, func(name string) error {
		delete(w.disk, name)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.report += fmt.Sprintf("ingest %s: %d runs (%d new), %d points (%d new, %d unchanged), %d files written, "+
		"removed %q\n",
		strings.Join(inputs, " "), len(out.Runs), out.NewRuns, out.Points, out.NewPoints, out.UnchangedPoints,
		len(wrote), out.Update.Remove)
	return out
}

// outlined does an ingest once more with a catalog of which the runs are outlines as long as nobody asks for more, and
// compares what is to be written.
func (w *world) outlined(r *ingest.Reading, inputs []string, want *Outcome) {
	w.t.Helper()
	c, damaged, err := catalog.OpenOutlined(w.disk, sketched{w.t, w.disk})
	if err != nil || len(damaged) > 0 {
		w.t.Fatal(err, damaged)
	}
	got, err := Catalog(r, c, w.options(r, inputs))
	if err != nil {
		w.t.Fatal(err)
	}
	written := func(out *Outcome) map[string]string {
		files := map[string]string{"counts": fmt.Sprint(len(out.Runs), out.NewRuns, out.Points, out.NewPoints, out.UnchangedPoints)}
		err := out.Update.Write(func(name string, data []byte) error {
			files[name] = string(data)
			return nil
		}, func(name string) error {
			files[name] = "removed"
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
		return files
	}
	if diff := cmp.Diff(written(want), written(got)); diff != "" {
		w.t.Errorf("ingest %q by outlines of the runs (-all runs +outlines):\n%s", inputs, diff)
	}
}

// sketched has an outline of each run of a catalog, as it is kept.
type sketched struct {
	t    testing.TB
	disk fs.FS
}

func (s sketched) Outline(name string, _ fs.DirEntry) *catalog.Run {
	r, err := catalog.ReadRun(s.disk, name)
	if err != nil {
		s.t.Error(err)
		return nil
	}
	text, err := catalog.Compact(Outline(r))
	if err != nil {
		s.t.Error(err)
	}
	o := &catalog.Run{}
	if !record.Unmarshal(text, o) {
		s.t.Errorf("an outline is refused: %s", text)
	}
	return o
}

func (s sketched) Read(name string, _ fs.DirEntry, r *catalog.Run) *catalog.Run {
	s.t.Errorf("%s is read", name)
	return r
}

// text is the catalog as text: raw records unpacked.
func (w *world) text() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for name, f := range w.disk {
		if id, ok := strings.CutSuffix(path.Base(name), ".raw.jsonl.gz"); ok {
			records, err := w.catalog().Raw(id)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, r := range records {
				line, err := catalog.Compact(r)
				if err != nil {
					w.t.Fatal(err)
				}
				out[name] += string(line) + "\n"
			}
			continue
		}
		out[name] = string(f.Data)
	}
	return out
}

// runs is text without the inputs.
func (w *world) runs() map[string]string {
	out := w.text()
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, "_inputs/") })
	return out
}

// TestGolden runs the steps of each testdata/*.txtar and compares the catalog they leave. A step is
// "ingest PATH...", "set KEY=VALUE", "remove FILE", "deny FILE", "allow", "move FILE FILE", "check PATH..." or "raw", which
// shows the raw records as well. Files below notes/ are notes on runs. No run may hold a line of
// the file "never", but for its findings.
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata/*.txtar", func(t *testing.T, g *goldentest.Case) {
		w := newWorld(t)
		steps, never := strings.TrimSpace(g.Text("steps")), strings.TrimSpace(g.Text("never"))
		for _, f := range g.Files {
			switch f.Name {
			case "steps", "want", "never":
			case "inferdex.toml":
				c, diags := settings.LoadConfig(f.Data, f.Name)
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				w.opts.Config = c
			default:
				w.files[f.Name] = &fstest.MapFile{Data: f.Data}
			}
		}
		showRaw := false
		for _, step := range strings.Split(steps, "\n") {
			word := strings.Fields(step)
			switch word[0] {
			case "ingest":
				w.ingest(word[1:]...)
			case "set":
				f, err := settings.ParseSet(strings.TrimPrefix(step, "set "))
				if err != nil {
					t.Fatal(err)
				}
				w.opts.Set = append(w.opts.Set, f)
			case "unset":
				w.opts.Set = nil
			case "remove":
				delete(w.files, word[1])
			case "deny": // deny FILE: the file or folder may not be read from now on
				w.denied[word[1]] = true
			case "allow": // what was denied may be read again
				clear(w.denied)
			case "move":
				w.files[word[2]] = w.files[word[1]]
				delete(w.files, word[1])
			case "note": // note FILE ID: the file is data/notes/ID.toml from now on
				w.notes["data/notes/"+word[2]+".toml"] = w.files[word[1]].Data
				delete(w.files, word[1])
			case "check":
				r := w.read(word[1:])
				diffs, _, err := Check(r, w.catalog(), w.options(r, word[1:]))
				if err != nil {
					t.Fatal(err)
				}
				w.report += fmt.Sprintf("check %s: %d differences\n", strings.Join(word[1:], " "), len(diffs))
				for _, d := range diffs {
					w.report += "\t" + d.File + ": " + d.Message + "\n"
				}
			case "edit": // edit FILE OLD NEW: somebody edits the catalog by hand
				for n, f := range w.disk {
					if ok, _ := path.Match(word[1], n); ok {
						f.Data = bytes.ReplaceAll(f.Data, []byte(word[2]), []byte(word[3]))
					}
				}
			case "raw":
				showRaw = true
			default:
				t.Fatalf("step %q", step)
			}
		}
		got := w.report
		text := w.text()
		for _, n := range slices.Sorted(maps.Keys(text)) {
			if strings.HasSuffix(n, ".gz") && !showRaw {
				continue
			}
			got += "\n" + n + "\n" + text[n]
		}
		runs := ""
		for name, text := range w.runs() {
			if !strings.HasSuffix(name, ".gz") {
				text, _, _ = strings.Cut(text, "\n  \"findings\"") // they say why
				runs += text
			}
		}
		for line := range strings.SplitSeq(never, "\n") {
			if line != "" && strings.Contains(runs, line) {
				t.Errorf("the catalog says %q", line)
			}
		}
		g.Want(t, got)
		if goldentest.Update() {
			return
		}
		// Whatever a golden does, doing its last ingest again changes nothing.
		for _, step := range slices.Backward(strings.Split(steps, "\n")) {
			if word := strings.Fields(step); word[0] == "ingest" && !strings.Contains(steps, "\nedit ") {
				if out := w.ingest(word[1:]...); len(out.Update.Runs)+len(out.Update.Inputs)+len(
					out.Update.Remove) > 0 || out.NewPoints > 0 {
					t.Errorf("a second ingest writes %d runs, %d inputs and removes %q", len(out.Update.Runs),
						len(out.Update.Inputs), out.Update.Remove)
				}
				break
			}
		}
	})
}

// suite makes the files of one session: n loads in each of two scenarios, one record a file.
func suite(tool, session, model string, n int) map[string]string {
	out := map[string]string{}
	for _, s := range []int{128, 1024} {
		for c := 1; c <= n; c++ {
			in, outLen, conc := float64(s), 64.0, int64(c)
			sent, done := int64(10*c), int64(10*c-c%2)
			r := &record.Result{
				Base: record.Base{Key: record.SessionKey(tool, session),
					Identity: record.Identity{Tool: tool, Session: session, Model: model},
					Facts:    []record.Fact{{Key: record.FactEngineVersion, Value: "0.8.2"}}},
				Workload:  record.Workload{Nominal: record.Lengths{Input: &in, Output: &outLen}},
				Load:      record.Load{MaxConcurrency: &conc},
				Submitted: &sent, Completed: &done,
				Values: []record.Value{
					{Quantity: metric.TTFT, Stat: "mean", Number: 10.5 * float64(c*s), Unit: "ms"},
					{Quantity: metric.OutputThroughput, Stat: "value", Number: 33.25 * float64(c), Unit: "tok/s"},
				},
				Kept: record.Kept{Raw: json.RawMessage(fmt.Sprintf(`{"c":%d,"s":%d}`, c, s)), Unmapped: []string{"x"}},
			}
			b, err := json.Marshal(r)
			if err != nil {
				panic(err)
			}
			x := &record.Samples{Base: record.Base{Key: r.Key, Identity: r.Identity}, Name: "part",
				X: []float64{float64(c)}}
			p, err := json.Marshal(x)
			if err != nil {
				panic(err)
			}
			out[fmt.Sprintf("r_%d_%d.rec", s, c)] = "result " + string(b) + "\nsamples " + string(p) + "\n"
		}
	}
	return out
}

// TestPartThenWhole ingests random parts of a suite in random order and then the whole, and
// compares with the whole at once.
func TestPartThenWhole(t *testing.T) {
	files := suite("t", "2025-01-01, 00:00:00", "org/m", 6)
	files["params.rec"] = `params {"of":"server","params":[{"name":"seed","value":0}]}` + "\n"
	add := func(w *world, dir string, keep func(i int) bool) {
		for i, name := range slices.Sorted(maps.Keys(files)) {
			if keep(i) {
				w.files[dir+"/"+name] = &fstest.MapFile{Data: []byte(files[name])}
			}
		}
	}
	whole := newWorld(t)
	add(whole, "whole.zip!x", func(int) bool { return true })
	whole.files["run.toml"] = &fstest.MapFile{Data: []byte("hardware = \"H100\"\n")}
	whole.ingest(".")
	want := whole.runs()
	if len(want) != 2 {
		t.Fatalf("%d files, want a run and its raw records", len(want))
	}
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t)
		for part := range 1 + rnd.IntN(3) {
			dir := fmt.Sprintf("part%d.zip!x", part)
			add(w, dir, func(int) bool { return rnd.IntN(2) == 0 })
			if len(w.files) == 0 {
				continue
			}
			w.ingest(".")
			w.files = fstest.MapFS{}
		}
		add(w, "whole.zip!x", func(int) bool { return true })
		w.files["run.toml"] = &fstest.MapFile{Data: []byte("hardware = \"H100\"\n")}
		w.ingest(".")
		if diff := cmp.Diff(want, w.runs()); diff != "" {
			t.Fatalf("seed %d (-at once +in parts):\n%s", seed, diff)
		}
		if out := w.ingest("."); out.NewPoints != 0 || len(out.Update.Runs) != 0 {
			t.Fatalf("seed %d: the second ingest gives %d new points and writes %d runs", seed, out.NewPoints,
				len(out.Update.Runs))
		}
	}
}

// told are the files in which measurements are told: each by an exact record, by a printed log of some of
// its numbers, and by a page that rounds them more, in files of one or of several measurements.
func told(rnd *rand.Rand, n int) map[string]string {
	out := map[string]string{}
	round := func(v float64, digits int) float64 {
		f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', digits, 64), 64)
		return f
	}
	for i := range n {
		ttft, e2e, tput := 20+900*rnd.Float64(), 1000+9000*rnd.Float64(), 100+900*rnd.Float64()
		line := func(session, head, load string, digits int) string {
			return fmt.Sprintf(
				`result {"session":%q,%s"load":{%s},"values":[{"quantity":"ttft","stat":"mean","number":%v,"unit":"ms","key":"a"},`+
					`{"quantity":"e2e_latency","stat":"mean","number":%v,"unit":"ms","key":"b"},{"quantity":"output_throughput","stat":"value","number":%v,"unit":"tok/s","key":"c"}]}`+"\n",
				session, head, load, round(ttft, digits), round(e2e, digits), round(tput, digits))
		}
		run, load := i/3, fmt.Sprintf(`"rate":%d`, 1+i%3)
		out[fmt.Sprintf("exact-%d-%d.rec", run, i)] = line(fmt.Sprintf("e%d", run),
			fmt.Sprintf(`"identity":{"tool":"t","model":"org/m"},"date":"2025-01-0%d 10:0%d:00",`, 1+run,
				i%3), load, 12)
		out[fmt.Sprintf("log-%d.page", run)] += line(fmt.Sprintf("l%d", run),
			`"identity":{"tool":"t"},"workload":{"dataset":"random"},`, load, 2)
		out["all.page"] += line(fmt.Sprintf("p%d", run), `"identity":{"tool":"page","model":"m"},`, "", 3)
	}
	return out
}

// TestToldAnyWay: however the files of measurements that several files tell are ingested, in parts, in any order and
// again, the catalog is that of all at once: a run a configuration, with all of its files.
func TestToldAnyWay(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		files := told(rnd, 9)
		whole := newWorld(t)
		for name, text := range files {
			whole.files["d/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		whole.ingest("d")
		c := whole.catalog()
		if len(c.Runs) != 3 {
			t.Fatalf("seed %d: %d runs, want 3", seed, len(c.Runs))
		}
		for _, r := range c.Runs {
			if len(r.Sources) != 5 || len(r.Points) != 3 || r.Identity.Model != "org/m" {
				t.Errorf("seed %d: run %s of %q has %d sources and %d points, want 5 and 3", seed, r.ID,
					r.Identity.Model, len(r.Sources), len(r.Points))
			}
		}
		names := slices.Sorted(maps.Keys(files))
		w := newWorld(t)
		for range 1 + rnd.IntN(2) {
			rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for rest := names; len(rest) > 0; {
				n := 1 + rnd.IntN(len(rest))
				w.files = fstest.MapFS{}
				for _, name := range rest[:n] {
					w.files["d/"+name] = &fstest.MapFile{Data: []byte(files[name])}
				}
				w.ingest("d")
				rest = rest[n:]
			}
		}
		if diff := cmp.Diff(whole.runs(), w.runs()); diff != "" {
			t.Fatalf("seed %d (-at once +in parts):\n%s", seed, diff)
		}
	}
}

// TestDisjointParts ingests the two halves of a suite, which have no point in common.
func TestDisjointParts(t *testing.T) {
	files := suite("t", "2025-01-01, 00:00:00", "m", 6)
	w := newWorld(t)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		w.files[fmt.Sprintf("half%d/%s", i%2, name)] = &fstest.MapFile{Data: []byte(files[name])}
	}
	w.ingest("half0")
	w.ingest("half1")
	c := w.catalog()
	if len(c.Runs) != 1 || len(c.Runs[0].Points) != 12 {
		t.Fatalf("%d runs, %d points in the first: want 1 and 12", len(c.Runs), len(c.Runs[0].Points))
	}
	// Finish saw both halves: 2 x (1+...+6).
	if f := c.Runs[0].Figures; len(f) != 1 || *f[0].Value != 42 {
		t.Errorf("figures %v, want a sum of 42", f)
	}
}

// TestOrderOfRecords shuffles what is read: the order of arrival decides nothing.
func TestOrderOfRecords(t *testing.T) {
	w := newWorld(t)
	for i, s := range []string{"2025-01-01", "2025-01-02"} {
		for name, data := range suite("t", s, "m", 3) {
			w.files[fmt.Sprintf("d%d/%s", i, name)] = &fstest.MapFile{Data: []byte(data)}
			w.files[fmt.Sprintf("again%d/%s", i, name)] = &fstest.MapFile{Data: []byte(data)}
		}
	}
	r := w.read([]string{"."})
	o := w.options(r, []string{"."})
	render := func(r *ingest.Reading) string {
		out, err := Catalog(r, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		err = out.Update.Write(func(name string, data []byte) error {
			text += name + "\n" + string(data)
			return nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want := render(r)
	if !strings.Contains(want, "again0/") {
		t.Fatal("sources found twice are not listed")
	}
	for seed := range uint64(5) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		s := *r
		s.Records = slices.Clone(r.Records)
		// Files arrive in any order; the records of one file stay in theirs.
		byFile := map[string][]record.Record{}
		for _, rec := range r.Records {
			byFile[rec.Pos().File] = append(byFile[rec.Pos().File], rec)
		}
		files := slices.Sorted(maps.Keys(byFile))
		rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		s.Records = nil
		for _, f := range files {
			s.Records = append(s.Records, byFile[f]...)
		}
		if diff := cmp.Diff(want, render(&s)); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
	}
}

// TestIDsStay edits everything that is not the records: no id and no path may move.
func TestIDsStay(t *testing.T) {
	w := newWorld(t)
	for name, data := range suite("t", "2025-01-01", "org/m", 2) {
		w.files["d/"+name] = &fstest.MapFile{Data: []byte(data)}
	}
	w.ingest("d")
	before := slices.Sorted(maps.Keys(w.runs()))
	w.files["d/run.toml"] = &fstest.MapFile{Data: []byte("hardware = \"A100-80g\"\nmodel = \"another\"\ndate = " +
		"\"2020-01-01\"\n[override]\nengine = \"x\"\nreason = \"r\"\n")}
	w.opts.Names = nil
	w.ingest("d")
	if diff := cmp.Diff(before, slices.Sorted(maps.Keys(w.runs()))); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if a := w.catalog().Runs[0].Attr("hardware"); a != "A100-80g" {
		t.Errorf("hardware %q", a)
	}
	w.files["d/run.toml"] = &fstest.MapFile{Data: []byte("hardware = \"H100\"\n")}
	w.ingest("d")
	r := w.catalog().Runs[0]
	if r.Attr("hardware") != "H100" || r.Attr("engine") != "" {
		t.Errorf("after the edit of run.toml: hardware %q, engine %q", r.Attr("hardware"), r.Attr("engine"))
	}
	delete(w.files, "d/run.toml")
	w.ingest("d")
	if a := w.catalog().Runs[0].Attr("hardware"); a != "" {
		t.Errorf("run.toml is gone and hardware is %q still", a)
	}
}

func TestStarted(t *testing.T) {
	goldentest.Table(t, started, map[string]string{
		"20250424-225517":            "2025-04-24T22:55:17",
		"2024-07-09, 10:00:01":       "2024-07-09T10:00:01",
		"2025-12-23T15:30:09.123456": "2025-12-23T15:30:09",
		"2026-04-28T07:06:41Z":       "2026-04-28T07:06:41Z",
		"2026-04-28T07:06:41+02:00":  "2026-04-28T07:06:41+02:00",
		"2026-04-28 07:06:41":        "2026-04-28T07:06:41",
		"2025-04-25-13:44":           "2025-04-25T13:44",
		" 2025-03-26 ":               "2025-03-26",
		"2025-13-26":                 "",
		"0001-01-01":                 "",
		"yesterday":                  "",
		"":                           "",
	})
}

func TestAgree(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{
		{1479.34, 1479.3412, true}, {1.4793412, 1.47934, true}, {0, 0, true}, {1, 1 + 1e-12, true},
		{1479.34, 1479.346, false}, {1479.34, 1480, false}, {1.4, 1, false}, {0, 0.001, false}, {100, 100.4, true},
		{100, 101.4, false}, {-1, 1, false},
	} {
		if got := agree(c.a, c.b); got != c.want {
			t.Errorf("agree(%v, %v) = %v", c.a, c.b, got)
		}
		if agree(c.a, c.b) != agree(c.b, c.a) {
			t.Errorf("agree(%v, %v) depends on the order", c.a, c.b)
		}
	}
}

// TestAgreeAs holds that numbers are compared to the places to which they are written, not to those that they have in the
// base unit.
func TestAgreeAs(t *testing.T) {
	for _, c := range []struct {
		a, b         float64
		unitA, unitB string
		want         bool
	}{
		{0.1, 0.11, "ms", "ms", false}, {0.1, 0.14, "ms", "s", false}, {0.1, 0.1004, "ms", "ms", true},
		{0.1, 0.0981, "s", "ms", true}, {0.1, 0.0981, "", "ms", true}, {0.012, 0.0124, "ms", "", true},
		{2, 2.015, "ms", "ms", false}, {2, 2.015, "", "ms", true}, {0.03, 0.034, "%", "%", true}, {0.5, 0.54, "%", "%", false},
		{1e-4, 1.4e-4, "us", "us", false}, {0.048, 0.0480001, "ms", "ms", true}, {7, 7, "ms", "ms", true},
		{0.1, 0.1004, "furlongs", "ms", true},
	} {
		if got := agreeAs(c.a, c.b, c.unitA, c.unitB); got != c.want {
			t.Errorf("agreeAs(%v, %v, %q, %q) = %v", c.a, c.b, c.unitA, c.unitB, got)
		}
		if agreeAs(c.a, c.b, c.unitA, c.unitB) != agreeAs(c.b, c.a, c.unitB, c.unitA) {
			t.Errorf("agreeAs(%v, %v, %q, %q) depends on the order", c.a, c.b, c.unitA, c.unitB)
		}
	}
}

func TestPresent(t *testing.T) {
	num := func(v float64) catalog.Number { return &v }
	for _, c := range []struct {
		name   string
		metric metric.ID
		in     catalog.Stat
		want   string // names of what is left
	}{
		{"all failed", "ttft", catalog.Stat{Mean: num(0), Median: num(0), Std: num(0),
			Percentiles: []catalog.Percentile{{P: 99}}}, ""},
		{"one request", "ttft", catalog.Stat{Mean: num(1), Median: num(1), Std: num(0)}, "mean median std"},
		{"zero median", "tpot", catalog.Stat{Mean: num(1), Median: num(0)}, "mean"},
		{"negative", "e2e_latency", catalog.Stat{Mean: num(-1), Max: num(2)}, "max"},
		{"itl with zero p1", "itl", catalog.Stat{Mean: num(1), Percentiles: []catalog.Percentile{{P: 1}}}, "mean p1"},
		{"itl all zero", "itl", catalog.Stat{Mean: num(0), Median: num(0), Std: num(0)}, ""},
		{"throughput of zero", "output_throughput", catalog.Stat{Value: num(0)}, "value"},
		{"throughput below", "output_throughput", catalog.Stat{Value: num(-1)}, ""},
		{"queue time of zero", "queue_time", catalog.Stat{Mean: num(0), Max: num(0)}, "mean max"},
		{"std alone", "ttft", catalog.Stat{Std: num(1)}, "std"},
	} {
		var left []string
		present(metric.Known(c.metric), &c.in)
		for s := range c.in.Each() {
			left = append(left, s.Name)
		}
		if got := strings.Join(left, " "); got != c.want {
			t.Errorf("%s: %q is left, want %q", c.name, got, c.want)
		}
	}
}

func TestRawRoundTrip(t *testing.T) {
	w := newWorld(t)
	for name, data := range suite("t", "s", "m", 2) {
		w.files["d/"+name] = &fstest.MapFile{Data: []byte(data)}
	}
	w.ingest("d")
	c := w.catalog()
	records, err := c.Raw(c.Runs[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Runs[0].Points {
		p := &c.Runs[0].Points[i]
		at := slices.IndexFunc(records, func(r catalog.RawRecord) bool {
			return r.Kind == "result" && p.At == catalog.Place{Source: r.Source, Line: r.Line, Col: r.Col}
		})
		if at < 0 || len(records[at].Raw) == 0 || bytes.Contains(records[at].Record, []byte(`"raw"`)) {
			t.Errorf("point %d has the raw record %d of %v", i, at, records)
		}
	}
	// Damaged raw records are an error, not a panic.
	for name, bad := range map[string]catalog.RawRecord{
		"kind":   {Kind: "poem", Record: json.RawMessage("{}")},
		"record": {Kind: "result", Record: json.RawMessage(`{"load":5}`)},
	} {
		stored := *c
		stored.Raw = func(string) ([]catalog.RawRecord, error) { return []catalog.RawRecord{bad}, nil }
		stored.Intact = func(*catalog.Run) bool { return false }
		r := w.read([]string{"d"})
		if _, err := Catalog(r, &stored, w.options(r, []string{"d"})); err == nil ||
			!strings.Contains(err.Error(), "raw record 1") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
