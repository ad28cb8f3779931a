package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
)

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

// Table is a CSV file that a description of data is about.
type Table struct {
	File
	// URL is where it is published; empty where it lies beside the description.
	URL     string
	Columns []Column
	About   string
}

// Tables are points and runs as CSV.
func Tables(ix *figure.Index) ([]Table, error) {
	tables := []Table{{File: File{Path: "points.csv"}, Columns: PointColumns(ix.Runs), About: PointsAbout},
		{File: File{Path: "runs.csv"}, Columns: RunColumns(ix.Runs), About: RunsAbout}}
	for i, write := range []func(io.Writer, []*figure.Run) error{WritePoints, WriteRuns} {
		var b bytes.Buffer
		if err := write(&b, ix.Runs); err != nil {
			return nil, err
		}
		tables[i].Data = b.Bytes()
	}
	return tables, nil
}

// What the tables of points and runs are.
const (
	PointsAbout = "all points, one statistic of one metric a row"
	RunsAbout   = "all runs, one a row"
)

// Croissant describes tables in Croissant 1.1. Nothing of about may be missing.
func Croissant(tables []Table, about Described) ([]byte, error) {
	var distribution, sets []any
	for _, t := range tables {
		sum := sha256.Sum256(t.Data)
		distribution = append(distribution, map[string]any{"@type": "cr:FileObject", "@id": t.Path, "name": t.Path,
			"description": t.About, "contentUrl": cmp.Or(t.URL, t.Path),
			"contentSize":    fmt.Sprintf("%d B", len(t.Data)),
			"encodingFormat": "text/csv", "sha256": hex.EncodeToString(sum[:])})
		name := strings.TrimSuffix(t.Path, ".csv")
		fields := []any{}
		for _, c := range t.Columns {
			field := map[string]any{"@type": "cr:Field", "@id": name + "/" + c.Name, "name": c.Name,
				"dataType": croissantType[c.Type],
				"source": map[string]any{"fileObject": map[string]any{"@id": t.Path},
					"extract": map[string]any{"column": c.Name}}}
			if c.Description != "" {
				field["description"] = c.Description
			}
			fields = append(fields, field)
		}
		sets = append(sets, map[string]any{"@type": "cr:RecordSet", "@id": name, "name": name, "description": t.About,
			"field": fields})
	}
	return encode(map[string]any{"@context": croissantContext, "@type": "sc:Dataset",
		"conformsTo": "http://mlcommons.org/croissant/1.1", "name": about.Name, "description": about.Description,
		"license": about.License.Linked(), "url": about.URL, "creator": map[string]any{"@type": "sc:Organization",
			"name": about.Creator}, "datePublished": about.Published, "isLiveDataset": true, "keywords": Keywords,
		"distribution": distribution, "recordSet": sets})
}
