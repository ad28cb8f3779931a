package data

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSitemapIsDivided(t *testing.T) {
	pages := map[string]string{"": "2025-01-02", "a": "", "b": "not a day", "c": "2025-01-03", "d": ""}
	var names []string
	n := 0
	for _, f := range sitemaps("https://e/", pages, 2) {
		names = append(names, f.Path)
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		if f.Path != "sitemap.xml" {
			n += len(location.FindAll(b.Bytes(), -1))
		}
		if strings.Contains(b.String(), "not a day") {
			t.Error("a date that is none")
		}
	}
	if d := cmp.Diff([]string{"sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml"}, names); d != "" ||
		n != len(pages) {
		t.Errorf("%s, %d addresses", d, n)
	}
}

var location = regexp.MustCompile(`<loc>([^<]*)</loc>`)
