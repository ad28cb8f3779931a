package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

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

// A catalog that init began takes results and becomes a site as it is. What a person wrote stays.
func TestInit(t *testing.T) {
	dir := t.TempDir()
	if out := inDir(t, dir, 0, "init", "demo", "--title", `Ours "quoted"`, "--base-url", "https://example.org/b"); !strings.Contains(out, "Put results into demo/data/raw") {
		t.Errorf("init prints\n%s", out)
	}
	demo := filepath.Join(dir, "demo")
	data, err := os.ReadFile(demo + "/inferdex.toml")
	if err != nil {
		t.Fatal(err)
	}
	if c, diags := settings.LoadConfig(data, configFile); len(diags) > 0 || c.Title != `Ours "quoted"` || c.BaseURL != "https://example.org/b/" {
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

// Two jobs that publish at once: the slower one reads both results and pushes them, nothing is lost. The steps
// are those of the workflow that init writes, run with the shell that GitHub runs them with.
func TestPublishWorkflowLosesNothing(t *testing.T) {
	for _, program := range []string{"git", "bash", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("skipped, no %s", program)
		}
	}
	dir := t.TempDir()
	bin := dir + "/bin"
	if out, err := exec.Command("go", "build", "-o", bin+"/inferdex", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	shell := func(where, script string) string {
		t.Helper()
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = where, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, out)
		}
		return string(out)
	}
	steps := publishSteps(t)
	shell(dir, `git init --quiet --bare --initial-branch main hub.git
git clone --quiet hub.git first
inferdex init first
cd first && git add . && git commit --quiet --message begin && git push --quiet origin HEAD:main
cd .. && git clone --quiet hub.git second`)
	for _, side := range []struct{ dir, model string }{{"first", "org/one"}, {"second", "org/two"}} {
		name := filepath.Join(dir, side.dir, "data", "raw", side.dir)
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name+"/a.json", []byte(strings.Replace(oneResult, "org/m", side.model, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		shell(filepath.Join(dir, side.dir), "git add data/raw && git commit --quiet --message results && "+steps["read the results"])
	}
	shell(dir+"/first", steps["keep the catalog"])
	shell(dir+"/second", steps["keep the catalog"])
	shell(dir, "git clone --quiet hub.git last")
	shell(dir+"/last", "inferdex ingest --check")
	if got := shell(dir+"/last", "inferdex list runs"); !strings.Contains(got, "one") || !strings.Contains(got, "two") {
		t.Errorf("a run is lost:\n%s", got)
	}
	// A job that finds nothing new pushes nothing.
	before := shell(dir+"/last", "git rev-parse HEAD")
	shell(dir+"/last", steps["read the results"]+"\n"+steps["keep the catalog"])
	if after := shell(dir+"/last", "git rev-parse HEAD"); after != before {
		t.Error("a job without new results made a commit")
	}
}

// publishSteps are the shell steps of the workflow that init writes, by name.
func publishSteps(t *testing.T) map[string]string {
	t.Helper()
	data, err := fs.ReadFile(skeleton, "skeleton/.github/workflows/publish.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal(data, &workflow); err != nil {
		t.Fatal(err)
	}
	steps := map[string]string{}
	for _, s := range workflow.Jobs["build"].Steps {
		steps[s.Name] = s.Run
	}
	return steps
}
