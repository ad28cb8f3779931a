package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// ingestion is what one call of ingest read and made of it.
type ingestion struct {
	flags   ingestFlags
	names   *settings.Names
	options *normalize.Options
	reading *ingest.Reading
	out     *normalize.Outcome
	// stored is the catalog as it was; nil where nothing is put into one.
	stored *catalog.Catalog
	// diags are of sidecars and notes, differences of --check.
	diags       []settings.Diagnostic
	differences []normalize.Difference
	// unread is what follows where a file could not be read; "" is what does in the catalog.
	unread string
}

// report says what an ingest did, and decides the exit status.
func (a *app) report(done *ingestion) error {
	a.diagnose(done.diags)
	a.reportSyntax(done.reading)
	// With names resolved: some findings, such as memory that cannot have held what was
	// measured, need them.
	ix := figure.NewIndex(&catalog.Catalog{Runs: done.out.Runs}, done.names)
	open, worst := a.reportFindings(done, ix)
	a.reportVain(done, ix)
	for _, d := range done.differences {
		a.diagnostic(differentFile, catalogDir+"/"+d.File, 0, 0, d.Message)
	}
	a.reportIgnored(done)
	if done.flags.verbose {
		a.reportUnmapped(done.out)
	}
	a.reportGaps(done, ix)
	if done.flags.verbose {
		a.reportUnlisted(ix)
	}
	a.reportChanged(done)
	n := done.count()
	a.reportCounts(done, n)
	switch {
	case done.reading.Unreadable > 0:
		return failed(fmt.Errorf("%s could not be read: %s", metric.Plural(done.reading.Unreadable, "file"),
			cmp.Or(done.unread, "what was said there before is kept")))
	case done.flags.check && (len(done.differences) > 0 || worst == record.Error):
		return findings()
	case done.flags.strict && (open > 0 || len(done.diags) > 0 || n.bad > 0):
		return findings()
	case n.nothing:
		return findings()
	}
	return nil
}

// reportSyntax says by file and line what could not be read.
func (a *app) reportSyntax(reading *ingest.Reading) {
	type place struct {
		pos  record.Pos
		text string
	}
	var places []place
	for _, r := range reading.Records {
		if e, ok := r.(*record.SyntaxError); ok {
			text := redact.Message(e.Text)
			if strings.HasPrefix(text, "cannot be read: ") { // what the system says, and not a text of the file
				text = remedied(text)
			}
			places = append(places, place{e.At, text})
		}
	}
	slices.SortStableFunc(places, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.pos.File, y.pos.File), cmp.Compare(x.pos.Line, y.pos.Line),
			cmp.Compare(x.pos.Col, y.pos.Col))
	})
	for _, p := range places {
		a.diagnostic(syntaxMistake, p.pos.File, p.pos.Line, p.pos.Col, p.text)
	}
}

// reportFindings says the findings that no sidecar accepts: how many there are, and the worst severity among them,
// "" if there are none.
func (a *app) reportFindings(done *ingestion, ix *figure.Index) (open int, worst record.Severity) {
	shown := done.shown()
	silent := 0
	var list []found
	for _, r := range ix.Runs {
		for _, fd := range r.Findings {
			if fd.Accepted {
				continue
			}
			open++
			if worst == "" || slices.Index(severities, fd.Severity) < slices.Index(severities, worst) {
				worst = fd.Severity
			}
			if !shown(r) {
				silent++
				continue
			}
			list = append(list, found{cmp.Or(fd.Path, catalogDir+"/"+r.Path()), fd.Line, fd.Severity, fd.Code, r.ID,
				fd.Message})
		}
	}
	a.findings(a.stderr, list, done.flags.verbose)
	if silent > 0 && !a.json {
		a.note("%s of runs that are as they were: 'inferdex check' lists them", metric.Plural(silent, "finding"))
	}
	return open, worst
}

// shown says of which runs what is wrong is said: of those that are new or different, and of all where a check,
// --strict or --verbose asks for them.
func (done *ingestion) shown() func(*figure.Run) bool {
	all, changed := done.flags.strict || done.flags.check || done.flags.verbose, done.changed()
	return func(r *figure.Run) bool { return all || changed[r.ID] }
}

// changed are the ids of the runs that are new or different.
func (done *ingestion) changed() map[string]bool {
	ids := map[string]bool{}
	for _, r := range done.out.Update.Runs {
		ids[r.ID] = true
	}
	return ids
}

// reportIgnored says which files were ignored and why: with --verbose all, else sidecars.
func (a *app) reportIgnored(done *ingestion) {
	for _, s := range done.reading.Files {
		switch {
		case s.Ignored == "":
		case done.flags.verbose:
			a.diagnostic(ignoredFile, s.Path, 0, 0, "ignored: "+redact.Message(s.Ignored))
		case s.Format == "" && settings.IsSidecar(path.Base(s.Path)):
			a.diagnostic(ignoredFile, s.Path, 0, 0, "ignored: "+s.Ignored)
		}
	}
}

// reportUnmapped says which keys were read and not used.
func (a *app) reportUnmapped(out *normalize.Outcome) {
	for _, in := range out.Inputs {
		for _, format := range slices.Sorted(maps.Keys(in.Unmapped)) {
			for _, k := range slices.Sorted(maps.Keys(in.Unmapped[format])) {
				a.diagnostic(unusedKey, in.Path, 0, 0, fmt.Sprintf("%s: key %q is kept with the raw records and not used, %s",
					format, k, metric.Plural(in.Unmapped[format][k], "time")))
			}
		}
	}
}

// reportGaps says in one line a folder which runs lack model or hardware and stand beside no other,
// with --verbose also the lines that would supply it.
func (a *app) reportGaps(done *ingestion, ix *figure.Index) {
	piped := slices.Equal(done.options.Inputs, []string{"-"}) // no run.toml speaks for it
	shown := done.shown()
	for _, g := range ix.Gaps() {
		if !slices.ContainsFunc(g.Runs, shown) {
			continue
		}
		toml := g.TOML
		if _, err := os.Lstat(a.path(g.File)); errors.Is(err, fs.ErrNotExist) {
			toml = a.schemaLine(g.File, settings.RunFile) + toml
		}
		if piped {
			g.Folder, g.File, toml = "-", "", ""
		}
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "not recorded", "severity": record.Remark,
				"code": "not-recorded", "folder": g.Folder, "runs": len(g.Runs),
				"missing": g.Missing, "file": g.File, "toml": toml})
			continue
		}
		lines := g.File + ": " + strings.ReplaceAll(g.TOML, "\n", ", ")
		switch {
		case piped:
			lines = "say it with --set " + strings.Join(g.Missing, "=... --set ") + "=..."
		case done.flags.verbose:
			lines = g.File + ": add:\n" + toml
		case strings.HasPrefix(g.TOML, "[["):
			lines = g.File + ": a [[run]] for each file; ingest -v prints them"
		}
		a.note("%s: %s of %s not recorded, so that no other is compared with what was measured; %s",
			g.Folder, strings.Join(g.Missing, " and "), metric.Plural(len(g.Runs), "run"), lines)
	}
}

// reportUnlisted says which names are in no list, with the lines to add.
func (a *app) reportUnlisted(ix *figure.Index) {
	for _, u := range ix.Unlisted() {
		file := namesDir + "/" + u.File
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "unlisted", "severity": record.Remark, "code": "unlisted",
				"what": u.Kind, "name": u.Name, "file": file, "toml": u.TOML})
			continue
		}
		a.note("%s: the %s %q is in no list; add:", file, u.Kind, u.Name)
		a.note("%s", u.TOML)
	}
}

// reportChanged prints the runs that are new or different.
func (a *app) reportChanged(done *ingestion) {
	if a.quiet {
		return
	}
	changed := done.changed()
	for _, r := range done.out.Runs {
		if !changed[r.ID] {
			continue
		}
		file := catalogDir + "/" + r.Path()
		model := cmp.Or(r.Attr(record.FactModel), r.Identity.Model)
		if a.json {
			a.object(a.stdout, map[string]any{"kind": "run", "id": r.ID, "file": file, "model": model,
				"points": done.out.PointsOf[r.ID]})
		} else {
			model = cmp.Or(strings.Join(strings.Fields(model), " "), "model not recorded") // one line a run
			fmt.Fprintln(a.stdout,
				printable(fmt.Sprintf("%s: %s, %s", file, model, metric.Plural(done.out.PointsOf[r.ID], "point"))))
		}
	}
}

// counts are how many files of an ingest were read, ignored and wrong. Archives that gave no member
// are among the files and the wrong ones.
type counts struct {
	files, read, ignored, bad int
	// nothing says that no file was read and that there is no run.
	nothing bool
}

func (done *ingestion) count() (n counts) {
	broken := map[string]bool{}
	for _, d := range done.diags {
		broken[d.File] = true
	}
	for _, s := range done.reading.Files {
		switch {
		case s.Errors > 0 || broken[s.Path]:
			n.bad++
		case s.Ignored != "":
			n.ignored++
		default:
			n.read++
		}
	}
	refused := refusedArchives(done.reading)
	n.bad += refused
	n.files = len(done.reading.Files) + refused
	n.nothing = len(done.out.Runs) == 0 && n.read == 0
	return n
}

// ownAmong says which of the inputs inferdex wrote itself, "" where it is none.
func (a *app) ownAmong(inputs []string) string {
	own := slices.DeleteFunc(slices.Clone(inputs), func(in string) bool { return in == "-" || !a.written(in) })
	if len(own) == 0 {
		return ""
	}
	return fmt.Sprintf("inferdex wrote %s itself, which is not read", strings.Join(own, ", "))
}

// nothingIn says why no file was found in inputs, and what to do.
func (a *app) nothingIn(inputs []string) string {
	if own := a.ownAmong(inputs); own != "" {
		return own + ": name the files and folders that have results"
	}
	return fmt.Sprintf("there is no file to read in %s: put results there, or name the files and folders that have them",
		strings.Join(inputs, ", "))
}

// refusedArchives counts archives that gave no member at all: nothing else stands for them in the
// count of files.
func refusedArchives(reading *ingest.Reading) (n int) {
	for _, x := range reading.Archives {
		member := func(f ingest.FileStatus) bool { return strings.HasPrefix(f.Path, x.Path+"!") }
		if x.Errors > 0 && !slices.ContainsFunc(reading.Files, member) {
			n++
		}
	}
	return n
}

// reportCounts says how many files were read, and how many runs and points there are.
func (a *app) reportCounts(done *ingestion, n counts) {
	// Of what could not be read, it is said at the end how much that was.
	if n.nothing && (n.files == 0 || n.ignored > 0 || n.bad > done.reading.Unreadable) {
		why := "'inferdex formats' lists what can be read, 'inferdex ingest -v' says why each file was ignored"
		if n.files == 0 {
			why = a.nothingIn(done.options.Inputs)
		}
		a.diagnostic(nothingFound, "", 0, 0, "nothing was recognised: "+why)
	}
	if own := a.ownAmong(done.options.Inputs); own != "" && n.files > 0 {
		a.note("%s", own)
	}
	out := done.out
	if n.read > 0 && len(out.Runs) == 0 {
		a.diagnostic(noRun, "", 0, 0, "what was read makes no run: ingest the whole folder of a benchmark, its results "+
			"beside its settings and reports")
	}
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "summary", "files": n.files, "read": n.read, "ignored": n.ignored,
			"errors": n.bad, "runs": len(out.Runs), "points": out.Points, "new": out.NewPoints,
			"unchanged": out.UnchangedPoints})
		return
	}
	a.note("%s: %d read, %d ignored, %d with errors; %s, %s (%d new, %d unchanged)",
		metric.Plural(n.files, "file"), n.read, n.ignored, n.bad, metric.Plural(len(out.Runs), "run"),
		metric.Plural(out.Points, "point"), out.NewPoints, out.UnchangedPoints)
}
