package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// From an artifact of a CI job to a run of the catalog, whose sources name the job, and to a site as GitHub Pages takes
// it.
func TestFetchThenIngest(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("results/vllm.json")
	if err == nil {
		_, err = fmt.Fprintln(w,
			`{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,"request_rate":4,"completed":8,`+
				`"total_input_tokens":4096,"duration":2,"output_throughput":512,"total_token_throughput":900,"median_ttft_ms":31.5}`)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	blobs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(archive.Bytes())
	}))
	defer blobs.Close()
	repository := map[string]any{"full_name": "acme/bench", "default_branch": "main"}
	job := map[string]any{"id": 5, "name": "bench", "run_number": 1, "head_branch": "main", "head_sha": "c0ffee",
		"html_url":   "https://github.com/acme/bench/actions/runs/5",
		"repository": repository, "head_repository": repository}
	answers := map[string]any{
		"":              repository,
		"/actions/runs": map[string]any{"workflow_runs": []any{job}},
		"/actions/runs/5/artifacts": map[string]any{"artifacts": []any{map[string]any{"id": 9, "name": "results",
			"size_in_bytes": archive.Len()}}},
	}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := strings.TrimPrefix(r.URL.Path, "/api/v3/repos/acme/bench")
		if p == "/actions/artifacts/9/zip" {
			http.Redirect(w, r, blobs.URL, http.StatusFound)
			return
		}
		_ = json.NewEncoder(w).Encode(answers[p])
	}))
	defer api.Close()
	t.Setenv("GITHUB_TOKEN", "a-token-of-this-test")

	dir := t.TempDir()
	call := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if got := run(t.Context(), strings.NewReader(""), &out, &out,
			append([]string{"-C", dir}, args...)); got != want {
			t.Fatalf("%q ends with %d, want %d:\n%s", args, got, want, &out)
		}
		if strings.Contains(out.String(), "a-token-of-this-test") {
			t.Errorf("%q prints the token:\n%s", args, &out)
		}
		return out.String()
	}
	fetch := []string{"fetch", "github:acme/bench", "--api-url", api.URL}
	if out := call(0, fetch...); !strings.Contains(out,
		"data/raw/github/acme/bench/5-1/results.zip\n1 loaded, 0 there already, 0 gone") {
		t.Errorf("fetch prints\n%s", out)
	}
	if out := call(0, fetch...); !strings.Contains(out, "0 loaded, 1 there already, 0 gone") {
		t.Errorf("the second fetch prints\n%s", out)
	}
	call(0, "ingest")
	runs, _ := filepath.Glob(dir + "/data/catalog/*m/*.json")
	if len(runs) != 1 {
		t.Fatalf("runs: %q", runs)
	}
	data, err := os.ReadFile(runs[0])
	const ci = `"ci": {"url": "https://github.com/acme/bench/actions/runs/5", "commit": "c0ffee", "workflow": "bench", "branch": "main"}`
	if err != nil || !strings.Contains(string(data), ci) {
		t.Errorf("the run does not say which job made it, %v:\n%s", err, data)
	}
	call(0, "build")
	call(0, "check")
	page, err := os.ReadFile(filepath.Join(dir, "public/runs", strings.TrimSuffix(filepath.Base(runs[0]), ".json"),
		"index.html"))
	if err != nil || !strings.Contains(string(page), "https://github.com/acme/bench/actions/runs/5") {
		t.Errorf("the page of the run does not lead to the job, %v", err)
	}
	for _, name := range []string{"index.html", "404.html", ".nojekyll"} {
		if _, err := os.Stat(filepath.Join(dir, "public", name)); err != nil {
			t.Errorf("no layout for Pages: %v", err)
		}
	}
	call(1, "fetch", "github:acme/bench", "--api-url", api.URL, "--name", "none")
	answers["/actions/runs/5/artifacts"] = map[string]any{"artifacts": []any{
		map[string]any{"id": 8, "name": "old", "expired": true}}}
	if out := call(1, fetch...); !strings.HasSuffix(out, "0 loaded, 0 there already, 1 gone\n") {
		t.Errorf("a fetch of what is gone prints\n%s", out)
	}
	call(2, "fetch", "acme/bench")
	call(2, "fetch", "github:acme/bench", "--api-url", "foo", "--output", "data/raw/none")
	call(2, "fetch", "github:acme/bench", "--name", "[", "--output", "data/raw/none")
	call(1, "fetch", "github:acme/bench", "--api-url", api.URL, "--name", "none", "--output", "data/raw/none/of/it")
	if _, err := os.Stat(filepath.Join(dir, "data/raw/none")); err == nil {
		t.Error("a folder is left of what was not fetched")
	}
}
