package ingest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// What gzip wrote is read, part behind part, whatever stands behind the last one: less than the head of a part is no
// part that is cut short, unless it begins as one.
func TestWhatFollowsAGzip(t *testing.T) {
	var packed bytes.Buffer
	for _, text := range []string{"one ", "two"} {
		z := gzip.NewWriter(&packed)
		io.WriteString(z, text)
		z.Close()
	}
	for behind, want := range map[string]error{
		"": nil, "\n": gzip.ErrHeader, "garbage": gzip.ErrHeader, strings.Repeat("garbage", 9): gzip.ErrHeader,
		"\x00\x00\x00": gzip.ErrHeader, "\x1f\x8b\x08": io.ErrUnexpectedEOF, "\x1f": io.ErrUnexpectedEOF,
	} {
		r, err := newGunzip(strings.NewReader(packed.String() + behind))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if string(text) != "one two" || !errors.Is(err, want) {
			t.Errorf("%q behind it: read %q, error %v, want %v", behind, text, err, want)
		}
	}
	if _, err := newGunzip(strings.NewReader("\x1f\x8b")); err == nil {
		t.Error("two bytes are no gzip")
	}
}
