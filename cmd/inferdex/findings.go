package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// found is one finding as the terminal shows it.
type found struct {
	file      string
	line      int
	severity  record.Severity
	code, run string // run is empty for a finding of none
	message   string
}

// severities are all of them, the worst first.
var severities = []record.Severity{record.Error, record.Warning, record.Remark}

// linesOfCode is how many lines of one code are shown where not all are asked for.
const linesOfCode = 3

// findings writes what was found grouped by code, the worst first: a message that several places share once, and of
// each code the first lines unless all are wanted, each for itself. As JSON there is an object for each. Quiet leaves
// what is no error out.
func (a *app) findings(w io.Writer, list []found, all bool) {
	a.progress.clear()
	if a.quiet {
		list = slices.DeleteFunc(slices.Clone(list), func(f found) bool { return f.severity != record.Error })
	}
	if a.json {
		list = slices.SortedStableFunc(slices.Values(list), func(x, y found) int {
			return cmp.Or(bySeverity(x.severity, y.severity), cmp.Compare(x.code, y.code))
		})
		for _, f := range list {
			a.object(w, f.object())
		}
		return
	}
	type group struct {
		severity record.Severity
		code     string
	}
	groups := map[group][]found{}
	for _, f := range list {
		g := group{f.severity, f.code}
		groups[g] = append(groups[g], f)
	}
	order := slices.SortedFunc(maps.Keys(groups), func(x, y group) int {
		return cmp.Or(bySeverity(x.severity, y.severity), cmp.Compare(x.code, y.code))
	})
	for _, g := range order {
		a.group(w, groups[g], all)
	}
}

func bySeverity(x, y record.Severity) int {
	return cmp.Compare(slices.Index(severities, x), slices.Index(severities, y))
}

// group writes the findings of one code.
func (a *app) group(w io.Writer, list []found, all bool) {
	if all {
		for _, f := range list {
			a.finding(w, []found{f})
		}
		return
	}
	var messages []string
	alike := map[string][]found{}
	for _, f := range list {
		if alike[f.message] == nil {
			messages = append(messages, f.message)
		}
		alike[f.message] = append(alike[f.message], f)
	}
	shown := messages
	if len(messages) > linesOfCode+1 { // one more line takes no more room than what would stand for it
		shown = messages[:linesOfCode]
	}
	left := len(list)
	for _, m := range shown {
		a.finding(w, alike[m])
		left -= len(alike[m])
	}
	if left > 0 {
		fmt.Fprintf(w, "%s more of [%s]: --verbose shows them\n", metric.Count(left), list[0].code)
	}
}

// finding writes one line for findings of one message, with the place of the first.
func (a *app) finding(w io.Writer, alike []found) {
	f := alike[0]
	place := redact.File(f.file)
	if f.line > 0 {
		place = fmt.Sprintf("%s:%d", place, f.line)
	}
	mark := f.code
	switch n := len(alike); {
	case n > 1 && f.run != "":
		mark += ", " + ofRuns(alike)
	case n > 1:
		mark += fmt.Sprintf(", %s places", metric.Count(n))
	case f.run != "":
		mark += ", run " + f.run
	}
	fmt.Fprintf(w, "%s: %s: %s\n", printable(place), a.painted(w, severityStyles[f.severity], string(f.severity)),
		printable(fmt.Sprintf("%s [%s]", f.message, mark)))
}

// ofRuns says how many runs findings are of, and how many there are where that is another number.
func ofRuns(list []found) string {
	runs := map[string]bool{}
	for _, f := range list {
		runs[f.run] = true
	}
	if len(runs) == 1 {
		return fmt.Sprintf("run %s, %s places", list[0].run, metric.Count(len(list)))
	}
	return metric.Plural(len(runs), "run")
}

func (f found) object() map[string]any {
	o := map[string]any{"kind": "finding", "file": redact.File(f.file), "severity": f.severity, "code": f.code,
		"message": f.message}
	if f.line > 0 {
		o["line"] = f.line
	}
	if f.run != "" {
		o["run"] = f.run
	}
	return o
}
