package ingest

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/inferdex/inferdex/ingest/record"
)

// kind is the kind of an archive; the empty kind is no archive.
type kind string

const (
	kindZip  kind = "zip"
	kindTar  kind = "tar"
	kindGzip kind = "gz"
	kindZstd kind = "zst"
)

// sniffSize is how many bytes tell the kind of an archive: a header of tar.
const sniffSize = 512

// sniff tells the kind of an archive from its beginning, whatever the file is called.
func sniff(first []byte) kind {
	has := func(magic string) bool { return bytes.HasPrefix(first, []byte(magic)) }
	switch {
	case has("PK\x03\x04"), has("PK\x05\x06"), has("PK\x07\x08PK"):
		return kindZip
	case has("\x1f\x8b\x08"):
		return kindGzip
	case has("\x28\xb5\x2f\xfd"), len(first) > 4 && first[0]&0xf0 == 0x50 && string(first[1:4]) == "\x2a\x4d\x18":
		return kindZstd
	case isTar(first):
		return kindTar
	}
	return ""
}

// isTar checks the sum of a tar header: the oldest tar has no other mark.
func isTar(b []byte) bool {
	if len(b) < sniffSize || b[0] == 0 {
		return false
	}
	field := strings.Trim(string(b[148:156]), " \x00")
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil {
		return false
	}
	var sum int64
	for i, c := range b[:sniffSize] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}

// blob is an archive that can be read at any place. It is closed when the scan and all leaves
// that read from it are done.
type blob struct {
	r      io.ReaderAt
	size   int64
	digest string
	refs   atomic.Int32
	close  func()
}

func newBlob(r io.ReaderAt, size int64, digest string, close func()) *blob {
	b := &blob{r: r, size: size, digest: digest, close: close}
	b.refs.Store(1)
	return b
}

func (b *blob) retain() { b.refs.Add(1) }

func (b *blob) release() {
	if b.refs.Add(-1) == 0 && b.close != nil {
		b.close()
	}
}

func (b *blob) reader() io.Reader { return io.NewSectionReader(b.r, 0, b.size) }

// limitError says that a limit stops the unpacking. It holds the message.
type limitError string

func (e limitError) Error() string { return string(e) }

// machineError is one of this machine and not of the input: it ends the reading.
type machineError struct{ error }

func (e machineError) Unwrap() error { return e.error }

// tempWriter marks the errors of a temporary file.
type tempWriter struct{ w io.Writer }

func (t tempWriter) Write(b []byte) (int, error) {
	n, err := t.w.Write(b)
	if err != nil {
		err = machineError{fmt.Errorf("temporary file: %w", err)}
	}
	return n, err
}

// trailing reports whether compressed data ended, verified, before something that is not of its
// kind. What is wrong with the beginning of a file shows before a byte of it is read.
func trailing(err error) bool {
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, zstd.ErrMagicMismatch)
}

// wrongSum reports whether data was unpacked to something else than was packed: any number in it may be another one.
func wrongSum(err error) bool {
	return errors.Is(err, zip.ErrChecksum) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, zstd.ErrCRCMismatch)
}

// unpackError says in words why something in an archive cannot be read.
func unpackError(err error) string {
	var limit limitError
	switch {
	case errors.As(err, &limit):
		return string(limit)
	case errors.Is(err, zip.ErrAlgorithm):
		return "compressed in a way that cannot be read: pack it again as an ordinary zip, tar.gz or tar.zst"
	case wrongSum(err):
		return "damaged: its checksum is wrong, any number in it may be another one, and none is read: pack or fetch it again"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut short: the end of its data is missing"
	}
	return "cannot be unpacked: " + firstLine(err.Error())
}

// scan goes through one top file. It is used by one worker at a time.
type scan struct {
	p   *pool
	w   *worker
	top int
	seq int
	// unpacked and members count against the limits, for the top file as a whole.
	unpacked int64
	members  int
}

func (s *scan) next() int {
	s.seq++
	return s.seq
}

// archiveResult is the result for an archive itself; what goes wrong with it is added to it.
type archiveResult struct{ *fileResult }

func (s *scan) archiveResult(path string, k kind, b *blob) archiveResult {
	r := &fileResult{top: s.top, seq: s.next(), archive: true,
		status: FileStatus{Path: path, Format: string(k), Size: -1}}
	if b != nil {
		r.status.SHA256, r.status.Size = b.digest, b.size
	}
	return archiveResult{r}
}

func (r archiveResult) say(format string, args ...any) {
	e := &record.SyntaxError{Text: fmt.Sprintf(format, args...)}
	r.records = append(r.records, stamp(e, r.status.Path, r.status.SHA256, ""))
}

// readTop reads a file that the walk found.
func (p *pool) readTop(w *worker, t *topFile) {
	s := &scan{p: p, w: w, top: t.index}
	if t.Failure != "" {
		s.unreadable(t, t.Failure)
		return
	}
	if t.Ignored != "" {
		s.ignore(t.Path, -1, t.Ignored)
		return
	}
	if t.fsys == nil {
		if k := sniff(t.data[:min(len(t.data), sniffSize)]); k != "" {
			sum := sha256.Sum256(t.data)
			b := newBlob(bytes.NewReader(t.data), t.Size, hex.EncodeToString(sum[:]), nil)
			s.archive(t.Path, b, k, 1)
			b.release()
			return
		}
		p.readLeaf(w, &leaf{path: t.Path, top: t.index, size: t.Size, packed: t.Size, isTop: true,
			open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.data)), nil }})
		return
	}
	f, err := t.fsys.Open(t.Name)
	if err != nil {
		s.unreadable(t, unreadableText(err))
		return
	}
	before, err := f.Stat()
	if err != nil {
		f.Close()
		s.unreadable(t, unreadableText(err))
		return
	}
	first := make([]byte, sniffSize)
	n, err := io.ReadFull(f, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		f.Close()
		s.unreadable(t, unreadableText(err))
		return
	}
	first = first[:n]
	k := sniff(first)
	rest := io.MultiReader(bytes.NewReader(first), f)
	if k == "" {
		p.readLeaf(w, &leaf{path: t.Path, top: t.index, size: t.Size, packed: t.Size, isTop: true,
			open:  func() (io.ReadCloser, error) { return readCloser{rest, f}, nil },
			whole: func() error { return unchanged(f, before) }})
		return
	}
	if most := max(p.o.Limits.Unpacked, maxUnclaimed); t.Size > most { // all of it is read for its digest
		f.Close()
		r := s.archiveResult(t.Path, k, nil)
		r.say("larger than %s, which is all that one archive may unpack to: split it or raise the limit", sizeText(most))
		p.add(r.fileResult, t.Size)
		return
	}
	// Its members are read by several workers, at any time until nobody needs it.
	closed := func() {
		if unchanged(f, before) != nil {
			p.changed(t)
		}
		f.Close()
	}
	var b *blob
	if at, ok := f.(io.ReaderAt); ok {
		sum := sha256.New()
		size, err := io.Copy(sum, ctxReader{p.ctx, rest})
		if err != nil {
			f.Close()
			s.unreadable(t, unreadableText(err))
			return
		}
		b = newBlob(at, size, hex.EncodeToString(sum.Sum(nil)), closed)
	} else {
		// The file system gives streams only.
		b, err = s.load(rest, t.Size, -1)
		closed()
		if err != nil {
			var limit limitError
			if errors.As(err, &limit) {
				r := s.archiveResult(t.Path, k, nil)
				r.say("%s", string(limit))
				p.add(r.fileResult, t.Size)
			} else {
				s.unreadable(t, unreadableText(err))
			}
			return
		}
	}
	s.archive(t.Path, b, k, 1)
	b.release()
}

// changed says that an archive was written while it was read: nothing of it is taken.
func (p *pool) changed(t *topFile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.torn = append(p.torn, t)
}

// untorn leaves out the results of archives that were written while they were read, and of those whose checksum is
// wrong; one of each says so.
func (p *pool) untorn() {
	for _, a := range p.wrong {
		p.results = slices.DeleteFunc(p.results, func(r *fileResult) bool {
			return r.top == a.top && strings.HasPrefix(r.status.Path, a.status.Path+"!")
		})
	}
	for _, t := range p.torn {
		p.results = slices.DeleteFunc(p.results, func(r *fileResult) bool { return r.top == t.index })
		p.results = append(p.results, notGiven(t, 1, errChanged.Error()))
	}
}

type readCloser struct {
	io.Reader
	io.Closer
}

// unreadable adds a file that the machine does not give: the others are read.
func (s *scan) unreadable(t *topFile, text string) {
	s.p.add(notGiven(t, s.next(), text), max(0, t.Size))
}

// notGiven is the result of a file that the machine does not give.
func notGiven(t *topFile, seq int, text string) *fileResult {
	return &fileResult{top: t.index, seq: seq, status: FileStatus{Path: t.Path, Size: -1}, unreadable: true,
		records: []record.Record{stamp(&record.SyntaxError{Text: text}, t.Path, "", "")}}
}

// unreadableText is an error of the file system without the path, which the record has.
func unreadableText(err error) string {
	if err == errChanged {
		return err.Error()
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Sprintf("cannot be read: %v", err)
}

// errChanged says that a file was written while it was read: half of it may be of another measurement.
var errChanged = errors.New("was changed while it was read: ingest it again when it is written")

// unchanged says whether a file is what it was before it was read.
func unchanged(f fs.File, before fs.FileInfo) error {
	after, err := f.Stat()
	if err == nil && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())) {
		err = errChanged
	}
	return err
}

// ignore adds a file that is not opened.
func (s *scan) ignore(path string, size int64, reason string) {
	r := &fileResult{top: s.top, seq: s.next(), status: FileStatus{Path: path, Size: size, Ignored: reason}}
	r.records = []record.Record{stamp(&record.Ignored{Reason: reason}, path, "", "")}
	s.p.add(r, 0)
}

// refuse adds a member that is not opened because something is wrong with it.
func (s *scan) refuse(path string, size int64, format string, args ...any) {
	r := &fileResult{top: s.top, seq: s.next(), status: FileStatus{Path: path, Size: size}}
	r.records = []record.Record{stamp(&record.SyntaxError{Text: fmt.Sprintf(format, args...)}, path, "", "")}
	s.p.add(r, 0)
}

// load brings an archive to where it can be read at any place: into memory, or into a temporary
// file where it is larger than maxInMemory. Size is what is known of its length, -1 is nothing;
// limit bounds it, -1 is no bound.
func (s *scan) load(r io.Reader, size, limit int64) (*blob, error) {
	sum := sha256.New()
	r = io.TeeReader(ctxReader{s.p.ctx, r}, sum)
	if limit >= 0 {
		text := fmt.Sprintf("larger than %s, the limit for one file: unpack it or raise the limit", sizeText(limit))
		r = &meter{r: r, left: limit, text: text}
	}
	held := min(size, maxInMemory)
	if size < 0 {
		held = maxInMemory
	}
	s.p.hold(s.w, held)
	release := func() { s.p.release(held) }
	var buf bytes.Buffer
	if size >= 0 && size <= maxInMemory {
		buf.Grow(int(size) + bytes.MinRead)
	}
	if _, err := io.CopyN(&buf, r, maxInMemory+1); err == io.EOF {
		digest := hex.EncodeToString(sum.Sum(nil))
		return newBlob(bytes.NewReader(buf.Bytes()), int64(buf.Len()), digest, release), nil
	} else if err != nil {
		release()
		return nil, err
	}
	defer release()
	if s.p.o.TempFile == nil {
		return nil, limitError("an archive inside an archive, larger than " + sizeText(maxInMemory) +
			": unpack it first")
	}
	f, err := s.p.o.TempFile()
	if err != nil {
		return nil, machineError{fmt.Errorf("temporary file: %w", err)}
	}
	n, err := io.Copy(tempWriter{f}, io.MultiReader(&buf, r))
	if err != nil {
		f.Close()
		return nil, err
	}
	return newBlob(f, n, hex.EncodeToString(sum.Sum(nil)), func() { f.Close() }), nil
}

// archive reads an archive. Depth is 1 for one that lies in no other.
func (s *scan) archive(path string, b *blob, k kind, depth int) {
	res := s.archiveResult(path, k, b)
	var rest int64 // of the progress
	switch k {
	case kindZip:
		s.zip(path, b, depth, res)
	case kindTar:
		_ = s.tar(path, b.reader(), b, depth, res) // it said what is wrong
		rest = b.size
	default:
		s.compressed(path, b, k, depth, res)
		rest = b.size
	}
	if depth > 1 {
		rest = 0
	}
	s.p.add(res.fileResult, rest)
}

// minAllowance is what any archive may unpack to whatever its own size.
const minAllowance = 1 << 20

// allowance is how many bytes an archive of that size may unpack to for its ratio.
func (s *scan) allowance(size int64) int64 {
	return max(minAllowance, size*int64(s.p.o.Limits.Ratio))
}

// ratioText is the message for an archive or member that unpacks to too much.
func (s *scan) ratioText() string {
	return fmt.Sprintf("unpacks to more than %d times its size, as only an archive made to do harm does",
		s.p.o.Limits.Ratio)
}

func (s *scan) unpackedText() string {
	return fmt.Sprintf("unpacks to more than %s in all, the limit for one archive: split it or raise the limit",
		sizeText(s.p.o.Limits.Unpacked))
}

// count counts one more member. It returns false, with a message, at the limit.
func (s *scan) count(res archiveResult) bool {
	if s.members++; s.members > s.p.o.Limits.Members {
		res.say("has more than %d members, the limit for one archive: the rest is not read", s.p.o.Limits.Members)
		return false
	}
	return true
}

// member checks the name of a member of an archive and returns the path it gets. Where ok is
// false the member is dealt with, if only by leaving it out.
func (s *scan) member(archive, name string, size int64) (full string, ok bool) {
	shown, reason := presentable(name)
	full = archive + "!" + shown
	if reason != "" {
		s.ignore(full, size, reason)
		return "", false
	}
	elements := strings.Split(name, "/")
	drive := len(name) > 1 && name[1] == ':'
	switch {
	case strings.ContainsRune(name, '\\'), drive:
		s.refuse(archive+"!"+strconv.Quote(name), size,
			"the name is no path inside the archive: pack it again with forward slashes; not read")
		return "", false
	case strings.HasPrefix(name, "/"), path.Clean(name) == "..", strings.HasPrefix(path.Clean(name), "../"):
		s.refuse(archive+"!"+strconv.Quote(name), size, "the name leads out of the archive: not read")
		return "", false
	case slices.Contains(elements, ".."):
		s.refuse(archive+"!"+strconv.Quote(name), size, `the name goes up by "..": pack it again without; not read`)
		return "", false
	case slices.Contains(elements, ".git"):
		return "", false
	}
	return archive + "!" + path.Clean(name), true
}

// nested reads an archive inside another. Size is -1 where it is not known.
func (s *scan) nested(path string, r io.Reader, size int64, k kind, depth int) {
	refuse := func(text string) {
		res := s.archiveResult(path, k, nil)
		res.say("%s", text)
		s.p.add(res.fileResult, 0)
	}
	if depth > s.p.o.Limits.Depth {
		refuse(fmt.Sprintf("archives lie in each other more than %d deep: unpack it first", s.p.o.Limits.Depth))
		return
	}
	b, err := s.load(r, size, s.p.o.Limits.Member)
	if err != nil {
		var machine machineError
		if errors.As(err, &machine) {
			s.p.fail(fmt.Errorf("%s: %w", path, err))
		} else if s.p.ctx.Err() == nil {
			refuse(unpackError(err))
		}
		return
	}
	s.archive(path, b, k, depth)
	b.release()
}

// lean are the options of a decoder that shares the machine with many others.
var lean = []zstd.DOption{
	zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128 << 20),
}

// gunzip reads what gzip wrote, one part behind the other. [gzip.Reader] takes what follows the last part for one that
// is cut short where it is shorter than the head of a part.
type gunzip struct {
	*gzip.Reader
	in *bufio.Reader
}

func newGunzip(r io.Reader) (*gunzip, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{z, in}, nil
}

func (g *gunzip) Read(b []byte) (int, error) {
	n, err := g.Reader.Read(b)
	if err != io.EOF {
		return n, err
	}
	const mark = "\x1f\x8b"
	switch next, _ := g.in.Peek(len(mark)); {
	case len(next) == 0:
		return n, io.EOF
	case string(next) != mark[:len(next)]:
		return n, gzip.ErrHeader
	}
	err = g.Reader.Reset(g.in)
	g.Multistream(false)
	return n, err
}

// compressed reads a single compressed file, which may hold a tar archive.
func (s *scan) compressed(name string, b *blob, k kind, depth int, res archiveResult) {
	var r io.Reader
	switch k {
	case kindGzip:
		z, err := newGunzip(b.reader())
		if err != nil {
			res.say("%s", unpackError(err))
			return
		}
		defer z.Close()
		r = z
	case kindZstd:
		z, err := zstd.NewReader(b.reader(), lean...)
		if err != nil {
			res.say("%s", unpackError(err))
			return
		}
		defer z.Close()
		r = z
	}
	before := s.unpacked
	r = &meter{r: r, left: s.allowance(b.size), text: s.ratioText()}
	r = &meter{r: r, left: s.p.o.Limits.Unpacked - before, text: s.unpackedText(), count: &s.unpacked}
	first := make([]byte, sniffSize)
	n, err := io.ReadFull(r, first)
	switch err {
	case nil, io.EOF, io.ErrUnexpectedEOF:
		err = nil // an error of the stream comes again where the rest is read
	default:
		if n == 0 {
			res.say("%s", unpackError(err))
			return
		}
	}
	first = first[:n]
	rest := io.MultiReader(bytes.NewReader(first), r)
	inner := sniff(first)
	if inner == kindTar {
		res.status.Format = "tar." + string(k)
		err := s.tar(name, rest, b, depth, res)
		if err == nil { // the checksum stands behind the end of the tar archive
			if _, err = io.Copy(io.Discard, ctxReader{s.p.ctx, rest}); errors.Is(err, io.ErrUnexpectedEOF) {
				res.say("%s", unpackError(err))
			}
		}
		if wrongSum(err) {
			res.say("%s", unpackError(err))
			s.p.mu.Lock()
			s.p.wrong = append(s.p.wrong, res.fileResult)
			s.p.mu.Unlock()
		}
		return
	}
	if !s.count(res) {
		return
	}
	full := name + "!" + innerName(reading.BaseName(name))
	if inner != "" {
		s.nested(full, rest, -1, inner, depth+1)
		return
	}
	s.p.readLeaf(s.w, &leaf{path: full, top: s.top, seq: s.next(), size: -1,
		open: func() (io.ReadCloser, error) { return io.NopCloser(rest), nil }})
}

// innerName is the name of the one file in a compressed file.
func innerName(name string) string {
	lower := strings.ToLower(name)
	for _, suffix := range []string{".gz", ".gzip", ".zst", ".zstd"} {
		if strings.HasSuffix(lower, suffix) && len(name) > len(suffix) {
			return name[:len(name)-len(suffix)]
		}
	}
	return name
}

// tar reads a tar archive from a stream. B is the file that the stream comes from. The error is what the stream ended
// with before the archive did; nil at its end.
func (s *scan) tar(name string, r io.Reader, b *blob, depth int, res archiveResult) error {
	left := s.allowance(b.size)
	tr := tar.NewReader(&late{r: ctxReader{s.p.ctx, r}})
	for s.p.ctx.Err() == nil {
		h, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			if s.p.ctx.Err() == nil && !wrongSum(err) {
				res.say("the rest of the archive is not read: %s", unpackError(err))
			}
			return err
		}
		if h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if !s.count(res) {
			return limitError("")
		}
		full, ok := s.member(name, h.Name, h.Size)
		if !ok {
			continue
		}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse:
		case tar.TypeSymlink, tar.TypeLink:
			s.ignore(full, 0, "link: not followed")
			continue
		default:
			s.ignore(full, h.Size, "neither a file nor a directory")
			continue
		}
		// A sparse file claims what the stream does not hold.
		if left -= h.Size; left < 0 {
			res.say("%s: the rest is not read, from member %q on", s.ratioText(), h.Name)
			return limitError("")
		}
		first := make([]byte, min(h.Size, sniffSize))
		n, err := io.ReadFull(tr, first)
		if err != nil && n == 0 && h.Size > 0 {
			s.refuse(full, h.Size, "%s", unpackError(err))
			continue
		}
		first = first[:n]
		rest := io.MultiReader(bytes.NewReader(first), tr)
		if k := sniff(first); k != "" {
			s.nested(full, rest, h.Size, k, depth+1)
			continue
		}
		l := &leaf{path: full, top: s.top, seq: s.next(), size: h.Size}
		if s.p.o.Workers > 1 && h.Size <= maxInMemory && s.p.tryHold(h.Size) {
			// Another worker reads it while this one unpacks on.
			data := make([]byte, h.Size)
			n, err := io.ReadFull(rest, data)
			if err == io.EOF && h.Size > 0 {
				err = io.ErrUnexpectedEOF
			}
			l.open = func() (io.ReadCloser, error) {
				return io.NopCloser(&failing{bytes.NewReader(data[:n]), err}), nil
			}
			l.done = func() { s.p.release(h.Size) }
			s.p.push(l)
			continue
		}
		l.open = func() (io.ReadCloser, error) { return io.NopCloser(rest), nil }
		s.p.readLeaf(s.w, l)
	}
	return s.p.ctx.Err()
}

// late keeps an error that comes with data for the next read, so that a member that is whole is read alike in however
// large pieces: what is wrong behind it is of the archive.
type late struct {
	r   io.Reader
	err error
}

func (l *late) Read(b []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.r.Read(b)
	if l.err = err; n > 0 {
		err = nil
	}
	return n, err
}

// failing reads r and ends with err, where that is not nil.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	if err == io.EOF && f.err != nil && f.err != io.EOF {
		err = f.err
	}
	return n, err
}

// meter lets left bytes through; then it fails with text. Count, if set, adds up what passed.
type meter struct {
	r     io.Reader
	left  int64
	text  string
	count *int64
}

func (m *meter) Read(b []byte) (int, error) {
	if m.left < 0 {
		return 0, limitError(m.text)
	}
	if int64(len(b)) > m.left+1 {
		b = b[:m.left+1] // one more tells the end from the limit
	}
	n, err := m.r.Read(b)
	if m.count != nil {
		*m.count += int64(n)
	}
	if m.left -= int64(n); m.left < 0 {
		return n - 1, limitError(m.text)
	}
	return n, err
}
