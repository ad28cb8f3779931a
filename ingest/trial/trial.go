// Package trial reads result files without a catalog, and says what `inferdex ingest` would make of them: which format
// claims which file, the runs as they would be stored, what is wrong and where, what was redacted, which keys are not
// used, and the lines of run.toml that would supply what no file says. Nothing is written. It is what readers of a
// published site are told of files of their own, so it needs no directory and no command.
package trial

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Options say how to read. The zero Options know no format and no name.
type Options struct {
	Formats []*reading.Format
	// Names resolve models, accelerators and engines; nil is none.
	Names  *settings.Names
	Limits ingest.Limits
	// Beside asks for what runs bring to a comparison with those of a catalog whose numbers stand in these units; nil
	// asks for none.
	Beside *compare.Units
	// Progress, if set, is called after each file.
	Progress func(ingest.Progress)
}

// Report is what was read, in words and in the order of paths. All texts are redacted.
type Report struct {
	Files []File `json:"files"`
	Runs  []Run  `json:"runs,omitempty"`
	// Findings are mistakes of files and sidecars, and what has to be known before a number of a run is quoted.
	Findings []Finding `json:"findings,omitempty"`
	// Redacted counts, by key, the texts of records that would not enter a catalog as they are.
	Redacted []Count `json:"redacted,omitempty"`
	// Unused are the keys that were kept with the raw records and not used.
	Unused []Unused `json:"unused,omitempty"`
	Gaps   []Gap    `json:"gaps,omitempty"`
	// Unlisted are names in no list, with the lines that would list them.
	Unlisted []settings.Suggestion `json:"unlisted,omitempty"`
	// Versions are those of the engines that members of runs name.
	Versions []compare.MemberVersion `json:"versions,omitempty"`
}

// File is what became of one file, or member of an archive.
type File struct {
	Path string `json:"path"`
	// Format claimed the file; empty where none did.
	Format string `json:"format,omitempty"`
	// Size is in bytes, -1 where it is not known.
	Size int64 `json:"size"`
	// Ignored is why nothing read the file; empty where something did.
	Ignored string `json:"ignored,omitempty"`
	// Errors counts the places that could not be read, Points those of runs that were measured in this file.
	Errors int `json:"errors,omitempty"`
	Points int `json:"points,omitempty"`
}

// Run is one run as it would be stored.
type Run struct {
	ID string `json:"id"`
	// Model, Hardware and Engine are names for readers; empty where no file says.
	Model    string   `json:"model,omitempty"`
	Hardware string   `json:"hardware,omitempty"`
	Engine   string   `json:"engine,omitempty"`
	Tool     string   `json:"tool,omitempty"`
	Started  string   `json:"started,omitempty"`
	Missing  []string `json:"missing,omitempty"` // as figure.Run.Unrecorded
	Points   int      `json:"points"`
	Tables   []Table  `json:"tables,omitempty"`
	// File is the name that the run has in a catalog, Stored the bytes of that file.
	File   string `json:"file"`
	Stored string `json:"stored"`
	// Listed says of a run whose id is in the catalog that it is compared with what its results are beside those there;
	// empty where it is in none, or nobody asked.
	Listed Listed `json:"listed,omitempty"`
	// Member is what the run brings to a comparison; nil where nobody asked.
	Member *compare.Member `json:"member,omitempty"`
}

// Listed is what the results of a run are beside those of the run with the same id in a catalog.
type Listed string

// The words of Listed.
const (
	Equal   Listed = "equal"
	Differs Listed = "differs" // in a value, or in what was read of it
)

// Finding is something that is wrong, or has to be known.
type Finding struct {
	Severity record.Severity `json:"severity"`
	Code     string          `json:"code"`
	// File, Line and Col say where, Run is the id of the run it is about; empty and 0 are unknown.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"col,omitempty"`
	Run     string `json:"run,omitempty"`
	Message string `json:"message"`
}

// Count is how often a key is met.
type Count struct {
	Key   string `json:"key"`
	Count int    `json:"count"`
}

// Unused is a key that a format keeps and does not use, in one input.
type Unused struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Count
}

// Gap is what runs of one folder lack, with the lines of the run.toml that would supply it.
type Gap struct {
	Folder  string   `json:"folder"`
	Runs    int      `json:"runs"`
	Missing []string `json:"missing"`
	File    string   `json:"file"`
	TOML    string   `json:"toml"`
}

// Codes of findings that are about files and not about runs, as `inferdex ingest --json` has them.
const (
	CodeSettings = "settings"
	CodeSyntax   = "syntax"
)

// Read reads inputs, which have their data and no FS. The error means that ctx was cancelled, or that records cannot be
// written; what is wrong with a file is a finding.
func Read(ctx context.Context, inputs []ingest.Input, o Options) (*Report, error) {
	n := normalize.Options{Config: &settings.Config{}, Formats: o.Formats, Names: o.Names}
	found, out, mistakes, err := o.outcome(ctx, inputs, &n)
	if err != nil {
		return nil, err
	}
	// An archive may have no file: a list of none is told too.
	r := &Report{Files: []File{}, Redacted: redacted(found.Records, n.Inputs)}
	for _, m := range mistakes {
		r.Findings = append(r.Findings, Finding{record.Error, CodeSettings, redact.File(m.File), m.Line, m.Col, "",
			redact.Message(m.Message)})
	}
	ix := figure.NewIndex(&catalog.Catalog{Runs: out.Runs}, o.Names)
	r.files(found, out.Runs)
	if err := r.runs(ix); err != nil {
		return nil, err
	}
	if o.Beside != nil {
		r.compared(ix, o.Names, *o.Beside)
	}
	r.unused(out.Inputs)
	for _, g := range ix.Gaps() {
		r.Gaps = append(r.Gaps, Gap{g.Folder, len(g.Runs), g.Missing, g.File, g.TOML})
	}
	for _, u := range ix.Unlisted() {
		r.Unlisted = append(r.Unlisted, u.Suggestion)
	}
	return r, nil
}

// Bundle reads inputs as [Read] does and gives the submission that `inferdex submit` packs of them: package bundle.
func Bundle(ctx context.Context, inputs []ingest.Input, o Options) ([]byte, error) {
	n := normalize.Options{Config: &settings.Config{}, Formats: o.Formats, Names: o.Names, Pack: bundle.Gzip}
	found, out, _, err := o.outcome(ctx, inputs, &n)
	if err != nil {
		return nil, err
	}
	if found.Unreadable > 0 {
		return nil, fmt.Errorf("%s could not be read, so nothing is packed", metric.Plural(found.Unreadable, "file"))
	}
	files, err := bundle.Submission(out, o.Names)
	if err != nil {
		return nil, err
	}
	return bundle.Pack(files)
}

// outcome reads inputs and makes runs of them, with what n says beside them and what their sidecars say, which are
// added to n. Mistakes are those of sidecars.
func (o Options) outcome(ctx context.Context, inputs []ingest.Input, n *normalize.Options) (found *ingest.Reading,
	out *normalize.Outcome, mistakes []settings.Diagnostic, err error) {
	found, err = ingest.ReadFound(ctx, inputs, ingest.Given(inputs), ingest.Options{Formats: o.Formats, Limits: o.Limits,
		Sidecar: settings.IsSidecar, Progress: o.Progress})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, in := range inputs {
		n.Inputs = append(n.Inputs, in.Name)
	}
	sidecars := map[string][]byte{}
	for _, s := range found.Sidecars {
		sidecars[s.Path] = s.Data
	}
	n.Sidecars, mistakes = settings.LoadSidecars(sidecars)
	out, err = normalize.Alone(found, *n)
	return found, out, mistakes, err
}

// files says what became of each file, and what of it could not be read.
func (r *Report) files(found *ingest.Reading, runs []*catalog.Run) {
	points := map[string]int{} // by the beginning of the digest of the file
	for _, run := range runs {
		for _, p := range run.Points {
			points[p.At.Source]++
		}
	}
	add := func(s ingest.FileStatus) {
		f := File{Path: redact.File(s.Path), Format: s.Format, Size: s.Size, Ignored: redact.Message(s.Ignored),
			Errors: s.Errors}
		if s.SHA256 != "" {
			f.Points = points[catalog.Source{SHA256: s.SHA256}.ID()]
		}
		r.Files = append(r.Files, f)
	}
	for _, s := range found.Files {
		add(s)
	}
	for _, s := range found.Archives {
		if s.Errors > 0 {
			add(s)
		}
	}
	sort.SliceStable(r.Files, func(i, j int) bool { return r.Files[i].Path < r.Files[j].Path })
	begin := len(r.Findings)
	for _, rec := range found.Records {
		if e, ok := rec.(*record.SyntaxError); ok {
			r.Findings = append(r.Findings, Finding{record.Error, CodeSyntax, redact.File(e.At.File), e.At.Line,
				e.At.Col, "", redact.Message(e.Text)})
		}
	}
	read := r.Findings[begin:]
	sort.SliceStable(read, func(i, j int) bool {
		x, y := &read[i], &read[j]
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col)) < 0
	})
}

// runs gives the runs in the order of the index, with their findings.
func (r *Report) runs(ix *figure.Index) error {
	for _, run := range ix.Runs {
		stored, err := catalog.Marshal(run.Run)
		if err != nil {
			return err
		}
		of := Run{ID: run.ID, Missing: run.Unrecorded(), Engine: run.EngineName(), Tool: run.Tool.Name,
			Started: run.Started, Points: len(run.Points), Tables: tables(run), File: path.Clean(run.Path()),
			Stored: string(stored)}
		if !slices.Contains(of.Missing, "model") {
			of.Model = run.Model.Name
		}
		if !slices.Contains(of.Missing, "hardware") {
			of.Hardware = run.Hardware.Name
		}
		r.Runs = append(r.Runs, of)
		for _, f := range run.Findings {
			if !f.Accepted {
				r.Findings = append(r.Findings, Finding{f.Severity, f.Code, f.Path, f.Line, 0, run.ID, f.Message})
			}
		}
	}
	return nil
}

// compared adds what runs bring to a comparison. They have no pages.
func (r *Report) compared(ix *figure.Index, names *settings.Names, known compare.Units) {
	members := compare.NewMembers(compare.NewArguments(names, ix.Runs), ix.Runs, known, nil)
	r.Versions = members.Versions
	for i, run := range ix.Runs {
		m := members.Of(run)
		r.Runs[i].Member = &m
		switch known.Runs[run.ID] {
		case "":
		case run.Measured():
			r.Runs[i].Listed = Equal
		default:
			r.Runs[i].Listed = Differs
		}
	}
}

// unused lists keys that were read and not used.
func (r *Report) unused(inputs []*catalog.Input) {
	for _, in := range inputs {
		for _, format := range slices.Sorted(maps.Keys(in.Unmapped)) {
			for _, k := range slices.Sorted(maps.Keys(in.Unmapped[format])) {
				r.Unused = append(r.Unused, Unused{in.Path, format, Count{k, in.Unmapped[format][k]}})
			}
		}
	}
}
