package rocmsmi

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	title = regexp.MustCompile(`^=+ *ROCm System Management Interface *=+\s*\n`)
	// cell is a line about one card: its number, what is said of it, and the value.
	cell   = regexp.MustCompile(`^GPU\[([0-9]{1,3})\]\s*: ([^:]+?)\s*:\s*(.*?)\s*$`)
	series = regexp.MustCompile(`(?m)^GPU\[[0-9]{1,3}\]\s*: (?:Card [Ss]eries|Card [Mm]odel|Device Name)\s*:`)
)

// isText reports whether a file is what rocm-smi prints for people, with the names of the cards.
func isText(h *reading.Head) bool {
	return h.Kind == 't' && title.Match(bytes.TrimLeft(h.Data, " \t\r\n")) && series.Match(h.Data)
}

// readText reads the lines of rocm-smi without --json: they have the keys of the JSON.
func readText(src *reading.Source, emit func(record.Record)) {
	var order []string
	cards := map[string]map[string]string{}
	driver, n := "", 0
	for raw := range bytes.Lines(src.Data) {
		n++
		line := strings.ToValidUTF8(strings.TrimRight(string(raw[:min(len(raw), 4<<10)]), "\r\n"), "\ufffd")
		if v, ok := strings.CutPrefix(line, "Driver version:"); ok {
			driver = strings.TrimSpace(v)
		}
		m := cell.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "GPU[") {
				emit(record.Errorf(record.Pos{File: src.Path(), Line: n},
					"a line about a card without a key and a value: it is left out; the file may be cut short"))
			}
			continue
		}
		if slices.Contains(private, m[2]) {
			continue
		}
		if cards[m[1]] == nil {
			cards[m[1]] = map[string]string{}
			order = append(order, m[1])
		}
		if notNumber(m[2], m[3]) {
			emit(record.Errorf(record.Pos{File: src.Path(), Line: n}, badNumber, m[2], reading.Clip(m[3])))
			continue
		}
		if cards[m[1]][m[2]] == "" {
			cards[m[1]][m[2]] = m[3]
		}
	}
	s := &record.System{Base: record.Base{At: record.Pos{File: src.Path(), Line: 1}}}
	for _, number := range order {
		if d, ok := device(func(key string) string { return cards[number][key] }); ok {
			s.Devices = append(s.Devices, d)
		} else {
			emit(record.Errorf(s.At, "card %s has no name that this release of inferdex knows: it is left out", number))
		}
	}
	facts := reading.Devices(s.Devices)
	facts.Add(record.FactDriver, driver, record.Pos{})
	s.Facts = facts
	named := map[string]any{}
	for _, number := range order {
		named["card"+number] = map[string]string{"Card Series": first(func(key string) string {
			return cards[number][key]
		}, names...)}
	}
	s.Raw, _ = json.Marshal(named) // maps of strings always encode
	emit(s)
}
