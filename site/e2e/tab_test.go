//go:build e2e

package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed measure.js
var measure string

// A tab is a tab of the browser that remembers what went wrong while it showed pages.
type tab struct {
	ctx context.Context

	mu     sync.Mutex
	prefix string // of the addresses that a page may ask for
	former string // of those that the page before it may
	absent bool   // the page itself is answered with 404
	faults []string
	shown  *view // as which the last page was seen
}

// patience is how long one step may take before the test is taken to hang. It is no measure of
// speed: a healthy step takes a hundredth of it.
const patience = 2 * time.Minute

// newTab opens a tab for one test.
func newTab(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &tab{ctx: ctx}
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	call(t, b, log.Enable, cdp.Empty{})
	call(t, b, audits.Enable, cdp.Empty{})
	call(t, b, network.Enable, network.EnableParams{})
	// Tabs beside each other behave as if each had the window's focus.
	call(t, b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return b
}

func call[P, R any](t *testing.T, b *tab, cmd cdp.Command[P, R], params P) R {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// event is called for everything the browser tells about the tab.
func (b *tab) event(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fault := func(format string, args ...any) { b.faults = append(b.faults, fmt.Sprintf(format, args...)) }
	switch e := ev.(type) {
	case *log.EventEntryAdded:
		if b.absent && e.Entry.Source == "network" && strings.Contains(e.Entry.Text, "404") {
			return
		}
		if e.Entry.Level != "verbose" {
			fault("console: %s: %s (%s)", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		var said []string
		for _, a := range e.Args {
			said = append(said, string(a.Value))
		}
		fault("console.%s: %s", e.Type, strings.Join(said, " "))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		fault("exception: %s", text)
	case *audits.EventIssueAdded:
		d, _ := json.Marshal(e.Issue.Details)
		if strings.Contains(string(d), "FormEmptyIdAndNameAttributesForInputError") {
			return // advice for forms that are filled in for the reader: ours filter what is on the page
		}
		fault("issue: %s: %s", e.Issue.Code, d)
	case *network.EventRequestWillBeSent:
		// Of a picture opened by itself the browser asks the server for an icon; a page names its own.
		if u := e.Request.URL; strings.HasSuffix(u, "/favicon.ico") {
			b.absent = true
		} else if !b.within(u, e.DocumentURL) && !strings.HasPrefix(u, "data:") {
			fault("request leaves the site: %s", u)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 && !b.absent {
			fault("response %d: %s", e.Response.Status, e.Response.URL)
		}
	case *network.EventLoadingFailed:
		fault("loading failed: %s", e.ErrorText)
	}
}

// within reports whether an address that a document asks for is of its site. On a busy machine the page that was open
// before this one may ask late.
func (b *tab) within(address, document string) bool {
	address = strings.TrimPrefix(address, "blob:") // what a page of the site made itself
	if b.former != "" && strings.HasPrefix(document, b.former) {
		return strings.HasPrefix(address, b.former)
	}
	return strings.HasPrefix(address, b.prefix)
}

// taken returns the faults since it was last called.
func (b *tab) taken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.faults
	b.faults = nil
	return f
}

// inTab runs a test in a tab of its own, beside others, of pages from disk or from a server. It fails with the
// faults of the pages too.
func inTab(t *testing.T, name string, file bool, test func(*testing.T, *tab)) {
	where := "http"
	if file {
		where = "file"
	}
	t.Run(name+" "+where, func(t *testing.T) {
		t.Parallel()
		b := newTab(t)
		test(t, b)
		for _, f := range b.taken() {
			t.Error(f)
		}
	})
}

// A view is how a page is looked at.
type view struct {
	width  int64
	dark   bool
	print  bool
	script bool
	file   bool
}

func (v view) String() string {
	s := fmt.Sprintf("%d px", v.width)
	for _, w := range []struct {
		is  bool
		yes string
		no  string
	}{{v.dark, " dark", " light"}, {v.print, " print", ""}, {v.script, "", " no script"}, {v.file, " file", " http"}} {
		if w.is {
			s += w.yes
		} else {
			s += w.no
		}
	}
	return s
}

// set changes width, theme and medium without loading the page anew.
func (b *tab) set(t *testing.T, v view) {
	t.Helper()
	was := b.shown
	b.shown = &v
	if was == nil || was.width != v.width {
		height := int64(900)
		if v.width < 600 {
			height = 844
		}
		call(t, b, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: v.width, Height: height, DeviceScaleFactor: 1})
	}
	if was != nil && was.dark == v.dark && was.print == v.print {
		return
	}
	scheme, medium := "light", ""
	if v.dark {
		scheme = "dark"
	}
	if v.print {
		medium = "print"
	}
	call(t, b, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
}

// open loads a page and waits for its load event, and with scripts for two frames after it.
func (b *tab) open(t *testing.T, c *catalog, p sitePage, v view) {
	t.Helper()
	b.mu.Lock()
	b.former, b.prefix, b.absent = b.prefix, c.base, p.kind == "notfound"
	if v.file {
		b.prefix = "file://" + filepath.ToSlash(c.dir) + "/"
	}
	b.mu.Unlock()
	b.set(t, v)
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !v.script})
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(c.address(p, v.file))); err != nil {
		t.Fatalf("%s, %s: %v", p.path, v, err)
	}
	if v.script {
		evaluate[int](t, b, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))`)
	}
}

// evaluate runs a script in the page; a promise is waited for.
func evaluate[T any](t *testing.T, b *tab, script string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.80s: %v", script, err)
	}
	return v
}

// ask calls one of the functions of measure.js, each of which returns what is wrong in words.
func (b *tab) ask(t *testing.T, function string) []string {
	t.Helper()
	return evaluate[[]string](t, b, "("+strings.TrimSuffix(strings.TrimSpace(measure), ";")+")."+function)
}

// before makes a script run in every document before its own.
func (b *tab) before(t *testing.T, script string) {
	t.Helper()
	call(t, b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// key presses a key as a person does.
func (b *tab) key(t *testing.T, key string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
		t.Fatal(err)
	}
}

var axeSource = sync.OnceValues(func() (string, error) {
	dir, err := modules()
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(dir, "axe-core", "axe.min.js"))
	return string(b), err
})

// What axe-core is asked: all rules for WCAG 2.2 AA and good practice, or those of them that look at colours.
const (
	axeRules = `runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
		rules: {"target-size": {enabled: true}}`
	axeColours = `runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

// axe runs rules of axe-core and returns what they found.
func (b *tab) axe(t *testing.T, rules string) []string {
	t.Helper()
	source, err := axeSource()
	if err != nil {
		t.Fatal(err)
	}
	if !evaluate[bool](t, b, `typeof axe === "object"`) {
		evaluate[bool](t, b, source+"\n;typeof axe === 'object'")
	}
	return evaluate[[]string](t, b, `axe.run(document, {`+rules+`, resultTypes: ["violations"], preload: false, iframes: false, elementRef: false,
	}).then(r => r.violations.map(v => "axe " + v.id + ": " + v.help + ": " + v.nodes.length + " times: " +
		v.nodes.slice(0, 3).map(n => n.target.join(" ") + " (" + (n.any[0] || n.all[0] || n.none[0] || {message: ""}).message + ")").join("; ")))`)
}
