package page_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/site/page"
)

// What a message quotes is code, in brackets here; a quotation mark that ends nothing is a text.
func TestQuoting(t *testing.T) {
	shown := func(s string) string {
		var b strings.Builder
		for _, p := range page.Quoting(s) {
			if p.Code {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	goldentest.Table(t, shown, map[string]string{
		`line 3: "NaN W" is no power`: `line 3: ["NaN W"] is no power`,
		`"a" and "b"`:                 `["a"] and ["b"]`,
		`"a \" b"`:                    `["a \" b"]`,
		`5" of 6`:                     `5" of 6`,
		`plain`:                       `plain`,
		`"n" is -1e+300, no count`:    `["n"] is [-1e+300], no count`,
		`5e-324 of 1 and 2e3`:         `[5e-324] of 1 and 2e3`,
		``:                            ``,
	})
}
