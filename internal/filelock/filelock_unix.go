//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Try locks a file unless another process holds its lock. Any other error than ErrHeld means
// that the file system has no locks.
func Try(f *os.File) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}

// Wait locks a file once no other process holds its lock.
func Wait(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}
