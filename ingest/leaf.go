package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

// leaf is a file that is no archive.
type leaf struct {
	path string
	top  int // index of the top file it lies in
	seq  int // its number in that top file
	size int64
	// packed is what it adds to Progress.Done.
	packed int64
	open   func() (io.ReadCloser, error)
	// whole, if set, is asked when all of it was read: its error means that what was read may be torn.
	whole func() error
	// done, if set, releases what open reads from.
	done func()
	// isTop says that a failure to read is one of the machine's and not of an archive.
	isTop bool
}

// leafReading is a leaf while it is read.
type leafReading struct {
	*pool
	*leaf
	res *fileResult
	c   *content
	h   *reading.Head

	sidecar bool
	chosen  []*reading.Format // those that claim it by its beginning
	parts   []part            // what is read of it, and by which
	verdict record.Record     // what becomes of it where nothing is
	// searching says that more than its beginning is looked at for marks of formats.
	searching bool
	// limit is how many bytes of it are read, 0 where nobody wants them; tooLarge says that it has
	// more of them.
	limit    int64
	tooLarge bool
	// left says that formats were not waited for, which may still read it.
	left bool
	// unsearched says that its beginning is text which no format claims, and that it is too large to be searched for more.
	unsearched bool
	// passed says that nobody reads it and it is too large to be read for its digest alone.
	passed bool
}

// readLeaf reads one file that is no archive.
func (p *pool) readLeaf(w *worker, l *leaf) {
	if l.done != nil {
		defer l.done()
	}
	r := leafReading{pool: p, leaf: l}
	r.res = &fileResult{top: l.top, seq: l.seq, status: FileStatus{Path: l.path, Size: l.size}}
	body, err := l.open()
	if err != nil {
		r.say(&record.SyntaxError{Text: unpackError(err)})
		p.add(r.res, l.packed)
		return
	}
	defer body.Close()
	r.c = &content{r: body, ctx: p.ctx, buf: w.buf[:0]}
	defer func() {
		if w.buf = r.c.buf[:0]; cap(w.buf) > keepBuffer || r.left {
			w.buf = nil
		}
	}()

	err = r.examine()
	if r.limit > 0 && l.size > r.limit {
		r.tooLarge = true
	} else if r.limit > 0 {
		want := l.size
		if want < 0 {
			want = int64(len(r.c.buf)) // a stream: what it needs comes to light
		}
		want = min(want, maxLeafBytes)
		if p.leafBytes.Acquire(p.ctx, want) != nil {
			return // cancelled
		}
		defer p.leafBytes.Release(want)
		err = r.readWanted(err)
	}
	if r.searching && !r.heeding(r.search) {
		return
	}
	if err == nil && !r.tooLarge {
		err = r.rest()
	}
	if err == io.EOF {
		err = nil
	}
	if err == nil && r.whole != nil && (r.sidecar || len(r.chosen) > 0 || len(r.parts) > 0) {
		err = r.whole()
	}
	if p.ctx.Err() == nil && r.judge(err) && r.heeding(r.read) {
		p.add(r.res, r.packed)
	}
}

// patience is how large a file may be that is read to its end before anybody asks whether it is still wanted.
const patience = 1 << 20

// heeding does what formats do with the whole of a file, which they do not interrupt, and reports whether it was done.
// Where reading is cancelled before, of a large file, it is not waited for: it has nothing but the file's text, which
// nobody else uses any more, and what comes of it is dropped.
func (r *leafReading) heeding(do func()) bool {
	if len(r.c.buf) < patience || r.ctx.Done() == nil {
		do()
		return true
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
		return true
	case <-r.ctx.Done():
		r.left = true
		return false
	}
}

// maxUnclaimed is how much is read of a file that no format reads, for its digest.
const maxUnclaimed = 256 << 20

// rest reads what is left of the file, for its digest and to see that it is whole. Of a file that nobody reads, no
// more than maxUnclaimed: it may be a disk.
func (r *leafReading) rest() error {
	if len(r.chosen) > 0 || len(r.parts) > 0 || r.sidecar {
		return r.c.drain(math.MaxInt64)
	}
	if r.size > maxUnclaimed {
		r.passed = true
		return nil
	}
	err := r.c.drain(maxUnclaimed)
	r.passed = err == nil && !r.c.eof
	return err
}

func (r *leafReading) say(rec record.Record) {
	r.res.records = append(r.res.records, stamp(rec, r.path, r.res.status.SHA256, r.res.status.Format))
}

// examine reads the beginning of the file and decides who reads it, and how much of it. The error is
// that of reading; io.EOF is the end of the file.
func (r *leafReading) examine() error {
	const bom = 3
	err := r.c.read(reading.HeadSize + bom)
	size := r.size
	r.sidecar = r.o.Sidecar != nil && r.o.Sidecar(reading.BaseName(r.path))
	// as has the text in another form, if all of it is there.
	as := func(form func(text []byte) []byte) {
		if err = r.c.read(min(r.o.Limits.Member, maxLog) + 1); err != nil {
			r.c.buf = form(r.c.buf)
			size = int64(len(r.c.buf))
		}
	}
	if order := reading.UTF16(r.c.buf); order != nil && (err == nil || err == io.EOF) && size <= maxLog {
		as(func(text []byte) []byte { return reading.UTF8(text, order) })
	}
	if (err == nil || err == io.EOF) && size <= maxLog && !r.sidecar && reading.Logged(r.c.buf) {
		as(reading.Unlogged)
	}
	first := r.c.buf[:min(len(r.c.buf), reading.HeadSize+bom)]
	r.h = reading.NewHead(r.path, first)
	r.h.Size = size
	if len(r.h.Data) < len(first) && size >= bom && bytes.HasPrefix(first, []byte("\ufeff")) {
		r.h.Size -= bom
	}
	if data, padding := reading.Trim(r.c.buf); err == io.EOF && padding > 0 {
		r.h.Size = int64(len(data))
	}
	if r.sidecar {
		r.res.status.Format = SidecarFormat
		r.limit = min(r.o.Limits.Member, maxSidecar)
		return err
	}
	r.chosen, r.verdict = choose(r.h, first[:min(len(first), reading.HeadSize)], r.o.Formats, r.o.Panics)
	r.searching = (err == nil || err == io.EOF) && worthSearching(r.h, r.chosen, r.verdict, r.o.Formats)
	r.unsearched = len(r.chosen) == 0 && r.h.Kind == 't' && size > maxLog
	switch {
	case len(r.chosen) > 0:
		r.res.status.Format = formatNames(whole(nil, r.chosen))
		r.limit = smallest(r.o.Limits.Member, r.chosen)
	case r.searching:
		r.limit = min(r.o.Limits.Member, maxLog)
	}
	return err
}

// readWanted reads the file up to its limit. The error is that of reading, now or before.
func (r *leafReading) readWanted(err error) error {
	if err == nil {
		r.c.grow(r.size, !r.isTop)
		err = r.c.read(r.limit + 1)
	}
	r.tooLarge = int64(len(r.c.buf)) > r.limit
	r.c.buf = reading.Unkeyed(r.c.buf)
	return err
}

// source is the file as formats get it.
func (r *leafReading) source() *reading.Source {
	data, padding := reading.Trim(r.c.buf)
	return &reading.Source{Head: r.h, Data: data, Padding: padding}
}

// search looks behind the beginning of the file for what formats read of it.
func (r *leafReading) search() {
	src := r.source()
	r.parts = whole(src, r.chosen)
	if !r.tooLarge {
		r.parts, r.verdict = search(src, r.chosen, r.verdict, r.o.Formats, r.o.Panics)
	}
	if len(r.chosen) == 0 {
		r.unsearched, r.tooLarge = r.tooLarge, false // nobody asked for it
	}
	if len(r.parts) > 0 {
		r.res.status.Format = formatNames(r.parts)
	}
	for _, part := range r.parts {
		r.tooLarge = r.tooLarge || part.MaxSize > 0 && int64(len(r.c.buf)) > part.MaxSize
	}
}

// judge says what is wrong with the file, err being that of reading it, and whether there is something
// to read all the same.
func (r *leafReading) judge(err error) (readable bool) {
	switch {
	case r.tooLarge:
		what, todo := "one file", "split it or raise the limit"
		if r.limit < r.o.Limits.Member {
			what, todo = "a file of this kind", "split it"
		}
		r.say(&record.SyntaxError{Text: fmt.Sprintf("larger than %s, the limit for %s: %s", sizeText(r.limit),
			what, todo)})
		r.add(r.res, r.packed)
		return false
	case err != nil && r.isTop:
		r.res.unreadable = true
		r.say(&record.SyntaxError{Text: unreadableText(err)})
		r.add(r.res, r.packed)
		return false
	case err != nil:
		// Cut short, or whole with something behind it: what is there is read.
		followed := trailing(err)
		text := unpackError(err)
		if followed && len(r.c.buf) > 0 {
			text = "something follows the end of the compressed data: it is left out"
		}
		r.say(&record.SyntaxError{Text: text})
		if len(r.c.buf) == 0 || !followed && !errors.Is(err, io.ErrUnexpectedEOF) {
			r.add(r.res, r.packed)
			return false
		}
	}
	if i, ok := r.verdict.(*record.Ignored); ok && r.unsearched {
		r.verdict = &record.Ignored{Reason: i.Reason + "; larger than " + sizeText(min(r.o.Limits.Member, maxLog)) +
			", it was not searched for results: split it"}
	}
	if r.passed {
		if i, ok := r.verdict.(*record.Ignored); ok {
			r.verdict = &record.Ignored{Reason: i.Reason + "; larger than " + sizeText(maxUnclaimed) +
				", it was not read to its end"}
		}
		return true
	}
	r.res.status.SHA256, r.res.status.Size = r.c.digest(), r.c.n
	return true
}

// read has the formats read the file.
func (r *leafReading) read() {
	if !r.searching {
		r.parts = whole(r.source(), r.chosen)
	}
	switch {
	case r.sidecar:
		r.res.sidecar = bytes.Clone(reading.TrimBOM(r.c.buf))
	case len(r.parts) == 0:
		r.say(r.verdict)
		if i, ok := r.verdict.(*record.Ignored); ok {
			r.res.status.Ignored = i.Reason
		}
	default:
		data, _ := reading.Trim(r.c.buf)
		r.h.Data, r.h.Size = data[:min(len(data), reading.HeadSize)], int64(len(data))
		records := readParts(r.parts, r.res.status.SHA256, r.o.Panics)
		r.res.records = append(r.res.records, records...)
		for _, rec := range records { // why its format takes nothing of it
			i, ok := rec.(*record.Ignored)
			if !ok {
				r.res.status.Ignored = ""
				break
			}
			r.res.status.Ignored = i.Reason
		}
	}
}

// smallest is the least of a limit and the sizes that formats allow.
func smallest(limit int64, formats []*reading.Format) int64 {
	for _, f := range formats {
		if f.MaxSize > 0 {
			limit = min(limit, f.MaxSize)
		}
	}
	return limit
}

// maxSidecar is how large a file with settings may be.
const maxSidecar = 8 << 20

// sizeText writes a number of bytes in the largest unit that gives a whole number.
func sizeText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for n >= 1024 && n%1024 == 0 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return fmt.Sprintf("%d %s", n, units[i])
}
