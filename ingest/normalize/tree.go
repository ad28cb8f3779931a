package normalize

import (
	"path"
	"strings"
)

// treePath is a path in the tree of files: an archive is a directory.
func treePath(p string) string { return path.Clean(strings.ReplaceAll(p, "!", "/")) }

// treeDir is the directory of a path in the tree of files, "." for a bare name.
func treeDir(p string) string { return path.Dir(treePath(p)) }

// within reports whether a path of the tree lies in dir or below it.
func within(dir, p string) bool {
	if dir == "." {
		return p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
	}
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// directoriesAbove adds the directories that a path of the tree lies in.
func directoriesAbove(p string, to map[string]bool) {
	for d := treeDir(p); !to[d]; d = path.Dir(d) {
		to[d] = true
	}
}

// stem is a path of the tree without the extension of its base name.
func stem(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// attachLevels is how many directories above its own a description that stands beside no result
// is tried at, and then only where that gives one session.
const attachLevels = 2

// rootLevels is how many directories above its own a description of any kind looks for results: parts
// of reports look one higher.
const rootLevels = attachLevels + 1

// attachRoot is the highest directory in which a description of dir looks for results.
func attachRoot(dir string) string {
	for range rootLevels {
		if up := path.Dir(dir); up != dir {
			dir = up
		}
	}
	return dir
}
