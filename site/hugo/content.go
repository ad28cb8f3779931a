package hugo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gohugoio/hugo/parser/pageparser"

	"github.com/inferdex/inferdex/ingest/record"
)

// A document is one Markdown file of content/.
type document struct {
	file  string // "content/about/methodology.md"
	path  string // The page it becomes: "about/methodology".
	dir   string // The folder its relative links count from: "about".
	layer int
	head  string // The front matter as written.
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
	all       []*document          // Those of the catalog, in the order of the files, notes and drafts too.
	files     []plainFile
	findings  []Finding
}

// generated are the folders whose pages all come from the catalog. Markdown in one of them is a
// note for the page it is named after.
var generated = []string{"cards", "runs", "models", "hardware", "engines", "compare", "rankings", "data"}

// Generated reports whether the first folder of a path holds pages that come from the catalog.
func Generated(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return slices.Contains(generated, first)
}

// notes is the folder of notes that are named after a card, a run or another page, without its folder.
const notes = "notes"

func readContent(layers []fs.FS) (*content, error) {
	c := &content{documents: map[string]*document{}}
	err := walkLayers("content", layers, func(name string, layer int, read func() ([]byte, error)) error {
		data, err := read()
		if err != nil {
			return err
		}
		if !isMarkdown(name) {
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
		if layer < len(layers)-1 || len(layers) == 1 {
			c.all = append(c.all, d)
		}
		return nil
	})
	return c, err
}

// isMarkdown says whether a file of content/ is a text that becomes a page or a note.
func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// clone is the same content, of which notes can be taken without taking them of c.
func (c *content) clone() *content {
	same := *c
	same.documents = maps.Clone(c.documents)
	return &same
}

// parseDocument divides a Markdown file into front matter and text.
func parseDocument(name string, data []byte) (*document, error) {
	d := &document{file: "content/" + name, path: documentPath(name), dir: path.Dir(name)}
	if d.dir == "." {
		d.dir = ""
	}
	var p pageparser.ContentFrontMatter
	var err error
	// A text that begins with a shortcode is not one that begins with front matter in JSON.
	begin := bytes.TrimLeft(data, "\ufeff \t\r\n")
	if !bytes.HasPrefix(begin, []byte("{{")) {
		p, err = pageparser.ParseFrontMatterAndContent(bytes.NewReader(data))
	}
	if err != nil {
		return nil, d.frontError(err, data, begin)
	}
	d.front, d.body = p.FrontMatter, string(p.Content)
	if p.FrontMatterFormat == "" {
		d.body = string(data)
		if fence, _, _ := bytes.Cut(begin, []byte("\n")); slices.Contains([]string{"---", "+++"},
			strings.TrimSpace(string(fence))) {
			return nil, fmt.Errorf("%s:%d:1: front matter: has no end; write a line of %s below it", d.file,
				1+newlines(data[:len(data)-len(begin)]), bytes.TrimSpace(fence))
		}
	}
	d.head = string(data[:len(data)-len(d.body)])
	d.bodyLine = 1 + newlines([]byte(d.head))
	return d, bounded(d.file, d.body, d.bodyLine)
}

func newlines(data []byte) int { return bytes.Count(data, []byte("\n")) }

// What Hugo says of front matter: YAML with the place first, the others with that in a stream.
var (
	inYAML   = regexp.MustCompile(`(?s)^\[(\d+):(\d+)\] (.*?)\s*\n.*`)
	inStream = regexp.MustCompile(`(?s)^"_stream\.\w+:(\d+):(\d+)": unmarshal failed: (?:toml: )?(.*)`)
)

// frontError is what is wrong in the front matter of data, which begins at begin, with its place.
func (d *document) frontError(err error, data, begin []byte) error {
	message := err.Error()
	line, col := 1+newlines(data[:len(data)-len(begin)]), 1
	m := inYAML.FindStringSubmatch(message)
	if m == nil {
		m = inStream.FindStringSubmatch(message)
	}
	var syntax *json.SyntaxError
	if m != nil {
		message = m[3]
	}
	switch {
	case errors.As(err, &syntax):
		before := begin[:max(0, min(int(syntax.Offset)-1, len(begin)))]
		line += newlines(before)
		col = len(before) - bytes.LastIndexByte(before, '\n')
	case m != nil: // counted from the line below the fence
		n, _ := strconv.Atoi(m[1])
		line += n
		col, _ = strconv.Atoi(m[2])
	}
	return fmt.Errorf("%s:%d:%d: front matter: %s", d.file, line, col, strings.Join(strings.Fields(message), " "))
}

// at is the place of a key of the front matter, or of the beginning.
func (d *document) at(key string) string {
	line := 1
	for text := range strings.Lines(d.head) {
		name := strings.TrimRight(strings.TrimLeft(text, " \t{\"'"), " \t\r\n")
		if rest, ok := strings.CutPrefix(strings.ToLower(name), key); ok &&
			strings.IndexAny(strings.TrimLeft(rest, " \t\"'"), ":=") == 0 {
			return fmt.Sprintf("%s:%d:1", d.file, line)
		}
		line++
	}
	return d.file + ":1:1"
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

// slug is a name as it stands in an address. A digest stands for letters that addresses do not have, so that names
// that differ in nothing else stay apart, and for a name of which nothing is left.
func slug(s string) string {
	s = strings.ToLower(s)
	var b strings.Builder
	lost := false
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			b.WriteRune(r)
			continue
		}
		lost = lost || r > unicode.MaxASCII && !unicode.IsPunct(r) && !unicode.IsSpace(r)
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	out := strings.Trim(b.String(), "-")
	if lost || out == "" {
		return record.DistinctSlug(cmp.Or(out, "x"), s)
	}
	return out
}

// note takes the document that belongs to the generated page at pagePath out of c, or returns nil: there
// is none, or it is a draft.
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
			if draft, _ := d.front["draft"].(bool); draft {
				return nil
			}
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
	// Unlisted says that the front matter keeps the page out of the menu: in_menu = false. Weight orders the menu, the
	// smallest first; 0 is not stated.
	Unlisted bool
	Weight   int
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
		listed, stated := d.front["in_menu"].(bool)
		weight, _ := strconv.Atoi(fmt.Sprint(d.front["weight"]))
		list = append(list, Document{Path: d.path, Title: d.text("title"), Description: d.text("description"),
			Unlisted: stated && !listed, Weight: weight})
	}
	return list, nil
}
