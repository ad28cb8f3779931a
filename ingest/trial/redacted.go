package trial

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// redacted counts, by key, the texts of records that redaction changes. Of a record that keeps what was read, that is
// asked, so that a text is counted once and not again as the fact that was made of it. What is hidden is never told.
func redacted(records []record.Record, inputs []string) (list []Count) {
	hide := &redact.Redactor{Inputs: inputs}
	counts := map[string]int{}
	for _, rec := range records {
		if !record.Stays(rec) {
			continue
		}
		before, after := content(rec, hide)
		if bytes.Equal(before, after) {
			continue
		}
		differences(hide, decoded(before), decoded(after), "", counts)
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, Count{k, counts[k]})
	}
	return list
}

// content is what was read of a record as JSON, before and after redaction.
func content(rec record.Record, hide *redact.Redactor) (before, after []byte) {
	if s := record.Source(rec); s != nil && len(s.Raw) > 0 {
		return s.Raw, hide.JSON("", s.Raw)
	}
	before, err1 := json.Marshal(rec)
	after, err2 := json.Marshal(hide.Record(rec))
	if err1 != nil || err2 != nil {
		return nil, nil // normalize, which stores it, says so
	}
	return before, after
}

func decoded(b []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	_ = d.Decode(&v) // what is no JSON is nil, and nothing is told of it
	return v
}

// differences counts the texts that differ between two values below a key. A member whose name is hidden too counts
// for the object it stands in.
func differences(hide *redact.Redactor, before, after any, key string, counts map[string]int) {
	switch x := before.(type) {
	case map[string]any:
		y, _ := after.(map[string]any)
		if k, ok := x["key"].(string); ok {
			key = hide.KeyName(k) // a parameter or a fact: its name is a member beside the value
		}
		for k, v := range x {
			below := k
			if k == "value" && key != "" {
				below = key
			}
			w, there := y[k]
			if !there {
				counts[hide.KeyName(k)]++
				continue
			}
			differences(hide, v, w, below, counts)
		}
	case []any:
		y, _ := after.([]any)
		if len(x) != len(y) {
			counts[hide.KeyName(key)]++
			return
		}
		for i := range x {
			differences(hide, x[i], y[i], key, counts)
		}
	default:
		if before != after {
			counts[hide.KeyName(key)]++
		}
	}
}
