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
