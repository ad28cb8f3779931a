package hugo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/inferdex/inferdex/site/leftover"
)

// kindsOfHugo are names of layouts that Hugo keeps for pages of its own kinds: it would render a
// scorecard of kind "home" that is not the home page with page.html. So such a layout gets a
// second name.
var kindsOfHugo = []string{"404", "home", "index", "page", "section", "taxonomy", "term", "list", "single", "all"}

// standIn begins the second name of a layout.
const standIn = "inferdex--"

// fallback is the layout of a generated page whose kind has none of its own.
const fallback = "report"

// begin stands at the beginning of each layout that Hugo carries out first: the page is made then.
const begin = `{{ $_ := site.Params.inferdex.Begin .Params.key }}`

// defines tells layouts that only fill blocks of baseof.html from those that are carried out themselves:
// the former begin with a definition, behind comments.
var defines = regexp.MustCompile(`^(?s:\s|{{-?\s*/\*.*?\*/\s*-?}})*{{-?\s*define\b`)

// nameLayouts finds the layouts in source: the name that Hugo is to know each by, by its own name. Those
// that it carries out first get their begin.
func nameLayouts(source afero.Fs) (map[string]string, error) {
	dir := path.Join(workDir, "layouts")
	files, err := afero.ReadDir(source, dir)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".html")
		if !ok {
			continue
		}
		names[name] = name
		data, err := afero.ReadFile(source, path.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		if !defines.Match(data) {
			data = append([]byte(begin), data...)
		}
		file := []string{f.Name()}
		if slices.Contains(kindsOfHugo, name) {
			names[name] = standIn + name
			file = append(file, standIn+f.Name())
		}
		for _, name := range file {
			if err := afero.WriteFile(source, path.Join(dir, name), data, 0o666); err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

// mount copies the layers of one folder into fsys, the first file of a name winning.
func mount(fsys afero.Fs, dir string, layers []fs.FS) error {
	if err := fsys.MkdirAll(path.Join(workDir, dir), 0o777); err != nil {
		return err
	}
	return walkLayers(dir, layers, func(name string, _ int, read func() ([]byte, error)) error {
		data, err := read()
		if err != nil {
			return err
		}
		return afero.WriteFile(fsys, path.Join(workDir, dir, name), data, 0o666)
	})
}

// walkLayers calls f for every file of the layers of dir once: for the one in the first layer that has the name. A link
// to a file is one; what cannot be read is named in the error.
func walkLayers(dir string, layers []fs.FS, f func(name string, layer int, read func() ([]byte, error)) error) error {
	seen := map[string]bool{}
	for i, layer := range layers {
		if layer == nil {
			continue
		}
		err := fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && name == "." {
				return nil // A catalog need not have the folder.
			}
			if err != nil {
				return unread(path.Join(dir, name), err)
			}
			switch base := path.Base(name); {
			case leftover.Is(base) && d.IsDir():
				return fs.SkipDir
			case d.IsDir() || seen[name] || strings.HasPrefix(base, ".") || leftover.Is(base):
				return nil
			}
			seen[name] = true
			return f(name, i, func() ([]byte, error) {
				if info, err := fs.Stat(layer, name); err == nil && info.IsDir() {
					return nil, fmt.Errorf("%s: a link to a folder: put the folder itself there", path.Join(dir, name))
				}
				data, err := fs.ReadFile(layer, name)
				return data, unread(path.Join(dir, name), err)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unread says of a file or folder under its name that it cannot be read.
func unread(name string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}
