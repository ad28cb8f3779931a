package page

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Claim is a sentence that somebody can recompute from the catalog, such as one of package claim.
type Claim interface {
	Text() string
	// Refutable marks it: a text that nobody can refute is no claim.
	Refutable()
}

// Said is a text of claims and of nothing else: where a page says something of its own, no other text has a place.
// [Say] makes it; the zero value says nothing.
type Said struct{ parts []Part }

// Say is a claim as a page says it, in pieces that together are its text; without pieces it is one.
func Say(c Claim, pieces ...Part) Said {
	if len(pieces) == 0 {
		pieces = Text(c.Text())
	}
	if said := (Said{pieces}); spaced(said.Text()) != spaced(c.Text()) {
		panic(fmt.Sprintf("the claim %q is said as %q", c.Text(), said.Text()))
	}
	return Said{pieces}
}

// spaced is a text whatever was glued of it: a name that ends with "≤" is glued to what follows in the whole text and not
// where it is a piece of its own.
func spaced(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// And puts another text behind, with a space between.
func (s Said) And(next Said) Said {
	switch {
	case len(s.parts) == 0:
		return next
	case len(next.parts) == 0:
		return s
	}
	return Said{append(append(s.parts[:len(s.parts):len(s.parts)], Part{Text: " "}), next.parts...)}
}

// Text is the text without links.
func (s Said) Text() string {
	var b strings.Builder
	for _, p := range s.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Block is a paragraph of the text.
func (s Said) Block() Block { return Block{Text: s.parts} }

// Parts are the pieces.
func (s Said) Parts() []Part { return s.parts }

// MarshalJSON writes the pieces.
func (s Said) MarshalJSON() ([]byte, error) { return json.Marshal(s.parts) }

// IsZero says that there is no text.
func (s Said) IsZero() bool { return len(s.parts) == 0 }
