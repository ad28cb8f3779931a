package normalize

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
)

// stated is one record's statement of one parameter.
type stated struct {
	value  json.RawMessage
	text   bool
	at     catalog.Place
	record *entry
	line   int
	depth  int // of the directory: the deeper is the nearer
	rank   int // 0 computed or read with the session, 1 beside it
}

// parameters merges the parameters of one kind ("server", "client", "env"): a typed value wins
// over a published text, the session's own records over files beside them, the nearer file over
// the farther, the more frequent value over the rarer.
func parameters(of string, records []*entry, f *findings) map[string]catalog.Parameter {
	byName := map[string][]stated{}
	for _, r := range records {
		p, ok := r.Record.(*record.Params)
		if !ok || p.Of != of {
			continue
		}
		for _, x := range p.Params {
			if x.Name == "" {
				continue
			}
			s := stated{value: x.Value, text: p.Text, at: r.place(), record: r, line: r.key.line,
				depth: strings.Count(treeDir(r.path), "/")}
			if x.At.Line > 0 {
				s.at.Line, s.at.Col, s.line = x.At.Line, x.At.Col, x.At.Line
			}
			if r.attached {
				s.rank = 1
			}
			byName[x.Name] = append(byName[x.Name], s)
		}
	}
	if len(byName) == 0 {
		return nil
	}
	out := map[string]catalog.Parameter{}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all := byName[name]
		often := map[string]int{}
		for _, s := range all {
			often[string(s.value)]++
		}
		text := func(s stated) int {
			if s.text {
				return 1
			}
			return 0
		}
		order.Stable(all, func(a, b stated) int {
			return cmp.Or(cmp.Compare(text(a), text(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(b.depth, a.depth),
				cmp.Compare(often[string(b.value)], often[string(a.value)]), byPlace(a.record, b.record))
		})
		best := all[0]
		told := map[string]bool{}
		for _, s := range all[1:] {
			// Nearer files are there to differ from farther ones; a typed value is held
			// against every text.
			if s.rank != best.rank && !s.text || s.depth != best.depth && s.rank == 1 || told[string(s.value)] ||
				equalParameter(best, s) {
				continue
			}
			told[string(s.value)] = true
			message := fmt.Sprintf("%s %q is %s in %s and %s in %s", kindName(of), name, shortJSON(best),
				whereAt(best.record.path, best.line), shortJSON(s), whereAt(s.record.path, s.line))
			if n, m := often[string(best.value)], often[string(s.value)]; n > 1 || m > 1 {
				message += fmt.Sprintf(" (%s and %d)", metric.Plural(n, "record"), m)
			}
			f.at(CodeParameter, record.Warning, s.record.path, s.line, "%s", message+"; the first is shown")
		}
		out[name] = catalog.Parameter{Value: best.value, Redacted: string(best.value) == hidden, Text: best.text,
			At: best.at}
	}
	return out
}

// hidden is the value of a parameter that was removed on the way in.
const hidden = `"` + redact.Hidden + `"`

func kindName(of string) string {
	switch of {
	case "client":
		return "client parameter"
	case "env":
		return "variable"
	}
	return "parameter"
}

// shortJSON is a value for messages.
func shortJSON(s stated) string {
	v := string(s.value)
	if s.text {
		var t string
		if json.Unmarshal(s.value, &t) == nil {
			v = strconv.Quote(t)
		}
	}
	if r := []rune(v); len(r) > 60 {
		v = string(r[:60]) + "…"
	}
	return v
}

// equalParameter reports whether two statements say the same.
func equalParameter(a, b stated) bool {
	x, y := catalog.Parameter{Value: a.value, Text: a.text}, catalog.Parameter{Value: b.value, Text: b.text}
	return string(a.value) == hidden || string(b.value) == hidden || x.Key(b.text) == y.Key(a.text)
}
