package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/change"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

type diffFlags struct {
	format   string
	all      bool
	maxBytes int
}

func (a *app) diffCommand() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff [BEFORE [AFTER]]",
		Short: "What a change of the catalog does, in words",
		Long: `Say which runs of a catalog were added, removed, withdrawn or changed, with the values, metadata and
findings that differ, and which cards another run heads now. BEFORE and AFTER are each one of

  a snapshot          its tag
  a revision of git   the catalog as it was committed there: HEAD, main, a tag, a commit
  a directory         one with data/catalog, or the catalog itself
  a zip archive       of one of these, read where it lies; nothing is unpacked

Without BEFORE it is HEAD, without AFTER the catalog here. Both are read with the names of this
catalog. --json is one object a line and change.

Exit status: 0 done, whatever differs; 2 usage; 3 something could not be read.`,
		Example: `  inferdex diff
  inferdex diff main --format markdown >> "$GITHUB_STEP_SUMMARY"
  inferdex diff . artifact.zip --format markdown --max-bytes 60000`,
		Args: atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.diff(cmd.Context(), f, args) },
	}
	cmd.Flags().StringVar(&f.format, "format", "text", "text or markdown")
	cmd.Flags().BoolVar(&f.all, "all", false, "every value that differs, not the first of each run")
	cmd.Flags().IntVar(&f.maxBytes, "max-bytes", 0,
		"leave out what does not fit into `N` bytes, and say so; 0 is no limit")
	_ = cmd.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions([]string{"text", "markdown"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) diff(ctx context.Context, f diffFlags, args []string) error {
	if f.format != "text" && f.format != "markdown" {
		return usage("--format %q: give text or markdown", f.format)
	}
	if f.maxBytes < 0 {
		return usage("--max-bytes %d: give a number of bytes, or 0 for no limit", f.maxBytes)
	}
	args = append(args, []string{"HEAD", ""}[len(args):]...)
	names, err := a.names()
	if err != nil {
		return err
	}
	snapshots, err := a.snapshots()
	if err != nil {
		return err
	}
	var sides [2]*figure.Index
	for i, name := range args {
		a.progress.begin("reading " + cmp.Or(name, catalogDir))
		if name == "" && slices.Contains(snapshots, args[0]) {
			c, err := a.catalogOf() // a snapshot has the runs of merged catalogs too
			if err != nil {
				return err
			}
			sides[i] = figure.NewIndex(c, names)
			continue
		}
		fsys, err := a.state(ctx, name)
		if err != nil {
			return err
		}
		c, err := catalog.Open(fsys)
		if err != nil {
			err = inCatalog(err)
			if name != "" {
				err = fmt.Errorf("%q: %w", name, err)
			}
			return failed(err)
		}
		sides[i] = figure.NewIndex(c, names)
	}
	a.progress.begin("comparing")
	changes, equal := change.Between(sides[0], sides[1])
	if a.json {
		for _, c := range changes {
			a.object(a.stdout, c)
		}
		return nil
	}
	text := diffText{changes: changes, equal: equal, limit: f.maxBytes, differences: 12, paint: func(kind string) string {
		return a.painted(a.stdout, changeStyles[change.Kind(kind)], kind)
	}}
	if f.all {
		text.differences = -1
	}
	if f.format == "markdown" {
		text.markdown(a.stdout)
	} else {
		text.terminal(a.stdout)
	}
	return nil
}

// state opens the catalog that an argument of diff names; "" is the one here. One that is not there is empty.
func (a *app) state(ctx context.Context, name string) (fs.FS, error) {
	where := a.path(name)
	if name == "" {
		return a.runFiles(), nil
	}
	if tags, err := a.snapshots(); err != nil {
		return nil, err
	} else if slices.Contains(tags, name) {
		return openZip(a.path(filepath.Join(snapshotsDir, name, datasetFile)))
	}
	info, err := os.Stat(where)
	switch {
	case err == nil && info.IsDir():
		return within(folder(where)), nil
	case err == nil && info.Mode().IsRegular():
		return openZip(where)
	case err == nil:
		return nil, failed(fmt.Errorf("%q: %w", name, errIrregular))
	case errors.Is(err, fs.ErrPermission):
		return nil, failed(err)
	}
	return a.revision(ctx, name)
}

// within is the catalog in a directory, or the directory where it is the catalog itself.
func within(fsys fs.FS) fs.FS {
	for _, mark := range []string{catalogDir, configFile} {
		if _, err := fs.Stat(fsys, mark); err == nil {
			if sub, err := fs.Sub(fsys, catalogDir); err == nil {
				return sub
			}
		}
	}
	return fsys
}

// revision is the catalog as git has it at a commit.
func (a *app) revision(ctx context.Context, name string) (fs.FS, error) {
	git := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", a.path(".")}, args...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C") // what it says is looked at
		var problem bytes.Buffer
		cmd.Stderr = &problem
		out, err := cmd.Output()
		if err != nil && problem.Len() > 0 {
			err = errors.New(strings.TrimSpace(oneLine(problem.String())))
		}
		return out, err
	}
	commit, err := git("rev-parse", "--verify", "--quiet", name+"^{commit}")
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, failed(
				fmt.Errorf("%q is no directory and no archive, and there is no git to ask for a revision", name))
		}
		switch _, err := git("rev-parse", "--git-dir"); {
		case err != nil && !strings.Contains(err.Error(), "not a git repository"):
			return nil, failed(fmt.Errorf("%q is no directory, no archive and no snapshot, and git does not say whether it is a "+
				"revision: %w", name, err))
		case err != nil:
			return nil, usage("%q is no directory, no archive and no snapshot, and this is no git repository that could have "+
				"it as a revision: name one of these", name)
		}
		text := "%q is no directory, no archive, no snapshot and no revision of git"
		if shallow, _ := git("rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(shallow)) == "true" {
			text += " that is here: the history was cut when it was cloned, and 'git fetch --unshallow' brings the rest " +
				"(fetch-depth: 0 of actions/checkout does)"
		}
		return nil, usage(text, name)
	}
	id := strings.TrimSpace(string(commit))
	there, err := git("ls-tree", "-d", "--name-only", id, catalogDir)
	if err != nil {
		return nil, failed(err)
	}
	if len(there) == 0 {
		return folder(filepath.Join(a.path(catalogDir), "none")), nil // an empty catalog
	}
	data, err := git("archive", "--format=zip", "-0", id, catalogDir)
	if err != nil {
		return nil, failed(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, failed(err)
	}
	return within(z), nil
}

// A zip archive comes from anywhere: it is never unpacked, and what it may hold is bounded.
const (
	maxZipFiles = 200_000
	maxZipBytes = 1 << 30
)

// openZip reads an archive into a file system that has only names below its root.
func openZip(name string) (fs.FS, error) {
	data, err := readBounded(name, maxZipBytes)
	if err != nil {
		return nil, failed(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, failed(fmt.Errorf("%s: %w: name a directory, an archive or a revision with a catalog", name, err))
	}
	var sum uint64
	for _, f := range z.File {
		sum += f.UncompressedSize64
		if sum > maxZipBytes {
			return nil, failed(fmt.Errorf("%s: unpacks to more than %d bytes: this is no catalog", name, maxZipBytes))
		}
		if !fs.ValidPath(strings.TrimSuffix(f.Name, "/")) {
			return nil, failed(fmt.Errorf("%s: %q leads out of the archive", name, f.Name))
		}
	}
	if len(z.File) > maxZipFiles {
		return nil, failed(fmt.Errorf("%s: more than %d files: this is no catalog", name, maxZipFiles))
	}
	return within(z), nil
}

// readBounded reads a file of at most so many bytes.
func readBounded(name string, most int64) ([]byte, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bounded(f, name, most)
}

// bounded reads what r has, at most so many bytes; name says in the error what it is.
func bounded(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: more than %d bytes", name, most)
	}
	return data, err
}

// diffText writes changes for people.
type diffText struct {
	changes     []change.Change
	equal       int
	limit       int // bytes, 0 is none
	differences int // of one run, negative is all
	paint       func(kind string) string
}

// summary counts the changes by kind.
func (d diffText) summary() string {
	counts := map[change.Kind]int{}
	for _, c := range d.changes {
		counts[c.Kind]++
	}
	var parts []string
	for _, k := range []change.Kind{change.Added, change.Changed, change.Withdrawn, change.Restored, change.Removed} {
		if counts[k] > 0 {
			parts = append(parts, metric.Plural(counts[k], "run")+" "+string(k))
		}
	}
	if n := counts[change.Heads]; n > 0 {
		parts = append(parts, metric.Plural(n, "card has another run at its head",
			"cards have another run at their head"))
	}
	if len(parts) == 0 {
		return "Nothing differs: " + metric.Plural(d.equal, "run is", "runs are") + " equal."
	}
	return strings.Join(parts, ", ") + "; " + metric.Plural(d.equal, "run is", "runs are") + " equal."
}

// row is one line of the table: what happened to which run, or one difference of it.
type row struct{ kind, run, what, before, after string }

// rows are those of one change, its differences cut where there are many.
func (d diffText) rows(c change.Change) []row {
	what := c.Title
	if c.Series != "" {
		what += ", " + c.Series
	}
	first := row{kind: string(c.Kind), run: c.Run, what: what}
	switch {
	case c.Kind == change.Heads:
		first.before, first.after = "run "+c.Was, "run "+c.Run
	case c.Reason != "":
		first.after = "withdrawn: " + c.Reason
	case c.Kind == change.Added:
		first.after = metric.Plural(c.Points[1], "point")
	case c.Kind == change.Removed:
		first.before = metric.Plural(c.Points[0], "point")
	case c.Was != "":
		first.before, first.after = "run "+c.Was, "run "+c.Run
	}
	rows := []row{first}
	for i, x := range c.Differs {
		if i == d.differences {
			rows = append(rows, row{what: fmt.Sprintf("and %d more: inferdex diff --all", len(c.Differs)-i)})
			break
		}
		rows = append(rows, row{what: x.What, before: x.Before, after: x.After})
	}
	return rows
}

// terminal writes a block of lines a change.
func (d diffText) terminal(w io.Writer) {
	out := limited{w: w, left: d.limit, bounded: d.limit > 0}
	out.block(d.summary() + "\n")
	for i, c := range d.changes {
		var b strings.Builder
		for j, r := range d.rows(c) {
			said := became(c.Kind, r.before, r.after)
			if j == 0 {
				fmt.Fprintf(&b, "\n%s %s: ", d.paint(r.kind), oneLine(r.run))
				said = happened(c)
			} else {
				b.WriteString("  ")
			}
			b.WriteString(oneLine(r.what))
			if said != "" {
				b.WriteString(": " + oneLine(said))
			}
			b.WriteByte('\n')
		}
		if !out.block(b.String()) {
			out.end(fmt.Sprintf("\nand %s\n", metric.Plural(len(d.changes)-i, "more change", "more changes")))
			return
		}
	}
}

// happened says of the run itself what its kind of change alone does not.
func happened(c change.Change) string {
	switch {
	case c.Kind == change.Heads:
		return "it heads the card in place of run " + c.Was
	case c.Reason != "":
		return "withdrawn: " + c.Reason
	case c.Kind == change.Added:
		return "it has " + metric.Plural(c.Points[1], "point")
	case c.Kind == change.Removed:
		return "it had " + metric.Plural(c.Points[0], "point")
	case c.Was != "":
		return "its id was " + c.Was
	}
	return ""
}

// became says what a value was and is: "4, now 8". A run that is added is all new and says only what there is.
func became(kind change.Kind, before, after string) string {
	switch {
	case before == after: // nothing is to be said of it
		return ""
	case before == "" && kind == change.Added:
		return after
	case before == "":
		return "new: " + after
	case after == "":
		return "gone: " + before
	}
	return before + ", now " + after
}

// markdown writes one table as GitHub shows it.
func (d diffText) markdown(w io.Writer) {
	out := limited{w: w, left: d.limit, bounded: d.limit > 0}
	out.block(markdownText(d.summary()) + "\n")
	if len(d.changes) == 0 {
		return
	}
	out.block("\n| | run | what | before | after |\n| --- | --- | --- | --- | --- |\n")
	for i, c := range d.changes {
		var b strings.Builder
		for _, r := range d.rows(c) {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", markdownText(r.kind), markdownText(r.run),
				markdownText(shorten(r.what)),
				markdownText(shorten(r.before)), markdownText(shorten(r.after)))
		}
		if !out.block(b.String()) {
			out.end(fmt.Sprintf("\nand %s\n", metric.Plural(len(d.changes)-i, "more change", "more changes")))
			return
		}
	}
}

// limited writes whole blocks as long as they fit.
type limited struct {
	w       io.Writer
	left    int
	bounded bool
}

// endBytes is kept free for the line that says what was left out.
const endBytes = 64

func (l *limited) block(s string) bool {
	if l.bounded && len(s)+endBytes > l.left {
		return false
	}
	l.left -= len(s)
	_, _ = io.WriteString(l.w, s) // the command's output remembers its error
	return true
}

// end writes what no block may keep from fitting.
func (l *limited) end(s string) { _, _ = io.WriteString(l.w, s) }
