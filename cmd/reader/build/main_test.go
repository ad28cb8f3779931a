package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

func TestBounded(t *testing.T) {
	head := "\x00asm\x01\x00\x00\x00"
	before := "\x01\x02ab"
	after := "\x06\x01x"
	got, err := bounded([]byte(head+before+"\x05\x04\x01\x00\xed\x06"+after), mostMemory)
	if want := head + before + "\x05\x07\x01\x01\xed\x06\x80\x80\x01" + after; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, bad := range []string{"", "<html>", head, head + before, head + "\x05\x7fx", head + "\x05\x02\x01\x00",
		head + "\x05\x04\x01\x01\x01\x02", head + "\x05\x05\x01\x00\xff\xff\x7f"} {
		if got, err := bounded([]byte(bad), mostMemory); err == nil {
			t.Errorf("%q: %q without an error", bad, got)
		}
	}
}

// TestSegments lays segments out by hand: two that three zeros part, one far behind them.
func TestSegments(t *testing.T) {
	one := "\x00\x41\x3c\x0b\x02hi"        // at 60
	near := "\x00\x41\xc1\x00\x0b\x02jk"   // at 65
	far := "\x00\x41\x80\x80\x04\x0b\x01l" // at 65536
	memory, err := memoryOf([]byte("\x03" + one + far + near))
	got := segmentsOf(memory)
	if want := "\x02\x00\x41\x3c\x0b\x07hi\x00\x00\x00jk" + far; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, bad := range []string{"", "\x02" + one, "\x01" + one[:3], "\x01\x01" + one, "\x00" + one,
		"\x01\x00\x41\xff\xff\xff\xff\xff\x0b\x01l", "\x01\x00\x41\xff\xff\xff\xff\x07\x0b\x01l"} {
		if got, err := memoryOf([]byte(bad)); err == nil {
			t.Errorf("%q: %q without an error", bad, got)
		}
	}
	for _, x := range []int64{0, 63, 64, -1, -64, -65, 1 << 20, 1<<31 - 1, -1 << 31} {
		b := appendSigned(nil, x)
		if y, n := signed(b); y != x || n != len(b) {
			t.Errorf("%d: %d of %d bytes of %x", x, y, n, b)
		}
	}
}

func TestPack(t *testing.T) {
	a, err := pack([]byte(strings.Repeat("module", 100)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := pack([]byte(strings.Repeat("module", 100)))
	if err != nil || !bytes.Equal(a, b) || len(a) > 60 {
		t.Errorf("%q and %q, %v", a, b, err)
	}
}

func TestStarter(t *testing.T) {
	script, err := starter()
	if err != nil {
		t.Skip(err) // a Go without its scripts
	}
	if !bytes.HasPrefix(script, []byte("/*\n")) || !bytes.Contains(script, []byte("globalThis.Go = class")) ||
		!bytes.Contains(script, []byte("Redistribution")) {
		t.Errorf("%.200q", script)
	}
}

// TestUntraced describes one function by hand: what the runtime looks up while it runs stays.
func TestUntraced(t *testing.T) {
	const head, names, steps = 72, "\x00main.main\x00main.go\x00", "\x00" + "\x02\x03\x00" + "\x04\x05\x00" + "\x06\x07\x00"
	word := func(n int) string { return string(binary.LittleEndian.AppendUint64(nil, uint64(n))) }
	half := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	// Stack at 1, lines at 4, one table more at 7; its name at 1, its files at 9.
	function := func(name, files, lines, first int) string {
		return half(0) + half(name) + half(0) + half(0) + half(1) + half(files) + half(lines) + half(1) + half(files) + half(first) +
			"\x00\x00\x00\x00" + half(7)
	}
	described := func(names, steps, function string) string {
		at := head + len(names)
		return "before" + "\xf1\xff\xff\xff\x00\x00\x01\x08" + word(1) + word(1) + word(0) + word(head) + word(at) + word(at) +
			word(at) + word(at+len(steps)) + names + steps + half(0) + half(12) + half(0) + function
	}
	memory := []byte(described(names, steps, function(1, 4, 4, 12)))
	want := described(strings.Repeat("\x00", len(names)), "\x00"+"\x02\x03\x00"+"\x00\x00\x00"+"\x06\x07\x00", function(0, 0, 0, 0))
	if err := untraced(memory); err != nil || string(memory) != want {
		t.Errorf("%q, %v, want %q", memory, err, want)
	}
	whole := described(names, steps, function(1, 4, 4, 12))
	for _, bad := range []string{"", whole[:40], whole[:len(whole)-1], whole[:len(whole)-30], described(names, "\x00\x02\x83", function(1, 4, 4, 12))} {
		if err := untraced([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
