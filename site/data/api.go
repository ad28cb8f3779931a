package data

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// Where programs find plain JSON. The addresses stay: what changes them is a v2 beside them.
const (
	apiRoot   = "api/v1/"
	apiOpen   = apiRoot + "openapi.json"
	pathSkill = "SKILL.md"
)

// apiCards lists all cards, with the headline figures of their runs.
type apiCards struct {
	Version int           `json:"inferdex"`
	Cards   []export.Card `json:"cards"`
}

// apiRun is a run with all of its numbers and what it is of.
type apiRun struct {
	Version      int    `json:"inferdex"`
	Title        string `json:"title"`
	Model        string `json:"model"`
	Hardware     string `json:"hardware"`
	Accelerators *int64 `json:"accelerators"` // null where it is not recorded
	// Replication says how runs of other authors stand to this one.
	Replication string `json:"replication,omitempty"`
	export.Run
}

// apiVersion is that of the files below apiRoot.
const apiVersion = 1

// apiFiles are the list of cards and the description of all. Runs have a file each among theirs; cards have none,
// because each file is one more to publish for every card.
func (g *Set) apiFiles() []page.File {
	if len(g.Index.Runs) == 0 {
		return nil
	}
	return []page.File{{Path: apiOpen, Write: func(w io.Writer) error { return writeJSON(w, g.openAPI()) }},
		{Path: apiRoot + "cards.json", Write: func(w io.Writer) error {
			all := apiCards{Version: apiVersion, Cards: []export.Card{}}
			for name, c := range export.Names(g.Index) {
				all.Cards = append(all.Cards, export.Summary(name, c))
			}
			return writeLine(w, all)
		}}}
}

func (g *Set) apiRunFile(r *figure.Run) page.File {
	return page.File{Path: view.PathRunJSON(r.ID), Write: func(w io.Writer) error {
		of := export.Summary("", &figure.Card{Model: r.Model, Hardware: r.Hardware, Runs: []*figure.Run{r}})
		replicated, _ := claim.Replicated(r, g.Arguments)
		return writeLine(w, apiRun{apiVersion, of.Title, of.Model, of.Hardware, of.Accelerators, replicated.Text(),
			export.NewRun(r)})
	}}
}

// writeLine writes a value as one line of JSON.
func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// apiSchemas describe the answers, by name.
func apiSchemas() map[string]*schema {
	m := schemaMaker{defs: map[string]*schema{}}
	m.defs["Cards"] = m.object(reflect.TypeFor[apiCards]())
	m.defs["RunWithNumbers"] = m.object(reflect.TypeFor[apiRun]())
	return m.defs
}

// openAPI describes the files in the words of OpenAPI 3.1. Servers are named where the site's address is known.
func (g *Set) openAPI() any {
	type object = map[string]any
	answer := func(summary, schema string, parameter, about string) object {
		get := object{"summary": summary, "responses": object{"200": object{"description": summary,
			"content": object{"application/json": object{"schema": object{"$ref": "#/$defs/" + schema}}}},
			"404": object{"description": "there is none of that name"}}}
		if parameter != "" {
			get["parameters"] = []any{object{"name": parameter, "in": "path", "required": true, "description": about,
				"schema": object{"type": "string"}}}
		}
		return object{"get": get}
	}
	doc := object{"openapi": "3.1.0",
		"info": object{"title": g.Title(), "version": "1", "description": g.about.Description + " Numbers are in base " +
			"units (seconds, tokens a second) and exact. " + strings.Join(strings.Fields(export.Quoting), " ")},
		"paths": object{
			"/" + apiRoot + "cards.json": answer("all models on all hardware, with the headline figures of their runs",
				"Cards", "", ""),
			"/" + apiRoot + "runs/{run}.json": answer("a run with all of its numbers", "RunWithNumbers", "run",
				"id of a run: it never means another"),
		},
		"components": object{"schemas": apiSchemas()}}
	if base := g.Base(); base != "" {
		doc["servers"] = []any{object{"url": strings.TrimSuffix(base, "/")}}
	}
	var b bytes.Buffer
	if err := writeLine(&b, doc); err != nil {
		panic(err) // it is made of texts alone
	}
	return json.RawMessage(strings.ReplaceAll(b.String(), `"$ref":"#/$defs/`, `"$ref":"#/components/schemas/`))
}

// writeSkill writes what tells an assistant how the catalog is quoted.
func (g *Set) writeSkill(w io.Writer) error {
	about, err := json.Marshal("How to answer questions about LLM inference benchmarks from the catalog " + g.Title() +
		": where its numbers are, how they are quoted, and when to refuse")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	b.WriteString("---\nname: quote-benchmarks\ndescription: " + string(about) + "\n---\n\n# Quoting benchmarks\n\n")
	b.WriteString(export.Quoting)
	b.WriteString("\n## Where the numbers are\n\n" +
		"- `" + g.Base() + apiRoot + "cards.json`: what was measured, with headline figures\n" +
		"- `" + g.Base() + apiRoot + "runs/<run>.json`: all numbers of a run, with workload, load, file and line\n" +
		"- `" + g.Base() + apiOpen + "`: what each member means\n" +
		"- `inferdex mcp`: the same answers, and comparisons with what is refused, for who has the catalog on disk\n")
	return b.Flush()
}
