// Package normalize turns records into runs of a catalog.
//
// A run is a pure function of the set of its records, of the sidecars above them and of the id
// it already has. So ingesting a part of a session and then the whole gives what the whole at
// once gives, and ingesting anything twice changes nothing. The files follow the way of a record:
//
//	record.go      records as they are stored, and how two of them are told apart
//	group.go       which records are of one session, which sessions are one run
//	attributes.go  metadata by authority, each value with where it came from
//	parameters.go  launch parameters, typed values before published texts
//	merge.go       records of one point become one point
//	findings.go    what a reader must know before quoting a number
//	build.go       a run from all of these
//	input.go       what became of each input
//	normalize.go   the whole way
package normalize
