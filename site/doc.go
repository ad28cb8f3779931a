// Package site makes the pages and files of a catalog. It knows no template and no Hugo; package
// site/hugo renders what it gives.
package site
