package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Brought is what became of one catalog.
type Brought struct {
	settings.Pin
	// Kept is set where all of it was there already.
	Kept bool
	// LeftOut says which of its runs are not taken, and why; Damaged of which the raw records are not.
	LeftOut, Damaged []error
}

// Catalog brings what another catalog publishes into a directory, as files that are named by their digests: its index
// and its archives. Pinned is the digest that the index must have, "" for any: where all of it is there already,
// nothing is asked for. What is there of other states of the catalog is not loaded again. With an error, nothing in
// the directory counts that did not count before: an index lies there only after all of it was found right.
func Catalog(ctx context.Context, dir *os.Root, at, pinned string, o Options) (*Brought, error) {
	if pinned != "" {
		if b, err := brought(dir.FS(), at, pinned); err == nil {
			b.Kept = true
			return b, nil
		}
	}
	web := patient(&http.Client{CheckRedirect: follow}, o)
	text, err := loadIndex(ctx, web, at)
	if err != nil {
		return nil, err
	}
	sum := federation.Sum(text)
	if pinned != "" && sum != pinned {
		return nil, fmt.Errorf("the catalog has another state now than the one that is pinned, %s: 'inferdex fetch --update' "+
			"takes the one that it has now", pinned)
	}
	ix, err := federation.Parse(text)
	if err != nil {
		return nil, err
	}
	kept := true
	for _, p := range ix.Parts {
		l := &load{dir: dir, web: web, o: o, what: fmt.Sprintf("%q", p.Path), part: p.SHA256 + ".part", digest: "sha256:" + p.SHA256,
			most: p.Bytes, address: func(context.Context) (*url.URL, error) { return below(at, p.Path) }}
		if o.Progress != nil {
			l.progress = func(done, total int64) { o.Progress(&Artifact{Name: at}, done, total) }
		}
		if l.whole(p.SHA256, p.Bytes) {
			continue
		}
		kept = false
		err := l.run(ctx)
		if err == nil {
			err = dir.Rename(l.part, p.SHA256)
		}
		if err != nil {
			return nil, err
		}
	}
	damaged, err := federation.Verify(ix, parts(dir.FS(), ix))
	if err != nil {
		return nil, err
	}
	if same(dir.FS(), federation.File{Path: sum, SHA256: sum, Bytes: int64(len(text))}) != nil {
		kept = false
		if err := errors.Join(dir.WriteFile(sum+".part", text, 0o666), dir.Rename(sum+".part", sum)); err != nil {
			return nil, err
		}
	}
	b, err := brought(dir.FS(), at, sum)
	if err != nil {
		return nil, err
	}
	b.Kept, b.Damaged = kept, damaged
	return b, nil
}

// follow lets a redirection lead anywhere but from https to http.
func follow(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > 5:
		return errors.New("more than five redirections")
	case via[0].URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("it leads from https to %q", req.URL.Scheme)
	}
	return nil
}

// below is the address of a file of a catalog.
func below(at, name string) (*url.URL, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	return u.JoinPath(strings.Split(name, "/")...), nil
}

// loadIndex asks for the index of a catalog.
func loadIndex(ctx context.Context, web *http.Client, at string) ([]byte, error) {
	u, err := below(at, federation.IndexFile)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := web.Do(req)
	if err != nil {
		return nil, hidden(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("there is no %s: it must be the address of the folder data/ of a site that inferdex built",
			federation.IndexFile)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, &statusError{resp.StatusCode}
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, federation.MaxIndex+1))
	if err == nil && len(text) > federation.MaxIndex {
		err = fmt.Errorf("the index has more than %d bytes", federation.MaxIndex)
	}
	return text, err
}

// Runs are the ids of the runs of a catalog that [Catalog] brought into a directory; none where its index is missing or
// damaged.
func Runs(dir fs.FS, pin settings.Pin) (ids []string) {
	ix, err := index(dir, pin.SHA256)
	if err != nil {
		return nil
	}
	for _, r := range ix.Runs {
		ids = append(ids, r.ID)
	}
	return ids
}

// Member opens a catalog that [Catalog] brought into a directory. Runs that break a rule are left out, and said. An
// error says that a file is missing or damaged.
func Member(dir fs.FS, pin settings.Pin) (m federation.Member, leftOut []error, err error) {
	ix, err := index(dir, pin.SHA256)
	if err != nil {
		return m, nil, err
	}
	for _, p := range ix.Parts {
		if err := same(dir, p); err != nil {
			return m, nil, err
		}
	}
	c, leftOut, err := federation.Open(ix, parts(dir, ix))
	return federation.Member{URL: pin.URL, Index: ix, Catalog: c}, leftOut, err
}

func brought(dir fs.FS, at, sum string) (*Brought, error) {
	b := &Brought{Pin: settings.Pin{URL: at, SHA256: sum}}
	m, leftOut, err := Member(dir, b.Pin)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(dir, sum)
	if err != nil {
		return nil, err
	}
	b.LeftOut, b.Runs, b.Bytes = leftOut, int64(len(m.Catalog.Runs)), info.Size()
	for _, p := range m.Index.Parts {
		b.Bytes += p.Bytes
	}
	return b, nil
}

// index reads an index that is there.
func index(dir fs.FS, sum string) (*federation.Index, error) {
	if !fs.ValidPath(sum) || path.Base(sum) != sum {
		return nil, fmt.Errorf("%q is no digest", sum)
	}
	info, err := fs.Stat(dir, sum)
	if err != nil {
		return nil, err
	}
	if err := same(dir, federation.File{Path: sum, SHA256: sum, Bytes: info.Size()}); err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(dir, sum)
	if err != nil {
		return nil, err
	}
	return federation.Parse(text)
}

// same reports whether the file of a digest is there with this content.
func same(dir fs.FS, f federation.File) error {
	file, err := dir.Open(f.SHA256)
	if err != nil {
		return err
	}
	defer file.Close()
	sum, n, err := federation.SumOf(file)
	if err == nil && (sum != f.SHA256 || n != f.Bytes) {
		err = fmt.Errorf("%s is damaged", f.SHA256)
	}
	return err
}

// parts are the archives of an index.
func parts(dir fs.FS, ix *federation.Index) func(i int) io.ReaderAt {
	return func(i int) io.ReaderAt { return lying{dir, ix.Parts[i].SHA256} }
}

// lying is a file that is open only while it is read: a build reads records of runs until its end, and a program that
// serves a site builds it often.
type lying struct {
	dir  fs.FS
	name string
}

func (l lying) ReadAt(p []byte, off int64) (int, error) {
	f, err := l.dir.Open(l.name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, ok := f.(io.ReaderAt)
	if !ok {
		return 0, &fs.PathError{Op: "read", Path: l.name, Err: errors.ErrUnsupported}
	}
	return r.ReadAt(p, off)
}

// Sweep removes the files of a directory that none of the pinned catalogs has: those of former states, and parts of
// loads that nobody continues.
func Sweep(dir *os.Root, pins []settings.Pin) error {
	used := map[string]bool{}
	for _, p := range pins {
		ix, err := index(dir.FS(), p.SHA256)
		if err != nil {
			return err
		}
		used[p.SHA256] = true
		for _, f := range ix.Parts {
			used[f.SHA256] = true
		}
	}
	all, err := fs.ReadDir(dir.FS(), ".")
	for _, f := range all {
		if !used[f.Name()] && !f.IsDir() {
			err = errors.Join(err, dir.Remove(f.Name()))
		}
	}
	return err
}
