// Package e2e has the tests that need a browser: they build catalogs with the program, serve them
// as GitHub Pages does, and look at each kind of page in Chromium. They stand behind the build tag
// e2e, because they take minutes and want programs that a machine with Go need not have:
//
//	make e2e            the tests
//	make screenshots    the pictures that a reviewer looks at, and README's
//	make pages-table    the table of weights in ARCHITECTURE.md
//	make scores-table   the table of scores there
package e2e
