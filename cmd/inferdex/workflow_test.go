package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// asProgram in the environment makes this test binary the program itself, for scripts that call it.
const asProgram = "INFERDEX_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// workflowStep is a shell step of a workflow or of the action.
type workflowStep struct {
	Name, Run, Uses string
	Env             map[string]string
}

// stepsOf reads the steps of a workflow's job, or of action.yml where job is empty, by name.
func stepsOf(t *testing.T, file, job string) map[string]workflowStep {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Runs struct{ Steps []workflowStep }
		Jobs map[string]struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	steps := map[string]workflowStep{}
	for _, s := range append(doc.Runs.Steps, doc.Jobs[job].Steps...) {
		steps[s.Name] = s
	}
	return steps
}

// A job that asks where Pages lie may read that, which a workflow of a private repository may not unless it says so.
func TestPagesMayBeRead(t *testing.T) {
	for _, file := range []string{"skeleton/.github/workflows/publish.yml", "sliced/.github/workflows/publish.yml",
		"../../.github/workflows/pages.yml"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				Permissions map[string]string
				Steps       []workflowStep
			}
		}
		if err := yaml.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		asks := 0
		for name, job := range doc.Jobs {
			for _, s := range job.Steps {
				if !strings.HasPrefix(s.Uses, "actions/configure-pages@") {
					continue
				}
				asks++
				may := job.Permissions
				if may == nil {
					may = doc.Permissions
				}
				if may["pages"] == "" {
					t.Errorf("%s: the job %q may not read where Pages lie", file, name)
				}
			}
		}
		if asks == 0 {
			t.Errorf("%s: no job asks where Pages lie", file)
		}
	}
}

// runner stands in for a machine of GitHub Actions: it runs shell steps as that does, with the files that steps
// write for each other.
type runner struct {
	t   *testing.T
	dir string // where its own files lie
	env []string
}

func newRunner(t *testing.T, programs ...string) *runner {
	t.Helper()
	for _, p := range append(programs, "bash") {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("skipped, no %s", p)
		}
	}
	r := &runner{t: t, dir: t.TempDir()}
	bin := filepath.Join(r.dir, "bin")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n" + asProgram + "=1 exec '" + program + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "inferdex"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	r.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+r.dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.org", "GITHUB_OUTPUT="+r.file("output"), "GITHUB_PATH="+r.file("path"),
		"GITHUB_STEP_SUMMARY="+r.file("summary"), "RUNNER_TEMP="+r.dir)
	return r
}

func (r *runner) file(name string) string { return filepath.Join(r.dir, name) }

// read returns what steps wrote into one of the runner's files, and empties it.
func (r *runner) read(name string) string {
	data, _ := os.ReadFile(r.file(name))
	_ = os.Remove(r.file(name))
	return string(data)
}

// run runs a script in a directory and returns what it prints and whether it succeeded.
func (r *runner) run(where, script string, env ...string) (string, bool) {
	r.t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = where, append(r.env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// must is run for what has to succeed.
func (r *runner) must(where, script string, env ...string) string {
	r.t.Helper()
	out, ok := r.run(where, script, env...)
	if !ok {
		r.t.Fatalf("%s\n%s", script, out)
	}
	return out
}

// Two jobs that publish at once: the slower one reads both results and pushes them, nothing is lost. The steps
// are those of the action, which the workflow that init writes uses.
func TestPublishingLosesNothing(t *testing.T) {
	r := newRunner(t, "git")
	dir := t.TempDir()
	steps := stepsOf(t, "../../action.yml", "")
	r.must(dir, `git init --quiet --bare --initial-branch main hub.git
git clone --quiet hub.git first
inferdex init first
cd first && git add . && git commit --quiet --message begin && git push --quiet origin HEAD:main
cd .. && git clone --quiet hub.git second`)
	for _, side := range []struct{ dir, model string }{{"first", "org/one"}, {"second", "org/two"}} {
		name := filepath.Join(dir, side.dir, "data", "raw", side.dir)
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name+"/a.json", []byte(strings.Replace(oneResult, "org/m", side.model, 1)),
			0o666); err != nil {
			t.Fatal(err)
		}
		where := filepath.Join(dir, side.dir)
		r.must(where, "git add data/raw && git commit --quiet --message results\n"+steps["read the results"].Run,
			"RESULTS=", "CI_FACTS=false")
		r.must(where, steps["say what changed"].Run)
		if out := r.read("output"); out != "changed=true\n" {
			t.Errorf("%s: %q", side.dir, out)
		}
		if out := r.read("summary"); !strings.Contains(out, "1 run added") || !strings.Contains(out, "| added |") {
			t.Errorf("%s: the job's summary:\n%s", side.dir, out)
		}
	}
	r.must(dir+"/first", steps["keep the catalog"].Run)
	r.must(dir+"/second", steps["keep the catalog"].Run)
	r.must(dir, "git clone --quiet hub.git last")
	r.must(dir+"/last", "inferdex ingest --check")
	if got := r.must(dir+"/last", "inferdex list runs"); !strings.Contains(got, "one") ||
		!strings.Contains(got, "two") {
		t.Errorf("a run is lost:\n%s", got)
	}
	// A job that finds nothing new pushes nothing.
	before := r.must(dir+"/last", "git rev-parse HEAD")
	r.must(dir+"/last", steps["read the results"].Run+"\n"+steps["keep the catalog"].Run, "RESULTS=", "CI_FACTS=false")
	if after := r.must(dir+"/last", "git rev-parse HEAD"); after != before {
		t.Error("a job without new results made a commit")
	}
	r.must(dir+"/last", steps["build the site"].Run, "BASE_URL=https://example.org/b")
	if out := r.read("output"); out != "site="+dir+"/last/public\n" {
		t.Errorf("the built site: %q", out)
	}
	if data, err := os.ReadFile(dir + "/last/public/sitemap.xml"); err != nil ||
		!strings.Contains(string(data), "https://example.org/b/") {
		t.Errorf("the address of the site: %v %.200s", err, data)
	}
}

// The jobs of the workflow that init --shards writes make the site of one build, of as many slices as were asked for.
func TestPublishingInSlices(t *testing.T) {
	r := newRunner(t)
	dir := t.TempDir()
	inDir(t, dir, 0, "init", "--shards", "3")
	workflow := filepath.Join(dir, filepath.FromSlash(publishWorkflow))
	text, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SLICES: 3\n", "slice: [1, 2, 3]\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the workflow has no %q:\n%s", want, text)
		}
	}
	for _, model := range []string{"one", "two", "three"} {
		if err := os.WriteFile(dir+"/data/raw/"+model+".json", []byte(strings.Replace(oneResult, "org/m", "org/"+model, 1)),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	inDir(t, dir, 0, "ingest")
	const address = "BASE_URL=https://example.org/b"
	for n := 1; n <= 3; n++ {
		r.must(dir, stepsOf(t, workflow, "slice")["build a slice"].Run, fmt.Sprintf("SLICE=%d", n), "SLICES=3", address)
		// As the program of GitHub puts artifacts, which have no file with a dot before its name.
		r.must(dir, fmt.Sprintf("mkdir -p slices && rm slice/.inferdex-files.gz && mv slice slices/slice-%d", n))
	}
	r.must(dir, stepsOf(t, workflow, "merge")["merge the slices"].Run, address)
	r.must(dir, "inferdex build --full --output whole --base-url https://example.org/b/ && diff -r whole public")
}

// The action takes a release only if its digest is the one that was published with it.
func TestActionGetsTheRelease(t *testing.T) {
	r := newRunner(t, "curl", "tar", "awk")
	step := stepsOf(t, "../../action.yml", "")["get inferdex"].Run
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	tw := tar.NewWriter(gz)
	program := "#!/bin/sh\necho released\n"
	if err := tw.WriteHeader(&tar.Header{Name: "inferdex", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	_, _ = tw.Write([]byte(program))
	_ = tw.Close()
	_ = gz.Close()
	name := releaseName(t, "1.2.0", "linux", "amd64")
	sum := fmt.Sprintf("%x", sha256.Sum256(packed.Bytes()))
	checksums := sum + "  " + name + "\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/releases/latest", func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, "/releases/tag/v1.2.0", http.StatusFound)
	})
	mux.HandleFunc("/releases/tag/v1.2.0", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/releases/download/v1.2.0/"+name,
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(packed.Bytes()) })
	mux.HandleFunc("/releases/download/v1.2.0/checksums.txt",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(checksums)) })
	server := httptest.NewServer(mux)
	defer server.Close()
	get := func(version, ref string) (string, bool) {
		return r.run(r.dir, step, "VERSION="+version, "REF="+ref, "RELEASES="+server.URL+"/releases", "RUNNER_OS=Linux",
			"RUNNER_ARCH=X64")
	}
	for _, c := range []struct{ version, ref string }{{"", "v1.2.0"}, {"", "v1"}, {"latest", "main"}, {"v1.2.0", ""}} {
		out, ok := get(c.version, c.ref)
		folder := strings.TrimSpace(r.read("path"))
		if !ok || folder == "" {
			t.Fatalf("%+v: %s", c, out)
		}
		if got := r.must(r.dir, `"$FOLDER/inferdex"`, "FOLDER="+folder); got != "released\n" {
			t.Errorf("%+v: runs %q", c, got)
		}
	}
	for _, bad := range []string{"v1.2.0; echo owned", "../../x", "v9", "$(echo owned)"} {
		out, ok := get(bad, "")
		if ok || !strings.Contains(out, "is no release of inferdex") || strings.Contains(out, "\nowned") {
			t.Errorf("version %q: %s", bad, out)
		}
	}
	for _, wrong := range []string{strings.Replace(checksums, sum[:4], "0000", 1), "", sum + "  other.tar.gz\n"} {
		checksums = wrong
		if out, ok := get("v1.2.0", ""); ok || !strings.Contains(out, "it is not used") || r.read("path") != "" {
			t.Errorf("checksums %q: %s", wrong, out)
		}
	}
}

// releaseName is the archive of a release as goreleaser names it.
func releaseName(t *testing.T, version, system, machine string) string {
	t.Helper()
	data, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Archives []struct {
			Formats []string
			Name    string `yaml:"name_template"`
		}
	}
	if err := yaml.Unmarshal(data, &config); err != nil {
		t.Fatal(err)
	}
	a := config.Archives[0]
	return strings.NewReplacer("{{ .Version }}", version, "{{ .Os }}", system, "{{ .Arch }}", machine).Replace(a.Name) +
		"." + a.Formats[0]
}

// gh stands in for GitHub's own program: it answers from files and notes what it was asked and told.
const gh = `#!/bin/bash
printf '%s\n' "$*" >> "$RUNNER_TEMP/asked"
case "$*" in
  *"/pulls -f"*) cat "$RUNNER_TEMP/pulls" ;;
  *"/artifacts -f"*) cat "$RUNNER_TEMP/artifacts" ;;
  *"/zip"*) cat "$RUNNER_TEMP/artifact.zip" ;;
  *"/comments --jq"*) cat "$RUNNER_TEMP/comments" ;;
  *"body=@"*) cp "${*##*body=@}" "$RUNNER_TEMP/said" 2>/dev/null || cp "$RUNNER_TEMP/comment.md" "$RUNNER_TEMP/said" ;;
  *) echo "no answer to: $*" >&2; exit 1 ;;
esac
`

// The comment on a pull request takes the artifact as data: what leads out of it, what is too large, what is no
// catalog and what holds markup ends in words, and the number comes from the event's own commit.
func TestPreviewComment(t *testing.T) {
	r := newRunner(t, "git")
	steps := stepsOf(t, "skeleton/.github/workflows/preview-comment.yml", "comment")
	if err := os.WriteFile(r.file("bin/gh"), []byte(gh), 0o777); err != nil {
		t.Fatal(err)
	}
	base, pull := t.TempDir(), t.TempDir()
	for dir, model := range map[string]string{base: "org/one", pull: `<img src=x onerror=alert(1)>|@everyone`} {
		inDir(t, dir, 0, "init")
		if err := os.WriteFile(dir+"/data/raw/a.json", []byte(strings.Replace(oneResult, "org/m", model, 1)),
			0o666); err != nil {
			t.Fatal(err)
		}
		inDir(t, dir, 0, "ingest")
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(r.file(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"REPOSITORY=org/catalog", "RUN_ID=7", "RUN_PAGE=https://example.org/runs/7", "HEAD_OWNER=somebody",
		"HEAD_BRANCH=$(echo owned)", "HEAD_SHA=abc"}
	comment := func(artifact []byte, size string) (said string, ok bool) {
		t.Helper()
		put("artifact.zip", string(artifact))
		put("artifacts", "11 "+size+"\n")
		put("pulls", "42\n")
		put("comments", "")
		r.must(base, steps["find the pull request"].Run, env...)
		if out := r.read("output"); out != "number=42\n" {
			t.Fatalf("the number of the pull request: %q", out)
		}
		if _, ok := r.run(base, steps["get the catalog as data"].Run, env...); !ok {
			return "", false
		}
		r.must(base, steps["say what changes"].Run, append(env, "NUMBER=42")...)
		return r.read("said"), true
	}
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	if err := w.AddFS(os.DirFS(pull + "/data/catalog")); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	said, ok := comment(z.Bytes(), "900")
	if !ok || !strings.HasPrefix(said, "<!-- inferdex preview -->\n") || !strings.Contains(said, "1 run added") ||
		!strings.Contains(said, "1 run removed") || !strings.Contains(said, "https://example.org/runs/7") {
		t.Errorf("the comment:\n%s", said)
	}
	if strings.Contains(said, "<img") || strings.Contains(said, "@everyone") || len(said) > 65_536 {
		t.Errorf("foreign text is not text:\n%s", said)
	}
	if asked := r.read("asked"); strings.Contains(asked, "owned\n") || !strings.Contains(asked, "$(echo owned)") {
		t.Errorf("the branch's name was run:\n%s", asked)
	}
	if said, ok = comment([]byte("no archive"), "900"); !ok || !strings.Contains(said, "cannot be read") {
		t.Errorf("a broken artifact: %v\n%s", ok, said)
	}
	if _, ok = comment(z.Bytes(), "10000000000"); ok {
		t.Error("an artifact of 10 GB was read")
	}
	put("pulls", "")
	r.must(base, steps["find the pull request"].Run, env...)
	if out := r.read("output"); out != "number=\n" {
		t.Errorf("a commit of no pull request: %q", out)
	}
	put("comments", "77\n")
	put("artifact.zip", z.String())
	r.must(base, steps["say what changes"].Run, append(env, "NUMBER=42")...)
	if asked := r.read("asked"); !strings.Contains(asked, "--method PATCH repos/org/catalog/issues/comments/77") {
		t.Errorf("an older comment is not written anew:\n%s", asked)
	}
}
