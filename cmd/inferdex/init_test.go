package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/settings"
)

// inDir runs a command as typed in a directory, and returns what it prints.
func inDir(t *testing.T, dir string, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if got := run(t.Context(), strings.NewReader(""), &out, &out, append([]string{"-C", dir}, args...)); got != want {
		t.Fatalf("%q ends with %d, want %d:\n%s", args, got, want, &out)
	}
	return out.String()
}

const oneResult = `{"date":"20250326-134350","backend":"vllm","model_id":"org/m","num_prompts":8,"request_rate":4,"completed":8,` +
	`"total_input_tokens":4096,"duration":2,"output_throughput":512,"total_token_throughput":900,"median_ttft_ms":31.5}`

// What no command takes as a setting is refused before anything is written.
func TestInitRefusesWhatNoCommandTakes(t *testing.T) {
	dir := t.TempDir()
	for flag, want := range map[string]string{
		"--base-url=example":             `base_url is "example/", want an address that begins with https://`,
		"--base-url=https://a.example?b": "want an address without query and fragment",
		"--repository=example":           `repository is "example", want an address`,
		"--shards=-1":                    "--shards -1: give a number from 0 to 256",
	} {
		if out := inDir(t, dir, exitUsage, "init", flag); !strings.Contains(out, want) {
			t.Errorf("%s: %s", flag, out)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A catalog that init began takes results and becomes a site as it is. What a person wrote stays.
func TestInit(t *testing.T) {
	dir := t.TempDir()
	if out := inDir(t, dir, 0, "init", "demo", "--title", `Ours "quoted"`, "--base-url",
		"https://example.org/b"); !strings.Contains(out, "Put results into demo/data/raw, then in demo: inferdex ingest") {
		t.Errorf("init prints\n%s", out)
	}
	demo := filepath.Join(dir, "demo")
	data, err := os.ReadFile(demo + "/inferdex.toml")
	if err != nil {
		t.Fatal(err)
	}
	if c, diags := settings.LoadConfig(data, configFile); len(diags) > 0 || c.Title != `Ours "quoted"` ||
		c.BaseURL != "https://example.org/b/" {
		t.Errorf("settings: %+v, %v", c, diags)
	}
	uncomment(t, demo)
	if err := os.WriteFile(demo+"/data/raw/a.json", []byte(oneResult), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(demo+"/.gitignore", []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	inDir(t, demo, 0, "ingest")
	inDir(t, demo, 0, "build")
	inDir(t, demo, 0, "check")
	if _, err := os.Stat(demo + "/public/index.html"); err != nil {
		t.Error(err)
	}
	inDir(t, demo, 0, "init")
	if data, _ := os.ReadFile(demo + "/.gitignore"); string(data) != "mine\n" {
		t.Errorf("init wrote over .gitignore: %q", data)
	}
}

// In a folder of a repository, also one whose .git is a file, init says that GitHub reads no workflows there.
func TestInitInFolderOfRepository(t *testing.T) {
	dir := t.TempDir()
	if err := writeFile(filepath.Join(dir, "repo", ".git"), []byte("gitdir: ../elsewhere\n")); err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]string{"repo/sub/bench": "directory: sub/bench", "repo": "", "alone": ""} {
		out, code := typed(dir, "init", where)
		if code != 0 || strings.Contains(out, "directory: ") != (want != "") || !strings.Contains(out, want) {
			t.Errorf("%s: %d, %s", where, code, out)
		}
	}
}

// A catalog that init began takes a whole folder of real result files and becomes a site.
func TestConformanceInit(t *testing.T) {
	files, dir := corpus(t), t.TempDir()
	inDir(t, dir, 0, "init", "demo")
	demo := filepath.Join(dir, "demo")
	inDir(t, demo, 0, "ingest", files)
	inDir(t, demo, 0, "build")
	if _, err := os.Stat(demo + "/public/index.html"); err != nil {
		t.Error(err)
	}
}

// uncomment holds the examples of the settings and names that init writes: without the # in front, they are
// settings that inferdex takes.
func uncomment(t *testing.T, dir string) {
	t.Helper()
	lines := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for line := range strings.Lines(string(data)) {
			if s, ok := strings.CutPrefix(line, "# "); ok && (strings.Contains(s, " = ") || strings.HasPrefix(s, "[")) {
				line = s
			}
			out = append(out, line)
		}
		return []byte(strings.Join(out, ""))
	}
	data := bytes.Replace(lines("inferdex.toml"), []byte("base_url = \"https://example.org/benchmarks/\""), nil, 1)
	if _, diags := settings.LoadConfig(data, configFile); len(diags) > 0 {
		t.Errorf("the examples of inferdex.toml: %v", diags)
	}
	names := t.TempDir()
	for _, name := range []string{"models.toml", "prices.toml"} {
		if err := os.MkdirAll(names+"/names", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(names+"/names/"+name, lines("data/names/"+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, diags := settings.LoadNames(os.DirFS("../../data"), os.DirFS(names)); len(diags) > 0 {
		t.Errorf("the examples of data/names: %v", diags)
	}
}
