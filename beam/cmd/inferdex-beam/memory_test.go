package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/inferdex/inferdex/beam/bucket/s3test"
)

var store = flag.Int64("store", 24<<20, "how many bytes the invented store of TestMemory has")

// itself, in the environment of this test's own program, makes it inferdex-beam, which prints its peak at its end.
const itself = "INFERDEX_ITSELF"

// most is what a worker may have in memory at any time, as the system counts, however large the store is.
const most = 512 << 20

// A worker has bounded memory: make beam STORE=20000000000 is a store of 20 GB. The worker is inferdex-beam with the
// flags of a portable runner, in a process of its own. Prism, which keeps all that is shuffled in memory, and the server
// that invents the store are in the process of the test: its peak is printed, and is none of a worker.
func TestMemory(t *testing.T) {
	s := s3test.Results(*store)
	s.Start(t)
	port := free(t)
	if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: port}); err != nil {
		t.Fatal(err)
	}
	began, output := time.Now(), t.TempDir()
	worker := exec.Command(os.Args[0], "ingest", "--runner=universal", fmt.Sprint("--endpoint=localhost:", port),
		"--environment_type=LOOPBACK", "--input", s.Address("results"), "--output", output)
	worker.Env = append(os.Environ(), itself+"=1")
	said, err := worker.CombinedOutput()
	took := time.Since(began).Seconds()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, " files unreadable") {
			t.Log(strings.TrimSpace(line))
		}
	}
	// What was written counts. Of what is said Prism may lose some: where two bundles end before it knows what a counter of
	// theirs is called, it keeps the numbers of one.
	runs, err := filepath.Glob(filepath.Join(output, "[^_]*", "*.json"))
	if err != nil || len(runs) != len(s.Keys) {
		t.Errorf("%d runs were written of %d files (%v)", len(runs), len(s.Keys), err)
	}
	found := regexp.MustCompile(`; 0 places rejected, 0 files unreadable\n(?s:.*)peak (\d+)\n`).FindSubmatch(said)
	if found == nil {
		t.Fatalf("something was rejected, or no peak is told:\n%s", said)
	}
	of, err := strconv.ParseInt(string(found[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak of the worker %d MB, of Prism and the server of the store %d MB; %.1f s, %.1f MB/s", of>>20, peak()>>20,
		took, float64(*store)/1e6/took)
	if of > most {
		t.Errorf("the worker had %d MB, more than %d", of>>20, most>>20)
	}
}

// peak is the most that this process had in memory, in bytes; 0 where the system does not tell.
func peak() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
