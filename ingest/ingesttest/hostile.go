package ingesttest

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// HostileTexts are what a hostile catalog has where others have names: each would do harm, or
// break a layout, where a page took it for more than text. A script that runs calls alert.
var HostileTexts = []string{
	`<img src=x onerror=alert(1)>`,
	`"><script>alert(2)</script>`,
	`</script></style></title><svg onload=alert(3)>`,
	`javascript:alert(4)`,
	`' onmouseover='alert(5)' x='`,
	"![a](javascript:alert(6)) [b](//example.org) **c** `d` <!-- e --> | f | ${g}",
	"\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 " +
		"\u0628\u0627\u0644\u0639\u0627\u0644\u0645",
	"\U0001f525\U0001f9e0\U0001f469\u200d\U0001f680 e\u0301\u0301\u0301\u0301 Z\u0335\u0322\u0327",
	strings.Repeat("W", 200),
	strings.Repeat("long words in a row ", 10),
	`&copy;b&reg; %3Cu%3E ]]> \u003cp\u003e`,
	`=HYPERLINK("javascript:alert(7)","x")`,
}

// hostileName is a text as the name of a file can have it.
func hostileName(i int) string {
	return strings.NewReplacer("/", "_", "\\", "_", "\u202e", "", "\u202c",
		"").Replace(HostileTexts[i%len(HostileTexts)])
}

// hostileWriter writes a catalog of which every text is one of HostileTexts.
type hostileWriter struct {
	*generator
	texts  int // how many were given
	models []model
}

// next is another text each time: no two names are the same.
func (g *hostileWriter) next() string {
	g.texts++
	t := HostileTexts[g.texts%len(HostileTexts)]
	if g.texts >= len(HostileTexts) {
		t += " " + strconv.Itoa(g.texts)
	}
	return t
}

// quoted is another text in quotes, as TOML and JSON have it.
func (g *hostileWriter) quoted() string { return strconv.Quote(g.next()) }

// hostile writes a catalog of which every text is one of HostileTexts: settings, sidecars, names
// of models and hardware, keys and values of parameters, scenarios, errors, files.
func (g *generator) hostile(ms, hs int) {
	w := &hostileWriter{generator: g}
	w.settings()
	w.names(ms)
	for j := range hs {
		h := machine{slug: "h", hardware: w.next(), count: 1, memory: 80, bandwidth: 3350, compute: 989, watts: 700}
		if j == hs-1 {
			h.hardware = "hostile card" // in the list, by a hostile name, with a price
		}
		w.folder(j, h)
	}
	g.suite(0,
		server{w.models[0], machine{slug: "h", hardware: w.next(), count: 1, memory: 80, bandwidth: 3350, compute: 989},
			versions[0]})
	w.report()
}

// settings writes what a catalog says of itself and of its files.
func (g *hostileWriter) settings() {
	g.file("inferdex.toml", fmt.Sprintf("title = %s\ndescription = %s\nnotice = %s\n",
		strconv.Quote("Hostile "+HostileTexts[0]), g.quoted(), g.quoted()))
	g.file("data/raw/SOURCE.toml", fmt.Sprintf("title = %s\naddress = %s\nauthor = %s\nlicense = %s\n", g.quoted(),
		strconv.Quote("javascript:alert(8)"), g.quoted(), g.quoted()))
}

// names writes the lists of names: every second of so many models, one accelerator with a price.
func (g *hostileWriter) names(models int) {
	q := strconv.Quote
	var b strings.Builder
	for i := range models {
		m := model{g.next(), g.next(), 8, 8, 32, 8, 128, 2, "bf16"}
		g.models = append(g.models, m)
		if i%2 == 0 { // the others are in no list
			fmt.Fprintf(&b,
				"[[model]]\nid = %s\nname = %s\nparams_b = 8\nlayers = 32\nkv_heads = 8\nhead_dim = 128\nsource "+
					"= %s\n\n", q(m.id), q(m.name), q("javascript:alert(9)"))
		}
	}
	g.file("data/names/models.toml", b.String())
	g.file("data/names/accelerators.toml",
		fmt.Sprintf("[[accelerator]]\nid = \"hostile-card\"\nname = %s\nvendor = %s\naliases = [\"hostile "+
			"card\"]\nboard_power_w = 500\n", q(HostileTexts[0]+" card"), q(HostileTexts[1])))
	g.file("data/names/prices.toml",
		fmt.Sprintf("[[price]]\nprovider = %s\naccelerator = \"hostile-card\"\nper_hour = 1.5\ncurrency = "+
			"\"<B>\"\ndate = 2025-01-13\naddress = %s\n", q(HostileTexts[1]),
			q(`https://example.com/"><script>alert(10)</script>`)))
}

// folder writes what was measured of all models on one machine, with a sidecar and parameters.
func (g *hostileWriter) folder(j int, h machine) {
	q, next := strconv.Quote, g.next
	facts := []string{"engine_commit", "image", "wrapper", "precision", "notes", "driver", "cuda", "os", "kernel",
		"cpu", "ram", "topology", "tokenizer", "command", "client_command"}
	dir := path.Join("data/raw", hostileName(j))
	var b strings.Builder
	fmt.Fprintf(&b, "hardware = %s\nengine = %s\nengine_version = %s\nseries = %s\n", q(h.hardware), q(next()),
		q(next()), q(next()))
	for _, k := range facts {
		fmt.Fprintf(&b, "%s = %s\n", k, q(next()))
	}
	fmt.Fprintf(&b, "[labels]\n%s = %s\n", q("a key"), q(next()))
	g.file(path.Join(dir, "run.toml"), b.String())
	var args object
	for range 14 {
		args.text(next(), next())
	}
	args.raw(next(), "{"+q(next())+": ["+q(next())+", null, 1e999]}")
	args.text("model", next())
	args.text("gpu_memory_utilization", next())
	g.file(path.Join(dir, "parameters.json"), args.String()+"\n")
	for i, m := range g.models {
		s := server{m, h, versions[0]}
		var lines []string
		dataset, extra, word := next(), next(), next()
		for _, c := range []int{1, 4, 16, 64} {
			p := s.closed(float64(c), 1024, 128)
			p.prompts = 4 * c
			p.completed = p.prompts - c/4
			line := g.result(s, g.measured(p), math.Inf(1), c, nil)
			line = strings.Replace(line, `"dataset_name": "random"`, `"dataset_name": `+q(dataset), 1)
			line = strings.Replace(line, `"label": null`, `"label": `+q(word), 1)
			lines = append(lines,
				strings.TrimSuffix(line, "}")+", "+q(extra)+": "+q(word)+`, "errors": [`+q(word)+", "+q(extra)+"]}")
		}
		g.file(path.Join(dir, hostileName(i+1)+".jsonl"), strings.Join(lines, "\n"))
	}
	g.file(path.Join(dir, "notes "+hostileName(j+2)+".txt"), next())
}

// report writes a withdrawn report with a scenario of every name.
func (g *hostileWriter) report() {
	var results []string
	for _, t := range HostileTexts {
		for _, c := range []int{1, 8} {
			var o object
			o.text("name", t)
			o.whole("input_len", 1024)
			o.whole("output_len", 128)
			o.whole("concurrency", c)
			o.whole("num_prompts", 20)
			o.whole("successful_requests", 19)
			o.whole("failed_requests", 1)
			duration := float64(10+c) + g.rnd.Float64()
			o.raw("duration_s", two(duration))
			o.raw("request_throughput", two(19/duration))
			for i, k := range []string{"output_throughput", "total_throughput",
				"ttft_mean_ms", "ttft_median_ms", "ttft_p99_ms", "tpot_mean_ms", "tpot_median_ms", "tpot_p99_ms",
				"tg_speed"} {
				o.raw(k, strconv.FormatFloat(float64(12+c+i)+g.rnd.Float64(), 'f', 2, 64))
			}
			o.text("error", t)
			results = append(results, o.String())
		}
	}
	g.file("data/raw/report/benchmark.json",
		fmt.Sprintf(`{"model": %s, "hardware": %s, "date": "2025-01-14T08:00:00.250000", "results": [`+"\n%s\n]}\n",
			strconv.Quote(g.models[0].id), g.quoted(), strings.Join(results, ",\n")))
	g.file("data/raw/report/run.toml", fmt.Sprintf("withdrawn = %s\n", g.quoted()))
}
