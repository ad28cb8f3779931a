package figure

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Stale says that the newest run of a card is older than the catalog wants it to be. Days are as "2026-11-01".
type Stale struct {
	// Newest is the day of the newest run that is not withdrawn; "" where none of them has a date, and then nobody knows
	// how old the card is.
	Newest string `json:"newest,omitempty"`
	// AsOf is the day that the age is counted to, Days the age, Allowed the highest that is allowed.
	AsOf    string `json:"as_of"`
	Days    int    `json:"days,omitempty"`
	Allowed int    `json:"max_age_days"`
	// Fixed says that AsOf was chosen, and is not the day of the newest run of the catalog.
	Fixed bool `json:"-"`
}

// Text says what is stale, without a word that the next run of another card changes.
func (s *Stale) Text() string {
	than := "the newest run of this catalog"
	if s.Fixed {
		than = s.AsOf
	}
	return fmt.Sprintf("The newest run is of %s, more than %s before %s.", s.Newest, metric.Plural(s.Allowed, "day"), than)
}
