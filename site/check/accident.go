package check

import (
	"bytes"
	"strings"
)

// traces are texts that no person writes outside code, which program leaves them behind, and a byte of each that other
// texts seldom have.
var traces = []struct {
	text, from string
	rare       byte
}{
	{"<no value>", "a Go template that read a field which does not exist", '<'},
	{"<nil>", "a nil printed by Go", '<'},
	{"map[", "a Go map printed with its braces", '['},
	{"&{", "a Go pointer printed with its fields", '{'},
	{"(0xc000", "a Go address", '('},
	{"ZgotmplZ", "html/template, which refused a value", 'Z'},
	{"{{", "a template that was not executed", '{'},
	{"}}", "a template that was not executed", '}'},
	{"HAHAHUGO", "a placeholder of Hugo", 'H'},
	{"0001-01-01", "a Go time that was never set", '0'},
	{"[object Object]", "a JavaScript object made text", '['},
}

// words are values that programs print for a missing number or text.
var words = []struct {
	text, from string
	// alone: English where it stands in a sentence, so only as a value.
	alone bool
}{
	{"NaN", "a number that is none", false},
	{"+Inf", "an infinite number printed by Go", false},
	{"-Inf", "an infinite number printed by Go", false},
	{"None", "a missing value printed by Python", true},
	{"undefined", "a missing value printed by JavaScript", true},
}

// entities are character references; in text that was unescaped once they were escaped twice.
var entities = []string{"&amp;", "&lt;", "&gt;", "&quot;", "&nbsp;", "&#"}

// telling are bytes of which every trace, word, entity, verb and exponent has one. Most texts of a
// page are numbers, which have none.
var telling = bytesOf([]byte("<[{}&%!NIZHue-E("))

// byteSet is a set of bytes.
type byteSet [4]uint64

func bytesOf(text []byte) (s byteSet) {
	for _, c := range text {
		s[c>>6] |= 1 << (c & 63)
	}
	return s
}

func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

func (s *byteSet) meets(o *byteSet) bool {
	return s[0]&o[0] != 0 || s[1]&o[1] != 0 || s[2]&o[2] != 0 || s[3]&o[3] != 0
}

// accident returns what a program left by mistake in text that is shown to people, as it reads
// after unescaping, and where it came from. Both are empty in good text.
func accident(text []byte) (what, from string) {
	found := bytesOf(text)
	if !found.meets(&telling) {
		return "", ""
	}
	for _, t := range traces {
		if found.has(t.rare) && bytes.Contains(text, []byte(t.text)) {
			return t.text, t.from
		}
	}
	for _, e := range entities {
		if !found.has('&') {
			break
		}
		if i := bytes.Index(text, []byte(e)); i >= 0 && (e != "&#" || reference(text[i:])) {
			return e, "text that was escaped twice"
		}
	}
	if w := verb(text); w != "" {
		return w, "a Go format whose verb does not fit its value"
	}
	for _, w := range words {
		if found.has(w.text[0]) && word(text, w.text, w.alone) {
			return w.text, w.from
		}
	}
	if found.has('+') || found.has('-') {
		if e := exponent(text); e != "" {
			return e, "a number printed with an exponent"
		}
	}
	return "", ""
}

// reference reports whether text begins with a numeric character reference: "&#39;", "&#x27;".
func reference(text []byte) bool {
	end := bytes.IndexByte(text, ';')
	if end < 3 || end > 10 {
		return false
	}
	digits := strings.TrimPrefix(strings.ToLower(string(text[2:end])), "x")
	return digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
}

// verb returns what Go prints for a verb that does not fit: "%!d(" or "%!(".
func verb(text []byte) string {
	for rest := text; ; {
		i := bytes.Index(rest, []byte("%!"))
		if i < 0 {
			return ""
		}
		rest = rest[i+2:]
		n := 0
		if len(rest) > 0 && letter(rest[0]) {
			n = 1
		}
		if len(rest) > n && rest[n] == '(' {
			return "%!" + string(rest[:n+1])
		}
	}
}

// word reports whether text has w as a word of its own. With alone, a word that stands in a
// sentence ("None of the runs") is English.
func word(text []byte, w string, alone bool) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(w))
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(w)
		from = end
		if start > 0 && wordByte(text[start-1]) && wordByte(w[0]) || end < len(text) && wordByte(text[end]) {
			continue
		}
		if !alone {
			return true
		}
		before, after := bytes.TrimSpace(text[:start]), bytes.TrimSpace(text[end:])
		if len(before) > 0 && !bytes.ContainsAny(before[len(before)-1:], `=:([{,/"'`) {
			continue // the end of a sentence
		}
		if len(after) > 0 && !bytes.ContainsAny(after[:1], `)]},;/"'`) {
			continue // the beginning of a sentence
		}
		return true
	}
}

// exponent returns the first number in text that is written with an exponent. The programs that
// print one by mistake, in Go, Python and JavaScript, all write its sign; a digest such as 959e30
// has none.
func exponent(text []byte) string {
	for from := 0; ; {
		i := bytes.IndexAny(text[from:], "eE")
		if i < 0 {
			return ""
		}
		e := from + i
		from = e + 1
		if e == 0 || !digit(text[e-1]) || e+2 >= len(text) || text[e+1] != '+' && text[e+1] != '-' {
			continue
		}
		end := e + 2
		for end < len(text) && digit(text[end]) {
			end++
		}
		start := e
		for start > 0 && (digit(text[start-1]) || text[start-1] == '.') {
			start--
		}
		// More than three digits, or letters beside it: part of a name such as a UUID.
		if end == e+2 || end > e+5 || end < len(text) && (wordByte(text[end]) || text[end] == '-') ||
			start > 0 && wordByte(text[start-1]) {
			continue
		}
		return string(text[start:end])
	}
}

func digit(c byte) bool    { return '0' <= c && c <= '9' }
func letter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func wordByte(c byte) bool { return digit(c) || letter(c) || c == '_' || c >= 0x80 }
