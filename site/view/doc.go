// Package view makes the pages of a catalog that people read: their sections, sentences, tables
// and charts, a file for each kind of page and each kind of section. The kinds are listed in
// kinds.go. It knows no template and no Hugo.
package view
