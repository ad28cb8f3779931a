package nvidiasmi

import (
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

func readCSV(src *reading.Source, emit func(record.Record)) {
	r := reading.CSV(src.Data)
	r.TrimLeadingSpace, r.LazyQuotes, r.ReuseRecord = true, true, true
	q := query{log: newLog(), seen: map[string]bool{}}
	for line, row := range reading.Samples(r, src.Path(), emit) {
		if q.head == nil {
			for _, c := range row {
				q.head = append(q.head, column(c))
			}
			r.Head(row)
			continue
		}
		if len(row) != len(q.head) {
			emit(syntax(src, line, 0, "%s where the head has %d: the line is left out", metric.Plural(len(row), "cell"), len(q.head)))
			continue
		}
		if wrong := q.line(line, row); wrong != "" {
			emit(syntax(src, line, 0, "a sample is left out: %s", wrong))
		}
	}
	series := loop(src, q.samples)
	if series != nil {
		emit(series)
	}
	switch {
	case len(q.log.gpus) > 0:
		emit(q.log.record(src, 1, emit))
	case series == nil:
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: src.Path()}},
			Reason: "a table of nvidia-smi without the column \"name\": samples over time say nothing of the hardware"})
	}
}

// query is what the lines of --query-gpu say.
type query struct {
	head    []string
	log     *log
	seen    map[string]bool
	samples []sample
	began   int64 // when the first look was, in milliseconds; 0 where no line says
}

// line reads one look at one GPU. wrong is why it is no sample of it.
func (q *query) line(n int, row []string) (wrong string) {
	cell := func(names ...string) string {
		for _, n := range names {
			if i := slices.Index(q.head, n); i >= 0 && !missing(row[i]) {
				return row[i]
			}
		}
		return ""
	}
	g := gpu{}
	for field, v := range map[string]string{
		"name": cell("name", "gpu_name"), "memory.total": withUnit(cell("memory.total"), "MiB"),
		"power.limit":     withUnit(cell("power.limit", "enforced.power.limit"), "W"),
		"power.max_limit": withUnit(cell("power.max_limit"), "W"),
		"mig":             cell("mig.mode.current"), "vbios": cell("vbios_version"),
	} {
		if v != "" {
			g[field] = v
		}
	}
	for _, of := range []string{"driver_version", "timestamp"} {
		if q.log.of[of] == "" {
			q.log.of[of] = cell(of)
		}
	}
	now, wrong := sampleOf(cell)
	if wrong == "" && cell("timestamp") != "" {
		q.samples = append(q.samples, now)
	}
	if now.at != 0 && q.began == 0 {
		q.began = now.at
	}
	key := cell("index", "uuid", "gpu_uuid", "pci.bus_id", "serial")
	if key == "" && (now.at != 0 || wrong == "") { // one GPU, whatever number of lines have no time that can be read
		key = strconv.Itoa(n)
	}
	later := q.began != 0 && now.at-q.began >= tick // a GPU is one however often a loop looks at it
	if q.seen[key] || later || now.at == 0 && wrong != "" && q.began != 0 {
		return wrong
	}
	q.seen[key] = true
	if g["name"] != "" {
		q.log.gpus = append(q.log.gpus, g)
	}
	return wrong
}
