package figure

import (
	"crypto/sha256"
	"sync"
)

// configuration is the digest of what tells the configuration of a run from that of another run of its card.
type configuration [sha256.Size]byte

// configured is the configuration of a run of an index, made once: a card is asked for its current runs wherever it is
// named. Copies of a run share it.
type configured struct {
	once sync.Once
	configuration
}
