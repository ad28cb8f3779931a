package check

import "strings"

// stating is a sentence that a scanner is in: a caption, or an item of a list of sentences.
type stating struct {
	text    strings.Builder
	depth   int // of its element, 0 outside of one
	line    int
	section string
	warns   bool // the topic at hand warns: what stands below it is no result
	// generated says that the page is none that people wrote; about is its description, at aboutLine.
	generated bool
	about     string
	aboutLine int
}

// Spaced is a text as sentences are compared: with a plain space wherever there is any.
func Spaced(s string) string {
	return strings.Join(strings.Fields(plainSpaces.Replace(s)), " ")
}

var plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ")

// composed reports whether a text is one claim or several, one behind the other.
func composed(text string, claimed func(string) bool) bool {
	if claimed(text) {
		return true
	}
	for i := range len(text) {
		if text[i] == ' ' && claimed(text[:i]) && composed(text[i+1:], claimed) {
			return true
		}
	}
	return false
}

// begin notes an element that was opened at a depth and a line, by its class and id and the class of the one it
// is in: whether it holds a sentence that states a result. Sections of findings quote what reading the sources
// turned up; what stands below a warning is none either.
func (s *stating) begin(name, class, id, in string, depth, line int) {
	if s.depth > 0 {
		return
	}
	says := false
	switch name {
	case "section":
		s.section = id
	case "dt":
		s.warns = class == "w"
	case "p":
		says = class == "find" || class == "lede" && s.generated
	case "dd":
		quotes := s.section == "attention" || s.section == "errors" || s.section == "findings" ||
			s.section == "withdrawn"
		says = in == "says" && !s.warns && !quotes
	case "li":
		says = s.section == "shows"
	}
	if says {
		s.depth, s.line = depth, line
		s.text.Reset()
	}
}

// hear notes text of an element; the link to the sentence's place is none of it.
func (s *stating) hear(text []byte, class string) {
	if s.depth > 0 && class != "pin" {
		s.text.Write(text)
	}
}

// end gives the sentence whose element is closed at a depth, "" where it is another element.
func (s *stating) end(depth int) string {
	if s.depth == 0 || depth != s.depth {
		return ""
	}
	s.depth = 0
	return Spaced(s.text.String())
}
