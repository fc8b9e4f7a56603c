// Package filelock locks files and folders against other processes, for as long as they are
// open. The lock of a process that is killed is free again.
package filelock

import (
	"errors"
	"os"
)

// ErrHeld is the error of Try for what another process has locked.
var ErrHeld = errors.New("another process has locked it")

// Same reports whether an open file is still the one at a path. One that was there before it
// was locked may be gone.
func Same(f *os.File, path string) bool {
	a, err := f.Stat()
	b, failed := os.Lstat(path)
	return err == nil && failed == nil && os.SameFile(a, b)
}
