package data

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/site/view"
)

// Set is the data of a catalog as programs read it.
type Set struct {
	*view.Site
	said stated
}

// Downloads are the files of the whole catalog.
func (s *Set) Downloads() []view.Download { return s.Beside.Downloads }

// packer is a compressor: a higher level takes up to five times as long for a few percent.
func packer(w io.Writer) *gzip.Writer {
	z, err := gzip.NewWriterLevel(w, 6)
	if err != nil {
		panic(err) // there is such a level
	}
	return z
}

// packers are used again: one takes longer to make than to pack a small file.
var packers = sync.Pool{New: func() any { return packer(nil) }}

// packed compresses what f writes, with no name and no time in the header: same input, same
// bytes.
func packed(f func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := packers.Get().(*gzip.Writer)
		defer packers.Put(z)
		z.Reset(w)
		if err := f(z); err != nil {
			return err
		}
		return z.Close()
	}
}

// kept writes what f wrote at first: the page of downloads asks how large a file is, and the file is
// written later.
func kept(f func(io.Writer) error) func(io.Writer) error {
	written := sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := f(&b)
		return b.Bytes(), err
	})
	return func(w io.Writer) error {
		data, err := written()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// csvColumn is a column of a CSV file.
type csvColumn struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // of Table Schema: string, number, integer, date, any
	Description string `json:"description,omitempty"`
}

func columnNames(cs []csvColumn) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return out
}

// runID is the first column of each file, servedBy are the columns that say what was measured.
var (
	runID    = csvColumn{"run", "string", "id of the run"}
	servedBy = []csvColumn{
		{"model", "string", ""},
		{"hardware", "string", "accelerator"},
		{"count", "integer", "accelerators that served; empty where assumed"},
		{"engine", "string", ""},
		{"engine_version", "string", ""},
		{"series", "string", "label that tells runs apart"},
	}
)

// pointColumns are the columns of points.csv. A missing value is an empty field.
var pointColumns = slices.Concat([]csvColumn{runID}, servedBy, []csvColumn{
	{"workload", "string", "key of the workload within the run"},
	{"input_nominal", "number", "tokens a request as asked for"},
	{"output_nominal", "number", "tokens a request as asked for"},
	{"input_actual", "number", "tokens a request as measured, median"},
	{"output_actual", "number", "tokens a request as measured, median"},
	{"axis", "string", "what load counts: concurrency, rate or batch"},
	{"load", "string", "parallel requests, requests a second (\"inf\" is all at once) or batch size"},
	{"repetition", "integer", ""},
	{"submitted", "integer", "requests"},
	{"completed", "integer", "requests"},
	{"metric", "string", ""},
	{"stat", "string", "value, mean, median, std, min, max or a percentile such as p99"},
	{"value", "number", "in the unit of the row, exact"},
	{"unit", "string", ""},
	{"source", "string", "file that the record was read from"},
	{"line", "integer", "line of the record in that file"},
	{"suspect", "string", "code of the finding that says why the value cannot be believed; empty for most"},
})

// runColumns are the columns of runs.csv.
var runColumns = slices.Concat([]csvColumn{
	runID,
	{"started", "string", "date and time of the beginning as well as it is known, in ISO 8601"},
}, servedBy, []csvColumn{
	{"tool", "string", "what measured"},
	{"points", "integer", "measured points"},
	{"prompt_ingestion_speed", "string", "tokens a second; the published text where the exact value is not recorded"},
	{"generation_speed_10_parallel", "string", "tokens a second of one request at 10 parallel; the published text " +
		"where the exact value is not recorded"},
	{"kv_cache_tokens", "string", "the published text where the exact value is not recorded"},
	{"peak_output_throughput", "number", "tokens a second"},
	{"withdrawn", "string", "why the run must not be used any more"},
})

// catalogDocument is the download of the whole catalog.
type catalogDocument struct {
	Version int            `json:"inferdex"`
	Runs    []*catalog.Run `json:"runs"`
}
