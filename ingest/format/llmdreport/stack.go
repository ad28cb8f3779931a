package llmdreport

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// engine is one inference engine of the stack.
type engine struct {
	at                       record.Pos
	tool, version            string
	role, accelerator, model string
	count                    int64 // of all replicas; 0 is unknown
	args                     reading.Value
}

// image is the name of a container image with its tag.
var image = regexp.MustCompile(`^[a-z0-9.-]+(?::[0-9]+)?/.*:([A-Za-z0-9._-]+)$`)

// stack states what served.
func (p *report) stack(engines []engine) {
	for i, e := range engines {
		p.setup("engine", strings.Join(
			[]string{e.role, e.tool, e.version, e.accelerator, strconv.FormatInt(e.count, 10), e.model}, " "))
		if p.res.Identity.Model == "" {
			p.res.Identity.Model = e.model
		}
		p.facts.Add(record.FactModel, e.model, e.at)
		p.facts.Add(record.FactEngine, e.tool, e.at)
		if m := image.FindStringSubmatch(e.version); m != nil {
			p.facts.Add(record.FactImage, e.version, e.at)
			p.facts.Add(record.FactEngineVersion, m[1], e.at)
		} else {
			p.facts.Add(record.FactEngineVersion, e.version, e.at)
		}
		p.args(engines, i)
	}
	if len(engines) > 0 {
		p.accelerators(engines)
	}
}

// accelerators states what the engines ran on: the number only where that of each engine is known.
func (p *report) accelerators(engines []engine) {
	var names []string // in the order of the report
	counts := map[string]int64{}
	all, complete := int64(0), true
	for _, e := range engines {
		if !slices.Contains(names, e.accelerator) {
			names = append(names, e.accelerator)
		}
		counts[e.accelerator] += e.count
		all += e.count
		complete = complete && e.count > 0
	}
	var texts []string
	for _, name := range names {
		switch n := counts[name]; {
		case name == "":
		case len(names) > 1 && n > 0:
			texts = append(texts, fmt.Sprintf("%dx %s", n, name))
		default:
			texts = append(texts, name)
		}
	}
	p.facts.Add(record.FactHardware, strings.Join(texts, ", "), engines[0].at)
	if complete && all > 0 {
		p.facts.Add(record.FactCount, strconv.FormatInt(all, 10), engines[0].at)
	}
}

// args are the launch arguments of an engine. Where there are several, each has its role before its
// arguments.
func (p *report) args(engines []engine, i int) {
	prefix := ""
	if len(engines) > 1 {
		same, n := 0, 0
		for j, e := range engines {
			if e.role == engines[i].role {
				same++
				if j <= i {
					n++
				}
			}
		}
		if prefix = engines[i].role; same > 1 {
			prefix += strconv.Itoa(n)
		}
		prefix += "."
	}
	p.flags("server", prefix, engines[i].args)
}

// flags reads arguments: "--block-size: 16", and "--disable-log: null" for a flag.
func (p *report) flags(of, prefix string, args reading.Value) {
	args.Fields(func(k string, v reading.Value) bool {
		name := strings.ReplaceAll(strings.TrimLeft(k, "-"), "-", "_")
		if name == "" {
			return true
		}
		value := json.RawMessage("true")
		if v.Kind() != reading.KindNull || !strings.HasPrefix(k, "-") {
			value = v.Compact(reading.Elide{Longer: 64})
		}
		p.param(of, prefix+name, value, v)
		if of == "server" {
			p.setup(prefix+name, string(value))
		}
		return true
	})
}
