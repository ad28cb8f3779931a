package ingest

import (
	"context"
	"io/fs"
	"sync"

	"golang.org/x/sync/semaphore"

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
	leafBytes *semaphore.Weighted

	mu       sync.Mutex
	wake     *sync.Cond // on mu: something below changed
	nextTop  int
	leaves   []*leaf
	scanning int // workers that are going through a top file
	busy     int // leaves that are being read
	held     int64
	results  []*fileResult
	torn     []*topFile    // archives that were written while they were read
	wrong    []*fileResult // archives whose checksum came out wrong behind their members
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

// topFile is a file that the walk found, with what it is read from.
type topFile struct {
	Found
	index int
	fsys  fs.FS // nil: data
	data  []byte
}

type fileResult struct {
	top, seq int
	archive  bool
	status   FileStatus
	records  []record.Record
	sidecar  []byte
	// unreadable says that the machine did not give the file.
	unreadable bool
}

// worker is what one goroutine keeps between files.
type worker struct{ buf []byte }

func newPool(ctx context.Context, o Options) *pool {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &pool{ctx: ctx, cancel: cancel, o: o, leafBytes: semaphore.NewWeighted(maxLeafBytes)}
	p.wake = sync.NewCond(&p.mu)
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
