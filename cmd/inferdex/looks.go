package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/look"
)

// siteParams is what all pages are told of their site. What [site] asks for and cannot be done is an error with its place.
func (a *app) siteParams(conf *settings.Config, in hugo.Input) (map[string]any, error) {
	s := conf.Site
	wrong := func(line int, err error) error {
		a.diagnostic(settingsMistake, s.File, line, 0, err.Error())
		return &exit{exitUsage, fmt.Errorf("%s: 1 to mend", configFile)}
	}
	params := map[string]any{"description": conf.Description, "repository": conf.Repository, "notice": conf.Notice,
		"footer": s.Footer}
	if s.Logo != "" {
		name := strings.TrimPrefix(s.Logo, "assets/")
		data, err := fs.ReadFile(published(a.path("assets")), name) // a link that leads out of it is none
		if err == nil {
			err = look.Logo(s.Logo, data)
		} else {
			err = fmt.Errorf("logo is %q: %w", s.Logo, cause(err))
		}
		if err != nil {
			return nil, wrong(s.LogoLine, err)
		}
		params["logo"] = name
	}
	if s.Accent != "" || s.AccentDark != "" {
		css, err := first(in.Assets, "css/base.css")
		if err == nil {
			err = look.Accent(string(css), s.Accent, s.AccentDark)
		}
		if err != nil {
			return nil, wrong(s.AccentLine, err)
		}
		params["accent"] = accentCSS(s.Accent, cmp.Or(s.AccentDark, s.Accent))
	}
	menu, err := menu(in.Content)
	if err != nil {
		return nil, failed(err)
	}
	for _, e := range s.Menu {
		menu = append(menu, map[string]any{"text": e.Text, "href": e.Address, "away": e.Away()})
	}
	if len(menu) > 0 {
		params["menu"] = menu
	}
	return params, nil
}

// cause is what an error of a file says beside its name.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// accentCSS is the style sheet that sets the colour of links of each theme.
func accentCSS(light, dark string) string {
	css := "\n"
	if light != "" {
		css += ":root{--link:" + light + "}"
	}
	return css + "@media screen and (prefers-color-scheme:dark){:root{--link:" + dark + "}}\n"
}

// first is the file of the first layer that has it.
func first(layers []fs.FS, name string) (data []byte, err error) {
	for _, layer := range layers {
		if data, err = fs.ReadFile(layer, name); err == nil {
			return data, nil
		}
	}
	return nil, err
}

// menu are the pages that the catalog has written itself and that lie in no folder of content/, in the order of their
// weights and paths.
func menu(content []fs.FS) ([]map[string]any, error) {
	written, err := hugo.Documents(content)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(written, func(a, b hugo.Document) int { // one without a weight comes last
		return cmp.Compare(uint(a.Weight-1), uint(b.Weight-1))
	})
	own, err := fs.Sub(inferdex.Files, "content")
	if err != nil {
		return nil, err
	}
	builtIn, err := hugo.Documents([]fs.FS{own})
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for _, d := range written {
		same := func(b hugo.Document) bool { return b.Path == d.Path }
		if d.Path == "" || d.Unlisted || strings.Contains(d.Path, "/") || hugo.Generated(d.Path) ||
			slices.ContainsFunc(builtIn, same) {
			continue
		}
		out = append(out, map[string]any{"text": cmp.Or(d.Title, d.Path), "href": d.Path + "/index.html", "away": false})
	}
	return out, nil
}
