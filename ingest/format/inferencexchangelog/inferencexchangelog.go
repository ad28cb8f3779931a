// Package inferencexchangelog reads the list of changes that a sweep of InferenceX was made for:
// no results, but notes on the runs that lie beside the file and below it.
package inferencexchangelog

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads changelog metadata of InferenceX.
var Format = &reading.Format{
	Name: "inferencex-changelog",
	Doc: reading.Doc{
		Title:    "InferenceX changelog of a sweep",
		Tool:     "InferenceX (InferenceMAX)",
		Command:  "the artifact changelog-metadata of a workflow",
		Versions: "2025 to 2026",
		Files:    "changelog_metadata.json",
		Reads: "Each entry with the keys of the configurations it changed, its description and the address of its " +
			"pull request: as notes of the runs beside and below the file.",
		Unknown: "Which of the runs an entry belongs to: it names configurations, and results do not.",
	},
	MaxSize: 8 << 20,
	Match:   func(h *reading.Head) bool { return h.Kind == '{' && h.Has("base_ref", "head_ref", "entries") },
	Read:    read,
}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.Each(src, true, "the changes of a sweep", func(o *reading.Object) {
		f := &record.Facts{Base: record.Base{At: o.Pos()}}
		for _, e := range o.List("entries") {
			if note := note(e); note != "" {
				f.Facts = append(f.Facts, record.Fact{Key: record.FactNotes, Value: note, At: e.Pos()})
			}
		}
		if len(f.Facts) == 0 {
			emit(&record.Ignored{Base: record.Base{At: o.Pos()}, Reason: "changes of a sweep without an entry"})
			return
		}
		emit(f)
	}, emit)
	return nil
}

// note is an entry as one text: "key, key: what; what (address)".
func note(e *reading.Object) string {
	what := strings.Join(texts(e, "description"), "; ")
	if keys := texts(e, "config-keys"); len(keys) > 0 && what != "" {
		what = strings.Join(keys, ", ") + ": " + what
	}
	if link := e.Text("pr-link"); link != "" && what != "" {
		what = fmt.Sprintf("%s (%s)", what, reading.Clip(link))
	}
	return what
}

// texts are the texts of a list, or the one text that stands for it.
func texts(e *reading.Object, key string) []string {
	var out []string
	v := e.Value(key)
	if s := strings.TrimSpace(v.Scalar()); s != "" {
		return []string{s}
	}
	v.Items(func(_ int, t reading.Value) bool {
		if s := strings.TrimSpace(t.Scalar()); s != "" {
			out = append(out, s)
		}
		return true
	})
	return out
}
