package hugo

import (
	"fmt"
	"html/template"
	"net/url"
	"path"
	"reflect"
	"strings"

	"github.com/inferdex/inferdex/site/page"
)

// folder is path.Dir with "" for the site's root.
func folder(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

// notFound is the page that a server shows at any address that has none.
const notFound = "404.html"

// root is what a link from the page at p to another page begins with.
func (f *Feed) root(p string) string {
	if p == notFound {
		if f.base == "" {
			return ""
		}
		u, err := url.Parse(f.base)
		if err != nil {
			return ""
		}
		return u.EscapedPath()
	}
	return strings.Repeat("../", strings.Count(fileName(p), "/"))
}

// fileName is the file of the page at p.
func fileName(p string) string {
	if path.Ext(p) == ".html" {
		return p
	}
	return path.Join(p, "index.html")
}

// directory is the address of the page at p without the name of an index file.
func directory(p string) string {
	if p == "" || path.Ext(p) == ".html" {
		return p
	}
	return p + "/"
}

// Asset is the link to a published asset, which Hugo knows by its address on the server, from a page
// whose links begin with root.
func (f *Feed) Asset(root, address string) string {
	if u, err := url.Parse(f.base); err == nil {
		address = strings.TrimPrefix(address, strings.TrimSuffix(u.Path, "/")) // it is not escaped
	}
	return root + strings.TrimPrefix(address, "/")
}

// Link is the address to write for a link of a hand-written text that lies in the folder dir of
// content/, on a page whose links begin with root. Links below the site's root ("/models/x/") and
// links to other files, which count from the file's own folder as on a code host
// ("../glossary.md#ttft"), become links to index.html files relative to the page. Everything else
// stays as it is.
func (f *Feed) Link(root, dir, destination string) string {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return destination
	}
	p := path.Join(dir, u.Path)
	if strings.HasPrefix(u.Path, "/") {
		p = path.Clean(u.Path)
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	switch {
	case isMarkdown(p):
		p = fileName(documentPath(p))
	case strings.HasSuffix(u.Path, "/") || f.out.isPage(p):
		p = fileName(p)
	case p == "":
		p = "index.html"
	}
	u.Path, u.RawPath = p, ""
	return root + strings.TrimPrefix(u.String(), "./")
}

// Broken is the HTML of a text that breaks where the text of a cell does.
func (f *Feed) Broken(text string) template.HTML { return template.HTML(page.Broken(text)) }

// Fragment is the place of a fragment of the page, which is filled when the page is written.
func (f *Feed) Fragment(name string) template.HTML {
	return template.HTML(markerBegin + template.HTMLEscapeString(name) + markerEnd)
}

// Sentence is the HTML of pieces of text: [page.Parts] as parameters of pages have them, or what a layout makes of the
// same keys. Pages have a hundred pieces each, and a layout that goes through them is slow.
func (f *Feed) Sentence(parts any) (template.HTML, error) {
	if parts == nil {
		return "", nil
	}
	list := reflect.ValueOf(parts)
	if list.Kind() != reflect.Slice {
		return "", fmt.Errorf("a sentence is a list of pieces with a text each, and not %T", parts)
	}
	sentence := make(page.Parts, list.Len())
	for i := range sentence {
		piece := list.Index(i)
		for piece.Kind() == reflect.Interface {
			piece = piece.Elem()
		}
		if piece.Kind() != reflect.Map || piece.Type().Key().Kind() != reflect.String {
			return "", fmt.Errorf("a piece of a sentence has the key \"text\", and is no %v", piece)
		}
		for at := piece.MapRange(); at.Next(); {
			v := at.Value().Interface()
			if v == nil {
				continue
			}
			switch at.Key().String() {
			case "text":
				sentence[i].Text = fmt.Sprint(v)
			case "href":
				sentence[i].Href = fmt.Sprint(v)
			case "title":
				sentence[i].Title = fmt.Sprint(v)
			case "code":
				sentence[i].Code = v == true
			}
		}
	}
	return template.HTML(sentence.HTML()), nil
}
