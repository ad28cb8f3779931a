package settings

import "strings"

func (n *Names) readQuantizations(tables []namesTable) {
	seen, index := map[string]int{}, map[string]int{}
	keys := newSpellings(n.quantKeys)
	name := func(i int) string { return n.quantizations[i].ID }
	for _, t := range tables {
		id := t.id(seen)
		i, ok := index[id]
		if id != "" && !ok {
			i = len(n.quantizations)
			index[id] = i
			n.quantizations = append(n.quantizations, Quantization{ID: id, Name: id, Known: true})
		}
		shown, bits := t.text("name"), t.number("bits")
		aliases, _ := t.texts("aliases")
		t.close()
		if id == "" {
			continue
		}
		q := &n.quantizations[i]
		if shown != "" {
			q.Name = shown
		}
		if bits != nil {
			q.Bits = bits
		}
		keys.add(t, t.at("id"), quantKey(id), i, id, name)
		for j, a := range aliases {
			keys.add(t, element(t.at("aliases"), j), quantKey(a), i, a, name)
		}
	}
}

// Quantization resolves a type or method as a source writes it. It never fails: one that is not
// listed has Known false and the text as written.
func (n *Names) Quantization(written string) Quantization {
	if n != nil {
		if i, ok := n.quantKeys[quantKey(written)]; ok && written != "" {
			return n.quantizations[i]
		}
	}
	return Quantization{ID: written, Name: written}
}

// quantKey is a spelling without case and without what is no letter and no digit.
func quantKey(written string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(written))
}
