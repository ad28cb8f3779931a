package pipeline

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/inferdex/inferdex/beam/bucket"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/normalize"
)

// Namespace is that of the counters.
const Namespace = "inferdex"

// Counters of a job. Those of times are microseconds that workers spent in a step, all workers together.
var (
	files      = beam.NewCounter(Namespace, "files")
	bytesRead  = beam.NewCounter(Namespace, "bytes")
	records    = beam.NewCounter(Namespace, "records")
	unreadable = beam.NewCounter(Namespace, "unreadable")
	rejected   = beam.NewCounter(Namespace, "rejected")
	partsMade  = beam.NewCounter(Namespace, "parts")
	runsMade   = beam.NewCounter(Namespace, "runs")
	largest    = beam.NewDistribution(Namespace, "files_a_part")
)

// took counts the time since a step began.
func took(ctx context.Context, step string, since time.Time) {
	beam.NewCounter(Namespace, "us_"+step).Inc(ctx, time.Since(since).Microseconds())
}

// list finds the files of the inputs and puts them into batches that are read at once.
type list struct{ Job Job }

const (
	batchFiles = 64
	batchBytes = 16 << 20
)

func (l *list) ProcessElement(ctx context.Context, _ []byte, emit func(string, []byte)) error {
	defer took(ctx, "list", time.Now())
	in, err := l.Job.open(ctx)
	if err != nil {
		return err
	}
	found, err := ingest.Find(ctx, in, nil)
	if err != nil {
		return err
	}
	for n := 0; len(found) > 0; n++ {
		end, size := 0, int64(0)
		for end < len(found) && end < batchFiles && (end == 0 || size+found[end].Size <= batchBytes) {
			size += max(0, found[end].Size)
			end++
		}
		b, err := json.Marshal(found[:end])
		if err != nil {
			return err
		}
		emit(strconv.Itoa(n), b)
		found = found[end:]
	}
	return nil
}

// read reads the files of a batch. A file that cannot be read, or that makes its reader fail, is told and is the only
// one that is lost.
type read struct {
	Job Job

	o *normalize.Options // without sidecars; made for the first batch
	z *flate.Writer
}

// pack makes the records of a file smaller: they are most of what a runner has to keep, and it may hand a worker many at
// once.
func (r *read) pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	if r.z == nil {
		var err error
		if r.z, err = flate.NewWriter(&b, flate.BestSpeed); err != nil {
			return nil, err
		}
	} else {
		r.z.Reset(&b)
	}
	_, err := r.z.Write(data)
	err = errors.Join(err, r.z.Close())
	return b.Bytes(), err
}

func (r *read) ProcessElement(ctx context.Context, _ string, batch []byte, reading func(string, []byte),
	mark func([]byte), trait func(string, []byte), told, sidecar func([]byte)) error {
	defer took(ctx, "read", time.Now())
	var found []ingest.Found
	if err := json.Unmarshal(batch, &found); err != nil {
		return err
	}
	in, err := r.Job.open(ctx)
	if err != nil {
		return err
	}
	o, err := r.Job.reading()
	if err != nil {
		return err
	}
	all, err := ingest.ReadFound(ctx, in, found, o)
	if err != nil {
		return err
	}
	if r.o == nil {
		said, err := r.Job.options(nil)
		if err != nil {
			return err
		}
		r.o = &said
	}
	files.Inc(ctx, int64(len(all.Files)))
	bytesRead.Inc(ctx, all.Bytes)
	records.Inc(ctx, int64(len(all.Records)))
	unreadable.Inc(ctx, int64(all.Unreadable))
	for _, one := range all.Split() {
		for _, s := range one.Sidecars {
			if err := as(sidecar, &s); err != nil {
				return err
			}
		}
		for _, f := range one.Files {
			rejected.Inc(ctx, int64(f.Errors))
		}
		b, err := normalize.Told(one).Encode()
		if err != nil {
			return err
		}
		told(b)
		m := normalize.MarkOf(one, *r.o)
		if m == nil {
			continue
		}
		if err := as(mark, m); err != nil {
			return err
		}
		if b, err = one.Encode(); err != nil {
			return err
		}
		if b, err = r.pack(b); err != nil {
			return err
		}
		reading(m.Path, b)
		normalize.Traits(one, func(trace string, of *normalize.Trait) {
			if b, failed := json.Marshal(of); failed != nil {
				err = failed
			} else {
				trait(trace, b)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// alike compares the results of one trace.
type alike struct{}

func (*alike) ProcessElement(ctx context.Context, trace string, results func(*[]byte) bool, tie func(string, string),
	crowded func(string)) error {
	defer took(ctx, "alike", time.Now())
	var wrong error
	ties, many := normalize.Alike(func(yield func(*normalize.Trait) bool) {
		for b := []byte(nil); results(&b); {
			t := new(normalize.Trait)
			if wrong = json.Unmarshal(b, t); wrong != nil || !yield(t) {
				return
			}
		}
	})
	if wrong != nil {
		return wrong
	}
	if many {
		crowded(trace)
	}
	for _, t := range ties {
		tie(t.A, t.B)
	}
	return nil
}

// divide puts files together that are tied, and gives each the name of its part.
type divide struct{ Job Job }

func (d *divide) ProcessElement(ctx context.Context, _ []byte, marks func(*[]byte) bool,
	ties func(*string, *string) bool, sidecars func(*[]byte) bool, part func(string, string)) error {
	defer took(ctx, "divide", time.Now())
	all, err := decoded[normalize.Mark](marks)
	if err != nil {
		return err
	}
	var list []normalize.Tie
	for t := (normalize.Tie{}); ties(&t.A, &t.B); {
		list = append(list, t)
	}
	o, err := d.Job.with(sidecars)
	if err != nil {
		return err
	}
	for path, of := range normalize.Parts(all, list, o) {
		part(path, of)
	}
	return nil
}

// assign gives the reading of a file to its part.
type assign struct{}

func (*assign) ProcessElement(path string, parts func(*string) bool, readings func(*[]byte) bool,
	emit func(string, []byte)) error {
	var part string
	if !parts(&part) {
		return fmt.Errorf("%s: is of no part: please report it", path)
	}
	for b := []byte(nil); readings(&b); {
		emit(part, slices.Clone(b))
	}
	return nil
}

// merge makes and writes the runs of a part.
type merge struct {
	Job Job

	o *normalize.Options // the same for all parts: made for the first
}

func (m *merge) ProcessElement(ctx context.Context, _ string, readings, sidecars func(*[]byte) bool,
	crowded func(*string) bool, share func([]byte)) error {
	defer took(ctx, "merge", time.Now())
	var parts []*ingest.Reading
	for b := []byte(nil); readings(&b); {
		plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
		if err != nil {
			return err
		}
		r, err := ingest.DecodeReading(plain)
		if err != nil {
			return err
		}
		parts = append(parts, r)
	}
	if m.o == nil {
		o, err := m.Job.with(sidecars)
		if err != nil {
			return err
		}
		o.Crowded = map[string]bool{}
		for trace := ""; crowded(&trace); {
			o.Crowded[trace] = true
		}
		m.o = &o
	}
	update, s, err := normalize.Part(ingest.Join(parts), *m.o)
	if err != nil {
		return err
	}
	if err := m.Job.write(ctx, update); err != nil {
		return err
	}
	if err := m.Job.breakOff(); err != nil {
		return err
	}
	partsMade.Inc(ctx, 1)
	runsMade.Inc(ctx, int64(len(update.Runs)))
	largest.Update(ctx, int64(len(parts)))
	return as(share, s)
}

// inputs writes what became of each input.
type inputs struct{ Job Job }

func (i *inputs) ProcessElement(ctx context.Context, _ []byte, told, shares func(*[]byte) bool) error {
	defer took(ctx, "inputs", time.Now())
	var parts []*ingest.Reading
	for b := []byte(nil); told(&b); {
		r, err := ingest.DecodeReading(b)
		if err != nil {
			return err
		}
		parts = append(parts, r)
	}
	all, err := decoded[normalize.Share](shares)
	if err != nil {
		return err
	}
	o, err := i.Job.options(nil)
	if err != nil {
		return err
	}
	return i.Job.write(ctx, &catalog.Update{Inputs: normalize.Inputs(ingest.Join(parts), all, o)})
}

// with are the options with the sidecars that were read.
func (j *Job) with(sidecars func(*[]byte) bool) (normalize.Options, error) {
	list, err := decoded[ingest.SidecarFile](sidecars)
	if err != nil {
		return normalize.Options{}, err
	}
	var all []ingest.SidecarFile
	for _, s := range list {
		all = append(all, *s)
	}
	return j.options(all)
}

// write writes the files of an update to the output.
func (j *Job) write(ctx context.Context, u *catalog.Update) error {
	var second chan error
	if j.Twice {
		second = make(chan error)
		go func() { second <- j.writeOnce(ctx, u) }()
	}
	err := j.writeOnce(ctx, u)
	if j.Twice {
		err = errors.Join(err, <-second)
	}
	return err
}

func (j *Job) writeOnce(ctx context.Context, u *catalog.Update) (err error) {
	out, err := bucket.Output(ctx, j.Output)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return u.Write(func(name string, data []byte) error { return out.Write(ctx, name, data) }, nil)
}

// as gives a value as JSON, with raw records as they are.
func as(emit func([]byte), v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	emit(b.Bytes())
	return nil
}

// decoded are the values of an iterator.
func decoded[T any](next func(*[]byte) bool) (all []*T, err error) {
	for b := []byte(nil); next(&b); {
		v := new(T)
		if err := json.Unmarshal(b, v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}
