package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/inferdex/inferdex/goldentest"
)

// terminal opens a pseudo-terminal: what is written to it, and a function that ends it and returns what came out.
func terminal(t *testing.T) (*os.File, func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	var unlock, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(value))); e != 0 {
			t.Skip("no pseudo-terminals here: ", e)
		}
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	var shown bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&shown, master) // it ends with an error when the other side is closed
	}()
	return slave, func() string {
		slave.Close()
		<-read
		master.Close()
		return shown.String()
	}
}

// Colours and progress are for terminals alone, and for those that want them.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	goldentest.Write(t, filepath.Join(dir, "data/raw/r.jsonl"), []byte(lossyResult))
	const painted, progress = "\x1b[33mwarning\x1b[0m", "\r\x1b[K"
	for _, c := range []struct {
		name             string
		env, arguments   []string
		paints, advances bool
	}{
		{"terminal", nil, nil, true, true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, nil, false, true},
		{"NO_COLOR that is empty", []string{"NO_COLOR="}, nil, true, true},
		{"dumb terminal", []string{"TERM=dumb"}, nil, false, false},
		{"quiet", nil, []string{"--quiet"}, false, false},
		{"json", nil, []string{"--json"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("TERM", "xterm")
			for _, e := range c.env {
				name, value, _ := strings.Cut(e, "=")
				t.Setenv(name, value)
			}
			w, end := terminal(t)
			code := run(context.Background(), strings.NewReader(""), w, w,
				append([]string{"-C", dir, "ingest", "--strict"}, c.arguments...))
			shown := end()
			if code != exitFindings {
				t.Fatalf("exit status %d, want %d:\n%s", code, exitFindings, shown)
			}
			if got := strings.Contains(shown, painted); got != c.paints {
				t.Errorf("colours: %v, want %v:\n%q", got, c.paints, shown)
			}
			if got := strings.Contains(shown, progress); got != c.advances {
				t.Errorf("progress: %v, want %v:\n%q", got, c.advances, shown)
			}
		})
	}
	for _, command := range []string{"list cards", "export csv", "export citation --name n --creator c", "check --catalog-only",
		"snapshot tag", "compare . .", "names suggest"} {
		t.Run(command, func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("TERM", "xterm")
			for _, quiet := range []bool{false, true} {
				w, end := terminal(t)
				arguments := append([]string{"-C", dir}, strings.Fields(command)...)
				if quiet {
					arguments = append(arguments, "--quiet")
				}
				code := run(context.Background(), strings.NewReader(""), w, w, arguments)
				shown := end()
				at, last := strings.Index(shown, progress+"reading data/catalog"), strings.LastIndex(shown, "\r\x1b[K")
				if quiet == (at >= 0) {
					t.Errorf("quiet %v: progress: %v:\n%q", quiet, at >= 0, shown)
				}
				if after := shown[last+1:]; !quiet && strings.Contains(after, "reading") {
					t.Errorf("exit status %d: a line of progress is left:\n%q", code, after)
				}
			}
		})
	}
	var out, errs bytes.Buffer
	run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", dir, "ingest", "--strict"})
	if all := out.String() + errs.String(); strings.Contains(all, "\x1b") || !strings.Contains(all, "warning") {
		t.Errorf("a pipe gets %q, want the same words without colours", all)
	}
}
