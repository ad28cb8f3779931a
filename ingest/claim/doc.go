// Package claim has the sentences that are written from numbers: each is made only where its condition holds,
// and cites the points that it was read from.
package claim
