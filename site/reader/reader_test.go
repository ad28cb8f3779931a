package reader

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"testing/fstest"
)

func TestPackNames(t *testing.T) {
	own := fstest.MapFS{"names/models.toml": {Data: []byte("[[model]]\n")}, "names/a.txt": {Data: []byte("no")}}
	theirs := fstest.MapFS{"names/x.toml": {Data: []byte("x")}, "names/b.toml": {Data: []byte("b")}}
	a, err := PackNames(own, theirs)
	if err != nil {
		t.Fatal(err)
	}
	b, err := PackNames(own, theirs)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("two archives differ, %v", err)
	}
	if c, err := PackNames(theirs, own); err != nil || bytes.Equal(a, c) {
		t.Errorf("the order of layers does not count, %v", err)
	}
}

// What is built in, where it is, is whole.
func TestBuilt(t *testing.T) {
	module, starter, ok := Built()
	if !ok {
		if module != nil || starter != nil {
			t.Error("a program without readers has some")
		}
		t.Skip("built without readers: make reader")
	}
	z, err := gzip.NewReader(bytes.NewReader(module))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil || !bytes.HasPrefix(plain, []byte("\x00asm")) {
		t.Errorf("%.20q, %v: no WebAssembly", plain, err)
	}
	if !bytes.Contains(starter, []byte("globalThis.Go = class")) {
		t.Errorf("%.80q starts nothing", starter)
	}
}
