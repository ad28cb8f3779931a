// Command inferdex turns the files that LLM inference benchmarks leave behind into a catalog and
// a static site.
//
//	inferdex ingest [PATH...]   files, directories, archives -> data/catalog
//	inferdex build              data/catalog -> public/
//	inferdex serve              builds, serves, rebuilds on change
//	inferdex check              lints the catalog and the built site
//	inferdex list KIND          cards, runs or points of the catalog
//	inferdex chart ID           one chart of a run or a card as SVG or PNG
//	inferdex compare A B        two runs, cards, catalogs or sets of files; gates a change in CI
//	inferdex names suggest      names that no list has, as TOML
//	inferdex export FORMAT      runs in a format of other programs
//	inferdex formats            what can be read
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFindings    = 1   // findings of severity error, a limit exceeded, or nothing recognised or comparable
	exitUsage       = 2   // flags or arguments that are wrong
	exitIO          = 3   // something could not be read or written
	exitInterrupted = 130 // by a signal
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dirs           []string // -C, in their order: each counts from the one before it, as git's do
	dir            string   // what relative paths count from; "" is the working directory
	json           bool
	progress       *progress
}

// exit is an error with an exit status of its own. An empty text was said already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return &exit{exitUsage, fmt.Errorf(format, args...)} }
func failed(err error) error                 { return &exit{exitIO, err} }
func findings() error                        { return &exit{code: exitFindings} }

// run is the whole command as a function: it returns the exit status.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	out := &outcome{Writer: stdout}
	a := &app{stdin: stdin, stdout: out, stderr: stderr}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	a.progress.done()
	if ctx.Err() != nil && err != nil {
		a.say("interrupted: what was there before is as it was")
		return exitInterrupted
	}
	if err == nil && out.err != nil {
		err = failed(fmt.Errorf("standard output: %w", out.err))
	}
	if err == nil {
		return exitDone
	}
	var e *exit
	if !errors.As(err, &e) {
		// cobra's own errors are all about usage.
		e = &exit{exitUsage, fmt.Errorf("%w\nrun 'inferdex --help' for what there is", err)}
	}
	if e.err != nil {
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "error", "message": e.Error()})
		} else {
			a.say("inferdex: %s", e.Error())
		}
	}
	return e.code
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "inferdex",
		Short: "From raw benchmark files to a catalog site of LLM inference results",
		Long: `inferdex reads the files that LLM inference benchmarks leave behind (results, launch
parameters, hardware metadata; plain, in folders or in archives), keeps what they say in a
catalog (data/catalog), and builds a static site from it (public/).

A catalog is a directory with data/raw for inputs, and optionally inferdex.toml, data/names,
content, layouts and assets. Commands work on the current directory unless -C names another.`,
		Example: `  inferdex ingest results/ artifact.zip
  inferdex build
  inferdex serve`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringArrayVarP(&a.dirs, "dir", "C", nil, "work as if started in `DIR`: relative paths count from there")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "one JSON object a line instead of text")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%w\nrun '%s --help' for what there is", err, c.CommandPath())
	})
	root.AddCommand(a.ingestCommand(), a.buildCommand(), a.serveCommand(), a.checkCommand(), a.listCommand(), a.removeCommand(), a.chartCommand(), a.compareCommand(), a.exportCommand(), a.namesCommand(), a.formatsCommand())
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		a.resolveDirs()
		a.progress = newProgress(a.stderr, a.json)
		if a.dir == "" {
			return nil
		}
		switch info, err := os.Stat(a.dir); {
		case err != nil:
			return failed(fmt.Errorf("-C %q: %w", a.dir, errors.Unwrap(err)))
		case !info.IsDir():
			return failed(fmt.Errorf("-C %q: is no directory", a.dir))
		}
		return nil
	}
	return root
}

// resolveDirs joins the directories of -C.
func (a *app) resolveDirs() {
	a.dir = ""
	for _, d := range a.dirs {
		if filepath.IsAbs(d) {
			a.dir = ""
		}
		a.dir = filepath.Join(a.dir, d)
	}
}

// path resolves a path of the user against -C.
func (a *app) path(p string) string {
	if a.dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.dir, p)
}

// say writes a line to standard error. Foreign text cannot steer the terminal.
func (a *app) say(format string, args ...any) {
	a.progress.clear()
	fmt.Fprintln(a.stderr, printable(fmt.Sprintf(format, args...)))
}

// outcome is standard output. It keeps the first error of writing: a list that is cut short is no list.
type outcome struct {
	io.Writer
	err error
}

func (o *outcome) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// object writes v as one line of JSON.
func (a *app) object(w io.Writer, v any) {
	a.progress.clear()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // run says what the writer could not
}

// printable replaces control characters other than newline and tab.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		// Controls, line separators, and what turns the direction of writing.
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return '\uFFFD'
		}
		return r
	}, s)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
