// Package yamlval reads YAML as the values of package reading, so that a format reads its YAML and
// its JSON files with the same code. Each value has its place in the YAML text.
//
// What JSON has no word for becomes what jsonval reads: .inf is Infinity, .nan is NaN, dates are
// texts. Anchors are expanded, within bounds.
package yamlval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/ingest/reading"
)

// The bounds: what a person or a tool writes stays far below them.
const (
	mostValues = 150_000 // of one document: the tree needs 200 bytes each
	mostBytes  = 4 << 20 // of one document written as JSON: anchors in anchors multiply
)

// Error is a place that is no YAML, or YAML that is not read. Line and Col count from 1; Col is 0
// where it is not known. Text is lower case and quotes what is foreign.
type Error struct {
	Line, Col int
	Text      string
}

// Values calls value for each document of data that is not empty. A document that cannot be read
// is given to bad as a whole, and reading goes on at the next one, which begins behind "---".
// Values are valid as long as the caller keeps them.
func Values(data []byte, value func(reading.Value), bad func(Error)) {
	origin := reading.NewText(data)
	for off := 0; off < len(data); {
		end := nextDocument(data, off)
		one(data[off:end], off, origin, value, bad)
		off = end
	}
}

// Report is [Values] of what a tool wrote: the last line has an end there, which a person may leave out.
func Report(data []byte, value func(reading.Value), bad func(Error)) {
	if last := bytes.LastIndexByte(data, '\n') + 1; torn.Match(data[last:]) {
		line, _ := reading.NewText(data).Place(last)
		bad(Error{Line: line, Text: "the text ends inside of this line, which may be a part of a number: it is left out"})
		data = data[:last]
	}
	Values(data, value, bad)
}

// nextDocument is where the document that begins at off ends: at the next line that begins "---".
func nextDocument(data []byte, off int) int {
	for i := off; ; {
		j := bytes.IndexByte(data[i:], '\n')
		if j < 0 {
			return len(data)
		}
		i += j + 1
		if rest := data[i:]; bytes.HasPrefix(rest, []byte("---")) &&
			(len(rest) == 3 || strings.IndexByte(" \t\r\n", rest[3]) >= 0) {
			return i
		}
	}
}

// torn is a last line without an end that ends with a number.
var torn = regexp.MustCompile(`[ :][-+]?[0-9][-+.0-9e]*$`)

var atLine = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?`)

// one reads one document, which begins at byte base of the text origin.
func one(doc []byte, base int, origin *reading.Text, value func(reading.Value), bad func(Error)) {
	fail := func(off int, text string) {
		line, col := origin.Place(base + min(off, max(0, len(doc)-1)))
		bad(Error{Line: line, Col: col, Text: text})
	}
	// Each value ends at one of these bytes, or is the last.
	ends := 0
	for _, c := range doc {
		switch c {
		case '\n', '\r', ',', '[', '{', ':', '-', '?':
			ends++
		}
	}
	if ends > 2*mostValues {
		fail(0, fmt.Sprintf("a YAML document with more than %d values is not read: write it as JSON", mostValues))
		return
	}
	var node yaml.Node
	if err := decode(doc, &node); err != nil {
		text := err.Error()
		line := 0
		if m := atLine.FindStringSubmatch(text); m != nil {
			text = text[len(m[0]):]
			line, _ = strconv.Atoi(m[1])
		}
		first, _ := origin.Place(base)
		last, _ := origin.Place(base + max(0, len(doc)-1))
		bad(Error{Line: min(first+max(0, line-1), last), Text: fmt.Sprintf("not YAML: %s; the document is left out",
			strconv.QuoteToASCII(text))})
		return
	}
	if node.Kind != yaml.DocumentNode || len(node.Content) == 0 || node.Content[0].Kind == yaml.ScalarNode &&
		node.Content[0].ShortTag() == "!!null" {
		return
	}
	w := &writer{doc: doc, lines: lines(doc)}
	if err := w.write(node.Content[0], 0); err != nil {
		fail(w.at, err.Error())
		return
	}
	marks := w.marks
	v, err := reading.NewDerived(w.out, func(off int) (int, int) {
		i := sort.Search(len(marks), func(i int) bool { return marks[i].json > off }) - 1
		if i < 0 {
			return origin.Place(base)
		}
		return origin.Place(base + marks[i].yaml)
	}).Whole()
	if err != nil {
		fail(0, err.Text) // cannot be: what was written is JSON
		return
	}
	value(v)
}

// decode keeps a panic of the library from ending the program: the file is foreign.
func decode(doc []byte, node *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("yaml: the parser gave up")
		}
	}()
	return yaml.Unmarshal(doc, node)
}

// lines are the offsets at which the lines begin, as YAML counts them.
func lines(doc []byte) []int {
	starts := []int{0}
	for i := 0; i < len(doc); {
		r, n := utf8.DecodeRune(doc[i:])
		i += n
		switch r {
		case '\r':
			if i < len(doc) && doc[i] == '\n' {
				i++
			}
			starts = append(starts, i)
		case '\n', '\u0085', '\u2028', '\u2029':
			starts = append(starts, i)
		}
	}
	return starts
}

type mark struct{ json, yaml int }

type writer struct {
	doc   []byte
	lines []int
	out   []byte
	marks []mark // in ascending order of json
	at    int    // where the node begins that is being written
	alias int    // how many aliases are being expanded: what they stand for has their place
	// The place that was looked for last. Nodes come in the order of the text, so that a line is
	// walked once however many values it has.
	line, col, off int
}

// offset is where a node begins in the document. The library counts characters in a line.
func (w *writer) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(w.lines) {
		return 0
	}
	if n.Line != w.line || n.Column < w.col {
		w.line, w.col, w.off = n.Line, 1, w.lines[n.Line-1]
	}
	for ; w.col < n.Column && w.off < len(w.doc); w.col++ {
		_, size := utf8.DecodeRune(w.doc[w.off:])
		w.off += size
	}
	return min(w.off, max(0, len(w.doc)-1))
}

var errTooDeep = fmt.Errorf("values nested more than %d deep", reading.MaxDepth)

func (w *writer) write(n *yaml.Node, depth int) error {
	if w.alias == 0 {
		w.at = w.offset(n)
		w.marks = append(w.marks, mark{len(w.out), w.at})
	}
	switch {
	case depth >= reading.MaxDepth:
		return errTooDeep
	case len(w.out) > mostBytes:
		return fmt.Errorf("more than %d bytes once all anchors are expanded", mostBytes)
	}
	switch n.Kind {
	case yaml.AliasNode:
		if n.Alias == nil {
			return errors.New("an alias without an anchor")
		}
		w.alias++
		defer func() { w.alias-- }()
		return w.write(n.Alias, depth+1)
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, c := range n.Content {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			if err := w.write(c, depth+1); err != nil {
				return err
			}
		}
		w.out = append(w.out, ']')
	case yaml.MappingNode:
		w.out = append(w.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			k := n.Content[i]
			if k.Kind == yaml.AliasNode {
				k = k.Alias
			}
			if k == nil || k.Kind != yaml.ScalarNode {
				return errors.New("a list or an object as a key")
			}
			w.text(k.Value)
			w.out = append(w.out, ':')
			if err := w.write(n.Content[i+1], depth+1); err != nil {
				return err
			}
		}
		w.out = append(w.out, '}')
	default:
		w.scalar(n)
	}
	return nil
}

func (w *writer) text(s string) {
	b, _ := json.Marshal(s) // a string always encodes
	w.out = append(w.out, b...)
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

func (w *writer) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		w.out = append(w.out, "null"...)
	case "!!bool":
		switch s := strings.ToLower(n.Value); s {
		case "true", "false":
			w.out = append(w.out, s...)
		default:
			w.text(n.Value)
		}
	case "!!int", "!!float":
		if number.MatchString(n.Value) {
			w.out = append(w.out, n.Value...)
			return
		}
		var f float64
		if err := n.Decode(&f); err != nil {
			w.text(n.Value)
			return
		}
		switch {
		case math.IsNaN(f):
			w.out = append(w.out, "NaN"...)
		case math.IsInf(f, 1):
			w.out = append(w.out, "Infinity"...)
		case math.IsInf(f, -1):
			w.out = append(w.out, "-Infinity"...)
		default:
			w.out = strconv.AppendFloat(w.out, f, 'g', -1, 64)
		}
	default:
		w.text(n.Value)
	}
}
