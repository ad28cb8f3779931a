package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/ingest/trial"
)

// TestSubmit packs results, unpacks them into another catalog, and has that derive the same again: with the results as
// they are, from a path here and from one outside; without them, from what is stored. A secret is packed only where the
// files themselves are asked for, and the same files give the same bytes.
func TestSubmit(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	record := `{"date": "20250401-120000", "backend": "vllm", "model_id": "org/One-7B", "tokenizer_id": "org/One-7B", ` +
		`"api_key": "` + canary + `", "num_prompts": 10, "request_rate": 1, "burstiness": 1.0, "max_concurrency": null, ` +
		`"duration": 10.0, "completed": 10, "total_input_tokens": 80, "total_output_tokens": 40, "request_throughput": 1, ` +
		`"output_throughput": 4.0, "total_token_throughput": 12.0, "mean_ttft_ms": 5.0, "median_ttft_ms": 5.0, ` +
		`"p99_ttft_ms": 9.0}` + "\n"
	for _, at := range []string{dir, outside} {
		for name, text := range map[string]string{"results/run.toml": "hardware = \"2x H100 SXM\"\n",
			"results/deep/r.jsonl": record} {
			if err := writeFile(filepath.Join(at, filepath.FromSlash(name)), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	inferdex := func(in string, args ...string) (said string) {
		t.Helper()
		var b bytes.Buffer
		if code := run(context.Background(), strings.NewReader(""), &b, &b, append([]string{"-C", in}, args...)); code != 0 {
			t.Fatalf("inferdex %s: exit status %d\n%s", args, code, b.String())
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		args []string
		raw  bool
	}{
		{"kept", []string{"results/deep"}, false},
		{"raw", []string{"results/deep", "--raw"}, true},
		{"outside", []string{filepath.Join(outside, "results", "deep"), "--raw"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"submit"}, c.args...)
			inferdex(dir, append(args, "--output", "one/"+c.name+".zip")...)
			inferdex(dir, append(args, "--output", "two/"+c.name+".zip")...)
			data, err := os.ReadFile(filepath.Join(dir, "one", c.name+".zip"))
			if err != nil {
				t.Fatal(err)
			}
			again, err := os.ReadFile(filepath.Join(dir, "two", c.name+".zip"))
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("packed twice: other bytes (%v)", err)
			}
			to := t.TempDir()
			unzip(t, data, to)
			secret := false
			_ = filepath.WalkDir(to, func(name string, e fs.DirEntry, err error) error {
				if err != nil {
					t.Error(err)
				} else if !e.IsDir() {
					text, err := os.ReadFile(name)
					secret = secret || err != nil || bytes.Contains(text, []byte(canary))
				}
				return nil
			})
			if secret != c.raw {
				t.Errorf("a secret is packed: %v", secret)
			}
			if err := os.MkdirAll(filepath.Join(to, "data", "raw"), 0o777); err != nil {
				t.Fatal(err)
			}
			if got := inferdex(to, "list", "cards"); !strings.Contains(got, "2× H100 SXM") {
				t.Errorf("what stands above the results is lost: %s", got)
			}
			if c.raw {
				inferdex(to, "ingest", "--check")
			}
		})
	}
}

// unzip writes the files of an archive below a folder.
func unzip(t *testing.T, data []byte, to string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		if !filepath.IsLocal(f.Name) || f.ModTime().Year() > 1980 {
			t.Errorf("%q has a time, or leaves the folder", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err == nil {
			err = writeFile(filepath.Join(to, f.Name), text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSubmitElsewhere packs the same files as a page packs them that they are dropped on: the same bytes.
func TestSubmitElsewhere(t *testing.T) {
	dir := t.TempDir()
	var inputs []ingest.Input
	var names []string
	for name, text := range map[string]string{
		"mine/run.toml": "hardware = \"2x H100 SXM\"\n",
		"mine/r.jsonl": `{"date": "20250401-120000", "backend": "vllm", "model_id": "org/One-7B", "api_key": "` + canary +
			`", "num_prompts": 10, "request_rate": 1, "max_concurrency": null, "duration": 10.0, "completed": 10, ` +
			`"total_input_tokens": 80, "total_output_tokens": 40, "output_throughput": 4.0, "mean_ttft_ms": 5.0}` + "\n",
		"nobody/r.json": `[{"model_type": "llama 7B Q4_0", "n_prompt": 512, "n_gen": 0, "avg_ts": 100.5, "stddev_ts": 0.5}]`,
	} {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
		inputs, names = append(inputs, ingest.Input{Name: name, Data: []byte(text)}), append(names, name)
	}
	var said bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &said, &said, append([]string{"-C", dir, "submit"}, names...)); code != 0 {
		t.Fatalf("exit status %d\n%s", code, said.String())
	}
	want, err := os.ReadFile(filepath.Join(dir, "submission.zip"))
	if err != nil {
		t.Fatal(err)
	}
	known, _ := settings.LoadNames(os.DirFS("../../data"))
	got, err := trial.Bundle(context.Background(), inputs, trial.Options{Formats: format.All(), Names: known})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %d bytes, the command packs %d", err, len(got), len(want))
	}
	to := t.TempDir()
	unzip(t, got, to)
	if found, err := filepath.Glob(filepath.Join(to, "data", "catalog", "*", "*.json")); err != nil || len(found) < 2 {
		t.Errorf("%q, %v", found, err)
	}
}

// Where something cannot be read nothing is packed, and that is said instead of what an ingest does then.
func TestSubmitOfWhatCannotBeRead(t *testing.T) {
	dir := small(t)
	if err := os.Mkdir(filepath.Join(dir, "data/raw/\xff"), 0o777); err != nil {
		t.Skip("names are text here")
	}
	said, code := typed(dir, "submit", "data/raw")
	if code != exitIO || !strings.Contains(said, "1 file could not be read: nothing is packed") {
		t.Errorf("exit status %d\n%s", code, said)
	}
}
