package nvidiasmi

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// readCapture finds the text of `nvidia-smi -q` among the sections of a capture: the first of the
// two, for the second is that of a GPU under load. The capture's head knows the operating system.
func readCapture(src *reading.Source, emit func(record.Record)) {
	var facts reading.Facts
	n, off, begin, first, titled := 0, 0, -1, 0, false
	var section []byte
	for line := range bytes.Lines(src.Data) {
		n++
		text := strings.TrimSpace(string(line))
		for key, fact := range map[string]string{"os:": record.FactOS, "kernel:": record.FactKernel} {
			if v, ok := strings.CutPrefix(text, key); ok && n < 40 && !missing(v) {
				facts.Add(fact, v, record.Pos{File: src.Path(), Line: n})
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
		emit(syntax(src, 1, 0,
			"no section \"nvidia-smi -q\" in this capture: it was cut short, or collected without it"))
		return
	}
	if section == nil {
		section = src.Data[min(begin, len(src.Data)):]
	}
	readText(src, section, first, facts, emit)
}

// described are the fields of the machine and of a GPU by their keys in the text, where that alone does not say
// what is meant with the section that the key stands in.
var (
	described = [][2]string{
		{"Timestamp", "timestamp"}, {"Driver Version", "driver_version"}, {"CUDA Version", "cuda_version"},
	}
	describedGPU = [][2]string{
		{"Product Name", "name"},
		{"Product Architecture", "architecture"},
		{"VBIOS Version", "vbios"},
		{"MIG Mode/Current", "mig"},
		{"FB Memory Usage/Total", "memory.total"},
		{"Power Readings/Power Limit", "power.limit"},
		{"Power Readings/Current Power Limit", "power.limit"},
		{"Power Readings/Max Power Limit", "power.max_limit"},
	}
)

// readText reads "Key : Value" lines; sections are told by their indentation. The text begins behind
// line before of the file; facts are what is known of the machine besides.
func readText(src *reading.Source, data []byte, before int, facts []record.Fact, emit func(record.Record)) {
	l := newLog()
	begun, bad := 0, 0
	flush := func() {
		s := l.record(src, begun, emit)
		s.Facts = append(s.Facts, facts...)
		emit(s)
	}
	var section [16]string
	for i, line := range strings.Split(string(data), "\n") {
		i += before
		trimmed := strings.TrimSpace(line)
		indent := (len(line) - len(strings.TrimLeft(line, " "))) / 4
		switch {
		case trimmed == "":
		case strings.Contains(trimmed, "NVSMI LOG"):
			if len(l.gpus) > 0 {
				flush()
				l = newLog()
			}
			begun = i + 1
		case strings.HasPrefix(line, "GPU 0") || strings.HasPrefix(line, "GPU ") && strings.Count(line, ":") >= 2:
			l.gpus = append(l.gpus, gpu{})
			section = [16]string{}
		case indent >= len(section):
		default:
			key, value, ok := strings.Cut(trimmed, " : ")
			if !ok {
				if key, ok = strings.CutSuffix(trimmed, ":"); !ok {
					section[indent] = trimmed
					continue
				}
			}
			if !l.pair(section[max(0, indent-1)], indent, strings.TrimSpace(key),
				strings.TrimSpace(value)) && bad == 0 {
				bad = i + 1
			}
		}
	}
	if bad > 0 {
		emit(syntax(src, bad, 0, "a GPU without a product name: it is left out"))
	}
	if len(l.gpus) == 0 {
		emit(syntax(src, max(begun, before, 1), 0, "no GPU in this log: it was cut short"))
		return
	}
	flush()
}

// pair reads a key and its value below a section. It reports false for a GPU whose name is empty.
func (l *log) pair(section string, indent int, key, value string) (ok bool) {
	if field := reading.Second(described, key); field != "" {
		l.of[field] = value
	}
	g := l.last()
	if g == nil || indent == 0 {
		return true
	}
	if strings.HasSuffix(section, "Power Readings") { // of the GPU, where those of its module stand beside them
		section = "Power Readings"
	}
	field := cmp.Or(reading.Second(describedGPU, key), reading.Second(describedGPU, section+"/"+key))
	if field != "" && value != "" && (g[field] == "" || !strings.HasPrefix(field, "power.")) {
		g[field] = value
	}
	return field != "name" || value != ""
}
