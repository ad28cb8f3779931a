package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A site is one, however it is named: from within its folder, with a slash behind it, through a link to the catalog. A build
// that took it for two made all pages again, or called it the site of another catalog.
func TestNamesOfOneSite(t *testing.T) {
	dir := small(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	inDir(t, dir, exitDone, "build")
	for _, c := range []struct{ from, output string }{
		{link, outputDir}, {dir, filepath.Join(link, outputDir)}, {link, filepath.Join(dir, outputDir)},
		{".", outputDir + "/"},
	} {
		t.Chdir(dir)
		said := inDir(t, c.from, exitDone, "build", "--output", c.output)
		if !strings.Contains(said, ", 0 rendered anew,") {
			t.Errorf("-C %s --output %s:\n%s", c.from, c.output, said)
		}
	}
	if err := os.RemoveAll(stateDir); err != nil {
		t.Fatal(err)
	}
	inDir(t, "", exitDone, "build", "--output", outputDir+"/")
	kept, err := os.ReadDir(filepath.Join(stateDir, "publish"))
	if err != nil || len(kept) != 1 {
		t.Errorf("what is kept of one site: %v, %v", kept, err)
	}
}
