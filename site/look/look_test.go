package look_test

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/site/look"
)

func sheet(t *testing.T) string {
	t.Helper()
	css, err := inferdex.Files.ReadFile("assets/css/base.css")
	if err != nil {
		t.Fatal(err)
	}
	return string(css)
}

// What an error advises is taken, and the built-in colours are such.
func TestAccent(t *testing.T) {
	css := sheet(t)
	if err := look.Accent(css, "#0b57a4", "#7db4f5"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ light, dark, want string }{
		{"#0a7f3f", "", `accent "#0a7f3f" is also that of the dark theme, where it has a contrast of`},
		{"#0a7f3f", "#0a7f3f", `accent_dark "#0a7f3f" has a contrast of`},
		{"#ffd700", "#ffd700", `accent "#ffd700" has a contrast of`},
		{"", "#202020", `accent_dark "#202020" has a contrast of`},
	} {
		err := look.Accent(css, c.light, c.dark)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "needs 4.5:1") {
			t.Errorf("accents %q and %q: %v", c.light, c.dark, err)
			continue
		}
		_, advised, _ := strings.Cut(err.Error(), "write ")
		key, color, _ := strings.Cut(advised, " = ")
		color = strings.Trim(color, `"`)
		light, dark := "#0b57a4", color
		if key == "accent" {
			light, dark = color, "#7db4f5"
		}
		if err := look.Accent(css, light, dark); err != nil {
			t.Errorf("%s is advised: %v", color, err)
		}
	}
	if err := look.Accent("body{}", "#000000", "#ffffff"); err == nil {
		t.Error("a style sheet without backgrounds checks nothing")
	}
}

// What runs, loads or is no picture is refused.
func TestLogo(t *testing.T) {
	const begin = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for text, want := range map[string]string{
		begin + `<defs><path id="a"/></defs><use xlink:href="#a"/><style>a{fill:url(#b)}</style></svg>`: "",
		begin + `<script>alert(1)</script></svg>`:                                                       "<script>",
		begin + `<a xlink:href="javascript:alert(1)"/></svg>`:                                           "links something",
		begin + `<image href="//elsewhere.example/x.png"/></svg>`:                                       "links something",
		begin + `<g onload="alert(1)"/></svg>`:                                                          "onload",
		begin + `<style>@import "x.css"</style></svg>`:                                                  "loads something",
		begin + `<rect style="fill:url(https://elsewhere.example/x)"/></svg>`:                           "loads or links",
		begin + `<foreignObject><p/></foreignObject></svg>`:                                             "foreignObject",
		`<!DOCTYPE svg [<!ENTITY x "y">]>` + begin + `</svg>`:                                           "DOCTYPE",
		`<?xml-stylesheet href="x.css"?>` + begin + `</svg>`:                                            "xml-stylesheet",
		`<svg><path d="M0 0"/></svg>`:                                                                   "xmlns",
		`<html><body/></html>`:                                                                          "is no SVG",
		begin:                                                                                           "is no SVG",
		"":                                                                                              "is no SVG",
		begin + strings.Repeat(" ", 70_000) + `</svg>`:                                                  "bytes",
	} {
		err := look.Logo("assets/logo.svg", []byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.120s: %v, want %q", text, err, want)
		}
	}
	png := "\x89PNG\r\n\x1a\n"
	if err := look.Logo("assets/logo.png", []byte(png)); err != nil {
		t.Error(err)
	}
	if err := look.Logo("assets/logo.jpg", []byte(png)); err == nil {
		t.Error("a PNG is called a JPEG")
	}
}
