package main

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/view"
)

// TestFalseFriends runs testdata/friends/*.txtar: files that invite a conclusion which does not follow
// from them. A first line says which; "says" has a line "not TEXT" for what must stand nowhere on a
// page or in the terminal, and "yes TEXT" for what must. A place before it narrows it down: "terminal",
// or the path of a page with a slash at its end ("/" is the home page): "cards/ not H100".
func TestFalseFriends(t *testing.T) {
	goldentest.Run(t, "testdata/friends/*.txtar", falseFriend)
}

func falseFriend(t *testing.T, c *goldentest.Case) {
	dir, says := t.TempDir(), c.Text("says")
	for _, f := range c.Files {
		if f.Name != "says" {
			goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	texts := map[string]string{}
	for _, args := range [][]string{{"ingest"}, {"list", "cards"}, {"list", "runs"}, {"list", "points"}} {
		var out bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &out,
			append([]string{"-C", dir}, args...)); code != 0 {
			t.Fatalf("%q: exit status %d\n%s", args, code, out.String())
		}
		texts["terminal"] += plain(out.String())
	}
	maps.Copy(texts, pageTexts(t, dir))
	checks := 0
	for line := range strings.Lines(says) {
		place, want, found := strings.Cut(strings.TrimSpace(line), " ")
		if !found {
			continue
		}
		if place == "not" || place == "yes" {
			place, want = "", strings.TrimSpace(line)
		}
		kind, text, _ := strings.Cut(want, " ")
		if kind != "not" && kind != "yes" {
			t.Fatalf("line %q: neither not nor yes", line)
		}
		checks++
		where := ""
		for _, p := range slices.Sorted(maps.Keys(texts)) {
			if (place == "" || p == place || place != "/" && strings.HasPrefix(p, place)) &&
				strings.Contains(texts[p], plain(text)) {
				where = p
				break
			}
		}
		switch {
		case kind == "not" && where != "":
			t.Errorf("%q stands in %q:\n%s", text, where, around(texts[where], plain(text)))
		case kind == "yes" && where == "":
			t.Errorf("%q does not stand where it must, in %q", text, place)
			for _, p := range slices.Sorted(maps.Keys(texts)) {
				if place != "" && strings.HasPrefix(p, place) {
					t.Logf("%s: %s", p, texts[p])
				}
			}
		}
	}
	if checks == 0 {
		t.Error("the case claims nothing")
	}
}

// around is a text with the line it stands on.
func around(all, text string) string {
	i := strings.Index(all, text)
	return all[max(0, i-150):min(len(all), i+len(text)+150)]
}

// pageTexts are the words of all pages of a catalog by path, a slash at the end, without a Hugo that
// would lay them out.
func pageTexts(t *testing.T, dir string) map[string]string {
	t.Helper()
	ix, c := loaded(t, dir)
	out := map[string]string{}
	made := site.New(ix, c, view.Options{})
	for p, err := range made.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(p.Params)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		b.WriteString(p.Title + "\n" + p.Description.Text() + "\n" + words(v))
		for _, name := range slices.Sorted(maps.Keys(p.Fragments)) {
			var f bytes.Buffer
			if err := p.Fragments[name](&f); err != nil {
				t.Fatal(err)
			}
			b.WriteString("\n" + html.UnescapeString(tag.ReplaceAllString(rawText.ReplaceAllString(f.String(), ""), " ")))
		}
		out[p.Path+"/"] = plain(b.String())
	}
	return out
}

var (
	// rawText are the records of a run as they were read: what files say, and no page.
	rawText = regexp.MustCompile(`(?s)<pre class="?raw"?[^>]*>.*?</pre>`)

	tag    = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`[\s\x{a0}\x{202f}]+`)
)

// plain has one kind of space, and no line ends.
func plain(s string) string { return spaces.ReplaceAllString(s, " ") }

// words are the texts of a view; those of the parts of one sentence follow each other at once.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		sentence := strings.Builder{}
		for _, e := range v {
			part, ok := e.(map[string]any)
			text, isText := part["text"].(string)
			if ok && isText {
				sentence.WriteString(text)
			} else {
				sentence.WriteString(words(e) + "\n")
			}
		}
		return sentence.String()
	case map[string]any:
		var lines []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k != "href" && k != "id" {
				lines = append(lines, words(v[k]))
			}
		}
		return strings.Join(lines, "\n")
	}
	return ""
}
