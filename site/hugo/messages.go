package hugo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// findings are those of the content and what Hugo and the layouts warned of, sorted.
func (f *Feed) findings() []Finding {
	list := slices.Clone(f.content.findings)
	for _, line := range f.log.lines("WARN") {
		if m := rawHTML.FindStringSubmatch(line); m != nil {
			if j := f.out.job(m[1]); j != nil {
				list = append(list, Finding{File: j.source(), Message: "raw HTML is left out; write Markdown"})
				continue
			}
		}
		list = append(list, Finding{Message: f.rename(line, f.about(line))})
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Message, b.Message))
	})
	return list
}

var (
	// What Hugo says of raw HTML in Markdown.
	rawHTML = regexp.MustCompile(`^Raw HTML omitted.*?\b(p\d{6})\b`)
	// A place in a file that the user knows.
	place = regexp.MustCompile(`"?` + workDir + `/((?:layouts|assets)/[^":\s]+)(:\d+:\d+)?"?`)
	// A place in the text of a page, which Hugo knows as text of the content adapter.
	adapterPlace = regexp.MustCompile(`"?` + workDir + `/content/_content\.gotmpl(?::(\d+):(\d+))?"?`)
	// A page as Hugo knows it.
	pageKey = regexp.MustCompile(`"?/?\b(p\d{6})\b/?"?`)
	// What Hugo says of its own doings before it comes to the point.
	prelude = regexp.MustCompile(`^(?:error building site: |render: |assemble: |process: |\[[^\]]*\] |` +
		`failed to render pages: |failed to create page from pageMetaSource \S+: |render of "[^"]*" failed: )+`)
	execution = regexp.MustCompile(`(?:execute|parse) of template failed: template: [^ ]+?:(?:\d+:)*` +
		`(?: executing "[^"]*" at)?`)
	security = regexp.MustCompile(`(?s); the current security configuration is:.*`)
)

// rename puts what the user knows where Hugo names its own: files and pages. The message is about j,
// which may be nil.
func (f *Feed) rename(s string, j *job) string {
	if j != nil {
		s = adapterPlace.ReplaceAllStringFunc(s, func(p string) string {
			m := adapterPlace.FindStringSubmatch(p)
			line, err := strconv.Atoi(m[1])
			if err != nil || j.bodyLine == 0 {
				return j.source()
			}
			return fmt.Sprintf("%s:%d:%s", j.source(), line+j.bodyLine-1, m[2])
		})
	}
	s = pageKey.ReplaceAllStringFunc(s, func(m string) string {
		if j := f.out.job(strings.Trim(m, `"/`)); j != nil {
			return j.String()
		}
		return m
	})
	return place.ReplaceAllString(strings.ReplaceAll(s, standIn, ""), "$1$2")
}

// about is the page that a message of Hugo is about, or nil.
func (f *Feed) about(s string) *job {
	if m := pageKey.FindStringSubmatch(s); m != nil {
		return f.out.job(m[1])
	}
	return nil
}

// explain says what Hugo said with the real place first: "layouts/page.html:2:8: ...". What happened
// on several pages is said once.
func (f *Feed) explain(err error) error {
	pages := map[string][]string{}
	for _, e := range divide(err) {
		message, page := f.explainOne(e)
		pages[message] = append(pages[message], page)
	}
	var list []string
	for _, message := range slices.Sorted(maps.Keys(pages)) {
		on := slices.DeleteFunc(pages[message], func(s string) bool { return s == "" })
		slices.Sort(on)
		switch {
		case len(on) == 1:
			message += " (" + on[0] + ")"
		case len(on) > 1:
			message += fmt.Sprintf(" (%s and others)", on[0])
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

// explainOne returns the message of one error and the page it happened on, or "" where the message
// has it.
func (f *Feed) explainOne(err error) (message, page string) {
	s := err.Error()
	// What a layout said with errorf stands in the log only.
	if strings.Contains(s, "logged ") && strings.HasSuffix(s, " error(s)") {
		if lines := f.log.lines("ERROR"); len(lines) > 0 {
			s = strings.Join(lines, "; ")
		}
	}
	s = security.ReplaceAllString(s, "")
	j := f.about(s)
	s = f.rename(prelude.ReplaceAllString(s, ""), j)
	s = strings.ReplaceAll(execution.ReplaceAllString(s, ""), ":  ", ": ")
	if j != nil && !strings.Contains(s, j.source()) {
		page = j.String()
	}
	return s, page
}

// Error is what Hugo could not do: a template that does not parse or cannot be executed, an asset
// that cannot be processed.
type Error struct {
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
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
