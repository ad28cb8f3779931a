package cmd_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Every target is in `make help`, with what it does.
func TestMakeHelp(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	phony := regexp.MustCompile(`(?m)^\.PHONY:((?:.*\\\n)*.*)$`).FindSubmatch(makefile)
	if phony == nil {
		t.Fatal("the Makefile has no .PHONY")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	help := exec.Command("make", "--no-print-directory", "help")
	help.Dir = ".."
	out, err := help.Output()
	if err != nil {
		t.Fatal(err)
	}
	does := map[string]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "make" {
			t.Errorf("no line of help: %q", line)
			continue
		}
		does[words[1]] = strings.Join(words[2:], " ")
	}
	for _, target := range strings.Fields(strings.ReplaceAll(string(phony[1]), "\\", "")) {
		if does[target] == "" && target != "all" && target != "FORCE" {
			t.Errorf("make help says nothing of %q: write a line with ## above it", target)
		}
	}
}
