// Package rocmsmi reads the JSON of `rocm-smi -a --json`: an object a card with keys that were
// renamed from release to release, all values text. Warnings may stand before the object.
package rocmsmi

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &ingest.Format{
	Name: "rocm-smi",
	Doc: ingest.Doc{
		Title:    "AMD GPU description by rocm-smi",
		Tool:     "rocm-smi",
		Command:  "rocm-smi -a --json",
		Versions: "ROCm 4 to 7",
		Files:    "rocm-smi.json",
		Reads:    "Name, memory and power limit of each card and the driver version; for the runs beside and below the file.",
		Unknown:  "How many of the cards a server used; older releases write an internal name instead of the product's.",
	},
	Match: func(h *ingest.Head) bool {
		if h.Kind == '{' {
			return isCard(h.Keys) && (nested(h, "VBIOS version") || nested(h, "GPU ID") || nested(h, "Device ID") ||
				nested(h, "Device Name") || nested(h, "Card series") || nested(h, "Card Series") || nested(h, "VRAM Total Memory (B)"))
		}
		// Warnings before the object.
		return h.Kind == 't' && bytes.Contains(h.Data, []byte("\n{\"card0\"")) && bytes.Contains(h.Data, []byte(`"VRAM Total Memory (B)"`))
	},
	MaxSize: 16 << 20,
	Read: func(src *ingest.Source, emit func(record.Record)) error {
		read(src, emit)
		return nil
	},
}

func isCard(keys map[string]bool) bool {
	for k := range keys {
		if cardNumber(k) >= 0 {
			return true
		}
	}
	return false
}

// cardNumber is n of "cardn", -1 for another key.
func cardNumber(key string) int {
	n, ok := strings.CutPrefix(key, "card")
	if !ok {
		return -1
	}
	i, err := strconv.Atoi(n)
	if err != nil {
		return -1
	}
	return i
}

func nested(h *ingest.Head, key string) bool {
	for k := range h.Keys {
		if cardNumber(k) >= 0 && h.Nested[k+"."+key] {
			return true
		}
	}
	return false
}

// private are keys that name one machine.
var private = map[string]bool{"Unique ID": true, "Serial Number": true, "PCI Bus": true, "GUID": true, "Node ID": true}

func read(src *ingest.Source, emit func(record.Record)) {
	from := max(0, bytes.IndexByte(src.Data, '{'))
	t := jsonval.NewText(src.Data)
	at := func(off int) record.Pos {
		line, col := t.Place(off)
		return record.Pos{File: src.Path(), Line: line, Col: col}
	}
	t.Values(from, len(src.Data), false, func(v jsonval.Value) {
		if v.Kind() != jsonval.Object {
			emit(&record.SyntaxError{Base: record.Base{At: at(v.Off())}, Text: fmt.Sprintf("%s where the cards should stand", v.Kind())})
			return
		}
		s := &record.System{Base: record.Base{At: at(v.Off())}}
		var names []string
		counts := map[string]int{}
		driver, maxPower := "", ""
		v.Fields(func(key string, card jsonval.Value) bool {
			if key == "system" {
				driver = card.Get("Driver version").Scalar()
				return true
			}
			if cardNumber(key) < 0 {
				return true
			}
			if card.Kind() != jsonval.Object {
				emit(&record.SyntaxError{Base: record.Base{At: at(card.Off())}, Text: fmt.Sprintf("%q is %s, not an object: the card is left out", key, card.Kind())})
				return true
			}
			m := card.Map()
			name := first(m, "Card Series", "Card series", "Device Name", "Card Model", "Card model", "Market Name")
			// "Arcturus GL-XL [Instinct MI100]": the product's name stands in brackets.
			if i := strings.LastIndexByte(name, '['); i >= 0 && strings.HasSuffix(name, "]") {
				name = name[i+1 : len(name)-1]
			}
			if name == "" {
				name = first(m, "GFX Version", "Card SKU")
			}
			if name == "" {
				emit(&record.SyntaxError{Base: record.Base{At: at(card.Off())}, Text: fmt.Sprintf("%q has no name that this release of inferdex knows: the card is left out", key)})
				return true
			}
			d := record.Device{Name: name}
			if b, err := strconv.ParseFloat(first(m, "VRAM Total Memory (B)"), 64); err == nil && b > 0 {
				mib := b / (1 << 20)
				d.MemoryMiB = &mib
			}
			maxPower = first(m, "Max Graphics Package Power (W)")
			if w, err := strconv.ParseFloat(maxPower, 64); err == nil && w > 0 {
				d.PowerLimit = &w
			}
			s.Devices = append(s.Devices, d)
			if counts[name]++; counts[name] == 1 {
				names = append(names, name)
			}
			return true
		})
		if len(s.Devices) == 0 {
			emit(&record.SyntaxError{Base: record.Base{At: at(v.Off())}, Text: "no card with a name in this output of rocm-smi"})
			return
		}
		for i, n := range names {
			if counts[n] > 1 {
				names[i] = fmt.Sprintf("%dx %s", counts[n], n)
			}
		}
		s.Facts = append(s.Facts, record.Fact{Key: record.FactHardware, Value: strings.Join(names, ", ")})
		if d := s.Devices[0]; d.MemoryMiB != nil {
			s.Facts = append(s.Facts, record.Fact{Key: record.FactGPUMemory, Value: strconv.FormatFloat(*d.MemoryMiB, 'f', -1, 64) + " MiB"})
		}
		if s.Devices[0].PowerLimit != nil {
			s.Facts = append(s.Facts, record.Fact{Key: record.FactPowerLimit, Value: strconv.FormatFloat(*s.Devices[0].PowerLimit, 'f', -1, 64) + " W"})
		}
		if driver != "" {
			s.Facts = append(s.Facts, record.Fact{Key: record.FactDriver, Value: driver})
		}
		s.Raw = v.Compact(jsonval.Elide{Longer: 64, Drop: private})
		emit(s)
	}, func(e *jsonval.SyntaxError) {
		emit(&record.SyntaxError{Base: record.Base{At: at(e.Off)}, Text: e.Text})
	})
}

// first is the first of the keys with a value that is one.
func first(m map[string]jsonval.Value, keys ...string) string {
	for _, k := range keys {
		if s := strings.TrimSpace(m[k].Scalar()); s != "" && s != "N/A" && !strings.EqualFold(s, "none") {
			return s
		}
	}
	return ""
}
