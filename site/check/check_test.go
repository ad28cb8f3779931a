package check

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// goodPage returns a page that breaks no rule. root leads to the site's root.
func goodPage(root, title, body string) string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="` + Policy + `">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>` + title + `</title>
<meta name="description" content="About ` + title + `.">
<link rel="icon" href="` + root + `favicon.svg">
<link rel="stylesheet" href="` + root + `css/site.css">
<script src="` + root + `js/site.js" defer></script>
</head>
<body>
<main id="main"><h1>` + title + `</h1>
` + body + `
</main>
</body>
</html>
`
}

// the page that the edits below change.
const subject = "cards/x/index.html"

// small is a site that breaks no rule.
func small() fstest.MapFS {
	files := map[string]string{
		"index.html":         goodPage("", "Home", `<a href="cards/x/index.html#part">A card</a>`),
		subject:              goodPage("../../", "Card", "<p id=\"part\">Text.</p>\n<!--here-->"),
		"compare/index.html": goodPage("../", "Compare", ""),
		"404.html": strings.NewReplacer(`"favicon`, `"/bench/favicon`, `"css/`, `"/bench/css/`, `"js/`, `"/bench/js/`).
			Replace(goodPage("", "Not found",
				`<a href="/bench/">Home</a> <a href="/bench/cards/x/index.html">Card</a>`)),
		"favicon.svg":     `<svg xmlns="http://www.w3.org/2000/svg"><style>.a{fill:red}</style><path id="a" style="fill:blue" d="M0 0"/></svg>`,
		"css/site.css":    `body{margin:0;background:url(../favicon.svg)} /* url(no) */ .q::after{content:"url(no)"}`,
		"js/site.js":      `"use strict";`,
		"data/runs.csv":   "a,b\n1,\"x, y\"\n",
		"data/runs.json":  `{"a": 1}`,
		"data/raw.jsonl":  "{\"a\": 1}\n{\"a\": 2}\n",
		"sitemap.xml":     `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/bench/cards/x/</loc></url></urlset>`,
		"feed.xml":        `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://example.org/bench/cards/x/#part"/></entry></feed>`,
		".nojekyll":       "",
		"data/all.csv.gz": packed("a,b\n1,2\n"),
	}
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return fsys
}

var options = Options{BaseURL: "https://example.org/bench/",
	Claimed: func(text string) bool { return strings.Contains(text, "claimed") }}

func packed(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// noise is text that gzip cannot make small, and of characters that need no escaping.
func noise(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[r.IntN(64)]
	}
	return string(b)
}

// An edit changes a good site.
type edit func(t *testing.T, fsys fstest.MapFS)

// body puts markup into the main part of the subject.
func body(markup string) edit { return replace("<!--here-->", markup) }

// chooses links to a page whose script loads data of two names, by a fragment.
func chooses(fragment string) edit {
	return both(body(`<a href="../../compare/index.html#`+fragment+`">x</a>`),
		replaceIn("compare/index.html", "</main>", `<div data-shards="runs/"></div></main>`),
		write("compare/runs/one.js", "inferdex.run(1);\n"), write("compare/runs/two.js", "inferdex.run(2);\n"))
}

// replace changes the subject.
func replace(old, with string) edit { return replaceIn(subject, old, with) }

// reads makes a page of that policy.
func reads(name, policy string) edit {
	return func(t *testing.T, fsys fstest.MapFS) {
		text := strings.NewReplacer(Policy, policy, "compare/", "check/", "<title>", "<title>Reads ").
			Replace(string(fsys["compare/index.html"].Data))
		write(name, text)(t, fsys)
	}
}

func replaceIn(name, old, with string) edit {
	return func(t *testing.T, fsys fstest.MapFS) {
		t.Helper()
		data := string(fsys[name].Data)
		if !strings.Contains(data, old) {
			t.Fatalf("%s does not contain %q", name, old)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(strings.Replace(data, old, with, 1))}
	}
}

func write(name, data string) edit {
	return func(t *testing.T, fsys fstest.MapFS) { fsys[name] = &fstest.MapFile{Data: []byte(data)} }
}

func remove(name string) edit {
	return func(t *testing.T, fsys fstest.MapFS) { delete(fsys, name) }
}

func symlink(name, target string) edit {
	return func(t *testing.T, fsys fstest.MapFS) {
		fsys[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
}

func both(edits ...edit) edit {
	return func(t *testing.T, fsys fstest.MapFS) {
		for _, e := range edits {
			e(t, fsys)
		}
	}
}

const csp = `<meta http-equiv="Content-Security-Policy" content="` + Policy + `">`

// cases are, for each rule, sites that keep it and sites that break it and no other.
var cases = []struct {
	code      string
	good, bad []edit
}{
	{"no-home", nil, []edit{both(remove("index.html"))}},
	{"symlink",
		[]edit{
			symlink("copy.csv", "data/runs.csv"),
			both(symlink("data/one.csv", "two.csv"), symlink("data/two.csv", "../data/runs.csv")),
		},
		[]edit{
			symlink("a.csv", "/etc/passwd"),
			symlink("data/a.csv", "../../a.csv"),
			symlink("a.csv", "missing.csv"),
			symlink("a", "data"),
			both(symlink("a.csv", "b.csv"), symlink("b.csv", "a.csv")),
		}},
	{"empty-file", nil, []edit{write("data/none.txt", ""), write("cards/y/index.html", "")}},
	{"site-size", nil, nil}, // TestBudgets
	{"file-size", nil, nil}, // TestBudgets

	{"broken-link",
		[]edit{
			body(
				`<a href="../../index.html">a</a> <a href="?x=1">b</a> <a href="https://elsewhere.org/x">c</a> <a href="mailto:a@example.org">d</a> <a href="../../data/runs.csv?v=2">e</a>`,
			),
			body(
				`<img alt="" srcset="../../favicon.svg 1x, ../../favicon.svg 2x" src="../../favicon.svg"><svg><use href="../../favicon.svg#a"/></svg>`,
			),
			body(
				`<div data-src="../../js/site.js" data-root="../../" data-file="run.json" data-href="../../index.html"></div>`),
			body(`<p data-name="a/b"></p>`),
			both(write("with space/a.txt", "x"), body(`<a href="../../with%20space/a.txt">x</a>`)),
		},
		[]edit{
			body(`<a href="../y/index.html">x</a>`),
			body(`<a href="../../../../index.html">x</a>`),
			body(`<a href="../../data/">x</a>`),
			body(`<a href="../../Index.html">x</a>`),
			body(`<img alt="" src="a.png">`),
			body(`<img alt="" src="../../favicon.svg" srcset="../../favicon.svg 1x, b.png 2x">`),
			body(`<picture><source srcset="b.png"><img alt="" src="../../favicon.svg"></picture>`),
			body(`<div data-src="no.js"></div>`),
			body(`<div data-more="../no.js"></div>`),
			body(`<div data-root="../../../no/"></div>`),
			body(`<svg><use href="../../no.svg#a"/></svg>`),
			replace("css/site.css", "css/no.css"),
			replace("js/site.js", "js/no.js"),
			replaceIn("css/site.css", "favicon.svg", "no.svg"),
			replaceIn("css/site.css", "url(../favicon.svg)", `URL( "../no.svg" )`),
			replaceIn("favicon.svg", "<path", `<image href="no.png"/><path`),
			replaceIn("404.html", "/bench/cards/x/index.html", "/bench/cards/y/index.html"),
			replaceIn("sitemap.xml", "cards/x", "cards/y"),
			replaceIn("feed.xml", "cards/x", "cards/y"),
			replace("</head>", `<meta property="og:image" content="https://example.org/bench/x.png"></head>`),
			write("old/index.html", redirect("../new/index.html")),
		}},
	{"broken-anchor",
		[]edit{
			body(
				`<a href="#part">a</a> <a href="#top">b</a> <a href="index.html#part">c</a> <a href="../../index.html#main">d</a>`,
			),
			body(`<p id="größe">x</p><a href="#gr%C3%B6%C3%9Fe">a</a>`),
			body(`<a href="../../compare/index.html#a=1&amp;b=2">state of a script</a>`),
			chooses("one"), chooses("one,two"), chooses("two,one&amp;w=x"), chooses("main"),
		},
		[]edit{
			chooses("three"), chooses("one,three"), chooses("one,"), chooses("one two"), chooses("../../js/site"),
			body(`<a href="#no">x</a>`),
			body(`<a href="../../index.html#no">x</a>`),
			body(`<a href="../../index.html#Main">x</a>`),
			body(`<svg><use href="../../favicon.svg#no"/></svg>`),
			replaceIn("feed.xml", "#part", "#no"),
			both(
				body(`<a href="../../compare/index.html#a=1">no script, no state</a>`),
				replaceIn("compare/index.html", `<script src="../js/site.js" defer></script>`, ""),
			),
			replaceIn("favicon.svg", "</svg>", `<use href="#no"/></svg>`),
		}},
	{"directory-link", nil, []edit{
		body(
			`<a href="../../">x</a>`,
		), body(`<a href="../../compare">x</a>`), body(`<a href="../../compare/">x</a>`),
		body(`<a href="..//x/">x</a>`),
		replaceIn("404.html", "/bench/cards/x/index.html", "/bench/cards/x"),
	}},
	{
		"rooted-link",
		nil,
		[]edit{
			body(`<a href="/">x</a>`),
			body(`<a href="/bench/index.html">x</a>`),
			replaceIn("404.html", `"/bench/"`, `"/"`),
		},
	},
	{
		"relative-404",
		[]edit{replaceIn("404.html", "<a ", `<a href="#main">x</a><a `)},
		[]edit{replaceIn("404.html", `"/bench/"`, `"index.html"`)},
	},
	{"absolute-link", []edit{body(`<a href="https://example.org/other/">x</a>`)}, []edit{
		body(
			`<a href="https://example.org/bench/index.html">x</a>`,
		), body(`<a href="HTTP://EXAMPLE.org/bench/">x</a>`), replace("../../css/", "https://example.org/bench/css/"),
	}},
	{
		"bad-url",
		nil,
		[]edit{
			body(`<a href="%zz">x</a>`),
			body(`<a href="file:///home">x</a>`),
			body(`<a href="//elsewhere.org/">x</a>`),
			body(`<img alt="" src="mailto:a@example.org">`),
		},
	},
	{
		"script-url",
		nil,
		[]edit{
			body(`<a href="javascript:go()">x</a>`),
			body(`<a href=" JAVA&#10;Script:go()">x</a>`),
			body(`<svg><a href="javascript:go()"><text>x</text></a></svg>`),
			replaceIn("favicon.svg", "<path", `<a href="javascript:go()"></a><path`),
		},
	},
	{"canonical", []edit{replace("</head>", `<link rel="canonical" href="https://example.org/bench/cards/x/"></head>`)},
		[]edit{replace("</head>", `<link rel="canonical" href="https://example.org/bench/"></head>`)}},
	{"sitemap", nil, []edit{replaceIn("sitemap.xml", "https://example.org/bench/cards/x/", "https://elsewhere.org/")}},

	{"bad-id", nil, []edit{body(`<p id="a b">x</p>`), body(`<p id="">x</p>`)}},
	{
		"duplicate-id",
		nil,
		[]edit{
			body(`<p id="part">x</p>`),
			body(`<svg><g id="part"/></svg>`),
			replaceIn("favicon.svg", "</svg>", `<g id="a"/></svg>`),
		},
	},
	{
		"missing-id",
		[]edit{
			body(
				`<label for="q">Q</label><input id="q" aria-describedby="part main"><div role="region" aria-labelledby="later"></div><p id="later">x</p>`,
			),
			body(`<svg><g id="g"/><use href="#g"/></svg>`),
		},
		[]edit{
			body(
				`<label for="q">Q</label>`,
			), body(`<p aria-labelledby="main no">x</p>`), body(`<p aria-describedby="no">x</p>`),
			body(`<button aria-controls="no">x</button>`),
			body(`<svg><use href="#no"/></svg>`), body(`<svg><use xlink:href="#no"/></svg>`),
		},
	},

	{"csp-missing", nil, []edit{replace(csp, "")}},
	{
		"csp-first",
		nil,
		[]edit{
			replace(csp+"\n<meta charset=\"utf-8\">", "<meta charset=\"utf-8\">\n"+csp),
			both(replace(csp, ""), body(csp)),
		},
	},
	{"csp-policy", []edit{reads("check/index.html", ReaderPolicy), reads("check/index.html", Policy),
		replaceIn("compare/index.html", Policy, ReaderPolicy)},
		[]edit{replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"), replace(Policy, ReaderPolicy),
			reads("check/index.html", ReaderPolicy+"; frame-src *")}},
	{
		"inline-script",
		[]edit{
			body(
				`<script type="application/json" id="d">{"a": "<b>"}</script><script type="application/ld+json">[1]</script>`),
		},
		[]edit{
			body(`<script>go()</script>`),
			body(`<script type="importmap">{}</script>`),
			body(`<svg><script>go()</script></svg>`),
			replaceIn("favicon.svg", "<path", "<script>go()</script><path"),
		},
	},
	{
		"inline-style",
		nil,
		[]edit{
			body(`<style>a{}</style>`),
			body(`<p style="color:red">x</p>`),
			body(`<svg><g style="fill:red"/></svg>`),
			body(`<svg><style>a{}</style></svg>`),
		},
	},
	{
		"event-attribute",
		nil,
		[]edit{
			body(`<p onclick="go()">x</p>`),
			body(`<svg ONLOAD="go()"></svg>`),
			replaceIn("favicon.svg", "<path", `<path onload="go()"`),
		},
	},
	{"foreign-resource", []edit{body(`<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`)}, []edit{
		body(
			`<img alt="" src="https://elsewhere.org/a.png">`,
		), body(`<img alt="" src="//elsewhere.org/a.png">`),
		body(`<img alt="" srcset="https://elsewhere.org/a.png 2x">`),
		replace(
			"../../css/",
			"https://elsewhere.org/css/",
		), replace("../../js/", "http://elsewhere.org/js/"), replace("../../favicon", "https://elsewhere.org/favicon"),
		replace(
			"</head>",
			`<link rel="preconnect" href="https://elsewhere.org"></head>`,
		), replaceIn("css/site.css", "../favicon.svg", "https://elsewhere.org/a.svg"),
		replaceIn(
			"favicon.svg",
			"<path",
			`<image href="https://elsewhere.org/a.png"/><path`,
		), replaceIn("favicon.svg", "red", "url(https://elsewhere.org/a)"),
	}},
	{"blocked", []edit{body(`<form role="search"><label for="q">Q</label><input id="q"></form>`)}, []edit{
		body(
			`<iframe title="x"></iframe>`,
		), body(`<object></object>`), body(`<video></video>`), body(`<form action="index.html"></form>`),
		body(`<button formaction="index.html">x</button>`),
		body(`<a href="data:text/html,x">x</a>`),
	}},
	{"module-script", nil, []edit{replace("<script src", `<script type="module" src`)}},
	{"script-defer", nil, []edit{replace(" defer", ""), replace(" defer", " async")}},
	{"base-element", nil, []edit{replace("</head>", `<base target="_blank"></head>`)}},
	{
		"json-block",
		nil,
		[]edit{
			body(`<script type="application/json">{a: 1}</script>`),
			body(`<script type="application/json"></script>`),
			body(`<script type="application/ld+json">[NaN]</script>`),
		},
	},

	{
		"doctype",
		[]edit{replace("DOCTYPE html", "doctype HTML")},
		[]edit{replace("<!DOCTYPE html>", ""), replace("DOCTYPE html", `DOCTYPE html PUBLIC "x"`)},
	},
	{
		"charset",
		nil,
		[]edit{
			replace(`<meta charset="utf-8">`, ""),
			replace("utf-8", "latin-1"),
			replace(csp, csp+"<!--"+strings.Repeat("x", 1024)+"-->"),
		},
	},
	{"utf8", nil, []edit{body("<p>\xff</p>"), write("a.txt", "\xff"), write("css/a.css", "a{content:'\xff'}")}},
	{"viewport", nil, []edit{replace(`name="viewport"`, `name="port"`)}},
	{
		"title",
		[]edit{body(`<svg><title>Another</title></svg>`)},
		[]edit{replace("<title>Card</title>", ""), replace("<title>Card</title>", "<title> </title>")},
	},
	{
		"title-unique",
		[]edit{
			both(write("old/index.html", redirect("../index.html")),
				write("older/index.html", redirect("../index.html"))),
		},
		[]edit{replace("<title>Card", "<title> Home")},
	},
	{"description", nil, []edit{replace(`name="description"`, `name="d"`), replace("About Card.", " ")}},
	{"h1", nil, []edit{body(`<h1>x</h1>`), replace("<h1>Card</h1>", "")}},
	{
		"heading-order",
		[]edit{body(`<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>`)},
		[]edit{body(`<h3>x</h3>`), body(`<h2>a</h2><h4>x</h4>`), replace("<main", "<h2>x</h2><main")},
	},
	{"empty-link", []edit{body(`<a id="old"></a>`)}, []edit{body(`<a href="">x</a>`), body(`<a href="#">x</a>`)}},
	{
		"unclosed",
		[]edit{body(
			`<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>a<dd>b</dl><p>a<p>b<br><svg><path d="M0 0"/><g></g></svg>`)},
		[]edit{
			body(`<div>`),
			body(`</div>`),
			body(`<b><i>x</b></i>`),
			body(`<p><div></div></p>`),
			body(`<svg><path></svg>`),
			replace("</main>", ""),
		},
	},
	{"leftover", nil, []edit{body(`<inferdex-fragment data-name="chart"></inferdex-fragment>`)}},
	{"unclaimed",
		[]edit{
			body(`<p class="find">A claimed&nbsp;<b>peak</b> <a class="pin" href="#part">#</a></p><p>Any text</p>`),
			body(`<dl class="says"><dt class="w">Care</dt><dd>A caution</dd><dt>Peak</dt><dd>claimed</dd></dl>`),
			body(`<section id="findings"><dl class="says"><dt>Gap</dt><dd>4 tokens are missing</dd></dl></section>`),
			body(
				`<section id="shows"><ul><li>claimed</li></ul></section><section id="other"><ul><li>x</li></ul></section>`),
			body(`<p class="lede">By hand</p>`),
			both(replace("<body>", `<body data-kind="card">`), replace("About Card.", "Is claimed."),
				body(`<p class="lede">A claimed one. <a href="#part">Another claimed</a> one</p>`)),
		},
		[]edit{
			body(`<p class="find">It peaks at 7</p>`),
			body(`<dl class="says"><dt class="w">Care</dt><dd>claimed</dd><dt>Peak</dt><dd>It peaks at 7</dd></dl>`),
			body(`<section id="shows"><ul><li>claimed<li>The best</ul></section>`),
			replace("<body>", `<body data-kind="card">`), // its description
			both(replace("<body>", `<body data-kind="card">`), replace("About Card.", "Is claimed."),
				body(`<p class="lede">The best of 7</p>`)),
		},
	},
	{"accident", []edit{
		body(
			`<p>None of them; 100 %; 959e30ab12; 5 &lt; 6 &amp; 7; NaNometer; e-5; map of all; a10e-4567-b; inf; R&amp;D</p>`,
		),
		body(
			`<pre>map[a:1] {{ x }}</pre><code>NaN</code><samp>%!d(string=x)</samp><kbd>None</kbd><p data-foreign>1e+08 &lt;no value></p><td-x class="a foreign">NaN</td-x><div class="raw"><p title="NaN">[object Object]</p></div>`,
		),
		both(replace("<body>", `<body data-kind="page">`),
			replace(`"About Card.">`, `"Write {{ x }}."><meta property="og:description" content="Write {{ x }}.">`),
			body("<p>Write <code>{{ x }}</code>.</p>")),
	}, slices.Concat([]edit{replace("About Card.", "About NaN."),
		replace("<link rel=\"icon", `<meta property="og:description" content="NaN"><link rel="icon`),
		both(replace("<body>", `<body data-kind="page">`), body("<p>Write {{ x }}.</p>")), replace("<title>Card", "<title>Card map[a]"),
		body(`<p title="1e-05">x</p>`), body(`<img alt="None" src="../../favicon.svg">`),
		body(`<p aria-label="&amp;amp;">x</p>`)}, accidents(
		`<no value>`,
		`&lt;no value&gt;`,
		`a &lt;nil&gt;`,
		`<nil></nil>`,
		`None`,
		`(None, 1)`,
		`GPU: None`,
		`map[a:1]`,
		`%!d(string=x)`,
		`%!(EXTRA int=1)`,
		`1.23e+08`,
		`&lt; 1e-05 s`,
		`-2.5E+10`,
		`NaN`,
		`NaN %`,
		`&amp;amp;`,
		`&amp;lt;`,
		`&amp;#39;`,
		`[object Object]`,
		`{{ .Title }}`,
		`ZgotmplZ`,
		`undefined`,
		`+Inf`,
		`&amp;{1 2}`,
		`0001-01-01`,
		`HAHAHUGOSHORTCODE1`,
	))},

	{
		"svg",
		nil,
		[]edit{
			write("a.svg", "<svg><path></svg>"),
			write("a.svg", "<html></html>"),
			write("a.svg", "text"),
			write("A.SVG", "<svg>"),
		},
	},
	{"xml", nil, []edit{write("a.xml", "<a><b></a>"), write("a.xml", "text"), write("a.xml.gz", packed("<a>"))}},
	{
		"json",
		nil,
		[]edit{
			write("a.json", "{a: 1}"),
			write("a.json", `{"a": NaN}`),
			write("a.jsonl", "{}\n{\n"),
			write("a.json.gz", packed("{")),
			write("A.JSON", "{"),
		},
	},
	{"data-script", []edit{write("a.js", "inferdex.run({\"a\":\"\\u003c\"});\n"), write("a.js", "inferdex = {};")},
		[]edit{
			write("a.js", "inferdex.run({a:1});\n"),
			write("a.js", "inferdex.run({});alert(1);\n"),
			write("a.js", "inferdex.run(\"</script>\");\n"),
			write("a.js", "inferdex.run(\"\u2028\");\n"),
			write("a.js", "inferdex.run(1);"),
		}},
	{"csv", nil, []edit{write("a.csv", "a,b\n1\n"), write("a.csv", "a,\"b\n"), write("a.csv.gz", packed("a\n1,2\n"))}},
	{"gzip", nil, []edit{write("a.csv.gz", "a,b\n"), write("a.json.gz", packed("{}")[:15]), write("a.bin.gz", "x")}},
	{"css-import", nil, []edit{replaceIn("css/site.css", "body", `@import "b.css"; body`)}},

	{"budget-html", nil, nil}, // TestBudgets
	{"budget-css", nil, nil},
	{"budget-script", nil, nil},
	{"budget-nodes", nil, nil},
	{"budget-loaded", nil, nil},
	{"near-budget", nil, nil},
}

func accidents(texts ...string) (edits []edit) {
	for _, t := range texts {
		if strings.HasPrefix(t, "<no") {
			t += "</no>"
		}
		edits = append(edits, body("<p>"+t+"</p>"))
	}
	return edits
}

func redirect(to string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\"><head>" + csp +
		`<meta charset="utf-8"><title>Moved</title><meta http-equiv="refresh" content="0; url=` + to +
		`"></head><body><a href="` + to + `">Moved</a></body></html>`
}

func run(t *testing.T, fsys fs.FS, o Options) *Report {
	t.Helper()
	r, err := Site(fsys, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func codes(r *Report) []string {
	seen := map[string]bool{}
	for _, f := range r.Findings {
		seen[f.Code] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

func TestGoodSite(t *testing.T) {
	for _, f := range run(t, small(), options).Findings {
		t.Error(f)
	}
}

func TestRules(t *testing.T) {
	for _, c := range cases {
		for i, e := range c.good {
			t.Run(fmt.Sprintf("%s/good/%d", c.code, i), func(t *testing.T) {
				fsys := small()
				e(t, fsys)
				for _, f := range run(t, fsys, options).Findings {
					t.Error(f)
				}
			})
		}
		for i, e := range c.bad {
			t.Run(fmt.Sprintf("%s/bad/%d", c.code, i), func(t *testing.T) {
				fsys := small()
				e(t, fsys)
				r := run(t, fsys, options)
				got := codes(r)
				if !slices.Contains(got, c.code) {
					t.Errorf("the rule is not broken: %v", r.Findings)
				}
				// What other rules say of the same fault.
				also := map[string][]string{"no-home": {"broken-link"}, "h1": {"heading-order"}, "bad-url": {},
					"empty-file": {}}
				for _, code := range got {
					if code != c.code && !slices.Contains(also[c.code], code) {
						t.Errorf("another rule is broken too: %v", r.Findings)
					}
				}
			})
		}
	}
}

// Each rule has a case that breaks it, so none can stop to work without a test that says so.
func TestEveryRuleHasACase(t *testing.T) {
	inBudgets := set(
		"site-size",
		"file-size",
		"budget-html",
		"budget-css",
		"budget-script",
		"budget-nodes",
		"budget-loaded",
		"near-budget",
	)
	tested := map[string]bool{}
	for _, c := range cases {
		tested[c.code] = len(c.bad) > 0 || inBudgets[c.code]
	}
	seen := map[string]bool{}
	for _, r := range Rules {
		if seen[r.Code] {
			t.Errorf("the rule %s stands twice", r.Code)
		}
		seen[r.Code] = true
		if !tested[r.Code] {
			t.Errorf("no case breaks the rule %s", r.Code)
		}
		if r.Doc == "" || !slices.Contains([]Severity{Error, Warning, Note}, r.Severity) {
			t.Errorf("the rule %s has no severity or no documentation", r.Code)
		}
	}
	for code := range tested {
		if !seen[code] {
			t.Errorf("a case names the rule %s, which does not exist", code)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a finding without a rule was made")
		}
	}()
	finding("a", 0, "no-such-rule", "x")
}

// A fault is found however many others the site has, on whatever page and below whatever name.
func TestFaultsDoNotHideEachOther(t *testing.T) {
	fsys := small()
	want := map[string]bool{}
	n := 0
	for _, c := range cases {
		for _, e := range c.bad {
			one := small()
			e(t, one)
			data := one[subject].Data
			if bytes.Equal(data, small()[subject].Data) {
				continue
			}
			n++
			// The same page elsewhere, with a title of its own; and once in capitals.
			name := fmt.Sprintf("cards/y%03d/index.html", n)
			if n%2 == 0 {
				name = fmt.Sprintf("cards/y%03d/PAGE.HTML", n)
			}
			data = bytes.Replace(data, []byte("<title>Card"), fmt.Appendf(nil, "<title>Card %d", n), 1)
			fsys[name] = &fstest.MapFile{Data: data}
			if c.code != "title-unique" && c.code != "canonical" {
				want[name+" "+c.code] = true
			}
		}
	}
	got := map[string]bool{}
	for _, f := range run(t, fsys, options).Findings {
		got[f.File+" "+f.Code] = true
	}
	for w := range want {
		// These depend on a second file that only their own case changes.
		if !got[w] && !strings.HasSuffix(w, " broken-anchor") {
			t.Errorf("not found: %s", w)
		}
	}
	if n < 100 {
		t.Errorf("only %d faults were tried", n)
	}
}

func TestBudgets(t *testing.T) {
	mib := strings.Repeat("x", 1<<20)
	tests := []struct {
		name string
		edit edit
		want []string // "file code"
	}{
		{"card", body("<p>" + noise(100_000) + "</p>"), []string{subject + " budget-html"}},
		{"card near", body("<p>" + noise(70_000) + "</p>"), []string{subject + " near-budget"}},
		{"raw by class", body(`<pre class="raw">` + noise(100_000) + "</pre>"), nil},
		{
			"raw by attribute",
			body(
				`<details data-raw><summary>Raw</summary><div>` + noise(
					50_000,
				) + `</div><div class="raw">` + noise(
					50_000,
				) + `</div></details>`,
			),
			nil,
		},
		{"behind raw", body(`<pre class="raw">x</pre><p>` + noise(100_000) + "</p>"),
			[]string{subject + " budget-html"}},
		{"no card", replaceIn("compare/index.html", "</main>", "<p>"+noise(100_000)+"</p></main>"), nil},
		{"nodes", body(strings.Repeat("<br>", 15_000)), []string{subject + " budget-nodes"}},
		{"nodes near", body(strings.Repeat("<br>", 14_000)), []string{subject + " near-budget"}},
		// The same sheet on four pages is said once.
		{"css", write("css/site.css", "/*"+noise(20_000)+"*/"), []string{"404.html budget-css"}},
		{"css near", write("css/site.css", "/*"+noise(14_000)+"*/"), []string{"404.html near-budget"}},
		{"script", write("js/site.js", "//"+noise(20_000)), []string{"404.html budget-script"}},
		{
			"script of compare",
			both(write("js/more.js", "//"+noise(30_000)), replaceIn("compare/index.html", "js/site.js", "js/more.js")),
			nil,
		},
		{
			"too much script of compare",
			both(write("js/more.js", "//"+noise(60_000)), replaceIn("compare/index.html", "js/site.js", "js/more.js")),
			[]string{"compare/index.html budget-script"},
		},
		{"two scripts", both(
			write("js/a.js", "//"+noise(7_000)),
			write("js/b.js", "//"+noise(7_001)),
			replace(
				"</head>",
				`<script defer src="../../js/a.js"></script><script defer src="../../js/b.js"></script></head>`,
			),
		), []string{subject + " budget-script"}},
		{"page", body("<p>" + mib + "</p>"), []string{subject + " budget-loaded"}},
		{"picture", both(write("a.png", mib+"x"), body(`<img alt="" src="../../a.png">`)),
			[]string{"a.png budget-loaded"}},
		{"picture near", both(write("a.png", mib), body(`<img alt="" src="../../a.png">`)),
			[]string{"a.png near-budget"}},
		{"data of a script", write("data/runs.js", "f("+mib+")"), []string{"data/runs.js budget-loaded"}},
		{"download", both(write("a.bin", mib+mib), body(`<a href="../../a.bin">x</a>`)), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fsys := small()
			test.edit(t, fsys)
			var got []string
			for _, f := range run(t, fsys, options).Findings {
				got = append(got, f.File+" "+f.Code)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}

	r := run(t, small(), options)
	o := options
	o.Limits = DefaultLimits
	o.Limits.Site = r.Bytes - 1
	if got := run(t, small(), o); len(got.Findings) != 1 || got.Findings[0].Code != "site-size" ||
		got.Findings[0].Severity != Error || !strings.Contains(got.Findings[0].Message,
		"in 1 of cards/**/*.html") || !strings.Contains(got.Findings[0].Message, "the largest files are 404.html (") {
		t.Errorf("a site above its limit: %v", got.Findings)
	}
	o.Limits.Site, o.Limits.File = DefaultLimits.Site, 700
	if got := run(t, small(), o); len(got.Findings) != 1 || got.Findings[0].Code != "file-size" ||
		got.Findings[0].File != "404.html" || got.Findings[0].Severity != Error {
		t.Errorf("a file above its limit: %v", got.Findings)
	}
	o.Limits.File = DefaultLimits.File
	o.Limits.Site = r.Bytes
	if got := run(t, small(), o); len(got.Findings) != 1 || got.Findings[0].Code != "near-budget" ||
		got.Findings[0].Severity != Note {
		t.Errorf("a site at its limit: %v", got.Findings)
	}
}

// Without a base URL, 404.html has no style sheet and one plain link.
func TestWithoutBaseURL(t *testing.T) {
	fsys := small()
	data := string(fsys["404.html"].Data)
	for _, line := range []string{`<link rel="icon" href="/bench/favicon.svg">`,
		`<link rel="stylesheet" href="/bench/css/site.css">`, `<script src="/bench/js/site.js" defer></script>`,
		` <a href="/bench/cards/x/index.html">Card</a>`} {
		data = strings.Replace(data, line, "", 1)
	}
	fsys["404.html"] = &fstest.MapFile{Data: []byte(strings.Replace(data, "/bench/", "/", 1))}
	for _, f := range run(t, fsys, Options{}).Findings {
		t.Error(f)
	}
	if got := codes(run(t, small(), Options{})); !slices.Equal(got, []string{"rooted-link"}) {
		t.Errorf("links from a base path that is unknown: %v", got)
	}
	if _, err := Site(small(), Options{BaseURL: "bench"}); err == nil {
		t.Error("a base URL without a host is accepted")
	}
}

func TestReport(t *testing.T) {
	fsys := small()
	write("old/index.html", redirect("../index.html"))(t, fsys)
	write(
		"cards/z/index.html",
		goodPage(
			"../../",
			"Second",
			`<a href="no.html">x</a>`+"\n"+`<a href="no2.html">x</a><pre class="raw">`+noise(1000)+"</pre>",
		),
	)(
		t,
		fsys,
	)
	measured := options
	measured.Sizes = true
	r := run(t, fsys, measured)
	total := int64(0)
	for _, f := range fsys {
		total += int64(len(f.Data))
	}
	if r.Files != len(fsys) || r.Bytes != total || r.Pages != 5 || r.Redirects != 1 {
		t.Errorf("%d files, %d bytes, %d pages, %d redirects", r.Files, r.Bytes, r.Pages, r.Redirects)
	}
	var names []string
	for _, k := range r.Kinds {
		names = append(names, fmt.Sprint(k.Name, " ", k.Pages))
		if k.Name == "/cards/*/" && (k.HTML > 1000 || k.HTML < 100 || k.Nodes < 10) {
			t.Errorf("raw records count, or nothing does: %+v", k)
		}
	}
	if d := cmp.Diff([]string{"/ 1", "/404.html 1", "/cards/*/ 2", "/compare/ 1", "/old/ 1"}, names); d != "" {
		t.Error(d)
	}
	want := []string{
		`cards/z/index.html:15: error: "no.html" leads to "cards/z/no.html", which does not exist [broken-link]`,
		`cards/z/index.html:16: error: "no2.html" leads to "cards/z/no2.html", which does not exist [broken-link]`,
	}
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.String())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	fsys := small()
	for i := range 40 {
		write(
			fmt.Sprintf("cards/c%d/index.html", i),
			goodPage("../../", "Card", fmt.Sprintf(`<a href="no%d.html"></a><p id="main">NaN</p><svg>`, i%3)),
		)(
			t,
			fsys,
		)
	}
	o := options
	o.Workers = 1
	want := run(t, fsys, o)
	o.Workers = 8
	for range 3 {
		if d := cmp.Diff(want, run(t, fsys, o)); d != "" {
			t.Fatal(d)
		}
	}
}

// Links of a real file system are seen too, and what they lead to is not read.
func TestSymlinkOnDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "site"), small()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "secret.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.json", filepath.Join(dir, "site", "a.json")); err != nil {
		t.Skip(err)
	}
	if got := codes(run(t, os.DirFS(filepath.Join(dir, "site")), options)); !slices.Equal(got, []string{"symlink"}) {
		t.Errorf("found %v", got)
	}
}

// Whatever a page holds, reading it ends.
func FuzzPage(f *testing.F) {
	for _, file := range small() {
		f.Add(file.Data)
	}
	f.Add([]byte("<table><tr><svg></table></svg><p></p></p><a href=\"x\"><pre class=raw><pre class=raw></a>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := small()
		for _, ext := range []string{"html", "svg", "css", "xml", "csv", "json"} {
			fsys["a."+ext] = &fstest.MapFile{Data: data}
		}
		run(t, fsys, options)
	})
}

func BenchmarkSite(b *testing.B) {
	fsys := small()
	var rows strings.Builder
	for i := range 1000 {
		fmt.Fprintf(
			&rows,
			"<tr id=\"r%d\"><td><a href=\"../../index.html#main\">%d</a></td><td "+
				"title=\"%d.25\">%d&nbsp;tok/s</td></tr>\n",
			i,
			i*7919,
			i*31,
			i*17,
		)
	}
	for i := range 200 {
		fsys[fmt.Sprintf("cards/c%d/index.html", i)] = &fstest.MapFile{
			Data: []byte(
				goodPage("../../", fmt.Sprint("Card ", i),
					"<table><tr><th>a</th><th>b</th></tr>"+rows.String()+"</table>"),
			),
		}
	}
	for b.Loop() {
		r, err := Site(fsys, options)
		if err != nil || len(r.Findings) > 0 {
			b.Fatal(err, r.Findings)
		}
		b.SetBytes(r.Bytes)
	}
}

// The quick look at a text must not pass over one that the slow look would find.
func TestTellingBytes(t *testing.T) {
	needles := slices.Clone(entities)
	for _, x := range traces {
		needles = append(needles, x.text)
	}
	for _, x := range words {
		needles = append(needles, x.text)
	}
	for _, n := range append(needles, "%!d(", "1e+08", "1E-5") {
		if has := bytesOf([]byte(n)); !has.meets(&telling) {
			t.Errorf("%q has no telling byte", n)
		}
	}
}

// A trace is looked for only where its byte is.
func TestTracesHaveTheirByte(t *testing.T) {
	for _, trace := range traces {
		if what, _ := accident([]byte("x " + trace.text + " x")); what == "" || strings.IndexByte(trace.text, trace.rare) < 0 {
			t.Errorf("%q is not found by %q", trace.text, trace.rare)
		}
	}
}

// A tag that was met in another page, or earlier in this one, is judged as the first one was, whatever stood between.
func TestTagsMetAgain(t *testing.T) {
	const tags = `<a href=gone&amp;lost.html TITLE='<no value>'>x</a><P ONCLICK=f&#40;) style=color:red></P>`
	between := "<p id=a1 title=\"" + strings.Repeat("long ", 100) + "\"></p>"
	fsys := small()
	of := map[string][]string{}
	for _, name := range []string{"a.html", "b.html"} {
		fsys[name] = &fstest.MapFile{Data: []byte(goodPage("", name, tags+between+"\n"+tags+"\n"+tags))}
	}
	o := options
	o.Workers = 1 // one after the other, with what is kept of the first
	for range 2 {
		for _, f := range run(t, fsys, o).Findings {
			of[f.File] = append(of[f.File], fmt.Sprint(f.Line, f.Code, f.Message))
		}
	}
	if len(of["a.html"]) < 2*3*4 || !slices.Equal(of["a.html"], of["b.html"]) {
		t.Errorf("the same tags have other findings:\n%s\n%q", cmp.Diff(of["a.html"], of["b.html"]), of["a.html"])
	}
}
