package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/record"
)

// A pool reads files with several workers.
//
// Work is of two kinds. A top file is one that the walk found; where it is an archive, one
// worker alone goes through it and through the archives inside it, in their order, so that it
// does not depend on timing which member a limit stops at. What it finds there, the leaves, any
// worker reads. Leaves go first, so that few archives are open at a time.
type pool struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	o      Options
	tops   []topFile

	// leafBytes bounds what workers hold of leaves they are reading, held what lies in memory
	// of archives inside archives and of members that came out of a stream.
	leafBytes budget

	mu       sync.Mutex
	wake     *sync.Cond // on mu: something below changed
	nextTop  int
	leaves   []*leaf
	scanning int // workers that are going through a top file
	busy     int // leaves that are being read
	held     int64
	results  []*fileResult
	err      error

	progressMu sync.Mutex
	progress   Progress
}

const (
	// maxLeafBytes is how much of leaves is in memory at a time, except for a single larger one.
	maxLeafBytes = 192 << 20
	// maxHeld is the same for archives inside archives.
	maxHeld = 128 << 20
	// maxInMemory is the size up to which an archive inside an archive is held in memory.
	maxInMemory = 64 << 20
	// keepBuffer is the largest buffer that a worker keeps for its next file.
	keepBuffer = 32 << 20
)

// topFile is a file that the walk found.
type topFile struct {
	path    string
	index   int
	fsys    fs.FS  // nil: data
	name    string // in fsys
	data    []byte
	size    int64
	ignored string // why it is not opened, in words
}

// leaf is a file that is no archive.
type leaf struct {
	path string
	top  int // index of the top file it lies in
	seq  int // its number in that top file
	size int64
	// packed is what it adds to Progress.Done.
	packed int64
	open   func() (io.ReadCloser, error)
	// done, if set, releases what open reads from.
	done func()
	// note is an error that stands before the file's own records.
	note string
	// isTop says that a failure to read is one of the machine's and not of an archive.
	isTop bool
}

type fileResult struct {
	top, seq int
	archive  bool
	status   FileStatus
	records  []record.Record
	sidecar  []byte
}

// worker is what one goroutine keeps between files.
type worker struct{ buf []byte }

func newPool(ctx context.Context, o Options) *pool {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &pool{ctx: ctx, cancel: cancel, o: o}
	p.wake = sync.NewCond(&p.mu)
	p.leafBytes.free = maxLeafBytes
	p.leafBytes.total = maxLeafBytes
	p.leafBytes.cond = sync.NewCond(&p.leafBytes.mu)
	return p
}

func (p *pool) run() error {
	stop := context.AfterFunc(p.ctx, func() {
		p.mu.Lock() // nobody is between looking at ctx and waiting
		p.wake.Broadcast()
		p.mu.Unlock()
	})
	defer stop()
	defer p.cancel(nil)
	var wg sync.WaitGroup
	for range p.o.Workers {
		wg.Go(func() { p.work(&worker{}) })
	}
	wg.Wait()
	for _, l := range p.leaves { // left behind by a cancelled run
		if l.done != nil {
			l.done()
		}
	}
	if p.err != nil {
		return p.err
	}
	return p.ctx.Err()
}

// fail ends the run. The first failure counts.
func (p *pool) fail(err error) {
	p.mu.Lock()
	if p.err == nil {
		p.err = err
	}
	p.mu.Unlock()
	p.cancel(err)
}

func (p *pool) work(w *worker) {
	p.mu.Lock()
work:
	for p.ctx.Err() == nil {
		switch {
		case len(p.leaves) > 0:
			p.readNextLeaf(w)
		case p.nextTop < len(p.tops):
			t := &p.tops[p.nextTop]
			p.nextTop++
			p.scanning++
			p.mu.Unlock()
			p.readTop(w, t)
			p.mu.Lock()
			p.scanning--
			p.wake.Broadcast()
		case p.scanning > 0:
			p.wake.Wait()
		default:
			break work
		}
	}
	p.mu.Unlock()
}

// readNextLeaf is called with mu held and gives it up meanwhile.
func (p *pool) readNextLeaf(w *worker) {
	l := p.leaves[0]
	p.leaves[0] = nil
	p.leaves = p.leaves[1:]
	p.busy++
	p.mu.Unlock()
	p.readLeaf(w, l)
	p.mu.Lock()
	p.busy--
	p.wake.Broadcast()
}

func (p *pool) push(l *leaf) {
	p.mu.Lock()
	p.leaves = append(p.leaves, l)
	p.mu.Unlock()
	p.wake.Signal()
}

// hold asks for n bytes of memory for something that stays until leaves have been read, and
// reads leaves itself until there is room. Where nobody could make room any more it is granted.
func (p *pool) hold(w *worker, n int64) {
	p.mu.Lock()
	for p.held > 0 && p.held+n > maxHeld && p.ctx.Err() == nil {
		if len(p.leaves) > 0 {
			p.readNextLeaf(w)
			continue
		}
		if p.busy == 0 {
			break
		}
		p.wake.Wait()
	}
	p.held += n
	p.mu.Unlock()
}

// tryHold is hold without waiting.
func (p *pool) tryHold(n int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held+n > maxHeld {
		return false
	}
	p.held += n
	return true
}

func (p *pool) release(n int64) {
	p.mu.Lock()
	p.held -= n
	p.mu.Unlock()
	p.wake.Broadcast()
}

func (p *pool) add(r *fileResult, packed int64) {
	p.mu.Lock()
	p.results = append(p.results, r)
	p.mu.Unlock()
	if r.archive {
		p.advance(0, 0, packed)
	} else {
		p.advance(1, max(0, r.status.Size), packed)
	}
}

func (p *pool) advance(files int, bytes, packed int64) {
	if p.o.Progress == nil {
		return
	}
	p.progressMu.Lock()
	defer p.progressMu.Unlock()
	p.progress.Files += files
	p.progress.Bytes += bytes
	p.progress.Done += packed
	p.o.Progress(p.progress)
}

// readLeaf reads one file that is no archive.
func (p *pool) readLeaf(w *worker, l *leaf) {
	if l.done != nil {
		defer l.done()
	}
	res := &fileResult{top: l.top, seq: l.seq, status: FileStatus{Path: l.path, Size: l.size}}
	say := func(r record.Record) {
		res.records = append(res.records, stamp(r, l.path, res.status.SHA256, res.status.Format))
	}
	body, err := l.open()
	if err != nil {
		if l.isTop {
			p.fail(fileError(l.path, err))
			return
		}
		say(&record.SyntaxError{Text: unpackError(err)})
		p.add(res, l.packed)
		return
	}
	defer body.Close()
	c := &content{r: body, ctx: p.ctx, buf: w.buf[:0]}
	defer func() {
		if w.buf = c.buf[:0]; cap(w.buf) > keepBuffer {
			w.buf = nil
		}
	}()

	const bom = 3
	err = c.read(HeadSize + bom)
	first := c.buf
	h := NewHead(l.path, first)
	h.Size = l.size
	if len(h.Data) < len(first) && l.size >= bom && bytes.HasPrefix(first, []byte("\ufeff")) {
		h.Size -= bom
	}
	sidecar := p.o.Sidecar != nil && p.o.Sidecar(h.Name)
	var chosen []*Format
	var verdict record.Record
	if !sidecar {
		chosen, verdict = choose(h, first[:min(len(first), HeadSize)], p.o.Formats, p.o.Panics)
	}
	limit := p.o.Limits.Member
	searching := !sidecar && (err == nil || err == io.EOF) && worthSearching(h, chosen, verdict, p.o.Formats)
	switch {
	case sidecar:
		res.status.Format = SidecarFormat
		limit = min(limit, maxSidecar)
	case len(chosen) > 0:
		res.status.Format = formatNames(whole(nil, chosen))
		limit = smallest(limit, chosen)
	case searching:
		limit = min(limit, maxLog)
	default:
		limit = 0 // nobody wants the bytes: only their digest
	}
	tooLarge := false
	if limit > 0 && l.size > limit {
		tooLarge = true
	} else if limit > 0 {
		want := l.size
		if want < 0 {
			want = int64(len(first)) // a stream: what it needs comes to light
		}
		n := p.leafBytes.acquire(want)
		defer p.leafBytes.release(n)
		if err == nil {
			c.grow(l.size)
			err = c.read(limit + 1)
		}
		tooLarge = int64(len(c.buf)) > limit
	}
	src := &Source{Head: h, Data: trimBOM(c.buf)}
	parts := whole(src, chosen)
	if searching {
		if !tooLarge {
			parts, verdict = search(src, chosen, verdict, p.o.Formats, p.o.Panics)
		}
		if len(chosen) == 0 {
			tooLarge = false // nobody asked for it
		}
		if len(parts) > 0 {
			res.status.Format = formatNames(parts)
		}
		for _, part := range parts {
			tooLarge = tooLarge || part.MaxSize > 0 && int64(len(c.buf)) > part.MaxSize
		}
	}
	if err == nil && !tooLarge {
		err = c.drain()
	}
	if err == nil || err == io.EOF {
		err = nil
		if !tooLarge {
			res.status.SHA256 = c.digest()
			res.status.Size = c.n
		}
	}
	if p.ctx.Err() != nil {
		return
	}
	if l.note != "" {
		say(&record.SyntaxError{Text: l.note})
	}
	switch {
	case tooLarge:
		what, todo := "one file", "split it or raise the limit"
		if limit < p.o.Limits.Member {
			what, todo = "a file of this kind", "split it"
		}
		say(&record.SyntaxError{Text: fmt.Sprintf("larger than %s, the limit for %s: %s", sizeText(limit), what, todo)})
		p.add(res, l.packed)
		return
	case err != nil && l.isTop:
		p.fail(fileError(l.path, err))
		return
	case err != nil:
		whole := trailing(err) && len(c.buf) > 0
		if whole {
			say(&record.SyntaxError{Text: "something follows the end of the compressed data: it is left out"})
		} else {
			say(&record.SyntaxError{Text: unpackError(err)})
		}
		if !whole && !errors.Is(err, io.ErrUnexpectedEOF) || len(c.buf) == 0 {
			p.add(res, l.packed)
			return
		}
		// Cut short, or whole with something behind it: what is there is read.
		res.status.SHA256 = c.digest()
		res.status.Size = c.n
	}
	switch {
	case sidecar:
		res.sidecar = bytes.Clone(trimBOM(c.buf))
	case len(parts) == 0:
		say(verdict)
		if i, ok := verdict.(*record.Ignored); ok {
			res.status.Ignored = i.Reason
		}
	default:
		h.Data, h.Size = src.Data[:min(len(src.Data), HeadSize)], int64(len(src.Data))
		res.records = append(res.records, readParts(parts, res.status.SHA256, p.o.Panics)...)
	}
	p.add(res, l.packed)
}

// smallest is the least of a limit and the sizes that formats allow.
func smallest(limit int64, formats []*Format) int64 {
	for _, f := range formats {
		if f.MaxSize > 0 {
			limit = min(limit, f.MaxSize)
		}
	}
	return limit
}

// maxSidecar is how large a file with settings may be.
const maxSidecar = 8 << 20

// sizeText writes a number of bytes in the largest unit that gives a whole number.
func sizeText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for n >= 1024 && n%1024 == 0 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return fmt.Sprintf("%d %s", n, units[i])
}

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

// grow makes room for n bytes in all.
func (c *content) grow(n int64) {
	// The chunk more lets read find the end of the file without growing again. A size that an
	// archive claims is not believed beyond some bound.
	const believe = 64 << 20
	if n = min(n, believe) + chunk; n > int64(cap(c.buf)) {
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

// drain reads the rest of the stream and keeps nothing but its digest.
func (c *content) drain() error {
	if c.eof {
		return nil
	}
	rest := make([]byte, chunk)
	for {
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
}

func (c *content) digest() string { return hex.EncodeToString(c.sum.Sum(nil)) }

// budget hands out bytes.
type budget struct {
	mu          sync.Mutex
	cond        *sync.Cond
	free, total int64
}

// acquire waits for n bytes, or for all there are where n is more, and returns what it took.
func (b *budget) acquire(n int64) int64 {
	n = min(max(0, n), b.total)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n {
		b.cond.Wait()
	}
	b.free -= n
	return n
}

func (b *budget) release(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.cond.Broadcast()
}
