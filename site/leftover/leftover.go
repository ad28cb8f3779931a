// Package leftover knows the files that programs of people leave beside those that the people wrote.
package leftover

import "strings"

// Is reports whether a file of this name is an editor's, a browser's or a file manager's own, or a folder that of a
// version control system: nobody watches it, and it is no part of a site.
func Is(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".DS_Store", "4913": // vim creates 4913 to see whether it can
		return true
	}
	for _, prefix := range []string{".#", ".goutputstream-"} { // emacs, GNOME
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range []string{"~", ".swp", ".swo", ".swx", ".tmp", ".part", ".crdownload"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return len(name) > 1 && name[0] == '#' && name[len(name)-1] == '#' // emacs
}
