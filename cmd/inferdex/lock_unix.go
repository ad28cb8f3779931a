//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// errLocked says that another program has the lock.
var errLocked = errors.New("locked")

// tryLock takes the lock file until unlock, or for as long as the program runs: a program that is
// killed leaves no lock.
func tryLock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}
