package settings

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// The names of sidecars.
const (
	RunFile    = "run.toml"
	SourceFile = "SOURCE.toml"
)

// IsSidecar reports whether a base name is that of a sidecar.
func IsSidecar(base string) bool { return base == RunFile || base == SourceFile }

// Override is a fact that replaces what everything else says.
type Override struct {
	Fact
	// Reason says why, for readers. It is never empty.
	Reason string
}

// SourceInfo is a SOURCE.toml: where the files below it come from. Each member but File may be
// empty.
type SourceInfo struct {
	Title, Address, Author, Date, License string
	File                                  string
	// CI is the job that made the files; nil where the file does not say it.
	CI *record.CI
}

// ciMember is a member of the table [ci] of a SOURCE.toml.
type ciMember struct {
	key string
	of  func(*record.CI) *string
}

var ciMembers = []ciMember{
	{"url", func(c *record.CI) *string { return &c.URL }},
	{"workflow", func(c *record.CI) *string { return &c.Workflow }},
	{"attempt", func(c *record.CI) *string { return &c.Attempt }},
	{"event", func(c *record.CI) *string { return &c.Event }},
	{"branch", func(c *record.CI) *string { return &c.Branch }},
	{"commit", func(c *record.CI) *string { return &c.Commit }},
	{"pull_request", func(c *record.CI) *string { return &c.PullRequest }},
	{"fork", func(c *record.CI) *string { return &c.Fork }},
}

// TOML is the text of a SOURCE.toml that says this, without the characters that no text of one may have.
func (i SourceInfo) TOML() []byte {
	var b bytes.Buffer
	line := func(key, value string) {
		value = strings.Join(strings.FieldsFunc(value, steering), "")
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, Quote(value))
		}
	}
	line("title", i.Title)
	line("address", i.Address)
	line("author", i.Author)
	line("date", i.Date)
	line("license", i.License)
	if i.CI != nil {
		b.WriteString("\n[ci]\n")
		for _, m := range ciMembers {
			line(m.key, *m.of(i.CI))
		}
	}
	return b.Bytes()
}

// sourceInfo reads a SOURCE.toml.
func (t *table) sourceInfo(file string) SourceInfo {
	info := SourceInfo{Title: t.text("title"), Address: t.text("address"), Author: t.text("author"),
		License: t.text("license"), File: file}
	if d, ok := t.scalar("date"); ok {
		info.Date = d
	}
	if ci := t.sub("ci"); ci != nil {
		info.CI = &record.CI{}
		for _, m := range ciMembers {
			if v, ok := ci.scalar(m.key); ok {
				*m.of(info.CI) = v
			}
		}
		ci.close()
	}
	t.close()
	return info
}

// Applied is what sidecars say about one run.
type Applied struct {
	// Facts are sorted by key.
	Facts []Fact
	// Overrides are sorted by key.
	Overrides []Override
	// Accept are codes of findings that are acknowledged.
	Accept []string
	// ID replaces the run's own id; SameAs is the id of the run that this one is; Withdrawn says
	// why it must not be used. Empty for most.
	ID, SameAs, Withdrawn string
	// Source is the nearest SOURCE.toml; nil where there is none.
	Source *SourceInfo
}

// RunMatch says which run sidecars are asked about.
type RunMatch struct {
	// Path is that of the run's first result, as in records: "a.zip!b/c.json".
	Path string
	// Index counts from 1: which run of that file, in the file's order.
	Index       int
	Model, Date string
}

// Sidecars are all run.toml and SOURCE.toml of an ingest. A nil *Sidecars has none.
type Sidecars struct {
	runs    []sidecar // deepest directory first, then by path
	sources []source
}

type sidecar struct {
	dir  string // with a final slash; "" is everything
	top  entry
	runs []entry
}

type source struct {
	dir  string
	info SourceInfo
}

// entry is what a run.toml says at its top or in one [[run]].
type entry struct {
	file      *regexp.Regexp // nil: every file
	base      bool           // file is matched against base names
	fileAt    Fact           // the pattern of file with its place
	index     int            // 0: every run of the file
	facts     map[string]Fact
	series    []Fact // names of the runs of one file, in order
	overrides map[string]Override
	accept    []string
	hasAccept bool
	acceptAt  []Fact // the codes with their places
	id        string
	sameAs    string
	withdrawn string
}

// dirOf is the directory of a path, as dirs are kept in sidecars.
func dirOf(p string) string {
	d := path.Dir(path.Clean(asDirs(p)))
	switch d {
	case ".":
		return ""
	case "/":
		return "/"
	}
	return d + "/"
}

// below reports whether a path lies in a directory.
func below(p, dir string) bool {
	if dir == "" {
		return !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
	}
	return strings.HasPrefix(p, dir)
}

// LoadSidecars reads every run.toml and SOURCE.toml that was found, by path. A path may lead
// into an archive: "a.zip!dir/run.toml". Files of other names are left alone.
func LoadSidecars(files map[string][]byte) (*Sidecars, []Diagnostic) {
	s := &Sidecars{}
	var diags []Diagnostic
	for _, p := range slices.Sorted(maps.Keys(files)) {
		base := path.Base(asDirs(p))
		if !IsSidecar(base) {
			continue
		}
		doc, t := parse(p, files[p])
		switch base {
		case RunFile:
			c := sidecar{dir: dirOf(p)}
			for _, r := range t.tables("run") {
				c.runs = append(c.runs, r.run())
			}
			c.top = t.entry()
			t.close(factKeys...)
			s.runs = append(s.runs, c)
		case SourceFile:
			s.sources = append(s.sources, source{dirOf(p), t.sourceInfo(p)})
		}
		diags = append(diags, doc.sorted()...)
	}
	sort.SliceStable(s.runs, func(i, j int) bool { return len(s.runs[i].dir) > len(s.runs[j].dir) })
	sort.SliceStable(s.sources, func(i, j int) bool { return len(s.sources[i].dir) > len(s.sources[j].dir) })
	return s, diags
}

// facts reads every fact key that the table has, and labels. series may be an array elsewhere:
// then it is left to the caller.
func (t *table) facts() map[string]Fact {
	facts := map[string]Fact{}
	add := func(key, value, at string) {
		if msg := checkFact(key, value); msg != "" {
			t.doc.report(at, "%s", msg)
			return
		}
		facts[key] = Fact{Key: key, Value: value, File: t.doc.file, Line: t.doc.line(at)}
	}
	for _, key := range factKeys {
		v, ok := t.m[key]
		if _, list := v.([]any); !ok || list && key == "series" {
			continue
		}
		if _, text := v.(string); !text && slices.Contains(ofText, key) {
			t.wrong(key, v, "a string in quotes")
			continue
		}
		if text, ok := t.asText(key, v); ok {
			add(key, text, t.at(key))
		}
	}
	if labels := t.sub("labels"); labels != nil {
		for _, name := range slices.Sorted(maps.Keys(labels.m)) {
			if text, ok := labels.asText(name, labels.m[name]); ok {
				add(labelPrefix+name, text, labels.at(name))
			}
		}
	}
	return facts
}

// entry reads what stands at the top of a run.toml and in [[run]] alike.
func (t *table) entry() entry {
	e := entry{facts: t.facts(), overrides: map[string]Override{}}
	if _, list := t.m["series"].([]any); list {
		names, _ := t.texts("series")
		for i, name := range names {
			e.series = append(e.series,
				Fact{Key: "series", Value: name, File: t.doc.file, Line: t.doc.line(element(t.at("series"), i))})
		}
	}
	e.accept, e.hasAccept = t.texts("accept")
	for _, code := range e.accept {
		e.acceptAt = append(e.acceptAt,
			Fact{Key: "accept", Value: code, File: t.doc.file, Line: t.doc.line(t.at("accept"))})
	}
	e.withdrawn = t.text("withdrawn")
	e.id, e.sameAs = t.runID("id"), t.runID("same_as")
	if o := t.sub("override"); o != nil {
		reason := o.text("reason")
		facts := o.facts()
		o.close(factKeys...)
		switch {
		case reason == "":
			t.doc.report(o.path, `an override without reason: write reason = "..." for those who read the page`)
		default:
			for k, f := range facts {
				e.overrides[k] = Override{f, reason}
			}
		}
	}
	return e
}

// runID reads the id of a run.
func (t *table) runID(key string) string {
	id := t.text(key)
	if id != "" && !runIDs.MatchString(id) {
		t.doc.report(t.at(key), "%s is %q, want lower-case letters, digits and -", key, id)
		return ""
	}
	return id
}

var runIDs = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// run reads one [[run]].
func (t *table) run() entry {
	glob := t.text("file")
	index := t.whole("index")
	e := t.entry()
	t.close(factKeys...)
	_, hasIndex := t.m["index"]
	switch {
	case index != nil:
		e.index = *index
	case hasIndex:
		e.index = -1 // no run: the mistake is told
	case glob == "":
		t.doc.report(t.path, `a [[run]] that names no run: write file = "*.json" or index = 1`)
		e.index = -1
	}
	if glob != "" {
		re, keys, err := compile(glob)
		if err == nil && len(keys) > 0 {
			err = fmt.Errorf("{...} has no meaning here")
		}
		if err != nil {
			t.doc.report(t.at("file"), "file %q: %v", glob, err)
			e.index = -1
		}
		e.file, e.base = re, !strings.Contains(asDirs(glob), "/")
		e.fileAt = Fact{Key: "file", Value: glob, File: t.doc.file, Line: t.doc.line(t.at("file"))}
	}
	return e
}

// matches reports whether the entry is about a run; rel is its path below the sidecar.
func (e *entry) matches(rel string, index int) bool {
	if e.index != 0 && e.index != index {
		return false
	}
	if e.file == nil {
		return true
	}
	if e.base {
		rel = path.Base(rel)
	}
	return e.file.MatchString(rel)
}

// Unmatched are the patterns of [[run]] that match none of the files below their run.toml, each with its place.
func (s *Sidecars) Unmatched(paths []string) (out []Fact) {
	if s == nil {
		return nil
	}
	for _, c := range s.runs {
		for _, e := range c.runs {
			if e.file != nil && e.index >= 0 && !slices.ContainsFunc(paths, func(p string) bool {
				p = path.Clean(asDirs(p))
				return below(p, c.dir) && e.matches(strings.TrimPrefix(p, c.dir), e.index)
			}) {
				out = append(out, e.fileAt)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].File < out[j].File || out[i].File == out[j].File && out[i].Line < out[j].Line
	})
	return out
}

// Accepts are the codes that sidecars acknowledge, each with its place, sorted by it.
func (s *Sidecars) Accepts() (out []Fact) {
	if s == nil {
		return nil
	}
	for i := range s.runs {
		out = append(out, s.runs[i].top.acceptAt...)
		for j := range s.runs[i].runs {
			out = append(out, s.runs[i].runs[j].acceptAt...)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return out[i].File < out[j].File || out[i].File == out[j].File && out[i].Line < out[j].Line
	})
	return out
}

// Identified are the ids that sidecars above a path give to runs, or say that runs are: those of any run there.
func (s *Sidecars) Identified(p string) (ids []string) {
	if s == nil {
		return nil
	}
	p = path.Clean(asDirs(p))
	for i := range s.runs {
		if !below(p, s.runs[i].dir) {
			continue
		}
		for _, e := range append([]entry{s.runs[i].top}, s.runs[i].runs...) {
			for _, id := range []string{e.id, e.sameAs} {
				if id != "" && !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// For returns what sidecars say about a run. For each key the nearest sidecar above the run
// wins, and in one sidecar a [[run]] before what stands at the top; of several that match, the
// first.
func (s *Sidecars) For(m RunMatch) Applied {
	var a Applied
	if s == nil {
		return a
	}
	p := path.Clean(asDirs(m.Path))
	facts, overrides, hasAccept := map[string]Fact{}, map[string]Override{}, false
	apply := func(e *entry) {
		for k, f := range e.facts {
			if _, ok := facts[k]; !ok {
				facts[k] = f
			}
		}
		if _, ok := facts["series"]; !ok && m.Index >= 1 && m.Index <= len(e.series) {
			facts["series"] = e.series[m.Index-1]
		}
		for k, o := range e.overrides {
			if _, ok := overrides[k]; !ok {
				overrides[k] = o
			}
		}
		if !hasAccept && e.hasAccept {
			a.Accept, hasAccept = append([]string(nil), e.accept...), true
		}
		if a.ID == "" {
			a.ID = e.id
		}
		if a.SameAs == "" {
			a.SameAs = e.sameAs
		}
		if a.Withdrawn == "" {
			a.Withdrawn = e.withdrawn
		}
	}
	for i := range s.runs {
		c := &s.runs[i]
		if !below(p, c.dir) {
			continue
		}
		for j := range c.runs {
			if c.runs[j].matches(strings.TrimPrefix(p, c.dir), m.Index) {
				apply(&c.runs[j])
			}
		}
		apply(&c.top)
	}
	for _, k := range slices.Sorted(maps.Keys(facts)) {
		a.Facts = append(a.Facts, facts[k])
	}
	for _, k := range slices.Sorted(maps.Keys(overrides)) {
		a.Overrides = append(a.Overrides, overrides[k])
	}
	for i := range s.sources {
		if below(p, s.sources[i].dir) {
			info := s.sources[i].info
			a.Source = &info
			break
		}
	}
	return a
}

// Notes are what data/notes says about stored runs, by run id.
type Notes map[string]Applied

// LoadNotes reads data/notes/<id>.toml, by path: an [override], withdrawn, same_as, labels,
// series, notes and accept for a run whose files may be gone.
func LoadNotes(files map[string][]byte) (Notes, []Diagnostic) {
	notes := Notes{}
	var diags []Diagnostic
	for _, p := range slices.Sorted(maps.Keys(files)) {
		id, ok := strings.CutSuffix(path.Base(asDirs(p)), ".toml")
		if !ok {
			continue
		}
		doc, t := parse(p, files[p])
		if !runIDs.MatchString(id) {
			doc.diags = append(doc.diags,
				Diagnostic{File: p, Message: fmt.Sprintf("%q is no id of a run: name the file <id>.toml", id)})
		} else {
			e := t.entry()
			t.close(factKeys...)
			a := Applied{Accept: e.accept, ID: e.id, SameAs: e.sameAs, Withdrawn: e.withdrawn}
			for _, k := range slices.Sorted(maps.Keys(e.facts)) {
				a.Facts = append(a.Facts, e.facts[k])
			}
			for _, k := range slices.Sorted(maps.Keys(e.overrides)) {
				a.Overrides = append(a.Overrides, e.overrides[k])
			}
			notes[id] = a
		}
		diags = append(diags, doc.sorted()...)
	}
	return notes, diags
}
