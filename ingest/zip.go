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
	"strings"
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
	left := s.allowance(b.size)
	for _, f := range z.File {
		if s.p.ctx.Err() != nil {
			return
		}
		mode, inside := f.Mode(), slashed(f)
		if mode.IsDir() || strings.HasSuffix(inside, "/") {
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
		full, ok := s.member(name, inside, length)
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
		open := func() (io.ReadCloser, error) { return openMember(f) }
		r, err := open()
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
			open: open, done: b.release})
	}
}

// openMember opens a member as [zip.File.Open] does, with which a browser would load all that makes a file system of an
// archive.
func openMember(f *zip.File) (io.ReadCloser, error) {
	packed, err := f.OpenRaw()
	if err != nil {
		return nil, err
	}
	r, err := unpacked(f.Method, packed)
	if err != nil {
		return nil, err
	}
	return readCloser{&checked{r: r, sum: crc32.NewIEEE(), want: f.CRC32, left: int64(f.UncompressedSize64),
		unsummed: f.CRC32 == 0 && f.Flags&sumBehind == 0}, r}, nil
}

// unpacked unpacks the data of a member by its method.
func unpacked(method uint16, packed io.Reader) (io.ReadCloser, error) {
	switch method {
	case zip.Store:
		return io.NopCloser(packed), nil
	case zip.Deflate:
		return inflate(packed), nil
	case zstd.ZipMethodWinZip:
		z, err := zstd.NewReader(packed, lean...)
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return nil, zip.ErrAlgorithm
}

// slashed is the name of a member with forward slashes: some packers of Windows, Compress-Archive among them, divide the
// parts of a name by backslashes.
func slashed(f *zip.File) string {
	switch f.CreatorVersion >> 8 {
	case 0, 10, 11, 14: // FAT, NTFS by the specification and by what is written, VFAT
		return strings.ReplaceAll(f.Name, `\`, "/")
	}
	return f.Name
}

// sumBehind is the flag of a member behind which its checksum and its sizes stand.
const sumBehind = 8

// localHeader is what stands before a member of a zip archive.
type localHeader struct {
	name          string
	flags, method uint16
	sum           uint32
	// packed and length are -1 where they stand behind the data, or in an extra field of which
	// nothing is needed here.
	packed, length int64
}

// open says that the end of the member is not known before its data.
func (h *localHeader) open() bool { return h.length < 0 }

// readable says that its end can be found without the directory of the archive.
func (h *localHeader) readable() bool {
	const encrypted = 1
	return h.flags&encrypted == 0 && (h.method == zip.Deflate || h.method == zip.Store && !h.open())
}

// noHeader is the error where no header of a member follows. It holds what that says of the archive.
type noHeader string

func (e noHeader) Error() string { return string(e) }

func readLocalHeader(in *bufio.Reader) (*localHeader, error) {
	const size = 30
	b, err := in.Peek(size)
	if err != nil || string(b[:4]) != "PK\x03\x04" {
		if len(b) >= 4 && string(b[:2]) == "PK" && (string(b[2:4]) == "\x01\x02" || string(b[2:4]) == "\x05\x06") {
			return nil, noHeader("its directory is damaged")
		}
		return nil, noHeader(cutZip)
	}
	h := &localHeader{
		flags:  binary.LittleEndian.Uint16(b[6:]),
		method: binary.LittleEndian.Uint16(b[8:]),
		sum:    binary.LittleEndian.Uint32(b[14:]),
		packed: int64(binary.LittleEndian.Uint32(b[18:])),
		length: int64(binary.LittleEndian.Uint32(b[22:])),
	}
	name := make([]byte, binary.LittleEndian.Uint16(b[26:]))
	extra := int(binary.LittleEndian.Uint16(b[28:]))
	const unknown = 1<<32 - 1
	if h.flags&sumBehind != 0 || h.packed == unknown || h.length == unknown {
		h.packed, h.length = -1, -1
	}
	if _, err := in.Discard(size); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(in, name); err != nil {
		return nil, noHeader(cutZip)
	}
	if _, err := in.Discard(extra); err != nil {
		return nil, noHeader(cutZip)
	}
	h.name = strings.ReplaceAll(string(name), `\`, "/") // who packed it would stand in the directory: see [slashed]
	return h, nil
}

const cutZip = "its directory is missing: it was cut short"

// salvage reads a zip archive whose directory is missing or damaged, as far as the headers
// before its members lead.
func (s *scan) salvage(name string, b *blob, depth int, res archiveResult) {
	in := bufio.NewReaderSize(ctxReader{s.p.ctx, b.reader()}, 64<<10)
	left, members := s.allowance(b.size), 0
	var err error
	for err == nil {
		var h *localHeader
		if h, err = readLocalHeader(in); err != nil {
			break
		}
		if !s.count(res) {
			err = noHeader(cutZip)
			break
		}
		if !h.readable() {
			s.refuse(name+"!"+quoteIfNeeded(h.name), h.length,
				"encrypted, or its end cannot be found without the archive's directory: not read")
			err = noHeader(cutZip)
			if !h.open() {
				_, err = io.CopyN(io.Discard, in, h.packed)
			}
			continue
		}
		var read bool
		if read, err = s.salvageMember(name, h, in, depth, &left); read {
			members++
		}
	}
	if s.p.ctx.Err() != nil {
		return
	}
	why := cutZip
	if known := noHeader(""); errors.As(err, &known) {
		why = string(known)
	}
	res.say("damaged zip archive: %s; read as far as possible, members found: %d", why, members)
}

// salvageMember reads the data behind a header and what follows up to the next. Left is what the
// archive may still unpack to. The error says why nothing behind the member is read.
func (s *scan) salvageMember(
	archive string, h *localHeader, in *bufio.Reader, depth int, left *int64,
) (read bool, err error) {
	full, ok := s.member(archive, h.name, h.length)
	bounded := &io.LimitedReader{R: in, N: h.packed}
	var r io.Reader
	if h.open() {
		// It reads byte by byte from in and so stops just behind the data.
		r = flate.NewReader(in)
	} else {
		z, err := unpacked(h.method, bounded)
		if err != nil {
			return false, err
		}
		defer z.Close()
		r = &checked{r: z, sum: crc32.NewIEEE(), want: h.sum, left: h.length}
	}
	counted := &meter{r: r, left: *left, text: s.ratioText()}
	r = &meter{r: counted, left: s.p.o.Limits.Unpacked - s.unpacked, text: s.unpackedText(), count: &s.unpacked}
	if ok && !strings.HasSuffix(h.name, "/") {
		read = true
		first := make([]byte, sniffSize)
		n, _ := io.ReadFull(r, first) // an error comes again where the whole is read
		rest := io.MultiReader(bytes.NewReader(first[:n]), r)
		if k := sniff(first[:n]); k != "" {
			s.nested(full, rest, h.length, k, depth+1)
		} else {
			s.p.readLeaf(s.w, &leaf{path: full, top: s.top, seq: s.next(), size: h.length,
				open: func() (io.ReadCloser, error) { return io.NopCloser(rest), nil }})
		}
	}
	if err := s.p.ctx.Err(); err != nil {
		return read, err
	}
	if h.open() {
		if _, err := io.Copy(io.Discard, r); err != nil {
			return read, noHeader(unpackError(err))
		}
		if !skipDescriptor(in) {
			return read, noHeader(cutZip)
		}
	} else if _, err := io.Copy(io.Discard, bounded); err != nil || bounded.N > 0 {
		return read, noHeader(cutZip)
	}
	if *left = counted.left; *left < 0 {
		return read, noHeader(s.ratioText())
	}
	return read, nil
}

// checked verifies the checksum and the length of a member.
type checked struct {
	r    io.Reader
	sum  hash.Hash32
	want uint32
	left int64
	// unsummed says that nobody states a checksum.
	unsummed bool
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
		} else if !c.unsummed && c.sum.Sum32() != c.want {
			err = zip.ErrChecksum
		}
	}
	return n, err
}

// skipDescriptor skips sizes and checksum that follow a member's data: 12 to 24 bytes.
func skipDescriptor(in *bufio.Reader) bool {
	next, _ := in.Peek(28) // less near the end of the file
	for _, n := range []int{12, 16, 20, 24, 0} {
		rest := next[min(n, len(next)):]
		if bytes.HasPrefix(rest, []byte("PK\x03\x04")) || bytes.HasPrefix(rest, []byte("PK\x01\x02")) {
			_, err := in.Discard(n)
			return err == nil
		}
	}
	return false
}

func quoteIfNeeded(name string) string {
	shown, _ := presentable(name)
	return shown
}
