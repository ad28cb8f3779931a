// Newformat writes the skeleton of the reader of a format: a package that compiles and reads the
// sample of an invented tool, the cases of its test, and a line in the list of formats.
//
//	make newformat NAME=mybench
package main

import (
	"embed"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed skeleton
var skeleton embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: newformat NAME, in the root of the repository")
		os.Exit(2)
	}
	if err := newFormat(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf(`ingest/format/%[1]s is there, and ingest/format/format.go lists it. Next:
  go test ./ingest/format -run TestConform/%[1]s -update
    writes what was read into testdata; read what it wrote
  make docs
    gives it a row in README.md
Put in your tool where it says TODO, move its line in format.go to its place, and pin a value in
ingest/ingesttest/pinned_test.go: CONTRIBUTING.md, "Adding a format".
`, os.Args[1])
}

// files are those of the skeleton, and the name each gets in the package.
var files = map[string]string{
	"NAME.go.txt": "NAME.go",
	"good.txtar":  "testdata/good.txtar",
	"bad.txtar":   "testdata/bad.txtar",
}

// newFormat writes the package of a format into the repository at root, and adds it to the list.
func newFormat(root, name string) error {
	if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(name) || token.IsKeyword(name) {
		return fmt.Errorf("%q is no name of a package: write lower-case letters and digits, such as mybench", name)
	}
	formats := filepath.Join(root, "ingest", "format")
	dir := filepath.Join(formats, name)
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("ingest/format/%s is there already: choose another name", name)
	}
	list := filepath.Join(formats, "format.go")
	old, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("%w: start this in the root of the repository", err)
	}
	listed, err := enlist(string(old), name)
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	for from, to := range files {
		data, err := fs.ReadFile(skeleton, "skeleton/"+from)
		if err != nil {
			return err
		}
		to = filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(to, "NAME", name)))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(strings.ReplaceAll(string(data), "NAME", name)), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(list, []byte(listed), 0o666)
}

// enlist adds a format to the source of the list: its import in order, itself at the end.
func enlist(source, name string) (string, error) {
	const ours = "\t\"github.com/inferdex/inferdex/ingest/"
	imports, list, ok := strings.Cut(source, "\n)\n")
	at := strings.LastIndex(list, "\n\t}\n}")
	if !ok || at < 0 || !strings.Contains(imports, ours+"format/") {
		return "", errors.New("is no list of formats as it was: add the import and the line by hand")
	}
	line := ours + "format/" + name + "\""
	lines := strings.Split(imports, "\n")
	i := len(lines)
	for i > 0 && strings.HasPrefix(lines[i-1], ours) && lines[i-1] > line {
		i--
	}
	imports = strings.Join(lines[:i], "\n") + "\n" + line
	if i < len(lines) {
		imports += "\n" + strings.Join(lines[i:], "\n")
	}
	return imports + "\n)\n" + list[:at] + "\n\t\t" + name + ".Format," + list[at:], nil
}
