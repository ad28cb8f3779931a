package reading

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF16 says in which order the bytes of a text in UTF-16 stand, by its beginning; nil where it is no such text. Windows
// writes so what programs print: PowerShell's > does, with a mark in front. Without one it is told by its letters, of
// which nearly every other byte is zero.
func UTF16(head []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")): // UTF-32
		return nil
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return binary.BigEndian
	}
	var zero [2]int
	sample := head[:min(len(head), 256)]
	for i, c := range sample {
		if c == 0 {
			zero[i&1]++
		}
	}
	switch n := len(sample) / 2; {
	case n > 1 && zero[0] == 0 && zero[1] > n*3/4:
		return binary.LittleEndian
	case n > 1 && zero[1] == 0 && zero[0] > n*3/4:
		return binary.BigEndian
	}
	return nil
}

// UTF8 is a text in UTF-16 as all that reads it expects it. Halves of letters become U+FFFD.
func UTF8(text []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(text)/2)
	for len(text) > 1 {
		r := rune(order.Uint16(text))
		text = text[2:]
		if utf16.IsSurrogate(r) {
			if len(text) > 1 {
				r = utf16.DecodeRune(r, rune(order.Uint16(text)))
			}
			if r > 0xffff {
				text = text[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if len(text) > 0 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}
