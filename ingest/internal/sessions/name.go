package sessions

import (
	"path"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Split cuts a path into folder and base name. A member of an archive lies in the archive; a
// single compressed file is no archive but the file itself: "a/x.json.gz!x.json" lies in "a".
func Split(file string) (folder, name string) {
	if i := strings.LastIndexByte(file, '!'); i >= 0 {
		outer, inner := file[:i], file[i+1:]
		ext := path.Ext(outer)
		if (ext == ".gz" || ext == ".zst") && !strings.HasSuffix(strings.TrimSuffix(outer, ext), ".tar") {
			folder, name = Split(outer)
			return folder, strings.TrimSuffix(name, ext)
		}
		dir, base := path.Split(inner)
		return outer + "!" + strings.TrimSuffix(dir, "/"), base
	}
	dir, base := path.Split(file)
	return strings.TrimSuffix(dir, "/"), base
}

// loads are the parts of a name that state a load, a length, a date, a number or a repetition: what is named
// alike but for them are points of one run.
var loads = regexp.MustCompile(`(?i)^(` +
	`[0-9.]+|inf|` +
	`(?:[0-9.]+|inf)(?:qps|rps|req|reqs|requests|s|st|conc|concurrency|concurrent|users?|clients?|streams?|prompts)|` +
	`(?:qps|rps|rate|conc|concurrency|concurrent|users?|clients?|streams?|c|n|num|np|prompts|num_?prompts|req|reqs|requests|` +
	`in|out|ip|op|isl|osl|input|output|input_?len|output_?len|bs|b|batch|r|` + record.Repetitions + `)=?(?:[0-9.]+|inf)|` +
	`(?:qps|rps|rate|conc|concurrency|batch|bs|isl|osl)|[0-9]+k[0-9]+k` +
	`)$`)

// Variant is what is left of a name without the parts that state a load: "pd-1p1d" of
// "pd_1p1d_n100_in2048_out512_c128". A name without such parts stays as it is.
func Variant(name string) string {
	var left []string
	found, before := false, ""
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		configures := record.Configures(before)
		before = part
		if loads.MatchString(part) && !configures {
			found = true
			continue
		}
		left = append(left, part)
	}
	if !found {
		return name
	}
	return strings.Join(left, "-")
}

// engines are the words of names that mean an engine.
var engines = map[string]string{"vllm": "vllm", "sglang": "sglang", "tgi": "tgi", "lmdeploy": "lmdeploy",
	"trtllm": "tensorrt-llm"}

// Engine is the engine that the base name of a file names, as in "result_tgi_short.csv"; empty where
// it names none, or several.
func Engine(file string) (engine string) {
	_, name := Split(file)
	for _, word := range strings.FieldsFunc(strings.ToLower(name),
		func(c rune) bool { return strings.ContainsRune("_-. ", c) }) {
		e := engines[word]
		if e != "" && engine != "" && e != engine {
			return ""
		}
		if e != "" {
			engine = e
		}
	}
	return engine
}
