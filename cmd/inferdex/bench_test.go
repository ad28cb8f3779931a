package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// The benchmarks print what later work is measured against: MB of unpacked input a second,
// points a second, pages a second and the process's peak memory. Input is generated, and the
// corpus as well where INFERDEX_CORPUS names one.

func command(b *testing.B, dir string, args ...string) string {
	b.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &out, &errs,
		append([]string{"-C", dir}, args...)); code != 0 {
		b.Fatalf("%v: exit status %d\n%s", args, code, errs.String())
	}
	return errs.String()
}

// peakMemory is the most memory the process has had, in bytes; 0 where the system does not say.
func peakMemory() float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb * 1024
		}
	}
	return 0
}

func report(b *testing.B, unpacked int64, points, pages int, ingestTime, buildTime time.Duration) {
	b.ReportMetric(float64(unpacked)/1e6/ingestTime.Seconds(), "MB/s-ingest")
	b.ReportMetric(float64(points)/ingestTime.Seconds(), "points/s")
	if pages > 0 {
		b.ReportMetric(float64(pages)/buildTime.Seconds(), "pages/s")
	}
	b.ReportMetric(peakMemory()/1e6, "MB-peak")
	b.ReportMetric((ingestTime + buildTime).Seconds(), "s-whole")
	b.ReportMetric(0, "ns/op")
}

// whole ingests paths and builds the site, once.
func whole(b *testing.B, unpacked int64, paths ...string) {
	for b.Loop() {
		dir := b.TempDir()
		runtime.GC()
		start := time.Now()
		said := command(b, dir, append([]string{"ingest"}, paths...)...)
		ingestTime := time.Since(start)
		points := number(said, ` runs, (\d+) points`)
		start = time.Now()
		said = command(b, dir, "build")
		report(b, unpacked, points, number(said, `(\d+) pages`), ingestTime, time.Since(start))
	}
}

// generated is large enough to measure and small enough to wait for.
var generated = ingesttest.Size{Models: 6, Machines: 8, Versions: 3, Suites: 2, SuiteBytes: 40_000_000, Requests: 500}

// BenchmarkGenerated ingests and builds a generated catalog of models on many GPUs.
func BenchmarkGenerated(b *testing.B) {
	dir := b.TempDir()
	generate(b, generated, dir)
	whole(b, unpackedSize(b, dir), dir)
}

func generate(b *testing.B, size ingesttest.Size, dir string) {
	b.Helper()
	err := ingesttest.Generate(1, size, func(path string, data []byte) error {
		return writeFile(filepath.Join(dir, filepath.FromSlash(path)), data)
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSummaries ingests one file of 200 MB with 200,000 results. Its site is not built.
func BenchmarkSummaries(b *testing.B) {
	dir := b.TempDir()
	generate(b, ingesttest.Summed, dir)
	for b.Loop() {
		runtime.GC()
		start := time.Now()
		said := command(b, b.TempDir(), "ingest", dir)
		report(b, unpackedSize(b, dir), number(said, ` runs, (\d+) points`), 0, time.Since(start), 0)
	}
}

// BenchmarkCorpusSuites ingests the happy_vllm suites of the corpus from their zips and builds a site.
func BenchmarkCorpusSuites(b *testing.B) {
	root := filepath.Join(corpus(b), "happy_vllm")
	whole(b, unpackedSize(b, root), root)
}

// BenchmarkCorpusPlain ingests one suite that was unpacked before.
func BenchmarkCorpusPlain(b *testing.B) {
	zips, err := filepath.Glob(filepath.Join(corpus(b), "happy_vllm/*/*/*/raw_results.zip"))
	if err != nil || len(zips) == 0 {
		b.Skip("skipped: no suite in the corpus")
	}
	dir := b.TempDir()
	unzipSome(b, zips[0], dir, 1<<20)
	whole(b, unpackedSize(b, dir), dir)
}

// unpackedSize is the sum of all files below a directory, members of zips instead of zips.
func unpackedSize(b *testing.B, dir string) (total int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.HasSuffix(p, ".zip") {
			n, err := zipSize(p)
			total += n
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return total
}
