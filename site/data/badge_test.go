package data

import (
	"bytes"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/site/sitetest"
)

func TestHostileBadge(t *testing.T) {
	for _, s := range []string{sitetest.Hostile, "a\x00\x1b[0m\u202eb", "\xff\xfe", strings.Repeat("w", 500), "🤖", ""} {
		var b bytes.Buffer
		if err := (badge{label: s, message: s, title: s}).writeSVG(&b); err != nil {
			t.Fatal(err)
		}
		if err := sitetest.WellFormed(b.Bytes()); err != nil {
			t.Errorf("%q: %v in %s", s, err, b.Bytes())
		}
		if strings.Contains(b.String(), "<script") || b.Len() > 4000 {
			t.Errorf("%q: %s", s, b.String())
		}
	}
}
