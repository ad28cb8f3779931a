// Command inferdex turns the files that LLM inference benchmarks leave behind into a catalog and
// a static site. Each command has a file of its own; 'inferdex help' lists them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

func main() {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once, whatever it is busy with
	code := run(ctx, os.Stdin, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// reExcluding is what cobra says of flags that exclude each other.
var reExcluding = regexp.MustCompile(`^if any flags in the group .* are set none of the others can be; \[(.*)\] were all set$`)

// run is the whole command as a function: it returns the exit status.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	a := &app{stdin: stdin, stderr: stderr}
	out := &outcome{Writer: stdout, clear: func() { a.progress.clear() }}
	a.stdout = out
	root := a.command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	refuseUnknown(root)
	cmd, err := root.ExecuteContextC(ctx)
	a.progress.done()
	if ctx.Err() != nil && err != nil {
		a.say("interrupted: what was there before is as it was")
		return exitInterrupted
	}
	if out.err != nil {
		err = failed(fmt.Errorf("standard output: %w", out.err))
	}
	if err == nil {
		return exitDone
	}
	var e *exit
	if !errors.As(err, &e) {
		// cobra's own errors are all about usage.
		if m := reExcluding.FindStringSubmatch(err.Error()); m != nil {
			err = fmt.Errorf("--%s exclude each other", strings.ReplaceAll(m[1], " ", " and --"))
		}
		if cmd.Name() == "help" {
			cmd = root
		}
		e = &exit{exitUsage, fmt.Errorf("%w\nrun '%s --help' for what there is", err, cmd.CommandPath())}
	}
	if e.err != nil {
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "error", "severity": record.Error, "code": exitCodes[e.code],
				"message": plainly(e)})
		} else {
			a.progress.clear()
			fmt.Fprintf(a.stderr, "%s %s\n", a.painted(a.stderr, red, "inferdex:"), printable(plainly(e)))
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
		Version:       thisBuild().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringArrayVarP(&a.dirs, "dir", "C", nil,
		"work as if started in `DIR`: relative paths count from there")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "one JSON object a line instead of text")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "say nothing but results and errors")
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		known := flagNames(c.Flags().FlagUsages() + c.InheritedFlags().FlagUsages())
		if flag, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
			if near := settings.Nearest(flag, known); near != "" {
				return usage("%w: did you mean --%s?", err, near)
			}
		}
		if text, parse, unread := strings.Cut(err.Error(), ": strconv."); unread {
			want := "a number"
			if strings.HasPrefix(parse, "ParseBool") {
				want = "true or false"
			}
			return usage("%s: write %s", text, want)
		}
		return usage("%w\nrun '%s --help' for what there is", err, c.CommandPath())
	})
	root.AddCommand(a.initCommand(), a.ingestCommand(), a.fetchCommand(), a.buildCommand(), a.serveCommand(),
		a.ejectCommand(), a.submitCommand(), a.checkCommand(), a.listCommand(), a.nextCommand(), a.removeCommand(), a.chartCommand(), a.reportCommand(),
		a.compareCommand(), a.diffCommand(), a.exportCommand(), a.namesCommand(), a.formatsCommand(), a.schemaCommand(),
		a.snapshotCommand(),
		a.mcpCommand(), a.versionCommand())
	a.complete(root)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		a.resolveDirs()
		a.progress = newProgress(a.stderr, a.json || a.quiet)
		if err := notEmpty(cmd, args); err != nil {
			return err
		}
		if a.dir == "" {
			if _, err := os.Getwd(); err != nil {
				return failed(fmt.Errorf("the current directory is gone (%w): go to one that is there, or name one with -C", err))
			}
			return nil
		}
		switch info, err := os.Stat(a.dir); {
		case errors.Is(err, fs.ErrNotExist):
			return failed(fmt.Errorf("-C %q: %w: name a folder that is there", a.dir, errors.Unwrap(err)))
		case err != nil:
			return failed(fmt.Errorf("-C %q: %w", a.dir, errors.Unwrap(err)))
		case !info.IsDir():
			return failed(fmt.Errorf("-C %q: is no directory: name the one of a catalog", a.dir))
		}
		return nil
	}
	return root
}

// refuseUnknown has help and completion, which cobra makes and which write where root does, refuse a word that they do not
// know.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if found, rest, err := root.Find(args); err == nil && len(rest) > 0 {
					return knownCommand(found, rest)
				}
				return nil
			}
		case "completion":
			c.Args, c.RunE = knownCommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// flagName matches the names of flags where their uses are listed.
var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)

// flagNames are the names of the flags whose uses are listed.
func flagNames(usages string) (names []string) {
	for _, m := range flagName.FindAllStringSubmatch(usages, -1) {
		names = append(names, m[1])
	}
	return names
}
