package view

import "testing"

func TestMarkdownPictureIsOnePicture(t *testing.T) {
	got := markdownPicture("a](x) [b\n\n`c`", "https://e/p.svg", "https://e/")
	if want := "[![a\\](x) \\[b \\`c\\`](https://e/p.svg)](https://e/)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
