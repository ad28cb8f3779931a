// Package ingest turns files that benchmark tools leave behind into records.
//
// A record keeps its source's own keys, words and units; what each number measures is said by
// the format that read it, because only the format knows. Package normalize gives the records
// a common meaning later. The types are in package record, the seam to the formats is package reading;
// the walk over directories, archives and standard input begins in files.go.
package ingest
