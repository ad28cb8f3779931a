// Package view makes the pages of a catalog that people read: their sections, sentences, tables
// and charts, a file for each kind of page and each kind of section. It knows no template and no Hugo.
//
// Its files stand on one another, none in a circle of more than a few. At the bottom is what knows no
// page: addresses (paths.go), names, and what several pages ask of a catalog, each a type computed from
// figure.Index: scorecards.go, comparison.go, presets.go. Site (site.go) holds them. A page in the making
// is a sheet (sheet.go), which knows no catalog; a draft (draft.go) is a sheet and the site it is made
// for. The pages are methods of a draft, and kinds.go lists them.
package view
