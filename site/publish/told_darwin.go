package publish

import (
	"io/fs"
	"syscall"
)

func toldOf(info fs.FileInfo) Told {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Told{}
	}
	return Told{uint64(s.Dev), s.Ino, s.Size, s.Ctimespec.Nano()}
}
