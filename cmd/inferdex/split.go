package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

const (
	byOrganisation = "organisation"
	partsDir       = "parts" // where they go unless another place is named
)

// split are the settings and the parts of the site of this catalog, by name, other models last.
func (a *app) split(f buildFlags) (*settings.Config, []*part, error) {
	s := f.split
	if s.by != byOrganisation {
		return nil, nil, usage("--split %q: give %s", s.by, byOrganisation)
	}
	if s.url != "" {
		u, err := url.Parse(strings.ReplaceAll(s.url, partMark, "x"))
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || !strings.Contains(s.url, partMark) {
			return nil, nil, usage("--part-url %q: give an address such as https://example.org/%s/", s.url, partMark)
		}
	}
	conf, err := a.config()
	if err != nil {
		return nil, nil, err
	}
	m, err := a.united(conf)
	if err != nil {
		return nil, nil, err
	}
	if len(m.Runs) == 0 {
		return nil, nil, failed(fmt.Errorf("%s holds no runs: run 'inferdex ingest' first", a.path(catalogDir)))
	}
	names, _ := settings.LoadNames(ownData(), a.inside(dataDir)) // what is wrong in them is said by each build
	ix, base := figure.NewIndex(m.Catalog, names), cmp.Or(f.baseURL, conf.BaseURL)
	parts := map[string]*part{}
	of := func(org string) *part {
		slug := partSlug(org)
		if parts[slug] == nil {
			parts[slug] = &part{slug: slug, runs: map[string]bool{}, base: partBase(s.url, base, slug), front: base}
		}
		return parts[slug]
	}
	for _, r := range ix.Runs {
		p := of(r.Model.Org)
		p.runs[r.ID] = true
		p.names, p.models = also(p.names, r.Model.Org), also(p.models, r.Model.Name)
	}
	for _, c := range ix.Cards {
		of(c.Model.Org).add(c)
	}
	for _, p := range parts {
		p.catalog = p.of(m.Catalog)
	}
	list := slices.Collect(maps.Values(parts))
	slices.SortFunc(list, func(a, b *part) int {
		return cmp.Or(cmp.Compare(len(b.names), 0)-cmp.Compare(len(a.names), 0), cmp.Compare(a.slug, b.slug))
	})
	return conf, list, nil
}

// add counts a card of the part, and what its run peaks at.
func (p *part) add(c *figure.Card) {
	p.cards++
	for _, h := range headlines(c.Head()) {
		if h.Name != figure.PeakThroughput || h.Value == nil || *h.Value <= p.peak {
			continue
		}
		v, unit := h.Text()
		p.peak, p.best = *h.Value, fmt.Sprintf("%s %s: %s, %s", v, unit, c.Title(), h.Scenario.Title)
	}
}

// each does something for each part of a site that is split, with the settings and the catalog of the part.
func (a *app) each(parts []*part, f buildFlags, do func(*app, buildFlags) error) error {
	for _, p := range parts {
		one, g := *a, f
		one.part = p
		g.output, g.baseURL = filepath.Join(f.output, p.slug), ""
		if err := do(&one, g); err != nil {
			return err
		}
	}
	return nil
}

// buildSplit builds a site for each part, and the front page when all are there.
func (a *app) buildSplit(ctx context.Context, f buildFlags) error {
	conf, parts, err := a.split(f)
	if err != nil {
		return err
	}
	front := filepath.Join(f.output, "index.html")
	if old, err := readFile(a.path(front)); err == nil && !bytes.Contains(old, []byte(frontMark)) {
		return failed(fmt.Errorf("%s: is not the front page of a split site; name another output directory, or remove it", front))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	err = a.each(parts, f, func(one *app, g buildFlags) error { return one.build(ctx, g) })
	if err != nil {
		return err
	}
	if tags, err := a.snapshots(); err != nil {
		return err
	} else if len(tags) > 0 {
		a.note("snapshots are part of no site that is split: publish them beside it")
	}
	page, err := frontPage(conf, parts, f.split.url != "")
	if err != nil {
		return failed(err)
	}
	u := beginUpdate(ctx, a.path(f.output))
	if err := u.End(u.Write("index.html", page)); err != nil {
		return failed(err)
	}
	a.note("%s: the front page of %s", front, metric.Plural(len(parts), "site"))
	return a.former(parts, f.output)
}

// former tells of folders of parts that there are no more.
func (a *app) former(parts []*part, output string) error {
	entries, err := os.ReadDir(a.path(output))
	if err != nil {
		return failed(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") &&
			!slices.ContainsFunc(parts, func(p *part) bool { return p.slug == e.Name() }) {
			a.diagnostic(foreignFile, path.Join(filepath.ToSlash(output), e.Name()), 0, 0,
				"is no part of this site, or none any more: remove it")
		}
	}
	return nil
}

// frontMark is how a front page is known.
const frontMark = `<meta name="generator" content="inferdex: parts of a site">`

// frontPage lists the parts: relative addresses, but where each part has one of its own.
func frontPage(conf *settings.Config, parts []*part, away bool) ([]byte, error) {
	type row struct {
		Title, Href, Models, Best string
		Of, Cards, Runs           int
	}
	var rows []row
	for _, p := range parts {
		href := p.slug + "/index.html"
		if away {
			href = p.base
		}
		rows = append(rows, row{p.title(), href, strings.Join(p.models, ", "), p.best, len(p.models), p.cards, len(p.runs)})
	}
	var b bytes.Buffer
	err := frontTemplate.Execute(&b, map[string]any{"Title": cmp.Or(conf.Title, "inferdex"), "About": conf.Description,
		"Language": cmp.Or(conf.Language, "en"), "Rows": rows, "Mark": template.HTML(frontMark)})
	return b.Bytes(), err
}

var frontTemplate = template.Must(template.New("front").Parse(`<!DOCTYPE html>
<html lang="{{.Language}}">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{{.Mark}}
<title>{{.Title}}</title>
<style>
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid}
th{overflow-wrap:normal}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
@media(max-width:40rem){thead{display:none}tr{display:block;border-bottom:1px solid;padding:.5rem 0}
td,td.n{display:block;text-align:left;border:0;padding:.1rem 0}td::before{content:attr(data-of) " "}}
</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
{{with .About}}<p>{{.}}</p>
{{end}}<table>
<thead><tr><th scope="col">Organisation</th><th scope="col" class="n">Models</th><th scope="col" class="n">Cards</th><th scope="col" class="n">Runs</th><th scope="col">Highest output throughput among the runs that head its cards, whatever the workload</th></tr></thead>
<tbody>
{{range .Rows}}<tr><td><a href="{{.Href}}">{{.Title}}</a><br>{{.Models}}</td><td class="n" data-of="Models:">{{.Of}}</td><td class="n" data-of="Cards:">{{.Cards}}</td><td class="n" data-of="Runs:">{{.Runs}}</td><td{{if .Best}} data-of="Highest output throughput:"{{end}}>{{.Best}}</td></tr>
{{end}}</tbody>
</table>
</main>
</body>
</html>
`))
