package check

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readSVG judges a drawing that stands alone: it may bring its own style, but loads nothing and
// runs nothing.
func (s *site) readSVG(f *file, data []byte) {
	f.ids = []uint64{}
	ids := map[string]int{}
	root := ""
	style := false
	err := tokens(data, func(t xml.Token, line int) {
		switch t := t.(type) {
		case xml.StartElement:
			if root == "" {
				root = t.Name.Local
			}
			style = t.Name.Local == "style"
			if t.Name.Local == "script" {
				f.add(line, "inline-script", "a drawing has a script")
			}
			for _, a := range t.Attr {
				switch key := a.Name.Local; {
				case key == "id":
					if first, ok := ids[a.Value]; ok {
						f.add(line, "duplicate-id", "the id %q stands already on line %d", a.Value, first)
						continue
					}
					ids[a.Value] = line
					f.ids = append(f.ids, hash(a.Value))
				case strings.HasPrefix(key, "on"):
					f.add(line, "event-attribute", "<%s> has the attribute %s", t.Name.Local, key)
				case key == "href" && t.Name.Local == "a":
					s.link(f, line, a.Value, follows)
				case key == "href" || key == "src":
					if a.Value == "" || a.Value[0] != '#' {
						s.link(f, line, a.Value, shows)
					} else {
						f.anchors = append(f.anchors, anchor{line, a.Value, f.name, a.Value[1:]})
					}
				}
			}
		case xml.EndElement:
			style = false
		case xml.CharData:
			if style {
				s.readCSS(f, line, t)
			}
		}
	})
	slices.Sort(f.ids)
	if err != nil {
		f.add(err.line, "svg", "the drawing is not well-formed: %v", err.err)
	} else if root != "svg" {
		f.add(0, "svg", "the root element is %q, not svg", root)
	}
}

// readXML judges a sitemap, a feed or any other XML file.
func (s *site) readXML(f *file, data []byte) {
	sitemap, loc := false, false
	err := tokens(data, func(t xml.Token, line int) {
		switch t := t.(type) {
		case xml.StartElement:
			sitemap = sitemap || t.Name.Local == "urlset" || t.Name.Local == "sitemapindex"
			loc = sitemap && t.Name.Local == "loc"
			if t.Name.Local != "link" {
				return
			}
			for _, a := range t.Attr {
				if a.Name.Local == "href" {
					s.link(f, line, a.Value, mentions)
				}
			}
		case xml.EndElement:
			loc = false
		case xml.CharData:
			if address := strings.TrimSpace(string(t)); loc && address != "" {
				if s.link(f, line, address, mentions) == "" && s.base != nil &&
					!strings.HasPrefix(address, s.base.String()) {
					f.add(line, "sitemap", "%q is not an address of this site, which is at %q", address, s.base)
				}
			}
		}
	})
	if err != nil {
		f.add(err.line, "xml", "the file is not well-formed: %v", err.err)
	}
}

type xmlError struct {
	line int
	err  error
}

// tokens calls see for each token with the line that it ends on, which for a tag is nearly always
// that of its beginning.
func tokens(data []byte, see func(t xml.Token, line int)) *xmlError {
	d := xml.NewDecoder(bytes.NewReader(data))
	elements := 0
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err == io.EOF && elements > 0 {
			return nil
		}
		if err != nil {
			if e, ok := errors.AsType[*xml.SyntaxError](err); ok {
				return &xmlError{e.Line, errors.New(e.Msg)}
			}
			return &xmlError{0, fmt.Errorf("no element: %w", err)}
		}
		if _, ok := t.(xml.StartElement); ok {
			elements++
		}
		see(t, line)
	}
}
