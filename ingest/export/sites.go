package export

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
)

// File is one that an export writes, below the folder that the user names.
type File struct {
	Path string // with forward slashes
	Data []byte
}

// What a site of another program needs to show the cards, as it is written there.
//
//go:embed all:hugo all:jekyll
var templates embed.FS

// templatesOf are the files of a folder of templates.
func templatesOf(dir string) (files []File) {
	_ = fs.WalkDir(templates, dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var data []byte
			data, err = templates.ReadFile(path)
			files = append(files, File{strings.TrimPrefix(path, dir+"/"), data})
		}
		return err
	})
	return files
}

// data is what templates of another site read: all cards by name.
func data(cards []Card) ([]byte, error) {
	byName := map[string]Card{}
	for _, c := range cards {
		byName[c.Name] = c
	}
	return encode(struct {
		Cards map[string]Card `json:"cards"`
	}{byName})
}

// Markdown are the cards as Markdown files.
func Markdown(ix *figure.Index) (files []File) {
	for _, c := range Cards(ix) {
		files = append(files, File{c.Name + ".md", c.Markdown()})
	}
	return files
}

// Hugo are the files of a Hugo site that have a page for each card, made by a content adapter, and a shortcode with its
// partial that show the headline figures of one. Layouts and theme are the site's own.
func Hugo(ix *figure.Index) ([]File, error) {
	files, err := HugoData(ix)
	return append(templatesOf("hugo"), files...), err
}

// HugoData are the files of [Hugo] without its templates, for a site that imports these as a module.
func HugoData(ix *figure.Index) ([]File, error) {
	return hugoData(Cards(ix), inHugo)
}

// HugoPages are those of [HugoData] and a text for each run, for a site that imports the layouts of whole pages too.
// The texts have a place for the charts, which are [ChartFiles] with a list in [HugoCharts].
func HugoPages(ix *figure.Index) ([]File, error) {
	cards := Cards(ix)
	files, err := hugoData(cards, inHugoPage)
	for _, c := range cards {
		for _, r := range c.Runs {
			alone := Card{Runs: []Run{r}}
			if r.Withdrawn == "" {
				alone.Head = r.ID
			}
			files = append(files, alone.file("assets/inferdex/runs/"+r.ID+".md", inHugoPage))
		}
	}
	return files, err
}

func hugoData(cards []Card, in target) ([]File, error) {
	all, err := data(cards)
	if err != nil {
		return nil, err
	}
	files := []File{{"assets/inferdex/cards.json", all}}
	for _, c := range cards {
		files = append(files, c.file("assets/inferdex/cards/"+c.Name+".md", in))
	}
	return files, nil
}

// file is all below the title as a file.
func (c Card) file(path string, in target) File {
	d := &document{}
	d.body(c, in)
	return File{path, bytes.TrimLeft(d.Bytes(), "\n")}
}

// Where templates find the list of charts.
const (
	HugoCharts   = "assets/inferdex/charts.json"
	JekyllCharts = "_data/inferdex/charts.json"
)

// Chart is a drawing of a card or a run.
type Chart struct {
	File  string `json:"file"`  // its name below the folder of the card or run
	Title string `json:"title"` // for those who do not see it
	SVG   []byte `json:"-"`
}

// ChartFiles are charts, by the names of their cards and the ids of their runs, and the list of them that templates read.
func ChartFiles(list string, charts map[string][]Chart) ([]File, error) {
	listed, err := encode(charts)
	if err != nil {
		return nil, err
	}
	files := []File{{list, listed}}
	for _, name := range slices.Sorted(maps.Keys(charts)) {
		for _, c := range charts[name] {
			files = append(files, File{"assets/inferdex/charts/" + name + "/" + c.File, c.SVG})
		}
	}
	return files, nil
}

// Jekyll are the files of a Jekyll site: the data of all cards, a page for each in a collection, and includes that show
// the headline figures and the charts of one. Layouts and theme are the site's own. The pages show the charts that are
// [ChartFiles] with a list in [JekyllCharts].
func Jekyll(ix *figure.Index) ([]File, error) {
	cards := Cards(ix)
	all, err := data(cards)
	if err != nil {
		return nil, err
	}
	files := append(templatesOf("jekyll"), File{"_data/inferdex/cards.json", all})
	for _, c := range cards {
		d := &document{}
		d.body(c, inJekyll)
		var b bytes.Buffer
		b.WriteString("---\n")
		for _, e := range [][2]string{{"layout", "page"}, {"title", shown(c.Title)}, {"card", c.Name},
			{"permalink", "/inferdex/" + c.Name + "/"}, {"excerpt_separator", ""},
			{"model", shown(c.Model)}, {"hardware", shown(c.Hardware)}, {"newest", c.Newest()}} {
			value, err := json.Marshal(e[1]) // a JSON text is one of YAML too
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%s: %s\n", e[0], value)
		}
		b.WriteString("---\n")
		before, after, drawn := strings.Cut(d.String(), inJekyll.charts)
		b.WriteString(raw(before))
		if drawn {
			b.WriteString("\n{% include inferdex/charts.html card=page.card %}\n\n" + raw(after))
		}
		files = append(files, File{"_inferdex/" + c.Name + ".md", b.Bytes()})
	}
	return files, nil
}

// shown is foreign text for front matter, which themes put into HTML as it is.
func shown(s string) string {
	s = strings.NewReplacer("<", "‹", ">", "›", `"`, "”", "\u2028", " ", "\u2029", " ").Replace(s)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == ' ' || r == 0x7f }), " ")
}

var endRaw = regexp.MustCompile(`\{%(-?\s*endraw)`)

// raw is text that Liquid does not read. An end of it within the text is split in two.
func raw(s string) string {
	return "{% raw %}\n" + endRaw.ReplaceAllString(s, `{% endraw %}{{ "{%" }}{% raw %}$1`) + "\n{% endraw %}\n"
}
