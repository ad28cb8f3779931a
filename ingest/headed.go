package ingest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	// markdown is the name of a text in Markdown.
	markdown = regexp.MustCompile(`(?i)\.(?:md|markdown)$`)
	// named is a line of a report's head: "**Hardware:** 2x H100", "- GPU: MI300X".
	named = regexp.MustCompile(`^(?:[-*+][ \t]+)?[*_]*([\pL][\pL\pN ()/_-]*?)[*_]*[ \t]*:[*_]*[ \t]+(\S.*)$`)
	// engine is one with its version, and nothing else.
	engine = regexp.MustCompile(`(?i)^(vllm|sglang|tensorrt-llm|trt-?llm|llama\.cpp|tgi|text[- ]generation[- ]inference|` +
		`lmdeploy|ollama|mlx-lm)(?:,? +|==| ?\()(?:version +)?v?([0-9]+(?:\.[0-9]+)+(?:\.?(?:post|dev|rc|a|b)[0-9]+)*` +
		`(?:\+[\w.]+)?|b[0-9]{3,})\)?$`)
	// serving is what a person writes before an engine.
	serving = regexp.MustCompile(`(?i)^(?:(?:(?:inference|serving|model) )?(?:engine|server|framework|backend|runtime)(?: version)?|version)$`)
)

// longestHead is how many lines a head may have.
const longestHead = 40

// headed are the facts of the head of a report in Markdown: the lines below its title, each of which is a name and a
// value. The first line that is neither ends it, so that nothing is taken from prose or from a list of what is required. A
// head that names several engines is that of a comparison.
func headed(src *reading.Source) (facts reading.Facts) {
	if !markdown.MatchString(src.Path()) {
		return nil
	}
	titled, n := false, 0
	var name, version string // of the engine
	var at record.Pos
lines:
	for l := range bytes.Lines(src.Data[:min(len(src.Data), reading.HeadSize)]) {
		line := strings.TrimSpace(strings.ToValidUTF8(string(l), "�"))
		n++
		switch m := named.FindStringSubmatch(line); {
		case n > longestHead:
			break lines
		case line == "":
		case !titled && strings.HasPrefix(line, "# "):
			titled = true
		case !titled || m == nil:
			break lines
		default:
			here, value := record.Pos{File: src.Path(), Line: n}, strings.Trim(m[2], "*_` ")
			says := value
			if !serving.MatchString(m[1]) { // "vLLM version: 0.9.1"
				says = m[1] + " " + value
			}
			e := engine.FindStringSubmatch(says)
			switch {
			case reading.Clip(value) != value:
			case strings.EqualFold(m[1], "model"):
				facts.Add(record.FactModel, value, here)
			case reading.SaysHardware(m[1]) && strings.ContainsAny(value, "0123456789"): // "see below" has no digit, each name has
				facts.Add(record.FactHardware, value, here)
			case e == nil:
			case version == "":
				name, version, at = e[1], e[2], here
			case !strings.EqualFold(name, e[1]) || version != e[2]:
				name = ""
			}
		}
	}
	if name != "" {
		facts.Add(record.FactEngine, name, at)
		facts.Add(record.FactEngineVersion, version, at)
	}
	return facts
}

// under adds what the head of a report states to its results that do not say it themselves. Its model is that of results
// of which none names one: a tool says better what it measured.
func under(head reading.Facts, records []record.Record) {
	if len(head) == 0 {
		return
	}
	nameless := !slices.ContainsFunc(records, func(r record.Record) bool { return r.Header().Identity.Model != "" })
	for _, r := range records {
		res, ok := r.(*record.Result)
		if !ok {
			continue
		}
		facts, own := reading.Facts(res.Facts), len(res.Facts)
		for _, f := range head {
			if nameless || f.Key != record.FactModel {
				facts.Add(f.Key, f.Value, f.At)
			}
		}
		for ; own < len(facts); own++ {
			facts[own].Head = true
		}
		res.Facts = facts
	}
}
