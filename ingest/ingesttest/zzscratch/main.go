package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"syscall"
	"time"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
)

func main() {
	w, _ := strconv.Atoi(os.Args[1])
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	var ins []ingest.Input
	for _, a := range os.Args[2:] {
		st, err := os.Stat(a)
		if err == nil && !st.IsDir() {
			ins = append(ins, ingest.Input{Name: a, FS: os.DirFS("/"), Root: a[1:]})
			continue
		}
		ins = append(ins, ingest.Input{Name: a, FS: os.DirFS(a)})
	}
	t := time.Now()
	r, err := ingest.Read(context.Background(), ins, ingest.Options{Formats: format.All(), Workers: w})
	d := time.Since(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Records {
		switch f := f.(type) {
		case *ingest.SyntaxError:
			fmt.Println(f.Pos(), "ERROR", f.Text)
		case *ingest.Ignored:
			fmt.Println(f.Pos(), "ignored", f.Reason)
		}
	}
	n := map[string]int{}
	for _, f := range r.Files {
		n[f.Format]++
	}
	var ru syscall.Rusage
	syscall.Getrusage(0, &ru)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Fprintln(os.Stderr, len(r.Files), len(r.Archives), len(r.Records), n, r.Bytes>>20, "MiB", d, "rss", ru.Maxrss>>10, "MiB alloc", ms.TotalAlloc>>20)
}
