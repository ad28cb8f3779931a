package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"sync"
	"time"
)

// builder is what keepBuilt works with.
type builder struct {
	rebuild func(ctx context.Context, wrote func(folder string)) error
	wrote   func(folder string)
	changed func() []string // the files that changed since it was asked last
	age     func(path string) time.Duration
	display func(string) string // a path as the log shows it
	status  *status
	logf    func(string, ...any)
}

// keepBuilt builds, and builds again whenever files have changed and then been quiet, until ctx
// is cancelled.
func keepBuilt(ctx context.Context, b builder) {
	b.build(ctx)
	for {
		// What changed while the last build ran is found at the first look behind it.
		files := settled(ctx, b.changed, b.age)
		switch len(files) {
		case 0:
			return
		case 1:
			b.logf("%s changed, rebuilding", b.display(files[0]))
		default:
			b.logf("%s and %d more changed, rebuilding", b.display(files[0]), len(files)-1)
		}
		b.build(ctx)
	}
}

func (b *builder) build(ctx context.Context) {
	b.status.begin()
	err := b.rebuild(ctx, b.wrote)
	if ctx.Err() != nil {
		return // what a cancelled build says is of no interest
	}
	b.status.built(err) // before it is said: who reads that may look at once
	var mistakes *Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		b.logf("build failed: %v", err)
	}
}

// status is how the last build ended. Whoever shows it waits for the channel of the snapshot he
// has shown and takes the next: nobody has a queue, so nobody can be behind.
type status struct {
	mu  sync.Mutex
	now snapshot
	run string // differs from one Run to the next, so that pages of an earlier one reload
	n   int    // builds that succeeded
}

type snapshot struct {
	// build names the last good build. A page that carries another is out of date.
	build string
	// failure is the error of the build after it, nil if that build is the newest and has no [Mistakes].
	failure error
	// building says that another build is under way.
	building bool
	// ended says that a build has ended, well or not.
	ended bool
	// next is closed when this snapshot is history.
	next chan struct{}
}

func newStatus() *status {
	s := &status{run: rand.Text()[:8]}
	s.now = snapshot{build: s.run + "-0", next: make(chan struct{})}
	return s
}

func (s *status) get() snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// begin says that a build has begun. What is shown stays until it ends.
func (s *status) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.now.next)
	s.now.building, s.now.next = true, make(chan struct{})
}

func (s *status) built(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var mistakes *Mistakes
	if err == nil || errors.As(err, &mistakes) {
		s.n++
	}
	close(s.now.next)
	s.now = snapshot{build: s.run + "-" + strconv.Itoa(s.n), failure: err, ended: true, next: make(chan struct{})}
}
