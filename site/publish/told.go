package publish

import (
	"io/fs"
	"strconv"
	"time"
)

// Told is what the system says of a plain file that is not opened: which one it is, its size in bytes, and when a change
// of it was noted last, in nanoseconds. The time of that note is the system's own, which no program sets; unlike the time
// that a file shows it tells an edit that leaves size and time. So a file of which the same is told again has the content
// that it had, where it had rested: see [Told.Rested]. The zero value tells nothing.
type Told struct {
	Dev, Ino      uint64
	Size, Changed int64
}

// rest is how long a file must have been as it is: the clock of a disk may go in steps of two seconds.
const rest = 2 * time.Second

// Rested says whether an edit from now on, by the clock of the disk, will be noted at another time, however coarse that
// clock is.
func (t Told) Rested(now int64) bool { return t != (Told{}) && t.Changed+int64(rest) < now }

// String is all that is told; "" is nothing.
func (t Told) String() string {
	if t == (Told{}) {
		return ""
	}
	b := strconv.AppendUint(nil, t.Dev, 10)
	b = strconv.AppendUint(append(b, ' '), t.Ino, 10)
	b = strconv.AppendInt(append(b, ' '), t.Size, 10)
	return string(strconv.AppendInt(append(b, ' '), t.Changed, 10))
}

// ToldOf is zero for what is no plain file, because a link tells nothing of what it leads to, and where the system tells
// nothing: on Windows the time of a file is what programs set.
func ToldOf(info fs.FileInfo) Told {
	if !info.Mode().IsRegular() {
		return Told{}
	}
	return toldOf(info)
}
