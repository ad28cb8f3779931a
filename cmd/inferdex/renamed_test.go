package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// TestCheckOfListedNames: names of data/names that share no word with what is recorded are true.
func TestCheckOfListedNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data/raw/a.json":         served("weights/ckpt-0042", "01"),
		"data/raw/run.toml":       "hardware = \"1x H100 SXM\"\nengine = \"vllm\"\n",
		"data/names/models.toml":  "[[model]]\nid = \"our-llama\"\nname = \"Llama 3.1 8B\"\naliases = [\"weights/ckpt-0042\"]\n",
		"data/names/engines.toml": "[[engine]]\nid = \"vllm\"\nname = \"Quickly\"\n",
	} {
		goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
	}
	for _, command := range []string{"ingest", "build", "check"} {
		if said, code := typed(dir, command); code != 0 {
			t.Fatalf("%s: exit status %d\n%s", command, code, said)
		}
	}
}

// TestCheckOfOddNames: what counts as the name of a model is one thing for the pages and for those who check them.
func TestCheckOfOddNames(t *testing.T) {
	dir := t.TempDir()
	goldentest.Write(t, filepath.Join(dir, "data", "raw", "run.toml"), []byte("hardware = \"1x H100 SXM\"\nengine = \"vllm\"\n"))
	for i, model := range []string{"~", "😀😀", "<b>x</b>", "<model>", "«Modell»", "...", "//", "-", "org/..", "模型", "{{ model }}"} {
		goldentest.Write(t, filepath.Join(dir, "data", "raw", fmt.Sprintf("%02d.json", i)),
			[]byte(served(model, fmt.Sprintf("%02d", i+1))))
	}
	for _, command := range []string{"ingest", "build", "check"} {
		if said, code := typed(dir, command); code != 0 {
			t.Fatalf("%s: exit status %d\n%s", command, code, said)
		}
	}
	if said, _ := typed(dir, "list", "runs", "--json"); strings.Count(said, `"code":"placeholder"`) != 8 {
		t.Errorf("not eight runs of which no model is known:\n%s", said)
	}
}

// TestCheckOfOddMachines: counts of accelerators that people write in many ways are those that the pages name, and of
// machines that state none no figure is of each.
func TestCheckOfOddMachines(t *testing.T) {
	dir := t.TempDir()
	for i, hardware := range []string{"8*A100-SXM4-80GB", "H100 80GB x8", "4x H100", "B200 (x2)", "2 nodes of 8x MI300X",
		"RTX 4090 + RTX 3090", "H100", "B200", "L4", "GH200 480GB", "Gaudi 3", "Apple M3 Max", "AMD Instinct MI300X (gfx942)",
		"Foo Bar 9000"} {
		in := filepath.Join(dir, "data", "raw", fmt.Sprintf("%02d", i))
		goldentest.Write(t, filepath.Join(in, "run.toml"), []byte(fmt.Sprintf("hardware = %q\nengine = \"vllm\"\n", hardware)))
		goldentest.Write(t, filepath.Join(in, "x.json"), []byte(served("org/test-7b", fmt.Sprintf("%02d", i+1))))
	}
	for _, command := range []string{"ingest", "build", "check"} {
		if said, code := typed(dir, command); code != 0 {
			t.Fatalf("%s: exit status %d\n%s", command, code, said)
		}
	}
}
