package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// boot, in the environment of this test's own program, is the program that it becomes: what Beam starts on a machine of
// workers. Prism puts the first argument in quotation marks, as for a shell, and starts none.
const boot = "INFERDEX_BOOT"

func TestMain(m *testing.M) {
	if os.Getenv(itself) != "" {
		status := run(os.Args)
		fmt.Fprintln(os.Stderr, "peak", peak())
		os.Exit(status)
	}
	if program := os.Getenv(boot); program != "" {
		args := append([]string{program}, os.Args[1:]...)
		args[1] = strings.ReplaceAll(args[1], "'", "")
		args = append(args, "--semi_persist_dir="+os.Getenv("INFERDEX_STAGED"))
		fmt.Fprintln(os.Stderr, syscall.Exec(program, args, os.Environ()))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// built compiles a command and gives its path.
func built(t *testing.T, dir, name, pkg string) string {
	t.Helper()
	to := filepath.Join(dir, name)
	if said, err := exec.Command("go", "build", "-o", to, pkg).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, said)
	}
	return to
}

// runs runs the program and gives what it prints with its exit status.
func runs(t *testing.T, program string, args ...string) (text string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = t.TempDir()
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// files are those below a folder with what is in them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var data []byte
			data, err = os.ReadFile(name)
			all[strings.TrimPrefix(name, dir)] = string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// free is a port of this machine that nobody listens on.
func free(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// served starts Prism as a program of its own, as a job server that speaks what Flink's and Spark's speak, and gives its
// address.
func served(t *testing.T, prism, dir string) string {
	t.Helper()
	port := strconv.Itoa(free(t))
	server := exec.Command(prism, "-job_port", port, "-serve_http=false", "-log_kind", "text")
	server.Dir = dir
	server.Env = append(os.Environ(), "INFERDEX_STAGED="+dir)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		c, err := net.Dial("tcp", "localhost:"+port)
		if err == nil {
			_ = c.Close()
			return "localhost:" + port
		}
		if time.Since(began) > time.Minute {
			t.Fatal(err)
		}
	}
}

// The job as every portable runner takes it: handed to a job server in another process, which starts workers in a third
// one by Beam's own boot program, from the program that was sent along. The files are those of the run in one process.
func TestPortable(t *testing.T) {
	dir := t.TempDir()
	program := built(t, dir, "inferdex-beam", ".")
	prism := built(t, dir, "prism", "github.com/apache/beam/sdks/v2/go/cmd/prism")
	container := built(t, dir, "boot", "github.com/apache/beam/sdks/v2/go/container")
	input, err := filepath.Abs("../../../data/raw")
	if err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(dir, "one")
	if text, status := runs(t, program, "ingest", "--input", input, "--output", one); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, text)
	}
	want := files(t, one)
	if len(want) == 0 {
		t.Fatal("nothing is compared")
	}
	for name, workers := range map[string][]string{
		"in the program that hands the job over": {"--environment_type=LOOPBACK"},
		"in a process of their own": {"--environment_type=PROCESS", fmt.Sprintf(
			"--environment_config={%q: %q, %q: {%q: %q}}", "command", os.Args[0], "env", boot, container)},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			args := append([]string{"ingest", "--runner=universal", "--endpoint=" + served(t, prism, t.TempDir()),
				"--input", input, "--output", out}, workers...)
			if text, status := runs(t, program, args...); status != 0 || !strings.Contains(text, " 0 files unreadable") {
				t.Fatalf("exit status %d:\n%s", status, text)
			}
			got := files(t, out)
			if len(got) != len(want) {
				t.Errorf("%d files, %d in one process", len(got), len(want))
			}
			for name, data := range want {
				if got[name] != data {
					t.Errorf("%s differs", name)
				}
			}
		})
	}

	// Dataflow's description of the job is made and printed, without an account and without a request.
	text, status := runs(t, program, "ingest", "--runner=dataflow", "--dry_run", "--project=p", "--region=r",
		"--staging_location=gs://b/staging", "--input", "gs://b/results", "--output", "gs://b/catalog")
	for _, part := range []string{"JOB_TYPE_BATCH", "pipeline.read", "pipeline.divide", "pipeline.merge", "nothing was waited for"} {
		if status != 0 || !strings.Contains(text, part) {
			t.Errorf("exit status %d, want %q:\n%s", status, part, text)
		}
	}
	text, status = runs(t, program, "ingest", "--runner=dataflow", "--dry_run", "--project=p", "--region=r",
		"--staging_location=gs://b/staging", "--input", "gs://b/results", "--output", "catalog")
	if status != 2 || !strings.Contains(text, `"catalog": the workers of Dataflow do not have this machine's disk`) {
		t.Errorf("exit status %d:\n%s", status, text)
	}
}

// A command line that no job follows from says in one line why; help is what was asked for.
func TestUsage(t *testing.T) {
	t.Setenv(itself, "1")
	here := t.TempDir()
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{0, "inferdex-beam ingest ADDRESS... --output ADDRESS", []string{"--help"}},
		{2, "give ingest what to read, and --output; ", []string{"ingest"}},
		{2, "give ingest what to read, and --output; ", []string{"ingest", here}},
		{2, `"ingst" is no command: give ingest; `, []string{"ingst", here}},
		{2, "flag provided but not defined: -inptu; ", []string{"ingest", "--inptu", here}},
		{2, `"ftp://store": give a path, file://, gs:// or s3://; `, []string{"ingest", "ftp://store", "--output", here}},
		{2, "nowhere: no such file or directory; ", []string{"ingest", "--output", here, "nowhere"}},
	} {
		text, status := runs(t, os.Args[0], c.args...)
		if status != c.status || !strings.Contains(text, c.want) || status == 2 && strings.Count(text, "\n") > 2 {
			t.Errorf("%q: exit status %d, want %d and %q:\n%s", c.args, status, c.status, c.want, text)
		}
	}
	// An empty folder is no error, and an output that is not empty is told of.
	out := t.TempDir()
	for i, want := range []string{"\n0 files, 0.0 MB, 0 records; 0 parts", out + " is not empty: what this job does not write stays there\n"} {
		text, status := runs(t, os.Args[0], "ingest", "file://"+here, "--output", out)
		if status != 0 || !strings.Contains(text, want) {
			t.Errorf("run %d: exit status %d, want %q:\n%s", i, status, want, text)
		}
		if err := os.WriteFile(filepath.Join(out, "old"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
