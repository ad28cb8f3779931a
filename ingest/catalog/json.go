package catalog

import (
	"bytes"
	"encoding/json"
)

// Marshal returns v as a file of a catalog: indented, and each element of a list or map that
// stands directly below v (a point, a figure, a source, an attribute) on one line, so that a
// change of one point is a change of one line.
func Marshal(v any) ([]byte, error) {
	b, err := Compact(v)
	if err != nil {
		return nil, err
	}
	return layout(b), nil
}

// Compact returns v as JSON on one line, without HTML escapes.
func Compact(v any) ([]byte, error) { return new(Compacter).Compact(v) }

// Compacter is [Compact] for many values, of which one is wanted at a time. The zero Compacter is ready.
type Compacter struct {
	b   bytes.Buffer
	enc *json.Encoder
}

// Compact returns v as JSON on one line, without HTML escapes. It holds until the next call.
func (c *Compacter) Compact(v any) ([]byte, error) {
	if c.enc == nil {
		c.enc = json.NewEncoder(&c.b)
		c.enc.SetEscapeHTML(false)
	}
	c.b.Reset()
	if err := c.enc.Encode(v); err != nil {
		c.enc = nil // it remembers
		return nil, err
	}
	return bytes.TrimSuffix(c.b.Bytes(), []byte{'\n'}), nil
}

// layout breaks the lines of compact JSON at the first two levels.
func layout(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/16)
	depth := 0
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '"':
			j := i + 1
			for b[j] != '"' {
				if b[j] == '\\' {
					j++
				}
				j++
			}
			out = append(out, b[i:j+1]...)
			i = j
		case '{', '[':
			out = append(out, c)
			depth++
			if empty := b[i+1] == c+2; depth <= 2 && !empty { // '{'+2 is '}', '['+2 is ']'
				line()
			}
		case '}', ']':
			depth--
			if empty := b[i-1] == c-2; depth < 2 && !empty {
				line()
			}
			out = append(out, c)
		case ',':
			out = append(out, c)
			if depth <= 2 {
				line()
			} else {
				out = append(out, ' ')
			}
		case ':':
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return append(out, '\n')
}
