package data

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// A file of members is one text to whoever unpacks it, and the next build takes those that did not change as they are.
func TestMembersAreTakenFromTheLastFile(t *testing.T) {
	written := 0
	part := func(name, text string, again bool) member {
		return member{name: name, again: again, write: func(w io.Writer) error {
			written++
			_, err := io.WriteString(w, text)
			return err
		}}
	}
	file := func(last []byte, list ...member) []byte {
		var b bytes.Buffer
		if err := writeMembers(&b, last, list); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	list := func(b string, again bool) []member {
		return []member{part("", "head\n", true), part("a", "of a\n", again), part("b", b, false), part("", "tail\n", true)}
	}
	first := file(nil, list("of b\n", false)...)
	whole := file(nil, list("of b, anew\n", false)...)
	written = 0
	next := file(first, list("of b, anew\n", true)...)
	if !bytes.Equal(next, whole) {
		t.Error("the file with a member of the last one is not that of a full build")
	}
	if written != 3 { // all but the one that did not change
		t.Errorf("wrote %d members, want 3", written)
	}
	z, err := gzip.NewReader(bytes.NewReader(next))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if want := "head\nof a\nof b, anew\ntail\n"; err != nil || string(text) != want {
		t.Errorf("unpacks to %q, %v, want %q", text, err, want)
	}
	for n := range first { // whatever it is cut to, it is no file to take from, or one with fewer members
		if got := file(first[:n], list("of b, anew\n", true)...); !bytes.Equal(got, whole) {
			t.Fatalf("of the last file cut to %d bytes comes another one", n)
		}
	}
}
