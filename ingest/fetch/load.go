package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// tries is how often a file is continued after its connection was cut.
const tries = 6

// load brings the bytes of one file into a part, which the next load continues. Who asked for it gives it its name when all
// of it is there and has its digest.
type load struct {
	dir  *os.Root
	web  *http.Client
	o    Options
	what string // for messages: "artifact \"results\""
	part string
	// address says where the bytes lie. It is asked for again before each try.
	address func(context.Context) (*url.URL, error)
	// digest is "sha256:" and hex digits; any other is not known, and then every content is right.
	digest string
	// most is how many bytes it may have.
	most     int64
	progress func(done, total int64) // nil tells nobody
}

// run loads what is not there yet of the part. With no error it is whole and has its digest.
func (l *load) run(ctx context.Context) error {
	again := false // whether a part was thrown away that did not have its digest
	for try := 1; ; try++ {
		err := l.more(ctx)
		var status *statusError
		var final *finalError
		switch {
		case err == nil && !l.sound(l.part) && again:
			_ = l.dir.Remove(l.part)
			return fmt.Errorf("%s: what was loaded has not the digest %s", l.what, l.digest)
		case err == nil && !l.sound(l.part):
			// A part of another load may be of other bytes: once more from the beginning.
			again = true
			if err := l.dir.Remove(l.part); err != nil {
				return err
			}
			continue
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errGone), errors.Is(err, errTooLarge), errors.As(err, &status) && status.final(),
			errors.As(err, &final), try == tries:
			return fmt.Errorf("%s: %w", l.what, err)
		}
		if err := l.pause(ctx, try, err); err != nil {
			return err
		}
	}
}

// pause waits before a load goes on.
func (l *load) pause(ctx context.Context, try int, why error) error {
	d := time.Second << try
	if l.o.Wait != nil {
		l.o.Wait(d, why.Error())
	}
	if l.o.Sleep != nil {
		return l.o.Sleep(ctx, d)
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

// final reports whether asking again cannot help, or the client did so before. An address of a download is good for
// minutes only: what is refused there is asked for anew.
func (e *statusError) final() bool {
	return e.code == http.StatusNotFound || e.code == http.StatusUnauthorized || e.code == http.StatusTooManyRequests ||
		e.code >= http.StatusInternalServerError
}

// finalError is an error after which asking again cannot help, or the client did so before.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

var errTooLarge = errors.New("it is larger than was said before: nothing of it is kept")

// more loads what a part lacks.
func (l *load) more(ctx context.Context) error {
	at, err := l.address(ctx)
	if err != nil {
		return err
	}
	file, err := l.dir.OpenFile(l.part, os.O_CREATE|os.O_RDWR, 0o666)
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
	resp, err := l.web.Do(req)
	if err != nil {
		return &finalError{hidden(err)}
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		have = 0
	case http.StatusPartialContent:
		if !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) {
			return l.drop(file)
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if l.sound(l.part) {
			return nil // all of it was there
		}
		return l.drop(file)
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
	return l.copy(file, resp, have)
}

// copy writes the body of an answer behind what is there.
func (l *load) copy(file *os.File, resp *http.Response, have int64) error {
	total := int64(0)
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	n, err := io.Copy(file, &counted{r: io.LimitReader(resp.Body, l.most-have+1), n: have, tell: func(done int64) {
		if l.progress != nil {
			l.progress(done, total)
		}
	}})
	if have+n > l.most {
		_ = l.dir.Remove(l.part)
		return errTooLarge
	}
	if err != nil {
		return err
	}
	return file.Sync()
}

// drop throws a part away that nothing can be added to.
func (l *load) drop(file *os.File) error {
	file.Close()
	if err := l.dir.Remove(l.part); err != nil {
		return err
	}
	return errors.New("what was there of it could not be continued")
}

// hidden is an error of a request without its address, which is signed: who has it may load the artifact.
func hidden(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// whole reports whether a file is there that is the one to load; bytes are its size where its digest is not known.
func (l *load) whole(name string, bytes int64) bool {
	info, err := l.dir.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if l.digest == "" {
		return info.Size() == bytes
	}
	return l.sound(name)
}

// sound reports whether a file has the digest; where it is not known every file has.
func (l *load) sound(name string) bool {
	want, ok := strings.CutPrefix(l.digest, "sha256:")
	if !ok {
		return true
	}
	file, err := l.dir.Open(name)
	if err != nil {
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
