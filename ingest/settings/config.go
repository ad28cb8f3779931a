package settings

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Config is inferdex.toml: the catalog as a whole. The zero Config is a catalog without a file.
type Config struct {
	Title, Description string
	// BaseURL is where the site is published, with the scheme and a final slash; empty where
	// that is not known, and then what needs absolute addresses is left out.
	BaseURL string
	// Repository is the address of the repository, for "report a wrong number".
	Repository string
	// Author made the measurements, License is the SPDX name or the address of what they may be used for: as
	// descriptions of the data say it. Empty is not said.
	Author, License string
	// Notice stands on every page: "synthetic".
	Notice string
	// Language of the site as in HTML; "en" where it is not set.
	Language string
	Limits   Limits
	// PathRules in the order of the file: the first that matches wins.
	PathRules []PathRule
	// Tables say what the columns of tables mean, in the order of the file: the first whose files
	// match wins.
	Tables []Table
	// Site is what the catalog changes of the looks of its pages.
	Site Site
	// Freshness says how old results may be.
	Freshness Freshness
	// Catalogs are those that others publish and that are merged into this one.
	Catalogs []Remote
}

// Remote is a catalog that somebody publishes: [[catalog]].
type Remote struct {
	// URL is the address of its data, with a slash at its end.
	URL  string
	Line int
}

// languageTag is a language as in HTML.
var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)

// Limits bound the unpacking of archives. Zero means the default of package ingest.
type Limits struct {
	Unpacked int64 // bytes of all members of one archive together
	Member   int64 // bytes of one member
	Ratio    int   // unpacked bytes for each packed one
	Members  int
	Depth    int // archives inside archives
}

// PathRule says what the path of an input file tells about it.
type PathRule struct {
	// Pattern as written: "{hardware}/**/vllm_{engine_version}/**".
	Pattern string
	// Facts are stated for every file that matches, beside the captured ones.
	Facts []Fact
	File  string
	Line  int

	re   *regexp.Regexp
	keys []string // of the captured groups, in order; "" for {_}
}

// Table says what the columns of some tables of measurements mean: [[ingest.table]].
type Table struct {
	// Files as written: "results/**/*.csv". A pattern of a name alone is for files in any folder.
	Files string
	// Columns in the order of their names. What a meaning may be is not known here.
	Columns []Column
	// Facts are stated for every row.
	Facts []Fact
	// Tool is the tool that measured what the table gathers; Computed says from what its numbers were computed,
	// where no tool wrote them so. Empty is not said.
	Tool, Computed string
	File           string
	Line           int

	re *regexp.Regexp
}

// Column is a column of a [Table] and what it means: "output_throughput tok/s".
type Column struct {
	Name, Meaning string
	Line          int
}

// Match reports whether a path is that of such a table. A member of an archive lies below it as
// below a directory.
func (t *Table) Match(path string) bool {
	return t.re.MatchString(strings.TrimPrefix(asDirs(path), "./"))
}

// LoadConfig reads inferdex.toml. file is its name in diagnostics.
func LoadConfig(data []byte, file string) (*Config, []Diagnostic) {
	doc, t := parse(file, data)
	c := &Config{
		Title:       t.text("title"),
		Description: t.text("description"),
		BaseURL:     t.text("base_url"),
		Repository:  t.text("repository"),
		Author:      t.text("author"),
		License:     t.text("license"),
		Notice:      t.text("notice"),
		Language:    t.text("language"),
	}
	if c.Language == "" {
		c.Language = "en"
	}
	for _, u := range []struct {
		key   string
		value *string
	}{{"base_url", &c.BaseURL}, {"repository", &c.Repository}} {
		at, ok := address(*u.value)
		switch {
		case *u.value == "" || ok && (u.key != "base_url" || plainAddress(at)):
			continue
		case ok:
			doc.report(u.key, "%s is %q, want an address without query and fragment", u.key, *u.value)
		default:
			doc.report(u.key, "%s is %q, want an address that begins with https://", u.key, *u.value)
		}
		*u.value = ""
	}
	if c.Language != "" && !languageTag.MatchString(c.Language) {
		doc.report("language", "language is %q, want a tag such as \"en\" or \"pt-BR\"", c.Language)
		c.Language = "en"
	}
	if c.BaseURL != "" && !strings.HasSuffix(c.BaseURL, "/") {
		c.BaseURL += "/"
	}
	if l := t.sub("limits"); l != nil {
		c.Limits = Limits{Unpacked: l.size("unpacked"), Member: l.size("member")}
		for _, n := range []struct {
			key string
			to  *int
		}{{"ratio", &c.Limits.Ratio}, {"members", &c.Limits.Members}, {"depth", &c.Limits.Depth}} {
			if v := l.whole(n.key); v != nil {
				*n.to = *v
			}
		}
		l.close()
	}
	if in := t.sub("ingest"); in != nil {
		for _, r := range in.tables("path") {
			if rule, ok := pathRule(r); ok {
				c.PathRules = append(c.PathRules, rule)
			}
		}
		for _, r := range in.tables("table") {
			if table, ok := tableMap(r); ok {
				c.Tables = append(c.Tables, table)
			}
		}
		in.close()
	}
	if f := t.sub("freshness"); f != nil {
		c.Freshness = f.freshness()
	}
	if s := t.sub("site"); s != nil {
		c.Site = s.site()
	}
	for _, r := range t.tables("catalog") {
		at := r.remote()
		r.close()
		if at != "" {
			if slices.ContainsFunc(c.Catalogs, func(x Remote) bool { return x.URL == at }) {
				doc.report(r.at("url"), "the catalog %q is named twice", at)
				continue
			}
			c.Catalogs = append(c.Catalogs, Remote{at, doc.line(r.at("url"))})
		}
	}
	t.close()
	return c, doc.sorted()
}

// remote reads the address of a catalog, "" where it is none.
func (t *table) remote() string {
	at := t.text("url")
	if _, isText := t.m["url"].(string); !isText && t.m["url"] != nil {
		return "" // said
	}
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		t.doc.report(t.at("url"), "a catalog has url %q, want the address of the folder data/ of its site: "+
			`url = "https://<host>/data/"`, at)
		return ""
	}
	return strings.TrimSuffix(u.String(), "/") + "/"
}

// size reads a number of bytes: a whole number or a text such as "16 GiB".
func (t *table) size(key string) int64 {
	v, ok := t.get(key)
	if !ok {
		return 0
	}
	const want = `bytes as a whole number or a text such as "16 GiB"`
	switch v := v.(type) {
	case int64:
		if v > 0 {
			return v
		}
	case string:
		digits := strings.TrimRight(v, "KMGTiB ")
		factor, known := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
			"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[strings.TrimSpace(v[len(digits):])]
		if n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64); err == nil && known && n > 0 &&
			n <= (1<<62)/factor {
			return n * factor
		}
		t.doc.report(t.at(key), "%s is %q, want %s", key, v, want)
		return 0
	}
	t.wrong(key, v, want)
	return 0
}

func pathRule(t *table) (PathRule, bool) {
	r := PathRule{Pattern: t.text("pattern"), File: t.doc.file, Line: t.doc.line(t.at("pattern"))}
	facts := t.facts()
	t.close(factKeys...)
	for _, k := range slices.Sorted(maps.Keys(facts)) {
		r.Facts = append(r.Facts, facts[k])
	}
	if r.Pattern == "" {
		t.doc.report(t.path, `a path rule without pattern: write pattern = "{hardware}/**"`)
		return r, false
	}
	re, keys, err := compile(r.Pattern)
	if err == nil {
		for _, k := range keys {
			if k != "" && !isFactKey(k) {
				err = fmt.Errorf("%s", unknownKey(k, append(FactKeys(), labelPrefix+"x")))
			}
		}
	}
	if err != nil {
		t.doc.report(t.at("pattern"), "pattern %q: %v", r.Pattern, err)
		return r, false
	}
	r.re, r.keys = re, keys
	return r, true
}

func tableMap(t *table) (Table, bool) {
	m := Table{Files: t.text("files"), Tool: t.text("tool"), Computed: t.text("computed"), File: t.doc.file, Line: t.doc.line(t.at("files"))}
	facts := t.facts()
	columns := t.sub("columns")
	t.close(factKeys...)
	for _, k := range slices.Sorted(maps.Keys(facts)) {
		m.Facts = append(m.Facts, facts[k])
	}
	if m.Files == "" || columns == nil || len(columns.m) == 0 {
		t.doc.report(t.path,
			`a table without files or columns: write files = "summary.csv" and columns = { "tok/s" = "output_throughput tok/s" }`)
		return m, false
	}
	for _, name := range slices.Sorted(maps.Keys(columns.m)) {
		if meaning := columns.text(name); meaning != "" {
			m.Columns = append(m.Columns,
				Column{Name: strings.TrimSpace(name), Meaning: meaning, Line: t.doc.line(columns.at(name))})
		}
	}
	columns.close()
	pattern := m.Files
	if !strings.HasPrefix(pattern, "**/") {
		pattern = "**/" + pattern // paths are as they were given to ingest
	}
	re, keys, err := compile(pattern)
	switch {
	case err == nil && len(keys) > 0:
		err = fmt.Errorf("{%s} stands for metadata in a path rule; write * here", keys[0])
		fallthrough
	case err != nil:
		t.doc.report(t.at("files"), "files %q: %v", m.Files, err)
		return m, false
	}
	m.re = re
	return m, true
}

// Rule returns what the first path rule that matches says about a file. relPath is relative to
// the path that ingest was given; a member of an archive lies below it as below a directory:
// "a.zip!b/c.json" is matched as "a.zip/b/c.json".
func (c *Config) Rule(relPath string) []Fact {
	if c == nil {
		return nil
	}
	p := strings.TrimPrefix(asDirs(relPath), "./")
	for _, r := range c.PathRules {
		m := r.re.FindStringSubmatch(p)
		if m == nil {
			continue
		}
		facts := append([]Fact(nil), r.Facts...)
		for i, k := range r.keys {
			// What a rule states in words is more than what it captures.
			if k != "" && !hasFact(facts, k) && strings.TrimSpace(m[i+1]) != "" {
				facts = append(facts, Fact{Key: k, Value: strings.TrimSpace(m[i+1]), File: r.File, Line: r.Line})
			}
		}
		sort.Slice(facts, func(i, j int) bool { return facts[i].Key < facts[j].Key })
		return facts
	}
	return nil
}

// Unmatched are the path rules that match none of the files, which is no mistake where other files are read at
// another time. inputs are what ingest was given, paths the files below them.
func (c *Config) Unmatched(inputs, paths []string) []PathRule {
	if c == nil {
		return nil
	}
	var out []PathRule
	for _, r := range c.PathRules {
		if !slices.ContainsFunc(paths, func(p string) bool {
			p = asDirs(p)
			for _, in := range inputs {
				if rel, ok := strings.CutPrefix(p, strings.TrimSuffix(in, "/")+"/"); ok && r.re.MatchString(rel) {
					return true
				}
			}
			return r.re.MatchString(strings.TrimPrefix(p, "./"))
		}) {
			out = append(out, r)
		}
	}
	return out
}

func hasFact(facts []Fact, key string) bool {
	for _, f := range facts {
		if f.Key == key {
			return true
		}
	}
	return false
}

// BaseURL reports whether a text can be the address of a home page.
func BaseURL(text string) bool {
	at, ok := address(text)
	return ok && plainAddress(at)
}

// address parses an address of the web.
func address(text string) (at *url.URL, ok bool) {
	at, err := url.Parse(text)
	return at, err == nil && (at.Scheme == "https" || at.Scheme == "http") && at.Host != ""
}

// plainAddress reports whether an address has neither query nor fragment: then names can be put behind it.
func plainAddress(at *url.URL) bool { return at.RawQuery == "" && at.Fragment == "" }
