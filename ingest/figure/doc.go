// Package figure has what can be computed from a catalog: which runs make a card, which points
// share a chart, and the derived quantities with the texts of their formulas.
//
// Nothing here is stored. A catalog holds what was recorded in the words of its sources; this
// package resolves names and computes, so an edit of data/names or of a formula reaches every
// old run the next time a site is built. Computed numbers are rounded to 12 significant digits
// (metric.Round12): the last bits differ between processors.
package figure
