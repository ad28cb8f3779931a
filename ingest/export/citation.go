package export

import "go.yaml.in/yaml/v3"

// Citation is a CITATION.cff of version 1.2.0. Who made the data has to be known: Creator.
func Citation(about Described) ([]byte, error) {
	type entity struct {
		Name string `yaml:"name"`
	}
	c := struct {
		Version    string   `yaml:"cff-version"`
		Message    string   `yaml:"message"`
		Type       string   `yaml:"type"`
		Title      string   `yaml:"title"`
		Abstract   string   `yaml:"abstract,omitempty"`
		Authors    []entity `yaml:"authors"`
		Keywords   []string `yaml:"keywords"`
		License    string   `yaml:"license,omitempty"`
		LicenseURL string   `yaml:"license-url,omitempty"`
		URL        string   `yaml:"url,omitempty"`
		Repository string   `yaml:"repository,omitempty"`
		Released   string   `yaml:"date-released,omitempty"`
	}{Version: "1.2.0", Message: "If you quote these measurements, cite this data set and the run.", Type: "dataset",
		Title: about.Name, Abstract: about.Description, Authors: []entity{{about.Creator}},
		Keywords: Keywords, URL: about.URL, Repository: about.Repository, Released: about.Published}
	if l := about.License; l.known != nil && !l.known.late {
		c.License = l.Name
	} else {
		c.LicenseURL = l.Address
	}
	return yaml.Marshal(c)
}
