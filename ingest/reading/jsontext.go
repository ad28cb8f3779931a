package reading

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/record"
)

// unquote decodes a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
func unquote(b []byte) string {
	b = b[1 : len(b)-1]
	if bytes.IndexByte(b, '\\') < 0 {
		if utf8.Valid(b) {
			return string(b)
		}
		return readable(b)
	}
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, b...), '"'), &s) == nil {
		return s
	}
	// An escape that JSON does not know: kept as written.
	return readable(b)
}

// readable replaces each byte that is no UTF-8, as encoding/json does.
func readable(b []byte) string { return string([]rune(string(b))) }

// Elide says what Compact replaces. The zero Elide replaces nothing.
type Elide struct {
	// Longer is the length from which on an array is replaced by a summary; 0 means never.
	Longer int
	// Texts are keys whose string values (or strings in arrays) are replaced by their length:
	// prompts and generated texts.
	Texts []string
	// Drop are keys that are left out altogether.
	Drop []string
}

// Compact returns v as compact, valid JSON: white space goes, numbers stay as written, NaN and
// infinities become strings. A long array becomes
// {"elided":"array","length":n,"sha256":"...","min":...,"mean":...,"max":...} (the three only
// for numbers), a text {"elided":"text","length":n} with its length in bytes.
func (v Value) Compact(e Elide) []byte {
	if v.t == nil {
		return v.compact(nil, e, false)
	}
	b := v.compact(v.t.room[:0], e, false)
	if v.t.room = nil; cap(b) <= mostRoom {
		v.t.room = b
	}
	return bytes.Clone(b) // records keep it: no larger than it has to be
}

// Parts is [Value.Compact] of an object with members, in two parts: what stands in front of its values and behind the last
// one, and the values, with a line feed behind each, in room. Keys are shared by objects with the same ones: nobody
// changes them. Ok is false for any other value, and where e leaves members out.
func (v Value) Parts(e Elide, room []byte) (keys []string, values []byte, ok bool) {
	if v.kind != KindObject || len(e.Drop) > 0 {
		return nil, nil, false
	}
	l, n := &v.t.layout, 0
	v.Fields(func(k string, m Value) bool {
		if ok = n < len(l.keys) && l.keys[n] == k; ok {
			room = append(m.compact(room, e, slices.Contains(e.Texts, k)), '\n')
			n++
		}
		return ok
	})
	if !ok || n != len(l.keys) {
		return nil, nil, false
	}
	if l.between == nil {
		before := byte('{')
		for _, k := range l.keys {
			l.between = append(l.between, string(append(record.AppendText([]byte{before}, k), ':')))
			before = ','
		}
		l.between = append(l.between, "}")
	}
	return l.between, room, true
}

// mostRoom is how much a Text keeps for the next value that is made compact.
const mostRoom = 64 << 10

func (v Value) compact(dst []byte, e Elide, hide bool) []byte {
	switch v.kind {
	case KindObject:
		dst = append(dst, '{')
		first := true
		v.Fields(func(k string, m Value) bool {
			if slices.Contains(e.Drop, k) {
				return true
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = record.AppendText(dst, k)
			dst = append(dst, ':')
			dst = m.compact(dst, e, slices.Contains(e.Texts, k))
			return true
		})
		return append(dst, '}')
	case KindArray:
		if n := v.Len(); e.Longer > 0 && n > e.Longer {
			return v.summary(dst, n)
		}
		dst = append(dst, '[')
		v.Items(func(i int, m Value) bool {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.compact(dst, e, hide)
			return true
		})
		return append(dst, ']')
	case KindString:
		if s, _ := v.Str(); hide {
			if s == "" {
				return append(dst, `""`...)
			}
			dst = append(dst, `{"elided":"text","length":`...)
			dst = strconv.AppendInt(dst, int64(len(s)), 10)
			return append(dst, '}')
		} else {
			return record.AppendText(dst, s)
		}
	case KindNumber:
		if f, _ := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return record.AppendText(dst, string(v.Bytes()))
		}
		return append(dst, v.Bytes()...)
	case KindMissing:
		return append(dst, "null"...)
	}
	return append(dst, v.Bytes()...)
}

func (v Value) summary(dst []byte, n int) []byte {
	sum := sha256.Sum256(v.Bytes())
	dst = append(dst, `{"elided":"array","length":`...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	dst = append(dst, `,"sha256":"`...)
	dst = append(dst, hex.EncodeToString(sum[:])...)
	dst = append(dst, '"')
	lo, hi, total, numbers := math.Inf(1), math.Inf(-1), 0.0, true
	v.Numbers(func(_ int, f float64, ok bool) bool {
		numbers = numbers && ok
		lo, hi, total = min(lo, f), max(hi, f), total+f
		return numbers
	})
	if mean := total / float64(n); numbers && !math.IsInf(mean, 0) {
		for _, p := range []struct {
			k string
			f float64
		}{{"min", lo}, {"mean", mean}, {"max", hi}} {
			dst = append(dst, `,"`+p.k+`":`...)
			// 12 digits: the last bits of a sum differ between processors.
			dst = strconv.AppendFloat(dst, p.f, 'g', 12, 64)
		}
	}
	return append(dst, '}')
}

// Quote writes a text as JSON, as [Value.Compact] does. What is no UTF-8 in it becomes U+FFFD.
func Quote(s string) []byte { return record.AppendText(nil, strings.ToValidUTF8(s, "\ufffd")) }

// Builder writes a JSON object, member by member. The zero Builder is an object without members.
type Builder struct{ text []byte }

// Add adds a member whose value is JSON.
func (b *Builder) Add(key string, value []byte) {
	before := byte(',')
	if len(b.text) == 0 {
		before = '{'
	}
	b.text = append(append(append(append(b.text, before), Quote(key)...), ':'), value...)
}

// Text adds a member whose value is a text.
func (b *Builder) Text(key, value string) { b.Add(key, Quote(value)) }

// JSON is the object. It may be asked for again after more members were added.
func (b *Builder) JSON() []byte {
	if len(b.text) == 0 {
		return []byte("{}")
	}
	text := make([]byte, len(b.text)+1) // records keep it: no larger than it has to be
	copy(text, b.text)
	text[len(b.text)] = '}'
	return text
}

// Keys scans the beginning of a JSON text, which may be cut anywhere, and reports the keys of
// the first object (or of the first object in a leading array) and, as "a.b", those one level
// down, in objects and in the first objects of arrays.
func Keys(data []byte) (top, nested map[string]bool) {
	top, nested = map[string]bool{}, map[string]bool{}
	s := scanner{data: data, notUTF8: -1}
	i := s.space(0)
	if i < len(data) && data[i] == '[' {
		i = s.space(i + 1)
	}
	if i >= len(data) || data[i] != '{' {
		return top, nested
	}
	// A stack of brackets with the key that each level is at.
	type level struct {
		open byte
		key  string
	}
	stack := []level{{open: '{'}}
	i++
	for i < len(data) && len(stack) > 0 {
		i = s.space(i)
		if i >= len(data) {
			break
		}
		l := &stack[len(stack)-1]
		switch c := data[i]; c {
		case '"':
			end, err := s.str(i)
			if err != nil {
				return top, nested
			}
			j := s.space(end)
			if l.open == '{' && j < len(data) && data[j] == ':' {
				l.key = unquote(data[i:end])
				if len(stack) == 1 {
					top[l.key] = true
				} else if p := stack[0].key; len(stack) == 2 || len(stack) == 3 && stack[1].open == '[' {
					nested[p+"."+l.key] = true
				}
				end = j + 1
			}
			i = end
		case '{', '[':
			if len(stack) > MaxDepth {
				return top, nested
			}
			stack = append(stack, level{open: c})
			i++
		case '}', ']':
			stack = stack[:len(stack)-1]
			i++
		default:
			i++
		}
	}
	return top, nested
}
