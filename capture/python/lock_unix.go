//go:build unix

package python

import (
	"os"
	"syscall"
)

// lock waits until no other process holds the lock of a file. Where files cannot
// be locked it gives way at once.
func lock(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return func() {}
	}
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	return func() { f.Close() }
}
