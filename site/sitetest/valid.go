package sitetest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"golang.org/x/net/html"
)

// Valid holds a file that programs read against the rules of what it is, as its name tells: those of the format, and
// of Data Package 2.0, Croissant 1.1 as mlcroissant checks it, CITATION.cff 1.2.0, OpenAPI 3.1, Atom and sitemaps. A
// file of a name without rules is an error too.
func Valid(name string, data []byte) error {
	if !utf8.Valid(data) && path.Ext(name) != ".gz" && path.Ext(name) != ".png" && path.Ext(name) != ".parquet" {
		return errors.New("not UTF-8")
	}
	switch base := path.Base(name); {
	case base == "datapackage.json":
		return described(data, dataPackage)
	case base == "croissant.json":
		return described(data, croissant)
	case base == "openapi.json":
		return described(data, openAPI)
	case base == "oembed.json":
		return described(data, oEmbed)
	case strings.HasSuffix(base, ".json"):
		return described(data, func(any) error { return nil })
	case strings.HasSuffix(base, ".jsonl"):
		for line := range bytes.Lines(data) {
			if err := described(line, func(any) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	case strings.HasSuffix(base, ".csv"):
		return table(data)
	case base == "CITATION.cff":
		return citation(data)
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		return yamlFinite(data)
	case strings.HasSuffix(base, ".md"):
		return frontMatter(data)
	case base == "feed.xml":
		return atom(data)
	case strings.HasPrefix(base, "sitemap"):
		return sitemap(data)
	case strings.HasSuffix(base, ".svg"):
		return WellFormed(data)
	}
	return errors.New("no rules for such a file")
}

// described reads one JSON text without a name that stands twice, and holds it against rules.
func described(data []byte, rules func(any) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := oncePerObject(d); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON text")
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return rules(v)
}

// oEmbed holds a response against https://oembed.com, section 2.3, for the type rich.
func oEmbed(v any) error {
	m, _ := v.(map[string]any)
	for key, want := range map[string]any{"type": "rich", "version": "1.0"} {
		if m[key] != want {
			return fmt.Errorf("%s is %v, not %v", key, m[key], want)
		}
	}
	for _, key := range []string{"title", "provider_name", "provider_url", "html"} {
		if s, ok := m[key].(string); !ok || s == "" {
			return fmt.Errorf("%s is no text", key)
		}
	}
	for _, key := range []string{"width", "height"} {
		if n, ok := m[key].(float64); !ok || n <= 0 || n != float64(int(n)) {
			return fmt.Errorf("%s is no number of pixels: %v", key, m[key])
		}
	}
	frame, err := html.Parse(strings.NewReader(m["html"].(string)))
	if err != nil {
		return err
	}
	elements := 0
	for n := range frame.Descendants() {
		if n.Type == html.ElementNode && n.Data != "html" && n.Data != "head" && n.Data != "body" {
			if elements++; n.Data != "iframe" {
				return fmt.Errorf("html holds <%s>", n.Data)
			}
		}
	}
	if elements != 1 {
		return fmt.Errorf("html holds %d frames", elements)
	}
	return nil
}

func oncePerObject(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := t.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if name := key.(string); seen[name] {
				return fmt.Errorf("%q stands twice in an object", name)
			} else {
				seen[name] = true
			}
		}
		if err := oncePerObject(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// node is a JSON value whose members are asked for without checking each step.
type node struct{ v any }

func (n node) at(keys ...string) node {
	for _, k := range keys {
		m, _ := n.v.(map[string]any)
		n.v = m[k]
	}
	return n
}

func (n node) text() string { s, _ := n.v.(string); return s }

func (n node) list() (out []node) {
	l, ok := n.v.([]any)
	if !ok && n.v != nil {
		l = []any{n.v}
	}
	for _, v := range l {
		out = append(out, node{v})
	}
	return out
}

func absolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

var (
	packagePath = regexp.MustCompile(`^[^./~\\][^\\]*$`)
	openName    = regexp.MustCompile(`^[-a-zA-Z0-9._]+$`)
	mediaType   = regexp.MustCompile(`^[a-z]+/[-+.a-z0-9]+$`)
	sha256Text  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	dayText     = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
)

// dataPackage are the rules of the profiles of Data Package 2.0.
func dataPackage(v any) error {
	p := node{v}
	if p.at("profile").v != nil || p.at("$schema").text() != "https://datapackage.org/profiles/2.0/datapackage.json" {
		return errors.New("not of version 2.0")
	}
	if len(p.at("resources").list()) == 0 || len(p.at("keywords").list()) == 0 {
		return errors.New("no resources or no keywords")
	}
	if l := p.at("licenses"); l.v != nil && len(l.list()) == 0 {
		return errors.New("an empty list of licences")
	}
	for _, l := range p.at("licenses").list() {
		name, at := l.at("name").text(), l.at("path").text()
		if name == "" && at == "" || name != "" && !openName.MatchString(name) || at != "" && !absolute(at) {
			return fmt.Errorf("licence %v", l.v)
		}
	}
	for _, s := range p.at("sources").list() {
		if at := s.at("path"); s.at("title").text() == "" || at.v != nil && !absolute(at.text()) {
			return fmt.Errorf("source %v", s.v)
		}
	}
	for _, c := range p.at("contributors").list() {
		if c.at("title").text() == "" || len(c.at("roles").list()) == 0 {
			return fmt.Errorf("contributor %v", c.v)
		}
	}
	names := map[string]bool{}
	for _, r := range p.at("resources").list() {
		name := r.at("name").text()
		if name == "" || names[name] || !packagePath.MatchString(r.at("path").text()) ||
			!mediaType.MatchString(r.at("mediatype").text()) || r.at("profile").v != nil || r.at("data").v != nil {
			return fmt.Errorf("resource %v", r.v)
		}
		names[name] = true
		if (r.at("type").text() == "table") != (r.at("schema").v != nil) {
			return fmt.Errorf("%s: a table without a schema, or a schema without a table", name)
		}
		fields := map[string]bool{}
		for _, f := range r.at("schema", "fields").list() {
			n := f.at("name").text()
			if n == "" || fields[n] || !slices.Contains([]string{"string", "number", "integer"}, f.at("type").text()) {
				return fmt.Errorf("%s: field %v", name, f.v)
			}
			fields[n] = true
		}
	}
	return nil
}

// croissant are the rules of Croissant 1.1, and those that mlcroissant has beside them.
func croissant(v any) error {
	d := node{v}
	for _, key := range []string{"@context", "@type", "conformsTo", "name", "description", "license", "url", "creator",
		"datePublished", "distribution"} {
		if d.at(key).v == nil || d.at(key).v == "" {
			return fmt.Errorf("no %s, which is required", key)
		}
	}
	if _, live := d.at("isLiveDataset").v.(bool); !live {
		return errors.New("isLiveDataset is no boolean")
	}
	for key, want := range map[string]string{"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/",
		"sc": "https://schema.org/", "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
		"recordSet": "cr:recordSet", "field": "cr:field", "source": "cr:source", "extract": "cr:extract",
		"column": "cr:column", "fileObject": "cr:fileObject", "isLiveDataset": "cr:isLiveDataset"} {
		if got := d.at("@context", key).text(); got != want {
			return fmt.Errorf("the context has %q for %s, want %q", got, key, want)
		}
	}
	if t := d.at("@context", "dataType"); t.at("@id").text() != "cr:dataType" || t.at("@type").text() != "@vocab" {
		return errors.New("the context takes types of data for texts")
	}
	if d.at("@type").text() != "sc:Dataset" || d.at("conformsTo").text() != "http://mlcommons.org/croissant/1.1" ||
		!absolute(d.at("url").text()) || !dayText.MatchString(d.at("datePublished").text()) {
		return errors.New("type, version, address or day of the data set")
	}
	if err := licensed(d); err != nil {
		return err
	}
	for _, c := range d.at("creator").list() {
		if !slices.Contains([]string{"sc:Organization", "sc:Person"}, c.at("@type").text()) || c.at("name").text() == "" {
			return fmt.Errorf("creator %v", c.v)
		}
	}
	ids, files := map[string]bool{}, map[string]bool{}
	own := func(n node) error {
		if id := n.at("@id").text(); id == "" || ids[id] || n.at("name").text() == "" {
			return fmt.Errorf("%q is no id of its own, or has no name", id)
		} else {
			ids[id] = true
		}
		return nil
	}
	for _, f := range d.at("distribution").list() {
		if err := own(f); err != nil {
			return err
		}
		files[f.at("@id").text()] = true
		if f.at("@type").text() != "cr:FileObject" || f.at("contentUrl").text() == "" ||
			!mediaType.MatchString(f.at("encodingFormat").text()) || !sha256Text.MatchString(f.at("sha256").text()) {
			return fmt.Errorf("file %v", f.v)
		}
	}
	for _, set := range d.at("recordSet").list() {
		if err := own(set); err != nil || set.at("@type").text() != "cr:RecordSet" || len(set.at("field").list()) == 0 {
			return fmt.Errorf("record set %v: %w", set.at("@id").v, err)
		}
		for _, f := range set.at("field").list() {
			if err := own(f); err != nil {
				return err
			}
			if f.at("@type").text() != "cr:Field" || !files[f.at("source", "fileObject", "@id").text()] ||
				f.at("source", "extract", "column").text() == "" || !strings.HasPrefix(f.at("@id").text(),
				set.at("@id").text()+"/") || !slices.Contains([]string{"sc:Text", "sc:Float", "sc:Integer", "sc:Date",
				"sc:Boolean"}, f.at("dataType").text()) {
				return fmt.Errorf("field %v", f.v)
			}
		}
	}
	return nil
}

// licensed holds a licence against what schema.org takes for one: an address, or a work with a name.
func licensed(d node) error {
	for _, l := range d.at("license").list() {
		if !absolute(l.text()) && (l.at("@type").text() != "CreativeWork" || l.at("name").text() == "") {
			return fmt.Errorf("licence %v", l.v)
		}
	}
	return nil
}

// Dataset holds a block of JSON-LD against what search engines ask of a data set.
func Dataset(data []byte) error {
	return described(data, func(v any) error {
		d := node{v}
		n := utf8.RuneCountInString(d.at("description").text())
		if d.at("@context").text() != "https://schema.org/" || d.at("@type").text() != "Dataset" ||
			d.at("name").text() == "" || n < 50 || n > 5000 || !absolute(d.at("url").text()) {
			return fmt.Errorf("context, type, name, address or description of %d characters", n)
		}
		for _, c := range d.at("creator").list() {
			if c.at("@type").text() != "Organization" || c.at("name").text() == "" {
				return fmt.Errorf("creator %v", c.v)
			}
		}
		for _, f := range d.at("distribution").list() {
			if f.at("@type").text() != "DataDownload" || !absolute(f.at("contentUrl").text()) ||
				!mediaType.MatchString(f.at("encodingFormat").text()) {
				return fmt.Errorf("download %v", f.v)
			}
		}
		return licensed(d)
	})
}

var pathParameter = regexp.MustCompile(`\{([^}]*)\}`)

// openAPI are rules of OpenAPI 3.1: what is required, parameters of paths, references that lead somewhere.
func openAPI(v any) error {
	doc := node{v}
	if !strings.HasPrefix(doc.at("openapi").text(), "3.1.") || doc.at("info", "title").text() == "" ||
		doc.at("info", "version").text() == "" {
		return errors.New("version, title or version of the description")
	}
	paths, _ := doc.at("paths").v.(map[string]any)
	for at, item := range paths {
		if !strings.HasPrefix(at, "/") {
			return fmt.Errorf("path %q", at)
		}
		get := node{item}.at("get")
		responses, _ := get.at("responses").v.(map[string]any)
		if len(responses) == 0 {
			return fmt.Errorf("%s has no responses", at)
		}
		for status, r := range responses {
			if (node{r}).at("description").text() == "" {
				return fmt.Errorf("%s, %s has no description", at, status)
			}
		}
		var declared, used []string
		for _, p := range get.at("parameters").list() {
			if p.at("in").text() != "path" || p.at("required").v != true || p.at("schema").v == nil {
				return fmt.Errorf("%s: parameter %v", at, p.v)
			}
			declared = append(declared, p.at("name").text())
		}
		for _, m := range pathParameter.FindAllStringSubmatch(at, -1) {
			used = append(used, m[1])
		}
		if !slices.Equal(declared, used) {
			return fmt.Errorf("%s declares %v", at, declared)
		}
	}
	return references(doc, v)
}

// references looks for references to a place that is not there.
func references(doc node, v any) error {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			local, ok := strings.CutPrefix(ref, "#/")
			if !ok || doc.at(strings.Split(local, "/")...).v == nil {
				return fmt.Errorf("%q leads nowhere", ref)
			}
		}
		for _, w := range v {
			if err := references(doc, w); err != nil {
				return err
			}
		}
	case []any:
		for _, w := range v {
			if err := references(doc, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// table is a CSV in the dialect that its Data Package states: rows of one length, names of columns that differ, and no
// number that is none. Of loads "inf" is the word for all requests at once.
func table(data []byte) error {
	if bytes.Contains(data, []byte("\r\n")) || !bytes.HasSuffix(data, []byte("\n")) {
		return errors.New("a line does not end with a line feed alone")
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return err
	}
	for i, name := range rows[0] {
		if name == "" || slices.Contains(rows[0][:i], name) {
			return fmt.Errorf("column %d is called %q", i+1, name)
		}
		for _, row := range rows[1:] {
			if c := strings.TrimLeft(strings.ToLower(row[i]), "+-"); c == "nan" || c == "infinity" || c == "inf" &&
				name != "load" {
				return fmt.Errorf("%s is %q", name, row[i])
			}
		}
	}
	return nil
}

// yamlFinite reads all documents of a YAML text; a number of it is finite.
func yamlFinite(data []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var v any
		switch err := d.Decode(&v); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := finite(v); err != nil {
			return err
		}
	}
}

func finite(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for k, w := range v {
			if err := finite(w); err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
	case []any:
		for _, w := range v {
			if err := finite(w); err != nil {
				return err
			}
		}
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf("%v is no number", v)
		}
	}
	return nil
}

// frontMatter is what stands between two lines of hyphens in front of a Markdown text, if there is any.
func frontMatter(data []byte) error {
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	if !ok {
		return nil
	}
	head, _, closed := bytes.Cut(rest, []byte("\n---\n"))
	if !closed {
		return errors.New("front matter without an end")
	}
	return yamlFinite(append(head, '\n'))
}

// citation are the rules of the schema of CITATION.cff 1.2.0 for the keys that are written.
func citation(data []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	var c struct {
		Version    string                  `yaml:"cff-version"`
		Message    string                  `yaml:"message"`
		Type       string                  `yaml:"type"`
		Title      string                  `yaml:"title"`
		Abstract   *string                 `yaml:"abstract"`
		Authors    []struct{ Name string } `yaml:"authors"`
		Keywords   []string                `yaml:"keywords"`
		License    *string                 `yaml:"license"`
		LicenseURL *string                 `yaml:"license-url"`
		URL        *string                 `yaml:"url"`
		Repository *string                 `yaml:"repository"`
		Released   *string                 `yaml:"date-released"`
	}
	if err := d.Decode(&c); err != nil {
		return err
	}
	if c.Version != "1.2.0" || c.Message == "" || c.Type != "dataset" || c.Title == "" || len(c.Authors) == 0 {
		return errors.New("version, message, type, title or authors")
	}
	for _, a := range c.Authors {
		if a.Name == "" {
			return errors.New("an author without a name")
		}
	}
	for i, k := range c.Keywords {
		if k == "" || slices.Contains(c.Keywords[:i], k) {
			return fmt.Errorf("keyword %q", k)
		}
	}
	for key, v := range map[string]*string{"license-url": c.LicenseURL, "url": c.URL, "repository": c.Repository} {
		if v != nil && !absolute(*v) {
			return fmt.Errorf("%s is %q", key, *v)
		}
	}
	if c.Released != nil && !dayText.MatchString(*c.Released) || c.Abstract != nil && *c.Abstract == "" ||
		c.License != nil && !openName.MatchString(*c.License) {
		return errors.New("day, abstract or licence")
	}
	return nil
}

// atom are the rules of RFC 4287.
func atom(data []byte) error {
	type person struct {
		Name string `xml:"name"`
	}
	type link struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	var f struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Authors []person `xml:"author"`
		Links   []link   `xml:"link"`
		Entries []struct {
			ID      string   `xml:"id"`
			Title   *string  `xml:"title"`
			Updated string   `xml:"updated"`
			Authors []person `xml:"author"`
			Links   []link   `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(data, &f); err != nil {
		return err
	}
	seen := map[string]bool{}
	one := func(id, updated string, authors []person) error {
		_, err := time.Parse(time.RFC3339, updated)
		if err != nil || !absolute(id) || seen[id] || len(authors)+len(f.Authors) == 0 {
			return fmt.Errorf("id %q, updated %q, %d authors", id, updated, len(authors))
		}
		seen[id] = true
		return nil
	}
	if err := one(f.ID, f.Updated, f.Authors); err != nil || f.Title == "" {
		return fmt.Errorf("the feed %q: %w", f.Title, err)
	}
	if !slices.ContainsFunc(f.Links, func(l link) bool { return l.Rel == "self" && absolute(l.Href) }) {
		return errors.New("no link to itself")
	}
	seen = map[string]bool{}
	for _, e := range f.Entries {
		if err := one(e.ID, e.Updated, e.Authors); err != nil {
			return err
		}
		if e.Title == nil || len(e.Links) == 0 {
			return fmt.Errorf("entry %s has no title or link", e.ID)
		}
	}
	return nil
}

// sitemap are the rules of sitemaps.org.
func sitemap(data []byte) error {
	type place struct {
		At  string  `xml:"loc"`
		Day *string `xml:"lastmod"`
	}
	var s struct {
		XMLName xml.Name
		URLs    []place `xml:"url"`
		Parts   []place `xml:"sitemap"`
	}
	if err := xml.Unmarshal(data, &s); err != nil {
		return err
	}
	if s.XMLName.Space != "http://www.sitemaps.org/schemas/sitemap/0.9" || len(s.URLs)+len(s.Parts) == 0 ||
		len(s.URLs) > 50_000 || len(data) > 50<<20 {
		return fmt.Errorf("%v with %d places", s.XMLName, len(s.URLs)+len(s.Parts))
	}
	seen := map[string]bool{}
	for _, p := range append(s.URLs, s.Parts...) {
		if !absolute(p.At) || seen[p.At] || len(p.At) > 2048 || p.Day != nil && !dayText.MatchString(*p.Day) {
			return fmt.Errorf("place %q", p.At)
		}
		seen[p.At] = true
	}
	return nil
}
