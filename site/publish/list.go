package publish

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listName is a file of each site that lists all its files, so that a site is known for one of ours where nothing is
// remembered of it: in a fresh clone to which CI brings the site of the last build, say.
const listName = ".inferdex-files.gz"

// listHead is its first line; after it come the names, one a line.
const listHead = "files of a site of inferdex 1\n"

// mostListed bounds what is read of a list.
const mostListed = 256 << 20

// list adds the list of its files to the draft.
func (d *Draft) list() error {
	names := append(slices.Collect(maps.Keys(d.names)), listName)
	slices.Sort(names)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, listHead+strings.Join(names, "\n")+"\n"); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return d.Write(listName, b.Bytes())
}

// IsSite reports whether a folder lists its files as those of a site.
func IsSite(folder string) bool { return len(listed(folder)) > 0 }

// listed are the files that a site lists itself; nil where it lists none.
func listed(site string) []string {
	name := filepath.Join(site, listName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(z, mostListed))
	names, ours := strings.CutPrefix(string(text), listHead)
	if err != nil || !ours {
		return nil
	}
	return strings.Split(strings.TrimSuffix(names, "\n"), "\n")
}
