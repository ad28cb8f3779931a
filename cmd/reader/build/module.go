package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// mostMemory is what reading may take, in pages of 64 KiB: a gibibyte. A file that needs more ends the program in the
// worker, and not the tab.
const mostMemory = 1 << 14

// The parts of a module that are looked at.
const (
	header        = 8 // "\0asm" and the version
	memorySection = 5
	dataSection   = 11
)

// replaced is a module with what replace makes of the content of its section of a kind. Left out are those of kind 0,
// which are for people who debug.
func replaced(module []byte, kind byte, replace func(content []byte) ([]byte, error)) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte("\x00asm")) || len(module) < header {
		return nil, errors.New("what go build wrote is no WebAssembly")
	}
	out, found := bytes.Clone(module[:header]), false
	for at := header; at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		begin := at + 1 + n
		if n <= 0 || size > uint64(len(module)-begin) {
			return nil, fmt.Errorf("the section at byte %d of the module is cut", at)
		}
		content := module[begin : begin+int(size)]
		if module[at] == kind {
			var err error
			if content, err = replace(content); err != nil {
				return nil, err
			}
			found = true
		}
		if module[at] != 0 {
			out = append(binary.AppendUvarint(append(out, module[at]), uint64(len(content))), content...)
		}
		at = begin + int(size)
	}
	if !found {
		return nil, fmt.Errorf("the module has no section %d", kind)
	}
	return out, nil
}

// bounded sets the most memory of a module, in pages. Go's linker sets none.
func bounded(module []byte, most uint64) ([]byte, error) {
	return replaced(module, memorySection, func(content []byte) ([]byte, error) {
		// One memory without a bound: their number, a flag, the pages that it begins with.
		least, n := binary.Uvarint(content[min(2, len(content)):])
		if n <= 0 || 2+n != len(content) || content[0] != 1 || content[1] != 0 {
			return nil, errors.New("the memory is not declared as Go's linker declares it: look at bounded")
		}
		if least > most {
			return nil, fmt.Errorf("the module begins with %d pages of memory, more than the %d it may have", least, most)
		}
		return binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, least), most), nil
	})
}

// mostZeros is how many zeros stand between two segments at least. Memory begins as zeros, so they need not be told.
const mostZeros = 1 << 12

// joined puts segments of data together that few zeros part. Go's linker begins one wherever there are eight, and where
// each begins is what compresses badly: a hundred thousand of them are a twentieth of what a browser loads.
func joined(module []byte) ([]byte, error) {
	return replaced(module, dataSection, func(content []byte) ([]byte, error) {
		odd := errors.New("data is not declared as Go's linker declares it: look at joined")
		count, n := binary.Uvarint(content)
		if n <= 0 {
			return nil, odd
		}
		type segment struct {
			at   int64
			data []byte
		}
		var segments []segment
		for rest := content[n:]; len(rest) > 0; count-- {
			// Memory 0, the instruction i32.const with a place, the end of the instructions.
			if len(rest) < 2 || rest[0] != 0 || rest[1] != 0x41 {
				return nil, odd
			}
			at, n := signed(rest[2:])
			if n <= 0 || at < 0 || len(rest) < 2+n+1 || rest[2+n] != 0x0b {
				return nil, odd
			}
			rest = rest[2+n+1:]
			size, n := binary.Uvarint(rest)
			if n <= 0 || size > uint64(len(rest)-n) {
				return nil, odd
			}
			segments = append(segments, segment{at, rest[n : n+int(size)]})
			rest = rest[n+int(size):]
		}
		if count != 0 {
			return nil, odd
		}
		slices.SortFunc(segments, func(x, y segment) int { return cmp.Compare(x.at, y.at) })
		var few []segment
		for _, s := range segments {
			if len(few) > 0 {
				last := &few[len(few)-1]
				zeros := s.at - last.at - int64(len(last.data))
				if zeros < 0 {
					return nil, odd
				}
				if zeros < mostZeros {
					last.data = append(append(last.data, make([]byte, zeros)...), s.data...)
					continue
				}
			}
			few = append(few, segment{s.at, bytes.Clone(s.data)})
		}
		out := binary.AppendUvarint(nil, uint64(len(few)))
		for _, s := range few {
			out = append(appendSigned(append(out, 0, 0x41), s.at), 0x0b)
			out = append(binary.AppendUvarint(out, uint64(len(s.data))), s.data...)
		}
		return out, nil
	})
}

// signed reads a signed LEB128 and says how many bytes it has; 0 where it is cut or longer than 32 bits are.
func signed(b []byte) (x int64, n int) {
	for n < min(len(b), 5) {
		c := b[n]
		x |= int64(c&0x7f) << (7 * n)
		n++
		if c < 0x80 {
			if c&0x40 != 0 {
				x -= 1 << (7 * n)
			}
			return x, n
		}
	}
	return 0, 0
}

// appendSigned appends a signed LEB128.
func appendSigned(b []byte, x int64) []byte {
	for {
		c := byte(x & 0x7f)
		x >>= 7
		if x == 0 && c&0x40 == 0 || x == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
