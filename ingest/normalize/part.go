package normalize

import (
	"cmp"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
)

// A reading that no machine holds is made into a catalog in parts, of which none says anything of another. Four
// functions give together what [Catalog] gives where nothing is stored: [MarkOf] and [Alike] tell, file by file and
// number by number, what ties files together; [Parts] puts together what is tied; [Part] makes the runs of one part;
// [Inputs] says what became of all files. Ties are those that any step of [Catalog] could follow, and some more: a
// part may be larger than it must be, never smaller.

// Share is what a part tells of the runs it gave, for the inputs.
type Share struct {
	// Runs are the ids of runs by the published paths of the files that they have records of.
	Runs map[string][]string `json:"runs,omitempty"`
	// Lonely are the paths as read of files whose records describe nothing, Loose these records.
	Lonely []string        `json:"lonely,omitempty"`
	Loose  []catalog.Loose `json:"loose,omitempty"`
}

// Part makes the runs of the files of one part. The update has them and no inputs.
func Part(reading *ingest.Reading, o Options) (*catalog.Update, *Share, error) {
	j := o.joiner(nil)
	out, byPath, err := j.outcome(reading)
	if err != nil {
		return nil, nil, err
	}
	loose, err := out.loose(j)
	if err != nil {
		return nil, nil, err
	}
	sortRuns(out.Update.Runs)
	return &out.Update, &Share{Runs: byPath, Lonely: slices.Sorted(maps.Keys(out.lonely)), Loose: loose}, nil
}

// Inputs says what became of each input. The reading may be what [Told] leaves of it.
func Inputs(reading *ingest.Reading, shares []*Share, o Options) []*catalog.Input {
	j := o.joiner(nil)
	byPath, lonely := map[string][]string{}, map[string]bool{}
	var loose []catalog.Loose
	for _, s := range shares {
		for p, ids := range s.Runs {
			byPath[p] = append(byPath[p], ids...)
		}
		for _, p := range s.Lonely {
			lonely[p] = true
		}
		loose = append(loose, s.Loose...)
	}
	sortLoose(loose)
	all := inputs(reading, j.o, byPath, lonely, j.hide)
	for in, list := range placed(loose, all) {
		in.Loose = list
	}
	slices.SortFunc(all, func(a, b *catalog.Input) int { return cmp.Compare(a.File(), b.File()) })
	return all
}
