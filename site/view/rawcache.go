package view

import (
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// maxRawCached bounds how many runs' raw records are kept at once. Several pages of one run ask
// for them, one after the other and from several goroutines; unpacking is what costs.
const maxRawCached = 8

// rawCache keeps the raw records of the runs asked for last.
type rawCache struct {
	mu      sync.Mutex
	entries []*rawEntry // the one asked for last comes last
}

type rawEntry struct {
	id      string
	once    sync.Once
	records []catalog.RawRecord
	err     error
}

func (c *rawCache) get(id string, read func() ([]catalog.RawRecord, error)) ([]catalog.RawRecord, error) {
	c.mu.Lock()
	i := slices.IndexFunc(c.entries, func(e *rawEntry) bool { return e.id == id })
	e := &rawEntry{id: id}
	if i >= 0 {
		e = c.entries[i]
		c.entries = slices.Delete(c.entries, i, i+1)
	} else if len(c.entries) == maxRawCached {
		c.entries = slices.Delete(c.entries, 0, 1)
	}
	c.entries = append(c.entries, e)
	c.mu.Unlock()
	e.once.Do(func() { e.records, e.err = read() })
	return e.records, e.err
}
