// Package serve shows a built site on this machine while its author works on it: it watches the
// files the site is made of, has it rebuilt when they change, and reloads the pages that are
// open in a browser. What a build is, the caller says; the package knows no page, no catalog and
// no Hugo.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
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
	// a build may put a whole new tree in place of the last. One that goes is built again.
	Dir func() fs.FS
	// Watch lists the files and directories the site is made from, directories with all they
	// hold. One that does not exist is waited for. A symbolic link is followed when it is
	// listed here, not when it lies deeper.
	Watch []string
	// Ignore reports whether a change of an absolute path, or of anything below it, is none of
	// the site's: what a build writes itself. Nil ignores nothing. Version control folders and
	// what editors leave while they save are always ignored.
	Ignore func(path string) bool
	// Rebuild builds the site. Run calls it once at its start and again after changes, never
	// twice at the same time. Its error is shown in the browser, over the last good site, and one that is
	// [Mistakes] over the new one. It calls wrote with a folder that it wrote before it reads it: what changed there by then
	// is built, and no reason to build again.
	Rebuild func(ctx context.Context, wrote func(folder string)) error
	// Log takes one line for the terminal; nil drops them. Never called twice at the same time.
	Log func(format string, args ...any)
	// Ready is called once with the site's address, as soon as requests are answered. The
	// first build has only begun then: until it ends, pages say so and reload by themselves.
	Ready func(url string)
}

// Mistakes is the error of a build that made a site and left something out of it, which its author has to mend.
type Mistakes struct{ Text string }

func (m *Mistakes) Error() string { return m.Text }

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
	// The first look comes before the first build, so that no change falls between the two.
	w, err := newWatcher(o, logf)
	if err != nil {
		return err
	}
	st := newStatus()
	machine, _ := os.Hostname() // without one it has no name to answer to
	server := &http.Server{
		Handler:           &handler{dir: o.Dir, status: st, addr: o.Addr, machine: machine},
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
		keepBuilt(ctx, builder{rebuild: o.Rebuild, wrote: w.known, changed: andSite(w.changed, o.Dir), age: age, display: w.display,
			status: st, logf: logf})
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
