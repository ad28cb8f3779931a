package page

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Parts are a sentence in pieces.
type Parts []Part

// Text begins a sentence with a text.
func Text(s string) Parts { return Parts{{Text: Glue(s)}} }

// Linked begins a sentence with a link.
func Linked(text, href string) Parts { return Parts{{Text: Glue(text), Href: href}} }

// Text adds a text to a sentence.
func (p Parts) Text(s string) Parts { return append(p, Part{Text: Glue(s)}) }

// Link adds a link to a sentence.
func (p Parts) Link(text, href string) Parts { return append(p, Part{Text: Glue(text), Href: href}) }

// Block is a paragraph of the sentence.
func (p Parts) Block() Block { return Block{Text: p} }

// Quoting is a message of the program as a sentence. What it quotes is the text of a file and none of ours: it stands
// as code, with its quotation marks. So does a number with an exponent, which a file has: no page writes one.
func Quoting(message string) (out Parts) {
	for message != "" {
		i := strings.IndexByte(message, '"')
		quoted, err := "", error(nil)
		if i >= 0 {
			quoted, err = strconv.QuotedPrefix(message[i:])
		}
		if i < 0 || err != nil {
			return out.told(message)
		}
		out = out.told(message[:i])
		out = append(out, Part{Text: quoted, Code: true})
		message = message[i+len(quoted):]
	}
	return out
}

var exponent = regexp.MustCompile(`-?\b\d+(?:\.\d+)?e[+-]\d+\b`)

// told adds a part of a message in which nothing is quoted.
func (p Parts) told(s string) Parts {
	from := 0
	for _, at := range exponent.FindAllStringIndex(s, -1) {
		if at[0] > from {
			p = p.Text(s[from:at[0]])
		}
		p = append(p, Part{Text: s[at[0]:at[1]], Code: true})
		from = at[1]
	}
	if from < len(s) {
		p = p.Text(s[from:])
	}
	return p
}

// unbroken are the spaces at which no line may end.
var unbroken = [][2]string{{"≤ ", "≤\u00a0"}, {"≥ ", "≥\u00a0"}, {" ± ", "\u00a0±\u00a0"}}

// Glue keeps the lengths of a workload, "1 024 → 128", a limit, "≤ 1 %", and a spread, "336.1 ± 1.1", on one line.
// Between longer words, such as two versions, a line may end behind the arrow: else a narrow one ends within a word.
func Glue(s string) string {
	const most, arrow = 16, " → "
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	for _, u := range unbroken {
		s = strings.ReplaceAll(s, u[0], u[1])
	}
	for i := strings.Index(s, arrow); i >= 0; i = strings.Index(s, arrow) {
		before, after := s[:i], s[i+len(arrow):]
		word, _, _ := strings.Cut(after, " ")
		word = before[strings.LastIndexByte(before, ' ')+1:] + word
		if utf8.RuneCountInString(word) > most {
			s = before + "\u00a0→ " + after
		} else {
			s = before + "\u00a0→\u00a0" + after
		}
	}
	return s
}

// Paragraph is a block of one piece of text.
func Paragraph(s string) Block { return Text(s).Block() }

// Capital begins foreign text with a capital, unless its first word is a name such as "vLLM".
func Capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsFunc(word, unicode.IsUpper) || strings.ContainsAny(word, "_-./") {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Upper begins words of the program itself with a capital.
func Upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Clip is [metric.Clip].
func Clip(s string, n int) string { return metric.Clip(s, n) }

// Enumerate is [metric.Enumerate].
func Enumerate(words []string) string { return metric.Enumerate(words) }

// Thousands is [metric.Thousands].
func Thousands(s string) string { return metric.Thousands(s) }

// Day is the day of a run's beginning, or "" where it is not recorded.
func Day(started string) string {
	if len(started) >= 10 {
		return started[:10]
	}
	return started
}
