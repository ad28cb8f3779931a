package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/record"
)

// Split parts a reading into one a path, in the order of paths: what became of a file, and its records. [Join] puts
// them together again.
func (r *Reading) Split() []*Reading {
	byPath := map[string]*Reading{}
	var out []*Reading
	at := func(path string) *Reading {
		x := byPath[path]
		if x == nil {
			x = &Reading{}
			byPath[path], out = x, append(out, x)
		}
		return x
	}
	for _, f := range r.Files {
		x := at(f.Path)
		x.Files = append(x.Files, f)
		if f.SHA256 != "" {
			x.Bytes += f.Size
		}
	}
	for _, f := range r.Archives {
		x := at(f.Path)
		x.Archives = append(x.Archives, f)
	}
	for _, f := range r.Sidecars {
		x := at(f.Path)
		x.Sidecars = append(x.Sidecars, f)
	}
	for _, rec := range r.Records {
		x := at(rec.Pos().File)
		x.Records = append(x.Records, rec)
	}
	slices.SortStableFunc(out, func(a, b *Reading) int { return cmp.Compare(a.Path(), b.Path()) })
	return out
}

// Path is that of the one file or archive that a part of [Reading.Split] is of; of several the first, "" for none.
func (r *Reading) Path() string {
	switch {
	case len(r.Files) > 0:
		return r.Files[0].Path
	case len(r.Archives) > 0:
		return r.Archives[0].Path
	case len(r.Records) > 0:
		return r.Records[0].Pos().File
	}
	return ""
}

// Join is what one reading of all files would give. Unreadable is the sum; each path is in one of the parts alone.
func Join(parts []*Reading) *Reading {
	out := &Reading{}
	for _, r := range parts {
		out.Records = append(out.Records, r.Records...)
		out.Files, out.Archives = append(out.Files, r.Files...), append(out.Archives, r.Archives...)
		out.Sidecars = append(out.Sidecars, r.Sidecars...)
		out.Bytes, out.Unreadable = out.Bytes+r.Bytes, out.Unreadable+r.Unreadable
	}
	byPath := func(a, b FileStatus) int { return cmp.Compare(a.Path, b.Path) }
	order.Stable(out.Files, byPath)
	order.Stable(out.Archives, byPath)
	order.Stable(out.Sidecars, func(a, b SidecarFile) int { return cmp.Compare(a.Path, b.Path) })
	order.Stable(out.Records, func(a, b record.Record) int { return cmp.Compare(a.Pos().File, b.Pos().File) })
	return out
}

// kinded is a record as it travels: JSON beside the name of its kind.
type kinded struct {
	Kind   string          `json:"kind"`
	Record json.RawMessage `json:"record"`
}

// Encode writes a reading so that another process can go on with it. Nothing is redacted yet.
func (r *Reading) Encode() ([]byte, error) {
	type plain Reading
	list := make([]kinded, len(r.Records))
	for i, rec := range r.Records {
		b, err := compact(rec)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rec.Pos(), err)
		}
		list[i] = kinded{rec.Kind(), b}
	}
	return compact(struct {
		*plain
		Records []kinded
	}{(*plain)(r), list})
}

// compact is v as JSON that holds the raw records as they are: without HTML escapes.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// DecodeReading reads what [Reading.Encode] wrote.
func DecodeReading(data []byte) (*Reading, error) {
	type plain Reading
	r := &Reading{}
	in := struct {
		*plain
		Records []kinded
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	for i, x := range in.Records {
		rec := record.New(x.Kind)
		switch x.Kind {
		case (*record.Ignored)(nil).Kind():
			rec = &record.Ignored{}
		case (*record.SyntaxError)(nil).Kind():
			rec = &record.SyntaxError{}
		}
		if rec == nil {
			return nil, fmt.Errorf("record %d is of the unknown kind %q", i+1, x.Kind)
		}
		if err := json.Unmarshal(x.Record, rec); err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		r.Records = append(r.Records, rec)
	}
	return r, nil
}
