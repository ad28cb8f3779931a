package pipeline

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/beam/bucket/s3test"
)

// size is that of the store of TestMemory and BenchmarkWorkers.
var size = flag.Int64("store", 24<<20, "how many bytes the invented store of TestMemory and BenchmarkWorkers has")

// fileBytes is how long each file of that store is: a result of vLLM with the latencies of a few thousand requests.
const fileBytes = 1 << 20

// result is the n-th file of a store that nobody keeps.
func result(n int) []byte {
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n*1013+n*n%577) * time.Second)
	var b strings.Builder
	b.Grow(fileBytes)
	throughput := 500 + float64(n%7919)*1.31717
	fmt.Fprintf(&b, `{"date":%q,"backend":"vllm","model_id":"org/model-%d","tokenizer_id":"org/model-%d","num_prompts":4096,`+
		`"request_rate":"inf","max_concurrency":%d,"duration":%.6f,"completed":4096,"total_input_tokens":4194304,`+
		`"total_output_tokens":524288,"request_throughput":%.6f,"output_throughput":%.6f,"total_token_throughput":%.6f,"mean_ttft_ms":%.5f,`+
		`"median_ttft_ms":%.5f,"mean_tpot_ms":%.5f,"ttfts":[`,
		at.Format("20060102-150405"), n%16, n%16, 1<<(n%8), 524288/throughput, throughput/128, throughput, throughput*9,
		31+float64(n%4111)/100.7, 30+float64(n%4111)/101.3, 9+float64(n%3001)/1000.9)
	for i := 0; b.Len() < fileBytes-64; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "0.0%d", 10000+(i*7919+n)%80000)
	}
	b.WriteString("]}")
	return []byte(b.String() + strings.Repeat("\n", fileBytes-b.Len()))
}

// invented is a store of results that are made when they are read, each in a folder of its own.
func invented(t testing.TB, bytes int64) *s3test.Server {
	s := &s3test.Server{Page: 1000, Size: func(string) int { return fileBytes }, Make: func(key string) []byte {
		n, err := strconv.Atoi(strings.Split(key, "/")[1])
		if err != nil {
			t.Error(err)
		}
		return result(n)
	}}
	for n := range int(bytes / fileBytes) {
		s.Keys = append(s.Keys, fmt.Sprintf("results/%07d/bench.json", n))
	}
	slices.Sort(s.Keys)
	s.Start(t)
	return s
}

// most is what a worker may have in memory at any time: Prism, the server of the store and all, as the system counts.
const most = 512 << 20

// A worker has bounded memory, however large the store is: make beam STORE=20000000000 for one of 20 GB.
func TestMemory(t *testing.T) {
	if os.Getenv("INFERDEX_MEMORY") == "" {
		alone := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v", "-test.timeout=6h",
			fmt.Sprint("-store=", *size))
		alone.Env = append(os.Environ(), "INFERDEX_MEMORY=1", "GOMEMLIMIT=400MiB")
		said, err := alone.CombinedOutput()
		for line := range strings.Lines(string(said)) {
			if !strings.Contains(line, "level=INFO") && !strings.HasPrefix(line, "SDK ") {
				t.Log(strings.TrimSpace(line))
			}
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
	s := invented(t, *size)
	began := time.Now()
	n, err := run(&Job{Inputs: []string{s.Address("results")}, Output: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if int(n.Files) != len(s.Keys) || int(n.Runs) != len(s.Keys) {
		t.Errorf("%d files give %d runs, %d were made", n.Files, n.Runs, len(s.Keys))
	}
	peak, took := memory(t), time.Since(began).Seconds()
	t.Logf("%d files, %.0f MB, %d parts, the largest of %d files, %d runs, peak %d MB, %.1f s, %.1f MB/s", n.Files,
		float64(n.Bytes)/1e6, n.Parts, n.Largest, n.Runs, peak>>20, took, float64(n.Bytes)/1e6/took)
	if peak > most {
		t.Errorf("peak of %d MB, more than %d", peak>>20, most>>20)
	}
}

// memory is the most that this process had in memory, in bytes.
func memory(t testing.TB) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("skipped: this system does not tell the peak of a process: ", err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("no peak")
	return 0
}

// BenchmarkWorkers reads one store with one worker and with two: MB a second, and the share of each step in percent.
func BenchmarkWorkers(b *testing.B) {
	dir := b.TempDir()
	for n := range int(*size / fileBytes) {
		if err := write(dir, fmt.Sprintf("%07d/bench.json", n), result(n)); err != nil {
			b.Fatal(err)
		}
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			b.SetBytes(*size / fileBytes * fileBytes)
			for b.Loop() {
				n, err := run(&Job{Inputs: []string{dir}, Output: b.TempDir(), Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				total := 0.0
				for _, s := range n.Seconds {
					total += s
				}
				for step, s := range n.Seconds {
					b.ReportMetric(100*s/total, "%"+step)
				}
			}
		})
	}
}
