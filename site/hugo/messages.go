package hugo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template/parse"

	"github.com/spf13/afero"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	source "github.com/yuin/goldmark/text"
)

// findings are those of the content and what Hugo and the layouts warned of, sorted. What they are about is not
// remembered, so that the next build finds it again.
func (f *Feed) findings() []Finding {
	list := append(slices.Clone(f.content.findings), f.mistakes()...)
	for w := range f.out.wrong {
		list = append(list, findingOf(w, ""))
		f.forget(nil)
	}
	for _, line := range f.log.lines("WARN") {
		if m := rawHTML.FindStringSubmatch(line); m != nil {
			if j := f.out.job(m[1]); j != nil {
				at := Finding{File: j.source(), Message: "raw HTML is left out; write Markdown"}
				if n := rawHTMLLine(j.body); n > 0 {
					at.Line = n + j.bodyLine - 1
				}
				list = append(list, at)
				f.forget(j)
				continue
			}
		}
		list = append(list, findingOf(f.explainText(line)))
		f.forget(nil)
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			strings.Compare(a.Message, b.Message))
	})
	return list
}

// forget has the next build render a page again, or all where it is nil.
func (f *Feed) forget(j *job) {
	switch {
	case f.in.Since == nil:
	case j == nil:
		f.in.Since.ForgetAll()
	default:
		f.in.Since.Forget(j.unit())
	}
}

// findingOf takes the place off a message.
func findingOf(message, on string) Finding {
	if m := atBegin.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[2]) // 0, unknown, where there is none
		col, _ := strconv.Atoi(m[3])
		return Finding{File: m[1], Line: line, Col: col, Message: m[4] + on}
	}
	return Finding{Message: message + on}
}

var (
	// What Hugo says of raw HTML in Markdown.
	rawHTML = regexp.MustCompile(`^Raw HTML omitted.*?\b(p\d{12})\b`)
	// A place in a file that the user knows.
	place = regexp.MustCompile(`"?` + workDir + `/((?:layouts|assets)/[^":\s]+)(:\d+:\d+)?"?`)
	// A place in the text of a page, which Hugo knows as text of a content adapter.
	adapterPlace = regexp.MustCompile(`"?` + workDir + `/content/(?:(p\d{12})/)?_content\.gotmpl(?::(\d+):(\d+))?"?`)
	// A page as Hugo knows it.
	pageKey = regexp.MustCompile(`"?/?\b(p\d{12})(?:/p\d{12})?\b/?"?`)
	// A place after rename.
	named   = regexp.MustCompile(`\b(?:layouts|assets|content)/[^":\s]+:\d+(?::\d+)?`)
	atBegin = regexp.MustCompile(`(?s)^((?:layouts|assets|content)/[^":\s]+):(\d+)(?::(\d+))?: (.*)`)
	// What Hugo says of its own doings before it comes to the point.
	prelude = regexp.MustCompile(`^(?:error building site: |render: |assemble: |process: |\[[^\]]*\] |` +
		`failed to render pages: |failed to create page from pageMetaSource \S*: |render of "[^"]*" failed: )+`)
	execution = regexp.MustCompile(`(?:execute|parse) of template failed: template: [^ ]+?:(?:\d+:)*` +
		`(?: executing "[^"]*" at)?`)
	// A layout that baseof.html cannot be put around, because of a mistake in one of the two.
	inBase = regexp.MustCompile(`apply base template failed: template: ([^:\s]+):(\d+): (.*)`)
	// A place on the first line of a layout.
	firstLine = regexp.MustCompile(`(layouts/[^/:"\s]+\.html):1:(\d+)`)
	noFunc    = regexp.MustCompile(`^function "([^"]*)" not defined`)
	security  = regexp.MustCompile(`(?s); the current security configuration is:.*`)
)

// rename puts what the user knows where Hugo names its own: files and pages. The message is about j,
// which may be nil.
func (f *Feed) rename(s string, j *job) string {
	s = adapterPlace.ReplaceAllStringFunc(s, func(p string) string {
		m := adapterPlace.FindStringSubmatch(p)
		of := f.out.job(m[1])
		if of == nil {
			of = j
		}
		line, err := strconv.Atoi(m[2])
		switch {
		case of == nil:
			return p
		case err != nil || of.bodyLine == 0:
			return of.source()
		}
		return fmt.Sprintf("%s:%d:%s", of.source(), line+of.bodyLine-1, m[3])
	})
	s = pageKey.ReplaceAllStringFunc(s, func(m string) string {
		if j := f.out.job(pageKey.FindStringSubmatch(m)[1]); j != nil {
			return j.String()
		}
		return m
	})
	return f.written(place.ReplaceAllString(strings.ReplaceAll(s, standIn, ""), "$1$2"))
}

// written are the places of a message as the files were written: without what begin put before them.
func (f *Feed) written(s string) string {
	return firstLine.ReplaceAllStringFunc(s, func(p string) string {
		m := firstLine.FindStringSubmatch(p)
		column, err := strconv.Atoi(m[2])
		data, failed := afero.ReadFile(f.source, path.Join(workDir, m[1]))
		if err != nil || failed != nil || column <= len(begin) || !strings.HasPrefix(string(data), begin) {
			return p
		}
		return fmt.Sprintf("%s:1:%d", m[1], column-len(begin))
	})
}

// about is the page that a message of Hugo is about, or nil.
func (f *Feed) about(s string) *job {
	if m := pageKey.FindStringSubmatch(s); m != nil {
		return f.out.job(m[1])
	}
	home := slices.IndexFunc(f.jobs, func(j *job) bool { return j.path == "" })
	if home < 0 || !adapterPlace.MatchString(s) {
		return nil
	}
	return f.jobs[home] // See job.adapter.
}

// explain says what Hugo said with the real place first: "layouts/page.html:2:8: ...". What happened
// on several pages is said once.
func (f *Feed) explain(err error) error {
	pages := map[string][]string{}
	for _, e := range divide(err) {
		said := []string{e.Error()}
		// What a layout said with errorf stands in the log only.
		if strings.Contains(said[0], "logged ") && strings.HasSuffix(said[0], " error(s)") {
			if lines := f.log.lines("ERROR"); len(lines) > 0 {
				said = lines
			}
		}
		for _, s := range said {
			message, page := f.explainText(s)
			pages[message] = append(pages[message], page)
		}
	}
	var list []string
	for _, message := range slices.Sorted(maps.Keys(pages)) {
		on := slices.DeleteFunc(pages[message], func(s string) bool { return s == "" })
		slices.Sort(on)
		switch on = slices.Compact(on); {
		case len(on) == 1:
			message += on[0]
		case len(on) > 1:
			message += strings.TrimSuffix(on[0], ")") + " and others)"
		}
		list = append(list, message)
	}
	return &Error{text: strings.Join(list, "\n"), err: err}
}

// divide returns the errors that err joins, or err.
func divide(err error) []error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if several, ok := e.(interface{ Unwrap() []error }); ok {
			return several.Unwrap()
		}
	}
	return []error{err}
}

// explainText returns a message of Hugo with its place first, and where it happened in brackets, or "" where
// the message has it.
func (f *Feed) explainText(s string) (message, on string) {
	s = security.ReplaceAllString(s, "")
	j := f.about(s)
	s = f.rename(prelude.ReplaceAllString(s, ""), j)
	s = strings.ReplaceAll(execution.ReplaceAllString(s, ""), ":  ", ": ")
	if m := inBase.FindStringSubmatch(s); m != nil {
		s = fmt.Sprintf("layouts/%s:%s: %s", f.mistaken(m[1], m[2], m[3]), m[2], m[3])
	}
	s, from := innermost(s)
	if j != nil && !strings.Contains(s, j.source()) {
		from = append(from, j.String())
	}
	if len(from) > 0 {
		on = " (" + strings.Join(from, ", ") + ")"
	}
	return s, on
}

// mistaken is the layout that a mistake on a line stands in: the named one or the one around it, which Hugo
// calls by the same name.
func (f *Feed) mistaken(layout, line, message string) string {
	n, _ := strconv.Atoi(line)
	data, err := afero.ReadFile(f.source, path.Join(workDir, "layouts", layout))
	lines := strings.Split(string(data), "\n")
	if err != nil || n < 1 {
		return layout
	}
	alone := parse.New(layout)
	alone.Mode = parse.SkipFuncCheck
	_, err = alone.Parse(string(data), "", "", map[string]*parse.Tree{})
	unknown := noFunc.FindStringSubmatch(message)
	if err != nil || unknown != nil && n <= len(lines) && strings.Contains(lines[n-1], unknown[1]) {
		return layout
	}
	return "baseof.html"
}

// innermost puts the last place of a message first: it is the mistake's, those before it led there. The
// nearest of them is returned, before it a text of content/ that is among them.
func innermost(s string) (message string, from []string) {
	places := named.FindAllStringIndex(s, -1)
	if len(places) == 0 {
		return s, nil
	}
	at := func(i int) string { return s[places[i][0]:places[i][1]] }
	last := len(places) - 1
	for i := range last {
		if strings.HasPrefix(at(i), "content/") {
			from = append(from, at(i))
		}
	}
	if last > 0 && len(from) == 0 {
		from = append(from, at(last-1))
	}
	before := strings.TrimSuffix(strings.TrimRight(s[:places[0][0]], " :"), " See")
	after := strings.TrimPrefix(s[places[last][1]:], ": ")
	message = at(last) + ": " + before
	if before != "" && after != "" {
		message += ": "
	}
	return message + after, slices.DeleteFunc(from, func(p string) bool { return p == at(last) })
}

// shortcode is left out where Markdown is looked at without Hugo.
var shortcode = regexp.MustCompile(`(?s)\{\{[<%].*?[%>]\}\}`)

// rawHTMLLine returns the line of the first raw HTML of a Markdown text, from 1; 0 where none is found.
func rawHTMLLine(body string) (line int) {
	src := shortcode.ReplaceAllFunc([]byte(body), func(s []byte) []byte {
		return bytes.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, s)
	})
	found := func(at *source.Segments) bool {
		if at.Len() > 0 && !bytes.HasPrefix(bytes.TrimSpace(src[at.At(0).Start:]), []byte("<!--")) {
			line = 1 + bytes.Count(src[:at.At(0).Start], []byte("\n"))
		}
		return line > 0
	}
	_ = ast.Walk(goldmark.DefaultParser().Parse(source.NewReader(src)),
		func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			html, inline := n.(*ast.RawHTML)
			_, block := n.(*ast.HTMLBlock)
			if entering && (inline && found(html.Segments) || block && found(n.Lines())) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	return line
}

// Error is what Hugo could not do: a template that does not parse or cannot be executed, an asset
// that cannot be processed.
type Error struct {
	text string
	err  error
}

// Error is what is wrong and what to do, with the place where it is known.
func (e *Error) Error() string { return e.text }

// Unwrap is what Hugo said.
func (e *Error) Unwrap() error { return e.err }

// log takes what Hugo writes to its standard output and error.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// lines returns each distinct message of a level once, sorted.
func (l *log) lines(level string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []string
	for line := range strings.Lines(l.b.String()) {
		if line, ok := strings.CutPrefix(line, level); ok {
			list = append(list, strings.TrimSpace(line))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
