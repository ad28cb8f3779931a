package main

import (
	"bytes"
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

// TestJoined puts segments together by hand: two that three zeros part, one far behind them.
func TestJoined(t *testing.T) {
	head := "\x00asm\x01\x00\x00\x00"
	before, after := "\x01\x02ab", "\x06\x01x"
	one := "\x00\x41\x3c\x0b\x02hi"        // at 60
	near := "\x00\x41\xc1\x00\x0b\x02jk"   // at 65
	far := "\x00\x41\x80\x80\x04\x0b\x01l" // at 65536
	got, err := joined([]byte(head + before + "\x0b\x18\x03" + one + far + near + "\x00\x03abc" + after))
	want := head + before + "\x0b\x15\x02\x00\x41\x3c\x0b\x07hi\x00\x00\x00jk" + far + after
	if err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, bad := range []string{"", "\x02" + one, "\x01" + one[:3], "\x01\x01" + one, "\x02" + one + one, "\x00" + one,
		"\x01\x00\x41\xff\xff\xff\xff\xff\x0b\x01l"} {
		if got, err := joined([]byte(head + "\x0b" + string(rune(len(bad))) + bad)); err == nil {
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
