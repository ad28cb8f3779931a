//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that is busy reading, and so does not hear of the first signal, ends at the second.
func TestSecondSignalEnds(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-C", t.TempDir(), "ingest", "-")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when it is written, the command reads, and waits for more.
	if _, err := input.Write(bytes.Repeat([]byte("{}\n"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for sent := 1; ; sent++ {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && sent < 2 {
			t.Fatalf("signal %d: %v", sent, err)
		}
		select {
		case <-ended:
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGTERM {
				t.Errorf("it ended with %v, want the signal", cmd.ProcessState)
			}
			return
		case <-t.Context().Done():
			t.Fatalf("%d signals did not end it", sent)
		case <-time.After(50 * time.Millisecond): // as a person presses a key again
		}
	}
}

// A command that may have few open files takes all its inputs nevertheless.
func TestFewOpenFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		name := filepath.Join(dir, "data", "raw", fmt.Sprint(i), "r.json")
		if err := writeFile(name, []byte(served(fmt.Sprintf("org/m%d", i), "01"))); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"ingest", "build", "check --catalog-only", "export markdown --output out"} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -n 32 && exec "$0" "$@"`, os.Args[0], "-C", dir)
		cmd.Args = append(cmd.Args, strings.Fields(command)...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "GOMAXPROCS=2")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, said)
		}
	}
}
