package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
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
	began := time.Now()
	worker := exec.Command(os.Args[0], "ingest", "--runner=universal", fmt.Sprint("--endpoint=localhost:", port),
		"--environment_type=LOOPBACK", "--input", s.Address("results"), "--output", t.TempDir())
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
	count := func(pattern string) (n int64) {
		found := regexp.MustCompile(pattern).FindSubmatch(said)
		if found == nil {
			t.Fatalf("no %q in:\n%s", pattern, said)
		}
		n, err := strconv.ParseInt(string(found[1]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	files, runs := count(`(\d+) files, `), count(`; (\d+) runs; 0 places rejected, 0 files unreadable`)
	if files != int64(len(s.Keys)) || runs != files {
		t.Errorf("%d files give %d runs, %d were made", files, runs, len(s.Keys))
	}
	of := count(`peak (\d+)\n`)
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
