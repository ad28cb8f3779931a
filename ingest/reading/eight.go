package reading

import (
	"encoding/binary"
	"math/bits"
)

// Text is looked at eight bytes at a time where all of a large file is: the first of them is the lowest byte of a
// number.
const (
	lower = 0x20               // makes a letter a small one
	each  = 0x0101010101010101 // a number times this is the number in each of eight bytes
	high  = each * 0x80
)

// eight are the eight bytes that b begins with.
func eight(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// is has the highest bit of each of the eight bytes set that are c.
func is(eight uint64, c byte) uint64 {
	differ := eight ^ each*uint64(c)
	return ^(differ&^high + each*0x7f | differ) & high
}

// digitBytes has the highest bit of each of the eight bytes set that are digits.
func digitBytes(eight uint64) uint64 {
	ascii := eight &^ high
	return (ascii + each*(0x80-'0')) &^ (ascii + each*(0x80-'9'-1)) &^ eight & high
}

// whole is the number that eight digits are.
func whole(eight uint64) uint64 {
	eight = (eight & 0x0f0f0f0f0f0f0f0f) * (1 + 10<<8) >> 8
	eight = (eight & 0x00ff00ff00ff00ff) * (1 + 100<<16) >> 16
	return (eight & 0x0000ffff0000ffff) * (1 + 10000<<32) >> 32
}

// ordinary is how many of eight bytes of a string stand before one that is a quote, a backslash, a control character
// or no ASCII.
func ordinary(eight uint64) int {
	quote, slash := eight^each*'"', eight^each*'\\'
	// A borrow reaches only bytes above one that is found already.
	found := ((quote - each) | (slash - each) | (eight - each*' ') | eight) & high
	return bits.TrailingZeros64(found) / 8
}
