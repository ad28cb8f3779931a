package federation

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// Parse reads an index and holds it against its rules, so that nothing in it leads elsewhere or is larger than a
// catalog may be.
func Parse(data []byte) (*Index, error) {
	var head struct {
		Version int `json:"inferdex"`
	}
	if len(data) > MaxIndex {
		return nil, fmt.Errorf("the index has more than %d bytes", MaxIndex)
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, damaged(data, err)
	}
	switch {
	case head.Version < 1:
		return nil, errors.New(`no index of a catalog: it has no "inferdex" version`)
	case head.Version > catalog.FormatVersion:
		return nil, fmt.Errorf("version %d: %w", head.Version, catalog.ErrNewer)
	}
	ix := &Index{}
	if err := json.Unmarshal(data, ix); err != nil {
		return nil, damaged(data, err)
	}
	ix.Title, ix.License = words(ix.Title), words(ix.License)
	for i := range ix.Withdrawn {
		if ix.Withdrawn[i].Reason = words(ix.Withdrawn[i].Reason); !catalog.ValidID(ix.Withdrawn[i].ID) {
			return nil, fmt.Errorf("%q is withdrawn and is no id of a run", clip(ix.Withdrawn[i].ID))
		}
	}
	if err := ix.check(); err != nil {
		return nil, err
	}
	return ix, nil
}

// damaged says where an index is damaged that json refused.
func damaged(data []byte, err error) error {
	p := catalog.Damage(data, err, 0)
	p.File, p.Message = IndexFile, "no index of a catalog: "+p.Message
	return p
}

// words is a text of one line, of a length that a page can show.
func words(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > maxWords {
		return string(r[:maxWords-1]) + "…"
	}
	return s
}

// clip is a text that an error may quote.
func clip(s string) string { return s[:min(len(s), 80)] }

// check holds the files of an index against the rules.
func (ix *Index) check() error {
	if len(ix.Runs) > maxRuns || len(ix.Withdrawn) > maxRuns || len(ix.Parts) > maxRuns {
		return fmt.Errorf("more than %d runs", maxRuns)
	}
	parts, all := int64(0), int64(0)
	for _, p := range ix.Parts {
		if err := p.check(MaxPart); err != nil {
			return err
		}
		if parts += p.Bytes; parts > maxAll {
			return fmt.Errorf("the archives have more than %d bytes", maxAll)
		}
	}
	ids := map[string]bool{}
	for _, e := range ix.Runs {
		err := e.check(maxRun)
		if err == nil && e.Records != nil {
			err = e.Records.check(maxRecords)
		}
		all += e.Bytes
		switch {
		case err != nil:
			return err
		case !catalog.ValidID(e.ID):
			return fmt.Errorf("%q is no id of a run", clip(e.ID))
		case ids[e.ID]:
			return fmt.Errorf("the run %q stands in the index twice", e.ID)
		case e.Part < 0 || e.Part >= len(ix.Parts):
			return fmt.Errorf("the run %q is in part %d of %d", e.ID, e.Part, len(ix.Parts))
		case idOf(e.Path) != e.ID || path.Ext(e.Path) != ".json":
			return fmt.Errorf("the file %q is not one of the run %q", clip(e.Path), e.ID)
		case e.Records != nil && e.Records.Path != catalog.RawName(e.Path):
			return fmt.Errorf("the file %q has not the records of the run %q", clip(e.Records.Path), e.ID)
		case all > maxAll:
			return fmt.Errorf("the files of all runs have more than %d bytes", maxAll)
		}
		ids[e.ID] = true
	}
	return nil
}

// check holds a file against the rules: most is how many bytes it may have.
func (f File) check(most int64) error {
	sum, err := hex.DecodeString(f.SHA256)
	switch {
	case !fs.ValidPath(f.Path) || strings.ContainsAny(f.Path, `\:`) || len(f.Path) > 512:
		return fmt.Errorf("%q is no path within a catalog", clip(f.Path))
	case err != nil || len(sum) != sha256.Size || f.SHA256 != strings.ToLower(f.SHA256):
		return fmt.Errorf("%q has no SHA-256: %q", f.Path, clip(f.SHA256))
	case f.Bytes < 0 || f.Bytes > most:
		return fmt.Errorf("%q has %d bytes, at most %d are read", f.Path, f.Bytes, most)
	}
	return nil
}

// Verify holds every file in the archives against the index. The error refuses the catalog as a whole: it lies about a
// digest. Damaged are raw records that are as the index states them and cannot be read: they are left out, and their
// runs stay. Part opens an archive by its number.
func Verify(ix *Index, part func(i int) io.ReaderAt) (damaged []error, err error) {
	opened, err := ix.archives(part)
	if err != nil {
		return nil, err
	}
	for _, e := range ix.Runs {
		z := opened[e.Part]
		data, err := member(z, e.File)
		if err != nil {
			return nil, err
		}
		if e.Records == nil {
			continue
		}
		raw, err := member(z, *e.Records)
		if err != nil {
			return nil, err
		}
		var run struct {
			Records string `json:"records_sha256"`
		}
		if json.Unmarshal(data, &run) != nil {
			continue // Open leaves the run out
		}
		if err := records(raw, run.Records); err != nil {
			return nil, fmt.Errorf("%q: %w", e.Records.Path, err)
		}
	}
	c, _, err := ix.open(part)
	if err != nil {
		return nil, err
	}
	for _, r := range c.Runs {
		if _, err := c.Raw(r.ID); err != nil {
			damaged = append(damaged, err)
		}
	}
	return damaged, nil
}

// archives opens the parts and looks whether they have the files of the index and no others.
func (ix *Index) archives(part func(i int) io.ReaderAt) ([]*zip.Reader, error) {
	want := make([]map[string]int64, len(ix.Parts))
	for i := range want {
		want[i] = map[string]int64{}
	}
	for _, e := range ix.Runs {
		want[e.Part][e.Path] = e.Bytes
		if e.Records != nil {
			want[e.Part][e.Records.Path] = e.Records.Bytes
		}
	}
	var opened []*zip.Reader
	for i, p := range ix.Parts {
		z, err := zip.NewReader(part(i), p.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%q: no archive: %w", p.Path, err)
		}
		for _, f := range z.File {
			n, ok := want[i][f.Name]
			if !ok || f.UncompressedSize64 != uint64(n) {
				return nil, fmt.Errorf("%q: the file %q is not in the index, or there with another size", p.Path, clip(f.Name))
			}
			delete(want[i], f.Name)
		}
		if len(want[i]) > 0 {
			return nil, fmt.Errorf("%q: files of the index are missing, %d in all", p.Path, len(want[i]))
		}
		opened = append(opened, z)
	}
	return opened, nil
}

// member reads a file of an archive, which must be that of the index.
func member(z *zip.Reader, f File) ([]byte, error) {
	r, err := z.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, f.Bytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: damaged: %w", f.Path, err)
	case int64(len(data)) != f.Bytes || Sum(data) != f.SHA256:
		return nil, fmt.Errorf("%q has not the digest %s that the index states", f.Path, f.SHA256)
	}
	return data, nil
}

// records looks whether raw records are those that a run states, if it does, and of a size that can be read. Nothing is
// wrong with those that are damaged: they state nothing.
func records(data []byte, sum string) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(z, maxText+1))
	switch {
	case n > maxText:
		return fmt.Errorf("the records have more than %d bytes", maxText)
	case err == nil && sum != "" && hex.EncodeToString(h.Sum(nil)) != sum:
		return errors.New("the records are not those that the run was made of")
	}
	return nil
}

// Open reads the catalog of an index whose archives were verified. Runs that cannot be read or break a rule of
// catalogs are left out, and said; raw records that [Verify] calls damaged are none.
func Open(ix *Index, part func(i int) io.ReaderAt) (*catalog.Catalog, []error, error) {
	c, leftOut, err := ix.open(part)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]Entry{}
	for _, e := range ix.Runs {
		files[e.ID] = e
	}
	read := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := read(id)
		if e := files[id]; err != nil && e.Records != nil {
			// Is it the disk, or what was published?
			z, broken := zip.NewReader(part(e.Part), ix.Parts[e.Part].Bytes)
			if broken == nil {
				_, broken = member(z, *e.Records)
			}
			return nil, broken
		}
		return records, err
	}
	return c, leftOut, nil
}

// open is Open, with an error for records that are damaged.
func (ix *Index) open(part func(i int) io.ReaderAt) (*catalog.Catalog, []error, error) {
	opened, err := ix.archives(part)
	if err != nil {
		return nil, nil, err
	}
	all := &catalog.Catalog{}
	raw := map[string]func(string) ([]catalog.RawRecord, error){}
	var out []error
	for _, z := range opened {
		c, damaged, err := catalog.OpenSound(z)
		if out = append(out, damaged...); err != nil {
			return nil, nil, err
		}
		read := c.Raw
		c.Raw = nil
		broken := map[string]bool{}
		for _, f := range catalog.Lint(c) {
			if !broken[f.Path] {
				broken[f.Path] = true
				out = append(out, &catalog.Problem{File: f.Path, Line: f.Line, Message: f.Message})
			}
		}
		for _, r := range c.Runs {
			if broken[r.Path()] {
				continue
			}
			if len(r.Origins) > 0 { // said by whoever merges
				out = append(out, &catalog.Problem{File: r.Path(), Message: "a run that a catalog gives on states no origins"})
				continue
			}
			all.Runs = append(all.Runs, r)
			raw[r.ID] = func(id string) ([]catalog.RawRecord, error) {
				records, err := read(id)
				if err != nil {
					return nil, err
				}
				// Who publishes them states their digest too.
				if err := catalog.CheckRecords(records); err != nil {
					return nil, fmt.Errorf("%s: %w", r.RawPath(), err)
				}
				return records, nil
			}
		}
	}
	all.Sort()
	all.Raw = func(id string) ([]catalog.RawRecord, error) {
		if raw[id] == nil {
			return nil, nil
		}
		return raw[id](id)
	}
	return all, out, nil
}
