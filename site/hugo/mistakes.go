package hugo

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
	"time"

	"github.com/gohugoio/hugo/common/htime"
	"github.com/spf13/afero"

	"github.com/inferdex/inferdex/site/page"
)

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
	return s.names[name] || s.assets[name] != nil || s.jobs[name] != nil
}

// mistakes are what is wrong in front matter, links and layouts and stops no build.
func (f *Feed) mistakes() (list []Finding) {
	for _, d := range f.content.all {
		list = append(list, d.mistakes()...)
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
	for _, view := range []any{page.ReportView{}, page.HomeView{}, page.CheckView{}} {
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
	_ = walkLayers(f.in.Layouts, func(name string, layer int, read func() ([]byte, error)) error {
		data, err := read()
		if layer < ours {
			own[name] = data
		}
		names(data)
		return err
	})
	_ = walkLayers(f.in.Layouts[max(0, ours):], func(name string, _ int, read func() ([]byte, error)) error {
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
		if f.unused(name, known, calls) {
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
	_ = walkLayers(layers[len(layers)-1:], func(name string, _ int, _ func() ([]byte, error)) error {
		list = append(list, name)
		return nil
	})
	return list
}

// unused says whether nothing is rendered by a layout of a catalog.
func (f *Feed) unused(name string, known, calls map[string]bool) bool {
	stem := strings.TrimSuffix(name, ".html")
	dir, base := path.Split(stem)
	switch dir {
	case "":
		return !known[name] && len(f.in.Kinds) > 0 && !slices.Contains(f.in.Kinds, stem) && stem != "baseof" &&
			!slices.ContainsFunc(f.content.all, func(d *document) bool { return d.text("layout") == stem })
	case "_partials/", "partials/":
		return !known["_partials/"+base+".html"] && !calls[base]
	}
	return false
}

// unusedAssets are style sheets and scripts of a catalog that nothing names.
func (f *Feed) unusedAssets(known, calls map[string]bool) (list []Finding) {
	mentioned := map[string]bool{}
	var sheets []string
	_ = walkLayers(f.in.Assets, func(name string, layer int, read func() ([]byte, error)) error {
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
	branch := func(b *parse.BranchNode) {
		walk(b.Pipe, true)
		walk(b.List, false)
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
			branch(&n.BranchNode)
		case *parse.WithNode:
			branch(&n.BranchNode)
		case *parse.RangeNode:
			branch(&n.BranchNode)
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
			chain(n.Pos, n.Ident, asks)
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
