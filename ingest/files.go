package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// Limits bound what archives may unpack to. A zero member means that of [DefaultLimits]. What
// exceeds a limit is reported and left out; the rest is read.
type Limits struct {
	// Unpacked is how many bytes one archive given as input may unpack to in all, archives
	// inside it included.
	Unpacked int64
	// Member is how many bytes one file may have, in an archive or not: a file of a known
	// format is read into memory whole.
	Member int64
	// Ratio is how many times its own size an archive, or a member, may unpack to. What
	// unpacks to less than a mebibyte is never refused for its ratio.
	Ratio int
	// Members is how many members one archive given as input may have, archives inside it
	// included.
	Members int
	// Depth is how deep archives may lie in each other: 1 means none inside another.
	Depth int
}

// DefaultLimits are used where a limit is zero.
var DefaultLimits = Limits{Unpacked: 16 << 30, Member: 1 << 30, Ratio: 1000, Members: 100_000, Depth: 3}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	if l.Unpacked > 0 {
		d.Unpacked = l.Unpacked
	}
	if l.Member > 0 {
		d.Member = l.Member
	}
	if l.Ratio > 0 {
		d.Ratio = l.Ratio
	}
	if l.Members > 0 {
		d.Members = l.Members
	}
	if l.Depth > 0 {
		d.Depth = l.Depth
	}
	return d
}

// Input is one file, directory or text to read.
type Input struct {
	// Name is the path as the user gave it, with forward slashes; paths in records begin with it.
	Name string
	// FS holds the input at Root, a file or a directory; an empty Root is ".".
	FS   fs.FS
	Root string
	// Data is read where FS is nil: standard input, whose Name is "-".
	Data []byte
}

// File is a temporary file. Close removes it.
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer
}

// Options say how to read. The zero Options know no format.
type Options struct {
	Formats []*reading.Format
	Limits  Limits
	// Workers is how many files are read at once; 0 is one a processor. The result is the same
	// for every number.
	Workers int
	// TempFile makes a file for an archive inside an archive that is larger than 64 MiB. Where
	// it is nil, such an archive is reported and left out.
	TempFile func() (File, error)
	// Sidecar says which base names are settings (run.toml): they are collected and not offered
	// to formats.
	Sidecar func(base string) bool
	// Skip says which directories are passed over with all that is below them, by their paths as
	// they are reached: what the program wrote itself. Nil passes over none.
	Skip func(path string) bool
	// Progress, if set, is called after each file, never twice at a time.
	Progress func(Progress)
	// Panics lets panics of formats through instead of reporting the file: for tests.
	Panics bool
	// Folded leaves the results of a file with many of them folded, for [normalize.Catalog], which opens those of a run
	// when it makes the run: see [record.Folder].
	Folded bool
}

// Progress is how far reading has come.
type Progress struct {
	Files int   // files done, members of archives counted each
	Bytes int64 // bytes in them, unpacked
	// Done and Total are bytes of the inputs as they lie there, packed; Total is known from the
	// beginning and Done comes close to it.
	Done, Total int64
}

// SidecarFormat is the FileStatus.Format of sidecars.
const SidecarFormat = "sidecar"

// FileStatus is what became of one file. It is read when Ignored is empty and Errors is 0.
type FileStatus struct {
	Path string `json:"path"`
	// SHA256 is in lower-case hex, of the unpacked bytes; empty where the file was not read.
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size"` // in bytes, unpacked; -1 where it was not read and is not known
	// Format is the name of the format that claimed the file, SidecarFormat for a sidecar and
	// for an archive its kind: "zip", "tar.gz".
	Format string `json:"format,omitempty"`
	// Ignored is why no format read the file, or why the one that claimed it takes nothing of it.
	Ignored string `json:"ignored,omitempty"`
	// Errors counts its *SyntaxError records.
	Errors int `json:"errors,omitempty"`
}

// SidecarFile is a file with settings, as read.
type SidecarFile struct {
	Path string
	Data []byte
}

// Reading is everything that was read, in the order of paths.
type Reading struct {
	Records []record.Record
	// Files has one entry for each file that is no archive, Archives one for each that is.
	Files    []FileStatus
	Archives []FileStatus
	Sidecars []SidecarFile
	// Bytes is the sum of the sizes of Files that were read.
	Bytes int64
	// Unreadable counts the files and directories that the machine did not give. Each has an entry in Files
	// and a *SyntaxError.
	Unreadable int
}

// Read reads files, directories and archives. Directories are walked in the order of names;
// symbolic links are not followed and directories named ".git" are skipped. A malformed file is
// a record in the result, and so is one that cannot be opened; the returned error means that an input
// itself does not exist or that ctx was cancelled.
func Read(ctx context.Context, inputs []Input, o Options) (*Reading, error) {
	found, err := Find(ctx, inputs, o.Skip)
	if err != nil {
		return nil, err
	}
	return ReadFound(ctx, inputs, found, o)
}

// Found is a file or archive below an input, which nobody has opened.
type Found struct {
	// Path is as in Pos.File, Name the file's name in the FS of the input, Input the input's place in the list.
	Path  string `json:"path"`
	Name  string `json:"name"`
	Input int    `json:"input"`
	Size  int64  `json:"size"` // in bytes, -1 where it is not known
	// Ignored is why it is not opened, in words, Failure why it, or the directory, cannot be. Empty for most.
	Ignored string `json:"ignored,omitempty"`
	Failure string `json:"failure,omitempty"`
}

// Find lists the files of inputs in the order in which they are met. A path that was met already, because one
// input lies in another, is not listed twice. Skip says which directories are passed over, as [Options.Skip].
// The error is as of [Read].
func Find(ctx context.Context, inputs []Input, skip func(path string) bool) ([]Found, error) {
	l := listing{met: map[string]bool{}}
	for i, in := range inputs {
		if in.FS == nil {
			l.given(i, in)
		} else if err := in.find(ctx, skip, func(f Found) { l.add(i, f) }); err != nil {
			return nil, err
		}
	}
	return l.found, nil
}

// Given lists inputs without an FS, as [Find] does. A browser has no directories, and loads nothing that walks them.
func Given(inputs []Input) []Found {
	l := listing{met: map[string]bool{}}
	for i, in := range inputs {
		l.given(i, in)
	}
	return l.found
}

// listing lists each path once.
type listing struct {
	found []Found
	met   map[string]bool
}

func (l *listing) add(input int, f Found) {
	if f.Input = input; !l.met[f.Path] {
		l.met[f.Path] = true
		l.found = append(l.found, f)
	}
}

func (l *listing) given(input int, in Input) {
	l.add(input, Found{Path: in.Name, Size: int64(len(in.Data))})
}

// find walks one input.
func (in *Input) find(ctx context.Context, skip func(string) bool, add func(Found)) error {
	root := in.Root
	if root == "" {
		root = "."
	}
	name := path.Clean(in.Name)
	return fs.WalkDir(in.FS, root, func(at string, d fs.DirEntry, err error) error {
		if cancelled := ctx.Err(); cancelled != nil {
			return cancelled
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(at, root), "/")
		if root == "." {
			rel = at
		}
		full := path.Join(name, rel)
		if err == nil && d.IsDir() && skip != nil && skip(full) {
			return fs.SkipDir
		}
		if err != nil {
			if full == name {
				return fileError(full, err)
			}
			f := Found{Path: full, Name: at, Size: -1, Failure: unreadableText(err)}
			if !utf8.ValidString(full) { // which no folder can be opened by
				f.Path, f.Failure = presentable(full)
			}
			add(f)
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" && at != root {
				return fs.SkipDir
			}
			return nil
		}
		f := Found{Name: at, Size: -1}
		if f.Path, f.Ignored = presentable(full); f.Ignored == "" {
			f.Ignored = irregular(d.Type())
		}
		if info, err := d.Info(); err != nil {
			f.Failure = unreadableText(err)
		} else if f.Ignored == "" {
			f.Size = info.Size()
		}
		add(f)
		return nil
	})
}

// ReadFound reads files that [Find] found in these inputs; of inputs without files among them nothing is asked. The
// readings of several lists are put together by [Join]. The error means that ctx was cancelled or that this machine
// has no room for a temporary file.
func ReadFound(ctx context.Context, inputs []Input, found []Found, o Options) (*Reading, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Limits = o.Limits.orDefault()
	p := newPool(ctx, o)
	for i, f := range found {
		in := &inputs[f.Input]
		p.tops = append(p.tops, topFile{Found: f, index: i, fsys: in.FS, data: in.Data})
		p.progress.Total += max(0, f.Size)
	}
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.reading(), nil
}

// fileError names the path as the user knows it and not as the file system does.
func fileError(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// irregular says in words why something is no file to read, "" for a regular file.
func irregular(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "symbolic link: not followed"
	case m&fs.ModeType != 0:
		return "neither a file nor a directory"
	}
	return ""
}

// presentable returns name as it can be shown in a message on one line. Where it had to be
// quoted for that, reason says in words why the file is ignored.
func presentable(name string) (shown, reason string) {
	switch {
	case !utf8.ValidString(name):
		return strconv.Quote(name), "its name is not UTF-8: rename it"
	case strings.ContainsFunc(name, unicode.IsControl):
		return strconv.Quote(name), "its name holds control characters: rename it"
	}
	return name, ""
}

// reading sorts what was read by path. Members of an archive that bear the same name, which
// archives allow, keep their order.
func (p *pool) reading() *Reading {
	p.untorn()
	slices.SortStableFunc(p.results, func(a, b *fileResult) int {
		if c := strings.Compare(a.status.Path, b.status.Path); c != 0 {
			return c
		}
		if a.top != b.top {
			return a.top - b.top
		}
		return a.seq - b.seq
	})
	r := &Reading{}
	for _, f := range p.results {
		for _, rec := range f.records {
			switch rec := rec.(type) {
			case *record.SyntaxError:
				f.status.Errors++
			case *record.Result:
				if !p.o.Folded {
					rec.Open()
				}
			}
		}
		r.Records = append(r.Records, f.records...)
		if f.unreadable {
			r.Unreadable++
		}
		if f.archive {
			r.Archives = append(r.Archives, f.status)
			continue
		}
		r.Files = append(r.Files, f.status)
		if f.status.SHA256 != "" {
			r.Bytes += f.status.Size
		}
		if f.sidecar != nil {
			r.Sidecars = append(r.Sidecars, SidecarFile{Path: f.status.Path, Data: f.sidecar})
		}
	}
	return r
}
