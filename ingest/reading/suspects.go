package reading

import (
	"bytes"
	"iter"
	"math"
	"math/bits"
	"strconv"
)

// Suspects are where words and numbers begin and end that may be no finite number, in order. They are not gathered: a
// file may have nothing else. Each byte of all that is read is looked at here, so it is done eight at a time.
func Suspects(data []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		// found yields what the byte at i gives away: the a of NaN, the f of an infinite number, the e of an exponent.
		found := func(i int) bool {
			from, to := i-1, 0
			switch data[i] | lower {
			case 'e':
				var ok bool
				if from, to, ok = overflow(data, i); !ok {
					return true
				}
			case 'f':
				from--
				fallthrough
			default:
				if from < 0 {
					return true
				}
				n := wordAt(data[from:])
				if n == 0 {
					return true
				}
				to = from + n
			}
			return yield(from, to)
		}
		i := 1
		for ; i+8 <= len(data); i += 8 {
			here, before := eight(data[i:]), eight(data[i-1:])
			n := is(before|each*lower, 'n')
			hits := n&is(here|each*lower, 'a') | n&is(here|each*lower, 'f') | is(here|each*lower, 'e')&digitBytes(before)
			for ; hits != 0; hits &= hits - 1 {
				if !found(i + bits.TrailingZeros64(hits)/8) {
					return
				}
			}
		}
		for ; i < len(data); i++ {
			switch data[i] | lower {
			case 'a', 'e', 'f':
				if !found(i) {
					return
				}
			}
		}
	}
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
