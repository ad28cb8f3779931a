// Package site puts a catalog's pages and the files beside them together; package site/hugo
// renders what it gives.
package site
