package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/publish"
)

type ingestFlags struct {
	set     []string
	strict  bool
	check   bool
	ci      bool
	verbose bool
	prune   bool
	// unchanged is normalize.Options.Unchanged.
	unchanged func(path string) bool
}

func (a *app) ingestCommand() *cobra.Command {
	var f ingestFlags
	cmd := &cobra.Command{
		Use:   "ingest [PATH...]",
		Short: "Read result files into the catalog",
		Long: `Read files, directories and archives (zip, tar, gz, zst; nested up to three deep), or
standard input for "-", and write what they say to data/catalog. Without PATH, data/raw is read.

What a file does not say can stand beside it: a run.toml gives hardware, engine, series and more
for everything below it, --set for one call. Files that are no results are ignored with a reason;
a place that cannot be read is reported and the rest is kept. Reading the same files again
changes nothing, in whatever order and however many at a time. A file that was corrected replaces
what its older version said; one of another model or date than before is taken for another
measurement, and the older one stays until --prune. What inferdex wrote itself (data/catalog, .inferdex, a site) is not read.

Exit status: 0 done; 1 nothing was recognised, or findings (--strict, --check); 2 usage;
3 something could not be read or written; 130 interrupted.`,
		Example: `  inferdex ingest                                   # data/raw
  inferdex ingest results/ artifact.zip
  inferdex ingest --set hardware=H100 --set engine_version=0.8.2 results.jsonl
  gh run download 123 --dir artifacts && inferdex ingest --ci artifacts
  inferdex ingest --check                           # does data/catalog match data/raw?`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.ingest(cmd.Context(), f, args) },
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil,
		"metadata that nothing else states, as `KEY=VALUE` (keys as in run.toml)")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 on any finding that no sidecar accepts")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing: derive again and exit with 1 "+
		"where data/catalog differs, or on findings of severity error")
	cmd.Flags().BoolVar(&f.ci, "ci", false,
		"record the CI job of the environment (GitHub Actions, GitLab CI, Buildkite) as provenance")
	cmd.Flags().BoolVar(&f.prune, "prune", false, "drop what was once read below PATH and is not there any more")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "also say what was ignored and why, "+
		"keys that were read and not used, and names in no list with the lines to add")
	return cmd
}

func (a *app) ingest(ctx context.Context, f ingestFlags, args []string) error {
	thrift(0)
	if len(args) == 0 {
		args = []string{rawDir}
	}
	o, err := a.ingestOptions(f)
	if err != nil {
		return err
	}
	inputs, sidecars, err := a.inputs(args, standardInput(o.Config))
	if err != nil {
		return failed(err)
	}
	if !f.check {
		unlock, err := a.lock(ctx)
		if err != nil {
			return failed(err)
		}
		defer unlock()
		a.sweep()
	}
	var stored *catalog.Catalog
	damaged := &damage{}
	if f.check {
		stored, err = a.stored()
	} else {
		stored, damaged, err = a.sound()
	}
	if err != nil {
		return err
	}
	done := ingestion{flags: f, names: o.Names, options: &o, stored: stored}
	if done.reading, done.diags, err = a.read(ctx, &o, inputs, sidecars); err != nil {
		return failed(err)
	}
	a.progress.begin(fmt.Sprintf("merging %s", metric.Plural(len(done.reading.Records), "record")))
	if f.check {
		done.differences, done.out, err = normalize.Check(done.reading, stored, o)
	} else {
		done.out, err = a.merge(ctx, done.reading, stored, o, damaged)
	}
	if err != nil {
		return failed(asStored(err))
	}
	if ctx.Err() != nil {
		return failed(ctx.Err())
	}
	if err := a.report(&done); err != nil {
		return err
	}
	return asFailed(damaged.left(&done.out.Update))
}

// merge puts a reading into the catalog. Each run is written beside its file as soon as it is made, so that a
// large reading is not held twice; all of them take their places together.
func (a *app) merge(ctx context.Context, reading *ingest.Reading, stored *catalog.Catalog, o normalize.Options,
	damaged *damage,
) (*normalize.Outcome, error) {
	u := beginUpdate(ctx, a.path(catalogDir))
	var room []byte // for the file of one run after the other
	o.Take = func(r *catalog.Run, raw []byte) error {
		if err := damaged.lost(r); err != nil {
			return err
		}
		return catalog.WriteRun(r, raw, func(name string, text func(*[]byte) ([]byte, error)) error {
			data, err := text(&room)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return u.Write(name, data)
		})
	}
	o.Damaged = damaged.of
	out, err := normalize.Catalog(reading, stored, o)
	if err == nil {
		err = out.Update.Write(u.Write, u.Remove)
	}
	if err = u.End(err); err != nil {
		damaged.tell(a, nil)
		return out, err
	}
	damaged.tell(a, &out.Update)
	return out, nil
}

// ingestOptions are the options that flags, configuration and environment give.
func (a *app) ingestOptions(f ingestFlags) (normalize.Options, error) {
	o := normalize.Options{Pack: catalog.Gzip, Prune: f.prune, Holds: a.holds, Unchanged: f.unchanged}
	var err error
	if o.Config, err = a.config(); err != nil {
		return o, err
	}
	if o.Formats, err = a.formats(o.Config); err != nil {
		return o, err
	}
	if o.Names, err = a.names(); err != nil {
		return o, err
	}
	for _, s := range f.set {
		fact, err := settings.ParseSet(s)
		if err != nil {
			return o, usage("%w", err)
		}
		o.Set = append(o.Set, fact)
	}
	if f.ci {
		if o.CI = fromEnvironment(os.Getenv); o.CI == nil {
			return o, usage("--ci: no CI job in the environment: " +
				"it is read from the variables of GitHub Actions, GitLab CI and Buildkite")
		}
	}
	return o, nil
}

// holds reports whether a file of the catalog's folder has the bytes of a digest. Of a member of an archive nobody knows
// without reading all of it.
func (a *app) holds(name, digest string) bool {
	if !filepath.IsLocal(name) {
		return false
	}
	f, err := openFile(a.path(name))
	if err != nil {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == digest
}

// read reads the inputs, and completes the options by what sidecars and notes say of them. The diagnostics
// are those of sidecars and notes.
func (a *app) read(ctx context.Context, o *normalize.Options, inputs []ingest.Input, sidecars map[string][]byte) (
	*ingest.Reading, []settings.Diagnostic, error,
) {
	notes, err := a.notes()
	if err != nil {
		return nil, nil, err
	}
	reading, err := ingest.Read(ctx, inputs, ingest.Options{
		Formats: o.Formats, Limits: limits(o.Config), Sidecar: settings.IsSidecar, TempFile: tempFile, Skip: a.written,
		Folded: true,
		Progress: func(p ingest.Progress) {
			a.progress.show(p.Done, p.Total, "reading: %s, %.1f MB", metric.Plural(p.Files, "file"),
				float64(p.Bytes)/1e6)
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if err := unread(reading); err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(reading.Files, func(f ingest.FileStatus) bool { return f.Size >= largeFile }) {
		debug.FreeOSMemory() // its bytes, before what they say is held twice
	}
	for _, s := range reading.Sidecars {
		sidecars[s.Path] = s.Data
	}
	o.Ended = ctx.Err
	var diags, more []settings.Diagnostic
	o.Sidecars, diags = settings.LoadSidecars(sidecars)
	o.Notes, more = settings.LoadNotes(notes)
	for _, in := range inputs {
		o.Inputs = append(o.Inputs, in.Name)
	}
	return reading, append(diags, more...), nil
}

// unread is why a sidecar could not be read, nil where all could: without what it says, runs would be made anew that lack it.
func unread(reading *ingest.Reading) error {
	for _, f := range reading.Files {
		if f.SHA256 != "" || f.Errors == 0 || !settings.IsSidecar(path.Base(f.Path)) {
			continue
		}
		for _, r := range reading.Records {
			if e, ok := r.(*record.SyntaxError); ok && e.At.File == f.Path {
				return fmt.Errorf("%s: %s: nothing is written, because it speaks for the files beside it", f.Path, e.Text)
			}
		}
	}
	return nil
}

// largeFile is from how many bytes on the memory of a file that was read is given back at once.
const largeFile = 64 << 20

// maxHeld is how many bytes of standard input are held before it is known whether all of it is small enough.
const maxHeld = 16 << 20

// readStandardInput reads all of r, which may have so many bytes. What is large waits in a temporary file until its end is
// seen: so what is too large costs no memory, and the rest is held once and never copied to grow.
func readStandardInput(r io.Reader, most int64) ([]byte, error) {
	r = io.LimitReader(r, most+1)
	head, err := io.ReadAll(io.LimitReader(r, maxHeld))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if len(head) < maxHeld && int64(len(head)) <= most {
		return head, nil
	}
	f, err := os.CreateTemp("", "inferdex-stdin-*")
	if err != nil {
		return nil, fmt.Errorf("is large and waits in a temporary file: %w", err)
	}
	held := &temporary{f}
	defer held.Close()
	_ = os.Remove(f.Name()) // as tempFile does
	rest, err := io.Copy(f, r)
	if err != nil {
		return nil, fmt.Errorf("is large and waits in a temporary file: %w", err)
	}
	size := int64(len(head)) + rest
	if size > most {
		return nil, fmt.Errorf("has more than %d bytes, the limit for one file: split it or raise the limit", most)
	}
	data := append(make([]byte, 0, size), head...)[:size]
	if _, err := f.ReadAt(data[len(head):], 0); err != nil {
		return nil, fmt.Errorf("cannot be read again from %s: %w", f.Name(), err)
	}
	return data, nil
}

// inputs opens what the user named, and reads the sidecars in the directories above it: what a
// run.toml says holds for everything below. Standard input may have as many bytes as member says.
func (a *app) inputs(args []string, member int64) (inputs []ingest.Input, sidecars map[string][]byte, err error) {
	sidecars = map[string][]byte{}
	for _, arg := range args {
		if arg == "-" {
			data, err := readStandardInput(a.stdin, member)
			if err != nil {
				return nil, nil, fmt.Errorf("standard input %w", err)
			}
			inputs = append(inputs, ingest.Input{Name: "-", Data: data})
			continue
		}
		if !utf8.ValidString(arg) { // names of records are text
			return nil, nil, usage("%q is not in UTF-8: rename the file or folder", arg)
		}
		p := filepath.Clean(a.path(arg)) // "results/" has no base of its own
		switch info, err := os.Stat(p); {
		case leadsNowhere(p):
			return nil, nil, fmt.Errorf("%q is %w", arg, errNowhere)
		case errors.Is(err, fs.ErrNotExist) && arg == rawDir:
			return nil, nil, fmt.Errorf("%q does not exist: put results there, or name the files and folders that have them", arg)
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("%q does not exist: name the files and folders that have results", arg)
		case err != nil:
			return nil, nil, err
		case !info.IsDir() && !info.Mode().IsRegular(): // as the shell makes of <(command)
			return nil, nil, fmt.Errorf("%q is neither a file nor a directory: write what it gives to standard input, and "+
				"name that as -", arg)
		}
		in := ingest.Input{Name: filepath.ToSlash(arg), FS: folder(filepath.Dir(p)), Root: filepath.Base(p)}
		if in.Root == "." || in.Root == ".." || in.Root == string(filepath.Separator) {
			in.FS, in.Root = folder(p), "."
		}
		inputs = append(inputs, in)
		for dir := filepath.Dir(filepath.Clean(arg)); ; dir = filepath.Dir(dir) {
			for _, base := range []string{settings.RunFile, settings.SourceFile} {
				name := filepath.Join(dir, base)
				data, err := a.readSettings(name)
				if err == nil {
					sidecars[filepath.ToSlash(name)] = data
				} else if !errors.Is(err, fs.ErrNotExist) {
					return nil, nil, err
				}
			}
			if dir == filepath.Dir(dir) || strings.HasSuffix(dir, "..") {
				break
			}
		}
	}
	return inputs, sidecars, nil
}

// standardInput is how many bytes standard input may have.
func standardInput(c *settings.Config) int64 {
	return cmp.Or(c.Limits.Member, ingest.DefaultLimits.Member)
}

func limits(c *settings.Config) ingest.Limits {
	l := c.Limits
	return ingest.Limits{Unpacked: l.Unpacked, Member: l.Member, Ratio: l.Ratio, Members: l.Members, Depth: l.Depth}
}

// tempFile makes a file for a large archive inside an archive. It goes when it is closed, or with the
// program: where the system allows it, it has no name from the beginning.
func tempFile() (ingest.File, error) {
	f, err := os.CreateTemp("", "inferdex-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return &temporary{f}, nil
}

// written reports whether a directory holds what inferdex wrote itself: the catalog, a site and what
// commands keep, those of any catalog among it.
func (a *app) written(dir string) bool {
	if path.Base(dir) == stateDir {
		return true
	}
	abs, err := filepath.Abs(a.path(dir))
	if err != nil {
		return false
	}
	return publish.IsSite(abs) || slices.ContainsFunc([]string{catalogDir, outputDir, stateDir}, func(own string) bool {
		mine, err := filepath.Abs(filepath.Join(a.dir, own))
		return err == nil && mine == abs
	})
}

type temporary struct{ *os.File }

func (t *temporary) Close() error {
	err := t.File.Close()
	if gone := os.Remove(t.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// fromEnvironment is the CI job that a process runs in, nil where there is none.
func fromEnvironment(get func(string) string) *record.CI {
	switch {
	case get("GITHUB_ACTIONS") == "true":
		ci := &record.CI{
			URL: fmt.Sprintf("%s/%s/actions/runs/%s",
				get("GITHUB_SERVER_URL"), get("GITHUB_REPOSITORY"), get("GITHUB_RUN_ID")),
			Commit: get("GITHUB_SHA"), Workflow: get("GITHUB_WORKFLOW"), Attempt: get("GITHUB_RUN_ATTEMPT"),
			Branch: get("GITHUB_HEAD_REF"), Event: get("GITHUB_EVENT_NAME"),
		}
		if number, ok := strings.CutPrefix(get("GITHUB_REF"), "refs/pull/"); ok {
			ci.PullRequest, _, _ = strings.Cut(number, "/")
		} else if ci.Branch == "" && get("GITHUB_REF_TYPE") == "branch" {
			ci.Branch = get("GITHUB_REF_NAME")
		}
		return ci
	case get("GITLAB_CI") != "":
		return &record.CI{URL: get("CI_JOB_URL"), Commit: get("CI_COMMIT_SHA"), Workflow: get("CI_JOB_NAME"),
			Branch: cmp.Or(get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"), get("CI_COMMIT_BRANCH")),
			Event:  get("CI_PIPELINE_SOURCE"), PullRequest: get("CI_MERGE_REQUEST_IID")}
	case get("BUILDKITE") == "true":
		ci := &record.CI{URL: get("BUILDKITE_BUILD_URL"), Commit: get("BUILDKITE_COMMIT"),
			Workflow: get("BUILDKITE_PIPELINE_SLUG"), Attempt: get("BUILDKITE_RETRY_COUNT"),
			Branch: get("BUILDKITE_BRANCH"), Event: get("BUILDKITE_SOURCE")}
		if n := get("BUILDKITE_PULL_REQUEST"); n != "false" {
			ci.PullRequest = n
		}
		return ci
	}
	return nil
}
