package ingest

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// ctxReader ends with the context.
type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (c ctxReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// inflaters keeps decompressors: each holds some 100 kB, and a suite has hundreds of members.
var inflaters = sync.Pool{New: func() any {
	in := bufio.NewReaderSize(nil, 64<<10)
	return &inflater{in: in, out: flate.NewReader(in)}
}}

type inflater struct {
	in  *bufio.Reader
	out io.ReadCloser
}

func inflate(r io.Reader) io.ReadCloser {
	f := inflaters.Get().(*inflater)
	f.in.Reset(r)
	_ = f.out.(flate.Resetter).Reset(f.in, nil) // it never fails
	return &inflating{f}
}

// inflating is an inflater in use.
type inflating struct{ f *inflater }

func (i *inflating) Read(b []byte) (int, error) {
	if i.f == nil {
		return 0, fs.ErrClosed
	}
	return i.f.out.Read(b)
}

func (i *inflating) Close() error {
	if i.f != nil {
		i.f.in.Reset(nil)
		inflaters.Put(i.f)
		i.f = nil
	}
	return nil
}

// zip reads a zip archive by its directory.
func (s *scan) zip(name string, b *blob, depth int, res archiveResult) {
	z, err := zip.NewReader(b.r, b.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are checked one by one
		s.salvage(name, b, depth, res)
		return
	}
	z.RegisterDecompressor(zip.Deflate, inflate)
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20)))
	left := s.allowance(b.size)
	for _, f := range z.File {
		if s.p.ctx.Err() != nil {
			return
		}
		mode := f.Mode()
		if mode.IsDir() {
			continue
		}
		if !s.count(res) {
			return
		}
		if f.UncompressedSize64 > 1<<62 {
			s.refuse(name+"!"+quoteIfNeeded(f.Name), -1, "damaged: the archive gives no possible size for it")
			continue
		}
		length := int64(f.UncompressedSize64)
		full, ok := s.member(name, f.Name, length)
		if !ok {
			continue
		}
		if reason := irregular(mode); reason != "" {
			s.ignore(full, length, reason)
			continue
		}
		if f.Flags&1 != 0 {
			s.refuse(full, length, "encrypted: unpack it first")
			continue
		}
		if length > minAllowance && uint64(length)/uint64(s.p.o.Limits.Ratio) > f.CompressedSize64 {
			s.refuse(full, length, "%s: not read", s.ratioText())
			continue
		}
		if left -= length; left < 0 {
			res.say("%s: the rest is not read, from member %q on", s.ratioText(), f.Name)
			return
		}
		if length > s.p.o.Limits.Unpacked-s.unpacked {
			res.say("%s: the rest is not read, from member %q on", s.unpackedText(), f.Name)
			return
		}
		s.unpacked += length
		var packed int64
		if depth == 1 {
			packed = int64(min(f.CompressedSize64, uint64(b.size)))
		}
		r, err := f.Open()
		if err != nil {
			s.refuse(full, length, "%s", unpackError(err))
			continue
		}
		first := make([]byte, min(length, sniffSize))
		n, _ := io.ReadFull(r, first) // an error comes again where the whole is read
		first = first[:n]
		if k := sniff(first); k != "" {
			s.nested(full, io.MultiReader(bytes.NewReader(first), r), length, k, depth+1)
			r.Close()
			s.p.advance(0, 0, packed)
			continue
		}
		r.Close()
		b.retain()
		s.p.push(&leaf{path: full, top: s.top, seq: s.next(), size: length, packed: packed,
			open: f.Open, done: b.release})
	}
}

// salvage reads a zip archive whose directory is missing or damaged, as far as the headers
// before its members lead.
func (s *scan) salvage(name string, b *blob, depth int, res archiveResult) {
	const headerSize = 30
	in := bufio.NewReaderSize(ctxReader{s.p.ctx, b.reader()}, 64<<10)
	left := s.allowance(b.size)
	members := 0
	why := "its directory is missing: it was cut short"
	defer func() {
		if s.p.ctx.Err() == nil {
			res.say("damaged zip archive: %s; read as far as possible, members found: %d", why, members)
		}
	}()
	for {
		h, err := in.Peek(headerSize)
		if err != nil || string(h[:4]) != "PK\x03\x04" {
			if len(h) >= 4 && string(h[:2]) == "PK" && (string(h[2:4]) == "\x01\x02" || string(h[2:4]) == "\x05\x06") {
				why = "its directory is damaged"
			}
			return
		}
		flags := binary.LittleEndian.Uint16(h[6:])
		method := binary.LittleEndian.Uint16(h[8:])
		sum := binary.LittleEndian.Uint32(h[14:])
		packed := int64(binary.LittleEndian.Uint32(h[18:]))
		length := int64(binary.LittleEndian.Uint32(h[22:]))
		nameLen := int(binary.LittleEndian.Uint16(h[26:]))
		extraLen := int(binary.LittleEndian.Uint16(h[28:]))
		_, _ = in.Discard(headerSize)
		memberName := make([]byte, nameLen)
		if _, err := io.ReadFull(in, memberName); err != nil {
			return
		}
		if _, err := in.Discard(extraLen); err != nil {
			return
		}
		if !s.count(res) {
			return
		}
		// Sizes stand behind the data, or in an extra field of which nothing is needed here.
		open := flags&8 != 0 || packed == 1<<32-1 || length == 1<<32-1
		if open {
			length = -1
		}
		if flags&1 != 0 || open && method != zip.Deflate || method != zip.Deflate && method != zip.Store {
			s.refuse(name+"!"+quoteIfNeeded(string(memberName)), length, "encrypted, or its end cannot be found without the archive's directory: not read")
			if open {
				return
			}
			if _, err := discard(in, packed); err != nil {
				return
			}
			continue
		}
		var src io.Reader = in
		var bounded *io.LimitedReader
		if !open {
			bounded = &io.LimitedReader{R: in, N: packed}
			src = bounded
		}
		full, ok := s.member(name, string(memberName), length)
		isDir := len(memberName) > 0 && memberName[len(memberName)-1] == '/'
		var r io.Reader = src
		closeMember := func() {}
		if method == zip.Deflate {
			if open {
				// It reads byte by byte from in and so stops just behind the data.
				r = flate.NewReader(in)
			} else {
				z := inflate(src)
				closeMember = func() { z.Close() }
				r = z
			}
		}
		if !open {
			r = &checked{r: r, sum: crc32.NewIEEE(), want: sum, left: length}
		}
		counted := &meter{r: r, left: left, text: s.ratioText()}
		r = &meter{r: counted, left: s.p.o.Limits.Unpacked - s.unpacked, text: s.unpackedText(), count: &s.unpacked}
		if ok && !isDir {
			members++
			first := make([]byte, sniffSize)
			n, _ := io.ReadFull(r, first)
			rest := io.MultiReader(bytes.NewReader(first[:n]), r)
			if k := sniff(first[:n]); k != "" {
				s.nested(full, rest, length, k, depth+1)
			} else {
				s.p.readLeaf(s.w, &leaf{path: full, top: s.top, seq: s.next(), size: length,
					open: func() (io.ReadCloser, error) { return io.NopCloser(rest), nil }})
			}
		}
		if s.p.ctx.Err() != nil {
			return
		}
		if open {
			if _, err := io.Copy(io.Discard, r); err != nil {
				why = unpackError(err)
				return
			}
			if !skipDescriptor(in) {
				return
			}
		} else {
			closeMember()
			if _, err := discard(in, bounded.N); err != nil {
				return
			}
		}
		if left = counted.left; left < 0 {
			why = s.ratioText()
			return
		}
	}
}

// checked verifies the checksum and the length of a member.
type checked struct {
	r    io.Reader
	sum  hash.Hash32
	want uint32
	left int64
}

func (c *checked) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.left -= int64(n); c.left < 0 {
		return 0, zip.ErrFormat
	}
	c.sum.Write(b[:n])
	if err == io.EOF {
		if c.left > 0 {
			err = io.ErrUnexpectedEOF
		} else if c.sum.Sum32() != c.want {
			err = zip.ErrChecksum
		}
	}
	return n, err
}

// skipDescriptor skips sizes and checksum that follow a member's data: 12 to 24 bytes.
func skipDescriptor(in *bufio.Reader) bool {
	next, _ := in.Peek(28)
	for _, n := range []int{12, 16, 20, 24, 0} {
		if len(next) >= n+4 && next[n] == 'P' && next[n+1] == 'K' && (next[n+2] == 3 && next[n+3] == 4 || next[n+2] == 1 && next[n+3] == 2) {
			_, err := in.Discard(n)
			return err == nil
		}
	}
	return false
}

func discard(in *bufio.Reader, n int64) (int64, error) {
	return io.CopyN(io.Discard, in, n)
}

func quoteIfNeeded(name string) string {
	shown, _ := presentable(name)
	return shown
}
