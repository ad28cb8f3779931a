package incremental

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/site/page"
)

// ParamsPart is the name of the part of a page that its parameters are, as JSON.
const ParamsPart = "params"

// FragmentPart is the name of the part of a page that a fragment is.
func FragmentPart(name string) string { return "fragment " + name }

// FilePart is the name of the part of a page that a file of it is.
func FilePart(path string) string { return "file " + path }

// buffers are reused: a page has many fragments.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostHeld bounds what [Build.Compare] holds of pages, in bytes: after an edit of all pages it holds some of them.
const mostHeld = 64 << 20

// Compare is Unchanged for a page of which the parts told are known: its parameters, fragments and files are made. Where
// they are not those of the last build, made is the page with them, so that they are not made again when it is rendered;
// nil where others take the room. A page of which one cannot be made has changed: rendering it says why.
func (b *Build) Compare(name string, of Digest, told Parts, p *page.Page) (kept Kept, same bool, made *page.Page, err error) {
	u, ok := b.last[name]
	if !ok {
		return Kept{}, false, nil, nil
	}
	made, size := partsOf(p, told)
	if made == nil {
		return Kept{}, false, nil, nil
	}
	if u.made == told.Digest() {
		if kept, same, err = b.Unchanged(name, of, u.made); same || err != nil {
			return kept, same, nil, err
		}
	}
	if b.held.Add(size) > mostHeld {
		b.held.Add(-size)
		made = nil
	}
	return Kept{}, false, made, nil
}

// partsOf adds the parts of a page that are made when it is rendered. It returns the page with them as they were made
// and their size in bytes, nil where one cannot be made.
func partsOf(p *page.Page, parts Parts) (made *page.Page, size int64) {
	defer func() {
		if recover() != nil {
			made = nil
		}
	}()
	w := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(w)
	if p.Params != nil {
		params, err := json.Marshal(p.Params)
		if err != nil {
			return nil, 0
		}
		parts[ParamsPart] = Sum(params)
	}
	written := func(name string, write func(io.Writer) error) func(io.Writer) error {
		w.Reset()
		if write(w) != nil {
			return nil
		}
		parts[name] = Sum(w.Bytes())
		text := bytes.Clone(w.Bytes())
		size += int64(len(text))
		return func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}
	}
	held := *p
	held.Fragments = make(map[string]page.Fragment, len(p.Fragments))
	for name, fragment := range p.Fragments {
		if held.Fragments[name] = written(FragmentPart(name), fragment); held.Fragments[name] == nil {
			return nil, 0
		}
	}
	if p.Files == nil {
		return &held, size
	}
	var files []page.File
	for f := range p.Files {
		if f.Write = written(FilePart(f.Path), f.Write); f.Write == nil {
			return nil, 0
		}
		files = append(files, f)
	}
	held.Files = slices.Values(files)
	return &held, size
}
