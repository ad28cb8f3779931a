// Command build compiles cmd/reader for browsers, with the Go that runs it and nothing else:
//
//	go run ./cmd/reader/build DIR
//
// DIR gets reader.wasm.gz, whose memory is bounded, and wasm_exec.js, the script of that Go which starts it. The same
// source and the same Go give the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// inlined are the packages whose functions stand inside of others all the same, where those are in one of them too.
// Reading a file calls these most: they add a hundredth to what a browser loads.
var inlined = []string{"internal/abi", "internal/bytealg", "internal/byteorder", "internal/runtime/...", "internal/stringslite",
	"internal/strconv", "bytes", "cmp", "math/bits", "slices",
	module + "/ingest/metric", module + "/ingest/reading"}

// module is ours.
const module = "github.com/inferdex/inferdex"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/reader/build DIR")
		os.Exit(2)
	}
	if err := build(os.Args[1], mostMemory); err != nil {
		fmt.Fprintln(os.Stderr, "reader:", err)
		os.Exit(1)
	}
}

// build writes what browsers load of the reader to dir; most bounds its memory, in pages.
func build(dir string, most uint64) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	compiled := filepath.Join(dir, "reader.wasm")
	// Functions that stand for themselves and not inside of others take an eighth off what a browser loads.
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l"}
	for _, of := range inlined {
		args = append(args, "-gcflags="+of+"=")
	}
	cmd := exec.Command("go", append(args, "-o", compiled, module+"/cmd/reader")...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	made, err := os.ReadFile(compiled)
	if err != nil {
		return err
	}
	if made, err = bounded(made, most); err != nil {
		return err
	}
	// What cannot be made smaller is a reader all the same: a Go that is newer than this program may lay it out otherwise.
	if small, err := condensed(made, runtime.Version()); err == nil {
		made = small
	} else {
		fmt.Fprintf(os.Stderr, "the reader stays as heavy as %s links it: %v\n", runtime.Version(), err)
	}
	packed, err := pack(made)
	if err != nil {
		return err
	}
	script, err := starter()
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"reader.wasm.gz": packed, "wasm_exec.js": script} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return os.Remove(compiled)
}

// pack is gzip without a name or a time.
func pack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// starter is the script of this Go that starts its programs in a browser, with the licence it is under.
func starter() ([]byte, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	root := strings.TrimSpace(string(out))
	script, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("this Go has no script for browsers, install it from https://go.dev/dl/: %w", err)
	}
	license, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, fmt.Errorf("this Go has no LICENSE to publish with its script, install it from "+
			"https://go.dev/dl/: %w", err)
	}
	return append([]byte("/*\n"+strings.ReplaceAll(string(license), "*/", "* /")+"*/\n"), script...), nil
}
