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
	for i, model := range []string{"~", "😀😀", "<b>x</b>", "<model>", "«Modell»", "...", "//", "-", "org/..", "模型"} {
		goldentest.Write(t, filepath.Join(dir, "data", "raw", fmt.Sprintf("%02d.json", i)),
			[]byte(served(model, fmt.Sprintf("%02d", i+1))))
	}
	for _, command := range []string{"ingest", "build", "check"} {
		if said, code := typed(dir, command); code != 0 {
			t.Fatalf("%s: exit status %d\n%s", command, code, said)
		}
	}
	if said, _ := typed(dir, "list", "runs", "--json"); strings.Count(said, `"code":"placeholder"`) != 7 {
		t.Errorf("not seven runs of which no model is known:\n%s", said)
	}
}
