// Package serve shows a built site on this machine while its author works on it: it watches the
// files the site is made of, has it rebuilt when they change, and reloads the pages that are
// open in a browser. What a build is, the caller says; the package knows no page, no catalog and
// no Hugo.
package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// firstPort is where an Options without Addr starts to look for a free port, ports is how
	// many it tries before it takes any.
	firstPort = 1313
	ports     = 20

	// quiet is how long no file may change before a rebuild starts: an editor, and much more a
	// checkout of another branch, changes several files at once.
	quiet = 150 * time.Millisecond
	// longest is how long a rebuild is put off by files that never stop changing, such as a log
	// in the data folder that something still writes.
	longest = 3 * time.Second

	// goodbye is how long the end of Run waits for answers under way and for a rebuild.
	goodbye = 800 * time.Millisecond
)

// Options says what Run serves, what it watches and how the site is built.
type Options struct {
	// Addr is the host:port to listen on. Empty: 127.0.0.1 at port 1313 or the next free one.
	// On a loopback host only requests that name a loopback host are answered, so that no page
	// of the web can read the site by pointing its own name at this machine.
	Addr string
	// Dir returns the built site, nil while there is none. It is asked for every request, so
	// a build may put a whole new tree in place of the last.
	Dir func() fs.FS
	// Watch lists the files and directories the site is made from, directories with all they
	// hold. One that does not exist is waited for. A symbolic link is followed when it is
	// listed here, not when it lies deeper.
	Watch []string
	// Ignore reports whether a change of an absolute path, or of anything below it, is none of
	// the site's: what a build writes itself. Nil ignores nothing. Version control folders and
	// what editors leave while they save are always ignored.
	Ignore func(path string) bool
	// Poll looks for changes every second instead of being told of them by the system: for
	// file systems that tell nothing, such as most network ones.
	Poll bool
	// Rebuild builds the site. Run calls it once at its start and again after changes, never
	// twice at the same time. Its error is shown in the browser, over the last good site.
	Rebuild func(ctx context.Context) error
	// Log takes one line for the terminal; nil drops them. Never called twice at the same time.
	Log func(format string, args ...any)
	// Ready is called once with the site's address, as soon as requests are answered. The
	// first build has only begun then: until it ends, pages say so and reload by themselves.
	Ready func(url string)
}

// Run serves until ctx is cancelled, which is its ordinary end (nil). It ends within a second
// then: a Rebuild that does not heed its context is left behind. An error means that Addr cannot
// be listened on or that listening failed later; a failed build is none.
func Run(ctx context.Context, o Options) error {
	if o.Rebuild == nil {
		return errors.New("serve: no Rebuild given")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	listener, err := listen(o.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()

	logf := oneAtATime(o.Log)
	changed := newChanges()
	// Watching begins before the first build, so that no change falls between the two.
	w, err := newWatcher(o, changed.add, logf)
	if err != nil {
		return err
	}
	defer w.close()
	w.begin(o.Poll)

	st := newStatus()
	server := &http.Server{
		Handler:           &handler{dir: o.Dir, status: st, anyHost: !loopbackAddr(o.Addr), keepAlive: 20 * time.Second},
		ReadHeaderTimeout: 10 * time.Second,
		// The streams of events end with ctx, or they would hold up the shutdown.
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(logWriter(logf), "", 0),
	}
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	if o.Ready != nil {
		o.Ready(address(listener.Addr(), o.Addr))
	}

	building := make(chan struct{})
	go func() {
		defer close(building)
		keepBuilt(ctx, builder{rebuild: o.Rebuild, changed: changed, refresh: w.refresh, display: w.display, status: st, logf: logf})
	}()

	select {
	case err = <-serving:
		err = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	cancel()
	last, stop := context.WithTimeout(context.Background(), goodbye)
	defer stop()
	if server.Shutdown(last) != nil {
		server.Close()
	}
	select {
	case <-building:
	case <-last.Done():
	}
	return err
}

// listen opens addr; an empty one stands for the first free port from firstPort on.
func listen(addr string) (net.Listener, error) {
	if addr != "" {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return nil, fmt.Errorf("cannot serve on %q, choose another address (host:port): %w", addr, err)
		}
		return l, nil
	}
	for port := firstPort; port < firstPort+ports; port++ {
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return l, nil
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot serve on 127.0.0.1, choose another address (host:port): %w", err)
	}
	return l, nil
}

// address is what to type into a browser on this machine to reach a listener opened for asked.
func address(a net.Addr, asked string) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String() + "/"
	}
	if name, _, err := net.SplitHostPort(asked); err == nil && name != "" && net.ParseIP(name) == nil {
		host = name
	} else if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// loopbackAddr reports whether only this machine can reach addr.
func loopbackAddr(addr string) bool {
	if addr == "" {
		return true
	}
	host, _, err := net.SplitHostPort(addr)
	return err == nil && loopbackHost(host)
}

// loopbackHost reports whether a host without port always means this machine, whatever a name
// server says.
func loopbackHost(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func oneAtATime(logf func(string, ...any)) func(string, ...any) {
	if logf == nil {
		return func(string, ...any) {}
	}
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		logf(format, args...)
	}
}

// logWriter hands the HTTP server's own complaints to the log.
type logWriter func(format string, args ...any)

func (w logWriter) Write(p []byte) (int, error) {
	w("%s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// changes collects the paths that changed since they were last taken.
type changes struct {
	mu    sync.Mutex
	first string // of paths, for the log
	paths map[string]bool
	more  chan struct{} // holds one token when there may be paths
}

func newChanges() *changes {
	return &changes{paths: map[string]bool{}, more: make(chan struct{}, 1)}
}

func (c *changes) add(path string) {
	c.mu.Lock()
	if len(c.paths) == 0 {
		c.first = path
	}
	c.paths[path] = true
	c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// take empties c and returns the first path that changed and how many did.
func (c *changes) take() (first string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, n = c.first, len(c.paths)
	c.first, c.paths = "", map[string]bool{}
	return first, n
}

// builder is what keepBuilt works with.
type builder struct {
	rebuild func(context.Context) error
	changed *changes
	refresh func()              // called before each rebuild but the first: watch what is new
	display func(string) string // a path as the log shows it
	status  *status
	logf    func(string, ...any)
}

// keepBuilt builds, and builds again whenever files have changed and then been quiet, until ctx
// is cancelled.
func keepBuilt(ctx context.Context, b builder) {
	b.build(ctx)
	for settle(ctx, b.changed.more) {
		// A change before refresh may have gone unseen, but then this rebuild reads it; one
		// after it is seen and starts the next.
		b.refresh()
		switch first, n := b.changed.take(); n {
		case 0:
			continue // taken by the last rebuild already
		case 1:
			b.logf("%s changed, rebuilding", b.display(first))
		default:
			b.logf("%s and %d more changed, rebuilding", b.display(first), n-1)
		}
		b.build(ctx)
	}
}

func (b *builder) build(ctx context.Context) {
	err := b.rebuild(ctx)
	if ctx.Err() != nil {
		return // what a cancelled build says is of no interest
	}
	if err != nil {
		b.logf("build failed: %v", err)
	}
	b.status.built(err)
}

// settle waits until there was a token in more and then none for the quiet time, or until it has
// waited for the longest time. It reports false when ctx was cancelled.
func settle(ctx context.Context, more <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-more:
	}
	limit := time.NewTimer(longest)
	defer limit.Stop()
	calm := time.NewTimer(quiet)
	defer calm.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-more:
			calm.Reset(quiet)
		case <-calm.C:
			return true
		case <-limit.C:
			return true
		}
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
	// failure is the error of the build after it, nil if that build is the newest.
	failure error
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

func (s *status) built(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.n++
	}
	close(s.now.next)
	s.now = snapshot{build: s.run + "-" + strconv.Itoa(s.n), failure: err, ended: true, next: make(chan struct{})}
}
