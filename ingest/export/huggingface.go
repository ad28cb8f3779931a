package export

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// HubFile is a data file of a data set on the Hugging Face Hub, which is one of its configurations there.
type HubFile struct {
	File
	Config, About string
	Columns       []Column
	// Rows are how many it has.
	Rows int
}

// HuggingFace are the files of a data set on the Hugging Face Hub: the data, and a card whose configurations name it,
// so that the Hub shows and loads each as a table. The first one is the default.
func HuggingFace(data []HubFile, about Described) ([]File, error) {
	type config struct {
		Name    string `yaml:"config_name"`
		Files   string `yaml:"data_files"`
		Default bool   `yaml:"default,omitempty"`
	}
	head := struct {
		Title       string   `yaml:"pretty_name"`
		License     string   `yaml:"license,omitempty"`
		LicenseName string   `yaml:"license_name,omitempty"`
		LicenseLink string   `yaml:"license_link,omitempty"`
		Language    []string `yaml:"language"`
		Tags        []string `yaml:"tags"`
		Sizes       []string `yaml:"size_categories"`
		Configs     []config `yaml:"configs"`
	}{Title: about.Name, Language: []string{"en"}, Tags: append([]string{"tabular"}, Keywords...)}
	switch l := about.License; {
	case l.known != nil:
		head.License = l.known.hub
	case !l.IsZero():
		head.License, head.LicenseName, head.LicenseLink = "other", hubName(l), l.Address
	}
	files, most := []File{}, 0
	for i, d := range data {
		files, most = append(files, d.File), max(most, d.Rows)
		head.Configs = append(head.Configs, config{d.Config, d.Path, i == 0 && len(data) > 1})
	}
	head.Sizes = []string{hubSize(most)}
	front, err := yaml.Marshal(head)
	if err != nil {
		return nil, err
	}
	d := &document{}
	fmt.Fprintf(d, "---\n%s---\n", front)
	d.heading(1, about.Name)
	fmt.Fprintf(d, "%s\n", inert(about.Description))
	for _, e := range [][2]string{{"Made by", about.Creator}, {"Published at", about.URL}, {"Source", about.Repository},
		{"Newest run", about.Published}} {
		if e[1] != "" {
			fmt.Fprintf(d, "\n%s: %s\n", e[0], inert(e[1]))
		}
	}
	for _, f := range data {
		d.heading(2, f.Config)
		fmt.Fprintf(d, "%s, in `%s`:\n\n", inert(f.About), f.Path)
		var rows [][]string
		for _, c := range f.Columns {
			rows = append(rows, []string{c.Name, c.Type, c.Description})
		}
		d.table([]string{"Column", "Type", "What"}, nil, rows)
	}
	return append(files, File{"README.md", bytes.Clone(d.Bytes())}), nil
}

// hubName is what the Hub calls a licence that it does not know: small letters, digits and hyphens.
func hubName(l License) string {
	return cmp.Or(strings.Trim(catalog.Slug(l.Name), "-."), "see-link")
}

// hubSize is the class of a number of rows.
func hubSize(rows int) string {
	switch {
	case rows < 1_000:
		return "n<1K"
	case rows < 10_000:
		return "1K<n<10K"
	case rows < 100_000:
		return "10K<n<100K"
	case rows < 1_000_000:
		return "100K<n<1M"
	}
	return "1M<n<10M"
}
