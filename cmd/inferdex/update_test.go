package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Two ingests at once lose nothing: what both would write back of one run waits for the other.
func TestIngestsAtOnce(t *testing.T) {
	dir := t.TempDir()
	const files = 6
	for i := range files {
		line := fmt.Sprintf(
			`{"backend":"vllm","model_id":"org/m-7b","tokenizer_id":"org/m-7b","num_prompts":8,"request_rate":%d,"duration":2,"completed":8,"total_input_tokens":80,"total_output_tokens":80,"request_throughput":4,"output_throughput":40,"total_token_throughput":80,"mean_ttft_ms":5,"median_ttft_ms":5,"p99_ttft_ms":6,"date":"20250101-00000%d"}`, i+1, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("r%d.json", i)), []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i := range files {
		all.Go(func() {
			var out bytes.Buffer
			if code := run(t.Context(), strings.NewReader(""), &out, &out,
				[]string{"-C", dir, "ingest", fmt.Sprintf("r%d.json", i)}); code > exitFindings {
				t.Errorf("exit status %d:\n%s", code, out.String())
			}
		})
	}
	all.Wait()
	var out bytes.Buffer
	run(t.Context(), strings.NewReader(""), &out, &out, []string{"-C", dir, "--json", "list", "points"})
	if n := strings.Count(out.String(), `"source":"`); n != files {
		t.Errorf("%d points after %d ingests at once:\n%s", n, files, out.String())
	}
}

// An update that fails leaves every file as it was, and nothing beside it.
func TestUpdateTakenBack(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	u := beginUpdate(context.Background(), dir)
	for _, name := range []string{"a", "new/deep/b"} {
		if err := u.Write(name, []byte("new")); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	if err := u.End(broken); err != broken {
		t.Errorf("error %v, want the one given", err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("left behind: %q, %v", names, err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a")); string(data) != "old" {
		t.Errorf("a holds %q", data)
	}
}
