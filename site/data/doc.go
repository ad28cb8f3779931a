// Package data makes what programs read of a catalog: downloads with their schema, feeds, badges,
// the index of the search, and what the scripts of pages load.
package data
