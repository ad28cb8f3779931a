package settings

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Key is one key that a settings file may have.
type Key struct {
	// Name as it is written; "*" stands for names that the author chooses.
	Name string
	// Type is one of the types below. Keys are those of a table, or of each table of an array.
	Type Type
	Keys []Key
	// Doc says in a clause what the key is for.
	Doc string
}

// Type is what the value of a [Key] may be.
type Type string

// The types. A scalar is a string, a number, a boolean or a date, and counts as the text that is written.
const (
	Text      Type = "string"
	Scalar    Type = "string, number, boolean or date"
	Whole     Type = "whole number"
	Bytes     Type = "bytes, as a whole number or \"16 GiB\""
	Days      Type = "days, as a whole number, \"90 days\", \"12 weeks\" or \"never\""
	Texts     Type = "array of strings"
	OneOrMore Type = "string, or array of strings"
	OneTable  Type = "table"
	Tables    Type = "array of tables"
)

// factDocs say what the facts of run.toml are.
var factDocs = map[string]string{
	"model":          "the model, as its publisher names it",
	"hardware":       "the accelerator, with its count where that is known: \"4x MI300X\"",
	"count":          "how many accelerators, where hardware does not say it",
	"engine":         "the engine that served: \"vllm\"",
	"engine_version": "its version: \"0.8.2\"",
	"engine_commit":  "the commit it was built from",
	"image":          "the container image",
	"wrapper":        "what ran around the engine: \"happy_vllm\"",
	"precision":      "the precision of the weights: \"fp8\"",
	"series":         "the label of the run on a chart; in a run.toml also one for each run of a file",
	"baseline":       "true where other runs are held against this one, or the series of the one that is",
	"demo":           "true makes the run step back behind others: it is for show",
	"date":           "when it was measured",
	"notes":          "what readers have to know",
	"gpu_memory":     "the memory of one accelerator: \"80 GB\"",
	"driver":         "the version of the accelerator's driver",
	"cuda":           "the version of CUDA",
	"rocm":           "the version of ROCm",
	"os":             "the operating system",
	"kernel":         "its kernel",
	"cpu":            "the processor",
	"ram":            "the memory of the machine",
	"topology":       "how the accelerators are connected",
	"power_limit":    "the limit of power of one accelerator: \"300 W\"",
	"tokenizer":      "the tokenizer that counted",
	"command":        "the command that started the server",
	"client_command": "the command that measured",
	"tool_version":   "the version of the tool that measured",
}

// factReference are the keys of facts.
func factReference() []Key {
	var keys []Key
	for _, k := range factKeys {
		typ := Scalar
		if slices.Contains(ofText, k) {
			typ = Text
		}
		keys = append(keys, Key{Name: k, Type: typ, Doc: factDocs[k]})
	}
	return append(keys, Key{Name: "labels", Type: OneTable, Doc: "labels that you choose",
		Keys: []Key{{Name: "*", Type: Scalar, Doc: "a label"}}})
}

// entryReference are the keys that a run.toml has at its top and in each [[run]].
func entryReference() []Key {
	keys := factReference()
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == "series" })
	keys[i].Type = OneOrMore
	override := append(factReference(), Key{Name: "reason", Type: Text, Doc: "why, for those who read the page; needed"})
	return append(keys,
		Key{Name: "accept", Type: Texts, Doc: "codes of findings that are known and accepted"},
		Key{Name: "withdrawn", Type: Text, Doc: "why the runs must not be used any more"},
		Key{Name: "id", Type: Text, Doc: "an id of the run's own: lower-case letters, digits and -"},
		Key{Name: "same_as", Type: Text, Doc: "the id of the run that this one is"},
		Key{Name: "override", Type: OneTable, Doc: "replaces what the files themselves say, visibly", Keys: override})
}

// References are the keys of the files that people write beside a catalog or its results, by the name of the file.
func References() map[string][]Key {
	ci := []Key{}
	for _, m := range ciMembers {
		ci = append(ci, Key{Name: m.key, Type: Scalar, Doc: strings.ReplaceAll(m.key, "_", " ") + " of the job"})
	}
	run := Key{Name: "run", Type: Tables, Doc: "what holds for single files or runs",
		Keys: append([]Key{{Name: "file", Type: Text, Doc: "a pattern of files: \"*.json\""},
			{Name: "index", Type: Whole, Doc: "which run of the file, from 1"}}, entryReference()...)}
	return map[string][]Key{
		"inferdex.toml": configReference(),
		RunFile:         append(entryReference(), run),
		SourceFile: {{Name: "title", Type: Text, Doc: "what the files are called"},
			{Name: "address", Type: Text, Doc: "where they were published"},
			{Name: "author", Type: Text, Doc: "who made them: what others measured alike is a replication"},
			{Name: "date", Type: Scalar, Doc: "when they were published"},
			{Name: "license", Type: Text, Doc: "their licence"},
			{Name: "ci", Type: OneTable, Doc: "the CI job that made them", Keys: ci}},
	}
}

// configReference are the keys of inferdex.toml.
func configReference() []Key {
	return []Key{
		{Name: "title", Type: Text, Doc: "the title of the site"},
		{Name: "description", Type: Text, Doc: "what the site is, in a sentence"},
		{Name: "base_url", Type: Text, Doc: "where the site is published"},
		{Name: "repository", Type: Text, Doc: "the address of the repository, for \"report a wrong number\""},
		{Name: "notice", Type: Text, Doc: "a line on every page"},
		{Name: "author", Type: Text, Doc: "who made the measurements"},
		{Name: "license", Type: Text, Doc: "what the measurements may be used for: an SPDX name or an address"},
		{Name: "language", Type: Text, Doc: "the language of the site as in HTML; \"en\" where it is not set"},
		{Name: "limits", Type: OneTable, Doc: "bounds of what archives unpack to", Keys: []Key{
			{Name: "unpacked", Type: Bytes, Doc: "all members of one archive together"},
			{Name: "member", Type: Bytes, Doc: "one member"},
			{Name: "ratio", Type: Whole, Doc: "unpacked bytes for each packed one"},
			{Name: "members", Type: Whole, Doc: "how many members"},
			{Name: "depth", Type: Whole, Doc: "archives inside archives"}}},
		{Name: "ingest", Type: OneTable, Doc: "how files are read", Keys: []Key{
			{Name: "path", Type: Tables, Doc: "what the path of a file says; the first rule that matches wins",
				Keys: append([]Key{{Name: "pattern", Type: Text, Doc: "\"{hardware}/**\"; needed"}}, factReference()...)},
			{Name: "table", Type: Tables, Doc: "what the columns of tables mean that no other program writes",
				Keys: append([]Key{{Name: "files", Type: Text, Doc: "a pattern of files: \"nightly-*.csv\"; needed"},
					{Name: "tool", Type: Text, Doc: "the tool that measured"},
					{Name: "computed", Type: Text, Doc: "from what the numbers were computed, where no tool wrote them so"},
					{Name: "columns", Type: OneTable, Doc: "the meaning of each column; needed",
						Keys: []Key{{Name: "*", Type: Text, Doc: "\"output_throughput tok/s\""}}}}, factReference()...)}}},
		{Name: "catalog", Type: Tables, Doc: "catalogs that others publish, merged into this one", Keys: []Key{
			{Name: "url", Type: Text, Doc: "the folder data/ of their site: \"https://<host>/data/\"; needed"}}},
		{Name: "freshness", Type: OneTable, Doc: "how old the newest run of a card may be", Keys: []Key{
			{Name: "max_age", Type: Days, Doc: "that of every card without a rule below; no limit where it is not set"},
			{Name: "as_of", Type: Scalar, Doc: "the day ages are counted to; that of the newest run where it is not set"},
			{Name: "card", Type: Tables, Doc: "some cards; the first rule that matches wins", Keys: []Key{
				{Name: "card", Type: Text, Doc: "a pattern of their names: \"*-on-h100-*\""},
				{Name: "model", Type: Text, Doc: "a pattern of the model: \"Llama-*\""},
				{Name: "hardware", Type: Text, Doc: "a pattern of the hardware: \"*H100*\""},
				{Name: "max_age", Type: Days, Doc: "how old; needed"}}}}},
		{Name: "site", Type: OneTable, Doc: "the looks of the pages", Keys: []Key{
			{Name: "logo", Type: Text, Doc: "a picture below assets/"},
			{Name: "accent", Type: Text, Doc: "the colour of links: \"#0a6b35\""},
			{Name: "accent_dark", Type: Text, Doc: "the same in the dark theme"},
			{Name: "footer", Type: Text, Doc: "a text at the foot of every page"},
			{Name: "menu", Type: Tables, Doc: "entries of the menu", Keys: []Key{
				{Name: "text", Type: Text, Doc: "what is read; needed"},
				{Name: "url", Type: Text, Doc: "a page of the site, or an address; needed"}}}}},
	}
}

// Schema is the JSON Schema (draft 7, which editors of TOML know) of a file of [References]; nil for other names.
func Schema(file string) []byte {
	keys, ok := References()[file]
	if !ok {
		return nil
	}
	s := schemaOf(Key{Type: OneTable, Keys: keys})
	s["$schema"], s["title"] = "http://json-schema.org/draft-07/schema#", file
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // maps of texts always can be written
	}
	return append(data, '\n')
}

func schemaOf(k Key) map[string]any {
	text := map[string]any{"type": "string"}
	s := map[string]any{}
	switch k.Type {
	case Text:
		s["type"] = "string"
	case Whole:
		s["type"], s["minimum"] = "integer", 1
	case Bytes, Days:
		s["type"] = []string{"integer", "string"}
	case Scalar:
		s["type"] = []string{"string", "number", "boolean"}
	case Texts:
		s["type"], s["items"] = "array", text
	case OneOrMore:
		s["type"], s["items"] = []string{"string", "array"}, text
	case Tables:
		s["type"], s["items"] = "array", schemaOf(Key{Type: OneTable, Keys: k.Keys})
	case OneTable:
		s["type"], s["additionalProperties"] = "object", false
		members := map[string]any{}
		for _, m := range k.Keys {
			if m.Name == "*" {
				s["additionalProperties"] = schemaOf(m)
				continue
			}
			members[m.Name] = schemaOf(m)
		}
		s["properties"] = members
	}
	if k.Doc != "" {
		s["description"] = k.Doc
	}
	return s
}

// ReferenceFiles are the names of the files of [References], sorted.
func ReferenceFiles() []string { return slices.Sorted(maps.Keys(References())) }
