//go:build !unix

package publish

// Lock does nothing where the system has no locks that end with the program.
func Lock(string) (unlock func(), err error) { return func() {}, nil }
