package view

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/site/page"
)

func TestWithin(t *testing.T) {
	records := []catalog.RawRecord{{Raw: []byte(`{"a":1}`)}, {Raw: []byte(`{"b":22}`)}, {Raw: []byte(`{}`)}}
	for room, want := range map[int]int{0: 0, 7: 0, 8: 1, 16: 1, 17: 2, 19: 2, 20: 3, 99: 3} {
		if got := len(within(records, room)); got != want {
			t.Errorf("%d records within %d bytes, want %d", got, room, want)
		}
	}
}

func TestWithoutWay(t *testing.T) {
	for _, tt := range []struct {
		name  string
		parts page.Parts
		want  int
	}{
		{"nothing", nil, 0},
		{"a link alone", page.Linked("All", "../x/index.html"), 0},
		{"a link that is a sentence", page.Text("One. ").Link("Two", "../x/index.html"), 1},
		{"a link within a sentence", page.Text("One, ").Link("two", "../x/index.html"), 2},
		{"a place of the page", page.Linked("All", "#x"), 1},
		{"another site", page.Linked("All", "https://example.org/"), 1},
		{"text behind a link", page.Linked("All", "../x/index.html").Text("."), 2},
	} {
		if got := withoutWay(tt.parts); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
