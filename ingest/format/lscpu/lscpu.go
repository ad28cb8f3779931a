// Package lscpu reads what lscpu says of a processor, as JSON (`lscpu -J`) and as text.
package lscpu

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads both.
var Format = &reading.Format{
	Name: "lscpu",
	Doc: reading.Doc{
		Title:    "processor description",
		Tool:     "lscpu (util-linux)",
		Command:  "lscpu -J, lscpu",
		Versions: "util-linux 2.30 and later",
		Files:    "lscpu.json, lscpu.txt",
		Reads:    "The processor's name, sockets and cores; for the runs beside and below the file.",
		Unknown:  "Memory, accelerators, and whether the server was bound to some of the cores.",
	},
	Match: func(h *reading.Head) bool {
		if h.Kind == '{' {
			return h.Has("lscpu")
		}
		return h.Kind == 't' && bytes.HasPrefix(bytes.TrimSpace(h.Data), []byte("Architecture:")) &&
			bytes.Contains(h.Data, []byte("CPU(s):"))
	},
	MaxSize: 8 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		if src.Head.Kind == '{' {
			readJSON(src, emit)
		} else {
			readText(src, emit)
		}
		return nil
	},
}

// taken are the fields that are kept; flags and caches of a processor explain no benchmark.
var taken = []string{
	"Architecture", "Model name", "CPU(s)", "Socket(s)", "Core(s) per socket", "Thread(s) per core", "NUMA node(s)",
	"Vendor ID", "CPU max MHz", "Virtualization type", "Hypervisor vendor",
}

type field struct{ name, value string }

func system(at record.Pos, fields []field) record.Record {
	m := map[string]string{}
	for _, f := range fields {
		if slices.Contains(taken, f.name) && m[f.name] == "" {
			m[f.name] = strings.Join(strings.Fields(f.value), " ")
		}
	}
	if m["Model name"] == "" && m["CPU(s)"] == "" {
		return record.Errorf(at, "neither \"Model name\" nor \"CPU(s)\" in this output of lscpu: it was cut short")
	}
	s := &record.System{Base: record.Base{At: at}}
	cpu := cmp.Or(m["Model name"], m["Architecture"])
	var parts []string
	if n := m["Socket(s)"]; n != "" && n != "1" {
		parts = append(parts, n+" sockets")
	}
	if n := m["CPU(s)"]; n != "" {
		parts = append(parts, n+" threads")
	}
	if len(parts) > 0 {
		cpu += " (" + strings.Join(parts, ", ") + ")"
	}
	s.Facts = append(s.Facts, record.Fact{Key: record.FactCPU, Value: strings.TrimSpace(cpu)})
	s.Raw, _ = json.Marshal(m) // a map of strings always encodes
	return s
}

func readJSON(src *reading.Source, emit func(record.Record)) {
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		if list := v.Get("lscpu"); list.Kind() != reading.KindArray {
			o.Bad("", "\"lscpu\" is %s where a list of fields should stand", list.Kind())
			return
		}
		emit(system(record.Pos{File: src.Path(), Line: o.Pos().Line}, fieldsOf(src.Path(), v.Get("lscpu"), emit)))
	}, emit)
}

// fieldsOf are the fields of a list; newer releases nest fields in "children".
func fieldsOf(file string, list reading.Value, emit func(record.Record)) (fields []field) {
	list.Items(func(_ int, v reading.Value) bool {
		m := v.Map()
		if n, ok := m["field"].Str(); ok {
			fields = append(fields, field{strings.TrimSuffix(n, ":"), m["data"].Scalar()})
		} else {
			reading.NewObject(file, v, emit).Bad("", "an entry of lscpu without \"field\": it is left out")
		}
		fields = append(fields, fieldsOf(file, m["children"], emit)...)
		return true
	})
	return fields
}

func readText(src *reading.Source, emit func(record.Record)) {
	var fields []field
	for i, line := range strings.Split(string(src.Data), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			emit(record.Errorf(record.Pos{File: src.Path(), Line: i + 1},
				"no line of lscpu: there is no colon")) // unquoted: it may be a line of a key
			continue
		}
		fields = append(fields, field{strings.TrimSpace(name), value})
	}
	emit(system(record.Pos{File: src.Path(), Line: 1}, fields))
}
