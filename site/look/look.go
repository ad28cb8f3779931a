// Package look checks what a catalog changes of the looks of its site: whether a colour can be read, and whether a
// picture is one and nothing else.
package look

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Enough is the contrast that text needs with what lies behind it: WCAG 2, level AA.
const Enough = 4.5

// A theme has the colours that lie behind text.
type theme struct {
	name string
	of   []string // #rrggbb
}

var backgrounds = regexp.MustCompile(`--(?:bg|surface):\s*(#[0-9a-fA-F]{6})\b`)

// Accent checks the colours of links, "#0b57a4", against the backgrounds that a style sheet states, those of the light
// theme first: --bg and --surface, twice. An empty dark is that of the light theme. The error names the contrast, the one
// that is needed, and a colour that has it.
func Accent(css, light, dark string) error {
	found := backgrounds.FindAllStringSubmatch(css, -1)
	if len(found) < 4 {
		return errors.New("assets/css/base.css states no --bg and --surface for two themes: an accent cannot be checked")
	}
	themes := []theme{{"light", nil}, {"dark", nil}}
	for i, f := range found[:4] {
		themes[i/2].of = append(themes[i/2].of, f[1])
	}
	for i, color := range []string{light, dark} {
		key := []string{"accent", "accent_dark"}[i]
		subject := fmt.Sprintf("%s %q has", key, color)
		if color == "" && i == 1 {
			color = light
			subject = fmt.Sprintf("accent %q is also that of the dark theme, where it has", color)
		}
		if color == "" {
			continue
		}
		if behind, ratio := themes[i].worst(color); ratio < Enough {
			return fmt.Errorf("%s a contrast of %.2f:1 with %s, a background of the %s theme, and needs %.1f:1: %s",
				subject, math.Floor(ratio*100)/100, behind, themes[i].name, Enough, themes[i].advice(key, color))
		}
	}
	return nil
}

// worst is the background of a theme that a colour stands out from least, and how much.
func (t theme) worst(color string) (behind string, ratio float64) {
	for _, b := range t.of {
		if r := Contrast(color, b); behind == "" || r < ratio {
			behind, ratio = b, r
		}
	}
	return behind, ratio
}

// advice names the nearest colour of the same hue that can be read.
func (t theme) advice(key, color string) string {
	to := 0.0 // black on a light theme
	if luminance(t.of[0]) < 0.5 {
		to = 255
	}
	c := channels(color)
	for step := 1; step <= 100; step++ {
		mixed := "#"
		for _, v := range c {
			mixed += fmt.Sprintf("%02x", int(math.Round(v+(to-v)*float64(step)/100)))
		}
		if _, ratio := t.worst(mixed); ratio >= Enough {
			return fmt.Sprintf("write %s = %q", key, mixed)
		}
	}
	return "write another one"
}

// Contrast is that of two colours as WCAG 2 defines it: 1 for equal ones to 21 for black and white.
func Contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func channels(color string) (c [3]float64) {
	for i := range c {
		if n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8); err == nil {
			c[i] = float64(n)
		}
	}
	return c
}

func luminance(color string) float64 {
	sum := 0.0
	for i, v := range channels(color) {
		v /= 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += v * [3]float64{0.2126, 0.7152, 0.0722}[i]
	}
	return sum
}

// mostLogo is how many bytes a logo may have: it is on every page.
const mostLogo = 64 << 10

// Logo checks that a file is a picture of the kind that its name says, small enough for every page. An SVG holds
// nothing that runs and loads nothing.
func Logo(name string, data []byte) error {
	if len(data) > mostLogo {
		return fmt.Errorf("%s has %d bytes, and every page shows it: %d at most", name, len(data), mostLogo)
	}
	ext := strings.ToLower(path.Ext(name))
	if ext == ".svg" {
		if err := plainSVG(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	kind := strings.TrimPrefix(http.DetectContentType(data), "image/")
	if ext = strings.TrimPrefix(ext, "."); ext == "jpg" {
		ext = "jpeg"
	}
	if kind != ext {
		return fmt.Errorf("%s is no picture of the kind that its name says", name)
	}
	return nil
}

// loaded finds what a style loads.
var loaded = regexp.MustCompile(`(?i)@import|url\(\s*["']?[^#"')\s]`)

// svgSpace is the namespace of drawings: in a file of its own a drawing has to name it.
const svgSpace = "http://www.w3.org/2000/svg"

// plainSVG reports what makes a drawing more than that.
func plainSVG(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	first := true
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if err != nil {
			return fmt.Errorf("is no SVG: %w", err)
		}
		switch x := token.(type) {
		case xml.Directive:
			return errors.New("a declaration such as <!DOCTYPE> stands in it: remove it")
		case xml.ProcInst:
			if x.Target != "xml" {
				return fmt.Errorf("<?%s?> stands in it: remove it", x.Target)
			}
		case xml.CharData:
			if loaded.Match(x) {
				return errors.New("it loads something: a logo stands alone")
			}
		case xml.StartElement:
			switch {
			case first && x.Name.Local != "svg":
				return errors.New("is no SVG")
			case first && x.Name.Space != svgSpace:
				return fmt.Errorf("browsers show it only if its first element has xmlns=%q", svgSpace)
			}
			first = false
			if err := plainElement(x); err != nil {
				return err
			}
		}
	}
}

func plainElement(x xml.StartElement) error {
	if slices.Contains([]string{"script", "foreignobject", "iframe", "handler", "listener", "set", "animate"},
		strings.ToLower(x.Name.Local)) {
		return fmt.Errorf("<%s> stands in it: remove it", x.Name.Local)
	}
	for _, a := range x.Attr {
		name := strings.ToLower(a.Name.Local)
		switch value := strings.TrimSpace(a.Value); {
		case strings.HasPrefix(name, "on"):
			return fmt.Errorf("the attribute %s stands in it: remove it", a.Name.Local)
		case (name == "href" || name == "src") && !strings.HasPrefix(value, "#"), loaded.MatchString(value):
			return errors.New("it loads or links something: a logo stands alone")
		}
	}
	return nil
}
