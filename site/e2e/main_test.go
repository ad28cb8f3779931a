//go:build e2e

package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	every       = flag.Bool("every", false, "look at every page, not at a few of each kind")
	screenshots = flag.String("screenshots", "", "write pictures of the pages into this directory")
	readme      = flag.String("readme", "", "write README's picture into this file")
	weightsTo   = flag.String("table", "", "write what pages weigh between the marks in this file")
	scoresTo    = flag.String("scores", "", "write how pages score between the marks in this file")
)

// The machinery of all tests: where things are, and the one browser whose tabs they use.
var (
	root    string // of the repository
	scratch string // ignored by git: the program, catalogs, modules of Node
	chrome  string // the program
	browser context.Context
)

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	var err error
	if root, err = filepath.Abs("../.."); err != nil {
		return 0, err
	}
	scratch = filepath.Join(root, ".e2e")
	if chrome, err = findChrome(); err != nil {
		fmt.Println("e2e: skipped:", err)
		return 0, nil
	}
	if err := os.MkdirAll(scratch, 0o777); err != nil {
		return 0, err
	}
	defer closeServers()
	// A profile of its own, so that nothing is left of an earlier run and no window is shared.
	profile, err := os.MkdirTemp(scratch, "profile-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(profile)
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chrome), chromedp.UserDataDir(profile))
	for _, f := range chromeFlags() {
		name, value, given := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		if given {
			opts = append(opts, chromedp.Flag(name, value))
		} else {
			opts = append(opts, chromedp.Flag(name, true))
		}
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	defer stop()
	var cancel context.CancelFunc
	browser, cancel = chromedp.NewContext(allocated)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return 0, fmt.Errorf("start %s: %w", chrome, err)
	}
	return m.Run(), nil
}

// chromeFlags are the flags of every Chromium that runs here, Lighthouse's too. No name but this
// machine's is resolved: what a page asks of another host fails and is seen.
func chromeFlags() []string {
	f := []string{
		"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--lang=en-US",
	}
	if os.Geteuid() == 0 {
		f = append(f, "--no-sandbox") // the sandbox of Chromium does not work for root
	}
	return f
}

// findChrome finds the browser, or installs Debian's where it can.
func findChrome() (string, error) {
	if p := os.Getenv("CHROMIUM"); p != "" {
		return exec.LookPath(p)
	}
	look := func() string {
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
			if p, err := exec.LookPath(name); err == nil {
				return p
			}
		}
		return ""
	}
	if p := look(); p != "" {
		return p, nil
	}
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return "", errors.New("no Chromium here, and it cannot be installed without apt-get and root: set CHROMIUM " +
			"to a program")
	}
	for _, args := range [][]string{{"update", "-qq"},
		{"install", "-y", "-qq", "--no-install-recommends", "chromium"}} {
		cmd := exec.Command(apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("no Chromium here, and apt-get %s failed: %w\n%s", args[0], err, tail(out))
		}
	}
	if p := look(); p != "" {
		return p, nil
	}
	return "", errors.New("apt-get installed no program named chromium")
}

func tail(b []byte) string {
	if len(b) > 2000 {
		b = b[len(b)-2000:]
	}
	return string(b)
}

// modules installs the modules of Node that package-lock.json names and returns their directory,
// or says why there are none.
var modules = sync.OnceValues(func() (string, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errNoNode
	}
	if _, err := exec.LookPath("node"); err != nil {
		return "", errNoNode
	}
	// Not below site/e2e: some modules hold Go files, which ./... would find.
	dir := filepath.Join(scratch, "node")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	same := true
	for _, name := range []string{"package.json", "package-lock.json"} {
		b, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		old, err := os.ReadFile(filepath.Join(dir, name))
		same = same && err == nil && string(old) == string(b)
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			return "", err
		}
	}
	installed := filepath.Join(dir, "node_modules")
	done := filepath.Join(dir, "installed") // written last: a broken install is done again
	if _, err := os.Stat(done); err == nil && same {
		return installed, nil
	}
	os.Remove(done)
	cmd := exec.Command(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, tail(out))
	}
	return installed, os.WriteFile(done, nil, 0o666)
})

// errNoNode says that a machine has no Node: what needs it is skipped, everything else is not.
var errNoNode = errors.New("no node and npm here")

// hasModules tells whether Node's modules are there. Where Node is and they cannot be had, the
// test fails: a check that silently does nothing is none.
func hasModules(t *testing.T) bool {
	t.Helper()
	_, err := modules()
	if err != nil && !errors.Is(err, errNoNode) {
		t.Fatal(err)
	}
	return err == nil
}

// needModules returns the directory of Node's modules, or skips the test.
func needModules(t *testing.T) string {
	t.Helper()
	if !hasModules(t) {
		t.Skip("skipped:", errNoNode)
	}
	dir, _ := modules()
	return dir
}

// program builds inferdex once, with the readers for browsers in it.
var program = sync.OnceValues(func() (string, error) {
	name := filepath.Join(scratch, "inferdex")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := command(root, "go", "run", "./cmd/reader/build", "site/reader/built"); err != nil {
		return "", err
	}
	return name, command(root, "go", "build", "-trimpath", "-o", name, "./cmd/inferdex")
})

func command(dir string, args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, tail(out))
	}
	return nil
}
