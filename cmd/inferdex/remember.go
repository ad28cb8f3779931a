package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// remembered is a listing of the catalog: what list gives, or what it gave when it was made last, of the same program,
// catalog, names and settings. The listings lie in .inferdex beside what else can be made again, never in the
// catalog, and only where that folder is there: a command that only reads makes none. That nothing changed is
// decided by the content of every file, which is read again where the system says that it may have changed: see
// [sums]. So a listing never shows another number than the files. One that is damaged is made again, as is one of
// which something was to be said: list returns false.
func (a *app) remembered(name string, list func() (text []byte, keep bool, err error)) ([]byte, error) {
	file := a.path(filepath.Join(stateDir, "lists", name))
	of, err := a.origin()
	if err != nil {
		of = "" // list says what cannot be read
	}
	if kept, err := readFile(file); err == nil && of != "" {
		head, text, _ := bytes.Cut(kept, []byte("\n"))
		if string(head) == listingHead(of, text) {
			return text, nil
		}
	}
	text, keep, err := list()
	if err != nil || !keep || of == "" {
		return text, err
	}
	if again, err := a.origin(); err != nil || again != of {
		return text, nil // an ingest wrote meanwhile
	}
	a.keep(file, append([]byte(listingHead(of, text)+"\n"), text...))
	return text, nil
}

// listingHead is the first line of a file with a listing: what it was made of, and its own digest.
func listingHead(of string, text []byte) string {
	return fmt.Sprintf("%s %x", of, sha256.Sum256(text))
}

// keep writes a file that can be made again, whole or not at all: where it cannot be written nothing is said.
func (a *app) keep(file string, data []byte) {
	f, err := a.createList(file)
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// createList makes a file beside one of those that can be made again, where the folder of such files is there. What a
// command that was killed left beside them goes: whoever finds its own work undone makes a file again. One that writes
// right now keeps nothing then, as if it had come second.
func (a *app) createList(file string) (*os.File, error) {
	if _, err := os.Stat(a.path(stateDir)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, err
	}
	for _, name := range unfinished(filepath.Dir(file)) {
		_ = os.Remove(name)
	}
	return createBeside(file)
}

// origin is a digest of all that a listing is made of: the program, the settings, the names, and the catalog, of whose
// raw records only the names count.
func (a *app) origin() (string, error) {
	h := sha256.New()
	program, err := thisProgram()
	if err != nil {
		return "", err
	}
	fmt.Fprint(h, program)
	config, err := a.readSettings(configFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	lock, err := a.readSettings(lockFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	fmt.Fprintf(h, "%d %s\n%d %s\n", len(config), config, len(lock), lock)
	s := a.sums(listedSums)
	for _, dir := range []string{filepath.Join(dataDir, "names"), catalogDir} {
		if err := digestFiles(h, dir, folder(a.path(dir)), s); err != nil {
			return "", err
		}
	}
	s.keep()
	return hex.EncodeToString(h.Sum(nil)), nil
}

// thisProgram tells this program from others.
func thisProgram() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	// Builds between two commits have one version.
	return fmt.Sprintf("%s\n%d %d\n", thisBuild(), info.Size(), info.ModTime().UnixNano()), nil
}

// digestFiles adds the names of all files of a folder to a digest, and the content of those that a listing is made of.
func digestFiles(h hash.Hash, dir string, fsys fs.FS, s *sums) error {
	return fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "." {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(e.Name(), ".") && name != "." {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		fmt.Fprintf(h, "%q %v\n", name, e.IsDir())
		if ext := filepath.Ext(name); e.IsDir() || ext != ".json" && ext != ".toml" {
			return nil
		}
		sum, err := s.of(dir+"/"+name, e, func() ([]byte, error) { return fs.ReadFile(fsys, name) })
		fmt.Fprintln(h, sum)
		return err
	})
}
