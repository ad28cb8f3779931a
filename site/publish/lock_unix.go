//go:build unix

package publish

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Lock takes the lock file for as long as the program runs, or until unlock; [ErrLocked] says that another program
// has it. A program that is killed leaves no lock.
func Lock(name string) (unlock func(), err error) {
	if err := regular(name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		if read, unread := os.Open(name); unread == nil { // of another user: it need not be written to be locked
			f, err = read, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}
