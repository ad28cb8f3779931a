package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
)

// content reads a stream into a buffer and computes its digest on the way.
type content struct {
	r   io.Reader
	ctx context.Context
	buf []byte
	n   int64 // bytes read
	sum interface {
		io.Writer
		Sum([]byte) []byte
	}
	eof bool
}

// chunk is how much is read between two looks at the context, while it is still in the cache
// for the digest.
const chunk = 256 << 10

// grow makes room for n bytes in all. A size that an archive claims is not believed beyond some bound.
func (c *content) grow(n int64, claimed bool) {
	const believe = 64 << 20
	if claimed {
		n = min(n, believe)
	}
	// The chunk more lets read find the end of the file without growing again.
	if n += chunk; n > int64(cap(c.buf)) {
		c.buf = append(make([]byte, 0, n), c.buf...)
	}
}

// read reads until the buffer holds n bytes; at the end of the stream it returns io.EOF.
func (c *content) read(n int64) error {
	if c.sum == nil {
		c.sum = sha256.New()
	}
	for int64(len(c.buf)) < n {
		if c.eof {
			return io.EOF
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		// How much is asked for must not depend on the buffer that the last file left: some
		// readers drop what they read together with an error.
		want := int(min(n-int64(len(c.buf)), chunk))
		c.buf = slices.Grow(c.buf, want)
		free := c.buf[len(c.buf) : len(c.buf)+want]
		m, err := c.r.Read(free)
		c.sum.Write(free[:m])
		c.buf = c.buf[:len(c.buf)+m]
		c.n += int64(m)
		if err == io.EOF {
			c.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// drain reads the rest of the stream, up to that many bytes of the whole, and keeps nothing but its digest.
func (c *content) drain(most int64) error {
	if c.eof {
		return nil
	}
	rest := make([]byte, chunk)
	for c.n <= most {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		m, err := c.r.Read(rest)
		c.sum.Write(rest[:m])
		c.n += int64(m)
		if err == io.EOF {
			c.eof = true
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (c *content) digest() string { return hex.EncodeToString(c.sum.Sum(nil)) }
