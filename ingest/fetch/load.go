package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/go-github/v92/github"
)

// tries is how often an artifact is continued after its connection was cut.
const tries = 6

// load brings one artifact: into name.part first, which the next load continues, and under its own name only
// when all of it is there and has the digest that the API says.
type load struct {
	f    *fetcher
	a    *Artifact
	want *github.Artifact
	name string
}

func (l *load) run(ctx context.Context) error {
	for _, name := range []string{l.name, l.name + ".zip"} {
		if l.whole(name) {
			l.a.File, l.a.Kept = name, true
			return nil
		}
	}
	part := l.name + ".part"
	again := false // whether a part was thrown away that did not have its digest
	for try := 1; ; try++ {
		err := l.more(ctx, part)
		var status *statusError
		switch {
		case err == nil && !l.sound(part) && again:
			_ = l.f.dir.Remove(part)
			return fmt.Errorf("artifact %q: what was loaded has not the digest %s", l.a.Name, l.want.GetDigest())
		case err == nil && !l.sound(part):
			// A part of another load may be of other bytes: once more from the beginning.
			again = true
			if err := l.f.dir.Remove(part); err != nil {
				return err
			}
			continue
		case err == nil:
			return l.end(part)
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errGone), errors.Is(err, errTooLarge), errors.As(err, &status) && status.final(),
			try == tries:
			return fmt.Errorf("artifact %q: %w", l.a.Name, err)
		}
		if err := l.pause(ctx, try, err); err != nil {
			return err
		}
	}
}

// pause waits before a load goes on.
func (l *load) pause(ctx context.Context, try int, why error) error {
	d := time.Second << try
	if l.f.o.Wait != nil {
		l.f.o.Wait(d, why.Error())
	}
	if l.f.o.Sleep != nil {
		return l.f.o.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// statusError is an answer that is no content.
type statusError struct{ code int }

func (e *statusError) Error() string { return fmt.Sprintf("the server says %d", e.code) }

// final reports whether asking again cannot help. An address of a download is good for minutes only: what is
// refused there is asked for anew.
func (e *statusError) final() bool {
	return e.code == http.StatusNotFound || e.code == http.StatusUnauthorized
}

var errTooLarge = errors.New("it is larger than the API says: nothing of it is kept")

// more loads what a part lacks.
func (l *load) more(ctx context.Context, part string) error {
	at, err := l.address(ctx)
	if err != nil {
		return err
	}
	file, err := l.f.dir.OpenFile(part, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	have, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return err
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	resp, err := l.f.web.Do(req)
	if err != nil {
		return hidden(err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		have = 0
	case http.StatusPartialContent:
		if !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) {
			return l.drop(file, part)
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if l.sound(part) {
			return nil // all of it was there
		}
		return l.drop(file, part)
	case http.StatusGone:
		return errGone
	default:
		return &statusError{resp.StatusCode}
	}
	if err := file.Truncate(have); err != nil {
		return err
	}
	if _, err := file.Seek(have, io.SeekStart); err != nil {
		return err
	}
	return l.copy(file, part, resp, have)
}

// copy writes the body of an answer behind what is there.
func (l *load) copy(file *os.File, part string, resp *http.Response, have int64) error {
	total := int64(0)
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	most := int64(maxBytes)
	if n := l.want.GetSizeInBytes(); n > 0 {
		most = n + 1<<20 // the size that the API says may leave out the archive's own bytes
	}
	n, err := io.Copy(file, &counted{r: io.LimitReader(resp.Body, most-have+1), n: have, tell: func(done int64) {
		if l.f.o.Progress != nil {
			l.f.o.Progress(l.a, done, total)
		}
	}})
	if have+n > most {
		_ = l.f.dir.Remove(part)
		return errTooLarge
	}
	if err != nil {
		return err
	}
	return file.Sync()
}

// drop throws a part away that nothing can be added to.
func (l *load) drop(file *os.File, part string) error {
	file.Close()
	if err := l.f.dir.Remove(part); err != nil {
		return err
	}
	return errors.New("what was there of it could not be continued")
}

// address is where the bytes lie. The API redirects there, for some minutes.
func (l *load) address(ctx context.Context) (*url.URL, error) {
	at, resp, err := l.f.api.Actions.DownloadArtifact(ctx, l.f.q.Owner, l.f.q.Repo, l.a.ID, 3)
	switch {
	case err == nil:
		return at, nil
	case resp == nil || resp.Response == nil:
		return nil, hidden(err)
	case resp.StatusCode == http.StatusGone:
		return nil, errGone
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, errors.New("a token that may read actions is needed to load artifacts: it is read from " +
			"GITHUB_TOKEN or GH_TOKEN")
	}
	return nil, &statusError{resp.StatusCode}
}

// hidden is an error of a request without its address, which is signed: who has it may load the artifact.
func hidden(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// end gives a part its name: with .zip where it is an archive.
func (l *load) end(part string) error {
	file, err := l.f.dir.Open(part)
	if err != nil {
		return err
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(file, head)
	info, err := file.Stat()
	file.Close()
	if err != nil {
		return err
	}
	name := l.name
	if h := string(head[:n]); (h == "PK\x03\x04" || h == "PK\x05\x06") &&
		!strings.HasSuffix(strings.ToLower(name), ".zip") {
		name += ".zip"
	}
	if err := l.f.dir.Rename(part, name); err != nil {
		return err
	}
	l.a.File, l.a.Bytes = name, info.Size()
	return nil
}

// whole reports whether a file is there that is the artifact.
func (l *load) whole(name string) bool {
	info, err := l.f.dir.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if l.want.GetDigest() == "" {
		return info.Size() == l.want.GetSizeInBytes()
	}
	return l.sound(name)
}

// sound reports whether a file has the digest of the artifact; without a digest every file has.
func (l *load) sound(name string) bool {
	want, ok := strings.CutPrefix(l.want.GetDigest(), "sha256:")
	if !ok {
		return true
	}
	file, err := l.f.dir.Open(name)
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return false
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return false
	}
	return strings.EqualFold(hex.EncodeToString(h.Sum(nil)), want)
}

// counted tells how many bytes have gone through.
type counted struct {
	r    io.Reader
	n    int64
	tell func(int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.tell(c.n)
	return n, err
}
