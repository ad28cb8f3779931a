package settings

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// What is suggested for a name lists it: pasted into a file, no diagnostic, and the name is known.
func TestSuggest(t *testing.T) {
	own := fstest.MapFS{"names/all.toml": {Data: []byte(`
[[model]]
id = "acme/tiny-1b"
[[accelerator]]
id = "a1"
[[engine]]
id = "acmeserve"
[[quantization]]
id = "bf16"
bits = 16
aliases = ["bfloat16"]
`)}}
	n, diags := LoadNames(own)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, c := range []struct {
		written string
		suggest func(n *Names, written string) (Suggestion, bool)
		want    string // of the near ones; "-" is nothing to suggest
	}{
		{"acme/tiny-1b", func(n *Names, w string) (Suggestion, bool) { return n.SuggestModel(n.Model(w)) }, "-"},
		{"", func(n *Names, w string) (Suggestion, bool) { return n.SuggestModel(n.Model(w)) }, "-"},
		{"/models/other/tiny-1b-FP8", func(n *Names, w string) (Suggestion, bool) { return n.SuggestModel(n.Model(w)) },
			"acme/tiny-1b"},
		{"\"quoted\\\n\u202e\x1b[31m",
			func(n *Names, w string) (Suggestion, bool) { return n.SuggestModel(n.Model(w)) }, ""},
		{"Acme B200-like", func(n *Names, w string) (Suggestion, bool) {
			return n.SuggestAccelerator(n.Hardware(w, 1).Accelerator)
		}, ""},
		{"A1", func(n *Names, w string) (Suggestion, bool) {
			return n.SuggestAccelerator(n.Hardware(w, 1).Accelerator)
		}, "-"},
		{"acmeserve2", func(n *Names, w string) (Suggestion, bool) { return n.SuggestEngine(n.Engine(w, "1")) },
			"acmeserve"},
		{"", func(n *Names, w string) (Suggestion, bool) { return n.SuggestEngine(n.Engine(w, "1")) }, "-"},
		{"torch.bfloat16", func(n *Names, w string) (Suggestion, bool) {
			return n.SuggestQuantization(n.Quantization(w))
		}, "bf16"},
		{"BF-16", func(n *Names, w string) (Suggestion, bool) { return n.SuggestQuantization(n.Quantization(w)) }, "-"},
	} {
		s, ok := c.suggest(n, c.written)
		if ok == (c.want == "-") {
			t.Errorf("%q: suggested %v: %+v", c.written, ok, s)
		}
		if !ok {
			continue
		}
		if got := strings.Join(s.Near, " "); got != c.want {
			t.Errorf("%q is near %q, want %q", c.written, got, c.want)
		}
		if strings.ContainsAny(s.TOML, "\x1b\u202e") {
			t.Errorf("%q: the lines have characters that steer a terminal: %q", c.written, s.TOML)
		}
		more, diags := LoadNames(own, fstest.MapFS{"names/" + s.File: {Data: []byte(s.TOML + "\n")}})
		if len(diags) > 0 {
			t.Errorf("%q: %v in\n%s", c.written, diags, s.TOML)
		}
		if again, ok := c.suggest(more, c.written); ok {
			t.Errorf("%q is in no list after its entry was added: %+v", c.written, again)
		}
	}
}

func TestQuote(t *testing.T) {
	if got, want := Quote("a\"b\\c\n\x01\u202e"), `"a\"b\\c\u000a\u0001\u202e"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Spellings of a type lead to it; a later list adds to an earlier one.
func TestQuantization(t *testing.T) {
	n, diags := LoadNames(
		fstest.MapFS{"names/q.toml": {
			Data: []byte("[[quantization]]\nid = \"fp8\"\nbits = 8\naliases = [\"float8_e4m3fn\"]\n")}},
		fstest.MapFS{"names/q.toml": {
			Data: []byte("[[quantization]]\nid = \"fp8\"\nname = \"FP8\"\naliases = [\"house fp8\"]\n")}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	bits := 8.0
	want := Quantization{ID: "fp8", Name: "FP8", Bits: &bits, Known: true}
	for _, w := range []string{"FP8", "Float8-E4M3FN", "house_fp8"} {
		if diff := cmp.Diff(want, n.Quantization(w)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", w, diff)
		}
	}
	if got := n.Quantization("fp9"); got != (Quantization{ID: "fp9", Name: "fp9"}) {
		t.Errorf("%+v", got)
	}
	if got := (*Names)(nil).Quantization("x"); got.Known || got.Name != "x" {
		t.Errorf("%+v", got)
	}
}
