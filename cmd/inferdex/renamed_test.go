package main

import (
	"path/filepath"
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
