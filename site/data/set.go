package data

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Set is the data of a catalog as programs read it.
type Set struct {
	*view.Site
	said   stated
	claims func() ([]byte, error) // the file of claims
	last   func() *lastSaid       // what the last build stated; nil is not known
	// lastMembers are those of the last build's file of claims.
	lastMembers func() map[string][]byte
	about       export.Described
	before      Last
	models      func() map[string]*figure.Model // by their slugs
	// same are the models that were asked for: whether they are as they were in the last build.
	same struct {
		sync.Mutex
		models map[*figure.Model]bool
	}
}

// Last is what is known of files of the last site that are no pages. The zero value knows none.
type Last struct {
	// Content is that of a file which was made of what the digest of says, "" for anything; false where that is not what
	// was written.
	Content func(name, of string) ([]byte, bool)
	// Size is how many bytes were written of it, wherever the file is now.
	Size func(name, of string) (int64, bool)
}

// Downloads are the files of the whole catalog.
func (s *Set) Downloads() []view.Download { return s.Beside.Downloads }

// lastFile is a file of the last build, made of anything.
func (g *Set) lastFile(path string) []byte {
	text, _ := g.before.Content(path, "")
	return text
}

// lastSize is the size of a file that the last build made of the same; false where it did not.
func (g *Set) lastSize(f page.File) (int64, bool) {
	if f.Of == "" {
		return 0, false
	}
	return g.before.Size(f.Path, f.Of)
}

// packersOf are compressors of a level. They are used again: one takes longer to make than to pack a small file.
func packersOf(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // there is such a level
		}
		return z
	}}
}

var (
	// packers are for files: a higher level takes up to five times as long for a few percent.
	packers = packersOf(6)
	// holders are for what is held for a while.
	holders = packersOf(gzip.BestSpeed)
)

// packed compresses what f writes, with no name and no time in the header: same input, same
// bytes.
func packed(f func(io.Writer) error) func(io.Writer) error { return packedBy(packers, f) }

func packedBy(packers *sync.Pool, f func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := packers.Get().(*gzip.Writer)
		defer packers.Put(z)
		z.Reset(w)
		if err := f(z); err != nil {
			return err
		}
		return z.Close()
	}
}

// kept writes what f wrote at first: the page of downloads asks how large a file is, and the file is
// written later.
func kept(f func(io.Writer) error) func(io.Writer) error {
	written := sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := f(&b)
		return b.Bytes(), err
	})
	return func(w io.Writer) error {
		data, err := written()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
