// Package compare holds two or more runs against each other: which workloads may share an axis, which pairs a
// reader would ask for, how far numbers lie apart and whether that is chance, which parameters differ, what
// a limit on changes says, and how results changed from version to version.
//
// A difference is only of equal workloads at equal loads, and a value that nobody recorded differs from
// nothing.
package compare
