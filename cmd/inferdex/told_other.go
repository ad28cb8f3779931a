//go:build !linux && !darwin

package main

import "io/fs"

// toldOf tells nothing: here the time of a file is what programs set.
func toldOf(fs.FileInfo) (told string, changed int64, ok bool) { return "", 0, false }
