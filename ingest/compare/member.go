package compare

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Member is what one run brings to a comparison of runs that a reader chooses. Everything is text
// as it is shown; numbers stand beside it where they place a mark or tell which side is better. What
// two members share is found by keys that are equal: of workloads, loads, quantities and parameters.
// A sentence may have {a} where the name belongs that tells the run apart from the others.
type Member struct {
	ID    string `json:"id"`
	Title string `json:"title"` // model and hardware
	Note  string `json:"note"`  // what else the run is: engine, series, start, id
	// Words tell runs apart, the first that differ: model, hardware, engine, series, day, time of
	// day, id. "" is not recorded.
	Words []string `json:"words"`
	// Facts are the run's cells in the table of runs, in the order of its rows; nil is not recorded.
	Facts []*MemberFact `json:"facts"`
	// Says are sentences to read before quoting the run, with their topics.
	Says [][2]string `json:"says,omitempty"`
	// Tool is equal for tools whose words mean the same; Meanings are what it means by
	// words that others use for something else, for comparison and as a sentence.
	Tool     string      `json:"tool"`
	Meanings [][2]string `json:"meanings,omitempty"`
	Division string      `json:"division,omitempty"` // of a benchmark: see [figure.Run.Division]
	// Accelerators is how many the run records, 0 where it records none.
	Accelerators int              `json:"accelerators,omitempty"`
	Figures      []MemberFigure   `json:"figures,omitempty"` // of the whole run
	Workloads    []MemberWorkload `json:"workloads,omitempty"`
	Version      string           `json:"version,omitempty"` // name of the file of its engine's version
	// Recorded says that the run records launch arguments.
	Recorded   bool       `json:"recorded,omitempty"`
	Parameters []SideCell `json:"parameters,omitempty"`
}

// MemberFact is a cell of the table of runs.
type MemberFact struct {
	Text string `json:"t"`
	Sub  string `json:"sub,omitempty"`
	Href string `json:"href,omitempty"` // from the top of the site
	Code bool   `json:"code,omitempty"`
	Warn bool   `json:"warn,omitempty"` // Sub is a warning, or Text where there is no Sub
}

// MemberFigure is a quantity of a whole run. Figures of equal keys are held against each other.
type MemberFigure struct {
	Key    string           `json:"key"`
	Label  string           `json:"label"`
	Sub    string           `json:"sub"`
	Better metric.Direction `json:"better"`
	Cell   MemberCell       `json:"cell"`
}

// MemberWorkload is one workload with its loads in ascending order.
type MemberWorkload struct {
	// Key is equal for workloads that may stand on one axis; a run has each key once.
	Key    string   `json:"key"`
	Title  string   `json:"title"`
	Fields []string `json:"fields"` // values of the class: see [ClassValues]
	Axis   string   `json:"axis"`
	Main   bool     `json:"main,omitempty"` // cards are compared by it
	// In and Out are the actual lengths in tokens with their texts; nil where not recorded.
	In  *MemberCell `json:"in,omitempty"`
	Out *MemberCell `json:"out,omitempty"`
	// Assumed are the fields that no record states, as words of a sentence.
	Assumed string       `json:"assumed,omitempty"`
	Loads   []MemberLoad `json:"loads"`
	// Rows are by the key of a quantity: its unit, then a cell for each load, nil where it has none.
	Rows map[string][]any `json:"rows"`
	// User are, for each load, what one user gets and what all get together, in tok/s, then for each
	// accelerator where their number is recorded; nil where it is not known. Basis is what the first is made of.
	User  []*[3]*MemberCell `json:"user,omitempty"`
	Basis string            `json:"basis,omitempty"`
	// Sure is the most that intervals of the workload tell: see [SureOf].
	Sure int `json:"sure,omitempty"`
}

// MemberLoad is a load of a workload.
type MemberLoad struct {
	Load   string `json:"l"` // a number, or "inf"
	Phrase string `json:"at"`
	Anchor string `json:"p"`               // of the row on the page of the run
	Short  bool   `json:"short,omitempty"` // not all requests were completed with output
	Full   bool   `json:"full,omitempty"`  // at least 95 % of the KV cache was in use
}

// MemberCell is a number with its text: in JSON the two, then what Note says of them, what kind of
// interval Lo and Hi are, these two, and the ends of the bar to draw where they are others.
type MemberCell struct {
	Value  float64 // NaN where Text is all there is
	Text   string
	Note   string
	Kind   IntervalKind
	Lo, Hi float64
	Bar    [2]float64
}

// IntervalKind says what the ends of a cell are.
type IntervalKind int

// The kinds. Two overlapping intervals that were not made of percentiles are not distinguishable.
const (
	NoInterval     IntervalKind = iota // the smallest and the largest measurement, or nothing
	OfMeasurements                     // of at least six measurements
	OfRequests                         // from the values of all requests
	OfPercentiles                      // from recorded percentiles that hold it
)

// The ways in which [MemberWorkload.Sure] tells two sides apart, and what is said of each.
const (
	MeasuredOnce = iota
	MeasuredRepeatedly
	SureOfRequests
	SureOfMeasurements
)

// SureOf says what may be claimed of numbers, by the most that their intervals tell.
func SureOf() []string {
	const overlap = "Where intervals of two medians overlap, the difference is called not distinguishable"
	return []string{
		MeasuredOnce:       "Each number was measured once: whether a difference is chance cannot be told.",
		MeasuredRepeatedly: "No number was measured six times: whether a difference is chance cannot be told.",
		SureOfRequests: overlap + ". No number was measured six times: how far repeated runs would lie apart is " +
			"not known.",
		SureOfMeasurements: overlap + "; where fewer than six measurements exist, nothing is claimed of chance.",
	}
}

// Sure is what a summary alone tells.
func Sure(s figure.Summary) int {
	switch {
	case s.Confidence > 0:
		return SureOfMeasurements
	case s.Requests > 0 && s.Exact:
		return SureOfRequests
	case s.N > 1:
		return MeasuredRepeatedly
	}
	return MeasuredOnce
}

// NewMemberCell is the cell of a summary. The quartiles of its requests are the bar of a single measurement.
func NewMemberCell(s figure.Summary, scale metric.Scale, quartiles ...float64) MemberCell {
	lo, hi, _ := s.Ends()
	c := MemberCell{Value: scale.Of(s.Median), Text: scale.Format(s.Median)}
	switch {
	case s.Confidence > 0:
		c.Kind = OfMeasurements
	case s.Requests > 0 && s.Exact:
		c.Kind = OfRequests
	case s.Requests > 0:
		c.Kind = OfPercentiles
	}
	if c.Kind != NoInterval || s.N > 1 {
		c.Lo, c.Hi = scale.Of(lo), scale.Of(hi)
		c.Note = intervalWords(s, scale)
	}
	switch {
	case s.N > 1:
		c.Bar = [2]float64{scale.Of(s.Lo), scale.Of(s.Hi)}
	case len(quartiles) == 2:
		c.Bar = [2]float64{scale.Of(quartiles[0]), scale.Of(quartiles[1])}
		if c.Note == "" {
			c.Note = "quartiles " + scale.Format(quartiles[0]) + " to " + scale.Format(quartiles[1])
		}
	}
	return c
}

// intervalWords says what stands behind a median of more than one number.
func intervalWords(s figure.Summary, scale metric.Scale) string {
	lo, hi, _ := s.Ends()
	from := scale.Format(lo) + " to " + scale.Format(hi) + " " + scale.Unit
	switch {
	case s.Confidence > 0:
		return fmt.Sprintf("median of %d measurements, 95\u202f%% interval %s", s.N, from)
	case s.Requests > 0:
		if !s.Exact {
			from = "within " + from
		}
		return fmt.Sprintf("median over %s, 95\u202f%% interval %s", metric.Plural(s.Requests, "request"), from)
	}
	return fmt.Sprintf("median of %d measurements from %s", s.N, from)
}

// cellDigits are the significant digits of the numbers in a cell. Readers see three, and the row
// that a number leads to has all.
const cellDigits = 6

// MarshalJSON writes the cell as a short row.
func (c MemberCell) MarshalJSON() ([]byte, error) {
	row := []any{cellNumber(c.Value), c.Text}
	bar := c.Bar != [2]float64{} && c.Bar != [2]float64{c.Lo, c.Hi}
	if c.Note != "" {
		row = append(row, c.Note, c.Kind, cellNumber(c.Lo), cellNumber(c.Hi))
	}
	if bar {
		row = append(row, cellNumber(c.Bar[0]), cellNumber(c.Bar[1]))
	}
	return json.Marshal(row)
}

// cellNumber is a number of a cell, nil where there is none.
func cellNumber(v float64) any {
	if !figure.Finite(v) {
		return nil
	}
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', cellDigits, 64), 64) // never out of range
	return r
}
