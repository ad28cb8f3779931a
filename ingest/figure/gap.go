package figure

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Gap is what the runs of one folder lack, with the lines that would supply it.
type Gap struct {
	// Folder has the first files of the runs; "." is the top, "a.zip!b" a folder of an archive, "a.zip!" its top.
	Folder string
	// Runs are in the order of the index.
	Runs []*Run
	// Missing are the words of [Run.Unrecorded] that any of the runs has.
	Missing []string
	// File is the run.toml that TOML belongs to. A value that no name proposes is empty there.
	File, TOML string
}

// wanted is what one file lacks, as lines of a run.toml.
type wanted struct{ file, lines string }

// Gaps are the folders with runs that lack model or hardware, in the order of their names. Where
// the name of a file or a folder spells out one entry of data/names it is proposed, the nearest
// name first.
func (ix *Index) Gaps() []Gap {
	byFolder := map[string]*Gap{}
	files := map[string][]wanted{}
	whole := map[string]bool{} // of folders all of whose runs lack the same
	for _, r := range ix.Runs {
		dir, base := folderOf(r)
		if _, seen := whole[dir]; !seen {
			whole[dir] = true
		}
		missing := r.Unrecorded()
		if len(missing) == 0 {
			whole[dir] = false
			continue
		}
		g := byFolder[dir]
		if g == nil {
			g = &Gap{Folder: dir}
			byFolder[dir] = g
		}
		g.Runs = append(g.Runs, r)
		w := wanted{base, supply(ix.Names, dir, base, missing)}
		if !slices.Contains(files[dir], w) {
			files[dir] = append(files[dir], w)
		}
		// Files of one folder were mostly measured on one machine; models they may have several of.
		whole[dir] = whole[dir] && files[dir][0].lines == w.lines && (missing[0] != "model" || len(files[dir]) == 1)
		for _, m := range missing {
			if !slices.Contains(g.Missing, m) {
				g.Missing = append(g.Missing, m)
			}
		}
	}
	var out []Gap
	for _, dir := range slices.Sorted(maps.Keys(byFolder)) {
		g := byFolder[dir]
		slices.Sort(g.Missing)
		slices.Reverse(g.Missing) // model first
		order.Stable(files[dir], func(a, b wanted) int { return cmp.Compare(a.file, b.file) })
		g.File, g.TOML = sidecarOf(dir, files[dir], whole[dir])
		out = append(out, *g)
	}
	return out
}

// supply writes what is missing as lines of a run.toml: what the nearest name proposes, else an
// empty value to fill in.
func supply(n *settings.Names, dir, base string, missing []string) string {
	names := []string{base}
	folders := strings.FieldsFunc(dir, func(c rune) bool { return c == '/' || c == '!' })
	for _, name := range slices.Backward(folders) {
		names = append(names, name)
	}
	var lines []string
	for _, key := range missing {
		line := key + ` = "" # to fill in`
		for _, name := range names {
			value, ok := n.HardwareIn(name)
			if key == "model" {
				value, ok = n.ModelIn(name)
			}
			if ok {
				line = key + " = " + settings.Quote(value) + " # as " + settings.Quote(name) + " says"
				break
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// sidecarOf is the run.toml for files of one folder: one text for all that lies there, or a [[run]]
// for each file. A run.toml for members of an archive stands beside the archive.
func sidecarOf(dir string, files []wanted, whole bool) (file, toml string) {
	within := ""
	if i := strings.IndexByte(dir, '!'); i >= 0 {
		j := strings.LastIndexByte(dir[:i], '/') + 1
		dir, within = strings.TrimSuffix(dir[:j], "/"), strings.ReplaceAll(strings.TrimSuffix(dir[j:], "!"), "!", "/")+"/"
	}
	file = path.Join(dir, settings.RunFile)
	if whole && within == "" {
		return file, files[0].lines
	}
	if whole {
		files = []wanted{{"**", files[0].lines}}
	}
	var parts []string
	for _, f := range files {
		pattern := f.file
		if pattern != "**" {
			pattern = anyCharacter.Replace(pattern)
		}
		parts = append(parts, fmt.Sprintf("[[run]]\nfile = %s\n%s", settings.Quote(within+pattern), f.lines))
	}
	return file, strings.Join(parts, "\n\n")
}

// anyCharacter replaces what has a meaning in patterns of run.toml.
var anyCharacter = strings.NewReplacer("{", "?", "}", "?", "*", "?")
