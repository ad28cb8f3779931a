package settings

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Suggestion is a name that no list has, with the lines that would list it.
type Suggestion struct {
	// Kind is "model", "accelerator", "engine" or "quantization".
	Kind string `json:"what"`
	// Name is the name as it is shown without a list.
	Name string `json:"name"`
	// File is the file of data/names that the lines belong to.
	File string `json:"file"`
	// TOML is an entry, ready to paste; it ends without a newline. What is not known is left out.
	TOML string `json:"toml"`
	// Near are ids of listed entries that are spelled alike: the name may be an alias of one.
	Near []string `json:"near,omitempty"`
}

// tomlEntry writes a table of a names file. An empty value is left out.
func tomlEntry(table string, pairs ...[2]string) string {
	lines := []string{"[[" + table + "]]"}
	for _, p := range pairs {
		if p[1] != "" {
			lines = append(lines, p[0]+" = "+p[1])
		}
	}
	return strings.Join(lines, "\n")
}

// Quote writes text as a basic string of TOML, on one line and without characters that steer a
// terminal or turn the direction of writing.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			h := strconv.FormatInt(int64(r), 16)
			b.WriteString(`\u` + strings.Repeat("0", 4-len(h)) + h)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// alike are the ids of up to three entries of which a spelling holds the name's or is held by it.
func alike(key string, entries map[string]int, id func(int) string) []string {
	const shortest, most = 4, 3
	var out []string
	if len(key) < shortest {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(entries)) {
		i := entries[k]
		if i < 0 || len(k) < shortest || !strings.Contains(k, key) && !strings.Contains(key, k) {
			continue
		}
		if name := id(i); !slices.Contains(out, name) {
			out = append(out, name)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

// SuggestModel is how a model that is not listed would be; ok is false for one that is, and where
// no model is recorded.
func (n *Names) SuggestModel(m Model) (s Suggestion, ok bool) {
	if m.Known || m.Slug == NotRecorded {
		return s, false
	}
	size := ""
	if m.ParamsB != nil {
		size = strconv.FormatFloat(*m.ParamsB, 'f', -1, 64)
	}
	quoted := func(t string) string {
		if t == "" {
			return ""
		}
		return Quote(t)
	}
	s = Suggestion{Kind: "model", Name: m.ID, File: "models.toml",
		TOML: tomlEntry("model", [2]string{"id", Quote(m.ID)}, [2]string{"name", Quote(m.Name)},
			[2]string{"params_b", size},
			[2]string{"precision", quoted(m.Precision)}, [2]string{"quantization", quoted(m.Quantization)})}
	if n != nil {
		_, base := splitOrg(m.ID)
		s.Near = alike(modelKey(base), n.modelBases, func(i int) string { return n.models.all[i].ID })
	}
	return s, true
}

// SuggestAccelerator is how an accelerator that is not listed would be.
func (n *Names) SuggestAccelerator(a Accelerator) (s Suggestion, ok bool) {
	if a.Known || a.Slug == NotRecorded {
		return s, false
	}
	vendor := ""
	if a.Vendor != "" {
		vendor = Quote(a.Vendor)
	}
	s = Suggestion{Kind: "accelerator", Name: a.Name, File: "accelerators.toml",
		TOML: tomlEntry("accelerator", [2]string{"id", Quote(a.Slug)}, [2]string{"vendor", vendor},
			[2]string{"name", Quote(a.Name)}, [2]string{"aliases", "[" + Quote(a.Name) + "]"})}
	if n != nil {
		s.Near = alike(accKey(a.Name), n.accelerators.keys, func(i int) string { return n.accelerators.all[i].ID })
	}
	return s, true
}

// SuggestEngine is how an engine that is not listed would be; ok is false where none is recorded.
func (n *Names) SuggestEngine(e Engine) (s Suggestion, ok bool) {
	if e.Known || e.Name == "" {
		return s, false
	}
	s = Suggestion{Kind: "engine", Name: e.Name, File: "engines.toml",
		TOML: tomlEntry("engine", [2]string{"id", Quote(e.Slug)}, [2]string{"name", Quote(e.Name)},
			[2]string{"aliases", "[" + Quote(e.Name) + "]"})}
	if n != nil {
		s.Near = alike(accKey(e.Name), n.engines.keys, func(i int) string { return n.engines.all[i].ID })
	}
	return s, true
}

// SuggestQuantization is how a type or method that is not listed would be.
func (n *Names) SuggestQuantization(q Quantization) (s Suggestion, ok bool) {
	if q.Known || strings.TrimSpace(q.Name) == "" {
		return s, false
	}
	s = Suggestion{Kind: "quantization", Name: q.Name, File: "quantizations.toml",
		TOML: tomlEntry("quantization", [2]string{"id", Quote(q.Name)}, [2]string{"name", Quote(q.Name)})}
	if n != nil {
		s.Near = alike(quantKey(q.Name), n.quantizations.keys, func(i int) string { return n.quantizations.all[i].ID })
	}
	return s, true
}
