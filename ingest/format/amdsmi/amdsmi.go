// Package amdsmi reads the JSON of `amd-smi static --json`: an array of GPUs, from ROCm 6.4 on
// inside {"gpu_data": [...]}. A value is text, a number or {"value": n, "unit": u}, from place to
// place. What it prints without --json has the same names in capitals. The table that ROCm 7 prints without arguments is
// read as the same.
package amdsmi

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &reading.Format{
	Name: "amd-smi",
	Doc: reading.Doc{
		Title:    "AMD GPU description by amd-smi",
		Tool:     "amd-smi",
		Command:  "amd-smi static [--json], amd-smi of ROCm 7",
		Versions: "ROCm 6 and 7",
		Files:    "amd-smi.json, amd-smi.txt, *.log, *.md",
		Reads:    "Name, memory and power limit of each GPU, driver and ROCm; for the runs beside and below the file.",
		Unknown:  "How many of the GPUs a server used.",
	},
	Match: func(h *reading.Head) bool {
		return h.Has("gpu_data") || h.Kind == '[' && h.Has("gpu", "asic") || h.Kind == 't' && (printed.Match(h.Data) || banner.Match(h.Data))
	},
	Marks:   []string{"| AMD-SMI ", "    ASIC:"},
	MaxSize: 16 << 20,
	Read: func(src *reading.Source, emit func(record.Record)) error {
		read(src, emit)
		return nil
	},
}

// private are keys that name one machine.
var private = []string{
	"asic_serial", "product_serial", "fru_id",
	"uuid", "hsa_id", "bdf", "kfd_id",
	"node_id",
}

// printed is the first GPU of what amd-smi prints for people.
var printed = regexp.MustCompile(`(?m)^GPU: [0-9]{1,3}\s*\n {4}ASIC:\s*$`)

// unprinted makes the JSON of what amd-smi prints for people, and says in which line each GPU begins: a section is
// indented by 4, what it says by 8. Where the text ends inside of such a line, cut is that line, and its value is left out.
func unprinted(data []byte) (list reading.Value, lines []int, cut int) {
	var gpus []map[string]map[string]string
	var section map[string]string
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		name = strings.ToLower(name)
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case indent == 0 && name == "gpu":
			gpus, lines, section = append(gpus, map[string]map[string]string{}), append(lines, n), nil
		case indent == 0:
			section = nil
		case indent == 4 && len(gpus) > 0:
			section = map[string]string{}
			gpus[len(gpus)-1][name] = section
		case indent == 8 && section != nil && !strings.HasSuffix(line, "\n"):
			cut = n
		case indent == 8 && section != nil:
			section[name] = strings.TrimSpace(value)
		}
	}
	out, _ := json.Marshal(gpus) // maps of strings always encode
	list, _ = reading.Parse(out)
	return list, lines, cut
}

var (
	// banner is the first line of the table, with the version of the driver, which is cut where it is long.
	banner = regexp.MustCompile(`(?m)\| AMD-SMI \d\S*\s+amdgpu version: (\S+)(?:\s+ROCm version: (\d\S*))?`)
	// A GPU has two lines: bus, name and power; its number, partition and memory.
	first  = regexp.MustCompile(`\|\s*([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.)[0-9a-f]\s+(\S[^|]*?)\s*\|[^|]*?(?:/(\d+) W)?\s*\|`)
	second = regexp.MustCompile(`\|\s*\d+\s+\S+\s+\S+\s+(\S+)\s*\|[^|]*?\d+/(\d+ MB)\s*\|`)
)

// table makes the JSON of the table of one machine, and says in which line each GPU begins.
func table(lines []string, from int) (list reading.Value, at []int) {
	type section = map[string]string
	var gpus []map[string]section
	driver, rocm, bus := "", "", ""
	for i, line := range lines {
		if m := banner.FindStringSubmatch(line); m != nil {
			driver, rocm = strings.TrimPrefix(m[1], "Linuxver"), m[2]
		}
		if m := first.FindStringSubmatch(line); m != nil {
			name := strings.TrimPrefix(m[2], "...")
			if strings.HasPrefix(name, "0x") { // the number of a device that the tool does not know
				name = ""
			}
			partition := ""
			if m[1] == bus { // a partition of the GPU above, whose line names them
				partition = gpus[len(gpus)-1]["partition"]["compute_partition"]
			}
			bus = m[1]
			at = append(at, from+i)
			gpus = append(gpus, map[string]section{
				"asic": {"market_name": name}, "limit": {"max_power": m[3]}, "driver": {"name": "amdgpu", "version": driver, "rocm": rocm},
				"partition": {"compute_partition": partition}, "vram": {},
			})
		} else if m := second.FindStringSubmatch(line); m != nil && len(gpus) > 0 {
			g := gpus[len(gpus)-1]
			if kind, _, _ := strings.Cut(m[1], "/"); kind != "N" {
				g["partition"]["compute_partition"] = kind
			}
			if kind := g["partition"]["compute_partition"]; kind == "" || kind == "SPX" { // else it may be that of the whole GPU
				g["vram"]["size"] = m[2]
			}
		}
	}
	out, _ := json.Marshal(gpus) // maps of strings always encode
	list, _ = reading.Parse(out)
	return list, at
}

// tables reads a text with tables, each of one machine.
func tables(src *reading.Source, emit func(record.Record)) {
	lines := strings.Split(string(src.Data), "\n")
	pos := func(n int) record.Pos { return record.Pos{File: src.Path(), Line: n} }
	for i, end := 0, 0; i < len(lines); i = end {
		if end = i + 1; !banner.MatchString(lines[i]) {
			continue
		}
		closed := false
		for ; end < len(lines) && !banner.MatchString(lines[end]); end++ {
			closed = closed || strings.HasPrefix(strings.TrimSpace(lines[end]), "+--")
		}
		if !closed {
			emit(record.Errorf(pos(i+1), "the table of GPUs has no end: it was cut short, and some may be missing"))
		}
		list, at := table(lines[i:end], i+1)
		machine(list, list, pos(i+1), func(n int, _ reading.Value) record.Pos { return pos(at[n]) }, emit)
	}
}

func read(src *reading.Source, emit func(record.Record)) {
	if src.Head.Kind == 't' && !printed.Match(src.Data) {
		tables(src, emit)
		return
	}
	if src.Head.Kind == 't' {
		list, lines, cut := unprinted(src.Data)
		if cut > 0 {
			emit(record.Errorf(record.Pos{File: src.Path(), Line: cut}, "the file ends where a value should stand: it was cut short"))
		}
		at := func(i int, _ reading.Value) record.Pos { return record.Pos{File: src.Path(), Line: lines[i]} }
		machine(list, list, at(0, list), at, emit)
		return
	}
	reading.Values(src, false, func(v reading.Value) {
		list, o := v, reading.NewObject(src.Path(), v, emit)
		if v.Kind() == reading.KindObject {
			list = v.Get("gpu_data")
		}
		if list.Kind() != reading.KindArray {
			o.Bad("", "no list of GPUs in this output of amd-smi")
			return
		}
		machine(v, list, o.Pos(), func(_ int, g reading.Value) record.Pos {
			return reading.NewObject(src.Path(), g, emit).Pos()
		}, emit)
	}, emit)
}

// machine reads the list of the GPUs of one machine, all of which is v. at says where a GPU stands.
func machine(v, list reading.Value, pos record.Pos, at func(int, reading.Value) record.Pos, emit func(record.Record)) {
	s := &record.System{Base: record.Base{At: pos}}
	driver, rocm := "", ""
	list.Items(func(i int, g reading.Value) bool {
		rocm = g.Get("driver").Get("rocm").Scalar()
		d, ok := device(g)
		if !ok {
			emit(record.Errorf(at(i, g), "GPU %d has no name: it is left out", i))
			return true
		}
		s.Devices = append(s.Devices, d)
		if dv := g.Get("driver"); driver == "" && text(dv.Get("version")) != "" {
			driver = strings.TrimSpace(text(dv.Get("name")) + " " + text(dv.Get("version")))
		}
		return true
	})
	if len(s.Devices) == 0 {
		emit(record.Errorf(pos, "no GPU with a name in this output of amd-smi"))
		return
	}
	facts := reading.Devices(s.Devices)
	if len(driver) < 60 { // some releases put the kernel's whole version text here
		facts.Add(record.FactDriver, driver, record.Pos{})
	}
	facts.Add(record.FactROCm, rocm, record.Pos{})
	s.Facts = facts
	s.Raw = v.Compact(reading.Elide{Longer: 64, Drop: private})
	emit(s)
}

// device reads one GPU; ok is false where it has no name.
func device(g reading.Value) (d record.Device, ok bool) {
	asic, limit := g.Get("asic"), g.Get("limit")
	d.Name = cmp.Or(text(asic.Get("market_name")), text(asic.Get("target_graphics_version")))
	// Each partition of a GPU is listed as a GPU.
	p := g.Get("partition")
	kind := cmp.Or(text(p.Get("compute_partition")), text(p.Get("accelerator_partition")))
	if d.Name != "" && kind != "" && kind != "SPX" {
		d.Name += " " + kind
	}
	d.MemoryMiB = memory(g.Get("vram").Get("size"))
	d.PowerLimit = cmp.Or(number(limit.Get("socket_power")), number(limit.Get("max_power")))
	return d, d.Name != ""
}

func text(v reading.Value) string {
	s := strings.TrimSpace(v.Scalar())
	if s == "N/A" {
		return ""
	}
	return s
}

// number reads 300, "300 W" or {"value": 300, "unit": "W"}; nil where there is none above 0.
func number(v reading.Value) *float64 {
	if v.Kind() == reading.KindObject {
		v = v.Get("value")
	}
	s, _, _ := strings.Cut(text(v), " ")
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > 0) || f > 1e12 {
		return nil
	}
	return &f
}

// memory reads a size to MiB; amd-smi writes MB and means MiB.
func memory(v reading.Value) *float64 {
	n := number(v)
	if n == nil {
		return nil
	}
	unit := text(v.Get("unit"))
	if _, u, ok := strings.Cut(text(v), " "); ok {
		unit = u
	}
	switch strings.ToUpper(unit) {
	case "GB", "GIB":
		g := *n * 1024
		return &g
	}
	return n
}
