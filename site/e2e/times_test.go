//go:build e2e

package e2e

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

var times = flag.Bool("times", false, "print how long a browser reads large files")

// processor is the processor time of all processes of the browser, in seconds: a machine that does other things too
// makes it no longer. 0 where the system does not tell.
func processor() float64 {
	type process struct {
		parent int
		ticks  float64
	}
	all := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		_, rest, ok := bytes.Cut(data, []byte(") ")) // behind the name of the program
		f := strings.Fields(string(rest))
		if err != nil || !ok || len(f) < 13 {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent, _ := strconv.Atoi(f[1])
		user, _ := strconv.ParseFloat(f[11], 64)
		system, _ := strconv.ParseFloat(f[12], 64)
		all[id] = process{parent, user + system}
	}
	sum := 0.0
	for id, p := range all {
		for up := id; up > 1; up = all[up].parent {
			if up == os.Getpid() && id != up {
				sum += p.ticks
				break
			}
		}
	}
	return sum / 100 // ticks of a second
}

// TestReadingTimes prints how long a browser reads files of each size, once its reader is there: make reader-times. It
// fails where one is not read, however long that takes.
func TestReadingTimes(t *testing.T) {
	if !*times {
		t.Skip("skipped: make reader-times prints times")
	}
	c, _ := readerSite(t)
	b := newTab(t)
	b.open(t, c, sitePage{path: "check/index.html", kind: "check"}, checkView)
	b.choose(t, choice("first.json", []byte(checkResult)))
	for _, of := range []struct {
		name, only string // the files, by the end of their names
		size       ingesttest.Size
	}{
		{"a JSONL file of summaries", ".jsonl", ingesttest.Size{Summaries: 1020}},
		{"a suite of happy_vllm", "", ingesttest.Size{Models: 1, Machines: 1, Versions: 1, Suites: 1, SuiteBytes: 63_000_000}},
		{"a JSON file with each request", ".json", ingesttest.Size{Models: 1, Machines: 1, Versions: 1, Requests: 100_000}},
	} {
		dir := t.TempDir()
		var largest string
		var names []string
		sizes := map[string]int{}
		err := ingesttest.Generate(1, of.size, func(path string, data []byte) error {
			name := filepath.Join(dir, filepath.FromSlash(path))
			if of.only != "" && !strings.HasSuffix(path, of.only) || !strings.HasPrefix(path, "data/raw/") {
				return nil
			}
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			names, sizes[name] = append(names, name), len(data)
			if largest == "" || len(data) > sizes[largest] {
				largest = name
			}
			return os.WriteFile(name, data, 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == 0 {
			t.Fatalf("%s: none was made", of.name)
		}
		// What was chosen before is not chosen again: the page reads the file that the browser gives.
		evaluate[bool](t, b, `delete document.querySelector(".drop input").files, document.querySelector(".drop .state").textContent = "", true`)
		input := call(t, b, dom.GetDocument, dom.GetDocumentParams{})
		found := call(t, b, dom.QuerySelector, dom.QuerySelectorParams{NodeID: input.Root.NodeID, Selector: ".drop input"})
		began, cpu := time.Now(), processor()
		call(t, b, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{largest}, NodeID: found.NodeID})
		b.until(t, `document.querySelector(".drop .state").textContent.startsWith("Read: ")`)
		said := b.read(t)
		t.Logf("%s, %.1f MB: %.2f s, processors of the browser %.2f s: %s", of.name, float64(sizes[largest])/1e6,
			time.Since(began).Seconds(), processor()-cpu, said)
	}
}
