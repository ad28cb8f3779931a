package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitDone        = 0
	exitFindings    = 1   // findings of severity error, a limit exceeded, or nothing recognised or comparable
	exitUsage       = 2   // flags or arguments that are wrong
	exitIO          = 3   // something could not be read or written
	exitInterrupted = 130 // by a signal
)

// exitCodes are the codes of errors as JSON has them.
var exitCodes = map[int]string{exitFindings: "findings", exitUsage: "usage", exitIO: "io"}

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dirs           []string // -C, in their order: each counts from the one before it, as git's do
	dir            string   // what relative paths count from; "" is the working directory
	json           bool
	quiet          bool // nothing but results and errors is said
	progress       *progress
	part           *part    // of a site that is split, whose runs alone are seen; nil is all
	mistakes       []string // in settings, for those who do not see the terminal
	// decoded has the runs of the catalog for who opens it again and again; nil remembers nothing.
	decoded *catalog.Known
	// outlining says that runs that are read are outlined for the next ingest.
	outlining bool
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
func findings() error                        { return &exit{code: exitFindings} }

// failed gives an error the status of what could not be read or written, where it has none of its own.
func failed(err error) error {
	if e, ok := err.(*exit); ok {
		return e
	}
	return &exit{exitIO, err}
}

// asFailed is failed, and nil for no error.
func asFailed(err error) error {
	if err == nil {
		return nil
	}
	return failed(err)
}

// plainly is the text of an error. A file of which the system says something stands in front, as in all messages, and not
// behind the name of what was asked of the system; a line that stands there twice is said once. Where the words of the system
// end a line, what to do follows.
func plainly(err error) string {
	text := err.Error()
	put := func(system, name, plain string) {
		text = strings.Replace(strings.Replace(text, name+": "+system, system, 1), system, name+": "+plain, 1)
	}
	var walk func(error)
	walk = func(err error) {
		switch e := err.(type) {
		case *fs.PathError:
			plain := e.Err.Error()
			switch e.Op {
			case "mkdir":
				switch {
				case errors.Is(e.Err, syscall.ENOTDIR): // it is there
				case errors.Is(e.Err, fs.ErrPermission):
					plain = "cannot be made in the folder it lies in: " + plain
				default:
					plain = "cannot be made: " + plain
				}
			case "unlinkat", "remove":
				plain = "cannot be removed: " + plain
			}
			put(e.Error(), e.Path, plain)
		case *os.LinkError:
			put(e.Error(), e.Old, fmt.Sprintf("cannot become %s: %v", e.New, e.Err))
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				walk(one)
			}
		}
	}
	walk(err)
	lines := slices.Compact(strings.Split(text, "\n"))
	for i, line := range lines {
		lines[i] = remedied(line)
	}
	return strings.Join(lines, "\n")
}

// remedied is a line with what to do behind it where it ends with what the system says.
func remedied(line string) string {
	for refused, remedy := range remedies { // no two of them end alike
		if strings.HasSuffix(line, ": "+refused.Error()) {
			return line + ": " + remedy
		}
	}
	return line
}

// remedies are what to do about what the system refuses.
var remedies = map[syscall.Errno]string{
	syscall.EACCES:       "give this user the rights to it",
	syscall.EPERM:        "give this user the rights to it",
	syscall.EROFS:        "name a place that can be written",
	syscall.ENOTDIR:      "name a folder, or move the file away that stands there",
	syscall.EISDIR:       "name a file, or move the folder away that stands there",
	syscall.ENOSPC:       "make room there",
	syscall.EDQUOT:       "make room there",
	syscall.EFBIG:        "raise the limit of the size of files, 'ulimit -f'",
	syscall.EMFILE:       "raise the limit of open files, 'ulimit -n'",
	syscall.ENFILE:       "close other programs that hold files open",
	syscall.EIO:          "look at the disk, which fails",
	syscall.ENAMETOOLONG: "give a shorter one",
	syscall.ELOOP:        "remove the links that lead to each other",
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

// say writes a line to standard error, with --json an object. Foreign text cannot steer the terminal.
func (a *app) say(format string, args ...any) {
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "message", "severity": record.Remark, "code": "message",
			"message": fmt.Sprintf(format, args...)})
		return
	}
	a.progress.clear()
	fmt.Fprintln(a.stderr, printable(fmt.Sprintf(format, args...)))
}

// note is say for what is no error: with --quiet it is not said.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.say(format, args...)
	}
}

// outcome is standard output. It keeps the first error of writing: a list that is cut short is no list. The line of
// progress goes before anything is written.
type outcome struct {
	io.Writer
	err   error
	clear func()
}

func (o *outcome) Write(p []byte) (int, error) {
	o.clear()
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

// atMost says which argument is one too many.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		takes := "at most " + metric.Plural(n, "argument")
		if n == 0 {
			takes = "no argument"
		}
		return usage("%q is one too many: %s takes %s", args[n], c.CommandPath(), takes)
	}
}

// notEmpty says which argument, or name of a file or folder, is an empty text: what it should name is not where the command
// would look instead.
func notEmpty(cmd *cobra.Command, args []string) error {
	const unset = "it may stand for a variable that is not set"
	for _, name := range []string{"output", "merge"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage("--%s \"\" names nothing: %s", name, unset)
		}
	}
	// To complete a word of which nothing is written yet is asked with an empty one.
	if slices.Contains(args, "") && !strings.HasPrefix(cmd.Name(), "__") {
		return usage("an argument is empty and names nothing: %s", unset)
	}
	return nil
}

// knownCommand says which command is nearest to one that there is not.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2 // two letters in the wrong order
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("unknown command %q: did you mean %q?", args[0], near[0])
	}
	return cobra.NoArgs(c, args)
}
