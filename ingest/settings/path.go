package settings

import (
	"strings"
)

// HardwareIn returns what the name of a file or a folder says of hardware, as run.toml has it: one
// listed accelerator, with its count where that stands before it: "8x MI300X" of
// "8xMi300x-serving". Ok is false where the name holds no listed accelerator, or several.
func (n *Names) HardwareIn(name string) (text string, ok bool) {
	found := n.Mentions(name)
	if len(found) != 1 {
		return "", false
	}
	return found[0].Text(), true
}

// ModelIn returns the id of the one listed model that the name of a file or a folder spells out,
// whatever stands between its letters and digits. Ok is false where it holds none, or several.
func (n *Names) ModelIn(name string) (id string, ok bool) {
	if n == nil {
		return "", false
	}
	words := strings.FieldsFunc(modelKey(strings.ReplaceAll(name, "/", "-")), func(r rune) bool { return r == '-' })
	found := map[int]bool{}
	for i := 0; i < len(words); {
		length := 0
		for j := len(words); j > i && length == 0; j-- {
			if k, known := n.modelBases[strings.Join(words[i:j], "-")]; known && k >= 0 {
				found[k] = true
				length = j - i
			}
		}
		i += max(1, length)
	}
	if len(found) != 1 {
		return "", false
	}
	for k := range found {
		id = n.models.all[k].ID
	}
	return id, true
}
