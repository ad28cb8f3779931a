package hugo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template/parse"
	"time"

	"github.com/gohugoio/hugo/common/htime"
	"github.com/spf13/afero"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	source "github.com/yuin/goldmark/text"

	"github.com/inferdex/inferdex/site/page"
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
	unknown   = regexp.MustCompile(`^(?:function|no such template) "([^"]*)"`)
	// A layout that cannot be made safe, which is known by its name below layouts/.
	unescaped = regexp.MustCompile(`^html/template:([^:\s]+):(\d+)(:\d+: )(.*)`)
	// Settings of Hugo that a message shows, up to the place that it may say behind them.
	security = regexp.MustCompile(`; the current security configuration is:(?:\n+(?:\[security\]|  .*))*(?:\n+(\. See )|\s*$)?`)
	// What Hugo says of a shortcode that asks the network.
	fetches = regexp.MustCompile(`was unable to retrieve the remote data(?:: .*"security\.http\.urls"|\b)`)
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
	s = fetches.ReplaceAllString(security.ReplaceAllString(s, "$1"), "asks the network, and a build does not; write a link")
	j := f.about(s)
	s = prelude.ReplaceAllString(s, "")
	if m := unescaped.FindStringSubmatch(s); m != nil {
		if unknown.MatchString(m[4]) {
			m[1] = f.mistaken(m[1], m[2], m[4])
		}
		s = fmt.Sprintf("layouts/%s:%s%s%s", m[1], m[2], m[3], m[4])
	}
	s = f.rename(s, j)
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
	name := unknown.FindStringSubmatch(message)
	if err != nil || name != nil && n <= len(lines) && strings.Contains(lines[n-1], name[1]) {
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
	src := []byte(shortcode.ReplaceAllStringFunc(body, blank))
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
	for line := range strings.Lines(security.ReplaceAllString(l.b.String(), "$1")) {
		if line, ok := strings.CutPrefix(line, level); ok {
			list = append(list, strings.TrimSpace(line))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// What Hugo and layouts pass over without a word is said here: values of front matter that nobody can use, links that
// lead nowhere, and what a layout asks for that is not there.

// A meaning is what a key of front matter holds.
type meaning struct {
	kind string // "no date": what its value is not
	want string
	is   func(v any) bool
}

var (
	isText = meaning{"no text", "put it in quotes", func(v any) bool { _, ok := v.(string); return ok }}
	isBool = meaning{"neither true nor false", "write one of them, without quotes",
		func(v any) bool { _, ok := v.(bool); return ok }}
	isWhole = meaning{"no whole number", "write one such as 10", func(v any) bool {
		_, err := strconv.Atoi(fmt.Sprint(v))
		return err == nil
	}}
	isDate = meaning{"no date", "write one such as 2026-05-30", func(v any) bool {
		_, err := htime.ToTimeInDefaultLocationE(v, time.UTC)
		return err == nil
	}}

	meanings = map[string]meaning{"title": isText, "description": isText, "layout": isText, "weight": isWhole,
		"draft": isBool, "in_menu": isBool, "date": isDate, "lastmod": isDate}

	// What Hugo does where it reads a text itself, and nobody does here.
	vain = map[string]string{
		"url":         "the address is that of the file; rename it",
		"slug":        "the address is that of the file; rename it",
		"aliases":     "no other address leads here; link to this page",
		"publishdate": "the text is published at once; say draft = true until then",
		"expirydate":  "the text stays; say draft = true to hide it",
		"menu":        "the menu is made of in_menu and weight",
		"menus":       "the menu is made of in_menu and weight",
	}
)

// mistakes are what is wrong in the front matter of d.
func (d *document) mistakes() (list []Finding) {
	for _, key := range slices.Sorted(maps.Keys(d.front)) {
		name, value := strings.ToLower(key), d.front[key]
		message := ""
		if m, ok := meanings[name]; ok && value != nil && !m.is(value) {
			message = fmt.Sprintf("front matter: %s is %q, which is %s: %s", key, fmt.Sprint(value), m.kind, m.want)
		} else if instead, ok := vain[name]; ok {
			message = fmt.Sprintf("front matter: %s has no effect: %s", key, instead)
		}
		if message != "" {
			list = append(list, findingOf(d.at(name)+": "+message, ""))
		}
	}
	return list
}

// misspelt are keys of front matter that no layout asks for and that are nearly one that has an effect.
func (f *Feed) misspelt(d *document) (list []Finding) {
	if f.in.Nearest == nil {
		return nil
	}
	known := slices.Sorted(maps.Keys(meanings))
	for _, key := range slices.Sorted(maps.Keys(d.front)) {
		name := strings.ToLower(key)
		if slices.Contains(known, name) || slices.Contains(ofHugo, name) || vain[name] != "" {
			continue
		}
		if near := f.in.Nearest(name, known); near != "" && !f.mentions(name) {
			list = append(list, findingOf(fmt.Sprintf("%s: front matter: %s has no effect: did you mean %s?", d.at(name), key, near), ""))
		}
	}
	return list
}

// mentions says whether a layout may ask for a parameter: it has the name behind a dot or in quotes.
func (f *Feed) mentions(name string) (found bool) {
	asks := regexp.MustCompile(`(?i)[."]` + regexp.QuoteMeta(name) + `\b`)
	// What can be read was read when they were mounted.
	_ = walkLayers("layouts", f.in.Layouts, func(_ string, _ int, read func() ([]byte, error)) error {
		data, err := read()
		found = found || asks.Match(data)
		return err
	})
	return found
}

// inlineLink is the destination of a link or a picture of Markdown.
var inlineLink = regexp.MustCompile(`\]\(\s*<?([^\s()<>]+)>?(?:\s+["'(][^)]*)?\)`)

// code is what Markdown shows as it is written.
var code = regexp.MustCompile("(?s)(?:^|\n)(?:```|~~~).*?(?:\n(?:```|~~~)|$)|`[^`\n]+`")

// deadLinks are links of a text to what is not on the site. It is known when all is written.
func (f *Feed) deadLinks(d *document) (list []Finding) {
	body := code.ReplaceAllStringFunc(shortcode.ReplaceAllStringFunc(d.body, blank), blank)
	for _, m := range inlineLink.FindAllStringSubmatchIndex(body, -1) {
		destination := body[m[2]:m[3]]
		to := f.Link("", d.dir, destination)
		u, err := url.Parse(to)
		if to == destination && (err != nil || u.Scheme != "" || u.Host != "" || u.Path == "") ||
			err == nil && f.out.has(u.Path) {
			continue
		}
		list = append(list, Finding{File: d.file, Line: d.bodyLine + strings.Count(body[:m[2]], "\n"),
			Col:     m[2] - strings.LastIndexByte(body[:m[2]], '\n'),
			Message: fmt.Sprintf("leads to %q, which is not on the site", destination)})
	}
	return list
}

// blank is a text of as many lines and bytes that says nothing.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

// has says whether a file is part of the site.
func (s *sink) has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, written := s.names[name]
	return written || s.assets[name] != nil || s.jobs[name] != nil
}

// deadLeads are those of in.Leads that lead to what is not on the site.
func (f *Feed) deadLeads() (list []Finding) {
	for _, l := range f.in.Leads {
		u, err := url.Parse(l.Address)
		if err == nil && f.out.has(u.Path) {
			continue
		}
		list = append(list, Finding{File: l.File, Line: l.Line, Message: fmt.Sprintf(
			"leads to %q, which is not on the site; the address of another site begins with https://", l.Written)})
	}
	return list
}

// mistakes are what is wrong in links, front matter and layouts and stops no build.
func (f *Feed) mistakes() (list []Finding) {
	if !f.in.Unwritten {
		list = f.deadLeads()
	}
	for _, d := range f.content.all {
		list = append(append(list, d.mistakes()...), f.misspelt(d)...)
		if draft, _ := d.front["draft"].(bool); !draft && !f.in.Unwritten {
			list = append(list, f.deadLinks(d)...)
		}
	}
	return append(list, f.layoutMistakes()...)
}

// ofHugo are parameters that Hugo gives a page.
var ofHugo = []string{"title", "description", "date", "lastmod", "publishdate", "expirydate", "draft", "weight", "layout",
	"kind", "type", "key", "iscjklanguage", "keywords", "tags", "categories", "summary", "linktitle"}

var (
	// What a layout defines, the parameters it asks for, and the texts it has, among them all names it calls.
	defined  = regexp.MustCompile(`{{-?\s*define\s+"([^"]+)"`)
	askedFor = regexp.MustCompile(`\.Params\.(?:page\.)?(\w+)`)
	quoted   = regexp.MustCompile(`"([^"\s]+)"`)
)

// layoutMistakes are what the layouts and assets of a catalog hold in vain: what no layout of ours is or asks for.
func (f *Feed) layoutMistakes() (list []Finding) {
	ours := len(f.in.Layouts) - 1
	own, known := map[string][]byte{}, map[string]bool{}
	asked, calls := map[string]bool{}, map[string]bool{"main": true}
	for _, name := range ofHugo {
		asked[name] = true
	}
	for _, name := range ownParams {
		asked[name] = true
	}
	for name := range f.in.Params {
		asked[strings.ToLower(name)] = true
	}
	for _, d := range f.content.all {
		for name := range d.front {
			asked[strings.ToLower(name)] = true
		}
	}
	for _, view := range []any{page.ReportView{}, page.HomeView{}, page.DropView{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(view)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			asked[name] = true
		}
	}
	names := func(data []byte) { // what is called by its name, with an extension or without one
		for _, m := range quoted.FindAllSubmatch(defined.ReplaceAll(data, nil), -1) {
			name := string(m[1])
			calls[name], calls[strings.TrimSuffix(name, path.Ext(name))] = true, true
		}
	}
	// What can be read was read when they were mounted.
	_ = walkLayers("layouts", f.in.Layouts, func(name string, layer int, read func() ([]byte, error)) error {
		data, err := read()
		if layer < ours {
			own[name] = data
		}
		names(data)
		return err
	})
	_ = walkLayers("layouts", f.in.Layouts[max(0, ours):], func(name string, _ int, read func() ([]byte, error)) error {
		data, err := read()
		for _, m := range askedFor.FindAllSubmatch(data, -1) {
			asked[strings.ToLower(string(m[1]))] = true
		}
		names(data)
		return err
	})
	if len(own) > 0 || len(f.in.Assets) > 1 {
		for _, layers := range [][]string{f.builtIn("layouts"), f.builtIn("assets")} {
			for _, name := range layers {
				known[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if path.Ext(name) != ".html" {
			continue
		}
		file, data := "layouts/"+name, own[name]
		if instead := strings.Replace(name, "partials/", "_partials/", 1); strings.HasPrefix(name, "partials/") && known[instead] {
			list = append(list, Finding{File: file, Message: "has no effect: layouts/" + instead + " is taken instead; move it there"})
		} else if f.unused(name, known, calls) {
			list = append(list, Finding{File: file, Message: "nothing asks for a layout of this name: no page is made with it"})
		}
		for _, m := range defined.FindAllSubmatchIndex(data, -1) {
			if what := string(data[m[2]:m[3]]); !calls[what] && !calls[path.Base(what)] {
				list = append(list, placed(file, data, m[0],
					fmt.Sprintf("defines %q, which no layout asks for: nothing of it is shown", what)))
			}
		}
		list = append(list, f.asksInVain(file, data, asked)...)
	}
	return append(list, f.unusedAssets(known, calls)...)
}

// builtIn are the names of the files of the last layer of a folder, which a catalog's own may take the place of.
func (f *Feed) builtIn(folder string) (list []string) {
	layers := f.in.Layouts
	if folder == "assets" {
		layers = f.in.Assets
	}
	if len(layers) == 0 {
		return nil
	}
	_ = walkLayers(folder, layers[len(layers)-1:], func(name string, _ int, _ func() ([]byte, error)) error {
		list = append(list, name)
		return nil
	})
	return list
}

// unused says whether nothing is rendered by a layout of a catalog.
func (f *Feed) unused(name string, known, calls map[string]bool) bool {
	stem := strings.TrimSuffix(name, ".html")
	if !strings.Contains(stem, "/") {
		return !known[name] && len(f.in.Kinds) > 0 && !slices.Contains(f.in.Kinds, stem) && stem != "baseof" &&
			!slices.ContainsFunc(f.content.all, func(d *document) bool { return d.text("layout") == stem })
	}
	partial, ok := strings.CutPrefix(strings.TrimPrefix(stem, "_"), "partials/") // they were called "partials/" once
	if !ok || known["_partials/"+partial+".html"] || calls[partial] {
		return false
	}
	within, _ := path.Split(partial)
	for call := range calls { // a name may be put together: "shapes/%s.html"
		if within != "" && (call == within || strings.HasPrefix(call, within) && strings.Contains(call, "%")) {
			return false
		}
	}
	return true
}

// unusedAssets are style sheets and scripts of a catalog that nothing names.
func (f *Feed) unusedAssets(known, calls map[string]bool) (list []Finding) {
	mentioned := map[string]bool{}
	var sheets []string
	_ = walkLayers("assets", f.in.Assets, func(name string, layer int, read func() ([]byte, error)) error {
		data, err := read()
		for _, m := range quotedPath.FindAllSubmatch(data, -1) {
			base := path.Base(string(m[1]))
			mentioned[base], mentioned[strings.TrimSuffix(base, path.Ext(base))] = true, true
		}
		if ext := path.Ext(name); layer < len(f.in.Assets)-1 && !known[name] && (ext == ".css" || ext == ".ts" || ext == ".js") {
			sheets = append(sheets, name)
		}
		return err
	})
	slices.Sort(sheets)
	for _, name := range sheets {
		base := path.Base(name)
		stem := strings.TrimSuffix(base, path.Ext(base))
		if !calls[name] && !calls[base] && !calls[stem] && !mentioned[base] && !mentioned[stem] {
			list = append(list, Finding{File: "assets/" + name, Message: "no layout asks for it: a style sheet of your own is " +
				"assets/css/custom.css, a script assets/ts/custom.ts"})
		}
	}
	return list
}

// quotedPath is how one asset names another.
var quotedPath = regexp.MustCompile(`["'(]([\w./-]+)["')]`)

// asksInVain are the parameters and assets that a layout asks for and nobody has. What it asks for under a condition
// may be missing.
func (f *Feed) asksInVain(file string, data []byte, known map[string]bool) (list []Finding) {
	t, trees := parse.New(file), map[string]*parse.Tree{}
	t.Mode = parse.SkipFuncCheck
	if _, err := t.Parse(string(data), "", "", trees); err != nil {
		return nil // Hugo says it.
	}
	optional := map[string]bool{}
	type missing struct {
		pos  parse.Pos
		name string
	}
	var all []missing
	within := strings.HasPrefix(file, "layouts/_shortcodes/") || strings.HasPrefix(file, "layouts/shortcodes/") ||
		strings.HasPrefix(file, "layouts/_markup/") // there .Params are not those of the page
	moved := 0 // within how many range and with, where the dot is no page or another one
	var walk func(n parse.Node, asks bool)
	chain := func(pos parse.Pos, fields []string, asks bool) {
		for i, field := range fields[:max(0, len(fields)-1)] {
			if field != "Params" || within && i == 0 {
				continue
			}
			name := strings.ToLower(fields[i+1])
			if name == "page" && i+2 < len(fields) && len(f.in.Kinds) > 0 { // of other kinds it is not known what pages have
				name = strings.ToLower(fields[i+2])
			}
			if asks {
				optional[name] = true
			} else if !known[name] {
				all = append(all, missing{pos, name})
			}
			return
		}
	}
	branch := func(b *parse.BranchNode, moves int) {
		walk(b.Pipe, true)
		moved += moves
		walk(b.List, false)
		moved -= moves
		walk(b.ElseList, false)
	}
	walk = func(n parse.Node, asks bool) {
		switch n := n.(type) {
		case *parse.ListNode:
			if n != nil {
				for _, c := range n.Nodes {
					walk(c, asks)
				}
			}
		case *parse.ActionNode:
			walk(n.Pipe, false)
		case *parse.TemplateNode:
			walk(n.Pipe, false)
		case *parse.IfNode:
			branch(&n.BranchNode, 0)
		case *parse.WithNode:
			branch(&n.BranchNode, 1)
		case *parse.RangeNode:
			branch(&n.BranchNode, 1)
		case *parse.PipeNode:
			if n != nil {
				for _, c := range n.Cmds {
					walk(c, asks || len(n.Cmds) > 1)
				}
			}
		case *parse.CommandNode:
			function, _ := n.Args[0].(*parse.IdentifierNode)
			for _, c := range n.Args {
				walk(c, asks || function != nil && len(n.Args) > 1)
			}
			if get, ok := n.Args[0].(*parse.ChainNode); ok && len(n.Args) == 2 && get.String() == "resources.Get" {
				if name, ok := n.Args[1].(*parse.StringNode); ok && !f.isAsset(name.Text) {
					list = append(list, placed(file, data, int(name.Pos),
						fmt.Sprintf("asks for assets/%s, which is not there", strings.TrimPrefix(name.Text, "/"))))
				}
			}
		case *parse.FieldNode:
			if moved == 0 {
				chain(n.Pos, n.Ident, asks)
			}
		case *parse.VariableNode:
			chain(n.Pos, n.Ident, asks)
		case *parse.ChainNode:
			walk(n.Node, asks)
			if of, ok := n.Node.(*parse.IdentifierNode); ok {
				chain(of.Pos, append([]string{of.Ident}, n.Field...), asks)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		walk(trees[name].Root, false)
	}
	for _, m := range all {
		if !optional[m.name] {
			list = append(list, placed(file, data, int(m.pos), fmt.Sprintf("asks for the parameter %q, which no page has: "+
				"nothing is shown; ask for it with {{ with }} where it may be missing", m.name)))
		}
	}
	return list
}

// isAsset says whether there is a file of that name below assets/.
func (f *Feed) isAsset(name string) bool {
	ok, err := afero.Exists(f.source, path.Join(workDir, "assets", name))
	return ok || err != nil
}

// placed is what is wrong at a byte of a file.
func placed(file string, data []byte, at int, message string) Finding {
	at = min(at, len(data))
	return Finding{File: file, Line: 1 + newlines(data[:at]), Col: at - bytes.LastIndexByte(data[:at], '\n'), Message: message}
}
