package hugo

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gohugoio/hugo/parser/pageparser"
)

// A document is one Markdown file of content/.
type document struct {
	file  string // "content/about/methodology.md"
	path  string // The page it becomes: "about/methodology".
	dir   string // The folder its relative links count from: "about".
	layer int
	front map[string]any
	body  string
	// bodyLine is the line that body begins on, from 1.
	bodyLine int
}

// A plainFile is a file of content/ that is no Markdown: it is published as it is.
type plainFile struct {
	name string
	data []byte
}

type content struct {
	documents map[string]*document // By path.
	files     []plainFile
	findings  []Finding
}

// generated are the folders whose pages all come from the catalog. Markdown in one of them is a
// note for the page it is named after.
var generated = []string{"cards", "runs", "models", "hardware", "engines", "compare", "rankings", "data"}

// notes is the folder of notes that are named after a card, a run or another page, without its folder.
const notes = "notes"

func readContent(layers []fs.FS) (*content, error) {
	c := &content{documents: map[string]*document{}}
	err := walkLayers(layers, func(name string, layer int, read func() ([]byte, error)) error {
		data, err := read()
		if err != nil {
			return fmt.Errorf("content/%s: %w", name, err)
		}
		switch path.Ext(name) {
		case ".md", ".markdown":
		default:
			c.files = append(c.files, plainFile{name, data})
			return nil
		}
		d, err := parseDocument(name, data)
		if err != nil {
			return err
		}
		d.layer = layer
		if first, ok := c.documents[d.path]; ok {
			// Of two layers the earlier wins, as it does where the names are equal too.
			if first.layer == layer {
				message := fmt.Sprintf("ignored: %s is the same page; remove one of them", first.file)
				c.findings = append(c.findings, Finding{File: d.file, Message: message})
			}
			return nil
		}
		c.documents[d.path] = d
		return nil
	})
	return c, err
}

// parseDocument divides a Markdown file into front matter and text.
func parseDocument(name string, data []byte) (*document, error) {
	file := "content/" + name
	var p pageparser.ContentFrontMatter
	var err error
	// A text that begins with a shortcode is not one that begins with front matter in JSON.
	if !bytes.HasPrefix(data, []byte("{{")) {
		p, err = pageparser.ParseFrontMatterAndContent(bytes.NewReader(data))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: front matter: %s", file, strings.Join(strings.Fields(err.Error()), " "))
	}
	d := &document{file: file, path: documentPath(name), dir: path.Dir(name)}
	d.front, d.body = p.FrontMatter, string(p.Content)
	if p.FrontMatterFormat == "" {
		d.body = string(data)
	}
	d.bodyLine = 1 + bytes.Count(data[:len(data)-len(d.body)], []byte("\n"))
	if d.dir == "." {
		d.dir = ""
	}
	return d, nil
}

// documentPath is the path of the page that a file of content/ becomes: lower case, with a hyphen
// for what does not belong in an address. "about/_index.md" and "about/index.md" are "about".
func documentPath(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	segments := strings.Split(name, "/")
	if last := segments[len(segments)-1]; last == "index" || last == "_index" {
		segments = segments[:len(segments)-1]
	}
	for i, s := range segments {
		segments[i] = slug(s)
	}
	return path.Join(segments...)
}

func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// note takes the document that belongs to the generated page at pagePath out of c, or returns nil.
func (c *content) note(pagePath string) *document {
	candidates := []string{pagePath}
	if dir, name := path.Split(pagePath); dir != "" {
		candidates = append(candidates, path.Join(notes, pagePath))
		if slices.Contains(generated, strings.TrimSuffix(dir, "/")) {
			candidates = append(candidates, path.Join(notes, name))
		}
	}
	for _, p := range candidates {
		if d, ok := c.documents[p]; ok {
			delete(c.documents, p)
			return d
		}
	}
	return nil
}

// pages returns what is left when all notes are taken, in the order of the paths: the hand-written
// pages. Notes whose page does not exist are findings instead.
func (c *content) pages() []*document {
	var list []*document
	for _, d := range c.documents {
		first, _, deeper := strings.Cut(d.path, "/")
		if deeper && slices.Contains(generated, first) || first == notes {
			message := fmt.Sprintf("ignored: a note for a page that does not exist (%s); name the file after the page",
				strings.TrimPrefix(d.path, notes+"/"))
			c.findings = append(c.findings, Finding{File: d.file, Message: message})
			continue
		}
		if draft, _ := d.front["draft"].(bool); draft {
			continue
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *document) int { return strings.Compare(a.path, b.path) })
	return list
}

// text returns a front matter value that is text, or "".
func (d *document) text(key string) string {
	s, _ := d.front[key].(string)
	return strings.TrimSpace(s)
}

// Document is a hand-written page, for whoever lists the pages of a site.
type Document struct {
	Path        string // As site.Page.Path.
	Title       string
	Description string
}

// Documents returns the pages that Build makes of content/, in the order of their paths. Notes of
// generated pages that lie outside the folders of generated pages are among them.
func Documents(layers []fs.FS) ([]Document, error) {
	c, err := readContent(layers)
	if err != nil {
		return nil, err
	}
	var list []Document
	for _, d := range c.pages() {
		list = append(list, Document{Path: d.path, Title: d.text("title"), Description: d.text("description")})
	}
	return list, nil
}
