package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/goldentest"
)

// Every argument and every flag that takes a value says how it is completed.
func TestEverythingCompletes(t *testing.T) {
	a := &app{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.HasSubCommands() && cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			t.Errorf("%s: its arguments are not completed", cmd.CommandPath())
		}
		for _, name := range flagNames(cmd.LocalFlags().FlagUsages()) {
			f := cmd.LocalFlags().Lookup(name)
			if _, ok := cmd.GetFlagCompletionFunc(name); !ok && f.Value.Type() != "bool" {
				t.Errorf("%s: --%s is not completed", cmd.CommandPath(), name)
			}
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(a.command())
}

// lossyResult is a record of one measurement that lost two of its requests.
const lossyResult = `{"date": "20250601-120000", "backend": "vllm", ` +
	`"model_id": "org/Test-7B", "tokenizer_id": "org/Test-7B", "num_prompts": 10, "request_rate": "inf", ` +
	`"burstiness": 1.0, "max_concurrency": null, "duration": 10.0, "completed": 8, "total_input_tokens": 80, ` +
	`"total_output_tokens": 40, "request_throughput": 0.8, "output_throughput": 4.0, ` +
	`"total_token_throughput": 12.0, "mean_ttft_ms": 5.0, "median_ttft_ms": 5.0, "p99_ttft_ms": 9.0}` + "\n"

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	goldentest.Write(t, filepath.Join(dir, "data/raw/r.jsonl"),
		[]byte(lossyResult))
	complete := func(args ...string) []string {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs, args); code != 0 {
			t.Fatalf("%q: exit status %d: %s", args, code, errs.String())
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	complete("-C", dir, "ingest", "--set", "hardware=H100")
	run := strings.Fields(complete("-C", dir, "list", "runs")[1])[0]
	for _, c := range []struct{ args, want string }{
		{"list ", "cards"},
		{"formats vllm-s", "vllm-suite"},
		{"remove ", run},
		{"compare " + run[:3], run},
		{"chart ", run},
		{"export benchmark-report ", run},
		{"chart --theme ", "dark"},
		{"chart --format ", "png"},
		{"ingest --set engine_v", "engine_version="},
		{"compare --fail-on ", "output_throughput"},
		{"compare --baseline ", "card"},
		{"diff --format ", "markdown"},
		{"eject ", "layouts/card.html"},
		{"fetch ", "github:"},
		{"next ", "test-7b"},
		{"build --merge ", ":16"}, // folders
	} {
		words := strings.Split(c.args, " ")
		got := complete(append([]string{"-C", dir, "__complete"}, words...)...)
		found := false
		for _, line := range got {
			word, _, _ := strings.Cut(line, "\t")
			found = found || word == c.want
		}
		if !found {
			t.Errorf("%q completes to %q, want %q among it", c.args, got, c.want)
		}
	}
	if got := complete("-C", dir, "__complete", "remove", run, ""); strings.HasPrefix(got[0], run) {
		t.Errorf("a run that is named already is offered again: %q", got)
	}
}
