// Inferdex-beam reads result files into a catalog as a Beam pipeline, on one machine or on many.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/inferdex/inferdex/beam/bucket"
	"github.com/inferdex/inferdex/beam/pipeline"
)

const usage = `inferdex-beam ingest --input ADDRESS... --output ADDRESS [--catalog DIR] [--workers N] [flags of the runner]

Reads files, folders and archives into the files of a catalog: those that "inferdex ingest" writes to data/catalog where
nothing is stored yet. ADDRESS is a path, file://, gs:// or s3://; --input may be given several times. --output is
an empty folder, or one that a run over the same inputs wrote. --catalog is a folder with inferdex.toml, data/names
and data/notes. Without --runner, Beam's Prism runs the pipeline inside of this process. On Linux this program itself
is what other machines run; elsewhere name one for them with --worker_binary.

Exit status: 0 done; 1 a file could not be read; 2 usage; 3 the pipeline failed.
`

func main() { os.Exit(run(os.Args)) }

// addresses are the values of a flag that is given several times.
type addresses []string

func (a *addresses) String() string     { return strings.Join(*a, " ") }
func (a *addresses) Set(s string) error { *a = append(*a, s); return nil }

func run(args []string) int {
	job := pipeline.Job{}
	var inputs addresses
	catalog := ""
	flag.Var(&inputs, "input", "what to read, a path or an `address`")
	flag.StringVar(&job.Output, "output", "", "where the files of the catalog go, a path or an `address`")
	flag.StringVar(&catalog, "catalog", "", "the folder of inferdex.toml, data/names and data/notes")
	flag.IntVar(&job.Workers, "workers", 0, "how many files a machine reads at once; 0 is one a processor")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	if len(args) > 1 && args[1] == "ingest" {
		args = append(args[:1:1], args[2:]...)
	}
	_ = flag.CommandLine.Parse(args[1:]) // exits
	beam.Init()                          // a worker of another machine stays here
	if len(inputs) == 0 || job.Output == "" || flag.NArg() > 0 {
		flag.Usage()
		return 2
	}
	job.Inputs = inputs
	if err := reachable(append(inputs, job.Output)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if self, err := os.Executable(); err == nil && *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" {
		*jobopts.WorkerBinary = self // else Beam compiles one where the sources lay
	}
	if err := job.Load(catalog); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if job.Workers > 0 {
		runtime.GOMAXPROCS(job.Workers)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Catalog(s, &job)
	result, err := beamx.RunWithMetrics(context.Background(), p)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return said(result)
}

// reachable reports an address of this machine's disk that is meant for workers which do not have it.
func reachable(all []string) error {
	if !strings.EqualFold(flag.Lookup("runner").Value.String(), "dataflow") {
		return nil
	}
	for _, address := range all {
		if _, here := bucket.Local(address); here {
			return fmt.Errorf("%q: the workers of Dataflow do not have this machine's disk: give an address such as "+
				"gs://bucket/folder", address)
		}
	}
	return nil
}

// said prints what was counted, as far as the runner tells.
func said(result beam.PipelineResult) int {
	if result == nil { // --dry_run, --async
		fmt.Fprintln(os.Stderr, "nothing was waited for: the runner has the job or printed it")
		return 0
	}
	n := pipeline.Counted(result)
	fmt.Fprintf(os.Stderr, "%d files, %.1f MB; %d parts, the largest of %d files; %d runs; %d places rejected, "+
		"%d files unreadable\n", n.Files, float64(n.Bytes)/1e6, n.Parts, n.Largest, n.Runs, n.Rejected, n.Unreadable)
	if n.Unreadable > 0 {
		return 1
	}
	return 0
}
