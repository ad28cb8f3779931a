// Package jekyllpage reads a page written for Jekyll that quotes raw records of serving
// benchmarks, inside <details> or a highlight block.
//
// Such pages are made from the files that the benchmark appended to, one group of records for
// each run, with a blank line between the groups. The names of the runs stand only in the charts
// that the page includes, so they come from a sidecar. Lines of Liquid ("{% ... %}"), HTML tags
// and code fences between the records are skipped. Records keep their places in the page.
package jekyllpage

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads serving records on a Jekyll page.
var Format = &reading.Format{
	Name: "jekyll-page",
	Doc: reading.Doc{
		Title:    "Jekyll page with raw serving records",
		Tool:     "vLLM",
		Command:  "a site generator around the results of vllm bench serve --append-result",
		Versions: "the records of 0.3.1 to 0.25.1",
		Files:    "index.md, benchmark.md, benchmark.html",
		Reads: "The records inside <details> and highlight blocks, one run for each group between blank lines, " +
			"and the accelerator " +
			"where the page's text says \"GPU: ...\".",
		Unknown: "The names of the runs stand in included charts only: give them as series in run.toml.",
	},
	Match: match,
	Read:  read,
}

func match(h *reading.Head) bool {
	return h.Kind == 't' && frontMatter(h.Data) > 0 &&
		bytes.Contains(h.Data, []byte(`"model_id"`)) && bytes.Contains(h.Data, []byte(`"completed"`)) &&
		(bytes.Contains(h.Data, []byte("<details")) || bytes.Contains(h.Data, []byte("{% highlight")) ||
			bytes.Contains(h.Data, []byte("{%highlight")))
}

// frontMatter returns the offset behind the front matter, 0 if there is none.
func frontMatter(data []byte) int {
	off, n := 0, 0
	for line := range bytes.Lines(data) {
		off += len(line)
		fence := string(bytes.TrimRight(line, " \t\r\n")) == "---"
		if n == 0 && !fence {
			return 0
		}
		if n > 0 && fence {
			return off
		}
		n++
	}
	return 0
}

var (
	highlight    = regexp.MustCompile(`^\{%-?\s*highlight\b`)
	endHighlight = regexp.MustCompile(`^\{%-?\s*endhighlight\b`)
	tag          = regexp.MustCompile(`^</?[A-Za-z][^>]*>`)
	accelerator  = regexp.MustCompile(`^(\pL+(?:\(s\))?)\s*:\s*(.+)$`)
)

// span is a stretch of lines that hold records.
type span struct{ from, to, group int }

// scan finds the stretches of records and the page's statements of its hardware.
func scan(file string, data []byte) (spans []span, facts []record.Fact) {
	off := frontMatter(data)
	line := bytes.Count(data[:off], []byte{'\n'})
	details, inHighlight := 0, false
	group, open := 0, false // open: the group has a record
	next := func() {        // ends a group that has records
		if open {
			group, open = group+1, false
		}
	}
	for raw := range bytes.Lines(data[off:]) {
		from, to := off, off+len(raw)
		off = to
		line++
		text := bytes.TrimSpace(raw)
		switch {
		case highlight.Match(text):
			inHighlight = true
			next()
			continue
		case endHighlight.Match(text):
			inHighlight = false
			next()
			continue
		}
		lower := bytes.ToLower(text)
		if bytes.Contains(lower, []byte("<details")) {
			details++
			next()
		}
		inside := details > 0 || inHighlight
		closes := bytes.Contains(lower, []byte("</details>"))
		switch {
		case !inside:
			facts = append(facts, statements(file, raw, line)...)
		case len(text) == 0:
			next()
		case text[0] == '{' && len(text) > 1 && (text[1] == '%' || text[1] == '{' &&
			bytes.HasSuffix(text, []byte("}}")) && !bytes.Contains(text, []byte(`":`))),
			bytes.HasPrefix(text, []byte("```")), bytes.HasPrefix(text, []byte("~~~")):
		default:
			// Tags in front of a record ("<pre>{...") are skipped, and so is text that is none.
			start := from + bytes.Index(raw, text)
			rest := text
			for {
				t := bytes.TrimLeft(rest[len(tag.Find(rest)):], " \t")
				if len(t) == len(rest) {
					break
				}
				rest = t
			}
			start += len(text) - len(rest)
			if start > from+bytes.Index(raw, text) && (len(rest) == 0 || rest[0] != '{' && rest[0] != '[') {
				break // "<summary>Raw results</summary>"
			}
			end := start + len(withoutTags(data[start:to]))
			if len(bytes.TrimSpace(data[start:end])) > 0 {
				if n := len(spans); n > 0 && spans[n-1].group == group &&
					len(bytes.TrimSpace(data[spans[n-1].to:start])) == 0 {
					spans[n-1].to = end
				} else {
					spans = append(spans, span{start, end, group})
				}
				open = true
			}
		}
		if closes && details > 0 {
			details--
			next()
		}
	}
	return spans, facts
}

// withoutTags cuts closing tags off the end of a line: a line of JSON never ends in '>'.
func withoutTags(line []byte) []byte {
	for {
		t := bytes.TrimSpace(line)
		i := bytes.LastIndex(t, []byte("</"))
		if i < 0 || len(tag.Find(t[i:])) != len(t)-i {
			return line
		}
		line = line[:bytes.LastIndex(line, []byte("</"))]
	}
}

// statements finds "GPU: MI300X" in a line of the page's text; parts are divided by "|".
func statements(file string, raw []byte, line int) []record.Fact {
	var facts []record.Fact
	at := 0
	for part := range bytes.SplitSeq(raw, []byte{'|'}) {
		text := strings.Trim(strings.ToValidUTF8(string(part), "�"), " \t\r\n*_#-")
		text = strings.NewReplacer("**", "", "__", "").Replace(text)
		if m := accelerator.FindStringSubmatch(text); m != nil && reading.SaysHardware(m[1]) {
			if v := strings.Trim(m[2], " \t*_."); v != "" {
				lead := len(part) - len(bytes.TrimLeft(part, " \t*_#-"))
				facts = append(facts, record.Fact{Key: record.FactHardware, Value: v,
					At: record.Pos{File: file, Line: line, Col: at + lead + 1}})
			}
		}
		at += len(part) + 1
	}
	return facts
}

func read(src *reading.Source, emit func(record.Record)) error {
	file := src.Path()
	spans, facts := scan(file, src.Data)
	text := reading.NewText(src.Data)
	rd := &servingjson.Reader{File: file, Emit: emit}
	found := 0
	for _, s := range spans {
		text.Values(s.from, s.to, true, func(v reading.Value) {
			r := rd.Read(v)
			if r == nil {
				return
			}
			found++
			all := reading.Facts(r.Facts)
			for _, f := range facts {
				all.Add(f.Key, f.Value, f.At)
			}
			r.Facts = all
			r.Key = servingjson.Session(fmt.Sprintf("%s group %d", file, s.group+1), r)
			emit(r)
		}, func(e *reading.SyntaxError) {
			line, col := text.Place(e.Off)
			at := record.Pos{File: file, Line: line, Col: col}
			emit(record.Errorf(at, "%s", strings.ReplaceAll(e.Text, "the file ends", "the block ends")))
		})
	}
	if found == 0 {
		emit(record.Errorf(record.Pos{File: file},
			"no record of a serving benchmark inside <details> or a highlight block: put the raw records there"))
	}
	return nil
}
