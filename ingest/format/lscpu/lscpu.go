// Package lscpu reads what lscpu says of a processor, as JSON (`lscpu -J`) and as text.
package lscpu

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads both.
var Format = &ingest.Format{
	Name: "lscpu",
	Doc: ingest.Doc{
		Title:    "processor description",
		Tool:     "lscpu (util-linux)",
		Command:  "lscpu -J, lscpu",
		Versions: "util-linux 2.30 and later",
		Files:    "lscpu.json, lscpu.txt",
		Reads:    "The processor's name, sockets and cores; for the runs beside and below the file.",
		Unknown:  "Memory, accelerators, and whether the server was bound to some of the cores.",
	},
	Match: func(h *ingest.Head) bool {
		if h.Kind == '{' {
			return h.Has("lscpu")
		}
		return h.Kind == 't' && bytes.HasPrefix(bytes.TrimSpace(h.Data), []byte("Architecture:")) && bytes.Contains(h.Data, []byte("CPU(s):"))
	},
	MaxSize: 8 << 20,
	Read: func(src *ingest.Source, emit func(record.Record)) error {
		if src.Head.Kind == '{' {
			readJSON(src, emit)
		} else {
			readText(src, emit)
		}
		return nil
	},
}

// taken are the fields that are kept; flags and caches of a processor explain no benchmark.
var taken = map[string]bool{"Architecture": true, "Model name": true, "CPU(s)": true, "Socket(s)": true, "Core(s) per socket": true,
	"Thread(s) per core": true, "NUMA node(s)": true, "Vendor ID": true, "CPU max MHz": true, "Virtualization type": true, "Hypervisor vendor": true}

type field struct{ name, value string }

func system(src *ingest.Source, line int, fields []field) record.Record {
	at := record.Base{At: record.Pos{File: src.Path(), Line: line}}
	m := map[string]string{}
	for _, f := range fields {
		if taken[f.name] && m[f.name] == "" {
			m[f.name] = strings.Join(strings.Fields(f.value), " ")
		}
	}
	if m["Model name"] == "" && m["CPU(s)"] == "" {
		return &record.SyntaxError{Base: at, Text: "neither \"Model name\" nor \"CPU(s)\" in this output of lscpu: it was cut short"}
	}
	s := &record.System{Base: at}
	cpu := m["Model name"]
	var parts []string
	if n := m["Socket(s)"]; n != "" && n != "1" {
		parts = append(parts, n+" sockets")
	}
	if n := m["CPU(s)"]; n != "" {
		parts = append(parts, n+" threads")
	}
	if cpu == "" {
		cpu = m["Architecture"]
	}
	if len(parts) > 0 {
		cpu += " (" + strings.Join(parts, ", ") + ")"
	}
	s.Facts = append(s.Facts, record.Fact{Key: record.FactCPU, Value: strings.TrimSpace(cpu)})
	s.Raw, _ = json.Marshal(m) // a map of strings always encodes
	return s
}

func readJSON(src *ingest.Source, emit func(record.Record)) {
	t := jsonval.NewText(src.Data)
	at := func(off int) record.Base {
		line, col := t.Place(off)
		return record.Base{At: record.Pos{File: src.Path(), Line: line, Col: col}}
	}
	t.Values(0, len(src.Data), false, func(v jsonval.Value) {
		list := v.Get("lscpu")
		if list.Kind() != jsonval.Array {
			emit(&record.SyntaxError{Base: at(v.Off()), Text: fmt.Sprintf("\"lscpu\" is %s where a list of fields should stand", list.Kind())})
			return
		}
		var fields []field
		var walk func(jsonval.Value)
		walk = func(list jsonval.Value) { // newer releases nest fields in "children"
			list.Items(func(_ int, f jsonval.Value) bool {
				m := f.Map()
				if n, ok := m["field"].Str(); ok {
					fields = append(fields, field{strings.TrimSuffix(n, ":"), m["data"].Scalar()})
				} else {
					emit(&record.SyntaxError{Base: at(f.Off()), Text: "an entry of lscpu without \"field\": it is left out"})
				}
				walk(m["children"])
				return true
			})
		}
		walk(list)
		line, _ := v.Place()
		emit(system(src, line, fields))
	}, func(e *jsonval.SyntaxError) {
		emit(&record.SyntaxError{Base: at(e.Off), Text: e.Text})
	})
}

func readText(src *ingest.Source, emit func(record.Record)) {
	var fields []field
	for i, line := range strings.Split(string(src.Data), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: src.Path(), Line: i + 1}},
				Text: fmt.Sprintf("%q is no line of lscpu: there is no colon", line[:min(len(line), 40)])})
			continue
		}
		fields = append(fields, field{strings.TrimSpace(name), value})
	}
	emit(system(src, 1, fields))
}
