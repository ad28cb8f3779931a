package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
)

// Described is what a description of the data needs and results do not say.
type Described struct {
	Name, Description string
	// URL is where the data is published, License the address or SPDX name of its licence, Creator who made it,
	// Published the day in ISO 8601.
	URL, License, Creator, Published string
}

// Missing are the flags of what is not known.
func (d Described) Missing() (flags []string) {
	for _, e := range [][2]string{{"--name", d.Name}, {"--url", d.URL}, {"--license", d.License}, {"--creator", d.Creator},
		{"--published", d.Published}} {
		if e[1] == "" {
			flags = append(flags, e[0])
		}
	}
	return flags
}

// croissantContext are the terms of Croissant 1.1 as JSON-LD knows them.
var croissantContext = map[string]any{
	"@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
	"conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
	"data": map[string]any{"@id": "cr:data", "@type": "@json"}, "dataType": map[string]any{"@id": "cr:dataType",
		"@type": "@vocab"},
	"dct": "http://purl.org/dc/terms/", "examples": map[string]any{"@id": "cr:examples", "@type": "@json"},
	"extract": "cr:extract", "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
	"fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset",
	"jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path",
	"recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
	"replace": "cr:replace", "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
	"subField": "cr:subField", "transform": "cr:transform",
}

// croissantType is the type of a column of Table Schema.
var croissantType = map[string]string{"string": "sc:Text", "number": "sc:Float", "integer": "sc:Integer"}

// Croissant are points and runs as CSV, with a description of both in Croissant 1.1.
func Croissant(ix *figure.Index, about Described) ([]File, error) {
	var points, runs bytes.Buffer
	if err := WritePoints(&points, ix.Runs); err != nil {
		return nil, err
	}
	if err := WriteRuns(&runs, ix.Runs); err != nil {
		return nil, err
	}
	files := []File{{"points.csv", points.Bytes()}, {"runs.csv", runs.Bytes()}}
	var distribution, sets []any
	for _, f := range []struct {
		File
		columns []Column
		about   string
	}{{files[0], PointColumns, "measured points, one statistic of one metric a row"},
		{files[1], RunColumns, "runs, one a row"}} {
		sum := sha256.Sum256(f.Data)
		distribution = append(distribution, map[string]any{"@type": "cr:FileObject", "@id": f.Path, "name": f.Path,
			"description": f.about, "contentUrl": f.Path, "contentSize": fmt.Sprintf("%d B", len(f.Data)),
			"encodingFormat": "text/csv", "sha256": hex.EncodeToString(sum[:])})
		name := strings.TrimSuffix(f.Path, ".csv")
		fields := []any{}
		for _, c := range f.columns {
			field := map[string]any{"@type": "cr:Field", "@id": name + "/" + c.Name, "name": c.Name,
				"dataType": croissantType[c.Type],
				"source": map[string]any{"fileObject": map[string]any{"@id": f.Path},
					"extract": map[string]any{"column": c.Name}}}
			if c.Description != "" {
				field["description"] = c.Description
			}
			fields = append(fields, field)
		}
		sets = append(sets, map[string]any{"@type": "cr:RecordSet", "@id": name, "name": name, "description": f.about,
			"field": fields})
	}
	doc, err := encode(map[string]any{"@context": croissantContext, "@type": "sc:Dataset",
		"conformsTo": "http://mlcommons.org/croissant/1.1", "name": about.Name, "description": about.Description,
		"license": about.License, "url": about.URL, "creator": map[string]any{"@type": "sc:Organization",
			"name": about.Creator}, "datePublished": about.Published, "isLiveDataset": true,
		"distribution": distribution, "recordSet": sets})
	return append(files, File{"croissant.json", doc}), err
}
