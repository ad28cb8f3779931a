// Package claim has sentences as values. A claim has its operands, which are numbers of the catalog with their
// places, what was computed of them, and the conditions under which it is made; its text is made of these and
// of nothing else. So a sentence on a page can be held against the catalog without this package.
//
// A kind of sentence is one type: a function finds where its condition holds, a method writes it.
package claim
