// Package inferdex holds what the program carries with it: layouts, assets, hand-written pages
// and data/names. A catalog's own layouts, assets and pages of the same names win over these file by
// file, its names entry by entry.
package inferdex

import "embed"

// Files holds the directories layouts, assets, content and data/names under these names.
//
//go:embed all:layouts all:assets all:content all:data/names
var Files embed.FS
