package sitetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/page"
)

// filler puts a text of its own into every leaf of a view.
type filler struct {
	n         int
	text      func(n int) string
	fragments map[string]page.Fragment
	want      []string
}

// notShown are leaves that choose something and are not printed themselves.
var notShown = map[string]bool{"Frame.Nav": true}

// leaf is a claim of tests.
type leaf string

func (l leaf) Text() string { return string(l) }
func (leaf) Refutable()     {}

func (f *filler) fill(v reflect.Value, name string, depth int) {
	if v.Type() == reflect.TypeFor[page.Said]() {
		var parts []page.Part
		f.fill(reflect.ValueOf(&parts).Elem(), name, depth)
		text := page.Glue(parts[0].Text + parts[1].Text)
		v.Set(reflect.ValueOf(page.Say(leaf(text), parts...)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		f.n++
		s := f.text(f.n)
		switch {
		case strings.HasSuffix(name, ".Chart"), strings.HasSuffix(name, ".Table"), strings.HasSuffix(name, ".Fragment"):
			// The name of a fragment: what it writes must arrive.
			s = fmt.Sprintf("fragment-%d", f.n)
			shown := fmt.Sprintf("written%d", f.n)
			f.fragments[s] = func(w io.Writer) error { _, err := io.WriteString(w, "<p>"+shown+"</p>"); return err }
			f.want = append(f.want, shown)
		case strings.HasSuffix(name, ".Href"):
			s = fmt.Sprintf("target%d.html", f.n)
			f.want = append(f.want, s)
		case strings.HasSuffix(name, ".ID"), strings.HasSuffix(name, ".Class"):
			s = fmt.Sprintf("id%d", f.n)
			f.want = append(f.want, s)
		case !notShown[name]:
			f.want = append(f.want, s)
		}
		v.SetString(s)
	case reflect.Bool:
		v.SetBool(false)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), name, depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i), name, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, depth+1)
		}
	}
}

// build renders pages with the project's own layouts and returns the files by name.
func build(t *testing.T, pages []*page.Page) map[string]string {
	t.Helper()
	sub := func(dir string) []fs.FS { return []fs.FS{os.DirFS("../../" + dir)} }
	out := map[string]string{}
	notes := fstest.MapFS{}
	for _, p := range pages {
		notes[strings.TrimSuffix(cmp.Or(p.Path, "_index"), ".html")+".md"] = &fstest.MapFile{Data: []byte("bodyword")}
	}
	rep, err := hugo.Build(context.Background(), hugo.Input{
		Title: "siteword", BaseURL: "https://example.org/base/",
		Params: map[string]any{"notice": "noticeword", "repository": "https://example.org/repo",
			"description": "descriptionword"},
		Layouts: sub("layouts"), Assets: sub("assets"), Content: []fs.FS{notes},
		Pages: iter.Seq2[*page.Page, error](func(yield func(*page.Page, error) bool) {
			for _, p := range pages {
				if !yield(p, nil) {
					return
				}
			}
		}),
	}, func(name string, data []byte) error { out[name] = string(data); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Findings {
		t.Errorf("finding: %s", f)
	}
	return out
}

// kinds are the layouts of generated pages and the views they show.
var kinds = []struct {
	kind, path string
	view       func() any
}{
	{"home", "", func() any { return new(page.HomeView) }},
	{"scorecard", "scorecard/x", func() any { return new(page.HomeView) }},
	{"scorecards", "scorecard", func() any { return new(page.ReportView) }},
	{"models", "models", func() any { return new(page.ReportView) }},
	{"model", "models/x", func() any { return new(page.ReportView) }},
	{"hardware", "hardware", func() any { return new(page.ReportView) }},
	{"accelerator", "hardware/x", func() any { return new(page.ReportView) }},
	{"engines", "engines", func() any { return new(page.ReportView) }},
	{"engine", "engines/x", func() any { return new(page.ReportView) }},
	{"card", "cards/x", func() any { return new(page.ReportView) }},
	{"run", "runs/x", func() any { return new(page.ReportView) }},
	{"records", "runs/x/sources", func() any { return new(page.ReportView) }},
	{"compare", "compare/x", func() any { return new(page.ReportView) }},
	{"comparisons", "compare", func() any { return new(page.ReportView) }},
	{"rankings", "rankings", func() any { return new(page.ReportView) }},
	{"ranking", "rankings/chat", func() any { return new(page.ReportView) }},
	{"runs", "runs", func() any { return new(page.ReportView) }},
	{"data", "data", func() any { return new(page.ReportView) }},
	{"methodology", "about/methodology", func() any { return new(page.ReportView) }},
	{"formats", "about/formats", func() any { return new(page.ReportView) }},
	{"check", "check", func() any { return new(page.DropView) }},
}

// TestEveryLeafIsShown renders each kind of page from a view whose every leaf is a word of its
// own: a key that a layout misspells shows nothing, and Hugo says nothing.
func TestEveryLeafIsShown(t *testing.T) {
	var pages []*page.Page
	fillers := make([]*filler, len(kinds))
	for i, k := range kinds {
		f := &filler{text: func(n int) string { return fmt.Sprintf("leaf%dx%d", i, n) },
			fragments: map[string]page.Fragment{}}
		v := k.view()
		f.fill(reflect.ValueOf(v).Elem(), "", 0)
		fillers[i] = f
		pages = append(pages, &page.Page{Path: k.path, Kind: k.kind, Title: "titleword",
			Description: page.Say(leaf("aboutword")), Params: v, Fragments: f.fragments})
	}
	out := build(t, pages)
	for i, k := range kinds {
		name := strings.TrimPrefix(k.path+"/index.html", "/")
		got := out[name]
		if got == "" {
			t.Errorf("%s: no file %s", k.kind, name)
			continue
		}
		missed := 0
		for _, w := range append(fillers[i].want, "siteword", "noticeword", "descriptionword", "aboutword",
			"bodyword") {
			if !strings.Contains(got, w) {
				if missed++; missed <= 10 {
					t.Errorf("%s: %q is not on the page (%s)", k.kind, w, where(pages[i].Params, w))
				}
			}
		}
		if !strings.HasPrefix(strings.TrimSpace(after(got, "<head>")), `<meta http-equiv="Content-Security-Policy"`) &&
			!strings.HasPrefix(strings.TrimSpace(after(got, "<head>")), `<meta http-equiv=Content-Security-Policy`) {
			t.Errorf("%s: the policy does not come first in the head", k.kind)
		}
	}
}

func after(s, sep string) string {
	_, rest, _ := strings.Cut(s, sep)
	return rest
}

// where finds the key of a word in a view, for the message.
func where(v any, word string) string {
	j, _ := json.Marshal(v)
	i := strings.Index(string(j), word)
	if i < 0 {
		return "not in the view"
	}
	return "…" + string(j[max(0, i-80):i])
}

// hostile is text that must never become markup.
const hostile = `<script>alert(1)</script><img src=x onerror="alert(1)">'"{{ 1 }}`

// TestHostileViewsStayText fills every text of every view with markup.
func TestHostileViewsStayText(t *testing.T) {
	var pages []*page.Page
	for _, k := range kinds {
		f := &filler{text: func(int) string { return hostile }, fragments: map[string]page.Fragment{}}
		v := k.view()
		f.fill(reflect.ValueOf(v).Elem(), "", 0)
		pages = append(pages, &page.Page{Path: k.path, Kind: k.kind, Title: hostile,
			Description: page.Say(leaf(hostile)), Params: v, Fragments: f.fragments})
	}
	for name, page := range build(t, pages) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		z := html.NewTokenizer(strings.NewReader(page))
		shown := 0
		for {
			tt := z.Next()
			if tt == html.ErrorToken {
				break
			}
			tok := z.Token()
			if tt == html.TextToken {
				shown += strings.Count(tok.Data, "<script>alert(1)</script>")
			}
			if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
				continue
			}
			if tok.Data == "script" && len(tok.Attr) == 2 &&
				(strings.Contains(tok.Attr[0].Val, "js/site.") || strings.Contains(tok.Attr[0].Val, "js/compare.") ||
					strings.Contains(tok.Attr[0].Val, "js/check.")) {
				continue // the site's own
			}
			if tok.Data == "script" || tok.Data == "img" {
				t.Errorf("%s: an element %s", name, tok)
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s: attribute %s", name, a.Key)
				}
			}
		}
		if shown == 0 {
			t.Errorf("%s shows no text of its view", name)
		}
	}
}
