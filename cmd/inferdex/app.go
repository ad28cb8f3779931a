package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/inferdex/inferdex/ingest/record"
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
