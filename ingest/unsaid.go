package ingest

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// unsaid adds to the records of a file what its format left out in silence: places where NaN, an infinite number or
// one beyond what a float64 holds stands for a value. NaN is a note on the result it stands in, since tools write
// it for what they did not measure; all else, and all in a file without results, is an error.
func unsaid(src *reading.Source, records []record.Record) []record.Record {
	u := untold{src: src, line: 1, said: map[int][]*record.SyntaxError{}, noted: map[string]*record.Note{}}
	for _, r := range records {
		switch r := r.(type) {
		case *record.SyntaxError:
			u.said[r.At.Line] = append(u.said[r.At.Line], r)
		case *record.Result:
			u.results = append(u.results, r)
		}
	}
	slices.SortStableFunc(u.results, func(a, b *record.Result) int { return a.At.Line - b.At.Line })
	for from, to := range src.Suspects() {
		u.found(from, to)
	}
	return append(records, u.told()...)
}

// untold gathers the places of one file, which may have millions: nothing before one is looked at again for the next.
type untold struct {
	src     *reading.Source
	results []*record.Result              // by line
	said    map[int][]*record.SyntaxError // by line
	end     int                           // what is before it was looked at
	line    int                           // of the byte at end
	begin   int                           // of that line
	quoted  bool                          // the last quote before end begins a text
	notes   []*record.Note
	noted   map[string]*record.Note // by session
	errors  []*record.SyntaxError
	more    map[record.Record]int // further places that a note or an error stands for
	// named is the name of a value that was judged last, and limits what was said of it: all records of a file have it.
	named  []byte
	limits bool
}

// pass looks at what is between the last place and this one.
func (u *untold) pass(to int) {
	between := u.src.Data[u.end:max(to, u.end)]
	u.line += bytes.Count(between, []byte("\n"))
	if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
		u.begin = u.end + i + 1
	}
	if i := bytes.LastIndexByte(between, '"'); i >= 0 {
		behind := bytes.TrimLeft(u.src.Data[u.end+i+1:], " \t\r\n")
		u.quoted = bytes.IndexByte([]byte(":,]}"), behind[0]) < 0
	}
	u.end += len(between)
}

// found looks at a word or a number that is none: whether it stands for a value, and whether that was said.
func (u *untold) found(from, to int) {
	data := u.src.Data
	word := data[from:to]
	nan := len(word) == 3 && word[0]|0x20 == 'n'
	unlimited := word[0]|0x20 == 'i' && (from == 0 || data[from-1] != '-')
	if from > 0 && (data[from-1] == '-' || data[from-1] == '+') {
		from--
	}
	quoted := from > 0 && to < len(data) && data[from-1] == '"' && data[to] == '"'
	if quoted {
		from, to = from-1, to+1
	}
	before := bytes.TrimRight(data[max(0, from-keyBytes):from], " ")
	begins := len(before) == 0 || bytes.IndexByte([]byte(":,|=['\t\n"), before[len(before)-1]) >= 0 ||
		bytes.HasSuffix(before, []byte("±")) || bytes.HasSuffix(data[:from], []byte(" / "))
	ends := to == len(data) || bytes.IndexByte([]byte(" ,|]})'\"\t\r\n%"), data[to]) >= 0
	u.pass(from)
	if rest := data[to:]; bytes.HasPrefix(rest, []byte(" tokens per second")) || bytes.HasPrefix(rest, []byte(" ms per token")) {
		return // llama.cpp divides by a time of 0 where it did nothing
	}
	if !begins || !ends || u.inString() {
		return
	}
	res := u.resultAt()
	at := record.Pos{Line: u.line, Col: from - u.begin + 1}
	if u.isSaid(at, string(word)) || nan && res != nil && doubted(res) || unlimited && u.unlimited(before, res) {
		return
	}
	if nan && res != nil {
		u.note(res, at)
	} else {
		u.error(string(word), at)
	}
}

// inString reports whether the place lies inside of a string of a JSON file.
func (u *untold) inString() bool {
	k := u.src.Head.Kind
	return u.quoted && (k == '{' || k == '[')
}

// isSaid reports whether an error is about a place, or about its line and the word that stands there.
func (u *untold) isSaid(at record.Pos, word string) bool {
	return slices.ContainsFunc(u.said[at.Line], func(e *record.SyntaxError) bool {
		return e.At.Col == at.Col || strings.Contains(e.Text, word) || strings.Contains(e.Text, "infinite")
	})
}

// keyBytes is how long what names a value may be.
const keyBytes = 80

// limit is the name of a rate of requests, or of a limit.
var limit = regexp.MustCompile(
	`(?i)(?:^|[^a-z])(?:limit|timeout)(?:[^a-z]|$)|(?:^|[^a-z_-]|(?:request|req|arrival|target|max)[ _-])rate(?:[^a-z]|$)|(?:^|[^_])qps`)

// unlimited reports whether an infinite number is the rate of requests that are all sent at once, or no limit: by what
// stands before it, by the result that it is in where that is a table, or because it is an argument.
func (u *untold) unlimited(before []byte, res *record.Result) bool {
	name := before[1+bytes.LastIndexAny(before, ",{|\n"):]
	inTable := len(before) == 0 || bytes.IndexByte([]byte(",\t\n"), before[len(before)-1]) >= 0
	if !bytes.Equal(name, u.named) {
		u.named, u.limits = name, limit.Match(name)
	}
	return u.limits || bytes.HasSuffix(before, []byte("=")) || inTable && res != nil && res.Load.Rate != nil &&
		math.IsInf(float64(*res.Load.Rate), 1)
}

func doubted(res *record.Result) bool {
	for _, d := range res.Doubts {
		if d.Code == record.DoubtNotANumber {
			return true
		}
	}
	return false
}

// resultAt is the last result that begins at the line or before it, else the first.
func (u *untold) resultAt() *record.Result {
	if len(u.results) == 0 {
		return nil
	}
	after := sort.Search(len(u.results), func(i int) bool { return u.results[i].At.Line > u.line })
	return u.results[max(after-1, 0)]
}

func (u *untold) note(res *record.Result, at record.Pos) {
	if n := u.noted[res.Key]; n != nil {
		u.again(n)
		return
	}
	at.File = res.At.File
	n := &record.Note{Base: res.BesideAt(at), Code: record.DoubtNotANumber, Severity: record.Remark,
		Text: `"NaN" stands for a value, which is left out`} // quoted: it is the file's word, and none of ours
	u.notes, u.noted[n.Key] = append(u.notes, n), n
}

func (u *untold) error(word string, at record.Pos) {
	if len(u.errors) > 0 {
		u.again(u.errors[0])
		return
	}
	u.errors = append(u.errors, &record.SyntaxError{Base: record.Base{At: at},
		Text: fmt.Sprintf("%q stands for a value, which is left out: no measurement is that", word)})
}

func (u *untold) again(r record.Record) {
	if u.more == nil {
		u.more = map[record.Record]int{}
	}
	u.more[r]++
}

// told are the notes and errors, each with how many it stands for.
func (u *untold) told() (out []record.Record) {
	further := func(r record.Record) string {
		if n := u.more[r]; n > 0 {
			if n == 1 {
				return ", and so does 1 further one"
			}
			return fmt.Sprintf(", and so do %d further ones", n)
		}
		return ""
	}
	for _, n := range u.notes {
		n.Text += further(n)
		out = append(out, n)
	}
	for _, e := range u.errors {
		e.Text += further(e)
		out = append(out, e)
	}
	return out
}
