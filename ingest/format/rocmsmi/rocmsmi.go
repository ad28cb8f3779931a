// Package rocmsmi reads the JSON of `rocm-smi -a --json`: an object a card with keys that were
// renamed from release to release, all values text. Warnings may stand before the object. What rocm-smi prints
// for people (`rocm-smi -a`, `rocm-smi --showproductname`) has the same keys in lines.
package rocmsmi

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &reading.Format{
	Name: "rocm-smi",
	Doc: reading.Doc{
		Title:    "AMD GPU description by rocm-smi",
		Tool:     "rocm-smi",
		Command:  "rocm-smi -a --json, rocm-smi -a, rocm-smi --showproductname",
		Versions: "ROCm 4 to 7",
		Files:    "rocm-smi.json, rocm-smi.txt",
		Reads: "Name, memory and power limit of each card and the driver version; for the runs beside and below " +
			"the file.",
		Unknown: "How many of the cards a server used; older releases write an internal name instead of the product's.",
	},
	Match: func(h *reading.Head) bool {
		if h.Kind == '{' {
			return hasCard(h)
		}
		if isText(h) {
			return true
		}
		// Warnings before the object.
		return h.Kind == 't' && bytes.Contains(h.Data, []byte("\n{\"card0\"")) &&
			bytes.Contains(h.Data, []byte(`"VRAM Total Memory (B)"`))
	},
	MaxSize: 16 << 20,
	Read:    read,
}

// hasCard reports whether an object holds a card with one of the keys that tell such a file from any other.
func hasCard(h *reading.Head) bool {
	for k := range h.Keys {
		for _, key := range []string{
			"VBIOS version", "GPU ID", "Device ID", "Device Name", "Card series", "Card Series",
			"VRAM Total Memory (B)",
		} {
			if cardNumber(k) >= 0 && h.Nested[k+"."+key] {
				return true
			}
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

// private are keys that name one machine.
var private = []string{"Unique ID", "Serial Number", "PCI Bus", "GUID", "Node ID"}

func read(src *reading.Source, emit func(record.Record)) error {
	if isText(src.Head) {
		readText(src, emit)
		return nil
	}
	t := reading.NewText(src.Data)
	t.Values(max(0, bytes.IndexByte(src.Data, '{')), len(src.Data), false, func(v reading.Value) {
		if o := reading.NewObject(src.Path(), v, emit); o.Is("the cards") {
			system(o, emit)
		}
	}, func(e *reading.SyntaxError) {
		line, col := t.Place(e.Off)
		emit(record.Errorf(record.Pos{File: src.Path(), Line: line, Col: col}, "%s", e.Text))
	})
	return nil
}

// system reads the cards of one machine.
func system(o *reading.Object, emit func(record.Record)) {
	s := &record.System{Base: record.Base{At: o.Pos()}}
	driver := ""
	o.Self().Fields(func(key string, card reading.Value) bool {
		switch {
		case key == "system":
			driver = card.Get("Driver version").Scalar()
		case cardNumber(key) < 0:
		case card.Kind() != reading.KindObject:
			o.Bad(key, "%q is %s, not an object: the card is left out", key, card.Kind())
		default:
			m := card.Map()
			for _, k := range []string{memoryKey, powerKey} {
				if v := m[k].Scalar(); notNumber(k, v) {
					o.Bad(key, badNumber, k, reading.Clip(v))
				}
			}
			if d, ok := device(func(key string) string { return m[key].Scalar() }); ok {
				s.Devices = append(s.Devices, d)
			} else {
				o.Bad(key, "%q has no name that this release of inferdex knows: the card is left out", key)
			}
		}
		return true
	})
	if len(s.Devices) == 0 {
		o.Bad("", "no card with a name in this output of rocm-smi")
		return
	}
	facts := reading.Devices(s.Devices)
	facts.Add(record.FactDriver, driver, record.Pos{})
	s.Facts = facts
	s.Raw = o.Self().Compact(reading.Elide{Longer: 64, Drop: private})
	emit(s)
}

// names are the keys of a card's name, the best first.
var names = []string{"Card Series", "Card series", "Device Name", "Card Model", "Card model", "Market Name"}

// The keys of numbers.
const (
	memoryKey = "VRAM Total Memory (B)"
	powerKey  = "Max Graphics Package Power (W)"
)

// device reads a card, whose values of gives; ok is false for one without a name.
func device(of func(key string) string) (d record.Device, ok bool) {
	d.Name = first(of, names...)
	// "Arcturus GL-XL [Instinct MI100]": the product's name stands in brackets.
	if i := strings.LastIndexByte(d.Name, '['); i >= 0 && strings.HasSuffix(d.Name, "]") {
		d.Name = d.Name[i+1 : len(d.Name)-1]
	}
	if d.Name == "" {
		d.Name = first(of, "GFX Version", "Card SKU")
	}
	// Each partition of a card is listed as a card.
	if kind := first(of, "Compute Partition"); d.Name != "" && kind != "" && kind != "SPX" {
		d.Name += " " + kind
	}
	if b := number(first(of, memoryKey)); b > 0 {
		mib := b / (1 << 20)
		d.MemoryMiB = &mib
	}
	if w := number(first(of, powerKey)); w > 0 {
		d.PowerLimit = &w
	}
	return d, d.Name != ""
}

// first is the first of the keys with a value that is one.
func first(of func(key string) string, keys ...string) string {
	for _, k := range keys {
		if s := strings.TrimSpace(of(k)); s != "" && s != "N/A" && !strings.EqualFold(s, "none") {
			return s
		}
	}
	return ""
}

const badNumber = "%q is %q, a number was expected: the value is left out"

// notNumber reports whether a value should be a number and is none; a card that does not tell it says "N/A".
func notNumber(key, value string) bool {
	return (key == memoryKey || key == powerKey) && value != "" && value != "N/A" &&
		!strings.EqualFold(value, "none") && !(number(value) >= 0)
}

// number is a finite number, -1 for anything else.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return -1
	}
	return v
}
