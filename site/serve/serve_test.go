package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The clock of these tests is synctest's: they take no time and are exact. Files are looked at
// every 100 ms at least, and the first build takes the first second.
func TestKeepBuilt(t *testing.T) {
	const ms = time.Millisecond
	const moved = "a file that was written long ago"
	for _, c := range []struct {
		name string
		at   []time.Duration // of changes
		want []string        // when builds start and what is logged, from the start
	}{
		{"no change", nil, []string{"0s build"}},
		{"one", []time.Duration{1950 * ms},
			[]string{"0s build", `2.05s "1.95s" changed, rebuilding`, "2.05s build"}},
		{moved, []time.Duration{1950 * ms}, []string{"0s build", `2s "1.95s" changed, rebuilding`, "2s build"}},
		{"together", []time.Duration{1950 * ms, 2050 * ms, 2150 * ms},
			[]string{"0s build", `2.25s "1.95s" and 2 more changed, rebuilding`, "2.25s build"}},
		{"apart", []time.Duration{1950 * ms, 3900 * ms},
			[]string{"0s build", `2.05s "1.95s" changed, rebuilding`, "2.05s build", `4s "3.9s" changed, rebuilding`,
				"4s build"}},
		// Builds are never two at a time, and those changes are one more.
		{"while building", []time.Duration{100 * ms, 300 * ms, 900 * ms},
			[]string{"0s build", `1.2s "100ms" and 2 more changed, rebuilding`, "1.2s build"}},
		{"without end", every(100*ms, 1950*ms, 6050*ms),
			[]string{"0s build", `5.05s "1.95s" and 31 more changed, rebuilding`, "5.05s build",
				`6.25s "5.15s" and 9 more changed, rebuilding`, "6.25s build"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				start := time.Now()
				var got []string
				busy := false
				coming := c.at
				done := make(chan struct{})
				go func() {
					defer close(done)
					keepBuilt(ctx, builder{
						rebuild: func(context.Context, func(string)) error {
							if busy {
								t.Error("two builds at a time")
							}
							busy = true
							got = append(got, time.Since(start).String()+" build")
							time.Sleep(time.Second)
							busy = false
							return nil
						},
						changed: func() (now []string) {
							for len(coming) > 0 && coming[0] <= time.Since(start) {
								now = append(now, coming[0].String())
								coming = coming[1:]
							}
							return now
						},
						age: func(path string) time.Duration {
							at, err := time.ParseDuration(path)
							if err != nil {
								t.Error(err)
							}
							if c.name == moved {
								return time.Hour
							}
							return time.Since(start) - at
						},
						display: func(path string) string { return fmt.Sprintf("%q", path) },
						status:  newStatus(),
						logf: func(format string, args ...any) {
							got = append(got, time.Since(start).String()+" "+fmt.Sprintf(format, args...))
						},
					})
				}()
				time.Sleep(time.Minute)
				cancel()
				<-done
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

func every(step, from, to time.Duration) []time.Duration {
	var out []time.Duration
	for at := from; at <= to; at += step {
		out = append(out, at)
	}
	return out
}

// running is a Run under test.
type running struct {
	t      *testing.T
	url    string
	cancel context.CancelFunc
	ended  chan error
	logs   chan string
}

func start(t *testing.T, o Options) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t: t, cancel: cancel, ended: make(chan error, 1), logs: make(chan string, 1000)}
	ready := make(chan string, 1)
	o.Addr = "127.0.0.1:0"
	o.Ready = func(url string) { ready <- url }
	o.Log = func(format string, args ...any) { r.logs <- fmt.Sprintf(format, args...) }
	go func() { r.ended <- Run(ctx, o) }()
	select {
	case r.url = <-ready:
	case err := <-r.ended:
		t.Fatalf("ended: %v", err)
	case <-time.After(patience):
		t.Fatal("not ready")
	}
	t.Cleanup(cancel)
	return r
}

func (r *running) stop() {
	r.t.Helper()
	r.cancel()
	select {
	case err := <-r.ended:
		if err != nil {
			r.t.Errorf("ended with %v", err)
		}
	case <-time.After(patience):
		r.t.Fatal("did not end")
	}
}

func (r *running) get(path string) (int, string) {
	r.t.Helper()
	answer, err := http.Get(r.url + path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// events connects as the script of the page at path does.
func (r *running) events(path string) *stream {
	r.t.Helper()
	_, body := r.get(path)
	_, rest, ok := strings.Cut(body, `src="/_inferdex/reload.js?`)
	if !ok {
		r.t.Fatalf("no script in %s", body)
	}
	query, _, _ := strings.Cut(rest, `"`)
	s := openStream(r.t, r.url+"_inferdex/events?"+query)
	s.want("retry: 1000")
	return s
}

// From a first build that fails to a site, to an error over it, to the next site, and out.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	source, out := filepath.Join(dir, "content", "page.md"), filepath.Join(dir, "public")
	r := start(t, Options{
		Dir:    func() fs.FS { return os.DirFS(out) },
		Watch:  []string{filepath.Join(dir, "content"), out},
		Ignore: func(path string) bool { return path == out }, // or it would never stop
		Rebuild: func(context.Context, func(string)) error {
			text, err := os.ReadFile(source)
			if err != nil {
				return errors.New("content/page.md is missing")
			}
			if strings.HasPrefix(string(text), "bad") {
				return fmt.Errorf("content/page.md:1: %s", text)
			}
			write(t, filepath.Join(out, "index.html"), "<head></head>"+string(text))
			return nil
		},
	})
	if got := <-r.logs; got != "build failed: content/page.md is missing" {
		t.Fatalf("log: %q", got)
	}
	page := r.events("")
	page.want(`event: build-error|data: "content/page.md is missing"`)
	if code, body := r.get(""); code != 503 || !strings.Contains(body, "content/page.md is missing") {
		t.Fatalf("status %d, %s", code, body)
	}

	shows := func(text string) {
		t.Helper()
		if code, body := r.get(""); code != 200 || !strings.HasSuffix(body, "</head>"+text) {
			t.Fatalf("status %d, %s", code, body)
		}
	}
	reloads := func(text string) {
		t.Helper()
		write(t, source, text)
		if got := page.ended(); !strings.HasPrefix(got, "event: reload|") {
			t.Fatalf("event %q", got)
		}
		shows(text)
	}
	reloads("one")

	page = r.events("")
	write(t, source, "bad two")
	if got := page.ended(); got != `event: build-error|data: "content/page.md:1: bad two"` {
		t.Fatalf("event %q", got)
	}
	shows("one")
	reloads("three three")
	r.events("") // left open
	r.stop()
}

// What the log says of a build that failed, the page shows already.
func TestLogComesLast(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	url, seen := make(chan string, 1), make(chan string, 1)
	go Run(ctx, Options{
		Addr:    "127.0.0.1:0",
		Ready:   func(at string) { url <- at },
		Rebuild: func(context.Context, func(string)) error { return errors.New("content/page.md is missing") },
		Log: func(string, ...any) {
			answer, err := http.Get(<-url)
			if err != nil {
				seen <- err.Error()
				return
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body)
			seen <- string(body)
		},
	})
	select {
	case body := <-seen:
		if !strings.Contains(body, "content/page.md is missing") {
			t.Errorf("the page says %q", body)
		}
	case <-time.After(patience):
		t.Fatal("nothing is said")
	}
}

// Run waits for a build that heeds its context, reports none of its errors, and does not wait
// for one that hangs.
func TestRunEndsWhileBuilding(t *testing.T) {
	var ended atomic.Bool
	begun := make(chan struct{})
	r := start(t, Options{Rebuild: func(ctx context.Context, _ func(string)) error {
		close(begun)
		<-ctx.Done()
		ended.Store(true)
		return ctx.Err()
	}})
	<-begun
	r.stop()
	if !ended.Load() {
		t.Error("the build was left behind")
	}
	select {
	case line := <-r.logs:
		t.Errorf("log: %q", line)
	default:
	}

	release := make(chan struct{})
	begun = make(chan struct{})
	defer close(release)
	r = start(t, Options{Rebuild: func(context.Context, func(string)) error {
		close(begun)
		<-release
		return nil
	}})
	<-begun
	if code, body := r.get("cards/"); code != 503 || !strings.Contains(body, "being built") {
		t.Errorf("status %d, %s", code, body)
	}
	r.stop()
}

func TestListen(t *testing.T) {
	one, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	if one.Addr().String() == two.Addr().String() {
		t.Errorf("twice %s", one.Addr())
	}
	for _, addr := range []string{one.Addr().String(), "nonsense", "127.0.0.1:99999"} {
		err := Run(t.Context(), Options{Addr: addr, Rebuild: func(context.Context, func(string)) error { return nil }})
		if err == nil || !strings.Contains(err.Error(),
			fmt.Sprintf("cannot serve on %q, choose another address", addr)) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ bound, asked, want string }{
		{"127.0.0.1:1313", "", "http://127.0.0.1:1313/"},
		{"127.0.0.1:4000", "localhost:0", "http://localhost:4000/"},
		{"[::]:4000", ":4000", "http://127.0.0.1:4000/"},
		{"0.0.0.0:4000", "0.0.0.0:4000", "http://127.0.0.1:4000/"},
		{"[::1]:4000", "[::1]:4000", "http://[::1]:4000/"},
	} {
		a, err := net.ResolveTCPAddr("tcp", c.bound)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(a, c.asked); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.bound, c.asked, got, c.want)
		}
	}
}
