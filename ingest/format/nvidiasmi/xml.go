package nvidiasmi

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// elements are the fields of a GPU by the paths of their elements.
var elements = [][2]string{
	{"gpu/product_name", "name"},
	{"gpu/product_architecture", "architecture"},
	{"gpu/vbios_version", "vbios"},
	{"gpu/mig_mode/current_mig", "mig"},
	{"gpu/fb_memory_usage/total", "memory.total"},
	{"gpu/power_readings/power_limit", "power.limit"},
	{"gpu/power_readings/current_power_limit", "power.limit"},
	{"gpu/gpu_power_readings/power_limit", "power.limit"},
	{"gpu/gpu_power_readings/current_power_limit", "power.limit"},
	{"gpu/power_readings/max_power_limit", "power.max_limit"},
	{"gpu/gpu_power_readings/max_power_limit", "power.max_limit"},
}

// readXML walks the elements by their path, so that it needs no struct for each version of the DTD.
func readXML(src *reading.Source, emit func(record.Record)) {
	d := xml.NewDecoder(bytes.NewReader(src.Data))
	d.Strict = true
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	l := newLog()
	var path []string
	var text strings.Builder
	begun := 0
	flush := func() {
		if len(l.gpus) > 0 || l.of["driver_version"] != "" {
			emit(l.record(src, begun, emit))
		}
		l = newLog()
	}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			line, col := d.InputPos()
			var se *xml.SyntaxError
			if errors.As(err, &se) {
				line, col = se.Line, 0
				err = errors.New(se.Msg)
			}
			emit(syntax(src, line, col, "not well-formed XML: %s; what was read before stands", err))
			break
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if len(path) > 64 {
				line, col := d.InputPos()
				emit(syntax(src, line, col, "elements nested more than 64 deep"))
				flush()
				return
			}
			path = append(path, t.Name.Local)
			text.Reset()
			switch strings.Join(path, "/") {
			case "nvidia_smi_log":
				flush()
				begun, _ = d.InputPos()
			case "nvidia_smi_log/gpu":
				l.gpus = append(l.gpus, gpu{})
			}
		case xml.CharData:
			if text.Len() < 1<<12 {
				text.Write(t)
			}
		case xml.EndElement:
			l.element(strings.Join(path, "/"), strings.TrimSpace(text.String()))
			path = path[:len(path)-1]
			text.Reset()
		}
	}
	flush()
}

func (l *log) element(path, text string) {
	path = strings.TrimPrefix(path, "nvidia_smi_log/")
	if _, ok := l.of[path]; ok {
		l.of[path] = text
	}
	if field := reading.Second(elements, path); field != "" && text != "" && l.last() != nil {
		l.last()[field] = text
	}
}
