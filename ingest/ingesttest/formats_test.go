package ingesttest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// samples calls f for every input of every format's cases, with the record that its case wants.
func samples(t *testing.T, f func(t *testing.T, pkg string, c *testCase, in file)) {
	t.Helper()
	dirs, err := filepath.Glob("../format/*/testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		cases, err := loadCases(dir)
		if err != nil {
			t.Fatal(err)
		}
		pkg := filepath.Base(filepath.Dir(dir))
		for _, c := range cases {
			for _, in := range c.files {
				f(t, pkg, c, in)
			}
		}
	}
}

// claims reports whether the format of a case claims an input of it: its golden file says so.
func (c *testCase) claims(in file) bool {
	return !strings.Contains("\n"+c.want, "\n"+in.name+": not claimed\n")
}

// whole reports whether an input was read without an error.
func (c *testCase) whole(in file) bool {
	for line := range strings.Lines(c.want) {
		if rest, ok := strings.CutPrefix(line, in.name+":"); ok && strings.HasSuffix(rest, ": syntax error\n") {
			return false
		}
	}
	return c.claims(in)
}

// TestOneFormatClaims holds all formats against the inputs of all cases: what a format's cases
// show is claimed by that format and by no other.
func TestOneFormatClaims(t *testing.T) {
	n := 0
	samples(t, func(t *testing.T, pkg string, c *testCase, in file) {
		var names []string
		head := reading.NewHead(in.name, in.data)
		for _, f := range format.All() {
			if f.Match(head) {
				names = append(names, f.Name)
			}
		}
		if len(names) > 1 || len(names) == 0 && c.claims(in) {
			t.Errorf("%s: %s is claimed by %q, one format was expected", c.path, in.name, names)
		}
		n += len(names)
	})
	if n < 100 {
		t.Errorf("%d inputs were looked at: the test looks in another place", n)
	}
}

// TestHalf cuts every input in the middle: whatever claims the rest says that something is wrong,
// and nothing panics. Three things are whole all the same: documents in a row of which the last is
// whole, YAML, and descriptions of which every line stands by itself.
func TestHalf(t *testing.T) {
	n := 0
	samples(t, func(t *testing.T, pkg string, c *testCase, in file) {
		half := bytes.TrimSpace(in.data[:len(in.data)/2])
		if !c.whole(in) || len(half) == 0 {
			return
		}
		n++
		told := bytes.HasSuffix(half, []byte("}")) || strings.HasSuffix(in.name, ".yaml")
		described := true
		records, name := ingest.ReadFile(in.name, bytes.Clone(half), format.All())
		for _, r := range records {
			switch r.(type) {
			case *record.SyntaxError, *record.Ignored, *record.Note:
				told = true
			case *record.Params, *record.System, *record.Facts:
			default:
				described = false
			}
		}
		if !told && (!described || len(records) == 0) {
			t.Errorf("%s: %s cut in the middle is read by %q and nothing is said of it; it ends in %q", c.path, in.name,
				name, half[max(0, len(half)-60):])
		}
	})
	if n < 100 {
		t.Errorf("%d inputs were cut: the test looks in another place", n)
	}
}

// swell is how large hostile inputs are, and most what reading one may take: 64 MB a megabyte.
const (
	swell = 256 << 10
	most  = 64 * swell
)

// swollen makes hostile inputs of a sample, by what they are. Each begins as the sample does, so
// that its format claims it.
func swollen(in file) map[string][]byte {
	fill := func(head, unit, tail string) []byte {
		n := max(0, swell-len(head)-len(tail)) / len(unit)
		return []byte(head + strings.Repeat(unit, n) + tail)
	}
	text := string(in.data)
	out := map[string][]byte{
		"the sample again and again": fill(strings.TrimRight(text, "\n")+"\n", strings.TrimRight(text, "\n")+"\n", ""),
		"brackets in each other":     fill(text, "[{\"a\":", ""),
		"one long line":              fill(text, "x", "\n"),
		"empty lines":                fill(text, "\n", ""),
		"a table of one column":      fill(text, "|a|\n", ""),
	}
	last := strings.TrimRight(text, "\n")
	out["the last line again and again"] = fill(text, last[strings.LastIndexByte(last, '\n')+1:]+"\n", "")
	at := strings.IndexByte(text, '{')
	if kind := reading.NewHead(in.name, in.data).Kind; kind != '{' && kind != '[' || at < 0 {
		return out
	}
	// Behind the first members: those that identify a format are to stay within its head.
	end := strings.LastIndexByte(text, '}')
	if end <= at {
		return out
	}
	head, tail := text[:end], text[end:]
	for what, member := range map[string][3]string{
		"a deep member":        {`, "hostile": `, "[", ""},
		"a closed deep member": {`, "hostile": ` + strings.Repeat("[", 9000), "1,", "1" + strings.Repeat("]", 9000)},
		"a long list":          {`, "hostile": [`, "1,", "1]"},
		"a list of lists":      {`, "hostile": [`, "[],", "1]"},
		"a list of objects":    {`, "hostile": [`, `{"a":1},`, "{}]"},
		"a long text":          {`, "hostile": "`, "x", `"`},
		"a text of escapes":    {`, "hostile": "`, "\\u0001", `"`},
		"an object of one key": {`, "hostile": {`, `"a":1,`, `"b":1}`},
	} {
		out[what] = fill(head+member[0], member[1], member[2]+tail)
	}
	var keys strings.Builder
	keys.WriteString(head)
	for i := 0; keys.Len() < swell; i++ {
		fmt.Fprintf(&keys, `, "k%d": %d`, i, i)
	}
	out["many keys"] = []byte(keys.String() + tail)
	return out
}

// TestMemory holds each format's reader to 64 times the size of hostile input: what is alive at its
// highest, records included. What takes more than linear time shows as minutes.
func TestMemory(t *testing.T) {
	if !exactHeap(t, "reads a hundred megabytes") {
		return
	}
	n := 0
	eachFormat(t, func(t *testing.T, f *reading.Format, c *testCase, in file) {
		hostile := swollen(in)
		// What it consists of, many times: rows and lists become records, which stay.
		for what, data := range grown(in, swell) {
			if strings.HasSuffix(what, "of their own") || strings.HasPrefix(what, "what stands at") || what == "many columns" {
				hostile[what] = data
			}
		}
		for what, data := range hostile {
			n++
			read := func() any {
				rs, name := ingest.ReadFile(in.name, data, []*reading.Format{f})
				if name == "" {
					return nil // it begins in another way now
				}
				return append(rs, finish(f, rs)...)
			}
			took := peak(read)
			// A fifth of it may be free, and more where a busy machine collects late: see how much is not. What a reader
			// needs it needs each time.
			for try := 0; took > most && try < 3; try++ {
				usual := debug.SetGCPercent(2)
				took = min(took, peak(read))
				debug.SetGCPercent(usual)
			}
			if took > most {
				t.Errorf("%s: %s (%s, %s): reading %.1f MB took %.0f MB, %d are allowed", f.Name, what, c.path, in.name,
					float64(len(data))/1e6, float64(took)/(1<<20), most>>20)
			}
		}
	})
	t.Logf("torture: %d swollen files of all %d formats are read in bounded memory", n, len(format.All()))
}

// exactHeap reports whether the collector of this process halts all else while it marks and sweeps, so that the heap
// never holds more that is free than its percentage, however busy the machine is. Where it does not, the test runs in
// a process where it does, and is done here. It is skipped in short runs, with the reason what it does.
func exactHeap(t *testing.T, does string) bool {
	if testing.Short() {
		t.Skip("skipped: " + does)
	}
	const setting = "gcstoptheworld=2"
	if strings.Contains(os.Getenv("GODEBUG"), setting) {
		before := debug.SetGCPercent(20)
		t.Cleanup(func() { debug.SetGCPercent(before) })
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1")
	cmd.Env = append(os.Environ(), "GODEBUG="+setting+","+os.Getenv("GODEBUG"))
	out, err := cmd.CombinedOutput()
	t.Logf("in a process of its own: %s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("it fails: %v", err)
	}
	return false
}

// peak is the highest size of the heap while f runs, above what it was before. Where f allocates
// no more than is allowed in all, that is taken for it: looking takes time.
func peak(f func() any) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var highest atomic.Uint64
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var m runtime.MemStats
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				runtime.ReadMemStats(&m)
				highest.Store(max(highest.Load(), m.HeapAlloc))
			}
		}
	}()
	kept := f()
	close(stop)
	<-stopped
	runtime.ReadMemStats(&now)
	if now.TotalAlloc-before.TotalAlloc <= most {
		return now.TotalAlloc - before.TotalAlloc
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	runtime.KeepAlive(kept)
	return max(highest.Load(), now.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
}
