package ingest

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// unsaid adds to the records of a file what its format left out in silence: places where NaN, an infinite number or
// one beyond what a float64 holds stands for a value. NaN is a note on the result it stands in, since tools write
// it for what they did not measure; all else, and all in a file without results, is an error.
func unsaid(src *reading.Source, records []record.Record) []record.Record {
	u := untold{src: src, line: 1, said: map[int][]*record.SyntaxError{}}
	for _, r := range records {
		switch r := r.(type) {
		case *record.SyntaxError:
			u.said[r.At.Line] = append(u.said[r.At.Line], r)
		case *record.Result:
			u.results = append(u.results, r)
		}
	}
	for _, at := range suspects(src.Data) {
		u.found(at[0], at[1])
	}
	return append(records, u.told()...)
}

// mostSearched is how large a file may be of which each byte is looked at. Larger ones hold the requests of a
// measurement one by one: of these the words are found, which is faster, and no number that overflows.
const mostSearched = 8 << 20

// suspects are where words and numbers begin and end that may be no finite number, in order.
func suspects(data []byte) (found [][2]int) {
	for _, w := range []struct {
		part   string
		before int // bytes of the word before the part
	}{{"NaN", 0}, {"nan", 0}, {"NAN", 0}, {"nf", 1}, {"NF", 1}} {
		for at := 0; ; {
			i := bytes.Index(data[at:], []byte(w.part))
			if i < 0 {
				break
			}
			from := at + i - w.before
			at += i + len(w.part)
			if from < 0 {
				continue
			}
			if n := wordAt(data[from:]); n > 0 {
				found = append(found, [2]int{from, from + n})
			}
		}
	}
	if len(data) <= mostSearched {
		for i, b := range data {
			if b|0x20 != 'e' {
				continue
			}
			if from, to, ok := overflow(data, i); ok {
				found = append(found, [2]int{from, to})
			}
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	return found
}

// wordAt is the length of a word for what is no finite number, 0 where there is none.
func wordAt(data []byte) int {
	for _, w := range []string{"infinity", "nan", "inf"} {
		if len(data) >= len(w) && bytes.EqualFold(data[:len(w)], []byte(w)) {
			return len(w)
		}
	}
	return 0
}

// overflow is the number whose exponent stands behind an e, ok where it is larger than a float64 can be.
func overflow(data []byte, e int) (from, to int, ok bool) {
	digit := func(i int) bool { return i >= 0 && i < len(data) && data[i]-'0' <= 9 }
	to = e + 1
	if to < len(data) && data[to] == '+' {
		to++
	}
	for digits := 0; digit(to); to++ {
		digits++
		ok = digits >= 3
	}
	if !ok || !digit(e-1) {
		return 0, 0, false
	}
	for from = e; digit(from-1) || from > 0 && data[from-1] == '.'; {
		from--
	}
	n, _ := strconv.ParseFloat(string(data[from:to]), 64)
	return from, to, math.IsInf(n, 0)
}

// untold gathers the places of one file.
type untold struct {
	src     *reading.Source
	results []*record.Result
	said    map[int][]*record.SyntaxError // by line
	line    int                           // of the byte at end
	end     int
	notes   []*record.Note
	errors  []*record.SyntaxError
	more    map[record.Record]int // further places that a note or an error stands for
}

// found looks at a word or a number that is none: whether it stands for a value, and whether that was said.
func (u *untold) found(from, to int) {
	data := u.src.Data
	word := data[from:to]
	nan := len(word) == 3 && word[0]|0x20 == 'n'
	unlimited := !nan && wordAt(word) > 0 && (from == 0 || data[from-1] != '-')
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
	if !begins || !ends || u.inString(from) {
		return
	}
	u.line += bytes.Count(data[u.end:from], []byte("\n"))
	u.end = from
	res := u.resultAt()
	at := record.Pos{Line: u.line, Col: from - bytes.LastIndexByte(data[:from], '\n')}
	if u.isSaid(at, string(word)) || nan && res != nil && doubted(res) || unlimited && u.unlimited(before, res) {
		return
	}
	if nan && res != nil {
		u.note(res, at)
	} else {
		u.error(string(word), at)
	}
}

// inString reports whether a place of a JSON file lies inside of a string.
func (u *untold) inString(at int) bool {
	if k := u.src.Head.Kind; k != '{' && k != '[' {
		return false
	}
	quote := bytes.LastIndexByte(u.src.Data[:at], '"')
	behind := bytes.TrimLeft(u.src.Data[quote+1:], " \t\r\n")
	return quote >= 0 && bytes.IndexByte([]byte(":,]}"), behind[0]) < 0
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
	return limit.Match(name) || bytes.HasSuffix(before, []byte("=")) || inTable && res != nil && res.Load.Rate != nil &&
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
func (u *untold) resultAt() (res *record.Result) {
	for i, r := range u.results {
		if i == 0 || r.At.Line <= u.line && r.At.Line >= res.At.Line {
			res = r
		}
	}
	return res
}

func (u *untold) note(res *record.Result, at record.Pos) {
	for _, n := range u.notes {
		if n.Key == res.Key {
			u.again(n)
			return
		}
	}
	at.File = res.At.File
	u.notes = append(u.notes, &record.Note{Base: res.BesideAt(at), Code: record.DoubtNotANumber,
		Severity: record.Remark,
		Text:     `"NaN" stands for a value, which is left out`}) // quoted: it is the file's word, and none of ours
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
