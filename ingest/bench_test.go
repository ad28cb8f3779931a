package ingest_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/ingesttest"
	"github.com/inferdex/inferdex/ingest/record"
)

// peak watches how much memory the process holds until the returned function is called, which
// gives the most that was seen, in bytes.
func peak() func() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	stop, most := make(chan bool), make(chan uint64)
	go func() {
		var high uint64
		for {
			metrics.Read(samples)
			high = max(high, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-stop:
				most <- high
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { stop <- true; return <-most }
}

func benchmarkRead(b *testing.B, dir string) {
	fsys := os.DirFS(dir)
	var r *ingest.Reading
	debug.FreeOSMemory()
	high := peak()
	for b.Loop() {
		var err error
		r, err = ingest.Read(b.Context(), []ingest.Input{{Name: "in", FS: fsys}}, ingest.Options{Formats: format.All()})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(high())/(1<<20), "MiB-peak")
	b.SetBytes(r.Bytes)
	points := 0
	for _, rec := range r.Records {
		if _, ok := rec.(*record.Result); ok {
			points++
		}
	}
	if points == 0 {
		b.Fatal("nothing was read")
	}
	b.ReportMetric(float64(points)*float64(b.N)/b.Elapsed().Seconds(), "points/s")
}

// suites writes twelve suites as large as real ones, 0.8 GB in all, packed or not.
func suites(b *testing.B, packed bool) string {
	b.Helper()
	dir := b.TempDir()
	write := func(path string, data []byte) error {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o666)
	}
	err := ingesttest.Generate(1, ingesttest.Size{Models: 1, Machines: 6, Versions: 3, Suites: ingesttest.Large.Suites,
		SuiteBytes: ingesttest.Large.SuiteBytes},
		func(path string, data []byte) error {
			at, isSuite := strings.CutSuffix(path, "raw_results.zip")
			switch {
			case !isSuite:
				return nil
			case packed:
				return write(path, data)
			}
			z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return err
			}
			for _, f := range z.File {
				r, err := f.Open()
				if err != nil {
					return err
				}
				text, err := io.ReadAll(r)
				if err != nil {
					return err
				}
				if err := write(at+"raw_results/"+f.Name, text); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

func BenchmarkReadSuitesZip(b *testing.B)   { benchmarkRead(b, suites(b, true)) }
func BenchmarkReadSuitesPlain(b *testing.B) { benchmarkRead(b, suites(b, false)) }

// BenchmarkReadMany reads many small files, of which most are JSONL of vLLM.
func BenchmarkReadMany(b *testing.B) {
	dir := b.TempDir()
	size := ingesttest.Example
	size.Suites = 0
	err := ingesttest.Generate(1, size, func(path string, data []byte) error {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o666)
	})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRead(b, filepath.Join(dir, "data/raw"))
}

// BenchmarkReadCorpus reads the directory that INFERDEX_CORPUS names, where it does.
func BenchmarkReadCorpus(b *testing.B) {
	dir := os.Getenv("INFERDEX_CORPUS")
	if dir == "" {
		b.Skip("INFERDEX_CORPUS is not set")
	}
	benchmarkRead(b, dir)
}
