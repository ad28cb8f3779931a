package data

import (
	"cmp"
	"encoding/json"
	"io"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/view"
)

// Descriptions of the data for programs: the JSON Schema of the catalog, made of its Go types so
// that it cannot fall behind them; the description of the package of files (Data Package, of the
// Frictionless project); and the description of the data set that search engines read
// (schema.org/Dataset).

// schema is a JSON Schema, draft 2020-12, as far as it is needed here.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        string             `json:"type,omitempty"`
	Const       any                `json:"const,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	// Closed says that no other property is there.
	Closed      *bool              `json:"unevaluatedProperties,omitempty"`
	Values      *schema            `json:"additionalProperties,omitempty"` // of a map
	Names       *schema            `json:"propertyNames,omitempty"`
	Items       any                `json:"items,omitempty"`
	PrefixItems []*schema          `json:"prefixItems,omitempty"`
	MinItems    int                `json:"minItems,omitempty"`
	Definitions map[string]*schema `json:"$defs,omitempty"`
}

// described says of types and properties what their names do not. A key is the name of a Go type,
// or that and the name of the property in JSON.
var described = map[string]string{
	"catalogDocument": "The runs of an inferdex catalog. Numbers are in base units: seconds, tokens a " +
		"second, requests a second, fractions, watts. What is not known is absent, never zero.",
	"catalogDocument.inferdex": "version of the format",
	"Attribute":                "one piece of metadata in its source's words, and where it comes from",
	"Attribute.was":            "the value that an override replaced",
	"Attribute.others":         "statements of the same or a lower authority that disagree",
	"CI":                       "where a file was produced",
	"Device":                   "one accelerator as a metadata file reports it",
	"Figure":                   "a quantity of a whole run",
	"Figure.of":                "tells figures of one metric apart",
	"Figure.value":             "exact; absent where only the published text is known",
	"Figure.published":         "the text that a published page gives, or would give",
	"Finding":                  "what a reader has to know before quoting a number of the run",
	"Finding.accepted":         "acknowledged by the owner of the run",
	"Identity":                 "what the id of a run is made of",
	"Lengths":                  "tokens of a request",
	"Load":                     "how hard the server was driven",
	"Load.rate":                "requests a second; \"inf\" is all requests at once",
	"Load.max_concurrency":     "parallel requests",
	"Parameter.redacted":       "the value was a secret and is the string \"redacted\"",
	"Parameter.text":           "the value is the text of a published page, not a typed value",
	"Percentile":               "the percentile, 0 to 100, and its value",
	"Place":                    "where in a source something stands",
	"Place.source":             "the first 12 digits of the source's SHA-256",
	"Point":                    "one measured operating point",
	"Point.at":                 "the record that the point was read from",
	"Point.metrics":            "by metric, in the metric's base unit",
	"Profile":                  "a scatter or a time line, thinned to what a chart can show",
	"Run":                      "one session of measuring",
	"Run.started": "date and time of the beginning as well as it is known, in ISO 8601, with a zone " +
		"only where one is recorded",
	"Run.formerly":     "ids that the run had before",
	"Run.unmapped":     "keys of the records that were never used, with their counts",
	"Run.withdrawn":    "why the run must not be used any more",
	"Source":           "one file that records were read from",
	"Stat":             "what is known of one metric at one point",
	"Stat.value":       "set where the metric is one number and no distribution",
	"Stat.n":           "number of samples",
	"Stat.orig_unit":   "the source's own unit where it differed",
	"Stat.computed":    "how inferdex computed the numbers; absent where they were read",
	"Workload":         "what was asked for, apart from how hard",
	"Workload.nominal": "lengths as asked for",
	"Workload.actual":  "lengths as measured, medians",
}

// catalogDocument is the download of the whole catalog.
type catalogDocument export.Document

// catalogSchema describes the download of the catalog.
func catalogSchema() *schema {
	m := schemaMaker{defs: map[string]*schema{}}
	s := m.object(reflect.TypeFor[catalogDocument]())
	s.Schema, s.Title, s.Definitions = "https://json-schema.org/draft/2020-12/schema", "inferdex catalog", m.defs
	s.Properties["inferdex"].Const = catalog.FormatVersion
	return s
}

type schemaMaker struct{ defs map[string]*schema }

// of describes the values of a type. Structs are definitions of their own.
func (m *schemaMaker) of(t reflect.Type) *schema {
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return &schema{}
	case reflect.TypeFor[record.Float]():
		return &schema{AnyOf: []*schema{{Type: "number"}, {Const: "inf"}}}
	case reflect.TypeFor[metric.ID]():
		s := &schema{Type: "string"}
		for _, i := range metric.All() {
			s.Enum = append(s.Enum, string(i.ID))
		}
		return s
	case reflect.TypeFor[record.Severity]():
		return &schema{Enum: []any{string(record.Error), string(record.Warning), string(record.Remark)}}
	case reflect.TypeFor[catalog.Percentile]():
		if m.defs["Percentile"] == nil {
			m.defs["Percentile"] = &schema{Type: "array", Description: described["Percentile"],
				PrefixItems: []*schema{{Type: "number"}, {Type: "number"}}, Items: false, MinItems: 2}
		}
		return &schema{Ref: "#/$defs/Percentile"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: m.of(t.Elem())}
	case reflect.Map:
		s := &schema{Type: "object", Values: m.of(t.Elem())}
		if t.Key() == reflect.TypeFor[metric.ID]() {
			s.Names = m.of(t.Key())
		}
		return s
	case reflect.Struct:
		if m.defs[t.Name()] == nil {
			m.defs[t.Name()] = &schema{} // ends recursion
			m.defs[t.Name()] = m.object(t)
		}
		return &schema{Ref: "#/$defs/" + t.Name()}
	}
	panic("site: no schema for " + t.String())
}

// object describes a struct as encoding/json writes it.
func (m *schemaMaker) object(t reflect.Type) *schema {
	closed := false
	s := &schema{Type: "object", Description: described[t.Name()], Properties: map[string]*schema{}, Closed: &closed}
	for _, field := range reflect.VisibleFields(t) { // those of embedded structs too
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p := m.of(field.Type)
		if field.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
			p = &schema{AnyOf: []*schema{p, {Type: "null"}}}
		}
		p.Description = described[t.Name()+"."+name]
		s.Properties[name] = p
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// profile is the address of a JSON Schema of Data Package 2.0.
func profile(of string) string { return "https://datapackage.org/profiles/2.0/" + of + ".json" }

// A Data Package of version 2.0, as far as it is needed here.
type (
	tableSchema struct {
		Schema        string          `json:"$schema"`
		Fields        []export.Column `json:"fields"`
		MissingValues []string        `json:"missingValues"`
	}
	tableDialect struct {
		Schema    string `json:"$schema"`
		Header    bool   `json:"header"`
		Delimiter string `json:"delimiter"`
		Line      string `json:"lineTerminator"`
		Quote     string `json:"quoteChar"`
	}
	packageResource struct {
		Profile     string        `json:"$schema"`
		Name        string        `json:"name"`
		Path        string        `json:"path"`
		Type        string        `json:"type,omitempty"`
		Description string        `json:"description"`
		Format      string        `json:"format"`
		MediaType   string        `json:"mediatype"`
		Encoding    string        `json:"encoding,omitempty"`
		Compression string        `json:"compression,omitempty"`
		Dialect     *tableDialect `json:"dialect,omitempty"`
		Schema      *tableSchema  `json:"schema,omitempty"`
	}
	packageSource struct {
		Title string `json:"title"`
		Path  string `json:"path,omitempty"`
	}
	packageContributor struct {
		Title string   `json:"title"`
		Roles []string `json:"roles"`
	}
)

// dataPackage describes the downloads as a Data Package, to lie beside them.
func (g *Set) dataPackage() any {
	p := struct {
		Profile      string                  `json:"$schema"`
		Name         string                  `json:"name"`
		Title        string                  `json:"title"`
		Description  string                  `json:"description"`
		Homepage     string                  `json:"homepage,omitempty"`
		Keywords     []string                `json:"keywords"`
		Licenses     []export.PackageLicense `json:"licenses,omitempty"`
		Contributors []packageContributor    `json:"contributors,omitempty"`
		Sources      []packageSource         `json:"sources,omitempty"`
		Resources    []packageResource       `json:"resources"`
	}{Profile: profile("datapackage"), Name: cmp.Or(strings.Trim(catalog.Slug(g.Config.Title), "-."), "inferdex"),
		Title: g.Title(), Description: g.about.Description, Homepage: g.Base(), Keywords: export.Keywords,
		Licenses: g.about.License.Package(), Sources: g.packageSources()}
	if g.about.Creator != "" {
		p.Contributors = []packageContributor{{g.about.Creator, []string{"creator"}}}
	}
	ofModel := map[string][]*figure.Run{}
	for _, m := range g.Index.Models {
		ofModel[view.PathModelPoints(m.Slug)] = m.Runs()
	}
	for _, d := range g.Downloads() {
		if d.Path != view.PathPackage {
			runs, ok := ofModel[d.Path]
			if !ok {
				runs = g.Index.Runs
			}
			p.Resources = append(p.Resources, resourceOf(d, runs))
		}
	}
	return p
}

// resourceOf describes a download of runs.
func resourceOf(d view.Download, runs []*figure.Run) packageResource {
	name := strings.TrimPrefix(d.Path, "data/")
	r := packageResource{Profile: profile("dataresource"), Path: name, Description: d.What, Encoding: "utf-8",
		Name: strings.NewReplacer("/", "-", ".gz", "-gz").Replace(strings.ToLower(name))}
	plain, packed := strings.CutSuffix(name, ".gz")
	if packed {
		r.Compression = "gz"
	}
	r.MediaType, r.Format = mediaType(plain), strings.TrimPrefix(path.Ext(plain), ".")
	if r.Format != "csv" {
		return r
	}
	fields := export.PointColumns(runs)
	if plain == "runs.csv" {
		fields = export.RunColumns(runs)
	}
	r.Type, r.Schema = "table", &tableSchema{profile("tableschema"), fields, []string{""}}
	r.Dialect = &tableDialect{profile("tabledialect"), true, ",", "\n", `"`}
	return r
}

// packageSources are what runs were read from, as far as it is published and has a title.
func (g *Set) packageSources() (list []packageSource) {
	const most = 100
	seen := map[packageSource]bool{}
	for _, r := range g.Index.Runs {
		for _, s := range r.Sources {
			k := packageSource{s.Title, page.WebAddress(s.Address)}
			if s.Title != "" && !seen[k] && len(list) < most {
				seen[k] = true
				list = append(list, k)
			}
		}
	}
	slices.SortFunc(list, func(a, b packageSource) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// mediaType is the type of a file by its name.
func mediaType(name string) string {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".gz"):
		return "application/gzip"
	case strings.HasSuffix(base, ".csv"):
		return "text/csv"
	case strings.HasSuffix(base, ".jsonl"):
		return "application/jsonl"
	case strings.HasSuffix(base, ".schema.json"):
		return "application/schema+json"
	case base == "croissant.json":
		return "application/ld+json"
	case strings.HasSuffix(base, ".cff"):
		return "application/yaml"
	}
	return "application/json"
}

// croissant describes points and runs as they are published in Croissant 1.1.
func (g *Set) croissant(w io.Writer) error {
	tables, err := export.Tables(g.Index)
	if err != nil {
		return err
	}
	for i := range tables {
		tables[i].URL = g.Base() + "data/" + tables[i].Path
	}
	about := g.about
	about.URL += page.PathData + "/"
	data, err := export.Croissant(tables, about)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// writeDataset writes the data block that describes the data set to search engines. It names
// addresses, so a site without a base URL has none. encoding/json escapes what could end the
// block.
func (g *Set) writeDataset(w io.Writer) error {
	base := g.Base()
	type download struct {
		Type   string `json:"@type"`
		Format string `json:"encodingFormat"`
		URL    string `json:"contentUrl"`
		Text   string `json:"description"`
	}
	type named struct {
		Type string `json:"@type"`
		Name string `json:"name"`
		Unit string `json:"unitText,omitempty"`
	}
	d := struct {
		Context      string     `json:"@context"`
		Type         string     `json:"@type"`
		ID           string     `json:"@id"`
		Name         string     `json:"name"`
		Description  string     `json:"description"`
		URL          string     `json:"url"`
		Free         bool       `json:"isAccessibleForFree"`
		License      any        `json:"license,omitempty"`
		Keywords     []string   `json:"keywords"`
		Creator      *named     `json:"creator,omitempty"`
		Coverage     string     `json:"temporalCoverage,omitempty"`
		Techniques   []string   `json:"measurementTechnique,omitempty"`
		Variables    []named    `json:"variableMeasured,omitempty"`
		Distribution []download `json:"distribution"`
	}{Context: "https://schema.org/", Type: "Dataset", ID: base + page.PathData + "/",
		Name: g.Title() + ": LLM inference benchmarks", Description: g.about.Description,
		URL: base + page.PathData + "/", Free: true, License: g.about.License.Linked(), Keywords: export.Keywords}
	if g.about.Creator != "" {
		d.Creator = &named{Type: "Organization", Name: g.about.Creator}
	}
	first, last := "", ""
	measured := map[metric.ID]bool{}
	for _, r := range g.Index.Runs {
		if day := page.Day(r.Started); len(day) == 10 {
			if first == "" || day < first {
				first = day
			}
			last = max(last, day)
		}
		if t := r.Tool.Name; !slices.Contains(d.Techniques, t) && r.Identity.Tool != "unknown" && t != "" {
			d.Techniques = append(d.Techniques, t)
		}
		for i := range r.Points {
			for m := range r.Points[i].Metrics {
				measured[m] = true
			}
		}
	}
	slices.Sort(d.Techniques)
	d.Techniques = d.Techniques[:min(50, len(d.Techniques))]
	if first != "" {
		d.Coverage = first + "/" + last
	}
	for _, i := range metric.All() {
		if measured[i.ID] {
			d.Variables = append(d.Variables, named{"PropertyValue", i.Label, i.Unit})
		}
	}
	for _, f := range g.Downloads() {
		if strings.HasPrefix(f.Path, "data/models/") {
			break // the whole is among the files
		}
		d.Distribution = append(d.Distribution, download{"DataDownload", mediaType(f.Path), base + f.Path, f.What})
	}
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = w.Write(slices.Concat([]byte(`<script type="application/ld+json">`), data, []byte("</script>")))
	return err
}
