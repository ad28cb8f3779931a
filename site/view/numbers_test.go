package view

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

func TestPublishedNumber(t *testing.T) {
	for s, want := range map[string]float64{"~8500 t/s ": 8500, "~36 t/s for each request": 36, "~150k tokens": 150000,
		"~0k tokens": 0, "NA": 0, "": 0} {
		got, ok := publishedNumber(s)
		if ok != (want > 0) || ok && got != want {
			t.Errorf("publishedNumber(%q) = %v, %v, want %v", s, got, ok, want)
		}
	}
	goldentest.Table(t, publishedShort,
		map[string]string{"~8500 t/s ": "~8\u202f500", "~150k tokens": "~150k", "NA": "NA"})
}

func TestShellQuote(t *testing.T) {
	goldentest.Table(t, shellQuote, map[string]string{"a/b-c.d:1": "a/b-c.d:1", "": "''", "it's": `'it'\''s'`,
		"$(rm)":        "'$(rm)'",
		`{"image": 2}`: `'{"image": 2}'`})
}
