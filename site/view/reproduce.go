package view

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// redactedWord stands in a command where a value was taken out. It is always quoted: bare angle
// brackets would redirect.
const redactedWord = "'<redacted>'"

// reproduce is what is recorded of how to measure again: the container image, the server's and
// the client's command, each in a block of its own that can be copied, and what is not recorded.
// Commands are as recorded, or written from recorded values; no flag is added.
func (d *draft) reproduce(r *figure.Run) {
	var blocks []page.Block
	var unknown []string
	add := func(id, title, note string, lines []page.CodeLine) {
		blocks = append(blocks, page.Block{Heading: &page.Heading{ID: id, Text: title}})
		if note != "" {
			blocks = append(blocks, page.Paragraph(note))
		}
		blocks = append(blocks, page.Block{Code: lines})
	}
	model := modelName(r)
	image := r.Attr("image")
	if image != "" {
		add("container", "Container", "The recorded image; how it was started is not recorded.",
			[]page.CodeLine{{Text: "docker pull " + shellQuote(image)}})
	}
	if lines, note := d.serverCommand(r, model); len(lines) > 0 {
		add("server", "Server", note, lines)
	} else {
		unknown = append(unknown, "the server's command and launch arguments")
	}
	if lines, note := recordedClient(r); len(lines) > 0 {
		add("client", "Load", note, lines)
	} else if lines, note := clientCommand(r, model); len(lines) > 0 {
		add("client", "Load", note, lines)
	} else if len(r.Client) > 0 {
		unknown = append(unknown, "the client's command (its settings stand among the parameters)")
	} else {
		unknown = append(unknown, "the client's command")
	}
	unknown = append(unknown, unknowns(r)...)
	if len(unknown) > 0 {
		blocks = append(blocks, page.Paragraph("Not recorded: "+page.Enumerate(unknown)+"."))
	}
	d.section("reproduce", "Reproduce", blocks...)
}

// noModel stands in a command where the records name no model.
const noModel = "MODEL"

// modelName is the model as a command names it: as recorded, or the id on its hub.
func modelName(r *figure.Run) string {
	if r.Model.Known && strings.Contains(r.Model.ID, "/") {
		return r.Model.ID
	}
	if m := r.Attr("model"); m != "" {
		return m
	}
	return cmp.Or(r.Identity.Model, noModel)
}

// unknowns are the things that whoever repeats a run has to guess.
func unknowns(r *figure.Run) []string {
	var out []string
	if modelName(r) == noModel {
		out = append(out, "the model")
	}
	if _, versioned := EngineText(r.Engine); !versioned {
		out = append(out, "the engine's version")
	}
	switch image := r.Attr("image"); {
	case image == "":
		out = append(out, "the container image, if there was one")
	case !strings.Contains(image, "@sha256:"):
		out = append(out, "the digest of the container image")
	}
	for _, k := range []struct{ key, words string }{{"engine_commit", "the engine's commit"}, {"driver", "the driver"},
		{"tool_version", "the version of the measuring tool"}} {
		if r.Attr(k.key) == "" {
			out = append(out, k.words)
		}
	}
	if r.Hardware.CountAssumed {
		out = append(out, "the number of accelerators")
	}
	_, served := r.Parameters["seed"]
	_, sent := r.Client["seed"]
	if !served && !sent {
		out = append(out, "the seed")
	}
	if v, ok := r.Parameters["revision"]; !ok || v.Null() {
		out = append(out, "the revision of the model")
	}
	if len(r.Points) > 0 {
		if !slices.ContainsFunc(r.Scenarios, func(s *figure.Scenario) bool { return s.Workload.Dataset != "" }) {
			out = append(out, "the dataset")
		} else if slices.ContainsFunc(r.Scenarios, func(s *figure.Scenario) bool {
			return s.Workload.Dataset != "" &&
				s.Workload.Dataset != "random"
		}) {
			out = append(out, "the revision of the dataset")
		}
	}
	return out
}

// commandLines is a recorded command as it was written.
func commandLines(cmd string) []page.CodeLine {
	var lines []page.CodeLine
	for l := range strings.SplitSeq(strings.TrimSpace(cmd), "\n") {
		lines = append(lines, page.CodeLine{Text: strings.TrimRight(l, " \t\r")})
	}
	return lines
}

// serverCommand starts the engine: as recorded, or from the recorded arguments that are not known
// to be the default.
func (d *draft) serverCommand(r *figure.Run, model string) (lines []page.CodeLine, note string) {
	cmd := r.Attr("command")
	for _, k := range slices.Sorted(maps.Keys(r.Env)) {
		if strings.Contains(cmd, k+"=") {
			continue
		}
		v := redactedWord
		if !r.Env[k].Redacted {
			v = shellQuote(valueText(r.Env[k].Value))
		}
		if shellName(k) {
			lines = append(lines, page.CodeLine{Text: "export " + k + "=" + v})
		}
	}
	if cmd != "" {
		return append(lines, commandLines(cmd)...), "As recorded."
	}
	if len(r.Parameters) == 0 || r.Engine.Name == "" {
		return nil, ""
	}
	w, wrapped := d.g.Index.Names.Wrapper(r.Attr("wrapper"))
	start := r.Engine.Command
	if wrapped && w.Engine == r.Engine.ID {
		start = w.Command
	}
	if start == "" {
		return nil, ""
	}
	gs := d.g.arguments(r)
	use := slices.Concat(gs[groupDiffering], gs[groupRecorded])
	for _, p := range gs[groupForeign] {
		// A redacted argument was given; a wrapper takes its own beside the engine's.
		if p.Value.Redacted || wrapped && p.Owner == w.Name && p.Name != "model_name" {
			use = append(use, p)
		}
	}
	slices.SortFunc(use, func(a, b compare.Argument) int { return strings.Compare(a.Name, b.Name) })
	own := d.g.Index.Names.AllArguments(r.Engine.ID)
	var args, left, unlisted []string
	for _, p := range use {
		a, ok := argument(r.Engine, own, p)
		switch {
		case !ok:
			left = append(left, p.Name)
		case a != "":
			if args = append(args, a); len(own) > 0 && p.Owner == "" && !slices.Contains(own, p.Name) {
				unlisted = append(unlisted, p.Name)
			}
		}
	}
	note = "Written from the recorded arguments that are not known to be the default."
	if len(unlisted) > 0 {
		note += " No version of " + r.Engine.Name + " whose arguments are listed here has " + someOf(unlisted) +
			": newer ones may, or they are settings of another program."
	}
	if len(left) > 0 {
		note += " Recorded too, with a value that no flag is known for: " + someOf(left) + "."
	}
	return append(lines, folded(of(start, model), args)...), note
}

// mostNamed is how many arguments a note names.
const mostNamed = 8

// someOf names arguments.
func someOf(names []string) string {
	if n := len(names) - mostNamed; n > 1 {
		names = append(names[:mostNamed:mostNamed], metric.Count(n)+" more of the parameters above")
	}
	return page.Enumerate(names)
}

// folded writes a command with an argument a line.
func folded(start string, args []string) []page.CodeLine {
	lines := []page.CodeLine{{Text: start + continuation(len(args) > 0)}}
	for i, a := range args {
		lines = append(lines, page.CodeLine{Text: "  " + a + continuation(i < len(args)-1)})
	}
	return lines
}

func continuation(more bool) string {
	if more {
		return " \\"
	}
	return ""
}

// of is a command for a model.
func of(command, model string) string {
	return strings.Replace(command, settings.ModelPlace, shellQuote(model), 1)
}

// argument writes a parameter as a flag: true is the bare flag, a list is its words, an object its
// JSON. ok is false for null and where no flag is known for false; the empty text is a parameter that the command states
// elsewhere, or by leaving its flag out. Own are the arguments that the engine is known to have.
func argument(e settings.Engine, own []string, p compare.Argument) (arg string, ok bool) {
	if p.Name == "model" || p.Name == "model_name" || p.Name == "model_path" || p.Name == "model_tag" {
		return "", true
	}
	if !flagName(p.Name) {
		return "", false
	}
	flag := "--" + strings.ReplaceAll(p.Name, "_", "-")
	if p.Value.Redacted {
		return flag + " " + redactedWord, true
	}
	s := valueText(p.Value.Value)
	if p.Value.Text {
		switch s {
		case "True":
			return flag, true
		case "False":
			return switchedOff(e, own, p, flag)
		case "None":
			return "", false
		}
		return flag + " " + shellQuote(s), true
	}
	switch string(p.Value.Value) {
	case "true":
		return flag, true
	case "false":
		return switchedOff(e, own, p, flag)
	case "null":
		return "", false
	}
	var list []json.RawMessage
	if json.Unmarshal(p.Value.Value, &list) == nil {
		ws := []string{flag}
		for _, e := range list {
			ws = append(ws, shellQuote(valueText(e)))
		}
		return strings.Join(ws, " "), len(list) > 0
	}
	return flag + " " + shellQuote(s), true
}

// falseFlags are how versions of vLLM are told that an argument is false, each that it is known to have where none is named.
// Before, and for other arguments, flags can only say true.
var falseFlags = []struct{ argument, since, before, prefix, suffix string }{
	{since: "0.11", prefix: "--no-"}, // the engine's from 0.9 on, those of the server in 0.10
	{argument: "enable_prefix_caching", since: "0.7", prefix: "--no-"},
	{argument: "enable_chunked_prefill", since: "0.9", prefix: "--no-"},
	// Releases of 0.8 have one or the other.
	{argument: "enable_chunked_prefill", since: "0.6", before: "0.8", prefix: "--", suffix: " False"},
}

// onlyTrue are arguments of vLLM whose flags take no value and can only say true, in all its versions: where it is missing
// they are false.
var onlyTrue = []string{"aggregate_engine_logging", "disable_log_stats", "headless"}

// switchedOff is what a command says of an argument that is false; ok is false where that is not known. Own are the arguments
// that the engine is known to have: records hold settings of other programs beside them.
func switchedOff(e settings.Engine, own []string, p compare.Argument, flag string) (arg string, ok bool) {
	switch {
	case e.ID == "sglang": // each of its flags that take no value says true, and its default is false
		return "", true
	case e.ID == "vllm" && p.Owner == "" && slices.Contains(onlyTrue, p.Name):
		return "", true
	case e.ID != "vllm" || e.Version == "" || p.Owner != "":
		return "", false
	}
	for _, f := range falseFlags {
		if (f.argument == p.Name || f.argument == "" && slices.Contains(own, p.Name)) && settings.CompareVersions(e.Version, f.since) >= 0 &&
			(f.before == "" || settings.CompareVersions(e.Version, f.before) < 0) {
			return f.prefix + flag[len("--"):] + f.suffix, true
		}
	}
	return "", false
}

// flagName says whether a recorded key can be the name of a flag. Anything else comes from a
// damaged or hostile file and stays out of commands that people paste.
func flagName(s string) bool {
	return s != "" && s[0] != '-' && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' ||
			r == '-' || r == '.')
	}) < 0
}

// shellName says whether a shell takes a word as the name of a variable.
func shellName(s string) bool {
	return s != "" && !(s[0] >= '0' && s[0] <= '9') && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	}) < 0
}

// oneLine makes line breaks and other control characters spaces: a pasted command ends where the
// page shows its end.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(s string) string {
	s = oneLine(s)
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./:=,@%+", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// recordedClient are the commands of the measuring client as recorded: of a sweep there is one for each measurement.
func recordedClient(r *figure.Run) (lines []page.CodeLine, note string) {
	a := r.Attributes["client_command"]
	if a.Value == "" {
		return nil, ""
	}
	lines, note = commandLines(a.Value), "As recorded."
	if len(a.Others) > 0 && a.From != catalog.FromOverride {
		note = "As recorded; the records hold several."
		for _, o := range a.Others {
			lines = append(append(lines, page.CodeLine{}), commandLines(o.Value)...)
		}
	}
	return lines, note
}

// clientCommand is the measuring client's command as far as the points say how they were made;
// nil for tools whose command is not known.
func clientCommand(r *figure.Run, model string) (lines []page.CodeLine, note string) {
	switch {
	case r.Tool.Command == "":
		return nil, ""
	case !r.Tool.Flags:
		note = "The suite chooses lengths and loads by itself."
		if v, ok := r.Client["max_queries"]; ok {
			note += " Recorded: at most " + page.Thousands(valueText(v.Value)) + " queries a measurement."
		}
		return []page.CodeLine{{Text: of(r.Tool.Command, model)}}, note + " Its time limit is not recorded."
	}
	guessed, dataset := false, true
	for i, s := range r.Scenarios {
		if i == maxCommands {
			lines = append(lines, page.CodeLine{}, page.CodeLine{Text: metric.Plural(len(r.Scenarios)-i,
				"more workload: its lengths and loads are", "more workloads: their lengths and loads are") +
				" among the measured points", Comment: true})
			break
		}
		if i > 0 {
			lines = append(lines, page.CodeLine{})
		}
		if len(r.Scenarios) > 1 {
			lines = append(lines, page.CodeLine{Text: oneLine(s.Title), Comment: true})
		}
		ls, actual := serveBench(r, s, model)
		lines = append(lines, ls...)
		guessed = guessed || actual
		dataset = dataset && s.Workload.Dataset != ""
	}
	if len(r.Scenarios) == 0 {
		return nil, ""
	}
	note = "Written from what the records say of each point."
	if guessed {
		note += " No nominal lengths are recorded: about " + lengthsTitle(r.Scenarios[0]) + " tokens were served."
	}
	return lines, note
}

// Serve starts the engine of a run with its model, without arguments; "" where its command is not known.
func Serve(r *figure.Run) string {
	if r.Engine.Command == "" {
		return ""
	}
	return of(r.Engine.Command, modelName(r))
}

// Measure is the command of the measuring client for the points of a workload of a run, written from what the records
// say of them; "" for tools whose command is not known.
func Measure(r *figure.Run, s *figure.Scenario) string {
	if r.Tool.Command == "" {
		return ""
	}
	if !r.Tool.Flags {
		return of(r.Tool.Command, modelName(r))
	}
	lines, _ := serveBench(r, s, modelName(r))
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, "\n")
}

// maxCommands bounds how many workloads of a run get a command.
const maxCommands = 8

// serveBench is the command of vLLM's serving benchmark for the points of a workload; one loop
// where only the load differs. actual says that the lengths are not in it because only those
// served are recorded.
func serveBench(r *figure.Run, s *figure.Scenario, model string) (lines []page.CodeLine, actual bool) {
	start, first, _ := strings.Cut(of(r.Tool.Command, model), " --")
	args := []string{"--" + first}
	w := s.Workload
	if w.Dataset != "" {
		args = append(args, "--dataset-name "+shellQuote(w.Dataset))
	}
	_, _, actual = s.Lengths()
	if in, out := w.Nominal.Input, w.Nominal.Output; w.Dataset == "random" && in != nil && out != nil {
		args = append(args, "--random-input-len "+metric.Exact(*in)+" --random-output-len "+metric.Exact(*out))
	}
	if w.IgnoreEOS != nil && *w.IgnoreEOS {
		args = append(args, "--ignore-eos")
	}
	if b := s.Points[0].Load.Burstiness; b != nil && *b != 1 && !slices.ContainsFunc(s.Points,
		func(p *catalog.Point) bool { return p.Load.Burstiness == nil || *p.Load.Burstiness != *b }) {
		args = append(args, "--burstiness "+metric.Exact(*b))
	}
	// What every point has alike is a flag with its value, what differs is a column of the loop.
	loads := []struct {
		flag, name string
		of         func(*catalog.Point) string
	}{
		{"--request-rate", "rate", func(p *catalog.Point) string {
			if p.Load.Rate == nil {
				return ""
			}
			if f := float64(*p.Load.Rate); !math.IsInf(f, 1) {
				return metric.Exact(f)
			}
			return "inf"
		}},
		{"--max-concurrency", "concurrency", func(p *catalog.Point) string {
			if p.Load.MaxConcurrency == nil {
				return ""
			}
			return itoa(*p.Load.MaxConcurrency)
		}},
		{"--num-prompts", "prompts", func(p *catalog.Point) string {
			if p.Workload.NumPrompts == nil {
				return ""
			}
			return itoa(*p.Workload.NumPrompts)
		}},
	}
	var names []string
	rows := make([]string, len(s.Points))
	for _, l := range loads {
		first, same, missing := l.of(s.Points[0]), true, false
		for _, p := range s.Points {
			same = same && l.of(p) == first
			missing = missing || l.of(p) == ""
		}
		switch {
		case missing: // not recorded for every point: left out
		case same:
			args = append(args, l.flag+" "+first)
		default:
			names = append(names, l.name)
			args = append(args, l.flag+` "$`+l.name+`"`)
			for i, p := range s.Points {
				rows[i] = strings.TrimLeft(rows[i]+" "+l.of(p), " ")
			}
		}
	}
	if names == nil {
		return folded(start, args), actual
	}
	lines = append(lines, page.CodeLine{Text: "while read -r " + strings.Join(names, " ") + "; do"})
	// The loads are the loop's standard input: the client must not read them.
	for _, l := range folded(start, append(args, "</dev/null")) {
		lines = append(lines, page.CodeLine{Text: "  " + l.Text})
	}
	lines = append(lines, page.CodeLine{Text: "done <<'LOADS'"})
	for _, row := range rows {
		lines = append(lines, page.CodeLine{Text: row})
	}
	return append(lines, page.CodeLine{Text: "LOADS"}), actual
}
