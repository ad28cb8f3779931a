// Package normalize turns records into runs of a catalog.
//
// A run is a pure function of the set of its records and of the sidecars above them. What an
// ingest reads is put together with the stored records that it does not replace, and all of it is
// divided anew: in which order files come, how many at a time and how often decides nothing. The
// files follow the way of a record:
//
//	entry.go       records as they are stored, and how two of them are told apart
//	attach.go      records to sessions, descriptions to the sessions beside and below them
//	session.go     what makes a session the same wherever its files are found again
//	touched.go     which stored runs an ingest may change
//	store.go       stored runs, and which of their records stay
//	candidate.go   what one record says of a point, in base units
//	agreement.go   how many digits two records of different files have in common
//	twins.go       sessions that share a measurement, which several files tell
//	divide.go      results of a session that others tell apart, given to these
//	group.go       which sessions are one run
//	plan.go        the id of a run, and which stored runs it replaces
//	attributes.go  metadata by authority, each value with where it came from
//	parameters.go  launch parameters, typed values before published texts
//	cluster.go     which records of one load state one measurement
//	merge.go       records of one point become one point
//	findings.go    what a reader must know before quoting a number
//	build.go       a run from all of these
//	input.go       what became of each input
//	check.go       whether a catalog is what its inputs give
//	normalize.go   the whole way
//
// What must not enter the catalog is taken out of every record by package redact.
package normalize
