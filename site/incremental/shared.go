package incremental

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Shared is the digest of what all pages are made of: the program, settings and the files of some folders. Settings
// are what JSON can say.
func Shared(program io.Reader, settings any, folders ...fs.FS) (d Digest, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return d, err
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return d, err
	}
	fmt.Fprintf(h, "%s", Sum(text))
	for i, folder := range folders {
		err := each(folder, func(name string, data []byte) { fmt.Fprintf(h, "%d %s %q\n", i, Sum(data), name) })
		if err != nil {
			return d, err
		}
	}
	return Digest(h.Sum(nil)), nil
}

// Files are the digests of all files of a folder, by name, as sum says them. One that is not there has none.
func Files(folder fs.FS, sum func(name string, e fs.DirEntry) (Digest, error)) (Parts, error) {
	p := Parts{}
	err := walk(folder, func(name string, e fs.DirEntry) (err error) {
		p[name], err = sum(name, e)
		return err
	})
	return p, err
}

// each calls f for each file of a folder with its content.
func each(folder fs.FS, f func(name string, data []byte)) error {
	return walk(folder, func(name string, _ fs.DirEntry) error {
		data, err := fs.ReadFile(folder, name)
		if err == nil {
			f(name, data)
		}
		return err
	})
}

// walk calls f for each file of a folder, which need not be there, but those whose names begin with a dot.
func walk(folder fs.FS, f func(name string, e fs.DirEntry) error) error {
	return fs.WalkDir(folder, ".", func(name string, e fs.DirEntry, err error) error {
		if name == "." && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		return f(name, e)
	})
}

// beyond is how a template of Hugo asks for what is not of its page alone: other pages, what templates keep for one
// another, the clock, chance. What partialCached keeps is the same on all pages, or two full builds are not the same.
// What a Markdown text or a link becomes depends on which pages there are.
var beyond = regexp.MustCompile(`(?:\b(?:ref|relref|now|shuffle|markdownify)\b|` +
	`\.(?:Now|Shuffle|Rand|Defer|Ref|RelRef|GetPage|Pages|AllPages|RegularPages|RegularPagesRecursive|` +
	`Home|Sections|Sites|Menus|Taxonomies|GetTerms|MainSections|LastChange|Lastmod|Parent|Ancestors|CurrentSection|` +
	`FirstSection|Prev|Next|PrevInSection|NextInSection|Related|Translations|AllTranslations|Rotate|Paginate|` +
	`Paginator|Store|Scratch|Counter|Data|RenderString|Markdownify|Link)\b)`)

// ofText is how the templates of Markdown ask for a link of a page's own text. The pages that it may lead to are
// among what that page is made of.
var ofText = regexp.MustCompile(`\.Link\b[^{}]*\.Destination\b`)

// Alone says whether each page that the layouts of a folder render is made of nothing but what is its own and what is
// shared. It says no where a layout only seems to ask for more.
func Alone(layouts fs.FS) (bool, error) {
	alone := true
	err := each(layouts, func(name string, data []byte) {
		alone = alone && !beyond.Match(ofText.ReplaceAll(data, nil))
	})
	return alone, err
}
