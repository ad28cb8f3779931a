package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/view"
)

// ejectFolders hold what can be ejected.
var ejectFolders = []string{"layouts", "assets"}

// sharedLayout is the body of pages of kinds that have no layout of their own.
const sharedLayout = "layouts/_partials/report.html"

func (a *app) ejectCommand() *cobra.Command {
	var shown bool
	cmd := &cobra.Command{
		Use:   "eject [FILE...]",
		Short: "Copy built-in layouts and assets, to change them",
		Long: `Copy built-in layouts and assets into the catalog, where they win over those of the program. Without
a FILE, list what there is. layouts/KIND.html is what renders the pages of a kind, such as
layouts/card.html, also where the program has one layout for several kinds.

A file that is there is never overwritten. The first line of a copy says what it was made of: where
a later program has another original, 'inferdex build' says so.`,
		Example: `  inferdex eject layouts/card.html
  inferdex eject assets/css/tables.css
  inferdex eject --stdout layouts/card.html | diff layouts/card.html -`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			left := slices.DeleteFunc(ejectable(), func(name string) bool { return slices.Contains(args, name) })
			return left, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, name := range ejectable() {
					if a.json {
						a.object(a.stdout, map[string]string{"kind": "file", "file": name})
					} else {
						fmt.Fprintln(a.stdout, name)
					}
				}
				return nil
			}
			return a.eject(args, shown)
		},
	}
	cmd.Flags().BoolVar(&shown, "stdout", false, "write to standard output what would be copied")
	return cmd
}

// eject copies all files or, where one cannot be, none.
func (a *app) eject(names []string, shown bool) error {
	for i, name := range names {
		name = path.Clean(filepath.ToSlash(name))
		if !slices.Contains(ejectable(), name) {
			near := settings.Nearest(name, ejectable())
			if i := slices.IndexFunc(ejectable(), func(of string) bool { return path.Base(of) == name }); i >= 0 {
				near = ejectable()[i]
			}
			if near != "" {
				return usage("%q is no built-in layout or asset: did you mean %q?", names[i], near)
			}
			return usage("%q is no built-in layout or asset: 'inferdex eject' lists them", names[i])
		}
		if _, err := os.Lstat(a.path(filepath.FromSlash(name))); err == nil && !shown {
			return failed(fmt.Errorf("%s is there already, and nothing is overwritten: 'inferdex eject --stdout %s' "+
				"shows the original", name, name))
		}
		names[i] = name
	}
	var made []string
	for _, name := range names {
		data := ejected(name)
		if shown {
			if _, err := a.stdout.Write(data); err != nil {
				return failed(err)
			}
			continue
		}
		to := a.path(filepath.FromSlash(name))
		if err := writeNew(to, data); err != nil {
			for _, name := range made {
				_ = os.Remove(name)
			}
			return failed(err)
		}
		made = append(made, to)
	}
	for _, name := range names[:len(made)] {
		a.note("%s: change it, and 'inferdex build' takes it instead of the built-in one", name)
	}
	return nil
}

// original is the built-in file that a copy of a name is made of; ok is false where there is none.
func original(name string) (of string, data []byte, ok bool) {
	of = name
	data, err := fs.ReadFile(inferdex.Files, of)
	kind, isLayout := strings.CutPrefix(strings.TrimSuffix(name, ".html"), "layouts/")
	if err != nil && isLayout && slices.Contains(view.Kinds(), kind) {
		of = sharedLayout
		data, err = fs.ReadFile(inferdex.Files, of)
		data = slices.Concat([]byte("{{ define \"main\" -}}\n"), data, []byte("{{ end }}\n"))
	}
	return of, data, err == nil && slices.Contains(ejectFolders, strings.SplitN(name, "/", 2)[0])
}

// ejectable are the names of all files that can be ejected, sorted.
func ejectable() []string {
	var out []string
	for _, dir := range ejectFolders {
		err := fs.WalkDir(inferdex.Files, dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && comment(name, "") != "" {
				out = append(out, name)
			}
			return err
		})
		if err != nil {
			panic(err) // the files are part of the program
		}
	}
	for _, kind := range view.Kinds() {
		out = append(out, "layouts/"+kind+".html")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// comment is a line of a file that says something to readers of the file alone; "" for files that have no comments.
func comment(name, text string) string {
	switch path.Ext(name) {
	case ".html":
		return "{{- /* " + text + " */ -}}\n"
	case ".css":
		return "/* " + text + " */\n"
	case ".ts":
		return "// " + text + "\n"
	}
	return ""
}

// ejected is the copy of a built-in file, with a first line that says what of.
func ejected(name string) []byte {
	of, data, _ := original(name)
	return append([]byte(comment(name, "inferdex eject: "+of+" "+originDigest(data))), data...)
}

func originDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// ejectLine is what the first line of a copy says.
var ejectLine = regexp.MustCompile(`\A[^\n]{0,20}inferdex eject: ([!-~]+) ([0-9a-f]{12})`)

// lagging says of the copies in a catalog which of them the program has another original of.
func (a *app) lagging() {
	for _, dir := range ejectFolders {
		err := fs.WalkDir(os.DirFS(a.path(dir)), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil // what cannot be read is said by the build
			}
			name = path.Join(dir, name)
			data, err := readFile(a.path(filepath.FromSlash(name)))
			m := ejectLine.FindSubmatch(data)
			if err != nil || m == nil {
				return nil
			}
			of, now, ok := original(name)
			switch {
			case !ok:
				a.diagnostic(oldCopy, name, 1, 0, fmt.Sprintf("was made of the built-in %s, which this program no longer has", m[1]))
			case of != string(m[1]) || originDigest(now) != string(m[2]):
				a.diagnostic(oldCopy, name, 1, 0, fmt.Sprintf("lags behind the program: the built-in %s has changed since it was "+
					"ejected; compare with 'inferdex eject --stdout %s', take over what you want and its first line", of, name))
			}
			return nil
		})
		if err != nil {
			return
		}
	}
}
