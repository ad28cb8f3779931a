package site

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// allFiles are the files of a site beside its pages, those that are written with them too.
func allFiles(t *testing.T, s *Site) (list []page.File) {
	t.Helper()
	for p, err := range s.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Files != nil {
			list = slices.AppendSeq(list, p.Files)
		}
	}
	for f, err := range s.Files() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f)
	}
	return list
}

// filesOf writes all files of the catalog of tests but the pictures, which have tests of their own.
func filesOf(t *testing.T, change func(*view.Options)) map[string][]byte {
	t.Helper()
	ix, c, o := testCatalog(t)
	o.NoPreviews = true
	if change != nil {
		change(&o)
	}
	out := map[string][]byte{}
	for _, f := range allFiles(t, New(ix, c, o)) {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		out[f.Path] = b.Bytes()
	}
	return out
}

// saidInFeed are the sentences of an entry: their wording is held elsewhere.
var saidInFeed = regexp.MustCompile(`&lt;li&gt;.*?&lt;/li&gt;`)

func TestFeedGolden(t *testing.T) {
	goldentest.File(t, "testdata/feed.xml",
		saidInFeed.ReplaceAll(filesOf(t, nil)["models/rated-24b/feed.xml"], []byte("&lt;li&gt;…&lt;/li&gt;")))
}

// TestFeeds holds every feed against what RFC 4287 asks for.
func TestFeeds(t *testing.T) {
	files := filesOf(t, nil)
	seen := 0
	for path, data := range files {
		if !strings.HasSuffix(path, "feed.xml") {
			continue
		}
		seen++
		var f struct {
			XMLName xml.Name
			ID      string `xml:"http://www.w3.org/2005/Atom id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Author  string `xml:"author>name"`
			Links   []struct {
				Rel  string `xml:"rel,attr"`
				Href string `xml:"href,attr"`
			} `xml:"link"`
			Entries []struct {
				ID      string `xml:"id"`
				Title   string `xml:"title"`
				Updated string `xml:"updated"`
				Content struct {
					Type string `xml:"type,attr"`
					Text string `xml:",chardata"`
				} `xml:"content"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal(data, &f); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if f.XMLName.Local != "feed" || f.XMLName.Space != "http://www.w3.org/2005/Atom" || f.ID == "" ||
			f.Title == "" || f.Author == "" || len(f.Links) != 2 {
			t.Errorf("%s lacks what a feed must have: %+v", path, f)
		}
		if f.Links[0].Rel != "self" || f.Links[0].Href != "https://example.org/b/"+path {
			t.Errorf("%s names itself %q", path, f.Links[0].Href)
		}
		ids := map[string]bool{}
		last := f.Updated
		if len(f.Entries) == 0 || len(f.Entries) > view.FeedEntries {
			t.Errorf("%s has %d entries", path, len(f.Entries))
		}
		for _, e := range f.Entries {
			if _, err := time.Parse(time.RFC3339, e.Updated); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if e.Updated > last {
				t.Errorf("%s: %s stands after %s", path, e.Updated, last)
			}
			last = e.Updated
			if u, err := url.Parse(e.ID); err != nil || !u.IsAbs() || ids[e.ID] {
				t.Errorf("%s: id %q", path, e.ID)
			}
			ids[e.ID] = true
			if e.Title == "" || e.Content.Type != "html" || !strings.Contains(e.Content.Text, "<p>") ||
				strings.Contains(e.Content.Text, "<script") || strings.Contains(e.Content.Text, "<img") {
				t.Errorf("%s: entry %q: %s", path, e.Title, e.Content.Text)
			}
		}
	}
	if seen < 3 {
		t.Errorf("%d feeds", seen)
	}
}

// Without the site's address there is nothing that needs it, and nothing names it.
func TestWithoutAddress(t *testing.T) {
	for path, data := range filesOf(t, func(o *view.Options) { o.Config = &settings.Config{Title: "t"} }) {
		if strings.HasSuffix(path, "feed.xml") || strings.HasPrefix(path, "sitemap") || strings.HasPrefix(path, "badges/") ||
			path == view.PathEmbedStyle {
			t.Errorf("%s needs the address", path)
		}
		if strings.HasSuffix(path, ".txt") && bytes.Contains(data, []byte("example.org/b")) {
			t.Errorf("%s has an address", path)
		}
	}
}

func TestBadges(t *testing.T) {
	files := filesOf(t, nil)
	var of []string
	for path, data := range files {
		if !strings.HasPrefix(path, "badges/") {
			continue
		}
		of = append(of, path)
		switch {
		case strings.HasSuffix(path, ".svg"):
			if err := sitetest.WellFormed(data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if bytes.Contains(data, []byte("<script")) || bytes.Contains(data, []byte("<img")) {
				t.Errorf("%s: %s", path, data)
			}
		default:
			var e map[string]any
			if err := json.Unmarshal(data, &e); err != nil || e["schemaVersion"] != 1.0 || e["label"] == "" ||
				e["message"] == "" || e["color"] == "" {
				t.Errorf("%s: %v %v", path, err, e)
			}
		}
	}
	ix, _, _ := testCatalog(t)
	if len(of) == 0 || len(of) > 8*len(ix.Cards) {
		t.Errorf("%d badge files of %d cards", len(of), len(ix.Cards))
	}
	slices.Sort(of)
	goldentest.File(t, "testdata/badge.svg", files["badges/rated-24b-on-mi300x/peak-output-throughput.svg"])
	goldentest.File(t, "testdata/badge.json", files["badges/rated-24b-on-mi300x/peak-output-throughput.json"])
}

var addressOf = regexp.MustCompile(`<loc>([^<]*)</loc>`)

func TestSitemap(t *testing.T) {
	files := filesOf(t, func(o *view.Options) { o.Written = []string{"about", "guides/a & b", "models"} })
	text := files["sitemap.xml"]
	if err := sitetest.WellFormed(text); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range addressOf.FindAllSubmatch(text, -1) {
		got = append(got, string(m[1]))
	}
	if s := slices.Clone(got); len(slices.Compact(s)) != len(got) {
		t.Errorf("a page stands twice: %v", got)
	}
	ix, c, o := testCatalog(t)
	for p, err := range New(ix, c, o).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		at := "https://example.org/b/" + p.Path
		if p.Path != "" {
			at += "/"
		}
		if want := p.Kind != "notfound" && p.Kind != "records"; slices.Contains(got, at) != want {
			t.Errorf("%s in the sitemap: %v, want %v", at, !want, want)
		}
	}
	for _, want := range []string{"https://example.org/b/about/", "https://example.org/b/guides/a &amp; b/"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %v", want, got)
		}
	}
}

func TestChartOf(t *testing.T) {
	ix, c, o := testCatalog(t)
	for _, tt := range []struct{ id, name, err string }{
		{"suite1", "", ""}, {"suite1", "ttft", ""}, {"rate1", "tpot", ""}, {"rated-24b-on-mi300x", "", ""},
		{"suite", "", "runs begin with"}, {"nothing", "", "no run and no card"},
		{"suite1", "nonsense", "no chart and no metric"},
		{"figures1", "", "no chart"}, {"figures1", "ttft", "not measured at several loads"},
	} {
		drawn, names, err := view.ChartOf(ix, c, o, tt.id, tt.name)
		switch {
		case tt.err == "" && (err != nil || drawn == nil || len(names) == 0):
			t.Errorf("%s %s: %v", tt.id, tt.name, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s %s: error %v, want %q", tt.id, tt.name, err, tt.err)
		}
	}
}

func TestPNGBesideSVG(t *testing.T) {
	files := filesOf(t, func(o *view.Options) { o.PNG = true })
	n := 0
	for path := range files {
		if base, ok := strings.CutSuffix(path, ".svg"); ok &&
			(strings.HasPrefix(path, "cards/") || strings.HasPrefix(path, "runs/")) {
			drawings := bytes.Count(files[path], []byte(`<g id="n`)) // of a file of several
			for i := range max(drawings, 1) {
				name := base + ".png"
				if drawings > 0 {
					name = fmt.Sprintf("%s-%d.png", base, i+1)
				}
				n++
				if !bytes.HasPrefix(files[name], []byte("\x89PNG")) {
					t.Errorf("no %s beside %s", name, path)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no chart")
	}
}

// TestFeedsBlameNoVersion: an entry says how a run stands to the version before it only where nothing else is known to
// differ, and says nothing of a version that is not recorded.
func TestFeedsBlameNoVersion(t *testing.T) {
	run := func(id, day, version, batched string) *catalog.Run {
		r := sitetest.RateRun(id, "", 1)
		r.Started = day
		r.Parameters = map[string]catalog.Parameter{"max_num_batched_tokens": {Value: json.RawMessage(batched)}}
		if version != "" {
			r.Attributes["engine_version"] = catalog.Attribute{Value: version}
		}
		return r
	}
	for _, c := range []struct {
		name string
		run  *catalog.Run
		says bool
	}{
		{"nothing else differs", run("b", "2025-02-01", "0.8.2", "512"), true},
		{"an argument differs", run("b", "2025-02-01", "0.8.2", "2048"), false},
		{"no version", run("b", "2025-02-01", "", "512"), false},
	} {
		all := &catalog.Catalog{Runs: []*catalog.Run{run("a", "2025-01-01", "0.7.1", "512"), c.run}}
		config := &settings.Config{BaseURL: "https://example.org/"}
		seen := false
		for f, err := range New(figure.NewIndex(all, nil), all,
			view.Options{Config: config, NoPreviews: true}).Files() {
			if err != nil {
				t.Fatal(err)
			}
			if f.Path != "feed.xml" {
				continue
			}
			var b bytes.Buffer
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
			if seen = true; strings.Contains(b.String(), "Against vllm 0.7.1") != c.says {
				t.Errorf("%s: %s", c.name, b.String())
			}
		}
		if !seen {
			t.Errorf("%s: no feed", c.name)
		}
	}
}
