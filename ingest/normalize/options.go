package normalize

import (
	"io"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Options are what records alone do not say. The zero Options add nothing.
type Options struct {
	// Config has the path rules, Sidecars what run.toml and SOURCE.toml say, Notes what
	// data/notes says of runs by their ids, Set the --set flags.
	Config   *settings.Config
	Sidecars *settings.Sidecars
	Notes    settings.Notes
	Set      []settings.Fact
	// CI is where the inputs were produced; nil without --ci.
	CI *record.CI
	// Formats are those that read the records: their Finish computes what several records say.
	Formats []*reading.Format
	// Names understands hardware texts, to find contradictions. No name of it enters the catalog.
	Names *settings.Names
	// Inputs are the names of the inputs as given to [ingest.Read].
	Inputs []string
	// Crowded are the traces of which so many results of the whole reading have one that they tell nothing, where
	// only a part of it is at hand: see [Alike]. Nil where all of it is.
	Crowded map[string]bool
	// Pack makes the files of raw records of the runs that are to be written: [catalog.Gzip]. Nil makes none, so that the
	// Update of the outcome cannot be written.
	Pack func(io.Writer) io.WriteCloser
	// Take, where it is set, is given each run that is to be written, with the file of its raw records, as soon as it is
	// made, one at a time; its error ends the call. So no more is held than the runs that are being made: the reading
	// is given away, of its records what [Told] leaves stays, and all runs of the outcome are left with their first
	// point alone. Its Update then has nothing to write of them.
	Take func(run *catalog.Run, raw []byte) error
	// Damaged, where it is set, is told of each stored run whose raw records are missing, for which there is no error, or
	// cannot be understood, one at a time: the run has none then. Where run is empty the records describe none so far, and
	// go on waiting. Else what cannot be understood is an error of the call, as is always what cannot be read.
	Damaged func(run string, err error)
	// Ended, where it is set, is asked before each record is redacted, each point is held against those of other
	// sessions, and each run is made: its error ends the call.
	Ended func() error
	// Prune drops what was once read below the inputs and is not there any more.
	Prune bool
	// Holds reports whether a file of the published path has the bytes of that SHA-256 still. Then bytes that were read
	// elsewhere are a copy, and else, or where it is nil, they have moved.
	Holds func(path, digest string) bool
	// Unchanged, where it is set, reports of the path of a file, as it was read, that the file was ingested before as it is, by
	// this program and with all these options. Where the catalog has records of it they stay, and the reading's are left:
	// so one file more of a folder costs itself and not all runs that the folder has a part of.
	Unchanged func(path string) bool
}

// ended is the error of Ended, nil where nobody is to be asked.
func (o *Options) ended() error {
	if o.Ended == nil {
		return nil
	}
	return o.Ended()
}
