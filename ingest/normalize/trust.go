package normalize

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// ofMachine are the keys of facts that a machine has one value of.
var ofMachine = map[string]bool{record.FactHardware: true, record.FactDriver: true, record.FactOS: true,
	record.FactKernel: true, record.FactCPU: true, record.FactRAM: true, record.FactCUDA: true, record.FactROCm: true}

// ambiguous are the files that describe several machines and do not say which is which: two of their
// reports state one thing differently. A script that holds two commands, or one with a variable that
// nobody set, does not say what was run. Such files describe nothing that lies beside them.
func ambiguous(loose []*entry) map[string]bool {
	type stated struct{ file, key string }
	said := map[stated]string{}
	out := map[string]bool{}
	for _, e := range loose {
		if p, ok := e.Record.(*record.Params); ok && script(e.path) && p.Command != "" {
			k := stated{e.key.digest, record.FactCommand + " of the " + p.Of}
			if before, ok := said[k]; ok && before != p.Command || unset.MatchString(p.Command) {
				out[e.key.digest] = true
			}
			said[k] = p.Command
		}
		if e.key.kind != "system" {
			continue
		}
		for _, f := range e.Header().Facts {
			if !ofMachine[f.Key] || f.Value == "" {
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

// scripts are the extensions of files of commands.
var scripts = map[string]bool{".sh": true, ".bash": true, ".zsh": true, ".fish": true, ".ps1": true, ".bat": true, ".cmd": true}

// script reports whether a path is that of a script.
func script(p string) bool { return scripts[strings.ToLower(path.Ext(p))] }

// word is the accelerator that names of files and folders say.
type word struct {
	settings.Mention
	name string // of the folder or file
	file string // below it, published
}

// wordOf is what the nearest name on the way up from a file says, where exactly one accelerator is
// named; names with two are passed over.
func (n names) wordOf(p string) (settings.Mention, string, bool) {
	for p = treePath(p); p != "." && p != "/" && p != ".."; p = path.Dir(p) {
		if found := n.Mentions(path.Base(p)); len(found) == 1 {
			return found[0], path.Base(p), true
		}
	}
	return settings.Mention{}, "", false
}

// folderWord is the word of the folders in which the results of a run lie; ok is false where they name
// none or different ones.
func (n names) folderWord(records []*entry) (w word, ok bool) {
	if n.Names == nil {
		return w, false
	}
	for _, e := range records {
		if e.attached || e.computed || !record.Measures(e.Record) {
			continue
		}
		at := e.found
		if len(at) == 0 {
			at = []string{e.path}
		}
		for i, p := range at {
			m, name, found := n.wordOf(p)
			if !found || ok && (m.Text() != w.Text()) {
				return word{}, false
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

// trusted leaves out the descriptions that the record itself or the name of its folder contradicts: a
// report of an H100 beside results of an MI300X says nothing of these. Each is told.
func (n names) trusted(records []*entry, w word, named bool, f *findings) []*entry {
	var own []string // hardware that results state
	for _, e := range records {
		if record.Measures(e.Record) {
			for _, x := range e.Header().Facts {
				if x.Key == record.FactHardware {
					own = append(own, x.Value)
				}
			}
		}
	}
	against := func(value string) string {
		for _, x := range own {
			if same, known := n.sameHardware(x, value, false); known && !same {
				return fmt.Sprintf("the results say %q", x)
			}
		}
		if named {
			if same, known := n.sameHardware(w.Accelerator.Name, value, false); known && !same {
				return fmt.Sprintf("the results lie in %q", w.name)
			}
		}
		return ""
	}
	bad := map[string]bool{}
	for _, e := range records {
		if !e.attached || bad[e.key.digest] {
			continue
		}
		for _, x := range e.Header().Facts {
			if x.Key != record.FactHardware {
				continue
			}
			if why := against(x.Value); why != "" {
				bad[e.key.digest] = true
				f.at(CodeHardware, record.Error, e.path, e.key.line, "the report says %q and %s: nothing is taken from it", x.Value, why)
				break
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(records), func(e *entry) bool { return e.attached && bad[e.key.digest] })
}

// claim is what the folder's word states of the hardware.
func (w word) claim() claim {
	return claim{key: record.FactHardware, value: w.Text(), from: catalog.FromName, file: w.file}
}
