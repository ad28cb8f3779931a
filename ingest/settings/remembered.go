package settings

import "sync"

// mostRemembered is how many answers are remembered of one kind: a catalog has fewer spellings of its hardware.
const mostRemembered = 1 << 12

// remembered is what was answered, for several who ask at a time. The zero value is ready.
type remembered[K comparable, V any] struct {
	mu  sync.RWMutex
	all map[K]V
}

// of is the answer to a question, which is found once.
func (r *remembered[K, V]) of(question K, find func() V) V {
	r.mu.RLock()
	v, known := r.all[question]
	r.mu.RUnlock()
	if known {
		return v
	}
	v = find()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil || len(r.all) == mostRemembered {
		r.all = map[K]V{}
	}
	r.all[question] = v
	return v
}
