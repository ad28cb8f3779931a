// Package pipeline makes a catalog as a Beam pipeline: what ingest does with all files on one machine is done file by
// file and part by part, on as many as a runner has.
package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/beam/bucket"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Job is what all workers know. It travels with every step.
type Job struct {
	// Inputs are paths and addresses as given: "results", "file:///data", "gs://bucket/folder", "s3://bucket/folder".
	Inputs []string
	// Output is where the files of the catalog go, in the same forms.
	Output string
	// Config is inferdex.toml; Names are files of data/names, Notes those of data/notes, and Sidecars the run.toml and
	// SOURCE.toml in directories above the inputs, by path. Each may be empty.
	Config                 []byte
	Names, Notes, Sidecars map[string][]byte
	// Workers is how many files one machine reads at once, 0 for one a processor.
	Workers int
	// Breaks names a file by which the step that writes runs breaks off once, when it has written those of a part, and
	// never again; BreaksHard ends its process instead. For tests.
	Breaks     string
	BreaksHard bool
	// Twice makes every step that writes do it twice at one time, as where a runner gives a bundle that is slow to a
	// second worker. For tests.
	Twice bool
}

// breakOff breaks off where it is asked to.
func (j *Job) breakOff() error {
	if j.Breaks == "" {
		return nil
	}
	f, err := os.OpenFile(j.Breaks, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if j.BreaksHard {
		os.Exit(137)
	}
	return errors.Join(f.Close(), errors.New("broken off, as a test asks for"))
}

// Load adds what lies in the folder of a catalog, "" for none, and the sidecars in directories above inputs on this
// machine's disk. It checks inferdex.toml; of what cannot be read the error is an [fs.PathError].
func (j *Job) Load(catalog string) error {
	j.Names, j.Notes, j.Sidecars = map[string][]byte{}, map[string][]byte{}, map[string][]byte{}
	read := func(to map[string][]byte, folder string) error {
		files, err := os.ReadDir(filepath.Join(catalog, filepath.FromSlash(folder)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for _, f := range files {
			name := path.Join(folder, f.Name())
			if path.Ext(name) != ".toml" {
				continue
			}
			var failed error
			to[name], failed = os.ReadFile(filepath.Join(catalog, filepath.FromSlash(name)))
			err = errors.Join(err, failed)
		}
		return err
	}
	if catalog != "" {
		var err error
		if j.Config, err = os.ReadFile(filepath.Join(catalog, "inferdex.toml")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := errors.Join(read(j.Names, "data/names"), read(j.Notes, "data/notes")); err != nil {
			return err
		}
	}
	for _, address := range j.Inputs {
		if err := j.above(address); err != nil {
			return err
		}
	}
	_, _, err := j.config()
	return err
}

// above reads the sidecars in the directories above an input.
func (j *Job) above(address string) error {
	p, ok := bucket.Local(address)
	for dir := filepath.Dir(filepath.Clean(p)); ok; dir = filepath.Dir(dir) {
		for _, base := range []string{settings.RunFile, settings.SourceFile} {
			name := filepath.Join(dir, base)
			data, err := os.ReadFile(name)
			if err == nil {
				j.Sidecars[filepath.ToSlash(name)] = data
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if dir == filepath.Dir(dir) || strings.HasSuffix(dir, "..") {
			break
		}
	}
	return nil
}

// config reads inferdex.toml, and gives the formats with the tables that it maps.
func (j *Job) config() (*settings.Config, []*reading.Format, error) {
	c, wrong := settings.LoadConfig(j.Config, "inferdex.toml")
	formats, more := format.Mapped(c.Tables)
	if wrong = append(wrong, more...); len(wrong) > 0 {
		return nil, nil, errors.New(wrong[0].String())
	}
	return c, formats, nil
}

// options are those of normalize. Sidecars are those that were read beside the job's own.
func (j *Job) options(sidecars []ingest.SidecarFile) (normalize.Options, error) {
	o := normalize.Options{Pack: catalog.Gzip}
	var err error
	if o.Config, o.Formats, err = j.config(); err != nil {
		return o, err
	}
	own, err := fs.Sub(inferdex.Files, "data")
	if err != nil {
		return o, err
	}
	theirs := fstest.MapFS{}
	for name, data := range j.Names {
		theirs["names/"+path.Base(name)] = &fstest.MapFile{Data: data}
	}
	o.Names, _ = settings.LoadNames(own, theirs)
	o.Notes, _ = settings.LoadNotes(j.Notes)
	all := map[string][]byte{}
	for name, data := range j.Sidecars {
		all[name] = data
	}
	for _, s := range sidecars {
		all[s.Path] = s.Data
	}
	o.Sidecars, _ = settings.LoadSidecars(all)
	for _, address := range j.Inputs {
		o.Inputs = append(o.Inputs, bucket.Name(address))
	}
	return o, nil
}

// open opens the inputs.
func (j *Job) open(ctx context.Context) ([]ingest.Input, error) {
	var out []ingest.Input
	for _, address := range j.Inputs {
		in, err := bucket.Input(ctx, address)
		if err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// reading says how files are read.
func (j *Job) reading() (ingest.Options, error) {
	c, formats, err := j.config()
	if err != nil {
		return ingest.Options{}, err
	}
	l := c.Limits
	return ingest.Options{Formats: formats, Sidecar: settings.IsSidecar, Workers: j.Workers, TempFile: bucket.Temporary,
		Limits: ingest.Limits{Unpacked: l.Unpacked, Member: l.Member, Ratio: l.Ratio, Members: l.Members, Depth: l.Depth},
	}, nil
}
