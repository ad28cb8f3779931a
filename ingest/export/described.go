package export

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Described is what descriptions of the data say of it as a whole. What is not known is empty.
type Described struct {
	Name, Description string
	// URL is where the data is published, Creator who made it, Published the day of the newest run in ISO 8601.
	URL, Creator, Published string
	License                 License
	// Repository is the address of the catalog's source.
	Repository string
}

// Keywords of each data set.
var Keywords = []string{"LLM", "inference", "benchmark", "GPU", "throughput", "latency", "time to first token"}

// Describe is what settings and sources say of a catalog. Licence and creator are those of the settings, else those
// that all sources of runs state alike.
func Describe(ix *figure.Index, c *settings.Config) Described {
	if c == nil {
		c = &settings.Config{}
	}
	points, published := 0, ""
	for _, r := range ix.Runs {
		points += len(r.Points)
		day := r.Started[:min(10, len(r.Started))]
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			published = max(published, day)
		}
	}
	about := metric.FullStop(cmp.Or(strings.TrimSpace(c.Description), "LLM inference benchmarks by model and hardware")) +
		" " + metric.Plural(len(ix.Runs), "run") + " with " + metric.Plural(points, "measured point") +
		": throughput, latency and KV-cache capacity, each number with the file it was read from."
	if c.Notice != "" {
		about += " " + metric.FullStop(strings.TrimSpace(c.Notice))
	}
	license := LicenseOf(c.License)
	if license.IsZero() { // words of sources such as "none stated" are no licence
		if l := LicenseOf(common(ix.Runs, func(s catalog.Source) string { return s.License })); l.Address != "" {
			license = l
		}
	}
	return Described{
		Name: cmp.Or(c.Title, "inferdex"), Description: about, URL: c.BaseURL, Repository: c.Repository,
		Published: published,
		Creator:   cmp.Or(c.Author, common(ix.Runs, func(s catalog.Source) string { return s.Author })),
		License:   license,
	}
}

// common is what all sources of runs state alike, "" where one says nothing or something else.
func common(runs []*figure.Run, of func(catalog.Source) string) string {
	all := ""
	for _, r := range runs {
		for _, s := range r.Sources {
			if v := of(s); v == "" || all != "" && v != all {
				return ""
			} else {
				all = v
			}
		}
	}
	return all
}

// License is what data may be used for. The zero License is not known.
type License struct {
	// Name is the SPDX name, or the text that stands where there is none.
	Name string
	// Address is where its text is; empty where it is not known.
	Address string
	// known is its row below; nil for other licences.
	known *licenseNames
}

type licenseNames struct {
	spdx string
	// hub is its name on the Hugging Face Hub.
	hub string
	// late: the schema of CITATION.cff is older and does not know it.
	late bool
}

// licenses are those that data is published under.
var licenses = []licenseNames{
	{spdx: "CC0-1.0", hub: "cc0-1.0"}, {spdx: "CC-BY-2.0", hub: "cc-by-2.0"}, {spdx: "CC-BY-3.0", hub: "cc-by-3.0"},
	{spdx: "CC-BY-4.0", hub: "cc-by-4.0"}, {spdx: "CC-BY-SA-3.0", hub: "cc-by-sa-3.0"},
	{spdx: "CC-BY-SA-4.0", hub: "cc-by-sa-4.0"}, {spdx: "CC-BY-NC-4.0", hub: "cc-by-nc-4.0"},
	{spdx: "CC-BY-ND-4.0", hub: "cc-by-nd-4.0"}, {spdx: "CC-BY-NC-SA-4.0", hub: "cc-by-nc-sa-4.0"},
	{spdx: "CC-BY-NC-ND-4.0", hub: "cc-by-nc-nd-4.0"}, {spdx: "ODbL-1.0", hub: "odbl"},
	{spdx: "ODC-By-1.0", hub: "odc-by"}, {spdx: "PDDL-1.0", hub: "pddl"},
	{spdx: "CDLA-Permissive-1.0", hub: "cdla-permissive-1.0"},
	{spdx: "CDLA-Permissive-2.0", hub: "cdla-permissive-2.0", late: true},
	{spdx: "CDLA-Sharing-1.0", hub: "cdla-sharing-1.0"}, {spdx: "Apache-2.0", hub: "apache-2.0"},
	{spdx: "MIT", hub: "mit"}, {spdx: "BSD-2-Clause", hub: "bsd-2-clause"}, {spdx: "BSD-3-Clause", hub: "bsd-3-clause"},
	{spdx: "MPL-2.0", hub: "mpl-2.0"}, {spdx: "ISC", hub: "isc"}, {spdx: "Unlicense", hub: "unlicense"},
}

const spdxAddress = "https://spdx.org/licenses/"

// LicenseOf is the licence that a text names: an SPDX name, an address, or words.
func LicenseOf(s string) License {
	s = strings.TrimSpace(s)
	name := strings.TrimSuffix(strings.TrimPrefix(s, spdxAddress), ".html")
	for i := range licenses {
		if l := &licenses[i]; strings.EqualFold(name, l.spdx) {
			return License{l.spdx, spdxAddress + l.spdx, l}
		}
	}
	if u, err := url.Parse(s); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		return License{Address: u.String()}
	}
	return License{Name: s}
}

// IsZero reports whether no licence is known.
func (l License) IsZero() bool { return l == License{} }

// Linked is the licence as JSON-LD has it: its address, or a work of its name.
func (l License) Linked() any {
	switch {
	case l.IsZero():
		return nil
	case l.Address != "":
		return l.Address
	}
	return map[string]string{"@type": "CreativeWork", "name": l.Name}
}

var openName = regexp.MustCompile(`^[-a-zA-Z0-9._]+$`)

// PackageLicense is a licence of a Data Package.
type PackageLicense struct {
	Name  string `json:"name,omitempty"`
	Path  string `json:"path,omitempty"`
	Title string `json:"title,omitempty"`
}

// Package is the licence as a Data Package has it, none where neither a name without spaces nor an address is known.
func (l License) Package() []PackageLicense {
	switch {
	case l.Address != "":
		return []PackageLicense{{Name: l.Name, Path: l.Address}}
	case openName.MatchString(l.Name):
		return []PackageLicense{{Name: l.Name}}
	}
	return nil
}

// Missing are the flags of what a description in Croissant needs and is not known.
func (d Described) Missing() (flags []string) {
	for _, e := range [][2]string{{"--name", d.Name}, {"--url", d.URL},
		{"--license", cmp.Or(d.License.Address, d.License.Name)}, {"--creator", d.Creator}, {"--published", d.Published}} {
		if e[1] == "" {
			flags = append(flags, e[0])
		}
	}
	return flags
}
