package view

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
)

// TestArgument holds that a recorded value becomes a flag that says the same, or none.
func TestArgument(t *testing.T) {
	for _, c := range []struct {
		name  string
		value catalog.Parameter
		want  string
		ok    bool
	}{
		{"max_model_len", catalog.Parameter{Value: json.RawMessage("4096")}, "--max-model-len 4096", true},
		{"enforce_eager", catalog.Parameter{Value: json.RawMessage("true")}, "--enforce-eager", true},
		{"enforce_eager", catalog.Parameter{Value: json.RawMessage("false")}, "", false},
		{"seed", catalog.Parameter{Value: json.RawMessage("null")}, "", false},
		{"limit", catalog.Parameter{Value: json.RawMessage(`{"image": 2}`)}, `--limit '{"image":2}'`, true},
		{"allowed_origins", catalog.Parameter{Value: json.RawMessage(`["*","a b"]`)},
			`--allowed-origins '*' 'a b'`, true},
		{"api_key", catalog.Parameter{Value: json.RawMessage(`"redacted"`), Redacted: true},
			"--api-key '<redacted>'", true},
		{"dtype", catalog.Parameter{Value: json.RawMessage(`"True"`), Text: true}, "--dtype", true},
		{"x; rm -rf ~", catalog.Parameter{Value: json.RawMessage("1")}, "", false},
		{"-x", catalog.Parameter{Value: json.RawMessage("1")}, "", false},
		{"model", catalog.Parameter{Value: json.RawMessage(`"m"`)}, "", true},
	} {
		got, ok := argument(settings.Engine{}, nil, compare.Argument{Name: c.name, Value: c.value})
		if got != c.want || ok != c.ok {
			t.Errorf("argument(%q, %s) = %q, %v, want %q, %v", c.name, c.value.Value, got, ok, c.want, c.ok)
		}
	}
}

// What is false is a flag where the engine's version has one for it, and SGLang leaves the flag out.
func TestFalseArgument(t *testing.T) {
	for _, c := range []struct {
		engine, version, name, owner, want string
		ok                                 bool
	}{
		{"vllm", "0.26.0", "enable_prefix_caching", "", "--no-enable-prefix-caching", true},
		{"vllm", "0.11.0", "enforce_eager", "", "--no-enforce-eager", true},
		{"vllm", "0.11.0", "enforce_eager", "wrapper", "", false},
		{"vllm", "0.10.2", "enforce_eager", "", "", false},
		{"vllm", "0.24.0", "disagg", "", "", false}, // a setting of InferenceX, which no version of vLLM has
		{"vllm", "0.7.2", "enable_prefix_caching", "", "--no-enable-prefix-caching", true},
		{"vllm", "0.6.3.post1", "enable_prefix_caching", "", "", false},
		{"vllm", "0.6.3.post1", "enable_chunked_prefill", "", "--enable-chunked-prefill False", true},
		{"vllm", "0.9.1", "enable_chunked_prefill", "", "--no-enable-chunked-prefill", true},
		{"vllm", "0.8.5", "enable_chunked_prefill", "", "", false},
		{"vllm", "0.11.0", "disable_log_stats", "", "", true},
		{"vllm", "", "headless", "", "", true},
		{"vllm", "", "enable_prefix_caching", "", "", false},
		{"sglang", "0.5.1", "disable_radix_cache", "", "", true},
		{"llama.cpp", "b6327", "mmap", "", "", false},
	} {
		for _, v := range []catalog.Parameter{{Value: json.RawMessage("false")}, {Value: json.RawMessage(`"False"`), Text: true}} {
			e := settings.Engine{ID: c.engine, Version: c.version}
			got, ok := argument(e, []string{"enforce_eager"}, compare.Argument{Name: c.name, Value: v, Owner: c.owner})
			if got != c.want || ok != c.ok {
				t.Errorf("%s %s, %s: %q, %v, want %q, %v", c.engine, c.version, c.name, got, ok, c.want, c.ok)
			}
		}
	}
}

// TestShellReadsQuotedWords lets a shell read quoted words back, where there is one.
func TestShellReadsQuotedWords(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, w := range []string{"plain", "", "a b", "it's", "$(echo x)", "`echo x`", `"`, `\`, "~", "*", "-n",
		"<redacted>", "a;b&c|d", "é → ü", "!x"} {
		out, err := exec.Command(sh, "-c", "printf '%s.' "+shellQuote(w)).Output()
		if err != nil || string(out) != w+"." {
			t.Errorf("%q is quoted as %s, which a shell reads as %q (%v)", w, shellQuote(w),
				strings.TrimSuffix(string(out), "."), err)
		}
	}
	if got := shellQuote("a\nrm -rf ~"); strings.ContainsAny(got, "\n\r") {
		t.Errorf("a quoted word has a line break: %q", got)
	}
}

// TestParted holds that counts in messages are written as on the rest of a page, and nothing else is.
func TestParted(t *testing.T) {
	goldentest.Table(t, parted, map[string]string{
		"1015 of 2000 requests completed 4096 in, 128 out": "1\u202f015 of 2\u202f000 requests completed 4\u202f096 in, " +
			"128 out",
		"vLLM 0.8.2, 20250424 and 4096": "vLLM 0.8.2, 20250424 and 4096",
	})
}

// The commands of a client are shown as recorded, each of several, and what was set by hand alone.
func TestRecordedClient(t *testing.T) {
	others := []catalog.Other{{Value: "bench --n 2 \\\n  --m", From: catalog.FromRecord}}
	for _, c := range []struct {
		of         catalog.Attribute
		text, note string
	}{
		{catalog.Attribute{}, "", ""},
		{catalog.Attribute{Value: "bench --n 1"}, "bench --n 1", "As recorded."},
		{catalog.Attribute{Value: "bench --n 1", Others: others}, "bench --n 1||bench --n 2 \\|  --m",
			"As recorded; the records hold several."},
		{catalog.Attribute{Value: "bench --n 1", From: catalog.FromOverride, Others: others}, "bench --n 1", "As recorded."},
	} {
		r := &figure.Run{Run: &catalog.Run{Attributes: map[string]catalog.Attribute{"client_command": c.of}}}
		lines, note := recordedClient(r)
		var texts []string
		for _, l := range lines {
			texts = append(texts, l.Text)
		}
		if text := strings.Join(texts, "|"); text != c.text || note != c.note {
			t.Errorf("%+v: %q, %q, want %q, %q", c.of, text, note, c.text, c.note)
		}
	}
}

// A command that is written from arguments names those that no listed version of its engine has: they may be settings of
// another program. Of version 9.0 nobody knows the arguments; listed ones of engine "serve" have seats.
func TestUnlistedArguments(t *testing.T) {
	run := figuretest.Run("a", "o/Dense-10B", "1x big", "9.0", figuretest.Point(1, 50, 0.1, 0.2, 0.02, 0.03))
	run.Parameters = figuretest.Params("seats", "3", "disagg", "true", "tp", "4")
	c := &catalog.Catalog{Runs: []*catalog.Run{run}}
	g := New(figure.NewIndex(c, figuretest.Names(t)), c, Options{})
	r := g.Index.Runs[0]
	r.Engine.Command = "serve {model}"
	lines, note := (&draft{g: g}).serverCommand(r, "m")
	if len(lines) != 4 || lines[0].Text != "serve m \\" {
		t.Fatalf("%+v", lines)
	}
	if want := "No version of " + r.Engine.Name + " whose arguments are listed here has disagg and tp: "; !strings.Contains(note, want) {
		t.Errorf("%q does not say %q", note, want)
	}
}
