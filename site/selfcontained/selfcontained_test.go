package selfcontained

import (
	"strings"
	"testing"
)

// page has the form of a page of a site, with body in it.
func page(body string) map[string][]byte {
	return map[string][]byte{
		"runs/a/index.html": []byte(`<!DOCTYPE html>
<html lang="en"><head>
<meta http-equiv="Content-Security-Policy" content="script-src 'self'">
<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=https://example.org/">
<base href="https://example.org/"><link rel="icon" href="../../favicon.svg">
<link rel="stylesheet" href="../../css/site.css"><script src="../../js/site.js" defer></script>
<link rel="canonical" href="https://example.org/bench/runs/a/">
</head><body>` + body + `</body></html>`),
		"css/site.css": []byte(`b{color:red}i{background:url(../logo.svg)}u{background:url("https://example.org/x.png")}` +
			`@import "https://example.org/y.css";s{content:"</style><script>"}`),
		"logo.svg": []byte("<svg/>"),
	}
}

func TestPage(t *testing.T) {
	for _, tt := range []struct{ name, base, body, want string }{
		{"a place in the file", "", `<a class="pin" href="#x">#</a>`, `<a href="#x" class="pin">#</a>`},
		{"the page itself", "", `<a href="index.html#x">x</a><a href="../a/index.html">y</a>`,
			`<a href="#x">x</a><a href="#">y</a>`},
		{"another page, address unknown", "", `<a href="../../models/x/index.html">x</a> y`, `x y`},
		{"its title is kept", "", `<a href="../b/index.html#p" title="1.25" class="n" rel="next">1.3</a>`,
			`<span title="1.25" class="n">1.3</span>`},
		{"another page", "https://example.org/bench/", `<a href="../../models/x/index.html#y">x</a>`,
			`<a href="https://example.org/bench/models/x/#y">x</a>`},
		{"home", "https://example.org/bench/", `<a href="../../index.html">x</a>`,
			`<a href="https://example.org/bench/">x</a>`},
		{"a file", "https://example.org/", `<a href="records.jsonl.gz" download>x</a>`,
			`<a href="https://example.org/runs/a/records.jsonl.gz">x</a>`},
		{"another site", "", `<a href="https://example.com/?a=1&amp;b=2" rel="external">x</a>`,
			`<a href="https://example.com/?a=1&amp;b=2" rel="external">x</a>`},
		{"scripts as addresses", "https://example.org/", `<a href="javascript:alert(1)">x</a><a href=" java
script:alert(1)">y</a><a href="//example.com/">z</a>`, `xyz`},
		{"a picture", "", `<img src="../../logo.svg" alt="Logo" srcset="a.png 2x" onerror="x()">`,
			`<img alt="Logo" src="data:image/svg+xml;base64,PHN2Zy8+">`},
		{"a picture that is not there", "", `<img src="https://example.com/x.png" alt="a &lt; b">`, `a &lt; b`},
		{"a drawing", "", `<svg viewBox="0 0 1 1"><use href="#m"/><use xlink:href="x.svg#m"/><image href="x.png"/></svg>`,
			`<svg viewBox="0 0 1 1"><use href="#m"/><use/></svg>`},
		{"scripts", "", `<script>if (a < b) document.write("</p>")</script><p onclick="x()">y</p><noscript>z</noscript>`,
			`<p>y</p>z`},
		{"frames and forms", "", `<iframe src="x"><p>a</p></iframe><form action="/x"><button formaction="/y">b</button></form>` +
			`<video src="v.mp4" poster="p.png"></video><p style="background:url(x)">c</p>`,
			`<form><button>b</button></form><video></video><p>c</p>`},
		{"hostile text", "", `<p title="&quot;&gt;&lt;script&gt;">&lt;img src=x onerror=alert(1)&gt;</p>`,
			`<p title="&quot;&gt;&lt;script&gt;">&lt;img src=x onerror=alert(1)&gt;</p>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Page(page(tt.body), "runs/a/index.html", tt.base)
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(string(got), "<body>")
			if body = strings.TrimSuffix(body, "</body></html>"); body != tt.want {
				t.Errorf("got  %s\nwant %s", body, tt.want)
			}
		})
	}
}

func TestHead(t *testing.T) {
	got, err := Page(page(""), "runs/a/index.html", "")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(got), "</head>")
	for _, want := range []string{
		"<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ", "style-src 'sha256-",
		`<meta charset="utf-8">`, `<style>b{color:red}i{background:url("data:image/svg+xml;base64,PHN2Zy8+")}` +
			`u{background:url("data:,")}s{content:"<\/style><script>"}</style>`,
		`<link rel="canonical" href="https://example.org/bench/runs/a/">`,
	} {
		if !strings.Contains(head, want) {
			t.Errorf("the head lacks %s:\n%s", want, head)
		}
	}
	for _, bad := range []string{"refresh", "<base", "favicon", "site.js", "script-src", "y.css", "x.png", "</style><script"} {
		if strings.Contains(head, bad) {
			t.Errorf("the head has %s:\n%s", bad, head)
		}
	}
}

func TestNoPage(t *testing.T) {
	for _, files := range []map[string][]byte{{}, {"index.html": []byte("<p>no head</p>")}} {
		if got, err := Page(files, "index.html", ""); err == nil {
			t.Errorf("%v became %q", files, got)
		}
	}
}
