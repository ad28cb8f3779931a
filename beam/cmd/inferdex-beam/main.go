// Inferdex-beam reads result files into a catalog as a Beam pipeline, on one machine or on many.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/inferdex/inferdex/beam/bucket"
	"github.com/inferdex/inferdex/beam/pipeline"
)

const usage = `inferdex-beam ingest ADDRESS... --output ADDRESS [--catalog DIR] [--workers N] [flags of the runner]

Reads files, folders and archives into the files of a catalog: those that "inferdex ingest" writes to data/catalog where
nothing is stored yet. ADDRESS is a path, file://, gs:// or s3://; --input ADDRESS is the same. --output is
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

// easyMemory is how much a worker has in memory, for each of its processors, before garbage is collected more often; GOMEMLIMIT
// says otherwise. A runner may hand it all that a step is given at once, of which three copies live until it is decoded.
const easyMemory = 192 << 20

func run(args []string) int {
	job, catalog, err := parse(args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		flag.CommandLine.SetOutput(os.Stdout)
		flag.PrintDefaults()
		return 0
	}
	apart := *jobopts.Endpoint != "" || flag.Lookup("worker").Value.String() == "true" // no Prism in this process
	if apart && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(runtime.GOMAXPROCS(0)) * easyMemory)
	}
	if err == nil {
		beam.Init() // a worker of another machine stays here
		err = possible(job)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v; inferdex-beam --help says more\n", err)
		return 2
	}
	if self, err := os.Executable(); err == nil && *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" {
		*jobopts.WorkerBinary = self // else Beam compiles one where the sources lay
	}
	if err = job.Load(catalog); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
			return 3
		}
		return 2
	}
	if out, here := bucket.Local(job.Output); here {
		if old, _ := os.ReadDir(out); len(old) > 0 {
			fmt.Fprintf(os.Stderr, "%s is not empty: what this job does not write stays there\n", out)
		}
	}
	if job.Workers > 0 {
		runtime.GOMAXPROCS(job.Workers)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Catalog(s, job)
	result, err := beamx.RunWithMetrics(context.Background(), p)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return said(result)
}

// parse reads the command line. Addresses may stand between the flags.
func parse(args []string) (job *pipeline.Job, catalog string, err error) {
	job = &pipeline.Job{}
	flag.Var((*addresses)(&job.Inputs), "input", "what to read, a path or an `address`")
	flag.StringVar(&job.Output, "output", "", "where the files of the catalog go, a path or an `address`")
	flag.StringVar(&catalog, "catalog", "", "the folder of inferdex.toml, data/names and data/notes")
	flag.IntVar(&job.Workers, "workers", 0, "how many files a machine reads at once; 0 is one a processor")
	flag.Usage = func() {}
	flag.CommandLine.Init("inferdex-beam", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") { // what starts workers names no command
		if args[0] != "ingest" {
			return nil, "", fmt.Errorf("%q is no command: give ingest", args[0])
		}
		args = args[1:]
	}
	for {
		if err := flag.CommandLine.Parse(args); err != nil {
			return nil, "", err
		}
		if flag.NArg() == 0 {
			return job, catalog, nil
		}
		job.Inputs, args = append(job.Inputs, flag.Arg(0)), flag.Args()[1:]
	}
}

// possible reports what no job can do with its addresses.
func possible(j *pipeline.Job) error {
	if len(j.Inputs) == 0 || j.Output == "" {
		return errors.New("give ingest what to read, and --output")
	}
	for i, address := range append(slices.Clone(j.Inputs), j.Output) {
		p, here := bucket.Local(address)
		scheme, _, _ := strings.Cut(strings.ToLower(address), "://")
		switch {
		case !here && scheme != "gs" && scheme != "s3":
			return fmt.Errorf("%q: give a path, file://, gs:// or s3://", address)
		case here && strings.EqualFold(flag.Lookup("runner").Value.String(), "dataflow"):
			return fmt.Errorf("%q: the workers of Dataflow do not have this machine's disk: give an address such as "+
				"gs://bucket/folder", address)
		case here && i < len(j.Inputs) && *jobopts.Endpoint == "": // else the workers may have it
			if _, err := os.Stat(p); err != nil {
				return err
			}
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
	fmt.Fprintf(os.Stderr, "%d files, %.1f MB, %d records; %d parts, the largest of %d files; %d runs; "+
		"%d places rejected, %d files unreadable\n", n.Files, float64(n.Bytes)/1e6, n.Records, n.Parts, n.Largest, n.Runs, n.Rejected, n.Unreadable)
	if n.Unreadable > 0 {
		return 1
	}
	return 0
}
