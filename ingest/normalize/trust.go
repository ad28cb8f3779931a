package normalize

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// ofMachine are the keys of facts that a machine has one value of.
var ofMachine = []string{
	record.FactHardware, record.FactDriver, record.FactOS, record.FactKernel, record.FactCPU, record.FactRAM,
	record.FactCUDA, record.FactROCm,
}

// ambiguous are the files that describe several machines and do not say which is which: two of their
// reports state one thing differently. A file that holds two commands, or one with a variable that
// nobody set, does not say what was run. Such files describe nothing that lies beside them.
func ambiguous(loose []*entry) map[string]bool {
	type stated struct{ file, key string }
	said := map[stated]string{}
	out := map[string]bool{}
	for _, e := range loose {
		if p, ok := e.Record.(*record.Params); ok && p.Command != "" {
			k := stated{e.key.digest, record.FactCommand + " of the " + p.Of}
			if before, ok := said[k]; ok && before != p.Command || unset.MatchString(p.Command) {
				out[e.key.digest] = true
			}
			said[k] = p.Command
		}
		if e.key.kind != "system" {
			continue
		}
		for f := range record.Stated(e.Record) {
			if !slices.Contains(ofMachine, f.Key) || f.Value == "" {
				continue
			}
			k, v := stated{e.key.digest, f.Key}, fold(f.Value)
			if before, ok := said[k]; ok && before != v {
				out[e.key.digest] = true
			}
			said[k] = v
		}
	}
	return out
}

// word is the accelerator that names of files and folders say.
type word struct {
	settings.Mention
	name string // of the folder or file
	file string // below it, published
}

// homes are folders whose members are called after people.
var homes = []string{"home", "Users", "users", "people"}

// person is the name of a folder that says itself that it is called after a person.
var person = regexp.MustCompile(`(?i)^users?[-_.]`)

// wordOf is what the nearest name on the way up from a file says, where exactly one accelerator is
// named; names with two are passed over. The count is that of the nearest name that states one. What the name of
// the model holds is no accelerator, nor is a user.
func (n names) wordOf(p, model string) (settings.Mention, string, bool) {
	count := 0 // of the names below
	for p = treePath(p); p != "." && p != "/" && p != ".."; p = path.Dir(p) {
		if slices.Contains(homes, path.Base(path.Dir(p))) || person.MatchString(path.Base(p)) {
			continue
		}
		name := withoutModel(path.Base(p), model)
		if found := n.Mentions(name); len(found) == 1 {
			switch of := &found[0].Count; {
			case *of > 0 && count > *of:
				*of = 0 // "4xh100/tp8": one of the two is wrong
			case count > 0: // of eight in the machine, two were served on: "8xmi300x/tp2"
				*of = count
			}
			return found[0], path.Base(p), true
		}
		count = cmp.Or(count, n.CountIn(name))
	}
	return settings.Mention{}, "", false
}

// withoutModel is a name without that of a model in it: "llama-a100-7b" names no machine.
func withoutModel(name, model string) string {
	slug := "-" + record.Slug(name) + "-"
	for _, m := range []string{strings.ReplaceAll(model, "/", "_"), path.Base(model)} {
		if of := "-" + record.Slug(m) + "-"; model != "" && strings.Contains(slug, of) {
			return strings.ReplaceAll(slug, of, "--")
		}
	}
	return name
}

// folderWord is the word of the folders in which the results of a run lie; ok is false where they name
// none or different ones.
func (n names) folderWord(records []*entry) (w word, ok bool) {
	if n.Names == nil {
		return w, false
	}
	asked := map[[2]string]bool{}
	for _, e := range records {
		if e.attached || e.computed || !record.Measures(e.Record) {
			continue
		}
		at := e.found
		if len(at) == 0 {
			at = []string{e.path}
		}
		for i, p := range at {
			k := [2]string{p, e.Header().Identity.Model}
			if asked[k] {
				continue
			}
			asked[k] = true
			m, name, found := n.wordOf(p, k[1])
			if !found || ok && m.Accelerator.ID != w.Accelerator.ID {
				return word{}, false
			}
			if ok && m.Count != w.Count {
				w.Count = 0
			}
			if !ok {
				w, ok = word{m, name, e.path}, true
				if len(e.paths) > i {
					w.file = e.paths[i]
				}
			}
		}
	}
	return w, ok
}

// judge tells where what people state of the hardware is not what the folder's word says.
func (w word) judge(n names, hardware catalog.Attribute, f *findings) {
	switch hardware.From {
	case catalog.FromSidecar, catalog.FromRule, catalog.FromFlag, catalog.FromCI:
		if n.differentHardware(w.Accelerator.Name, hardware.Value) {
			f.at(CodeHardware, record.Warning, hardware.File, hardware.Line,
				"hardware is %q, and the results lie in %q: what is stated counts", hardware.Value, w.name)
		}
	}
}

// claim is what the folder's word states of the hardware.
func (w word) claim() claim {
	return claim{key: record.FactHardware, value: w.Text(), from: catalog.FromName, file: w.file}
}
