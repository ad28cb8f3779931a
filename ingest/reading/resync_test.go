package reading

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Behind a value that is cut short or malformed the next one is read.
func TestResync(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"line cut short", "{\"a\":1, \"b\": 12\n{\"a\":2}\n{\"a\":3}\n", "error 16\n{\"a\":2}\n{\"a\":3}\n"},
		{"string cut short", "{\"a\":\"12\n{\"a\":2}\n", "error 8\n{\"a\":2}\n"},
		{"concatenated", "{\n \"a\":1,\n \"b\": \n}{\n \"a\":2\n}\n", "error 17\n{\n \"a\":2\n}\n"},
		{"array", "[{\"a\":1},{\"a\":,},\n{\"a\":3}]", "{\"a\":1}\nerror 14\n{\"a\":3}\n"},
		{"only openings", "{\n{\n{\n", "error 2\nerror 4\nerror 6\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			NewText([]byte(c.in)).Values(0, len(c.in), true,
				func(v Value) { fmt.Fprintf(&b, "%s\n", v.Bytes()) },
				func(e *SyntaxError) { fmt.Fprintf(&b, "error %d\n", e.Off) })
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
