package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/selfcontained"
	"github.com/inferdex/inferdex/site/view"
)

func (a *app) reportCommand() *cobra.Command {
	var output, baseURL string
	cmd := &cobra.Command{
		Use:   "report RUN|CARD",
		Short: "Write the page of a run or a card as one HTML file to send by mail",
		Long: `Write the page of a run or a card as one HTML file: its charts, tables, sentences and findings, how to
measure again, where each value comes from, and the raw records, collapsed. RUN is a run's id or the beginning of
one; CARD the name of a card as in its address, of which the run that heads it is shown with its sources.

The file asks for nothing and runs nothing: it can be opened from a disk, in a mail program or offline, follows the
light or dark theme of its reader and can be printed. It is made with the layouts, style sheets and notes of the
catalog, as the site is. Links to other pages lead to the published site, where --base-url or base_url in inferdex.toml
says where that is; else their text stands alone. Raw records beyond 4 MB are left out, and the file says how many.

Without --output the file goes to standard output. A file of that name is replaced when the new one is complete.

Exit status: 0 done; 2 usage, an unknown run or card among it; 3 something could not be read or written.`,
		Example: `  inferdex report jaxpmmiy6jlr > run.html
  inferdex report mistral-small-24b-instruct-2501-on-mi300x -o card.html`,
		Args: oneSubject("report on what?"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.apartFrom("a report", output); err != nil {
				return err
			}
			data, err := a.alone(cmd.Context(), args[0], baseURL)
			if err != nil {
				return err
			}
			return a.put(cmd.Context(), output, data)
		},
	}
	fileFlag(cmd, &output)
	baseURLFlag(cmd, &baseURL)
	return cmd
}

// alone is the page of a run or a card as one file.
func (a *app) alone(ctx context.Context, name, baseURL string) ([]byte, error) {
	conf, in, err := a.siteInput(baseURL)
	if err != nil {
		return nil, err
	}
	ix, c, err := a.load()
	if err != nil {
		return nil, err
	}
	if _, _, err := ix.Find(name); err != nil {
		return nil, usage("%w", err)
	}
	a.progress.begin("making the page")
	g := view.New(ix, c, view.Options{Config: conf, SelfContained: true})
	p, err := g.Report(name)
	if err != nil {
		return nil, failed(err)
	}
	in.Unwritten = true
	in.Pages = func(yield func(*page.Page, error) bool) { yield(p, nil) }
	files := map[string][]byte{}
	if _, err = hugo.Build(ctx, in, func(name string, data []byte) error {
		files[name] = bytes.Clone(data)
		return nil
	}); err != nil {
		return nil, failed(err)
	}
	data, err := selfcontained.Page(files, path.Join(p.Path, "index.html"), g.Base())
	return data, asFailed(err)
}

// fileFlag is where a command writes the one file that it makes.
func fileFlag(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVarP(output, "output", "o", "", "write the file `FILE`")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
}

// apartFrom is [app.apart] for one file, whose name may not be that of a folder: pages of one's own may show it.
func (a *app) apartFrom(what, output string) error {
	if output == "" || output == "-" {
		return nil
	}
	if info, err := os.Stat(a.path(output)); err == nil && info.IsDir() || os.IsPathSeparator(output[len(output)-1]) {
		return usage("%q is a directory: give the name of a file", output)
	}
	return a.apart(what, output, "content", "layouts", "assets")
}

// put writes to standard output, or a file whole or not at all. What is no file, a device or a pipe, is written to.
func (a *app) put(ctx context.Context, output string, data []byte) error {
	if output == "" || output == "-" {
		w := bufio.NewWriter(a.stdout)
		_, _ = w.Write(data) // Flush has the error
		return asFailed(w.Flush())
	}
	to := a.path(output)
	info, err := os.Stat(to)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return asFailed(os.WriteFile(to, data, 0o666))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return failed(err)
	}
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real // what a link leads to is replaced, not the link
	}
	u := beginUpdate(ctx, filepath.Dir(to))
	return asFailed(u.End(u.Write(filepath.Base(to), data)))
}
