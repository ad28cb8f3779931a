// Package sitetest has a catalog of tests for the packages of site, and tests that need the
// layouts and the program that renders them.
package sitetest
