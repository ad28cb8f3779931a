// Package nvidiasmi reads what nvidia-smi says of a machine: the table that it prints without
// arguments, wherever it stands in a text, `nvidia-smi -q -x` (XML), the text of `nvidia-smi -q`,
// `nvidia-smi --query-gpu=... --format=csv`, and the captures that nvidia_gpu_exporter collects of
// a GPU, in which the text is one section of many.
//
// Serial numbers, UUIDs and bus addresses are never taken. A table that was sampled over time
// has a line a GPU and a second; each GPU counts once.
package nvidiasmi

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads all five shapes.
var Format = &ingest.Format{
	Name: "nvidia-smi",
	Doc: ingest.Doc{
		Title:    "NVIDIA GPU description",
		Tool:     "nvidia-smi",
		Command:  "nvidia-smi, nvidia-smi -q -x, nvidia-smi -q, nvidia-smi --query-gpu=... --format=csv",
		Versions: "nvsmi_device v10 to v13",
		Files:    "nvidia-smi.xml, nvidia-smi.txt, gpu_metrics.csv, captures of nvidia_gpu_exporter",
		Reads:    "Name, memory, memory in use and power limit of each GPU, driver and CUDA version; for the runs beside and below the file.",
		Unknown:  "How many of the GPUs a server used.",
	},
	Match:   match,
	Marks:   []string{"| NVIDIA-SMI "},
	MaxSize: 16 << 20,
	Read: func(src *ingest.Source, emit func(record.Record)) error {
		switch shape(src.Head) {
		case "xml":
			readXML(src, emit)
		case "text":
			readText(src, src.Data, 0, nil, emit)
		case "capture":
			readCapture(src, emit)
		case "table":
			readTable(src, emit)
		default:
			readCSV(src, emit)
		}
		return nil
	},
}

func match(h *ingest.Head) bool { return shape(h) != "" }

func shape(h *ingest.Head) string {
	if h.Kind != 't' {
		return ""
	}
	text := string(bytes.TrimSpace(h.Data))
	switch {
	case strings.HasPrefix(text, "<") && strings.Contains(text, "<nvidia_smi_log"):
		return "xml"
	case strings.Contains(text[:min(len(text), 400)], "NVSMI LOG") && strings.Contains(text, "Product Name"):
		return "text"
	}
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "####") && strings.Contains(text, "\n# $ nvidia-smi") {
		return "capture"
	}
	if banner.Match(h.Data) {
		return "table"
	}
	cells := strings.Split(line, ",")
	known := 0
	for _, c := range cells {
		if _, ok := columns[column(c)]; ok {
			known++
		}
	}
	if known >= 2 {
		return "csv"
	}
	return ""
}

// columns are the fields of --query-gpu that tell such a table from any other.
var columns = map[string]bool{
	"memory.total": true, "memory.used": true, "memory.free": true, "power.draw": true, "power.limit": true, "driver_version": true,
	"utilization.gpu": true, "utilization.memory": true, "temperature.gpu": true, "clocks.sm": true, "clocks.mem": true,
	"clocks.current.sm": true, "clocks.current.memory": true, "pstate": true, "enforced.power.limit": true, "power.max_limit": true,
}

// column is the field's name without its unit: "power.draw [W]" is "power.draw".
func column(cell string) string {
	name, _, _ := strings.Cut(cell, "[")
	return strings.ToLower(strings.TrimSpace(name))
}

// gpu is what is taken of one GPU.
type gpu struct {
	name, memory, used, power, maxPower, mig, vbios, arch string
}

// log is what is taken of one file.
type log struct {
	driver, cuda, timestamp string
	gpus                    []gpu
}

// missing are the words nvidia-smi writes where it has no value.
func missing(s string) bool {
	s = strings.Trim(strings.ToLower(strings.TrimSpace(s)), "[]")
	switch s {
	case "", "n/a", "not supported", "unknown error", "insufficient permissions", "not found", "requested functionality has been deprecated":
		return true
	}
	return false
}

// quantity reads "81920 MiB" or "500.00 W"; a plain number has the unit given.
func quantity(s, unit string) *float64 {
	if missing(s) {
		return nil
	}
	num, u, _ := strings.Cut(strings.TrimSpace(s), " ")
	v, err := strconv.ParseFloat(num, 64)
	if err != nil || u != "" && u != unit || v <= 0 {
		return nil
	}
	return &v
}

func (l *log) record(src *ingest.Source, line int) *record.System {
	s := &record.System{Base: record.Base{At: record.Pos{File: src.Path(), Line: line}}}
	fact := func(key, value string) {
		if !missing(value) {
			s.Facts = append(s.Facts, record.Fact{Key: key, Value: strings.TrimSpace(value)})
		}
	}
	var names []string
	counts := map[string]int{}
	for _, g := range l.gpus {
		if missing(g.name) {
			continue
		}
		power := quantity(g.power, "W")
		if power == nil {
			power = quantity(g.maxPower, "W")
		}
		s.Devices = append(s.Devices, record.Device{Name: g.name, MemoryMiB: quantity(g.memory, "MiB"), MemoryUsedMiB: quantity(g.used, "MiB"), PowerLimit: power})
		if counts[g.name]++; counts[g.name] == 1 {
			names = append(names, g.name)
		}
	}
	for i, n := range names {
		if counts[n] > 1 {
			names[i] = fmt.Sprintf("%dx %s", counts[n], n)
		}
	}
	fact(record.FactHardware, strings.Join(names, ", "))
	if len(s.Devices) > 0 {
		d := s.Devices[0]
		if d.MemoryMiB != nil {
			fact(record.FactGPUMemory, strconv.FormatFloat(*d.MemoryMiB, 'f', -1, 64)+" MiB")
		}
		if d.PowerLimit != nil {
			fact(record.FactPowerLimit, strconv.FormatFloat(*d.PowerLimit, 'f', -1, 64)+" W")
		}
	}
	fact(record.FactDriver, l.driver)
	fact(record.FactCUDA, l.cuda)
	raw := map[string]any{"driver_version": l.driver, "cuda_version": l.cuda, "timestamp": l.timestamp}
	var list []map[string]string
	for _, g := range l.gpus {
		m := map[string]string{}
		for k, v := range map[string]string{"name": g.name, "memory.total": g.memory, "memory.used": g.used, "power.limit": g.power, "power.max_limit": g.maxPower,
			"mig": g.mig, "vbios": g.vbios, "architecture": g.arch} {
			if v != "" {
				m[k] = v
			}
		}
		list = append(list, m)
	}
	raw["gpus"] = list
	s.Raw, _ = json.Marshal(raw) // strings and maps of strings always encode
	return s
}

func syntax(src *ingest.Source, line, col int, format string, args ...any) *record.SyntaxError {
	return &record.SyntaxError{Base: record.Base{At: record.Pos{File: src.Path(), Line: line, Col: col}}, Text: fmt.Sprintf(format, args...)}
}

// readXML walks the elements by their path, so that it needs no struct for each version of the DTD.
func readXML(src *ingest.Source, emit func(record.Record)) {
	d := xml.NewDecoder(bytes.NewReader(src.Data))
	d.Strict = true
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var l log
	var path []string
	var text strings.Builder
	begun := 0
	flush := func() {
		if len(l.gpus) > 0 || l.driver != "" {
			emit(l.record(src, begun))
		}
		l = log{}
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
	switch path {
	case "timestamp":
		l.timestamp = text
	case "driver_version":
		l.driver = text
	case "cuda_version":
		l.cuda = text
	}
	if len(l.gpus) == 0 || text == "" {
		return
	}
	g := &l.gpus[len(l.gpus)-1]
	switch path {
	case "gpu/product_name":
		g.name = text
	case "gpu/product_architecture":
		g.arch = text
	case "gpu/vbios_version":
		g.vbios = text
	case "gpu/mig_mode/current_mig":
		g.mig = text
	case "gpu/fb_memory_usage/total":
		g.memory = text
	case "gpu/power_readings/power_limit", "gpu/power_readings/current_power_limit", "gpu/gpu_power_readings/current_power_limit", "gpu/gpu_power_readings/power_limit":
		g.power = text
	case "gpu/power_readings/max_power_limit", "gpu/gpu_power_readings/max_power_limit":
		g.maxPower = text
	}
}

// readCapture finds the text of `nvidia-smi -q` among the sections of a capture: the first of the
// two, for the second is that of a GPU under load. The capture's head knows the operating system.
func readCapture(src *ingest.Source, emit func(record.Record)) {
	var facts []record.Fact
	n, off, begin, first, titled := 0, 0, -1, 0, false
	var section []byte
	for line := range bytes.Lines(src.Data) {
		n++
		text := strings.TrimSpace(string(line))
		if n < 40 {
			for key, fact := range map[string]string{"os:": record.FactOS, "kernel:": record.FactKernel} {
				if v, ok := strings.CutPrefix(text, key); ok && !missing(v) && !slices.ContainsFunc(facts, func(f record.Fact) bool { return f.Key == fact }) {
					facts = append(facts, record.Fact{Key: fact, Value: strings.TrimSpace(v), At: record.Pos{File: src.Path(), Line: n}})
				}
			}
		}
		rule := strings.HasPrefix(text, "####")
		switch { // a title stands between two rules
		case begin < 0 && text == "# $ nvidia-smi -q":
			titled = true
		case begin < 0 && titled && rule:
			begin, first = off+len(line), n
		case begin >= 0 && rule:
			section = src.Data[begin:off]
		}
		if section != nil {
			break
		}
		off += len(line)
	}
	if begin < 0 {
		emit(syntax(src, 1, 0, "no section \"nvidia-smi -q\" in this capture: it was cut short, or collected without it"))
		return
	}
	if section == nil {
		section = src.Data[min(begin, len(src.Data)):]
	}
	readText(src, section, first, facts, emit)
}

// readText reads "Key : Value" lines; sections are told by their indentation. The text begins behind
// line before of the file; facts are what is known of the machine besides.
func readText(src *ingest.Source, data []byte, before int, facts []record.Fact, emit func(record.Record)) {
	describe := func(l log, line int) {
		s := l.record(src, line)
		s.Facts = append(s.Facts, facts...)
		emit(s)
	}
	var l log
	var section [16]string
	begun, bad := 0, 0
	for i, line := range strings.Split(string(data), "\n") {
		i += before
		trimmed := strings.TrimSpace(line)
		indent := (len(line) - len(strings.TrimLeft(line, " "))) / 4
		switch {
		case trimmed == "":
			continue
		case strings.Contains(trimmed, "NVSMI LOG"):
			if len(l.gpus) > 0 {
				describe(l, begun)
				l = log{}
			}
			begun = i + 1
			continue
		case strings.HasPrefix(line, "GPU 0") || strings.HasPrefix(line, "GPU ") && strings.Count(line, ":") >= 2:
			l.gpus = append(l.gpus, gpu{})
			section = [16]string{}
			continue
		}
		if indent >= len(section) {
			continue
		}
		key, value, ok := strings.Cut(trimmed, " : ")
		if !ok {
			if k, found := strings.CutSuffix(trimmed, ":"); found {
				key, value = k, ""
			} else {
				section[indent] = trimmed
				continue
			}
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch key {
		case "Timestamp":
			l.timestamp = value
		case "Driver Version":
			l.driver = value
		case "CUDA Version":
			l.cuda = value
		}
		if len(l.gpus) == 0 || indent == 0 {
			continue
		}
		g := &l.gpus[len(l.gpus)-1]
		parent := section[indent-1]
		switch {
		case key == "Product Name":
			if value == "" && bad == 0 {
				bad = i + 1
			}
			g.name = value
		case key == "Product Architecture":
			g.arch = value
		case key == "VBIOS Version":
			g.vbios = value
		case key == "Current" && parent == "MIG Mode":
			g.mig = value
		case key == "Total" && parent == "FB Memory Usage":
			g.memory = value
		case (key == "Power Limit" || key == "Current Power Limit") && strings.HasSuffix(parent, "Power Readings") && g.power == "":
			g.power = value
		case key == "Max Power Limit" && strings.HasSuffix(parent, "Power Readings") && g.maxPower == "":
			g.maxPower = value
		}
	}
	if bad > 0 {
		emit(syntax(src, bad, 0, "a GPU without a product name: it is left out"))
	}
	if len(l.gpus) == 0 {
		emit(syntax(src, max(begun, before, 1), 0, "no GPU in this log: it was cut short"))
		return
	}
	describe(l, begun)
}

func readCSV(src *ingest.Source, emit func(record.Record)) {
	r := csv.NewReader(bytes.NewReader(src.Data))
	r.TrimLeadingSpace = true
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	r.ReuseRecord = true
	var head []string
	var l log
	seen := map[string]bool{}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				emit(syntax(src, pe.StartLine, pe.Column, "not a line of this table: %s", pe.Err))
				continue
			}
			emit(syntax(src, 0, 0, "not a table: %s", err))
			break
		}
		if head == nil {
			for _, c := range row {
				head = append(head, column(c))
			}
			continue
		}
		line, _ := r.FieldPos(0)
		if len(row) != len(head) {
			emit(syntax(src, line, 0, "%d cells where the head has %d: the line is left out", len(row), len(head)))
			continue
		}
		cell := func(names ...string) string {
			for _, n := range names {
				if i := slices.Index(head, n); i >= 0 && !missing(row[i]) {
					return row[i]
				}
			}
			return ""
		}
		g := gpu{name: cell("name", "gpu_name"), memory: withUnit(cell("memory.total"), "MiB"),
			power: withUnit(cell("power.limit", "enforced.power.limit"), "W"), maxPower: withUnit(cell("power.max_limit"), "W"),
			mig: cell("mig.mode.current"), vbios: cell("vbios_version")}
		if l.driver == "" {
			l.driver, l.timestamp = cell("driver_version"), cell("timestamp")
		}
		key := cell("index", "uuid", "gpu_uuid", "pci.bus_id", "serial")
		if key == "" {
			key = strconv.Itoa(line)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		if g.name != "" {
			l.gpus = append(l.gpus, g)
		}
	}
	if len(l.gpus) == 0 {
		rec := &record.Ignored{Base: record.Base{At: record.Pos{File: src.Path()}},
			Reason: "a table of nvidia-smi without the column \"name\": samples over time say nothing of the hardware"}
		emit(rec)
		return
	}
	emit(l.record(src, 1))
}

// withUnit adds the unit that `nounits` left out.
func withUnit(s, unit string) string {
	if s == "" || strings.Contains(s, " ") {
		return s
	}
	return s + " " + unit
}
