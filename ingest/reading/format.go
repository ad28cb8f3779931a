// Package reading is what the reader of a format is made of: what it is told of a file, and what it reads
// with. A [Format] looks at a [Head] and reads a [Source]. [Text] is JSON as tools really write it, with the
// place of every [Value]. An [Object] remembers which members were asked for, so that those that a format did
// not use can be named. [Samples] are rows of tables. [Measured], [Errors] and [Facts] keep of what a tool wrote
// what was measured.
//
// The walk over directories and archives that finds the files is package ingest.
package reading

import "github.com/inferdex/inferdex/ingest/record"

// Format reads one kind of file. Formats are values; package format lists them all.
type Format struct {
	// Name is lower case, words joined by "-": "vllm-bench-serve".
	Name string
	Doc  Doc
	// Match says whether a file is of this format, from its name and its beginning. A name is
	// a hint for values and never decides alone. Once Match says yes the format owns the
	// errors in the file.
	Match func(h *Head) bool
	// Damaged is optional: of a text that no format claims it says what of this format is missing, where the rest of
	// it can be of no other; nil for all else.
	Damaged func(h *Head) *record.SyntaxError
	// Marks are texts one of which stands in every log of this format. A text that no format claims
	// by its beginning is searched for them, and Match is asked again about what begins with the
	// line of a mark: what tools print at the end stands behind megabytes of a server's log. One
	// text may hold results of several such formats: each reads its own and passes over the others'.
	// A text inside of JSON that holds a mark is read as a file of its own.
	Marks []string
	// Clients are how a command begins that prints what this format reads, without what starts the program: a text that
	// shows one above a result says how it was measured.
	Clients []string
	// MaxSize is how many bytes a file of this format may have where that is less than
	// [Limits] allow; 0 is no bound of its own. What is written by hand or by a tool about one
	// machine is small, and reading it needs many times its size.
	MaxSize int64
	// Read emits the file's records in the file's order. What is malformed is emitted as
	// *SyntaxError and reading goes on; the returned error is I/O only.
	Read func(src *Source, emit func(record.Record)) error
	// Finish is optional: it gets all records of one session, in the order of their paths, and
	// emits what only several files together say. It may emit nothing, and it must give the
	// same records for the same group however often it is called.
	Finish func(group []record.Record, emit func(record.Record))
}

// Doc is what `inferdex formats`, README.md and the site say of a format.
type Doc struct {
	Title    string // "happy_vllm suite, raw files"
	Tool     string // "benchmark_llm_serving"
	Command  string // command that writes the file: "bench-suite"
	Versions string // "0.4.3 to 0.25.1"
	Files    string // what such files are called: "raw_results.zip, generation_speed_*.json"
	Reads    string // one sentence
	Unknown  string // one sentence: what cannot be known from such a file
}

// HeadSize is how much of a file Match sees, in bytes. In published result files keys that
// identify a format lie up to 22,500 bytes in.
const HeadSize = 64 << 10

// Head is what formats are told about a file before one of them reads it.
type Head struct {
	// Name is the base name; Path the whole path as in Pos.File.
	Name, Path string
	// Data is the beginning of the file, at most HeadSize bytes, without a byte order mark; of a
	// text that was searched for [Format.Marks], what begins with the line of a mark.
	Data []byte
	// Size is the file's size in bytes, -1 if unknown.
	Size int64
	// Kind is '{' or '[' where the first byte that is no white space is that, 't' for other
	// text, 'b' for binary data and 0 for an empty file.
	Kind byte
	// Keys are the keys seen in Data of the first top-level JSON object, or of the first object
	// in a top-level array. Nested holds "a.b" for keys one level down.
	Keys, Nested map[string]bool
}

// Has reports whether all keys were seen at the top level.
func (h *Head) Has(keys ...string) bool {
	for _, k := range keys {
		if !h.Keys[k] {
			return false
		}
	}
	return true
}

// HasNested reports whether all "a.b" keys were seen.
func (h *Head) HasNested(keys ...string) bool {
	for _, k := range keys {
		if !h.Nested[k] {
			return false
		}
	}
	return true
}

// Source is one file to be read. Its bytes are valid until Read returns: a format that keeps a
// part copies it.
type Source struct {
	Head *Head
	// Data is the whole file without a byte order mark and without the zero bytes that it ends with, which are Padding.
	Data    []byte
	Padding int
	// Failed is set for a text inside of JSON whose command failed, to what the JSON says of it:
	// "success" is false. A result that shows in such a text is that of a failed run.
	Failed string
	// doubts and known are those of the text that [Values] went over.
	doubts []text
	known  bool
}

// text is where a text lies.
type text struct{ from, to int }

// Path is the file's path as in Pos.File.
func (s *Source) Path() string { return s.Head.Path }
