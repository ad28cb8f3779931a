package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// TestCheckOfListedNames: names of data/names that share no word with what is recorded are true.
func TestCheckOfListedNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data/raw/a.json": `{"date": "20250101-120000", "backend": "vllm", "model_id": "weights/ckpt-0042", "num_prompts": 4, ` +
			`"request_rate": "inf", "max_concurrency": 2, "duration": 4.0, "completed": 4, "total_input_tokens": 400, ` +
			`"total_output_tokens": 80, "request_throughput": 1.0, "output_throughput": 20.0, "total_token_throughput": 120.0, ` +
			`"mean_ttft_ms": 50.0}`,
		"data/raw/run.toml":       "hardware = \"1x H100 SXM\"\nengine = \"vllm\"\n",
		"data/names/models.toml":  "[[model]]\nid = \"our-llama\"\nname = \"Llama 3.1 8B\"\naliases = [\"weights/ckpt-0042\"]\n",
		"data/names/engines.toml": "[[engine]]\nid = \"vllm\"\nname = \"Quickly\"\n",
	} {
		goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	for _, command := range []string{"ingest", "build", "check"} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", dir, command}); code != 0 {
			t.Fatalf("%s: exit status %d\n%s%s", command, code, out.String(), errs.String())
		}
	}
}
