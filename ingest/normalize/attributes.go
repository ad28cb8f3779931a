package normalize

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// rank is the place of an authority. Of metadata and a sidecar the nearer counts.
func rank(a catalog.Authority) int {
	if a == catalog.FromSidecar {
		a = catalog.FromMetadata
	}
	return slices.Index(catalog.Authorities, a)
}

// recorded reports whether tools state a claim, and no person.
func recorded(a catalog.Authority) bool { return a == catalog.FromRecord || a == catalog.FromMetadata }

// inRecords reports whether a claim is derived from records; others must be kept with the run.
func inRecords(a catalog.Authority) bool { return recorded(a) || a == catalog.FromHead }

// many are keys of which a run may have several values without a contradiction.
var many = []string{record.FactClientCommand, record.FactNotes, record.FactDate}

// nearness says how many directories a file shares with the results of a run, with those of which it
// shares most.
func nearness(records []*entry) func(file string) int {
	var dirs [][]string
	seen := map[string]bool{}
	for _, r := range records {
		if d := treeDir(r.path); !r.attached && !seen[d] {
			seen[d] = true
			dirs = append(dirs, strings.Split(d, "/"))
		}
	}
	return func(file string) int {
		own, most := strings.Split(treeDir(file), "/"), 0
		for _, d := range dirs {
			n := 0
			for n < len(d) && n < len(own) && d[n] == own[n] {
				n++
			}
			most = max(most, n)
		}
		return most
	}
}

// claimsOf are the facts that the records of a run state.
func claimsOf(records []*entry, model string, near func(file string) int) []claim {
	var out []claim
	known := map[claim]int{} // their numbers in out; a suite states its GPU 126 times
	var before, these []int  // those of the facts of the record before, which mostly states the same, and of this one
	for _, r := range records {
		before, these = these, before[:0]
		of := catalog.FromMetadata
		if record.Measures(r.Record) {
			of = catalog.FromRecord
		}
		n := -1
		for f := range record.Stated(r.Record) {
			n++
			line := r.key.line
			if f.At.File != "" {
				line = f.At.Line
			}
			from := of
			switch {
			case f.Named:
				from = catalog.FromName
			case f.Head:
				from = catalog.FromHead
			}
			if n < len(before) && n == len(these) && !r.attached {
				c := &out[before[n]]
				if c.key == f.Key && c.value == f.Value && c.from == from && c.file == r.path && c.depth == nearest {
					c.line = min(c.line, line)
					these = append(these, before[n])
					continue
				}
			}
			if f.Value == "" || f.Key == "" || r.attached && !states(f.Key, f.Value) || slices.Contains(ofWords, f.Key) &&
				settings.Placeholder(f.Value) {
				continue
			}
			c := claim{key: f.Key, value: f.Value, from: from, file: r.path, depth: nearest}
			if r.attached { // what names the run is nearer than any directory
				c.depth = near(r.path)
			}
			if i, again := known[c]; again {
				out[i].line = min(out[i].line, line)
				these = append(these, i)
				continue
			}
			these = append(these, len(out))
			known[c], c.line = len(out), line
			out = append(out, c)
		}
	}
	stated := false
	for _, c := range out {
		stated = stated || c.key == record.FactModel && (c.from == catalog.FromRecord || c.from == catalog.FromName)
	}
	if !stated && model != "" && !settings.Placeholder(model) && len(records) > 0 {
		r := records[0]
		for _, x := range records {
			if x.Header().Identity.Model == model {
				r = x
				break
			}
		}
		out = append(out, claim{key: record.FactModel, value: model, from: catalog.FromRecord, file: r.path,
			line: r.key.line})
	}
	return out
}

// claimsFrom are the statements of a sidecar or a note.
func claimsFrom(a settings.Applied) []claim {
	var out []claim
	for _, o := range a.Overrides {
		out = append(out, claim{key: o.Key, value: o.Value, from: catalog.FromOverride, file: o.File, line: o.Line,
			reason: o.Reason})
	}
	for _, f := range a.Facts {
		out = append(out, claim{key: f.Key, value: f.Value, from: catalog.FromSidecar, file: f.File, line: f.Line})
	}
	return out
}

// kept are the statements of a stored run that its records do not make.
func kept(r *catalog.Run) []claim {
	var out []claim
	for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
		a := r.Attributes[key]
		if !inRecords(a.From) {
			out = append(out, claim{key: key, value: a.Value, from: a.From, file: a.File, line: a.Line,
				reason: a.Reason})
		}
		for _, o := range a.Others {
			if !inRecords(o.From) {
				out = append(out, claim{key: key, value: o.Value, from: o.From, file: o.File, line: o.Line})
			}
		}
	}
	return out
}

// maxOthers bounds how many losing statements are kept of one key.
const maxOthers = 8

// mostCompared bounds with how many statements of a key one more is compared by what it means: a run of whose thousands of
// records each says something else would take hours. With the rest it is compared as text.
const mostCompared = 64

// attributes decides between claims: by authority, among metadata files by nearness, else by the
// order of their places. Where two of one authority differ, both places are told.
func (n names) attributes(claims []claim, f *findings) map[string]catalog.Attribute {
	byKey := map[string][]claim{}
	for _, c := range n.ofEngine(claims) {
		if c.from == catalog.FromSidecar && !states(c.key, c.value) {
			f.at(CodeMetadata, record.Warning, c.file, c.line,
				"%s is %q, which stands where a value should: it is left out", c.key, c.value)
			continue
		}
		byKey[c.key] = append(byKey[c.key], c)
	}
	out := map[string]catalog.Attribute{}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		out[key] = n.attribute(key, byKey[key], byKey[record.FactServedName], f)
	}
	count := out[record.FactCount]
	if c, ok := n.counted(out[record.FactHardware].Value, byKey[record.FactHardware]); ok && count.Value == "" {
		out[record.FactCount] = c
	}
	if c, ok := n.recounted(out[record.FactHardware], count); ok {
		out[record.FactCount] = c
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// counted is the number of accelerators that a claim of the same hardware states where the one that stands states none:
// a report names a card by its full name, and a person says "8x" of it.
func (n names) counted(hardware string, all []claim) (catalog.Attribute, bool) {
	if _, count := n.hardware(hardware, false); hardware == "" || count > 0 {
		return catalog.Attribute{}, false
	}
	for _, c := range all {
		if _, count := n.hardware(c.value, false); count > 0 && n.same(record.FactHardware, hardware, c.value) {
			return catalog.Attribute{Value: strconv.Itoa(count), From: c.from, File: c.file, Line: c.line}, true
		}
	}
	return catalog.Attribute{}, false
}

// recounted is the number of accelerators that the text of a measured machine states, where what people say of their
// number differs. A number that was measured differs rightly: fewer may have served than the machine has.
func (n names) recounted(hardware, said catalog.Attribute) (catalog.Attribute, bool) {
	_, count := n.hardware(hardware.Value, false)
	if !recorded(hardware.From) || count == 0 || said.Value == "" || rank(said.From) <= rank(hardware.From) ||
		recorded(said.From) || n.same(record.FactCount, said.Value, strconv.Itoa(count)) {
		return catalog.Attribute{}, false
	}
	others := append([]catalog.Other{{Value: said.Value, From: said.From, File: said.File, Line: said.Line}}, said.Others...)
	return catalog.Attribute{Value: strconv.Itoa(count), From: hardware.From, File: hardware.File, Line: hardware.Line,
		Others: others[:min(len(others), maxOthers)]}, true
}

// attribute is what claims of one key say, the one that stands first; it says where they say different things.
func (n names) attribute(key string, all, servedNames []claim, f *findings) catalog.Attribute {
	order.Stable(all, func(a, b claim) int {
		return cmp.Or(cmp.Compare(rank(a.from), rank(b.from)), cmp.Compare(a.distance(), b.distance()),
			cmp.Compare(a.from, b.from), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	best := n.fullest(key, all)
	if key == record.FactModel {
		best = served(best, all, servedNames)
	}
	a := catalog.Attribute{Value: best.value, From: best.from, File: best.file, Line: best.line,
		Reason: best.reason}
	var rivals []claim // of the same authority
	told := map[string]bool{}
	seen := map[catalog.Other]bool{}
	replaced := -1
	for i, c := range all {
		if best.from == catalog.FromOverride && c.from != catalog.FromOverride && replaced < 0 {
			replaced = i
		}
		if n.same(key, best.value, c.value) {
			continue
		}
		if c.from == best.from && c.distance() == best.distance() &&
			!told[fold(c.value)] && !slices.ContainsFunc(rivals[:min(len(rivals), mostCompared)],
			func(x claim) bool { return n.same(key, x.value, c.value) }) {
			rivals = append(rivals, c)
			told[fold(c.value)] = true
		}
		// One line a value and file is enough: a suite states its GPU 126 times.
		o := catalog.Other{Value: c.value, From: c.from, File: c.file}
		if !seen[o] && len(a.Others) < maxOthers {
			seen[o] = true
			o.Line = c.line
			a.Others = append(a.Others, o)
		}
	}
	if best.from == catalog.FromOverride {
		var was *claim
		if replaced >= 0 {
			was = &all[replaced]
			a.Was = was.value
		}
		f.overridden(key, best, was)
	}
	if !slices.Contains(many, key) {
		n.disagree(key, best, all, rivals, f)
	}
	return a
}

// overridden says that a value was set by hand, and which one it replaced; nil where there was none.
func (f *findings) overridden(key string, best claim, was *claim) {
	if was != nil {
		f.at(CodeOverride, record.Warning, best.file, best.line, "%s %q of %s was replaced by %q: %s", key,
			was.value, whereAt(was.file, was.line), best.value, best.reason)
		return
	}
	f.at(CodeOverride, record.Warning, best.file, best.line, "%s was set to %q: %s", key, best.value, best.reason)
}

// disagree says where claims state another value than the one that stands: rivals of the same authority, and a file
// of the same folder.
func (n names) disagree(key string, best claim, all, rivals []claim, f *findings) {
	if len(rivals) > 0 {
		said := []string{fmt.Sprintf("%q in %s", best.value, best.where())}
		for _, c := range rivals {
			said = append(said, fmt.Sprintf("%q in %s", c.value, c.where()))
		}
		f.at(CodeMetadata, record.Warning, rivals[0].file, rivals[0].line,
			"%s is stated differently: %s; the first is shown", key, some(said))
	}
	if i := slices.IndexFunc(all, func(c claim) bool { return n.beside(key, best, c) }); i >= 0 {
		c := all[i]
		f.at(CodeMetadata, record.Error, c.file, c.line,
			"%s is %q in %s and %q in %s of the same folder: one of them is wrong; the first is shown",
			key, best.value, whereAt(best.file, best.line), c.value, whereAt(c.file, c.line))
	}
}

// fullest is the claim that stands: the first, or of those that say the same one that says it in full. A
// model with its organisation, or "8x H100 SXM" where the first says "8xH100", are in full.
func (n names) fullest(key string, all []claim) claim {
	best := all[0]
	if best.from == catalog.FromOverride {
		return best
	}
	more := func(a, b string) bool { return false }
	switch key {
	case record.FactModel:
		named := func(s string) bool { return !strings.HasPrefix(s, "/") && strings.Count(s, "/") == 1 }
		more = func(a, b string) bool { return named(a) && !named(b) }
	case record.FactHardware:
		more = func(a, b string) bool {
			x, i := n.hardware(a, false)
			y, j := n.hardware(b, false)
			return len(x) > 0 && len(x) < len(y) && i == j
		}
	}
	for _, c := range all[1:] {
		if n.same(key, best.value, c.value) && more(c.value, best.value) {
			best = c
		}
	}
	return best
}

// served is the model behind the name that a client called: a description that gives both says which.
func served(best claim, models, names []claim) claim {
	for _, name := range names {
		if best.from != catalog.FromRecord || fold(name.value) != fold(best.value) {
			continue
		}
		for _, m := range models {
			if m.file == name.file && m.from != catalog.FromRecord {
				return m
			}
		}
	}
	return best
}

// ofEngine are the claims without the versions that a description gives of another engine than the
// one that the results name: a report of vLLM's environment lies beside what another server gave. So does the head of a
// report give none of another engine than the one that stands.
func (n names) ofEngine(claims []claim) []claim {
	others := map[string]bool{} // by authority and file
	of := func(c claim) string { return string(c.from) + c.file }
	for _, c := range claims {
		if c.key != record.FactEngine || c.from != catalog.FromMetadata && c.from != catalog.FromHead {
			continue
		}
		for _, x := range claims {
			if x.key == c.key && (x.from == catalog.FromRecord || c.from == catalog.FromHead && rank(x.from) < rank(c.from)) &&
				!n.same(c.key, x.value, c.value) {
				others[of(c)] = true
			}
		}
	}
	if len(others) == 0 {
		return claims
	}
	var out []claim
	for _, c := range claims {
		if c.key != record.FactEngineVersion && c.key != record.FactEngineCommit || !others[of(c)] {
			out = append(out, c)
		}
	}
	return out
}

// described reports whether a claim is of a description: a metadata file or a run.toml.
func described(a catalog.Authority) bool {
	return a == catalog.FromMetadata || a == catalog.FromSidecar
}

// distance puts what describes results in order, the nearest file first; all else is equally near.
func (c claim) distance() int {
	if described(c.from) {
		return -c.depth
	}
	return 0
}

// beside reports whether of two claims one is of a metadata file and one of the run.toml in its folder,
// and they say different things.
func (n names) beside(key string, a, b claim) bool {
	return described(a.from) && described(b.from) && a.from != b.from && a.depth < nearest && b.depth < nearest &&
		treeDir(a.file) == treeDir(b.file) && !n.same(key, a.value, b.value)
}

// folder is a directory whose name is hardware, and a file below it.
type folder struct{ name, file string }

// folderOf is the nearest directory of a path whose name is that of hardware.
func (n names) folderOf(file string) (folder, bool) {
	for d := treeDir(file); d != "." && d != "/"; d = path.Dir(d) {
		if ids, _ := n.hardware(path.Base(d), true); len(ids) > 0 {
			return folder{path.Base(d), file}, true
		}
		if path.Dir(d) == d {
			break
		}
	}
	return folder{}, false
}

// judgeFolders holds what the records say of the hardware against the folders they lie in, and
// the folders against each other.
func (n names) judgeFolders(claims []claim, sources []catalog.Source, f *findings) {
	var folders []folder
	for _, s := range sources {
		x, ok := n.folderOf(s.Path)
		if ok && !slices.ContainsFunc(folders, func(y folder) bool { return y.name == x.name }) {
			folders = append(folders, x)
		}
	}
	var different []string
	for i, x := range folders {
		same := false
		if i > 0 {
			same, _ = n.sameHardware(folders[0].name, x.name, true)
		}
		if !same {
			different = append(different, fmt.Sprintf("%q (%s)", x.name, strconv.Quote(x.file)))
		}
	}
	if len(different) > 1 {
		f.at(CodeSources, record.Warning, folders[0].file, 0,
			"the same results lie in folders that name different hardware: %s", some(different))
	}
	told := map[string]bool{}
	for _, c := range claims {
		if c.key != record.FactHardware || !inRecords(c.from) {
			continue
		}
		x, ok := n.folderOf(c.file)
		if !ok || told[c.value+"\x00"+x.name] {
			continue
		}
		told[c.value+"\x00"+x.name] = true
		if same, known := n.sameHardware(c.value, x.name, false); known && !same {
			f.at(CodeHardware, record.Warning, c.file, c.line, "hardware is %q in a file below the folder %q",
				c.value, x.name)
		}
	}
}
