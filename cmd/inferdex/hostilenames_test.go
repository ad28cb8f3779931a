package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostileNames are models whose names are pages, devices or directories elsewhere, or alike but for case,
// organisation, what a slug leaves out, or what stands behind a hundred characters.
var hostileNames = []string{
	"index.html", "Index.HTML", "404.html", "index", "_index", "models", "not-recorded", "con", "CON", "con.",
	"nul", "aux.txt",
	"COM1", "lpt¹", ".", "..", "-", "a/../b", "a%2fb", "Org/A b", "Org/a-b", "Org/A-B", "other/a-b", "模型", "模型二",
	"a-on-h100", strings.Repeat("xz", 150), strings.Repeat("y", 120) + "1", strings.Repeat("y", 120) + "2",
}

// A catalog of such models, and of such hardware, engines and workloads, some with a throughput of zero, is built: no
// two share an address or an id, none has a name that a system keeps.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	for i, name := range hostileNames {
		for j := range 2 {
			data := fmt.Sprintf(`{"date": "2025010%d-12%02d00", "endpoint_type": "vllm", "backend": "vllm", "model_id": %q, "num_prompts": 100,
"request_rate": "inf", "max_concurrency": 8, "duration": 10.0, "completed": 100, "total_input_tokens": 102400, "total_output_tokens": 12800,
"request_throughput": 10.0, "output_throughput": 128%d.0, "total_token_throughput": 11520.0, "mean_tpot_ms": 6.0, "median_tpot_ms": 6.0, "p99_tpot_ms": 8.0,
"mean_ttft_ms": 50.0, "median_ttft_ms": 48.0, "p99_ttft_ms": 80.0}
`, j+1, i, name, j)
			if err := writeFile(filepath.Join(dir, "data", "raw", fmt.Sprintf("%02d-%d.json", i, j)),
				[]byte(data)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := writeFile(filepath.Join(dir, "data", "raw", "run.toml"), []byte("hardware = \"H100\"\n")); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ hardware, engine, version, dataset string }{
		{"Index.html", "con", "nul", "aux"}, {"index.HTML", "CON", "NUL", "AUX"}, {"com2", "a.htm", "a.htm", ".."},
		{"COM2", "b.html", "b.html", "index.html"}, {"..", "..", "..", "a  b"}, {"=1+1", "", "0.9", "a b"},
		{"H100", "c.html", "1", "con"}, {"H100", "d.html", "d.html", ""}, {"H100", "<b>", "2", "x"},
		{"H100", "", "0.9", "x"}, {"Twin", "Twin", "1", "x"}, {"models", "models", "1", "x"}, {"Engines", "Hardware", "1", "x"},
	} {
		for load := 1; load <= 2; load++ {
			data := fmt.Sprintf(`{"date": "20250201-%02d000%d", "endpoint_type": "vllm", "backend": "vllm", "model_id": "org/m", "num_prompts": 100,
"dataset_name": %q, "request_rate": "inf", "max_concurrency": %d, "duration": 10.0, "completed": 100, "total_input_tokens": 102400,
"total_output_tokens": 12800, "request_throughput": 10.0, "output_throughput": %d, "total_token_throughput": 11520.0, "mean_tpot_ms": 6.0,
"median_tpot_ms": 6.0, "p99_tpot_ms": 8.0, "mean_ttft_ms": 50.0, "median_ttft_ms": 4%d.5, "p99_ttft_ms": 80.0}
`, i, load, c.dataset, load, (load-1)*(900+10*i), i%10)
			if err := writeFile(filepath.Join(dir, "data", "raw", "x", fmt.Sprint(i), fmt.Sprint(load, ".json")),
				[]byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		toml := fmt.Sprintf("hardware = %q\nengine = %q\nengine_version = %q\n", c.hardware, c.engine, c.version)
		if err := writeFile(filepath.Join(dir, "data", "raw", "x", fmt.Sprint(i), "run.toml"),
			[]byte(toml)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"ingest", "build", "check"} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", dir, args}); code != 0 {
			t.Fatalf("inferdex %s: exit status %d\n%.3000s%.3000s", args, code, out.String(), errs.String())
		}
	}
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
	pages := 0
	for _, part := range []string{"public", "data/catalog"} {
		err := filepath.WalkDir(filepath.Join(dir, part), func(path string, e os.DirEntry, err error) error {
			if base := filepath.Base(path); device.MatchString(base) || len(base) > 255 ||
				strings.ToLower(base) != base && base != "SKILL.md" { // assistants look for that name
				t.Errorf("%s: a name that not every file system has", path)
			}
			if filepath.Base(path) == "index.html" && filepath.Base(filepath.Dir(filepath.Dir(path))) == "models" {
				pages++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// Spellings that differ in case alone are one model, three times; "not-recorded", ".", ".." and "-" say nothing and have no page.
	if want := len(hostileNames) - 3 - 4 + 1; pages != want {
		t.Errorf("%d pages of models, want %d", pages, want)
	}
}
