package normalize

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Trait is a result as far as it takes to see that another one is not of the same measurement. Zero means that
// something is not recorded.
type Trait struct {
	Path string `json:"p"` // of its file, as read
	// Session, Digest and Entry are digests of the session, of the file, and of the record's place in both.
	Session int64 `json:"s"`
	Digest  int64 `json:"d"`
	Entry   int64 `json:"e"`
	// Date is as written; Load the rate, concurrency and batch as text; Stats are the numbers of the metrics by which
	// results are looked up, in base units, and Names those of their metrics and statistics: a byte each, since all that
	// is shuffled has it twelve times.
	Date  string    `json:"t,omitempty"`
	Load  [3]string `json:"l"`
	Names []byte    `json:"n"`
	Stats []float64 `json:"v"`
}

// Traits gives each result of a reading with each trace of it: those that two tellings of one measurement have in
// common.
func Traits(reading *ingest.Reading, yield func(trace string, of *Trait)) {
	places := map[int64]int64{}
	for _, r := range staying(reading.Records, nil) {
		res, ok := r.(*record.Result)
		if !ok || res.Own {
			continue
		}
		h := r.Header()
		place := digest64(h.Key, h.Digest, strconv.Itoa(h.At.Line), strconv.Itoa(h.At.Col))
		places[place]++ // of several at one place each
		t := &Trait{Path: h.At.File, Session: digest64(h.Key), Digest: digest64(h.Digest),
			Entry: place + places[place] - 1, Date: res.Date, Load: loadTexts(res.Load)}
		for m, s := range metrics(&entry{Record: r, path: h.At.File}, res, &findings{}) {
			t.stats(m, s)
		}
		seen := map[trace]bool{}
		tracedRecord(res, func(x trace) {
			if !seen[x] {
				seen[x] = true
				yield(x.String(), t)
			}
		})
	}
}

// stats notes the numbers of a metric that results are looked up by.
func (t *Trait) stats(m metric.ID, s catalog.Stat) {
	at := slices.Index(traces, m)
	if at < 0 {
		return
	}
	for i, stat := range []string{metric.Value, metric.Mean} {
		if v, ok := s.Get(stat); ok && !derived(s, stat) {
			t.Names, t.Stats = append(t.Names, byte(2*at+i)), append(t.Stats, v)
		}
	}
}

// Alike ties the files of results that have one trace and may be one measurement. Crowded says that so many have it
// that it tells nothing: nobody is tied by it, and each part must know it ([Options.Crowded]). No more are taken then.
func Alike(results iter.Seq[*Trait]) (ties []Tie, crowded bool) {
	var all []*Trait
	entries := map[int64]bool{}
	for t := range results {
		all = append(all, t)
		if entries[t.Entry] = true; len(entries) > crowd {
			return nil, true
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.Path != b.Path && a.Session != b.Session && a.Digest != b.Digest && a.fits(b) {
				ties = append(ties, Tie{a.Path, b.Path})
			}
		}
	}
	return ties, false
}

// fits reports whether nothing that both state differs.
func (t *Trait) fits(o *Trait) bool {
	if !oneStart(t.Date, o.Date) {
		return false
	}
	for i, l := range t.Load {
		if l != "" && o.Load[i] != "" && l != o.Load[i] && (i > 0 || !sameRateText(l, o.Load[i])) {
			return false
		}
	}
	for i, n := range t.Names {
		if k := bytes.IndexByte(o.Names, n); k >= 0 && !agree(t.Stats[i], o.Stats[k]) {
			return false
		}
	}
	return true
}

// sameRateText is [sameRate] of rates as [loadTexts] writes them.
func sameRateText(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && sameRate((*record.Float)(&x), (*record.Float)(&y))
}

func loadTexts(l record.Load) (out [3]string) {
	if l.Rate != nil && *l.Rate >= 0 {
		out[0] = strconv.FormatFloat(float64(*l.Rate), 'g', -1, 64)
	}
	if l.MaxConcurrency != nil {
		out[1] = strconv.FormatInt(*l.MaxConcurrency, 10)
	}
	if l.Batch != nil {
		out[2] = strconv.FormatInt(*l.Batch, 10)
	}
	return out
}

// digest64 is the beginning of the digest of texts.
func digest64(texts ...string) int64 {
	sum := sha256.Sum256([]byte(record.SessionKey(texts...)))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}
