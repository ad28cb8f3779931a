package incremental

import (
	"bytes"
	"encoding/json"
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

// Compare is Unchanged for a page of which the parts told are known: its parameters, fragments and files are made. A
// page of which one cannot be made has changed: rendering it says why.
func (b *Build) Compare(name string, of Digest, told Parts, p *page.Page) (Kept, bool, error) {
	if u, ok := b.last[name]; !ok || !partsOf(p, told) || u.made != told.Digest() {
		return Kept{}, false, nil
	}
	return b.Unchanged(name, of, told.Digest())
}

// partsOf adds the parts of a page that are made when it is rendered; false where one cannot be made.
func partsOf(p *page.Page, parts Parts) (made bool) {
	defer func() {
		if recover() != nil {
			made = false
		}
	}()
	w := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(w)
	if p.Params != nil {
		params, err := json.Marshal(p.Params)
		if err != nil {
			return false
		}
		parts[ParamsPart] = Sum(params)
	}
	for name, fragment := range p.Fragments {
		w.Reset()
		if fragment(w) != nil {
			return false
		}
		parts[FragmentPart(name)] = Sum(w.Bytes())
	}
	if p.Files == nil {
		return true
	}
	for f := range p.Files {
		w.Reset()
		if f.Write(w) != nil {
			return false
		}
		parts[FilePart(f.Path)] = Sum(w.Bytes())
	}
	return true
}
