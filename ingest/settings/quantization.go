package settings

import (
	"cmp"
	"strings"
)

func (n *Names) readQuantizations(tables []namesTable) {
	blank := func(id string) *Quantization { return &Quantization{ID: id, Name: id, Known: true} }
	n.quantizations.read(tables, blank, func(t namesTable, q *Quantization) {
		q.Name = cmp.Or(t.text("name"), q.Name)
		q.Bits = cmp.Or(t.number("bits"), q.Bits)
	}, nil)
}

// Quantization resolves a type or method as a source writes it. It never fails: one that is not
// listed has Known false and the text as written.
func (n *Names) Quantization(written string) Quantization {
	if n != nil {
		if i, ok := n.quantizations.keys[quantKey(written)]; ok && written != "" {
			return *n.quantizations.all[i]
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
