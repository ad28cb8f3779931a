package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
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

// condensed makes the data of a module small: without what only a trace of calls tells, and in few segments. Go's linker
// begins one wherever there are eight zeros, and where each begins is what compresses badly: a hundred thousand of them
// are a twentieth of what a browser loads. goVersion is the Go that linked the module: its functions are left as they are
// where that is not the one whose layout is known, which another one may change without a sign.
func condensed(module []byte, goVersion string) ([]byte, error) {
	return replaced(module, dataSection, func(content []byte) ([]byte, error) {
		memory, err := memoryOf(content)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(goVersion, knownGo) {
			if err := untraced(memory); err != nil {
				return nil, err
			}
		}
		return segmentsOf(memory), nil
	})
}

// knownGo is the Go whose description of functions untraced knows.
const knownGo = "go1.26"

// mostData is how far into memory data may lie, in bytes: some ten times what it is.
const mostData = 1 << 26

// memoryOf is the memory that a section of data fills.
func memoryOf(content []byte) (memory []byte, err error) {
	odd := errors.New("data is not declared as Go's linker declares it: look at memoryOf")
	count, n := binary.Uvarint(content)
	if n <= 0 {
		return nil, odd
	}
	for rest := content[n:]; len(rest) > 0; count-- {
		// Memory 0, the instruction i32.const with a place, the end of the instructions.
		if len(rest) < 2 || rest[0] != 0 || rest[1] != 0x41 {
			return nil, odd
		}
		at, n := signed(rest[2:])
		if n <= 0 || at < 0 || at > mostData || len(rest) < 2+n+1 || rest[2+n] != 0x0b {
			return nil, odd
		}
		rest = rest[2+n+1:]
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return nil, odd
		}
		end := int(at) + int(size)
		if end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[at:end], rest[n:])
		rest = rest[n+int(size):]
	}
	if count != 0 {
		return nil, odd
	}
	return memory, nil
}

// mostZeros is how many zeros stand between two segments at least. Memory begins as zeros, so they need not be told.
const mostZeros = 1 << 12

// segmentsOf is the section of data that fills memory.
func segmentsOf(memory []byte) []byte {
	var out []byte
	count := uint64(0)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := at + 1 // behind the last byte that is no zero
		for i := end; i < len(memory) && i-end < mostZeros; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		out = append(appendSigned(append(out, 0, 0x41), int64(at)), 0x0b)
		out = append(binary.AppendUvarint(out, uint64(end-at)), memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, count), out...)
}

// untraced wipes what only a trace of calls tells: the names of functions, their files and lines. In a browser nobody
// sees one, and they are a twelfth of what is loaded. Where memory must be looked for, and where a function can be
// stopped, stays. The runtime takes what is not there for unknown, and writes "?". The layout is that of pcHeader and
// _func in package runtime.
func untraced(memory []byte) error {
	odd := errors.New("functions are not described as Go 1.26 describes them")
	at := bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}) // Go 1.20 and since, on WebAssembly
	if at < 0 || len(memory)-at < 72 {
		return odd
	}
	table := memory[at:]
	part := func(i int) uint64 { return binary.LittleEndian.Uint64(table[8+8*i:]) }
	count, names, counters, functions := part(0), part(3), part(6), part(7)
	if names < 72 || names > counters || counters > functions || functions > uint64(len(table)) ||
		count > uint64(len(table))/8 {
		return odd
	}
	steps, list := table[counters:functions], table[functions:]
	needed := make([]bool, len(steps))
	need := func(from uint32) bool {
		// Pairs of numbers up to one that begins with a zero and is not the first.
		for i := int(from); from > 0; {
			change, n := binary.Uvarint(steps[min(i, len(steps)):])
			if n <= 0 {
				return false
			}
			end := change == 0 && i > int(from)
			if !end {
				_, m := binary.Uvarint(steps[i+n:])
				if m <= 0 {
					return false
				}
				n += m
			}
			for range n {
				needed[i] = true
				i++
			}
			if end {
				break
			}
		}
		return true
	}
	for i := range int(count) {
		if 8*i+8 > len(list) {
			return odd
		}
		begin := uint64(binary.LittleEndian.Uint32(list[8*i+4:]))
		if begin+44 > uint64(len(list)) {
			return odd
		}
		f := list[begin:]
		more := uint64(binary.LittleEndian.Uint32(f[28:])) // tables behind the function
		if !need(binary.LittleEndian.Uint32(f[16:])) || 44+4*more > uint64(len(f)) {
			return odd
		}
		for k := range more {
			if !need(binary.LittleEndian.Uint32(f[44+4*k:])) {
				return odd
			}
		}
		clear(f[4:8])   // its name
		clear(f[20:28]) // its files and lines
		clear(f[32:40]) // where its files are listed, its first line
	}
	clear(table[names:counters])
	for i := range steps {
		if !needed[i] {
			steps[i] = 0
		}
	}
	return nil
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
