package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

type ingestFlags struct {
	set     []string
	strict  bool
	check   bool
	ci      bool
	verbose bool
	prune   bool
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
what its older version said. What inferdex wrote itself (data/catalog, public, .inferdex) is not read.

Exit status: 0 done; 1 nothing was recognised, or findings (--strict, --check); 2 usage;
3 something could not be read or written; 130 interrupted.`,
		Example: `  inferdex ingest                                   # data/raw
  inferdex ingest results/ artifact.zip
  inferdex ingest --set hardware=H100 --set engine_version=0.8.2 results.jsonl
  gh run download 123 --dir artifacts && inferdex ingest --ci artifacts
  inferdex ingest --check                           # does data/catalog match data/raw?`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.ingest(cmd.Context(), f, args) },
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "metadata that nothing else states, as `KEY=VALUE` (keys as in run.toml)")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 on any finding that no sidecar accepts")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing: derive again and exit with 1 where data/catalog differs, or on findings of severity error")
	cmd.Flags().BoolVar(&f.ci, "ci", false, "record the CI job of the environment (GitHub Actions, GitLab CI, Buildkite) as provenance")
	cmd.Flags().BoolVar(&f.prune, "prune", false, "drop what was once read below PATH and is not there any more")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "also say what was ignored and why, keys that were read and not used, and names in no list with the lines to add")
	return cmd
}

func (a *app) ingest(ctx context.Context, f ingestFlags, args []string) error {
	if len(args) == 0 {
		args = []string{rawDir}
	}
	conf, err := a.config()
	if err != nil {
		return err
	}
	formats, err := a.formats(conf)
	if err != nil {
		return err
	}
	o := normalize.Options{Prune: f.prune, Config: conf, Formats: formats, Names: a.names()}
	for _, s := range f.set {
		fact, err := settings.ParseSet(s)
		if err != nil {
			return usage("%w", err)
		}
		o.Set = append(o.Set, fact)
	}
	if f.ci {
		if o.CI = fromEnvironment(os.Getenv); o.CI == nil {
			return usage("--ci: no CI job in the environment: it is read from the variables of GitHub Actions, GitLab CI and Buildkite")
		}
	}
	inputs, sidecars, err := a.inputs(args, standardInput(conf))
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
	notes, err := a.notes()
	if err != nil {
		return failed(err)
	}
	reading, err := ingest.Read(ctx, inputs, ingest.Options{
		Formats: o.Formats, Limits: limits(conf), Sidecar: settings.IsSidecar, TempFile: tempFile, Skip: a.written,
		Progress: func(p ingest.Progress) {
			a.progress.show(p.Done, p.Total, "reading: %s, %.1f MB", metric.Plural(p.Files, "file"), float64(p.Bytes)/1e6)
		},
	})
	if err != nil {
		return failed(err)
	}
	for _, s := range reading.Sidecars {
		sidecars[s.Path] = s.Data
	}
	var diags, more []settings.Diagnostic
	o.Sidecars, diags = settings.LoadSidecars(sidecars)
	o.Notes, more = settings.LoadNotes(notes)
	diags = append(diags, more...)
	for _, in := range inputs {
		o.Inputs = append(o.Inputs, in.Name)
	}
	var differences []normalize.Difference
	var out *normalize.Outcome
	if f.check {
		differences, out, err = normalize.Check(reading, stored, o)
	} else {
		out, err = normalize.Catalog(reading, stored, o)
	}
	if err != nil {
		return failed(err)
	}
	if ctx.Err() != nil {
		return failed(ctx.Err())
	}
	if err := damaged.lost(out.Update.Runs); err != nil {
		return failed(err)
	}
	if !f.check {
		u := beginUpdate(ctx, a.path(catalogDir))
		err = u.End(out.Update.Write(u.Write, u.Remove))
		if err != nil {
			return failed(err)
		}
	}
	if err := a.report(f, o.Names, reading, out, diags, differences); err != nil {
		return err
	}
	return asFailed(damaged.left(&out.Update))
}

// report says what an ingest did, and decides the exit status.
func (a *app) report(f ingestFlags, names *settings.Names, reading *ingest.Reading, out *normalize.Outcome, diags []settings.Diagnostic, differences []normalize.Difference) error {
	a.diagnose(diags)
	type place struct {
		pos  record.Pos
		text string
	}
	var places []place
	for _, r := range reading.Records {
		if e, ok := r.(*record.SyntaxError); ok {
			places = append(places, place{e.At, redact.Message(e.Text)})
		}
	}
	slices.SortStableFunc(places, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.pos.File, y.pos.File), cmp.Compare(x.pos.Line, y.pos.Line), cmp.Compare(x.pos.Col, y.pos.Col))
	})
	for _, p := range places {
		a.diagnostic(p.pos.File, p.pos.Line, p.pos.Col, p.text)
	}
	worst := record.Severity("")
	open := 0
	// With names resolved: some findings, such as memory that cannot have held what was
	// measured, need them.
	ix := figure.NewIndex(&catalog.Catalog{Runs: out.Runs}, names)
	for _, r := range ix.Runs {
		for _, fd := range r.Findings {
			if fd.Accepted {
				continue
			}
			open++
			if worst == "" || rank(fd.Severity) > rank(worst) {
				worst = fd.Severity
			}
			path := fd.Path
			if path == "" {
				path = catalogDir + "/" + r.Path()
			}
			a.diagnostic(path, fd.Line, 0, fmt.Sprintf("%s: %s [%s, run %s]", fd.Severity, fd.Message, fd.Code, r.ID))
		}
	}
	for _, d := range differences {
		a.diagnostic(catalogDir+"/"+d.File, 0, 0, d.Message)
	}
	for _, s := range reading.Files {
		if s.Ignored != "" && s.Format == "" && settings.IsSidecar(path.Base(s.Path)) && !f.verbose {
			a.diagnostic(s.Path, 0, 0, "ignored: "+s.Ignored)
		}
	}
	if f.verbose {
		for _, s := range reading.Files {
			if s.Ignored != "" {
				a.diagnostic(s.Path, 0, 0, "ignored: "+redact.Message(s.Ignored))
			}
		}
		for _, in := range out.Inputs {
			for _, format := range slices.Sorted(maps.Keys(in.Unmapped)) {
				for _, k := range slices.Sorted(maps.Keys(in.Unmapped[format])) {
					a.diagnostic(in.Path, 0, 0, fmt.Sprintf("%s: key %q is kept with the raw records and not used, %s", format, k, metric.Plural(in.Unmapped[format][k], "time")))
				}
			}
		}
	}
	a.reportGaps(f, ix)
	if f.verbose {
		for _, u := range ix.Unlisted() {
			if a.json {
				a.object(a.stderr, map[string]any{"kind": "unlisted", "what": u.Kind, "name": u.Name, "file": namesDir + "/" + u.File, "toml": u.TOML})
				continue
			}
			a.say("%s/%s: the %s %q is in no list; add:", namesDir, u.File, u.Kind, u.Name)
			a.say("%s", u.TOML)
		}
	}
	changed := map[string]bool{}
	for _, r := range out.Update.Runs {
		changed[r.ID] = true
	}
	for _, r := range out.Runs {
		if !changed[r.ID] {
			continue
		}
		if a.json {
			a.object(a.stdout, map[string]any{"kind": "run", "id": r.ID, "file": catalogDir + "/" + r.Path(), "model": r.Identity.Model, "points": len(r.Points)})
		} else {
			a.progress.clear()
			model := strings.Join(strings.Fields(r.Identity.Model), " ") // one line a run
			fmt.Fprintln(a.stdout, printable(fmt.Sprintf("%s/%s: %s, %s", catalogDir, r.Path(), model, metric.Plural(len(r.Points), "point"))))
		}
	}
	var read, ignored, bad int
	broken := map[string]bool{}
	for _, d := range diags {
		broken[d.File] = true
	}
	for _, s := range reading.Files {
		switch {
		case s.Errors > 0 || broken[s.Path]:
			bad++
		case s.Ignored != "":
			ignored++
		default:
			read++
		}
	}
	refused := refusedArchives(reading)
	bad += refused
	nothing := len(out.Runs) == 0 && read == 0
	if nothing {
		a.diagnostic("", 0, 0, "nothing was recognised: 'inferdex formats' lists what can be read, 'inferdex ingest -v' says why each file was ignored")
	}
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "summary", "files": len(reading.Files) + refused, "read": read, "ignored": ignored, "errors": bad,
			"runs": len(out.Runs), "points": out.Points, "new": out.NewPoints, "unchanged": out.UnchangedPoints})
	} else {
		a.say("%s: %d read, %d ignored, %d with errors; %s, %s (%d new, %d unchanged)",
			metric.Plural(len(reading.Files)+refused, "file"), read, ignored, bad, metric.Plural(len(out.Runs), "run"),
			metric.Plural(out.Points, "point"), out.NewPoints, out.UnchangedPoints)
	}
	switch {
	case reading.Unreadable > 0:
		return failed(fmt.Errorf("%d of the files could not be read: what they said before is kept", reading.Unreadable))
	case f.check && (len(differences) > 0 || worst == record.Error):
		return findings()
	case f.strict && (open > 0 || len(diags) > 0 || bad > 0):
		return findings()
	case nothing:
		return findings()
	}
	return nil
}

// reportGaps says in one line a folder which runs lack model or hardware and stand beside no other,
// with --verbose also the lines that would supply it.
func (a *app) reportGaps(f ingestFlags, ix *figure.Index) {
	for _, g := range ix.Gaps() {
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "not recorded", "folder": g.Folder, "runs": len(g.Runs), "missing": g.Missing, "file": g.File, "toml": g.TOML})
			continue
		}
		lines := strings.Split(g.TOML, "\n")
		text := strings.Join(lines, ", ")
		if strings.HasPrefix(g.TOML, "[[") {
			text = "a [[run]] for each file; ingest -v prints them"
		}
		if f.verbose {
			text = "add:"
		}
		a.say("%s: %s of %s not recorded, so that no other is compared with what was measured; %s: %s", g.Folder, strings.Join(g.Missing, " and "),
			metric.Plural(len(g.Runs), "run"), g.File, text)
		if f.verbose {
			a.say("%s", g.TOML)
		}
	}
}

// refusedArchives counts archives that gave no member at all: nothing else stands for them in the
// count of files.
func refusedArchives(reading *ingest.Reading) (n int) {
	for _, x := range reading.Archives {
		if x.Errors > 0 && !slices.ContainsFunc(reading.Files, func(f ingest.FileStatus) bool { return strings.HasPrefix(f.Path, x.Path+"!") }) {
			n++
		}
	}
	return n
}

func rank(s record.Severity) int {
	return slices.Index([]record.Severity{record.Remark, record.Warning, record.Error}, s)
}

// inputs opens what the user named, and reads the sidecars in the directories above it: what a
// run.toml says holds for everything below. Standard input may have as many bytes as member says.
func (a *app) inputs(args []string, member int64) (inputs []ingest.Input, sidecars map[string][]byte, err error) {
	sidecars = map[string][]byte{}
	for _, arg := range args {
		if arg == "-" {
			data, err := io.ReadAll(io.LimitReader(a.stdin, member+1))
			if err != nil {
				return nil, nil, fmt.Errorf("standard input: %w", err)
			}
			if int64(len(data)) > member {
				return nil, nil, fmt.Errorf("standard input has more than %d bytes, the limit for one file: split it or raise the limit", member)
			}
			inputs = append(inputs, ingest.Input{Name: "-", Data: data})
			continue
		}
		p := a.path(arg)
		if _, err := os.Stat(p); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil, fmt.Errorf("%q does not exist", arg)
			}
			return nil, nil, err
		}
		inputs = append(inputs, ingest.Input{Name: filepath.ToSlash(arg), FS: os.DirFS(filepath.Dir(p)), Root: filepath.Base(p)})
		if base := filepath.Base(p); base == "." || base == ".." || base == string(filepath.Separator) {
			inputs[len(inputs)-1].FS, inputs[len(inputs)-1].Root = os.DirFS(p), "."
		}
		for dir := filepath.Dir(filepath.Clean(arg)); ; dir = filepath.Dir(dir) {
			for _, base := range []string{settings.RunFile, settings.SourceFile} {
				name := filepath.Join(dir, base)
				data, err := readSettings(a.path(name))
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

// notes reads data/notes: what was said later of runs whose files are gone.
func (a *app) notes() (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(a.path(notesDir), "*.toml"))
	if err != nil {
		return nil, err
	}
	notes := map[string][]byte{}
	for _, n := range names {
		if notes[notesDir+"/"+filepath.Base(n)], err = readSettings(n); err != nil {
			return nil, err
		}
	}
	return notes, nil
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

// written reports whether a directory holds what inferdex wrote itself: the catalog, the site and what
// commands keep.
func (a *app) written(dir string) bool {
	abs, err := filepath.Abs(a.path(dir))
	if err != nil {
		return false
	}
	return slices.ContainsFunc([]string{catalogDir, outputDir, stateDir}, func(own string) bool {
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
		ci := &record.CI{URL: fmt.Sprintf("%s/%s/actions/runs/%s", get("GITHUB_SERVER_URL"), get("GITHUB_REPOSITORY"), get("GITHUB_RUN_ID")),
			Commit: get("GITHUB_SHA"), Workflow: get("GITHUB_WORKFLOW"), Attempt: get("GITHUB_RUN_ATTEMPT"),
			Branch: get("GITHUB_HEAD_REF"), Event: get("GITHUB_EVENT_NAME")}
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
		ci := &record.CI{URL: get("BUILDKITE_BUILD_URL"), Commit: get("BUILDKITE_COMMIT"), Workflow: get("BUILDKITE_PIPELINE_SLUG"),
			Attempt: get("BUILDKITE_RETRY_COUNT"), Branch: get("BUILDKITE_BRANCH"), Event: get("BUILDKITE_SOURCE")}
		if n := get("BUILDKITE_PULL_REQUEST"); n != "false" {
			ci.PullRequest = n
		}
		return ci
	}
	return nil
}
