// Package mdtable reads a Markdown text as a list of blocks with their places: headings, tables,
// paragraphs, list items, code blocks and HTML. It owns goldmark for the ingest half.
//
//	doc := mdtable.Parse(src.Data)
//	for _, b := range doc.Blocks {
//		switch b := b.(type) {
//		case *mdtable.Heading: // "# Title" as well as underlined titles
//		case *mdtable.Table:   // b.Header[i].Text, b.Rows[r][i].Text, b.Rows[r][i].Line
//		case *mdtable.Item:    // one list item; b.Lines
//		}
//	}
//
// Text is plain: emphasis, links, code marks, escapes and entities are resolved, and an image or
// an HTML tag leaves nothing. Raw is the line as written, for what Markdown would mangle, such as
// a command line whose continuations look like hard line breaks. Lines count from 1 and columns
// count bytes from 1. Front matter ("---" in the first line) is no Markdown: it stands in
// Doc.Front, and the lines behind it keep their numbers. Bytes that are no UTF-8 become U+FFFD.
package mdtable

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Doc is a Markdown text.
type Doc struct {
	// Blocks in the order of the text. A block inside a quote or a list stands where it begins.
	Blocks []Block
	// Front holds the lines of the front matter without the two fences; nil if there is none.
	Front []Line
	// Cut is the line from which on the text was not read, since it has more than MaxLines; 0 for
	// a text that was read to its end.
	Cut int
}

// MaxLines bounds how much of a text is read: a line of a table takes a thousand bytes of memory,
// however short it is.
const MaxLines = 10_000

// Block is one of *Heading, *Paragraph, *Item, *Table, *Code, *HTML, *Comment and *Rule.
type Block interface {
	// At is the line in which the block begins.
	At() int
}

// Line is one line of a block.
type Line struct {
	// Text is the line without markup, Raw as written without its line break.
	Text, Raw string
	// Line and Col are where it begins.
	Line, Col int
}

// Heading is a title of level 1 to 6.
type Heading struct {
	Level int
	Text  string
	Line  int
}

// Paragraph is a paragraph of text.
type Paragraph struct {
	Lines []Line
	Line  int
}

// Item is the text of one list item up to its first nested block; those follow as blocks of
// their own.
type Item struct {
	Lines []Line
	Line  int
	// Depth is 0 for a list of its own and grows by one for each list around it.
	Depth int
}

// Table has as many cells in each row as in its header: short rows are filled up with empty
// cells, and what a row has more is dropped, as GitHub does.
type Table struct {
	Header []Cell
	Rows   [][]Cell
	Line   int
}

// Cell is one cell of a table. Line and Col are those of its text; a cell that was filled up
// has the line of its row and Col 0.
type Cell struct {
	Text      string
	Line, Col int
}

// Code is a fenced or indented code block.
type Code struct {
	// Lang is the first word behind the fence: "json".
	Lang string
	// Text is the code with its line breaks.
	Text string
	// Line is the line of the first line of code, or of the fence if there is no code.
	Line int
}

// HTML is a block of raw HTML.
type HTML struct {
	Lines []Line
	Line  int
}

// Comment is an HTML comment that begins a block. Its lines are without the marks; the first
// is what stands behind "<!--" and may be empty.
type Comment struct {
	Lines []Line
	Line  int
}

// Rule is a horizontal line.
type Rule struct {
	Line int
}

// At implements [Block].
func (b *Heading) At() int { return b.Line }

// At implements [Block].
func (b *Paragraph) At() int { return b.Line }

// At implements [Block].
func (b *Item) At() int { return b.Line }

// At implements [Block].
func (b *Table) At() int { return b.Line }

// At implements [Block].
func (b *Code) At() int { return b.Line }

// At implements [Block].
func (b *HTML) At() int { return b.Line }

// At implements [Block].
func (b *Comment) At() int { return b.Line }

// At implements [Block].
func (b *Rule) At() int { return b.Line }

// Column returns the index of the first column whose header is one of names, or -1. Upper and
// lower case are the same.
func (t *Table) Column(names ...string) int {
	for i, c := range t.Header {
		for _, n := range names {
			if strings.EqualFold(c.Text, n) {
				return i
			}
		}
	}
	return -1
}

// MaxNesting is how deep quotes and lists may stand in each other, and how many brackets may be
// open in one line. What is deeper is read as plain text: goldmark's time grows with the square.
const MaxNesting = 100

// Parse reads data. It cannot fail: every text is Markdown.
func Parse(data []byte) *Doc {
	d := &Doc{}
	r := &reader{src: data, doc: d}
	r.lineStarts()
	if len(r.lines) > MaxLines {
		d.Cut = MaxLines + 1
		r.src = data[:r.lines[MaxLines]]
		r.lines = r.lines[:MaxLines+1]
	}
	body := tame(r.front())
	root := markdown().Parse(text.NewReader(body))
	r.blocks(root, 0)
	return d
}

// markdown is CommonMark with GitHub's tables. Goldmark's own set of a parser and a renderer would bring the renderer,
// which nothing here is asked for and browsers would have to load.
func markdown() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)))
}

type reader struct {
	src   []byte
	lines []int // offsets at which lines begin
	doc   *Doc
}

func (r *reader) lineStarts() {
	r.lines = []int{0}
	for i, c := range r.src {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
}

// place returns line and column of an offset.
func (r *reader) place(off int) (line, col int) {
	i := sort.SearchInts(r.lines, off+1) - 1
	return i + 1, off - r.lines[i] + 1
}

// front takes the front matter out and returns the text with blanks in its place, so that
// offsets stay.
func (r *reader) front() []byte {
	if first, _, _ := bytes.Cut(r.src, []byte("\n")); string(bytes.TrimRight(first, " \t\r")) != "---" {
		return r.src
	}
	for i := 1; i < len(r.lines); i++ {
		raw := r.rawLine(i + 1)
		if t := strings.TrimRight(raw, " \t"); t == "---" || t == "..." {
			for k := 1; k < i; k++ {
				raw := r.rawLine(k + 1)
				r.doc.Front = append(r.doc.Front, Line{Text: strings.TrimSpace(raw), Raw: raw, Line: k + 1, Col: 1})
			}
			end := len(r.src)
			if i+1 < len(r.lines) {
				end = r.lines[i+1]
			}
			body := bytes.Clone(r.src)
			for k := range body[:end] {
				if body[k] != '\n' {
					body[k] = ' '
				}
			}
			return body
		}
	}
	return r.src
}

// tame makes lines that nest too deep harmless: the offending bytes become blanks in what is
// parsed, offsets stay.
func tame(src []byte) []byte {
	if len(src) == 0 {
		return src
	}
	out := src
	blank := func(i int) {
		if &out[0] == &src[0] {
			out = bytes.Clone(src)
		}
		out[i] = ' '
	}
	for off := 0; off < len(src); {
		end := len(src)
		if nl := bytes.IndexByte(src[off:], '\n'); nl >= 0 {
			end = off + nl
		}
		open, lead, marks := 0, true, 0
		for i := off; i < end; i++ {
			c := src[i]
			if lead {
				switch c {
				case '>', '-', '*', '+':
					if marks++; marks > MaxNesting || i-off > 2*MaxNesting {
						blank(i)
					}
				case ' ', '\t':
				default:
					lead = false
				}
			}
			switch c {
			case '[', '*', '_', '`', '<':
				if open++; open > 10*MaxNesting {
					blank(i)
				}
			}
		}
		off = end + 1
	}
	return out
}

// rawLine returns a line by its number, without its line break.
func (r *reader) rawLine(n int) string {
	from, to := r.lines[n-1], len(r.src)
	if n < len(r.lines) {
		to = r.lines[n]
	}
	return valid(bytes.TrimRight(r.src[from:to], "\r\n"))
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "�") }

func (r *reader) add(b Block) { r.doc.Blocks = append(r.doc.Blocks, b) }

// blocks walks the block nodes below n; depth counts the lists around.
func (r *reader) blocks(n ast.Node, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			ls := r.inline(c)
			words := make([]string, 0, len(ls))
			for _, l := range ls {
				words = append(words, l.Text)
			}
			line := 0
			if len(ls) > 0 {
				line = ls[0].Line
			} else if c.Pos() >= 0 {
				line, _ = r.place(c.Pos())
			}
			r.add(&Heading{Level: c.Level, Text: strings.TrimSpace(strings.Join(words, " ")), Line: line})
		case *ast.Paragraph, *ast.TextBlock:
			if ls := r.inline(c); len(ls) > 0 {
				r.add(&Paragraph{Lines: ls, Line: ls[0].Line})
			}
		case *ast.List:
			for i := c.FirstChild(); i != nil; i = i.NextSibling() {
				r.item(i, depth)
			}
		case *extast.Table:
			r.table(c)
		case *ast.FencedCodeBlock:
			r.code(c, valid(c.Language(r.src)))
		case *ast.CodeBlock:
			r.code(c, "")
		case *ast.HTMLBlock:
			r.html(c)
		case *ast.ThematicBreak:
			if c.Pos() >= 0 {
				line, _ := r.place(c.Pos())
				r.add(&Rule{Line: line})
			}
		default:
			r.blocks(c, depth)
		}
	}
}

func (r *reader) item(n ast.Node, depth int) {
	first := n.FirstChild()
	switch first.(type) {
	case *ast.TextBlock, *ast.Paragraph:
		if ls := r.inline(first); len(ls) > 0 {
			r.add(&Item{Lines: ls, Line: ls[0].Line, Depth: depth})
		}
		// What is left of the item: the first child is done.
		rest := ast.NewDocument()
		for c := first.NextSibling(); c != nil; {
			next := c.NextSibling()
			rest.AppendChild(rest, c)
			c = next
		}
		r.blocks(rest, depth+1)
	default:
		r.blocks(n, depth+1)
	}
}

func (r *reader) table(t *extast.Table) {
	b := &Table{}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []Cell
		line := 0
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cell := Cell{Line: line}
			if ls := c.Lines(); ls.Len() > 0 {
				cell.Line, cell.Col = r.place(ls.At(0).Start)
				line = cell.Line
				var sb strings.Builder
				r.text(c, func(_ int, s string) { sb.WriteString(s) })
				cell.Text = strings.TrimSpace(sb.String())
			}
			cells = append(cells, cell)
		}
		if b.Header == nil {
			b.Header, b.Line = cells, line
			continue
		}
		b.Rows = append(b.Rows, cells)
	}
	r.add(b)
}

func (r *reader) code(n ast.Node, lang string) {
	b := &Code{Lang: lang}
	ls := n.Lines()
	var sb strings.Builder
	for i := range ls.Len() {
		s := ls.At(i)
		sb.Write(s.Value(r.src))
	}
	b.Text = valid([]byte(sb.String()))
	switch {
	case ls.Len() > 0:
		b.Line, _ = r.place(ls.At(0).Start)
	case n.Pos() >= 0:
		b.Line, _ = r.place(n.Pos())
	}
	r.add(b)
}

func (r *reader) html(n *ast.HTMLBlock) {
	segs := n.Lines().Sliced(0, n.Lines().Len())
	if n.HasClosure() {
		segs = append(segs, n.ClosureLine)
	}
	var ls []Line
	for _, s := range segs {
		raw := valid(bytes.TrimRight(s.Value(r.src), "\r\n"))
		line, col := r.place(s.Start)
		ls = append(ls, Line{Text: strings.TrimSpace(raw), Raw: raw, Line: line, Col: col})
	}
	if len(ls) == 0 {
		return
	}
	if n.HTMLBlockType != ast.HTMLBlockType2 {
		r.add(&HTML{Lines: ls, Line: ls[0].Line})
		return
	}
	for i := range ls {
		t := ls[i].Text
		if i == 0 {
			t = strings.TrimPrefix(t, "<!--")
		}
		if before, _, ok := strings.Cut(t, "-->"); ok {
			t = before
		}
		ls[i].Text = strings.TrimSpace(t)
	}
	r.add(&Comment{Lines: ls, Line: ls[0].Line})
}

// inline returns the lines of a block that holds text.
func (r *reader) inline(n ast.Node) []Line {
	segs := n.Lines()
	if segs == nil || segs.Len() == 0 {
		return nil
	}
	ls := make([]Line, segs.Len())
	texts := make([]strings.Builder, segs.Len())
	starts := make([]int, segs.Len())
	for i := range ls {
		s := segs.At(i)
		starts[i] = s.Start
		ls[i].Raw = valid(bytes.TrimRight(r.src[s.Start:s.Stop], "\r\n"))
		ls[i].Line, ls[i].Col = r.place(s.Start)
	}
	r.text(n, func(off int, s string) {
		texts[max(sort.SearchInts(starts, off+1)-1, 0)].WriteString(s)
	})
	for i := range ls {
		ls[i].Text = strings.TrimSpace(texts[i].String())
	}
	return ls
}

// text calls f with the pieces of plain text below n and their offsets.
func (r *reader) text(n ast.Node, f func(off int, s string)) {
	last := 0
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			last = c.Segment.Start
			b := c.Segment.Value(r.src)
			if c.IsRaw() || c.Parent().Kind() == ast.KindCodeSpan {
				f(last, valid(b))
			} else {
				f(last, unescape(b))
			}
		case *ast.String:
			f(last, valid(c.Value))
		case *ast.AutoLink:
			f(last, valid(c.Label(r.src)))
		case *ast.RawHTML, *ast.Image:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil // the error is always nil
	})
}

// unescape resolves backslash escapes and entities.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '&') < 0 {
		return valid(b)
	}
	var out []byte
	entities := func(b []byte) {
		out = append(out, util.ResolveEntityNames(util.ResolveNumericReferences(b))...)
	}
	from := 0
	for i := 0; i+1 < len(b); i++ {
		if b[i] == '\\' && util.IsPunct(b[i+1]) {
			entities(b[from:i])
			out = append(out, b[i+1])
			i++
			from = i + 1
		}
	}
	entities(b[from:])
	return valid(out)
}
