package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

type submitFlags struct {
	set    []string
	raw    bool
	output string
}

func (a *app) submitCommand() *cobra.Command {
	f := submitFlags{output: "submission.zip"}
	cmd := &cobra.Command{
		Use:   "submit PATH...",
		Short: "Pack results for a pull request against a catalog",
		Long: `Read result files as ingest does, change nothing here, and pack what ingest would keep of them: runs and records
without secrets, prompts and names of people and machines, as files of data/catalog, and for results that name neither
model nor hardware the run.toml to complete, below data/raw. The same files give the same archive, byte by byte.

Unpack it in the root of a checkout of the catalog, look at it, and open a pull request. Where inferdex.toml of this
directory names the repository, the address that opens one is printed. Nothing is sent.

--raw adds the files themselves, and the run.toml and SOURCE.toml above them, to a folder of data/raw that is called as
the archive. They are as they are: whatever secret stands in them will be public.`,
		Example: `  inferdex submit results/
  inferdex submit --set hardware=H100 --output h100.zip results.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("submit what? give files, folders or archives")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.submit(cmd.Context(), f, args) },
	}
	cmd.Flags().StringArrayVar(&f.set, "set", nil,
		"metadata that nothing else states, as `KEY=VALUE` (keys as in run.toml)")
	cmd.Flags().BoolVar(&f.raw, "raw", false, "add the files themselves, unredacted")
	cmd.Flags().StringVarP(&f.output, "output", "o", f.output, "the archive to write, `FILE`")
	return cmd
}

func (a *app) submit(ctx context.Context, f submitFlags, args []string) error {
	if f.raw && slices.Contains(args, "-") {
		return usage("--raw: standard input is no file; write it into one")
	}
	if err := a.apartFrom("a submission", f.output); err != nil {
		return err
	}
	for _, arg := range args {
		from, errFrom := filepath.Abs(a.path(arg))
		to, errTo := filepath.Abs(a.path(f.output))
		rel, err := filepath.Rel(from, to)
		if errors.Join(errFrom, errTo, err) == nil && filepath.IsLocal(rel) {
			return usage("%q lies in what is packed, and would be packed the next time: name another with --output", f.output)
		}
	}
	done := ingestion{flags: ingestFlags{set: f.set}, unread: "nothing is packed"}
	o, err := a.ingestOptions(done.flags)
	if err != nil {
		return err
	}
	o.Pack = bundle.Gzip
	inputs, sidecars, err := a.inputs(args, standardInput(o.Config))
	if err != nil {
		return failed(err)
	}
	done.names, done.options = o.Names, &o
	above := map[string][]byte{}
	if f.raw {
		folder := path.Join(rawDir, strings.TrimSuffix(filepath.Base(f.output), ".zip"))
		sidecars = belowRaw(folder, inputs, sidecars)
		above = maps.Clone(sidecars)
	}
	if done.reading, done.diags, err = a.read(ctx, &o, inputs, sidecars); err != nil {
		return failed(err)
	}
	if done.out, err = normalize.Alone(done.reading, o); err != nil {
		return failed(err)
	}
	if err := a.report(&done); err != nil {
		return err
	}
	files, err := bundle.Submission(done.out, o.Names)
	if err != nil {
		return failed(err)
	}
	raw := 0
	if f.raw {
		if raw, err = addRaw(files, &done, inputs, above); err != nil {
			return failed(err)
		}
	}
	data, err := bundle.Pack(files)
	if err != nil {
		return failed(err)
	}
	if err := a.writeSubmission(f.output, data); err != nil {
		return err
	}
	if raw > 0 {
		a.say("%s: %s as they are, unredacted: look for secrets before anybody else does", f.output,
			metric.Plural(raw, "file"))
	}
	open := page.PullRequest(o.Config.Repository)
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "submission", "file": f.output, "files": len(files), "bytes": len(data),
			"runs": len(done.out.Runs), "open": orNull(open)})
		return nil
	}
	fmt.Fprintf(a.stdout, "%s: %s, %s of %s\n", f.output, metric.Plural(len(files), "file"),
		metric.Plural(len(data), "byte"), metric.Plural(len(done.out.Runs), "run"))
	if open != "" {
		fmt.Fprintf(a.stdout, "unpack it in a checkout of the catalog, push that as a branch, and open\n%s\n", open)
	} else {
		a.note("unpack it in a checkout of the catalog and open a pull request; inferdex.toml here names no repository")
	}
	return nil
}

// belowRaw gives results the paths at which they lie in the archive themselves, in a folder of data/raw, so that ingest
// finds there what it reads here; the settings above them move alike. Of a path outside of this directory only the last
// name is told, below a folder for each that has settings.
func belowRaw(folder string, inputs []ingest.Input, sidecars map[string][]byte) map[string][]byte {
	moved := map[string][]byte{}
	move := func(from, to string) (found bool) {
		for _, base := range []string{settings.RunFile, settings.SourceFile} {
			if data, ok := sidecars[path.Join(from, base)]; ok {
				moved[path.Join(to, base)], found = data, true
			}
		}
		return found
	}
	for i, in := range inputs {
		name := path.Clean(in.Name)
		if filepath.IsLocal(filepath.FromSlash(name)) {
			inputs[i].Name = path.Join(folder, strings.TrimPrefix(name, rawDir+"/"))
			for dir := path.Dir(name); ; dir = path.Dir(dir) {
				move(dir, path.Join(folder, strings.TrimPrefix(dir+"/", rawDir+"/")))
				if dir == path.Dir(dir) {
					break
				}
			}
			continue
		}
		var above []string // the outermost first
		for dir := path.Dir(name); ; dir = path.Dir(dir) {
			above = append([]string{dir}, above...)
			if dir == path.Dir(dir) || strings.HasSuffix(dir, "..") {
				break
			}
		}
		to := folder
		for _, dir := range above {
			if move(dir, path.Join(to, "above")) {
				to = path.Join(to, "above")
			}
		}
		inputs[i].Name = path.Join(to, path.Base(path.Clean("/"+in.Root)))
	}
	return moved
}

// addRaw adds the results as they are, with the settings beside and above them, and counts them.
func addRaw(files map[string][]byte, done *ingestion, inputs []ingest.Input, above map[string][]byte) (n int, err error) {
	add := func(name string, data []byte) {
		files[name], n = data, n+1
	}
	for name, data := range above {
		add(name, data)
	}
	for _, in := range inputs {
		for _, s := range slices.Concat(done.reading.Files, done.reading.Archives) {
			below, ok := strings.CutPrefix(s.Path, in.Name)
			if below = strings.TrimPrefix(below, "/"); !ok || s.Format == "" || strings.Contains(below, "!") {
				continue
			}
			data, err := fs.ReadFile(in.FS, path.Join(in.Root, below))
			switch {
			case errors.Is(err, fs.ErrNotExist) || !fs.ValidPath(s.Path):
				continue // of another input whose name begins alike
			case err != nil:
				return n, err
			}
			add(s.Path, data)
		}
	}
	return n, nil
}

// writeSubmission writes an archive; one that is there with other bytes is not overwritten.
func (a *app) writeSubmission(name string, data []byte) error {
	err := writeNew(a.path(name), data)
	if !errors.Is(err, fs.ErrExist) {
		return asFailed(err)
	}
	if old, err := readFile(a.path(name)); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return usage("%q is there with other content: remove it, or name another with --output", name)
}
