// Package catalog is the normalized dataset: its types, its identities, and how it lies on disk.
//
// A catalog is a directory: one JSON file a run, one point a line in it, beside it the records
// the run was made from, and one file for each input that was ever ingested. Everything in it
// is in base units and in the words of its sources; names are resolved when the site is built,
// so that an edit of data/names reaches every old run. Missing is not zero: whatever is not
// known is absent.
package catalog

import (
	"cmp"
	"encoding/json"
	"math"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/metric"
)

// FormatVersion is written to every file of a catalog. A catalog of a higher version is refused.
const FormatVersion = 1

// Number is an optional float64: nil is missing.
type Number = *float64

// Stat is what is known of one metric at one point, in the metric's base unit.
type Stat = record.Stat

// Percentile is one percentile of a Stat or a Distribution.
type Percentile = record.Percentile

// Distribution is how the values of a metric are distributed, in its base unit and thinned to what
// a chart can show.
type Distribution struct {
	// N is how many values there are.
	N int64 `json:"n"`
	// Quantiles are percentiles in ascending order from 0, the smallest value, to 100, the largest.
	Quantiles []Percentile `json:"quantiles"`
	// MedianLow and MedianHigh are the two values between which the median of what was sampled lies
	// with at least 95 % confidence, whatever the distribution; missing below six values.
	MedianLow  Number `json:"median_low,omitempty"`
	MedianHigh Number `json:"median_high,omitempty"`
	Unit       string `json:"unit"`
}

// Place is where in a source something stands. Source is the beginning, 12 digits, of the
// SHA-256 of the file; Line and Col count from 1, 0 is unknown.
type Place struct {
	Source string `json:"source"`
	Line   int    `json:"line,omitempty"`
	Col    int    `json:"col,omitempty"`
}

// Point is one measured operating point.
type Point struct {
	Workload   record.Workload `json:"workload,omitzero"`
	Load       record.Load     `json:"load,omitzero"`
	Repetition int             `json:"repetition,omitempty"`
	// Date as the record gives it.
	Date      string `json:"date,omitempty"`
	Submitted *int64 `json:"submitted,omitempty"`
	Completed *int64 `json:"completed,omitempty"`
	// NoOutput is how many of the completed requests are known to have no output token; missing where the records do
	// not say it, or say that there is none.
	NoOutput *int64             `json:"no_output,omitempty"`
	Failed   *int64             `json:"failed,omitempty"`
	TimedOut *int64             `json:"timed_out,omitempty"`
	Duration Number             `json:"duration_s,omitempty"`
	Metrics  map[metric.ID]Stat `json:"metrics,omitempty"`
	// Distributions are how metrics are distributed over requests, where the records have a value a
	// request or a gap; the values themselves are not kept.
	Distributions map[metric.ID]Distribution `json:"distributions,omitempty"`
	Errors        []record.ErrorCount        `json:"errors,omitempty"`
	// At is the place of the record that the point was read from; [FindRaw] has the record.
	At Place `json:"at"`
}

// Requests is how many requests were sent: submitted, else asked for, else all that ended in some way; nil where
// the records do not say it.
func (p *Point) Requests() *int64 {
	switch {
	case p.Submitted != nil:
		return p.Submitted
	case p.Workload.NumPrompts != nil:
		return p.Workload.NumPrompts
	case p.Completed == nil:
		return nil
	}
	n := *p.Completed
	for _, more := range []*int64{p.Failed, p.TimedOut} {
		if more != nil {
			n += *more
		}
	}
	return &n
}

// SameLoad reports whether two points of one workload were measured at one load. Where none is recorded, and where
// all requests were sent at once, it is one only if as many were sent: other numbers of requests are no repetitions.
func (p *Point) SameLoad(q *Point) bool {
	axis, v, known := p.Load.Axis()
	other, w, _ := q.Load.Axis()
	if known && !math.IsInf(v, 1) || axis != other || v != w {
		return axis == other && v == w
	}
	a, b := p.Requests(), q.Requests()
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// Consistency is (TTFT + TPOT x (n - 1)) / end-to-end latency, of means, where n is the output
// length: 1 where the three agree, up to what a product of means loses against a mean of products.
// Served says that n is the length served; otherwise it is the one asked for, which a model or a
// random length may fall short of. Ok is false where one of the four is not recorded.
func (p *Point) Consistency() (r float64, served, ok bool) {
	n, served := p.outputLength()
	ttft, tpot, e2e := p.Metrics[metric.TTFT].Mean, p.Metrics[metric.TPOT].Mean, p.Metrics[metric.E2ELatency].Mean
	if n == nil || *n <= 1 || ttft == nil || tpot == nil || e2e == nil || *e2e <= 0 {
		return 0, false, false
	}
	r = (*ttft + *tpot*(*n-1)) / *e2e
	return r, served, !math.IsNaN(r) && !math.IsInf(r, 0)
}

// NormalizedConsistency is the same for tools that count the first token in: NTPOT x n / end-to-end
// latency, of means.
func (p *Point) NormalizedConsistency() (r float64, served, ok bool) {
	n, served := p.outputLength()
	ntpot, e2e := p.Metrics[metric.NTPOT].Mean, p.Metrics[metric.E2ELatency].Mean
	if n == nil || *n <= 0 || ntpot == nil || e2e == nil || *e2e <= 0 {
		return 0, false, false
	}
	r = *ntpot * *n / *e2e
	return r, served, !math.IsNaN(r) && !math.IsInf(r, 0)
}

// Occupancy is how many requests were under way at a time on average, by Little's law: requests a
// second x end-to-end latency, which is returned too, in seconds. The mean latency counts, else the
// median; where there is neither, TTFT + TPOT x (n - 1) stands for it, of n tokens served. The
// requests a second are those completed / duration, else as stated, else output throughput / n. Ok
// is false where one of them is not recorded. Unlike Consistency it ties the latencies to the clock
// of the whole run, so that it tells when all of them are in the same wrong unit.
func (p *Point) Occupancy() (requests, latency float64, ok bool) {
	n, served := p.outputLength()
	ttft, tpot := p.typical(metric.TTFT), p.typical(metric.TPOT)
	switch e2e := p.typical(metric.E2ELatency); {
	case e2e != nil:
		latency = *e2e
	case served && *n >= 1 && ttft != nil && tpot != nil:
		latency = *ttft + *tpot*(*n-1)
	default:
		return 0, 0, false
	}
	stated, tokens := p.Metrics[metric.RequestThroughput].Value, p.Metrics[metric.OutputThroughput].Value
	switch {
	case p.Completed != nil && p.Duration != nil && *p.Duration > 0:
		requests = float64(*p.Completed) / *p.Duration * latency
	case stated != nil:
		requests = *stated * latency
	case tokens != nil && n != nil && *n > 0:
		requests = *tokens / *n * latency
	}
	return requests, latency, requests > 0 && latency > 0 && !math.IsInf(requests, 0)
}

// typical is the mean of a metric, else its median; nil where neither is recorded.
func (p *Point) typical(m metric.ID) Number {
	s := p.Metrics[m]
	return cmp.Or(s.Mean, s.Median)
}

// outputLength is the mean of the output tokens served, else the number asked for.
func (p *Point) outputLength() (n Number, served bool) {
	if p.Workload.Actual.Output != nil {
		return p.Workload.Actual.Output, true
	}
	return p.Workload.Nominal.Output, false
}

// Authority says where metadata comes from, in descending order of authority.
type Authority string

// The authorities.
const (
	FromOverride Authority = "override"    // [override] in run.toml or data/notes
	FromRecord   Authority = "record"      // the result itself
	FromMetadata Authority = "metadata"    // a metadata file beside it
	FromSidecar  Authority = "sidecar"     // the nearest run.toml upwards
	FromRule     Authority = "path rule"   // inferdex.toml
	FromFlag     Authority = "--set"       // command line
	FromCI       Authority = "environment" // CI environment, only with --ci
	// FromHead are the lines below the title of a report that a person wrote around the result.
	FromHead Authority = "head of the report"
	// FromName is the name of the nearest folder or file that names exactly one accelerator.
	FromName Authority = "name of the folder"
)

// Authorities are all of them, the one that overrules all others first.
var Authorities = []Authority{FromOverride, FromRecord, FromMetadata, FromSidecar, FromRule, FromFlag, FromCI, FromHead, FromName}

// Attribute is one piece of metadata as recorded, with where it came from. Keys are those of
// run.toml: model, hardware, count, engine, engine_version, series, date, driver, labels.x.
type Attribute struct {
	Value string    `json:"value"`
	From  Authority `json:"from"`
	// File is the path of the file, empty for flags. Line counts from 1.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Was is the value that an override replaced, Reason why.
	Was    string `json:"was,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Others are statements of the same or a lower authority that disagree.
	Others []Other `json:"others,omitempty"`
}

// Other is a statement that lost against an Attribute.
type Other struct {
	Value string    `json:"value"`
	From  Authority `json:"from"`
	File  string    `json:"file,omitempty"`
	Line  int       `json:"line,omitempty"`
}

// Figure is a quantity of a whole run.
type Figure struct {
	Metric metric.ID `json:"metric"`
	// Of tells figures of one metric apart, e.g. the scenario "1024/128".
	Of string `json:"of,omitempty"`
	// Value is exact, in base units; missing where only the published text is known.
	Value Number `json:"value,omitempty"`
	Unit  string `json:"unit"`
	// Published is the text a published page gives, or would give, for this value.
	Published string `json:"published,omitempty"`
	// PublishedAt is where that text stands; a zero Place where inferdex rounded it as the
	// page's tool does.
	PublishedAt Place  `json:"published_at,omitzero"`
	Basis       string `json:"basis,omitempty"`
	// Score says what an accuracy is of; nil for other metrics. Its StdErr is in the base unit too.
	Score *record.Score `json:"score,omitempty"`
	At    Place         `json:"at,omitzero"`
	// Suspect is the code of the finding that says not to believe the value; set in downloads alone.
	Suspect string `json:"suspect,omitempty"`
}

// Profile is a scatter or a time line of a run.
type Profile struct {
	record.Curves
	At Place `json:"at,omitzero"`
}

// Source is one file that the run's records were read from.
type Source struct {
	Path   string     `json:"path"`
	SHA256 string     `json:"sha256"`
	Format string     `json:"format"`
	CI     *record.CI `json:"ci,omitempty"`
	// Title, Address, Author, Date and License come from the SOURCE.toml above the file.
	Title   string `json:"title,omitempty"`
	Address string `json:"address,omitempty"`
	Author  string `json:"author,omitempty"`
	Date    string `json:"date,omitempty"`
	License string `json:"license,omitempty"`
}

// ID is the beginning of the digest that Place refers to.
func (s Source) ID() string { return s.SHA256[:min(12, len(s.SHA256))] }

// Finding is something a reader has to know before quoting a number of the run.
type Finding struct {
	Code     string          `json:"code"`
	Severity record.Severity `json:"severity"`
	// Path and Line say where; Path may be empty.
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
	// Accepted is set where a sidecar acknowledges the code.
	Accepted bool `json:"accepted,omitempty"`
}

// Run is one session of measuring.
type Run struct {
	Version int    `json:"inferdex"` // FormatVersion
	ID      string `json:"id"`
	// IDFrom says who chose an id that is not made of the identity: FromOverride for an id in
	// run.toml. Empty: the id is [record.Identity.ID], or it and "-" and four characters where two
	// runs have one identity.
	IDFrom Authority `json:"id_from,omitempty"`
	// Formerly are ids that the run had before.
	Formerly []string        `json:"formerly,omitempty"`
	Identity record.Identity `json:"identity"`
	// Started is the date and time of the beginning as well as it is known, in the form
	// "2025-03-26T13:43:50", "2025-03-26" or with a zone at the end where one is recorded.
	// Empty is not recorded.
	Started string `json:"started,omitempty"`
	// Attributes is the metadata by key, in its sources' words.
	Attributes map[string]Attribute `json:"attributes,omitempty"`
	// Parameters of the server as recorded; Client those of the measuring client that are no
	// workload; Env the environment.
	Parameters map[string]Parameter `json:"parameters,omitempty"`
	Client     map[string]Parameter `json:"client,omitempty"`
	Env        map[string]Parameter `json:"env,omitempty"`
	Devices    []record.Device      `json:"devices,omitempty"`
	// Points are ordered by workload, load, repetition.
	Points   []Point   `json:"points,omitempty"`
	Figures  []Figure  `json:"figures,omitempty"`
	Profiles []Profile `json:"profiles,omitempty"`
	Sources  []Source  `json:"sources,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	// Unmapped are keys that were kept in the raw records and never used, with their counts.
	Unmapped map[string]int `json:"unmapped,omitempty"`
	// Accept are the codes of findings that a sidecar acknowledges, sorted: findings that are
	// made later, from names, are held against them too.
	Accept []string `json:"accept,omitempty"`
	// Records is the SHA-256 of the text of the raw records, [RawSum], in lower-case hex: whether they
	// are those that the run was made of. Empty in catalogs that were written without it.
	Records string `json:"records_sha256,omitempty"`
	// Withdrawn says why the run must not be used any more; empty for a good run.
	Withdrawn string `json:"withdrawn,omitempty"`
	// Origins are the catalogs that have the run, of a run that another one gave: set when catalogs are merged, in
	// downloads alone, never in a file of a catalog.
	Origins []Origin `json:"origins,omitempty"`
}

// Head is what tells a run apart from others: all but what it measured, and of its points the workloads and loads with
// how many requests were sent. Nothing of it may be changed: it shares what it has with the run.
func (r *Run) Head() *Run {
	h := *r
	h.Client, h.Env, h.Devices, h.Profiles, h.Unmapped = nil, nil, nil, nil, nil
	if len(r.Profiles) > 0 {
		h.Profiles = []Profile{{}}
	}
	h.Points = nil
	for _, p := range r.Points {
		h.Points = append(h.Points, Point{Workload: p.Workload, Load: p.Load, Repetition: p.Repetition,
			Submitted: p.Submitted, Completed: p.Completed, NoOutput: p.NoOutput, Failed: p.Failed,
			TimedOut: p.TimedOut})
	}
	return &h
}

// Origin is a catalog that has a run.
type Origin struct {
	// Catalog is the address of its data, with a slash at the end; empty is the catalog that merges.
	Catalog string `json:"catalog,omitempty"`
	// Title is what the catalog calls itself, License what its measurements may be used for; empty is not said.
	Title   string `json:"title,omitempty"`
	License string `json:"license,omitempty"`
	// Page is the address of the run's page there; empty where it is in the catalog that merges.
	Page string `json:"page,omitempty"`
	// Differs says that this catalog has other measurements under the id than those that are shown.
	Differs bool `json:"differs,omitempty"`
	// Withdrawn says why this catalog calls the run withdrawn; empty where it does not.
	Withdrawn string `json:"withdrawn,omitempty"`
	// Gone says that this catalog calls the run withdrawn and does not have it.
	Gone bool `json:"gone,omitempty"`
}

// Elsewhere is the address of a run's page in a catalog that has it, "" of a run that is in a file of this catalog.
func (r *Run) Elsewhere() string { return r.From().Page }

// From is the first catalog that has a run as it is shown; the zero value of a run that is in a file of this catalog.
func (r *Run) From() (from Origin) {
	for _, o := range r.Origins {
		switch {
		case o.Gone || o.Differs:
		case o.Catalog == "":
			return Origin{}
		case from.Page == "":
			from = o
		}
	}
	return from
}

// Attr returns the value of an attribute, "" where it is not recorded.
func (r *Run) Attr(key string) string { return r.Attributes[key].Value }

// Input is what one call of ingest was given and what became of it.
type Input struct {
	Version int    `json:"inferdex"`
	Path    string `json:"path"`
	// Kind is "file", "archive", "folder" or "stdin".
	Kind string `json:"kind"`
	// SHA256 is the digest of the file, or of the sorted list of paths and digests of a folder.
	SHA256   string      `json:"sha256"`
	CI       *record.CI  `json:"ci,omitempty"`
	Read     []InputFile `json:"read,omitempty"`
	Ignored  []InputFile `json:"ignored,omitempty"`
	Rejected []Rejected  `json:"rejected,omitempty"`
	// Unmapped counts, by format and key, the records that hold a key which the format kept in
	// their raw form and did not use.
	Unmapped map[string]map[string]int `json:"unmapped,omitempty"`
	Runs     []string                  `json:"runs,omitempty"`
	// Loose are the files with records that describe no run so far, sorted by path: results that come later
	// may lie beside or below them.
	Loose []Loose `json:"loose,omitempty"`

	name string // of the file it was read from
}

// Loose is a file with records that describe no run.
type Loose struct {
	Source  Source      `json:"source"`
	Records []RawRecord `json:"records"`
}

// InputFile is one file of an Input. Reason is set where it was ignored, Format where it was read.
type InputFile struct {
	Path   string `json:"path"`
	Format string `json:"format,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Rejected is a record that could not be read.
type Rejected struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"col,omitempty"`
	Message string `json:"message"`
}

// Catalog is a whole dataset in memory.
type Catalog struct {
	// Runs are ordered by the slug of the model as written, then by id.
	Runs   []*Run
	Inputs []*Input
	// Raw opens the raw records of a run: JSON lines of RawRecord, in order. Nil when there
	// are none. It and the next three may be called for several runs at a time.
	Raw func(id string) ([]RawRecord, error)
	// Intact reports whether the raw records of a run are those that it says it was made of. It does not decode them, and is
	// nil where Raw is.
	Intact func(r *Run) bool
	// Whole reads the whole of a run of which only its outline is there, and File the text of its file: see [OpenOutlined].
	// Of a run that is whole they return the run as it is, and no text. They are nil where all runs are.
	Whole func(r *Run) (*Run, error)
	File  func(r *Run) ([]byte, error)
}

// RawRecord is one record that a run was made from.
type RawRecord struct {
	Kind string `json:"kind"` // "result", "params", ...
	File string `json:"file"`
	// Also are the other paths of the same bytes that describe the run, of a record that is of it only by where
	// it lies.
	Also []string `json:"also,omitempty"`
	// Source is the beginning of the file's SHA-256, as in Place.
	Source string `json:"source"`
	Line   int    `json:"line,omitempty"`
	Col    int    `json:"col,omitempty"`
	// Raw is the record as it was read, redacted, long arrays summarised.
	Raw json.RawMessage `json:"raw,omitempty"`
	// Record is the record as its format understood it: what merging works from.
	Record json.RawMessage `json:"record"`
}
