//go:build unix

package python

import (
	"errors"
	"syscall"
)

// runs reports whether a process is there.
func runs(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
